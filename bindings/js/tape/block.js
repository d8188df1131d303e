// The memory of one tape in the core: the block of its nodes and, later, its values.

import { failure } from '../base/errors.js';
import { forgetPlace, inPlaceOfOthers, mayBePutAside } from './recent.js';

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

/** Where the core holds a tape and its values, apart from the block: it is freed when nobody has the block any more. */
export class Place {
  tape = 0;
  values = 0;
  /** Whether views of the values were given out. */
  shown = false;

  /** @param {import('../runtime/heap.js').Heap} heap */
  constructor(heap) {
    this.heap = heap;
  }

  /** False if it was free already. */
  free() {
    forgetPlace(this);
    if (!this.tape) return false;
    this.heap.free(this.tape);
    if (this.values) this.heap.free(this.values, this.shown);
    this.tape = 0;
    this.values = 0;
    return true;
  }
}

export class Block {
  #capacity = FIRST_CAPACITY;
  #bytes = 0;
  /** The tape and its values while they are not in the core's memory.
   * @type {{ tape: Uint8Array, values: Uint8Array } | null} */
  #aside = null;

  /** @param {Engine} engine
   * @param {Lender} [lender] stays as long as the tape does */
  constructor(engine, lender = ownLeaves()) {
    this.engine = engine;
    this.lender = lender;
    this.place = new Place(engine.heap);
    /** Whether gradients were carried down, or set to zero. */
    this.derived = false;
    /** Numbers that steps take in place of a tensor, by the leaf that plan() writes each into.
     * @type {Map<number, number>} */
    this.numbers = new Map();
    const bytes = engine.core.gf_tape_bytes(FIRST_CAPACITY);
    this.place.tape = engine.heap.alloc(bytes);
    engine.core.gf_tape_create(this.place.tape, bytes);
  }

  /** The gf_tape's address. */
  get address() {
    this.#check();
    return this.place.tape;
  }

  /** The core's memory, as it is now. */
  get buffer() {
    this.#check();
    return this.engine.memory.buffer;
  }

  get planned() {
    return this.#bytes !== 0;
  }

  /** Moves to a larger block, at least twice the size, if there is no room for so many nodes.
   * @param {number} count */
  reserve(count) {
    if (this.#capacity >= count) return;
    const { core, heap } = this.engine;
    const capacity = Math.max(count, 2 * this.#capacity);
    const bytes = core.gf_tape_bytes(capacity) >>> 0;
    const to = heap.alloc(bytes);
    core.gf_tape_move(this.place.tape, to, bytes);
    heap.free(this.place.tape);
    this.place.tape = to;
    this.#capacity = capacity;
  }

  /** @param {'gf_plan' | 'gf_plan_reuse'} plan @param {number} bytes what it asked for */
  plan(plan, bytes) {
    this.place.values = this.engine.heap.alloc(bytes);
    this.engine.core[plan](this.address, this.place.values);
    this.#bytes = bytes;
  }

  /** Copies all to memory of its own, where the garbage collector finds it, and frees the core's, until the next use. False
   * if there is no such memory. */
  putAside() {
    const { place, engine } = this;
    const { memory, core } = engine;
    try {
      const copy = (/** @type {number} */ start, /** @type {number} */ size) =>
        new Uint8Array(memory.buffer, start, size).slice();
      const size = core.gf_tape_bytes(this.#capacity) >>> 0;
      this.#aside = { tape: copy(place.tape, size), values: copy(place.values, this.#bytes) };
    } catch {
      return false;
    }
    /* Cuts off all views: its tensors ask for new ones, wherever the values then are. */
    memory.grow(0);
    place.shown = false;
    return place.free();
  }

  /** @param {{ tape: Uint8Array, values: Uint8Array }} aside */
  #bringBack({ tape, values }) {
    const { place, engine } = this;
    const { heap, memory, core } = engine;
    try {
      inPlaceOfOthers(heap, () => {
        place.tape = heap.alloc(tape.length);
        place.values = heap.alloc(values.length);
      });
    } catch (error) {
      place.free();
      throw error;
    }
    this.#aside = null;
    new Uint8Array(memory.buffer).set(tape, place.tape);
    new Uint8Array(memory.buffer).set(values, place.values);
    core.gf_plan_move(place.tape, place.values);
    mayBePutAside(this);
  }

  free() {
    this.#aside = null;
    this.place.free();
  }

  #check() {
    if (!this.place.tape && !this.#aside) throw failure('GF_EDISPOSED', 'tapeDisposed', {});
    this.lender.check();
    if (this.#aside) this.#bringBack(this.#aside);
  }
}
