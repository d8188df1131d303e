// What travels over the matrices of a figure while time passes. It is drawn anew for each time, by transforms alone.
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { css, ink } from '../draw/colour.js';
import { size as sizeOf } from '../draw/crossing.js';
import { decimalsOf, inCells } from '../draw/format.js';
import { offset } from '../draw/tensor.js';
import { motions } from '../motion/index.js';
import { Base } from './base.js';
import { fillOf, Grid } from './grid.js';
import '../style/motion.css';

/** @typedef {import('../motion/index.js').Traveller} Traveller */

export class Motion extends Base {
  static properties = { view: { attribute: false }, unit: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../state/view.js').View} */
    this.view = /** @type {any} */ (null);
    this.unit = 1;
  }

  /** After the matrices, since it asks where their cells are. */
  async scheduleUpdate() {
    await Promise.all(this.#grids.map((grid) => grid.updateComplete));
    super.scheduleUpdate();
  }

  get #grids() {
    const all = [...(this.parentElement?.querySelectorAll('gf-matrix, gf-heatmap') ?? [])];
    return /** @type {Grid[]} */ (all.filter((grid) => grid instanceof Grid));
  }

  render() {
    const { motion, progress, moment, now, stage, trace, session } = this.view;
    if (!motion || progress === 1) return nothing;
    const explain = (/** @type {import('../draw/tensor.js').Cell} */ cell) =>
      session.explain(trace, cell);
    const told = /** @type {any} */ (now && explain(now));
    const grids = this.#grids;
    const seen = motions[motion]({
      ...this.#places(grids),
      step: stage,
      told,
      moment,
      progress,
      explain,
    });
    return repeat(
      seen.filter(({ opacity }) => opacity > 0),
      ({ key }) => key,
      (traveller) => this.#traveller(traveller, grids),
    );
  }

  /** @param {Grid[]} all @returns {Pick<import('../motion/index.js').Scene, 'place' | 'cells'>} */
  #places(all) {
    const own = /** @type {HTMLElement} */ (this.parentElement);
    const origin = own.getBoundingClientRect();
    /* A figure in slides may be shown larger or smaller than it is. */
    const scale = origin.width / own.offsetWidth || 1;
    const grids = all.map((grid) => {
      const box = /** @type {Element} */ (grid.firstElementChild).getBoundingClientRect();
      return {
        grid,
        left: (box.left - origin.left) / scale,
        top: (box.top - origin.top) / scale,
      };
    });
    /** @type {(one: typeof grids[number], row: number, column: number) => import('../motion/index.js').Box} */
    const boxOf = ({ grid: { size }, left, top }, row, column) => ({
      left: left + column * size.width,
      top: top + row * size.height,
      width: size.width,
      height: size.height,
    });
    return {
      place(cell, operand = -1) {
        const shown = grids.filter(({ grid }) => grid.placeOf(cell));
        const one = shown.find(({ grid }) => grid.operand === operand) ?? shown[0];
        const at = one?.grid.placeOf(cell);
        return at ? boxOf(one, at.row, at.column) : null;
      },
      cells(operand) {
        const one = grids.find(({ grid }) => grid.operand === operand);
        if (!one) return [];
        const { rows, columns } = one.grid.layout;
        return Array.from({ length: rows * columns }, (_, at) => {
          const [row, column] = [Math.floor(at / columns), at % columns];
          return { cell: one.grid.cellAt(row, column), box: boxOf(one, row, column) };
        });
      },
    };
  }

  /** @param {Traveller} traveller @param {Grid[]} grids */
  #traveller({ box, size, opacity, of, value, sign = '', look }, grids) {
    const { mode } = sizeOf(size.width, size.height, this.unit);
    const { node } = of ?? this.view.now ?? { node: '' };
    const decimals = decimalsOf(this.view.trace, node);
    const values = value === undefined ? [] : [value];
    const { write, font } = inCells(values, size, { unit: this.unit, decimals });
    /* A copy reads as its cell does. */
    const grid = grids.find(({ step }) => step.name === node);
    const shown = value === undefined || mode === 'colours' ? '' : (grid?.write ?? write)(value);
    const words = [sign, shown].filter(Boolean).join(' ');
    const rgb = of && this.#fill(of);
    const colours = rgb ? `background:${css(rgb)};color:${ink(rgb)};` : '';
    const scale = `scale(${box.width / size.width},${box.height / size.height})`;
    return html`<div
      class="traveller"
      data-look=${look ?? (of ? 'copy' : value === undefined ? 'sign' : 'sum')}
      style="${colours}width:${size.width}px;height:${size.height}px;font-size:${font}px;opacity:${opacity};transform:translate(${box.left}px,${box.top}px) ${scale}"
    ><span>${words}</span></div>`;
  }

  /** @param {import('../draw/tensor.js').Cell} cell */
  #fill({ node, index }) {
    const step = this.view.trace.step(node);
    return step.kind === 'ids' ? null : fillOf(this.view, step, offset(step.shape, index));
  }
}

customElements.define('gf-motion', Motion);
