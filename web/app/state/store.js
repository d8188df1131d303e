// One state object <-> the URL's hash, and undo and redo. `#example=three-tokens` or `#chapter=heads`
// is all that a link needs; what differs from the chapter's opening state is added:
// `#v=1&example=three-tokens&t=12&remove=scale`.

import { DIGITS } from '../../stage/draw/format.js';
import { LANGUAGES } from '../locale/text.js';
import { MAX_LINK } from './limits.js';
import { choice } from './parts.js';

/** @typedef {import('./parts.js').Part} Part */
/**
 * What all chapters share.
 * @typedef {{ theme: 'auto' | 'light' | 'dark', lang: string, speed: number, mode: 'explore' | 'plain' | 'present',
 *   round: import('../../stage/draw/format.js').Digits }} Common
 * lang: the code of a language, or 'auto' for the browser's. mode: present shows the stage alone, for a projector.
 * round: with how many digits numbers are shown.
 */
/**
 * The common part and the chapter's own: plain JSON, never changed in place.
 * @typedef {Common & Record<string, any>} Whole
 */
/**
 * @typedef {{
 *   name: string,
 *   opening: Record<string, any>,
 *   parts: Record<string, Part>,
 *   element: string,
 *   shortcuts?: string[],
 *   visit?: (body: any, at: string) => void,
 *   own?: string[],
 * }} Chapter
 * parts: one for each key of opening.
 * element: the tag of the element that is the chapter's page.
 * shortcuts: where the locale has the chapter's keys, one list each; visit: goes to a place, where its element does not.
 * own: parts that the address keeps for the reader, and a link for others leaves out.
 */

export const SPEEDS = [0.25, 0.5, 1, 2, 4];
const VERSION = '1';
/** The chapter of links that name none. */
export const FIRST = 'attention';
/** The chapter of links that name a lesson: `#lesson=one-score&scene=3`. */
export const LEARN = 'learn';

/** @type {Common} */
export const COMMON = { theme: 'auto', lang: 'auto', speed: 1, mode: 'explore', round: 'text' };
/** @type {Record<string, Part>} */
export const COMMON_PARTS = {
  theme: choice(['auto', 'light', 'dark']),
  lang: choice(['auto', ...Object.keys(LANGUAGES)]),
  speed: choice(SPEEDS),
  mode: choice(['explore', 'plain', 'present']),
  round: choice(DIGITS),
};
/** Links of these alone are short enough to be typed, and need no version. */
const PLAIN = ['chapter', 'example', 'lesson', 'scene'];

/** A link that cannot be read; the message says which part, with the text received. */
export class BadHash extends Error {}

/** A link that is not even looked at; `size` is how many characters it has. */
export class LongHash extends BadHash {
  /** @param {number} size */
  constructor(size) {
    super(`${size} characters`);
    this.size = size;
  }
}

/**
 * @param {Pick<Chapter, 'opening'>} chapter
 * @returns {Whole}
 */
export const openingOf = ({ opening }) => ({ ...COMMON, ...structuredClone(opening) });

/**
 * @param {Pick<Chapter, 'name' | 'opening' | 'parts'>} chapter
 * @param {Whole} state
 * @returns {string} with the leading '#'
 */
export function toHash({ name, opening, parts }, state) {
  const named = name !== FIRST && !(name === LEARN && state.lesson);
  const pairs = named ? [['chapter', name]] : [];
  const first = /** @type {Whole} */ ({ ...COMMON, ...opening });
  for (const [key, part] of Object.entries({ ...parts, ...COMMON_PARTS })) {
    const differs = JSON.stringify(state[key]) !== JSON.stringify(first[key]);
    if (part.shown ? part.shown(state) : differs) pairs.push([key, encode(part.write(state[key]))]);
  }
  if (pairs.some(([key]) => !PLAIN.includes(key))) pairs.unshift(['v', VERSION]);
  return `#${pairs.map((pair) => pair.join('=')).join('&')}`;
}

/**
 * The chapter that a hash asks for.
 * @param {string} hash
 * @param {string[]} names of the chapters that there are
 */
export function chapterOf(hash, names) {
  const pairs = pairsOf(hash);
  const pair = pairs.find(({ key }) => key === 'chapter');
  if (!pair) return pairs.some(({ key }) => key === 'lesson') ? LEARN : FIRST;
  if (!names.includes(pair.raw)) throw new BadHash(pair.text);
  return pair.raw;
}

/**
 * Whether a hash names a chapter and nothing of its state, as it is typed: written links have a version.
 * @param {string} hash
 */
export const isTyped = (hash) =>
  pairsOf(hash).every(({ key }) => key === 'chapter' || Object.hasOwn(COMMON, key));

/**
 * The language that a hash asks for, even if the rest of it cannot be read.
 * @param {string} hash
 * @returns {string}
 */
export function languageOf(hash) {
  const raw = pairsOf(hash).find(({ key }) => key === 'lang')?.raw ?? '';
  return Object.hasOwn(LANGUAGES, raw) ? raw : COMMON.lang;
}

/**
 * @param {string} hash with or without the leading '#'
 * @param {Pick<Chapter, 'opening' | 'parts'>} chapter the one that it asks for
 * @param {(part: string, all: number, kept: number) => void} [dropped] hears of each part that lists more
 *   than is kept of it
 * @returns {Whole}
 */
export function fromHash(hash, { opening, parts }, dropped) {
  if (hash.length > MAX_LINK) throw new LongHash(hash.length);
  const all = { ...parts, ...COMMON_PARTS };
  const state = openingOf({ opening });
  for (const { key, raw, text } of pairsOf(hash)) {
    if (key === 'chapter' || (key === 'v' && raw === VERSION)) continue;
    try {
      if (!Object.hasOwn(all, key)) throw new RangeError(key);
      state[key] = all[key].read(decodeURIComponent(raw), (asked, kept) =>
        dropped?.(key, asked, kept),
      );
    } catch {
      throw new BadHash(text);
    }
  }
  return state;
}

/** @param {string} hash */
function pairsOf(hash) {
  const all = hash.replace(/^#/, '');
  return (all === '' ? [] : all.split('&')).map((text) => {
    const equals = text.indexOf('=');
    return { text, key: text.slice(0, Math.max(0, equals)), raw: text.slice(equals + 1) };
  });
}

/** Keeps a link readable: what may stand in a fragment is left as it is. Half a character may not. */
const encode = (/** @type {string} */ text) =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/%3A/g, ':')
    .replace(/%2C/g, ',')
    .replace(/%3D/g, '=');

/**
 * Undo and redo. What is recorded are the parts of the state that a change replaces.
 * @typedef {Record<string, any>} Change
 */
export class History {
  constructor() {
    /** @type {Change[]} */
    this.past = [];
    /** @type {Change[]} */
    this.future = [];
  }

  /**
   * @param {Change} change
   * @param {Change} now the state that it changes
   */
  record(change, now) {
    this.past.push(among(now, change));
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
  static #move(from, to, now) {
    const change = from.pop();
    if (change) to.push(among(now, change));
    return change;
  }
}

/**
 * The parts of a state that a change is about.
 * @param {Change} state
 * @param {Change} change
 */
const among = (state, change) =>
  Object.fromEntries(Object.keys(change).map((key) => [key, state[key]]));
