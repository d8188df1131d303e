// One row as bars: the scores, their powers of e, and these packed into one whole.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../locale/text.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn } from './telling.js';
import './bars.css';

/** How far a score can be dragged beyond the largest. */
const ROOM = 6;
const GRAIN = 0.5;
/** A smaller share of the whole has room for its name alone. */
const LEGIBLE = 0.15;

/** @extends {Picture<'bars'>} */
export class Bars extends Picture {
  constructor() {
    super();
    /** @type {unknown} */
    this.fitted = null;
    /** The largest value that a drag can reach. */
    this.most = 1;
  }

  willUpdate() {
    if (this.fitted === this.picture || !this.view) return;
    this.fitted = this.picture;
    this.most = Math.max(...rowOf(this.picture.row, scopeIn(this.view))) + ROOM;
  }

  render() {
    const { view, picture } = this;
    const form = this.hides ? picture.form : (picture.after ?? picture.form);
    const scope = scopeIn(view);
    const cells = cellsOf(picture.row, scope);
    const row = rowOf(picture.row, scope);
    const powers = row.map(Math.exp);
    const sum = powers.reduce((all, x) => all + x, 0);
    const heights = form === 'bars' ? row : powers;
    const most = Math.max(...heights.map(Math.abs), 1e-9);
    const below = heights.some((x) => x < 0);
    const lang = language();
    const { tokens, vocabulary = [] } = view.example;
    const token = (/** @type {number} */ i) => tokens[i] ?? vocabulary[i] ?? String(i + 1);
    /* A small power has digits enough to be more than zero. */
    const digits = (/** @type {number} */ x) =>
      String(Math.min(6, Math.max(1, 1 - Math.floor(Math.log10(x)))));
    const shown = (/** @type {number} */ i) =>
      form === 'bars' ? numberText(row[i], lang) : numberText(powers[i], lang, digits(powers[i]));
    const moved = this.moves ? cellsOf(this.moves, scope)[0] : null;
    const isMoved = (/** @type {number} */ i) => moved?.index.join() === cells[i].index.join();
    return html`<div class="bars ${form} ${below ? 'signed' : ''}">
      <ol aria-label=${text('lessons/bars/label')}>
        ${row.map(
          (value, i) => html`<li
            class=${classMap({ moves: isMoved(i), negative: heights[i] < 0 })}
            style=${styleMap({
              '--height': String(Math.abs(heights[i]) / most),
              '--share': String(powers[i] / sum),
            })}
          >
            <span class="value"
              ><span
                class="number"
                data-node=${form === 'bars' ? cells[i].node : nothing}
                data-index=${cells[i].index.join()}
                data-value=${value}
                >${shown(i)}</span
              >${
                form === 'bars'
                  ? nothing
                  : html`<small>= e<sup>${numberText(value, lang)}</sup></small>`
              }${
                form === 'shares' && !this.hides
                  ? html` <b>${numberText(powers[i] / sum, lang, 'percent')}</b>`
                  : nothing
              }</span
            >
            <i class="bar"></i>
            <b class="token">${token(i)}</b>
          </li>`,
        )}
      </ol>
      ${
        form === 'shares'
          ? html`<div class="whole" role="img" aria-label=${text('lessons/bars/whole')}>
              ${row.map(
                (_, i) => html`<span style=${styleMap({ '--share': String(powers[i] / sum) })}
                  ><small
                    ><b>${token(i)}</b> ${this.hides || powers[i] / sum < LEGIBLE ? nothing : numberText(powers[i] / sum, lang, 'percent')}</small
                  ></span
                >`,
              )}
            </div>`
          : nothing
      }
      ${moved ? this.#slider(moved, row[cells.findIndex((_, i) => isMoved(i))]) : nothing}
    </div>`;
  }

  /**
   * @param {import('../draw/tensor.js').Cell} cell
   * @param {number} value
   */
  #slider(cell, value) {
    const name = this.view.example.tokens[cell.index.at(-1) ?? 0] ?? '';
    return html`<label class="slider"
      >${text('lessons/bars/drag', { name })}
      <input
        type="range"
        min=${-ROOM}
        max=${this.most}
        step=${GRAIN}
        .value=${String(value)}
        @input=${(/** @type {InputEvent} */ event) => {
          const { value: wanted } = /** @type {HTMLInputElement} */ (event.currentTarget);
          this.act({ do: 'edit', cell, text: wanted });
        }}
      />
    </label>`;
  }
}

customElements.define('gf-bars', Bars);
