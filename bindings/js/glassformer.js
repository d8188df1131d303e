// What load() gives: tapes, models, and every op on plain data.

import { eager } from '../generated/ops.js';
import { typeError } from './base/errors.js';
import { attention } from './eager/attention.js';
import { kit } from './eager/kit.js';
import { losses } from './eager/losses.js';
import { moving } from './eager/moving.js';
import { numbers } from './eager/numbers.js';
import { positions } from './eager/positions.js';
import { products } from './eager/products.js';
import { rows } from './eager/rows.js';
import { softmax } from './eager/softmax.js';
import { models } from './model/index.js';
import { Tape } from './tape/tape.js';

/** @typedef {import('./runtime/engine.js').Engine} Engine */

/** @param {Engine} engine */
const tapes = (engine) => ({
  /** An empty tape.
   * @example
   * const tape = gf.tape();
   * const x = tape.input('x', [1, 2]);
   * const y = tape.softmax(x, 'y');
   * tape.plan();
   * x.set([[0, Math.log(3)]]);
   * tape.forward();
   * y.toArray(); // = [[0.25, 0.75]]
   * tape.backward(y, [[1, 0]]);
   * x.grad; // = { 0: 0.1875, 1: -0.1875 }
   * tape.dispose(); */
  tape: () => new Tape(engine),
});

/** One core, ready to compute.
 * @typedef {ReturnType<typeof attention>
 *   & import('../generated/ops.js').Eager
 *   & ReturnType<typeof losses>
 *   & ReturnType<typeof models>
 *   & ReturnType<typeof moving>
 *   & ReturnType<typeof numbers>
 *   & ReturnType<typeof positions>
 *   & ReturnType<typeof products>
 *   & ReturnType<typeof rows>
 *   & ReturnType<typeof softmax>
 *   & ReturnType<typeof tapes>} Glassformer */

/** What each load() gave computes with.
 * @type {WeakMap<object, Engine>} */
const engines = new WeakMap();

/** The engine of what load() gave.
 * @param {string} where @param {unknown} gf
 * @returns {Engine} */
export function engineOf(where, gf) {
  const engine = engines.get(Object(gf));
  if (engine) return engine;
  throw typeError('loaded', { where, given: gf });
}

/** @param {Engine} engine
 * @returns {Glassformer} */
export function glassformer(engine) {
  const gf = {
    ...attention(engine),
    ...eager(kit(engine)),
    ...losses(engine),
    ...models(engine),
    ...moving(engine),
    ...numbers(engine),
    ...positions(engine),
    ...products(engine),
    ...rows(engine),
    ...softmax(engine),
    ...tapes(engine),
  };
  engines.set(gf, engine);
  return Object.defineProperties(gf, Object.getOwnPropertyDescriptors(engine.beside));
}
