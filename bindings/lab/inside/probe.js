// A linear probe: can a label be read off the vectors of a step by a linear map? Logistic regression, trained here by
// the core on some examples and tried on the others; beside it a control, the same with shuffled labels, which shows
// what the probe finds where there is nothing to find.

import {
  checkArray,
  checkInteger,
  checkOptions,
  checkReal,
  checkText,
  TINY,
} from '../../js/base/errors.js';
import { largestOf } from '../../js/base/largest.js';
import { shuffled } from '../../js/base/random.js';
import { asPart } from '../../js/base/turn.js';
import { UINT32 } from '../../js/base/values.js';
import { weightsOf } from '../../js/model/model.js';
import { regression } from '../../js/model/regression.js';
import { gradientOf } from '../../js/tape/tensor.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { checkPosition } from './metric.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('../../js/runtime/engine.js').Engine} Engine */

/** inputs: a run. label: what is true of it. position: whose vector is read, from 0; negative ones count from the end; the last
 * by default.
 * @typedef {{ inputs: Inputs, label: string | number, position?: number }} ProbeExample */

/**
 * @typedef {object} ProbeOptions
 * @property {string} node the step whose vectors are read
 * @property {number} [heldOut] the share of examples that the probe is not trained on: 0.25 by default
 * @property {number} [seed] of the choice of these, and of the control's labels
 * @property {number} [steps] of training: 200 by default
 * @property {number} [decay] of the weights: the loss has decay / 2 · |w|², 0.01 by default
 */

/** How often the label is right, from 0 to 1. trained: on the examples that the probe was trained on. heldOut: on the others.
 * @typedef {{ trained: number, heldOut: number }} Accuracy */

/**
 * @typedef {object} Probe
 * @property {'probe'} experiment
 * @property {string} node
 * @property {(string | number)[]} classes the labels that occur, in the order of the logits
 * @property {{ trained: number, heldOut: number }} counts of examples
 * @property {number[]} tried the places of the examples held out
 * @property {Accuracy} accuracy
 * @property {Accuracy} control the accuracy with shuffled labels: held out it should be near chance
 * @property {number} chance how often the most frequent label of the training is right on the examples held out
 * @property {{ weight: number[][], bias: number[], mean: number[], deviation: number[] }} map from (x - mean) / deviation
 *   to one logit per class: weight [channels, classes]
 */

/** The training data: rows of features, and their classes.
 * @typedef {{ rows: Float64Array[], classes: number[] }} Sample */

