// Helpers for the stories of cells: cells, dot products, sums of rows, in the core's roundings.

import { cellIndex, numberAt } from '../../base/values.js';

/** @typedef {import('../../trace/steps.js').Step} Step */
/** @typedef {import('../../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../trace/explain.js').Explanation} Explanation */
/** @typedef {{ node: string, index: number[], value: number }} Cell */
/** product: a times b. @typedef {{ a: Cell, b: Cell, product: number }} Product */
/** product: a times b. sum: of the products so far. @typedef {Product & { sum: number }} Term */

/** One term of a softmax: shifted is value - max, exp is e^shifted.
 * @typedef {Cell & { shifted: number, exp: number }} Exponential */

/** The cell that is asked about: offset is its place in the data of the step, index its place in the shape.
 * @typedef {{ step: Step, offset: number, index: number[], operands: (Step | null)[], gf: Glassformer }} Question */

/** @typedef {(question: Question) => Partial<Explanation>} Story how a cell arose */

export const f32 = Math.fround;

/** Products are summed in blocks of so many, and the blocks' sums in turn. */
const BLOCK = 256;

/** @param {Step} step @param {number} offset
 * @returns {Cell} */
export const cell = (step, offset) => ({
  node: step.name,
  index: cellIndex(step.shape, offset),
  value: numberAt(step, offset),
});

/** @param {Pick<Question, 'operands'>} question @param {number} k
 * @returns {Step} an operand that the op cannot do without */
export const operand = ({ operands }, k) => /** @type {Step} */ (operands[k]);

/** @param {Pick<Step, 'shape'>} step */
export const widthOf = ({ shape }) => /** @type {number} */ (shape.at(-1));

/** @param {Cell} a @param {Cell} b
 * @returns {Product} */
export const productOf = (a, b) => ({ a, b, product: f32(a.value * b.value) });

/** The place in b, which is repeated, of what stands beside a place of a.
 * @param {Pick<Step, 'shape'>} a @param {Pick<Step, 'shape'>} b @param {number} offset in a */
export function beside(a, b, offset) {
  const index = cellIndex(a.shape, offset).slice(a.shape.length - b.shape.length);
  return index.reduce((place, i, axis) => place * b.shape[axis] + (b.shape[axis] > 1 ? i : 0), 0);
}

/** The two cells that a function of two computes with.
 * @param {Pick<Question, 'operands' | 'offset'>} question */
export function pair(question) {
  const [a, b] = [operand(question, 0), operand(question, 1)];
  return { a: cell(a, question.offset), b: cell(b, beside(a, b, question.offset)) };
}

/** Of a function of x alone.
 * @param {Pick<Question, 'operands' | 'offset'>} question */
export const single = (question) => ({ x: cell(operand(question, 0), question.offset) });

/** The products of a row and a column, and their sum as it grows.
 * @param {Step} a @param {Step} b @param {number} depth @param {(k: number) => [number, number]} places
 * @returns {Term[]} */
export function dot(a, b, depth, places) {
  /** @type {Term[]} */
  const terms = [];
  let done = 0;
  let block = 0;
  for (let k = 0; k < depth; k++) {
    if (k && k % BLOCK === 0) {
      done = terms[k - 1].sum;
      block = 0;
    }
    const [i, j] = places(k);
    const term = productOf(cell(a, i), cell(b, j));
    block = f32(term.product + block);
    terms.push({ ...term, sum: k < BLOCK ? block : f32(done + block) });
  }
  return terms;
}

/** A row less its mean, divided by its deviation, and that: in float64. Without `centred` no mean is taken off.
 * @param {ArrayLike<number>} row @param {number} epsilon @param {boolean} centred */
export function normalised(row, epsilon, centred) {
  const values = Array.from(row);
  const mean = centred ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(square + epsilon);
  return { deviation, z: values.map((value) => (value - mean) / deviation) };
}

/** As the core sums a row: four lanes, each the sum of every fourth term, then pairs of lanes.
 * @param {ArrayLike<number>} row */
export function rowSum(row) {
  const lanes = [0, 0, 0, 0];
  for (let j = 0; j < row.length; j++) lanes[j % 4] = f32(lanes[j % 4] + row[j]);
  return f32(f32(lanes[0] + lanes[2]) + f32(lanes[1] + lanes[3]));
}

/** The cells of the row that lies around a place.
 * @param {Step} step @param {number} offset */
export function rowOf(step, offset) {
  const width = widthOf(step);
  const first = offset - (offset % width);
  return Array.from({ length: width }, (_, j) => cell(step, first + j));
}

/** The powers of a row, less its largest number, and their sum.
 * @param {Step} x @param {number} offset a place in the row @param {Glassformer} gf */
export function powersOf(x, offset, gf) {
  const width = widthOf(x);
  const first = offset - (offset % width);
  const values = Float32Array.from({ length: width }, (_, j) => numberAt(x, first + j));
  /* As the core does, this passes a NaN over. */
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) if (max < value) max = value;
  const empty = max === Number.NEGATIVE_INFINITY;
  const shifted = values.map((value) => (empty ? value : value - max));
  const { data: exps } = gf.exp({ data: shifted, shape: [width] });
  /* A row may be as long as a vocabulary. */
  const before = cellIndex(x.shape, first).slice(0, -1);
  const row = Array.from(values, (value, j) => {
    const index = [...before, j];
    return { node: x.name, index, value, shifted: shifted[j], exp: exps[j] };
  });
  return { max, row, total: rowSum(exps) };
}

/** log(total) of a row's powers, the core's own: the largest number's log softmax is its negative.
 * @param {{ row: Exponential[] }} powers @param {Glassformer} gf */
export function logOf({ row }, gf) {
  const shifted = row.map((entry) => entry.shifted);
  return -Math.max(...gf.logSoftmax(shifted));
}
