// Attention: the worked examples, and one's own sentence.
import { OPENING, WALK_PARTS } from '../../app/state/walk.js';

export const opening = { example: 'i-love-robotics', ...OPENING };
export const parts = WALK_PARTS;
