// The content of a problem's printed forms: its task, and what it gives and asks for as matrices with headings.

import { cellIndex, nest, shapeOf } from '../../../js/base/values.js';
import { readyFor } from '../marking/states.js';
import { factorText, workingOf } from '../marking/working.js';
import { acceptedIn, decimalsOf, roundedBy } from '../problem/problem.js';
import { NUMBERED } from '../recipes/learning.js';
import { languageOf } from '../speech/language.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {ReturnType<typeof import('../speech/language.js').languageOf>} SheetSpeech */

/** @typedef {{ path: string, text: string }[]} TextFiles */

/** @typedef {(gf: Glassformer, problems: readonly Problem[], speech: SheetSpeech, quiz: import('./index.js').Quiz)
 *   => TextFiles | Promise<TextFiles>} Writer */

/** What writes a format, loaded when it is needed; the name of the zip if its files are one package.
 * @typedef {{ load: () => Promise<{ write: Writer }>, zipped?: string }} Form */

/** One cell. name: such as 'scores[0,1]' if it is asked, else null. value: its number if it is given, else null. text: how the
 * sheet writes it.
 * @typedef {{ name: string | null, value: number | null, text: string }} Cell */

/** A matrix of a tensor; of several heads, one for each. of: the tensor. symbol: how formulas write it. rows, columns: what stands
 * before each row and above each column.
 * @typedef {{ of: string, title: string, symbol: string, rows: string[], columns: string[], cells: Cell[][] }} Matrix */

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {string} task what the learner is to do, in sentences
 * @property {string[]} tokens the words of the rows, in the reader's language
 * @property {string} sizes given numbers that are no matrix; empty if there are none
 * @property {string} rounding how to round
 * @property {Matrix[]} given the others
 * @property {Matrix[]} asked in the order of working
 * @property {KeyEntry[]} key of every asked cell, by the rule of the sheet: each step rounded before the next one reads it
 */

/** @typedef {object} KeyEntry
 * @property {string} name
 * @property {string} label where the cell is, in words
 * @property {string} working empty where there is none to show
 * @property {'=' | '≈'} is whether the working comes to just the value as it is printed
 * @property {string} value
 * @property {string} accepted the lowest and the highest number that are right; empty where the value alone is
 */

/** @param {SheetSpeech} speech @param {Problem} problem */
function roundingOf({ words, say }, { policy }) {
  const { rounding } = words.sheet;
  if ('exact' in policy) return rounding.exact;
  if ('significant' in policy) return say(rounding.significant, { n: String(policy.significant) });
  if (!policy.digits) return rounding.whole;
  return say(rounding.digits, { n: String(policy.digits) });
}

/** Symbols of steps and of what is given; others go by their names. A part after _ is a subscript.
 * @type {Readonly<Record<string, string>>} */
const SYMBOLS = {
  ...{ x: 'X', q: 'Q', k: 'K', v: 'V', w_q: 'W_Q', w_k: 'W_K', w_v: 'W_V', w_o: 'W_O' },
  ...{ w_1: 'W_1', w_2: 'W_2', theta: 'θ', 'm.before': 'm', 'v.before': 'v', 'adam-step.v': 'v' },
  ...{ 'm.kept': 'β₁m', 'm.share': '(1−β₁)g', 'v.kept': 'β₂v', 'v.share': '(1−β₂)g²' },
  ...{ 'adam-step.squares': 'g²', moved: '−ηΔ', 'softmax-gradient.opposite': '−y', share: '1/n' },
  ...{ opposite: '−1', minus: '−μ', squares: '(X−μ)²', kept: 'X·keep', dModel: 'd_model' },
  ...{ d_ff: 'd_ff', d_model: 'd_model', beta1: 'β₁', beta2: 'β₂', epsilon: 'ε', smoothing: 'ε' },
  ...{ p: 'p', h: 'H', u: 'u', e: 'E', w_u: 'W_U', a_0: 'A_0', deviation: 'σ' },
  ...{ b_q: 'b_Q', b_k: 'b_K', b_v: 'b_V', 'weights.transposed': 'Aᵀ', zeros: '0', ones: '1' },
  ...{
    'gradient.output': '∂O',
    'gradient.v': '∂V',
    'gradient.weights': '∂A',
    'gradient.scores': '∂S',
  },
  ...{ 'gradient.q.unscaled': '∂S·K', 'gradient.k.unscaled': '∂Sᵀ·Q' },
  ...{ 'attention-backward.products': 'A·∂A', 'attention-backward.sums': 'Σ' },
  ...{ 'gradient.q': '∂Q', 'gradient.k': '∂K', 'gradient.scores.transposed': '∂Sᵀ' },
  ...{ none: '0', 'shuffle.positions': '1', 'same.placed': 'same_P' },
  ...{ 'ablation.minus': '−logit', 'heads.off': 'heads_off', 'stream.off': 'stream_off' },
  ...{ 'hidden.off': 'hidden_off', 'activation.off': 'activation_off' },
  ...{ 'written.off': 'written_off', 'final.off': 'final_off', 'logit.off': 'logit_off' },
};

