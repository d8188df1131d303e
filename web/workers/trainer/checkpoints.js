// States of a run to go back to: a bounded number of them, evenly spread.

/** Bytes that all of them may take, and how many there are at least and at most. */
const MAX_BYTES = 2 ** 25;
const MIN_COUNT = 8;
const MAX_COUNT = 64;
/** Steps between them at first; twice as many whenever there is no more room. */
const FIRST_SPACING = 8;

export class Checkpoints {
  /** @type {Map<number, Uint8Array>} by step, ascending */
  #kept = new Map();
  #spacing = FIRST_SPACING;

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
    const most = Math.min(MAX_COUNT, Math.max(MIN_COUNT, Math.floor(MAX_BYTES / bytes.length)));
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
    const state = [...this.#kept].findLast(([kept]) => kept < step);
    if (!state) throw new RangeError(`no state is kept before step ${step}`);
    return { step: state[0], bytes: state[1] };
  }

  get size() {
    return this.#kept.size;
  }
}
