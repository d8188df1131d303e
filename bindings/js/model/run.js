// One run of a model: a tape on which every step is there to be read, removed or edited.

import { checkInteger, failure } from '../base/errors.js';
import { gradientOf, valuesOf } from '../tape/tensor.js';
import { sequenceOf, stepOf } from '../trace/steps.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../base/values.js').Values} Values */

/** What the mean of a loss divides by: the labels that count.
 * @param {Tensor} loss */
function countOf({ inputs: [, labels], attributes }) {
  let count = 0;
  for (const id of valuesOf(/** @type {Tensor} */ (labels))) {
    if (id !== attributes.ignore_index) count += 1;
  }
  return count;
}

export class Run {
  /** @param {Tape} tape of a model */
  constructor(tape) {
    /** All that a tape can do. */
    this.tape = tape;
  }

  /** The step of that name: 'decoder.layers.0.cross_attn.weights', ...
   * @param {string} name */
  tensor(name) {
    return this.tape.find(name);
  }

  /** [B,T,V]
   * @returns {import('../tape/tensor.js').Tensor & { readonly data: Float32Array }} */
  get logits() {
    return /** @type {any} */ (this.tensor('logits'));
  }

  /** The mean over the labels. */
  get loss() {
    return valuesOf(this.#lossFor('run.loss'))[0];
  }

  /** @param {string} where */
  #lossFor(where) {
    const loss = this.tape.nodes.find(({ name }) => name === 'loss');
    if (!loss) throw failure('GF_ENAME', 'noLoss', { where });
    return loss;
  }

  /** Every step of one sequence of the batch, without the batch's dimension: plain data, copied, with the
   * gradients of the last backward().
   * @param {number} [sequence]
   * @returns {import('../trace/steps.js').Step[]} */
  steps(sequence = 0) {
    const [{ shape }] = this.tape.nodes.filter(({ axes }) => axes[0] === 'batch');
    checkInteger('steps: sequence', sequence, 0, shape[0] - 1);
    return this.tape.nodes.map((tensor) => {
      const part = sequenceOf(tensor, sequence);
      const grad = gradientOf(tensor)?.slice(part.from, part.from + part.size) ?? null;
      const step = Object.assign(stepOf(tensor, part), { grad });
      return step.role === 'loss' ? { ...step, count: countOf(tensor) } : step;
    });
  }

  /** Makes a step copy its operand k instead of computing; null puts it back. Then forward().
   * @param {Tensor | string} node @param {number | null} [k] */
  bypass(node, k) {
    this.tape.bypass(node, k);
  }

  /** Keeps the values that you write into a step; on = false lets it compute again.
   * @param {Tensor | string} node @param {boolean} [on] */
  freeze(node, on) {
    this.tape.freeze(node, on);
  }

  /** Computes all steps, or those from `first` to `last`.
   * @param {Tensor | string} [first] @param {Tensor | string} [last] */
  forward(first, last) {
    this.tape.refresh();
    this.tape.forward(first, last);
  }

  /** Gradients of a step with respect to all before it, and to the parameters; earlier ones are
   * cleared.
   * @param {Tensor | string} [target] @param {Values} [gradient] 1 by default if the target is one cell */
  backward(target = this.#lossFor('backward'), gradient = undefined) {
    this.tape.backward(target, gradient);
  }

  /** Frees the memory of the run; any access throws GF_EDISPOSED afterwards. */
  dispose() {
    this.tape.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}
