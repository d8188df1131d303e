// Decoding without a cache: all tokens are read again with each new one. Without a causal mask the vectors of a token
// change with those that follow it, so nothing can be cached.

import { valuesOf } from '../../tape/tensor.js';
import { choices, scoresOf } from './decoder.js';

/** @typedef {import('../config/config.js').Config} Config */
/** @typedef {import('./decoder.js').DecoderOptions} DecoderOptions */
/** @typedef {Pick<import('../weights.js').Weights, 'tape' | 'trained' | 'checkUnchanged'>} Weights */

export class Reader {
  #weights;
  #trained;
  #config;
  #source;
  #temperature;
  /** @type {number[][]} */
  #read;

  /** @param {Weights} weights @param {Config} config @param {DecoderOptions} [options] */
  constructor(weights, config, { size = 1, source = null, temperature = 1 } = {}) {
    this.#weights = weights;
    this.#trained = weights.trained;
    this.#config = config;
    this.#source = source;
    this.#temperature = temperature;
    this.#read = Array.from({ length: size }, () => []);
  }

  /** The same as `feed`: of as many tapes as tokens none runs on.
   * @param {readonly number[]} tokens
   * @returns {Generator<null, import('./decoder.js').Scores>} */
  // biome-ignore lint/correctness/useYield: it never pauses
  *feeding(tokens) {
    return this.feed(tokens);
  }

  /** Feeds a token to each sequence; gives the scores of the tokens that may follow, [size,V].
   * @param {readonly number[]} tokens
   * @returns {import('./decoder.js').Scores} */
  feed(tokens) {
    this.#weights.checkUnchanged(this.#trained);
    this.#read = this.#read.map((row, i) => [...row, tokens[i]]);
    const size = this.#read.length;
    const length = this.#read[0].length;
    const source = this.#source ?? [];
    const tape = this.#weights.tape(
      { size, source: source.length, target: length },
      {
        changes: { remove: this.#config.remove },
        more: (tape) => choices(tape, this.#temperature),
      },
    );
    try {
      if (source.length) valuesOf(tape.find('source')).set(this.#read.flatMap(() => source));
      valuesOf(tape.find('target')).set(this.#read.flat());
      tape.forward();
      /** Of the last token of each. @param {string} name */
      const last = (name) => {
        const node = tape.find(name);
        const row = node.shape[2];
        return valuesOf(node).filter((_, i) => Math.floor(i / row) % length === length - 1);
      };
      return scoresOf(last);
    } finally {
      tape.dispose();
    }
  }

  /** Lets each sequence go on from one of the earlier ones.
   * @param {readonly number[]} parents */
  reorder(parents) {
    this.#read = parents.map((parent) => this.#read[parent]);
  }

  /** Each tape is disposed of when it has run. */
  dispose() {}
}
