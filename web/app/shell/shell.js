// What the page and a figure in another page share: the core, one chapter at a time with its state and history, the
// theme, and notices.

import { html, nothing } from 'lit';
import { Session } from '#capabilities';
import { DIGITS } from '../../stage/draw/format.js';
import { Base } from '../../stage/elements/base.js';
import { message, text } from '../locale/text.js';
import { belongsToField, shellActionOf } from '../state/keys.js';
import { COMMON, History } from '../state/store.js';

/** @typedef {import('../state/store.js').Chapter} Chapter */
/** @typedef {import('../state/store.js').Whole} Whole */
/** @typedef {import('../../stage/elements/base.js').Action} Action */
/**
 * A chapter's page.
 * @typedef {import('lit').LitElement & {
 *   session: Session, state: Whole, theme: 'light' | 'dark',
 *   key?: (event: KeyboardEvent) => boolean,
 *   turn?: (by: 1 | -1) => void, shows?: ReadonlySet<string> | null, page?: string,
 * }} Body
 * turn: what a clicker does in front of a class. shows: which parts are shown, null for all.
 * page: the playground that a figure's links lead to, '' for none.
 */
/** @typedef {{ chapter: Chapter, body: Body }} Opened */
/** @typedef {{ change: Partial<Whole>, passing?: boolean, moving?: boolean, undoable?: boolean }} Asked */
/** Something to say; again: what may mend it. @typedef {{ text: string, again?: () => void }} Notice */

const darkness = matchMedia('(prefers-color-scheme: dark)');

/** One core for all that is on a page. @type {Promise<Session> | null} */
let core = null;

export class Shell extends Base {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = {
    session: { state: true },
    failure: { state: true },
    notice: { state: true },
    dark: { state: true },
  };

  constructor() {
    super();
    /** @type {Session | null} */
    this.session = null;
    /** @type {Chapter | null} */
    this.chapter = null;
    /** @type {Body | null} the chapter's element */
    this.body = null;
    /** The state of all: what chapters share, and the chapter's own. @type {Whole} */
    this.whole = { ...COMMON };
    this.history = new History();
    /** @type {Notice | null} why there is nothing to see */
    this.failure = null;
    /** @type {Notice | null} */
    this.notice = null;
    this.dark = darkness.matches;
    /** @type {{ back: () => void, refuse: (reason: Error) => void } | null} a state that is tried */
    this.trial = null;
  }

  /** @returns {HTMLElement | ShadowRoot} */
  createRenderRoot() {
    return this.listen(this);
  }

  /**
   * Hears what a chapter asks for.
   * @template {HTMLElement | ShadowRoot} T
   * @param {T} root around the chapter
   */
  listen(root) {
    const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ heard) =>
      root.addEventListener(type, (event) => heard(/** @type {CustomEvent} */ (event).detail));
    on('gf-act', (action) => this.perform(action));
    on('gf-change', (asked) => this.change(asked));
    on('gf-notice', (notice) => this.say(notice));
    on('gf-refuse', ({ message: why }) => this.#refuse(why) || this.refused(why));
    on('gf-failed', (why) => this.#refuse(why) || this.failed(why));
    return root;
  }

  connectedCallback() {
    super.connectedCallback();
    darkness.addEventListener('change', this.#darken);
    this.#darken();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    darkness.removeEventListener('change', this.#darken);
  }

  #darken = () => {
    this.dark = darkness.matches;
  };

  /**
   * Brings the core. Without one there is a failure, and nothing else.
   * @param {Promise<unknown>} [spoken] until the words are there
   */
  async start(spoken) {
    const able = typeof WebAssembly === 'object';
    this.failure = null;
    try {
      core ??= able ? Session.start() : Promise.reject();
      const session = await core;
      await spoken;
      this.session = session;
    } catch (error) {
      core = null;
      await spoken;
      this.fail(
        able
          ? { text: text('page/broken', { message: message(error) }), again: () => this.start() }
          : { text: text('page/noWasm') },
      );
    }
  }

  /** @param {Notice} failure */
  fail(failure) {
    this.failure = failure;
  }

  // ---- The state ----

  /**
   * Shows a chapter in a state; of what was done before only that can be undone which led there.
   * @param {Opened} opened
   * @param {Whole} whole
   * @param {History} [history]
   */
  enter({ chapter, body }, whole, history = new History()) {
    this.chapter = chapter;
    this.body = body;
    this.history = history;
    this.put(whole);
  }

  /** @param {Whole} whole @param {boolean} [moving] whether others follow by the frame: nothing but the chapter shows them */
  put(whole, moving = false) {
    this.whole = whole;
    this.chooseDigits(whole.round);
    /* First of all the shell's own update: it brings the chapter into the page, where it is heard. */
    if (!moving) this.requestUpdate();
    if (this.body) this.body.state = whole;
  }

  /**
   * The same as enter() if the chapter can show that state; if not, it throws and nothing changed.
   * @param {Opened} opened
   * @param {Whole} whole
   */
  async attempt(opened, whole) {
    const { chapter, body, whole: before, history } = this;
    const back = () => {
      Object.assign(this, { chapter, body, history });
      this.put(before);
    };
    await new Promise((resolve, refuse) => {
      this.trial = { back, refuse };
      this.enter(opened, whole);
      this.updateComplete
        .then(() => opened.body.updateComplete)
        .then(resolve, refuse)
        .finally(() => {
          this.trial = null;
        });
    });
  }

  /**
   * The chapter cannot show the state that is tried, if one is.
   * @param {string} why
   */
  #refuse(why) {
    const { trial } = this;
    this.trial = null;
    trial?.back();
    trial?.refuse(new RangeError(why));
    return trial !== null;
  }

