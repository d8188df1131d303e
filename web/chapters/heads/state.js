// Heads: one sentence, with any number of heads.
import { choice, whole } from '../../app/state/parts.js';
import { OPENING, OPENING_SENTENCE, WALK_PARTS } from '../../app/state/walk.js';

export const PANELS = ['heads', 'stage', 'numbers'];
export const MAX_HEADS = 12;

export const opening = {
  example: 'two-heads',
  ...OPENING,
  sentence: { ...OPENING_SENTENCE, dModel: 12, dK: 12 },
  t: 1e6,
  /* Heads differ in how far their scores reach. */
  scale: 'own',
  heads: 3,
  panel: 'heads',
};

export const parts = {
  ...WALK_PARTS,
  /* A link with nothing but the chapter's name opens the playground's text of a story. */
  heads: { ...whole(1, MAX_HEADS), shown: () => true },
  panel: choice(PANELS),
};