const OPTIONS = ['node', 'heldOut', 'seed', 'steps', 'decay'];
const MIN_EXAMPLES = 4;
/** Of Adam, as its paper has it; a convex loss takes a large step. */
const ADAM = { rate: 0.05, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/** The vector of one example.
 * @param {string} where @param {Model} model @param {unknown} example @param {string} name of the step
 * @returns {{ row: Float64Array, label: string | number }} */
function vectorOf(where, model, example, name) {
  checkOptions(where, example, ['inputs', 'label', 'position']);
  const { inputs, label, position } = /** @type {ProbeExample} */ (example);
  if (typeof label !== 'string' && typeof label !== 'number') {
    throw typeError('label', { where: `${where}: label`, given: label });
  }
  const bench = new Bench(where, model, inputs);
  try {
    const node = bench.tape.find(name);
    const { axes, shape } = node;
    if (node.kind !== 'op' || shape.length !== 3 || axes[1] !== 'token') {
      throw rangeError('vectorNode', { where, name, node: name });
    }
    const index = checkPosition(`${where}: position`, position, shape[1]);
    bench.tape.forward(undefined, node);
    return {
      row: Float64Array.from(floatsOf(node).subarray(index * shape[2], (index + 1) * shape[2])),
      label,
    };
  } finally {
    bench.dispose();
  }
}

/** Per channel, of the examples that are trained on.
 * @param {readonly Float64Array[]} rows */
function statisticsOf(rows) {
  const mean = new Float64Array(rows[0].length);
  const square = new Float64Array(rows[0].length);
  for (const row of rows) for (const [c, x] of row.entries()) mean[c] += x / rows.length;
  for (const row of rows)
    for (const [c, x] of row.entries()) square[c] += (x - mean[c]) ** 2 / rows.length;
  /* A channel that never varies stays 0. */
  return { mean, deviation: square.map((x) => Math.sqrt(x) || 1) };
}

/** One step of Adam.
 * @param {Float32Array} values @param {Float32Array} gradient
 * @param {{ m: Float64Array, v: Float64Array }} moments @param {number} step from 1 @param {number} decay */
function adam(values, gradient, { m, v }, step, decay) {
  const { rate, beta1, beta2, epsilon } = ADAM;
  for (let i = 0; i < values.length; i++) {
    const slope = gradient[i] + decay * values[i];
    m[i] = beta1 * m[i] + (1 - beta1) * slope;
    v[i] = beta2 * v[i] + (1 - beta2) * slope * slope;
    const [mean, square] = [m[i] / (1 - beta1 ** step), v[i] / (1 - beta2 ** step)];
    values[i] -= (rate * mean) / (Math.sqrt(square) + epsilon);
  }
}

/** Softmax regression on all rows at once: the core computes loss and gradients.
 * @param {Engine} engine @param {Sample} sample @param {number} count of classes @param {{ steps: number, decay: number }} options
 * @returns {Generator<number, { weight: Float32Array, bias: Float32Array }>} */
function* fitted(engine, { rows, classes }, count, { steps, decay }) {
  const { tape, weight, bias, loss } = regression(engine, rows, classes, count);
  try {
    const parameters = [weight, bias];
    const moments = parameters.map(({ size }) => ({
      m: new Float64Array(size),
      v: new Float64Array(size),
    }));
    for (let step = 1; step <= steps; step++) {
      tape.forward();
      tape.backward(loss);
      parameters.forEach((parameter, i) => {
        const gradient = /** @type {Float32Array} */ (gradientOf(parameter));
        /* The bias may be as large as the labels ask. */
        adam(floatsOf(parameter), gradient, moments[i], step, i === 0 ? decay : 0);
      });
      yield step / steps;
    }
    return { weight: floatsOf(weight).slice(), bias: floatsOf(bias).slice() };
  } finally {
    tape.dispose();
  }
}

/** How often the class with the largest logit is the right one.
 * @param {{ weight: Float32Array, bias: Float32Array }} map @param {Sample} sample */
function accuracyOf({ weight, bias }, { rows, classes }) {
  const right = rows.filter((row, i) => {
    const logits = Float64Array.from(bias);
    for (const [c, x] of row.entries()) {
      for (let k = 0; k < logits.length; k++) logits[k] += x * weight[c * logits.length + k];
    }
    return largestOf('probe', logits) === classes[i];
  });
  return right.length / rows.length;
}

/** Some rows of a sample. @param {Sample} sample @param {number[]} places
 * @returns {Sample} */
const subset = ({ rows, classes }, places) => ({
  rows: places.map((i) => rows[i]),
  classes: places.map((i) => classes[i]),
});

/** @param {string} where @param {readonly ProbeExample[]} examples @param {ProbeOptions} options */
function checkProbe(where, examples, options) {
  const { heldOut = 0.25, seed = 0, steps = 200, decay = 0.01 } = options;
  const node = checkText(`${where}: node`, options.node);
  checkReal(`${where}: heldOut`, heldOut, TINY, 0.9);
  checkInteger(`${where}: seed`, seed, 0, UINT32);
  checkInteger(`${where}: steps`, steps, 1, 100_000);
  checkReal(`${where}: decay`, decay, 0, 1e6);
  checkArray(`${where}: examples`, examples);
  const n = examples.length;
  if (n < MIN_EXAMPLES)
    throw rangeError('fewExamples', { where: `${where}: examples`, least: MIN_EXAMPLES, n });
  return { node, heldOut, seed, steps, decay };
}

/** Trains a linear probe on the vectors of a step, and says how often it is right on examples that it was not trained
 * on; and a control with shuffled labels, which should be right no more often than chance.
 * @param {Model} model @param {readonly ProbeExample[]} examples @param {ProbeOptions & Listener} options
 * @returns {Promise<Probe>}
 * @example
 * import { probe } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const examples = Array.from({ length: 32 }, (_, i) => ({
 *   inputs: { target: [i % 8, (3 * i) % 8] },
 *   label: i % 8 < 4 ? 'low' : 'high',
 *   position: 0,
 * }));
 * const { accuracy, counts } = await probe(model, examples, { node: 'decoder.embedding' });
 * counts; // = { trained: 24, heldOut: 8 }
 * accuracy.heldOut; // = 1
 * model.dispose(); */
export function probe(model, examples, options) {
  const where = 'probe';
  return experiment(where, options, OPTIONS, function* (_, options) {
    const { node, heldOut, seed, steps, decay } = checkProbe(where, examples, options);
    const { engine } = weightsOf(where, model);
    const n = examples.length;
    /** @type {ReturnType<typeof vectorOf>[]} */
    const read = [];
    for (const [i, example] of examples.entries()) {
      read.push(vectorOf(`${where}: examples[${i}]`, model, example, node));
      yield (0.5 * (i + 1)) / n;
    }
    const classes = [...new Set(read.map(({ label }) => label))];
    if (classes.length < 2)
      throw rangeError('classCount', { where: `${where}: examples`, n: classes.length });
    const order = shuffled([...examples.keys()], seed, 0);
    const count = Math.min(n - 1, Math.max(1, Math.round(heldOut * n)));
    const [tried, trained] = [order.slice(0, count), order.slice(count)];
    const { mean, deviation } = statisticsOf(trained.map((i) => read[i].row));
    const rows = read.map(({ row }) => row.map((x, c) => (x - mean[c]) / deviation[c]));
    const classIds = read.map(({ label }) => classes.indexOf(label));
    /** @param {number[]} labels @param {number} from @returns {Generator<number, { accuracy: Accuracy, map: { weight: Float32Array, bias: Float32Array } }>} */
    const learn = function* (labels, from) {
      const sample = { rows, classes: labels };
      const training = fitted(engine, subset(sample, trained), classes.length, { steps, decay });
      const map = yield* asPart(training, from, 0.25);
      const accuracy = {
        trained: accuracyOf(map, subset(sample, trained)),
        heldOut: accuracyOf(map, subset(sample, tried)),
      };
      return { accuracy, map };
    };
    const { accuracy, map } = yield* learn(classIds, 0.5);
    const { accuracy: control } = yield* learn(shuffled(classIds, seed, 1), 0.75);
    const times = classes.map((_, k) => trained.filter((i) => classIds[i] === k).length);
    const common = largestOf(where, times);
    const K = classes.length;
    return {
      experiment: /** @type {const} */ ('probe'),
      ...{
        node,
        classes,
        counts: { trained: trained.length, heldOut: count },
        tried,
        accuracy,
        control,
      },
      chance: tried.filter((i) => classIds[i] === common).length / count,
      map: {
        weight: Array.from(mean, (_, c) => [...map.weight.subarray(c * K, (c + 1) * K)]),
        ...{ bias: [...map.bias], mean: [...mean], deviation: [...deviation] },
      },
    };
  });
}
