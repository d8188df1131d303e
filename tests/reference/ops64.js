// Each op in float64, cell by cell: written from the formulas and the papers that the header names, over the
// numbers of the operands, no code shared with the core or its binding. Tests hold values and explanations
// against it.

import { plainOps } from '../../bindings/build/table.js';
import { fnv1a, philox } from './attention64.js';

/** @typedef {{ name: string, kind: string, shape: readonly number[], data: ArrayLike<number> }} Operand */
/** The cell in question of a step. @typedef {{ name: string, shape: readonly number[], index: number[],
 *   operands: (Operand | null)[], attributes: Record<string, number> }} Cell */

/** What a cell is by definition.
 * @typedef {object} Defined
 * @property {number} value
 * @property {number} [size] of the largest number that it is summed of; its own by default
 * @property {Record<string, unknown>} [says] what an explanation says besides: words and whole numbers as they
 *   are, a cell by its operand and index
 * @property {Record<string, number>} [nearly] what it says in numbers that are rounded */

const sum = (/** @type {number[]} */ list) => list.reduce((total, x) => total + x, 0);
const largest = (/** @type {number[]} */ list) =>
  Math.max(0, ...list.map(Math.abs).filter(Number.isFinite));
const sigmoid = (/** @type {number} */ x) => 1 / (1 + Math.exp(-x));

/** @param {readonly number[]} shape @param {readonly number[]} index */
const flat = (shape, index) => index.reduce((at, i, axis) => at * shape[axis] + i, 0);

/** @param {readonly number[]} shape @param {number} place
 * @returns {number[]} */
const indexOf = (shape, place) =>
  shape.map((d, axis) => Math.floor(place / shape.slice(axis + 1).reduce((a, b) => a * b, 1)) % d);

/** @param {Operand} x @param {readonly number[]} index */
const at = ({ shape, data }, index) => data[flat(shape, index)];

/** The numbers beside a cell in its row. @param {Operand} x @param {readonly number[]} index */
const rowOf = (x, index) =>
  Array.from({ length: Number(x.shape.at(-1)) }, (_, j) => at(x, [...index.slice(0, -1), j]));

/** A cell of an operand. @param {number} operand @param {readonly number[]} index */
const cell = (operand, index) => ({ operand, index });

/** The index of what is repeated over leading dimensions and those of 1. @param {Operand} b @param {number[]} index */
const repeated = (b, index) =>
  index.slice(index.length - b.shape.length).map((i, axis) => (b.shape[axis] === 1 ? 0 : i));

/** A function of two. @param {Cell} asked @param {(a: number, b: number) => number} f
 * @returns {Defined} */
function pair({ operands, index }, f) {
  const [a, b] = /** @type {Operand[]} */ (operands);
  const [left, right] = [at(a, index), at(b, repeated(b, index))];
  return {
    value: f(left, right),
    size: largest([left, right]),
    says: { a: cell(0, index), b: cell(1, repeated(b, index)) },
  };
}

/** The numbers that a reduction takes together, and where they lie.
 * @param {Cell} asked */
function reduced({ operands, index, shape, attributes: { axis, keep_dims: isKept } }) {
  const x = /** @type {Operand} */ (operands[0]);
  const rank = x.shape.length;
  const goes = (/** @type {number} */ i) => axis > rank || i === (axis + rank) % rank;
  const left = isKept ? index.filter((_, i) => !goes(i)) : shape.length < rank ? index : [];
  return Array.from(x.data, (value, place) => ({ value, index: indexOf(x.shape, place) })).filter(
    (one) => axis > rank || one.index.filter((_, i) => !goes(i)).every((d, i) => d === left[i]),
  );
}

/** The error function, by its series below 3 and its continued fraction above.
 * @param {number} x */
function erf(x) {
  if (Math.abs(x) > 3) {
    let fraction = 0;
    for (let k = 60; k > 0; k--) fraction = k / 2 / (Math.abs(x) + fraction);
    const rest = Math.exp(-x * x) / (Math.abs(x) + fraction) / Math.sqrt(Math.PI);
    return Math.sign(x) * (1 - rest);
  }
  let term = x;
  let total = x;
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n;
    total += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}

/** log softmax of a place in a row. @param {number[]} row @param {number} place */
function logShare(row, place) {
  const max = Math.max(...row);
  return row[place] - max - Math.log(sum(row.map((x) => Math.exp(x - max))));
}

/** A function of one number.
 * @param {(x: number, attributes: Record<string, number>) => number} f
 * @param {(x: number) => number} [size]
 * @returns {(asked: Cell) => Defined} */
