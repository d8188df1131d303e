// Checks how the product speaks, in each of its languages: one term for each thing, sentences that need no second
// reading, and the signs of that language. Run by `make lint`; `node tests/words.js --all` also prints the longest
// sentence of each file.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { whole } from '../web/bundle/lessons.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** How a language is written: terms: what is not said, and what is said instead; longest: words in a sentence; section:
 * the word before the number of a section, if it is not that.
 * @typedef {{ terms: [RegExp, string][], longest: number, section?: string }} Style */

/** Words in a sentence: the mean of a file, and in documentation the longest one. */
const MEAN = 16;
const DOCS = { mean: 20, longest: 40 };

/** A number of prose in languages with a decimal comma has one, but not in versions, sections and what is typed as code. */
const POINT = /(?<![\w.])\d+\.\d+(?!\w|\.\d)/;
/** @param {string} section */
const codeWith = (section) => new RegExp(`(SCORM|${section})[ -]\\d\\.\\d|"0\\.42"`, 'g');

/** @typedef {{ file: string, texts: string[], terms: Style['terms'], code?: RegExp, most: { mean: number, longest: number } }} Page code: of a
 * language with a decimal comma, where a point is right all the same */

/** @param {string} file */
const read = (file) => readFileSync(root + file, 'utf8');

/** All texts of a tree of them.
 * @param {unknown} words @returns {string[]} */
const leaves = (words) =>
  typeof words === 'string' ? [words] : Object.values(words ?? {}).flatMap(leaves);

/** The prose of a page of documentation: paragraphs, items and cells, without code and addresses.
 * @param {string} text */
function proseOf(text) {
  const plain = text
    .replace(/^```[\s\S]*?^```/gm, '\n\n')
    .replace(/<!--[\s\S]*?-->|<[^>]+>/g, ' ')
    .replace(/!?\[((?:[^\][]|\[[^\]]*\])*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/`[^`]+`/g, 'CODE')
    .replace(/^(\[[^\]]+\]:|#).*$/gm, '\n');
  return plain
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=\|)|\n(?=#)/)
    .flatMap((part) => (part.trimStart().startsWith('|') ? part.split('|') : [part]))
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}

/** @param {string} text */
const sentencesOf = (text) => text.split(/(?<=[.?!:;])["”’)]*\s+(?=\S)/);

/** @param {string} sentence */
const lengthOf = (sentence) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');
/** @param {RegExp} pattern */
const files = (pattern) => tracked.filter((file) => pattern.test(file));

/** What the translator reads is French on every page. @param {string} code @returns {unknown} */
function localeOf(code) {
  const words = JSON.parse(read(`bindings/words/${code}/page.json`));
  words.chapters.transformer.sentences = [];
  return words;
}

/** The sentences of a lesson in one language, with a word for each number.
 * @param {unknown} part @param {string} code @returns {string[]} */
function lessonIn(part, code) {
  if (typeof part !== 'object' || part === null) return [];
  const own = /** @type {Record<string, unknown>} */ (part)[code];
  if (typeof own === 'string') return [own.replace(/\{[^}]*\}/g, 'N').replaceAll('*', '')];
  return Object.values(part).flatMap((inner) => lessonIn(inner, code));
}

/** All that the page and its exercises say in a language, file by file.
 * @param {string} code @returns {Omit<Page, 'terms' | 'code' | 'most'>[]} */
const spokenIn = (code) => [
  { file: `bindings/words/${code}/page.json`, texts: leaves(localeOf(code)) },
  ...['glossary', 'exercises', 'checker']
    .map((part) => `bindings/words/${code}/${part}.json`)
    .map((file) => ({ file, texts: leaves(JSON.parse(read(file))) })),
  ...files(/^web\/lessons\/.*\.json$/).map((file) => ({
    file: `${file} (${code})`,
    texts: lessonIn(whole(JSON.parse(read(file))), code),
  })),
];

/** The sentences of errors: of JavaScript, and of the core. */
async function refusals() {
  const texts = await Promise.all(
    files(/^bindings\/(?!generated).*texts\.js$/).map(async (file) => ({
      file,
      texts: leaves((await import(root + file)).TEXTS),
    })),
  );
  const core = [...read('src/errors.def').matchAll(/^GF_SENTENCE\w*\(\w+, "(.*)"\)$/gm)];
  return [...texts, { file: 'src/errors.def', texts: core.map(([, text]) => text) }];
}

/** What the command line says of itself, without the examples. */
const help = files(/^bindings\/cli\/.*\.js$/).map((file) => ({
  file,
  texts: [...read(file).matchAll(/^const HELP = `([^`]*)`/gm)].flatMap(([, text]) =>
    text
      .split(/\nExamples\n/)[0]
      .split(/\n\s*\n|\n(?= {2}-)/)
      .map((part) => part.replace(/\s+/g, ' ')),
  ),
}));

const prose = files(/\.md$/)
  .filter((file) => file !== 'CHANGELOG.md' && !/^docs\/glossary\.\w\w\.md$/.test(file))
  .map((file) => ({ file, texts: proseOf(read(file)) }));

/** @param {string} code @returns {Promise<Style>} */
const styleOf = (code) => import(`../bindings/words/${code}/style.js`);
const english = await styleOf('en');

/** @type {Page[]} */
const pages = [
  ...[...(await refusals()), ...help].map((page) => ({
    ...page,
    terms: english.terms,
    most: { mean: MEAN, longest: english.longest },
  })),
  ...prose.map((page) => ({ ...page, terms: english.terms, most: DOCS })),
];
for (const { code, decimal } of JSON.parse(read('bindings/words/languages.json'))) {
  const { terms, longest, section = 'section' } = await styleOf(code);
  const allowed = decimal === ',' ? codeWith(section) : undefined;
  const style = { terms, code: allowed, most: { mean: MEAN, longest } };
  pages.push(...spokenIn(code).map((page) => ({ ...page, ...style })));
}

/** @type {string[]} */
const wrong = [];
for (const { file, texts, terms, code, most } of pages) {
  for (const text of texts) {
    const shown = text.replace(/\{\w+\}/g, 'N');
    for (const [pattern, instead] of terms) {
      const found = shown.match(pattern);
      if (found) wrong.push(`${file}: “${found[0]}” (${instead}): ${text}`);
    }
    if (code && POINT.test(text.replace(code, ''))) wrong.push(`${file}: a decimal point: ${text}`);
  }
  const sentences = texts
    .flatMap(sentencesOf)
    .filter((sentence) => /[.?!:;]["”’)]*$/.test(sentence));
  const lengths = sentences.map(lengthOf);
  const mean = lengths.reduce((sum, n) => sum + n, 0) / Math.max(1, lengths.length);
  if (process.argv.includes('--all'))
    console.log(
      `${file}: ${sentences.length} sentences of ${mean.toFixed(1)} words, at most ${Math.max(0, ...lengths)}`,
    );
  if (mean > most.mean)
    wrong.push(`${file}: ${mean.toFixed(1)} words in a sentence, at most ${most.mean}`);
  for (const [i, sentence] of sentences.entries())
    if (lengths[i] > most.longest)
      wrong.push(`${file}: ${lengths[i]} words, at most ${most.longest}: ${sentence}`);
}

for (const line of wrong) console.error(line);
process.exitCode = wrong.length ? 1 : 0;
