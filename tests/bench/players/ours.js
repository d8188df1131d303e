// Glassformer, through its JavaScript binding: SIMD wasm.

import { player } from './player.js';

/** @typedef {import('../../../bindings/js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../../bindings/js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../../bindings/js/tape/tensor.js').Tensor} Tensor */

/** A tape, its leaves filled by name, run from its first node to its last; and the bytes of its plan.
 * @param {Glassformer} gf
 * @param {Record<string, { data: Float32Array }>} given @param {(tape: Tape) => Tensor} build
 * @param {{ reuse?: boolean }} [options] of the plan */
export function tape(gf, given, build, { reuse = false } = {}) {
  const t = gf.tape();
  const output = build(t);
  const { core } = t.block.engine;
  const bytes = core[reuse ? 'gf_plan_reuse' : 'gf_plan'](t.block.address, 0) >>> 0;
  t.plan({ reuse });
  for (const [name, { data }] of Object.entries(given)) t.find(name).data.set(data);
  const forward = player(() => t.forward(), {
    result: () => {
      t.forward();
      return /** @type {Float32Array} */ (output.data);
    },
    dispose: () => t.dispose(),
  });
  return { ...forward, bytes };
}
