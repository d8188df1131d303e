// What every task has in common: its tokens, its endless stream of pairs, and the split of that stream
// into pairs to train on and pairs held out.

import { checkInteger, show } from '../errors.js';
import { dice, hash } from './random.js';
import { SPECIAL, Vocabulary } from './vocabulary.js';

/** @typedef {import('./random.js').Dice} Dice */
/** @typedef {'source' | 'target'} Side */
/** @typedef {{ source: string, target: string }} Pair the source determines the target */

/**
 * @typedef {object} Definition
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {readonly string[]} words every token of both sides, once
 * @property {number} maxSource the longest source in tokens, without <start> and <end>
 * @property {number} maxTarget the longest target, likewise
 * @property {(text: string, side: Side) => string[]} split text into tokens
 * @property {(tokens: readonly string[], side: Side) => string} join tokens into text
 * @property {(dice: Dice) => Pair} draw one pair by chance
 * @property {() => readonly Pair[]} [all] every pair, where they can be listed
 */

const UINT32 = 2 ** 32 - 1;
/** One source in so many is held out. */
const HELD_OUT_SHARE = 10;
/** Far below the number of held-out sources of a task that lists none, so that a search ends soon. */
const MAX_HELD_OUT = 10_000;

/** Whether a source is kept from training. The source alone decides, so no seed can mix the two.
 * @param {string} source */
export const isHeldOut = (source) =>
  hash(...Array.from(source, (_, i) => source.charCodeAt(i))) % HELD_OUT_SHARE === 0;

/** @param {string} where @param {unknown} side */
function checkSide(where, side) {
  if (side === 'source' || side === 'target') return;
  throw new RangeError(`${where}: expected "source" or "target", received ${show(side)}`);
}

export class Task {
  #definition;

  /** @param {Definition} definition */
  constructor(definition) {
    this.#definition = definition;
    this.name = definition.name;
    this.title = definition.title;
    this.about = definition.about;
    /** Of both sides. */
    this.vocabulary = new Vocabulary([...SPECIAL, ...definition.words]);
    /** Tokens of the longest source, without <start> and <end>. */
    this.maxSource = definition.maxSource;
    /** Tokens of the longest target, likewise. */
    this.maxTarget = definition.maxTarget;
  }

  /** @param {Side} side @param {string} text */
  tokenize(side, text) {
    checkSide(`${this.name}: tokenize`, side);
    if (typeof text !== 'string') {
      throw new TypeError(`${this.name}: tokenize: expected a text, received ${show(text)}`);
    }
    return this.#definition.split(text, side);
  }

  /** @param {Side} side @param {readonly string[]} tokens */
  detokenize(side, tokens) {
    checkSide(`${this.name}: detokenize`, side);
    if (!Array.isArray(tokens)) {
      throw new TypeError(`${this.name}: detokenize: expected tokens, received ${show(tokens)}`);
    }
    return this.#definition.join(tokens, side);
  }

  /** The pair at one place of the stream of a seed, be it held out or not.
   * @param {number} index 0 to 2^32 - 1 @param {number} seed likewise
   * @returns {Pair} */
  sample(index, seed) {
    checkInteger(`${this.name}: sample: index`, index, 0, UINT32);
    checkInteger(`${this.name}: sample: seed`, seed, 0, UINT32);
    return this.#definition.draw(dice(seed, index));
  }

  /** Pairs to train on, without end. None of their sources is ever held out.
   * @param {number} seed 0 to 2^32 - 1
   * @returns {Generator<Pair, never>} */
  trainingPairs(seed) {
    checkInteger(`${this.name}: trainingPairs: seed`, seed, 0, UINT32);
    return this.#stream(seed, false);
  }

  /** Pairs to test on, with distinct sources.
   * @param {number} count 0 to heldOutSize @param {number} seed 0 to 2^32 - 1
   * @returns {Pair[]} */
  heldOut(count, seed) {
    checkInteger(`${this.name}: heldOut: count`, count, 0, this.heldOutSize);
    checkInteger(`${this.name}: heldOut: seed`, seed, 0, UINT32);
    /** @type {Map<string, Pair>} */
    const found = new Map();
    const stream = this.#stream(seed, true);
    while (found.size < count) {
      const pair = stream.next().value;
      found.set(pair.source, pair);
    }
    return [...found.values()];
  }

  /** The most pairs that heldOut gives: all there are, or 10,000 where pairs cannot be listed. */
  get heldOutSize() {
    const all = this.#definition.all?.();
    return all ? all.filter(({ source }) => isHeldOut(source)).length : MAX_HELD_OUT;
  }

  /** @param {number} seed @param {boolean} wanted whether held-out pairs or the others
   * @returns {Generator<Pair, never>} */
  *#stream(seed, wanted) {
    for (let index = 0; ; index++) {
      const pair = this.#definition.draw(dice(seed, index));
      if (isHeldOut(pair.source) === wanted) yield pair;
    }
  }
}

/** Characters as tokens, upper case folded into lower.
 * @param {string} text */
export const charactersOf = (text) => [...text.toLowerCase()];
