// Values that the caller writes.

/** @type {import('./kit/cells.js').Story} */
export const story = () => ({});
