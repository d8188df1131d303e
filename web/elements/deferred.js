import { Base } from './base.js';

/** What tells of the stage from beside it. While time passes it draws later, so that no frame draws everything. */
export class Beside extends Base {
  static properties = { view: { attribute: false } };
  /** By how many frames. */
  static later = 1;

  constructor() {
    super();
    /** @type {import('../state/view.js').View} */
    this.view = /** @type {any} */ (null);
  }

  async scheduleUpdate() {
    const { later } = /** @type {typeof Beside} */ (this.constructor);
    for (let frame = 0; frame < later && this.view?.playing; frame++) {
      await new Promise(requestAnimationFrame);
    }
    /* It may wait for a turn of its own. */
    await super.scheduleUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  shouldUpdate(changed) {
    return !this.stands(changed);
  }
}
