// The core's heap, with a forbidden zone behind each block; the ones that are free are forbidden, too.
import { Heap as Plain } from '../../bindings/runtime/heap.js?plain';

const ZONE = 32;

/** The guarded instances, by their memory. @type {WeakMap<WebAssembly.Memory, WebAssembly.Exports>} */
globalThis.guarded ??= new WeakMap();

export class Heap extends Plain {
  #exports;
  /** @type {Map<number, number>} */
  #sizes = new Map();

  /** @param {WebAssembly.Memory} memory @param {number} base */
  constructor(memory, base) {
    super(memory, base);
    this.#exports = globalThis.guarded.get(memory);
  }

  /** @param {number} bytes */
  alloc(bytes) {
    if (!this.#exports) return super.alloc(bytes);
    const at = super.alloc(bytes + ZONE);
    this.#sizes.set(at, bytes);
    this.#exports.__asan_unpoison_memory_region(at, bytes);
    this.#exports.__asan_poison_memory_region(at + bytes, ZONE);
    return at;
  }

  /** @param {number} at @param {boolean} [shown] */
  free(at, shown) {
    super.free(at, shown);
    this.#exports?.__asan_poison_memory_region(at, this.#sizes.get(at) ?? 0);
    this.#sizes.delete(at);
  }
}
