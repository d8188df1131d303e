// Attention by hand, and its parts.

import { widthOf } from '../machine/machine.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').Step} Step */

const WORDS = ['the', 'cat', 'sat'];
/** Its root is 2: scores stay exact until the softmax. */
const D_K = 4;

/** @param {string} x @param {string} w @param {string} name
 * @returns {Step} */
const projected = (name, x, w) => ({ name, op: 'linear', of: [x, w], does: 'projection' });

/** @type {Step} */
const scores = { name: 'scores', op: 'matmulTransposed', of: ['q', 'k'], does: 'scores' };

/** @param {number} dK @param {number} [dModel]
 * @returns {Step} */
const scaled = (dK, dModel) => ({
  name: 'scores.scaled',
  op: 'scale',
  of: ['scores'],
  with: { factor: 1 / Math.sqrt(dK), dK, dModel },
  does: 'scaling',
});

/** @type {Step} */
const masked = { name: 'scores.masked', op: 'mask', of: ['scores.scaled', 'mask'], does: 'mask' };

/** @param {string} of
 * @returns {Step} */
const weights = (of) => ({ name: 'weights', op: 'softmax', of: [of], does: 'softmax' });

/** @type {Step} */
const output = { name: 'output', op: 'matmul', of: ['weights', 'v'], does: 'mix' };

/** Attention from X to the rows of a memory, which may be X itself.
 * @param {string} memory @param {import('../machine/machine.js').Leaves} leaves
 * @returns {Step[]} */
const attending = (memory, leaves) => [
  projected('q', 'x', 'w_q'),
  projected('k', memory, 'w_k'),
  projected('v', memory, 'w_v'),
  scores,
  scaled(widthOf(leaves, 'w_q'), widthOf(leaves, 'x')),
  weights('scores.scaled'),
  output,
];

