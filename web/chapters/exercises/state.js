// Exercises: the problem, and how far the reader has come.
import { choice, flag, list, match, name, whole } from '../../app/state/parts.js';

/**
 * @typedef {import('../../app/state/store.js').Common & {
 *   panel: 'exercise' | 'text', recipe: string, level: 'steps' | 'faded' | 'end', seed: number, digits: 'auto' | number,
 *   numbers: string, cells: 'row' | 'all', working: boolean, answers: string[], checked: string, play: string,
 * }} State
 * panel: an exercise, or a text to be checked.
 * digits: decimals in each step; auto: as the recipe has it.
 * numbers: a teacher's own numbers by their names, as JSON; empty for drawn ones.
 * cells: whether the rows that are asked come one by one, or all are there.
 * working: whether the reader may ask for the working.
 * answers: as they were typed, in the order in which they are asked.
 * play: what is played on the stage: a known mistake by its name, or the working; empty for the sheet.
 * checked: 1 for each of them that was checked since, else 0.
 */

/** The value of `play` that is no mistake's name. */
export const WORKING = 'working';

export const PANELS = /** @type {const} */ (['exercise', 'text']);
export const LEVELS = /** @type {const} */ (['steps', 'faded', 'end']);
export const DIGITS = /** @type {const} */ (['auto', 1, 2, 3, 4, 5, 6]);
export const CELLS = /** @type {const} */ (['row', 'all']);
export const LARGEST_SEED = 2 ** 32 - 1;
/** Answers of a problem, and characters of one. */
export const LIMITS = { answers: 200, characters: 200, numbers: 4000 };

const NUMBERS = new RegExp(`^[^]{0,${LIMITS.numbers}}$`);

export const opening = {
  panel: 'exercise',
  recipe: 'weights',
  level: 'steps',
  seed: 1,
  digits: 'auto',
  numbers: '',
  cells: CELLS[0],
  working: true,
  answers: [],
  checked: '',
  play: '',
};

/** Signs with a meaning in the list of answers. */
const ESCAPES = { '!': '!!', '~': '!-', '%': '!p' };
const ESCAPED = new Map(Object.entries(ESCAPES).map(([sign, written]) => [written, sign]));

/** @type {import('../../app/state/parts.js').Part} what was typed may have any character, but not be of any length */
const answer = {
  write: (text) =>
    text.replace(/[!~%]/g, (/** @type {keyof typeof ESCAPES} */ sign) => ESCAPES[sign]),
  read: (text) =>
    match(
      text.replace(/!./g, (written) => ESCAPED.get(written) ?? written),
      new RegExp(`^[^]{0,${LIMITS.characters}}$`),
    )[0],
};

const answers = list(answer, '~', { most: LIMITS.answers });

export const parts = {
  panel: choice(PANELS),
  recipe: name,
  level: choice(LEVELS),
  seed: whole(0, LARGEST_SEED),
  digits: choice(DIGITS),
  numbers: {
    write: String,
    /* Fields by their names: what is no JSON is refused, as other values are. */
    read: (/** @type {string} */ text) =>
      text && JSON.stringify(JSON.parse(match(text, NUMBERS)[0])),
  },
  cells: choice(CELLS),
  working: flag,
  answers: { ...answers, shown: (/** @type {State} */ state) => state.answers.length > 0 },
  checked: {
    write: String,
    read: (/** @type {string} */ text) => match(text, /^[01]{1,200}$/)[0],
  },
  play: { write: String, read: (/** @type {string} */ text) => match(text, /^[a-z\d-]{0,40}$/)[0] },
};

/** The options of a problem with other numbers. @param {Pick<State, 'level' | 'digits' | 'numbers'>} state @param {number} seed */
export const optionsOf = ({ level, digits, numbers }, seed) => ({
  level,
  seed,
  ...(digits !== 'auto' && { digits }),
  ...(numbers && { given: numbers }),
});

/** Answers without the empty ones at the end. @param {string[]} answers */
export const withoutEmpty = (answers) => answers.slice(0, answers.findLastIndex(Boolean) + 1);

/** Whether each place was checked, without the unchecked ones at the end. @param {boolean[]} marks */
export const checksOf = (marks) => marks.map(Number).join('').replace(/0+$/, '');

/**
 * What changes when an answer is typed: it is to be checked again.
 * @param {Pick<State, 'answers' | 'checked'>} state
 * @param {Map<number, string>} typed by its place among what is asked
 */
export function answered({ answers, checked }, typed) {
  const length = Math.max(answers.length, ...[...typed.keys()].map((place) => place + 1));
  const all = Array.from({ length }, (_, place) => typed.get(place) ?? answers[place] ?? '');
  const marks = Array.from(checked, (mark, place) => mark === '1' && !typed.has(place));
  return { answers: withoutEmpty(all), checked: checksOf(marks) };
}

/**
 * What changes when some of the answers are checked.
 * @param {Pick<State, 'checked'>} state
 * @param {readonly number[]} places
 */
export function checkedAt({ checked }, places) {
  const length = Math.max(checked.length, ...places.map((place) => place + 1));
  const marks = Array.from(
    { length },
    (_, place) => places.includes(place) || checked[place] === '1',
  );
  return { checked: checksOf(marks) };
}
