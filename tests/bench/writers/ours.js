// A language model of ours that writes greedily, here and in a page.

import { generateTokens } from '../../../bindings/models/text/index.js';
import { load, openCheckpoint } from '../../../bindings/models.js';

/** Whoever writes: the milliseconds from the call to the first token, and from that to the last one.
 * @typedef {(prompt: string, tokens: number) => Promise<{ first: number, rest: number }>} Write */

/** Times the tokens of a stream.
 * @param {AsyncIterable<unknown>} stream @param {() => number} now */
export async function timed(stream, now) {
  const begin = now();
  let first = 0;
  for await (const _ of stream) first ||= now();
  return { first: first - begin, rest: now() - first };
}

/** @param {import('../../../bindings/models.js').FileLike} file
 * @param {import('../../../bindings/models/checkpoints/open.js').ModelOptions} options @param {() => number} now
 * @param {import('../../../bindings/models/text/index.js').TokenOptions} [more] of the generation
 * @returns {Promise<Write>} */
export async function writer(file, options, now, more = {}) {
  const gf = await load();
  const checkpoint = /** @type {import('../../../bindings/models.js').Checkpoint} */ (
    await openCheckpoint(file)
  );
  const model = await gf.openModel(checkpoint, options);
  return (prompt, maxNewTokens) => {
    const ids = checkpoint.tokenizer?.encode(prompt) ?? [];
    const greedy = { maxNewTokens, temperature: 0, stopTokens: [], ...more };
    return timed(generateTokens(/** @type {any} */ (model), ids, greedy), now);
  };
}
