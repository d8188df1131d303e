// What a removal does, in three numbers, intact and removed side by side.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { display, full } from '../draw/format.js';
import { typeset } from '../telling/number.js';
import { describe } from '../telling/words.js';
import { ViewElement } from './base.js';

/** @type {Readonly<Record<string, string>>} */
const READOUT_TEXTS = {
  entropy: 'readouts/entropy',
  gradient: 'readouts/gradient',
};

export class Readouts extends ViewElement {
  render() {
    const { readouts, target, state } = this.view;
    if (!readouts || !target) return nothing;
    const { intact, removed, change } = readouts;
    const help = { target: describe(target, this.view) };
    const rises = state.remove.includes('scale') && Number(removed.slope) >= Number(intact.slope);
    return html`<dl aria-label=${text('readouts/label')}>
      ${this.#pair('entropy', intact.entropy, removed.entropy, text('readouts/entropyHelp'))}
      ${this.#pair('gradient', intact.slope, removed.slope, text('readouts/gradientHelp', help))}
      <div>
        <dt>${text('readouts/change')}</dt>
        <dd>${one(change)}</dd>
      </div>
    </dl>
    ${rises && removed.slope !== null ? html`<p class="quiet">${typeset(text('readouts/rises'))}</p>` : nothing}`;
  }

  /**
   * @param {string} name
   * @param {number | null} before
   * @param {number | null} after
   * @param {string} help
   */
  #pair(name, before, after, help) {
    return html`<div title=${help}>
      <dt>${text(READOUT_TEXTS[name])}</dt>
      <dd>${one(before)} → <b>${one(after)}</b></dd>
    </div>`;
  }
}

/** @param {number | null} value */
const one = (value) =>
  value === null
    ? text('readouts/none')
    : html`<span title=${full(value)}>${display(value)}</span>`;

customElements.define('gf-readouts', Readouts);
