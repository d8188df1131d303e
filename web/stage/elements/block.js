// A weight that is stored in few bits: the block that it is in, and the arithmetic that makes its float32.
import { html } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { cellKey } from '../draw/tensor.js';
import { settle } from '../telling/equation.js';
import { numbersOf, plain } from '../telling/number.js';
import { ViewElement } from './base.js';
import './block.css';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?models',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../../bindings/js/stored/numbers.js').StoredNumbers} StoredNumbers */
/** @typedef {import('../../../bindings/js/stored/numbers.js').StoredWeight} StoredWeight */
/** @typedef {import('../../app/session.js').Explanation} Explanation */

/** Of types whose blocks have parts: how many numbers share all that makes them. @type {Record<string, number>} */
const PARTS = { q4_k: 32, q5_k: 32, q6_k: 16 };

export class Block extends ViewElement {
  static properties = { explanation: { attribute: false } };

  constructor() {
    super();
    /** @type {Explanation} */
    this.explanation = /** @type {any} */ (null);
  }

  render() {
    const { explanation } = this;
    const { type } = /** @type {StoredWeight} */ (explanation.weight);
    const bits = /^q(\d)/.exec(type)?.[1];
    if (!bits) {
      return html`<p class="sentence">${text('models/half', { type })}</p>`;
    }
    return html`<p class="sentence">${this.#equation(explanation)}</p>
      <p class="quiet">${text('models/block', { type, bits })}</p>
      ${this.#quants(explanation)}
      <p class="quiet">${text('models/fixed')}</p>`;
  }

  /** 0.031 = 11 × 0.00427 − 0.0158 @param {Explanation} explanation */
  #equation(explanation) {
    const { trace } = this.view;
    const { d, scale, q, m, offset, value } = /** @type {StoredWeight} */ (explanation.weight);
    const { more, is } = settle(trace, (round) => q * scale * round(d) + offset * round(m), value);
    const as = { as: { more } };
    const times = (/** @type {number} */ factor) => (factor === 1 ? '' : html` × ${factor}`);
    const sign = m < 0 ? '−' : '+';
    return html`${numbersOf(trace, more)(/** @type {any} */ (explanation))} ${is}
      <b>${q}</b> × ${plain(d, { signed: true, ...as })}${times(scale)}
      ${m === 0 ? '' : html` ${sign} ${plain(Math.abs(m), as)}${times(offset)}`}`;
  }

  /** The integers of all numbers that share its scale. @param {Explanation} explanation */
  #quants({ node, index }) {
    const { trace } = this.view;
    const stored = /** @type {StoredNumbers} */ (trace.step(node).stored);
    const { type, along, block } = stored;
    const size = PARTS[type] ?? block;
    const first = index[along] - (index[along] % size);
    const cells = Array.from({ length: size }, (_, i) => {
      const cell = [...index];
      cell[along] = first + i;
      return { node, index: cell, ...stored.weight(cell) };
    });
    const key = cellKey({ node, index });
    return html`<div class="quants" role="group" aria-label=${text('models/quants', { n: size })}>
      ${cells.map(
        (cell) => html`<button
          aria-current=${cellKey(cell) === key ? 'true' : 'false'}
          title=${text('models/of', { index: cell.index.map((i) => i + 1).join(', ') })}
          @click=${() => this.act({ do: 'pick', cell: { node, index: cell.index }, stage: false })}
        >${cell.q}</button>`,
      )}
    </div>`;
  }
}

customElements.define('gf-block', Block);
