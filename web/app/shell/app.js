// The page: the shell with the address, a head and all chapters, each kept as it was left.
import { html, nothing } from 'lit';
import { remeasure } from '../../stage/elements/room.js';
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
import { isReplaced, onMissing } from '../offline/replaced.js';
import {
  belongsToField,
  isBlackening,
  isPresenting,
  presentedActionOf,
  turnOf,
} from '../state/keys.js';
import { pack, unpack } from '../state/packed.js';
import { keepPreference, keptPreference } from '../state/preferences.js';
import {
  COMMON_PARTS,
  chapterOf,
  FIRST,
  fromHash,
  History,
  LEARN,
  languageOf,
  openingOf,
  toHash,
} from '../state/store.js';
import { droppedOf, readable, refusal, unseen } from './address.js';
import './masthead.js';
import { CHAPTER_TITLES } from './chapter-titles.js';
import { Page } from './page.js';
import { entitle } from './title.js';

/** @typedef {import('./shell.js').Whole} Whole */
/** history: what can be undone in it, while it is found as it was left.
 * @typedef {import('./shell.js').Opened & { whole: Whole, history: History }} Visited */

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {Record<string, string>} [first] where the head leads who was not there yet, and a link of nothing but the
 *   name, part by part as a link has it; where there is none, to the chapter's opening
 * @property {() => Promise<{ default: import('./shell.js').Chapter }>} load
 */

const THEME = COMMON_PARTS.theme;

/** What a class sees of a chapter. */
const STAGE = new Set(['stage', 'caption', 'what-if']);
/** What a chapter is about, without the choice of what it shows. */
const CONTENT = '.work, .scene, .centre';
/** What a beginner sees first, who comes from a lesson. */
const PLAIN = new Set(['head', 'stage']);

export class App extends Page {
  /** What there is to open, in the order of the head. @type {Entry[]} */
  static pages = [];

  static properties = {
    shared: { state: true },
    black: { state: true },
    replaced: { state: true },
  };

  constructor() {
    super();
    /** @type {Map<string, Visited>} chapters that were opened, each as it was left */
    this.visited = new Map();
    this.shared = false;
    /** Whether the screen is black, in front of a class. */
    this.black = false;
    /** Whether the site has another build by now. */
    this.replaced = false;
    onMissing(this.#missed);
    /** @type {Promise<void>} the way to what the address asks for */
    this.following = Promise.resolve();
    /** How often the address was followed. */
    this.asked = 0;
    /** What the link itself says of theme and language, which else are the reader's.
     * @type {Pick<Whole, 'theme' | 'lang'>} */
    this.linked = { theme: 'auto', lang: 'auto' };
    /** A packed address, and what is in it. */
    this.packed = { hash: '', plain: '' };
    /** An address that is not yet in force, and whether it takes the place of the one that is.
     * @type {{ hash: string, replace: boolean } | undefined} */
    this.unwritten = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('hashchange', this.#follow);
    if (!this.session) this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('hashchange', this.#follow);
  }

  /** Done once the page shows what the address asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.following;
    return done && !this.isUpdatePending;
  }

  async #begin() {
    this.#preload();
    await this.start(this.#loadLanguage(languageOf(location.hash)));
    // Not before the page has what it needs itself.
    this.following.then(keepOffline);
  }

  /** @param {Promise<unknown>} [spoken] */
  async start(spoken) {
    await super.start(spoken);
    this.#follow();
  }

  /** Loads the chapter of the address while the core starts; if that fails, the page says so when it shows the chapter. */
  async #preload() {
    try {
      await entryOf(nameOf(location.hash, await unpack(location.hash))).load();
    } catch {}
  }

  // ---- What does not come ----

  /** A file of the page is missing: the site may have another build by now. */
  #missed = async () => {
    this.replaced ||= await isReplaced();
    /* An open sheet would hide the notice. */
    if (!this.replaced) return;
    for (const sheet of this.querySelectorAll('dialog')) if (sheet.open) sheet.close();
  };

  /** @param {import('./shell.js').Notice} failure */
  fail(failure) {
    super.fail(failure);
    this.#missed();
  }

  failed() {
    this.#missed();
  }

  /** The address has the state, so the new page opens where this one is. */
  get #renewal() {
    if (!this.replaced) return nothing;
    return html`<p class="notice" role="alert">
      ${text('page/replaced')}
      <button @click=${() => location.reload()}>${text('page/reload')}</button>
    </p>`;
  }

