// The core's heap, with a forbidden zone behind each block; the ones that are free are forbidden, too. Each allocation gives the
// memory a new buffer, as if it had grown: a view that is held across it is empty.
import { Heap as Plain } from '../../bindings/js/runtime/heap.js?plain';

const ZONE = 32;
const { grow } = WebAssembly.Memory.prototype;

/** Detaches every view of it. @param {WebAssembly.Memory} memory */
export const renew = (memory) => grow.call(memory, 0);

/** The guarded instances, by their memory. @type {WeakMap<WebAssembly.Memory, WebAssembly.Exports>} */
globalThis.guarded ??= new WeakMap();

export class Heap extends Plain {
  #memory;
  #exports;
  /** @type {Map<number, number>} */
  #sizes = new Map();

  /** @param {WebAssembly.Memory} memory @param {number} base */
  constructor(memory, base) {
    super(memory, base);
    this.#memory = memory;
    this.#exports = globalThis.guarded.get(memory);
  }

  /** @param {number} bytes */
  alloc(bytes) {
    if (!this.#exports) return super.alloc(bytes);
    const at = super.alloc(bytes + ZONE);
    renew(this.#memory);
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
