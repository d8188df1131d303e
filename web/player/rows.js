// A table of tokens, with what each column means, and what matrices make of one of its rows: numbers, and the arrow of these.
import { html, nothing, svg } from 'lit';
import { listed } from '../app/locale/text.js';
import { display, shortest } from '../stage/draw/format.js';
import { symbol } from '../stage/draw/names.js';
import { letter } from '../stage/telling/number.js';
import { arrowOf, axes, planeOf, SIZE } from './lens-plane.js';
import { farthest, ROOM } from './lenses.js';
import { Picture } from './picture.js';
import { worded } from './telling.js';
import './rows.css';

/** @typedef {import('./lenses.js').Lens} Lens */
/** @typedef {import('./lenses.js').Point} Point */

/** @extends {Picture<'rows'>} */
export class Rows extends Picture {
  static properties = { ...Picture.properties, chosen: { state: true } };

  constructor() {
    super();
    /** The row that is multiplied. */
    this.chosen = 0;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has('picture')) return;
    const { data } = this.view.trace.step('tokens');
    /* Where queries are made, the word that asks. */
    this.chosen = this.picture.lenses.includes('w_q') ? Number(data[data.length - 1]) : 0;
  }

  /** @param {string} name @returns {number[][]} */
  #matrix(name) {
    const { shape, data } = this.view.trace.step(name);
    const [height, width] = shape;
    return Array.from({ length: height }, (_, i) =>
      Array.from(data.slice(i * width, (i + 1) * width)),
    );
  }

  get #words() {
    return this.view.example.vocabulary ?? [];
  }

  render() {
    if (!this.view) return nothing;
    const { table, columns, lenses } = this.picture;
    const rows = this.#matrix(table);
    const matrices = lenses.map((lens) => this.#matrix(lens));
    /* What no lens of the scene reads is pale. */
    const isRead = columns.map((_, i) => matrices.some((matrix) => matrix[i].some(Boolean)));
    return html`<div class="rows">
      <table>
        <thead>
          <tr>
            <td></td>
            ${columns.map((column, i) => html`<th scope="col" class=${isRead[i] ? '' : 'unread'}>${worded(column)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row, id) => this.#row(row, id, isRead))}
        </tbody>
      </table>
      <div class="lenses">
        ${lenses.map((lens, i) => this.#lens(lens, matrices[i], rows))}
      </div>
    </div>`;
  }

  /** @param {number[]} row @param {number} id @param {boolean[]} isRead */
  #row(row, id, isRead) {
    const choose = () => {
      this.chosen = id;
    };
    return html`<tr class=${id === this.chosen ? 'chosen' : ''} @click=${choose}>
      <th scope="row"><button aria-pressed=${id === this.chosen}>${this.#words[id]}</button></th>
      ${row.map((x, i) => cell(x, this.picture.table, [id, i], isRead[i]))}
    </tr>`;
  }

  /** @param {Lens} lens @param {number[][]} matrix @param {number[][]} rows */
  #lens(lens, matrix, rows) {
    const name = symbol(this.view.trace.step(lens));
    const role = name.below.toLowerCase();
    const made = /** @type {Point[]} */ (this.view.session.core.matmul(rows, matrix));
    const tip = made[this.chosen];
    const arrow = { token: this.#words[this.chosen], tip, cells: [] };
    const plane = planeOf(ROOM * farthest(made.map((one) => ({ tip: one }))));
    const numbers = this.hides ? ['?', '?'] : tip.map((x) => display(x));
    return html`<figure class=${`role-${role}`}>
      <figcaption>
        ${letter(name)} <span role="status">${name.below} ${arrow.token} = (${listed(numbers)})</span>
      </figcaption>
      <table>
        <tbody>
          ${matrix.map((row, i) => html`<tr>${row.map((x, j) => cell(x, lens, [i, j], true))}</tr>`)}
        </tbody>
      </table>
      ${svg`<svg viewBox="0 0 ${SIZE} ${SIZE}" aria-hidden="true">${axes} ${
        this.hides ? nothing : arrowOf(plane, arrow, { role })
      }</svg>`}
    </figure>`;
  }
}

/** @param {number} value @param {string} node @param {number[]} index @param {boolean} isRead */
const cell = (value, node, index, isRead) => html`<td
  class=${`number ${isRead && value ? '' : 'unread'}`}
  data-node=${node}
  data-index=${index.join()}
  data-value=${shortest(value)}
  >${display(value)}</td
>`;

customElements.define('gf-rows', Rows);
