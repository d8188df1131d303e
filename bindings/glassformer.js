// What load() gives: tapes, traces, and every op on plain data.

import { attention } from './eager/attention.js';
import { elementwise } from './eager/elementwise.js';
import { losses } from './eager/losses.js';
import { moving } from './eager/moving.js';
import { numbers } from './eager/numbers.js';
import { positions } from './eager/positions.js';
import { products } from './eager/products.js';
import { rows } from './eager/rows.js';
import { models } from './model/index.js';
import { Tape } from './tape.js';
import { Trace } from './trace.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./trace.js').TraceOptions} TraceOptions */

/** What works on tapes.
 * @typedef {object} Makers
 * @property {() => Tape} tape an empty tape
 * @property {(example: string | Example, options?: TraceOptions) => Trace} trace a worked example by
 *   its name, or your own in the same form, with every step computed
 */

/** One core, ready to compute.
 * @typedef {Makers
 *   & ReturnType<typeof attention>
 *   & ReturnType<typeof elementwise>
 *   & ReturnType<typeof losses>
 *   & ReturnType<typeof models>
 *   & ReturnType<typeof moving>
 *   & ReturnType<typeof numbers>
 *   & ReturnType<typeof positions>
 *   & ReturnType<typeof products>
 *   & ReturnType<typeof rows>} Glassformer */

/** @param {Engine} engine
 * @returns {Glassformer} */
export function glassformer(engine) {
  /** @type {Glassformer} */
  const gf = {
    tape: () => new Tape(engine),
    trace: (example, options) => new Trace(gf, example, options),
    ...attention(engine),
    ...elementwise(engine),
    ...losses(engine),
    ...models(engine),
    ...moving(engine),
    ...numbers(engine),
    ...positions(engine),
    ...products(engine),
    ...rows(engine),
  };
  return gf;
}