const each =
  (f, size = () => 0) =>
  ({ operands, attributes, index }) => {
    const x = at(/** @type {Operand} */ (operands[0]), index);
    return { value: f(x, attributes), size: size(x), says: { x: cell(0, index) } };
  };

/** A sum of products of cells of the first two operands.
 * @param {Cell} asked @param {[number[], number[]][]} pairs @param {number[] | null} [bias]
 * @returns {Defined} */
function products({ operands: [a, b, c] }, pairs, bias = null) {
  const all = pairs.map(
    ([i, j]) => at(/** @type {Operand} */ (a), i) * at(/** @type {Operand} */ (b), j),
  );
  const added = bias && c ? [at(c, bias)] : [];
  return {
    value: sum([...all, ...added]),
    /* Roundings add up as a walk at random does. */
    size: largest([...all, ...added]) * Math.sqrt(all.length),
    says: {
      terms: pairs.map(([i, j]) => ({ a: cell(0, i), b: cell(1, j) })),
      bias: added.length ? cell(2, bias) : null,
    },
  };
}

/** A copy of one cell. @param {Cell} asked @param {number} k @param {number[]} index @param {object} [more]
 * @returns {Defined} */
const copy = ({ operands }, k, index, more = {}) => ({
  value: at(/** @type {Operand} */ (operands[k]), index),
  says: { from: cell(k, index), ...more },
});

/** Press et al. 2022: 2^(-8 (h + 1) / H); of H between two powers of two those of the lower one, then every
 * other one of the upper one's.
 * @param {number} heads
 * @returns {number[]} */
function alibiSlopes(heads) {
  const whole = Math.log2(heads);
  if (Number.isInteger(whole)) {
    const first = 2 ** (-8 / heads);
    return Array.from({ length: heads }, (_, h) => first ** (h + 1));
  }
  const lower = 2 ** Math.floor(whole);
  const between = alibiSlopes(2 * lower).filter((_, h) => h % 2 === 0);
  return [...alibiSlopes(lower), ...between.slice(0, heads - lower)];
}

/** Whether dropout keeps a number: word i % 4 of Philox4x32-10 with the key (seed, step) and the counter
 * (i / 4, 1, FNV-1a of the name, 0), its upper 24 bits as a fraction, is p or more.
 * @param {string} name @param {number} i its place among all @param {ArrayLike<number>} key
 * @param {number} p */
export function keeps(name, i, key, p) {
  const words = philox([Math.floor(i / 4), 1, fnv1a(name), 0], [key[0] >>> 0, key[1] >>> 0]);
  return (words[i % 4] >>> 8) / 2 ** 24 >= Math.fround(p);
}

/** sin or cos of position / base^(2 pair / width).
 * @param {number} position @param {number} pair @param {'sin' | 'cos'} fn @param {number} base
 * @param {number} width
 * @returns {Defined} */
function wave(position, pair, fn, base, width) {
  const angle = position / base ** ((2 * pair) / width);
  return { value: Math[fn](angle), size: 1, says: { position, pair, fn }, nearly: { angle } };
}

/** A row less its mean or not, by the root of the mean of its squares.
 * @param {Cell} asked @param {boolean} centred
 * @returns {Defined} */
function norm({ operands: [x, gain, bias], index, attributes: { epsilon } }, centred) {
  const row = rowOf(/** @type {Operand} */ (x), index);
  const mean = centred ? sum(row) / row.length : 0;
  const square = sum(row.map((v) => (v - mean) ** 2)) / row.length;
  const deviation = Math.sqrt(square + Math.fround(epsilon));
  const column = index.slice(-1);
  const normalised = (row[column[0]] - mean) / deviation;
  const [g, b] = [gain ? at(gain, column) : 1, bias ? at(bias, column) : 0];
  return {
    value: normalised * g + b,
    /* A difference from the mean is as exact as the row is. */
    size: largest([normalised * g, b, (g * largest(row)) / deviation]),
    says: {
      x: cell(0, index),
      gain: gain ? cell(1, column) : null,
      ...(centred && { bias: bias ? cell(2, column) : null }),
    },
    nearly: centred ? { mean, deviation } : { meanSquare: square, root: deviation },
  };
}

/** @param {Cell} asked
 * @returns {{ keep: boolean, reason: string, added: number | null }} */
