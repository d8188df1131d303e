// The sentence above the matrices of a scene: the token whose row they compute asks, and lines lead to the others.
import { rowOf } from './core.js';
import { Picture } from './picture.js';
import { sentenceOf } from './sentence.js';
import { cellsIn, scopeIn, tokenOf } from './telling.js';

/** How high its lines may rise. */
const RISE = 56;

/** @extends {Picture<'stage'>} */
export class Attending extends Picture {
  render() {
    const { view, hides } = this;
    const { row: path = '' } = this.picture;
    const scope = scopeIn(view);
    /* A step that is taken out has no weights. */
    const cells = cellsIn(path, scope);
    if (cells.length === 0) return '';
    const values = rowOf(path, scope);
    const placeOf = (/** @type {number} */ i) => Number(cells[i].index.at(-1));
    const scores = cells.map((cell, i) => ({
      of: placeOf(i),
      cell,
      value: hides ? null : values[i],
    }));
    const isScore = view.trace.step(cells[0].node).role === 'score';
    const { tokens, next } = view.example;
    const row = tokenOf(cells, view);
    return sentenceOf({
      parts: [{ words: tokens }],
      row,
      ...(isScore ? { scores } : { weights: values, cellOf: (j) => cells[j] }),
      /* A head that is off attends to nothing. */
      grown: Number(!hides && values.some(Boolean)),
      asked: true,
      ...(next && { next: next[row] ?? '' }),
      within: this,
      rise: RISE,
    });
  }
}

customElements.define('gf-attending', Attending);
