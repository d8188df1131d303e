// Reading many tokens at once: each weight is read, and made of its block, once for all of them. The keys and values
// have the bits that they have token by token.

import { valuesOf } from '../tape/tensor.js';
import { reads } from './config/architecture.js';
import { cachesOf, copyCaches, Decoder } from './decode/decoder.js';
import { forwardInSlices } from './slices.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
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
  count >= MIN_AT_ONCE &&
  decoder instanceof Decoder &&
  !reads(config, 'source') &&
  (!decoder.length || goesOn(config));

/** Whether tokens behind others can be read at once.
 * @param {Config} config */
export const goesOn = (config) => !reads(config, 'source') && !windowOf(config);

/** How many tokens some layers see, or 0. @param {Config} config
 * @returns {number} */
const windowOf = (config) => /** @type {{ window?: number }} */ (config).window ?? 0;

/** A tape for tokens that begin a text. @param {Decoder} decoder @param {number} length */
const first = ({ size, fused }, length) => ({ size, target: length, fused });

/** One for tokens that go on. @param {Decoder} decoder @param {number} length */
export const later = (decoder, length) => ({
  ...{ ...first(decoder, length), capacity: decoder.room.capacity },
  ...{ padded: true, masked: true },
});

/** Writes what a tape of `later` needs besides the tokens.
 * @param {Tape} tape @param {Decoder} decoder @param {number} length
 * @param {number} [whole] tokens whose keys and values it has from an earlier run */
export function goOn(tape, decoder, length, whole = 0) {
  const { caches, capacity } = decoder.room;
  const before = decoder.length;
  copyCaches(caches, cachesOf(tape), before, whole);
  valuesOf(tape.find('at'))[0] = before;
  valuesOf(tape.find('target.lengths')).fill(before + length);
  const positions = tape.nodes.find(({ name }) => name === 'target.positions');
  if (positions) valuesOf(positions).set(Array.from({ length }, (_, i) => before + i));
  const mask = valuesOf(tape.find('target.mask'));
  for (let row = 0; row * capacity < mask.length; row++) {
    const seen = before + (row % length) + 1;
    mask.fill(0, row * capacity, row * capacity + seen);
    mask.fill(Number.NEGATIVE_INFINITY, row * capacity + seen, (row + 1) * capacity);
  }
}

/** Feeds as many tokens to each sequence of a decoder. Pauses between slices of the work, and tells which part is done.
 * @param {Weights} weights of a model without a source
 * @param {Decoder} decoder @param {readonly (readonly number[])[]} rows
 * @returns {Generator<number, void>} */
export function* readPrompt(weights, decoder, rows) {
  const [{ length }] = rows;
  const { remove } = decoder.config;
  const before = decoder.length;
  if (before + length > decoder.room.capacity) decoder.grow(2 * (before + length));
  const made = decoder.room.caches.map(({ inputs: [keys] }) => /** @type {Tensor} */ (keys).name);
  const tape = weights.tape((before ? later : first)(decoder, length), {
    changes: { ...BODY, remove },
    keep: ({ nodes }) => {
      const kept = nodes.filter(({ name }) => decoder.kept.includes(name));
      return [...(before ? [] : made), ...kept];
    },
  });
  try {
    if (before) goOn(tape, decoder, length);
    valuesOf(tape.find('target')).set(rows.flat());
    const behind = decoder.hooked?.behind(tape, decoder.origin + before, length);
    yield* forwardInSlices(tape, undefined, behind);
    const from = before ? cachesOf(tape) : made.map((name) => tape.find(name));
    copyCaches(from, decoder.room.caches, before + length);
    decoder.length = before + length;
  } finally {
    tape.dispose();
  }
}