  // ---- The address ----

  #follow = () => {
    this.unwritten = undefined;
    if (this.session) this.following = this.#show(location.hash);
  };

  /**
   * Shows what a hash asks for; if it cannot be read, says so and shows the chapter's opening.
   * @param {string} asked
   */
  async #show(asked) {
    this.asked++;
    const turn = this.asked;
    const [hash, unreadable] = await unpack(asked).then(
      (plain) => [plain, ''],
      (error) => ['', refusal(error)],
    );
    const silence = await this.#loadLanguage(languageOf(hash));
    const [name, unknown] = readable(
      () => nameOf(asked, hash),
      () => FIRST,
    );
    try {
      if (!this.visited.has(name)) await this.#load(name);
    } catch {
      if (turn === this.asked) this.#failChapter(name);
      return;
    }
    if (turn === this.asked)
      this.#visit(name, asked, hash, { refused: unknown || unreadable, silence });
  }

  /**
   * Enters a chapter that is loaded.
   * @param {string} name
   * @param {string} asked the address
   * @param {string} hash the same, unpacked
   * @param {{ refused: string, silence: string }} notices refused: why the address cannot be read; silence: why there are
   *   no words of its language
   */
  #visit(name, asked, hash, { refused, silence }) {
    const visited = /** @type {Visited} */ (this.visited.get(name));
    const { chapter } = visited;
    const { first } = entryOf(name);
    const plain = first && hash === `#chapter=${name}` ? unseen(name, first) : hash;
    if (plain !== asked) this.packed = { hash: asked, plain };
    const lang = languageOf(hash);
    const opening = () => ({ ...openingOf(chapter), lang });
    /** @type {string[]} */
    const dropped = [];
    const [whole, failure] = refused
      ? [opening(), refused]
      : readable(
          () => fromHash(plain, chapter, (...lost) => dropped.push(droppedOf(...lost))),
          opening,
        );
    const message = [failure || silence, ...dropped].join(' ').trim();
    this.failure = null;
    this.linked = { theme: whole.theme, lang };
    if (whole.theme === 'auto') whole.theme = THEME.read(keptPreference('theme'));
    whole.lang = language();
    if (message) this.say({ text: message });
    else this.hush();
    const { speed } = whole;
    const left = this.#hashOf(chapter, { ...visited.whole, speed });
    if (this.#hashOf(chapter, whole) !== left) visited.history = new History();
    this.enter(visited, whole, visited.history);
  }

  /** @param {string} name of a chapter that was not opened yet */
  async #load(name) {
    const { default: chapter } = await entryOf(name).load();
    const body = /** @type {import('./shell.js').Body} */ (document.createElement(chapter.element));
    body.session = /** @type {import('../session.js').Session} */ (this.session);
    const history = new History();
    this.visited.set(name, { chapter, body, whole: openingOf(chapter), history });
  }

  /** @param {string} name of a chapter that did not come */
  #failChapter(name) {
    const notice = {
      text: text('page/noChapter', { name: text(CHAPTER_TITLES[name]) }),
      again: this.#follow,
    };
    if (this.body) this.say(notice);
    else this.fail(notice);
  }

  /** @param {string} why */
  refused(why) {
    if (!this.chapter) return;
    this.say({ text: text('page/badState', { message: short(why) }) });
    const { theme, lang } = this.whole;
    this.put({ ...openingOf(this.chapter), theme, lang });
  }

  /** Writes the address after the frame that shows the new state: the browser takes milliseconds for it.
   * @param {boolean} replace */
  changed(replace) {
    const hash = this.#hashOf(
      /** @type {import('./shell.js').Chapter} */ (this.chapter),
      this.whole,
    );
    if (hash === this.#plain) return;
    if (!replace) this.#write();
    if (!this.unwritten) setTimeout(this.#write);
    this.unwritten = { hash, replace: this.unwritten?.replace ?? replace };
  }

  /** The address that is in force, unpacked, or will be. */
  get #plain() {
    const { packed, unwritten } = this;
    if (unwritten) return unwritten.hash;
    return location.hash === packed.hash ? packed.plain : location.hash;
  }

  #write = () => {
    if (!this.unwritten) return;
    const { hash, replace } = this.unwritten;
    this.unwritten = undefined;
    if (replace) window.history.replaceState(null, '', hash);
    else window.history.pushState(null, '', hash);
    this.#pack(hash);
  };

  /** The address of a state, which has a theme and a language only if the link had them.
   * @param {import('./shell.js').Chapter} chapter @param {Whole} whole */
  #hashOf(chapter, whole) {
    return toHash(chapter, { ...whole, ...this.linked });
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
  async #loadLanguage(lang) {
    const kept = keptPreference('lang');
    const chosen = Object.hasOwn(LANGUAGES, kept) ? kept : preferred(navigator.languages);
    const code = lang === 'auto' ? chosen : lang;
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
    const silence = await this.#loadLanguage(lang);
    if (language() === lang) {
      this.#prefer('lang', lang, preferred(navigator.languages));
      this.change({ change: { lang }, passing: true });
    } else if (silence) this.say({ text: silence, again: () => this.#choose(lang) });
  }

  /** Keeps what the reader chose, unless the browser says the same; the link says it no more.
   * @param {import('../state/preferences.js').Preference} name @param {string} value @param {string} usual */
  #prefer(name, value, usual) {
    keepPreference(name, value === usual ? 'auto' : value);
    this.linked = { ...this.linked, [name]: 'auto' };
  }

  // ---- The state ----

  /** @param {Whole} whole @param {boolean} [moving] */
  put(whole, moving) {
    super.put(whole, moving);
    const visited = this.chapter && this.visited.get(this.chapter.name);
    if (visited) visited.whole = whole;
  }

  hush() {
    super.hush();
    this.shared = false;
  }

  /** @param {import('../../stage/elements/base.js').Action} action */
  perform(action) {
    switch (action.do) {
      case 'theme': {
        const theme = this.theme === 'dark' ? 'light' : 'dark';
        this.#prefer('theme', theme, this.lookOf('auto'));
        return this.change({ change: { theme }, passing: true });
      }
      case 'language':
        return void this.#choose(action.lang);
      case 'share':
        return void this.#share();
      case 'present':
        return this.change({ change: { mode: this.presenting ? 'explore' : 'present' } });
      case 'size':
        return void this.#typeSize().then((size) => size.change(action.by));
      case 'keys':
        return void this.#shortcuts();
      default:
        super.perform(action);
    }
  }

  /** The size of type in front of a class, once one was there. @type {Promise<import('./fit.js').TypeSize> | null} */
  #size = null;

  #typeSize() {
    this.#size ??= import('./fit.js').then(({ TypeSize }) => new TypeSize());
    return this.#size;
  }

  /** Opens the sheet of keys, which few ask for, or closes it. */
  async #shortcuts() {
    await import('./shortcuts.js');
    const sheet = this.querySelector('gf-shortcuts');
    /** @type {import('./shortcuts.js').Shortcuts} */ (sheet).toggle();
  }

  /** Past the head and the choice of what is shown. */
  #skip = () => {
    const main = /** @type {HTMLElement} */ (this.querySelector('main'));
    const content = /** @type {HTMLElement} */ (main.querySelector(CONTENT) ?? main);
    content.tabIndex = -1;
    content.focus();
  };

  #lighten = () => {
    this.black = false;
  };

  get presenting() {
    return this.whole.mode === 'present';
  }

  /** In front of a class the keys of a clicker turn the page, or make the screen black until the next key. Escape
   * leaves the cell that is looked at, then the presentation. @param {KeyboardEvent} event */
  press(event) {
    if (isPresenting(event)) {
      this.perform({ do: 'present' });
      event.preventDefault();
      return true;
    }
    if (!this.presenting || belongsToField(event)) return super.press(event);
    const by = turnOf(event);
    const inCell = event.key === 'Escape' && /** @type {any} */ (this.whole).path?.length > 0;
    const action = presentedActionOf(event);
    if (this.black || isBlackening(event)) this.black = !this.black;
    else if (by !== 0 && this.body?.turn) this.body.turn(by);
    else if (event.key === 'Escape' && !inCell) this.perform({ do: 'present' });
    else if (action) this.perform(action);
    else return super.press(event);
    event.preventDefault();
    return true;
  }

  /** The link to what is shown, without what is the reader's alone. */
  get #shared() {
    const { chapter, whole } = this;
    this.#write();
    if (!chapter?.own) return location.href;
    const hidden = chapter.own.map((part) => [part, chapter.opening[part]]);
    const hash = this.#hashOf(chapter, { ...whole, ...Object.fromEntries(hidden) });
    return new URL(hash, location.href).href;
  }

  async #share() {
    try {
      await navigator.clipboard.writeText(this.#shared);
      this.shared = true;
    } catch {
      this.say({ text: text('page/shareFailed') });
    }
  }

  // ---- What is seen ----

  /** Each chapter, and the link to it: as it was left, or as it opens. */
  get #links() {
    const { speed, round } = this.whole;
    const common = { ...this.linked, speed, round, mode: /** @type {const} */ ('explore') };
    return App.pages.map(({ name, first }) => {
      const { chapter, whole } = this.visited.get(name) ?? {};
      const here = name === this.chapter?.name;
      /* From a lesson, its own tab leads to all of them. */
      const isLeft = chapter && !(here && name === LEARN);
      const link = isLeft ? toHash(chapter, { ...whole, ...common }) : unseen(name, first, common);
      return { name, link, here };
    });
  }

  render() {
    const { chapter, body } = this;
    if (!chapter || !body) return html`${this.#renewal}${this.waiting}`;
    body.theme = this.theme;
    const { presenting } = this;
    const plain = this.whole.mode === 'plain';
    if (body.shows !== undefined) body.shows = presenting ? STAGE : plain ? PLAIN : null;
    const shortcuts = html`<gf-shortcuts
      .lists=${chapter.shortcuts ?? []}
      .presenting=${presenting}
    ></gf-shortcuts>`;
    if (presenting) {
      return html`<header class="hidden"><h1>${text('page/title')}</h1></header>
        ${this.#renewal}${this.told('notice', this.notice)}
        <main class="chapter">${body}</main>
        ${this.black ? html`<div class="black" @click=${this.#lighten}></div>` : nothing}
        <button class="leave" @click=${() => this.perform({ do: 'present' })}>${text('page/leave')}</button>
        ${shortcuts}`;
    }
    return html`
      <button class="skip" @click=${this.#skip}>${text('page/skip')}</button>
      <gf-masthead
        role="banner"
        .chapters=${this.#links}
        .theme=${this.theme}
        .round=${this.whole.round}
        .shared=${this.shared}
        .canUndo=${this.history.past.length > 0}
        .canRedo=${this.history.future.length > 0}
      ></gf-masthead>
      ${this.#renewal}${this.told('notice', this.notice)}
      <main class="chapter">${body}</main>
      ${
        plain
          ? html`<p class="more"><button
              @click=${async () => {
                this.change({ change: { mode: 'explore' } });
                await this.updateComplete;
                await Object(body).unfold?.();
              }}
            >${text('page/everything')}</button></p>`
          : nothing
      }
      ${shortcuts}
    `;
  }

  /** Type is another size in front of a class, before anything is measured by it.
   * @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    const { dataset } = document.documentElement;
    if (dataset.mode === this.whole.mode) return;
    dataset.mode = this.whole.mode;
    remeasure();
  }

  /** In front of a class all is to be seen, at any moment of a walk. */
  async #fit() {
    const size = await this.#typeSize();
    const { chapter, whole, presenting } = this;
    if (!chapter || !presenting) return size.fit(null, '');
    const { t, path } = chapter.opening;
    size.fit(this.querySelector('main'), toHash(chapter, { ...whole, t, path }));
  }

  /** What is outside of the page's body. */
  updated() {
    super.updated();
    if (!this.chapter) return;
    if (this.presenting || document.documentElement.style.getPropertyValue('--fit')) this.#fit();
    const chapter = text(CHAPTER_TITLES[this.chapter.name]);
    entitle(/** @type {any} */ (this.body)?.heading ?? text('page/documentTitle', { chapter }));
  }
}

/** @param {string} name of a chapter that there is */
const entryOf = (name) => /** @type {Entry} */ (App.pages.find((page) => page.name === name));

/** The chapter that an address leads to. @param {string} asked @param {string} hash the same, unpacked */
function nameOf(asked, hash) {
  if (asked === '') return LEARN;
  return chapterOf(
    hash,
    App.pages.map(({ name }) => name),
  );
}
