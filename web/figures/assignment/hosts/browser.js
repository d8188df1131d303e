// Stores the work in the browser: for want of a platform, and as a copy of what one keeps. Several learners may use the
// machine: the copy stays under the name of a learner, or of a page that is in no frame; without a name only while the tab
// is open. A sandboxed frame has no storage.

/**
 * @typedef {object} Copy
 * @property {string} work
 * @property {string} [base] the text of it that a platform has confirmed; undefined where there is no platform
 * @property {string[]} [met] the texts that the page read from that platform or wrote to it last
 * @property {string} [earlier] other work of the same learner, which waits to be asked for
 */

export class Browser {
  /** Set by the keeper: another window has written. @type {(copy: Copy) => void} */
  news = () => {};
  /** Whether what is done is kept. */
  keeps = false;

  /** @param {string} id of the assignment */
  constructor(id) {
    this.id = id;
    this.key = `glassformer/${id}`;
    this.isNamed = parent === window;
    addEventListener('storage', ({ key, newValue }) => {
      if (key === this.key && newValue !== null) this.news(copyOf(newValue));
    });
  }

  /** Removes what is kept. */
  forget() {
    try {
      this.#storage.removeItem(this.key);
    } catch {
      /* There is no storage. */
    }
  }

  /** A platform has come, with this learner. @param {string} learner */
  belongsTo(learner) {
    this.key = `glassformer/${this.id}${location.pathname}/${learner}`;
    this.isNamed = learner !== '';
  }

  get #storage() {
    return this.isNamed ? localStorage : sessionStorage;
  }

  /** @returns {Copy | null} */
  read() {
    this.keeps = false;
    try {
      const kept = this.#storage.getItem(this.key);
      this.keeps = true;
      return kept === null ? null : copyOf(kept);
    } catch {
      return null;
    }
  }

  /** @param {Copy} copy */
  write(copy) {
    this.keeps = false;
    try {
      const isPlain = copy.base === undefined && copy.earlier === undefined;
      this.#storage.setItem(this.key, isPlain ? copy.work : JSON.stringify(copy));
      this.keeps = true;
    } catch {
      /* It is full, or not there. */
    }
  }
}

/** @param {string} kept @returns {Copy} */
function copyOf(kept) {
  try {
    const { work, base, met, earlier } = Object(JSON.parse(kept));
    if (typeof work === 'string') {
      return { work, base, met: Array.isArray(met) ? met.map(String) : [], earlier };
    }
  } catch {
    /* The work alone. */
  }
  return { work: kept };
}