  /** @param {string} why the chapter cannot show the state that it was given */
  refused(why) {
    this.say({ text: why });
  }

  /** @abstract @param {string} _why what the chapter waits for does not come */
  failed(_why) {}

  /** @param {Asked} asked */
  change({ change, passing = false, moving = false, undoable = false }) {
    if (undoable) this.history.record(change, this.whole);
    this.hush();
    this.put({ ...this.whole, ...change }, moving);
    if (!moving) this.changed(passing);
  }

  /** @abstract @param {boolean} _passing whether the new state is no new place to come back to */
  changed(_passing) {}

  /** @param {Action} action that the chapter leaves to the shell */
  perform(action) {
    if (action.do === 'round' || action.do === 'digits') {
      const after = DIGITS[(DIGITS.indexOf(this.whole.round) + 1) % DIGITS.length];
      const round = action.do === 'round' ? action.round : after;
      if (round !== this.whole.round) this.change({ change: { round }, undoable: true });
      return;
    }
    if (action.do !== 'undo' && action.do !== 'redo') return;
    const change = this.history[action.do](this.whole);
    if (change) this.change({ change });
  }

  /**
   * A key that was pressed; whether it meant something.
   * @param {KeyboardEvent} event
   */
  press(event) {
    if (!this.body || belongsToField(event)) return false;
    const action = shellActionOf(event);
    if (action) this.perform(action);
    if (!action && !this.body.key?.(event)) return false;
    event.preventDefault();
    return true;
  }

  // ---- What is said and seen ----

  /** @param {Notice} notice */
  say(notice) {
    this.notice = notice;
  }

  hush() {
    this.notice = null;
  }

  /**
   * What is shown of a theme that may be 'auto'.
   * @param {string} theme
   */
  lookOf(theme) {
    if (theme === 'light' || theme === 'dark') return theme;
    return this.dark ? 'dark' : 'light';
  }

  /**
   * @param {'notice' | 'failure'} kind
   * @param {Notice | null} notice
   */
  told(kind, notice) {
    if (!notice) return nothing;
    const { text: words, again } = notice;
    const tried = () => {
      this.hush();
      again?.();
    };
    const retry = () => html` <button @click=${tried}>${text('page/again')}</button>`;
    const away = () =>
      html`<button class="dismiss" aria-label=${text('page/close')} @click=${() => this.hush()}></button>`;
    return html`<p class=${kind} role="alert">${words}${again ? retry() : nothing}${
      kind === 'notice' ? away() : nothing
    }</p>`;
  }

  /** Stands where the chapter will be. */
  get waiting() {
    return this.failure
      ? this.told('failure', this.failure)
      : html`<p class="loading" role="status">${text('page/loading')}</p>`;
  }
}
