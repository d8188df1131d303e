// Tokens that a text repeats cost less. What followed the end of the text when that occurred before is a guess of what
// follows now. The model reads the guessed tokens at once, and each of them stays that is then chosen. A row of many has
// the bits of a row by itself, so the text is the same as without guesses (Saxena 2023, prompt lookup decoding).

import { cachesOf, choices, copyCaches, Decoder, scoresOf } from '../../js/model/decode/decoder.js';
import { goesOn, goOn, later } from '../../js/model/prompt.js';
import { forwardInSlices } from '../../js/model/slices.js';
import { valuesOf } from '../../js/tape/tensor.js';

/** @typedef {import('../../js/model/decode/decoder.js').Scores} Scores */
/** @typedef {import('../../js/model/weights.js').Weights} Weights */

/** So many tokens of the end of a text are looked for. */
const LONGEST = 3;
/** Tokens that are read at once: the one that was chosen, and the guessed ones. A product of more rows takes longer, of
 * fewer it spares less: the most is gained by two rows of tiles. */
const ROWS = 8;
/** After a wrong guess so many tokens are read one by one, then twice as many each time, up to a limit. */
const FIRST_REST = 4;
const MOST_REST = 128;

/** What may follow a text: what followed the last time that its last tokens occurred, three of them, or fewer. If that is
 * too short, it goes on in the same way: a text that repeats itself.
 * @param {readonly number[]} text @param {number} count of guesses @param {number} [least] how many tokens must have occurred
 * @returns {number[]} */
export function guess(text, count, least = 1) {
  const end = text.length;
  let [length, from] = [0, end];
  for (let i = end - 1; i > 0 && length < LONGEST; i--) {
    let same = 0;
    while (same < Math.min(LONGEST, i) && text[i - 1 - same] === text[end - 1 - same]) same++;
    if (same > length) [length, from] = [same, i];
  }
  return Array.from(
    { length: length < least ? 0 : count },
    (_, k) => text[from + (k % (end - from))],
  );
}

/** Reads a text token by token with a decoder, and ahead of it where the text repeats itself. */
export class Lookup {
  #weights;
  #decoder;
  #temperature;
  #text;
  /** @type {import('../../js/tape/tape.js').Tape | null} */
  #tape = null;
  #capacity = 0;
  /** Tokens whose keys and values the tape has. */
  #whole = 0;
  /** Guesses that were read, and behind how many tokens. */
  #read = { tokens: /** @type {number[]} */ ([]), before: 0 };
  /** @type {Scores | undefined} */
  #scores;
  /** Tokens to be read one by one, and how many after the next wrong guess. */
  #copies = false;
  #rest = 0;
  #next = FIRST_REST;

  /** @param {Weights} weights @param {Decoder} decoder @param {readonly number[]} text that it will have read
   * @param {number} [temperature] */
  constructor(weights, decoder, text, temperature = 1) {
    this.#weights = weights;
    this.#decoder = decoder;
    this.#text = [...text];
    this.#temperature = temperature;
    /** How many guesses were right: tokens that were not read by themselves. */
    this.right = 0;
  }

  /** How many tokens were read. */
  get length() {
    return this.#decoder.length;
  }

  /** Whether it can read the texts of a decoder.
   * @param {import('../../js/model/config/config.js').Config} config @param {unknown} decoder
   * @returns {decoder is Decoder} */
  static reads(config, decoder) {
    return decoder instanceof Decoder && goesOn(config);
  }

  /** Reads the next token; gives the scores of those that may follow, until the next call.
   * @param {number} token
   * @returns {Generator<null, Scores>} */
  *read(token) {
    const decoder = this.#decoder;
    const { tokens, before } = this.#read;
    const row = decoder.length - before;
    this.#text.push(token);
    if (row <= tokens.length && tokens[row - 1] === token) {
      decoder.skip();
      this.#whole++;
      this.right++;
      this.#copies = true;
      this.#rest = 0;
      this.#next = FIRST_REST;
      return this.#scoresOf(row);
    }
    this.#read.tokens = [];
    const guesses = this.#guesses();
    if (guesses.length) return yield* this.#check(token, guesses);
    for (const _ of forwardInSlices(decoder.begin([token]), 'target')) yield null;
    return decoder.scores();
  }

  /** Where the last guess was right, the text copies: one token that occurred is enough. */
  #guesses() {
    const { length, config } = this.#decoder;
    if (this.#rest-- > 0 || length + ROWS > config.maxLength) return [];
    const guesses = guess(this.#text, ROWS - 1, this.#copies ? 1 : LONGEST);
    this.#copies = false;
    if (guesses.length) {
      this.#rest = this.#next;
      this.#next = Math.min(2 * this.#next, MOST_REST);
    }
    return guesses;
  }

  /** @param {number} token @param {number[]} guesses
   * @returns {Generator<null, Scores>} */
  *#check(token, guesses) {
    const decoder = this.#decoder;
    const before = decoder.length;
    if (before + ROWS > decoder.room.capacity) decoder.grow(2 * (before + ROWS));
    const tape = this.#made();
    goOn(tape, decoder, ROWS, this.#whole);
    valuesOf(tape.find('target')).set([token, ...guesses]);
    for (const _ of forwardInSlices(tape)) yield null;
    copyCaches(cachesOf(tape), decoder.room.caches, before + ROWS, before);
    decoder.skip();
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
    this.#tape = this.#weights.tape(later(this.#decoder, ROWS), {
      changes: { remove: config.remove },
      more: (tape) => choices(tape, this.#temperature),
      keep: () => ['logits'],
    });
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
