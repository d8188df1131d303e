// A figure in somebody else's page: a chapter in a shadow root, with its state, but without address, head or
// navigation. What <gf-attention> and <gf-transformer> share.
import { html, LitElement, nothing } from 'lit';
import { PARTS, USUAL, wordsIn } from '../export/embed-code.js';
import {
  LANGUAGES,
  languageChange,
  message,
  preferred,
  setLanguage,
  short,
  text,
} from '../locale/text.js';
import { Session } from '../session.js';
import { belongsToField, shellActionOf } from '../state/keys.js';
import { LOCKS } from '../state/locks.js';
import { isPacked, unpack } from '../state/packed.js';
import { chapterOf, fromHash, History, openingOf, toHash } from '../state/store.js';
import { OPENING_SENTENCE } from '../state/walk.js';
import { chapters } from './chapters.js';
import { translatorAt } from './model.js';
import { styleSheet } from './styles.js';

/** @typedef {import('../state/store.js').Chapter} Chapter */
/** @typedef {import('../state/store.js').Whole} Whole */
/** @typedef {import('../elements/lesson.js').Lesson} Lesson */

/** One core for all figures of a page. @type {Promise<Session> | null} */
let session = null;

/** Attributes that together make the state. */
const GIVEN = ['state', 'example', 'sentence', 'removed', 'gradient'];
/** What an author writes is an attribute; what he does not write is none. */
const WRITTEN = { reflect: true, useDefault: true };
const THEMES = ['auto', 'light', 'dark'];
/** Letters of what is told: there is room for more than in the page's head. */
const LONG = 160;

export class Exhibit extends LitElement {
  static properties = {
    state: { noAccessor: true },
    example: WRITTEN,
    sentence: WRITTEN,
    removed: { ...WRITTEN, attribute: 'remove' },
    gradient: { type: Boolean, reflect: true },
    at: WRITTEN,
    show: WRITTEN,
    lock: WRITTEN,
    theme: WRITTEN,
    lang: WRITTEN,
    model: WRITTEN,
    failure: { state: true },
    notice: { state: true },
    dark: { state: true },
  };

  /** The chapter of a state that names none. */
  static chapter = 'attention';

