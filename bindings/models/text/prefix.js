// The keys and values of the text that a model read last stay, for a text that begins like it: a prompt that grew, a
// question that was edited. A session keeps those of its own text.

import { Decoder } from '../../js/model/decode/decoder.js';

/** @typedef {import('../../js/model/weights.js').Weights} Weights */
/** @typedef {import('../../js/model/decode/reader.js').Reader} Reader */

/** More bytes of keys and values are not kept. */
export const MAX_BYTES = 2 ** 28;

/** isOver: whether its memory was given back.
 * @typedef {{ decoder: Decoder, tokens: number[], trained: number, isOver: boolean, dispose: () => boolean }} Prefix */

/** What is kept for a model, or for a session with it, and goes with either of them.
 * @type {WeakMap<object, Prefix>} */
const prefixes = new WeakMap();

/** Frees what is kept.
 * @param {object} keeper a model's weights, or a session */
export function dropPrefix(keeper) {
  prefixes.get(keeper)?.dispose();
  prefixes.delete(keeper);
}

/** @param {Decoder} decoder */
const bytesOf = ({ room }) => room.caches.reduce((sum, { size }) => sum + 4 * size, 0);

/** How many bytes of keys and values are kept.
 * @param {object} keeper */
export function prefixBytes(keeper) {
  const prefix = prefixes.get(keeper);
  return prefix && !prefix.isOver ? bytesOf(prefix.decoder) : 0;
}

/** What frees a prefix: with its model, when memory is full, or by its keeper. It keeps none of them alive; gives whether
 * there was something to free.
 * @param {Prefix} prefix @param {Weights} weights
 * @returns {() => boolean} */
function disposing(prefix, weights) {
  const [held, owner] = [new WeakRef(prefix), new WeakRef(weights)];
  const { reclaimers } = weights.engine.heap;
  const dispose = () => {
    const alive = held.deref();
    reclaimers.delete(dispose);
    owner.deref()?.resources.delete(resource);
    if (!alive || alive.isOver) return false;
    alive.isOver = true;
    alive.decoder.dispose();
    return true;
  };
  const resource = { dispose };
  weights.resources.add(resource);
  reclaimers.add(dispose);
  return dispose;
}

/** Keeps what a decoder read, unless parameters may change unseen: live views of them were given out, or those below
 * adapters.
 * @param {object} keeper @param {Weights} weights @param {Reader | Decoder} decoder no longer used by anything else
 * @param {number[]} tokens that it was fed, as many as are whole */
export function keepPrefix(keeper, weights, decoder, tokens) {
  dropPrefix(keeper);
  const isKept =
    decoder instanceof Decoder &&
    tokens.length > 0 &&
    !weights.shown &&
    !weights.adapts &&
    bytesOf(decoder) <= MAX_BYTES;
  if (!isKept) {
    decoder.dispose();
    return;
  }
  const { trained } = weights;
  /** @type {Prefix} */
  const prefix = { decoder, tokens, trained, isOver: false, dispose: () => false };
  prefix.dispose = disposing(prefix, weights);
  prefixes.set(keeper, prefix);
}

/** Lets a decoder that was fed nothing go on from what is kept; gives how many tokens that spares. The last token of a
 * prompt is not among them: its scores are wanted.
 * @param {object} keeper @param {Weights} weights @param {Reader | Decoder} decoder @param {readonly number[]} prompt */
export function resumePrefix(keeper, weights, decoder, prompt) {
  const prefix = prefixes.get(keeper);
  if (!prefix || prefix.isOver || !(decoder instanceof Decoder)) return 0;
  const { tokens, trained } = prefix;
  if (trained !== weights.trained || weights.shown) return 0;
  const most = Math.min(tokens.length, prompt.length - 1, decoder.room.capacity);
  let shared = 0;
  while (shared < most && tokens[shared] === prompt[shared]) shared++;
  if (shared) decoder.resume(prefix.decoder, shared);
  dropPrefix(keeper);
  return shared;
}
