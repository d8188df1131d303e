// A tape again, node by node, with adapters at its linear layers: y = x W + b becomes x W + b + (alpha / rank) x A B.

import { MAX_INPUTS, NONE } from '../../generated/layout.js';
import { inner } from '../../js/model/slices.js';

/** @typedef {import('../../js/model/weights.js').Parameter} Parameter */
/** @typedef {import('../../js/runtime/engine.js').Engine} Engine */
/** @typedef {import('../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** One linear layer's adapter.
 * @typedef {object} Adapter
 * @property {string} weight the name of the matrix W, [in, out]
 * @property {string} a the name of the parameter A, [in, rank]
 * @property {string} b of B, [rank, out]
 * @property {readonly [number, number]} shape of W */

/** The address of a tape's gf_tape, which moves where the tape grows.
 * @param {Tape} tape */
export const addressOf = (tape) => inner(tape).block.address;

/** Does something with the gf_tape of a tape that has nodes.
 * @param {Tape} tape @param {(at: number) => number} work gives an error, or 0 */
export function runOn(tape, work) {
  tape.build('model', '', work, { room: 0 });
}

/** A node of another tape, on other operands.
 * @param {Engine} engine @param {Tape} tape @param {number} from the other tape's address
 * @param {Tensor} node @param {(Tensor | null)[]} inputs @param {string} [name] */
function copy(engine, tape, from, node, inputs, name = node.name) {
  const ids = Array.from({ length: MAX_INPUTS }, (_, k) => inputs[k]?.id ?? NONE);
  return tape.build(node.op, name, (address, text) =>
    engine.core.gf_copy(address, from, node.id, engine.integers(ids), text),
  );
}

/** A linear layer's matrix. @typedef {Pick<Tensor, 'name' | 'role' | 'shape'>} Matrix */

/** The matrices of a tape that are parameters, each once.
 * @param {Tape} tape
 * @returns {Matrix[]} */
export function matricesOf({ nodes }) {
  const matrices = nodes.flatMap(({ op, inputs: [, w] }) =>
    op === 'linear' && w?.kind === 'parameter' ? [w] : [],
  );
  return [...new Set(matrices)].map(({ name, role, shape }) => ({ name, role, shape }));
}

/** Pushes the parameters of adapters.
 * @param {Tape} tape @param {readonly Adapter[]} adapters @param {number} rank */
export function pushAdapters(tape, adapters, rank) {
  for (const { a, b, shape } of adapters) {
    for (const leaf of [tape.parameter(a, [shape[0], rank]), tape.parameter(b, [rank, shape[1]])]) {
      tape.describe(leaf, { parameter: 'weight' });
    }
  }
}

/** Pushes the nodes of another tape, with those of adapters behind their linear layers. The sum gets the layer's name.
 * @param {Engine} engine @param {Tape} from @param {Tape} to with the adapters' parameters
 * @param {ReadonlyMap<string, Adapter>} adapters by the names of matrices @param {number} factor alpha / rank */
export function graft(engine, from, to, adapters, factor) {
  /** @type {Map<Tensor, Tensor>} */
  const made = new Map();
  const source = addressOf(from);
  for (const node of from.nodes) {
    const inputs = node.inputs.map((input) => input && (made.get(input) ?? null));
    const [x, w] = inputs;
    const adapter = node.op === 'linear' ? adapters.get(String(w?.name)) : undefined;
    if (!adapter) {
      made.set(node, copy(engine, to, source, node, inputs));
      continue;
    }
    const { name } = node;
    const base = copy(engine, to, source, node, inputs, `${name}.base`);
    const down = to.linear(/** @type {Tensor} */ (x), to.find(adapter.a), null, `${name}.down`);
    const up = to.linear(down, to.find(adapter.b), null, `${name}.up`);
    const update = to.scale(up, factor, `${name}.update`);
    const sum = to.add(base, update, name);
    for (const step of [down, up, update, sum]) {
      to.describe(step, { stack: node.stack, layer: node.layer, part: node.part });
    }
    const { role, axes, sequences, heads } = node;
    to.describe(sum, { role, axes, sequences, heads });
    made.set(node, sum);
  }
}
