// The state of the chapter Inside: the texts, the logit that is explained, and the changes; or the birth of a head, and its step.

import { choice, list, match, whole } from '../../app/state/parts.js';
import { WALK_PARTS } from '../../app/state/walk.js';
import { STEPS } from '../../workers/birth/protocol.js';

/**
 * @typedef {import('../../app/state/store.js').Common & {
 *   model: string, prompt: string, other: string, word: string, instead: string, off: string[], from: string[], value: 'zero' | 'story',
 *   open: string, score: string,
 *   view: 'stories' | 'birth', seed: number, layers: number, at: number | null, gone: string[],
 *   t: number | null,
 *   weight: import('../../stage/draw/tensor.js').Cell | null,
 * }} State
 * view: the model of the stories, or one of the reader's own; or the birth of a head.
 * model: of the reader's own, the address of its files, or disk; that of the stories if empty.
 * word: whose logit, the likeliest if empty. instead: whose logit is subtracted, if any.
 * off: what is switched off: heads by layer and head, 0.3, and feed-forwards, 0.ff.
 * from: what gives what it gives in the other text: these, or the stream that enters a layer at a position: 0@3.
 * value: what replaces the output of a head in the table, and by a click: zeros, or its output in the other text.
 * open: the part of the sum that is opened, by its name; of a head also the word that it reads.
 * score: which score of where heads attend is shown, if any.
 * seed, layers, at, gone: of the model in which a head is born, the training step that is shown (null: the last), and
 *   without which heads.
 * t: the step of the computation that is shown (null: the last).
 * weight: whose step of Adam from there is opened, if any.
 */

const FIRST = 'Anna and Ben are in the park. Anna has a red ball. ';

/** Texts to begin with, by what decides the next word; each with another that has as many tokens. */
export const EXAMPLES = {
  names: {
    prompt: `${FIRST}Anna gives the ball to`,
    instead: 'Tom',
    other: 'Anna and Tom are in the park. Anna has a red ball. Anna gives the ball to',
  },
  objects: {
    prompt: `${FIRST}Ben says: "The ball is`,
    instead: 'blue',
    other: 'Anna and Ben are in the park. Anna has a blue ball. Ben says: "The ball is',
  },
  pronouns: {
    prompt: `${FIRST}Then`,
    instead: 'he',
    other: 'Tom and Anna are in the park. Tom has a red ball. Then',
  },
  quotes: {
    prompt: `${FIRST}Ben says: "The ball is red.`,
    instead: 'Then',
    other: `${FIRST}Who has the ball? Anna has it.`,
  },
  phrases: {
    prompt: `${FIRST}Ben sings: "la ti do mi." Anna sings it too: "la ti`,
    instead: 'mi',
    other: `${FIRST}Ben sings: "la ti mi do." Anna sings it too: "la ti`,
  },
};

export const VIEWS = ['stories', 'birth'];
/** @type {State['value'][]} */
export const VALUES = ['story', 'zero'];
/** In the text, in random tokens, in other stories. */
export const SCORES = {
  text: ['previous', 'first', 'duplicate', 'entropy'],
  random: ['induction'],
  stories: ['distance', 'names', 'pronouns', 'objects', 'quotes', 'phrases'],
};
export const MAX = {
  characters: 2000,
  word: 20,
  heads: 12,
  places: 24,
  steps: 99,
  seed: 2 ** 32 - 1,
  layers: 2,
};

/** No choice of what belongs to one text of one model. */
export const NO_CHOICES = { word: '', instead: '', off: [], from: [], open: '' };

export const opening = {
  view: 'stories',
  model: '',
  ...NO_CHOICES,
  ...EXAMPLES.names,
  value: 'story',
  score: '',
  seed: 1,
  layers: 2,
  at: null,
  gone: [],
  t: null,
  weight: null,
};

/** A text of a pattern. @param {RegExp} pattern @returns {import('../../app/state/parts.js').Part} */
const matching = (pattern) => ({ write: String, read: (written) => match(written, pattern)[0] });
const text = matching(/^[\s\S]{0,2000}$/);
const word = matching(/^\S{0,20}$/);

/** A list, which the link has if it is not empty. @param {'off' | 'from' | 'gone'} name @param {RegExp} pattern @param {number} most */
const several = (name, pattern, most) => ({
  ...list(matching(pattern), ',', { most, tidy: (all) => [...new Set(all)] }),
  shown: (/** @type {State} */ state) => state[name].length > 0,
});

export const parts = {
  view: choice(VIEWS),
  model: matching(/^(disk|https?:\/\/\S{1,500})?$/),
  prompt: text,
  other: text,
  word,
  instead: word,
  off: several('off', /^\d\d?\.(\d\d?|ff)$/, MAX.heads),
  from: several('from', /^\d\d?(\.(\d\d?|ff)|@\d\d?)$/, MAX.places),
  value: choice(VALUES),
  open: matching(/^[a-z0-9 -]{0,40}$/),
  score: choice(['', ...Object.values(SCORES).flat()]),
  seed: whole(0, MAX.seed),
  layers: whole(1, MAX.layers),
  at: whole(0, STEPS),
  gone: several('gone', /^\d\d?\.\d\d?$/, MAX.heads),
  t: whole(0, MAX.steps),
  weight: WALK_PARTS.open,
};

/** Adds a value to a list, or removes it. @param {string[]} list @param {string} value */
export const toggled = (list, value) =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value];

/** @param {string} written 1.3 */
export function headOf(written) {
  const [layer, head] = written.split('.').map(Number);
  return { layer, head };
}

/** @param {string} written a head, 1.3; a feed-forward, 1.ff; the stream that enters layer 1 at position 3: 1@3
 * @returns {import('../../workers/inside/experiments.js').Place} */
export function placeOf(written) {
  const [layer, position] = written.split('@').map(Number);
  if (position !== undefined) return { layer, position };
  if (!written.endsWith('.ff')) return headOf(written);
  return { layer: Number.parseInt(written, 10), part: 'feed_forward' };
}
