// The batches of a run, kept as they were drawn, so that any step can be taken again.
import { batches, END, idsOf, START } from './core.js';

/** @typedef {import('./core.js').Batch} Batch */
/** @typedef {import('./core.js').Task} Task */

export class Batches {
  #first;
  #stream;
  /** @type {Batch[]} */
  #drawn = [];

  /**
   * @param {Task} task
   * @param {{ tokens: number, seed: number, first: number, longest: number }} options
   *   first: steps that were taken before. longest: pairs with a longer source are left out
   */
  constructor(task, { tokens, seed, first, longest }) {
    this.#first = first;
    const options = { tokens, seed, start: START, end: END, from: first };
    this.#stream = batches(pairs(task, seed, longest), options);
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

/**
 * @param {Task} task
 * @param {number} seed
 * @param {number} longest
 */
function* pairs(task, seed, longest) {
  for (const pair of task.trainingPairs(seed)) {
    const ids = idsOf(task, pair);
    if (ids.source.length <= longest) yield ids;
  }
}
