// The core as a part of the JavaScript: no file to serve. Entries import it first, so that it begins a bundle: gzip packs
// it best where no other code lies in the same blocks.

import { packed } from '../generated/simd.js';
import { unpacked } from './runtime/unpack.js';

/** @type {import('./runtime/engine.js').Build} */
export const core = async () => ({ bytes: await unpacked(packed) });
