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
    const { row = '' } = this.picture;
    const scope = scopeIn(view);
    /* A step that is taken out has no weights. */
    const cells = cellsIn(row, scope);
    if (cells.length === 0) return '';
    const values = rowOf(row, scope);
    const placeOf = (/** @type {number} */ i) => Number(cells[i].index.at(-1));
    const scores = cells.map((cell, i) => ({
      of: placeOf(i),
      cell,
      value: hides ? null : values[i],
    }));
    const { role, op } = view.trace.step(cells[0].node);
    /* The steps of an exercise have no roles. */
    const isScore = role ? role === 'score' : op === 'matmul';
    return sentenceOf({
      parts: [{ words: view.example.tokens }],
      row: tokenOf(cells, view),
      ...(isScore ? { scores } : { weights: values, cellOf: (j) => cells[j] }),
      grown: Number(!hides),
      asked: true,
      within: this,
      rise: RISE,
    });
  }
}

customElements.define('gf-attending', Attending);
