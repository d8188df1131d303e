// One state object <-> the URL's hash. `#example=three-tokens` is all that a link needs; what differs
// from the opening state is added: `#v=1&example=three-tokens&t=12&remove=scale`.

import { shortest } from './draw/format.js';
import { cellKey, parseCell } from './draw/tensor.js';
import { LEVELS } from './timeline.js';

/** @typedef {import('./draw/tensor.js').Cell} Cell */
/** @typedef {{ node: string, index: number[], value: number }} Edit */
/**
 * @typedef {{ text: string, dModel: number, dK: number, heads: number, seed: number,
 *   positions: boolean, causal: boolean }} Sentence
 */
/**
 * @typedef {{
 *   example: string, sentence: Sentence | null, remove: string[], edits: Edit[],
 *   t: number, path: Cell[], open: Cell | null,
 *   level: import('./timeline.js').Level, speed: number, theme: 'auto' | 'light' | 'dark',
 *   gradient: boolean,
 * }} State
 * path: the cells that were drilled into; the last one is pinned.
 */

export const SPEEDS = [0.25, 0.5, 1, 2, 4];
const VERSION = '1';

/** @type {State} */
export const OPENING = {
  example: 'i-love-robotics',
  sentence: null,
  remove: [],
  edits: [],
  t: 0,
  path: [],
  open: null,
  level: 'term',
  speed: 1,
  theme: 'auto',
  gradient: false,
};

/** @type {Sentence} */
export const OPENING_SENTENCE = {
  text: '',
  dModel: 8,
  dK: 8,
  heads: 1,
  seed: 1,
  positions: true,
  causal: false,
};

/** A link that cannot be read; the message says which part, with the text received. */
export class BadHash extends Error {}

/**
 * How each part of the state is written and read. `read` throws or returns undefined if it cannot.
 * @type {{ [K in keyof State]: { write: (value: any) => string, read: (text: string) => any } }}
 */
const PARTS = {
  example: { write: String, read: (text) => (/^[\w-]+$/.test(text) ? text : undefined) },
  sentence: { write: writeSentence, read: readSentence },
  remove: {
    write: (/** @type {string[]} */ names) => names.join(','),
    read: (text) => text.split(',').map((name) => match(name, /^[a-z_]+$/)[0]),
  },
  edits: {
    write: (/** @type {Edit[]} */ edits) =>
      edits.map((edit) => `${cellKey(edit)}=${shortest(edit.value)}`).join('~'),
    read: (text) => text.split('~').map(readEdit),
  },
  t: {
    write: (/** @type {number} */ t) => String(Math.round(t * 100) / 100),
    read: (text) => number(text, 0, 1e6),
  },
  path: {
    write: (/** @type {Cell[]} */ cells) => cells.map(cellKey).join('~'),
    read: (text) => text.split('~').map(readCell),
  },
  open: { write: cellKey, read: readCell },
  level: { write: String, read: (text) => oneOf(text, LEVELS) },
  speed: { write: String, read: (text) => oneOf(Number(text), SPEEDS) },
  theme: { write: String, read: (text) => oneOf(text, ['light', 'dark', 'auto']) },
  gradient: { write: () => '1', read: (text) => oneOf(text, ['1']) === '1' },
};

/**
 * @param {State} state
 * @returns {string} with the leading '#'
 */
export function toHash(state) {
  const pairs = [];
  for (const [key, part] of Object.entries(PARTS)) {
    const value = state[/** @type {keyof State} */ (key)];
    const opening = OPENING[/** @type {keyof State} */ (key)];
    if (key === 'example' ? state.sentence : JSON.stringify(value) === JSON.stringify(opening)) {
      continue;
    }
    pairs.push(`${key}=${encode(part.write(value))}`);
  }
  if (pairs.length > 1 || !pairs[0]?.startsWith('example=')) pairs.unshift(`v=${VERSION}`);
  return `#${pairs.join('&')}`;
}

/**
 * @param {string} hash with or without the leading '#'
 * @returns {State}
 */
