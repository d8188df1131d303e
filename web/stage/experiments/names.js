/** The claims that can be tested, by the names of what is removed. */
export const CLAIMS = /** @type {const} */ ([
  'embedding',
  'positions',
  'projections',
  'scores',
  'scale',
  'mask',
  'softmax',
  'mix',
  'w_o',
  'residual',
  'norm',
]);