/** Those of the steps of Adam, which have the number of the step below. @type {Readonly<Record<string, string>>} */
const LETTERS = { m: 'm', v: 'v', theta: 'θ', gradient: 'g' };

/** @param {string} recipe @param {string} name of a step, or of what is given
 * @returns {string | undefined} */
export function symbolOf(recipe, name) {
  const numbered = NUMBERED.get(name);
  if (!numbered) return SYMBOLS[`${recipe}.${name}`] ?? SYMBOLS[name];
  const { of, t } = numbered;
  return LETTERS[of] ? `${LETTERS[of]}_${t}` : symbolOf('adam-step', of);
}

const OF_TOKENS = [
  ...['scores', 'scores.scaled', 'scores.masked', 'weights', 'mask', 'writes', 'a_0'],
  ...['gradient.weights', 'gradient.scores'],
];

const OF_WORDS = ['w_u', 'products', 'contributions', 'logits'];

/** Whether columns stand for tokens, too; those of logits, and of what makes them, do for the ones that the problem lists beside
 * its own.
 * @param {Pick<Problem, 'memory'>} problem @param {string} name */
export const hasTokenColumns = ({ memory }, name) =>
  OF_TOKENS.includes(name) || (memory !== undefined && OF_WORDS.includes(name));

/** Whose rows do not, however many they are. */
export const OF_CHANNELS = ['w_q', 'w_k', 'w_v', 'w_o', 'w_1', 'w_2', 'w_u'];

/** Whose columns are classes or words, by the numbers that the sheet has for them. */
const COUNTED_FROM_0 = new Set([
  ...['cross-entropy.logits', 'cross-entropy.probabilities'],
  ...['greedy-and-beam.first', 'greedy-and-beam.second'],
]);

/** What a subscript looks like in text: W_Q, d_model. */
export const SUBSCRIPT = /(?<![\p{L}\p{N}_])(\p{L})_([\p{L}\p{N}]+)/gu;

/** A single number is no matrix: it stands in the sentence, under its word or symbol. @param {any} numbers */
const isSingle = (numbers) => numbers.length === 1 && !Array.isArray(numbers[0]);

/** Nested numbers or cells as matrices: a vector is one row. @param {any} nested
 * @returns {any[][][]} */
function layersOf(nested) {
  if (!Array.isArray(nested[0])) return [[nested]];
  return Array.isArray(nested[0][0]) ? nested : [nested];
}

/** Writes the matrices of a problem.
 * @param {Problem} problem @param {SheetSpeech} speech */
function matricesIn(problem, speech) {
  const { recipe } = problem;
  const tokens = speech.tokens(problem);
  const { memory = tokens } = problem;
  /** @param {number} n */
  const labels = (n) => {
    if (n === tokens.length) return [...tokens];
    if (n === memory.length) return [...memory];
    return Array.from({ length: n }, () => '');
  };
  /** @param {string} name @param {any} nested @param {(item: any) => Cell} cell
   * @returns {Matrix[]} */
  return (name, nested, cell) =>
    layersOf(nested).map((rows, i, { length }) => {
      const called = speech.called(recipe, name) ?? '';
      const head = speech.say(speech.words.sheet.head, { n: String(i + 1) });
      const isLabelled = rows.length > 1 && !OF_CHANNELS.includes(name);
      const words = labels(rows.length);
      const first = COUNTED_FROM_0.has(`${recipe}.${name}`) ? 0 : 1;
      const columns = rows[0].map((_, j) => String(j + first));
      return {
        of: name,
        title: length > 1 ? `${called}, ${head}` : called,
        symbol: symbolOf(recipe, name) ?? (called ? '' : name),
        rows: rows.map(
          (_, i) => (isLabelled && words[i]) || (rows.length > 1 ? String(i + 1) : ''),
        ),
        columns: hasTokenColumns(problem, name)
          ? labels(columns.length).map((label, j) => label || columns[j])
          : columns,
        cells: rows.map((row) => row.map(cell)),
      };
    });
}

/** Sizes and single numbers, in a sentence. @param {Problem} problem @param {SheetSpeech} speech */
function sizesOf({ recipe, given, sizes = {} }, speech) {
  const singles = Object.entries(given).filter(([, numbers]) => isSingle(numbers));
  /** @type {Readonly<Record<string, string>>} */
  const words = speech.words.sizes;
  const all = [...Object.entries(sizes), ...singles].map(([name, n]) => {
    const called = words[name] ?? symbolOf(recipe, name) ?? name;
    return `${called} = ${factorText(Number(n), (x) => speech.number(x))}`;
  });
  return speech.list(all);
}

/** Decimals beside a number that is written as a fraction or a root. */
const WRITTEN_DECIMALS = 4;

