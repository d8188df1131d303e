// What an example may have beside attention: scores that are given, a whole layer, a loss, a step of Adam; and how its
// numbers are written.

import { checkInteger } from '../base/errors.js';
import { isObject, MAX_DEPTH, shapeOf } from '../base/values.js';
import { readBlock } from '../number/block.js';
import { readNumber } from '../number/read.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./example.js').Builder} Builder */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../tape/description.js').Description} Description */
/** @typedef {Record<string, Tensor>} Leaves */

/** A layer around the attention: its norm stands before each of its two parts, or behind the residual sum. Without w_1 it has
 * no feed-forward.
 * @typedef {object} ExampleLayer
 * @property {'before' | 'after' | 'none'} [norm] after by default
 * @property {number} [epsilon] of the norms, 1e-5 by default
 * @property {'relu' | 'gelu'} [activation] relu by default */

/** One step of Adam. rate: the learning rate. step: its number, 1 by default.
 * @typedef {object} ExampleAdam
 * @property {number} rate @property {number} [beta1] 0.9 by default @property {number} [beta2] 0.999 by default
 * @property {number} [epsilon] 1e-8 by default @property {number} [step] */

/** @type {Partial<Description>} */
const ROW = { axes: ['channel'] };
/** @type {Partial<Description>} */
const MATRIX = { axes: ['channel', 'channel'] };
/** @param {'norm' | 'hidden' | 'output'} role @param {'gain' | 'bias'} parameter
 * @returns {Partial<Description>} */
const rowOf = (role, parameter) => ({ role, parameter, ...ROW });
/** @param {'hidden' | 'output' | 'logit'} role
 * @returns {Partial<Description>} */
const weightOf = (role) => ({ role, parameter: 'weight', ...MATRIX });

/** The leaves of these parts, and what they are.
 * @type {Record<string, { kind: 'input' | 'parameter' | 'ids', about: Partial<Description> }>} */
export const LAYER_LEAVES = {
  mask: { kind: 'ids', about: { role: 'mask', axes: ['token', 'token'] } },
  scores: { kind: 'input', about: { role: 'score', axes: ['token', 'token'] } },
  gain_1: { kind: 'parameter', about: rowOf('norm', 'gain') },
  bias_1: { kind: 'parameter', about: rowOf('norm', 'bias') },
  gain_2: { kind: 'parameter', about: rowOf('norm', 'gain') },
  bias_2: { kind: 'parameter', about: rowOf('norm', 'bias') },
  w_1: { kind: 'parameter', about: weightOf('hidden') },
  b_1: { kind: 'parameter', about: rowOf('hidden', 'bias') },
  w_2: { kind: 'parameter', about: weightOf('output') },
  b_2: { kind: 'parameter', about: rowOf('output', 'bias') },
  w_u: { kind: 'parameter', about: { ...weightOf('logit'), axes: ['channel', 'vocabulary'] } },
  logits: { kind: 'input', about: { role: 'logit', axes: ['token', 'vocabulary'] } },
  labels: { kind: 'ids', about: { role: 'labels', axes: ['token'] } },
  theta: { kind: 'input', about: ROW },
  gradient: { kind: 'input', about: ROW },
  m_before: { kind: 'input', about: ROW },
  v_before: { kind: 'input', about: ROW },
};

/** The leaves that are lists: a single pasted row is one. */
export const LISTS = new Set([
  ...['tokens', 'pos', 'b_q', 'b_k', 'b_v', 'b_o', 'gain', 'bias'],
  ...['gain_1', 'bias_1', 'gain_2', 'bias_2', 'b_1', 'b_2'],
  ...['labels', 'theta', 'gradient', 'm_before', 'v_before'],
]);

/** What a leaf of more dimensions is, whose first one counts the sequences of a batch.
 * @param {Partial<Description>} about @param {number} rank
 * @returns {Partial<Description>} */
export function ranked(about, rank) {
  const { axes = [] } = about;
  const more = rank - axes.length;
  if (more <= 0 || !axes.length) return about;
  return { ...about, axes: [...new Array(more).fill('batch'), ...axes] };
}

