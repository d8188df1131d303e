// The rows of a scene as arrows in the plane.
import { html, nothing } from 'lit';
import { role, symbol } from '../stage/draw/names.js';
import '../stage/elements/arrows.js';
import { cellsOf, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn } from './telling.js';

/** @extends {Picture<'plane'>} */
export class Plane extends Picture {
  /** @param {string} path @returns {import('../stage/elements/arrows.js').Arrow} */
  #arrow(path) {
    const { trace, example } = this.view;
    const scope = scopeIn(this.view);
    const cells = cellsOf(path, scope);
    const [{ node, index }] = cells;
    const step = trace.step(node);
    return {
      cells,
      row: rowOf(path, scope),
      kind: role(step),
      name: example.tokens[index.at(-2) ?? 0] ?? '',
      sub: symbol(step),
      moves: path === this.moves,
    };
  }

  render() {
    if (!this.view) return nothing;
    const { arrows, project, blend } = this.picture;
    const all = arrows.map((path) => this.#arrow(path));
    const pair = project?.map((path) => this.#arrow(path));
    const weights = blend ? rowOf(blend, scopeIn(this.view)) : null;
    return html`<gf-arrows
      .view=${this.view}
      .subject=${JSON.stringify(this.picture)}
      .arrows=${all}
      .project=${pair ?? null}
      .weights=${weights && all.map(({ cells: [{ index }] }) => weights[index.at(-2) ?? 0])}
      .hides=${this.hides}
    ></gf-arrows>`;
  }
}

customElements.define('gf-plane', Plane);
