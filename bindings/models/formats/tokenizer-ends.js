// The tokens that end a text, as the files beside a model say.

import { refusing } from './tokenizer-texts.js';

const MAX_ID = 2 ** 31 - 1;

/** Of config.json or generation_config.json: `eos_token_id` is one id, or several.
 * @param {string} part the name of the file @param {unknown} value what it contains
 * @returns {number[]} */
export function endsOf(part, value) {
  const refuse = /** @type {import('./tokenizer-texts.js').Refuse} */ (refusing(part));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('object', { given: value });
  }
  return [/** @type {any} */ (value).eos_token_id ?? []].flat().map((id, i, { length }) => {
    const where = length > 1 ? `eos_token_id[${i}]` : 'eos_token_id';
    if (Number.isInteger(id) && id >= 0 && id <= MAX_ID) return id;
    return refuse('integerFrom', { where, low: 0, high: MAX_ID, given: id });
  });
}
