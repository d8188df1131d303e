// What a model consists of, and what a run of it costs.

import { checkInteger, checkOptions } from '../base/errors.js';
import { INT32 } from '../base/values.js';
import { Tape } from '../tape/tape.js';
import { reads } from './config/architecture.js';
import { checkConfig } from './config/config.js';
import { build } from './weights.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** The sizes of a run.
 * @typedef {object} Lengths
 * @property {number} [batch] how many sequences, 1 by default
 * @property {number} [source] tokens of each source, 1 to the model's maxLength, which is the default
 * @property {number} [target] tokens of each target, likewise */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} op
 * @property {Tensor['role']} role
 * @property {Tensor['stack']} stack
 * @property {Tensor['layer']} layer
 * @property {Tensor['part']} part
 * @property {readonly number[]} shape
 * @property {number} parameters that the step is the first to use
 * @property {number} multiplyAdds of its matrix product, 0 for all other steps
 */

/** rows: the steps, in the order of computation. parameters, multiplyAdds: the sums of the rows.
 * @typedef {{ rows: Row[], parameters: number, multiplyAdds: number }} Summary */

/** One per cell and per term of the sum behind it.
 * @param {Tensor} node */
function multiplyAdds({ op, size, inputs }) {
  if (op !== 'linear' && op !== 'matmul') return 0;
  const [a] = /** @type {Tensor[]} */ (inputs);
  return size * /** @type {number} */ (a.shape.at(-1));
}

/** All steps of a run of the model that these options make, which need not be there: only shapes are
 * looked at, and no memory is taken for numbers.
 * @param {Engine} engine @param {unknown} options @param {Lengths} [lengths]
 * @returns {Summary} */
export function summary(engine, options, lengths = {}) {
  const config = checkConfig(options);
  checkOptions('summary', lengths, ['batch', 'source', 'target']);
  const { maxLength } = config;
  const { batch = 1, source = maxLength, target = maxLength } = lengths;
  checkInteger('summary: batch', batch, 1, INT32);
  checkInteger('summary: source', source, 1, maxLength);
  checkInteger('summary: target', target, 1, maxLength);
  const tape = new Tape(engine);
  try {
    build(
      engine,
      tape,
      { size: batch, source: reads(config, 'source') ? source : 0, target },
      config,
    );
    return summarize(tape.nodes);
  } finally {
    tape.dispose();
  }
}

/** @param {readonly Tensor[]} nodes
 * @returns {Summary} */
function summarize(nodes) {
  /** @type {Set<Tensor>} */
  const counted = new Set();
  const rows = nodes
    .filter(({ op }) => op !== 'leaf')
    .map((node) => {
      const added = node.inputs.filter((x) => x?.kind === 'parameter' && !counted.has(x));
      let parameters = 0;
      for (const x of /** @type {Tensor[]} */ (added)) {
        counted.add(x);
        parameters += x.size;
      }
      const { name, op, role, stack, layer, part, shape } = node;
      const place = { name, op, role, stack, layer, part, shape };
      return { ...place, parameters, multiplyAdds: multiplyAdds(node) };
    });
  return {
    rows,
    parameters: rows.reduce((sum, row) => sum + row.parameters, 0),
    multiplyAdds: rows.reduce((sum, row) => sum + row.multiplyAdds, 0),
  };
}
