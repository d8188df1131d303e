// The page's head: the chapters, and what can be done with the whole.
import { html, nothing } from 'lit';
import { DIGITS } from '../../stage/draw/format.js';
import { Base } from '../../stage/elements/base.js';
import { choose, dismiss, leave, watch } from '../../stage/elements/menu.js';
import { LANGUAGES, language, text } from '../locale/text.js';
import { CHAPTER_TITLES } from './chapter-titles.js';

/** What the button of the other theme says, by the theme that is shown. @type {Readonly<Record<string, string>>} */
const THEME_TEXTS = {
  light: 'page/theme/dark',
  dark: 'page/theme/light',
};

/** @type {Readonly<Record<string, string>>} */
const DIGIT_TEXTS = {
  label: 'page/digits/label',
  text: 'page/digits/text',
  all: 'page/digits/all',
};

const ICONS = {
  menu: 'M3 8h.01M8 8h.01M13 8h.01',
  undo: 'M5.5 2.5 2 6l3.5 3.5M2 6h7.5a4 4 0 0 1 0 8H6',
  redo: 'M10.5 2.5 14 6l-3.5 3.5M14 6H6.5a4 4 0 0 0 0 8H10',
  language: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c-4.5 4-4.5 8 0 12M8 2c4.5 4 4.5 8 0 12',
  digits:
    'M2.5 11.5h.01M6.75 4.5a2 3.5 0 1 0 0 7 2 3.5 0 1 0 0-7zM12.5 4.5a2 3.5 0 1 0 0 7 2 3.5 0 1 0 0-7z',
  docs: 'M8 4C6 2.5 4 2.5 2 3v9.5c2-.5 4-.5 6 1 2-1.5 4-1.5 6-1V3c-2-.5-4-.5-6 1zv9.5',
  theme: 'M8 2a6 6 0 1 0 0 12 4.5 4.5 0 0 1 0-12z',
  keys: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6',
  present: 'M1.5 3h13v8h-13zM8 11v3M5 14h6M6.5 5v4l3-2z',
  share:
    'M6.5 9.5l3-3M7 4.5l1.6-1.6a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.6 1.6a3.2 3.2 0 0 1-4.5-4.5L4.5 7',
};

export class Masthead extends Base {
  static properties = {
    chapters: { attribute: false },
    theme: { attribute: false },
    round: { attribute: false },
    shared: { attribute: false },
    canUndo: { attribute: false },
    canRedo: { attribute: false },
  };

  constructor() {
    super();
    /** @type {{ name: string, link: string, here: boolean }[]} */
    this.chapters = [];
    /** The theme that is shown. @type {'light' | 'dark'} */
    this.theme = 'light';
    /** @type {import('../../stage/draw/format.js').Digits} */
    this.round = 'text';
    this.shared = false;
    this.canUndo = false;
    this.canRedo = false;
  }

  render() {
    return html`
      <h1><a href="#">${text('page/title')}</a></h1>
      <nav aria-label=${text('page/chapters')}>
        ${this.chapters.map(
          ({ name, link, here }) =>
            html`<a href=${link} aria-current=${here ? 'page' : 'false'}
              >${text(CHAPTER_TITLES[name])}</a
            >`,
        )}
      </nav>
      <div class="tools" role="group" aria-label=${text('page/tools')}>
        ${this.#tool('undo', text('page/undo'), this.canUndo)}
        ${this.#tool('redo', text('page/redo'), this.canRedo)} ${this.#languages()}
        ${this.#tool('share', text(this.shared ? 'page/shared' : 'page/share'))}
        ${this.#tool('present', text('page/present'))} ${this.#menu()}
      </div>
    `;
  }

  /** What a first visit does without. */
  #menu() {
    const label = text('page/tools');
    return html`<details
      class="menu"
      @click=${choose}
      @focusout=${leave}
      @keydown=${dismiss}
      @toggle=${watch}
    >
      <summary class="stroke" title=${label} aria-label=${label}>${icon('menu')}</summary>
      <div>
        ${this.#tool('theme', text(THEME_TEXTS[this.theme]))} ${this.#digits()}
        ${this.#tool('keys', text('page/keys'))} ${this.#docs()}
      </div>
    </details>`;
  }

  /** The documentation, where it was published beside the page: index.html says so. */
  #docs() {
    const { href } = Object(document.querySelector('link[rel=help]'));
    const label = text('page/docs');
    return href
      ? html`<a class="stroke docs" href=${href} hreflang="en">${icon('docs')} <span>${label}</span></a>`
      : nothing;
  }

  #languages() {
    const now = language();
    const options = Object.entries(LANGUAGES).map(
      ([code, { name }]) =>
        html`<option value=${code} lang=${code} ?selected=${code === now}>${name}</option>`,
    );
    return this.#list('language', text('page/language'), LANGUAGES[now].name, options, (list) => {
      this.act({ do: 'language', lang: list.value });
      // Until its words are there.
      list.value = now;
    });
  }

  #digits() {
    const named = (/** @type {typeof DIGITS[number]} */ digits) =>
      typeof digits === 'number' ? String(digits) : text(DIGIT_TEXTS[digits]);
    const label = text('page/digits/label', { digits: named(this.round) });
    const options = DIGITS.map(
      (digits) =>
        html`<option value=${digits} ?selected=${digits === this.round}>${named(digits)}</option>`,
    );
    return this.#list('digits', label, label, options, (list) =>
      this.act({ do: 'round', round: DIGITS[list.selectedIndex] }),
    );
  }

  /**
   * A list that lies invisibly over its icon, so that it is as wide as the tools beside it.
   * @param {'language' | 'digits'} name
   * @param {string} label
   * @param {string} words beside the icon
   * @param {unknown[]} options
   * @param {(list: HTMLSelectElement) => void} choose
   */
  #list(name, label, words, options, choose) {
    return html`<label class="stroke list ${name}" title=${label}>
      ${icon(name)} <span aria-hidden="true">${words}</span>
      <select
        aria-label=${label}
        @change=${(/** @type {Event} */ event) =>
          choose(/** @type {HTMLSelectElement} */ (event.currentTarget))}
      >
        ${options}
      </select>
    </label>`;
  }

  /**
   * @param {Exclude<keyof typeof ICONS, 'language' | 'digits' | 'docs' | 'menu'>} name
   * @param {string} words beside the icon where there is room
   * @param {boolean} [possible]
   */
  #tool(name, words, possible = true) {
    return html`<button
      class="stroke ${name}"
      title=${words}
      aria-label=${words}
      ?disabled=${!possible}
      @click=${() => this.act({ do: name })}
    >
      ${icon(name)} <span>${words}</span>
    </button>`;
  }
}

/** @param {keyof typeof ICONS} name */
const icon = (name) =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

customElements.define('gf-masthead', Masthead);
