// The sheet of keys: those of the present chapter, under their headings if it has any, then those that work
// everywhere.
import { html } from 'lit';
import { Sheet } from '../../stage/elements/sheet.js';
import { lookup, text } from '../locale/text.js';
import { keepPreference, keptPreference } from '../state/preferences.js';
import './shortcuts.css';

export class Shortcuts extends Sheet {
  static properties = { lists: { attribute: false } };

  constructor() {
    super();
    /** @type {string[]} where the locale has the chapter's keys, and the headings of some */
    this.lists = [];
  }

  render() {
    return html`<dialog aria-label=${text('shortcuts/label')} @close=${this.closed}>
      <h2 tabindex="-1" autofocus>${text('shortcuts/label')}</h2>
      ${[...this.lists, 'shortcuts/page'].map((key) => {
        const entry = lookup(key);
        if (typeof entry === 'string') return html`<h3 class="label">${entry}</h3>`;
        return html`<dl>
            ${entry.map(
              (/** @type {[string, string]} */ [keys, what]) =>
                html`<div><dt>${keys}</dt><dd>${what}</dd></div>`,
            )}
          </dl>`;
      })}
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
