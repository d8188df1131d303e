// Attention by hand, and its parts.

import { widthOf } from '../machine/machine.js';
import { divided } from './learning.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('./index.js').Sizes} Sizes */
/** @typedef {import('../machine/machine.js').Leaves} Leaves */
/** @typedef {import('../machine/machine.js').Step} Step */

const WORDS = ['the', 'cat', 'sat'];
/** Its root is 2: scores stay exact until the softmax. */
const D_K = 4;

/** @param {string} name @param {string} x @param {string} w @param {string} [bias]
 * @returns {Step} */
const projected = (name, x, w, bias) => ({
  name,
  op: 'linear',
  of: bias ? [x, w, bias] : [x, w],
  does: 'projection',
});

/** @type {Step} */
const scores = { name: 'scores', op: 'matmulTransposed', of: ['q', 'k'], does: 'scores' };

/** The scores over √d_k, or times another scale; none where they stay as they are.
 * @param {number} dK @param {Sizes} sizes
 * @returns {Step[]} */
export function scaling(dK, { scale, dModel }) {
  if (scale === 1) return [];
  const [name, of] = ['scores.scaled', ['scores']];
  if (scale !== undefined) {
    return [{ name, op: 'scale', of, with: { factor: scale }, does: 'factor' }];
  }
  const root = Math.sqrt(dK);
  const rounded = Number.isInteger(root) ? {} : { within: divided(root) };
  return [
    { name, op: 'scale', of, with: { factor: 1 / root, dK, dModel }, does: 'scaling', ...rounded },
  ];
}

/** The scores as softmax or the mask reads them. @param {Sizes} sizes */
export const scaledScores = ({ scale }) => (scale === 1 ? 'scores' : 'scores.scaled');

/** @param {string} of
 * @returns {Step} */
const masked = (of) => ({ name: 'scores.masked', op: 'mask', of: [of, 'mask'], does: 'mask' });

/** @param {string} of
 * @returns {Step} */
const weights = (of) => ({ name: 'weights', op: 'softmax', of: [of], does: 'softmax' });

/** @type {Step} */
const output = { name: 'output', op: 'matmul', of: ['weights', 'v'], does: 'mix' };

/** From queries and keys to the weights, behind a mask if there is one.
 * @param {number} dK @param {Leaves} leaves @param {Sizes} sizes
 * @returns {Step[]} */
function weighed(dK, leaves, sizes) {
  const scaled = scaledScores(sizes);
  const { mask } = leaves;
  return [
    scores,
    ...scaling(dK, sizes),
    ...(mask ? [masked(scaled)] : []),
    weights(mask ? 'scores.masked' : scaled),
  ];
}

/** Attention from X to the rows of a memory, which may be X itself.
 * @param {string} memory @param {Leaves} leaves @param {Sizes} sizes
 * @returns {Step[]} */
const attending = (memory, leaves, sizes) => [
  projected('q', 'x', 'w_q'),
  projected('k', memory, 'w_k'),
  projected('v', memory, 'w_v'),
  ...weighed(widthOf(leaves, 'w_q'), leaves, sizes),
  output,
];

/** @param {string} name @param {number} heads
 * @returns {Step} */
const split = (name, heads) => ({
  name: `${name}.heads`,
  op: 'splitHeads',
  of: [name],
  with: { heads },
  does: 'split',
});

/** Attention in several heads, up to what each one mixes.
 * @param {Leaves} leaves @param {Sizes} sizes
 * @returns {Step[]} */
function inHeads(leaves, sizes) {
  const { heads } = sizes;
  const [, ...others] = weighed(widthOf(leaves, 'k') / heads, leaves, sizes);
  return [
    ...['q', 'k', 'v'].map((name) => split(name, heads)),
    { ...scores, of: ['q.heads', 'k.heads'] },
    ...others,
    { ...output, name: 'mix', of: ['weights', 'v.heads'] },
  ];
}

/** Row i sees the tokens up to i. @param {number} n */
export const causalMask = (n) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(j <= i)));

const SCALE = { scale: null };
const OF_X = /** @type {const} */ ({
  x: ['n', 'd'],
  w_q: ['d', 'd_k'],
  w_k: ['d', 'd_k'],
  w_v: ['d', 'd_v'],
});
const Q_AND_K = /** @type {const} */ ({ q: ['n', 'd_k'], k: ['n', 'd_k'] });
const MASK = /** @type {const} */ (['n', 'n']);