/** A number as it is written: 4/3, 0,5. @param {string} where @param {unknown} value */
function numberIn(where, value) {
  if (typeof value !== 'string') return value;
  const read = readNumber(value);
  if (read && 'value' in read) return read.value;
  throw rangeError('writtenNumber', { where, value });
}

/** Nested numbers, some of which may be written. @param {string} where @param {unknown} value @param {number} [depth]
 * @returns {unknown} */
function numbersIn(where, value, depth = MAX_DEPTH) {
  if (!Array.isArray(value) || depth === 0) return numberIn(where, value);
  return value.map((part, i) => numbersIn(`${where}[${i}]`, part, depth - 1));
}

/** An example whose numbers are numbers: those that are written as texts, one by one or as a block, are read.
 * @param {Example} example
 * @returns {Example} */
export function readExample(example) {
  if (!isObject(example)) return example;
  const { inputs, attention } = example;
  if (!isObject(inputs)) return example;
  const read = Object.entries(inputs).map(([name, value]) => {
    const where = `trace: example.inputs.${name}`;
    if (isObject(value)) return [name, value];
    const rows = typeof value === 'string' ? readBlock(value) : value;
    if (typeof value === 'string' && !Object(rows).length) {
      throw rangeError('writtenNumber', { where, value });
    }
    const numbers = /** @type {unknown[]} */ (numbersIn(where, rows));
    const isRow = typeof value === 'string' && LISTS.has(name) && numbers.length === 1;
    return [name, isRow ? numbers[0] : numbers];
  });
  const scale = numberIn('trace: example.attention.scale', Object(attention).scale);
  return {
    ...example,
    inputs: Object.fromEntries(read),
    ...(scale !== undefined && {
      attention: { ...attention, scale: /** @type {number} */ (scale) },
    }),
  };
}

/** From scores that are given to the weights, and to the output if there are values. @type {Builder} */
export function buildScores(tape, _, { attention = {} }, { scores, mask, v }) {
  const { scale = 1, causal = false } = attention;
  /** @param {Tensor} tensor @param {Partial<Description>} about */
  const described = (tensor, about) => {
    tape.describe(tensor, ranked(about, tensor.shape.length));
    return tensor;
  };
  const scoresAbout = /** @type {const} */ ({ role: 'score', axes: ['token', 'token'] });
  let last = scores;
  if (scale !== 1) last = described(tape.scale(last, scale, 'scores.scaled'), scoresAbout);
  if (causal || mask) {
    last = described(tape.mask(last, { causal, mask: mask ?? null }, 'scores.masked'), scoresAbout);
  }
  const weights = described(tape.softmax(last, 'weights'), {
    role: 'weight',
    axes: scoresAbout.axes,
  });
  if (v)
    described(tape.matmul(weights, v, 'output'), { role: 'output', axes: ['token', 'channel'] });
  return {};
}

/** The residual sums, norms and feed-forward around an attention.
 * @param {Tape} tape @param {Example} example @param {Leaves} leaves
 * @param {Tensor} x @param {(x: Tensor) => Tensor} attend */
export function layered(tape, { layer = {} }, leaves, x, attend) {
  const { norm = 'after', epsilon = 1e-5, activation = 'relu' } = layer;
  const { w_1, b_1 = null, w_2, b_2 = null } = leaves;
  /** @param {Tensor} tensor @param {1 | 2} part */
  const normed = (tensor, part) => {
    const [gain, bias] = [leaves[`gain_${part}`] ?? null, leaves[`bias_${part}`] ?? null];
    return tape.layerNorm(tensor, gain, bias, epsilon, `norm_${part}`);
  };
  /** @param {Tensor} stream @param {1 | 2} part @param {(x: Tensor) => Tensor} sublayer */
  const around = (stream, part, sublayer) => {
    const written = sublayer(norm === 'before' ? normed(stream, part) : stream);
    const sum = tape.add(stream, written, `residual_${part}`);
    tape.describe(sum, { role: 'residual' });
    return norm === 'after' ? normed(sum, part) : sum;
  };
  const attended = around(x, 1, attend);
  if (!w_1 && !w_2) return attended;
  const missing = ['w_1', 'w_2'].find((name) => !leaves[name]);
  if (missing) throw rangeError('missingInput', { where: 'trace: example.inputs', name: missing });
  return around(attended, 2, (input) => {
    const hidden = tape.linear(input, w_1, b_1, 'hidden');
    tape.describe(hidden, { role: 'hidden' });
    const active =
      activation === 'gelu' ? tape.gelu(hidden, {}, 'activation') : tape.relu(hidden, 'activation');
    tape.describe(active, { role: 'activation' });
    return tape.linear(active, w_2, b_2, 'feed_forward');
  });
}

