// Recipes of training: losses, gradients, steps of an optimiser.

import { meanOf } from '../../../js/base/sum.js';
import { ln } from '../machine/ln.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').By} By */

/** -ln p of the label of each row. @type {By} */
const losses = ([probabilities, labels]) => {
  const width = probabilities.length / labels.length;
  return Array.from(labels, (label, i) => -ln(probabilities[i * width + label]));
};

/** - sum_j q_j ln p_j of each row. @type {By} */
const crossEntropies = ([probabilities, targets]) => {
  const width = 3;
  return Array.from({ length: targets.length / width }, (_, i) => {
    let sum = 0;
    for (let j = i * width; j < (i + 1) * width; j++) sum -= targets[j] * ln(probabilities[j]);
    return sum;
  });
};

/** Each logarithm, and its product with the target, is rounded.
 * @type {import('../machine/machine.js').Within} */
const logarithmsWithin = ([probabilities, targets], values, half) =>
  values.map((_, i) => {
    const width = targets.length / values.length;
    let sum = 0;
    for (let j = i * width; j < (i + 1) * width; j++) {
      const log = ln(probabilities[j]);
      sum += targets[j] * half(log) + half(targets[j] * log);
    }
    return sum;
  });
logarithmsWithin.as = 'logarithms';

/** @type {By} */
const mean = ([numbers]) => [meanOf(numbers)];

/** @type {By} */
const update = ([m, v, epsilon]) => Array.from(m, (x, i) => x / (Math.sqrt(v[i]) + epsilon[0]));

/** What is divided by is rounded first.
 * @param {number} divisor
 * @returns {import('../machine/machine.js').Within} */
export const divided = (divisor) =>
  Object.assign(
    /** @type {import('../machine/machine.js').Within} */ (
      (_, values, half) => values.map((x) => (Math.abs(x) * half(divisor)) / divisor)
    ),
    { as: 'divided' },
  );

/** The root of the second moment is rounded first.
 * @type {import('../machine/machine.js').Within} */
const updateWithin = ([, v, epsilon], values, half) =>
  values.map((u, i) => {
    const root = Math.sqrt(v[i]);
    return (Math.abs(u) * half(root)) / (root + epsilon[0]);
  });
updateWithin.as = 'update';

/** What Adam keeps of the gradients since the beginning, or of their squares. Of one or two rows of whole numbers it has
 * two decimals.
 * @param {readonly number[][]} rows @param {number} beta */
const running = (rows, beta) =>
  rows
    .reduce((kept, row) => kept.map((x, i) => beta * x + (1 - beta) * row[i]), [0, 0, 0])
    .map((x) => Math.round(100 * x) / 100);

/** Vaswani et al. 2017, formula 3. @type {By} */
const noam = ([steps, dModel, warmup]) =>
  Array.from(
    steps,
    (step) =>
      (1 / Math.sqrt(dModel[0])) *
      Math.min(1 / Math.sqrt(step), step / (warmup[0] * Math.sqrt(warmup[0]))),
  );

/** The powers, and the product of one with the step, are rounded.
 * @type {import('../machine/machine.js').Within} */
const noamWithin = ([steps, dModel, warmup], _, half) =>
  Array.from(steps, (step) => {
    const power = 1 / (warmup[0] * Math.sqrt(warmup[0]));
    const rising = step * half(power) + half(step * power);
    return Math.max(rising, half(1 / Math.sqrt(step))) / Math.sqrt(dModel[0]);
  });
noamWithin.as = 'noam';

/** A moment without the bias of its first steps. @param {string} moment @param {number} divisor
 * @returns {import('../machine/machine.js').Step} */
const corrected = (moment, divisor) => ({
  name: `${moment}.corrected`,
  op: 'scale',
  of: [moment],
  with: { factor: 1 / divisor },
  does: 'correction',
  within: divided(divisor),
});

/** @param {number[]} labels @param {number} width */
const oneHot = (labels, width) =>
  labels.map((label) => Array.from({ length: width }, (_, j) => Number(j === label)));

