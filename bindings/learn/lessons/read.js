// A lesson, read from what a file holds.

import { parse } from '../../js/base/file.js';
import { languages } from '../../js/base/speech.js';
import { checkForm } from './form.js';
import { typeError } from './lint-texts.js';
import { schema } from './schema.js';

/** A text in each language, which a file may have as one sentence for all. @typedef {Record<import('../../js/base/speech.js').Language, string>} Text */
/** @typedef {'lines' | 'query' | 'keys' | 'scores' | 'value' | 'values' | 'corners' | 'output' | 'next'} LensPart */
/**
 * @typedef {{ kind: 'stage', row?: string }
 *   | { kind: 'plane', arrows: string[], project?: string[], blend?: string }
 *   | { kind: 'bars', row: string, form: 'bars' | 'powers' | 'shares', after?: 'bars' | 'powers' | 'shares', whole?: string, becomes?: string }
 *   | { kind: 'sentence', of?: string, row?: string, map?: boolean }
 *   | { kind: 'tokens', row?: string, heads?: string[] }
 *   | { kind: 'lens', row: string, shows?: LensPart[], after?: LensPart[], film?: boolean, turns?: ('w_q' | 'w_k' | 'w_v')[],
 *       shuffles?: boolean, legend?: Text }
 *   | { kind: 'spread', divide?: ('one' | 'root' | 'all')[] }
 *   | { kind: 'next', row: string, fixed?: boolean }
 *   | { kind: 'sum', parts: string[], towards?: string, of?: number }
 *   | { kind: 'slope', row: string, target: number, of: number, at: string, times?: string, rate?: number }
 *   | { kind: 'clocks', codes: string, adds?: string[], position?: number }
 *   | { kind: 'learning', seed: number, more?: boolean }
 *   | { kind: 'machine', follows?: number }
 *   | { kind: 'rows', table: string, columns: Text[], lenses: ('w_q' | 'w_k' | 'w_v')[] }} Picture
 */
/**
 * What the reader is to do before the lesson goes on; docs/lessons.md says what each `do` takes. Paths name numbers of the trace,
 * conditions compare them. to: the path where the page has played to. among: rows to click. by: their measure, such as entropy. take:
 * the row with the most or the least of it. numbers: paths to predict. digits: to so many decimals, 0 to 4. mistakes: what a
 * known wrong answer is, and what to say of it. choice: two to six options. guess: none of them is called wrong. largest: the row whose largest number is to be
 * found. order: the row to be sorted, the largest first. steps: names to press in an order of computation. what: the row, number or matrix to drag. until: the
 * condition that opens the gate. cell: the number to edit. texts: sentences to choose from. names: steps to remove. count: how many of
 * them, 1 by default. replies: one for each name. right, wrong: what is said to a right and to a wrong answer.
 * @typedef {{ do: 'play' | 'click' | 'predict' | 'drag' | 'try' | 'edit' | 'remove', to?: string, among?: string[], by?: string,
 *   take?: 'most' | 'least', numbers?: string[], digits?: number, mistakes?: { is: string, say: Text }[],
 *   choice?: { say: Text, when: string, reply?: Text }[], guess?: boolean, largest?: string, order?: string, steps?: string[], what?: string, until?: string,
 *   cell?: string, texts?: string[], names?: string[], count?: number, replies?: Text[], right?: Text, wrong?: Text }} Gate
 */
/**
 * One sentence, one picture, one thing to do. name: what lists call it. map: where it is on the map. state: the hash of a link to the
 * page. at: the step that the page shows first, a path, 'start' or 'end'. picture: what is drawn. lit: paths of the cells to highlight.
 * shows: the parts that the page shows, the stage alone by default. after: what is said once the gate is open. optional: a calculation
 * by hand beside the story, without which the lesson is done, too.
 * @typedef {{ name?: Text | string, map?: import('./map.js').Box | 'none', state: string, at?: string, picture: Picture, lit?: string[], shows?: string[], say: Text, gate?: Gate,
 *   after?: Text, optional?: boolean }} Scene
 */
/**
 * minutes: how long it takes, 1 to 60. next: the name of the lesson that follows. exercise: a recipe of glassformer/exercises that the end
 * offers. page: the hash of a link to the page that the end offers. learned: what the reader knows at the end. map: what has
 * grown on the map.
 * @typedef {{ name: string, title: Text, minutes: number, next?: string, exercise?: string, page?: string, learned: Text[],
 *   map?: import('./map.js').Box[], scenes: Scene[] }} Lesson
 */

/** The keys whose values are texts, or lists of them. */
const TEXTS = ['title', 'learned', 'say', 'after', 'right', 'wrong', 'reply', 'replies', 'columns'];

/** A lesson for one class has plain sentences: they stand for every language. What has none stays the same object.
 * @param {unknown} value @param {string} [key] of it
 * @returns {unknown} */
function inEachLanguage(value, key = '') {
  if (typeof value === 'string' && TEXTS.includes(key))
    return Object.fromEntries(languages.map((lang) => [lang, value]));
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  /* The "after" of a picture is a form. */
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    name === 'picture' ? part : inEachLanguage(part, isList ? key : name),
  ]);
  if (parts.every(([name, part]) => part === Object(value)[name])) return value;
  return isList ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/** Reads a lesson and checks its form; checkLesson() checks what it says.
 * @param {string | object} json the text of a file, or what JSON.parse made of it
 * @returns {Lesson}
 * @throws {GlassformerError} GF_EFILE, with the place in the file
 * @example
 * import { readLesson } from 'glassformer/lessons';
 *
 * const text = { en: 'My lesson', fr: 'Ma leçon', de: 'Meine Lektion' };
 * const scene = { state: '#example=hi-how', picture: { kind: 'stage' }, say: text };
 * const json = { name: 'mine', title: text, minutes: 1, learned: [text], scenes: [scene] };
 * readLesson(JSON.stringify(json)).name; // = 'mine' */
export function readLesson(json) {
  if (typeof json !== 'string' && (typeof json !== 'object' || json === null)) {
    throw typeError('lesson', { where: 'readLesson', given: json });
  }
  const value = typeof json === 'string' ? parse('lesson', json) : json;
  checkForm(/** @type {any} */ (schema), value);
  return /** @type {Lesson} */ (inEachLanguage(value));
}
