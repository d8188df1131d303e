// The derivative of the target with respect to a cell: the chain rule term by term, and a nudge of the cell that checks
// the result.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { NUDGES } from '../../app/state/walk.js';
import { display, full } from '../draw/format.js';
import { role, symbol } from '../draw/names.js';
import { cellKey, offset, sameCell } from '../draw/tensor.js';
import { plain } from '../telling/number.js';
import { describe } from '../telling/words.js';
import { ViewElement } from './base.js';

/** @type {Readonly<Record<string, string>>} */
const GRADIENT_TEXTS = {
  empty: 'gradient/empty',
  ids: 'gradient/ids',
  stored: 'gradient/stored',
  more: 'gradient/more',
  still: 'gradient/still',
};

/** @typedef {import('../draw/tensor.js').Cell} Cell */
/** @typedef {import('../../app/session.js').Chain} Chain */

/** Terms beyond these are told by their number alone. */
const MAX_TERMS = 200;

/** Why a step has no gradient, as the reader is told; null if it has one. @param {import('../../app/session.js').Step} step */
const without = ({ kind, stored }) => (kind === 'ids' ? kind : stored ? 'stored' : null);

export class Gradient extends ViewElement {
  /** What left the page with the run that it is about was given back with it, and cannot be nudged any more. */
  shouldUpdate() {
    return this.isConnected;
  }

  render() {
    const { state, focus, target, trace } = this.view;
    if (!state.gradient || !target) return nothing;
    const why = focus ? without(trace.step(focus.node)) : 'empty';
    return html`<h2 class="label">${text('gradient/label')}</h2>
      ${
        why === null
          ? this.#cell(/** @type {Cell} */ (focus), target)
          : html`<p class="quiet">${text(GRADIENT_TEXTS[why])}</p>`
      }
      ${this.#choice(target)}`;
  }

