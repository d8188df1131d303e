// How a cell is worked out, as a learner writes it: an equation that is true to the digits that it shows.

import { TOLERANCE } from '../../number/judge.js';
import { decimalsOf, short } from '../problem/problem.js';
import { biasOf, termsOf } from './slips.js';

/** @typedef {import('../machine/machine.js').Machine} Machine */
/** @typedef {import('../machine/machine.js').Step} Step */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../base/speech.js').Speech<unknown>} Speech */

/** A side of an equation, and what it comes to in the digits that it shows.
 * @typedef {{ text: string, value: number }} Side */

/** The equation up to the sign before the number of the cell, and that sign; empty where there is nothing to show.
 * @typedef {{ working: string, is: '=' | '≈' }} Working */

/** How a number is written, with a sign behind which a negative one is in brackets, and what is left of it.
 * @typedef {{ number: (x: number) => string, inBrackets: (x: number) => string, shown: (x: number) => number }} Digits */

/** Decimals that are shown beyond those that are asked for, so that what is shown adds up. */
const MORE = 4;

/** Of float64. */
const EXACT = 1e-9;

/** @param {number} a @param {number} b @param {number} precision */
const sign = (a, b, precision) =>
  a === b || Math.abs(a - b) <= precision * Math.max(1, Math.abs(b)) ? '=' : '≈';

/** @param {Glassformer} gf @param {Problem} problem @param {Machine} machine at the right numbers
 * @param {{ name: string, step: string, at: number }} cell
 * @param {Speech} speech
 * @returns {Working} */
export function workingOf(gf, problem, machine, { name, step: of, at }, speech) {
  const step = /** @type {Step} */ (machine.steps.find((one) => one.name === of));
  const sidesIn = sidesOf(gf, problem, machine, step, at);
  const value = machine.values(of)[at];
  const least = decimalsOf(problem.policy);
  const result = digitsOf(speech, least).shown(value);
  let sides = sidesIn(digitsOf(speech, least));
  for (let more = 1; least !== undefined && more <= MORE; more++) {
    const last = sides.at(-1)?.value ?? result;
    if (last === result || Math.abs(last - result) <= 0.5 * 10 ** -least + EXACT) break;
    sides = sidesIn(digitsOf(speech, least + more));
  }
  if (!sides.length) return { working: '', is: '=' };
  const signs = sides.map(({ value: own }, i) =>
    i ? sign(own, sides[i - 1].value, EXACT) : sign(own, value, TOLERANCE.float32),
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
  const number = (/** @type {number} */ x) =>
    isWhole(x) ? speech.number(short(x)) : speech.number(x, decimals);
  return {
    number,
    inBrackets: (x) => (x < 0 ? `(${number(x)})` : number(x)),
    shown: (x) => (isWhole(x) || !Number.isFinite(x) ? short(x) : Number(x.toFixed(decimals))),
  };
}

/** What writes the sides of a cell's equation in so many digits; none for what is no such equation.
 * @param {Glassformer} gf @param {Problem} problem @param {Machine} machine @param {Step} step @param {number} at
 * @returns {(digits: Digits) => Side[]} */
function sidesOf(gf, { given }, machine, step, at) {
  const terms = factorsOf(machine, step, at, given);
  if (terms.length) {
    const bias = biasOf(machine, step, at);
    return (digits) => [sumOf(bias === undefined ? terms : [...terms, [bias]], digits)];
  }
  const operands = step.of.map((name) => machine.values(name));
  const { dK } = step.with ?? {};
  if (step.op === 'add') {
    return (digits) => [
      sumOf(
        operands.map((numbers) => [numbers[at % numbers.length]]),
        digits,
      ),
    ];
  }
  if (step.op === 'scale' && dK) {
    return ({ number, shown }) => {
      const x = operands[0][at];
      return [{ text: `${number(x)}/√${dK}`, value: shown(x) / Math.sqrt(dK) }];
    };
  }
  if (step.op === 'softmax') {
    const width = Number(machine.shape(step.name).at(-1));
    const first = at - (at % width);
    const row = Array.from(operands[0].slice(first, first + width));
    return (digits) => quotients(row, gf.exp(row), at - first, digits);
  }
  return () => [];
}

/** @param {readonly (readonly number[])[]} terms their factors @param {Digits} digits
 * @returns {Side} */
function sumOf(terms, { number, inBrackets, shown }) {
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
 * @param {readonly number[]} row @param {readonly number[]} powers @param {number} at @param {Digits} digits
 * @returns {Side[]} */
function quotients(row, powers, at, { number, inBrackets, shown }) {
  const part = (/** @type {string[]} */ texts, /** @type {number[]} */ values) => ({
    text: `${texts[at]}/(${texts.join(' + ')})`,
    value: values[at] / values.reduce((sum, x) => sum + x, 0),
  });
  return [
    part(
      row.map((x) => `e^${inBrackets(x)}`),
      row.map((x) => Math.exp(shown(x))),
    ),
    part(powers.map(number), powers.map(shown)),
  ];
}

/** The factors of each term of a cell, as a learner writes them: a sum or a difference has only one. Of a product on the way,
 * which no learner writes, they are its own.
 * @param {Machine} machine @param {Step} step
 * @param {number} at @param {Problem['given']} given
 * @returns {number[][]} */
function factorsOf(machine, step, at, given) {
  const stepOf = (/** @type {string} */ name) => machine.steps.find((one) => one.name === name);
  const [isSign, isSum] = step.of.map((name) => !(name in given) && !stepOf(name));
  const way = stepOf(step.of[0]);
  const terms = termsOf(machine, step, at);
  const first = Math.floor(at / Number(machine.shape(step.name).at(-1))) * terms.length;
  return terms.map(({ a, b, product }, k) => {
    const isUnit = (isSign && Math.abs(a) === 1) || (isSum && Math.abs(b) === 1);
    if (!isUnit) return [a, b];
    if (!way?.hidden || way.op !== 'mul' || b !== 1) return [product];
    return way.of.map((name) => machine.values(name)[first + k]);
  });
}
