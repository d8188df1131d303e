// How one cell of a trace arose: its operands, and every rounding on the way, as the core made them.

import { cellIndex, flatIndex } from './values.js';

/** @typedef {import('./trace.js').Step} Step */
/** @typedef {import('./glassformer.js').Glassformer} Glassformer */
/** @typedef {{ node: string, index: number[], value: number }} Cell */

/** One term of a softmax: shifted is value - max, exp is e^shifted.
 * @typedef {Cell & { shifted: number, exp: number }} Exponential */

/**
 * @typedef {object} Explanation
 * @property {string} node
 * @property {number[]} index
 * @property {string} op
 * @property {number} value
 * @property {number | null} bypassed
 * @property {boolean} frozen
 * @property {{ a: Cell, b: Cell, product: number, sum: number }[]} [terms] linear, matmul: sum is
 *   the sum so far
 * @property {Cell | null} [bias] linear: added after the last term; layer_norm: at the end
 * @property {Cell} [x] scale, mask, layer_norm
 * @property {number} [factor] scale
 * @property {Cell} [a] add
 * @property {Cell} [b] add
 * @property {boolean} [keep] mask
 * @property {'kept' | 'causal' | 'padding' | 'mask' | 'added'} [reason] mask
 * @property {number | null} [added] mask: what a mask of numbers adds
 * @property {number} [max] softmax
 * @property {Cell | Exponential[]} [row] softmax: the row of x; embed: the cell that was copied
 * @property {number} [total] softmax
 * @property {number} [numerator] softmax: value is numerator / total
 * @property {number} [mean] layer_norm: of the row
 * @property {number} [deviation] layer_norm: the root of variance + epsilon
 * @property {number} [normalised] layer_norm: (x - mean) / deviation
 * @property {Cell | null} [gain] layer_norm: what normalised is multiplied by
 * @property {number} [id] embed
 * @property {Cell} [from] heads, and whatever is bypassed: the cell that was copied
 * @property {number} [position] position
 * @property {number} [angle] position: in radians, float64
 * @property {'sin' | 'cos'} [fn] position
 * @property {number} [pair] position: the number i of the columns 2i and 2i + 1, or of the halves
 */

/** Anything with steps by name: a trace. @typedef {{ step(name: string): Step }} Steps */

/** @typedef {{ step: Step, at: number, index: number[], operands: (Step | null)[], gf: Glassformer }} Question */

const f32 = Math.fround;

/** Products are summed in blocks of so many, and the blocks' sums in turn. */
const BLOCK = 256;

/** @param {Step} step @param {number} at
 * @returns {Cell} */
const cell = (step, at) => ({
  node: step.name,
  index: cellIndex(step.shape, at),
  value: step.data[at],
});

/** @param {Question} question @param {number} k
 * @returns {Step} an operand that the op cannot do without */
const operand = ({ operands }, k) => /** @type {Step} */ (operands[k]);

/** @param {Step} a @param {Step} b @param {number} depth @param {(k: number) => [number, number]} places */
function dot(a, b, depth, places) {
  const terms = [];
  let done = 0;
  let block = 0;
  for (let k = 0; k < depth; k++) {
    if (k && k % BLOCK === 0) {
      done = terms[k - 1].sum;
      block = 0;
    }
    const [i, j] = places(k);
    const product = f32(a.data[i] * b.data[j]);
    block = f32(product + block);
    const sum = k < BLOCK ? block : f32(done + block);
    terms.push({ a: cell(a, i), b: cell(b, j), product, sum });
  }
  return terms;
}

/** As the core sums a row: four lanes, each the sum of every fourth term, then pairs of lanes.
 * @param {ArrayLike<number>} row */
function rowSum(row) {
  const lanes = [0, 0, 0, 0];
  for (let j = 0; j < row.length; j++) lanes[j % 4] = f32(lanes[j % 4] + row[j]);
  return f32(f32(lanes[0] + lanes[2]) + f32(lanes[1] + lanes[3]));
}

