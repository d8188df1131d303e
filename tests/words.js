// Checks how the product speaks: one term for each thing, and sentences that need no second reading. Run by
// `make lint`; `node tests/words.js --all` also prints the longest sentence of each file.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is not said, and what is said instead.
 * @type {[RegExp, string][]} */
const TERMS = [
  [/(?<!ALiBi )\bslopes?\b(?! distance)/i, 'gradient, or derivative of A with respect to B'],
  [/\bparameters are chance\b|\bby chance\b/i, 'random weights, sampled'],
  [/\bdue\b(?! to)/i, 'target, expected'],
  [/\bneeded before\b/i, 'Prerequisites'],
  [/\bnot there yet\b/i, 'not yet available'],
  [/\b(is|are|was|be) (told|answered)\b/i, 'say who says what'],
  [/\b(arises?|arose)\b/i, 'how it is computed'],
  [/\bone['’]s own\b/i, 'your'],
  [/\breaders? of files\b/i, 'file reader'],
  [/(?<!there )\bis no (?!longer\b|more\b)[a-z]/i, 'is not a'],
  [/\bwho looks\b|\blooks? at whom\b/i, 'attends to'],
  [/\bfor it is\b|\bfor they are\b/, 'because'],
  [/[a-z]!(\s|$)/, 'no exclamation mark'],
];

/** Words in a sentence: the mean of a file, and the longest one. */
const PAGE = { mean: 16, longest: 30 };
const DOCS = { mean: 20, longest: 40 };

/** @typedef {{ file: string, texts: string[], most: { mean: number, longest: number } }} Page */

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

const tracked = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' });
/** @type {Page[]} */
const pages = [
  { file: 'web/locale/en.json', texts: leaves(JSON.parse(read('web/locale/en.json'))), most: PAGE },
  ...tracked
    .trim()
    .split('\n')
    .filter((file) => file !== 'CHANGELOG.md')
    .map((file) => ({ file, texts: proseOf(read(file)), most: DOCS })),
];

/** @type {string[]} */
const wrong = [];
for (const { file, texts, most } of pages) {
  for (const text of texts) {
    const shown = text.replace(/\{\w+\}/g, 'N');
    for (const [pattern, instead] of TERMS) {
      const found = shown.match(pattern);
      if (found) wrong.push(`${file}: “${found[0]}” (${instead}): ${text}`);
    }
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

/* The decimal sign of French and German prose is a comma, but not in versions, sections and what is typed as code. */
const POINTS = /(SCORM|section|Abschnitt)[ -]\d\.\d|"0\.42"/g;
for (const code of ['fr', 'de']) {
  const file = `web/locale/${code}.json`;
  for (const text of leaves(JSON.parse(read(file)))) {
    if (/(?<![\w.])\d+\.\d+(?![\w.])/.test(text.replace(POINTS, '')))
      wrong.push(`${file}: a decimal point: ${text}`);
  }
}

for (const line of wrong) console.error(line);
process.exitCode = wrong.length ? 1 : 0;
