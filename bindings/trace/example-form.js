// The form of an example: what a file of one may hold. Whether its shapes fit, the tape will tell.

import {
  checkArray,
  checkBoolean,
  checkFinite,
  checkInt32,
  checkInteger,
  checkOptions,
  checkText,
  checkWord,
} from '../base/errors.js';
import { checkShape } from '../base/values.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {(where: string, value: unknown) => void} Check */

/** Far more than any text prints. */
const MAX_CHANNELS = 4096;

/** @param {Check} check
 * @returns {Check} */
const listOf = (check) => (where, value) => {
  checkArray(where, value);
  for (const [i, item] of value.entries()) check(`${where}[${i}]`, item);
};

/** An object with all of the first fields, and some of the second.
 * @param {Record<string, Check>} due @param {Record<string, Check>} [optional]
 * @returns {Check} */
const record =
  (due, optional = {}) =>
  (where, value) => {
    const fields = { ...due, ...optional };
    checkOptions(where, value, Object.keys(fields));
    const given = /** @type {Record<string, unknown>} */ (value);
    for (const [key, check] of Object.entries(fields)) {
      if (key in due || given[key] !== undefined) check(`${where}.${key}`, given[key]);
    }
  };

/** @param {readonly string[]} words
 * @returns {Check} */
const oneOf = (words) => (where, value) => {
  checkWord(where, value, words);
};

/** @type {Check} */
const integers = listOf(checkInt32);

const UINT32 = 2 ** 32 - 1;

const seeded = record(
  {
    shape: checkShape,
    uniform: record({
      seed: (where, value) => checkInteger(where, value, 0, UINT32),
      low: checkFinite,
      high: checkFinite,
    }),
  },
  { rows: listOf(checkText) },
);

/** Nested arrays, or numbers that follow from a seed. @type {Check} */
const leaf = (where, value) => Array.isArray(value) || seeded(where, value);

const FORM = record(
  {},
  {
    name: checkText,
    title: checkText,
    source: checkText,
    about: checkText,
    tokens: listOf(checkText),
    attention: record(
      {},
      {
        heads: checkInt32,
        causal: checkBoolean,
        positions: oneOf(['rotary', 'alibi']),
      },
    ),
    /* Which leaves there are, the one who builds them knows. */
    inputs() {},
    positions: listOf(
      record(
        {
          node: checkText,
          positions: integers,
          channels: (where, value) => checkInteger(where, value, 1, MAX_CHANNELS),
        },
        { dots: checkBoolean, shift: checkInt32 },
      ),
    ),
    norm: record({ epsilon: checkFinite }),
    schedule: record({
      kind: oneOf(['noam']),
      dModel: checkInt32,
      warmup: checkInt32,
      steps: integers,
    }),
    printed(where, value) {
      checkOptions(where, value, Object.keys(Object(value)));
    },
    asides: listOf(
      record(
        { fn: checkText, printed: checkText },
        { of: checkText, index: integers, by: checkText, byIndex: integers, value: checkFinite },
      ),
    ),
  },
);

/** @param {unknown} given @param {string[]} leaves that an example may have
 * @returns {asserts given is Example} */
export function checkExample(given, leaves) {
  const where = 'trace: example';
  FORM(where, given);
  const { inputs = {} } = /** @type {Example} */ (given);
  checkOptions(`${where}.inputs`, inputs, leaves);
  for (const [name, values] of Object.entries(inputs)) leaf(`${where}.inputs.${name}`, values);
}