export function fromHash(hash) {
  const text = hash.replace(/^#/, '');
  /** @type {any} */
  const state = structuredClone(OPENING);
  for (const pair of text === '' ? [] : text.split('&')) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, at);
    const raw = pair.slice(at + 1);
    if (key === 'v') {
      if (raw !== VERSION) throw new BadHash(`v=${raw}`);
      continue;
    }
    const part = Object.hasOwn(PARTS, key) ? PARTS[/** @type {keyof State} */ (key)] : null;
    /** @type {any} */
    let value;
    try {
      value = part?.read(decodeURIComponent(raw));
    } catch {
      value = undefined;
    }
    if (value === undefined) throw new BadHash(pair);
    state[key] = value;
  }
  return state;
}

/** Keeps a link readable: what may stand in a fragment is left as it is. */
const encode = (/** @type {string} */ text) =>
  encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%3D/g, '=');

/** @param {Sentence} sentence */
function writeSentence({ text, dModel, dK, heads, seed, positions, causal }) {
  const flags = `${positions ? 'p' : ''}${causal ? 'c' : ''}`;
  return [dModel, dK, heads, seed, flags, text].join('~');
}

/**
 * @param {string} written
 * @returns {Sentence}
 */
function readSentence(written) {
  const [, dModel, dK, heads, seed, flags, text] = match(
    written,
    /^(\d+)~(\d+)~(\d+)~(\d+)~(p?c?)~(.+)$/s,
  );
  return {
    text,
    dModel: number(dModel, 1, 64),
    dK: number(dK, 1, 64),
    heads: number(heads, 1, 8),
    seed: number(seed, 0, 2 ** 32 - 1),
    positions: flags.includes('p'),
    causal: flags.includes('c'),
  };
}

/**
 * @param {string} text
 * @returns {Edit}
 */
function readEdit(text) {
  const [, cell, value] = match(text, /^(.+)=([^=]+)$/);
  if (value === '-Infinity') return { ...readCell(cell), value: Number.NEGATIVE_INFINITY };
  return { ...readCell(cell), value: Math.fround(number(value, -3.5e38, 3.5e38)) };
}

/** @param {string} text */
function readCell(text) {
  return /** @type {Cell} */ (required(parseCell(text)));
}

/**
 * @param {string} text
 * @param {number} low
 * @param {number} high
 */
function number(text, low, high) {
  const value = Number(match(text, /^-?\d+(\.\d+)?(e[+-]?\d+)?$/)[0]);
  if (!(value >= low && value <= high)) throw new RangeError(text);
  return value;
}

/**
 * @template T
 * @param {T} value
 * @param {readonly T[]} choices
 */
function oneOf(value, choices) {
  if (!choices.includes(value)) throw new RangeError(String(value));
  return value;
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
const match = (text, pattern) => required(pattern.exec(text));

/**
 * @template T
 * @param {T | null} value
 */
function required(value) {
  if (value === null) throw new RangeError('unreadable');
  return value;
}

/**
 * Undo and redo over what changes the numbers: edits and removals.
 * @typedef {Pick<State, 'edits' | 'remove'>} Change
 */
export class History {
  constructor() {
    /** @type {Change[]} */
    this.past = [];
    /** @type {Change[]} */
    this.future = [];
  }

  /** @param {Change} before the state that a new change replaces */
  record({ edits, remove }) {
    this.past.push({ edits, remove });
    this.future = [];
  }

  /**
   * @param {Change} now
   * @returns {Change | undefined}
   */
  undo(now) {
    return History.#move(this.past, this.future, now);
  }

  /**
   * @param {Change} now
   * @returns {Change | undefined}
   */
  redo(now) {
    return History.#move(this.future, this.past, now);
  }

  /**
   * @param {Change[]} from
   * @param {Change[]} to
   * @param {Change} now
   */
  static #move(from, to, { edits, remove }) {
    const change = from.pop();
    if (change) to.push({ edits, remove });
    return change;
  }
}

/**
 * The edits with one more; an edit of the same cell is replaced.
 * @param {Edit[]} edits
 * @param {Edit} edit
 */
export function withEdit(edits, edit) {
  const same = (/** @type {Edit} */ other) => cellKey(other) === cellKey(edit);
  return [...edits.filter((other) => !same(other)), edit];
}
