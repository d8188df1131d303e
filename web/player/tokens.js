// A text up to one of its tokens, with the attention weights of that token, and what comes next.
import { html } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../app/locale/text.js';
import { css, fill, ink } from '../stage/draw/colour.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn } from './telling.js';
import { isStop, nextWord, weightedWord } from './translated.js';
import './tokens.css';

/** A smaller weight is not written, and a bar tells it: of short words, two would stand in one place. */
const SMALLEST_WRITTEN = 0.025;

/** @extends {Picture<'tokens'>} */
export class Tokens extends Picture {
  render() {
    const { picture, hides } = this;
    if (picture.heads) return this.#heads(picture.heads);
    const scope = scopeIn(this.view);
    const { tokens, next = [] } = scope.words;
    const isBare = hides || !picture.row;
    const weights = picture.row ? rowOf(picture.row, scope) : [];
    const row = picture.row
      ? Number(cellsOf(picture.row, scope)[0].index.at(-2))
      : tokens.length - 1;
    return html`<div class="translated told ${isBare ? 'bare' : ''} ${picture.row ? 'starts' : ''}">
      <ol class="source" lang="en" aria-label=${text('lessons/tokens/text')}>
        ${tokens.slice(0, row + 1).map((token, j) => weightedWord(token, isBare ? null : weights[j], SMALLEST_WRITTEN))}
        <li>${nextWord(hides ? '' : next[row])}</li>
      </ol>
    </div>`;
  }

  /** Several heads, one below the other: the same text in each, a word the darker the more attention it gets.
   * @param {readonly string[]} paths */
  #heads(paths) {
    const scope = scopeIn(this.view);
    const { theme } = this.view;
    const { tokens } = scope.words;
    return html`<ol class="abreast">
      ${paths.map((path, i) => {
        const [{ index }] = cellsOf(path, scope);
        const weights = rowOf(path, scope).slice(0, Number(index.at(-2)) + 1);
        const most = weights.indexOf(Math.max(...weights));
        return html`<li>
          <span class="label">${text('lessons/tokens/head', { n: i + 1 })}</span>
          <p lang="en">
            ${weights.map((weight, j) => {
              const rgb = fill(this.hides ? 0 : weight, 'probability', 1, theme);
              const isMost = !this.hides && j === most;
              return html`<span
                class=${isMost ? 'most' : ''}
                style=${styleMap({ background: css(rgb), color: ink(rgb) })}
                >${tokens[j]}${isMost ? html` <small>${numberText(weight, language(), 'percent')}</small>` : ''}</span
              >${isStop(tokens[j + 1] ?? '') ? '' : ' '}`;
            })}
          </p>
        </li>`;
      })}
    </ol>`;
  }
}

customElements.define('gf-tokens', Tokens);
