// Tokens that a text repeats cost less. What followed the end of the text when that occurred before is a guess of what
// follows now. The model reads the guessed tokens at once, and each of them stays that is then chosen. A row of many has
// the bits of a row by itself, so the text is the same as without guesses.

import {
  cachesOf,
  choices,
  copyCaches,
  Decoder,
  scoresOf,
} from '../../js/model/decode/decoder.js';
import { goesOn, goOn, later } from '../../js/model/prompt.js';
import { forwardInSlices } from '../../js/model/slices.js';
import { valuesOf } from '../../js/tape/tensor.js';

/** @typedef {import('../../js/model/decode/decoder.js').Scores} Scores */
/** @typedef {import('../../js/model/weights.js').Weights} Weights */

/** So many tokens of the end of a text are looked for. */
const LONGEST = 3;
/** Tokens that are read at once: the one that was chosen, and the guessed ones. */
const ROWS = 4;
/** The part of the time that guesses may cost when all of them are wrong. */
const SHARE = 0.02;
/** What is lent at first: that part of so many tokens, or of fewer if no more are asked for. */
const LENT_TOKENS = 128;
/** As many wrong guesses in a row as earlier right ones pay for. */
const MOST_CHECKS = 4;

/** What may follow a text, and how many of its last tokens occurred before, up to three. If what followed them then is
 * too short, it goes on in the same way: a text that repeats itself.
 * @param {readonly number[]} text @param {number} count of guesses */
export function guess(text, count) {
  const end = text.length;
  let [length, from] = [0, end];
  for (let i = end - 1; i > 0 && length < LONGEST; i--) {
    let same = 0;
    while (same < Math.min(LONGEST, i) && text[i - 1 - same] === text[end - 1 - same]) same++;
    if (same > length) [length, from] = [same, i];
  }
  const tokens = Array.from({ length: length && count }, (_, k) => text[from + (k % (end - from))]);
  return { length, tokens };
}

/** Does work that pauses; gives its result, and the milliseconds that it took without the pauses.
 * @template T
 * @param {Generator<unknown, T>} work
 * @returns {Generator<null, { value: T, ms: number }>} */
function* timed(work) {
  try {
    for (let ms = 0; ; ) {
      const begin = performance.now();
      const { done, value } = work.next();
      ms += performance.now() - begin;
      if (done) return { value, ms };
      yield null;
    }
  } finally {
    work.return(/** @type {any} */ (undefined));
  }
}

/** Reads a text token by token with a decoder, and ahead of it where that pays. Times decide only how much is read at
 * once. */
export class Lookup {
  #weights;
  #trained;
  #decoder;
  #temperature;
  /** @type {number[]} */
  #text = [];
  /** @type {import('../../js/tape/tape.js').Tape | null} */
  #tape = null;
  #capacity = 0;
  /** Tokens whose keys and values the tape has. */
  #whole = 0;
  /** Guesses that were read, and behind how many tokens. */
  #read = { tokens: /** @type {number[]} */ ([]), before: 0 };
  /** @type {Scores | undefined} */
  #scores;
  /** Milliseconds: of a token by itself; of a check beyond that; of making a tape; what may be lost. */
  #step = 0;
  #cost = 0;
  #making;
  #budget = 0;
  #lent;

  /** @param {Weights} weights @param {Decoder} decoder
   * @param {{ temperature?: number, most: number, making: number }} options most: new tokens; making: the milliseconds
   *   that it took to make the decoder, which a tape for guesses will take, too */
  constructor(weights, decoder, { temperature = 1, most, making }) {
    this.#weights = weights;
    this.#trained = weights.trained;
    this.#decoder = decoder;
    this.#temperature = temperature;
    this.#making = making;
    this.#lent = SHARE * Math.min(most, LENT_TOKENS);
  }

  /** Whether it can read the texts of a decoder.
   * @param {import('../../js/model/config/config.js').Config} config @param {unknown} decoder
   * @returns {decoder is Decoder} */
  static reads(config, decoder) {
    return decoder instanceof Decoder && goesOn(config);
  }

  /** Does the reading of a prompt, and remembers the prompt.
   * @param {readonly number[]} tokens @param {Generator<null, void>} work
   * @returns {Generator<null, void>} */
  *prompt(tokens, work) {
    const { ms } = yield* timed(work);
    this.#text = [...tokens];
    this.#budget += SHARE * ms;
  }

