// A typed sentence as an example: seeded embeddings, positions, seeded weights.

import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkText,
  checkUint32,
  near,
} from '../base/errors.js';
import { rangeError } from './texts.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./example.js').Seeded} Seeded */

const MAX_TOKENS = 24;
const MAX_WIDTH = 1024;
const POSITIONS = /** @type {const} */ (['none', 'sinusoidal', 'learned', 'rotary', 'alibi']);

/** A word, inner apostrophes and hyphens included; or one mark, with what modifies it. */
const TOKEN =
  /[^\s\p{P}\p{S}]+(?:['’-][^\s\p{P}\p{S}]+)*|[\p{P}\p{S}](?:\p{M}|\u200d[\p{P}\p{S}])*/gu;

/** @param {number} rows @param {number} columns @param {number} seed
 * @returns {Seeded} uniform as Glorot and Bengio (2010) draw it */
function weights(rows, columns, seed) {
  const high = Number(Math.sqrt(6 / (rows + columns)).toPrecision(7));
  return { shape: [rows, columns], uniform: { seed, low: -high, high } };
}

/** How a word knows its place: nothing, sinusoids or rows of a seeded table are added to its embedding;
 * or its queries and keys turn; or its scores fall with the distance, in each head at a rate of its own.
 * @typedef {typeof POSITIONS[number]} Positions */

/** @param {unknown} value
 * @returns {Positions} */
function positionsOf(value) {
  if (value === true) return 'sinusoidal';
  if (value === false) return 'none';
  const name = POSITIONS.find((one) => one === value);
  if (name) return name;
  const [words, hint] = [POSITIONS.join(', '), near(String(value), POSITIONS)];
  throw rangeError('word', { where: 'sentence: positions', words, given: value, hint });
}

/**
 * @typedef {object} SentenceOptions
 * @property {number} [dModel] channels of a word, 8 by default
 * @property {number} [dK] width of q, k and v, all heads together; dModel by default
 * @property {number} [heads] 1 by default
 * @property {number} [seed] of every number, 1 by default
 * @property {Positions | boolean} [positions] 'sinusoidal' by default, which true stands for; false
 *   stands for 'none'
 * @property {boolean} [causal] a word sees only itself and those before it, false by default
 * @property {boolean} [wO] whether the mixed values go through an output projection, true by default
 */

/** Makes an example of your own words, for traceExample().
 * @param {string} text 1 to 24 words and marks
 * @param {SentenceOptions} [options]
 * @returns {Example}
 * @example
 * import { sentence, traceExample } from 'glassformer';
 *
 * const example = sentence('the cat sat', { dModel: 8, heads: 2, causal: true });
 * traceExample(gf, example).step('weights').shape; // = [2, 3, 3] */
export function sentence(text, options = {}) {
  checkText('sentence', text);
  checkOptions('sentence', options, ['dModel', 'dK', 'heads', 'seed', 'positions', 'causal', 'wO']);
  const { dModel = 8, dK = dModel, heads = 1, seed = 1 } = options;
  const { causal = false, wO = true, positions: place = true } = options;
  const positions = positionsOf(place);
  checkInteger('sentence: dModel', dModel, 1, MAX_WIDTH);
  checkInteger('sentence: dK', dK, 1, MAX_WIDTH);
  checkInteger('sentence: heads', heads, 1, dK);
  checkUint32('sentence: seed', seed);
  checkBoolean('sentence: causal', causal);
  checkBoolean('sentence: wO', wO);
  if (dK % heads) {
    throw rangeError('divisor', { where: 'sentence: heads', of: dK, given: heads });
  }
  /* A word is one word, whether its accents are characters of their own or not. */
  const tokens = text.normalize('NFC').match(TOKEN) ?? [];
  if (!tokens.length || tokens.length > MAX_TOKENS) {
    throw rangeError('words', { where: 'sentence', most: MAX_TOKENS, n: tokens.length });
  }
  const words = [...new Set(tokens)];
  const placed = ['sinusoidal', 'learned', 'rotary'].includes(positions);
  return {
    name: 'sentence',
    title: tokens.join(' '),
    source: 'Your own words',
    about: `No weight is trained: embeddings and projections are random, of seed ${seed}.`,
    tokens,
    attention: {
      heads,
      causal,
      ...((positions === 'rotary' || positions === 'alibi') && { positions }),
    },
    inputs: {
      'embedding.weight': {
        shape: [words.length, dModel],
        uniform: { seed, low: -1, high: 1 },
        rows: words,
      },
      tokens: tokens.map((token) => words.indexOf(token)),
      ...(positions === 'learned' && {
        'position.weight': { shape: [tokens.length, dModel], uniform: { seed, low: -1, high: 1 } },
      }),
      ...(placed && { pos: tokens.map((_, i) => i) }),
      w_q: weights(dModel, dK, seed),
      w_k: weights(dModel, dK, seed),
      w_v: weights(dModel, dK, seed),
      ...(wO && { w_o: weights(dK, dModel, seed) }),
    },
    printed: {},
    asides: [],
  };
}
