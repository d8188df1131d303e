// The rows of a scene as arrows in the plane, below the sentence that they are of.
import { html, nothing } from 'lit';
import { role, symbol } from '../stage/draw/names.js';
import '../stage/elements/arrows.js';
import { cellsOf, rowOf } from './core.js';
import { keyEndsOf } from './lenses.js';
import { Picture } from './picture.js';
import { SentenceRoom, sentenceOf } from './sentence.js';
import { cellsIn, scopeIn, tokenOf } from './telling.js';

/** How high the lines of its sentence may rise. */
const RISE = 80;

/** @extends {Picture<'plane'>} */
export class Plane extends Picture {
  room = new SentenceRoom(this);

  /** @param {string} path @returns {import('../stage/elements/arrows.js').Arrow} */
  #arrow(path) {
    const { trace, example } = this.view;
    const scope = scopeIn(this.view);
    const cells = cellsOf(path, scope);
    const step = trace.step(cells[0].node);
    return {
      cells,
      row: rowOf(path, scope),
      kind: role(step),
      name: example.tokens[tokenOf(cells, this.view)] ?? '',
      sub: symbol(step),
      moves: path === this.moves,
      beam: role(step) === 'q',
    };
  }

  /** The token that asks, and what is known of its lines: the scores of the keys that are drawn, or its weights.
   * @param {import('../stage/elements/arrows.js').Arrow[]} arrows @param {readonly number[] | null} weights */
  #sentence(arrows, weights) {
    const { view, picture, hides } = this;
    const scope = scopeIn(view);
    const asking = picture.blend
      ? cellsOf(picture.blend, scope)
      : arrows.find(({ kind }) => kind === 'q')?.cells;
    if (!asking) return nothing;
    const row = tokenOf(asking, view);
    const keys = arrows.filter(({ kind }) => kind === 'k').map(({ cells }) => tokenOf(cells, view));
    /* Where one token asks alone, its scores are a matrix of one row. */
    const of = asking[0].index.at(-2);
    return sentenceOf({
      parts: [{ words: view.example.tokens }],
      row,
      ...(weights && { weights, cellOf: (j) => asking[j] }),
      scores: keys.flatMap((key) => {
        const path = `scores[${of},${key}]`;
        return cellsIn(path, scope).map((cell) => ({
          of: key,
          cell,
          value: hides ? null : rowOf(path, scope)[0],
        }));
      }),
      grown: 1,
      within: this,
      room: this.room.units,
      rise: weights || keys.length ? RISE : 0,
    });
  }

  render() {
    if (!this.view) return nothing;
    const { arrows, project, blend } = this.picture;
    const all = arrows.map((path) => this.#arrow(path));
    const pair = project?.map((path) => this.#arrow(path));
    const weights = blend ? rowOf(blend, scopeIn(this.view)) : null;
    return html`${this.#sentence(all, weights)}<gf-arrows
      .view=${this.view}
      .subject=${JSON.stringify(this.picture)}
      .arrows=${all}
      .project=${pair ?? null}
      .weights=${weights && all.map(({ cells: [{ index }] }) => weights[index.at(-2) ?? 0])}
      .ends=${weights ? undefined : keyEndsOf(this.view)}
      .hides=${this.hides}
    ></gf-arrows>`;
  }
}

customElements.define('gf-plane', Plane);
