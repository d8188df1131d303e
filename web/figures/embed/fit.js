// Makes a figure as high as the box that its page gives it, such as a slide: first its matrices get less room, then its
// type gets smaller.
import { remeasure } from '../../stage/elements/room.js';

/** Sizes that type may have, of the one that the page asks for. */
const SIZES = [1, 0.9, 0.8, 0.7, 0.6, 0.5];
/** px of the figure's type that matrices need at least. */
const LEAST_ROOM = 8;
/** px that do not count. */
const SLACK_PX = 1;

/** Two frames: what is drawn by its room is drawn then. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

export class Fit {
  /** @param {import('./figure-element.js').Exhibit} figure */
  constructor(figure) {
    this.figure = figure;
    /** Which of the sizes it has. */
    this.nth = 0;
    /** What is fitted now; another one begins when it changes. */
    this.run = 0;
    /** What is followed; null for nothing. @type {HTMLElement | null} */
    this.followed = null;
    this.box = new ResizeObserver(() => this.#begin(0));
    /** Whether sizes are tried: then what is drawn changes by that alone. */
    this.isTrying = false;
    this.content = new ResizeObserver(() => {
      if (!this.isTrying && this.#isOver) this.#begin(this.nth);
    });
  }

  /** @param {boolean} on */
  follow(on) {
    const { root, chapter = null } = this.#parts;
    const followed = on ? chapter : null;
    if (!root || followed === this.followed) return;
    this.followed = followed;
    this.box.disconnect();
    this.content.disconnect();
    this.run++;
    if (!followed) return this.#take(root, 0);
    this.box.observe(root);
    this.content.observe(followed);
  }

  get #parts() {
    const root = /** @type {HTMLElement | null} */ (this.figure.renderRoot?.querySelector('.root'));
    const chapter = /** @type {HTMLElement | null | undefined} */ (root?.querySelector('.chapter'));
    return { root, chapter };
  }

  /** px that lie beyond the box, above and below. */
  get #overhang() {
    const { root, chapter } = this.#parts;
    return root && chapter ? chapter.offsetHeight - root.clientHeight : 0;
  }

  get #isOver() {
    const { chapter } = this.#parts;
    const stages = [...(chapter?.querySelectorAll('.figure') ?? [])];
    return (
      this.#overhang > SLACK_PX ||
      stages.some(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth > SLACK_PX)
    );
  }

  /** @param {HTMLElement} root @param {number} nth of the sizes */
  #take(root, nth) {
    this.nth = nth;
    delete root.dataset.free;
    root.style.setProperty('--fit', String(SIZES[nth]));
    this.#redraw();
  }

  #redraw() {
    remeasure();
    for (const stage of this.#stages) stage.requestUpdate();
  }

  get #stages() {
    const { chapter } = this.#parts;
    return /** @type {NodeListOf<import('../../stage/elements/stage.js').Stage>} */ (
      chapter?.querySelectorAll('gf-stage') ?? []
    );
  }

  /** @param {number} from the first size that is tried */
  async #begin(from) {
    const run = ++this.run;
    this.isTrying = true;
    await this.#try(from, run);
    if (run === this.run) this.isTrying = false;
  }

  /** @param {number} from @param {number} run */
  async #try(from, run) {
    const { root } = this.#parts;
    for (let nth = from; root && nth < SIZES.length; nth++) {
      this.#take(root, nth);
      await drawn();
      if (run !== this.run) return;
      if (!this.#isOver) return;
      const figure = this.#stages[0]?.querySelector('.figure');
      if (!figure) continue;
      const least = LEAST_ROOM * Number.parseFloat(getComputedStyle(root).fontSize);
      root.dataset.free = String(Math.max(least, figure.clientHeight - this.#overhang));
      this.#redraw();
      await drawn();
      if (run !== this.run || !this.#isOver) return;
    }
  }
}
