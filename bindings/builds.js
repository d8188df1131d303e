// The two builds as parts of the JavaScript: no file to serve.

import { packed } from './generated/simd.js';
import { unpacked } from './runtime/unpack.js';

/** @typedef {import('./runtime/engine.js').Builds} Builds */

/** @type {Builds} */
export const inlined = {
  simd: async () => ({ bytes: await unpacked(packed) }),
  scalar: async () => ({ bytes: await unpacked((await import('./generated/scalar.js')).packed) }),
};
