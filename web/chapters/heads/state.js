// Heads: one sentence, seen by as many heads as one likes.
import { choice, whole } from '../../state/parts.js';
import { OPENING, OPENING_SENTENCE, WALK_PARTS } from '../../state/walk.js';

export const PANELS = ['heads', 'stage', 'numbers'];
export const MOST = 12;

export const opening = {
  example: 'two-heads',
  ...OPENING,
  sentence: { ...OPENING_SENTENCE, dModel: 12, dK: 12 },
  t: 1e6,
  heads: 3,
  panel: 'heads',
};

export const parts = {
  ...WALK_PARTS,
  /* The playground opens a link of nothing but the chapter's name elsewhere. */
  heads: { ...whole(1, MOST), shown: () => true },
  panel: choice(PANELS),
};
