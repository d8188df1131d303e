// Finds many words in a text in one pass (Aho and Corasick 1975): the time is that of the words and the text, however the
// words overlap.

/** No vocabulary has more characters in all its tokens. */
export const MAX_CHARACTERS = 2 ** 23;

/** What a state is when none is. */
const NONE = -1;

/** An automaton of words: each state is a beginning of a word, the longest that the text read so far ends with. */
export class Matcher {
  /** The state after one more code unit. @type {Map<number, number>} */
  #next = new Map();
  /** The longest other beginning that a state ends with. */
  #fallback = [0];
  /** The place of the word that a state is. */
  #word = [NONE];
  /** The longest word that a state ends with, as its state. */
  #ending = [NONE];
  #lengths = [0];

  /** @param {Iterable<string>} words of equal ones the first counts
   * @param {boolean} [isReversed] reads words, and later texts, from their ends */
  constructor(words, isReversed = false) {
    let i = 0;
    /** Each state's parent and the code unit between them. @type {[number, number][]} */
    const steps = [[0, 0]];
    for (const word of words) {
      let state = 0;
      for (let position = 0; position < word.length; position++) {
        const unit = word.charCodeAt(isReversed ? word.length - 1 - position : position);
        const key = state * 65536 + unit;
        let next = this.#next.get(key);
        if (next === undefined) {
          next = steps.push([state, unit]) - 1;
          this.#next.set(key, next);
          this.#word.push(NONE);
          this.#lengths.push(position + 1);
        }
        state = next;
      }
      if (this.#word[state] === NONE && word) this.#word[state] = i;
      i++;
    }
    this.#link(steps);
  }

  /** @param {[number, number][]} steps */
  #link(steps) {
    const byLength = steps
      .map((_, state) => state)
      .sort((a, b) => this.#lengths[a] - this.#lengths[b]);
    for (const state of byLength.slice(1)) {
      const [parent, unit] = steps[state];
      const fallback = parent ? this.after(this.#fallback[parent], unit) : 0;
      this.#fallback[state] = fallback;
      this.#ending[state] = this.#word[state] === NONE ? (this.#ending[fallback] ?? NONE) : state;
    }
  }

  /** The state that a code unit leads to.
   * @param {number} state @param {number} unit */
  after(state, unit) {
    for (let from = state; ; from = this.#fallback[from]) {
      const next = this.#next.get(from * 65536 + unit);
      if (next !== undefined) return next;
      if (!from) return 0;
    }
  }

  /** The words that end at a state, the longest first.
   * @param {number} state
   * @returns {Generator<{ word: number, length: number }>} */
  *ending(state) {
    for (
      let match = this.#ending[state];
      match !== NONE;
      match = this.#ending[this.#fallback[match]]
    ) {
      yield { word: this.#word[match], length: this.#lengths[match] };
    }
  }

  /** The longest word that ends at a state, as its length: 0 where none does.
   * @param {number} state */
  longest(state) {
    const match = this.#ending[state];
    return match === NONE ? 0 : this.#lengths[match];
  }
}

/** For each place of a text the length of the longest word that begins there, or 0.
 * @param {Matcher} matcher of reversed words
 * @param {string} text
 * @returns {Int32Array} */
export function longestAt(matcher, text) {
  const lengths = new Int32Array(text.length);
  let state = 0;
  for (let position = text.length - 1; position >= 0; position--) {
    state = matcher.after(state, text.charCodeAt(position));
    lengths[position] = matcher.longest(state);
  }
  return lengths;
}
