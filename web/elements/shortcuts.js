// The sheet of keys: those of the present chapter, then those that work everywhere.
import { html } from 'lit';
import { lookup, text } from '../locale/text.js';
import { Base } from './base.js';

export class Shortcuts extends Base {
  static properties = { lists: { attribute: false } };

  constructor() {
    super();
    /** @type {string[]} where the locale has the chapter's keys */
    this.lists = [];
  }

  render() {
    return html`<dialog aria-label=${text('shortcuts/label')}>
      <h2>${text('shortcuts/label')}</h2>
      ${[...this.lists, 'shortcuts/page'].map(
        (list) => html`<dl>
          ${lookup(list).map(
            (/** @type {[string, string]} */ [keys, what]) =>
              html`<div><dt>${keys}</dt><dd>${what}</dd></div>`,
          )}
        </dl>`,
      )}
      <form method="dialog"><button>${text('page/close')}</button></form>
    </dialog>`;
  }

  toggle() {
    const dialog = /** @type {HTMLDialogElement} */ (this.querySelector('dialog'));
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }
}

customElements.define('gf-shortcuts', Shortcuts);
