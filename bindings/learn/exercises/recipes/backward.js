// Backpropagation by hand.

import { widthOf } from '../machine/machine.js';
import { scaledScores, scaling } from './attention.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').Step} Step */

/** The width of keys: its root is 2. */
const D_K = 4;

/** Steps that are not asked for, but shown where the working is played. */
const PLAYED = { hidden: true, played: true };

/** @param {string} of
 * @returns {Step} */
const turned = (of) => ({ name: `${of}.transposed`, op: 'transpose', of: [of], ...PLAYED });

/** From the gradient of the scaled scores to that of the queries or the keys: the other ones, scaled as the scores were.
 * @param {string} name @param {string} gradient @param {string} other @param {Step[]} scaled
 * @returns {Step[]} */
function projectionGradient(name, gradient, other, scaled) {
  const [scale] = scaled;
  const product = scale ? `gradient.${name}.unscaled` : `gradient.${name}`;
  /** @type {Step} */
  const mixed = { name: product, op: 'matmul', of: [gradient, other], does: `gradient.${name}` };
  if (!scale) return [mixed];
  const { factor } = /** @type {{ factor: number }} */ (scale.with);
  const { within } = scale;
  return [
    { ...mixed, ...PLAYED },
    {
      name: `gradient.${name}`,
      op: 'scale',
      of: [product],
      with: { factor },
      does: 'gradient.scaling',
      ...(within && { within }),
    },
  ];
}

/** @type {Record<string, Recipe>} */
export const backward = {
  'attention-backward': {
    asked: [
      ...['weights', 'gradient.v', 'gradient.weights', 'gradient.scores'],
      ...['gradient.q', 'gradient.k'],
    ],
    points: { 'gradient.v': 2, 'gradient.scores': 4 },
    end: ['gradient.q', 'gradient.k', 'gradient.v'],
    shapes: {
      q: ['n', 'd_k'],
      k: ['n', 'd_k'],
      v: ['n', 'd_v'],
      'gradient.output': ['n', 'd_v'],
    },
    sizes: { scale: null },
    draw: (draw) => ({
      tokens: ['cat', 'sat'],
      leaves: {
        q: draw.integers([2, D_K], -1, 2),
        k: draw.integers([2, D_K], -1, 2),
        v: draw.integers([2, 2], -2, 3),
        'gradient.output': draw.integers([2, 2], -2, 3),
      },
    }),
    inner: ({ q }) => ({ ones: q.map(() => [1]), opposite: [q.map(() => -1)] }),
    steps(leaves, sizes) {
      const scaled = scaling(widthOf(leaves, 'q'), sizes);
      return [
        { name: 'scores', op: 'matmulTransposed', of: ['q', 'k'], does: 'scores', ...PLAYED },
        ...scaled.map((step) => ({ ...step, ...PLAYED })),
        { name: 'weights', op: 'softmax', of: [scaledScores(sizes)], does: 'softmax' },
        turned('weights'),
        {
          name: 'gradient.v',
          op: 'matmul',
          of: ['weights.transposed', 'gradient.output'],
          does: 'gradient.v',
        },
        { name: 'gradient.weights', op: 'matmulTransposed', of: ['gradient.output', 'v'] },
        { name: 'products', op: 'mul', of: ['weights', 'gradient.weights'], ...PLAYED },
        { name: 'sums', op: 'linear', of: ['products', 'ones'], ...PLAYED },
        { name: 'minus', op: 'linear', of: ['sums', 'opposite'], hidden: true },
        { name: 'centred', op: 'add', of: ['gradient.weights', 'minus'], hidden: true },
        {
          name: 'gradient.scores',
          op: 'mul',
          of: ['weights', 'centred'],
          does: 'softmax.backward',
        },
        ...projectionGradient('q', 'gradient.scores', 'k', scaled),
        turned('gradient.scores'),
        ...projectionGradient('k', 'gradient.scores.transposed', 'q', scaled),
      ];
    },
  },
};
