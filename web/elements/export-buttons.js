// The buttons at the end of the shelf that open the sheets for embedding and export: words, or an icon where there is
// little room.
import { html } from 'lit';

const ICONS = {
  course: 'M2 3h12v8H2zM8 1.5V3M6.5 11 5 14.5M9.5 11l1.5 3.5',
  export: 'M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 10.5v3h11v-3',
};

/**
 * @param {keyof typeof ICONS} name
 * @param {string} words
 * @param {() => void} open shows the sheet
 */
export const exportButton = (name, words, open) => html`<button
  class="stroke"
  aria-haspopup="dialog"
  aria-label=${words}
  title=${words}
  @click=${open}
>
  <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>
  <span>${words}</span>
</button>`;
