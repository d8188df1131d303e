// How one cell of a trace was computed: its operands, and every rounding on the way, as the core made them.

import { stories } from '../../generated/ops.js';
import { flatIndex } from '../base/cell.js';
import { checkCore } from '../base/errors.js';
import { numberAt } from '../base/values.js';
import { cell, operand } from '../ops/kit/cells.js';
import { typeError } from './texts.js';

/** @typedef {import('./steps.js').Step} Step */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../ops/kit/cells.js').Cell} Cell */
/** @typedef {import('../ops/kit/cells.js').Exponential} Exponential */
/** @typedef {import('../ops/kit/cells.js').Product} Product */
/** @typedef {import('../ops/kit/cells.js').Term} Term */

/** A class of a cross entropy; the cell is its logit. wanted: the target's share of the class, smoothed and weighted.
 * surprise: -log softmax. product: wanted times surprise.
 * @typedef {Cell & { wanted: number, surprise: number, product: number }} Class */

/** A row of a cross entropy. target: its class; null of probabilities. max: the largest logit. log: of the sum of the
 * powers e^(logit - max). loss: the sum of the classes' products. weight: its share of the mean's divisor.
 * @typedef {{ target: number | null, max: number, log: number, classes: Class[], weight: number,
 *   loss: number }} Loss */

/**
 * @typedef {object} Explanation
 * @property {string} node
 * @property {number[]} index
 * @property {string} op
 * @property {number} value
 * @property {number | null} bypassed the operand that it copies instead, or null
 * @property {boolean} frozen whether its value was written instead of computed: nothing else is said of it then
 * @property {import('../stored/numbers.js').StoredWeight} [weight] leaf: how a parameter makes it that is stored in few bits
 * @property {Term[]} [terms] linear, matmul: sum is the sum so far
 * @property {import('../ops/kit/integers.js').IntegerPart[]} [integers] linear, matmul: of a product in integers, the
 *   steps that give its value; terms are those of the exact product then, whose sum differs a little
 * @property {Cell | null} [bias] linear: added after the last term; layer_norm: at the end
 * @property {Cell} [x] what a function of one number is given: scale, mask, norms, activations, alibi
 * @property {number} [factor] scale; silu, swiglu: of the sigmoid's argument
 * @property {Cell} [a] add, sub, div; swiglu: the gate
 * @property {Cell} [b] add, sub, div; swiglu: what the gate lets through
 * @property {number} [share] gelu: Phi(x); silu, swiglu: the sigmoid
 * @property {number} [inner] softcap: the tanh
 * @property {number} [cap] softcap
 * @property {boolean} [keep] mask, dropout
 * @property {'kept' | 'causal' | 'window' | 'padding' | 'mask' | 'added'} [reason] mask
 * @property {number | null} [added] mask: what a mask of numbers adds
 * @property {number} [rest] dropout: 1 - p, which a kept number is divided by
 * @property {number} [max] softmax, log_softmax
 * @property {Cell | Exponential[]} [row] softmax: the row of x; embed: the cell that was copied
 * @property {Cell[]} [parts] sum, mean: what is added up
 * @property {number} [total] softmax, log_softmax: the sum of the powers; sum, mean: that of the parts
 * @property {number} [numerator] softmax: value is numerator / total
 * @property {number} [shifted] log_softmax: x - max
 * @property {number} [log] log_softmax: of the total; value is shifted - log
 * @property {number} [mean] layer_norm: of the row
 * @property {number} [deviation] layer_norm: the root of variance + epsilon
 * @property {number} [meanSquare] rms_norm: of the row
 * @property {number} [root] rms_norm: of meanSquare + epsilon
 * @property {number} [normalised] layer_norm: (x - mean) / deviation; rms_norm: x / root
 * @property {Cell | null} [gain] norms: what normalised is multiplied by
 * @property {(Loss | null)[]} [losses] cross_entropy: of each row; null where nothing is asked for
 * @property {number} [count] cross_entropy, mean: what the sum is divided by
 * @property {number} [id] embed, gather
 * @property {Cell} [from] what was copied: heads, gather, concat, reshape, slice, cache, top_k, amax, whatever is bypassed
 * @property {number} [position] position, rotation
 * @property {number} [angle] position, rotation: in radians, float64
 * @property {'sin' | 'cos'} [fn] position, rotation
 * @property {number} [pair] position, rotation: the number i of the columns 2i and 2i + 1, or of the halves
 * @property {[Product, Product]} [turned] rope: value is the first product plus or minus the second
 * @property {1 | -1} [sign] rope
 * @property {number} [slope] ALiBi slope: value is x - slope distance
 * @property {number} [distance] alibi
 */

/** Anything with steps by name: a trace. `step(name)` gives the node of that name.
 * @typedef {{ step(name: string): Step }} Steps */

/** Tells how the cell got its value: the products and sums, the exponentials, or what was copied.
 * The numbers are float32, rounded in the core's order; the last of them is the cell's, bit for bit.
 * @param {Steps} trace @param {string} node @param {number[]} index @param {Glassformer} gf
 * @returns {Explanation}
 * @example
 * import { explain, traceExample } from 'glassformer';
 *
 * const trace = traceExample(gf, 'three-tokens');
 * const explanation = explain(trace, 'scores', [0, 1], gf);
 * explanation.terms?.map(({ a, b, product }) => [a.value, b.value, product]); // = [[1, 0.4, 0.4], [0.5, 0.6, 0.3]]
 * explanation.terms?.at(-1)?.sum === explanation.value; // = true */
export function explain(trace, node, index, gf) {
  if (typeof trace?.step !== 'function') {
    throw typeError('trace', { where: 'explain', given: trace });
  }
  checkCore('explain', gf);
  const step = trace.step(node);
  const { op, bypassed, frozen } = step;
  const offset = flatIndex(`explain: ${node}`, step.shape, index);
  const operands = step.inputs.map((name) => (name === null ? null : trace.step(name)));
  const explanation = {
    node,
    index: [...index],
    op,
    value: numberAt(step, offset),
    bypassed,
    frozen,
  };
  /* The values of a frozen node were written, whatever its op. */
  if (frozen) return explanation;
  const question = { step, offset, index, operands, gf };
  if (bypassed !== null) return { ...explanation, from: cell(operand(question, bypassed), offset) };
  return { ...explanation, ...stories[op]?.(question) };
}

/** The operand cells that an explanation names.
 * @param {Explanation} explanation
 * @returns {Cell[]} */
export function cellsOf({ terms = [], turned, row = [], parts = [], losses = [], ...others }) {
  const { bias, x, a, b, gain, from } = others;
  const single = [bias, x, a, b, gain, from].filter((entry) => !!entry);
  const products = [...terms, ...(turned ?? [])].flatMap((term) => [term.a, term.b]);
  const classes = losses.flatMap((loss) => loss?.classes ?? []);
  return [...products, ...[row].flat(), ...parts, ...classes, ...single];
}
