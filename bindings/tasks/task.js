// What every task has in common: its tokens, its endless stream of pairs, and the split of that stream
// into pairs to train on and pairs held out.

import { checkInteger, checkText } from '../base/errors.js';
import { dice, hash, pick } from '../base/random.js';
import { rangeError, typeError } from './texts.js';
import { SPECIAL, Vocabulary } from './vocabulary.js';

/** @typedef {import('../base/random.js').Dice} Dice */
/** @typedef {'source' | 'target'} Side */
/** @typedef {{ source: string, target: string }} Pair the source determines the target */

/**
 * @typedef {object} Description
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {number} maxSource the longest source in tokens, without <start> and <end>
 * @property {number} maxTarget the longest target, likewise
 * @property {(text: string, side: Side) => string[]} split text into tokens
 * @property {(tokens: readonly string[]) => string} join tokens into text
 */
/** Pairs drawn by chance, and the tokens that they may consist of.
 * @typedef {Description & { draw: (dice: Dice) => Pair, words: readonly string[] }} Open */
/** Every pair, when it is first needed. The tokens are those that occur in them.
 * @typedef {Description & { list: () => readonly Pair[] }} Listed */

const UINT32 = 2 ** 32 - 1;
/** One source in so many is held out. */
const HELD_OUT_SHARE = 10;
/** Far below the number of held-out sources of an open task, so that a search for them ends soon. */
const MAX_HELD_OUT = 10_000;

/** Whether a source is kept from training. The source alone decides, so no seed can mix the two.
 * @param {string} source
 * @example
 * import { isHeldOut, tasks } from 'glassformer/tasks';
 *
 * tasks.reverse.heldOut(3, 1).every(({ source }) => isHeldOut(source)); // = true */
export function isHeldOut(source) {
  checkText('isHeldOut', source);
  return hash(...new TextEncoder().encode(source)) % HELD_OUT_SHARE === 0;
}

/** @param {string} where @param {unknown} side */
function checkSide(where, side) {
  if (side === 'source' || side === 'target') return;
  throw rangeError('side', { where, given: side });
}

export class Task {
  #definition;
  /** @type {readonly Pair[] | undefined} */
  #pairs;
  /** @type {Vocabulary | undefined} */
  #vocabulary;

  /** @param {Open | Listed} definition */
  constructor(definition) {
    this.#definition = definition;
    this.name = definition.name;
    this.title = definition.title;
    this.about = definition.about;
    /** Tokens of the longest source, without <start> and <end>. */
    this.maxSource = definition.maxSource;
    /** Tokens of the longest target, likewise. */
    this.maxTarget = definition.maxTarget;
  }

  /** Every pair, where they can be listed; otherwise null.
   * @returns {readonly Pair[] | null} */
  get pairs() {
    if (!('list' in this.#definition)) return null;
    this.#pairs ??= this.#definition.list();
    return this.#pairs;
  }

  /** Of both sides: one table of embeddings may serve encoder, decoder and output. */
  get vocabulary() {
    this.#vocabulary ??= new Vocabulary([...SPECIAL, ...this.#words()]);
    return this.#vocabulary;
  }

  /** @param {Side} side @param {string} text
   * @returns {string[]} */
  tokenize(side, text) {
    checkSide(`${this.name}: tokenize`, side);
    return this.#definition.split(checkText(`${this.name}: tokenize`, text), side);
  }

  /** @param {Side} side @param {readonly string[]} tokens */
  detokenize(side, tokens) {
    checkSide(`${this.name}: detokenize`, side);
    const where = `${this.name}: detokenize`;
    if (!Array.isArray(tokens)) throw typeError('tokens', { where, given: tokens });
    for (const [i, token] of tokens.entries()) checkText(`${where}: tokens[${i}]`, token);
    return this.#definition.join(tokens);
  }

  /** The pair at one place in the stream of a seed, be it held out or not.
   * @param {number} index 0 to 2^32 - 1 @param {number} seed likewise
   * @returns {Pair} */
  sample(index, seed) {
    checkInteger(`${this.name}: sample: index`, index, 0, UINT32);
    checkInteger(`${this.name}: sample: seed`, seed, 0, UINT32);
    return this.#at(index, seed);
  }

  /** Pairs to train on, without end. None of their sources is ever held out.
   * @param {number} seed 0 to 2^32 - 1 */
  trainingPairs(seed) {
    checkInteger(`${this.name}: trainingPairs: seed`, seed, 0, UINT32);
    return this.#stream(seed, false);
  }

  /** The most pairs that heldOut gives: all that are held out, or 10,000 where pairs are not listed. */
  get heldOutSize() {
    if (!this.pairs) return MAX_HELD_OUT;
    return this.pairs.filter(({ source }) => isHeldOut(source)).length;
  }

  /** Pairs to test on, with distinct sources.
   * @param {number} count 0 to heldOutSize @param {number} seed 0 to 2^32 - 1 */
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

  /** @param {number} seed @param {boolean} wanted held-out pairs, or the others
   * @returns {Generator<Pair, never, undefined>} */
  *#stream(seed, wanted) {
    for (let index = 0; ; index++) {
      const pair = this.#at(index, seed);
      if (isHeldOut(pair.source) === wanted) yield pair;
    }
  }

  /** @param {number} index @param {number} seed
   * @returns {Pair} */
  #at(index, seed) {
    const thrown = dice(seed, index);
    return 'draw' in this.#definition
      ? this.#definition.draw(thrown)
      : pick(thrown, /** @type {readonly Pair[]} */ (this.pairs));
  }

  /** @returns {Iterable<string>} */
  #words() {
    if ('words' in this.#definition) return this.#definition.words;
    const tokens = /** @type {readonly Pair[]} */ (this.pairs).flatMap(({ source, target }) => [
      ...this.tokenize('source', source),
      ...this.tokenize('target', target),
    ]);
    return new Set(tokens.sort());
  }
}

/** Characters as tokens, upper case folded into lower.
 * @param {string} text */
export const charactersOf = (text) => [...text.toLowerCase()];
