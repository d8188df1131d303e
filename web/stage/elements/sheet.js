// A modal sheet. Its dialog follows the property `open`. It closes when it leaves the page, and when another link is
// followed.
import { Base } from './base.js';
import '../../style/sheets.css';

export class Sheet extends Base {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { open: { state: true } };

  constructor() {
    super();
    this.open = false;
  }

  /** Whether it closes when another link is followed; what is part of a state follows that. */
  get passing() {
    return true;
  }

  get dialog() {
    return /** @type {HTMLDialogElement} */ (this.querySelector('dialog'));
  }

  toggle() {
    this.open = !this.open;
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('hashchange', this.#leave);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('hashchange', this.#leave);
    this.#leave();
    /* In the page again, it would stand there without being modal. */
    this.dialog?.close();
  }

  #leave = () => {
    if (this.passing) this.open = false;
  };

  updated() {
    const { dialog, open } = this;
    if (!this.isConnected || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }

  /** The reader has closed it: for @close of its dialog, which also comes when it is closed from here. */
  closed = () => {
    if (this.isConnected && !this.dialog.open) this.open = false;
  };
}
