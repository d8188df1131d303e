// The sentences of errors about stored parameters, and what throws with them: those of the core, too.

import { sentences } from '../base/errors.js';
import { TEXTS as ofAll } from '../generated/sentences.js';
import { TEXTS as ofCore } from '../generated/stored-sentences.js';

/** What the core says, in the order of its numbers. */
export const OF_CORE = { ...ofAll, ...ofCore };

export const TEXTS = /** @type {const} */ ({
  ...ofCore,
  storedBytes: 'expected an ArrayBuffer or a view of one',
  storedMatrix: 'expected what stored() gives',
  storedDisposed: 'the stored matrix is disposed of',
  storedTooLarge: '{rows} rows of {columns} numbers exceed the memory of WebAssembly',
  storedBlocks: '{type} stores {block} numbers together, received {columns} columns',
  storedRows: 'expected whole rows of {row} bytes, received {n} bytes',
  storedRowsLeft: 'expected rows up to {rows}, received {count} from row {first} on',
  storedShape: 'expected a matrix of {expected}, received one of {shape}',
  inFewBits: 'this parameter is stored in few bits: read it by tensor.stored',
  storedNot: '"{name}" is not stored',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
