// Checks how the product speaks, in each of its languages: one term for each thing, sentences that need no second
// reading, and the signs of that language. Run by `make lint`; `node tests/words.js --all` also prints the longest
// sentence of each file.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {[RegExp, string][]} Terms what is not said, and what is said instead */

/** @type {Terms} */
const ENGLISH = [
  [/(?<!ALiBi.*)\bslopes?\b(?! distance)/i, 'gradient, or derivative of A with respect to B'],
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
  [/\blearnt\b/, 'learned'],
  [/(?<!sinusoidal )\bposition encodings?\b/i, 'position code'],
  [/\bas it were\b/i, 'nothing'],
];

/** @type {Terms} */
const FRENCH = [
  [/ [;:!?»]|« /, 'a space that does not break'],
  [/\p{L}'\p{L}|["“”]\p{L}{3,}[^":]* /u, '’ and « »'],
  [/\bpas d’apprentissage\b/i, 'taux d’apprentissage'],
  [/\b(le|du|au) softmax\b/i, 'la softmax'],
  [/\bscores? réduits?\b/i, 'scores mis à l’échelle'],
  [/\brésidus?\b/i, 'connexion résiduelle, somme résiduelle'],
  [/\bencodages? de position\b/i, 'code de position'],
  [/(?<!fai(t|re|ssent) )(?<!font )\btourne(nt|r)? (des|chaque|les) paires?\b/i, 'faire tourner'],
  [/\btexte (affiche|imprime)\b/i, 'le texte donne'],
  [/\bplaces? (n|de la cible|de la source)\b|\b(chaque|aucune) place\b/i, 'position'],
  [/\bcellules?\b/i, 'case'],
  [/\bnon (effectué|ouvert|écrit)\b/i, 'impossible'],
];

/** @type {Terms} */
const GERMAN = [
  [/\p{L}'\p{L}|”|["“]\p{L}{3,}[^"“„:]* /u, '’ and „“'],
  [/\p{L}…/u, 'a space before …'],
  [
    /(^|[.:;?!] )(Addiere|Beobachte|Berechne|Drücke|Gib|Klicke|Nimm|Öffne|Prüfe|Schreibe|Setze|Suche|Wähle|Zeige|Ziehe)\b/,
    'Sie',
  ],
  [/\b(dein(e[mnrs]?)?|dich|dir)\b/i, 'Sie'],
  [/\bQuerys\b/, 'Queries'],
  [/\b(alle|zwei|drei|die) Token\b/i, 'Tokens'],
  [/(?<!-)\bHeads?\b/, 'Kopf, Köpfe'],
  [/\bLoss(es)?\b/, 'Verlust'],
  [/Strahlensuche|Beam-Suche/i, 'Beam Search'],
  [/\bgierig/i, 'greedy'],
  [/(Selbst|Kreuz)aufmerksamkeit|Aufmerksamkeits(gewicht|karte)/i, 'Attention'],
  [
    /(?<=\b(die|der|maskierte|kausale) )Aufmerksamkeit (allein|selbst|ist|kennt|sieht)\b/i,
    'Attention',
  ],
  [/Aufwärm/i, 'Warm-up'],
  [/Label-Glättung/i, 'Label-Smoothing'],
  [/\bResidu(um|en)/i, 'Residualverbindung, Residualsumme'],
  [/\bNormen\b|Schichtnorm|Layer-Norm(?!alis)/, 'Layer-Normalisierung'],
  [/\bText druckt\b/, 'im Text steht'],
  [/\bPositions(kodierung|encoding)/i, 'Positionscode'],
  [/Multiplikationen mit Addition/, 'MAC-Operationen'],
];

/** Words in a sentence: the mean of a file, and the longest one. French takes more words, and German fewer. */
const PAGE = { mean: 16, longest: 30 };
const DOCS = { mean: 20, longest: 40 };
const LONGEST = { fr: 38, de: 32 };

/** A number of French and German prose has a comma, but not in versions, sections and what is typed as code. */
const POINT = /(?<![\w.])\d+\.\d+(?!\w|\.\d)/;
const CODE = /(SCORM|section|Abschnitt)[ -]\d\.\d|"0\.42"/g;

/** @typedef {{ file: string, texts: string[], terms: Terms, most: { mean: number, longest: number } }} Page */

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
  const words = JSON.parse(read(`web/locale/${code}.json`));
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
 * @param {'en' | 'fr' | 'de'} code @returns {Promise<Omit<Page, 'terms' | 'most'>[]>} */
async function spokenIn(code) {
  const glossary = `web/locale/glossary/${code}.json`;
  const modules = files(new RegExp(`^bindings/(exercises|checker)/speech/${code}\\.js$`));
  return [
    { file: `web/locale/${code}.json`, texts: leaves(localeOf(code)) },
    { file: glossary, texts: leaves(JSON.parse(read(glossary))) },
    ...files(/^web\/lessons\/.*\.json$/).map((file) => ({
      file: `${file} (${code})`,
      texts: lessonIn(JSON.parse(read(file)), code),
    })),
    ...(await Promise.all(
      modules.map(async (file) => ({ file, texts: leaves((await import(root + file))[code]) })),
    )),
  ];
}

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

/** @type {Page[]} */
const pages = [
  ...[...(await spokenIn('en')), ...(await refusals()), ...help].map((page) => ({
    ...page,
    terms: ENGLISH,
    most: PAGE,
  })),
  ...prose.map((page) => ({ ...page, terms: ENGLISH, most: DOCS })),
  ...(await spokenIn('fr')).map((page) => ({
    ...page,
    terms: FRENCH,
    most: { ...PAGE, longest: LONGEST.fr },
  })),
  ...(await spokenIn('de')).map((page) => ({
    ...page,
    terms: GERMAN,
    most: { ...PAGE, longest: LONGEST.de },
  })),
];

/** @type {string[]} */
const wrong = [];
for (const { file, texts, terms, most } of pages) {
  for (const text of texts) {
    const shown = text.replace(/\{\w+\}/g, 'N');
    for (const [pattern, instead] of terms) {
      const found = shown.match(pattern);
      if (found) wrong.push(`${file}: “${found[0]}” (${instead}): ${text}`);
    }
    if (terms !== ENGLISH && POINT.test(text.replace(CODE, '')))
      wrong.push(`${file}: a decimal point: ${text}`);
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
