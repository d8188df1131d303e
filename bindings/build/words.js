// Writes the modules of generated/ that hold the languages: the rows of words/languages.json, where the page loads its
// texts from, and what exercises and the checker say, whose messages become plain functions. Run by `make wasm`; alone:
// node bindings/build/words.js
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import messageFormat from '@messageformat/core';
import { write } from './write.js';

/* Its types are those of an ES module, but it is CommonJS. */
const MessageFormat = /** @type {any} */ (messageFormat);

const words = new URL('../words/', import.meta.url);
const generated = new URL('../generated/', import.meta.url);

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(new URL(file, words), 'utf8'));

/** @type {{ code: string, name: string, decimal: string, group: string, separator: string }[]} */
const rows = read('languages.json');
const codes = rows.map(({ code }) => code);

/** @param {string} file @param {string[]} lines */
const put = (file, lines) =>
  write(
    fileURLToPath(new URL(file, generated)),
    `// Written by bindings/build/words.js.\n${lines.join('\n')}\n`,
  );

put('languages.js', [
  `/** @typedef {${codes.map((code) => `'${code}'`).join(' | ')}} Language */`,
  '/** What a language is called in itself, and how it writes numbers. separator: between the numbers of a list.',
  ' * apart: whether a file of its folder has its sentences of the lessons.',
  " * @typedef {{ name: string, decimal: '.' | ',', group: string, separator: string, apart: boolean }} Row */",
  '/** @type {Readonly<Record<Language, Row>>} */',
  'export const LANGUAGES = {',
  ...rows.map(({ code, ...row }) => {
    const apart = existsSync(new URL(`${code}/lessons.json`, words));
    return `  ${code}: ${JSON.stringify({ ...row, apart })},`;
  }),
  '};',
]);

/** @param {string} code @param {string} part */
const importing = (code, part) =>
  `import(${JSON.stringify(`../words/${code}/${part}.json`)}, { with: { type: 'json' } })`;
/* English is always there. */
const others = codes.filter((code) => code !== 'en');
put('pages.js', [
  '/** The texts of the page in other languages than English, and their glossaries. @type {Record<string, () => Promise<{ default: any }[]>>} */',
  'export const PAGES = {',
  ...others.map(
    (code) =>
      `  ${code}: () => Promise.all([${importing(code, 'page')}, ${importing(code, 'glossary')}]),`,
  ),
  '};',
]);

/** What compiled messages call. @type {Readonly<Record<string, string>>} */
const CALLED = {
  plural:
    'const plural = (/** @type {any} */ n, /** @type {number} */ offset, /** @type {(n: number) => string} */ rule, /** @type {Record<string, string>} */ forms) =>\n' +
    '  forms[n] ?? forms[rule(n - offset)] ?? forms.other;',
  select:
    'const select = (/** @type {string} */ word, /** @type {Record<string, string>} */ forms) => forms[word] ?? forms.other;',
  number:
    'const number = (/** @type {string} */ code, /** @type {number} */ n, /** @type {number} */ offset) => new Intl.NumberFormat(code).format(n - offset);',
};

/** A tree of messages as source: a text that nothing is filled into stays a text.
 * @param {unknown} message @param {{ compile: (message: string) => Function }} format
 * @returns {string} */
function sourceOf(message, format) {
  if (typeof message !== 'string') {
    const parts = Object.entries(/** @type {object} */ (message));
    const sources = parts.map(([key, value]) => [key, sourceOf(value, format)]);
    return Array.isArray(message)
      ? `[${sources.map(([, source]) => source).join(', ')}]`
      : `{${sources.map(([key, source]) => `${JSON.stringify(key)}: ${source}`).join(',\n')}}`;
  }
  const source = format.compile(message).toString();
  if (source.startsWith('() => ')) return source.slice('() => '.length);
  return source.replace(/^\(d\) =>/, '(/** @type {Record<string, string | number>} */ d) =>');
}

for (const part of ['exercises', 'checker']) {
  const sources = codes.map((code) => {
    /* Which forms there are is the platform's to say, for any language: the function has the name of the language. */
    const rules = { [code]: (/** @type {number} */ n) => new Intl.PluralRules(code).select(n) };
    return `const ${code} = ${sourceOf(read(`${code}/${part}.json`), new MessageFormat(rules[code]))};`;
  });
  const text = sources.join('\n');
  const called = Object.keys(CALLED).filter((name) => text.includes(`${name}(`));
  put(`${part}-words.js`, [
    ...called.map((name) => CALLED[name]),
    ...sources,
    "/** @type {Record<import('./languages.js').Language, typeof en>} */",
    `export const WORDS = { ${codes.join(', ')} };`,
  ]);
}
