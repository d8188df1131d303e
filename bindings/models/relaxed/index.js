// The entry whose core multiplies and adds in one step, glassformer/relaxed: faster, and with bits of its own on each kind
// of machine.

import { start } from '../../js/runtime/engine.js';
import { unpacked } from '../../js/runtime/unpack.js';
import { opener } from '../opener.js';
import { failure } from './texts.js';

/** @typedef {import('../opener.js').ModelOpener} ModelOpener */

/** A module whose one function calls f32x4.relaxed_madd: valid where there is relaxed SIMD. */
const PROBE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, 0x03,
  0x02, 0x01, 0x00, 0x0a, 0x13, 0x01, 0x11, 0x00, 0x41, 0x00, 0xfd, 0x11, 0x41, 0x00, 0xfd, 0x11,
  0x41, 0x00, 0xfd, 0x11, 0xfd, 0x85, 0x02, 0x0b,
]);

/** What goes with every number of this core. */
const LABEL = 'fast, not bit-reproducible';

/**
 * @typedef {object} Labelled
 * @property {string} label what to write beside its numbers: 'fast, not bit-reproducible' */

/** What load() gives, and a label for its numbers.
 * @typedef {ModelOpener & Labelled} Relaxed */

/** The core for relaxed SIMD, for load({ core: relaxed() }). Matrix products and attention are faster than with
 * the usual one. Where the processor has a fused multiply-add, their sums are rounded once for each term instead of
 * twice, so other machines give other last digits. load() rejects with a GlassformerError, GF_EMODULE, where the engine has
 * no relaxed SIMD.
 * @returns {import('../../js/runtime/engine.js').Core<Labelled>}
 * @example
 * import { load } from 'glassformer';
 * import { relaxed } from 'glassformer/cores';
 *
 * const gf = await load({ core: relaxed() }).catch(({ code }) => code);
 * gf === 'GF_EMODULE' || gf.label === 'fast, not bit-reproducible'; // = true */
export const relaxed = () => async () => {
  if (!WebAssembly.validate(PROBE)) throw failure('GF_EMODULE', 'noRelaxed', { where: 'load' });
  const build = async () => ({
    bytes: await unpacked((await import('../../generated/relaxed.js')).packed),
  });
  return Object.assign(await start(build), { beside: { label: LABEL } });
};

/** Compiles the core for relaxed SIMD, and gives its functions.
 * @deprecated goes in 2.0; use load({ core: relaxed() }) of glassformer, with relaxed of glassformer/cores
 * @returns {Promise<Relaxed>}
 * @example
 * import { load } from 'glassformer/relaxed';
 *
 * const gf = await load().catch(({ code }) => code);
 * gf === 'GF_EMODULE' || gf.label === 'fast, not bit-reproducible'; // = true */
export async function load() {
  const engine = /** @type {import('../../js/runtime/engine.js').Engine} */ (await relaxed()());
  return /** @type {Relaxed} */ (opener(engine));
}
