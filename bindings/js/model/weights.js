// The memory of a model: parameters, their gradients and their moments, apart from any tape. Tapes of
// all shapes are bound to it.

import { failure, near } from '../base/errors.js';
import { onForgotten } from '../base/forgotten.js';
import { Tape } from '../tape/tape.js';
import { batchWords, modelWords } from './config/config.js';
import { extentOf } from './config/parameters.js';
import { leaveOut, reachInside } from './config/remove.js';
import { forwardInSlices, inner } from './slices.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./config/config.js').Batch} Batch */

/** Addresses of WebAssembly have 32 bits. */
const MAX_MEMORY = 2 ** 32;

/** More nodes than a layer has, and than there are around the layers. */
const NODES_OF_LAYER = 100;
const NODES_AROUND = 64;

/** The blocks of numbers of one model; the core's heap holds them. */
class Blocks {
  /** @type {Map<string, number>} */
  #addresses = new Map();
  #engine;

  /** @param {Engine} engine @param {number} size of each block, in numbers */
  constructor(engine, size) {
    this.#engine = engine;
    this.size = size;
  }

  /** @param {string} name */
  has(name) {
    return this.#addresses.has(name);
  }

  /** The address of a block, which is made when it is first asked for: of zeros, but for the values,
   * which are all written anyway.
   * @param {string} name */
  address(name) {
    let address = this.#addresses.get(name);
    if (address === undefined) {
      address = this.#engine.heap.alloc(4 * this.size);
      this.#addresses.set(name, address);
      if (name !== 'values') this.view(name).fill(0);
    }
    return address;
  }

