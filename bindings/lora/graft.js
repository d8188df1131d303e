// A tape again, node by node, with adapters at its linear layers: y = x W + b becomes x W + b + (alpha / rank) x A B.

/** @typedef {import('../model/weights.js').Parameter} Parameter */
/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** One linear layer's adapter.
 * @typedef {object} Adapter
 * @property {string} weight the name of the matrix W, [in, out]
 * @property {string} a the name of the parameter A, [in, rank]
 * @property {string} b of B, [rank, out]
 * @property {readonly [number, number]} shape of W */

/** How node attributes are passed: words as words, flags as booleans.
 * @param {Engine} engine @param {Tensor} node */
function attributesOf({ ops }, { op, attributes }) {
  const row = /** @type {import('../runtime/ops.js').Op} */ (ops.get(op));
  return Object.fromEntries(
    row.attributes.map(({ name, kind, words }) => {
      const value = attributes[name];
      return [name, kind === 'word' ? words?.[value] : kind === 'flag' ? Boolean(value) : value];
    }),
  );
}

/** @param {Tape} tape @param {Tensor} node @param {Tensor} like */
function describe(tape, node, { role, parameter, axes, sequences, stack, layer, part, heads }) {
  tape.describe(node, { role, parameter, axes, sequences, stack, layer, part, heads });
}

/** @param {Engine} engine @param {Tape} tape @param {Tensor} node @param {(Tensor | null)[]} inputs @param {string} [name] */
function copy(engine, tape, node, inputs, name = node.name) {
  const { kind, op, shape, removal } = node;
  if (kind !== 'op') {
    const leaf = tape[kind](name, [...shape]);
    describe(tape, leaf, node);
    return leaf;
  }
  const row = /** @type {import('../runtime/ops.js').Op} */ (engine.ops.get(op));
  const operands = Object.fromEntries(
    row.operands.map((operand, k) => [operand.name, inputs[k] ?? null]),
  );
  const made = tape.push(op, operands, attributesOf(engine, node), name);
  describe(tape, made, node);
  if (removal) tape.describe(made, { removal });
  return made;
}

/** A linear layer's matrix. @typedef {Pick<Tensor, 'name' | 'role' | 'shape'>} Matrix */

/** Those of a tape that are parameters, each once.
 * @param {Tape} tape
 * @returns {Matrix[]} */
export function matricesOf({ nodes }) {
  const found = nodes.flatMap(({ op, inputs: [, w] }) =>
    op === 'linear' && w?.kind === 'parameter' ? [w] : [],
  );
  return [...new Set(found)].map(({ name, role, shape }) => ({ name, role, shape }));
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
  for (const node of from.nodes) {
    const inputs = node.inputs.map((input) => input && (made.get(input) ?? null));
    const [x, w] = inputs;
    const adapter = node.op === 'linear' ? adapters.get(String(w?.name)) : undefined;
    if (!adapter) {
      made.set(node, copy(engine, to, node, inputs));
      continue;
    }
    const { name } = node;
    const base = copy(engine, to, node, inputs, `${name}.base`);
    const down = to.linear(/** @type {Tensor} */ (x), to.find(adapter.a), null, `${name}.down`);
    const up = to.linear(down, to.find(adapter.b), null, `${name}.up`);
    const update = to.scale(up, factor, `${name}.update`);
    const sum = to.add(base, update, name);
    for (const step of [down, up, update]) {
      to.describe(step, { stack: node.stack, layer: node.layer, part: node.part });
    }
    describe(to, sum, node);
    made.set(node, sum);
  }
}
