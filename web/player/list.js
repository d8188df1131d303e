// The lessons in the order of teaching; each is loaded when it is opened, in the reader's language.
import { merge } from '../app/locale/merge.js';
import { language } from '../app/locale/text.js';
import { lessonIn } from './lesson-files.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */

/** The parts of the story. */
export const PARTS = {
  attention: ['why-attention', 'one-score', 'scores-to-weights', 'the-output'],
  machine: ['many-heads', 'where-am-i', 'whole-machine'],
  learning: ['how-it-learns'],
  inside: ['find-the-head', 'a-head-is-born'],
};

export const NAMES = Object.values(PARTS).flat();

/** Each lesson is one object, to which every language adds its sentences. @type {Map<string, Lesson>} */
const cached = new Map();

/**
 * @param {string} name
 * @returns {Promise<Lesson>}
 */
export async function lessonOf(name) {
  const inLanguage = await lessonIn(name, language());
  const lesson = cached.get(name) ?? /** @type {Lesson} */ ({});
  merge(lesson, structuredClone(inLanguage));
  cached.set(name, lesson);
  return lesson;
}
