// The memory of a wasm instance above __heap_base. The core allocates nothing, so this does.

import { failure, rangeError } from '../base/errors.js';

const ALIGNMENT = 16;
const PAGE = 65536;

/** @param {number} bytes */
const align = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** @typedef {{ address: number, size: number }} Range */

/** First fit over a list of free ranges, sorted by address; neighbours are joined at once. A range that
 * typed arrays may still show is set aside when it is freed: before it is used again, the memory gets a new
 * buffer, which cuts those arrays off. So no array ever shows the numbers of another owner. */
export class Heap {
  #memory;
  /** @type {Range[]} */
  #free;
  /** @type {Range[]} freed, but shown */
  #resting = [];
  /** @type {Map<number, number>} sizes of the ranges that are in use, by address */
  #used = new Map();

  /** Each frees what is only kept to save time; false if nothing is. Called where the memory cannot grow.
   * @type {Set<() => boolean>} */
  reclaimers = new Set();

  /** @param {WebAssembly.Memory} memory @param {number} base the first address that is ours */
  constructor(memory, base) {
    this.#memory = memory;
    const address = align(base);
    this.#free = [{ address, size: memory.buffer.byteLength - address }];
  }

  /** The address of so many bytes, aligned to 16. May give the memory a new buffer, which detaches
   * every view.
   * @param {number} bytes
   * @returns {number} */
  alloc(bytes) {
    const size = Math.max(align(bytes), ALIGNMENT);
    let i = this.#find(size);
    if (i < 0 && this.#renew()) i = this.#find(size);
    if (i < 0) {
      try {
        i = this.#grow(size);
      } catch (error) {
        const freed = [...this.reclaimers].filter((reclaim) => reclaim());
        if (!freed.length) throw error;
        return this.alloc(bytes);
      }
    }
    const range = this.#free[i];
    const { address } = range;
    if (range.size === size) this.#free.splice(i, 1);
    else this.#free[i] = { address: address + size, size: range.size - size };
    this.#used.set(address, size);
    return address;
  }

  /** @param {number} address what alloc returned @param {boolean} [shown] whether views of it were given out */
  free(address, shown = false) {
    const size = this.#used.get(address);
    if (size === undefined) throw rangeError('notAllocated', { where: 'heap', at: address });
    this.#used.delete(address);
    if (shown) this.#resting.push({ address, size });
    else this.#release(address, size);
  }

  /** The place in the list of the first free range that is large enough, or -1.
   * @param {number} size */
  #find(size) {
    return this.#free.findIndex((range) => range.size >= size);
  }

  /** Cuts all views off, so that ranges set aside can be used again; false if there are none. */
  #renew() {
    if (!this.#resting.length) return false;
    this.#memory.grow(0);
    for (const { address, size } of this.#resting) this.#release(address, size);
    this.#resting = [];
    return true;
  }

  /** Puts a range back between its neighbours; returns its place in the list.
   * @param {number} address @param {number} size */
  #release(address, size) {
    const free = this.#free;
    let i = free.findIndex((range) => range.address > address);
    if (i < 0) i = free.length;
    free.splice(i, 0, { address, size });
    for (const left of [i, i - 1]) {
      const a = free[left];
      const b = free[left + 1];
      if (!a || !b || a.address + a.size !== b.address) continue;
      free.splice(left, 2, { address: a.address, size: a.size + b.size });
      i = left;
    }
    return i;
  }

  /** Makes the last free range at least so large; returns its place in the list.
   * @param {number} size */
  #grow(size) {
    const end = this.#memory.buffer.byteLength;
    const last = this.#free.at(-1);
    const atEnd = last && last.address + last.size === end ? last.size : 0;
    const pages = Math.ceil((size - atEnd) / PAGE);
    try {
      this.#memory.grow(pages);
    } catch {
      throw failure('GF_EMEMORY', 'noMemory', { bytes: size, end });
    }
    return this.#release(end, pages * PAGE);
  }
}
