// Cases from the tests of other libraries: an adapter per op, in the file's own words.
import { gradient } from './gradient.js';
import { losses } from './losses.js';
import { models } from './models.js';
import { ops } from './ops.js';
import { optimizers } from './optimizers.js';
import { positions } from './positions.js';
import { schedules } from './schedules.js';

/** An adapter gets the case and its file, and gives what is to be compared.
 * @typedef {(gf: any, given: any, content: any) => import('../folder.js').Pair[]} Adapter */

/** @type {Record<string, Adapter>} */
const adapters = { ...losses, ...models, ...ops, ...optimizers, ...positions, ...schedules };

/** @param {any} gf @param {any} given @param {any} content
 * @returns {import('../folder.js').Pair[]} */
export function goldPairs(gf, given, content) {
  const name = given.op ?? given.opt ?? given.model;
  if (name.startsWith('grad:')) return gradient(gf, given);
  const adapter = Object.hasOwn(adapters, name) && adapters[name];
  if (!adapter) throw new Error(`unknown op ${name}`);
  return adapter(gf, given, content);
}
