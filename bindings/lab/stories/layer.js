// One layer's attention of a model that learned the stories, as an example that is computed step by step.

import { checkInteger } from '../../js/base/errors.js';
import { attentionsOf } from '../inside/attention.js';
import { checkModel } from './checks.js';
import { storyInputs, vocabulary } from './story.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** What attention reads in a layer, and its weights: an example for traceExample().
 * @typedef {object} LayerExample
 * @property {string} name
 * @property {string} title
 * @property {string} source empty: it comes from no text
 * @property {string} about empty
 * @property {string[]} tokens from <start> on
 * @property {{ heads: number, causal: boolean }} attention how many heads, and that no token sees a later one
 * @property {Record<string, number[] | number[][]>} inputs x, what the attention reads, and its weights, by name
 */

/** An operand of a node. @param {Tensor} node @param {number} i
 * @returns {Tensor} */
const operandOf = ({ inputs }, i) => /** @type {Tensor} */ (inputs[i]);

/** @param {Tensor} tensor */
function rowsOf({ shape, data }) {
  const [rows, columns] = shape.slice(-2);
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => data[i * columns + j]),
  );
}

/** Whether a node multiplies by weights. @param {Tensor} node */
const isProjection = ({ inputs }) => inputs[1]?.kind === 'parameter';

/** The projection that a node comes from. @param {Tensor} node
 * @returns {Tensor} */
const projectionOf = (node) => (isProjection(node) ? node : projectionOf(operandOf(node, 0)));

/** What the attention of a layer reads of a text, and its weights: traced, it has the bits of the model's own.
 * @param {Model} model @param {string} text @param {number} layer from 0
 * @returns {LayerExample}
 * @example
 * import { traceExample } from 'glassformer';
 * import { layerExample, untrained } from 'glassformer/stories';
 *
 * const example = layerExample(untrained(gf, 1), 'Anna has a red ball.', 1);
 * example.tokens.length; // = 7
 * traceExample(gf, example).step('weights').shape; // = [4, 7, 7] */
export function layerExample(model, text, layer) {
  checkModel('layerExample', model);
  const inputs = storyInputs(text);
  checkInteger('layerExample: layer', layer, 0, model.config.layers - 1);
  const run = model.forward(inputs);
  try {
    const { weights, scores, heads } = attentionsOf(run.tape)[layer];
    const find = (/** @type {(node: Tensor) => boolean} */ is) =>
      /** @type {Tensor} */ (run.tape.nodes.find(is));
    const blend = find((node) => operandOf(node, 0) === weights);
    const o = find((node) => node.layer === layer && node.role === 'output' && isProjection(node));
    const [q, k, v] = [operandOf(scores, 0), operandOf(scores, 1), operandOf(blend, 1)].map(
      projectionOf,
    );
    const projections = Object.entries({ q, k, v, o }).flatMap(([name, node]) => [
      [`w_${name}`, rowsOf(operandOf(node, 1))],
      [`b_${name}`, Array.from(operandOf(node, 2).data)],
    ]);
    return {
      ...{ name: 'stories', title: '', source: '', about: '' },
      tokens: vocabulary.decode(inputs.target),
      attention: { heads, causal: true },
      inputs: { x: rowsOf(operandOf(q, 0)), ...Object.fromEntries(projections) },
    };
  } finally {
    run.dispose();
  }
}
