// Parameters stored in few bits, for entries whose core has them.

import { StoredMatrix } from './matrix.js';
import { StoredTape } from './tape.js';

/** @param {import('../runtime/engine.js').Engine} engine */
export const stored = (engine) => ({
  /** Memory for a matrix of parameters as a file stores it, in 2 bytes a number or less: so many rows of columns, as
   * PyTorch has them, [out,in]. Products compute with exactly the numbers that the bytes stand for, in float32.
   * @param {{ type: import('./matrix.js').StoredType, rows: number, columns: number }} options */
  stored: (options) => new StoredMatrix(engine, options),

  /** An empty tape, whose parameters may be stored: see bindStored. */
  tape: () => new StoredTape(engine),
});
