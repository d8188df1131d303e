// What breaks if a step is removed: for each claim an experiment that puts it to the test. All of them are seeded, and
// computed by the core when they are asked for.
import {
  mask,
  mix,
  positions,
  projections,
  scale,
  scores,
  softmax,
  w_o,
} from './attention-claims.js';
import { embedding, norm, residual } from './model-claims.js';

/** @typedef {import('./measuring.js').Claim} Claim */

/** By the name of what is removed. @type {Record<typeof import('./names.js').CLAIMS[number], Claim> & Record<string, Claim>} */
export const claims = {
  embedding,
  positions,
  projections,
  scores,
  scale,
  mask,
  softmax,
  mix,
  w_o,
  residual,
  norm,
};
