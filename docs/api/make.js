// Writes docs/api.md from the comments in the package's declarations, and docs/glossary.md and its translations from
// the glossaries of bindings/words, or, with --check, fails if they are not what would be written: node docs/api/make.js [--check]

import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from './read.js';

const HEAD = `# API

All that the package exports, from the comments in its source: \`make docs\` writes this page, and a test
runs its examples. [bindings/README.md](../bindings/README.md) is the guide. In the examples, \`gf\` is
\`await load()\`.
`;

const EXPERIMENTAL =
  'Experimental: this entry may change in any minor version ([what is stable](../MIGRATION.md#what-is-stable)).';

/** Words, not HTML. @param {string} text */
const prose = (text) => text.replaceAll('<', '\\<');

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** What GitHub makes of a heading. @param {string} heading */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** @param {{ name: string }} type */
const typeHeading = ({ name }) => `${name} (type)`;

/** @param {import('./read.js').Item} item @param {number} level */
const functionText = ({ name, about, signature, told, examples }, level) =>
  [
    `${'#'.repeat(level)} ${name}`,
    prose(about),
    `\`\`\`ts\n${signature}\n\`\`\``,
    told.map(({ name, text }) => `- \`${name}\` ${prose(text)}`).join('\n'),
    ...examples.map((code) => `\`\`\`js\n${code}\n\`\`\``),
  ]
    .filter(Boolean)
    .join('\n\n');

const functions = new Set(entries.flatMap((entry) => entry.functions.map(({ name }) => name)));
const types = new Map(entries.flatMap((entry) => entry.groups.map((type) => [type.name, type])));

/** Fields that mean the same wherever they stand. @type {Record<string, string>} */
const COMMON = {
  axis: 'which dimension; a negative one counts from the end',
  dFF: 'the width of the feed-forward part',
  dModel: 'how many channels a token has',
  epsilon: 'is added below the root, so that nothing is divided by 0',
  experiment: 'which experiment this is',
  grad: 'the gradient',
  gradient: 'of what is differentiated, by this',
  head: 'its number in the layer, from 0',
  heads: 'how many heads',
  index: 'of the cell, from 0 in each dimension',
  key: 'the position that is attended to, from 0',
  layer: 'its number in the stack, from 0',
  learningRate: 'of the step',
  m: "Adam's first moments",
  name: 'its name, by which it is found',
  node: 'the name of the node',
  op: 'the name of the op',
  parameters: 'how many numbers are learned',
  position: 'in the text, from 0',
  query: 'the position that attends, from 0',
  seed: 'of the random numbers',
  shape: 'the sizes of the dimensions, the outermost first',
  size: 'how many numbers',
  stack: "'encoder' or 'decoder'",
  step: 'its number, 1 at the first',
  title: 'the heading',
  token: 'its id',
  v: "Adam's second moments",
  value: 'the number',
  vocab: 'how many tokens there are',
};

/** Where what has no sentence of its own is described: a method by the function of its name, a field by its type.
 * @param {import('./read.js').Item} item @param {string} above what is said of the type that it belongs to */
function elsewhere({ name, signature }, above) {
  if (new RegExp(`\`${name}[\`[(]|\\b${name}((, \\w+)*:|\\[| is\\b)`).test(above))
    return 'see above';
  if (/^\w+[<(]/.test(signature))
    return functions.has(name) ? `as [${name}](#${anchor(name)})` : '';
  const words = /^\w+\??: (.*)$/.exec(signature)?.[1].match(/\b[A-Z]\w+/g) ?? [];
  const type = words
    .map((word) => types.get(word))
    .find((one) => one?.about || one?.members.length);
  if (type) return `[${type.name}](#${anchor(typeHeading(type))})`;
  return Object.hasOwn(COMMON, name) ? COMMON[name] : '';
}

/** @param {import('./read.js').Item} item @param {string} above */
const rowText = (item, above) =>
  `| \`${cell(item.signature)}\` | ${cell(prose(item.about)) || elsewhere(item, above)} |`;

/** @param {import('./read.js').Item[]} items @param {string} [above] */
const tableText = (items, above = '') =>
  ['| | |', '| --- | --- |', ...items.map((item) => rowText(item, above))].join('\n');

/** What load gives is told function by function; other types as tables.
 * @param {import('./read.js').Group} group */
function groupText(group) {
  const { name, about, members, signature } = group;
  const parts =
    name === 'Glassformer'
      ? members.map((item) => functionText({ ...item, name: `gf.${item.name}` }, 4))
      : [members.length ? tableText(members, about) : `\`\`\`\n${signature}\n\`\`\``];
  return [`### ${typeHeading(group)}`, prose(about), ...parts].filter(Boolean).join('\n\n');
}

/** @param {import('./read.js').Entry} entry */
function entryText({ name, functions, constants, groups, experimental }) {
  const headings = functions.map((item) => item.name);
  headings.push(...groups.map(typeHeading));
  return [
    `## ${name}`,
    ...(experimental ? [EXPERIMENTAL] : []),
    headings.map((heading) => `[${heading}](#${anchor(heading)})`).join(' '),
    ...functions.map((item) => functionText(item, 3)),
    ...(constants.length ? ['### Constants', tableText(constants)] : []),
    ...groups.map(groupText),
  ].join('\n\n');
}

const words = new URL('../../bindings/words/', import.meta.url);
/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(new URL(file, words), 'utf8'));

/** @type {string[]} */
const codes = read('languages.json').map((/** @type {{ code: string }} */ { code }) => code);
/** @param {string} code */
const glossaryFile = (code) => (code === 'en' ? 'glossary.md' : `glossary.${code}.md`);

/** @param {string} code */
function glossaryText(code) {
  /** @type {{ forms: string[], is: string }[]} */
  const terms = Object.values(read(`${code}/glossary.json`));
  const { title, about, others, term, meaning } = read(`${code}/docs.json`).glossary;
  const names = new Intl.DisplayNames(code, { type: 'language' });
  const links = codes
    .filter((other) => other !== code)
    .map((other) => `[${names.of(other)}](${glossaryFile(other)})`);
  const more = others.replace('{languages}', new Intl.ListFormat(code).format(links));
  const rows = terms
    .sort((a, b) => a.forms[0].localeCompare(b.forms[0], code))
    .map(({ forms, is }) => `| ${forms[0]} | ${is} |`);
  return `# ${title}\n\n${about} ${more}\n\n${[`| ${term} | ${meaning} |`, '| --- | --- |', ...rows].join('\n')}`;
}

/** @type {[string, string][]} */
const pages = [
  ['api.md', [HEAD, ...entries.map(entryText)].join('\n\n')],
  ...codes.map(
    (code) => /** @type {[string, string]} */ ([glossaryFile(code), glossaryText(code)]),
  ),
];
for (const [name, made] of pages) {
  const text = `${made}\n`.replace(/\n{3,}/g, '\n\n');
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`docs/${name} is not up to date: make docs`);
    process.exitCode = 1;
  }
}
