// The shell: holds the whole state, the address and the history, and shows one chapter at a time.
import { html, nothing } from 'lit';
import { chapters } from '../chapters/index.js';
import { Base } from '../elements/base.js';
import {
  LANGUAGES,
  language,
  message,
  preferred,
  setLanguage,
  short,
  text,
} from '../locale/text.js';
import { keepOffline } from '../offline/register.js';
import { Session } from '../session.js';
import { belongsToField, shellActionOf } from '../state/keys.js';
import { pack, unpack } from '../state/packed.js';
import {
  BadHash,
  COMMON,
  chapterOf,
  FIRST,
  fromHash,
  History,
  LONGEST,
  LongHash,
  languageOf,
  openingOf,
  toHash,
} from '../state/store.js';
import './masthead.js';
import './shortcuts.js';

/** @typedef {import('../state/store.js').Chapter} Chapter */
/** @typedef {import('../state/store.js').Whole} Whole */
/**
 * A chapter's page.
 * @typedef {import('lit').LitElement & {
 *   session: Session, state: Whole, theme: 'light' | 'dark',
 *   key?: (event: KeyboardEvent) => boolean,
 * }} Body
 */
/** @typedef {{ chapter: Chapter, body: Body, state: Whole }} Visited */
/** @typedef {{ change: Partial<Whole>, passing?: boolean, moving?: boolean, undoable?: boolean }} Asked */

export class App extends Base {
  static properties = {
    state: { state: true },
    chapter: { state: true },
    failure: { state: true },
    notice: { state: true },
    shared: { state: true },
    dark: { state: true },
    printing: { state: true },
  };

