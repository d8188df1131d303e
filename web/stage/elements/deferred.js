import { ViewElement } from './base.js';

const frame = () => new Promise(requestAnimationFrame);

/** Numbers that are edited rest when they stood for so many frames. */
const CALM = 2;
/** While they do not rest, they are told as often as one reads: every so many frames. */
const MOST = 6;

/** An element beside the stage, which is drawn after it so that no frame draws everything: some frames later while a walk
 * plays, and once edited numbers rest. */
export class DeferredElement extends ViewElement {
  /** How many frames later, while a walk plays. */
  static later = 1;

  /** The edits that were drawn. @type {readonly unknown[] | undefined} */
  #edits = undefined;

  async scheduleUpdate() {
    const { later } = /** @type {typeof DeferredElement} */ (this.constructor);
    for (let passed = 0; passed < later && this.view?.playing; passed++) await frame();
    if (this.#edits && this.#edits !== this.view?.state.edits) await this.#rest();
    this.#edits = this.view?.state.edits;
    /* It may wait for a turn of its own. */
    await super.scheduleUpdate();
  }

  async #rest() {
    let last;
    for (let passed = 0, calm = 0; passed < MOST && calm < CALM; passed++) {
      last = this.view?.state.edits;
      await frame();
      calm = this.view?.state.edits === last ? calm + 1 : 0;
    }
  }
}
