// In place of the page's opener of checkpoints: a figure reads no files, and says where they can be read.
import { html } from 'lit';
import { text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';

class Opener extends Base {
  connectedCallback() {
    super.connectedCallback();
    const detail = text('embed/noCheckpoint');
    this.dispatchEvent(new CustomEvent('gf-failed', { detail, bubbles: true }));
  }

  render() {
    return html`<section class="opener">
      <p>${text('embed/noCheckpoint')}</p>
      <button
        @click=${() => this.dispatchEvent(new CustomEvent('gf-close', { bubbles: true }))}
      >${text('chapters/transformer/checkpoint/back')}</button>
    </section>`;
  }
}

customElements.define('gf-opener', Opener);
