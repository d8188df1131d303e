// Finds a small slip in one cell, by trying each.

import { agrees, TOLERANCE } from '../../../js/number/judge.js';

/** @typedef {import('../machine/machine.js').Machine} Machine */
/** @typedef {import('../machine/machine.js').Step} Step */

/** @typedef {'sign' | 'before' | 'digits' | 'point' | 'term' | 'place'} Slip */

/** The products that a cell sums up, where it does.
 * @param {Machine} machine as it ran on the learner's numbers @param {Step} step @param {number} offset
 * @returns {{ a: number, b: number, product: number }[]} */
export function termsOf(machine, { name, op, of }, offset) {
  if (op !== 'linear' && op !== 'matmul' && op !== 'matmulTransposed') return [];
  const [a, b] = of.map((operand) => machine.values(operand));
  const depth = Number(machine.shape(of[0]).at(-1));
  const width = Number(machine.shape(name).at(-1));
  const rows = Number(machine.shape(name).at(-2) ?? 1);
  const column = offset % width;
  const row = Math.floor(offset / width);
  /* Heads lie one behind the other, in b as in a. */
  const head = op === 'linear' ? 0 : Math.floor(row / rows);
  const from = head * depth * width;
  return Array.from({ length: depth }, (_, k) => {
    const x = a[row * depth + k];
    const y =
      op === 'matmulTransposed' ? b[from + column * depth + k] : b[from + k * width + column];
    return { a: x, b: y, product: x * y };
  });
}

/** What is added to the products of a cell; undefined for nothing.
 * @param {Machine} machine @param {Step} step that has terms @param {number} offset
 * @returns {number | undefined} */
export const biasOf = (machine, { name, of: [, , bias] }, offset) =>
  bias === undefined
    ? undefined
    : machine.values(bias)[offset % Number(machine.shape(name).at(-1))];

/** @param {string} written @returns {string[]} the same with two neighbouring digits exchanged */
const exchanged = (written) =>
  Array.from({ length: Math.max(0, written.length - 1) }, (_, i) => [written[i], written[i + 1]])
    .map(([a, b], i) =>
      /\d/.test(a) && /\d/.test(b) && a !== b
        ? `${written.slice(0, i)}${b}${a}${written.slice(i + 2)}`
        : '',
    )
    /* Nobody writes 01 for 10. */
    .filter((text) => text && !/^0\d/.test(text));

/** The slip that explains an answer, if there is one.
 * @param {Machine} machine as it ran on the learner's numbers @param {Step} step @param {number} offset
 * @param {number} answer @param {ArrayLike<number>} expected what each cell of the step should be
 * @param {number} band @param {number} digits decimals that are kept
 * @returns {Slip | null} */
export function slipOf(machine, step, offset, answer, expected, band, digits) {
  const value = expected[offset];
  const is = (/** @type {number} */ x, within = band) => agrees(answer, x, within);
  if (!Number.isFinite(value) || !Number.isFinite(answer)) return null;
  if (is(-value)) return 'sign';
  const terms = termsOf(machine, step, offset).filter(({ product }) => product);
  if (terms.length > 1 && terms.some(({ product }) => is(value - product))) return 'term';
  if (terms.some(({ product }) => is(value - 2 * product))) return 'sign';
  if (step.op === 'scale' && is(machine.values(step.of[0])[offset])) return 'before';
  /* A half is rounded up, and what float32 computes a hair below it. */
  const written = (Math.abs(value) * (1 + TOLERANCE.float32)).toFixed(digits);
  if (exchanged(written).some((text) => is(Math.sign(value) * Number(text)))) return 'digits';
  const isPoint = (/** @type {number} */ factor) => is(value * factor, band * Math.min(1, factor));
  if (value && [0.01, 0.1, 10, 100].some(isPoint)) return 'point';
  const width = Number(machine.shape(step.name).at(-1));
  const places = [offset - 1, offset + 1].filter(
    (i) => Math.floor(i / width) === Math.floor(offset / width),
  );
  if (
    [...places, offset - width, offset + width].some(
      (i) => i >= 0 && i < expected.length && is(expected[i]),
    )
  )
    return 'place';
  return null;
}
