// What a model consists of, and what a run of it costs.

/** @typedef {import('../tensor.js').Tensor} Tensor */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} op
 * @property {readonly number[]} shape
 * @property {number} parameters that the step is the first to use
 * @property {number} multiplyAdds of its matrix product, 0 for all other steps
 */

/** @typedef {{ rows: Row[], parameters: number, multiplyAdds: number }} Summary */

/** One per cell and per term of the sum behind it.
 * @param {Tensor} node */
function multiplyAdds({ op, size, inputs }) {
  if (op !== 'linear' && op !== 'matmul') return 0;
  const [a] = /** @type {Tensor[]} */ (inputs);
  return size * a.shape[a.shape.length - 1];
}

/** @param {readonly Tensor[]} nodes
 * @returns {Summary} */
export function summarize(nodes) {
  /** @type {Set<Tensor>} */
  const counted = new Set();
  const rows = nodes
    .filter(({ op }) => op !== 'leaf')
    .map((node) => {
      const own = node.inputs.filter((x) => x?.kind === 'parameter' && !counted.has(x));
      let parameters = 0;
      for (const x of /** @type {Tensor[]} */ (own)) {
        counted.add(x);
        parameters += x.size;
      }
      const { name, op, shape } = node;
      return { name, op, shape, parameters, multiplyAdds: multiplyAdds(node) };
    });
  return {
    rows,
    parameters: rows.reduce((sum, row) => sum + row.parameters, 0),
    multiplyAdds: rows.reduce((sum, row) => sum + row.multiplyAdds, 0),
  };
}
