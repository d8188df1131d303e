// The chain rule, term by term: which products the gradient of a target in one cell adds up.

import { partials } from '../../generated/ops.js';
import { flatIndex } from '../base/cell.js';
import { checkCore, checkOptions } from '../base/errors.js';
import { cellIndex } from '../base/values.js';
import { failure, rangeError, typeError } from './texts.js';

/** @typedef {import('../ops/kit/cells.js').Cell} Cell */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./steps.js').Step} Step */

/** One way from the cell to the target: through a cell y that is computed from it.
 * @typedef {object} Link
 * @property {Cell} y
 * @property {number} gradient d target / d y, the core's
 * @property {number} derivative d y / d cell
 * @property {string} formula of the derivative, in the words of `parts`
 * @property {import('../ops/kit/partials.js').Parts} parts
 * @property {number} product gradient times derivative
 */

/**
 * @typedef {object} Chain
 * @property {string} node
 * @property {number[]} index
 * @property {number} value
 * @property {Cell} target
 * @property {number} gradient d target / d cell, the core's
 * @property {boolean} seed whether the cell is the target itself, whose gradient is 1
 * @property {Link[]} terms their products add up to the gradient
 */

/** Anything with steps in the order of computation: a trace. @typedef {{ steps: Step[] }} Run */

/** @param {Run} run @param {string} name */
function find({ steps }, name) {
  const step = steps.find((one) => one.name === name);
  if (step) return step;
  throw failure('GF_ENAME', 'noStep', { where: 'chain', value: name, node: String(name) });
}

/** How a cell of an operand moves a step: through each place where it is an operand.
 * @param {Run} run @param {Step} step @param {string} name @param {number} offset @param {Glassformer} gf */
function partialsOf(run, step, name, offset, gf) {
  const operands = step.inputs.map((input) => (input === null ? null : find(run, input)));
  return step.inputs.flatMap((input, k) => {
    if (input !== name || step.frozen) return [];
    if (step.bypassed !== null) {
      return step.bypassed === k ? [{ offset, value: 1, formula: '1', parts: {} }] : [];
    }
    const rules = partials[step.op];
    if (!rules) throw rangeError('noRule', { where: 'chain', op: step.op });
    return rules[k]?.({ step, offset, operands, gf }) ?? [];
  });
}

/** Tells why the gradient of the target in a cell is what it is: the sum, over all cells computed from
 * it, of the target's gradient there times how the cell moves them. The target's gradient must be in
 * the steps: after trace.gradient(target.node, target.index).
 * @param {Run} run @param {{ node: string, index: number[] }} target @param {string} node
 * @param {number[]} index @param {Glassformer} gf
 * @returns {Chain}
 * @example
 * import { chain, traceExample } from 'glassformer';
 *
 * const trace = traceExample(gf, 'three-tokens');
 * const target = { node: 'output', index: [0, 0] };
 * trace.gradient(target.node, target.index);
 * const { gradient, terms } = chain(trace, target, 'scores.scaled', [0, 1], gf);
 * Math.abs(gradient - terms.reduce((sum, { product }) => sum + product, 0)) < 1e-6; // = true */
export function chain(run, target, node, index, gf) {
  if (!Array.isArray(run?.steps)) {
    throw typeError('trace', { where: 'chain', given: run });
  }
  checkCore('chain', gf);
  checkOptions('chain: target', target, ['node', 'index']);
  const [goal, step] = [find(run, target.node), find(run, node)];
  const end = flatIndex(`chain: ${target.node}`, goal.shape, target.index);
  const offset = flatIndex(`chain: ${node}`, step.shape, index);
  if (step.kind === 'ids') throw typeError('idsNoGradient', { where: 'chain', name: node });
  if (!step.grad || goal.grad?.[end] !== 1) {
    throw failure('GF_ESTATE', 'noGradientOf', { where: 'chain', ...target });
  }
  const seed = step === goal && offset === end;
  /* What comes after the target does not move it. */
  const before = run.steps.slice(run.steps.indexOf(step) + 1, run.steps.indexOf(goal) + 1);
  const terms = before.flatMap((y) =>
    partialsOf(run, y, node, offset, gf).map(({ offset: place, value, formula, parts }) => {
      const gradient = /** @type {Float32Array} */ (y.grad)[place];
      return {
        y: { node: y.name, index: cellIndex(y.shape, place), value: y.data[place] },
        gradient,
        derivative: value,
        formula,
        parts,
        product: Math.fround(gradient * value),
      };
    }),
  );
  return {
    node,
    index: [...index],
    value: step.data[offset],
    target: { node: target.node, index: [...target.index], value: goal.data[end] },
    gradient: step.grad[offset],
    seed,
    terms,
  };
}
