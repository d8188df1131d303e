// The two builds as parts of the JavaScript: no file to serve.

import { deflated } from './generated/simd.js';
import { inflate } from './inflate.js';

/** @typedef {import('./engine.js').Builds} Builds */

/** The builds that were decoded: the next load has them at once.
 * @type {WeakMap<object, Uint8Array<ArrayBuffer>>} */
const decoded = new WeakMap();

/** @param {{ size: number, base64: string }} deflated */
function decode(deflated) {
  const before = decoded.get(deflated);
  if (before) return before;
  const text = atob(deflated.base64);
  const bytes = new Uint8Array(text.length).map((_, at) => text.charCodeAt(at));
  const wasm = inflate(bytes, deflated.size);
  decoded.set(deflated, wasm);
  return wasm;
}

/** @type {Builds} */
export const inlined = {
  simd: async () => ({ bytes: decode(deflated) }),
  scalar: async () => ({ bytes: decode((await import('./generated/scalar.js')).deflated) }),
};
