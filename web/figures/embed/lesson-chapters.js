// The chapters that lessons show in figures, by their names: those of the figures, and those that are seen in lessons alone.
import { html } from 'lit';
import * as exercises from '../../chapters/exercises/state.js';
import { StoryHeads } from '../../chapters/heads/story-heads.js';
import * as stories from '../../chapters/heads/story-state.js';
import { Birth } from '../../chapters/inside/birth.js';
import { Inside } from '../../chapters/inside/element.js';
import { Page } from '../../chapters/inside/page.js';
import * as inside from '../../chapters/inside/state.js';
import '../../chapters/training/adam.js';
import { Training } from '../../chapters/training/element.js';
import '../../chapters/training/opened.css';
import * as training from '../../chapters/training/state.js';
import { answersOf as birth } from '../../workers/birth/answers.js';
import { answersOf as experiments } from '../../workers/inside/answers.js';
import { Local } from '../../workers/remote/local.js';
import { answersOf as trainer } from '../../workers/trainer/answers.js';
import { chapters as figures } from './chapters.js';
import { weightsOf } from './lazy-files.js';
import './no-checkpoint.js';

customElements.define('gf-story-heads', StoryHeads);

/* A figure has no worker: it computes on the page's own thread. No lesson takes a step of the chapter Training apart. */
Object.assign(Training, { openTrainer: () => new Local(trainer), loadSteps: async () => {} });
Object.assign(Birth, { openBirth: () => new Local(birth), loadSteps: async () => {} });
const readStories = () => weightsOf('stories');
Inside.openExperiments = () => new Local((tell) => experiments(tell, { readStories }));
/* It opens no files, and says so. */
Inside.loadOpening = async () => ({
  Opening: class {
    work = null;
    hear() {}
    open = async () => null;
    render = () => html`<gf-opener></gf-opener>`;
  },
});

Page.loads = { stories: async () => Inside, birth: async () => Birth };

/** @typedef {import('../../app/state/store.js').Chapter} Chapter */

/** @param {string} name @param {string} element @param {Chapter['opening']} opening @param {Chapter['parts']} parts */
const chapter = (name, element, opening, parts) => ({ name, opening, parts, element });

/** @type {Record<string, Chapter>} */
export const chapters = {
  ...figures,
  /* A figure outside a lesson has no trained model. */
  heads: chapter('heads', 'gf-story-heads', stories.opening, stories.parts),
  training: chapter('training', 'gf-chapter-training', training.opening, training.parts),
  inside: chapter('inside', 'gf-chapter-inside', inside.opening, inside.parts),
  /* Its problems are walked through; the page of the exercises is not there. */
  exercises: chapter('exercises', 'gf-worked', exercises.opening, exercises.parts),
};
