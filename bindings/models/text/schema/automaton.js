// Texts that a schema allows, as an automaton over their bytes in UTF-8. Places are built from the end: each is made for
// what follows it. What reads a text is in a set of places at once.

import { rangeError } from './texts.js';

/** Places of one automaton; a schema of more would take long to read. */
export const MAX_PLACES = 100_000;

/** Bytes from low to high lead to a place. @typedef {{ low: number, high: number, to: number }} Edge */

/** A set of places. rest: how many bytes end the text at least; next: by the next byte, null where none may follow.
 * @typedef {{ places: readonly number[], rest: number, isEnd: boolean, next: (State | null | undefined)[] }} State */

export class Automaton {
  #where;
  /** @type {Edge[][]} */
  #edges = [];
  /** Places that are reached without a byte. @type {number[][]} */
  #empty = [];
  /** @type {number[]} */
  #rests = [];
  /** @type {Map<string, State>} */
  #states = new Map();

  /** @param {string} where */
  constructor(where) {
    this.#where = where;
    /** The end of a text. */
    this.end = this.place();
  }

  /** A new place, from which bytes lead on.
   * @param {readonly Edge[]} [edges] @param {readonly number[]} [empty] places that it is also */
  place(edges = [], empty = []) {
    if (this.#edges.length === MAX_PLACES) {
      throw rangeError('schemaLarge', { where: this.#where, most: MAX_PLACES });
    }
    this.#edges.push([...edges]);
    this.#empty.push([...empty]);
    return this.#edges.length - 1;
  }

  /** Lets bytes lead from a place, which loops need.
   * @param {number} place @param {readonly Edge[]} edges */
  extend(place, edges) {
    this.#edges[place].push(...edges);
  }

  /** What begins with a text.
   * @param {string} text @param {number} next */
  literal(text, next) {
    return new TextEncoder()
      .encode(text)
      .reduceRight((to, byte) => this.place([{ low: byte, high: byte, to }]), next);
  }

  /** What begins in one of several ways.
   * @param {readonly number[]} places */
  either(places) {
    return this.place([], places);
  }

  /** The state of a text that begins at a place.
   * @param {number} start
   * @returns {State} */
  begin(start) {
    this.#measure();
    return this.#stateOf([start]);
  }

  /** The state behind a byte.
   * @param {State} state @param {number} byte
   * @returns {State | null} */
  step(state, byte) {
    const made = state.next[byte];
    if (made !== undefined) return made;
    const places = state.places.flatMap((place) =>
      this.#edges[place].filter(({ low, high }) => low <= byte && byte <= high).map(({ to }) => to),
    );
    const next = places.length ? this.#stateOf(places) : null;
    state.next[byte] = next;
    return next;
  }

  /** A byte that leads to the end on the shortest way.
   * @param {State} state */
  byteOf({ places, rest }) {
    const edges = places.flatMap((place) => this.#edges[place]);
    return edges.find(({ to }) => this.#rests[to] === rest - 1)?.low;
  }

  /** @param {readonly number[]} places */
  #stateOf(places) {
    const all = new Set(places);
    for (const place of all) for (const other of this.#empty[place]) all.add(other);
    const sorted = [...all].sort((a, b) => a - b);
    const key = sorted.join();
    const made = this.#states.get(key);
    if (made) return made;
    const rest = sorted.reduce((least, place) => Math.min(least, this.#rests[place]), Infinity);
    /** @type {State} */
    const state = { places: sorted, rest, isEnd: all.has(this.end), next: [] };
    this.#states.set(key, state);
    return state;
  }

  /** How many bytes end a text from each place at least: from the end backwards, one byte more each time. */
  #measure() {
    const { length } = this.#edges;
    /** @type {{ bytes: number[], empty: number[] }[]} */
    const before = Array.from({ length }, () => ({ bytes: [], empty: [] }));
    for (let place = 0; place < length; place++) {
      for (const { to } of this.#edges[place]) before[to].bytes.push(place);
      for (const to of this.#empty[place]) before[to].empty.push(place);
    }
    this.#rests = Array(length).fill(Infinity);
    let round = [this.end];
    for (let rest = 0; round.length; rest++) {
      const reached = new Set(round.filter((place) => this.#rests[place] === Infinity));
      for (const place of reached) {
        this.#rests[place] = rest;
        for (const other of before[place].empty) {
          if (this.#rests[other] === Infinity) reached.add(other);
        }
      }
      round = [...reached].flatMap((place) => before[place].bytes);
    }
  }
}