/** The op's own story. @type {Record<string, (question: Question) => Partial<Explanation>>} */
const stories = {
  leaf: () => ({}),

  embed(question) {
    const [table, ids] = [operand(question, 0), operand(question, 1)];
    const width = table.shape[1];
    const id = ids.data[Math.floor(question.at / width)];
    return { id, row: cell(table, id * width + (question.at % width)) };
  },

  position(question) {
    const positions = operand(question, 0);
    const width = /** @type {number} */ (question.step.shape.at(-1));
    const column = question.at % width;
    const position = positions.data[Math.floor(question.at / width)];
    const sines = Math.ceil(width / 2);
    const [pair, cosine] = question.step.attributes.halves
      ? [column % sines, column >= sines]
      : [column >> 1, column % 2 === 1];
    const angle = position / 10000 ** ((2 * pair) / width);
    return { position, angle, fn: cosine ? 'cos' : 'sin', pair };
  },

  add(question) {
    const [a, b] = [operand(question, 0), operand(question, 1)];
    return { a: cell(a, question.at), b: cell(b, question.at % b.data.length) };
  },

  scale(question) {
    return { x: cell(operand(question, 0), question.at), factor: question.step.attributes.factor };
  },

  linear(question) {
    const [x, w] = [operand(question, 0), operand(question, 1)];
    const bias = question.operands[2];
    const [depth, width] = w.shape;
    const row = Math.floor(question.at / width) * depth;
    const column = question.at % width;
    return {
      terms: dot(x, w, depth, (k) => [row + k, k * width + column]),
      bias: bias ? cell(bias, column) : null,
    };
  },

  matmul(question) {
    const [a, b] = [operand(question, 0), operand(question, 1)];
    const [height, width] = question.step.shape.slice(-2);
    const depth = /** @type {number} */ (a.shape.at(-1));
    const row = Math.floor(question.at / width);
    const column = question.at % width;
    /* b may have fewer matrices: each then serves several of a. */
    const shared = (question.step.data.length * depth) / (height * b.data.length);
    const matrix = Math.floor(Math.floor(row / height) / shared) * depth * width;
    const transposed = question.step.attributes.transposed === 1;
    return {
      terms: dot(a, b, depth, (k) => [
        row * depth + k,
        matrix + (transposed ? column * depth + k : k * width + column),
      ]),
      bias: null,
    };
  },

  mask(question) {
    const { step, index, at } = question;
    const [, mask, lengths] = question.operands;
    const [query, key] = index.slice(-2);
    const x = cell(operand(question, 0), at);
    const masked = (/** @type {'causal' | 'padding' | 'mask'} */ reason) => ({
      x,
      keep: false,
      reason,
      added: null,
    });
    if (step.attributes.causal && key > query + step.attributes.offset) return masked('causal');
    if (lengths && key >= lengths.data[index[0]]) return masked('padding');
    if (!mask) return { x, keep: true, reason: 'kept', added: null };
    /* Aligned at the right; a dimension of 1 stands for all. */
    const place = mask.shape.map((d, i) =>
      d === 1 ? 0 : index[index.length - mask.shape.length + i],
    );
    const value = mask.data[flatIndex('mask', mask.shape, place)];
    if (mask.kind === 'ids') {
      return value ? { x, keep: true, reason: 'kept', added: null } : masked('mask');
    }
    if (value === Number.NEGATIVE_INFINITY) return masked('mask');
    return { x, keep: true, reason: 'added', added: value };
  },

  softmax(question) {
    const x = operand(question, 0);
    const width = /** @type {number} */ (x.shape.at(-1));
    const first = question.at - (question.at % width);
    const cells = Array.from({ length: width }, (_, j) => cell(x, first + j));
    /* As the core does, this passes a NaN over. */
    let max = Number.NEGATIVE_INFINITY;
    for (const { value } of cells) if (max < value) max = value;
    const empty = max === Number.NEGATIVE_INFINITY;
    const shifted = cells.map(({ value }) => (empty ? value : f32(value - max)));
    const exps = question.gf.exp(shifted);
    const row = cells.map((entry, j) => ({ ...entry, shifted: shifted[j], exp: exps[j] }));
    return { max, row, total: rowSum(exps), numerator: row[question.at % width].exp };
  },

  layer_norm(question) {
    const [x, gain, bias] = question.operands;
    const { shape, data } = /** @type {Step} */ (x);
    const width = /** @type {number} */ (shape.at(-1));
    const column = question.at % width;
    const first = question.at - column;
    const row = Array.from(data.slice(first, first + width));
    const mean = f32(rowSum(row) / width);
    const away = row.map((value) => f32(value - mean));
    /* What the rounding of the mean left over. */
    const rest = f32(rowSum(away) / width);
    const squares = f32(rowSum(away.map((d) => f32(d * d))) / width);
    const variance = Math.max(f32(squares - f32(rest * rest)), 0);
    const { epsilon } = question.step.attributes;
    const deviation = f32(Math.sqrt(f32(variance + f32(epsilon))));
    const normalised = f32(f32(away[column] - rest) * f32(1 / deviation));
    return {
      x: cell(/** @type {Step} */ (x), question.at),
      mean,
      deviation,
      normalised,
      gain: gain && cell(gain, column),
      bias: bias && cell(bias, column),
    };
  },

  heads(question) {
    const x = operand(question, 0);
    const split = question.step.attributes.heads > 0;
    const apart = (split ? question.step : x).shape.slice(-3);
    const [heads, time, width] = apart;
    const size = heads * time * width;
    const batch = question.at - (question.at % size);
    const [i, j, d] = cellIndex(split ? apart : [time, heads, width], question.at - batch);
    /* Apart it is [H,T,D], joined [T,H,D]: i and j change places. */
    const inner = split ? heads : time;
    return { from: cell(x, batch + (j * inner + i) * width + d) };
  },
};

/** Tells how the cell got its value: the products and sums, the exponentials, or what was copied.
 * The numbers are float32, rounded in the core's order; the last of them is the cell's, bit for bit.
 * @param {Steps} trace @param {string} node @param {number[]} index @param {Glassformer} gf
 * @returns {Explanation} */
export function explain(trace, node, index, gf) {
  const step = trace.step(node);
  const { op, bypassed, frozen } = step;
  const at = flatIndex(`explain: ${node}`, step.shape, index);
  const operands = step.inputs.map((name) => (name === null ? null : trace.step(name)));
  const told = { node, index: [...index], op, value: step.data[at], bypassed, frozen };
  /* The values of a frozen node were written, whatever its op. */
  if (frozen) return told;
  const question = { step, at, index, operands, gf };
  if (bypassed !== null) return { ...told, from: cell(operand(question, bypassed), at) };
  return { ...told, ...stories[op]?.(question) };
}

/** The operand cells that an explanation speaks of.
 * @param {Explanation} explanation
 * @returns {Cell[]} */
export function cellsOf({ terms = [], bias, x, a, b, gain, row = [], from }) {
  const single = [bias, x, a, b, gain, from].filter((entry) => !!entry);
  return [...terms.flatMap((term) => [term.a, term.b]), ...[row].flat(), ...single];
}
