// The content of a problem's printed forms: its task, and what it gives and asks for as matrices with headings.

import { nest } from '../../../js/base/values.js';
import { readyFor } from '../marking/states.js';
import { factorText, workingOf } from '../marking/working.js';
import { decimalsOf, short } from '../problem/problem.js';
import { NUMBERED } from '../recipes/learning.js';
import { languageOf } from '../speech/language.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {ReturnType<typeof import('../speech/language.js').languageOf>} Speech */

/** One cell: its name if it is asked, else its number, and how that is written.
 * @typedef {{ name: string | null, value: number | null, text: string }} Cell */

/** A matrix of a tensor; of several heads, one for each.
 * @typedef {{ of: string, title: string, symbol: string, rows: string[], columns: string[], cells: Cell[][] }} Matrix */

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {string} task
 * @property {string} sizes given numbers that are no matrix; empty if there are none
 * @property {string} rounding how to round
 * @property {Matrix[]} given the others
 * @property {Matrix[]} asked in the order of working
 * @property {{ name: string, working: string, is: '=' | '≈', value: string }[]} key of every asked cell: its
 *   working, empty where there is none to show, and whether that comes to just the value as it is printed
 */

/** @param {Speech} speech @param {Problem} problem */
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
  ...{ 'ablation.minus': '−logit', 'heads.off': 'heads_off', 'stream.off': 'stream_off' },
  ...{ 'hidden.off': 'hidden_off', 'activation.off': 'activation_off' },
  ...{ 'written.off': 'written_off', 'final.off': 'final_off', 'logit.off': 'logit_off' },
};

/** Those of the steps of Adam, which have the number of the step below. @type {Readonly<Record<string, string>>} */
const LETTERS = { m: 'm', v: 'v', theta: 'θ', gradient: 'g' };

/** @param {string} recipe @param {string} name of a step, or of what is given
 * @returns {string | undefined} */
export function symbolOf(recipe, name) {
  const symbol = SYMBOLS[`${recipe}.${name}`] ?? SYMBOLS[name];
  const numbered = NUMBERED.get(name);
  const letter = numbered && LETTERS[numbered.of];
  return letter ? `${letter}_${numbered.t}` : symbol;
}

const OF_TOKENS = [
  ...['scores', 'scores.scaled', 'scores.masked', 'weights', 'mask', 'writes', 'a_0'],
  ...['gradient.weights', 'gradient.scores'],
];

/** Whether columns stand for tokens, too; logits do for those that the problem lists beside its own.
 * @param {Pick<Problem, 'memory'>} problem @param {string} name */
export const hasTokenColumns = ({ memory }, name) =>
  OF_TOKENS.includes(name) || (name === 'logits' && memory !== undefined);

/** Whose rows do not, however many they are. */
export const OF_CHANNELS = ['w_q', 'w_k', 'w_v', 'w_o', 'w_1', 'w_2', 'w_u'];

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
 * @param {Problem} problem @param {Speech} speech */
function matricesIn(problem, speech) {
  const { recipe, tokens = [], memory = tokens } = problem;
  /** @param {number} n */
  const labels = (n) => {
    if (n === tokens.length) return [...tokens];
    if (n === memory.length) return [...memory];
    return Array.from({ length: n }, () => '');
  };
  /** @param {string} name @param {any} nested @param {(item: any) => Cell} cell
   * @param {string} corner of a matrix without a symbol
   * @returns {Matrix[]} */
  return (name, nested, cell, corner) =>
    layersOf(nested).map((rows, i, { length }) => {
      const called = speech.called(recipe, name) ?? '';
      const head = speech.say(speech.words.sheet.head, { n: String(i + 1) });
      const isLabelled = rows.length > 1 && !OF_CHANNELS.includes(name);
      const columns = rows[0].map((_, j) => String(j));
      return {
        of: name,
        title: length > 1 ? `${called}, ${head}` : called,
        symbol: symbolOf(recipe, name) ?? corner,
        rows: isLabelled ? labels(rows.length) : rows.map(() => ''),
        columns: hasTokenColumns(problem, name)
          ? labels(columns.length).map((label, j) => label || columns[j])
          : columns,
        cells: rows.map((row) => row.map(cell)),
      };
    });
}

/** Sizes and single numbers, in a sentence. @param {Problem} problem @param {Speech} speech */
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

/** What a sheet shows of a problem: its task, what is given and what is asked as matrices with headings, and the key.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {{ lang?: import('../speech/language.js').Language }} [options] English by default
 * @returns {Page}
 * @example
 * import { exercise, worksheet } from 'glassformer/exercises';
 *
 * const sheet = worksheet(gf, exercise(gf, 'scores', { seed: 1 }));
 * sheet.asked[0].cells[0][1].name; // = 'scores[0,1]' */
export const worksheet = (gf, problem, options) =>
  pageOf(gf, problem, languageOf('worksheet', options));

/** @param {Glassformer} gf @param {Problem} problem @param {Speech} speech
 * @returns {Page} */
export function pageOf(gf, problem, speech) {
  const { work, asked, shown } = readyFor('worksheet', gf, problem);
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
  /** @param {import('../problem/problem.js').Cell} cell @returns {Cell} */
  const cellOf = (cell) => {
    if (names.has(cell.name)) return { name: cell.name, value: null, text: '' };
    const value = work.valueAt(cell);
    return { name: null, value, text: rounded(value) };
  };
  machine.run();
  return {
    title,
    task,
    sizes: sizesOf(problem, speech),
    rounding: roundingOf(speech, problem),
    given: Object.entries(problem.given)
      .filter(([, numbers]) => !isSingle(numbers))
      .flatMap(([name, numbers]) =>
        matrices(name, numbers, (value) => ({ name: null, value, text: speech.number(value) }), ''),
      ),
    /* The corner of a step's matrix names its cells. */
    asked: steps.flatMap((step) => {
      const cells = work.cells([step]);
      const indices = nest([...cells.keys()], machine.shape(step));
      return matrices(step, indices, (i) => cellOf(cells[i]), step);
    }),
    key: asked.map((cell) => ({
      name: cell.name,
      ...workingOf(gf, problem, machine, cell, speech),
      value: rounded(short(work.valueAt(cell))),
    })),
  };
}

/** The whole working of a cell; empty where there is none to show. @param {Page['key'][number]} entry */
export const equationOf = ({ working, is, value }) => (working ? `${working} ${is} ${value}` : '');