/** @type {Record<string, Recipe>} */
export const attention = {
  projection: {
    asked: ['q', 'k', 'v'],
    points: {},
    draw: (draw) => ({
      tokens: WORDS.slice(0, 2),
      leaves: {
        x: draw.integers([2, 3], -1, 3),
        w_q: draw.integers([3, 3], -1, 2),
        w_k: draw.integers([3, 3], -1, 2),
        w_v: draw.integers([3, 3], -1, 2),
      },
    }),
    steps: () => [
      projected('q', 'x', 'w_q'),
      projected('k', 'x', 'w_k'),
      projected('v', 'x', 'w_v'),
    ],
  },

  scores: {
    asked: ['scores'],
    draw: (draw) => ({
      tokens: WORDS,
      leaves: { x: draw.integers([3, 3]), q: draw.integers([3, 3]), k: draw.integers([3, 3]) },
    }),
    steps: () => [scores],
  },

  'scaled-scores': {
    asked: ['scores', 'scores.scaled'],
    draw: (draw) => ({
      tokens: WORDS,
      leaves: { q: draw.integers([3, D_K]), k: draw.integers([3, D_K]) },
      sizes: { dModel: 9 },
    }),
    steps: () => [scores, scaled(D_K, 9)],
  },

  'softmax-row': {
    asked: ['weights'],
    draw: (draw) => ({ leaves: { 'scores.scaled': draw.halves([1, 3], 0, 3) } }),
    anySize: true,
    steps: () => [weights('scores.scaled')],
  },

  weights: {
    asked: ['scores', 'scores.scaled', 'weights'],
    draw: (draw) => ({
      tokens: WORDS,
      leaves: { q: draw.integers([3, D_K], -1, 2), k: draw.integers([3, D_K], -1, 2) },
      sizes: { dModel: 9 },
    }),
    steps: () => [scores, scaled(D_K, 9), weights('scores.scaled')],
  },

  'output-row': {
    asked: ['output'],
    draw: (draw) => ({
      tokens: WORDS,
      leaves: {
        x: draw.integers([3, 2]),
        weights: Array.from({ length: 3 }, () => draw.shares(3)),
        v: draw.integers([3, 2], -4, 6),
      },
    }),
    steps: () => [output],
  },

  attention: {
    asked: ['q', 'k', 'v', 'scores', 'scores.scaled', 'weights', 'output'],
    points: { weights: 5 },
    end: ['output'],
    draw: (draw) => ({
      tokens: WORDS,
      leaves: {
        x: draw.integers([3, 2], -1, 2),
        w_q: draw.integers([2, D_K], -1, 1),
        w_k: draw.integers([2, D_K], -1, 1),
        w_v: draw.integers([2, 2], -2, 3),
      },
      sizes: { dModel: 2 },
    }),
    anySize: true,
    steps: (leaves) => attending('x', leaves),
  },

  'causal-attention': {
    asked: ['scores', 'scores.scaled', 'scores.masked', 'weights', 'output'],
    points: { 'scores.masked': 4, weights: 5 },
    end: ['output'],
    draw: (draw) => ({
      tokens: WORDS,
      leaves: {
        q: draw.integers([3, D_K], -1, 2),
        k: draw.integers([3, D_K], -1, 2),
        v: draw.integers([3, 2], -4, 6),
        mask: [
          [1, 0, 0],
          [1, 1, 0],
          [1, 1, 1],
        ],
      },
      ids: ['mask'],
    }),
    steps: () => [scores, scaled(D_K), masked, weights('scores.masked'), output],
  },

  'padding-mask': {
    asked: ['scores.masked', 'weights', 'output'],
    points: { 'scores.masked': 3, weights: 3 },
    end: ['output'],
    draw: (draw) => ({
      tokens: ['the', 'cat', '[pad]'],
      leaves: {
        'scores.scaled': draw.halves([3, 3], -1, 2),
        v: draw.integers([3, 2], -4, 6),
        mask: Array.from({ length: 3 }, () => [1, 1, 0]),
      },
      ids: ['mask'],
    }),
    anySize: true,
    steps: () => [masked, weights('scores.masked'), output],
  },

  'two-heads': {
    asked: ['scores', 'scores.scaled', 'weights', 'mix', 'output'],
    points: { weights: 3, mix: 2, output: 2 },
    end: ['output'],
    draw: (draw) => ({
      tokens: WORDS.slice(0, 2),
      leaves: {
        q: draw.integers([2, 8], -1, 2),
        k: draw.integers([2, 8], -1, 2),
        v: draw.integers([2, 4], -4, 6),
        w_o: draw.integers([4, 4], -1, 2),
      },
      sizes: { heads: 2 },
    }),
    steps: () => [
      ...['q', 'k', 'v'].map(split),
      { ...scores, of: ['q.heads', 'k.heads'] },
      scaled(D_K),
      weights('scores.scaled'),
      { ...output, name: 'mix', of: ['weights', 'v.heads'] },
      { name: 'concat', op: 'concatHeads', of: ['mix'], does: 'concat' },
      { name: 'output', op: 'linear', of: ['concat', 'w_o'], does: 'out' },
    ],
  },

  'cross-attention': {
    asked: ['q', 'k', 'v', 'scores', 'scores.scaled', 'weights', 'output'],
    points: { weights: 5 },
    end: ['output'],
    draw: (draw) => ({
      tokens: ['le', 'chat'],
      memory: WORDS,
      leaves: {
        x: draw.integers([2, 2], -1, 2),
        memory: draw.integers([3, 2], -1, 2),
        w_q: draw.integers([2, D_K], -1, 1),
        w_k: draw.integers([2, D_K], -1, 1),
        w_v: draw.integers([2, 2], -2, 3),
      },
      sizes: { dModel: 2 },
    }),
    steps: (leaves) => attending('memory', leaves),
  },
};

/** @param {string} name
 * @returns {Step} */
function split(name) {
  return { name: `${name}.heads`, op: 'splitHeads', of: [name], with: { heads: 2 }, does: 'split' };
}
