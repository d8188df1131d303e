// The state of walking through a trace, which all chapters share that show one; how a link holds it.

import { shortest } from '../../stage/draw/format.js';
import { cellKey, parseCell } from '../../stage/draw/tensor.js';
import { CLAIMS, SHARPNESS } from '../../stage/experiments/names.js';
import { MAX } from './limits.js';
import { choice, flag, list, match, name, number, required, within } from './parts.js';
import { LEVELS } from './timeline.js';

/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */
/** @typedef {import('./parts.js').Part} Part */
/** @typedef {{ node: string, index: number[], value: number }} Edit */
/**
 * @typedef {{ text: string, dModel: number, dK: number, heads: number, seed: number,
 *   positions: boolean, causal: boolean, wO: boolean }} Sentence
 */
/**
 * @typedef {{
 *   example: string, sentence: Sentence | null, remove: string[], edits: Edit[],
 *   t: number, path: Cell[], open: Cell | null,
 *   level: import('./timeline.js').Level, gradient: boolean, scale: 'shared' | 'own', target: Cell | null, nudge: number,
 *   claim: string | null, arrows: boolean,
 * }} Walk
 * path: the cells that were drilled into; the last one is pinned.
 * target: whose gradient is shown, where it is not the usual one; nudge: by how much a cell is moved.
 * scale: whether the colours of all matrices mean the same numbers, or each has a scale of its own.
 * claim: the one whose evidence is open, or 'sharpness'.
 * arrows: whether the geometric view stands beside the matrices, where a step has one.
 */
/** A chapter may have keys of its own. @typedef {import('./store.js').Common & Walk & Record<string, any>} State */

/** @type {Omit<Walk, 'example'>} */
export const OPENING = {
  sentence: null,
  remove: [],
  edits: [],
  t: 0,
  path: [],
  open: null,
  level: 'term',
  gradient: false,
  scale: 'shared',
  target: null,
  nudge: 0.01,
  claim: null,
  arrows: false,
};

export const NUDGES = [1, 0.1, 0.01, 0.001];

/** @type {Sentence} */
export const OPENING_SENTENCE = {
  text: 'the robot sees the ball',
  dModel: 8,
  dK: 8,
  heads: 1,
  seed: 1,
  positions: true,
  causal: false,
  wO: true,
};

/** @type {Part} */
const cell = { write: cellKey, read: (text) => required(parseCell(text)) };

/** The largest float32, as it is written. */
const MAX_FLOAT32 = 3.4028235e38;

/** @type {Part} */
const edit = {
  write: (/** @type {Edit} */ change) => `${cellKey(change)}=${shortest(change.value)}`,
  read(text) {
    const [, place, value] = match(text, /^(.+)=([^=]+)$/);
    if (value === '-Infinity') return { ...cell.read(place), value: Number.NEGATIVE_INFINITY };
    return { ...cell.read(place), value: Math.fround(number(value, -MAX_FLOAT32, MAX_FLOAT32)) };
  },
};

/** @type {Part} nothing where there is none */
const sentence = {
  write(/** @type {Sentence | null} */ chosen) {
    if (!chosen) return '';
    const { text, dModel, dK, heads, seed, positions, causal, wO } = chosen;
    /* Links that are older than its absence have an output projection. */
    const flags = `${positions ? 'p' : ''}${causal ? 'c' : ''}${wO ? '' : 'n'}`;
    return [dModel, dK, heads, seed, flags, text].join('~');
  },
  read(written) {
    if (written === '') return null;
    const pattern = /^(\d+)~(\d+)~(\d+)~(\d+)~(p?c?n?)~(.+)$/s;
    const [, dModel, dK, heads, seed, flags, text] = match(written, pattern);
    if (text.length > MAX.text) throw new RangeError(text);
    return {
      text,
      dModel: number(dModel, 1, 64),
      dK: number(dK, 1, 64),
      heads: number(heads, 1, 12),
      seed: number(seed, 0, 2 ** 32 - 1),
      positions: flags.includes('p'),
      causal: flags.includes('c'),
      wO: !flags.includes('n'),
    };
  },
};

/** @type {{ [K in keyof Walk]: Part }} */
export const WALK_PARTS = {
  example: { ...name, shown: (state) => !state.sentence },
  sentence,
  remove: list({ write: String, read: (text) => match(text, /^[a-z_]{1,40}$/)[0] }, ',', {
    most: MAX.remove,
    tidy: (names) => [...new Set(names)],
  }),
  edits: list(edit, '~', { most: MAX.edits, tidy: lastOfEach }),
  t: within(0, 1e6),
  path: list(cell, '~', { most: MAX.path, tidy: withoutLoops }),
  open: cell,
  level: choice(LEVELS),
  gradient: flag,
  scale: choice(['shared', 'own']),
  target: cell,
  nudge: choice(NUDGES),
  claim: choice([...CLAIMS, SHARPNESS]),
  arrows: flag,
};

/**
 * The edits with one more; an edit of the same cell is replaced.
 * @param {Edit[]} edits
 * @param {Edit} one
 */
export const withEdit = (edits, one) => lastOfEach([...edits, one]);

/**
 * Of several edits of one cell the last one counts.
 * @param {Edit[]} edits
 */
function lastOfEach(edits) {
  /** @type {Map<string, Edit>} */
  const last = new Map();
  for (const edit of edits) {
    const key = cellKey(edit);
    last.delete(key);
    last.set(key, edit);
  }
  return [...last.values()];
}

/**
 * A path that comes back to a cell is as if it had not gone on from there.
 * @param {Cell[]} path
 */
function withoutLoops(path) {
  /** @type {Map<string, number>} */
  const places = new Map();
  /** @type {Cell[]} */
  const straight = [];
  for (const cell of path) {
    const key = cellKey(cell);
    const index = places.get(key);
    if (index !== undefined)
      for (const left of straight.splice(index)) places.delete(cellKey(left));
    places.set(key, straight.length);
    straight.push(cell);
  }
  return straight;
}