  /**
   * @param {Cell} cell
   * @param {Cell} target
   */
  #cell(cell, target) {
    const { session, trace } = this.view;
    const chain = session.chain(trace, target, cell);
    return html`
      <p class="slope">
        ${text('gradient/of', { target: describe(target, this.view), cell: describe(cell, this.view) })}
        <strong title=${full(chain.gradient)}>${display(chain.gradient)}</strong>
      </p>
      ${chain.seed ? html`<p class="quiet">${text('gradient/seed')}</p>` : this.#terms(chain)}
      ${chain.seed || this.view.playing ? nothing : this.#nudge(cell, target)}
    `;
  }

  /** @param {Chain} chain */
  #terms(chain) {
    const all = chain.terms.filter(({ gradient }) => gradient !== 0);
    const rest = chain.terms.length - all.length;
    if (chain.terms.length === 0) return html`<p class="quiet">${text('gradient/none')}</p>`;
    return html`<div class="terms" tabindex="0" role="group" aria-label=${text('gradient/terms')}>
      <table>
        ${
          all.length > 0
            ? html`<thead>
              <tr>
                <th scope="col">${text('gradient/through')}</th>
                <th scope="col">${text('gradient/there')}</th>
                <th scope="col">${text('gradient/local')}</th>
                <th scope="col">${text('microscope/product')}</th>
              </tr>
            </thead>`
            : nothing
        }
        <tbody>
          ${all.slice(0, MAX_TERMS).map(
            (term) => html`<tr>
              <th scope="row">${this.#letter(term.y)}</th>
              <td>${plain(term.gradient)}</td>
              <td>${plain(term.derivative)} ${this.#formula(term)}</td>
              <td>${plain(term.product)}</td>
            </tr>`,
          )}
        </tbody>
        <tfoot>
          ${all.length > MAX_TERMS ? this.#row('more', all.length - MAX_TERMS) : nothing}
          ${rest > 0 ? this.#row('still', rest) : nothing}
          ${this.#others(chain)}
          <tr>
            <th scope="row" colspan="3">${text('gradient/sum')}</th>
            <td>${plain(chain.gradient)}</td>
          </tr>
        </tfoot>
      </table>
    </div>`;
  }

  /** What the batch's other sequences add, where one of them is shown. @param {Chain} told */
  #others({ node, gradient, terms }) {
    const { trace } = this.view;
    if (!trace.fixed || trace.step(node).kind !== 'parameter') return nothing;
    const total = terms.reduce((sum, { product }) => sum + product, 0);
    return html`<tr class="quiet">
      <th scope="row" colspan="3">${text('gradient/others')}</th>
      <td>${plain(Math.fround(gradient - total))}</td>
    </tr>`;
  }

  /**
   * @param {string} key
   * @param {number} n
   */
  #row(key, n) {
    return html`<tr class="quiet"><th scope="row" colspan="4">${text(GRADIENT_TEXTS[key], { n })}</th></tr>`;
  }

  /**
   * A cell by its letter and indices; it can be pointed at and entered.
   * @param {Cell} cell
   */
  #letter({ node, index }) {
    const step = this.view.trace.step(node);
    const { letter, below } = symbol(step);
    const name = describe({ node, index }, this.view);
    return html`<span class="token role-${role(step)}" data-link=${cellKey({ node, index })} title=${name}
      ><i>${letter.length > 1 ? letter : letter.toLowerCase()}</i
      ><sub>${below ? html`<i>${below}</i>\u2009` : nothing}${index.map((i) => i + 1).join(',')}</sub></span
    >`;
  }

  /**
   * A derivative's formula, with its cells by their letters and its other parts by their numbers.
   * @param {Chain['terms'][number]} term
   */
  #formula({ formula, parts }) {
    const words = formula.split(/([A-Za-z]\w*|\^\d)/);
    if (!words.some((word) => word in parts) && !/[a-z]/.test(formula)) return nothing;
    return html`<small
      >${words.map((word) => {
        if (/^\^/.test(word)) return html`<sup>${word.slice(1)}</sup>`;
        const part = parts[word];
        if (part === undefined) return word.replace('-', '−');
        if (typeof part === 'number')
          return html`<span title="${word} = ${full(part)}">${display(part)}</span>`;
        return this.#letter(part);
      })}</small
    >`;
  }

  /**
   * @param {Cell} cell
   * @param {Cell} target
   */
  #nudge(cell, target) {
    const { trace, state } = this.view;
    if (!trace.nudge) return nothing;
    const { data, shape } = trace.step(cell.node);
    if (!Number.isFinite(data[offset(shape, cell.index)]))
      return html`<p class="quiet">${text('gradient/fixed')}</p>`;
    const place = (/** @type {Cell} */ { node, index }) => ({ node, index });
    const { predicted, actual, ratio } = trace.nudge(place(cell), place(target), state.nudge);
    return html`<div class="nudge">
      <label
        >${text('gradient/nudge')}
        <select
          @change=${(/** @type {Event} */ event) => {
            const { value } = /** @type {HTMLSelectElement} */ (event.currentTarget);
            this.act({ do: 'set', change: { nudge: Number(value) } });
          }}
        >
          ${NUDGES.map((size) => html`<option value=${size} ?selected=${size === state.nudge}>${size}</option>`)}
        </select></label
      >
      <dl aria-label=${text('gradient/nudged')}>
        <div><dt>${text('gradient/predicted')}</dt><dd>${plain(predicted)}</dd></div>
        <div><dt>${text('gradient/actual')}</dt><dd>${plain(actual)}</dd></div>
        <div>
          <dt>${text('gradient/ratio')}</dt>
          <dd>${ratio === null ? text('readouts/none') : plain(ratio)}</dd>
        </div>
      </dl>
    </div>`;
  }

  /** @param {Cell} target */
  #choice(target) {
    const { focus, state, trace } = this.view;
    if (trace.fixed) return nothing;
    const able = focus && trace.step(focus.node).kind !== 'ids' && !sameCell(focus, target);
    return html`<div class="tools">
      ${
        able
          ? html`<button @click=${() => this.act({ do: 'set', change: { target: focus } })}>
            ${text('gradient/take')}
          </button>`
          : nothing
      }
      ${
        state.target
          ? html`<button @click=${() => this.act({ do: 'set', change: { target: null } })}>
            ${text('gradient/usual')}
          </button>`
          : nothing
      }
    </div>`;
  }
}

customElements.define('gf-gradient', Gradient);
