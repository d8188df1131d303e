// What every printed form of a problem shows: its task, what is given, what is asked, as matrices with headings.

import { readyFor } from '../marking/states.js';
import { workingOf } from '../marking/working.js';
import { decimalsOf, short } from '../problem/problem.js';
import { languageOf } from '../speech/language.js';

/** @typedef {import('../../glassformer.js').Glassformer} Glassformer */
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
  x: 'X',
  q: 'Q',
  k: 'K',
  v: 'V',
  w_q: 'W_Q',
  w_k: 'W_K',
  w_v: 'W_V',
  w_o: 'W_O',
  w_1: 'W_1',
  w_2: 'W_2',
  theta: 'θ',
  'm.before': 'm',
  'v.before': 'v',
  'adam-step.v': 'v',
  'm.kept': 'β₁m',
  'm.share': '(1−β₁)g',
  'v.kept': 'β₂v',
  'v.share': '(1−β₂)g²',
  'adam-step.squares': 'g²',
  moved: '−ηΔ',
  'softmax-gradient.opposite': '−y',
  share: '1/n',
  opposite: '−1',
  minus: '−μ',
  squares: '(X−μ)²',
  kept: 'X·keep',
  dModel: 'd_model',
  d_ff: 'd_ff',
  d_model: 'd_model',
  beta1: 'β₁',
  beta2: 'β₂',
  epsilon: 'ε',
  smoothing: 'ε',
  p: 'p',
  h: 'H',
  u: 'u',
  e: 'E',
  w_u: 'W_U',
  a_0: 'A_0',
  deviation: 'σ',
  'ablation.minus': '−logit',
  'heads.off': 'heads_off',
  'stream.off': 'stream_off',
  'hidden.off': 'hidden_off',
  'activation.off': 'activation_off',
  'written.off': 'written_off',
  'final.off': 'final_off',
  'logit.off': 'logit_off',
};

/** @param {string} recipe @param {string} name of a step, or of what is given
 * @returns {string | undefined} */
export const symbolOf = (recipe, name) => SYMBOLS[`${recipe}.${name}`] ?? SYMBOLS[name];

const OF_TOKENS = ['scores', 'scores.scaled', 'scores.masked', 'weights', 'mask', 'writes', 'a_0'];

/** Whether columns stand for tokens, too; logits do for those that the problem lists beside its own.
 * @param {Pick<Problem, 'memory'>} problem @param {string} name */
export const hasTokenColumns = ({ memory }, name) =>
  OF_TOKENS.includes(name) || (name === 'logits' && memory !== undefined);

/** Whose rows do not, however many they are. */
export const OF_CHANNELS = ['w_q', 'w_k', 'w_v', 'w_o', 'w_1', 'w_2', 'w_u'];

/** What a subscript looks like in text: W_Q, d_model. */
export const SUBSCRIPT = /(?<![\p{L}\p{N}_])(\p{L})_([\p{L}\p{N}]+)/gu;

/** Nested numbers as matrices: a vector is one row.
 * @param {any} numbers
 * @returns {any[][][]} */
function matricesOf(numbers) {
  if (!Array.isArray(numbers[0])) return [[numbers]];
  if (!Array.isArray(numbers[0][0])) return [numbers];
  return numbers;
}

/** The asked and the shown cells of each step, nested.
 * @param {Glassformer} gf @param {Problem} problem @param {(x: number) => string} number
 * @returns {Map<string, any>} */
function cellsOf(gf, problem, number) {
  const { work, asked, shown } = readyFor('worksheet', gf, problem);
  /** @type {Map<string, any>} */
  const steps = new Map();
  /** @param {typeof asked[number]} at @param {Cell} cell */
  const put = ({ step, index }, cell) => {
    let list = steps.get(step) ?? [];
    steps.set(step, list);
    for (const i of index.slice(0, -1)) {
      list[i] ??= [];
      list = list[i];
    }
    list[/** @type {number} */ (index.at(-1))] = cell;
  };
  /* In the order of working, whatever is given of it. */
  for (const step of work.recipe.asked) {
    for (const cell of asked) {
      if (cell.step === step) put(cell, { name: cell.name, value: null, text: '' });
    }
    for (const cell of shown) {
      if (cell.step !== step) continue;
      const value = work.of(step)[cell.at];
      put(cell, { name: null, value, text: number(value) });
    }
  }
  return steps;
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
  const { work, asked } = readyFor('worksheet', gf, problem);
  const { words } = speech;
  const [title, task] = words.recipes[/** @type {keyof typeof words.recipes} */ (problem.recipe)];
  const decimals = decimalsOf(problem.policy);
  const exact = (/** @type {number} */ x) => speech.number(x);
  const rounded = (/** @type {number} */ x) => speech.number(x, Number.isInteger(x) ? 0 : decimals);
  const called = (/** @type {string} */ name) => speech.called(problem.recipe, name) ?? '';
  const symbol = (/** @type {string} */ name) => symbolOf(problem.recipe, name);
  const { tokens = [], memory = tokens } = problem;
  /** @param {number} n */
  const labels = (n) => {
    if (n === tokens.length) return [...tokens];
    if (n === memory.length) return [...memory];
    return Array.from({ length: n }, () => '');
  };
  /* The corner of a step's matrix names its cells. */
  /** @param {string} name @param {any[][][]} all @param {(cell: any) => Cell} cell @param {boolean} isGiven
   * @returns {Matrix[]} */
  const matrices = (name, all, cell, isGiven) =>
    all.map((rows, head) => ({
      of: name,
      title:
        all.length > 1
          ? `${called(name)}, ${speech.say(words.sheet.head, { n: String(head + 1) })}`
          : called(name),
      symbol: symbol(name) ?? (isGiven ? '' : name),
      rows:
        rows.length < 2 || OF_CHANNELS.includes(name) ? rows.map(() => '') : labels(rows.length),
      columns: hasTokenColumns(problem, name)
        ? labels(rows[0].length).map((label, j) => label || String(j))
        : rows[0].map((_, j) => String(j)),
      cells: rows.map((row) => row.map(cell)),
    }));
  /* A single number stands in the sentence, under its word or symbol. */
  const isSingle = (/** @type {any} */ numbers) =>
    numbers.length === 1 && !Array.isArray(numbers[0]);
  const given = Object.entries(problem.given);
  const singles = given
    .filter(([, numbers]) => isSingle(numbers))
    .map(([name, [n]]) => /** @type {const} */ ([name, Number(n)]));
  const sizes = [...Object.entries(problem.sizes ?? {}), ...singles].map(
    ([name, n]) =>
      `${words.sizes[/** @type {keyof typeof words.sizes} */ (name)] ?? symbol(name) ?? name} = ${speech.number(n)}`,
  );
  const steps = cellsOf(gf, problem, rounded);
  work.machine.run();
  const values = new Map(asked.map(({ name, step, at }) => [name, short(work.of(step)[at])]));
  return {
    title,
    task,
    sizes: speech.list(sizes),
    rounding: roundingOf(speech, problem),
    given: given
      .filter(([, numbers]) => !isSingle(numbers))
      .flatMap(([name, numbers]) =>
        matrices(
          name,
          matricesOf(numbers),
          (value) => ({ name: null, value, text: exact(value) }),
          true,
        ),
      ),
    asked: [...steps].flatMap(([name, list]) =>
      matrices(name, matricesOf(list), (cell) => cell, false),
    ),
    key: asked.map((cell) => ({
      name: cell.name,
      ...workingOf(gf, problem, work.machine, cell, speech),
      value: rounded(/** @type {number} */ (values.get(cell.name))),
    })),
  };
}
