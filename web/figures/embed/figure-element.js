// A figure in another page: the shell in a shadow root, without address, head or navigation. The base class of
// <gf-attention>, <gf-transformer> and <gf-lesson>.
import { html } from 'lit';
import { message, preferred, setLanguage, short, text } from '../../app/locale/text.js';
import { Shell } from '../../app/shell/shell.js';
import { belongsToField } from '../../app/state/keys.js';
import { MAX_LINK } from '../../app/state/limits.js';
import { unpack } from '../../app/state/packed.js';
import {
  BadHash,
  chapterOf,
  fromHash,
  LEARN,
  LongHash,
  languageOf,
  openingOf,
  toHash,
} from '../../app/state/store.js';
import { addParts, checkLanguage, digitsOf, SETTINGS } from './attributes.js';
import { chapters, teach } from './chapters.js';
import { Fit } from './fit.js';
import { filesAt } from './lazy-files.js';
import { translatorAt } from './load-translator.js';
import { styleSheet } from './styles.js';

/** @typedef {import('../../app/shell/shell.js').Chapter} Chapter */
/** @typedef {import('../../app/shell/shell.js').Whole} Whole */
/** @typedef {import('../../stage/elements/walkthrough.js').Walkthrough} Walkthrough */

/** Attributes that together make the state, besides those that are parts of it as they are. */
const STATE_ATTRIBUTES = ['state', 'sentence', 'gradient'];
/** Only what an author writes is an attribute. */
const WRITTEN = { reflect: true, useDefault: true };
/** A state that names its chapter; one whose chapter is the lessons. */
const NAMED = /(^|[#&])(chapter|lesson)=/;
const LESSON = /(^|[#&])(lesson=|chapter=learn(&|$))/;
/** Of what a notice repeats: there is room for more than in the page's head. */
const MAX_LETTERS = 160;

export class Exhibit extends Shell {
  static properties = {
    ...Shell.properties,
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
    round: WRITTEN,
    model: WRITTEN,
    files: WRITTEN,
    page: WRITTEN,
    fit: { type: Boolean, reflect: true },
  };

  /** The chapter of a state that names none. */
  static chapter = 'attention';
  /** The attributes that are parts of the state, by their properties. @type {Record<string, string>} */
  static written = { example: 'example', removed: 'remove' };

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
    this.round = '';
    this.model = '';
    this.files = '';
    this.page = '';
    this.gradient = false;
    /** Whether it is no higher than the box of its page. */
    this.fit = false;
    this.fitting = new Fit(this);
    /** The hash that was asked for last. */
    this.asked = '';
    /** @type {string | null} the same, unpacked; null until that is done */
    this.hash = null;
    /** Where to go as soon as there is something to see. */
    this.going = '';
    /** @type {Walkthrough | null} the one that has something to see */
    this.seen = null;
    /** @type {import('../../app/shell/shell.js').Body | null} the one that knows which parts and locks the author wants */
    this.configured = null;
    /** @type {Promise<void>} until what was asked for can be read */
    this.prepared = Promise.resolve();
    /** @type {Promise<void>} until there is a core */
    this.begun = Promise.resolve();
    /** @type {Promise<unknown>} one state is set after the other */
    this.setting = Promise.resolve();
    this.watch = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) this.pause();
    });
  }

  /** What every element has: takes it out of its page. Frameworks, which write to a property where there is one, write the
   * attribute of this name here.
   * @returns {() => void} */
  // @ts-expect-error: a method elsewhere
  get remove() {
    return super.remove;
  }

  /** @param {any} names */
  set remove(names) {
    this.removed = names;
  }

  createRenderRoot() {
    const root = this.listen(this.attachShadow({ mode: 'open' }));
    root.adoptedStyleSheets = [styleSheet()];
    /* A deck of slides hears keys, too, and cannot see that they are meant for a field in here. */
    root.addEventListener('keydown', (event) => {
      const key = /** @type {KeyboardEvent} */ (event);
      if (belongsToField(key) || this.press(key)) event.stopPropagation();
    });
    root.addEventListener('gf-opened', () => this.#opened());
    return root;
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#hidden);
    this.watch.observe(this);
    if (this.session) return;
    this.prepared = this.#prepare();
    this.begun = this.start(this.prepared);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#hidden);
    this.watch.disconnect();
  }

  #hidden = () => {
    if (document.hidden) this.pause();
  };

  get #walkthrough() {
    return /** @type {Walkthrough | null} */ (this.body);
  }

  // ---- What others may ask ----

  /** The present state, as the hash of a link to it. */
  get state() {
    return this.#ready ? toHash(/** @type {Chapter} */ (this.chapter), this.whole) : this.asked;
  }

  set state(hash) {
    this.asked = String(hash ?? '');
    this.hash = null;
    this.prepared = this.#prepare();
  }

  /** Makes what was asked for ready to be read: unpacked, and with the words to say what cannot be read. */
  async #prepare() {
    const { asked } = this;
    if (this.session) this.failure = null;
    /* What cannot be unpacked cannot be read either, which says so. */
    const hash = await unpack(asked).catch(() => asked);
    await this.#speak(languageOf(hash));
    try {
      await this.#equip(hash);
    } catch (error) {
      if (asked === this.asked) this.fail({ text: message(error), again: this.#again });
      return;
    }
    if (asked !== this.asked) return;
    this.hash = hash;
    this.requestUpdate('state', null);
  }

  #again = () => {
    this.prepared = this.#prepare();
  };

  /** Loads what a state needs that figures do not have at first. @param {string} hash */
  async #equip(hash) {
    const lesson = NAMED.test(hash) ? LESSON.test(hash) : this.kind.chapter === LEARN;
    if (!lesson || chapters[LEARN]) return;
    if (this.files) filesAt(this.files);
    await teach();
  }

  getState() {
    return this.state;
  }

  /**
   * Shows another state; if that cannot be, rejects, and nothing changed.
   * @param {string} hash
   * @returns {Promise<void>}
   */
  setState(hash) {
    const done = this.setting.then(() => this.#take(hash));
    this.setting = done.catch(() => {});
    return done;
  }

  /** @param {string} asked */
  async #take(asked) {
    if (typeof asked !== 'string') {
      throw new TypeError(`setState: expected a hash, received ${typeof asked}`);
    }
    await this.begun;
    await this.updateComplete;
    if (this.failure) throw new Error(this.failure.text);
    /** @type {string[]} */
    const dropped = [];
    try {
      const hash = await unpack(asked);
      await this.#equip(hash);
      const { chapter, whole } = this.#read(hash, dropped);
      this.hush();
      await this.attempt({ chapter, body: this.#bodyOf(chapter) }, whole);
      Object.assign(this, { asked, hash });
    } catch (error) {
      throw readable(error);
    }
    for (const lost of dropped) this.say({ text: lost });
    await this.#speak(this.whole.lang);
  }

  play() {
    this.#walkthrough?.play();
  }

  pause() {
    if (this.#walkthrough?.playing) this.#walkthrough.pause();
  }

  /**
   * Goes to a time, or to 'scores', 'scores/1' or 'scores/1,2'; throws if there is no such place.
   * @param {string | number} place
   */
  seek(place) {
    const body = this.#walkthrough;
    if (this.#ready && body) this.#visit(body, String(place));
    else this.going = String(place);
  }

  /** The same for a page's links: the figure says what cannot be. @param {string} place */
  visit(place) {
    this.hush();
    this.try('at', place, () => this.seek(place));
  }

  /** @param {Walkthrough} body @param {string} place */
  #visit(body, place) {
    const { visit } = /** @type {Chapter} */ (this.chapter);
    if (visit) visit(body, place);
    else body.visit(place);
  }

  // ---- The state ----

  /** Whether there is something to see. */
  get #ready() {
    return this.body !== null && this.seen === this.body;
  }

  /**
   * What a hash asks for.
   * @param {string} hash
   * @param {string[]} dropped takes what is to be said of parts that list too much
   * @returns {{ chapter: Chapter, whole: Whole }}
   */
  #read(hash, dropped) {
    const named = NAMED.test(hash);
    const chapter = named ? chapters[chapterOf(hash, Object.keys(chapters))] : this.#usualChapter;
    const whole = fromHash(hash, chapter, (part, n, kept) =>
      dropped.push(text('page/dropped', { part, n, kept })),
    );
    return { chapter, whole };
  }

  get kind() {
    return /** @type {typeof Exhibit} */ (this.constructor);
  }

  get #usualChapter() {
    return chapters[this.kind.chapter];
  }

  /**
   * The element of a chapter: the present one, or a new one.
   * @param {Chapter} chapter
   */
  #bodyOf(chapter) {
    if (this.body && chapter === this.chapter) return this.body;
    const body = /** @type {import('../../app/shell/shell.js').Body} */ (
      document.createElement(chapter.element)
    );
    body.session = /** @type {import('../../app/session.js').Session} */ (this.session);
    return body;
  }

  /**
   * Shows what all attributes together ask for, or the hash alone; says what cannot be read.
   * @param {boolean} alone
   */
  #compose(alone) {
    this.hush();
    let chapter = this.chapter ?? this.#usualChapter;
    let whole = openingOf(chapter);
    /** @type {string[]} */
    const dropped = [];
    this.try('state', this.asked, () => {
      ({ chapter, whole } = this.#read(/** @type {string} */ (this.hash), dropped));
    });
    for (const lost of dropped) this.say({ text: lost });
    if (!alone) addParts(this, whole, chapter);
    if (this.at && !alone) this.going = this.at;
    this.enter({ chapter, body: this.#bodyOf(chapter) }, whole);
  }

  /**
   * Reads what an author wrote; if that cannot be, says so.
   * @param {string} name of the attribute
   * @param {string} value
   * @param {() => void} read
   */
  try(name, value, read) {
    try {
      read();
    } catch (error) {
      const [written, why] = [value, message(error)].map((words) => short(words, MAX_LETTERS));
      this.say({ text: text('embed/unread', { name, given: written, message: why }) });
    }
  }

  /**
   * Takes the words of the language that is asked for: here, by the state, by the page, by the reader.
   * @param {string} lang the state's
   */
  async #speak(lang) {
    const page = /** @type {HTMLElement | null} */ (this.parentElement?.closest('[lang]'));
    const wanted = [this.lang, lang === 'auto' ? '' : lang, page?.lang ?? ''];
    await setLanguage(preferred([...wanted, ...navigator.languages]));
  }

  /** Throws for a language that the page does not have. A frame takes nothing else from the figures' modules. @param {string} lang */
  checkLanguage(lang) {
    checkLanguage(lang);
  }

  changed() {
    this.#tell('gf-state', { state: this.state });
  }

  /** @param {string} why */
  refused(why) {
    this.say({ text: text('embed/refused', { message: short(why, MAX_LETTERS) }) });
    this.put(openingOf(/** @type {Chapter} */ (this.chapter)));
  }

  /** Something was computed: what is awaited can be done. */
  async #opened() {
    const body = this.#walkthrough;
    await body?.updateComplete;
    if (!body || body !== this.body) return;
    const first = body !== this.seen;
    this.seen = body;
    const place = this.going;
    this.going = '';
    if (place) this.try('at', place, () => this.#visit(body, place));
    await body.updateComplete;
    if (first) this.#tell('gf-ready', { state: this.state });
  }

  // ---- What is said ----

  /**
   * Says what else is wrong with what the author wrote, beside what the figure finds itself.
   * @param {string} key of a text
   * @param {Record<string, string>} values
   */
  async complain(key, values) {
    await Promise.all([this.begun, this.prepared]);
    await this.updateComplete;
    const brief = Object.entries(values).map(([name, value]) => [name, short(value, MAX_LETTERS)]);
    this.say({ text: text(key, Object.fromEntries(brief)) });
  }

  /** One complaint stands beside the other. @param {import('../../app/shell/shell.js').Notice} notice */
  say(notice) {
    super.say({ ...notice, text: [this.notice?.text ?? '', notice.text].join(' ').trim() });
    this.#tell('gf-error', { message: notice.text });
  }

  /** @param {import('../../app/shell/shell.js').Notice} failure */
  fail(failure) {
    super.fail(failure);
    this.#tell('gf-error', { message: failure.text });
  }

  /** @param {string} why */
  failed(why) {
    this.#tell('gf-error', { message: why });
  }

  /**
   * @param {'gf-ready' | 'gf-state' | 'gf-error'} type
   * @param {Record<string, string>} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  // ---- What is seen ----

  /** The author's number of digits, or else the state's. @param {import('../../stage/draw/format.js').Digits} digits */
  chooseDigits(digits) {
    super.chooseDigits(digitsOf(this.round) ?? digits);
  }

  get #shownTheme() {
    return this.lookOf(this.theme || this.whole.theme);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.session || this.hash === null) return;
    /* What was written before the core was there counts now. */
    const before = this.body;
    /* A page has one place for all its figures, which those that name none leave as it is. */
    if (before ? changed.has('model') : this.model) translatorAt(this.model);
    if (before ? changed.has('files') : this.files) filesAt(this.files);
    const names = [...STATE_ATTRIBUTES, ...Object.keys(this.kind.written)];
    if (!before || names.some((name) => changed.has(name))) {
      this.#compose(before !== null && changed.has('state'));
    } else if (changed.has('at') && this.at) this.visit(this.at);
    this.#set(changed);
  }

  /** Takes the attributes that are no part of the state: all of them for another chapter. @param {Map<string, unknown>} changed */
  #set(changed) {
    const body = /** @type {import('./attributes.js').Body} */ (this.body);
    const isNew = (/** @type {string} */ name) => body !== this.configured || changed.has(name);
    for (const [name, set] of Object.entries(SETTINGS)) {
      if (!isNew(name)) continue;
      const value = String(/** @type {any} */ (this)[name] || '');
      this.try(name, value, () => set(value, body));
    }
    if (isNew('round')) this.chooseDigits(this.whole.round);
    if (isNew('lang')) this.#speak(this.whole.lang);
    this.configured = body;
    body.theme = this.#shownTheme;
  }

  updated() {
    this.fitting.follow(this.fit);
  }

  render() {
    return html`<div class="page ${this.fit ? 'fit' : ''}">
      <div class="root" data-theme=${this.#shownTheme} tabindex="-1" role="group" aria-label=${text('page/title')}>
        ${this.told('notice', this.notice)}
        ${this.body ? html`<div class="chapter">${this.body}</div>` : this.waiting}
      </div>
    </div>`;
  }
}

/** What to say of a hash that cannot be read. @param {unknown} error */
function readable(error) {
  if (error instanceof LongHash) {
    return new RangeError(text('embed/longHash', { n: error.size, most: MAX_LINK }));
  }
  if (!(error instanceof BadHash)) return error;
  return new RangeError(text('embed/badHash', { part: short(error.message, MAX_LETTERS) }));
}
