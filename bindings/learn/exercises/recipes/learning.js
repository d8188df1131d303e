// Recipes of training: losses, gradients, steps of an optimiser.

import { meanOf } from '../../../js/base/sum.js';
import { shapeOf } from '../../../js/base/values.js';
import { ln } from '../machine/ln.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').By} By */

/** -ln p of the label of each row. @type {By} */
const losses = ([probabilities, labels]) => {
  const width = probabilities.length / labels.length;
  return Array.from(labels, (label, i) => -ln(probabilities[i * width + label]));
};

/** - sum_j q_j ln p_j of each row. @param {number} width
 * @returns {By} */
const crossEntropies =
  (width) =>
  ([probabilities, targets]) =>
    Array.from({ length: targets.length / width }, (_, i) => {
      let sum = 0;
      for (let j = i * width; j < (i + 1) * width; j++) sum -= targets[j] * ln(probabilities[j]);
      return sum;
    });

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

/** 1 - beta, without what float64 adds to it. @param {number} beta */
const rest = (beta) => Number((1 - beta).toPrecision(12));

/** A moment: what is kept of the one before, and a share of what is new.
 * @param {string} name @param {string} before @param {string} now @param {number} beta
 * @param {string} end of the names
 * @returns {import('../machine/machine.js').Step[]} */
const moment = (name, before, now, beta, end) => [
  {
    name: `${name}.kept${end}`,
    op: 'scale',
    of: [before],
    with: { factor: beta },
    does: 'kept',
    hidden: true,
  },
  {
    name: `${name}.share${end}`,
    op: 'scale',
    of: [now],
    with: { factor: rest(beta) },
    hidden: true,
  },
  {
    name: `${name}${end}`,
    op: 'add',
    of: [`${name}.kept${end}`, `${name}.share${end}`],
    does: 'moment',
  },
];

/** A moment without the bias of its first steps.
 * @param {string} name @param {number} beta @param {number} t which step it is @param {string} end of the names
 * @returns {import('../machine/machine.js').Step} */
function corrected(name, beta, t, end) {
  const divisor = 1 - power(beta, t);
  return {
    name: `${name}.corrected${end}`,
    op: 'scale',
    of: [`${name}${end}`],
    with: { factor: 1 / divisor, ...(end && t > 1 && { first: 1 / (1 - beta) }) },
    does: 'correction',
    within: divided(divisor),
  };
}

/** A step of Adam.
 * @param {import('./index.js').Sizes} sizes @param {number} parameters
 * @param {{ t: number, m: string, v: string, theta: string, gradient: string, updated: string, end: string }} names of what it
 *   reads and of what it gives; end: of those in between
 * @returns {import('../machine/machine.js').Step[]} */
function adam({ rate, beta1, beta2 }, parameters, { t, m, v, theta, gradient, updated, end }) {
  return [
    ...moment('m', m, gradient, beta1, end),
    { name: `squares${end}`, op: 'mul', of: [gradient, gradient], hidden: true },
    ...moment('v', v, `squares${end}`, beta2, end),
    corrected('m', beta1, t, end),
    corrected('v', beta2, t, end),
    {
      name: `update${end}`,
      by: update,
      of: [`m.corrected${end}`, `v.corrected${end}`, 'epsilon'],
      shape: [parameters],
      does: 'root',
      within: updateWithin,
    },
    {
      name: `moved${end}`,
      op: 'scale',
      of: [`update${end}`],
      with: { factor: -rate },
      hidden: true,
    },
    { name: updated, op: 'add', of: [theta, `moved${end}`] },
  ];
}

/** A gradient of whole numbers, none of which is 0. @param {import('./draw.js').Draw} draw @param {number} n */
const wholeGradient = (draw, n) =>
  Array.from({ length: n }, () => draw.pick([-3, -2, -1, 1, 2, 3]));

/** Steps that a problem of several may have. */
const MOST_STEPS = 4;
/** @template T @param {(t: number) => T} of @returns {T[]} for each of them */
const ofEach = (of) => Array.from({ length: MOST_STEPS }, (_, i) => of(i + 1));

/** The names of what several steps have each, by the whole: m.2 is the m of step 2.
 * @type {ReadonlyMap<string, { of: string, t: number }>} */
export const NUMBERED = new Map(
  [
    ...['gradient', 'm.kept', 'm.share', 'm', 'squares', 'v.kept', 'v.share', 'v'],
    ...['m.corrected', 'v.corrected', 'update', 'moved', 'theta'],
  ].flatMap((of) => ofEach((t) => [`${of}.${t}`, { of, t }])),
);

const OF_ADAM = { rate: 0.5, beta1: 0.9, beta2: 0.8 };

/** @param {number[]} labels @param {number} width */
const oneHot = (labels, width) =>
  labels.map((label) => Array.from({ length: width }, (_, j) => Number(j === label)));

