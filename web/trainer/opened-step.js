// An opened step as plain data: its batch, and all its nodes for one sequence of it.

/** @typedef {import('./core.js').ForwardRun} ForwardRun */
/** @typedef {import('./core.js').Glassformer} Glassformer */
/** @typedef {import('./protocol.js').Step} Step */
/** @typedef {import('./protocol.js').BatchFacts} BatchFacts */

/**
 * All nodes with values and gradients, copied; of the batch one sequence alone, without its dimension.
 * @param {ForwardRun} run
 * @param {number} row
 * @returns {Step[]}
 */
export function traceOf(run, row) {
  const due = /** @type {Int32Array} */ (run.tensor('labels').data);
  const { ignore_index: ignored } = run.tensor('loss').attributes;
  /* The loss remains the mean over the whole batch. */
  const count = due.reduce((sum, id) => sum + Number(id !== ignored), 0);
  return run
    .steps(row)
    .map((step) =>
      step.role === 'loss' ? { ...step, attributes: { ...step.attributes, count } } : step,
    );
}

/**
 * @param {ForwardRun} run
 * @param {{ gf: Glassformer, labelSmoothing: number }} options
 * @returns {BatchFacts}
 */
export function batchOf({ tape }, { gf, labelSmoothing }) {
  const ids = (/** @type {string} */ name) =>
    /** @type {Int32Array} */ (tape.find(name).data.slice());
  const [[rows, source], [, target]] = [tape.find('source').shape, tape.find('target').shape];
  /* A batch without padding has no lengths. */
  const lengths = (/** @type {'source' | 'target'} */ side, /** @type {number} */ whole) => {
    const told = tape.nodes.find((node) => node.role === 'lengths' && node.sequences[0] === side);
    return told ? ids(told.name) : new Int32Array(rows).fill(whole);
  };
  const { data, shape } = tape.find('logits');
  const logits = { data: /** @type {Float32Array} */ (data.slice()), shape: [...shape] };
  const labels = ids('labels');
  const losses = gf.crossEntropy(
    logits,
    { data: labels, shape: [rows, target] },
    { reduction: 'none', labelSmoothing },
  );
  const chances = gf.softmax(logits).data;
  const words = shape[shape.length - 1];
  return {
    rows,
    source,
    target,
    sourceIds: ids('source'),
    targetIds: ids('target'),
    labels,
    sourceLengths: lengths('source', source),
    targetLengths: lengths('target', target),
    losses: losses.data,
    chances: Float32Array.from(labels, (id, at) => (id < 0 ? 0 : chances[at * words + id])),
  };
}
