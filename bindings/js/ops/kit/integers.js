// The steps of a product in integers, as src/stored/integer.c defines them.

import { f32 } from './cells.js';

/** @typedef {import('../../trace/steps.js').Step} Step */

/** Weights that share a scale, and what they add to the product:
 * total = total before + (sum (scale s) + offset (all s)), each operation rounded to float32.
 * @typedef {object} IntegerPart
 * @property {number} first the first of the inputs
 * @property {number} s the scale of their block of 32: each input is about s times its integer
 * @property {number[]} inputs as integers of 16 bits
 * @property {number[]} weights as integers of few bits
 * @property {number} sum of the products of both, exact
 * @property {number} all the sum of the integers of the block
 * @property {number} scale of the weights
 * @property {number} offset of the weights; 0 where the type has none
 * @property {number} term what the block adds to the total
 * @property {number} total the sum of the terms so far */

const BLOCK = 32;
const LARGEST = 32767;
/** The type whose scales are for fewer numbers. */
const HALF = 'q6_k';
const LEAST = 2 ** -126;

/** The next integer, halves to the even one.
 * @param {number} x */
function rounded(x) {
  const below = Math.floor(x);
  const isUp = x - below > 0.5 || (x - below === 0.5 && below % 2 !== 0);
  return isUp ? below + 1 : below;
}

/** @param {number[]} block */
export function integersOf(block) {
  if (!block.every(Number.isFinite)) return { s: Number.NaN, integers: block.map(() => 0) };
  const s = f32(Math.max(...block.map(Math.abs)) / LARGEST);
  if (s < LEAST) return { s: 0, integers: block.map(() => 0) };
  return { s, integers: block.map((x) => rounded(f32(x / s))) };
}

/** @param {readonly number[]} numbers */
const sumOf = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/** The parts of one number of a product; undefined where it is exact.
 * @param {Step} step the product @param {Step} w @param {readonly number[]} x its row
 * @param {(k: number) => number[]} indexOf of weight k in w
 * @returns {{ integers?: IntegerPart[] }} */
export function integerParts({ arithmetic }, { stored }, x, indexOf) {
  if (arithmetic !== 'integer' || !stored) return {};
  const size = stored.type === HALF ? BLOCK / 2 : BLOCK;
  let total = 0;
  const integers = [];
  for (let first = 0; first < x.length; first += size) {
    const begin = first - (first % BLOCK);
    const block = integersOf(x.slice(begin, begin + BLOCK));
    const inputs = block.integers.slice(first - begin, first - begin + size);
    const made = inputs.map((_, i) => stored.weight(indexOf(first + i)));
    const [scale, offset] = [made[0].d * made[0].scale, made[0].m * made[0].offset];
    const weights = made.map(({ q }) => q);
    const sum = sumOf(inputs.map((input, i) => input * weights[i]));
    const all = sumOf(block.integers);
    const { s } = block;
    const term = f32(f32(f32(sum) * f32(scale * s)) + f32(offset * f32(f32(all) * s)));
    total = f32(total + term);
    integers.push({ first, s, inputs, weights, sum, all, scale, offset, term, total });
  }
  return { integers };
}
