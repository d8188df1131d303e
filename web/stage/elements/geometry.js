// The geometric view of a step: scores are how far keys reach along a query, an output is a blend of values.
import { html, nothing } from 'lit';
import { axes, labels, role, symbol } from '../draw/names.js';
import { headOf, here } from '../draw/panels.js';
import { offset } from '../draw/tensor.js';
import { page } from '../draw/window.js';
import { knownOf } from '../telling/words.js';
import './arrows.js';
import { ViewElement } from './base.js';
import '../../style/geometry.css';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('./arrows.js').Arrow} Arrow */

/** More arrows could not be told from each other: of more rows those around the present one are shown. */
const MAX_ARROWS = 8;

export class Geometry extends ViewElement {
  render() {
    const { view } = this;
    const { stage, trace } = view;
    const [left, above] = stage.inputs.slice(0, 2).map((name) => trace.step(String(name)));
    const { row, column } = here(view);
    const rows = Number(above.shape.at(-2));
    const scores = stage.attributes.transposed === 1;
    const { from, count } = page(rows, MAX_ARROWS, scores ? column : row);
    const others = Array.from({ length: count }, (_, i) => this.#arrow(above, from + i));
    const subject = JSON.stringify([
      view.example.title,
      stage.name,
      view.head,
      scores && row,
      from,
    ]);
    if (!scores) {
      const weights = Array.from({ length: count }, (_, i) =>
        valueAt(left, this.#at(left, row, from + i)),
      );
      return html`<gf-arrows .view=${view} .subject=${subject} .arrows=${others} .weights=${weights}></gf-arrows>`;
    }
    const query = this.#arrow(left, row);
    const key = others[column - from] ?? others[0];
    return html`<gf-arrows
      .view=${view}
      .subject=${subject}
      .arrows=${[query, ...others]}
      .project=${key ? [query, key] : nothing}
    ></gf-arrows>`;
  }

  /** Of a step that may have heads. @param {Step} step @param {number[]} place */
  #at(step, ...place) {
    return step.shape.length === 3 ? [headOf(this.view, step), ...place] : place;
  }

  /** @param {Step} step @param {number} row @returns {Arrow} */
  #arrow(step, row) {
    const { view } = this;
    const width = Number(step.shape.at(-1));
    const cells = Array.from({ length: width }, (_, i) => ({
      node: step.name,
      index: this.#at(step, row, i),
    }));
    const [name] = labels(axes(step).rows, 1, knownOf(step, view), row);
    return {
      cells,
      row: cells.map(({ index }) => valueAt(step, index)),
      kind: role(step),
      name,
      sub: symbol(step),
      moves: view.editable(step),
    };
  }
}

/** @param {Step} step @param {number[]} index */
const valueAt = (step, index) => step.data[offset(step.shape, index)];

customElements.define('gf-geometry', Geometry);
