// Draws copies of cells that move over the matrices of a figure. It draws them once for each moment and measures the
// matrices once; a frame changes only transforms and opacities.
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { text } from '../../app/locale/text.js';
import { css, ink } from '../draw/colour.js';
import { size as sizeOf } from '../draw/crossing.js';
import { decimalsOf, inCells } from '../draw/format.js';
import { lookOf } from '../draw/look.js';
import { offset } from '../draw/tensor.js';
import { motions } from '../motion/index.js';
import { drawingOf } from '../ops.js';
import { ViewElement } from './base.js';
import { Grid, ownFrame } from './grid.js';
import { digitOf } from './lettering.js';
import { isPresented } from './room.js';
import '../../style/motion.css';

/** @typedef {import('../motion/index.js').Traveller} Traveller */
/** @typedef {import('../motion/index.js').Scene} Scene */

/** How much smaller digits may become while they fly. */
const LEAST = 0.6;

export class Motion extends ViewElement {
  static properties = {
    room: { attribute: false },
    unit: { attribute: false },
  };

  constructor() {
    super();
    /** Another one where the matrices stand elsewhere. @type {object | null} */
    this.room = null;
    this.unit = 1;
    /** What is told, and where; null while nothing moves. @type {Omit<Scene, 'progress'> | null} */
    this.scene = null;
    /** What is drawn of the travellers, in their order. @type {HTMLElement[]} */
    this.drawn = [];
    /** What the scene is made of. @type {unknown[]} */
    this.drawnFrom = [];
  }

  /** After the matrices, since it asks where their cells are; while time passes, in a frame of its own. */
  async scheduleUpdate() {
    const { view, room } = this;
    if (this.drawnFrom[0] !== view?.still || this.drawnFrom[1] !== room) {
      await this.#matricesDrawn();
      if (view?.playing) {
        await ownFrame();
        /* Another step may have begun meanwhile. */
        if (this.#grids.some(({ isUpdatePending }) => isUpdatePending)) {
          await this.#matricesDrawn();
          await ownFrame();
        }
      }
    }
    await super.scheduleUpdate();
  }

  #matricesDrawn() {
    return Promise.all(this.#grids.map((grid) => grid.updateComplete));
  }