function maskOf({ operands: [, mask, lengths], index, attributes: { causal, offset } }) {
  const [query, key] = index.slice(-2);
  const hidden = (/** @type {string} */ reason) => ({ keep: false, reason, added: null });
  if (causal && key > query + offset) return hidden('causal');
  if (lengths) {
    /* The first dimension is the batch, unless one sequence is looked at. */
    const length = lengths.shape[0] === 1 ? lengths.data[0] : lengths.data[index[0]];
    if (key >= length) return hidden('padding');
  }
  if (!mask) return { keep: true, reason: 'kept', added: null };
  const own = repeated(mask, index).map((i, axis) => (mask.shape[axis] === 1 ? 0 : i));
  const value = at(mask, own);
  if (mask.kind === 'ids') {
    return value === 0 ? hidden('mask') : { keep: true, reason: 'kept', added: null };
  }
  return value === -Infinity ? hidden('mask') : { keep: true, reason: 'added', added: value };
}

/** One row of a cross entropy, by its targets: sum_j w_j q_j (-log p_j); null where nothing is asked for.
 * @param {Cell} asked @param {number} row */
function lossOf({ operands, attributes: { smoothing, ignore_index: ignored } }, row) {
  const [logits, targets, weights] = /** @type {Operand[]} */ (operands);
  const classes = Number(logits.shape.at(-1));
  const x = Array.from({ length: classes }, (_, j) => logits.data[row * classes + j]);
  const id = targets.kind === 'ids' ? targets.data[row] : null;
  if (id === ignored) return null;
  const wanted = x.map((_, j) => {
    const q = id === null ? targets.data[row * classes + j] : Number(j === id);
    return (weights ? weights.data[j] : 1) * ((1 - smoothing) * q + smoothing / classes);
  });
  return {
    target: id,
    loss: sum(wanted.map((w, j) => (w === 0 ? 0 : -w * logShare(x, j)))),
    weight: id === null || !weights ? 1 : weights.data[id],
    size: largest(x),
    classes: x.map((_, j) => cell(0, [...indexOf(logits.shape.slice(0, -1), row), j])),
  };
}

/** By the op's name; null for what an earlier run left in a cache.
 * @type {Record<string, (asked: Cell) => Defined | null>} */
