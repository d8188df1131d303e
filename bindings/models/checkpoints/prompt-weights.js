// Parameters of models that are large: a prompt is read in one pass, not token by token.

import { readPrompt, readsAtOnce } from '../../js/model/prompt.js';
import { Weights } from '../../js/model/weights.js';

export class PromptWeights extends Weights {
  /** @override
   * @param {Parameters<Weights['read']>[0]} decoder @param {readonly number[]} tokens @param {number} [size]
   * @returns {Generator<null, void>} */
  *read(decoder, tokens, size = 1) {
    if (!readsAtOnce(this.config, decoder, tokens.length)) {
      yield* super.read(decoder, tokens, size);
      return;
    }
    const rows = Array(size).fill(tokens);
    for (const _ of readPrompt(this, decoder, rows)) yield null;
  }
}
