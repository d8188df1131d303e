// Recipes around attention: positions, norms, the feed-forward network, dropout.

import { shapeOf } from '../../../js/base/values.js';
import { widthOf } from '../machine/machine.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').Step} Step */

/** The mean of each row, its variance, and the row normalised.
 * @param {string} x @param {import('../machine/machine.js').Leaves} leaves @param {string} name
 * @returns {Step[]} */
const normalised = (x, leaves, name) => {
  const [n, width] = shapeOf(leaves.x);
  return [
    { name: 'mean', op: 'linear', of: [x, 'share'], does: 'mean' },
    { name: 'minus', op: 'linear', of: ['mean', 'opposite'], hidden: true },
    { name: 'centred', op: 'add', of: [x, 'minus'], does: 'centred' },
    { name: 'squares', op: 'mul', of: ['centred', 'centred'], hidden: true },
    {
      name: 'variance',
      op: 'linear',
      of: ['squares', 'share'],
      with: { width },
      does: 'variance',
      within: squaresWithin,
      otherwise: squaresFirst,
    },
    {
      name,
      by: normalise,
      of: ['centred', 'variance', 'gain', 'bias'],
      shape: [n, width],
      does: 'norm',
      within: rootWithin,
    },
  ];
};

/** The other way to a variance: the mean of the squares less the square of the mean.
 * @type {NonNullable<Step['otherwise']>} */
const squaresFirst = (read) => {
  const [mean, centred] = [read('mean'), read('centred')];
  const width = centred.length / mean.length;
  return Array.from(mean, (middle, i) => {
    const row = Array.from(centred.slice(i * width, (i + 1) * width), (x) => x + middle);
    return row.reduce((sum, x) => sum + x ** 2, 0) / width - middle ** 2;
  });
};

/** The same, each number rounded.
 * @type {import('../machine/machine.js').Within} */
const squaresWithin = ([squares], values, half, before) => {
  const [mean, centred] = [before('mean'), before('centred').numbers];
  const width = squares.length / values.length;
  return values.map((variance, i) => {
    const middle = mean.numbers[i];
    let sum = 0;
    for (let j = i * width; j < (i + 1) * width; j++) sum += half((centred[j] + middle) ** 2);
    const rounded = half(middle ** 2) + half(variance + middle ** 2) + sum / width;
    return 2 * Math.abs(middle) * mean.rounding[i] + rounded;
  });
};

/** @type {import('../machine/machine.js').By} */
const normalise = ([centred, variance, gain, bias]) => {
  const width = gain.length;
  return Array.from(centred, (x, i) => {
    const column = i % width;
    return (x / Math.sqrt(variance[Math.floor(i / width)])) * gain[column] + bias[column];
  });
};

/** The root of the variance, the quotient before its gain, and their product before its bias are rounded.
 * @type {import('../machine/machine.js').Within} */
const rootWithin = ([, variance, gain, bias], values, half) => {
  const width = gain.length;
  return values.map((y, i) => {
    const [column, deviation] = [i % width, Math.sqrt(variance[Math.floor(i / width)])];
    const [factor, product] = [Math.abs(gain[column]), y - bias[column]];
    if (!factor) return 0;
    /* By 1 nothing is multiplied, and to 0 nothing is added. */
    const ofProduct = factor === 1 || !bias[column] ? 0 : half(product);
    const ofRoot = (Math.abs(product) * half(deviation)) / deviation;
    return ofRoot + factor * half(product / factor) + ofProduct;
  });
};
squaresWithin.as = 'squares';
rootWithin.as = 'root';

/** What takes the mean of a row off each of its numbers. @param {number} width */
const around = (width) => ({
  share: Array.from({ length: width }, () => [1 / width]),
  opposite: [Array.from({ length: width }, () => -1)],
});

