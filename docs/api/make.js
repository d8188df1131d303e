// Writes docs/api.md from the comments in the package's declarations, and docs/glossary.md and its translations from
// the glossaries of bindings/words, or, with --check, fails if they are not what would be written: node docs/api/make.js [--check]

import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from './read.js';

const HEAD = `# API

All that the package exports, from the comments in its source: \`make docs\` writes this page, and a test
runs its examples. [bindings/README.md](../bindings/README.md) is the guide. In the examples, \`gf\` is
\`await load()\`.
`;

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

/** @param {import('./read.js').Item} item */
const rowText = ({ signature, about }) => `| \`${cell(signature)}\` | ${cell(prose(about))} |`;

/** @param {import('./read.js').Item[]} items */
const tableText = (items) => ['| | |', '| --- | --- |', ...items.map(rowText)].join('\n');

/** What load gives is told function by function; other types as tables.
 * @param {import('./read.js').Group} group */
function groupText(group) {
  const { name, about, members, signature } = group;
  const parts =
    name === 'Glassformer'
      ? members.map((item) => functionText({ ...item, name: `gf.${item.name}` }, 4))
      : [members.length ? tableText(members) : `\`\`\`\n${signature}\n\`\`\``];
  return [`### ${typeHeading(group)}`, prose(about), ...parts].filter(Boolean).join('\n\n');
}

/** @param {import('./read.js').Entry} entry */
function entryText({ name, functions, constants, groups }) {
  const headings = functions.map((item) => item.name);
  headings.push(...groups.map(typeHeading));
  return [
    `## ${name}`,
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
  ['api.md', [HEAD, ...entries().map(entryText)].join('\n\n')],
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
