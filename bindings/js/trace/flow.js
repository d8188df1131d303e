// Finds the nodes downstream of a node: those whose values depend on it.

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The operands whose values decide a node's: none of one that is frozen, one of one that is bypassed.
 * @param {Tensor} node
 * @returns {readonly (Tensor | null)[]} */
function readBy({ inputs, bypassed, frozen }) {
  if (frozen) return [];
  return bypassed === null ? inputs : [inputs[bypassed]];
}

/** The nodes that are computed from some of the given ones, directly or not, in the order of computation.
 * @param {readonly Tensor[]} nodes all of the tape @param {Iterable<Tensor>} sources */
export function downstream(nodes, sources) {
  /** @type {Set<Tensor | null>} */
  const reached = new Set(sources);
  return nodes.filter((node) => {
    const reads = readBy(node).some((input) => reached.has(input));
    if (reads) reached.add(node);
    return reads;
  });
}

/** Those of them from which a target is computed, and the target.
 * @param {readonly Tensor[]} nodes @param {Tensor} source @param {Tensor} target */
export function between(nodes, source, target) {
  /** @type {Set<Tensor | null>} */
  const needed = new Set([target]);
  return downstream(nodes, [source])
    .reverse()
    .filter((node) => {
      if (!needed.has(node)) return false;
      for (const input of readBy(node)) needed.add(input);
      return true;
    })
    .reverse();
}
