// States of a run to go back to: a bounded number of them, evenly spread.

/** Bytes that all of them may take, and how many there are at least and at most. */
const ROOM = 2 ** 25;
const FEWEST = 8;
const MOST = 64;
/** Steps between them at first; twice as many whenever there is no more room. */
const SPACING = 8;

export class Checkpoints {
  /** @type {Map<number, Uint8Array>} by step, ascending */
  #kept = new Map();
  #spacing = SPACING;

  /** Whether the state after a step is to be kept.
   * @param {number} step */
  isDue(step) {
    return step % this.#spacing === 0;
  }

  /**
   * @param {number} step
   * @param {Uint8Array} bytes
   */
  keep(step, bytes) {
    this.#kept.set(step, bytes);
    const most = Math.min(MOST, Math.max(FEWEST, Math.floor(ROOM / bytes.length)));
    if (this.#kept.size <= most) return;
    this.#spacing *= 2;
    const [first] = this.#kept.keys();
    for (const kept of this.#kept.keys()) {
      if (kept !== first && kept !== step && !this.isDue(kept)) this.#kept.delete(kept);
    }
  }

  /**
   * The nearest state from which a step can still be taken: that after an earlier step.
   * @param {number} step
   */
  before(step) {
    const found = [...this.#kept.keys()].filter((kept) => kept < step);
    if (found.length === 0) throw new RangeError(`no state is kept before step ${step}`);
    const at = Math.max(...found);
    return { step: at, bytes: /** @type {Uint8Array} */ (this.#kept.get(at)) };
  }

  get size() {
    return this.#kept.size;
  }
}
