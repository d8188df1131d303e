// The local derivatives of each op: how one cell of an operand moves the cells of the result.

import { cellIndex, flatIndex } from '../base/values.js';
import { cell, f32, operand, widthOf } from './explain/parts.js';

/** @typedef {import('./explain/parts.js').Cell} Cell */
/** @typedef {import('./steps.js').Step} Step */

/** d y[at] / d cell.
 * @typedef {object} Slope
 * @property {number} at of the cell of y, in its data
 * @property {number} value
 * @property {string} formula in the words of `parts`
 * @property {Parts} parts what the formula speaks of; x is the cell itself */

/** at: of the cell, in the operand's data.
 * @typedef {Omit<import('./explain/parts.js').Question, 'index'>} Question */
/** @typedef {(question: Question) => Slope[]} Rule */
/** @typedef {Record<string, Cell | number>} Parts */

/** @param {number} count @param {(i: number) => Slope} make */
const each = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** @param {number} at
 * @returns {Slope} */
const copied = (at) => ({ at, value: 1, formula: '1', parts: {} });

/** @param {number} at
 * @returns {Slope} */
const cut = (at) => ({ at, value: 0, formula: '0', parts: {} });

/** y is the product of a row and a column: the slope is the other factor.
 * @param {number} at @param {string} name @param {Cell} factor
 * @returns {Slope} */
const times = (at, name, factor) => ({
  at,
  value: factor.value,
  formula: name,
  parts: { [name]: factor },
});

/** Of an op on each number by itself: from the slope at x.
 * @param {(x: number, question: Question) => { value: number, formula: string, parts: Parts }} slope
 * @returns {Rule} */
const elementwise = (slope) => (question) => {
  const { at } = question;
  const x = cell(operand(question, 0), at);
  const { value, formula, parts } = slope(x.value, question);
  return [{ at, value: f32(value), formula, parts: { x, ...parts } }];
};

/** Of an operand that is repeated over the leading dimensions.
 * @param {Question} question @param {number} size
 * @returns {Slope[]} */
const repeated = ({ step, at }, size) =>
  each(step.data.length / size, (i) => copied(i * size + at));

/** The dimensions of a product: y [matrices,m,n] = a [matrices,m,depth] b, each matrix of b serving
 * `shared` of a.
 * @param {Question} question */
function product(question) {
  const [a, b] = [operand(question, 0), operand(question, 1)];
  const [m, n] = question.step.shape.slice(-2);
  const depth = widthOf(a);
  const shared = (question.step.data.length * depth) / (m * b.data.length);
  const transposed = question.step.attributes.transposed === 1;
  /** @param {number} k @param {number} j */
  const inside = (k, j) => (transposed ? j * depth + k : k * n + j);
  return { a, b, m, n, depth, shared, transposed, inside };
}

/** The row of a norm that a cell belongs to, in float64: z = (x - mean) / s, or x / s.
 * @param {Question} question @param {number} at of the cell in x @param {boolean} centred whether the
 *   mean is taken off */
function normalised(question, at, centred) {
  const x = operand(question, 0);
  const width = widthOf(x);
  const first = at - (at % width);
  const row = Array.from(x.data.slice(first, first + width));
  const mean = centred ? row.reduce((sum, value) => sum + value, 0) / width : 0;
  const square = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
  const s = Math.sqrt(square + question.step.attributes.epsilon);
  return { first, s, z: row.map((value) => (value - mean) / s) };
}

/** Of x: its own z moves, and the row's deviation, and its mean if that is taken off.
 * @param {boolean} centred
 * @returns {Rule} */
const normOf = (centred) => (question) => {
  const { first, s, z } = normalised(question, question.at, centred);
  const gains = question.operands[1];
  const own = question.at - first;
  const n = z.length;
  return z.map((z_j, j) => {
    const gain = gains && cell(gains, j);
    const shared = ((centred ? 1 : 0) + z[own] * z_j) / n;
    const value = ((gain?.value ?? 1) * ((j === own ? 1 : 0) - shared)) / s;
    const words = centred ? '(1 + z_i z_j) / n' : 'z_i z_j / n';
    const formula = `${gain ? 'gain ' : ''}(${j === own ? '1 - ' : '-'}${words}) / s`;
    const parts = { ...(gain && { gain }), z_i: f32(z[own]), z_j: f32(z_j), n, s: f32(s) };
    return { at: first + j, value: f32(value), formula, parts };
  });
};

