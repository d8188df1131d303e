// Captions that several ops share.

/** @typedef {import('./page.js').Caption} Caption */

/** Of a function of one number.
 * @type {Caption} */
export const called =
  ({ number }) =>
  ({ op, x }) => ['call', { fn: op, x: number(x) }];

/** Of x times a share of it.
 * @type {Caption} */
export const gated =
  ({ number, plain }) =>
  ({ x, share }) => ['gated', { x: number(x), share: plain(share) }];
