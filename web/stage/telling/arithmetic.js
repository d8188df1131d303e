// Formulas of numbers that belong to no trace. Each is written once: for the page, and for what it amounts to as its
// numbers are displayed.
import { html, mathml, nothing } from 'lit';
import { display, full, rounded, shortest } from '../draw/format.js';
import { settle } from './equation.js';
import { separator } from './mathml.js';

/** What a formula is made of: on the page in pieces between which a long line may break.
 * @typedef {object} Signs
 * @property {(value: number, part?: string) => any} number part: what tests find it by
 * @property {(a: any, b: any) => any} plus
 * @property {(a: any, b: any) => any} minus
 * @property {(a: any, b: any) => any} times
 * @property {(a: any, b: any) => any} by a quotient on one line
 * @property {(a: any, b: any) => any} over a fraction
 * @property {(a: any, exponent: number) => any} power
 * @property {(a: any) => any} root
 * @property {(a: any) => any} cosine of so many π
 * @property {(a: any, b: any) => any} least
 * @property {(a: any) => any} bracket */

/** What a formula amounts to.
 * @param {import('./equation.js').Round} round
 * @returns {Signs} */
const worth = (round) => ({
  number: (value) => round(value),
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  times: (a, b) => a * b,
  by: (a, b) => a / b,
  over: (a, b) => a / b,
  power: (a, exponent) => a ** exponent,
  root: Math.sqrt,
  cosine: (a) => Math.cos(Math.PI * a),
  least: Math.min,
  bracket: (a) => a,
});

/** @param {unknown} a @param {string} sign @param {unknown} b */
const joined = (a, sign, b) => {
  const [first, ...rest] = [b].flat();
  return [a, mathml`<mo form="infix">${sign}</mo>${first}`, ...rest].flat();
};
/** @param {unknown} of */
const bracket = (of) => mathml`<mo stretchy="false">(</mo>${of}<mo stretchy="false">)</mo>`;

/** How a formula is written.
 * @param {number} [more] digits of its numbers
 * @returns {Signs} */
export const onPage = (more) => ({
  number: (value, part) => written(value, { part, more, among: true }),
  plus: (a, b) => joined(a, '+', b),
  minus: (a, b) => joined(a, '−', b),
  times: (a, b) => mathml`${a}<mo>×</mo>${b}`,
  by: (a, b) => joined(a, '/', b),
  over: (a, b) => mathml`<mfrac><mrow>${a}</mrow><mrow>${b}</mrow></mfrac>`,
  power: (a, exponent) => mathml`<msup>${a}<mn>${display(exponent)}</mn></msup>`,
  root: (a) => mathml`<msqrt>${a}</msqrt>`,
  cosine: (a) => mathml`<mi>cos</mi>${bracket(mathml`<mi>π</mi>${a}`)}`,
  least: (a, b) => mathml`<mi>min</mi>${bracket(mathml`${a}${separator()}${b}`)}`,
  bracket,
});

/**
 * A number of a formula.
 * @param {number} value
 * @param {{ part?: string, more?: number, among?: boolean }} [how] among: a negative one among others goes into brackets
 */
function written(value, { part, more, among = false } = {}) {
  const shown = display(value, { more });
  return mathml`<mn
    class="token"
    data-part=${part ?? nothing}
    data-value=${shortest(value)}
    title=${full(value)}
    >${among && shown.startsWith('−') ? `(${shown})` : shown}</mn>`;
}

const NO_TRACE = { printed: {} };

/**
 * A formula of numbers and its result: with as many digits as make it add up as it is displayed, and ≈ where it is not
 * exact.
 * @param {(signs: Signs) => any} formula
 * @param {number} result
 * @param {string} [part] what tests find the result by
 */
export function equation(formula, result, part) {
  const { more, given, is } = settle(NO_TRACE, (round) => formula(worth(round)), result);
  return { given, numbers: formula(onPage(more)), is, result: written(result, { part }) };
}

/** Between something and its number as it is displayed. @param {number} value */
export const isAsShown = (value) =>
  Math.fround(Number(rounded(value).shown)) === Math.fround(value) ? '=' : '≈';

/** A result that is only told. @param {number} value @param {string} part */
export const alone = (value, part) => ({
  is: /** @type {'=' | '≈'} */ (isAsShown(value)),
  result: written(value, { part }),
});

/**
 * A quotient in a sentence: '12.3 / 50 ≈ 0.247'.
 * @param {number} above
 * @param {number} below a count
 * @param {number} result
 */
export function quotient(above, below, result) {
  const { more, is } = settle(NO_TRACE, (round) => round(above) / below, result);
  const shown = (/** @type {number} */ value, /** @type {number} */ digits = 0) =>
    html`<span class="number" title=${full(value)}>${display(value, { more: digits })}</span>`;
  return { above: shown(above, more), is, result: shown(result) };
}
