// What the claims share: seeded inputs of random numbers, and what is measured in what the core computes of them.

/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {Record<string, number>} Measures by the name of their plot */
/** The core, the functions that compute an example and a model, and the first seed.
 * @typedef {{
 *   core: any, trace: (example: any, options: { remove: any[] }) => Trace,
 *   traceModel: typeof import('../../app/session.js').traceModel, seed: number,
 * }} Lab */
/**
 * What is measured, and what of it the claim says.
 * @typedef {{
 *   axis: 'linear' | 'log', shows: (intact: number, removed: number, place: number) => boolean,
 * }} Quantity
 * axis: how it is divided in a plot.
 * shows: whether what one seed gave at a place is as the claim says.
 */
/**
 * @typedef {{
 *   places: number[], plots: Record<string, Quantity>,
 *   measure: (lab: Lab, place: number, remove: string[], attention?: Record<string, unknown>) => Measures,
 *   instead?: (place: number) => Record<string, unknown>,
 * }} Claim
 * instead: what an attention has in place of what is removed, for a third curve.
 * places: where it is measured, from left to right.
 */

/** Numbers with variance 1. */
export const UNIT = Math.sqrt(3);

/** @param {Lab} lab @param {number[]} shape */
export const numbers = ({ seed }, ...shape) => ({
  shape,
  uniform: { seed, low: -UNIT, high: UNIT },
});

/** A square of weights that keeps the variance.
 * @param {Lab} lab @param {number} rows @param {number} columns */
export function weights({ seed }, rows, columns) {
  const high = Math.sqrt(3 / rows);
  return { shape: [rows, columns], uniform: { seed, low: -high, high } };
}

/** Embeddings of words, and the weights of their projections.
 * @param {Lab} lab @param {number} words @param {number} channels */
export const projected = (lab, words, channels) => ({
  x: numbers(lab, words, channels),
  w_q: weights(lab, channels, channels),
  w_k: weights(lab, channels, channels),
  w_v: weights(lab, channels, channels),
});

/** Computes an attention on inputs, reads something of its trace, and gives the memory back.
 * @template T
 * @param {Lab} lab @param {string[]} remove @param {Record<string, unknown>} inputs @param {(trace: Trace) => T} read
 * @param {Record<string, unknown>} [attention]
 * @returns {T} */
export function traced(lab, remove, inputs, read, attention = {}) {
  const words = { name: 'claim', title: '', source: '', about: '' };
  const trace = lab.trace({ ...words, attention, inputs }, { remove });
  try {
    return read(trace);
  } finally {
    trace.dispose();
  }
}

/** @param {ArrayLike<number>} values */
export const largest = (values) => Math.max(...Array.from(values, Math.abs));

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const distance = (a, b) => largest(Array.from(a, (value, i) => value - b[i]));

/** @param {number[]} values */
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {ArrayLike<number>} values */
export const rootMeanSquare = (values) =>
  Math.sqrt(mean(Array.from(values, (value) => value * value)));

/** @param {Float32Array | Int32Array} data @param {number} width
 * @returns {number[][]} */
export const rowsOf = (data, width) =>
  Array.from({ length: data.length / width }, (_, i) => [
    ...data.slice(i * width, (i + 1) * width),
  ]);

/** Float32 has rounding of this size in numbers of size 1. */
export const ROUNDING = 1e-5;
