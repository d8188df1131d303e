// The memory of a wasm instance above __heap_base. The core allocates nothing, so this does.

import { failure, rangeError } from '../base/errors.js';

const ALIGNMENT = 16;
const PAGE = 65536;

/** @param {number} bytes */
const align = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** First fit over a list of free ranges, sorted by address; neighbours are joined at once. */
export class Heap {
  #memory;
  /** @type {{ at: number, size: number }[]} */
  #free;
  /** @type {Map<number, number>} sizes of the ranges that are in use, by address */
  #used = new Map();

  /** @param {WebAssembly.Memory} memory @param {number} base the first address that is ours */
  constructor(memory, base) {
    this.#memory = memory;
    const at = align(base);
    this.#free = [{ at, size: memory.buffer.byteLength - at }];
  }

  /** The address of so many bytes, aligned to 16. May grow the memory, which detaches every view.
   * @param {number} bytes
   * @returns {number} */
  alloc(bytes) {
    const size = Math.max(align(bytes), ALIGNMENT);
    let i = this.#free.findIndex((range) => range.size >= size);
    if (i < 0) i = this.#grow(size);
    const range = this.#free[i];
    const { at } = range;
    if (range.size === size) this.#free.splice(i, 1);
    else this.#free[i] = { at: at + size, size: range.size - size };
    this.#used.set(at, size);
    return at;
  }

  /** @param {number} at what alloc returned */
  free(at) {
    const size = this.#used.get(at);
    if (size === undefined) throw rangeError('notAllocated', { where: 'heap', at });
    this.#used.delete(at);
    this.#release(at, size);
  }

  /** Puts a range back between its neighbours; returns its place in the list.
   * @param {number} at @param {number} size */
  #release(at, size) {
    const free = this.#free;
    let i = free.findIndex((range) => range.at > at);
    if (i < 0) i = free.length;
    free.splice(i, 0, { at, size });
    for (const left of [i, i - 1]) {
      const a = free[left];
      const b = free[left + 1];
      if (!a || !b || a.at + a.size !== b.at) continue;
      free.splice(left, 2, { at: a.at, size: a.size + b.size });
      i = left;
    }
    return i;
  }

  /** Makes the last free range at least so large; returns its place in the list.
   * @param {number} size */
  #grow(size) {
    const end = this.#memory.buffer.byteLength;
    const last = this.#free.at(-1);
    const atEnd = last && last.at + last.size === end ? last.size : 0;
    const pages = Math.ceil((size - atEnd) / PAGE);
    try {
      this.#memory.grow(pages);
    } catch {
      throw failure('GF_EMEMORY', 'noMemory', { bytes: size, end });
    }
    return this.#release(end, pages * PAGE);
  }
}
