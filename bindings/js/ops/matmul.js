// Products of matrices.

import { cellIndex, sizeOf } from '../base/values.js';
import { cell, dot, operand, widthOf } from './kit/cells.js';
import { groupOf } from './kit/code.js';
import { product } from './kit/derivations.js';
import { integerParts } from './kit/integers.js';
import { each, times } from './kit/partials.js';
import { rows } from './kit/uses.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = a b: a [...,M,K], b [...,K,N] -> [...,M,N]; b may have fewer heads.
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  matmul(a, b, name) {
    return this.push('matmul', { a, b }, { transposed: false }, name);
  },

  /** y = a b^T: a [...,M,K], b [...,N,K] -> [...,M,N]; b may have fewer heads.
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  matmulTransposed(a, b, name) {
    return this.push('matmul', { a, b }, { transposed: true }, name, 'matmulTransposed');
  },
};

/** The dimensions of a product: y [matrices,m,n] = a [matrices,m,depth] b, each matrix of b serving
 * `shared` of a.
 * @param {import('./kit/partials.js').Question} question */
function sizesOf(question) {
  const [a, b] = [operand(question, 0), operand(question, 1)];
  const [m, n] = question.step.shape.slice(-2);
  const depth = widthOf(a);
  const shared = (question.step.data.length * depth) / (m * sizeOf(b.shape));
  const transposed = question.step.attributes.transposed === 1;
  /** @param {number} k @param {number} j */
  const inside = (k, j) => (transposed ? j * depth + k : k * n + j);
  return { a, b, m, n, depth, shared, transposed, inside };
}

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { a, b, m, n, depth, shared, inside } = sizesOf(question);
  const row = Math.floor(question.offset / n);
  const column = question.offset % n;
  const matrix = Math.floor(Math.floor(row / m) / shared) * depth * n;
  const terms = dot(a, b, depth, (k) => [row * depth + k, matrix + inside(k, column)]);
  const first = Array.from(a.data.subarray(row * depth, (row + 1) * depth));
  const parts = integerParts(question.step, b, first, (k) => cellIndex(b.shape, inside(k, column)));
  return { terms, bias: null, ...parts };
};

/** y = a b, or y = a b^T
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { b, m, n, depth, shared, inside } = sizesOf(question);
    const [i, k] = [Math.floor(question.offset / depth), question.offset % depth];
    const first = Math.floor(Math.floor(i / m) / shared) * depth * n;
    return each(n, (j) => times(i * n + j, 'b', cell(b, first + inside(k, j))));
  },
  (question) => {
    const { a, m, n, depth, shared, transposed } = sizesOf(question);
    const matrix = Math.floor(question.offset / (depth * n));
    const place = question.offset % (depth * n);
    const [k, j] = transposed
      ? [place % depth, Math.floor(place / depth)]
      : [Math.floor(place / n), place % n];
    return each(shared * m, (row) => {
      const i = matrix * shared * m + row;
      return times(i * n + j, 'a', cell(a, i * depth + k));
    });
  },
];

/** @param {import('./kit/code.js').Line} line */
function sharedNumPy(line) {
  const group = groupOf(line);
  return group > 1 ? `np.repeat(${line.inputs[1]}, ${group}, axis=-3)` : line.inputs[1];
}

/** @param {import('./kit/code.js').Line} line */
function sharedPyTorch(line) {
  const group = groupOf(line);
  return group > 1 ? `${line.inputs[1]}.repeat_interleave(${group}, dim=-3)` : line.inputs[1];
}

/** Each matrix of the second operand, as often as it is shared.
 * @param {import('./kit/code.js').Line} line */
function sharedJavaScript(line) {
  const group = groupOf(line);
  if (group === 1) return line.inputs[1];
  const shape = line.operands[1]?.shape ?? [];
  const axis = shape.length - 3;
  const ids = Array.from({ length: shape[axis] * group }, (_, h) => Math.floor(h / group));
  return `gf.gather(${line.inputs[1]}, [${ids.join(', ')}], ${axis})`;
}

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: (line) =>
    line.step.attributes.transposed
      ? `${line.inputs[0]} @ ${sharedNumPy(line)}.swapaxes(-1, -2)`
      : `${line.inputs[0]} @ ${sharedNumPy(line)}`,
  pytorch: (line) =>
    `${line.inputs[0]} @ ${sharedPyTorch(line)}${line.step.attributes.transposed ? '.transpose(-1, -2)' : ''}`,
  javascript: (line) =>
    `gf.${line.step.attributes.transposed ? 'matmulTransposed' : 'matmul'}(${line.inputs[0]}, ${sharedJavaScript(line)})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => {
  const { mathml, operand } = notation;
  return product(notation, (step) => {
    const right = step.attributes.transposed
      ? mathml`<msup>${operand(step, 1)}<mi mathvariant="normal">T</mi></msup>`
      : operand(step, 1);
    return mathml`${operand(step, 0)}${right}`;
  });
};

/** @type {import('./kit/page.js').Drawing} */
export const drawing = {
  crosses: true,
  motion: 'product',
  opening: ([a], { attributes }) => {
    if (attributes.transposed) return 'fold';
    return a.role === 'weight' ? 'blend' : undefined;
  },
  intro: () => 'introSum',
  moments: ([a]) => widthOf(a),
};

/** Of a table that is transposed: y = x e^T  =>  de_ij = sum_r x_rj dy_ri
 * @type {import('./kit/uses.js').Uses} */
export const uses = (node, _, { i, j }) => {
  const width = widthOf(node);
  const x = /** @type {Tensor} */ (node.inputs[0]);
  return rows(node, (row) => ({ gradient: row * width + i, x, offset: row * widthOf(x) + j }));
};
