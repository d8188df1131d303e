// Writes how a cell is worked out: an equation that is true to the digits that it shows.

import { sumOf } from '../../../js/base/sum.js';
import { TOLERANCE } from '../../../js/number/judge.js';
import { decimalsOf, roundedBy, short } from '../problem/problem.js';
import { biasOf, termsOf } from './slips.js';

/** @typedef {import('../machine/machine.js').Machine} Machine */
/** @typedef {import('../machine/machine.js').Step} Step */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../../js/base/speech.js').Speech<unknown>} Speech */

/** A side of an equation, and what it comes to in the digits that it shows.
 * @typedef {{ text: string, value: number }} Side */

/** The equation up to the sign before the number of the cell, and that sign; empty where there is nothing to show.
 * @typedef {{ working: string, is: '=' | '≈' }} Working */

/** How a number is written, with a sign behind which a negative one is in brackets, and what is left of it.
 * @typedef {{ number: (x: number) => string, inBrackets: (x: number) => string, shown: (x: number) => number }} Digits */

/** Decimals that are shown beyond those that are asked for, so that what is shown adds up. */
const MAX_MORE = 4;

/** What float64 may be off by. */
const EXACT = 1e-9;

/** How a number that is not known is written. */
export const UNKNOWN = '?';

/** @param {number} a @param {number} b @param {number} precision */
const sign = (a, b, precision) => (isOff(a, b, precision * Math.max(1, Math.abs(b))) ? '≈' : '=');

/** Whether two numbers differ by more; one that is not known does not.
 * @param {number} a @param {number} b @param {number} by */
const isOff = (a, b, by) => a !== b && Math.abs(a - b) > by;

/** @param {Glassformer} gf @param {Problem} problem
 * @param {Machine} machine at the numbers that the cell is worked out from; NaN for those that are not known
 * @param {import('../problem/problem.js').Cell} cell
 * @param {number} value what they come to, not rounded
 * @param {Speech} speech
 * @returns {Working} */
export function workingOf(gf, problem, machine, { name, step: of, offset }, value, speech) {
  const sidesIn = sidesOf(gf, problem, machine, machine.step(of), offset);
  const least = decimalsOf(problem.policy);
  const result = roundedBy(problem.policy, value);
  let sides = sidesIn(digitsOf(speech, least));
  for (let more = 1; least !== undefined && more <= MAX_MORE; more++) {
    const last = sides.at(-1)?.value ?? result;
    if (!isOff(roundedBy(problem.policy, last), result, EXACT)) break;
    sides = sidesIn(digitsOf(speech, least + more));
  }
  if (!sides.length) return { working: '', is: '=' };
  const signs = sides.map(({ value: sideValue }, i) =>
    i ? sign(sideValue, sides[i - 1].value, EXACT) : sign(sideValue, value, TOLERANCE.float32),
  );
  return {
    working: [name, ...sides.map(({ text }, i) => `${signs[i]} ${text}`)].join(' '),
    is: sign(sides[sides.length - 1].value, result, EXACT),
  };
}

/** @param {Speech} speech
 * @param {number} [decimals] as short as the number is by default
 * @returns {Digits} */
function digitsOf(speech, decimals) {
  const isWhole = (/** @type {number} */ x) => decimals === undefined || Number.isInteger(x);
  const number = (/** @type {number} */ x) => {
    if (Number.isNaN(x)) return UNKNOWN;
    return isWhole(x) ? speech.number(short(x)) : speech.number(x, decimals);
  };
  return {
    number,
    inBrackets: (x) => (x < 0 ? `(${number(x)})` : number(x)),
    shown: (x) => (isWhole(x) || !Number.isFinite(x) ? short(x) : Number(x.toFixed(decimals))),
  };
}

/** What writes the sides of a cell's equation in so many digits; none for what is no such equation.
 * @param {Glassformer} gf @param {Problem} problem @param {Machine} machine @param {Step} step @param {number} offset
 * @returns {(digits: Digits) => Side[]} */
