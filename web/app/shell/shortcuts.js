// The sheet of keys: those of the present chapter, under their headings if it has any, then those that work
// everywhere.
import { html } from 'lit';
import { Sheet } from '../../stage/elements/sheet.js';
import { lookup, text } from '../locale/text.js';
import { keepPreference, keptPreference } from '../state/preferences.js';
import './shortcuts.css';

/** @param {string} keys 'Space, Page Down' */
const signsOf = (keys) => keys.split(/, | (?=[←→])/);

export class Shortcuts extends Sheet {
  static properties = { lists: { attribute: false }, presenting: { attribute: false } };

  constructor() {
    super();
    /** @type {string[]} where the locale has the chapter's keys, and the headings of some */
    this.lists = [];
    /** Whether a class is looking: keys of a clicker, and what they mean, come first. */
    this.presenting = false;
  }

  /** Headings, and lists of keys; in front of a class a key that means something else there is told by that alone.
   * @returns {(string | [string, string][])[]} */
  get #told() {
    const presented = [text('shortcuts/presented'), lookup('shortcuts/presenting')];
    const others = [...this.lists, 'shortcuts/page'].map((key) => lookup(key));
    if (!this.presenting) return [...others, ...presented];
    const taken = presented[1].flatMap((/** @type {[string, string]} */ [keys]) => signsOf(keys));
    const rest = others.map((entry) =>
      typeof entry === 'string'
        ? entry
        : entry.filter(
            (/** @type {[string, string]} */ [keys]) =>
              !signsOf(keys).every((sign) => taken.includes(sign)),
          ),
    );
    return [...presented, ...rest];
  }

  render() {
    return html`<dialog aria-label=${text('shortcuts/label')} @close=${this.closed}>
      <h2 tabindex="-1" autofocus>${text('shortcuts/label')}</h2>
      ${this.#told.map((entry) =>
        typeof entry === 'string'
          ? html`<h3 class="label">${entry}</h3>`
          : html`<dl>
            ${entry.map(([keys, what]) => html`<div><dt>${keys}</dt><dd>${what}</dd></div>`)}
          </dl>`,
      )}
      <label>
        <input
          type="checkbox"
          .checked=${keptPreference('characters') !== 'off'}
          @change=${(/** @type {Event} */ { target }) => {
            const { checked } = /** @type {HTMLInputElement} */ (target);
            keepPreference('characters', checked ? 'auto' : 'off');
          }}
        />
        ${text('shortcuts/characters')}
      </label>
      <form method="dialog"><button>${text('page/close')}</button></form>
    </dialog>`;
  }
}

customElements.define('gf-shortcuts', Shortcuts);
