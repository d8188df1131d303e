// The form of an example: which fields a file of one may have. The tape checks whether its shapes fit.

import {
  checkArray,
  checkBoolean,
  checkFinite,
  checkInt32,
  checkInteger,
  checkOptions,
  checkText,
  checkUint32,
  checkWord,
} from '../base/errors.js';
import { checkShape } from '../base/values.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {(where: string, value: unknown) => void} Check */

/** Far more than any text prints. */
const MAX_CHANNELS = 4096;
/** Pixels of a patch, and patches of an image, in each direction. */
const MAX_PATCHES = 256;

/** @param {Check} check
 * @returns {Check} */
const listOf = (check) => (where, value) => {
  checkArray(where, value);
  for (const [i, item] of value.entries()) check(`${where}[${i}]`, item);
};

/** An object with all of the first fields, and perhaps some of the second.
 * @param {Record<string, Check>} required @param {Record<string, Check>} [optional]
 * @returns {Check} */
const record =
  (required, optional = {}) =>
  (where, value) => {
    const checks = { ...required, ...optional };
    checkOptions(where, value, Object.keys(checks));
    const fields = /** @type {Record<string, unknown>} */ (value);
    for (const [key, check] of Object.entries(checks)) {
      if (key in required || fields[key] !== undefined) check(`${where}.${key}`, fields[key]);
    }
  };

/** @param {readonly string[]} words
 * @returns {Check} */
const oneOf = (words) => (where, value) => {
  checkWord(where, value, words);
};

/** @type {Check} */
const integers = listOf(checkInt32);

const seeded = record(
  {
    shape: checkShape,
    uniform: record({ seed: checkUint32, low: checkFinite, high: checkFinite }),
  },
  { rows: listOf(checkText) },
);

/** @type {Check} */
const few = (where, value) => checkInteger(where, value, 1, MAX_PATCHES);

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
    vocabulary: listOf(checkText),
    attention: record(
      {},
      {
        heads: checkInt32,
        causal: checkBoolean,
        positions: oneOf(['rotary', 'alibi']),
        scale: checkFinite,
      },
    ),
    /* checkExample() checks these, by the names of leaves that its caller knows. */
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
    cut: record({ text: checkText, corpus: checkText, merges: listOf(checkText) }),
    patches: record({ rows: few, columns: few, height: few, width: few }),
    layer: record(
      {},
      {
        norm: oneOf(['before', 'after', 'none']),
        epsilon: checkFinite,
        activation: oneOf(['relu', 'gelu']),
      },
    ),
    loss: record({}),
    adam: record(
      { rate: checkFinite },
      { beta1: checkFinite, beta2: checkFinite, epsilon: checkFinite, step: checkInt32 },
    ),
    norm: record({ epsilon: checkFinite }),
    smoothing: record({ epsilon: checkFinite }),
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

/** @param {unknown} example @param {string[]} leaves that an example may have
 * @returns {asserts example is Example} */
export function checkExample(example, leaves) {
  const where = 'trace: example';
  FORM(where, example);
  const { inputs = {} } = /** @type {Example} */ (example);
  checkOptions(`${where}.inputs`, inputs, leaves);
  for (const [name, values] of Object.entries(inputs)) leaf(`${where}.inputs.${name}`, values);
}
