// The chapters that lessons show in figures: those of the figures, and two that are seen in lessons alone.
import * as exercises from '../chapters/exercises/state.js';
import { StoryHeads } from '../chapters/heads/story-heads.js';
import * as stories from '../chapters/heads/story-state.js';
import training from '../chapters/training/chapter.js';
import { chapters as figures } from './chapters.js';

customElements.define('gf-story-heads', StoryHeads);

/** @type {import('../state/store.js').Chapter[]} */
const all = [
  figures.attention,
  /* A figure of its own has no trained model. */
  { name: 'heads', opening: stories.opening, parts: stories.parts, element: 'gf-story-heads' },
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
