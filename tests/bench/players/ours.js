// Glassformer, through its JavaScript binding: SIMD wasm.

import { player } from './player.js';

/** @typedef {import('../../../bindings/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../../bindings/tape.js').Tape} Tape */
/** @typedef {import('../../../bindings/tensor.js').Tensor} Tensor */

/** A tape, its leaves filled by name, run from its first node to its last.
 * @param {Glassformer} gf
 * @param {Record<string, { data: Float32Array }>} given @param {(tape: Tape) => Tensor} build */
export function tape(gf, given, build) {
  const t = gf.tape();
  const output = build(t);
  t.plan();
  for (const [name, { data }] of Object.entries(given)) t.find(name).data.set(data);
  return player(() => t.forward(), {
    result: () => {
      t.forward();
      return /** @type {Float32Array} */ (output.data);
    },
    dispose: () => t.dispose(),
  });
}
