// The sentences of errors about stored parameters, and what throws with them.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  storedBytes: 'expected an ArrayBuffer or a view of one',
  storedDisposed: 'the stored matrix is disposed of',
  storedTooLarge: '{rows} rows of {columns} numbers exceed the memory of WebAssembly',
  storedBlocks: '{type} stores {block} numbers together, received {columns} columns',
  storedRows: 'expected whole rows of {row} bytes, received {n} bytes',
  storedRowsLeft: 'expected rows up to {rows}, received {count} from row {first} on',
  storedFloats: '{type} has no integers to multiply: expected arithmetic "exact"',
  storedShape: 'expected a matrix of {expected}, received one of {shape}',
  inFewBits: 'this parameter is stored in few bits: read it by tensor.stored',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
