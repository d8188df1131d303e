// The batches of a run, kept as they were drawn, so that any step can be taken again.
import { taskBatches } from './core.js';

/** @typedef {import('./core.js').Batch} Batch */

export class Batches {
  #first;
  #stream;
  /** @type {Batch[]} */
  #drawn = [];

  /**
   * @param {import('./core.js').Task} task
   * @param {{ tokens: number, seed: number, first: number }} options first: steps that were taken before
   */
  constructor(task, { tokens, seed, first }) {
    this.#first = first;
    this.#stream = taskBatches(task, { tokens, seed, from: first });
  }

  /**
   * The batch of a step, 1 being the first.
   * @param {number} step
   */
  at(step) {
    const place = step - 1 - this.#first;
    while (this.#drawn.length <= place) {
      this.#drawn.push(/** @type {Batch} */ (this.#stream.next().value));
    }
    return this.#drawn[place];
  }

  /**
   * The batches from a step on, without end.
   * @param {number} step
   */
  *from(step) {
    for (let next = step; ; next++) yield this.at(next);
  }
}
