// One token in two contexts: the two rows that the model keeps for it, from the table on, state by state. At first they
// are one row; positions, and then the other tokens, make them two.

import { checkArray } from '../../js/base/errors.js';
import { asPart } from '../../js/base/turn.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { cosineOf } from './cosine.js';
import { checkPosition } from './metric.js';
import { checkStack, prefixOf, statesOf } from './stream.js';
import { typeError } from './texts.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./stream.js').Stack} Stack */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** positions: of the token in each run, from 0; negative ones count from the end; the last by default. stack: whose
 * states are compared; the first one by default.
 * @typedef {{ positions?: readonly [number, number], stack?: Stack }} ContextOptions */

/** The two rows at one place of the stream, `rows`: of the first run and of the second.
 * @typedef {object} ContextState
 * @property {string} name
 * @property {number | null} layer whose sublayer has just added its output; null before the first
 * @property {import('../../js/tape/description.js').Part | null} part that sublayer
 * @property {string} node the step that computes the rows
 * @property {readonly [Float32Array, Float32Array]} rows
 * @property {number} cosine of the angle between them, in float64; NaN where one of them is 0
 */

/** positions: of the token in each run, from 0.
 * @typedef {{ experiment: 'contexts', positions: readonly [number, number], states: ContextState[] }} Contexts */

/** The rows of a table as the stack takes them, before positions; none of a model that reads vectors.
 * @param {Bench} bench @param {Stack} stack */
function tableRows(bench, stack) {
  const node = bench.nodes.find(
    ({ role, kind, stack: of }) => role === 'embedding' && kind === 'op' && of === stack,
  );
  const name = `${prefixOf(bench, stack)}embedding`;
  return node ? [{ name, stack, layer: null, part: null, node }] : [];
}

/** The states of a run, and which row of them is compared.
 * @param {Bench} bench @param {ContextOptions} options @param {0 | 1} run
 * @returns {Generator<number, { states: ReturnType<typeof statesOf>, position: number }>} */
function* read(bench, { positions, stack = bench.stacks[0] }, run) {
  checkStack(bench.where, bench, { layer: 0, stack });
  const states = [...tableRows(bench, stack), ...statesOf(bench, stack)];
  if (states.length === 0) throw typeError('noStates', { where: bench.where });
  const [, length] = states[0].node.shape;
  const position = checkPosition(`${bench.where}: positions[${run}]`, positions?.[run], length);
  yield* bench.running();
  return { states, position };
}

/** @param {Tensor} node [1,T,C] @param {number} position */
function rowOf(node, position) {
  const width = node.shape[2];
  return floatsOf(node).slice(position * width, (position + 1) * width);
}

/** The rows that a model keeps for one token in two contexts, from its table on: at each place of the residual stream
 * both rows and the cosine of the angle between them.
 * @param {Model} model @param {Inputs} first of one sequence @param {Inputs} second likewise
 * @param {ContextOptions & Listener} [options]
 * @returns {Promise<Contexts>}
 * @example
 * import { contexts } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const { states } = await contexts(model, { target: [1, 5] }, { target: [2, 5] });
 * states.map(({ name }) => name); // = ['embedding', 'input', 'layer 0 attention', 'layer 0 feed-forward']
 * Math.abs(states[0].cosine - 1) < 1e-9; // = true
 * states[3].cosine < 1; // = true
 * model.dispose(); */
export function contexts(model, first, second, options = {}) {
  const where = 'contexts';
  return experiment(where, options, ['positions', 'stack'], function* (use, options) {
    const { positions } = options;
    if (positions !== undefined) checkArray(`${where}: positions`, positions);
    const benches = [first, second].map((inputs) => use(new Bench(where, model, inputs)));
    const one = yield* read(benches[0], options, 0);
    yield 0.5;
    const other = yield* asPart(read(benches[1], options, 1), 0.5, 0);
    const states = one.states.map(({ name, layer, part, node }, i) => {
      const rows = /** @type {const} */ ([
        rowOf(node, one.position),
        rowOf(other.states[i].node, other.position),
      ]);
      return { name, layer, part, node: node.name, rows, cosine: cosineOf(rows[0], rows[1]) };
    });
    return {
      experiment: /** @type {const} */ ('contexts'),
      positions: /** @type {const} */ ([one.position, other.position]),
      states,
    };
  });
}
