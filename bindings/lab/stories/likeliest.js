// The likeliest next tokens, by a model of the stories.

import { checkArray, checkText } from '../../js/base/errors.js';
import { largestOf } from '../../js/base/largest.js';
import { checkModel } from './checks.js';
import { vocabulary } from './story.js';

/** The likeliest next token after each of the given tokens.
 * @param {import('../../js/model/model.js').Model} model @param {readonly string[]} tokens from <start> on
 * @returns {string[]}
 * @example
 * import { likeliest, untrained } from 'glassformer/stories';
 *
 * likeliest(untrained(gf, 1), ['<start>', 'Anna', 'has']).length; // = 3 */
export function likeliest(model, tokens) {
  checkModel('likeliest', model);
  checkArray('likeliest: tokens', tokens);
  for (const [i, token] of tokens.entries()) checkText(`likeliest: tokens[${i}]`, token);
  const run = model.forward({ target: vocabulary.encode(tokens) });
  try {
    const { data } = run.logits;
    const { size } = vocabulary;
    return tokens.map((_, position) => {
      const row = data.subarray(position * size, (position + 1) * size);
      return vocabulary.tokens[largestOf(`likeliest: position ${position}`, row)];
    });
  } finally {
    run.dispose();
  }
}
