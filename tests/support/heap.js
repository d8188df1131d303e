// What happens on the heaps of all engines: how many ranges are in use, and whatever a test does at each
// allocation.

import { Heap } from '../../bindings/js/runtime/heap.js';

const { alloc, free } = Heap.prototype;
let ranges = 0;

export const heaps = {
  /** Called before each allocation, with what is asked for; may throw, or let the memory grow.
   * @type {(bytes: number) => void} */
  before() {},

  /** Ranges in use. */
  get used() {
    return ranges;
  },
};

/** Frees what is kept for later calls: tapes of eager functions, keys and values of texts.
 * @param {any} gf */
export function reclaim(gf) {
  const tape = gf.tape();
  for (const one of tape.block.engine.heap.reclaimers) one();
  tape.dispose();
}

Heap.prototype.alloc = function (bytes) {
  heaps.before(bytes);
  const at = alloc.call(this, bytes);
  ranges += 1;
  return at;
};
Heap.prototype.free = function (at, shown) {
  free.call(this, at, shown);
  ranges -= 1;
};
