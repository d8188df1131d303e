// Which tokens may follow, so that a text becomes JSON of a schema: those whose bytes the automaton can go on with, as long
// as there is room for the rest.

import { compile } from './compile.js';
import { piecesOf } from './pieces.js';
import { rangeError } from './texts.js';

/** @typedef {import('./automaton.js').Automaton} Automaton */
/** @typedef {import('./automaton.js').State} State */
/** @typedef {import('./pieces.js').Piece} Piece */

/** The tokens that may follow in a state, and the states behind them. @typedef {Map<number, State>} Next */

/** @param {Automaton} automaton @param {readonly Piece[]} pieces @param {State} state
 * @returns {Next} */
function nextOf(automaton, pieces, state) {
  /** @type {Next} */
  const next = new Map();
  /** Behind each byte of the token that was read last. */
  const states = [state];
  /** How many of its bytes may follow. */
  let fit = 0;
  for (const { id, bytes, lcp } of pieces) {
    if (lcp > fit) continue;
    fit = lcp;
    while (fit < bytes.length) {
      const behind = automaton.step(states[fit], bytes[fit]);
      if (!behind) break;
      fit += 1;
      states[fit] = behind;
    }
    if (fit === bytes.length) next.set(id, states[fit]);
  }
  return next;
}

/** One text in the making. */
export class Grammar {
  #where;
  #automaton;
  #nextOf;
  /** @type {State} */
  #state;
  /** Whether the likeliest token that fits would have left no room for the rest: the text ends earlier than the model would. */
  isCut = false;

  /** @param {string} where @param {Automaton} automaton @param {State} begin @param {(state: State) => Next} next */
  constructor(where, automaton, begin, next) {
    this.#where = where;
    this.#automaton = automaton;
    this.#state = begin;
    this.#nextOf = next;
  }

  /** Leaves the logits of the tokens that may follow.
   * @param {Iterable<number>} stops tokens that end a text @param {number} room for so many tokens
   * @returns {(logits: Float32Array) => void} */
  mask(stops, room) {
    return (logits) => {
      const { isEnd } = this.#state;
      const all = logits.slice();
      logits.fill(Number.NEGATIVE_INFINITY);
      let count = 0;
      let [most, mostLeftOut] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const [id, { rest }] of this.#nextOf(this.#state)) {
        if (rest >= room) {
          mostLeftOut = Math.max(mostLeftOut, all[id]);
          continue;
        }
        most = Math.max(most, all[id]);
        logits[id] = all[id];
        count += 1;
      }
      if (isEnd) {
        for (const id of stops) {
          most = Math.max(most, all[id]);
          logits[id] = all[id];
        }
      }
      this.isCut ||= mostLeftOut > most;
      if (count || isEnd) return;
      const byte = this.#automaton.byteOf(this.#state);
      throw rangeError('schemaToken', {
        where: this.#where,
        byte: JSON.stringify(String.fromCharCode(Number(byte))),
      });
    };
  }

  /** Goes on with a token; gives whether the text is whole.
   * @param {number} token */
  ends(token) {
    const state = this.#nextOf(this.#state).get(token);
    if (state) this.#state = state;
    return this.#state.isEnd && !this.#nextOf(this.#state).size;
  }
}

/** What makes the grammars of texts.
 * @param {string} where @param {unknown} schema @param {import('../../../js/model/model.js').Tokenizer} tokenizer
 * @param {number} vocab
 * @returns {Promise<(room: number) => Grammar>} */
export async function grammars(where, schema, tokenizer, vocab) {
  const { automaton, begin } = compile(`${where}: schema`, schema);
  const pieces = await piecesOf(tokenizer, vocab);
  /** @type {Map<State, Next>} */
  const made = new Map();
  /** @param {State} state */
  const next = (state) => {
    const all = made.get(state) ?? nextOf(automaton, pieces, state);
    made.set(state, all);
    return all;
  };
  return (room) => {
    if (begin.rest > room) {
      throw rangeError('schemaRoom', { where: `${where}: schema`, n: begin.rest, most: room });
    }
    return new Grammar(`${where}: schema`, automaton, begin, next);
  };
}
