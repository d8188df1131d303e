// Which of the page's words a figure, what lies beside it, and an assignment say: paths into page.json of a language.
// As in .gitignore, the last line that matches counts, and one with ! takes out.

/** What the core refuses because of a state; its other errors are about programs and files. */
const ERRORS =
  `received didYouMean number finite numberFrom integerFrom word indexInto noCell noMemoryFor
  noMemory unfit rankOut dimensionOut sizeOut attributeUnfit beyondMemory idOut noNode
  idsNoGradient wasmRefused noParameter modelHasNo notDividing oddHeads tooLong noStep idsFixed
  modelNoPositions modelNoMask modelNoAttention modelNoNorms modelNoLayers divisor noGradientOf
  unknownRemoval notRemovable words exampleNoAttention exampleNoMask exampleNoOutput
  exampleVectors exampleUnplaced exampleUnweighted exampleHeads exampleRows exampleMix
  exampleSquare examples`
    .split(/\s+/)
    .map((name) => `errors/${name}`);

export const FIGURE = [
  ...['page', 'embed', 'map', 'stage', 'titles', 'prose', 'nouns', 'cell', 'caption', 'microscope'],
  ...[
    'formula',
    'switches',
    'gradient',
    'readouts',
    'timeline',
    'legend',
    'mismatches',
    'sentence',
  ],
  ...['examples', 'claims/test', 'claims/testOf', 'chapters/heads', 'chapters/transformer'],
  '!chapters/transformer/checkpoint',
  'chapters/transformer/checkpoint/back',
  '!chapters/transformer/vocabulary',
  '!chapters/transformer/panels/chat',
  '!chapters/transformer/panels/tokenizer',
  ...ERRORS,
];

/** By what a query of the build asks for. */
export const BESIDE = {
  lessons: [
    ...['lessons', '!lessons/welcome', '!lessons/elsewhere', 'plot'],
    ...['chapters/training', 'chapters/stories', 'chapters/exercises/machine'],
  ],
  plane: ['plane', 'directions', 'stage/sample'],
};

export const ASSIGNMENT = [
  ...['assignment', 'nouns', 'page/title', 'page/loading', 'page/noWasm', 'page/broken'],
  ...['page/again', 'page/notLoaded', 'chapters/exercises', '!chapters/exercises/quiz'],
  ...['!chapters/exercises/text', '!chapters/exercises/machine', '!chapters/exercises/panels'],
  ...ERRORS,
];

/** @param {string[]} lines @param {string} path */
function includes(lines, path) {
  const last = lines.findLast((line) => `${path}/`.startsWith(`${line.replace('!', '')}/`));
  return last !== undefined && !last.startsWith('!');
}

/**
 * @param {any} words
 * @param {string[]} lines
 * @param {string} [path]
 * @returns {any} what the lines leave of them; undefined for nothing
 */
function pruned(words, lines, path = '') {
  if (typeof words === 'string' || Array.isArray(words)) {
    return includes(lines, path) ? words : undefined;
  }
  const kept = Object.entries(words)
    .map(([key, value]) => [key, pruned(value, lines, path ? `${path}/${key}` : key)])
    .filter(([, value]) => value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/**
 * Leaves out words that are never said, and the glossary: a course explains its terms itself.
 * @param {string[]} lines
 * @returns {import('vite').Plugin}
 */
export const words = (lines) => ({
  name: 'words',
  enforce: 'pre',
  transform(code, id) {
    if (/\/words\/\w+\/glossary\.json$/.test(id)) return '{}';
    const [file, part] = /\/words\/\w+\/page\.json(?:\?(.+))?$/.exec(id) ?? [];
    if (!file) return null;
    /* Other queries are the page's own way to divide its words. */
    const kept = part ? /** @type {Record<string, string[]>} */ (BESIDE)[part] : lines;
    const json = JSON.stringify((kept && pruned(JSON.parse(code), kept)) ?? {});
    return part ? { code: `export default ${json}`, moduleType: 'js' } : json;
  },
});