/** Logits of the last step, if w_u makes them, or given ones; their probabilities, and their loss against labels.
 * @param {Tape} tape @param {Leaves} leaves @param {Tensor | undefined} last @param {object | undefined} loss */
export function predict(tape, { logits: leaf, w_u, labels }, last, loss) {
  const made = leaf ?? (w_u && last ? tape.linear(last, w_u, null, 'logits') : last);
  const missing = loss && !labels ? 'labels' : !made ? 'logits' : null;
  if (missing) throw rangeError('missingInput', { where: 'trace: example.inputs', name: missing });
  const logits = /** @type {Tensor} */ (made);
  /** @type {Partial<Description>} */
  const classes = w_u ? ranked({ axes: ['token', 'vocabulary'] }, logits.shape.length) : {};
  if (logits !== leaf) tape.describe(logits, { role: 'logit', ...classes });
  tape.describe(tape.softmax(logits, 'probabilities'), { role: 'probability', ...classes });
  if (loss) tape.describe(tape.crossEntropy(logits, labels, {}, 'loss'), { role: 'loss' });
}

/** @type {Builder} */
export function buildLoss(tape, _, { loss }, leaves) {
  predict(tape, leaves, undefined, loss);
  return {};
}

/** A step of Adam from parameters and their gradient. @type {Builder} */
export function buildAdam(tape, _, { adam, inputs = {} }, leaves) {
  const {
    rate,
    beta1 = 0.9,
    beta2 = 0.999,
    epsilon = 1e-8,
    step = 1,
  } = /** @type {ExampleAdam} */ (adam);
  const where = 'trace: example';
  for (const name of ['theta', 'gradient']) {
    if (!leaves[name]) throw rangeError('missingInput', { where: `${where}.inputs`, name });
  }
  checkInteger(`${where}.adam.step`, step, 1, 1e6);
  const { theta, gradient, m_before, v_before } = leaves;
  for (const name of ['gradient', 'm_before', 'v_before']) {
    const [length] =
      name in inputs ? shapeOf(/** @type {number[]} */ (inputs[name])) : [theta.size];
    if (length === theta.size) continue;
    throw typeError('adamLength', { where: `${where}.inputs.${name}`, n: theta.size, length });
  }
  /** @param {string} name @param {Tensor | undefined} before @param {Tensor} now @param {number} beta */
  const moment = (name, before, now, beta) => {
    const share = tape.scale(now, 1 - beta, before ? `${name}.share` : name);
    return before ? tape.add(tape.scale(before, beta, `${name}.kept`), share, name) : share;
  };
  const m = moment('m', m_before, gradient, beta1);
  const v = moment('v', v_before, tape.mul(gradient, gradient, 'gradient.squared'), beta2);
  const corrected = tape.scale(m, 1 / (1 - beta1 ** step), 'm.corrected');
  const root = tape.sqrt(tape.scale(v, 1 / (1 - beta2 ** step), 'v.corrected'), 'v.root');
  const divisor = tape.add(root, tape.input('epsilon', [1]), 'divisor');
  const update = tape.div(corrected, divisor, 'update');
  tape.add(theta, tape.scale(update, -rate, 'moved'), 'theta.new');
  return { epsilon: [epsilon] };
}
