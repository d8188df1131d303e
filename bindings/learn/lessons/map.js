// The boxes of the map above a lesson's picture: the path from tokens to the next word, and what later lessons add to it.

/** The path itself, in order. */
export const BOXES = /** @type {const} */ ([
  'x',
  'q',
  'k',
  'v',
  'scores',
  'scale',
  'softmax',
  'weights',
  'blend',
  'output',
  'next',
]);
/** What grows on it. */
export const GROWTHS = /** @type {const} */ (['positions', 'heads', 'norm', 'layers', 'decoder']);

/** @typedef {typeof BOXES[number] | typeof GROWTHS[number]} Box */
/** Where a scene has no map yet. */
export const NONE = 'none';
