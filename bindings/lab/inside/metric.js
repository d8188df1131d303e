// What an experiment measures: a logit, a difference of two, a probability or a loss, at one position.

import { checkInteger, checkOptions, checkWord } from '../../js/base/errors.js';
import { largestOf } from '../../js/base/largest.js';
import { backwardInSlices, inner } from '../../js/model/slices.js';
import { valuesOf } from '../../js/tape/tensor.js';
import { floatsOf } from './bench.js';

/** @typedef {import('./bench.js').Bench} Bench */
/** @typedef {import('../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** difference: the logit of `token` minus that of `against`; loss: the negative logarithm of the probability.
 * @typedef {'logit' | 'difference' | 'probability' | 'loss'} MetricKind */

/**
 * @typedef {object} MetricOptions
 * @property {MetricKind} [kind] by default the difference if `against` is given, else the logit
 * @property {number} [token] by default the one with the largest logit
 * @property {number} [against] the token whose logit is subtracted
 * @property {number} [position] of the target, from 0; negative ones count from the end; -1 by default
 */

/** What was measured. against: null unless it was given. @typedef {Required<Omit<MetricOptions, 'against'>> & { against: number | null }} Measured */

const KINDS = /** @type {const} */ (['logit', 'difference', 'probability', 'loss']);
const OPTIONS = ['kind', 'token', 'against', 'position'];
const PICKED = 'metric.position';
const LOG_PROBABILITY = 'metric.log_probability';
const PROBABILITY = 'metric.probability';

/** A token's id. @param {string} where @param {number | undefined} id @param {number} vocab */
export const checkToken = (where, id, vocab) =>
  id === undefined ? undefined : checkInteger(where, id, 0, vocab - 1);

/** A position, counted from the front.
 * @param {string} where @param {number | undefined} position @param {number} length */
export function checkPosition(where, position = -1, length) {
  const index = checkInteger(where, position, -length, length - 1);
  return index < 0 ? index + length : index;
}

export class Metric {
  #options;
  #where;
  /** @type {Bench | undefined} */
  #bench;
  /** @type {Measured | undefined} */
  #measured;

  /** @param {string} where @param {MetricOptions} [options] */
  constructor(where, options = {}) {
    checkOptions(`${where}: metric`, options, OPTIONS);
    const { kind = options.against === undefined ? 'logit' : 'difference' } = options;
    checkWord(`${where}: metric: kind`, kind, KINDS);
    this.#where = `${where}: metric`;
    this.#options = { ...options, kind };
    /** Pushes what the core computes of it.
     * @type {import('./bench.js').More} */
    this.more = (tape, logits) => {
      if (!logits || kind === 'logit' || kind === 'difference') return;
      const place = tape.ids(PICKED, [1]);
      const picked = tape.gather(logits, place, 1, 'metric.logits');
      tape.logSoftmax(picked, LOG_PROBABILITY);
      tape.softmax(picked, PROBABILITY);
    };
  }

  /** Takes up the bench that it measures on, which has not run yet, and runs it.
   * @param {Bench} bench
   * @returns {Generator<number, Measured>} */
  *begin(bench) {
    const { config, logits } = bench;
    const { kind, token, against, position } = this.#options;
    const where = this.#where;
    const [, length, vocab] = logits.shape;
    const index = checkPosition(`${where}: position`, position, length);
    checkToken(`${where}: token`, token, config.vocab);
    if (kind === 'difference') checkInteger(`${where}: against`, against, 0, config.vocab - 1);
    const place = bench.nodes.find(({ name }) => name === PICKED);
    if (place) valuesOf(place)[0] = index;
    yield* bench.running();
    this.#bench = bench;
    this.#measured = {
      kind,
      token:
        token ?? largestOf(where, floatsOf(logits).subarray(index * vocab, (index + 1) * vocab)),
      against: kind === 'difference' ? /** @type {number} */ (against) : null,
      position: index,
    };
    return this.#measured;
  }

  /** @param {string} name */
  #node(name) {
    return /** @type {Tensor} */ (this.#bench?.nodes.find((node) => node.name === name));
  }

  /** The metric's value in the last run.
   * @returns {number} */
  read() {
    const { logits } = /** @type {Bench} */ (this.#bench);
    const { kind, token, against, position } = /** @type {Measured} */ (this.#measured);
    if (kind === 'probability') return floatsOf(this.#node(PROBABILITY))[token];
    if (kind === 'loss') return -floatsOf(this.#node(LOG_PROBABILITY))[token];
    const row = floatsOf(logits).subarray(position * logits.shape[2]);
    return row[token] - (against === null ? 0 : row[against]);
  }

  /** Carries its gradient down to every node before it. Pauses between slices.
   * @returns {Generator<number, void>} */
  *derive() {
    const { logits, tape } = /** @type {Bench} */ (this.#bench);
    const { kind, token, against, position } = /** @type {Measured} */ (this.#measured);
    const name = kind === 'probability' ? PROBABILITY : kind === 'loss' ? LOG_PROBABILITY : null;
    const target = name ? this.#node(name) : logits;
    const seed = new Float32Array(target.size);
    const from = name ? 0 : position * logits.shape[2];
    seed[from + token] += kind === 'loss' ? -1 : 1;
    if (against !== null) seed[from + against] -= 1;
    inner(tape).block.lender.clear();
    for (const _ of backwardInSlices(tape, target.name, seed)) yield 0;
  }
}
