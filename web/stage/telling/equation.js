// Whether an equation is true as it is displayed: its numbers are rounded, so those on its left side get as many more
// digits as make it add up to its result, to half a unit of the result's last digit.
import { decimalsOf, digitsStyle, rounded } from '../draw/format.js';
import { indexAt, sizeOf } from '../draw/tensor.js';
import { derivations } from '../ops.js';

/** @typedef {import('../../../bindings/js/ops/kit/page.js').Told} Told */
/** @typedef {import('../../../bindings/js/ops/kit/page.js').Notation} Notation */
/** @typedef {import('../draw/format.js').As} As */
/** A number as it is displayed. @typedef {(value: number, node?: string) => number} Round */
/**
 * @typedef {object} Equation
 * @property {number} more digits of the numbers on the left side
 * @property {'=' | '≈'} given between what is computed and its numbers as they are displayed
 * @property {'=' | '≈'} is between those and the result
 */

/** Digits beyond the reader's choice: with these a float32 is shown in full, and that has to do. */
const MAX_MORE_DIGITS = 9;
/** Longer sums are displayed in part, and nobody can add them up. */
const MAX_TERMS = 6;

/**
 * The first way of writing whose numbers amount to a result as it is displayed, to half a unit of its last digit; else the last.
 * @template {{ worth: number }} T
 * @param {number} right the result
 * @param {As | undefined} as how it is displayed
 * @param {Iterable<T>} ways one at least, with more and more digits
 */
export function firstClose(right, as, ways) {
  const { shown, unit } = rounded(right, as);
  const result = Number(shown);
  let closest = /** @type {any} */ (null);
  for (const way of ways) {
    const away = way.worth === result ? 0 : Math.abs(way.worth - result);
    closest = { ...way, result, away: away && away / unit };
    if (closest.away <= 0.5 * (1 + 1e-9)) break;
  }
  /* away: in units of the last digit. */
  return /** @type {T & { result: number, away: number }} */ (closest);
}

/**
 * @param {Pick<import('../../app/session.js').Trace, 'printed'>} trace @param {(round: Round) => number} left @param {number} least
 */
function* waysOf(trace, left, least) {
  for (let more = least; more <= MAX_MORE_DIGITS; more++) {
    let exact = true;
    const worth = left((value, node) => {
      const decimals = node === undefined ? undefined : decimalsOf(trace, node);
      const written = Number(rounded(value, { decimals, more }).shown);
      exact &&= Math.fround(written) === Math.fround(value);
      return written;
    });
    yield { more, exact, worth };
    if (exact || Number.isNaN(worth)) return;
  }
}

/**
 * @param {Pick<import('../../app/session.js').Trace, 'printed'>} trace
 * @param {(round: Round) => number} left what the numbers amount to; NaN where that cannot be told
 * @param {number} right the result
 * @param {As} [as] how the result is displayed
 * @param {number} [least] as many more digits the numbers have anyhow
 * @returns {Equation}
 */
export function settle(trace, left, right, as, least = 0) {
  const ways = waysOf(trace, left, least);
  const { more, exact, worth, result, away } = firstClose(right, as, ways);
  const isTrue = Number.isNaN(worth)
    ? exact && Math.fround(result) === Math.fround(right)
    : away <= 1e-6;
  return { more, given: exact ? '=' : '≈', is: isTrue ? '=' : '≈' };
}

/** What an equation is made from.
 * @typedef {{ explained: import('../../app/session.js').Explanation | null, trace: import('../../app/session.js').Trace,
 *   term: number, terms: number, many?: number, session?: import('../../app/session.js').Session }} Seen */

/**
 * What the numbers of a cell's equation amount to, as they are displayed; null where nothing is computed.
 * @param {Seen} view
 * @returns {((round: Round) => number) | null}
 */
export function leftOf(view) {
  const { explained, trace } = view;
  const step = explained && trace.step(explained.node);
  const write = step && step.bypassed === null && !step.frozen && derivations[step.op];
  if (!explained || !write) return null;
  const all = /** @type {Told} */ (explained);
  const many = Math.max(view.many ?? 0, MAX_TERMS);
  return (round) => worth(write(arithmetic(round)).numbers(all, { ...view, many }));
}