/** @type {Record<string, Recipe>} */
export const learning = {
  'cross-entropy': {
    asked: ['probabilities', 'losses', 'loss'],
    points: { losses: 2 },
    end: ['losses', 'loss'],
    shapes: { logits: ['n', 'c'], labels: ['n'] },
    ids: ['labels'],
    draw: (draw) => ({
      leaves: {
        logits: draw.halves([3, 3], -1, 2),
        labels: [draw.integer(0, 2), draw.integer(0, 2), draw.integer(0, 2)],
      },
    }),
    steps: ({ labels }) => [
      { name: 'probabilities', op: 'softmax', of: ['logits'], does: 'softmax' },
      {
        name: 'losses',
        by: losses,
        of: ['probabilities', 'labels'],
        shape: [labels.length],
        does: 'logarithm',
      },
      { name: 'loss', by: mean, of: ['losses'], shape: [1], does: 'average' },
    ],
  },

  'label-smoothing': {
    asked: ['targets', 'losses'],
    points: { targets: 2 },
    end: ['losses'],
    shapes: { probabilities: ['n', 'c'], label: ['n', 'c'], smoothing: [1] },
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
    steps({ label }) {
      const shape = shapeOf(label);
      const [n, classes] = shape;
      return [
        {
          name: 'targets',
          by: ([rows, [smoothing]]) =>
            Array.from(rows, (q) => (1 - smoothing) * q + smoothing / classes),
          of: ['label', 'smoothing'],
          shape,
          does: 'smoothing',
        },
        {
          name: 'losses',
          by: crossEntropies(classes),
          of: ['probabilities', 'targets'],
          shape: [n],
          does: 'logarithm',
          within: logarithmsWithin,
        },
      ];
    },
  },

  'softmax-gradient': {
    asked: ['probabilities', 'gradient'],
    end: ['gradient'],
    shapes: { logits: ['n', 'c'], label: ['n', 'c'] },
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
    shapes: {
      ...{ theta: ['p'], gradient: ['p'], 'm.before': ['p'], 'v.before': ['p'] },
      ...{ step: [1], epsilon: [1] },
    },
    ids: ['step'],
    sizes: OF_ADAM,
    usual: ({ theta = [] }) => ({
      'm.before': new Array(theta.length).fill(0),
      'v.before': new Array(theta.length).fill(0),
      step: [1],
      epsilon: [1e-8],
    }),
    draw: (draw, { beta1 = OF_ADAM.beta1, beta2 = OF_ADAM.beta2 }) => {
      const step = draw.integer(2, 3);
      const earlier = Array.from({ length: step - 1 }, () => wholeGradient(draw, 3));
      return {
        leaves: {
          theta: draw.halves([3], -2, 2),
          gradient: draw.halves([3], -3, 3),
          'm.before': running(earlier, beta1),
          'v.before': running(
            earlier.map((row) => row.map((g) => g * g)),
            beta2,
          ),
          step: [step],
          epsilon: [0.1],
        },
      };
    },
    steps: ({ theta, step }, sizes) =>
      adam(sizes, theta.length, {
        ...{ t: Number(step[0]), m: 'm.before', v: 'v.before', theta: 'theta' },
        ...{ gradient: 'gradient', updated: 'theta.new', end: '' },
      }),
  },

  'adam-steps': {
    least: 3,
    asked: ofEach((t) =>
      ['m', 'v', 'm.corrected', 'v.corrected', 'update', 'theta'].map((name) => `${name}.${t}`),
    ).flat(),
    points: Object.fromEntries(ofEach((t) => [`update.${t}`, 2])),
    end: ofEach((t) => `theta.${t}`),
    shapes: {
      theta: ['p'],
      ...Object.fromEntries(ofEach((t) => [`gradient.${t}`, ['p']])),
      epsilon: [1],
    },
    optional: ofEach((t) => `gradient.${t}`).slice(2),
    sizes: OF_ADAM,
    usual: () => ({ epsilon: [1e-8] }),
    draw: (draw) => ({
      leaves: {
        theta: draw.halves([2], -2, 2),
        'gradient.1': wholeGradient(draw, 2),
        'gradient.2': wholeGradient(draw, 2),
        epsilon: [0.1],
      },
    }),
    inner: ({ theta }) => ({ zeros: theta.map(() => 0) }),
    steps: (leaves, sizes) =>
      ofEach((t) => t)
        .filter((t) => leaves[`gradient.${t}`])
        .flatMap((t) =>
          adam(sizes, leaves.theta.length, {
            t,
            m: t > 1 ? `m.${t - 1}` : 'zeros',
            v: t > 1 ? `v.${t - 1}` : 'zeros',
            theta: t > 1 ? `theta.${t - 1}` : 'theta',
            gradient: `gradient.${t}`,
            updated: `theta.${t}`,
            end: `.${t}`,
          }),
        ),
  },

  'noam-rate': {
    asked: ['rate'],
    shapes: { step: ['n'], dModel: [1], warmup: [1] },
    ids: ['step'],
    draw: (draw) => {
      const warmup = draw.pick([4, 9, 16, 25, 36]);
      return {
        leaves: {
          step: [draw.integer(2, warmup - 1), draw.integer(warmup + 1, 3 * warmup)],
          dModel: [draw.pick([4, 16, 64])],
          warmup: [warmup],
        },
      };
    },
    digits: 4,
    steps: (leaves) => [
      {
        name: 'rate',
        by: noam,
        of: ['step', 'dModel', 'warmup'],
        shape: [leaves.step.length],
        does: 'rate',
        within: noamWithin,
      },
    ],
  },
};

/** x to a whole power, by multiplications: the same bits in every engine.
 * @param {number} x @param {number} n
 * @returns {number} */
function power(x, n) {
  if (n < 1) return 1;
  const half = power(x * x, Math.floor(n / 2));
  return n % 2 ? x * half : half;
}