/** Of a gain: the z that it multiplies, in every row.
 * @param {boolean} centred
 * @returns {Rule} */
const gainOf = (centred) => (question) => {
  const { step, at } = question;
  const width = widthOf(step);
  return each(step.data.length / width, (i) => {
    const z = f32(normalised(question, i * width, centred).z[at]);
    return { at: i * width + at, value: z, formula: 'z', parts: { z } };
  });
};

/** What a cross entropy's row wants: the share of each class, weighted and smoothed.
 * @param {Question} question @param {number} row @param {number} width */
function wanted({ step, operands }, row, width) {
  const [, target, weights] = /** @type {Step[]} */ (operands);
  const { smoothing } = step.attributes;
  const share = (/** @type {number} */ j) =>
    target.kind === 'ids' ? Number(target.data[row] === j) : target.data[row * width + j];
  return Array.from(
    { length: width },
    (_, j) => (weights ? weights.data[j] : 1) * ((1 - smoothing) * share(j) + smoothing / width),
  );
}

/** What a mean cross entropy divides by: its attribute `count` where its rows are but a part of a batch.
 * @param {Question} question @param {number} rows */
function countOf({ step, operands }, rows) {
  const [, target, weights] = /** @type {Step[]} */ (operands);
  if (step.attributes.count) return step.attributes.count;
  if (target.kind !== 'ids') return rows;
  let count = 0;
  for (const id of target.data) {
    if (id !== step.attributes.ignore_index) count += weights ? weights.data[id] : 1;
  }
  return count;
}

/** One rule per operand that has a gradient. Each quotes what it differentiates.
 * @type {Record<string, Rule[]>} */
