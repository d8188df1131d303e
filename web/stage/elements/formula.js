// The formula of this number, line below line: symbols, indices, numbers, result.
import { html } from 'lit';
import { text } from '../../app/locale/text.js';
import { derivation } from '../telling/derivation.js';
import { runNameOf } from './branch.js';
import { DeferredElement } from './deferred.js';

/** @type {Readonly<Record<string, string>>} */
const FORMULA_TEXTS = {
  symbols: 'formula/symbols',
  indices: 'formula/indices',
  numbers: 'formula/numbers',
  result: 'formula/result',
};

export class Formula extends DeferredElement {
  render() {
    const forms = Object.entries(derivation(this.view)).filter(([, pieces]) => pieces.length > 0);
    return html`<h2 class="label">${text('formula/label')}${runNameOf(this.view)}</h2>
      <div class="lines" tabindex="0" role="group" aria-label=${text('formula/label')}>
        ${forms.map(
          ([form, pieces]) => html`<div class="line">
            <span class="form">${text(FORMULA_TEXTS[form])}</span>
            <span class="pieces"
              >${pieces.map((piece) => html`<math displaystyle="true">${piece}</math> `)}</span
            >
          </div>`,
        )}
      </div>`;
  }
}

customElements.define('gf-formula', Formula);