function sidesOf(gf, { given }, machine, step, offset) {
  const terms = factorsOf(machine, step, offset, given);
  if (terms.length) {
    const bias = biasOf(machine, step, offset);
    return (digits) => [sumOfProducts(bias === undefined ? terms : [...terms, [bias]], digits)];
  }
  const operands = step.of.map((name) => machine.values(name));
  const { dK } = step.with ?? {};
  if (step.op === 'add') {
    const summands = operands.map((numbers) => [numbers[offset % numbers.length]]);
    return (digits) => [sumOfProducts(summands, digits)];
  }
  if (step.op === 'scale' && dK) {
    return ({ number, shown }) => {
      const x = operands[0][offset];
      return [{ text: `${number(x)}/√${dK}`, value: shown(x) / Math.sqrt(dK) }];
    };
  }
  if (step.op === 'scale' && FACTORS.includes(step.does ?? '')) {
    const { factor = 1 } = step.with ?? {};
    return ({ inBrackets, number, shown }) => {
      const x = operands[0][offset];
      const text = factorText(factor, number);
      return [{ text: `${text} · ${inBrackets(x)}`, value: shown(x) * factor }];
    };
  }
  if (step.op === 'mul') {
    const factors = operands.map((numbers) => numbers[offset]);
    return (digits) => [sumOfProducts([factors], digits)];
  }
  if (step.op === 'softmax') {
    const width = Number(machine.shape(step.name).at(-1));
    const first = offset - (offset % width);
    const row = Array.from(operands[0].slice(first, first + width));
    return (digits) => quotients(row, gf.exp(row), offset - first, digits);
  }
  return () => [];
}

/** What scales that are written as factors are for. */
const FACTORS = ['factor', 'gradient.scaling'];

/** A factor as people write it: 1/3, not 0.3333.
 * @param {number} x @param {(x: number) => string} number how others are written */
export function factorText(x, number) {
  const inverse = Math.round(1 / x);
  const isPart = inverse > 1 && Math.abs(x * inverse - 1) < EXACT && 100 % inverse !== 0;
  return isPart ? `1/${inverse}` : number(x);
}

/** @param {readonly (readonly number[])[]} terms their factors @param {Digits} digits
 * @returns {Side} */
function sumOfProducts(terms, { number, inBrackets, shown }) {
  const products = terms.map(([a, b], k) => {
    const first = k > 0 ? inBrackets(a) : number(a);
    return b === undefined ? first : `${first} · ${inBrackets(b)}`;
  });
  const value = terms.reduce(
    (sum, factors) => sum + factors.reduce((product, x) => product * shown(x), 1),
    0,
  );
  return { text: products.join(' + '), value };
}

/** A power of e over the sum of the powers, as such and in numbers.
 * @param {readonly number[]} row @param {readonly number[]} powers @param {number} index @param {Digits} digits
 * @returns {Side[]} */
function quotients(row, powers, index, { number, inBrackets, shown }) {
  const part = (/** @type {string[]} */ texts, /** @type {number[]} */ values) => ({
    text: `${texts[index]}/(${texts.join(' + ')})`,
    value: values[index] / sumOf(values),
  });
  const symbols = part(
    row.map((x) => `e^${inBrackets(x)}`),
    row.map((x) => Math.exp(shown(x))),
  );
  return row.some(Number.isNaN)
    ? [symbols]
    : [symbols, part(powers.map(number), powers.map(shown))];
}

/** The factors of each term of a cell, as a learner writes them: a sum or a difference has only one. Of a product on the way,
 * which no learner writes, they are its own.
 * @param {Machine} machine @param {Step} step
 * @param {number} offset @param {Problem['given']} leaves
 * @returns {number[][]} */
function factorsOf(machine, step, offset, leaves) {
  const [isSign, isSum] = step.of.map((name) => !(name in leaves) && !machine.step(name));
  const way = machine.step(step.of[0]);
  const terms = termsOf(machine, step, offset);
  const first = Math.floor(offset / Number(machine.shape(step.name).at(-1))) * terms.length;
  return terms.map(({ a, b, product }, k) => {
    const isUnit = (isSign && Math.abs(a) === 1) || (isSum && Math.abs(b) === 1);
    if (!isUnit) return [a, b];
    if (!way?.hidden || way.op !== 'mul' || b !== 1) return [product];
    return way.of.map((name) => machine.values(name)[first + k]);
  });
}