/** @type {Record<string, Recipe>} */
export const attention = {
  projection: {
    asked: ['q', 'k', 'v'],
    shapes: OF_X,
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

  'projection-bias': {
    asked: ['q', 'k', 'v'],
    points: {},
    shapes: { ...OF_X, b_q: ['d_k'], b_k: ['d_k'], b_v: ['d_v'] },
    draw: (draw) => ({
      tokens: WORDS.slice(0, 2),
      leaves: {
        x: draw.integers([2, 2], -1, 3),
        ...Object.fromEntries(['q', 'k', 'v'].map((to) => [`w_${to}`, draw.integers([2, 2])])),
        ...Object.fromEntries(['q', 'k', 'v'].map((to) => [`b_${to}`, draw.halves([2])])),
      },
    }),
    steps: () => ['q', 'k', 'v'].map((to) => projected(to, 'x', `w_${to}`, `b_${to}`)),
  },

  scores: {
    asked: ['scores'],
    shapes: { x: ['n', 'd'], ...Q_AND_K },
    optional: ['x'],
    draw: (draw) => ({
      tokens: WORDS,
      leaves: { x: draw.integers([3, 3]), q: draw.integers([3, 3]), k: draw.integers([3, 3]) },
    }),
    steps: () => [scores],
  },

  'scaled-scores': {
    asked: ['scores', 'scores.scaled'],
    shapes: Q_AND_K,
    sizes: { dModel: 9, ...SCALE },
    draw: (draw) => ({
      tokens: WORDS,
      leaves: { q: draw.integers([3, D_K]), k: draw.integers([3, D_K]) },
    }),
    steps: (leaves, sizes) => [scores, ...scaling(widthOf(leaves, 'k'), sizes)],
  },

  'softmax-row': {
    asked: ['weights'],
    /* One row is drawn; the page's lessons have all rows of theirs. */
    shapes: { 'scores.scaled': ['n', 'm'] },
    draw: (draw) => ({ leaves: { 'scores.scaled': draw.halves([1, 3], 0, 3) } }),
    steps: () => [weights('scores.scaled')],
  },

  weights: {
    asked: ['scores', 'scores.scaled', 'weights'],
    shapes: Q_AND_K,
    sizes: { dModel: 9, ...SCALE },
    draw: (draw) => ({
      tokens: WORDS,
      leaves: { q: draw.integers([3, D_K], -1, 2), k: draw.integers([3, D_K], -1, 2) },
    }),
    steps: (leaves, sizes) => weighed(widthOf(leaves, 'k'), leaves, sizes),
  },

  'output-row': {
    asked: ['output'],
    shapes: { x: ['n', 'd'], weights: ['n', 'n'], v: ['n', 'd_v'] },
    optional: ['x'],
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

  'one-query': {
    asked: ['scores', 'scores.scaled', 'weights', 'output'],
    points: { weights: 3 },
    end: ['output'],
    shapes: { q: [1, 'd_k'], k: ['m', 'd_k'], v: ['m', 'd_v'] },
    sizes: SCALE,
    draw: (draw) => ({
      tokens: ['sat'],
      memory: WORDS,
      leaves: {
        q: draw.integers([1, D_K], -1, 2),
        k: draw.integers([3, D_K], -1, 2),
        v: draw.integers([3, 2], -4, 6),
      },
    }),
    steps: (leaves, sizes) => [...weighed(widthOf(leaves, 'k'), leaves, sizes), output],
  },

  attention: {
    asked: ['q', 'k', 'v', 'scores', 'scores.scaled', 'scores.masked', 'weights', 'output'],
    points: { 'scores.masked': 4, weights: 5 },
    end: ['output'],
    shapes: { ...OF_X, mask: MASK },
    optional: ['mask'],
    ids: ['mask'],
    sizes: { dModel: 2, ...SCALE },
    draw: (draw) => ({
      tokens: WORDS,
      leaves: {
        x: draw.integers([3, 2], -1, 2),
        w_q: draw.integers([2, D_K], -1, 1),
        w_k: draw.integers([2, D_K], -1, 1),
        w_v: draw.integers([2, 2], -2, 3),
      },
    }),
    steps: (leaves, sizes) => attending('x', leaves, sizes),
  },

  'attention-scale': {
    asked: ['scores', 'scores.scaled', 'weights', 'output'],
    points: { 'scores.scaled': 2, weights: 3 },
    end: ['output'],
    shapes: { ...Q_AND_K, v: ['n', 'd_v'] },
    sizes: { scale: 1 / 3 },
    draw: (draw, { scale }) => ({
      tokens: WORDS,
      leaves: {
        q: draw.integers([3, D_K], -1, 2),
        k: draw.integers([3, D_K], -1, 2),
        v: draw.integers([3, 2], -4, 6),
      },
      sizes: { scale: scale ?? draw.pick([1 / 3, 1]) },
    }),
    steps: (leaves, sizes) => [...weighed(widthOf(leaves, 'k'), leaves, sizes), output],
  },

  'causal-attention': {
    asked: ['scores', 'scores.scaled', 'scores.masked', 'weights', 'output'],
    points: { 'scores.masked': 4, weights: 5 },
    end: ['output'],
    shapes: { ...Q_AND_K, v: ['n', 'd_v'], mask: MASK },
    ids: ['mask'],
    sizes: SCALE,
    usual: ({ q = [] }) => ({ mask: causalMask(q.length) }),
    draw: (draw) => ({
      tokens: WORDS,
      leaves: {
        q: draw.integers([3, D_K], -1, 2),
        k: draw.integers([3, D_K], -1, 2),
        v: draw.integers([3, 2], -4, 6),
        mask: causalMask(3),
      },
    }),
    steps: (leaves, sizes) => [...weighed(widthOf(leaves, 'k'), leaves, sizes), output],
  },

  'padding-mask': {
    asked: ['scores.masked', 'weights', 'output'],
    points: { 'scores.masked': 3, weights: 3 },
    end: ['output'],
    shapes: { 'scores.scaled': ['n', 'n'], v: ['n', 'd_v'], mask: MASK },
    ids: ['mask'],
    draw: (draw) => ({
      tokens: ['the', 'cat', '[pad]'],
      leaves: {
        'scores.scaled': draw.halves([3, 3], -1, 2),
        v: draw.integers([3, 2], -4, 6),
        mask: Array.from({ length: 3 }, () => [1, 1, 0]),
      },
    }),
    steps: () => [masked('scores.scaled'), weights('scores.masked'), output],
  },

  'two-heads': {
    asked: ['scores', 'scores.scaled', 'weights', 'mix', 'output'],
    points: { weights: 3, mix: 2, output: 2 },
    end: ['output'],
    shapes: { q: ['n', 'd'], k: ['n', 'd'], v: ['n', 'd_v'], w_o: ['d_v', 'd_o'] },
    sizes: { heads: 2, ...SCALE },
    draw: (draw) => ({
      tokens: WORDS.slice(0, 2),
      leaves: {
        q: draw.integers([2, 8], -1, 2),
        k: draw.integers([2, 8], -1, 2),
        v: draw.integers([2, 4], -4, 6),
        w_o: draw.integers([4, 4], -1, 2),
      },
    }),
    steps: (leaves, sizes) => [
      ...inHeads(leaves, sizes),
      { name: 'concat', op: 'concatHeads', of: ['mix'], does: 'concat' },
      { name: 'output', op: 'linear', of: ['concat', 'w_o'], does: 'out' },
    ],
  },

  'causal-heads': {
    asked: ['scores', 'scores.masked', 'weights', 'mix', 'output'],
    points: { 'scores.masked': 4, weights: 5, mix: 2 },
    end: ['output'],
    shapes: { q: ['n', 'd'], k: ['n', 'd'], v: ['n', 'd_v'], mask: MASK },
    ids: ['mask'],
    sizes: { heads: 2, ...SCALE },
    usual: ({ q = [] }) => ({ mask: causalMask(q.length) }),
    draw: (draw, { heads = 2 }) => ({
      tokens: WORDS,
      leaves: {
        q: draw.integers([3, D_K * heads], -1, 2),
        k: draw.integers([3, D_K * heads], -1, 2),
        v: draw.integers([3, 2 * heads], -4, 6),
        mask: causalMask(3),
      },
    }),
    steps: (leaves, sizes) => [
      ...inHeads(leaves, sizes).map((step) =>
        step.name === 'scores.scaled' ? { ...step, hidden: true, played: true } : step,
      ),
      { name: 'output', op: 'concatHeads', of: ['mix'], does: 'concat' },
    ],
  },

  'cross-attention': {
    asked: ['q', 'k', 'v', 'scores', 'scores.scaled', 'weights', 'output'],
    points: { weights: 5 },
    end: ['output'],
    shapes: { x: ['n', 'd'], memory: ['m', 'd'], w_q: OF_X.w_q, w_k: OF_X.w_k, w_v: OF_X.w_v },
    sizes: { dModel: 2, ...SCALE },
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
    }),
    steps: (leaves, sizes) => attending('memory', leaves, sizes),
  },
};
