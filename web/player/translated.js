// A sentence and its translation, word by word: the attention weights with which each word is written, as bars or a map.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../app/locale/text.js';
import { css, fill, ink } from '../stage/draw/colour.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Film } from './picture.js';
import { scopeIn } from './telling.js';
import './translated.css';

/** A sentence of more words is set smaller. */
const LONG = 7;

/** What stands at the word before it. @param {string} word */
export const isStop = (word) => /^[.,:;!?]$/.test(word);

/** A word with its attention weight; null while that is not shown.
 * @param {string} word @param {number | null} weight @param {number} [least] that is written */
export const weightedWord = (word, weight, least = 0) => html`<li
  class=${classMap({ most: Number(weight) > 0.5, stop: isStop(word) })}
  style=${styleMap({ '--share': String(weight ?? 0) })}
>
  <span class="value">${weight === null || weight < least ? nothing : numberText(weight, language(), 'percent')}</span>
  <i class="bar"></i>
  <b>${word}</b>
</li>`;

/** The word that is to be written; a gap while it is not shown. @param {string} word */
export const nextWord = (word) =>
  word
    ? html`<span class="coming">${word}</span>`
    : html`<span class="gap"><i class="hidden">${text('lessons/sentence/gap')}</i></span>`;

/** Its film writes word by word: for half of each the weights are shown, then the word stands there.
 * @extends {Film<'sentence'>} */
export class Translated extends Film {
  static PACE = 1800;
  static GRAIN = 0.5;

  get length() {
    return this.view ? this.#words.target.length : 0;
  }

  get beat() {
    if (this.t === null) return undefined;
    return this.t % 1 || this.isOver ? 'next' : 'weights';
  }

  /** The attention weights, row by row: the average of all heads, or those of one. */
  get #attention() {
    const { of = 'attention' } = this.picture;
    const scope = scopeIn(this.view);
    const { source, target } = scope.words;
    return { shape: [target.length + 1, source.length], data: rowOf(of, scope) };
  }

  get #words() {
    const { source = [], target = [] } = scopeIn(this.view).words;
    /* What ends a sentence is no word of it. */
    return { source, target: target.slice(0, this.#attention.shape[0] - 1) };
  }

  render() {
    const { picture } = this;
    if (picture.map) return this.#map();
    const { source, target } = this.#words;
    const film = this.t !== null;
    const asked = picture.row
      ? Number(cellsOf(picture.row, scopeIn(this.view))[0].index.at(-2))
      : -1;
    const row = film ? Math.min(Math.floor(Number(this.t)), target.length - 1) : asked;
    /* At the end of the film it stands at its last word. */
    const isShown = row >= 0 && (film || !this.hides);
    const written = target.slice(0, Math.floor(film ? Number(this.t) : Math.max(0, asked)));
    const next = isShown && (!film || Number(this.t) % 1) ? target[row] : '';
    return html`<div class=${classMap({ translated: true, long: source.length > LONG })}>
      <ol class="source" lang="fr" aria-label=${text('lessons/sentence/source')}>
        ${source.map((word, j) => weightedWord(word, isShown ? this.#weight(row, j) : null))}
      </ol>
      <p class="target" lang="en">
        ${written.map((word) => html`<span>${word}</span>`)}
        ${next || (row >= 0 && written.length < target.length) ? nextWord(next) : nothing}
      </p>
    </div>`;
  }

  /** @param {number} row @param {number} j */
  #weight(row, j) {
    const { shape, data } = this.#attention;
    return data[row * shape[1] + j];
  }

  /** The cell in a row and a column of the map. @param {number} i @param {number} j */
  #cell(i, j) {
    const [{ node, index }] = cellsOf(this.picture.of ?? 'attention', scopeIn(this.view));
    return `${node}:${[...index.slice(0, -2), i, j].join()}`;
  }

  /** Rows: what is written. Columns: what is attended to. */
  #map() {
    const { source, target } = this.#words;
    const { theme } = this.view;
    return html`<table
      class=${classMap({ looks: true, long: source.length > LONG })}
      style=${styleMap({ '--columns': String(source.length + 1), '--rows': String(target.length + 1) })}
    >
      <caption class="hidden">${text('lessons/sentence/map')}</caption>
      <thead>
        <tr>
          <td></td>
          ${source.map((word) => html`<th scope="col" lang="fr">${word}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${target.map(
          (word, i) => html`<tr>
            <th scope="row" lang="en">${word}</th>
            ${source.map((_, j) => {
              const weight = this.#weight(i, j);
              const rgb = fill(weight, 'probability', 1, theme);
              const percent = Math.round(100 * weight);
              return html`<td
                data-gate=${this.#cell(i, j)}
                style=${styleMap({ background: css(rgb), color: ink(rgb) })}
              >${percent ? numberText(percent / 100, language(), 'percent') : nothing}</td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define('gf-translated', Translated);
