// What train, ask and inside share: tasks, the stories, and models that fit them.

import { readFile } from 'node:fs/promises';
import * as stories from '../lab/stories/index.js';
import { recipe } from '../lab/stories/recipe.js';
import { SPLITS } from '../lab/stories/story.js';
import {
  END,
  evaluate,
  learn,
  PAD,
  SPECIAL,
  START,
  tasks,
  testBatch,
  trained,
  UNKNOWN,
  untrained,
} from '../lab/tasks/index.js';
import { recipes } from '../lab/tasks/recipes.js';
import { Missing, reasonOf, refusing, unknown } from './usage.js';

/** @typedef {import('../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../js/model/model.js').Model} Model */
/** @typedef {import('../lab/tasks/task.js').Task} Task */

/** How much of something held out a model gets right.
 * @typedef {{ right: number, total: number, wrong: { source: string, target: string, answer: string }[] }} Result */

/** What a model can be trained on.
 * @typedef {object} Course
 * @property {string} name
 * @property {number} steps of its recipe
 * @property {'torch' | 'gpt2'} format whose names other libraries read
 * @property {import('../js/model/file.js').SavedVocabulary} vocabulary that its files carry
 * @property {(gf: Glassformer, seed: number) => Model} untrained
 * @property {(gf: Glassformer, bytes: Uint8Array) => Model} trained
 * @property {(model: Model, options: NonNullable<Parameters<typeof learn>[2]>) => ReturnType<typeof learn>} learn
 * @property {(seed: number) => import('../js/model/train.js').TrainBatch} validation a batch of what is held out
 * @property {(model: Model, seed: number, onProgress: (split: string, done: number, total: number) => void) =>
 *   Promise<Record<string, Result>>} test on what was held out
 */

export const NAMES = Object.keys(tasks);
export const STORIES = 'stories';
/** Everything that train trains. */
export const COURSES = [...NAMES, STORIES];

const HELD_OUT = 500;
const VALIDATION = 200;

/** @param {string | undefined} name
 * @returns {Task} */
export function taskOf(name) {
  if (name === undefined) throw new Missing(`task. Choose from ${NAMES.join(', ')}`);
  return Object.hasOwn(tasks, name) ? tasks[name] : unknown('task', name, NAMES);
}

/** @param {import('../lab/tasks/vocabulary.js').Vocabulary} vocabulary
 * @returns {import('../js/model/file.js').SavedVocabulary} */
const vocabularyOf = ({ tokens }) => ({
  split: tokens.slice(SPECIAL.length).every((token) => token.length === 1) ? 'characters' : 'words',
  start: SPECIAL[START],
  end: SPECIAL[END],
  pad: SPECIAL[PAD],
  unknown: SPECIAL[UNKNOWN],
  tokens,
});

/** @param {Task} task
 * @returns {Course} */
const courseOfTask = (task) => ({
  name: task.name,
  steps: recipes[task.name].steps,
  format: 'torch',
  vocabulary: vocabularyOf(task.vocabulary),
  untrained: (gf, seed) => untrained(gf, task, seed),
  trained: (gf, bytes) => trained(gf, task, bytes),
  learn: (model, options) => learn(model, task, options),
  validation: (seed) => testBatch(task, task.heldOut(VALIDATION, seed)),
  async test(model, seed, onProgress) {
    /** @type {Record<string, Result>} */
    const results = {};
    for (const split of task.splits) {
      const pairs = task.heldOut(HELD_OUT, seed, split);
      results[split] = await evaluate(model, task, pairs, (done) =>
        onProgress(split, done, pairs.length),
      );
    }
    return results;
  },
});

/** @type {Course} */
const courseOfStories = {
  name: STORIES,
  steps: recipe.steps,
  format: 'gpt2',
  vocabulary: vocabularyOf(stories.vocabulary),
  untrained: stories.untrained,
  trained: stories.trained,
  learn: stories.learn,
  validation: (seed) => stories.testBatch(stories.heldOutStories(VALIDATION, seed)),
  async test(model, seed, onProgress) {
    /** @type {Record<string, Result>} */
    const results = {};
    for (const split of SPLITS) {
      const held = stories.heldOutStories(HELD_OUT, seed, split);
      const kinds = await stories.evaluate(model, held, (done) =>
        onProgress(split, done, held.length),
      );
      for (const [kind, result] of Object.entries(kinds)) results[`${split}: ${kind}`] = result;
    }
    return results;
  },
};

/** @param {string | undefined} name
 * @returns {Course} */
export function courseOf(name) {
  if (name === STORIES) return courseOfStories;
  if (name === undefined) throw new Missing(`task. Choose from ${COURSES.join(', ')}`);
  return Object.hasOwn(tasks, name) ? courseOfTask(tasks[name]) : unknown('task', name, COURSES);
}

/** The model of a file; one of something else is refused.
 * @param {Glassformer} gf @param {Course} course @param {string} file */
export async function openModel(gf, course, file) {
  const bytes = await readFile(file).catch((error) => {
    throw reasonOf(`cannot read ${file}`, error);
  });
  return refusing(file, () => course.trained(gf, bytes));
}
