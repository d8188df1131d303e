import { Base } from '../../stage/elements/base.js';

/** A part of the page: it shows what the chapter hands to all of them. */
export class TrainingPart extends Base {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { now: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./element.js').Now} */
    this.now = /** @type {any} */ (null);
  }
}