  /** The numbers of a block from an offset on, until the memory grows.
   * @param {string} name @param {number} [offset] @param {number} [size]
   * @returns {Float32Array} */
  view(name, offset = 0, size = this.size) {
    const address = this.address(name);
    return new Float32Array(this.#engine.memory.buffer, address + 4 * offset, size);
  }

  free() {
    /* Views of parameters are what they are for. */
    for (const address of this.#addresses.values()) this.#engine.heap.free(address, true);
    this.#addresses.clear();
  }
}

/** Frees models that were not disposed of. */
const forgotten = onForgotten((/** @type {Blocks} */ blocks) => blocks.free());

/** What is learned: a live view, rebuilt if the memory grew. */
export class Parameter {
  #weights;
  #offset;

  /** @param {Weights} weights @param {Tensor} node @param {number} offset */
  constructor(weights, { name, role, parameter, shape, size }, offset) {
    this.#weights = weights;
    this.#offset = offset;
    this.name = name;
    /** Of the step that it makes: 'query', 'norm', ... */
    this.role = role;
    /** Which number of that step it is: 'weight', 'bias', 'gain' or 'table'. */
    this.parameter = parameter;
    this.shape = shape;
    this.size = size;
  }

  /** The values, live: ask again after anything that may grow the memory.
   * @returns {Float32Array} */
  get data() {
    this.#weights.shown = true;
    return this.block('values');
  }

  /** The gradient that the last backward or step of training left, live.
   * @returns {Float32Array} */
  get grad() {
    if (this.#weights.hasGradients) return this.block('gradients');
    throw failure('GF_ESTATE', 'notDerived', { where: this.name, node: this.name });
  }

  /** Adam's mean of its gradients, live; null before the first step of training.
   * @returns {Float32Array | null} */
  get m() {
    return this.#weights.blocks.has('m') ? this.block('m') : null;
  }

  /** Adam's mean of their squares, likewise.
   * @returns {Float32Array | null} */
  get v() {
    return this.#weights.blocks.has('v') ? this.block('v') : null;
  }

  /** Its part of a block: 'values', 'gradients', 'm' or 'v'.
   * @param {string} name
   * @returns {Float32Array} */
  block(name) {
    return this.#weights.blocks.view(name, this.#offset, this.size);
  }
}

/** A Map whose get() throws, with the nearest name, where there is none.
 * @extends {Map<string, Parameter>} */
export class Parameters extends Map {
  /** The parameter of that name; GF_ENAME where there is none.
   * @param {string} name
   * @returns {Parameter} */
  get(name) {
    const parameter = super.get(name);
    if (parameter) return parameter;
    const hint = near(String(name), this.keys());
    throw failure('GF_ENAME', 'noParameter', { value: name, hint, node: String(name) });
  }
}

/** Pushes a model's nodes, without a plan; gives the gf_tape's address.
 * @param {Engine} engine @param {Tape} tape @param {Batch} batch @param {Config} config
 * @param {(at: number) => number} [more] */
export function build(engine, tape, batch, config, more = () => 0) {
  const words = modelWords(config);
  const room = (config.layers + config.decoderLayers) * NODES_OF_LAYER + NODES_AROUND;
  tape.build(
    'model',
    '',
    (address) => {
      const model = engine.integers([...words, ...batchWords(batch)]);
      const made = engine.core.gf_build(address, model, model + 4 * words.length);
      return made < 0 ? made : more(address) || made;
    },
    { room },
  );
  return inner(tape).block.address;
}

/** Refuses parameters that no memory holds, before anything is built.
 * @param {Config} config */
function checkRoom(config) {
  const bytes = 4 * extentOf(config).numbers;
  if (bytes <= MAX_MEMORY) return;
  throw failure('GF_EMEMORY', 'tooManyParameters', { where: 'model', bytes, most: MAX_MEMORY });
}

export class Weights {
  #push;
  #layout;
  #layoutAddress = 0;
  /** @type {Blocks} */
  #blocks;
  #disposed = false;
  #settled = false;
  /** The words of the file that open() read. @type {import('./file.js').SavedVocabulary | undefined} */
  vocabulary;

  /** @param {Engine} engine @param {Config} config
   * @param {(layout: Tape) => Map<string, import('../tape/block.js').Stored>} [store] binds parameters of the layout to
   *   memory elsewhere; gives their numbers, which keep that memory, by name
   * @param {typeof build} [push] pushes the nodes, or at first the parameters alone */
  constructor(engine, config, store, push = build) {
    checkRoom(config);
    this.engine = engine;
    this.config = config;
    this.#push = push;
    /** Training steps taken, and the training that is going on: nothing but its loop keeps it, so one that was
     * dropped is forgotten. */
    this.step = 0;
    /** @type {WeakRef<object> | undefined} */
    this.training = undefined;
    /** Whether live views of the values were given out: they may be written into at any time. */
    this.shown = false;
    /** What is freed with it. @type {Set<{ dispose: () => void }>} */
    this.resources = new Set();
    /** Whether its parameters stand beside those of a model that stays as it is. */
    this.adapts = false;
    /** How often training changed the values, and how often the gradients were cleared. */
    this.trained = 0;
    this.derived = 0;
    const layout = new Tape(engine);
    try {
      this.#layoutAddress = push(engine, layout, {}, config);
      /* As long as tapes use it. */
      this.stored = store?.(layout);
      /** @type {[string, Parameter][]} */
      const parameters = [];
      let offset = 0;
      for (const node of layout.nodes) {
        if (node.kind !== 'parameter' || this.stored?.has(node.name)) continue;
        parameters.push([node.name, new Parameter(this, node, offset)]);
        offset += node.size;
      }
      this.parameters = new Parameters(parameters);
      this.#blocks = new Blocks(engine, offset);
      const values = this.#blocks.address('values');
      engine.core.gf_bind_parameters(this.#layoutAddress, this.#layoutAddress, values, 0);
    } catch (error) {
      layout.dispose();
      throw error;
    }
    this.#layout = layout;
    forgotten.register(this, this.#blocks, this);
  }

  /** Feeds tokens to a decoder that was fed none yet, the same to each of its sequences. Pauses meanwhile.
   * @param {ReturnType<typeof import('./decode/decoding.js').decoding>} decoder
   * @param {readonly number[]} tokens @param {number} [size] how many sequences
   * @returns {Generator<null, void>} */
  *read(decoder, tokens, size = 1) {
    for (const token of tokens) {
      decoder.feed(Array(size).fill(token));
      yield null;
    }
  }

  /** Computes a tape from a node on, in slices, and pauses between them.
   * @param {Tape} tape @param {string} name @param {ReadonlyMap<number, () => void>} [behind] what is done behind nodes, by
   *   their ids
   * @returns {Generator<null, void>} */
  *running(tape, name, behind) {
    for (const _ of forwardInSlices(tape, name, behind)) yield null;
  }

  /** Gives the parameters their first values.
   * @param {number} seed */
  initialize(seed) {
    this.engine.core.gf_initialize(this.#layoutAddress, seed);
  }

  /** How many numbers are learned. */
  get size() {
    return this.#blocks.size;
  }

  /** Its numbers: 'values', 'gradients', and Adam's moments 'm' and 'v'. */
  get blocks() {
    this.check();
    return this.#blocks;
  }

  /** How products with its parameters are computed.
   * @returns {import('../stored/matrix.js').Arithmetic} */
  get arithmetic() {
    const isInteger = [...(this.stored?.values() ?? [])].some(
      (one) => one.arithmetic === 'integer',
    );
    return isInteger ? 'integer' : 'exact';
  }

  /** Refuses what needs exact products.
   * @param {string} where */
  checkExact(where) {
    if (this.arithmetic !== 'exact') throw failure('GF_ESTATE', 'exactOnly', { where });
  }

  /** Sets all gradients to zero, before others take their place. */
  clearGradients() {
    this.blocks.view('gradients').fill(0);
    this.derived += 1;
    this.#settled = false;
  }

  /** Tells that the gradients are those of something. */
  settleGradients() {
    this.#settled = true;
  }

  get hasGradients() {
    this.check();
    return this.#settled;
  }

  /** Restores parameters of an earlier step. @param {Float32Array} values */
  restore(values) {
    this.blocks.view('values').set(values);
    this.trained += 1;
  }

  /** Refuses to go on with what was made of earlier values.
   * @param {number} trained as it was then */
  checkUnchanged(trained) {
    this.check();
    if (trained === this.trained) return;
    throw failure('GF_ESTATE', 'trainedMeanwhile', { where: 'generate' });
  }

  check() {
    if (this.#disposed) throw failure('GF_EDISPOSED', 'modelDisposed', {});
  }

  /** Binds the parameters of a tape; those that it does not know are bound already.
   * @param {number} address of the gf_tape @param {boolean} gradients whether backward computes theirs
   * @returns {number} an error, or 0 */
  bind(address, gradients) {
    const values = this.blocks.address('values');
    const grads = gradients ? this.blocks.address('gradients') : 0;
    return this.engine.core.gf_bind_parameters(address, this.#layoutAddress, values, grads);
  }

  /** A planned tape of the model.
   * @param {Batch} batch
   * @param {{ gradients?: boolean, changes?: Partial<Config>, more?: (tape: Tape) => void,
   *   keep?: (tape: Tape) => (Tensor | string)[] }} [options]
   *   gradients of the parameters are wanted; changes to the config that leave the parameters alone;
   *   what is pushed behind the model's own nodes; for inference, which steps are to be read */
  tape(batch, { gradients = false, changes = {}, more = () => {}, keep } = {}) {
    this.check();
    const config = { ...this.config, ...changes };
    const fused = batch.fused && !reachInside(config.remove);
    const tape = new Tape(this.engine, {
      check: () => this.check(),
      clear: () => gradients && this.clearGradients(),
      settle: () => gradients && this.settleGradients(),
      stored: this.stored,
    });
    try {
      this.#push(this.engine, tape, { ...batch, fused }, config, (address) =>
        this.bind(address, gradients),
      );
      more(tape);
      tape.plan(keep && { reuse: true, keep: keep(tape) });
      leaveOut(tape, config.remove);
      for (const node of tape.nodes) {
        if (node.kind !== 'ids' || node.role !== 'positions') continue;
        node.set(Int32Array.from({ length: node.size }, (_, i) => i));
      }
    } catch (error) {
      tape.dispose();
      throw error;
    }
    return tape;
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    forgotten.unregister(this);
    for (const resource of this.resources) resource.dispose();
    this.#layout.dispose();
    this.#blocks.free();
  }
}
