// What happens on the heaps of all engines: how many ranges are in use, and whatever a test does at each
// allocation.

import { Heap } from '../../bindings/js/runtime/heap.js';

const { alloc, free } = Heap.prototype;
let ranges = 0;
/** The same of each heap: JavaScript's garbage of other tests is in other ones. @type {WeakMap<Heap, number>} */
const each = new WeakMap();

export const heaps = {
  /** Called before each allocation, with what is asked for; may throw, or let the memory grow.
   * @type {(bytes: number) => void} */
  before() {},

  /** Ranges in use. */
  get used() {
    return ranges;
  },
};

/** The heap of a core. @param {any} gf @returns {Heap} */
function heapOf(gf) {
  const tape = gf.tape();
  const { heap } = tape.block.engine;
  tape.dispose();
  return heap;
}

/** Ranges in use of one core. @param {any} gf */
export const usedOf = (gf) => each.get(heapOf(gf)) ?? 0;

/** Frees what is kept for later calls: tapes of eager functions, keys and values of texts.
 * @param {any} gf */
export function reclaim(gf) {
  for (const one of heapOf(gf).reclaimers) one();
}

Heap.prototype.alloc = function (bytes) {
  heaps.before(bytes);
  const at = alloc.call(this, bytes);
  ranges += 1;
  each.set(this, (each.get(this) ?? 0) + 1);
  return at;
};
Heap.prototype.free = function (at, shown) {
  free.call(this, at, shown);
  ranges -= 1;
  each.set(this, (each.get(this) ?? 0) - 1);
};
