// What load() gives: tapes, models, and every op on plain data.

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

/** @typedef {import('./engine.js').Engine} Engine */

/** What works on tapes.
 * @typedef {object} Makers
 * @property {() => Tape} tape an empty tape
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
  return {
    tape: () => new Tape(engine),
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
}
