// The logit lens: what the model would say if it stopped there. Each state of the residual stream goes through the
// final norm, computed for it, and the unembedding; the core does both.

import { checkInteger } from '../../js/base/errors.js';
import { largestOf } from '../../js/base/largest.js';
import { choosing, ranked } from '../../js/model/decode/sample.js';
import { alike, Bench, experiment, floatsOf } from './bench.js';
import { checkPosition, checkToken } from './metric.js';
import { statesOf } from './stream.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */

/** Numbers along two axes: values[i][j] belongs to axes[0].labels[i] and axes[1].labels[j].
 * @typedef {object} Grid
 * @property {readonly [Axis, Axis]} axes
 * @property {number[][]} values
 * @property {string} unit what each value is
 */
/** name: what the axis counts. labels: of each place along it. @typedef {{ name: string, labels: string[] }} Axis */

/** @param {number[][]} values @param {string} unit
 * @param {[name: string, labels: string[]]} first @param {[name: string, labels: string[]]} second
 * @returns {Grid} */
export function gridOf(values, unit, first, second) {
  const axis = (/** @type {typeof first} */ [name, labels]) => ({ name, labels });
  return { axes: [axis(first), axis(second)], values, unit };
}

/**
 * @typedef {object} LensOptions
 * @property {number} [position] whose logits are given, from 0; negative ones count from the end; -1 by default
 * @property {number} [token] whose probability the grid shows; by default, at each position, the token that the
 *   model itself finds most probable
 * @property {number} [top] how many tokens of each state are named: 5 by default
 */

/** A state of the stream, read as if it were the last.
 * @typedef {object} LensRow
 * @property {string} name
 * @property {'encoder' | 'decoder'} stack
 * @property {number | null} layer whose sublayer has just added its output; null before the first
 * @property {import('../../js/tape/description.js').Part | null} part that sublayer
 * @property {Float32Array} logits at the position
 * @property {{ token: number, probability: number }[]} top the most probable tokens there
 * @property {number[]} best the most probable token at each position
 */

/**
 * @typedef {object} LogitLens
 * @property {'lens'} experiment
 * @property {number} position
 * @property {LensRow[]} rows
 * @property {Grid} grid probabilities, of states and positions
 * @property {{ lastIsLogits: boolean }} check whether the last row has the bits of the model's own logits
 */

const OPTIONS = ['position', 'token', 'top'];
const DEFAULT_TOP = 5;
const MAX_TOP = 100;

/** What the model would say: at one position its largest tokens, and the best of each position.
 * @param {Bench} bench @param {number} room of choosing() @param {Float32Array} logits [length,vocab]
 * @param {Float32Array} probabilities alike @param {{ position: number, top: number }} options */
function readingOf(bench, room, logits, probabilities, { position, top }) {
  const { engine, where } = bench;
  const [, length, vocab] = bench.logits.shape;
  const rowOf = (/** @type {number} */ t) => logits.subarray(t * vocab, (t + 1) * vocab);
  return {
    logits: rowOf(position).slice(),
    top: ranked(engine, room, rowOf(position), Math.min(top, vocab)).map((token) => ({
      token,
      probability: probabilities[position * vocab + token],
    })),
    best: Array.from({ length }, (_, t) => largestOf(`${where}: position ${t}`, rowOf(t))),
  };
}

/** What the model would say at each place of the residual stream: its state there goes through the final norm,
 * computed for it, and the unembedding. The last row is the model's own answer, bit for bit.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {LensOptions & Listener} [options]
 * @returns {Promise<LogitLens>}
 * @example
 * import { logitLens } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const { rows, check } = await logitLens(model, { target: [1, 2, 3] });
 * rows.map(({ name }) => name); // = ['input', 'layer 0 attention', 'layer 0 feed-forward']
 * check.lastIsLogits; // = true
 * model.dispose(); */
export function logitLens(model, inputs, options = {}) {
  const where = 'logitLens';
  return experiment(where, options, OPTIONS, function* (use, options) {
    const shares = 'lens.probabilities';
    const bench = use(
      new Bench(where, model, inputs, (tape, made) => {
        if (made) tape.softmax(made, shares);
      }),
    );
    const { logits, config } = bench;
    const [, length, vocab] = logits.shape;
    const position = checkPosition(`${where}: position`, options.position, length);
    const asked = checkToken(`${where}: token`, options.token, config.vocab);
    const { top = DEFAULT_TOP } = options;
    checkInteger(`${where}: top`, top, 1, MAX_TOP);
    yield* bench.running();
    const intact = floatsOf(logits).slice();
    const states = statesOf(bench, bench.stacks[bench.stacks.length - 1]);
    const kept = bench.copies(states.map(({ node }) => node));
    const last = states[states.length - 1].node;
    const probabilities = bench.tape.find(shares);
    const tokens = Array.from(
      { length },
      (_, t) =>
        asked ?? largestOf(`${where}: position ${t}`, intact.subarray(t * vocab, (t + 1) * vocab)),
    );
    /** @type {LensRow[]} */
    const readings = [];
    /** @type {number[][]} */
    const values = [];
    let read = intact;
    yield* choosing(bench.engine, vocab, function* (room) {
      for (const { node, ...about } of states) {
        const state = /** @type {Float32Array} */ (kept.get(node));
        yield* bench.running(new Map([[last, (row) => row.set(state)]]));
        read = floatsOf(logits).slice();
        const shown = floatsOf(probabilities);
        readings.push({ ...about, ...readingOf(bench, room, read, shown, { position, top }) });
        values.push(tokens.map((token, t) => shown[t * vocab + token]));
        yield readings.length / states.length;
      }
    });
    const names = readings.map(({ name }) => name);
    const positions = tokens.map((_, t) => String(t));
    return {
      experiment: /** @type {const} */ ('lens'),
      position,
      rows: readings,
      grid: gridOf(values, 'probability', ['state', names], ['position', positions]),
      check: { lastIsLogits: alike(read, intact) },
    };
  });
}