  constructor() {
    super();
    this.example = '';
    this.sentence = '';
    this.removed = '';
    this.at = '';
    this.show = '';
    this.lock = '';
    this.theme = '';
    this.lang = '';
    this.model = '';
    this.gradient = false;
    this.failure = '';
    this.notice = '';
    /** The hash that was asked for last. */
    this.asked = '';
    /** @type {Chapter} */
    this.chapter = chapters[/** @type {typeof Exhibit} */ (this.constructor).chapter];
    this.whole = openingOf(this.chapter);
    this.history = new History();
    /** @type {Session | null} */
    this.session = null;
    /** @type {Lesson | null} the chapter's element */
    this.body = null;
    /** Where to go as soon as there is something to see. */
    this.going = '';
    /** Whether gf-ready was said. */
    this.ready = false;
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.dark = this.scheme.matches;
    this.sight = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) this.pause();
    });
  }

  createRenderRoot() {
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styleSheet()];
    root.addEventListener('keydown', (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    root.addEventListener('gf-act', (event) => this.#act(detailOf(event)));
    root.addEventListener('gf-change', (event) => this.#change(detailOf(event)));
    root.addEventListener('gf-notice', (event) => this.#complain(detailOf(event).text));
    root.addEventListener('gf-refuse', (event) => this.#refuse(detailOf(event).message));
    root.addEventListener('gf-failed', (event) =>
      this.#say('gf-error', { message: detailOf(event) }),
    );
    root.addEventListener('gf-opened', () => this.#opened());
    return root;
  }

  connectedCallback() {
    super.connectedCallback();
    this.scheme.addEventListener('change', this.#dark);
    document.addEventListener('visibilitychange', this.#hidden);
    languageChange.addEventListener('change', this.#retell);
    this.sight.observe(this);
    if (!this.session) this.#start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.scheme.removeEventListener('change', this.#dark);
    document.removeEventListener('visibilitychange', this.#hidden);
    languageChange.removeEventListener('change', this.#retell);
    this.sight.disconnect();
  }

  #dark = () => {
    this.dark = this.scheme.matches;
  };

  #retell = () => this.requestUpdate();

  #hidden = () => {
    if (document.hidden) this.pause();
  };

  async #start() {
    try {
      if (typeof WebAssembly !== 'object') throw new Error(text('page/noWasm'));
      session ??= Session.start();
      this.session = await session;
      this.requestUpdate('state');
    } catch (error) {
      session = null;
      this.failure = text('page/broken', { message: message(error) });
      this.#say('gf-error', { message: this.failure });
    }
  }

  // ---- What others may ask ----

  /** The present state, as the hash of a link to it. */
  get state() {
    return this.ready ? toHash(this.chapter, this.whole) : this.asked;
  }

  set state(hash) {
    this.asked = String(hash ?? '');
    if (isPacked(this.asked)) this.#unpack(this.asked);
    else this.requestUpdate('state', null);
  }

  /** @param {string} packed */
  async #unpack(packed) {
    /* What cannot be unpacked cannot be read either, and is told then. */
    const hash = await unpack(packed).catch((error) => `#${error.message}`);
    if (this.asked === packed) this.state = hash;
  }

  getState() {
    return this.state;
  }

  /**
   * Shows another state; throws if it cannot be read, and nothing changed.
   * @param {string} hash
   */
  setState(hash) {
    if (typeof hash !== 'string')
      throw new TypeError(`setState: received ${typeof hash}, not a hash`);
    if (!isPacked(hash)) this.#read(hash);
    this.state = hash;
  }

  play() {
    this.body?.play();
  }

  pause() {
    if (this.body?.playing) this.body.pause();
  }

  /**
   * Goes to a time, or to 'scores', 'scores/1' or 'scores/1,2'; throws if there is no such place.
   * @param {string | number} at
   */
  seek(at) {
    if (this.ready) /** @type {Lesson} */ (this.body).visit(String(at));
    else this.going = String(at);
  }

  /** The same for a page's links: what cannot be is told in the figure. @param {string} at */
  visit(at) {
    this.#quiet();
    this.#try('at', at, () => this.seek(at));
  }

  // ---- The state ----

  /**
   * What a hash asks for.
   * @param {string} hash
   * @returns {{ chapter: Chapter, whole: Whole }}
   */
  #read(hash) {
    const own = /** @type {typeof Exhibit} */ (this.constructor).chapter;
    const named = /(^|[#&])chapter=/.test(hash);
    const chapter = chapters[named ? chapterOf(hash, Object.keys(chapters)) : own];
    return { chapter, whole: fromHash(hash, chapter) };
  }

  /**
   * What all attributes together ask for, or the hash alone; what cannot be read is told.
   * @param {boolean} alone
   */
  #compose(alone) {
    this.#quiet();
    let { chapter } = this;
    let whole = openingOf(chapter);
    this.#try('state', this.asked, () => {
      ({ chapter, whole } = this.#read(this.asked));
    });
    if (!alone) this.#dress(whole, chapter);
    this.history = new History();
    if (chapter !== this.chapter || !this.body) {
      this.chapter = chapter;
      this.body = /** @type {Lesson} */ (document.createElement(chapter.element));
      this.body.session = /** @type {Session} */ (this.session);
      this.ready = false;
    }
    if (this.at && !alone) this.going = this.at;
    this.#set(whole);
  }

  /**
   * What the other attributes make of a state.
   * @param {Whole} whole
   * @param {Chapter} chapter
   */
  #dress(whole, { parts }) {
    const read = (
      /** @type {string} */ name,
      /** @type {string} */ key,
      /** @type {string} */ given,
    ) =>
      this.#try(name, given, () => {
        if (!parts[key]) throw new RangeError(given);
        whole[key] = parts[key].read(given);
      });
    if (this.example) read('example', 'example', this.example);
    if (this.removed) read('remove', 'remove', this.removed);
    if (this.gradient) whole.gradient = true;
    if (this.sentence && parts.text) read('sentence', 'text', this.sentence);
    else if (this.sentence) whole.sentence = { ...OPENING_SENTENCE, text: this.sentence };
  }

  /**
   * Reads what an author wrote; if that cannot be, says so.
   * @param {string} name of the attribute
   * @param {string} given
   * @param {() => void} read
   */
  #try(name, given, read) {
    try {
      read();
    } catch (error) {
      const told = short(message(error), LONG);
      this.#complain(text('embed/unread', { name, given: short(given, LONG), message: told }));
    }
  }

  /** Takes the words of the language that is asked for: here, by the state, by the page, by the reader. */
  async #speak() {
    const page = /** @type {HTMLElement | null} */ (this.parentElement?.closest('[lang]'));
    const { lang } = this.whole;
    const wanted = [this.lang, lang === 'auto' ? '' : lang, page?.lang ?? ''];
    if (this.lang && preferred([this.lang]) !== this.lang) {
      const known = Object.keys(LANGUAGES);
      this.#try('lang', this.lang, () => wordsIn(this.lang, known));
    }
    await setLanguage(preferred([...wanted, ...navigator.languages]));
  }

  /** @param {Whole} whole */
  #set(whole) {
    this.whole = whole;
    if (this.body) this.body.state = /** @type {any} */ (whole);
    this.requestUpdate();
  }

  /** @param {import('../shell/app.js').Asked} asked */
  #change({ change, moving = false, undoable = false }) {
    if (undoable) this.history.record(change, this.whole);
    this.#quiet();
    this.#set({ ...this.whole, ...change });
    if (!moving) this.#say('gf-state', { state: this.state });
  }

  /** @param {import('../elements/base.js').Action} action */
  #act(action) {
    if (action.do !== 'undo' && action.do !== 'redo') return;
    const change = this.history[action.do](this.whole);
    if (change) this.#change({ change });
  }

  /** The chapter cannot show the state that it was given. @param {string} why */
  #refuse(why) {
    this.#complain(text('embed/refused', { message: short(why, LONG) }));
    this.#set(openingOf(this.chapter));
  }

  /** Something was computed: what is awaited can be done. */
  async #opened() {
    const { body } = this;
    await body?.updateComplete;
    if (!body || body !== this.body) return;
    const first = !this.ready;
    this.ready = true;
    const at = this.going;
    this.going = '';
    if (at) this.#try('at', at, () => body.visit(at));
    await body.updateComplete;
    if (first) this.#say('gf-ready', { state: this.state });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.body || belongsToField(event)) return;
    const action = shellActionOf(event);
    if (action) this.#act(action);
    if (!action && !this.body.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- What is said ----

  #quiet() {
    this.notice = '';
  }

  /** @param {string} message */
  #complain(message) {
    this.notice = this.notice === '' ? message : `${this.notice} ${message}`;
    this.#say('gf-error', { message });
  }

  /**
   * @param {'gf-ready' | 'gf-state' | 'gf-error'} type
   * @param {Record<string, string>} detail
   */
  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  // ---- What is seen ----

  get #look() {
    const theme = this.theme || this.whole.theme;
    if (theme === 'light' || theme === 'dark') return theme;
    return this.dark ? 'dark' : 'light';
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.session || isPacked(this.asked)) return;
    /* What was given before the core was there counts now. */
    const before = this.body;
    if (!before || changed.has('model')) translatorAt(this.model);
    if (!before || GIVEN.some((name) => changed.has(name))) {
      this.#compose(before !== null && changed.has('state'));
    } else if (changed.has('at') && this.at) this.visit(this.at);
    const body = /** @type {Lesson} */ (this.body);
    const given = (/** @type {string} */ name) => body !== before || changed.has(name);
    if (given('show')) {
      body.shows = wordsIn(USUAL, PARTS);
      if (this.show) {
        this.#try('show', this.show, () => {
          body.shows = wordsIn(this.show, PARTS);
        });
      }
    }
    if (given('lock')) {
      this.#try('lock', this.lock, () => {
        body.locks = wordsIn(this.lock, LOCKS);
      });
    }
    if (given('theme') && this.theme && !THEMES.includes(this.theme)) {
      this.#try('theme', this.theme, () => wordsIn(this.theme, THEMES));
    }
    if (given('lang')) this.#speak();
    body.theme = this.#look;
  }

  render() {
    return html`<div class="page">
      <div class="root" data-theme=${this.#look} tabindex="-1" role="group" aria-label=${text('page/title')}>
        ${this.notice ? html`<p class="notice" role="alert">${this.notice}</p>` : nothing}
        ${this.failure ? html`<p class="failure" role="alert">${this.failure}</p>` : nothing}
        ${
          this.body
            ? html`<div class="chapter">${this.body}</div>`
            : this.failure
              ? nothing
              : html`<p class="loading" role="status">${text('page/loading')}</p>`
        }
      </div>
    </div>`;
  }
}

/* Frameworks write to properties where an element has them, and every element has remove(). */
Object.defineProperty(Exhibit.prototype, 'remove', {
  get: () => Element.prototype.remove,
  set(names) {
    this.removed = names;
  },
});

/** @param {Event} event @returns {any} */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;
