// The memory of one tape in the core: the block of its nodes and, later, its values.

import { failure } from '../base/errors.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */

/** The owner of the memory that a tape's leaves are bound to: check() throws once that memory is freed, clear() sets
 * its gradients to zero, and settle() marks them as computed; stored has the numbers of leaves that are kept in few
 * bits, by their names.
 * @typedef {{ check: () => void, clear: () => void, settle: () => void, stored?: Map<string, Stored> }} Lender */

/** @typedef {import('../stored/numbers.js').StoredNumbers} Stored */

/** For a tape whose leaves are its own, but for those that it binds to stored matrices.
 * @returns {Lender} */
function ownLeaves() {
  /** @type {Map<string, Stored>} */
  const stored = new Map();
  const check = () => {
    for (const numbers of stored.values()) numbers.check();
  };
  return { check, clear() {}, settle() {}, stored };
}

/** How many nodes fit at first. */
const FIRST_CAPACITY = 64;

export class Block {
  #address;
  #values = 0;
  #capacity = FIRST_CAPACITY;

  /** @param {Engine} engine
   * @param {Lender} [lender] stays as long as the tape does */
  constructor(engine, lender = ownLeaves()) {
    this.engine = engine;
    this.lender = lender;
    /** Whether views of the values were given out. */
    this.shown = false;
    /** Whether gradients were carried down, or set to zero. */
    this.derived = false;
    const bytes = engine.core.gf_tape_bytes(FIRST_CAPACITY);
    this.#address = engine.heap.alloc(bytes);
    engine.core.gf_tape_create(this.#address, bytes);
  }

  /** The gf_tape's address. */
  get address() {
    this.#check();
    return this.#address;
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
    core.gf_tape_move(this.#address, to, bytes);
    heap.free(this.#address);
    this.#address = to;
    this.#capacity = capacity;
  }

  /** @param {'gf_plan' | 'gf_plan_reuse'} plan @param {number} bytes what it asked for */
  plan(plan, bytes) {
    this.#values = this.engine.heap.alloc(bytes);
    this.engine.core[plan](this.address, this.#values);
  }

  free() {
    if (!this.#address) return;
    this.engine.heap.free(this.#address);
    if (this.#values) this.engine.heap.free(this.#values, this.shown);
    this.#address = 0;
  }

  #check() {
    if (!this.#address) throw failure('GF_EDISPOSED', 'tapeDisposed', {});
    this.lender.check();
  }
}
