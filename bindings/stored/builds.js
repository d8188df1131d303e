// The core that has stored parameters, in its two builds, as parts of the JavaScript.

import { packed } from '../generated/models-simd.js';
import { unpacked } from '../runtime/unpack.js';

/** @type {import('../runtime/engine.js').Builds} */
export const inlined = {
  simd: async () => ({ bytes: await unpacked(packed) }),
  scalar: async () => ({
    bytes: await unpacked((await import('../generated/models-scalar.js')).packed),
  }),
};
