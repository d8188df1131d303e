// The sheet of keys.
import { html } from 'lit';
import { lookup, text } from '../locale/text.js';
import { Base } from './base.js';

export class Shortcuts extends Base {
  render() {
    return html`<dialog aria-label=${text('shortcuts/label')}>
      <h2>${text('shortcuts/label')}</h2>
      <dl>
        ${lookup('shortcuts/list').map(
          (/** @type {[string, string]} */ [keys, what]) =>
            html`<div><dt>${keys}</dt><dd>${what}</dd></div>`,
        )}
      </dl>
      <p class="quiet">${text('shortcuts/grid')}</p>
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
