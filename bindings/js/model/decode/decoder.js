// Decoding token by token. Keys and values of earlier tokens are cached, so a token costs one row of each product, and
// one pass over the cache.

import { atOnce } from '../../base/turn.js';
import { valuesOf } from '../../tape/tensor.js';

/** @typedef {import('../../runtime/engine.js').Engine} Engine */
/** @typedef {import('../../tape/tape.js').Tape} Tape */
/** @typedef {import('../../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../config/config.js').Config} Config */
/** @typedef {Pick<import('../weights.js').Weights, 'tape' | 'trained' | 'checkUnchanged' | 'running'>} Weights */

/**
 * @typedef {object} DecoderOptions
 * @property {number} [size] sequences side by side
 * @property {readonly number[] | null} [source]
 * @property {number} [temperature]
 * @property {number} [capacity] tokens that there is room for at first; the room doubles when it is full
 * @property {import('./hooks.js').HooksOn} [hooked] functions of the user between the steps
 */

/** Of each sequence, [size,V].
 * @typedef {{ logits: Float32Array, logProbs: Float32Array, probabilities: Float32Array }} Scores */

/** Pushes the scores of a choice: choice.log and, at the temperature, choice.
 * @param {Tape} tape @param {number} temperature */
export function choices(tape, temperature) {
  const logits = tape.find('logits');
  tape.logSoftmax(logits, 'choice.log');
  tape.softmax(tape.scale(logits, 1 / temperature, 'choice.scaled'), 'choice');
}

/** The scores of a choice, copied from their nodes, because choosing may grow the memory, which cuts views off. New arrays
 * for each token would cost as much as the token of a small model does.
 * @param {(name: string) => import('../../base/values.js').Data} valuesAt
 * @param {Scores} [reused] those of an earlier token, which are overwritten
 * @returns {Scores} */
export function scoresOf(valuesAt, reused) {
  const copy = (/** @type {string} */ name, /** @type {Float32Array | undefined} */ to) => {
    const values = /** @type {Float32Array} */ (valuesAt(name));
    to?.set(values);
    return to ?? values.slice();
  };
  return {
    logits: copy('logits', reused?.logits),
    logProbs: copy('choice.log', reused?.logProbs),
    probabilities: copy('choice', reused?.probabilities),
  };
}

/** The scores of one of several sequences.
 * @param {Scores} scores @param {number} row @param {number} size how many sequences there are
 * @returns {Scores} */
export function rowOf({ logits, logProbs, probabilities }, row, size) {
  const vocab = logits.length / size;
  /** @param {Float32Array} all */
  const part = (all) => all.subarray(row * vocab, (row + 1) * vocab);
  return { logits: part(logits), logProbs: part(logProbs), probabilities: part(probabilities) };
}

/** What the encoder makes of one source, [S,C].
 * @param {Weights} weights @param {Config} config @param {readonly number[]} source */
function encode(weights, { remove }, source) {
  const tape = weights.tape(
    { source: source.length, fused: true },
    { changes: { decoderLayers: 0, remove }, keep: () => [] },
  );
  try {
    valuesOf(tape.find('source')).set(source);
    tape.forward();
    return valuesOf(/** @type {Tensor} */ (tape.nodes.at(-1))).slice();
  } finally {
    tape.dispose();
  }
}

/** The nodes before a given one that it or later ones read.
 * @param {Tape} tape @param {string} name */
function madeBefore(tape, name) {
  const { id } = tape.find(name);
  const inputs = tape.nodes.slice(id).flatMap((node) => node.inputs);
  return inputs.filter((input) => input !== null).filter((input) => input.id < id);
}

/** @param {Tape} tape */
export const cachesOf = ({ nodes }) => nodes.filter(({ op }) => op === 'cache');

/** Copies keys and values of the first tokens, or from a token on, whatever there is room for behind them.
 * @param {readonly Tensor[]} from [B,H,N,D] each @param {readonly Tensor[]} to @param {number} tokens @param {number} [first] */
export function copyCaches(from, to, tokens, first = 0) {
  for (const [i, one] of from.entries()) {
    const [source, target] = [valuesOf(one), valuesOf(to[i])];
    const [, , rows, width] = one.shape;
    for (let head = 0; head * rows * width < source.length; head++) {
      const begin = head * rows * width;
      target.set(
        source.subarray(begin + first * width, begin + tokens * width),
        (head * to[i].shape[2] + first) * width,
      );
    }
  }
}

/** A tape for so many tokens; places: the leaves that hold the position of the token.
 * @typedef {{ tape: Tape, capacity: number, caches: Tensor[], places: Tensor[] }} Room */