  /** Reads the next token; gives the scores of those that may follow, until the next call.
   * @param {number} token
   * @returns {Generator<null, Scores>} */
  *read(token) {
    this.#weights.checkUnchanged(this.#trained);
    this.#text.push(token);
    const { tokens, before } = this.#read;
    const row = this.#decoder.length - before;
    if (tokens.length && row <= tokens.length && tokens[row - 1] === token) {
      this.#decoder.length++;
      this.#whole++;
      this.#earn(this.#step);
      return this.#scoresOf(row);
    }
    this.#read.tokens = [];
    const guesses = this.#guesses();
    const { value, ms } = yield* timed(guesses ? this.#check(token, guesses) : this.#one(token));
    if (guesses) {
      if (globalThis.LK) console.log("check", this.#text.length, ms.toFixed(0), "step", this.#step.toFixed(0), "budget", this.#budget.toFixed(0));
      this.#cost = ms - this.#step;
      this.#earn(SHARE * ms - this.#cost);
    } else {
      if (!this.#step) this.#budget += this.#lent * ms;
      this.#step += (ms - this.#step) / (this.#step ? 8 : 1);
      this.#earn(SHARE * ms);
    }
    return value;
  }

  /** @param {number} ms */
  #earn(ms) {
    this.#budget = Math.min(this.#budget + ms, MOST_CHECKS * this.#price());
  }

  /** What a check costs if no guess is right. */
  #price() {
    const isMade = this.#tape && this.#capacity === this.#decoder.room.capacity;
    return (this.#cost || this.#step) + (isMade ? 0 : this.#making);
  }

  /** Guesses that are worth a check: the fewer tokens they go by, the more must be at hand to lose.
   * @returns {number[] | null} */
  #guesses() {
    const { length, config } = this.#decoder;
    const price = this.#price();
    if (this.#budget < price || length + ROWS > config.maxLength) return null;
    const { length: same, tokens } = guess(this.#text, ROWS - 1);
    return same && this.#budget >= (LONGEST + 1 - same) * price ? tokens : null;
  }

  /** @param {number} token
   * @returns {Generator<unknown, Scores>} */
  *#one(token) {
    yield* forwardInSlices(this.#decoder.begin([token]), 'target');
    return this.#decoder.scores();
  }

  /** @param {number} token @param {number[]} guesses
   * @returns {Generator<unknown, Scores>} */
  *#check(token, guesses) {
    const decoder = this.#decoder;
    const before = decoder.length;
    if (before + ROWS > decoder.room.capacity) decoder.grow(2 * (before + ROWS));
    const tape = this.#made();
    goOn(tape, decoder, ROWS, this.#whole);
    valuesOf(tape.find('target')).set([token, ...guesses]);
    yield* forwardInSlices(tape);
    copyCaches(cachesOf(tape), decoder.room.caches, before + ROWS, before);
    decoder.length = before + 1;
    this.#whole = before + 1;
    this.#read = { tokens: guesses, before };
    return this.#scoresOf(0);
  }

  #made() {
    const { config, room } = this.#decoder;
    if (this.#tape && this.#capacity === room.capacity) return this.#tape;
    this.dispose();
    this.#capacity = room.capacity;
    this.#whole = 0;
    const begin = performance.now();
    this.#tape = this.#weights.tape(later(this.#decoder, ROWS), {
      changes: { remove: config.remove },
      more: (tape) => choices(tape, this.#temperature),
      keep: () => ['logits'],
    });
    this.#making = performance.now() - begin;
    return this.#tape;
  }

  /** @param {number} row of what was read at once */
  #scoresOf(row) {
    const tape = /** @type {import('../../js/tape/tape.js').Tape} */ (this.#tape);
    this.#scores = scoresOf((name) => {
      const values = /** @type {Float32Array} */ (valuesOf(tape.find(name)));
      const vocab = values.length / ROWS;
      return values.subarray(row * vocab, (row + 1) * vocab);
    }, this.#scores);
    return this.#scores;
  }

  dispose() {
    this.#tape?.dispose();
    this.#tape = null;
  }
}
