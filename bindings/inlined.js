// The core as a part of the JavaScript: no file to serve.

import { packed } from './generated/simd.js';
import { unpacked } from './runtime/unpack.js';

/** @type {import('./runtime/engine.js').Build} */
export const inlined = async () => ({ bytes: await unpacked(packed) });
