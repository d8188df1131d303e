// The chapters that lessons show in figures, by their names: those of the figures, and two that are seen in lessons alone.
import * as exercises from '../chapters/exercises/state.js';
import { StoryHeads } from '../chapters/heads/story-heads.js';
import * as stories from '../chapters/heads/story-state.js';
import { Training } from '../chapters/training/element.js';
import * as training from '../chapters/training/state.js';
import { Local } from '../remote/local.js';
import { answersOf } from '../trainer/answers.js';
import { chapters as figures } from './chapters.js';

customElements.define('gf-story-heads', StoryHeads);

/* A figure has no worker: it trains on the page's own thread. No lesson takes a step apart. */
Object.assign(Training, { openTrainer: () => new Local(answersOf), loadSteps: async () => {} });

/** @param {string} name @param {Pick<import('../state/store.js').Chapter, 'opening' | 'parts'>} state @param {string} element */
const chapter = (name, { opening, parts }, element) => ({ name, opening, parts, element });

/** @type {Record<string, import('../state/store.js').Chapter>} */
export const chapters = {
  ...figures,
  /* A figure outside a lesson has no trained model. */
  heads: chapter('heads', stories, 'gf-story-heads'),
  training: chapter('training', training, 'gf-chapter-training'),
  /* Its problems are walked through; the page of the exercises is not there. */
  exercises: chapter('exercises', exercises, 'gf-worked'),
};
