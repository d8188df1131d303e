// One row as bars: the scores, their powers of e, and these packed into one whole.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../app/locale/text.js';
import { title } from '../stage/telling/words.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn, tokenOf } from './telling.js';
import './bars.css';

/** How far a score can be dragged beyond the largest, and in which steps. */
const ROOM = 6;
const GRAIN = 0.5;

/** How much higher than at first what is dragged is drawn, in parts of the highest bar. */
const ABOVE = 1.5;

/** @typedef {{ cell: import('../stage/draw/tensor.js').Cell, value: number, power: number, share: number, height: number,
 *   before: number | null, isMoved: boolean, token: string }} Column */

/** @extends {Picture<'bars'>} */
export class Bars extends Picture {
  constructor() {
    super();
    /** The picture that `first` is of. @type {unknown} */
    this.fitted = null;
    /** The row as the scene began: it gives the scale, so that what stays keeps its height. @type {number[]} */
    this.first = [];
    /** Whether its numbers are parts of one whole. */
    this.areWeights = false;
  }

  willUpdate() {
    if (this.fitted === this.picture || !this.view) return;
    this.fitted = this.picture;
    const scope = scopeIn(this.view);
    this.first = rowOf(this.picture.row, scope);
    const [{ node }] = cellsOf(this.picture.row, scope);
    this.areWeights = this.view.trace.step(node).role === 'weight';
  }

  /** The numbers of the row, with all that is drawn of each. @param {'bars' | 'powers' | 'shares'} form */
  #columns(form) {
    const { view, picture, first } = this;
    const scope = scopeIn(view);
    const path = (!this.hides && picture.becomes) || picture.row;
    const cells = cellsOf(path, scope);
    const row = rowOf(path, scope);
    const powers = row.map(Math.exp);
    const sum = powers.reduce((all, x) => all + x, 0);
    const whole = picture.whole ? rowOf(picture.whole, scope) : powers.map((power) => power / sum);
    const heightOf = (/** @type {number} */ x) => (form === 'bars' ? x : Math.exp(x));
    /* Of shares the largest fills the picture, now and before. */
    const seen = this.areWeights ? [...first, ...row] : first;
    const most = Math.max(...seen.map((x) => Math.abs(heightOf(x))), 1e-9);
    const moved = this.moves ? cellsOf(this.moves, scope)[0].index.join() : null;
    const { tokens, vocabulary = [] } = view.example;
    return row.map((value, i) => ({
      cell: cells[i],
      value,
      power: powers[i],
      share: whole[i],
      height: heightOf(value) / most,
      before: (this.areWeights || picture.becomes) && first[i] !== value ? first[i] / most : null,
      isMoved: cells[i].index.join() === moved,
      token: tokens[i] ?? vocabulary[i] ?? String(i + 1),
    }));
  }

  /** What the numbers are, and of which token. */
  get #title() {
    const { view, picture } = this;
    const cells = cellsOf(picture.row, scopeIn(view));
    const token = view.example.tokens[tokenOf(cells, view)];
    return [title(view.trace.step(cells[0].node)), token].filter(Boolean).join(' · ');
  }

  render() {
    const { picture } = this;
    const form = this.hides ? picture.form : (picture.after ?? picture.form);
    const columns = this.#columns(form);
    const moved = columns.find(({ isMoved }) => isMoved);
    const limit = moved ? ABOVE : 1;
    const down = Math.min(limit, Math.max(0, ...columns.map(({ height }) => -height)));
    return html`<div class="bars ${form} ${down ? 'signed' : ''} ${this.areWeights ? 'weights' : ''}">
      ${form === 'bars' ? html`<p class="title">${this.#title}</p>` : nothing}
      <ol
        aria-label=${text('lessons/bars/label')}
        style=${styleMap({ '--up': String(limit), '--down': String(down) })}
      >
        ${columns.map((column) => this.#bar(column, form, limit))}
      </ol>
      ${form === 'shares' || picture.whole ? this.#whole(columns) : nothing}
      ${moved ? this.#slider(moved) : nothing}
    </div>`;
  }

  /** @param {Column} column @param {string} form @param {number} limit the height where the picture ends */
  #bar({ cell, value, power, share, height, before, isMoved, token }, form, limit) {
    const lang = language();
    const isScore = form === 'bars';
    /* A small power has digits enough to be more than zero. */
    const digits = Math.min(6, Math.max(1, 1 - Math.floor(Math.log10(power))));
    const asked = form === 'powers' && this.hides;
    const unit = this.areWeights ? 'percent' : undefined;
    const number = isScore
      ? numberText(value, lang, unit)
      : numberText(power, lang, String(digits));
    /* The power of the number that is shown may have other digits. */
    const isExact = value === 0;
    const exponent = html`e<sup>${exponentOf(value, number, String(digits))}</sup>`;
    const high = Math.min(limit, Math.abs(height));
    return html`<li
      class=${classMap({ moves: isMoved, negative: height < 0, beyond: Math.abs(height) > limit })}
      style=${styleMap({ '--height': String(high) })}
    >
      <div>
        <span class="value"
          ><span
            class="number"
            data-node=${isScore ? cell.node : nothing}
            data-index=${cell.index.join()}
            data-value=${value}
            >${asked ? exponent : number}</span
          >${isScore || asked ? nothing : html`<small>${isExact ? '=' : '≈'} ${exponent}</small>`}${
            form === 'shares' && !this.hides
              ? html` <b>${numberText(share, lang, 'percent1')}</b>`
              : nothing
          }</span
        >
        <i class="bar"></i>
        ${before === null ? nothing : html`<i class="before" style=${styleMap({ '--height': String(before) })}></i>`}
      </div>
      <b class="token">${token}</b>
    </li>`;
  }

  /** The shares as parts of one whole; where they are what is asked for, that is empty. @param {Column[]} columns */
  #whole(columns) {
    const { hides, picture } = this;
    const label = text('lessons/bars/whole');
    return html`<p class="label" aria-hidden="true">${label}</p>
      <div class="whole" role="img" aria-label=${label}>
        ${columns.map(
          ({ share, token }) => html`<span
            style=${styleMap({ '--share': String(hides && picture.whole ? 0 : share) })}
            ><small title=${token}
              ><b>${token}</b> ${hides ? nothing : numberText(share, language(), 'percent1')}</small
            ></span
          >`,
        )}
      </div>`;
  }

  /** @param {Column} column */
  #slider({ cell, value }) {
    const name = this.view.example.tokens[cell.index.at(-1) ?? 0] ?? '';
    const isScaled = this.view.trace.step(cell.node).op === 'scale';
    return html`<label class="slider"
      >${text(isScaled ? 'lessons/bars/dragScaled' : 'lessons/bars/drag', { name })}
      <input
        type="range"
        min=${-ROOM}
        max=${Math.max(...this.first) + ROOM}
        step=${GRAIN}
        .value=${String(value)}
        @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) =>
          this.act({ do: 'edit', cell, text: currentTarget.value })}
      />
      <output>${numberText(value, language())}</output>
    </label>`;
  }
}

/** The exponent of a power, with digits enough that a calculator gives the power as it is shown.
 * @param {number} value @param {string} power @param {string} form of that */
function exponentOf(value, power, form) {
  const lang = language();
  const isEnough = (/** @type {number} */ digits) =>
    numberText(Math.exp(Number(value.toFixed(digits))), lang, form) === power;
  return numberText(value, lang, String([2, 3, 4].find(isEnough) ?? 5));
}

customElements.define('gf-bars', Bars);
