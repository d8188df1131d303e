// Attention: the worked examples, and one's own sentence.
import { choice, match } from '../../app/state/parts.js';
import { OPENING, WALK_PARTS } from '../../app/state/walk.js';

/** What scores are divided by: √d_k, 1 or d_k. */
export const DIVISORS = /** @type {const} */ (['root', 'one', 'width']);

/** Characters of one's own matrices. */
export const MAX_MATRICES = 4000;

/** matrices: one's own matrices with their names, as they were written; empty for an example or a sentence. */
export const opening = {
  example: 'i-love-robotics',
  ...OPENING,
  matrices: '',
  divide: DIVISORS[0],
};
export const parts = {
  ...WALK_PARTS,
  example: {
    ...WALK_PARTS.example,
    shown: (/** @type {any} */ { sentence, matrices }) => !sentence && !matrices,
  },
  matrices: {
    write: String,
    read: (/** @type {string} */ text) => match(text, new RegExp(`^[^]{0,${MAX_MATRICES}}$`))[0],
  },
  divide: choice(DIVISORS),
};