export const slopes = {
  /* y[i] = table[ids[i]] */
  embed: [
    (question) => {
      const width = widthOf(question.step);
      const row = Math.floor(question.at / width);
      return [...operand(question, 1).data].flatMap((id, i) =>
        id === row ? [copied(i * width + (question.at % width))] : [],
      );
    },
  ],

  /* y = a + b */
  add: [
    ({ at }) => [copied(at)],
    (question) => repeated(question, operand(question, 1).data.length),
  ],

  /* y = factor x */
  scale: [
    ({ step, at }) => {
      const { factor } = step.attributes;
      return [{ at, value: factor, formula: 'factor', parts: { factor } }];
    },
  ],

  /* y = x w + b */
  linear: [
    (question) => {
      const w = operand(question, 1);
      const [depth, n] = w.shape;
      const [i, k] = [Math.floor(question.at / depth), question.at % depth];
      return each(n, (j) => times(i * n + j, 'w', cell(w, k * n + j)));
    },
    (question) => {
      const x = operand(question, 0);
      const [depth, n] = operand(question, 1).shape;
      const [k, j] = [Math.floor(question.at / n), question.at % n];
      return each(x.data.length / depth, (i) => times(i * n + j, 'x', cell(x, i * depth + k)));
    },
    (question) => repeated(question, operand(question, 2).data.length),
  ],

  /* y = a b, or y = a b^T */
  matmul: [
    (question) => {
      const { b, m, n, depth, shared, inside } = product(question);
      const [i, k] = [Math.floor(question.at / depth), question.at % depth];
      const first = Math.floor(Math.floor(i / m) / shared) * depth * n;
      return each(n, (j) => times(i * n + j, 'b', cell(b, first + inside(k, j))));
    },
    (question) => {
      const { a, m, n, depth, shared, transposed } = product(question);
      const matrix = Math.floor(question.at / (depth * n));
      const place = question.at % (depth * n);
      const [k, j] = transposed
        ? [place % depth, Math.floor(place / depth)]
        : [Math.floor(place / n), place % n];
      return each(shared * m, (row) => {
        const i = matrix * shared * m + row;
        return times(i * n + j, 'a', cell(a, i * depth + k));
      });
    },
  ],

  /* y = x where kept, plus a mask of numbers, and -inf where masked */
  mask: [
    ({ step, at }) => [step.data[at] === Number.NEGATIVE_INFINITY ? cut(at) : copied(at)],
    (question) => {
      const { step, at } = question;
      const mask = operand(question, 1);
      const place = (/** @type {number[]} */ index) =>
        mask.shape.map((d, i) => (d === 1 ? 0 : index[index.length - mask.shape.length + i]));
      return each(step.data.length, copied)
        .filter((y) => flatIndex('mask', mask.shape, place(cellIndex(step.shape, y.at))) === at)
        .map((y) => (step.data[y.at] === Number.NEGATIVE_INFINITY ? cut(y.at) : y));
    },
  ],

  /* y_j = exp(x_j) / sum_k exp(x_k) */
  softmax: [
    ({ step, at }) => {
      const width = widthOf(step);
      const y_i = cell(step, at);
      return each(width, (j) => {
        const other = at - (at % width) + j;
        const y_j = cell(step, other);
        const own = other === at;
        const value = f32(y_i.value * ((own ? 1 : 0) - y_j.value));
        return {
          at: other,
          value,
          formula: own ? 'y_i (1 - y_i)' : '-y_i y_j',
          parts: { y_i, y_j },
        };
      });
    },
  ],

  /* y_j = x_j - log sum_k exp x_k */
  log_softmax: [
    ({ step, at, gf }) => {
      const width = widthOf(step);
      const p = gf.exp(step.data[at]);
      return each(width, (j) => {
        const other = at - (at % width) + j;
        return other === at
          ? { at, value: f32(1 - p), formula: '1 - p', parts: { p } }
          : { at: other, value: -p, formula: '-p', parts: { p } };
      });
    },
  ],

  /* y[h,t,d] = x[t, h D + d], or back */
  heads: [
    (question) => {
      const split = question.step.attributes.heads > 0;
      const x = operand(question, 0);
      const [heads, time, width] = (split ? question.step : x).shape.slice(-3);
      const size = heads * time * width;
      const batch = question.at - (question.at % size);
      const [rows, columns] = split ? [time, heads] : [heads, time];
      const [i, j, d] = cellIndex([rows, columns, width], question.at - batch);
      return [copied(batch + (j * rows + i) * width + d)];
    },
  ],

  /* y = gain (x - mean x) / s + bias, s = sqrt(var x + epsilon) */
  layer_norm: [
    normOf(true),
    gainOf(true),
    (question) => repeated(question, operand(question, 2).data.length),
  ],

  /* y = gain x / s, s = sqrt(mean x^2 + epsilon) */
  rms_norm: [normOf(false), gainOf(false)],

  /* y = max(0, x) */
  relu: [elementwise((x) => ({ value: x > 0 ? 1 : 0, formula: '[x > 0]', parts: {} }))],

  /* y = x Phi(x), or x/2 (1 + tanh u) with u = sqrt(2/pi) (x + 0.044715 x^3) */
  gelu: [
    elementwise((x, { step, gf }) => {
      if (step.attributes.tanh_form) {
        const root = Math.sqrt(2 / Math.PI);
        const t = gf.tanh(f32(root * (x + 0.044715 * x ** 3)));
        const du = root * (1 + 3 * 0.044715 * x * x);
        const value = (1 + t) / 2 + (x * (1 - t * t) * du) / 2;
        return { value, formula: '(1 + t) / 2 + x (1 - t^2) du / 2', parts: { t, du: f32(du) } };
      }
      const Phi = (1 + gf.erf(f32(x / Math.SQRT2))) / 2;
      const phi = gf.exp(f32((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
      const parts = { Phi: f32(Phi), phi: f32(phi) };
      return { value: Phi + x * phi, formula: 'Phi + x phi', parts };
    }),
  ],

  /* y = x s, s = sigmoid(factor x) */
  silu: [
    elementwise((x, { step, gf }) => {
      const { factor } = step.attributes;
      const s = gf.sigmoid(f32(factor * x));
      const value = s + factor * x * s * (1 - s);
      return { value, formula: 's + factor x s (1 - s)', parts: { s, factor } };
    }),
  ],

  /* y = gate s up, s = sigmoid(factor gate) */
  swiglu: [
    elementwise((gate, question) => {
      const { factor } = question.step.attributes;
      const up = cell(operand(question, 1), question.at);
      const s = question.gf.sigmoid(f32(factor * gate));
      const value = up.value * (s + factor * gate * s * (1 - s));
      return { value, formula: 'up (s + factor x s (1 - s))', parts: { up, s, factor } };
    }),
    (question) => {
      const gate = cell(operand(question, 0), question.at);
      const s = question.gf.sigmoid(f32(question.step.attributes.factor * gate.value));
      const value = f32(gate.value * s);
      return [{ at: question.at, value, formula: 'gate s', parts: { gate, s } }];
    },
  ],

  /* y = tanh x */
  tanh: [
    elementwise((_, { step, at }) => {
      const y = step.data[at];
      return { value: 1 - y * y, formula: '1 - y^2', parts: { y } };
    }),
  ],

  /* y = cap tanh(x / cap) */
  softcap: [
    elementwise((_, { step, at }) => {
      const { cap } = step.attributes;
      const y = step.data[at];
      return { value: 1 - (y / cap) ** 2, formula: '1 - (y / cap)^2', parts: { y, cap } };
    }),
  ],

  /* y = keep x / (1 - p). Where x is 0 nothing tells what was kept, so ones are dropped alike: a node's
   * random numbers depend on its name. */
  dropout: [
    (question) => {
      const { step, at, gf } = question;
      const { p } = step.attributes;
      const tape = gf.tape();
      const ones = tape.input('x', [...step.shape]);
      const key = tape.ids('key', [2]);
      const kept = tape.dropout(ones, key, p, step.name);
      tape.plan();
      ones.set(new Float32Array(step.data.length).fill(1));
      key.set(/** @type {Int32Array} */ (operand(question, 1).data));
      tape.forward();
      const value = kept.data[at];
      tape.dispose();
      return [value === 0 ? cut(at) : { at, value, formula: '1 / (1 - p)', parts: { p } }];
    },
  ],

  /* y[..., i, ...] = x[..., ids[i], ...] */
  gather: [
    (question) => {
      const { axis } = question.step.attributes;
      const { shape } = operand(question, 0);
      const ids = operand(question, 1).data;
      const width = shape.slice(axis + 1).reduce((size, d) => size * d, 1);
      const size = shape[axis] * width;
      const block = Math.floor(question.at / size);
      const [row, inner] = cellIndex([shape[axis], width], question.at % size);
      return [...ids].flatMap((id, i) =>
        id === row ? [copied((block * ids.length + i) * width + inner)] : [],
      );
    },
  ],

  /* (y_u, y_v) = (x_u cos - x_v sin, x_v cos + x_u sin) */
  rope: [
    (question) => {
      const { step, at } = question;
      const rotation = operand(question, 1);
      const [time, width] = step.shape.slice(-2);
      const pairs = rotation.shape[rotation.shape.length - 2];
      const column = at % width;
      if (column >= 2 * pairs) return [copied(at)];
      const row = Math.floor(at / width);
      const batch =
        rotation.shape.length === 4 ? step.data.length / width / step.shape[0] : row + 1;
      const turn = Math.floor(row / batch) * time + (row % time);
      const { interleaved } = step.attributes;
      const pair = interleaved ? column >> 1 : column % pairs;
      const first = interleaved ? column % 2 === 0 : column < pairs;
      const away = (interleaved ? 1 : pairs) * (first ? 1 : -1);
      const cos = cell(rotation, (turn * pairs + pair) * 2);
      const sin = cell(rotation, (turn * pairs + pair) * 2 + 1);
      const across = first
        ? times(at + away, 'sin', sin)
        : { at: at + away, value: -sin.value, formula: '-sin', parts: { sin } };
      return [times(at, 'cos', cos), across];
    },
  ],

  /* y = x less something fixed */
  alibi: [({ at }) => [copied(at)]],

  /* loss = - sum_j q_j log p_j / n, p = softmax(x); q is weighted and smoothed */
  cross_entropy: [
    (question) => {
      const { step, at, gf } = question;
      const logits = operand(question, 0);
      const target = operand(question, 1);
      const width = widthOf(logits);
      const row = Math.floor(at / width);
      const to = step.data.length === 1 ? 0 : row;
      const ignored = target.kind === 'ids' && target.data[row] === step.attributes.ignore_index;
      if (ignored) return [cut(to)];
      const shares = wanted(question, row, width);
      const q = shares[at % width];
      const total = shares.reduce((sum, share) => sum + share, 0);
      const n = step.attributes.reduction === 0 ? countOf(question, logits.data.length / width) : 1;
      const first = at - (at % width);
      const p = gf.softmax([Array.from(logits.data.slice(first, first + width))])[0][at % width];
      const even = Math.abs(total - 1) < 1e-6;
      return [
        {
          at: to,
          value: f32(n === 0 ? 0 : (p * (even ? 1 : total) - q) / n),
          formula: even ? '(p - q) / n' : '(total p - q) / n',
          parts: { p, q: f32(q), n, ...(!even && { total: f32(total) }) },
        },
      ];
    },
  ],
};
