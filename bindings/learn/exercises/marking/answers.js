// What a learner wrote: each answer as a number, as it is meant in its cell.

import { checkOptions, near } from '../../../js/base/errors.js';
import { countedBy, meantBy } from '../../../js/number/judge.js';
import { readNumber } from '../../../js/number/read.js';
import { rangeError, typeError } from '../problem/texts.js';

/** @typedef {import('../problem/problem.js').Cell} Cell */
/** @typedef {import('../../../js/number/read.js').NumberRead} NumberRead */

/**
 * @typedef {object} Answers
 * @property {Record<string, string | number>} cells the answer to each cell, as it was written, such as { 'scores[0,1]': '0.45' };
 *   one that is missing is empty
 * @property {number} [seed] that of the problem, by which `glassformer mark` pairs lists
 * @property {number} [variant] or its number in the list, from 1, as sheets have it
 * @property {string} [name] whose answers these are: `glassformer mark` shows it
 */

const KEYS = ['cells', 'seed', 'variant', 'name'];

/** An answer: how it is written, and the number that it means; where it stops being a number; null for none.
 * @typedef {{ written: NumberRead, value: number } | import('../../../js/number/read.js').Unreadable | null} Answer */

/** Programs write so large a negative number for −∞. */
const HIDDEN = -1e4;

/** What a learner wrote into each cell, '' where nothing.
 * @param {string} where @param {unknown} answers @param {readonly Cell[]} cells
 * @returns {Map<string, string | number>} */
export function textsOf(where, answers, cells) {
  const texts = Object(answers).cells;
  const isRecord = [answers, texts].every((one) => Object(one) === one && typeof one === 'object');
  if (!isRecord || Array.isArray(texts)) {
    throw typeError('answers', { where: `${where}: answers`, given: answers });
  }
  checkOptions(`${where}: answers`, /** @type {any} */ (answers), KEYS);
  const names = cells.map(({ name }) => name);
  for (const name of Object.keys(texts)) {
    if (names.includes(name)) continue;
    throw rangeError('notAsked', {
      where: `${where}: answers`,
      value: name,
      hint: near(name, names),
    });
  }
  return new Map(
    names.map((name) => {
      const text = Object.hasOwn(texts, name) ? texts[name] : '';
      if (typeof text === 'number' || typeof text === 'string') return [name, text];
      throw typeError('answerText', { where: `${where}: answers: ${name}`, given: text });
    }),
  );
}

/** What a learner wrote into each cell.
 * @param {import('../problem/problem.js').Work} work
 * @param {unknown} answers @param {readonly Cell[]} cells that are asked
 * @param {string} decimal the language's sign
 * @returns {Map<string, Answer>} */
export function readAnswers(work, answers, cells, decimal) {
  const texts = textsOf('mark', answers, cells);
  /** @param {Cell} cell @returns {Answer} */
  const answerIn = (cell) => {
    const text = /** @type {string | number} */ (texts.get(cell.name));
    const written =
      typeof text === 'number'
        ? { value: text, decimals: null, significant: null }
        : readNumber(text);
    if (!written || 'at' in written) return written;
    const { op, whole } = work.machine.step(cell.step);
    /* Only a mask asks for −∞; from any other nothing can be computed. */
    const isHidden = op === 'mask' && written.value < 0;
    if (!Number.isFinite(written.value) && !isHidden) return { at: 0, why: 'large' };
    const value = whole
      ? countedBy(written, String(text), decimal)
      : meantBy(written, work.valueAt(cell));
    return { written, value: op === 'mask' && value <= HIDDEN ? -Infinity : value };
  };
  return new Map(cells.map((cell) => [cell.name, answerIn(cell)]));
}
