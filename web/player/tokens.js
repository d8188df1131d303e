// A text up to one of its tokens, with lines to those that this one attends to, and what comes next; or several heads over one text.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { cellsOf, rowOf } from './core.js';
import { Picture } from './picture.js';
import { SentenceRoom, sentenceOf } from './sentence.js';
import { cellsIn, scopeIn, tokenOf } from './telling.js';
import './tokens.css';

/** Of stories, which are in English. */
const START = '<start>';
const LOGITS = 'logits[0]';
/** How high lines may rise: of one head alone, of one of several; of one alone, from one line of writing to the next. */
const [HIGH, LOW, PITCH] = [190, 76, 180];
/** Of several heads, a smaller weight is not written: their lines are to be compared. */
const WRITTEN = 0.1;
/** How much smaller a text may be, before it has several lines: lines that lead from one to another are hard to follow. */
const SMALLER = 0.75;

/** What comes after a token: as the example says, or the likeliest word of an exercise with logits; empty where none is known.
 * @param {import('./telling.js').Scope} scope @param {number} row */
function nextIn(scope, row) {
  const { next, source } = scope.words;
  if (next || !source || !cellsIn(LOGITS, scope).length) return next?.[row] ?? '';
  const logits = rowOf(LOGITS, scope);
  return source[logits.indexOf(Math.max(...logits))] ?? '';
}

/** @extends {Picture<'tokens'>} */
export class Tokens extends Picture {
  room = new SentenceRoom(this);

  render() {
    const { heads, row } = this.picture;
    if (!heads) return html`<div class="tokens">${this.#attending(row, HIGH)}</div>`;
    /* Rows of one head are told apart by the token that asks. */
    const isOfOne = new Set(heads.map((one) => one.replace(/\d+\]$/, ''))).size === 1;
    return html`<ol class="tokens abreast" style=${`--heads: ${heads.length}`}>
      ${heads.map(
        (path, i) => html`<li>
          ${isOfOne ? nothing : html`<span class="label">${text('lessons/tokens/head', { n: i + 1 })}</span>`}
          ${this.#attending(path, LOW)}
        </li>`,
      )}
    </ol>`;
  }

  /** The text up to the token that a row of weights is of; of several heads, none says what comes next.
   * @param {string | undefined} path @param {number} rise */
  #attending(path, rise) {
    const { hides } = this;
    const scope = scopeIn(this.view);
    const { tokens } = scope.words;
    const cells = path ? cellsOf(path, scope) : [];
    const row = path ? tokenOf(cells, this.view) : tokens.length - 1;
    const weights = path ? rowOf(path, scope) : [];
    /* Without a mask a token attends to later ones, too. */
    const last = Math.max(
      row,
      weights.findLastIndex((weight) => weight > 0),
    );
    return sentenceOf({
      parts: [{ words: tokens.slice(0, last + 1), ...(tokens[0] === START && { lang: 'en' }) }],
      row: path ? row : -1,
      weights: weights.slice(0, last + 1),
      ...(rise === HIGH
        ? { next: hides ? '' : nextIn(scope, row), pitch: PITCH }
        : { least: WRITTEN }),
      rise,
      grown: Number(!hides),
      asked: hides,
      cellOf: (j) => cells[j],
      within: this,
      room: this.room.units / (rise === LOW ? SMALLER : 1),
      alone: this.room.units / SMALLER,
    });
  }
}

customElements.define('gf-tokens', Tokens);
