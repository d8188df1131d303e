// A tape: one method per op of the core, and the runs.

import {
  checkBoolean,
  checkFinite,
  checkInt32,
  checkOptions,
  codeOf,
  didYouMean,
  GlassformerError,
  show,
} from './errors.js';
import { Tensor } from './tensor.js';
import { checkShape, flatten } from './values.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./values.js').Values} Values */

/** Room for nodes at first; and how many one call makes at most, gf_attention's 19. */
const CAPACITY = 64;
const RESERVE = 20;
const MAX_RANK = 4;
const NONE = -1;
const LAST = -1;

/** The memory of one tape in the core: the block of its nodes and, later, its values. */
export class Block {
  #at;
  #values = 0;
  #capacity = CAPACITY;

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    const bytes = engine.core.gf_tape_bytes(CAPACITY);
    this.#at = engine.heap.alloc(bytes);
    engine.core.gf_tape_create(this.#at, bytes);
  }

  /** The gf_tape's address. */
  get at() {
    this.#check();
    return this.#at;
  }

  /** The core's memory, as it is now. */
  get buffer() {
    this.#check();
    return this.engine.memory.buffer;
  }

  get planned() {
    return this.#values !== 0;
  }

  /** Moves to a larger block, at least twice the size, if there is no room for so many nodes.
   * @param {number} count */
  reserve(count) {
    if (this.#capacity >= count) return;
    const { core, heap } = this.engine;
    const capacity = Math.max(count, 2 * this.#capacity);
    const bytes = core.gf_tape_bytes(capacity) >>> 0;
    const to = heap.alloc(bytes);
    core.gf_tape_move(this.#at, to, bytes);
    heap.free(this.#at);
    this.#at = to;
    this.#capacity = capacity;
  }

  /** @param {number} bytes what gf_plan asked for */
  plan(bytes) {
    this.#values = this.engine.heap.alloc(bytes);
    this.engine.core.gf_plan(this.at, this.#values);
  }

  free() {
    if (!this.#at) return;
    this.engine.heap.free(this.#at);
    if (this.#values) this.engine.heap.free(this.#values);
    this.#at = 0;
  }

  #check() {
    if (!this.#at) throw new GlassformerError('GF_EDISPOSED', 'the tape is disposed of');
  }
}

/** Only for tapes that nobody disposed of: it runs late, or never. */
const forgotten = new FinalizationRegistry((/** @type {Block} */ block) => block.free());

/**
 * @typedef {object} MaskOptions
 * @property {boolean} [causal] query i sees key j only if j <= i
 * @property {Tensor | null} [mask] ids: 0 masks; values: added to the scores
 * @property {Tensor | null} [lengths] ids [B]: keys from lengths[b] on are padding
 */

/**
 * @typedef {object} AttentionOptions
 * @property {Tensor} query what the queries come from, [Tq,C] or [B,Tq,C]
 * @property {Tensor} key what the keys come from
 * @property {Tensor} value what the values come from
 * @property {Tensor | null} [wQ] [C,H*D]; left out, query is projected already
 * @property {Tensor | null} [wK]
 * @property {Tensor | null} [wV]
 * @property {Tensor | null} [wO] [H*D,C]; left out, there is no projection at the end
 * @property {Tensor | null} [bQ]
 * @property {Tensor | null} [bK]
 * @property {Tensor | null} [bV]
 * @property {Tensor | null} [bO]
 * @property {number} [heads] 1 by default
 * @property {boolean} [causal]
 * @property {Tensor | null} [mask]
 * @property {Tensor | null} [lengths]
 * @property {number} [scale] multiplies the scores; 1 / sqrt(D) by default
 */

/** Operands in the order of gf_attention_config. */
const OPERANDS = /** @type {const} */ ([
  'query',
  'key',
  'value',
  'wQ',
  'bQ',
  'wK',
  'bK',
  'wV',
  'bV',
  'wO',
  'bO',
]);
const MASK_OPTIONS = ['causal', 'mask', 'lengths'];
const ATTENTION_OPTIONS = [...OPERANDS, 'heads', ...MASK_OPTIONS, 'scale'];

/** A flat list of named nodes: build, plan, fill the leaves, run. */
export class Tape {
  #block;
  /** @type {Tensor[]} */
  #nodes = [];

  /** @param {Engine} engine */
  constructor(engine) {
    this.#block = new Block(engine);
    forgotten.register(this, this.#block, this);
  }

  /** All nodes, in the order of construction.
   * @returns {readonly Tensor[]} */
  get nodes() {
    return [...this.#nodes];
  }

  // ---- Leaves ----

  /** Data that you fill.
   * @param {string} name @param {number[]} shape */
  input(name, shape) {
    return this.#leaf('gf_input', name, shape);
  }

  /** Something to be learned, that you fill.
   * @param {string} name @param {number[]} shape */
  parameter(name, shape) {
    return this.#leaf('gf_parameter', name, shape);
  }

  /** int32 that you fill: tokens, positions, lengths, or a boolean mask.
   * @param {string} name @param {number[]} shape */
  ids(name, shape) {
    return this.#leaf('gf_ids', name, shape);
  }

  // ---- Ops ----

  /** y[i] = table[ids[i]]: table [V,C], ids [...] -> [...,C]
   * @param {Tensor} table @param {Tensor} ids @param {string} name */
  embed(table, ids, name) {
    return this.#push('embed', name, { table, ids });
  }

  /** Sinusoidal position encoding: positions [...] -> [...,channels]
   * @param {Tensor} positions @param {number} channels @param {string} name */
  position(positions, channels, name) {
    return this.#push('position', name, { positions }, [
      checkInt32('position: channels', channels),
      0,
    ]);
  }

  /** y = a + b, b repeated over the leading dimensions that it lacks.
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  add(a, b, name) {
    return this.#push('add', name, { a, b });
  }

  /** y = factor x
   * @param {Tensor} x @param {number} factor @param {string} name */
  scale(x, factor, name) {
    return this.#push('scale', name, { x }, [checkFinite('scale: factor', factor)]);
  }

  /** y = x w + b: x [...,K], w [K,N], b [N] or null -> [...,N]
   * @param {Tensor} x @param {Tensor} w @param {Tensor | null} b @param {string} name */
  linear(x, w, b, name) {
    return this.#push('linear', name, { x, w }, [this.#optional('linear: b', b)]);
  }

  /** y = a b: a [...,M,K], b [...,K,N] -> [...,M,N]
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  matmul(a, b, name) {
    return this.#push('matmul', name, { a, b });
  }

  /** y = a b^T: a [...,M,K], b [...,N,K] -> [...,M,N]
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  matmulTransposed(a, b, name) {
    return this.#push('matmul_transposed', name, { a, b });
  }

  /** Makes masked scores -inf: x [...,Tq,Tk] -> the same shape
   * @param {Tensor} x @param {MaskOptions} options @param {string} name */
  mask(x, options, name) {
    checkOptions('mask', options, MASK_OPTIONS);
    const { causal = false, mask, lengths } = options;
    checkBoolean('mask: causal', causal);
    const operands = [this.#optional('mask: mask', mask), this.#optional('mask: lengths', lengths)];
    return this.#push('mask', name, { x }, [Number(causal), 0, ...operands]);
  }

  /** Softmax over the last dimension.
   * @param {Tensor} x @param {string} name */
  softmax(x, name) {
    return this.#push('softmax', name, { x });
  }

  /** Gives each head its own matrix: x [...,T,H*D] -> [...,H,T,D]
   * @param {Tensor} x @param {number} heads @param {string} name */
  splitHeads(x, heads, name) {
    return this.#push('split_heads', name, { x }, [checkInt32('splitHeads: heads', heads)]);
  }

  /** Joins the heads again: x [...,H,T,D] -> [...,T,H*D]
   * @param {Tensor} x @param {string} name */
  concatHeads(x, name) {
    return this.#push('concat_heads', name, { x });
  }

  /** Scaled dot-product attention in named steps: q, k, v, scores, scores.scaled, scores.masked,
   * weights, mix, concat, output. Returns output.
   * @param {AttentionOptions} options
   * @param {string} [path] goes before each name, with a dot between */
  attention(options, path = '') {
    checkOptions('attention', options, ATTENTION_OPTIONS);
    const { heads = 1, causal = false, mask, lengths, scale } = options;
    checkBoolean('attention: causal', causal);
    if (scale !== undefined && Math.fround(checkFinite('attention: scale', scale)) === 0) {
      throw new RangeError(`attention: scale: expected a number other than 0, received ${scale}`);
    }
    for (const [b, w] of /** @type {const} */ ([
      ['bQ', 'wQ'],
      ['bK', 'wK'],
      ['bV', 'wV'],
      ['bO', 'wO'],
    ])) {
      if (options[b] && !options[w]) throw new TypeError(`attention: received ${b} without ${w}`);
    }
    const operands = OPERANDS.map((key, i) =>
      i < 3
        ? this.#operand(`attention: ${key}`, options[key])
        : this.#optional(`attention: ${key}`, options[key]),
    );
    const config = [
      ...operands,
      checkInt32('attention: heads', heads),
      0,
      Number(causal),
      0,
      this.#optional('attention: mask', mask),
      this.#optional('attention: lengths', lengths),
      NONE,
      0,
      0,
      NONE,
      0,
    ];
    const { engine } = this.#block;
    return this.build('attention', path, (at, name) =>
      engine.core.gf_attention(at, engine.config(config, [0, scale ?? 0]), name),
    );
  }

  // ---- Plan and run ----

  /** Places every value and gradient, all zero; the tape is then closed to new nodes. */
  plan() {
    const { core } = this.#block.engine;
    const { at } = this.#block;
    if (this.#block.planned) {
      throw new GlassformerError('GF_ESTATE', 'plan: the tape is planned already');
    }
    const bytes = core.gf_plan(at, 0) >>> 0;
    if (!bytes) this.#refuse(this.#nodes.length ? 'GF_EMEMORY' : 'GF_ESTATE');
    this.#block.plan(bytes);
  }

  /** Computes the nodes from the first to the last in order; by default all of them.
   * @param {Tensor | string} [first] @param {Tensor | string} [last] */
  forward(first, last) {
    const error = this.#block.engine.core.gf_forward(
      this.#block.at,
      first === undefined ? 0 : this.#pick('forward', first).id,
      last === undefined ? LAST : this.#pick('forward', last).id,
    );
    if (error) this.#refuse(codeOf(error));
  }

  /** Sets every gradient to zero. */
  zeroGrad() {
    this.#block.engine.core.gf_zero_grad(this.#block.at);
  }

  /** Gradients of the target with respect to every node before it: zeroes them all, seeds the
   * target's, carries it down.
   * @param {Tensor | string} target
   * @param {Values} [gradient] of the target's shape; 1 by default if the target is one cell */
  backward(target, gradient) {
    const { core } = this.#block.engine;
    const { at } = this.#block;
    const tensor = this.#pick('backward', target);
    const { grad } = tensor;
    if (!grad) throw new TypeError(`backward: ids have no gradient, received "${tensor.name}"`);
    if (gradient === undefined && tensor.size !== 1) {
      throw new TypeError(
        `backward: "${tensor.name}" is [${tensor.shape}]: its gradient must be given`,
      );
    }
    const seed = flatten(
      'backward: gradient',
      gradient ?? new Float32Array([1]),
      tensor.shape,
      Float32Array,
    );
    core.gf_zero_grad(at);
    grad.set(seed);
    const error = core.gf_backward(at, 0, tensor.id);
    if (error) this.#refuse(codeOf(error));
  }

  // ---- Experiments and looking ----

  /** Makes a node copy its operand k instead of computing; null puts it back.
   * @param {Tensor | string} node @param {number | null} [k] */
  bypass(node, k = 0) {
    const { core } = this.#block.engine;
    const operand = k === null ? NONE : checkInt32('bypass: k', k);
    if (k !== null && operand < 0) {
      throw new RangeError(`bypass: k: expected an operand's number or null, received ${k}`);
    }
    const error = core.gf_bypass(this.#block.at, this.#pick('bypass', node).id, operand);
    if (error) this.#refuse(codeOf(error));
  }

  /** Keeps the values that you write into a node; on = false lets it compute again.
   * @param {Tensor | string} node @param {boolean} [on] */
  freeze(node, on = true) {
    checkBoolean('freeze: on', on);
    const { core } = this.#block.engine;
    core.gf_freeze(this.#block.at, this.#pick('freeze', node).id, Number(on));
  }

  /** The node of that name.
   * @param {string} name */
  find(name) {
    const { engine, at } = this.#block;
    const id = engine.core.gf_find(at, engine.name('find', name));
    if (id >= 0) return this.#nodes[id];
    const known = this.#nodes.map((node) => node.name);
    throw new GlassformerError('GF_ENAME', `no node "${name}"${didYouMean(name, known)}`, name);
  }

  /** Gives the memory back. The tape and its tensors are of no use afterwards. */
  dispose() {
    forgotten.unregister(this);
    this.#block.free();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  // ---- How a step is built ----

  /** @param {'gf_input' | 'gf_parameter' | 'gf_ids'} make @param {string} name @param {number[]} shape */
  #leaf(make, name, shape) {
    const what = make.slice(3);
    const dimensions = checkShape(`${what}: shape`, shape);
    const { engine } = this.#block;
    return this.build(what, name, (at, text) =>
      /* The scratch holds no longer shape, and the core refuses a rank of 5 without looking at it. */
      engine.core[make](
        at,
        dimensions.length,
        engine.integers(dimensions.slice(0, MAX_RANK)),
        text,
      ),
    );
  }

  /** @param {string} op @param {string} name @param {Record<string, Tensor>} operands
   * @param {number[]} [rest] arguments after the operands */
  #push(op, name, operands, rest = []) {
    const ids = Object.entries(operands).map(([key, node]) => this.#operand(`${op}: ${key}`, node));
    const { core } = this.#block.engine;
    return this.build(op, name, (at, text) => core[`gf_${op}`](at, ...ids, ...rest, text));
  }

  /** Calls a builder of the core and takes up the nodes that it made. A failed build is undone.
   * @param {string} what @param {string} name @param {(at: number, name: number) => number} build */
  build(what, name, build, room = RESERVE) {
    const block = this.#block;
    const { core } = block.engine;
    const before = this.#nodes.length;
    if (!block.planned) block.reserve(before + room);
    const made = build(block.at, block.engine.name(`${what}: name`, name));
    if (made < 0) this.#refuse(codeOf(made), name);
    const count = core.gf_tape_count(block.at);
    for (let id = before; id < count; id++) {
      this.#nodes.push(new Tensor(this, block, id, this.#nodes));
    }
    return this.#nodes[made];
  }

  /** Tells the core's error, and puts the tape back to where it was.
   * @param {string} code @param {string} [name] the node that was to be built
   * @returns {never} */
  #refuse(code, name = '') {
    const { engine, at } = this.#block;
    const text = engine.text(engine.core.gf_tape_error_text(at));
    engine.core.gf_tape_rewind(at, this.#nodes.length);
    const end = text.indexOf(': ', name.length);
    const node = end < 0 ? name : text.slice(0, end);
    throw new GlassformerError(code, text, node === 'tape' ? null : node);
  }

  /** @param {string} where @param {unknown} node */
  #operand(where, node) {
    if (!(node instanceof Tensor)) {
      throw new TypeError(`${where}: expected a Tensor, received ${show(node)}`);
    }
    if (node.tape !== this) {
      throw new RangeError(`${where}: the tensor "${node.name}" belongs to another tape`);
    }
    return node.id;
  }

  /** @param {string} where @param {Tensor | null | undefined} node */
  #optional(where, node) {
    return node === null || node === undefined ? NONE : this.#operand(where, node);
  }

  /** @param {string} where @param {Tensor | string} node */
  #pick(where, node) {
    return typeof node === 'string' ? this.find(node) : this.#nodes[this.#operand(where, node)];
  }
}
