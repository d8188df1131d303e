// What the sheets for embedding and export share: a button at the end of the shelf, with words or an icon where there is
// little room, a dialog, and a copy of what is written.
import { html, nothing } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { Sheet } from './sheet.js';

const ICONS = {
  course: 'M2 3h12v8H2zM8 1.5V3M6.5 11 5 14.5M9.5 11l1.5 3.5',
  export: 'M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 10.5v3h11v-3',
};

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?export',
    import: 'default',
    eager: true,
  }),
);

export class ExportDialog extends Sheet {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { view: { attribute: false }, said: { state: true } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** What became of the last copy or download, or why there is nothing. */
    this.said = '';
  }

  /**
   * @param {keyof typeof ICONS} name
   * @param {{ button: string, label: string }} words
   * @param {() => void} show opens the dialog
   * @param {() => unknown} content of the open dialog, below its label
   */
  withButton(name, { button, label }, show, content) {
    return html`<button
        class="stroke"
        aria-haspopup="dialog"
        aria-label=${button}
        title=${button}
        @click=${show}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>
        <span>${button}</span>
      </button>
      <dialog aria-labelledby="${name}-title" @close=${this.closed}>
        <h2 id="${name}-title" tabindex="-1" autofocus>${label}</h2>
        ${this.open ? content() : nothing}
      </dialog>`;
  }

  /** @param {string} written @param {string} copied what is said then */
  async copy(written, copied) {
    try {
      await navigator.clipboard.writeText(written);
      this.said = copied;
    } catch {
      this.said = text('export/refused');
    }
  }
}
