// How single parts of a state are written into a link and read back. `read` throws if it cannot.

import { text } from '../locale/text.js';

/**
 * @typedef {{
 *   write: (value: any) => string,
 *   read: (text: string, dropped?: (all: number, kept: number) => void) => any,
 *   shown?: (state: any) => boolean,
 * }} Part
 * read: `dropped` hears of a list that is longer than what is kept of it.
 * shown: whether the link has this part; where it is missing, if the value is not the opening one.
 */

/** @type {Part} one word: the name of an example */
export const name = { write: String, read: (text) => match(text, /^[\w-]{1,100}$/)[0] };

/** @type {Part} */
export const flag = {
  write: (on) => (on ? '1' : '0'),
  read: (text) => oneOf(text, ['0', '1']) === '1',
};

/**
 * @param {number} low
 * @param {number} high
 * @returns {Part} any number between them
 */
export const within = (low, high) => ({ write: String, read: (text) => number(text, low, high) });

/**
 * @param {number} low
 * @param {number} high
 * @returns {Part} a whole number between them
 */
export const whole = (low, high) => ({
  write: String,
  read: (text) => number(match(text, /^-?\d+$/)[0], low, high),
});

/**
 * @param {readonly (string | number)[]} choices
 * @returns {Part} one of these
 */
export const choice = (choices) => ({
  write: String,
  read: (text) => required(choices.find((one) => String(one) === text)),
});

/**
 * @param {Part} part
 * @param {string} between what stands between two of them, and in none
 * @param {object} how
 * @param {number} how.most of a longer list the last ones are kept
 * @param {(values: any[]) => any[]} [how.tidy] leaves out what another value of the list replaces
 * @returns {Part} several of that part, at least one
 */
export const list = (part, between, { most, tidy = (values) => values }) => ({
  write: (values) => values.map(part.write).join(between),
  read(text, dropped) {
    const values = tidy(text.split(between).map((one) => part.read(one)));
    if (values.length > most) dropped?.(values.length, most);
    return values.slice(-most);
  },
});

/**
 * @param {string} text
 * @param {number} low
 * @param {number} high
 */
export function number(text, low, high) {
  const value = Number(match(text, /^-?\d+(\.\d+)?(e[+-]?\d+)?$/)[0]);
  if (!(value >= low && value <= high)) throw new RangeError(text);
  return value;
}

/**
 * @template T
 * @param {T} value
 * @param {readonly T[]} choices
 */
function oneOf(value, choices) {
  if (!choices.includes(value)) throw new RangeError(String(value));
  return value;
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
export const match = (text, pattern) => required(pattern.exec(text));

/**
 * @template T
 * @param {T | null | undefined} value
 */
export function required(value) {
  if (value === null || value === undefined) throw new RangeError(text('page/unreadable'));
  return value;
}