  constructor() {
    super();
    /** @type {Session} */
    this.session = /** @type {any} */ (null);
    /** @type {Chapter | null} */
    this.chapter = null;
    /** @type {Whole} */
    this.state = { ...COMMON };
    /** @type {Map<string, Visited>} chapters that were opened, each as it was left */
    this.visited = new Map();
    this.history = new History();
    this.failure = '';
    this.notice = '';
    this.shared = false;
    this.dark = watch('(prefers-color-scheme: dark)', (dark) => {
      this.dark = dark;
    });
    this.printing = watch('print', (printing) => {
      this.printing = printing;
    });
    /** @type {Promise<void>} the way to what the address asks for */
    this.following = Promise.resolve();
    /** How often the address was followed. */
    this.asked = 0;
    /** A packed address, and what is in it. */
    this.packed = { hash: '', plain: '' };
  }

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener('gf-act', (event) =>
      this.#act(/** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener('gf-change', (event) =>
      this.#change(/** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener('gf-notice', (event) => {
      this.notice = /** @type {CustomEvent} */ (event).detail.text;
    });
    this.addEventListener('gf-refuse', (event) =>
      this.#refuse(/** @type {CustomEvent} */ (event).detail.message),
    );
    window.addEventListener('keydown', this.#key);
    window.addEventListener('hashchange', () => this.#follow());
    this.#start();
  }

  /** Done once the page shows what the address asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.following;
    return done && !this.isUpdatePending;
  }

  async #start() {
    const spoken = this.#speak(languageOf(location.hash));
    if (typeof WebAssembly !== 'object') {
      await spoken;
      this.failure = text('page/noWasm');
      return;
    }
    try {
      [this.session] = await Promise.all([Session.start(), spoken]);
    } catch (error) {
      this.failure = text('page/broken', { message: message(error) });
      return;
    }
    this.#follow();
    // Not before the page has what it needs itself.
    this.following.then(keepOffline);
  }

  // ---- The address ----

  #follow() {
    if (this.session) this.following = this.#show(location.hash);
  }

  /**
   * Shows what a hash asks for; if it cannot be read, says so and shows the chapter's opening.
   * @param {string} asked
   */
  async #show(asked) {
    this.asked++;
    const turn = this.asked;
    let notice = '';
    let hash = '';
    try {
      hash = await unpack(asked);
    } catch (error) {
      notice = refusal(error);
    }
    const lang = languageOf(hash);
    const silence = await this.#speak(lang);
    let name = FIRST;
    try {
      name = chapterOf(
        hash,
        chapters.map((chapter) => chapter.name),
      );
    } catch (error) {
      notice = refusal(error);
    }
    try {
      if (!this.visited.has(name)) await this.#load(name);
    } catch (error) {
      this.notice = text('page/noChapter', { message: message(error) });
      return;
    }
    if (turn !== this.asked) return;
    const { chapter } = /** @type {Visited} */ (this.visited.get(name));
    let state = { ...openingOf(chapter), lang };
    /** @type {string[]} */
    const dropped = [];
    try {
      if (!notice) state = fromHash(hash, chapter, (...lost) => dropped.push(droppedOf(...lost)));
    } catch (error) {
      notice = refusal(error);
    }
    if (hash !== asked) this.packed = { hash: asked, plain: hash };
    this.chapter = chapter;
    this.history = new History();
    this.notice = [notice || silence, ...dropped].join(' ').trim();
    this.#set(state);
  }

  /** @param {string} name of a chapter that was not opened yet */
  async #load(name) {
    const entry = /** @type {typeof chapters[number]} */ (
      chapters.find((chapter) => chapter.name === name)
    );
    const { default: chapter } = await entry.load();
    const body = /** @type {Body} */ (document.createElement(chapter.element));
    body.session = this.session;
    this.visited.set(name, { chapter, body, state: openingOf(chapter) });
  }

  /** The chapter cannot show the state that it was given. @param {string} message */
  #refuse(message) {
    if (!this.chapter) return;
    this.notice = text('page/badState', { message: short(message) });
    this.#set({ ...openingOf(this.chapter), lang: this.state.lang });
  }

  /** @param {boolean} replace */
  #address(replace) {
    const hash = toHash(/** @type {Chapter} */ (this.chapter), this.state);
    const { packed } = this;
    if (hash === (location.hash === packed.hash ? packed.plain : location.hash)) return;
    if (replace) window.history.replaceState(null, '', hash);
    else window.history.pushState(null, '', hash);
    this.#pack(hash);
  }

  /** A long address is in force at once, and packed as soon as that is done. @param {string} plain */
  async #pack(plain) {
    const hash = await pack(plain);
    if (hash === plain || location.hash !== plain) return;
    this.packed = { hash, plain };
    window.history.replaceState(null, '', hash);
  }

  // ---- The language ----

  /**
   * Takes the words of a language, or of the browser's.
   * @param {string} lang a code or 'auto'
   * @returns {Promise<string>} what to say if they cannot be had, or nothing
   */
  async #speak(lang) {
    const code = lang === 'auto' ? preferred(navigator.languages) : lang;
    try {
      await setLanguage(code);
      return '';
    } catch (error) {
      const { name } = LANGUAGES[/** @type {keyof typeof LANGUAGES} */ (code)];
      return text('page/noLanguage', { name, message: message(error) });
    }
  }

  /** @param {string} lang */
  async #choose(lang) {
    const silence = await this.#speak(lang);
    if (language() === lang) this.#change({ change: { lang }, passing: true });
    else if (silence) this.notice = silence;
  }

  // ---- The state ----

  /** @param {Whole} state */
  #set(state) {
    this.state = state;
    const visited = this.#visited;
    if (!visited) return;
    visited.state = state;
    visited.body.state = state;
  }

  get #visited() {
    return this.chapter && this.visited.get(this.chapter.name);
  }

  /** @param {Asked} asked */
  #change({ change, passing = false, moving = false, undoable = false }) {
    if (undoable) this.history.record(change, this.state);
    this.notice = '';
    this.shared = false;
    this.#set({ ...this.state, ...change });
    if (!moving) this.#address(passing);
  }

  /** @param {import('../elements/base.js').Action} action */
  #act(action) {
    switch (action.do) {
      case 'undo':
      case 'redo': {
        const change = this.history[action.do](this.state);
        if (change) this.#change({ change });
        return;
      }
      case 'theme':
        return this.#change({ change: { theme: next(this.state.theme) }, passing: true });
      case 'language':
        return void this.#choose(action.lang);
      case 'share':
        return void this.#share();
      case 'keys': {
        const sheet = /** @type {import('./shortcuts.js').Shortcuts} */ (
          this.querySelector('gf-shortcuts')
        );
        return sheet.toggle();
      }
    }
  }

  async #share() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.shared = true;
    } catch {
      this.notice = text('page/shareFailed');
    }
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const visited = this.#visited;
    if (!visited || belongsToField(event)) return;
    const action = shellActionOf(event);
    if (action) this.#act(action);
    if (action || visited.body.key?.(event)) event.preventDefault();
  };

  // ---- What is seen ----

  /** Paper is white. */
  get theme() {
    const { theme } = this.state;
    if (this.printing) return 'light';
    if (theme !== 'auto') return theme;
    return this.dark ? 'dark' : 'light';
  }

  /** Each chapter, and the link to it: as it was left, or as it opens. */
  get #links() {
    const { theme, lang, speed } = this.state;
    return chapters.map(({ name }) => {
      const { chapter, state } = this.visited.get(name) ?? {
        chapter: { name, opening: {}, parts: {} },
        state: {},
      };
      const link = toHash(chapter, { ...state, theme, lang, speed });
      return { name, link, here: name === this.chapter?.name };
    });
  }

  render() {
    if (this.failure) return html`<p class="failure" role="alert">${this.failure}</p>`;
    const visited = this.#visited;
    if (!visited) return html`<p class="loading" role="status">${text('page/loading')}</p>`;
    visited.body.theme = this.theme;
    return html`
      <gf-masthead
        .chapters=${this.#links}
        .theme=${this.state.theme}
        .shared=${this.shared}
        .canUndo=${this.history.past.length > 0}
        .canRedo=${this.history.future.length > 0}
      ></gf-masthead>
      ${this.notice ? html`<p class="notice" role="alert">${this.notice}</p>` : nothing}
      <main class="chapter">${visited.body}</main>
      <gf-shortcuts .lists=${visited.chapter.shortcuts ?? []}></gf-shortcuts>
    `;
  }

  /** What is outside of the page's body. To set an attribute of the root restyles all, even to the same. */
  updated() {
    const { documentElement: root } = document;
    if (root.dataset.theme !== this.theme) root.dataset.theme = this.theme;
    if (root.lang !== language()) root.lang = language();
    if (!this.chapter) return;
    const title = text('page/documentTitle', {
      chapter: text(`chapters/${this.chapter.name}/title`),
    });
    if (document.title !== title) document.title = title;
  }
}

/**
 * Whether a media query holds now, and what to do when that changes.
 * @param {string} query
 * @param {(matches: boolean) => void} changed
 */
function watch(query, changed) {
  const list = matchMedia(query);
  list.addEventListener('change', ({ matches }) => changed(matches));
  return list.matches;
}

/** @param {unknown} error */
function refusal(error) {
  if (error instanceof LongHash) return text('page/longHash', { n: error.size, most: LONGEST });
  if (!(error instanceof BadHash)) throw error;
  return text('page/badHash', { part: short(error.message) });
}

/**
 * What is said of a part that lists more than is kept of it.
 * @param {string} part
 * @param {number} all
 * @param {number} kept
 */
const droppedOf = (part, all, kept) => text('page/dropped', { part, n: all, kept });

/** @param {import('../state/store.js').Common['theme']} theme */
function next(theme) {
  const order = /** @type {const} */ (['auto', 'light', 'dark']);
  return order[(order.indexOf(theme) + 1) % order.length];
}

customElements.define('gf-app', App);