export const defined = {
  embed: ({ operands: [table, ids], index }) => {
    const id = at(/** @type {Operand} */ (ids), index.slice(0, -1));
    const own = [id, index[index.length - 1]];
    return { value: at(/** @type {Operand} */ (table), own), says: { id, row: cell(0, own) } };
  },

  position: ({ operands: [positions], index, shape, attributes: { halves } }) => {
    const [width, column] = [Number(shape.at(-1)), index[index.length - 1]];
    const sines = Math.ceil(width / 2);
    const isCosine = halves ? column >= sines : column % 2 === 1;
    const pair = halves ? column - (isCosine ? sines : 0) : Math.floor(column / 2);
    const position = at(/** @type {Operand} */ (positions), index.slice(0, -1));
    return wave(position, pair, isCosine ? 'cos' : 'sin', 10000, width);
  },

  rotation: ({ operands: [positions], index, attributes: { dimensions, base } }) => {
    const [pair, which] = index.slice(-2);
    const position = at(/** @type {Operand} */ (positions), index.slice(0, -2));
    return wave(position, pair, which === 0 ? 'cos' : 'sin', Math.fround(base), dimensions);
  },

  add: ({ operands, index }) => {
    const [a, b] = /** @type {Operand[]} */ (operands);
    const [x, y] = [at(a, index), at(b, repeated(b, index))];
    return {
      value: x + y,
      size: largest([x, y]),
      says: { a: cell(0, index), b: cell(1, repeated(b, index)) },
    };
  },

  mul: (asked) => {
    const b = /** @type {Operand} */ (asked.operands[1]);
    return products(asked, [[asked.index, repeated(b, asked.index)]]);
  },

  scale: each((x, { factor }) => Math.fround(factor) * x),

  linear: (asked) => {
    const { index, operands } = asked;
    const [rows, column] = [index.slice(0, -1), index[index.length - 1]];
    const depth = /** @type {Operand} */ (operands[1]).shape[0];
    return products(
      asked,
      Array.from({ length: depth }, (_, k) => [
        [...rows, k],
        [k, column],
      ]),
      [column],
    );
  },

  matmul: (asked) => {
    const { index, attributes } = asked;
    const [a, b] = /** @type {Operand[]} */ (asked.operands);
    const [i, j] = index.slice(-2);
    const matrix = index.slice(0, -2);
    /* Of fewer matrices (heads of keys) each serves as many neighbours. */
    const own = matrix.map((m, axis) => Math.floor((m * b.shape[axis]) / a.shape[axis]));
    const depth = Number(a.shape.at(-1));
    return products(
      asked,
      Array.from({ length: depth }, (_, k) => [
        [...matrix, i, k],
        [...own, ...(attributes.transposed ? [j, k] : [k, j])],
      ]),
    );
  },

  mask: (asked) => {
    const { index, operands } = asked;
    const { keep, reason, added } = maskOf(asked);
    const x = at(/** @type {Operand} */ (operands[0]), index);
    return {
      value: keep ? x + (added ?? 0) : -Infinity,
      size: largest([x, added ?? 0]),
      says: { x: cell(0, index), keep, reason, added },
    };
  },

  softmax: ({ operands: [x], index }) => {
    const row = rowOf(/** @type {Operand} */ (x), index);
    const max = Math.max(...row);
    const value = max === -Infinity ? 0 : Math.exp(logShare(row, index[index.length - 1]));
    const cells = row.map((_, j) => cell(0, [...index.slice(0, -1), j]));
    return { value, size: 1, says: { max, row: cells } };
  },

  log_softmax: ({ operands: [x], index }) => {
    const row = rowOf(/** @type {Operand} */ (x), index);
    const cells = row.map((_, j) => cell(0, [...index.slice(0, -1), j]));
    return {
      value: logShare(row, index[index.length - 1]),
      size: Math.max(1, largest(row)),
      says: { max: Math.max(...row), row: cells },
    };
  },

  heads: (asked) => {
    const { index, shape, operands, attributes } = asked;
    const [i, j, d] = index.slice(-3);
    if (attributes.split) {
      const width = Number(shape.at(-1));
      return copy(asked, 0, [...index.slice(0, -3), j, i * width + d]);
    }
    const width = Number(/** @type {Operand} */ (operands[0]).shape.at(-1));
    const [t, channel] = index.slice(-2);
    const head = [Math.floor(channel / width), t, channel % width];
    return copy(asked, 0, [...index.slice(0, -2), ...head]);
  },

  layer_norm: (asked) => norm(asked, true),
  rms_norm: (asked) => norm(asked, false),
  relu: each((x) => Math.max(x, 0)),
  gelu: each(
    (x, { tanh_form: isApproximate }) =>
      isApproximate
        ? (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))
        : (x / 2) * (1 + erf(x / Math.SQRT2)),
    /* Where the tanh form's share of x is small, it is as far off as its large exponent. */
    Math.abs,
  ),
  silu: each((x, { factor }) => x * sigmoid(Math.fround(factor) * x)),
  swiglu: ({ operands, index, attributes: { factor } }) => {
    const [gate, up] = operands.map((x) => at(/** @type {Operand} */ (x), index));
    const share = sigmoid(Math.fround(factor) * gate);
    return {
      value: gate * share * up,
      says: { a: cell(0, index), b: cell(1, index) },
      nearly: { share },
    };
  },
  sigmoid: each(sigmoid),
  tanh: each(Math.tanh),
  erf: each(erf),
  exp: each(Math.exp),
  softcap: each((x, { cap }) => Math.fround(cap) * Math.tanh(x / Math.fround(cap))),

  dropout: ({ name, shape, operands, index, attributes: { p } }) => {
    const [x, key] = /** @type {Operand[]} */ (operands);
    const keep = keeps(name, flat(shape, index), key.data, p);
    const value = keep ? at(x, index) / (1 - Math.fround(p)) : 0;
    return { value, says: { x: cell(0, index), keep }, nearly: { rest: 1 - Math.fround(p) } };
  },

  rope: ({ operands, index, attributes: { interleaved } }) => {
    const [x, rotation] = /** @type {Operand[]} */ (operands);
    const pairs = Number(rotation.shape.at(-2));
    const [t, column] = index.slice(-2);
    if (column >= 2 * pairs) return { value: at(x, index), says: { from: cell(0, index) } };
    const pair = interleaved ? Math.floor(column / 2) : column % pairs;
    const isSecond = interleaved ? column % 2 === 1 : column >= pairs;
    const [u, v] = interleaved ? [2 * pair, 2 * pair + 1] : [pair, pair + pairs];
    const batch = rotation.shape.length === 4 ? [index[0]] : [];
    const [cos, sin] = [0, 1].map((which) => [...batch, t, pair, which]);
    const other = [...index.slice(0, -1), isSecond ? u : v];
    const [own, across] = [at(x, index) * at(rotation, cos), at(x, other) * at(rotation, sin)];
    const sign = isSecond ? 1 : -1;
    return {
      value: own + sign * across,
      size: largest([own, across]),
      says: {
        sign,
        turned: [
          { a: cell(0, index), b: cell(1, cos) },
          { a: cell(0, other), b: cell(1, sin) },
        ],
      },
    };
  },

  alibi: ({ operands: [x, past], index, shape }) => {
    const [head, i, j] = index.slice(-3);
    const slope = alibiSlopes(Number(shape.at(-3)))[head];
    const distance = Math.abs(i + (past ? past.data[0] : 0) - j);
    const score = at(/** @type {Operand} */ (x), index);
    return {
      value: score - slope * distance,
      size: largest([score, slope * distance]),
      says: { x: cell(0, index), distance },
      nearly: { slope },
    };
  },

  cross_entropy: (asked) => {
    const { operands, index, shape, attributes } = asked;
    const [logits, targets] = /** @type {Operand[]} */ (operands);
    const rows = logits.data.length / Number(logits.shape.at(-1));
    const isEach = attributes.reduction === 2;
    const due = isEach ? [flat(shape, index)] : Array.from({ length: rows }, (_, row) => row);
    const losses = due.map((row) => lossOf(asked, row));
    const total = sum(losses.map((loss) => loss?.loss ?? 0));
    const weights = sum(losses.map((loss) => loss?.weight ?? 0));
    const count = attributes.reduction !== 0 ? 1 : targets.kind === 'ids' ? weights : rows;
    return {
      value: total / count,
      size: Math.max(1, ...losses.map((loss) => loss?.size ?? 0)),
      says: {
        losses: losses.map((loss) => loss && { target: loss.target, classes: loss.classes }),
      },
      nearly: { count },
    };
  },

  sub: (asked) => pair(asked, (a, b) => a - b),
  div: (asked) => pair(asked, (a, b) => a / b),
  pow: each((x, { exponent }) => x ** Math.fround(exponent)),

  sum: (asked) => {
    const all = reduced(asked);
    return {
      value: sum(all.map(({ value }) => value)),
      size: largest(all.map(({ value }) => value)) * Math.sqrt(all.length),
      says: { parts: all.map(({ index }) => cell(0, index)) },
    };
  },
  mean: (asked) => {
    const all = reduced(asked);
    const values = all.map(({ value }) => value);
    return {
      value: sum(values) / all.length,
      size: largest(values),
      says: { parts: all.map(({ index }) => cell(0, index)), count: all.length },
    };
  },
  amax: (asked) => {
    const all = reduced(asked);
    const first = all.reduce((best, one) => (one.value > best.value ? one : best));
    return copy(asked, 0, first.index);
  },

  reshape: (asked) => {
    const x = /** @type {Operand} */ (asked.operands[0]);
    return copy(asked, 0, indexOf(x.shape, flat(asked.shape, asked.index)));
  },

  slice: (asked) => {
    const { axis, start } = asked.attributes;
    return copy(asked, 0, asked.index.with(axis, Number(asked.index.at(axis)) + start));
  },

  concat: (asked) => {
    const { index, operands, attributes } = asked;
    const length = /** @type {Operand} */ (operands[0]).shape[attributes.axis];
    const isFirst = index[attributes.axis] < length;
    return copy(
      asked,
      isFirst ? 0 : 1,
      isFirst ? index : index.with(attributes.axis, index[attributes.axis] - length),
    );
  },

  gather: (asked) => {
    const {
      index,
      operands,
      attributes: { axis },
    } = asked;
    const ids = /** @type {Operand} */ (operands[1]);
    const end = axis + ids.shape.length;
    const id = at(ids, index.slice(axis, end));
    return copy(asked, 0, [...index.slice(0, axis), id, ...index.slice(end)], { id });
  },

  top_k: (asked) => {
    const { index, operands, attributes } = asked;
    const row = rowOf(/** @type {Operand} */ (operands[0]), index);
    /* Of equals the one further left comes first. */
    const places = row.map((_, j) => j).sort((i, j) => row[j] - row[i] || i - j);
    const place = places[index[index.length - 1]];
    const from = [...index.slice(0, -1), place];
    return attributes.ids ? { value: place, says: { from: cell(0, from) } } : copy(asked, 0, from);
  },

  cache: (asked) => {
    const { index, operands } = asked;
    const [x, first] = /** @type {Operand[]} */ (operands);
    const row = index[index.length - 2] - first.data[0];
    if (row < 0 || row >= Number(x.shape.at(-2))) return null;
    return copy(asked, 0, index.with(-2, row));
  },
};

/** Functions of one number that have no row above: the formula of the op table is their definition, in JavaScript's words.
 * @type {string[]} */
export const byFormula = [];
for (const [method, { op, formula, operands }] of Object.entries(plainOps)) {
  if (op in defined || operands > 1) continue;
  const [, expression] = /^y = (.*)$/.exec(formula) ?? [];
  defined[op] = each(/** @type {any} */ (new Function('x', `with (Math) return ${expression};`)));
  byFormula.push(method);
}
