// A query and the keys that it is compared with, number under number: what is alike has the same colours.
import { html } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../app/locale/text.js';
import { css, fill } from '../stage/draw/colour.js';
import { shortest } from '../stage/draw/format.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { numberSpan, scopeIn } from './telling.js';
import './keys.css';

/** A cell, and what it holds. @typedef {import('../stage/draw/tensor.js').Cell & { value: number }} Read */

/** @param {Read} cell @param {string} form */
const number = (cell, form) =>
  numberSpan(numberText(cell.value, language(), form), cell.value, cell);

/** The word that is to be written; a gap while it is not shown. @param {string} word */
const nextWord = (word) =>
  word
    ? html`<span class="coming">${word}</span>`
    : html`<span class="gap"><i class="hidden">${text('lessons/sentence/gap')}</i></span>`;

/** @extends {Picture<'keys'>} */
export class Keys extends Picture {
  /** @param {string} path @returns {Read[]} */
  #read(path) {
    const scope = scopeIn(this.view);
    const row = rowOf(path, scope);
    return cellsOf(path, scope).map((cell, i) => ({ ...cell, value: row[i] }));
  }

  render() {
    const { picture, hides } = this;
    const { source = [], target = [] } = scopeIn(this.view).words;
    const query = this.#read(picture.query);
    const keys = this.#read(picture.keys);
    const [scores, weights] = [picture.scores, picture.weights].map((path) => this.#read(path));
    const row = query[0].index.at(-2) ?? 0;
    const most = Math.max(...weights.map(({ value }) => value));
    const limit = Math.max(...[...query, ...keys].map(({ value }) => Math.abs(value)));
    const keyOf = (/** @type {number} */ j) => keys.slice(j * query.length, (j + 1) * query.length);
    return html`<div class="compared">
      <p class="target" lang="en">
        ${target.slice(0, row).map((word) => html`<span>${word}</span>`)}
        ${nextWord(hides ? '' : target[row])}
      </p>
      <table>
        <caption class="quiet">${text('lessons/keys/colours')}</caption>
        <tr class="role-q">
          <th scope="row">${text('lessons/keys/query')}</th>
          <td>${this.#colours(query, limit)}</td>
          <td></td>
          <td></td>
        </tr>
        <tr class="named">
          <th scope="col" class="role-k">${text('lessons/keys/keys')}</th>
          <td></td>
          <th scope="col">${text('lessons/keys/score')}</th>
          <th scope="col">${text('lessons/keys/share')}</th>
        </tr>
        ${source.map(
          (word, j) => html`<tr
            class=${classMap({ 'role-k': true, most: !hides && weights[j].value === most })}
          >
            <th scope="row" lang="fr">${word}</th>
            <td>${this.#colours(keyOf(j), limit)}</td>
            <td class="score">${hides ? '?' : number(scores[j], '1')}</td>
            <td class="share" style=${styleMap({ '--share': String(hides ? 0 : weights[j].value) })}>
              ${hides ? '?' : number(weights[j], 'percent')}<i class="bar"></i>
            </td>
          </tr>`,
        )}
      </table>
    </div>`;
  }

  /** @param {Read[]} cells @param {number} limit */
  #colours(cells, limit) {
    const { theme } = this.view;
    const numbers = cells.map(({ value }) => numberText(value, language(), '1'));
    return html`<div class="colours" role="img" aria-label=${numbers.join('; ')}>
      ${cells.map(
        ({ node, index, value }) => html`<i
          data-node=${node}
          data-index=${index.join()}
          data-value=${shortest(value)}
          title=${shortest(value)}
          style=${styleMap({ background: css(fill(value, 'signed', limit, theme)) })}
        ></i>`,
      )}
    </div>`;
  }
}

customElements.define('gf-keys', Keys);
