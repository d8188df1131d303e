// A text up to one of its tokens, with how much each of them is looked at from there, and what comes next.
import { html } from 'lit';
import { text } from '../locale/text.js';
import { cellsOf, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn } from './telling.js';
import { coming, shared } from './translated.js';
import './tokens.css';

/** The least share that is told: one of more than 0 %. */
const TOLD = 0.005;

/** @extends {Picture<'tokens'>} */
export class Tokens extends Picture {
  render() {
    const { picture, hides } = this;
    const scope = scopeIn(this.view);
    const { tokens, next = [] } = scope.words;
    const shares = rowOf(picture.row, scope);
    const at = Number(cellsOf(picture.row, scope)[0].index.at(-2));
    return html`<div class="translated told">
      <ol class="source" lang="en" aria-label=${text('lessons/tokens/text')}>
        ${tokens.slice(0, at + 1).map((token, j) => shared(token, hides || shares[j] < TOLD ? null : shares[j]))}
        <li>${coming(hides ? '' : next[at])}</li>
      </ol>
    </div>`;
  }
}

customElements.define('gf-tokens', Tokens);
