// An example of one's own as a text: JSON, what a trace printed, or matrices with their names, X = 1 0; 0 1.

import { near } from '../base/errors.js';
import { parse } from '../base/file.js';
import { nameFinder, readNamed } from '../number/named.js';
import { LEAVES } from './example.js';
import { readExample } from './example-layers.js';
import { rangeError } from './texts.js';

/** @typedef {import('./example.js').Example} Example */

/** The numbers that JSON has no way to write. */
const NOT_IN_JSON = ['Infinity', '-Infinity', 'NaN'];
/** What is no matrix; widths follow from the matrices. */
const OTHERS = ['tokens', 'scale', 'heads', 'd_k', 'd_model', 'd_v'];
const nameOf = nameFinder([...OTHERS, ...LEAVES]);

/** An example as JSON has it, or the one of a trace. @param {string} text */
function parseExample(text) {
  const parsed = parse('example', text, (_, value) =>
    NOT_IN_JSON.includes(/** @type {string} */ (value)) ? Number(value) : value,
  );
  const { example } = Object(parsed);
  return typeof example === 'object' && example !== null ? example : parsed;
}

/** An example of named matrices. @param {string} text */
function namedExample(text) {
  const parts = readNamed(text);
  if (!parts.length) throw rangeError('exampleText', { where: 'example', value: text });
  /** @type {Record<string, string>} */
  const named = {};
  for (const { name: written, text: numbers } of parts) {
    const name = nameOf(written);
    if (!name) {
      const hint = near(written, LEAVES);
      throw rangeError('exampleName', { where: 'example', value: written, hint });
    }
    named[name] = numbers;
  }
  const { tokens, scale, heads, d_k, d_model, d_v, mask, ...inputs } = named;
  const isCausal = /^\W*causal\W*$/i.test(mask ?? '');
  return {
    title: parts
      .map(({ name }) => name)
      .filter((written) => !OTHERS.includes(String(nameOf(written))))
      .join(', '),
    ...(tokens && { tokens: tokens.trim().split(/\s+/) }),
    attention: {
      ...(scale && { scale }),
      ...(heads && { heads: Number(heads) }),
      ...(isCausal && { causal: true }),
    },
    inputs: { ...inputs, ...(mask && !isCausal && { mask }) },
  };
}

/** The example of a text.
 * @param {string} text
 * @returns {Example} */
export const exampleIn = (text) =>
  readExample(
    /** @type {any} */ (
      /^\s*(?:[[{"\d-]|null|true|false)/.test(text) ? parseExample(text) : namedExample(text)
    ),
  );
