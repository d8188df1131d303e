// Two faults of an answer: it is written in too few digits; or it was computed from a step, which the learner did not have to
// write down, that was rounded too early: to one digit less.

import { sumOf } from '../../../js/base/sum.js';
import { TOLERANCE } from '../../../js/number/judge.js';
import { halfUnit } from '../problem/problem.js';

/** @typedef {import('../problem/problem.js').Policy} Policy */
/** @typedef {import('../../../js/number/read.js').NumberRead} NumberRead */

/** What a hair's breadth below a half counts as one. */
const HAIR = 1e-6;

/** Half a unit of the last digit that was written, if these are fewer than are asked; without zeros at the end, of the last
 * but one.
 * @param {NumberRead} written @param {Policy} policy */
export function coarseHalf({ value, decimals, significant }, policy) {
  if (!value || decimals === null || !significant) return 0;
  if ('significant' in policy)
    return decimals && significant < policy.significant ? TOLERANCE.rounded / 10 ** decimals : 0;
  if (!('digits' in policy) || decimals >= policy.digits) return 0;
  return TOLERANCE.rounded / 10 ** (decimals || policy.digits - 1);
}

/** A policy with one digit less; null if that leaves none.
 * @param {Policy} policy
 * @returns {Policy | null} */
function lessThan(policy) {
  if ('digits' in policy) return policy.digits > 1 ? { digits: policy.digits - 1 } : null;
  if ('significant' in policy && policy.significant > 1)
    return { significant: policy.significant - 1 };
  return null;
}

/** Rounds to half of a unit. @param {number} x @param {number} half */
const roundedTo = (x, half) =>
  half ? Math.sign(x) * Math.floor(Math.abs(x) / (2 * half) + 0.5 + HAIR) * 2 * half : x;

/** A row's softmax from rounded powers of e. @param {readonly number[]} row @param {number} off that is taken off first
 * @param {(x: number) => number} rounded @param {(row: number[]) => number[]} exp */
function softmaxOf(row, off, rounded, exp) {
  const powers = exp(row.map((x) => x - off)).map(rounded);
  const sum = sumOf(powers);
  return powers.map((power) => (sum ? power / sum : 0));
}

/** What a step comes to in one way, and how far what is rounded within it may move each number.
 * @typedef {{ numbers: ArrayLike<number>, within: ArrayLike<number> }} Way */

/** What each asked step comes to with what is not asked rounded too early, in each way that there is.
 * @param {import('../problem/problem.js').Work} work
 * @param {(step: string) => boolean} isAsked
 * @param {import('../machine/machine.js').Change} carry the learner's numbers
 * @returns {Map<string, Way[]>} */
export function earlyNumbers({ machine, policy, gf }, isAsked, carry) {
  const less = lessThan(policy);
  /** @type {Map<string, Way[]>} */
  const ways = new Map();
  if (!less) return ways;
  const half = (/** @type {number} */ x) => halfUnit(less, x);
  const rounded = (/** @type {number} */ x) => roundedTo(x, half(x));
  const exp = (/** @type {number[]} */ row) => gf.exp(row);
  machine.run((name, computed) => {
    if (!isAsked(name)) return computed.map(rounded);
    const { op, of, within } = machine.step(name);
    const operands = of.map((operand) => machine.values(operand));
    const amounts = within?.(operands, computed, half, (step) => {
      const numbers = machine.values(step);
      return { numbers, rounding: numbers.map(half) };
    });
    ways.set(name, [{ numbers: computed, within: amounts ?? [] }]);
    if (op === 'softmax') {
      const rows = rowsIn(operands[0], Number(machine.shape(name).at(-1)));
      for (const off of [(/** @type {number[]} */ row) => Math.max(...row), () => 0]) {
        const numbers = rows.flatMap((row) => softmaxOf(row, off(row), rounded, exp));
        ways.get(name)?.push({ numbers, within: [] });
      }
    }
    return carry(name, computed);
  });
  return ways;
}

/** @param {ArrayLike<number>} numbers @param {number} width */
const rowsIn = (numbers, width) =>
  Array.from({ length: numbers.length / width }, (_, i) =>
    Array.from({ length: width }, (_, j) => numbers[i * width + j]),
  );
