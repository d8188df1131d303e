// A node of a tape, as JavaScript sees it.

import { failure } from '../base/errors.js';
import { flatten, nest } from '../base/values.js';
import { descriptionOf } from './description.js';

/** @typedef {import('./tape.js').Tape} Tape */
/** @typedef {import('./block.js').Block} Block */
/** @typedef {import('./description.js').Description} Description */
/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {'input' | 'parameter' | 'ids' | 'op'} Kind */

/** Of leaves, by their attribute kind. */
const LEAF_KINDS = /** @type {const} */ (['input', 'parameter', 'ids']);

/** @param {Block} block @param {number} id
 * @returns {readonly number[]} */
function shapeOf({ engine, address, buffer }, id) {
  const start = engine.core.gf_node_shape(address, id) >>> 0;
  const rank = engine.core.gf_node_rank(address, id);
  return Object.freeze([...new Int32Array(buffer, start, rank)]);
}

/** @param {import('../runtime/engine.js').Engine} engine @param {string} op */
const rowOf = ({ ops }, op) => /** @type {import('../runtime/ops.js').Op} */ (ops.get(op));

/** Those that are one number each.
 * @param {Block} block @param {number} id @param {string} op
 * @returns {Readonly<Record<string, number>>} */
function attributesOf({ engine, address }, id, op) {
  const { attributes } = rowOf(engine, op);
  return Object.freeze(
    Object.fromEntries(
      attributes
        .filter(({ kind }) => kind !== 'axes')
        .map(({ name }) => [
          name,
          engine.core.gf_node_attribute(address, id, engine.name('attribute', name)),
        ]),
    ),
  );
}

/** @param {Block} block @param {number} id @param {string} op @param {readonly Tensor[]} nodes
 * @returns {readonly (Tensor | null)[]} */
function inputsOf({ engine, address }, id, op, nodes) {
  const inputs = rowOf(engine, op).operands.map(
    (_, k) => nodes[engine.core.gf_node_input(address, id, k)] ?? null,
  );
  while (inputs.at(-1) === null) inputs.pop();
  return Object.freeze(inputs);
}

/** @type {(tensor: Tensor) => Float32Array | Int32Array} */
let values;
/** @type {(tensor: Tensor) => void} */
let check;
/** @type {(tensor: Tensor) => Float32Array | null} */
let gradient;

/** A tensor's data, for code that keeps no view of it: memory without views can be used again as soon as it is
 * freed.
 * @param {Tensor} tensor
 * @returns {import('../base/values.js').Data} */
export const valuesOf = (tensor) => values(tensor);

/** The same of its grad.
 * @param {Tensor} tensor
 * @returns {Float32Array | null} */
export const gradientOf = (tensor) => gradient(tensor);

/** Refuses a tensor whose values are not computed yet.
 * @param {Tensor} tensor */
export const checkComputed = (tensor) => check(tensor);

/** What there is to say of a tensor besides its numbers: plain data.
 * @param {Tensor} tensor */
export function factsOf(tensor) {
  const { name, op, kind, formula, attributes, bypassed, frozen } = tensor;
  const inputs = tensor.inputs.map((input) => input?.name ?? null);
  const label = tensor.arithmetic === 'integer' ? { arithmetic: tensor.arithmetic } : {};
  return {
    name,
    op,
    kind,
    formula,
    inputs,
    attributes,
    bypassed,
    frozen,
    ...label,
    ...about(tensor),
  };
}

/** @type {(tensor: Tensor) => Description} */
let about;

/** Facts of the tape are read once, when the node is built; values and descriptions each time. */
export class Tensor {
  #block;
  /** @type {Float32Array | Int32Array | undefined} */
  #data;
  /** @type {Float32Array | undefined} */
  #grad;

  /** @param {Tape} tape @param {Block} block @param {number} id @param {readonly Tensor[]} nodes */
  constructor(tape, block, id, nodes) {
    const { engine, address } = block;
    const { core } = engine;
    this.#block = block;
    this.tape = tape;
    /** Its place on the tape. */
    this.id = id;
    this.name = engine.text(core.gf_node_name(address, id));
    /** A row of the op table: 'leaf', 'softmax', ... */
    this.op = engine.text(core.gf_node_op(address, id));
    /** What the node was built with besides its operands: { factor }, { causal, offset }, ... */
    this.attributes = attributesOf(block, id, this.op);
    this.formula = rowOf(engine, this.op).formula(this.attributes);
    /** @type {Kind} */
    this.kind = this.op === 'leaf' ? LEAF_KINDS[this.attributes.kind] : 'op';
    this.shape = shapeOf(block, id);
    this.size = core.gf_node_size(address, id);
    /** Of a parameter that is stored in few bits its numbers, which are made one by one; undefined of all others. */
    this.stored = block.lender.stored?.get(this.name);
    /** Its operands; null where an optional one is left out. */
    this.inputs = inputsOf(block, id, this.op, nodes);
  }

  /** What it is in a lesson: 'query', 'score', 'weight', 'residual', ...; null if it is not described. A parameter has
   * the role of the step that it makes. */
  get role() {
    return this.#about.role;
  }

  /** Which number of its step a parameter is: 'weight', 'bias', 'gain', 'table'; null of others. */
  get parameter() {
    return this.#about.parameter;
  }

