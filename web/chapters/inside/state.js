// Inside: which text the model reads, which logit is looked at, and which heads are off.
import { choice, list, match } from '../../state/parts.js';

/**
 * @typedef {import('../../state/store.js').Common & {
 *   prompt: string, word: string, instead: string, off: string[], value: 'zero' | 'story', other: string,
 * }} State
 * word: whose logit, the likeliest if empty. instead: whose logit is subtracted, if any.
 * off: heads that are switched off, by layer and head: 0.3.
 * value: what they give then, nothing or what they give in the other text.
 */

const FIRST = 'Anna and Ben are in the park. Anna has a red ball. ';

/** Texts to begin with, by what decides the next word; each with another that has as many tokens. */
export const EXAMPLES = {
  objects: {
    prompt: `${FIRST}Ben says: "The ball is`,
    instead: 'blue',
    other: 'Anna and Ben are in the park. Anna has a blue ball. Ben says: "The ball is',
  },
  names: {
    prompt: `${FIRST}Anna gives the ball to`,
    instead: 'Anna',
    other: 'Ben and Anna are in the park. Ben has a red ball. Ben gives the ball to',
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

export const VALUES = ['zero', 'story'];
export const MOST = { characters: 2000, word: 20, heads: 12 };

export const opening = { word: '', ...EXAMPLES.objects, off: [], value: 'zero' };

/** @type {import('../../state/parts.js').Part} */
const text = { write: String, read: (written) => match(written, /^[\s\S]{0,2000}$/)[0] };
/** @type {import('../../state/parts.js').Part} */
const word = { write: String, read: (written) => match(written, /^\S{0,20}$/)[0] };
/** @type {import('../../state/parts.js').Part} */
const head = { write: String, read: (written) => match(written, /^\d\.\d$/)[0] };

export const parts = {
  prompt: text,
  word,
  instead: word,
  off: {
    ...list(head, ',', { most: MOST.heads, tidy: (heads) => [...new Set(heads)] }),
    shown: (/** @type {State} */ { off }) => off.length > 0,
  },
  value: choice(VALUES),
  other: text,
};