/** @type {Record<string, Recipe>} */
export const learning = {
  'cross-entropy': {
    asked: ['probabilities', 'losses', 'loss'],
    points: { losses: 2 },
    end: ['losses', 'loss'],
    draw: (draw) => ({
      leaves: {
        logits: draw.halves([3, 3], -1, 2),
        labels: [draw.integer(0, 2), draw.integer(0, 2), draw.integer(0, 2)],
      },
      ids: ['labels'],
    }),
    steps: () => [
      { name: 'probabilities', op: 'softmax', of: ['logits'], does: 'softmax' },
      {
        name: 'losses',
        by: losses,
        of: ['probabilities', 'labels'],
        shape: [3],
        does: 'logarithm',
      },
      { name: 'loss', by: mean, of: ['losses'], shape: [1], does: 'average' },
    ],
  },

  'label-smoothing': {
    asked: ['targets', 'losses'],
    points: { targets: 2 },
    end: ['losses'],
    draw: (draw) => {
      const labels = [draw.integer(0, 2), draw.integer(0, 2)];
      return {
        leaves: {
          probabilities: [draw.shares(3), draw.shares(3)],
          label: oneHot(labels, 3),
          smoothing: [draw.pick([0.1, 0.2, 0.3])],
        },
      };
    },
    steps: () => [
      {
        name: 'targets',
        by: ([label, [smoothing]]) => Array.from(label, (q) => (1 - smoothing) * q + smoothing / 3),
        of: ['label', 'smoothing'],
        shape: [2, 3],
        does: 'smoothing',
      },
      {
        name: 'losses',
        by: crossEntropies,
        of: ['probabilities', 'targets'],
        shape: [2],
        does: 'logarithm',
        within: logarithmsWithin,
      },
    ],
  },

  'softmax-gradient': {
    asked: ['probabilities', 'gradient'],
    end: ['gradient'],
    draw: (draw) => ({
      leaves: {
        logits: draw.halves([2, 3], -1, 2),
        label: oneHot([draw.integer(0, 2), draw.integer(0, 2)], 3),
      },
    }),
    steps: () => [
      { name: 'probabilities', op: 'softmax', of: ['logits'], does: 'softmax' },
      { name: 'opposite', op: 'scale', of: ['label'], with: { factor: -1 }, hidden: true },
      {
        name: 'gradient',
        op: 'add',
        of: ['probabilities', 'opposite'],
        does: 'difference',
      },
    ],
  },

  'adam-step': {
    /* Where a small ε stands hardly shows in fewer. */
    least: 3,
    asked: ['m', 'v', 'm.corrected', 'v.corrected', 'update', 'theta.new'],
    points: { update: 2 },
    end: ['theta.new'],
    draw: (draw) => {
      const step = draw.integer(2, 3);
      const whole = () => draw.pick([-3, -2, -1, 1, 2, 3]);
      const earlier = Array.from({ length: step - 1 }, () => [whole(), whole(), whole()]);
      return {
        leaves: {
          theta: draw.halves([3], -2, 2),
          gradient: draw.halves([3], -3, 3),
          'm.before': running(earlier, 0.9),
          'v.before': running(
            earlier.map((row) => row.map((g) => g * g)),
            0.8,
          ),
          step: [step],
          epsilon: [0.1],
        },
        ids: ['step'],
        sizes: { rate: 0.5, beta1: 0.9, beta2: 0.8 },
      };
    },
    steps: ({ step }) => [
      { name: 'm.kept', op: 'scale', of: ['m.before'], with: { factor: 0.9 }, hidden: true },
      { name: 'm.share', op: 'scale', of: ['gradient'], with: { factor: 0.1 }, hidden: true },
      { name: 'm', op: 'add', of: ['m.kept', 'm.share'], does: 'moment' },
      { name: 'squares', op: 'mul', of: ['gradient', 'gradient'], hidden: true },
      { name: 'v.kept', op: 'scale', of: ['v.before'], with: { factor: 0.8 }, hidden: true },
      { name: 'v.share', op: 'scale', of: ['squares'], with: { factor: 0.2 }, hidden: true },
      { name: 'v', op: 'add', of: ['v.kept', 'v.share'], does: 'moment' },
      corrected('m', 1 - power(0.9, Number(step[0]))),
      corrected('v', 1 - power(0.8, Number(step[0]))),
      {
        name: 'update',
        by: update,
        of: ['m.corrected', 'v.corrected', 'epsilon'],
        shape: [3],
        does: 'root',
        within: updateWithin,
      },
      { name: 'moved', op: 'scale', of: ['update'], with: { factor: -0.5 }, hidden: true },
      { name: 'theta.new', op: 'add', of: ['theta', 'moved'] },
    ],
  },

  'noam-rate': {
    asked: ['rate'],
    draw: (draw) => {
      const warmup = draw.pick([4, 9, 16, 25, 36]);
      return {
        leaves: {
          step: [draw.integer(2, warmup - 1), draw.integer(warmup + 1, 3 * warmup)],
          dModel: [draw.pick([4, 16, 64])],
          warmup: [warmup],
        },
        ids: ['step'],
      };
    },
    digits: 4,
    steps: () => [
      {
        name: 'rate',
        by: noam,
        of: ['step', 'dModel', 'warmup'],
        shape: [2],
        does: 'rate',
        within: noamWithin,
      },
    ],
  },
};

/** x to a small whole power, by multiplications: the same bits in every engine.
 * @param {number} x @param {number} n
 * @returns {number} */
function power(x, n) {
  return n ? x * power(x, n - 1) : 1;
}
