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

/** What else `claim` of a state can open: not what breaks, but how soft or hard a look-up attention is. */
export const SHARPNESS = 'sharpness';
