import { ViewElement } from './base.js';

/** An element beside the stage. While a walk plays it is drawn some frames later, so that no frame draws everything. */
export class DeferredElement extends ViewElement {
  /** How many frames later. */
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
