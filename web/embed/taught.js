// The chapters that lessons show in figures: those of the figures, and two that are seen in lessons alone.
import * as exercises from '../chapters/exercises/state.js';
import training from '../chapters/training/chapter.js';
import { chapters as figures } from './chapters.js';

/** @type {import('../state/store.js').Chapter[]} */
const all = [
  figures.attention,
  figures.heads,
  figures.transformer,
  training,
  /* Its problems are walked through; the page of the exercises is not there. */
  { name: 'exercises', opening: exercises.opening, parts: exercises.parts, element: 'gf-worked' },
];

/** @type {import('../shell/app.js').Entry[]} */
export const chapters = all.map((chapter) => ({
  name: chapter.name,
  load: async () => ({ default: chapter }),
}));
