// Tokens and their ids.

import { checkInteger, show } from '../../js/base/errors.js';
import { rangeError, typeError } from './texts.js';

/** The id of <pad>, which fills short sequences up. */
export const PAD = 0;
/** The id of <start>, with which the decoder's tokens begin. */
export const START = 1;
/** The id of <end>, with which an answer ends. */
export const END = 2;
/** The id of <unknown>, of any token that the vocabulary does not have. */
export const UNKNOWN = 3;

/** The first tokens of every vocabulary, at the ids above. */
export const SPECIAL = Object.freeze(['<pad>', '<start>', '<end>', '<unknown>']);

export class Vocabulary {
  /** @type {Map<string, number>} */
  #ids;

  /** @param {readonly string[]} tokens distinct, composed or not; the special ones first */
  constructor(tokens) {
    if (!Array.isArray(tokens)) throw typeError('tokens', { where: 'Vocabulary', given: tokens });
    this.#ids = new Map();
    for (const [id, token] of tokens.entries()) {
      const where = `Vocabulary: token ${id}`;
      if (typeof token !== 'string' || token === '') {
        throw typeError('text', { where, given: token });
      }
      const composed = token.normalize('NFC');
      if (this.#ids.has(composed)) throw rangeError('twice', { where, value: token });
      this.#ids.set(composed, id);
    }
    for (const [id, token] of SPECIAL.entries()) {
      if (tokens[id] === token) continue;
      const expected = show(token);
      throw rangeError('specialToken', { where: 'Vocabulary', expected, id, given: tokens[id] });
    }
    /** All tokens; the place of each is its id.
     * @type {readonly string[]} */
    this.tokens = Object.freeze([...tokens]);
  }

  /** How many tokens there are. */
  get size() {
    return this.tokens.length;
  }

  /** Ids, one per token; UNKNOWN for a token that is not listed.
   * @param {readonly string[]} tokens */
  encode(tokens) {
    if (!Array.isArray(tokens)) throw typeError('tokens', { where: 'encode', given: tokens });
    return Array.from(tokens, (token, i) => {
      if (typeof token === 'string') return this.#ids.get(token.normalize('NFC')) ?? UNKNOWN;
      throw typeError('text', { where: `encode: tokens[${i}]`, given: token });
    });
  }

  /** Tokens, one per id, the special ones too.
   * @param {Iterable<number>} ids */
  decode(ids) {
    if (typeof ids !== 'object' || ids === null || !(Symbol.iterator in ids)) {
      throw typeError('ids', { where: 'decode', given: ids });
    }
    return Array.from(
      ids,
      (id, i) => this.tokens[checkInteger(`decode: ids[${i}]`, id, 0, this.size - 1)],
    );
  }

  /** The tokens: what the constructor takes. */
  toJSON() {
    return this.tokens;
  }
}
