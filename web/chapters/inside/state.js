// Inside: which text the model reads, which logit is looked at, and what is changed; or which birth of a head, and when.
import { STEPS } from '../../birth/protocol.js';
import { choice, list, match, whole } from '../../state/parts.js';
import { WALK_PARTS } from '../../state/walk.js';

/**
 * @typedef {import('../../state/store.js').Common & {
 *   model: string, prompt: string, other: string, word: string, instead: string, off: string[], from: string[], value: 'zero' | 'story',
 *   open: string, score: string,
 *   view: 'stories' | 'birth', seed: number, at: number | null, gone: string[],
 *   t: number | null,
 *   weight: import('../../draw/tensor.js').Cell | null,
 * }} State
 * view: the model of the stories, or one of the reader's own; or the birth of a head.
 * model: of the reader's own, the address of its files, or disk; that of the stories if empty.
 * word: whose logit, the likeliest if empty. instead: whose logit is subtracted, if any.
 * off: what is switched off: heads by layer and head, 0.3, and feed-forwards, 0.ff.
 * from: what gives what it gives in the other text: these, or the stream that enters a layer at a position: 0@3.
 * value: what the heads' table tells, and a click does: a head gives nothing, or what it gives in the other text.
 * open: the part of the sum that is opened, by its name; of a head also the word that it reads.
 * score: what is told of where heads attend, if anything.
 * seed, at, gone: of the model in which a head is born, after how many steps it is looked at (null: the last), and without
 *   which heads.
 * t: the step of the computation that is looked at (null: the last).
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
export const VALUES = ['story', 'zero'];
/** In the text, in random tokens, in other stories. */
export const SCORES = {
  text: ['previous', 'first', 'duplicate', 'entropy'],
  random: ['induction'],
  stories: ['names', 'pronouns', 'objects', 'quotes', 'phrases'],
};
export const MOST = {
  characters: 2000,
  word: 20,
  heads: 12,
  places: 24,
  steps: 99,
  seed: 2 ** 32 - 1,
};

/** What belongs to one text of one model. */
export const FRESH = { word: '', instead: '', off: [], from: [], open: '' };

export const opening = {
  view: 'stories',
  model: '',
  ...FRESH,
  ...EXAMPLES.names,
  value: 'story',
  score: '',
  seed: 1,
  at: null,
  gone: [],
  t: null,
  weight: null,
};

/** @type {import('../../state/parts.js').Part} */
const text = { write: String, read: (written) => match(written, /^[\s\S]{0,2000}$/)[0] };
/** @type {import('../../state/parts.js').Part} */
const word = { write: String, read: (written) => match(written, /^\S{0,20}$/)[0] };
/** @type {import('../../state/parts.js').Part} */
const head = { write: String, read: (written) => match(written, /^\d\d?\.\d\d?$/)[0] };

/** @type {import('../../state/parts.js').Part} */
const part = { write: String, read: (written) => match(written, /^\d\d?\.(\d\d?|ff)$/)[0] };
/** @type {import('../../state/parts.js').Part} */
const place = {
  write: String,
  read: (written) => match(written, /^\d\d?(\.(\d\d?|ff)|@\d\d?)$/)[0],
};
/** @type {import('../../state/parts.js').Part} */
const opened = { write: String, read: (written) => match(written, /^[a-z0-9 -]{0,40}$/)[0] };

/** @param {import('../../state/parts.js').Part} part @param {number} most */
const several = (part, most) => list(part, ',', { most, tidy: (all) => [...new Set(all)] });

export const parts = {
  view: choice(VIEWS),
  model: {
    write: String,
    read: (/** @type {string} */ written) => match(written, /^(disk|https?:\/\/\S{1,500})?$/)[0],
  },
  prompt: text,
  other: text,
  word,
  instead: word,
  off: { ...several(part, MOST.heads), shown: (/** @type {State} */ { off }) => off.length > 0 },
  from: {
    ...several(place, MOST.places),
    shown: (/** @type {State} */ { from }) => from.length > 0,
  },
  value: choice(VALUES),
  open: opened,
  score: choice(['', ...Object.values(SCORES).flat()]),
  seed: whole(0, MOST.seed),
  at: whole(0, STEPS),
  gone: { ...several(head, MOST.heads), shown: (/** @type {State} */ { gone }) => gone.length > 0 },
  t: whole(0, MOST.steps),
  weight: WALK_PARTS.open,
};

/** @param {string} written 1.3 */
export function headOf(written) {
  const [layer, head] = written.split('.').map(Number);
  return { layer, head };
}

/** @param {string} written a head, 1.3; a feed-forward, 1.ff; the stream that enters layer 1 at position 3: 1@3
 * @returns {import('../../inside/experiments.js').Place} */
export function placeOf(written) {
  const [layer, position] = written.split('@').map(Number);
  if (position !== undefined) return { layer, position };
  if (!written.endsWith('.ff')) return headOf(written);
  return { layer: Number.parseInt(written, 10), part: 'feed_forward' };
}
