// Recipes on the inside of a model: a logit from its parts, a head switched off, the head that writes a name, induction.

import { widthOf } from '../machine/machine.js';
import { scaledScores, scaling } from './attention.js';
import { best } from './best.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').Step} Step */

/** @type {import('../machine/machine.js').By} */
const largest = ([numbers]) => [best(Array.from(numbers))];

/** Steps that are not asked for, but shown where the working is played. */
const PLAYED = { hidden: true, played: true };

/** From the heads that are on to the logit, of one token. The feed-forward reads what the heads have written.
 * @param {string} on @param {string} end of the names
 * @returns {Step[]} */
const toLogit = (on, end) => [
  { name: `heads${end}`, op: 'linear', of: [on, 'h'], ...PLAYED },
  { name: `stream${end}`, op: 'add', of: ['x', `heads${end}`] },
  {
    name: `hidden${end}`,
    op: 'linear',
    of: [`stream${end}`, 'w_1'],
    ...PLAYED,
    does: `downstream${end}`,
  },
  { name: `activation${end}`, op: 'relu', of: [`hidden${end}`], does: 'activation' },
  { name: `written${end}`, op: 'linear', of: [`activation${end}`, 'w_2'], ...PLAYED },
  { name: `final${end}`, op: 'add', of: [`stream${end}`, `written${end}`], hidden: true },
  { name: `logit${end}`, op: 'linear', of: [`final${end}`, 'u'] },
];

/** Tokens of a sequence whose last one came before, by their places among all. */
const SEQUENCES = [
  [0, 1, 2, 0],
  [2, 0, 1, 0],
  [1, 2, 0, 1],
  [0, 2, 1, 2],
];
/** Not letters: those are names of matrices. */
const SYLLABLES = ['do', 're', 'mi'];
/** Turned by quarters they are as far apart as vectors can be: the query finds its own. */
const VECTORS = [
  [1.5, 0.5],
  [1.5, 1],
  [1.5, -0.5],
  [1, 1],
  [2, 0.5],
];

/** @type {Record<string, Recipe>} */
export const inside = {
  'logit-parts': {
    asked: ['contributions', 'logits', 'margin'],
    end: ['margin'],
    shapes: { parts: [4, 'd'], w_u: ['d', 2] },
    sizes: { deviation: 2 },
    namesRows: true,
    draw: (draw) => ({
      tokens: ['X', 'H1', 'H2', 'F'],
      memory: ['Ben', 'Tom'],
      leaves: {
        parts: draw.integers([4, 3], -2, 3),
        w_u: draw.integers([3, 2], -2, 3),
      },
    }),
    inner: () => ({ all: [[1, 1, 1, 1]], against: [[1], [-1]] }),
    steps: (_, { deviation }) => [
      { name: 'products', op: 'linear', of: ['parts', 'w_u'], ...PLAYED },
      {
        name: 'contributions',
        op: 'scale',
        of: ['products'],
        with: { factor: 1 / deviation },
        does: 'final-norm',
      },
      { name: 'logits', op: 'linear', of: ['all', 'contributions'] },
      { name: 'margin', op: 'linear', of: ['logits', 'against'] },
    ],
  },

  ablation: {
    asked: [
      ...['stream', 'activation', 'logit'],
      ...['stream.off', 'activation.off', 'logit.off', 'effect'],
    ],
    points: { 'activation.off': 2, effect: 2 },
    end: ['effect'],
    shapes: {
      ...{ x: [1, 'd'], h: [2, 'd'], on: [1, 2] },
      ...{ w_1: ['d', 'd_ff'], w_2: ['d_ff', 'd'], u: ['d', 1] },
    },
    namesRows: true,
    draw: (draw) => {
      const off = draw.integer(0, 1);
      return {
        tokens: ['H1', 'H2'],
        leaves: {
          x: draw.integers([1, 3], -1, 2),
          h: draw.integers([2, 3], -2, 3),
          on: [[1 - off, off]],
          w_1: draw.integers([3, 2], -1, 2),
          w_2: draw.integers([2, 3], -1, 2),
          u: draw.integers([3, 1], -2, 2),
        },
      };
    },
    inner: () => ({ all: [[1, 1]] }),
    steps: () => [
      ...toLogit('all', ''),
      ...toLogit('on', '.off'),
      { name: 'minus', op: 'scale', of: ['logit'], with: { factor: -1 }, hidden: true },
      { name: 'effect', op: 'add', of: ['logit.off', 'minus'], does: 'effect' },
    ],
  },

  'find-head': {
    asked: ['effects', 'head'],
    shapes: { weights: ['n', 'm'], writes: ['n', 'm'], name: [1] },
    ids: ['name'],
    points: { effects: 2 },
    draw(draw) {
      const weights = Array.from({ length: 3 }, () => draw.shares(4));
      const writes = /** @type {number[][]} */ (draw.integers([3, 4], -5, 5));
      /* At least one head has to raise the name's logit. */
      const speaks = weights.some(
        (row, head) => row.reduce((sum, share, i) => sum + share * writes[head][i], 0) > 0,
      );
      return {
        tokens: ['H1', 'H2', 'H3'],
        memory: ['Anna', 'and', 'Ben', 'play'],
        leaves: {
          weights,
          writes: speaks ? writes : writes.map((row) => row.map((number) => 0 - number)),
          name: [draw.pick([0, 2])],
        },
      };
    },
    inner: (leaves) => ({
      all: Array.from({ length: widthOf(leaves, 'weights') }, () => [1]),
    }),
    steps: () => [
      { name: 'terms', op: 'mul', of: ['weights', 'writes'], ...PLAYED },
      { name: 'effects', op: 'linear', of: ['terms', 'all'], does: 'effects' },
      { name: 'head', by: largest, of: ['effects'], shape: [1], does: 'choice', whole: true },
    ],
  },

  induction: {
    asked: ['previous', 'scores', 'scores.scaled', 'weights', 'output', 'logits'],
    points: { previous: 2, weights: 3 },
    end: ['scores.scaled', 'logits'],
    shapes: { x: ['n', 'd_k'], a_0: ['n', 'n'], e: ['m', 'd_k'] },
    sizes: { scale: null },
    draw: (draw) => {
      const [a, b] = draw.pick(VECTORS);
      const turned = [
        [a, b],
        [-b, a],
        [-a, -b],
        [b, -a],
      ];
      const order = draw.permutation(4);
      const e = SYLLABLES.map((_, i) => turned[order[i]]);
      const sequence = draw.pick(SEQUENCES);
      return {
        tokens: sequence.map((token) => SYLLABLES[token]),
        memory: SYLLABLES,
        leaves: {
          x: sequence.map((token) => e[token]),
          a_0: [
            [0, 0, 0, 0],
            [1, 0, 0, 0],
            [0, 1, 0, 0],
            [0, 0, 1, 0],
          ],
          e,
        },
      };
    },
    inner: ({ x }) => ({ last: [x.map((_, i) => Number(i === x.length - 1))] }),
    steps: (leaves, sizes) => [
      { name: 'previous', op: 'matmul', of: ['a_0', 'x'] },
      { name: 'q', op: 'linear', of: ['last', 'x'], hidden: true },
      { name: 'scores', op: 'matmulTransposed', of: ['q', 'previous'], does: 'scores' },
      ...scaling(widthOf(leaves, 'x'), sizes),
      { name: 'weights', op: 'softmax', of: [scaledScores(sizes)], does: 'softmax' },
      { name: 'output', op: 'matmul', of: ['weights', 'x'], does: 'mix' },
      { name: 'logits', op: 'matmulTransposed', of: ['output', 'e'] },
    ],
  },
};