  get #grids() {
    const all = [...(this.parentElement?.querySelectorAll('gf-matrix, gf-heatmap') ?? [])];
    return /** @type {Grid[]} */ (all.filter((grid) => grid instanceof Grid));
  }

  /** @param {Map<string, unknown>} changed */
  shouldUpdate(changed) {
    if (!this.stands(changed)) return true;
    this.#moveTravellers();
    return false;
  }

  render() {
    const { motion, still } = this.view;
    this.drawnFrom = [still, this.room];
    this.scene = null;
    if (!motion) return nothing;
    const grids = this.#grids;
    this.scene = this.#sceneOf(grids);
    return repeat(
      this.#travellers,
      ({ key }) => key,
      (traveller) => this.#traveller(traveller, grids),
    );
  }

  updated() {
    this.drawn = [...this.querySelectorAll('.traveller')].map(
      (element) => /** @type {HTMLElement} */ (element),
    );
    this.#moveTravellers();
  }

  get #travellers() {
    const { motion, progress } = this.view;
    return motion && this.scene ? motions[motion]({ ...this.scene, progress }) : [];
  }

  #moveTravellers() {
    for (const [i, { box, size, opacity, folded = 0 }] of this.#travellers.entries()) {
      const { style } = this.drawn[i];
      style.opacity = String(opacity);
      if (opacity === 0) continue;
      const [across, down] = [box.width / size.width, box.height / size.height];
      const turned = `${1 - folded},${(folded * size.height) / size.width},${(folded * size.width) / size.height},${1 - folded}`;
      const fold = folded ? ` matrix(${turned},0,0)` : '';
      style.transform = `translate(${box.left}px,${box.top}px) scale(${across},${down})${fold}`;
      /* Digits are never stretched, and none are shown that would be too small. */
      const words = this.drawn[i].firstElementChild;
      const least = Math.min(across, down);
      if (!(words instanceof HTMLSpanElement) || across === down) continue;
      words.style.transform = `scale(${least / across},${least / down})`;
      words.style.opacity = String(Number(least > LEAST));
    }
  }

  /** @param {Grid[]} all @returns {Omit<Scene, 'progress'>} */
  #sceneOf(all) {
    const { begun, moment, now, current, stage, trace, session } = this.view;
    const parent = /** @type {HTMLElement} */ (this.parentElement);
    const origin = parent.getBoundingClientRect();
    /* A figure in slides may be shown larger or smaller than it is. */
    const scale = origin.width / parent.offsetWidth || 1;
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
    const panels = (/** @type {number} */ operand) =>
      grids
        .filter(({ grid }) => grid.operand === operand)
        .map((one) => {
          const { rows, columns } = one.grid.layout;
          const cells = Array.from({ length: rows * columns }, (_, place) => {
            const [row, column] = [Math.floor(place / columns), place % columns];
            return { cell: one.grid.cellAt(row, column), box: boxOf(one, row, column) };
          });
          return { cells, rows, columns, here: one.grid.placeOf(current) !== null };
        });
    const explain = (/** @type {import('../draw/tensor.js').Cell} */ cell) =>
      session.explain(trace, cell);
    return {
      step: stage,
      crosses: drawingOf(stage).crosses === true,
      told: /** @type {any} */ (now && explain(now)),
      begun,
      moment,
      explain,
      panels,
      place(cell, operand = -1) {
        const shown = grids.filter(({ grid }) => grid.placeOf(cell));
        const one = shown.find(({ grid }) => grid.operand === operand) ?? shown[0];
        const position = one?.grid.placeOf(cell);
        return position ? boxOf(one, position.row, position.column) : null;
      },
      cells(operand) {
        const all = panels(operand);
        return (all.find(({ here }) => here) ?? all[0])?.cells ?? [];
      },
    };
  }

  /** @param {Traveller} traveller @param {Grid[]} grids */
  #traveller({ size, of, value, sign = '', look, picture, sample }, grids) {
    const kind = look ?? (of ? 'copy' : value === undefined ? 'sign' : 'sum');
    const { mode } = sizeOf(size.width, size.height, this.unit);
    const { node } = of ?? this.view.now ?? { node: '' };
    const decimals = decimalsOf(this.view.trace, node);
    const values = value === undefined ? [] : [value];
    const { write, font } = inCells(values, size, {
      unit: this.unit,
      decimals,
      isSlide: isPresented(this),
      digit: digitOf(this),
    });
    /* A copy reads as its cell does. */
    const grid = grids.find(({ step }) => step.name === node);
    const shown = value === undefined || mode === 'colours' ? '' : (grid?.write ?? write)(value);
    const words = sample ? text('stage/sample', sample) : [sign, shown].filter(Boolean).join(' ');
    const written = sample ? '' : `font-size:${font}px`;
    return html`<div
      class="traveller"
      data-look=${kind}
      style="${of ? this.#colours(of) : ''}width:${size.width}px;height:${size.height}px;${written}"
    >${picture ? this.#picture(picture, grids) : words ? html`<span>${words}</span>` : nothing}</div>`;
  }

  /** @param {import('../draw/tensor.js').Cell} cell */
  #colours(cell) {
    const rgb = this.#fill(cell);
    return rgb ? `background:${css(rgb)};color:${ink(rgb)};` : '';
  }

  /** Cells with their numbers, as the matrix that they come from writes them; of colours alone, one pixel for each, which
   * the browser enlarges.
   * @param {NonNullable<Traveller['picture']>} picture @param {Grid[]} grids */
  #picture({ cells, columns, mute }, grids) {
    const grid = mute ? undefined : grids.find(({ step }) => step.name === cells[0].node);
    const canvas = document.createElement('canvas');
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const dense = devicePixelRatio;
    const { width, height } = grid?.write
      ? { width: dense * grid.size.width, height: dense * grid.size.height }
      : { width: 1, height: 1 };
    canvas.width = columns * width;
    canvas.height = (cells.length / columns) * height;
    if (grid?.write) {
      const { fontSize, fontFamily } = getComputedStyle(grid.querySelector('.cell') ?? grid);
      canvas.className = 'written';
      Object.assign(context, { textAlign: 'center', textBaseline: 'middle' });
      context.font = `${dense * Number.parseFloat(fontSize)}px ${fontFamily}`;
    }
    const { color } = getComputedStyle(this);
    for (const [i, cell] of cells.entries()) {
      const rgb = this.#fill(cell);
      const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
      context.fillStyle = rgb ? css(rgb) : 'transparent';
      context.fillRect(x, y, width, height);
      if (!grid?.write) continue;
      const { data, shape } = this.view.trace.step(cell.node);
      context.fillStyle = rgb ? ink(rgb) : color;
      const words = grid.write(data[offset(shape, cell.index)]);
      context.fillText(words, x + width / 2, y + height / 2, width);
    }
    return canvas;
  }

  /** @param {import('../draw/tensor.js').Cell} cell */
  #fill({ node, index }) {
    const step = this.view.trace.step(node);
    const { rgb, isBare } = lookOf(this.view, step, offset(step.shape, index));
    return isBare ? null : rgb;
  }
}

customElements.define('gf-motion', Motion);
