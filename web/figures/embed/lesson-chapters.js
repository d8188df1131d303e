// The chapters that lessons show in figures, by their names: those of the figures, and two that are seen in lessons alone.
import * as exercises from '../../chapters/exercises/state.js';
import { StoryHeads } from '../../chapters/heads/story-heads.js';
import * as stories from '../../chapters/heads/story-state.js';
import { Training } from '../../chapters/training/element.js';
import * as training from '../../chapters/training/state.js';
import { Local } from '../../workers/remote/local.js';
import { answersOf } from '../../workers/trainer/answers.js';
import { chapters as figures } from './chapters.js';

customElements.define('gf-story-heads', StoryHeads);

/* A figure has no worker: it trains on the page's own thread. No lesson takes a step apart. */
Object.assign(Training, { openTrainer: () => new Local(answersOf), loadSteps: async () => {} });

/** @typedef {import('../../app/state/store.js').Chapter} Chapter */

/** @param {string} name @param {string} element @param {Chapter['opening']} opening @param {Chapter['parts']} parts */
const chapter = (name, element, opening, parts) => ({ name, opening, parts, element });

/** @type {Record<string, Chapter>} */
export const chapters = {
  ...figures,
  /* A figure outside a lesson has no trained model. */
  heads: chapter('heads', 'gf-story-heads', stories.opening, stories.parts),
  training: chapter('training', 'gf-chapter-training', training.opening, training.parts),
  /* Its problems are walked through; the page of the exercises is not there. */
  exercises: chapter('exercises', 'gf-worked', exercises.opening, exercises.parts),
};
