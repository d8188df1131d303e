// The recurrent network that attention replaced, beside one step of attention over the same inputs: what they compute, and
// how much of an earlier input is left in a later output. The core's backward computes every derivative.

import { checkCore, checkInteger, checkOptions, checkReal } from '../../js/base/errors.js';
import { UINT32 } from '../../js/base/values.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** @typedef {{ gain?: number, units?: number, steps?: number, seed?: number }} RecurrenceOptions gain: W is this times normal
 *   numbers over √units, 1 by default; U, W_Q, W_K and W_V are the same without the gain, the inputs normal. units: 32 by
 *   default. steps: 100 by default. seed: of gf.normal, 1 by default; inputs, W, U, W_Q, W_K, W_V are streams 0 to 5 */

/** One step, of `units` numbers each. state: h = tanh(fromState + fromInput). fromState: W times the state before. fromInput: U
 * times the input.
 * @typedef {{ state: number[], fromState: number[], fromInput: number[] }} RecurrentStep */

/** What is left of each input in one output. derivatives[s - 1] is the norm of the matrix of derivatives of the output after
 * input s. chain: how many operations wait for each other on the way to the output, counted on the tape. kept: how many
 * numbers of the inputs before must be kept.
 * @typedef {{ derivatives: number[], chain: number, kept: number }} Reach */

/** steps[t - 1] is step t. reach(t) is what is left at step t of the inputs up to there: in the recurrent network, and in
 * one step of attention over the same inputs, whose query is input t. dispose: frees the memory.
 * @typedef {{ steps: RecurrentStep[],
 *   reach: (t: number) => { recurrent: Reach, attention: Reach }, dispose: () => void }} Recurrence */

const MAX_UNITS = 64;
const MAX_STEPS = 200;
const MAX_GAIN = 4;
/** What the gradient is multiplied by on its way: float32 ends near 1e-38, and 100 steps may leave less. A power of 2
 * changes no digit. */
const LIFT = 2 ** 60;
const STREAMS = { x: 0, w: 1, u: 2, w_q: 3, w_k: 4, w_v: 5 };

/** The norm of the matrix whose rows are these parts of a gradient: of each sequence, what belongs to one place.
 * @param {Float32Array} grad @param {number} units @param {number} places of each sequence @param {number} place */
function normAt(grad, units, places, place) {
  let sum = 0;
  for (let i = 0; i < units; i++) {
    const first = (i * places + place) * units;
    for (let j = first; j < first + units; j++) sum += grad[j] * grad[j];
  }
  return Math.sqrt(sum);
}

/** How many operations lie on the longest way to a node.
 * @param {Tensor} tensor */
function chainTo(tensor) {
  /** @type {Map<Tensor, number>} */
  const lengths = new Map();
  for (const node of tensor.tape.nodes.slice(0, tensor.id + 1)) {
    const before = node.inputs.map((input) => (input && lengths.get(input)) || 0);
    lengths.set(node, node.kind === 'op' ? 1 + Math.max(...before) : 0);
  }
  return /** @type {number} */ (lengths.get(tensor));
}

/** The first of so many equal rows. @param {Tensor} tensor @param {number} units */
const rowOf = ({ data }, units) => [...data.subarray(0, units)];

/** The same numbers for each of several sequences: a row of the identity as the gradient of each gives all derivatives
 * in one go back.
 * @param {Float32Array} numbers @param {number} times */
const repeated = (numbers, times) => {
  const all = new Float32Array(numbers.length * times);
  for (let i = 0; i < times; i++) all.set(numbers, i * numbers.length);
  return all;
};

/** Rows of the identity, times a number. @param {number} size @param {number} [value] */
const identity = (size, value = 1) =>
  Float32Array.from({ length: size * size }, (_, i) => (i % (size + 1) ? 0 : value));

/** The network, step by step on a tape.
 * @param {Tape} tape @param {number} units @param {number} steps */
function build(tape, units, steps) {
  const [w, u] = ['w', 'u'].map((name) => tape.parameter(name, [units, units]));
  const first = tape.input('h.0', [units, units]);
  const inputs = Array.from({ length: steps }, (_, t) => tape.input(`x.${t + 1}`, [units, units]));
  let state = first;
  const parts = inputs.map((x, t) => {
    const fromState = tape.linear(state, w, null, `wh.${t + 1}`);
    const fromInput = tape.linear(x, u, null, `ux.${t + 1}`);
    state = tape.tanh(tape.add(fromState, fromInput, `sum.${t + 1}`), `h.${t + 1}`);
    return { fromState, fromInput, state };
  });
  tape.plan();
  first.set(new Float32Array(units * units));
  return { w, u, inputs, parts };
}

