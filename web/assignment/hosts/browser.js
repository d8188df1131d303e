// The browser keeps what no platform does: of a page of its own for good, of a frame as long as its tab is open,
// because several learners may use the machine. A sandboxed frame has no storage.

/** @typedef {import('./host.js').Host} Host */

/** @implements {Host} */
export class Browser {
  /** @type {(kept: unknown) => void} */
  take = () => {};

  /** @param {string} id of the assignment */
  constructor(id) {
    this.key = `glassformer/${id}`;
    /** Whether what is done is kept. */
    this.keeps = false;
  }

  get #storage() {
    return parent === window ? localStorage : sessionStorage;
  }

  ask() {
    const kept = this.#storage.getItem(this.key);
    this.keeps = true;
    if (kept !== null) this.take(kept);
  }

  /** @param {string} work */
  save(work) {
    this.keeps = false;
    this.#storage.setItem(this.key, work);
    this.keeps = true;
  }

  /** @param {import('./host.js').Report} report */
  report({ work }) {
    this.save(work);
  }
}
