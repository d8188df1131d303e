// Values that the caller writes; or a stored parameter, whose numbers are made of its blocks.

/** @type {import('./kit/cells.js').Story} */
export const story = ({ step: { stored }, index }) =>
  stored ? { weight: stored.weight(index) } : {};
