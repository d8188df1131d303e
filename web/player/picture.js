// What the pictures of scenes share: each draws a view, purely; some have a film.
import { Player } from '../app/state/player.js';
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

const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * A picture with a film, whose time goes from 0 to its length. Each change of what a lesson says of it is a gf-film event.
 * @template {import('../../bindings/learn/lessons/index.js').Picture['kind']} Kind
 * @extends {Picture<Kind>}
 */
export class Film extends Picture {
  static properties = { ...Picture.properties, t: { state: true } };

  /** Milliseconds of a unit of the film's time. */
  static PACE = 1000;
  /** The unit's part in which it is drawn anew. */
  static GRAIN = 1;

  constructor() {
    super();
    /** The time that is shown; null before the film began. @type {number | null} */
    this.t = null;
    /** The time itself, which is finer. */
    this.time = 0;
    /** Is called at its end. @type {() => void} */
    this.ended = () => {};
    this.player = new Player((ms) => this.#pass(ms));
    /** What was reported last. */
    this.reported = '';
  }

  /** How long it is, in its units. */
  get length() {
    return 0;
  }

  /** The box of the lesson's map that it is at, if it says so. @returns {import('../../bindings/learn/lessons/map.js').Box | undefined} */
  get beat() {
    return undefined;
  }

  get playing() {
    return this.player.running;
  }

  get isOver() {
    return this.t !== null && this.t >= this.length;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has('picture')) return;
    this.player.stop();
    this.t = null;
  }

  /** @param {Map<string, unknown>} _changed */
  updated(_changed) {
    const now = `${this.playing} ${this.isOver} ${this.beat}`;
    if (now === this.reported) return;
    this.reported = now;
    this.dispatchEvent(new Event('gf-film', { bubbles: true }));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.player.stop();
  }

  /** @param {number} time */
  seek(time) {
    const { GRAIN } = /** @type {typeof Film} */ (this.constructor);
    this.time = Math.min(this.length, time);
    this.t = GRAIN ? Math.floor(this.time / GRAIN) * GRAIN : this.time;
  }

  /** Plays on, or anew where it is over. @returns {Promise<void>} once it is over */
  play() {
    this.seek(still.matches ? this.length : this.t === null || this.isOver ? 0 : this.time);
    this.player.start();
    return new Promise((done) => {
      this.ended = done;
    });
  }

  pause() {
    this.player.stop();
    this.requestUpdate();
  }

  /** Shows its end at once. */
  finish() {
    this.seek(this.length);
    this.ended();
    this.pause();
  }

  /** @param {number} ms */
  #pass(ms) {
    const { PACE } = /** @type {typeof Film} */ (this.constructor);
    this.seek(this.time + ms / PACE);
    if (!this.isOver) return true;
    this.ended();
    this.requestUpdate();
    return false;
  }
}
