import { ViewElement } from './base.js';

/** What tells of the stage from beside it. While time passes it draws later, so that no frame draws everything. */
export class DeferredElement extends ViewElement {
  /** By how many frames. */
  static later = 1;

  async scheduleUpdate() {
    const { later } = /** @type {typeof DeferredElement} */ (this.constructor);
    for (let frame = 0; frame < later && this.view?.playing; frame++) {
      await new Promise(requestAnimationFrame);
    }
    /* It may wait for a turn of its own. */
    await super.scheduleUpdate();
  }
}
