// Runs that nobody disposed of. The garbage collector tells of those that nobody holds only in a turn of the event loop, so a
// loop that does not pause would fill the core's memory with them. Where a run finds no more, the values of the oldest one are
// put aside, where the collector frees them at any time; what is used again comes back. Nothing else may take a run's memory.

import { turn } from '../base/turn.js';

/** @typedef {import('./block.js').Block} Block */
/** @typedef {import('./block.js').Place} Place */
/** @typedef {import('../runtime/heap.js').Heap} Heap */

class Recent {
  /** The oldest first.
   * @type {Map<Place, Block | WeakRef<Block>>} */
  blocks = new Map();
  /** Whether memory is wanted for a run. */
  isAsked = false;
  #waits = false;

  /** @param {Block} block */
  add(block) {
    this.blocks.set(block.place, block);
    if (this.#waits || typeof WeakRef !== 'function') return;
    this.#waits = true;
    const weaken = () => this.#weaken();
    turn().then(weaken, weaken);
  }

  /** Holds its blocks no longer. Before the next turn it would be in vain: what a new WeakRef refers to is kept until then. */
  #weaken() {
    this.#waits = false;
    for (const [place, held] of this.blocks) {
      if (!(held instanceof WeakRef)) this.blocks.set(place, new WeakRef(held));
    }
  }

  /** Gives memory of the oldest block back to a run that wants some; false if there is none. */
  reclaim() {
    if (!this.isAsked) return false;
    for (const [place, held] of this.blocks) {
      const block = 'deref' in held ? held.deref() : held;
      if (block ? block.putAside() : place.free()) return true;
    }
    return false;
  }
}

/** @type {WeakMap<Heap, Recent>} */
const recentOf = new WeakMap();

/** Lets a block be put aside where memory is wanted.
 * @param {Block} block of a planned tape whose address nobody keeps */
export function mayBePutAside(block) {
  const { heap } = block.engine;
  let recent = recentOf.get(heap);
  if (!recent) {
    const made = new Recent();
    heap.reclaimers.add(() => made.reclaim());
    recentOf.set(heap, made);
    recent = made;
  }
  recent.add(block);
}

/** Makes or brings back a run, in the memory of older ones where there is no other.
 * @template T @param {Heap} heap @param {() => T} make */
export function inPlaceOfOthers(heap, make) {
  const recent = recentOf.get(heap);
  if (!recent) return make();
  const before = recent.isAsked;
  recent.isAsked = true;
  try {
    return make();
  } finally {
    recent.isAsked = before;
  }
}

/** @param {Place} place that is freed */
export const forgetPlace = (place) => recentOf.get(place.heap)?.blocks.delete(place);