/** What is given, and how a teacher wrote it: 1/3 ≈ 0.3333. @param {Problem} problem @param {SheetSpeech} speech */
function givenMatrices(problem, speech) {
  const matrices = matricesIn(problem, speech);
  return Object.entries(problem.given).flatMap(([name, leaf]) => {
    if (isSingle(leaf)) return [];
    const shape = shapeOf(leaf);
    const numbers = leaf.flat(2);
    /** @param {number} i @returns {Cell} */
    const cellAt = (i) => {
      const value = numbers[i];
      const written = problem.written?.[`${name}[${cellIndex(shape, i)}]`];
      const brief = Number(value.toFixed(WRITTEN_DECIMALS));
      const beside = `${written} ${brief === value ? '=' : '≈'} ${speech.number(brief)}`;
      return { name: null, value, text: written ? beside : speech.number(value) };
    };
    return matrices(name, nest([...numbers.keys()], shape), cellAt);
  });
}

/** What a sheet shows of a problem: its task, what is given and what is asked as matrices with headings, and the key.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {{ lang?: import('../../../js/base/speech.js').Language }} [options] English by default
 * @returns {Page}
 * @example
 * import { exercise, worksheet } from 'glassformer/exercises';
 *
 * const sheet = worksheet(gf, exercise(gf, 'scores', { seed: 1 }));
 * sheet.asked[0].cells[0][1].name; // = 'scores[0,1]' */
export const worksheet = (gf, problem, options) =>
  pageOf(gf, problem, languageOf('worksheet', options));

/** @param {Glassformer} gf @param {Problem} problem @param {SheetSpeech} speech
 * @returns {Page} */
export function pageOf(gf, problem, speech) {
  const prepared = readyFor('worksheet', gf, problem);
  const { work, asked, shown } = prepared;
  const { machine, recipe } = work;
  const [title, task] = speech.recipe(problem.recipe);
  const decimals = decimalsOf(problem.policy);
  const rounded = (/** @type {number} */ x) => speech.number(x, Number.isInteger(x) ? 0 : decimals);
  const matrices = matricesIn(problem, speech);
  const names = new Set(asked.map(({ name }) => name));
  /* In the order of working, whatever is given of it. */
  const steps = recipe.asked.filter((step) =>
    [...asked, ...shown].some((cell) => cell.step === step),
  );
  const numbers = work.runByRule();
  const numberOf = (/** @type {import('../problem/problem.js').Cell} */ { step, offset }) =>
    Number(numbers.get(step)?.[offset]);
  /** @param {import('../problem/problem.js').Cell} cell @returns {Cell} */
  const cellOf = (cell) => {
    if (names.has(cell.name)) return { name: cell.name, value: null, text: '' };
    const value = roundedBy(work.policy, numberOf(cell));
    return { name: null, value, text: rounded(value) };
  };
  const askedMatrices = steps.flatMap((step) => {
    const cells = work.cells([step]);
    const indices = nest([...cells.keys()], machine.shape(step));
    return matrices(step, indices, (i) => cellOf(cells[i]));
  });
  const labels = labelsIn(askedMatrices);
  return {
    title,
    task,
    tokens: speech.tokens(problem),
    sizes: sizesOf(problem, speech),
    rounding: roundingOf(speech, problem),
    given: givenMatrices(problem, speech),
    asked: askedMatrices,
    key: asked.map((cell) => {
      const [low, high] = acceptedIn(work.policy, work.valueAt(cell), prepared.bandOf(cell));
      return {
        name: cell.name,
        label: labels.get(cell.name) ?? cell.name,
        ...workingOf(gf, problem, machine, cell, numberOf(cell), speech),
        value: rounded(roundedBy(work.policy, numberOf(cell))),
        accepted:
          low < high
            ? speech.say(speech.words.sheet.accepted, { low: rounded(low), high: rounded(high) })
            : '',
      };
    }),
  };
}

/** What each asked cell is called: its matrix, its row and its column.
 * @param {readonly Matrix[]} matrices
 * @returns {Map<string, string>} */
function labelsIn(matrices) {
  /** Tokens that come twice are numbered, as rows without a word are. @param {string[]} words */
  const distinct = (words) =>
    words.map((word, i) =>
      words.filter((other) => other === word).length > 1 ? `${word} ${i + 1}`.trim() : word,
    );
  return new Map(
    matrices.flatMap(({ of, title, rows, columns, cells }) => {
      const [rowNames, columnNames] = [distinct(rows), distinct(columns)];
      return cells.flatMap((row, i) =>
        row.flatMap(({ name }, j) => {
          const place = [rowNames[i], columnNames[j]].filter(Boolean).join(', ');
          return name === null ? [] : [[name, `${capitalised(title || of)} [${place}]`]];
        }),
      );
    }),
  );
}

/** A title as a heading has it; a symbol before other words stays as it is. @param {string} title */
export const capitalised = (title) =>
  title.replace(/^\p{Ll}(?=\p{L})/u, (letter) => letter.toUpperCase());

/** The whole working of a cell; empty where there is none to show. @param {KeyEntry} entry */
export const equationOf = ({ name, label, working, is, value }) =>
  working ? `${label}${working.slice(name.length)} ${is} ${value}` : '';
