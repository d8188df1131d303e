// What happens on the heaps of all engines: how many ranges are in use, and whatever a test does at each
// allocation.

import { Heap } from '../../bindings/runtime/heap.js';

const { alloc, free } = Heap.prototype;
let ranges = 0;

export const heaps = {
  /** Called before each allocation; may throw, or let the memory grow.
   * @type {() => void} */
  before() {},

  /** Ranges in use. */
  get used() {
    return ranges;
  },
};

Heap.prototype.alloc = function (bytes) {
  heaps.before();
  const at = alloc.call(this, bytes);
  ranges += 1;
  return at;
};
Heap.prototype.free = function (at) {
  free.call(this, at);
  ranges -= 1;
};
