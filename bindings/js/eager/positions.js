// Where a token stands: sinusoids, rotations, linear biases.

import { checkInteger, checkOptions } from '../base/errors.js';
import { INT32 } from '../base/values.js';
import { answer, ids, values } from './read.js';
import { apply, call, run } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('./forms.js').Like<V>} Like */
/** @template V @template {0[]} R @typedef {import('./forms.js').Form<V, R>} Form */
/** @template V @typedef {import('./forms.js').Rank<V>} Rank */

/** Turns the heads of rows, if there are several, each by itself.
 * @param {import('../tape/tape.js').Tape} tape
 * @param {Record<string, import('../tape/tensor.js').Tensor>} leaves
 * @param {{ heads?: number, interleaved?: boolean }} attributes */
function turn(tape, { x, rotation }, { heads, interleaved }) {
  const apart = heads === undefined ? x : tape.splitHeads(x, heads, 'x.heads');
  const turned = tape.rope(apart, rotation, { interleaved }, 'turned');
  return { y: heads === undefined ? turned : tape.concatHeads(turned, 'y') };
}

/** @param {Engine} engine */
export const positions = (engine) => ({
  /** Sinusoidal position encoding: sine and cosine in turns, or with `halves` all sines first.
   * @template {Values} V
   * @param {V} positions @param {number} channels @param {{ halves?: boolean }} [options]
   * @returns {Form<V, [0, ...Rank<V>]>}
   * @example
   * gf.position([0, 1], 2); // = [[0, 1], [0.8415, 0.5403]] */
  position: (positions, channels, options = {}) =>
    apply(engine, 'position', { positions }, channels, options),

  /** Cosines and sines of rotary positions, [...,dimensions/2,2], for rope.
   * @template {Values} V
   * @param {V} positions @param {number} dimensions @param {number} [base] 10000 by default
   * @returns {Form<V, [0, 0, ...Rank<V>]>}
   * @example
   * gf.rotation([1], 2); // = [[[0.5403, 0.8415]]] */
  rotation: (positions, dimensions, base = 10000) =>
    apply(engine, 'rotation', { positions }, dimensions, base),

  /** Turns each pair of a row by its position's angle.
   * @template {Values} V
   * @param {V} x [T,D], [H,T,D] or [B,H,T,D]; with heads, [T,H*D] or [B,T,H*D]
   * @param {Values} rotation [T,R/2,2], or [B,T,R/2,2]; what lies past R is passed through
   * @param {{ interleaved?: boolean, heads?: number }} [options] interleaved: the pairs are
   *   neighbours; else one half of the row is paired with the other
   * @returns {Like<V>}
   * @example
   * gf.rope([[1, 0]], gf.rotation([1], 2)); // = [[0.5403, 0.8415]] */
  rope(x, rotation, options = {}) {
    checkOptions('rope', options, ['interleaved', 'heads']);
    const { heads, interleaved } = options;
    if (heads !== undefined) checkInteger('rope: heads', heads, 1, INT32);
    const operands = { x: values('rope: x', x), rotation: values('rope: rotation', rotation) };
    const { y } = run(engine, 'rope', operands, { heads, interleaved }, turn);
    return answer(operands.x, y);
  },

  /** Subtracts from each score its distance times the head's ALiBi slope.
   * @template {Values} V
   * @param {V} scores [...,H,Tq,Tk] @param {{ offset?: number }} [options] offset: how many keys come
   *   before the first query, 0 by default
   * @returns {Like<V>}
   * @example
   * gf.alibi([[[0, 0], [0, 0]]]); // = [[[0, -0.0039], [-0.0039, 0]]] */
  alibi(scores, options = {}) {
    checkOptions('alibi', options, ['offset']);
    const { offset = 0 } = options;
    const operands = { x: values('alibi: x', scores), at: ids('alibi: offset', [offset]) };
    return answer(operands.x, call(engine, 'alibi', operands));
  },
});
