// Checks of which the schema of tokenizer.json is made. Each refuses what it does not expect at a place.

import { refusing } from './tokenizer-texts.js';

/** @typedef {(given: unknown, where: string, depth: number) => void} Check */

/** @type {import('./tokenizer-texts.js').Refuse} */
export const refuse = refusing('tokenizer.json');

/** No embedding has more rows. */
const MAX_ID = 2 ** 24 - 1;
/** Sequences within sequences. */
const MAX_DEPTH = 16;

/** @param {unknown} value
 * @returns {value is number} */
export const isId = (value) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_ID;

/** @param {unknown} value
 * @returns {value is Record<string, unknown>} */
export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value */
export const isMissing = (value) => value === undefined || value === null;

/** @param {number} low @param {number} high
 * @returns {Check} */
export const integer = (low, high) => (value, where) => {
  if (Number.isInteger(value) && Number(value) >= low && Number(value) <= high) return;
  refuse('integerFrom', { where, low, high, given: value });
};
export const id = integer(0, MAX_ID);
/** @type {Check} */
export const text = (value, where) => {
  if (typeof value !== 'string') return refuse('text', { where, given: value });
  if (/\p{Surrogate}/u.test(value)) refuse('wholeText', { where, given: value });
};
/** @param {Check} check
 * @returns {Check} */
export const notEmpty = (check) => (value, where, depth) => {
  if (value === '') refuse('textNotEmpty', { where, given: value });
  check(value, where, depth);
};
/** One character.
 * @type {Check} */
export const character = (value, where) => {
  if (typeof value !== 'string' || Array.from(value).length !== 1) {
    refuse('character', { where, given: value });
  }
};
/** @type {Check} */
export const flag = (value, where) => {
  if (typeof value !== 'boolean') refuse('boolean', { where, given: value });
};
/** The fields of an object.
 * @param {unknown} value @param {string} where */
export const fieldsOf = (value, where) =>
  isObject(value) ? value : refuse('object', { where, given: value });
/** @param {readonly string[]} words
 * @returns {Check} */
export const word = (words) => (value, where) => {
  if (!words.includes(/** @type {string} */ (value)))
    refuse('word', { where, words: words.join(', '), given: value });
};

/** What may be left out.
 * @param {Check} check
 * @returns {Check} */
export const optional = (check) => (value, where, depth) => {
  if (!isMissing(value)) check(value, where, depth);
};

/** @param {Check} check of each element
 * @returns {Check} */
export const list = (check) => (value, where, depth) => {
  if (!Array.isArray(value)) refuse('array', { where, given: value });
  for (let i = 0; i < value.length; i++) check(value[i], `${where}[${i}]`, depth);
};

/** An object of fields, and no others.
 * @param {Record<string, Check>} checks @param {string} [name] of what has them
 * @returns {Check} */
export const record =
  (checks, name = '') =>
  (value, place, depth) => {
    const fields = fieldsOf(value, place);
    const placeOf = (/** @type {string} */ key) => (place ? `${place}.${key}` : key);
    for (const key of Object.keys(fields)) {
      if (Object.hasOwn(checks, key) || (name && key === 'type')) continue;
      const names = Object.keys(checks).join(', ');
      const where = placeOf(key);
      if (names) refuse('noField', { where, names, given: fields[key] });
      refuse('noFields', { where, name, given: fields[key] });
    }
    for (const [key, check] of Object.entries(checks)) check(fields[key], placeOf(key), depth);
  };
/** Whatever stands there: ids do not depend on it.
 * @type {Check} */
export const anything = () => {};

/** One of several kinds: the only field of an object names it.
 * @param {Record<string, Check>} kinds
 * @returns {Check} */
export const either = (kinds) => (value, where, depth) => {
  const fields = fieldsOf(value, where);
  const words = Object.keys(kinds);
  const [key, more] = Object.keys(fields);
  if (!words.includes(key) || more) refuse('oneField', { where, names: words.join(', ') });
  kinds[key](fields[key], `${where}.${key}`, depth);
};

/** A part whose type says what it has.
 * @param {Record<string, Record<string, Check>>} types
 * @returns {Check} */
export const typed = (types) => (value, where, depth) => {
  if (depth > MAX_DEPTH) refuse('tooDeep', { where, most: MAX_DEPTH });
  const { type } = fieldsOf(value, where);
  word(Object.keys(types))(type, `${where}.type`, depth);
  record(types[String(type)], String(type))(value, where, depth + 1);
};
