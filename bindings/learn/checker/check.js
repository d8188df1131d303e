// Checks a text in three stages: its statements are read, their numbers related, and what follows from others judged.

import { checkCore, checkText, checkWord } from '../../js/base/errors.js';
import { Judge } from './judge.js';
import { Places } from './place.js';
import { placeIn, shownIn } from './read/notebook.js';
import { writtenLike } from './read/number.js';
import { outside } from './read/sentences.js';
import { statementsOf } from './read/statements.js';
import { Relater } from './relater.js';
import { ROUNDINGS } from './rounding.js';
import { languageOf } from './speech/language.js';
import { rangeError } from './texts.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../js/base/speech.js').Language} Language */
/** @typedef {import('./relate/words.js').Reason} Reason */
/** @typedef {import('./relate/words.js').RelationName} RelationName */

/** A printed number that is wrong by its own last digit.
 * @typedef {object} Flag
 * @property {number} line from 1 @property {number} column from 1, in characters
 * @property {string} printed as the text prints it
 * @property {number} computed what it should be
 * @property {string} corrected the same in the digits and the notation of the text
 * @property {string} cause 'slip', 'slip:sign', 'slip:digits', 'slip:point' or 'slip:rows'; 'misconception:NAME';
 *   'carried' from a wrong number, 'rounded' if it follows from numbers that were rounded too early, 'truncated' if it
 *   is cut off, and not rounded
 * @property {number} [follows] the number of the flag that it is carried from, from 1
 * @property {string} message what is wrong, in a sentence or two */

/** A printed number that is cut off at its last digit instead of rounded: 0.666 for 2/3.
 * @typedef {object} Truncation
 * @property {number} line from 1 @property {number} column from 1, in characters
 * @property {string} printed as the text prints it
 * @property {number} computed what it is
 * @property {string} corrected the same, rounded to the digits of the text
 * @property {string} message that it is cut off, in a sentence */

/** What holds between numbers of the text.
 * @typedef {object} Relation
 * @property {number} line of the result
 * @property {string} result what the text calls it
 * @property {RelationName} relation 'as written' if the text has the equation
 * @property {string[]} of what the text calls that from which it comes */

/** Numbers that were not checked. line: where they are, 1 at the first. text: the line.
 * @typedef {{ line: number, text: string, why: Reason, message: string }} NotUnderstood message: the reason in words */

/** What was found in a text.
 * @typedef {object} Checked
 * @property {number} checked how many printed numbers were computed again
 * @property {Flag[]} flags those that are wrong
 * @property {Truncation[]} truncated those that are neither wrong nor rounded; none where that is counted as wrong
 * @property {Relation[]} relations
 * @property {NotUnderstood[]} notUnderstood */

/** @typedef {object} CheckOptions
 * @property {Language} [lang] of the messages, English by default
 * @property {import('./rounding.js').Rounding} [rounding] whether a number that is cut off, 0.66 for 2/3, is listed apart, or wrong; lenient by
 *   default */

/** Characters: longer books are checked chapter by chapter. */
const MAX_LENGTH = 2 ** 20;

/** Checks the numbers of a worked text: finds matrices and equations in Markdown, LaTeX, HTML, Python or prose, says
 * which relation holds between them, computes them again in float64, and flags each printed number that is wrong by its
 * own last digit. It lists truncated numbers apart. What it does not understand it lists, too, and does not guess.
 * @param {Glassformer} gf what load() gives
 * @param {string} text
 * @param {CheckOptions} [options]
 * @returns {Checked}
 * @example
 * import { load } from 'glassformer';
 * import { check, fixed } from 'glassformer/checker';
 *
 * const gf = await load();
 * const text = 'Scores: 1.1 × 0.2 + 0.1 × 1.2 = 0.43';
 * const { flags } = check(gf, text);
 * flags[0].printed; // = '0.43'
 * fixed(text, flags); // = 'Scores: 1.1 × 0.2 + 0.1 × 1.2 = 0.34' */
export function check(gf, text, options = {}) {
  checkCore('check', gf);
  checkText('check: text', text);
  const speech = languageOf('check', options, ['rounding']);
  const { rounding = 'lenient' } = options;
  checkWord('check: rounding', rounding, ROUNDINGS);
  if (text.length > MAX_LENGTH) {
    throw rangeError('tooLongText', { where: 'check: text', most: MAX_LENGTH, n: text.length });
  }
  const { plain, parts: shown } = shownIn(text);
  const placeOf = placeIn(shown);
  const { statements, unread, numbers, notation } = statementsOf(plain);
  const relater = new Relater(plain, notation, statements);
  for (const statement of statements) relater.take(statement);
  relater.finish();
  const judge = new Judge(notation, rounding === 'strict');
  for (const claim of relater.claims) judge.take(claim);
  const places = new Places(text);
  const lineOf = (/** @type {number} */ offset) => places.of(placeOf(offset)).line;
  const results = relater.claims.flatMap(({ cells }) => cells.flat());
  /** @param {import('./judge.js').Found} found */
  const placed = ({ cell, row, computed }) => {
    const start = placeOf(cell.start);
    const printed = text.slice(start, start + cell.text.length);
    const corrected = writtenLike(printed, computed, notation, cell.band, row);
    return { ...places.of(start), printed, computed, corrected };
  };
  return {
    checked: judge.checked + relater.middles.length,
    flags: judge.found.map((number) => {
      const { cell, row, computed, ...cause } = number;
      const flag = { ...placed(number), ...cause };
      return { ...flag, message: speech.flag(flag) };
    }),
    truncated: judge.truncated.map((number) => {
      const truncation = placed(number);
      return { ...truncation, message: speech.truncation(truncation) };
    }),
    relations: relater.claims.flatMap(({ cells, result, relation, of }) =>
      result === null ? [] : [{ line: lineOf(cells[0][0].start), result, relation, of }],
    ),
    notUnderstood: listed([
      ...unread,
      ...relater.unread,
      ...inSentences(numbers, relater.unread, results, lineOf),
    ]).map(({ start, end, why, misfit }) => ({
      line: lineOf(start),
      text: plain.slice(start, Math.min(end, start + 120)),
      why,
      message: speech.say(speech.words.why[why], misfit ?? {}),
    })),
  };
}

/** Numbers of sentences in no part of a text that is listed, by their lines; nobody says what they are the result of.
 * @param {readonly { start: number, end: number }[]} numbers in their order
 * @param {readonly { start: number, end: number }[]} parts @param {readonly { start: number }[]} results those that were checked
 * @param {(offset: number) => number} lineOf
 * @returns {import('./relate/claim.js').Unread[]} */
function inSentences(numbers, parts, results, lineOf) {
  const checked = new Set(results.map(({ start }) => start));
  /** @type {Map<number, import('./relate/claim.js').Unread>} */
  const lines = new Map();
  for (const { start, end } of outside(numbers, parts)) {
    if (checked.has(start)) continue;
    const line = lineOf(start);
    lines.set(line, { start: lines.get(line)?.start ?? start, end, why: 'sentence' });
  }
  return [...lines.values()];
}

/** In the order of the text, each part once. @param {import('./relate/claim.js').Unread[]} unread */
function listed(unread) {
  let done = -1;
  return unread
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      const isNew = start >= done;
      if (isNew) done = end;
      return isNew;
    });
}
