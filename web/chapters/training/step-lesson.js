// The walkthrough of the opened step, which gets what it shows once that step is open.
import { change } from '../../stage/elements/ask.js';

/** @typedef {import('./walkthrough.js').StepWalkthrough} StepWalkthrough */

export class StepLesson {
  #host;
  /** @type {StepWalkthrough | null} */
  walkthrough = null;
  /** What the walkthrough is about. @type {import('./walkthrough.js').Sequence | null} */
  #sequence = null;

  /** @param {import('./element.js').Training} host */
  constructor(host) {
    this.#host = host;
    host.addEventListener('gf-refuse', (event) => this.#refused(event));
  }

  /** The walkthrough, made when it is first shown. */
  get element() {
    this.walkthrough ??= /** @type {StepWalkthrough} */ (
      document.createElement('gf-training-walkthrough')
    );
    this.update();
    return this.walkthrough;
  }

  /** Hands the walkthrough what it shows. */
  update() {
    const { walkthrough } = this;
    const { course, session, theme, shows, state, row, isOpen } = this.#host;
    const { opened, nodes, started } = course ?? {};
    if (!walkthrough || !opened || !nodes || !started || !isOpen) return;
    const { vocabulary } = started;
    const words = (/** @type {Int32Array} */ ids, /** @type {number} */ width) =>
      Array.from(ids.subarray(row * width, (row + 1) * width), (id) => vocabulary[id]);
    const { source, target, sourceIds, targetIds, labels, rows } = opened.batch;
    if (this.#sequence?.nodes !== nodes) {
      const sides = { source: words(sourceIds, source), target: words(targetIds, target) };
      const predicted = words(labels, target);
      this.#sequence = { nodes, sides, predicted, vocabulary, row, rows };
    }
    Object.assign(walkthrough, { session, theme, shows });
    walkthrough.state = /** @type {any} */ ({ ...state, sequence: this.#sequence });
  }

  /** What was picked at one step may not be in the batch of another. @param {Event} event */
  #refused(event) {
    const { walkthrough } = this;
    const { state } = this.#host;
    if (event.target !== walkthrough || walkthrough?.shown?.path !== state.path) return;
    event.stopPropagation();
    change(this.#host, { path: [], open: null }, { passing: true });
  }
}
