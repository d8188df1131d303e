// The batch of an opened step as plain data.

/** @typedef {import('./core.js').ForwardRun} ForwardRun */
/** @typedef {import('./core.js').Glassformer} Glassformer */
/** @typedef {import('./protocol.js').Step} Step */
/** @typedef {import('./protocol.js').BatchFacts} BatchFacts */

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
    const node = tape.nodes.find(
      ({ role, sequences }) => role === 'lengths' && sequences[0] === side,
    );
    return node ? ids(node.name) : new Int32Array(rows).fill(whole);
  };
  const { data, shape } = tape.find('logits');
  const logits = { data: /** @type {Float32Array} */ (data.slice()), shape: [...shape] };
  const labels = ids('labels');
  const losses = gf.crossEntropy(
    logits,
    { data: labels, shape: [rows, target] },
    { reduction: 'none', labelSmoothing },
  );
  const probabilities = gf.softmax(logits).data;
  const vocab = shape[shape.length - 1];
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
    chances: Float32Array.from(labels, (id, i) => (id < 0 ? 0 : probabilities[i * vocab + id])),
  };
}
