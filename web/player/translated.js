// A sentence and its translation, word by word: the attention weights with which each word is written, as lines or a map.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../app/locale/text.js';
import { css, fill, ink } from '../stage/draw/colour.js';
import { cellKey } from '../stage/draw/tensor.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { SentenceRoom, sentenceOf } from './sentence.js';
import { scopeIn } from './telling.js';
import './translated.css';

/** How far the translation stands below: lines lead up from it. */
const PITCH = 220;
/** A sentence of more words is set smaller. */
const LONG = 7;

/** @extends {Picture<'sentence'>} */
export class Translated extends Picture {
  room = new SentenceRoom(this);

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
    const row = picture.row ? Number(cellsOf(picture.row, scopeIn(this.view))[0].index.at(-2)) : -1;
    const isShown = row >= 0 && !this.hides;
    return html`<div class="translated">
      ${sentenceOf({
        parts: [
          { words: source, lang: 'fr' },
          { words: target.slice(0, Math.max(0, row)), lang: 'en' },
        ],
        row: source.length + row,
        weights: row < 0 ? [] : source.map((_, j) => this.#weight(row, j)),
        ...(row >= 0 && row < target.length && { next: isShown ? target[row] : '' }),
        grown: Number(isShown),
        asked: true,
        cellOf: (j) => this.#cell(row, j),
        within: this,
        room: this.room.units,
        pitch: PITCH,
      })}
    </div>`;
  }

  /** @param {number} row @param {number} j */
  #weight(row, j) {
    const { shape, data } = this.#attention;
    return data[row * shape[1] + j];
  }

  /** The weight with which a word is written, on one of the source. @param {number} i @param {number} j */
  #cell(i, j) {
    const [{ node, index }] = cellsOf(this.picture.of ?? 'attention', scopeIn(this.view));
    return { node, index: [...index.slice(0, -2), i, j] };
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
                data-gate=${cellKey(this.#cell(i, j))}
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
