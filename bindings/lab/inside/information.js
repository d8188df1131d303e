// How much of each value a weighted sum lets through, as information.

import { checkArray, checkReal, TINY } from '../../js/base/errors.js';
import { MAX_FLOAT32 } from '../../js/eager/numbers.js';

/** The mutual information of a weighted sum and each of its values, in bits. The values are taken as independent normal
 * numbers of variance 1, and the sum as read with normal noise: a Gaussian channel (Shannon 1948), with
 * I = 1/2 log2((sum of all a^2 + noise) / (the same without a_j^2)).
 * @param {ArrayLike<number>} weights a row of attention weights @param {number} [noise] its variance, 0.01 by default
 * @returns {number[]} one for each value
 * @example
 * import { information } from 'glassformer/inside';
 *
 * information([0.02, 0.87, 0.11]); // = [0.0004, 2.5572, 0.0113] */
export function information(weights, noise = 0.01) {
  const row = ArrayBuffer.isView(weights) ? Array.from(/** @type {any} */ (weights)) : weights;
  checkArray('information: weights', row);
  checkReal('information: noise', noise, TINY, MAX_FLOAT32);
  const powers = Array.from(row, (weight, j) => {
    return checkReal(`information: weights[${j}]`, weight, -MAX_FLOAT32, MAX_FLOAT32) ** 2;
  });
  /* Of those behind each one. */
  const behind = powers.slice();
  for (let j = behind.length - 2; j >= 0; j--) behind[j] += behind[j + 1];
  let before = noise;
  return powers.map((power, j) => {
    const others = before + (behind[j + 1] ?? 0);
    before += power;
    return Math.log2((others + power) / others) / 2;
  });
}