/** One step of attention over the inputs up to t, whose query is the last of them.
 * @param {Glassformer} gf @param {number} units @param {(name: keyof typeof STREAMS, rows?: number) => Float32Array} draw
 * @param {number} t
 * @returns {Reach} */
function attend(gf, units, draw, t) {
  const tape = gf.tape();
  try {
    const x = tape.input('x', [units, t, units]);
    const query = tape.input('query', [units, 1, units]);
    const [wQ, wK, wV] = ['w_q', 'w_k', 'w_v'].map((name) => tape.parameter(name, [units, units]));
    const output = tape.attention({ query, key: x, value: x, wQ, wK, wV });
    tape.plan();
    const inputs = draw('x', t);
    x.set(repeated(inputs, units));
    query.set(repeated(inputs.subarray((t - 1) * units), units));
    for (const leaf of [wQ, wK, wV]) leaf.set(draw(/** @type {any} */ (leaf.name)));
    tape.forward();
    tape.backward(output, { data: identity(units), shape: [units, 1, units] });
    const grad = Float32Array.from(/** @type {Float32Array} */ (x.grad));
    /* The last input is the query, too. */
    const ofQuery = /** @type {Float32Array} */ (query.grad);
    for (let i = 0; i < units; i++) {
      for (let j = 0; j < units; j++) grad[(i * t + t - 1) * units + j] += ofQuery[i * units + j];
    }
    const derivatives = Array.from({ length: t }, (_, s) => normAt(grad, units, t, s));
    const kept = ['k', 'v'].reduce((sum, name) => sum + tape.find(name).size / units, 0);
    return { derivatives, chain: chainTo(output), kept };
  } finally {
    tape.dispose();
  }
}

/** A recurrent network with random numbers, h_t = tanh(W h_(t-1) + U x_t), computed step by step, and how much of each input
 * is left in its states, beside one step of attention over the same inputs.
 * @param {Glassformer} gf what load() gave @param {RecurrenceOptions} [options]
 * @returns {Recurrence}
 * @example
 * import { recurrence } from 'glassformer/inside';
 *
 * const network = recurrence(gf, { gain: 1, steps: 100 });
 * const { recurrent, attention } = network.reach(100);
 * recurrent.derivatives[0] < 1e-15; // = true
 * attention.derivatives[0] > 1e-3; // = true
 * [recurrent.chain, recurrent.kept]; // = [300, 32]
 * network.dispose(); */
export function recurrence(gf, options = {}) {
  checkCore('recurrence', gf);
  checkOptions('recurrence', options, ['gain', 'units', 'steps', 'seed']);
  const { gain = 1, units = 32, steps = 100, seed = 1 } = options;
  checkReal('recurrence: gain', gain, 0, MAX_GAIN);
  checkInteger('recurrence: units', units, 1, MAX_UNITS);
  checkInteger('recurrence: steps', steps, 1, MAX_STEPS);
  checkInteger('recurrence: seed', seed, 0, UINT32);
  const deviation = 1 / Math.sqrt(units);
  const draw = (/** @type {keyof typeof STREAMS} */ name, rows = units) => {
    const spread = { x: 1, w: gain * deviation }[/** @type {string} */ (name)] ?? deviation;
    const random = { seed, stream: STREAMS[name], deviation: spread };
    return /** @type {Float32Array} */ (gf.normal([rows, units], random).data);
  };
  const tape = gf.tape();
  try {
    const { w, u, inputs, parts } = build(tape, units, steps);
    w.set(draw('w'));
    u.set(draw('u'));
    const all = draw('x', steps);
    for (const [t, x] of inputs.entries()) {
      x.set(repeated(all.subarray(t * units, (t + 1) * units), units));
    }
    tape.forward();
    return {
      steps: parts.map(({ state, fromState, fromInput }) => ({
        state: rowOf(state, units),
        fromState: rowOf(fromState, units),
        fromInput: rowOf(fromInput, units),
      })),
      reach(t) {
        checkInteger('reach: t', t, 1, steps);
        const { state } = parts[t - 1];
        tape.backward(state, { data: identity(units, LIFT), shape: state.shape });
        const derivatives = inputs
          .slice(0, t)
          .map(({ grad }) => normAt(/** @type {Float32Array} */ (grad), units, 1, 0) / LIFT);
        const recurrent = { derivatives, chain: chainTo(state), kept: state.size / units };
        return { recurrent, attention: attend(gf, units, draw, t) };
      },
      dispose: () => tape.dispose(),
    };
  } catch (error) {
    tape.dispose();
    throw error;
  }
}
