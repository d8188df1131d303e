// A text up to one of its tokens, with the attention weights of that token, and what comes next.
import { html } from 'lit';
import { text } from '../app/locale/text.js';
import { cellsOf, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn } from './telling.js';
import { nextWord, weightedWord } from './translated.js';
import './tokens.css';

/** A smaller weight is rounded to 0 %, and not written. */
const SMALLEST_SHOWN = 0.005;

/** @extends {Picture<'tokens'>} */
export class Tokens extends Picture {
  render() {
    const { picture, hides } = this;
    const scope = scopeIn(this.view);
    const { tokens, next = [] } = scope.words;
    const weights = rowOf(picture.row, scope);
    const row = Number(cellsOf(picture.row, scope)[0].index.at(-2));
    const shown = weights.map((weight) => (hides || weight < SMALLEST_SHOWN ? null : weight));
    return html`<div class="translated told">
      <ol class="source" lang="en" aria-label=${text('lessons/tokens/text')}>
        ${tokens.slice(0, row + 1).map((token, j) => weightedWord(token, shown[j]))}
        <li>${nextWord(hides ? '' : next[row])}</li>
      </ol>
    </div>`;
  }
}

customElements.define('gf-tokens', Tokens);
