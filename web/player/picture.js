// What the pictures of scenes share: each draws a view, purely.
import { Base } from '../stage/elements/base.js';

/**
 * A picture of a kind, with what a scene says of it.
 * @template {import('../../bindings/learn/lessons/index.js').Picture['kind']} Kind
 */
export class Picture extends Base {
  static properties = {
    view: { attribute: false },
    picture: { attribute: false },
    moves: { attribute: false },
    hides: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {Extract<import('../../bindings/learn/lessons/index.js').Picture, { kind: Kind }>} */
    this.picture = /** @type {any} */ (null);
    /** The path of what can be dragged; empty for nothing. */
    this.moves = '';
    /** Whether what a gate asks for is still hidden. */
    this.hides = false;
  }
}
