// Writes docs/api.md from the comments in the package's declarations, and docs/glossary.md and its translations from the
// page's glossaries, or, with --check, fails if they are not what would be written: node docs/api/make.js [--check]

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

/** How the glossary of each language begins: its title, what it is, and the heads of its columns.
 * @type {Record<string, string[]>} */
const GLOSSARIES = {
  en: [
    'Glossary',
    'The terms of the playground and of these pages, one for each thing. On the page, point at a dotted word to read what it means. In [French](glossary.fr.md) and [German](glossary.de.md).',
    'term',
    'meaning',
  ],
  fr: [
    'Glossaire',
    'Les termes de la page, un seul pour chaque chose. Sur la page, pointez un mot souligné de points pour en lire le sens. En [anglais](glossary.md) et en [allemand](glossary.de.md).',
    'terme',
    'sens',
  ],
  de: [
    'Glossar',
    'Die Begriffe der Seite, für jede Sache einer. Zeigen Sie auf der Seite auf ein gepunktetes Wort, um zu lesen, was es bedeutet. Auf [Englisch](glossary.md) und [Französisch](glossary.fr.md).',
    'Begriff',
    'Bedeutung',
  ],
};

/** @param {string} code */
function glossaryText(code) {
  const file = new URL(`../../web/locale/glossary/${code}.json`, import.meta.url);
  /** @type {{ forms: string[], is: string }[]} */
  const terms = Object.values(JSON.parse(readFileSync(file, 'utf8')));
  const [title, about, term, meaning] = GLOSSARIES[code];
  const rows = terms
    .sort((a, b) => a.forms[0].localeCompare(b.forms[0], code))
    .map(({ forms, is }) => `| ${forms[0]} | ${is} |`);
  return `# ${title}\n\n${about}\n\n${[`| ${term} | ${meaning} |`, '| --- | --- |', ...rows].join('\n')}`;
}

/** @type {[string, string][]} */
const pages = [
  ['api.md', [HEAD, ...entries().map(entryText)].join('\n\n')],
  ['glossary.md', glossaryText('en')],
  ['glossary.fr.md', glossaryText('fr')],
  ['glossary.de.md', glossaryText('de')],
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
