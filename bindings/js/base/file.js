// How a file is read as JSON, and refused for what an argument would be refused for.

import { GlassformerError, within } from './errors.js';
import { refusing, typeError } from './file-texts.js';

/** @typedef {import('./errors.js').Told} Told */

/** Levels of arrays and objects in a file. Every format that is read here has fewer than twenty; functions that
 * descend into a value recurse, and need a bound. */
export const MAX_LEVELS = 100;

const [OPEN, OPEN_OBJECT, CLOSE, CLOSE_OBJECT, QUOTE, BACKSLASH] = Array.from('[{]}"\\', (sign) =>
  sign.charCodeAt(0),
);

/** How deep arrays and objects nest in a JSON text. @param {string} text */
function levelsIn(text) {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) quoted = !quoted;
    else if (quoted) i += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN || code === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE || code === CLOSE_OBJECT) depth--;
  }
  return deepest;
}

/** Parses JSON that comes from a file.
 * @param {string} part @param {string} text @param {(key: string, value: unknown) => unknown} [reviver]
 * @returns {unknown} */
export function parse(part, text, reviver) {
  if (levelsIn(text) > MAX_LEVELS) refusing(part)('jsonDeep', { given: text, most: MAX_LEVELS });
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    const { message: reason } = /** @type {Error} */ (error);
    return refusing(part)('json', { given: text, reason });
  }
}

/** A replacer for JSON, which has no infinities and no NaN: they are strings, such as "-Infinity".
 * @param {string} _ @param {unknown} value */
export const jsonValue = (_, value) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

/** A value as JSON writes it.
 * @param {string} where @param {unknown} value */
export function jsonText(where, value) {
  try {
    return JSON.stringify(value);
  } catch {
    throw typeError('noJson', { where, given: value });
  }
}

/** Checks what a file holds by the checks that arguments go through: the same sentences, but it is the file
 * that is wrong.
 * @template T
 * @param {string} part @param {() => T} check
 * @returns {T} */
export function withinFile(part, check) {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const { detail, params } = /** @type {Told} */ (/** @type {unknown} */ (error));
    throw new GlassformerError('GF_EFILE', { detail, params: within(part, params) });
  }
}
