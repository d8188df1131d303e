// The options of load() for each build of the core whose bits are the same. The one without SIMD is for tests alone:
// the package does not hold it.

import { readFileSync } from 'node:fs';

const scalar = new URL('../../build/wasm/glassformer-scalar.wasm', import.meta.url);

/** @type {Record<string, import('../../bindings/js/runtime/engine.js').LoadOptions>} */
export const BUILDS = { simd: {}, scalar: { module: readFileSync(scalar) } };
