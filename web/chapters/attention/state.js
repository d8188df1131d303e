// Attention: the worked examples, and one's own sentence.
import { OPENING, PARTS } from '../../walk.js';

export const opening = { example: 'i-love-robotics', ...OPENING };
export const parts = PARTS;
