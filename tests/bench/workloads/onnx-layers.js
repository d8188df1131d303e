// The layers of a transformer as ONNX, with the parameters of one of our models.

import { Graph } from '../players/onnx.js';

/** @typedef {{ data: Float32Array, shape: readonly number[] }} Numbers */

/** Matrices of as many rows, side by side; or vectors.
 * @param {Numbers[]} parts
 * @returns {Numbers} */
function sideBySide(parts) {
  const width = parts.reduce((sum, { shape }) => sum + /** @type {number} */ (shape.at(-1)), 0);
  const rows = parts[0].shape.length > 1 ? parts[0].shape[0] : 1;
  const data = new Float32Array(rows * width);
  let from = 0;
  for (const part of parts) {
    const columns = part.data.length / rows;
    for (let row = 0; row < rows; row++) {
      data.set(part.data.subarray(row * columns, (row + 1) * columns), row * width + from);
    }
    from += columns;
  }
  return { data, shape: [...parts[0].shape.slice(0, -1), width] };
}

/** @param {Numbers} matrix
 * @returns {Numbers} */
export function transposed({ data, shape: [rows, columns] }) {
  const turned = data.map((_, i) => data[(i % rows) * columns + Math.floor(i / rows)]);
  return { data: turned, shape: [columns, rows] };
}

export class Layers extends Graph {
  #parameters;
  #heads;
  #width;
  #count = 0;

  /** @param {{ heads: number, width: number, parameters?: Map<string, Numbers> }} options width of a head */
  constructor({ heads, width, parameters = new Map() }) {
    super();
    this.#heads = heads;
    this.#width = width;
    this.#parameters = parameters;
  }

  /** @param {string} name */
  parameter(name) {
    return this.weight(name, /** @type {Numbers} */ (this.#parameters.get(name)));
  }

  /** @param {string} x @param {string} name */
  linear(x, name) {
    const product = this.node('MatMul', [x, this.parameter(`${name}.weight`)]);
    return this.node('Add', [product, this.parameter(`${name}.bias`)]);
  }

  /** Linear layers of one x as one product, and cut apart again.
   * @param {string} x @param {string[]} names */
  linears(x, names) {
    const of = (/** @type {string} */ part) =>
      sideBySide(
        names.map((name) => /** @type {Numbers} */ (this.#parameters.get(`${name}.${part}`))),
      );
    const product = this.node('MatMul', [x, this.weight(`${names.join()}.weight`, of('weight'))]);
    const sum = this.node('Add', [product, this.weight(`${names.join()}.bias`, of('bias'))]);
    this.node('Split', [sum], { axis: -1, num_outputs: names.length }, names);
    return names;
  }

  /** @param {string} x @param {string} name */
  norm(x, name) {
    const operands = [x, this.parameter(`${name}.weight`), this.parameter(`${name}.bias`)];
    return this.node('LayerNormalization', operands, { axis: -1, epsilon: { float: 1e-5 } });
  }

  /** [1,T,H D] -> [1,H,T,D] @param {string} x */
  split(x) {
    const shape = this.list(this.#fresh('split'), [1, -1, this.#heads, this.#width]);
    return this.node('Transpose', [this.node('Reshape', [x, shape])], { perm: [0, 2, 1, 3] });
  }

  /** Scaled dot-product attention of heads, which end side by side: [1,T,H D].
   * @param {string} q @param {string} k @param {string} v */
  attend(q, k, v) {
    const scale = { data: Float32Array.of(1 / Math.sqrt(this.#width)), shape: [] };
    const scores = this.node('MatMul', [q, this.node('Transpose', [k], { perm: [0, 1, 3, 2] })]);
    const scaled = this.node('Mul', [scores, this.weight(this.#fresh('scale'), scale)]);
    const mix = this.node('MatMul', [this.node('Softmax', [scaled], { axis: -1 }), v]);
    const shape = this.list(this.#fresh('join'), [1, -1, this.#heads * this.#width]);
    return this.node('Reshape', [this.node('Transpose', [mix], { perm: [0, 2, 1, 3] }), shape]);
  }

  /** @param {string} name */
  #fresh(name) {
    return `${name}.${this.#count++}`;
  }
}
