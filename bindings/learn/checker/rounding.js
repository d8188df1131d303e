// How strictly a text has to round its numbers.

/** lenient: numbers that are cut off, or computed from rounded ones, are noted; strict: they are wrong. */
export const ROUNDINGS = /** @type {const} */ (['lenient', 'strict']);

/** @typedef {typeof ROUNDINGS[number]} Rounding */
