// The error function.

import { called } from './kit/captions.js';
import { single } from './kit/cells.js';
import { single as singleSide } from './kit/derivations.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The error function.
   * @param {Tensor} x @param {string} name */
  erf(x, name) {
    return this.push('erf', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** The error function.
   * @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.erf([0, 1]); // = [0, 0.8427] */
  erf: (x) => each('erf', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => singleSide(notation, (x) => notation.call('erf', x));

/** @type {import('./kit/page.js').Caption} */
export const caption = called;

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ x }) => [`the error function of ${valued(x)}`];
