// Formulas and sentences that sinusoidal and rotary positions share.

import { angle } from './derivations.js';

/** cos or sin of an angle: a position, turned at the speed of its pair of channels.
 * @param {import('./page.js').Notation} notation @param {string} names of the functions
 * @param {(step: import('./page.js').Step) => unknown} widthOf
 * @returns {import('./page.js').Side} */
export function sinusoid(notation, names, widthOf) {
  const { mathml, plainNumber, call } = notation;
  return {
    symbols: (step) => {
      const width = Number(widthOf(step));
      return call(names, angle(notation, mathml`<mi>p</mi>`, mathml`<mn>2</mn><mi>i</mi>`, width));
    },
    indices: ({ fn, pair, position }, _, step) => {
      const [p, even] = [mathml`<mn>${position}</mn>`, mathml`<mn>${2 * pair}</mn>`];
      return [call(fn, angle(notation, p, even, Number(widthOf(step))))];
    },
    numbers: ({ fn, angle }) => [call(fn, plainNumber(angle))],
  };
}

/** @type {import('./page.js').Caption} */
export const sinusoidCaption =
  ({ plain }) =>
  ({ fn, angle }) => ['sinusoid', { fn, angle: plain(angle) }];

/** @type {import('./page.js').Lines} */
export const sinusoidLines =
  () =>
  ({ position, angle, fn, pair }) => [
    `${fn}(${angle}), position ${position} turned by pair ${pair}`,
  ];
