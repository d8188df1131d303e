// The keys and values of the text that a model read last stay, for a text that begins like it: the next turn of a chat, a
// prompt that grew, a question that was edited.

import { Decoder } from '../../js/model/decode/decoder.js';

/** @typedef {import('../../js/model/weights.js').Weights} Weights */

/** More bytes of keys and values are not kept. */
const MAX_BYTES = 2 ** 28;

/** @typedef {{ decoder: Decoder, tokens: number[], trained: number, dispose: () => void }} Prefix */

/** @type {WeakMap<Weights, Prefix>} */
const prefixes = new WeakMap();

/** @param {Weights} weights */
function drop(weights) {
  const prefix = prefixes.get(weights);
  if (!prefix) return false;
  prefixes.delete(weights);
  weights.resources.delete(prefix);
  prefix.dispose();
  return true;
}

/** Does not keep a model from being collected. @param {WeakRef<Weights>} weights */
const reclaimer = (weights) => () => {
  const alive = weights.deref();
  return alive !== undefined && drop(alive);
};

/** Keeps what a decoder read, unless parameters may change unseen: live views of them were given out, or those below
 * adapters.
 * @param {Weights} weights @param {import('../../js/model/decode/reader.js').Reader | Decoder} decoder no longer used by
 *   anything else @param {number[]} tokens that it was fed, as many as are whole */
export function keepPrefix(weights, decoder, tokens) {
  drop(weights);
  const isKept =
    decoder instanceof Decoder &&
    tokens.length > 0 &&
    !weights.shown &&
    !weights.adapts &&
    decoder.room.caches.reduce((sum, { size }) => sum + 4 * size, 0) <= MAX_BYTES;
  if (!isKept) {
    decoder.dispose();
    return;
  }
  const { reclaimers } = weights.engine.heap;
  const reclaim = reclaimer(new WeakRef(weights));
  const dispose = () => {
    reclaimers.delete(reclaim);
    decoder.dispose();
  };
  const prefix = { decoder, tokens, trained: weights.trained, dispose };
  prefixes.set(weights, prefix);
  weights.resources.add(prefix);
  reclaimers.add(reclaim);
}

/** Lets a decoder that was fed nothing go on from what is kept; gives how many tokens that spares. The last token of a
 * prompt is not among them: its scores are wanted.
 * @param {Weights} weights @param {import('../../js/model/decode/reader.js').Reader | Decoder} decoder
 * @param {readonly number[]} prompt */
export function resumePrefix(weights, decoder, prompt) {
  const prefix = prefixes.get(weights);
  if (!prefix || !(decoder instanceof Decoder)) return 0;
  const { tokens, trained } = prefix;
  if (trained !== weights.trained || weights.shown) return 0;
  const most = Math.min(tokens.length, prompt.length - 1, decoder.room.capacity);
  let shared = 0;
  while (shared < most && tokens[shared] === prompt[shared]) shared++;
  if (shared) decoder.resume(prefix.decoder, shared);
  drop(weights);
  return shared;
}
