// Attention: the worked examples, and one's own sentence.
import { choice } from '../../app/state/parts.js';
import { OPENING, WALK_PARTS } from '../../app/state/walk.js';

/** What scores are divided by: √d_k, 1 or d_k. */
export const DIVISORS = /** @type {const} */ (['root', 'one', 'width']);

export const opening = { example: 'i-love-robotics', ...OPENING, divide: DIVISORS[0] };
export const parts = { ...WALK_PARTS, divide: choice(DIVISORS) };
