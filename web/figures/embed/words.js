// Which of the page's texts a figure, its optional files and an assignment use: paths into page.json of a language. As in
// .gitignore, the last line that matches counts, and one with ! takes out.
import { pruned } from '../../bundle/words.js';

/** @param {string} text */
const lines = (text) => text.split(/\s+/);

/** What the core refuses because of a state; its other errors are about programs and files. */
const ERRORS =
  lines(`received didYouMean number finite numberFrom integerFrom word indexInto noCell noMemoryFor
  noMemory unfit rankOut dimensionOut sizeOut attributeUnfit beyondMemory idOut noNode
  idsNoGradient wasmRefused noParameter modelHasNo notDividing oddHeads tooLong noStep idsFixed
  modelNoPositions modelNoMask modelNoAttention modelNoNorms modelNoLayers divisor noGradientOf
  unknownRemoval notRemovable words exampleNoAttention exampleNoMask exampleNoOutput
  exampleVectors exampleUnplaced exampleUnweighted exampleHeads exampleRows exampleMix
  exampleSquare examples`).map((name) => `errors/${name}`);

export const FIGURE = [
  ...lines(`page embed map stage titles prose nouns cell caption microscope formula switches gradient
  readouts timeline legend mismatches sentence examples claims/test claims/testOf chapters/heads
  chapters/transformer !chapters/transformer/checkpoint chapters/transformer/checkpoint/back
  !chapters/transformer/vocabulary !chapters/transformer/panels/chat
  !chapters/transformer/panels/tokenizer !chapters/transformer/panels/roles
  !chapters/transformer/panels/meaning !chapters/transformer/panels/bits !chapters/transformer/recurrence
  !chapters/transformer/panels/recurrence`),
  ...ERRORS,
];

/** By what a query of the build asks for. */
export const BESIDE = {
  lessons:
    lines(`lessons !lessons/welcome !lessons/elsewhere plot chapters/training chapters/stories
  chapters/inside !chapters/inside/take !chapters/inside/lens !chapters/inside/counted
  chapters/exercises/machine`),
  plane: lines('plane directions stage/sample'),
};

export const ASSIGNMENT = [
  ...lines(`assignment nouns page/title page/loading page/noWasm page/broken page/again
  page/notLoaded chapters/exercises !chapters/exercises/quiz !chapters/exercises/text
  !chapters/exercises/machine !chapters/exercises/panels`),
  ...ERRORS,
];

/** Whether a text is kept, by its path. @param {string[]} all lines */
const keptBy = (all) => (/** @type {string} */ path) => {
  const last = all.findLast((line) => `${path}/`.startsWith(`${line.replace('!', '')}/`));
  return last !== undefined && !last.startsWith('!');
};

/**
 * Leaves out texts that are never used, and the glossary: a course explains its terms itself.
 * @param {string[]} all lines
 * @returns {import('vite').Plugin}
 */
export const words = (all) => ({
  name: 'words',
  enforce: 'pre',
  transform(code, id) {
    if (/\/words\/\w+\/glossary\.json$/.test(id)) return '{}';
    const [file, part] = /\/words\/\w+\/page\.json(?:\?(.+))?$/.exec(id) ?? [];
    if (!file) return null;
    /* Other queries are the page's own way to divide its words. */
    const kept = part ? /** @type {Record<string, string[]>} */ (BESIDE)[part] : all;
    const json = JSON.stringify((kept && pruned(JSON.parse(code), keptBy(kept))) ?? {});
    return part ? { code: `export default ${json}`, moduleType: 'js' } : json;
  },
});