export class Decoder {
  #weights;
  #trained;
  #memory;
  #sourceLength;
  #temperature;
  /** @type {Scores | undefined} */
  #scores;
  /** The tape of now: its caches add keys and values to those that they have. @type {Room} */
  room;

  /** @param {Weights} weights @param {Config} config @param {DecoderOptions} [options] */
  constructor(weights, config, options = {}) {
    const { size = 1, source = null, temperature = 1, capacity = 16 } = options;
    const { hooked } = options;
    this.hooked = hooked;
    /** Whether each attention is one step. */
    this.fused = hooked?.isFused ?? true;
    /** Steps whose values somebody reads. @type {readonly string[]} */
    this.kept = hooked?.names ?? [];
    /** Where in the text the first token that was fed is: a window may have slid. */
    this.origin = 0;
    this.#weights = weights;
    this.#trained = weights.trained;
    this.config = config;
    this.#temperature = temperature;
    this.size = size;
    this.#memory = source && encode(weights, config, source);
    this.#sourceLength = source?.length ?? 0;
    this.room = this.#make(Math.min(capacity, config.maxLength));
    /** Tokens that were fed, of each sequence. */
    this.length = 0;
  }

  /** Feeds a token to each sequence; gives the scores of the tokens that may follow, [size,V], until
   * the next call. The probabilities are those at the temperature.
   * @param {readonly number[]} tokens */
  feed(tokens) {
    return atOnce(this.feeding(tokens));
  }

  /** The same with pauses: null.
   * @param {readonly number[]} tokens
   * @returns {Generator<null, Scores>} */
  *feeding(tokens) {
    const tape = this.begin(tokens);
    const behind = this.hooked?.behind(tape, this.origin + this.length - 1, 1);
    yield* this.#weights.running(tape, 'target', behind);
    return this.scores();
  }

  /** Writes the tokens; what is left is forward('target') on the tape that it gives, then scores().
   * @param {readonly number[]} tokens */
  begin(tokens) {
    this.#weights.checkUnchanged(this.#trained);
    if (this.length === this.room.capacity) this.grow();
    const { tape, places } = this.room;
    valuesOf(tape.find('target')).set(tokens);
    for (const place of places) valuesOf(place)[0] = this.length;
    this.length++;
    valuesOf(tape.find('target.lengths')).fill(this.length);
    return tape;
  }

  /** Goes on behind a token whose keys and values the caches have already. */
  skip() {
    this.#weights.checkUnchanged(this.#trained);
    this.length++;
  }

  /** The scores of the last computation, until the next call. */
  scores() {
    this.#scores = scoresOf((name) => valuesOf(this.room.tape.find(name)), this.#scores);
    return this.#scores;
  }

  /** Lets each sequence go on from one of the earlier ones.
   * @param {readonly number[]} parents */
  reorder(parents) {
    if (parents.every((parent, i) => parent === i)) return;
    for (const cache of this.room.caches) {
      const data = valuesOf(cache);
      const old = data.slice();
      const step = old.length / this.size;
      for (const [i, parent] of parents.entries()) {
        data.set(old.subarray(parent * step, (parent + 1) * step), i * step);
      }
    }
  }

  /** @param {number} capacity
   * @returns {Room} */
  #make(capacity) {
    const { size } = this;
    const source = this.#sourceLength || 1;
    const tape = this.#weights.tape(
      { size, source, padded: true, capacity, fused: this.fused },
      {
        changes: { remove: this.config.remove },
        more: (tape) => choices(tape, this.#temperature),
        keep: (made) => [...madeBefore(made, 'target'), 'logits', ...this.kept],
      },
    );
    if (this.#memory) {
      const data = valuesOf(tape.find('memory'));
      for (let i = 0; i < size; i++) data.set(this.#memory, i * this.#memory.length);
      valuesOf(tape.find('source.lengths')).fill(this.#sourceLength);
      /* What comes before the target is the keys and values of the memory: made once. */
      tape.forward(undefined, 'target');
    }
    const { nodes } = tape;
    return {
      tape,
      capacity,
      caches: cachesOf(tape),
      places: nodes.filter(({ name }) => name === 'at' || name === 'target.positions'),
    };
  }

  /** Room for more tokens: for twice as many, so that all growing together costs no more than the tokens do.
   * @param {number} [capacity] */
  grow(capacity = 2 * this.length) {
    const { tape, caches } = this.room;
    this.room = this.#make(Math.min(capacity, this.config.maxLength));
    copyCaches(caches, this.room.caches, this.length);
    tape.dispose();
  }

  /** Goes on behind the first tokens of another decoder's text.
   * @param {Decoder} other @param {number} tokens */
  resume(other, tokens) {
    copyCaches(other.room.caches, this.room.caches, tokens);
    this.length = tokens;
  }

  dispose() {
    this.room.tape.dispose();
  }
}
