// A shell that fills a page: it handles the keys of the window, and sets theme and language of the root element.
import { language } from '../locale/text.js';
import { isCharacter } from '../state/keys.js';
import { keptPreference } from '../state/preferences.js';
import { Shell } from './shell.js';

const paper = matchMedia('print');

export class Page extends Shell {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { printing: { state: true } };

  constructor() {
    super();
    this.printing = paper.matches;
  }

  connectedCallback() {
    super.connectedCallback();
    paper.addEventListener('change', this.#print);
    window.addEventListener('keydown', this.#key);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    paper.removeEventListener('change', this.#print);
    window.removeEventListener('keydown', this.#key);
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (keptPreference('characters') !== 'off' || !isCharacter(event)) this.press(event);
  };

  #print = () => {
    this.printing = paper.matches;
  };

  /** Paper is white. */
  get theme() {
    return this.printing ? 'light' : this.lookOf(this.whole.theme);
  }

  /** To set an attribute of the root restyles all, even to the same. */
  updated() {
    const { documentElement: root } = document;
    if (root.dataset.theme !== this.theme) root.dataset.theme = this.theme;
    if (root.lang !== language()) root.lang = language();
  }
}
