// The sheet of keys: those of the present chapter, under their headings if it has any, then those that work
// everywhere.
import { html } from 'lit';
import { Base } from '../elements/base.js';
import { lookup, text } from '../locale/text.js';

export class Shortcuts extends Base {
  static properties = { lists: { attribute: false } };

  constructor() {
    super();
    /** @type {string[]} where the locale has the chapter's keys, and the headings of some */
    this.lists = [];
  }

  render() {
    return html`<dialog aria-label=${text('shortcuts/label')}>
      <h2 tabindex="-1" autofocus>${text('shortcuts/label')}</h2>
      ${[...this.lists, 'shortcuts/page'].map((key) => {
        const found = lookup(key);
        if (typeof found === 'string') return html`<h3 class="label">${found}</h3>`;
        return html`<dl>
            ${found.map(
              (/** @type {[string, string]} */ [keys, what]) =>
                html`<div><dt>${keys}</dt><dd>${what}</dd></div>`,
            )}
          </dl>`;
      })}
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
