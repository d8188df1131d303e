// What a program of the user's returned, as a line of JSON in which nothing is lost without a word.

import { jsonValue, MAX_LEVELS } from '../js/base/file.js';

/** @param {unknown} value */
const isPlain = (value) => {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return tag === 'Array' || (tag === 'Object' && holdsWhatItShows(Object(value)));
};

/** Whether an object keeps its values in properties: one of a class may keep them out of sight.
 * @param {object} value */
function holdsWhatItShows(value) {
  const prototype = Object.getPrototypeOf(value);
  const isBare = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isBare || Object.keys(value).length > 0;
}

/** What a value is, if JSON would lose it.
 * @param {unknown} value */
function lostAs(value) {
  if (value === undefined) return 'undefined';
  if (typeof value === 'bigint') return 'a BigInt';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null || isPlain(value)) return null;
  return `of the class ${value.constructor?.name ?? 'Object'}`;
}

/** @param {readonly string[]} keys */
const pathOf = (keys) =>
  keys.reduce((path, key) => path + (/^\d+$/.test(key) ? `[${key}]` : `.${key}`), 'result');

/** A value as JSON: typed arrays as arrays, infinities and NaN as strings. What JSON would lose is refused.
 * @param {unknown} result */
export function resultText(result) {
  /** The objects around a value, outermost first, and the key of each in the one around it.
   * @type {object[]} */
  const holders = [];
  /** @type {string[]} */
  const keys = [];
  return JSON.stringify(
    result,
    /** @this {Record<string, unknown>} @param {string} key @param {unknown} value */
    function (key, value) {
      while (holders.length && holders[holders.length - 1] !== this) {
        holders.pop();
        keys.pop();
      }
      const isTyped = ArrayBuffer.isView(value) && !(value instanceof DataView);
      const plain = isTyped ? Array.from(/** @type {any} */ (value)) : value;
      const path = () => pathOf([...keys.slice(1), ...(holders.length ? [key] : [])]);
      const isLeftOut = value === undefined && holders.length > 0 && !Array.isArray(this);
      const lost = isLeftOut ? null : lostAs(plain);
      if (lost !== null) {
        throw new TypeError(
          `${path()} is ${lost}, which JSON cannot hold. Return numbers, strings, arrays and plain objects`,
        );
      }
      if (typeof plain === 'object' && plain !== null) {
        if (holders.includes(plain)) throw new TypeError(`${path()} is one of those that hold it`);
        if (holders.length === MAX_LEVELS)
          throw new TypeError(`${path()} is deeper than ${MAX_LEVELS} levels`);
        holders.push(plain);
        keys.push(key);
      }
      return jsonValue(key, plain);
    },
  );
}