/** The equations of a step of so many numbers have digits alike; one that needs many more has them alone. */
const MAX_ALIKE = 36;
const MAX_MORE_ALIKE = 2;
/** @type {WeakMap<object, Map<string, number>>} */
const alike = new WeakMap();

/**
 * How many more digits the numbers of all equations of a step have; 0 of a large step.
 * @param {Seen} view
 * @param {string} what is told of it
 * @param {(seen: Seen) => number} digits that one cell needs
 */
export function moreIn(view, what, digits) {
  const { explained, session, trace } = view;
  const step = explained && trace.step(explained.node);
  if (!step || !session || sizeOf(step) > MAX_ALIKE) return 0;
  const kept = alike.get(step) ?? new Map();
  alike.set(step, kept);
  const key = `${what} ${digitsStyle()}`;
  if (!kept.has(key)) {
    const needed = Array.from({ length: sizeOf(step) }, (_, i) => {
      const cell = { node: step.name, index: indexAt(step.shape, i) };
      return digits({ ...view, explained: session.explain(trace, cell) });
    });
    kept.set(key, Math.max(0, ...needed.filter((more) => more <= MAX_MORE_ALIKE)));
  }
  return kept.get(key) ?? 0;
}

/** @param {Seen} view @param {number} [least] as many more digits its numbers have anyhow @returns {Equation} */
function settled(view, least) {
  const { explained, trace } = view;
  const left = leftOf(view);
  if (!explained || !left) return { more: 0, given: '=', is: '=' };
  const as = { decimals: decimalsOf(trace, explained.node) };
  return settle(trace, left, explained.value, as, least);
}

/**
 * The equation of a cell, with as many digits as those of the others of its step.
 * @param {Seen} view
 * @returns {Equation}
 */
export const equationOf = (view) =>
  settled(
    view,
    moreIn(view, 'equation', (seen) => settled(seen).more),
  );

/** What stands in a formula of numbers: the numbers, and the signs between them. @typedef {number | string} Token */

/**
 * A formula's worth: products, and sums of these.
 * @param {unknown} formula
 */
function worth(formula) {
  let [sum, sign] = [0, 1];
  /** @type {number | null} */
  let product = null;
  for (const token of tokensOf(formula)) {
    if (typeof token === 'number') product = (product ?? 1) * token;
    else if (token === '+' || token === '−') {
      sum += sign * (product ?? 0);
      [sign, product] = [token === '+' ? 1 : -1, null];
    } else if (token !== '·') return Number.NaN;
  }
  return sum + sign * (product ?? 0);
}

/** @param {unknown} part @returns {Token[]} */
const tokensOf = (part) => (Array.isArray(part) ? part.flat(Number.POSITIVE_INFINITY) : []);

/** What a piece of a template writes. @param {string} markup @returns {Token[]} */
const written = (markup) =>
  [...markup.matchAll(/>([^<>]+)</g)].map(([, text]) =>
    text === '∞' ? Number.POSITIVE_INFINITY : Number.isNaN(Number(text)) ? text : Number(text),
  );

/** A value in a template: a number, a sign, or other pieces; classes are words.
 * @param {unknown} value @returns {Token[]} */
const filled = (value) =>
  typeof value === 'number' || value === '+' || value === '−' ? [value] : tokensOf(value);

/** @type {Record<string, (...of: number[]) => number>} */
const FUNCTIONS = {
  ...{ sin: Math.sin, cos: Math.cos, tanh: Math.tanh, max: Math.max },
  σ: (x) => 1 / (1 + Math.exp(-x)),
};

/**
 * The notation in which a formula is what it amounts to.
 * @param {Round} round
 * @returns {Notation}
 */
function arithmetic(round) {
  return {
    mathml: (markup, ...values) =>
      markup.flatMap((text, i) => [...written(text), ...filled(values[i])]),
    nothing: [],
    plus: ['+'],
    minus: ['−'],
    separator: [],
    matrix: () => [],
    operand: () => [],
    element: () => [],
    cell: () => [],
    value: ({ node, value }) => [round(value, node)],
    plainNumber: (number) => [round(number)],
    fraction: (above, below) => [worth(above) / worth(below)],
    root: (of) => [Math.sqrt(worth(of))],
    power: (of) => [Math.exp(worth(of))],
    call: (name, of) => [
      FUNCTIONS[name]?.(...tokensOf(of).filter((part) => typeof part === 'number')) ?? Number.NaN,
    ],
  };
}