/** @type {Record<string, Recipe>} */
export const layers = {
  sinusoid: {
    asked: ['pos', 'x.pos'],
    points: { pos: 2 },
    end: ['x.pos'],
    shapes: { position: ['n'], x: ['n', 'd_model'] },
    ids: ['position'],
    sizes: { dModel: 4 },
    draw: (draw) => ({
      leaves: {
        position: [draw.integer(1, 3), draw.integer(4, 9)],
        x: draw.halves([2, 4], -2, 2),
      },
    }),
    steps: (leaves) => [
      {
        name: 'pos',
        op: 'position',
        of: ['position'],
        with: { channels: widthOf(leaves, 'x') },
        does: 'positions',
      },
      { name: 'x.pos', op: 'add', of: ['x', 'pos'], does: 'placed' },
    ],
  },

  'layer-norm': {
    asked: ['mean', 'variance', 'norm'],
    points: { variance: 2, norm: 3 },
    end: ['norm'],
    shapes: { x: ['n', 'd_model'], gain: ['d_model'], bias: ['d_model'] },
    usual({ x = [[]] }) {
      const width = widthOf({ x }, 'x') || 0;
      return { gain: new Array(width).fill(1), bias: new Array(width).fill(0) };
    },
    draw: (draw) => ({
      tokens: ['cat', 'sat'],
      leaves: {
        x: draw.integers([2, 4], -3, 5),
        gain: draw.halves([4], 0, 2),
        bias: draw.halves([4], -1, 1),
      },
    }),
    inner: (leaves) => around(widthOf(leaves, 'x')),
    steps: (leaves) => normalised('x', leaves, 'norm'),
  },

  'residual-norm': {
    asked: ['residual', 'mean', 'variance', 'norm'],
    points: { variance: 2, norm: 3 },
    end: ['norm'],
    shapes: { x: ['n', 'd_model'], sublayer: ['n', 'd_model'] },
    draw: (draw) => ({
      tokens: ['cat', 'sat'],
      leaves: {
        x: draw.integers([2, 4], -3, 4),
        sublayer: draw.halves([2, 4], -2, 2),
      },
    }),
    inner(leaves) {
      const width = widthOf(leaves, 'x');
      return { gain: new Array(width).fill(1), bias: new Array(width).fill(0), ...around(width) };
    },
    steps: (leaves) => [
      { name: 'residual', op: 'add', of: ['x', 'sublayer'], does: 'residual' },
      ...normalised('residual', leaves, 'norm'),
    ],
  },

  'feed-forward': {
    asked: ['hidden', 'activation', 'output'],
    points: { activation: 2, output: 2 },
    end: ['output'],
    shapes: {
      x: ['n', 'd'],
      w_1: ['d', 'd_ff'],
      b_1: ['d_ff'],
      w_2: ['d_ff', 'd_o'],
      b_2: ['d_o'],
    },
    draw: (draw) => ({
      tokens: ['cat', 'sat'],
      leaves: {
        x: draw.integers([2, 2], -2, 3),
        w_1: draw.integers([2, 4], -2, 2),
        b_1: draw.integers([4], -2, 2),
        w_2: draw.halves([4, 2], -2, 2),
        b_2: draw.halves([2], -1, 1),
      },
    }),
    steps: () => [
      { name: 'hidden', op: 'linear', of: ['x', 'w_1', 'b_1'], does: 'biased' },
      { name: 'activation', op: 'relu', of: ['hidden'], does: 'activation' },
      { name: 'output', op: 'linear', of: ['activation', 'w_2', 'b_2'], does: 'biased' },
    ],
  },

  'dropout-scale': {
    asked: ['output'],
    shapes: { x: ['n', 'd'], keep: ['n', 'd'], p: [1] },
    draw: (draw) => ({
      leaves: {
        x: draw.integers([2, 4], -4, 6),
        keep: draw.integers([2, 4], 0, 1),
        p: [draw.pick([0.2, 0.25, 0.5])],
      },
    }),
    steps: ({ p: [p] }) => [
      { name: 'kept', op: 'mul', of: ['x', 'keep'], hidden: true },
      {
        name: 'output',
        op: 'scale',
        of: ['kept'],
        with: { factor: 1 / (1 - Number(p)) },
        does: 'dropout',
      },
    ],
  },
};
