// A typed sentence as an example: seeded embeddings, sinusoidal positions, seeded weights.

import { checkBoolean, checkInteger, checkOptions, show } from './errors.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./example.js').Seeded} Seeded */

const MAX_TOKENS = 24;
const MAX_WIDTH = 1024;
const UINT32 = 2 ** 32 - 1;

/** A word, inner apostrophes and hyphens included; or one mark, with what modifies it. */
const TOKEN =
  /[^\s\p{P}\p{S}]+(?:['’-][^\s\p{P}\p{S}]+)*|[\p{P}\p{S}](?:\p{M}|\u200d[\p{P}\p{S}])*/gu;

/** @param {number} rows @param {number} columns @param {number} seed
 * @returns {Seeded} uniform as Glorot and Bengio (2010) draw it */
function weights(rows, columns, seed) {
  const high = Number(Math.sqrt(6 / (rows + columns)).toPrecision(7));
  return { shape: [rows, columns], uniform: { seed, low: -high, high } };
}

/**
 * @typedef {object} SentenceOptions
 * @property {number} [dModel] channels of a word, 8 by default
 * @property {number} [dK] width of q, k and v, all heads together; dModel by default
 * @property {number} [heads] 1 by default
 * @property {number} [seed] of every number, 1 by default
 * @property {boolean} [positions] add sinusoids to the embeddings, true by default
 * @property {boolean} [causal] a word sees only itself and those before it, false by default
 */

/** Makes an example of your own words, for trace().
 * @param {string} text 1 to 24 words and marks
 * @param {SentenceOptions} [options]
 * @returns {Example} */
export function sentence(text, options = {}) {
  if (typeof text !== 'string') {
    throw new TypeError(`sentence: expected a text, received ${show(text)}`);
  }
  const known = ['dModel', 'dK', 'heads', 'seed', 'positions', 'causal'];
  checkOptions('sentence', options, known);
  const { dModel = 8, dK = dModel, heads = 1, seed = 1 } = options;
  const { positions = true, causal = false } = options;
  checkInteger('sentence: dModel', dModel, 1, MAX_WIDTH);
  checkInteger('sentence: dK', dK, 1, MAX_WIDTH);
  checkInteger('sentence: heads', heads, 1, dK);
  checkInteger('sentence: seed', seed, 0, UINT32);
  checkBoolean('sentence: positions', positions);
  checkBoolean('sentence: causal', causal);
  if (dK % heads) {
    throw new RangeError(`sentence: heads: expected a divisor of ${dK}, received ${heads}`);
  }
  const tokens = text.match(TOKEN) ?? [];
  if (!tokens.length || tokens.length > MAX_TOKENS) {
    throw new RangeError(
      `sentence: expected 1 to ${MAX_TOKENS} words and marks, received ${tokens.length}`,
    );
  }
  const words = [...new Set(tokens)];
  return {
    name: 'sentence',
    title: tokens.join(' '),
    source: 'Your own words',
    about: `No weight is trained: embeddings and projections are random, of seed ${seed}.`,
    tokens,
    attention: { heads, causal },
    inputs: {
      'embedding.weight': {
        shape: [words.length, dModel],
        uniform: { seed, low: -1, high: 1 },
        rows: words,
      },
      tokens: tokens.map((token) => words.indexOf(token)),
      ...(positions && { pos: tokens.map((_, i) => i) }),
      w_q: weights(dModel, dK, seed),
      w_k: weights(dModel, dK, seed),
      w_v: weights(dModel, dK, seed),
      w_o: weights(dK, dModel, seed),
    },
    printed: {},
    asides: [],
  };
}
