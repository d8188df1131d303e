// Reading many tokens at once: each weight is read, and made of its block, once for all of them. The keys and values
// have the bits that they have token by token.

import { valuesOf } from '../tape/tensor.js';
import { reads } from './config/architecture.js';
import { Decoder } from './decode/decoder.js';
import { forwardInSlices } from './slices.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./weights.js').Weights} Weights */

/** Fewer tokens are read one by one: a tape for all of them takes as long to make. */
const MIN_AT_ONCE = 4;

/** Nothing behind the last layer: no logits are needed. */
const BODY = /** @type {const} */ ({ head: 'none', pooler: false, prediction: false });

/** Whether so many tokens can be read at once, and are worth it. Without a mask nothing is kept; a source is another input.
 * @param {Config} config @param {Decoder | import('./decode/reader.js').Reader} decoder @param {number} count
 * @returns {decoder is Decoder} */
export const readsAtOnce = (config, decoder, count) =>
  count >= MIN_AT_ONCE && decoder instanceof Decoder && !reads(config, 'source');

/** Feeds as many tokens to each sequence of a decoder that was fed none yet. Pauses between slices of the work, and tells
 * which part is done.
 * @param {Weights} weights @param {Config} config of a model without a source
 * @param {Decoder} decoder @param {readonly (readonly number[])[]} rows
 * @returns {Generator<number, void>} */
export function* readPrompt(weights, { remove }, decoder, rows) {
  const [{ length }] = rows;
  if (length > decoder.room.capacity) decoder.grow(2 * length);
  const names = decoder.room.caches.map(({ inputs: [made] }) => /** @type {Tensor} */ (made).name);
  const tape = weights.tape(
    { size: rows.length, target: length, fused: true },
    { changes: { ...BODY, remove }, keep: () => names },
  );
  try {
    valuesOf(tape.find('target')).set(rows.flat());
    yield* forwardInSlices(tape);
    decoder.take(names.map((name) => tape.find(name)));
    decoder.length = length;
  } finally {
    tape.dispose();
  }
}