  /** What each dimension stands for: 'batch', 'head', 'query', 'key', 'token', 'channel', ... */
  get axes() {
    return this.#about.axes;
  }

  /** Of each dimension whose tokens they are, 'source' or 'target'; null where it is not of tokens. */
  get sequences() {
    return this.#about.sequences;
  }

  /** 'encoder' or 'decoder', or null. */
  get stack() {
    return this.#about.stack;
  }

  /** The layer of its stack, from 0, or null. */
  get layer() {
    return this.#about.layer;
  }

  /** 'self_attn', 'cross_attn', 'feed_forward', 'embedding', ...; null around and between them. */
  get part() {
    return this.#about.part;
  }

  /** How many heads it holds, apart or side by side; 0 if it is of no heads. */
  get heads() {
    return this.#about.heads;
  }

  /** How it is computed: 'integer' if it is a product with a stored parameter that was bound so. A stored operand that
   * comes first is a table, whose rows are exact.
   * @returns {import('../stored/matrix.js').Arithmetic} */
  get arithmetic() {
    const [, ...factors] = this.inputs;
    const isInteger = factors.some((factor) => factor?.stored?.arithmetic === 'integer');
    return isInteger ? 'integer' : 'exact';
  }

  /** The removal that leaves it out, and the operand that it then copies: { name, operand }; or null. */
  get removal() {
    return this.#about.removal;
  }

  /** The operand that is copied instead of computing, or null. */
  get bypassed() {
    const k = this.#block.engine.core.gf_node_bypassed(this.#block.address, this.id);
    return k < 0 ? null : k;
  }

  /** Whether forward leaves the values alone. */
  get frozen() {
    return this.#block.engine.core.gf_node_frozen(this.#block.address, this.id) !== 0;
  }

  /** The values, live: written here, they are the core's. What was written since the last forward shows
   * downstream after the next. Ask again after anything that may need memory (a new tape, a plan, a run),
   * for that cuts old views off.
   * @returns {import('../base/values.js').Data} */
  get data() {
    this.#block.place.shown = true;
    return this.#computed();
  }

  /** The gradient that the last backward left, live as the values are; null for ids, for leaves bound
   * without one, and where the plan reuses memory.
   * @returns {Float32Array | null} */
  get grad() {
    this.#block.place.shown = true;
    const gradient = this.#gradient();
    if (!gradient || this.#block.derived) return gradient;
    throw failure('GF_ESTATE', 'notDerived', { where: this.name, node: this.name });
  }

  /** Overwrites all values. Wrong ones are refused before anything is written.
   * @param {Values} values nested arrays of the tensor's shape, a typed array of its size, or { data } */
  set(values) {
    const Kind = this.#computed() instanceof Int32Array ? Int32Array : Float32Array;
    const numbers = flatten(`${this.name}.set`, values, this.shape, Kind);
    /* Asked for again: reading what was given may have run code of its owner. */
    this.#values().set(numbers);
  }

  /** The values as nested arrays, a copy.
   * @returns {number[] | number[][] | number[][][] | number[][][][]} */
  toArray() {
    return /** @type {number[]} */ (nest(this.#computed(), this.shape));
  }

  /** The values, if there are any: those of an op are made by forward, or written while it is frozen; a
   * cache begins empty. */
  #computed() {
    const values = this.#values();
    if (this.kind !== 'op' || this.op === 'cache') return values;
    const { engine, address } = this.#block;
    if (engine.core.gf_node_computed(address, this.id)) return values;
    throw failure('GF_ESTATE', 'notComputed', { where: this.name, node: this.name });
  }

  #values() {
    if (!this.#isLive(this.#data)) {
      const data =
        this.#view('gf_node_ids', Int32Array) ?? this.#view('gf_node_value', Float32Array);
      if (!data) {
        this.stored?.refuse(this.name);
        throw failure('GF_ESTATE', 'notKept', { where: this.name, node: this.name });
      }
      this.#data = data;
    }
    return this.#data;
  }

  #gradient() {
    if (this.kind === 'ids') return null;
    if (!this.#isLive(this.#grad)) this.#grad = this.#view('gf_node_grad', Float32Array);
    return this.#grad ?? null;
  }

  get #about() {
    return descriptionOf(this.#block, this.id, this.shape.length);
  }

  static {
    about = (tensor) => tensor.#about;
    values = (tensor) => tensor.#values();
    check = (tensor) => tensor.#computed();
    gradient = (tensor) => tensor.#gradient();
  }

  /** Whether a view still shows the core's memory; growth gives the memory a new buffer.
   * @template {ArrayBufferView} T
   * @param {T | undefined} view
   * @returns {view is T} */
  #isLive(view) {
    return view?.buffer === this.#block.buffer;
  }

  /** What lies at an address of the core; undefined if a planned node has no such thing.
   * @template T
   * @param {'gf_node_ids' | 'gf_node_value' | 'gf_node_grad'} where
   * @param {{ new (buffer: ArrayBuffer, at: number, size: number): T }} Kind */
  #view(where, Kind) {
    const { engine, address, buffer, planned } = this.#block;
    const start = engine.core[where](address, this.id) >>> 0;
    if (start) return new Kind(buffer, start, this.size);
    if (planned) return undefined;
    throw failure('GF_ESTATE', 'noValueBeforePlan', { where: this.name, node: this.name });
  }
}
