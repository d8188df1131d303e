// An opened step as plain data: its batch, and all its nodes for one sequence of it.

/** @typedef {import('./core.js').Tensor} Tensor */
/** @typedef {import('./core.js').ForwardRun} ForwardRun */
/** @typedef {import('./core.js').Glassformer} Glassformer */
/** @typedef {import('./protocol.js').Step} Step */
/** @typedef {import('./protocol.js').BatchFacts} BatchFacts */

/** Leaves that have a row for each sequence. */
const BATCHED = /^(source|target|labels)$|\.(lengths|mask)$/;

/**
 * The nodes that have a row for each sequence: their first dimension is the batch.
 * @param {readonly Tensor[]} nodes
 */
function batchedOf(nodes) {
  /** @type {Set<Tensor | null>} */
  const batched = new Set();
  for (const node of nodes) {
    const fed = node.inputs.some((input) => batched.has(input));
    if (node.op === 'leaf' ? BATCHED.test(node.name) : fed && node.op !== 'cross_entropy') {
      batched.add(node);
    }
  }
  return batched;
}

/**
 * All nodes with values and gradients, copied; of the batch one sequence alone, without its dimension.
 * @param {ForwardRun} run
 * @param {number} row
 * @returns {Step[]}
 */
export function traceOf({ tape }, row) {
  const { nodes } = tape;
  const batched = batchedOf(nodes);
  const due = /** @type {Int32Array} */ (tape.find('labels').data);
  const { ignore_index: ignored } = tape.find('loss').attributes;
  /* The loss remains the mean over the whole batch. */
  const count = due.reduce((sum, id) => sum + Number(id !== ignored), 0);
  return nodes.map((node) => {
    const { name, op, kind, formula, shape, inputs, attributes, bypassed, frozen } = node;
    const part = batched.has(node);
    const size = part ? node.size / shape[0] : node.size;
    const from = part ? row * size : 0;
    const { data, grad } = node;
    return {
      name,
      op,
      kind,
      formula,
      shape: part && shape.length > 1 ? shape.slice(1) : part ? [1] : [...shape],
      inputs: inputs.map((input) => input?.name ?? null),
      attributes: op === 'cross_entropy' ? { ...attributes, count } : { ...attributes },
      bypassed,
      frozen,
      removed: bypassed !== null,
      data: data.slice(from, from + size),
      grad: grad?.slice(from, from + size) ?? null,
    };
  });
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
  const padded = tape.nodes.some(({ name }) => name === 'source.lengths');
  const lengths = (/** @type {string} */ side, /** @type {number} */ whole) =>
    padded ? ids(`${side}.lengths`) : new Int32Array(rows).fill(whole);
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
