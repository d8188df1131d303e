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

/** @typedef {import('../motion/index.js').Traveller} Traveller */

/** Where nothing moves: for readers who ask for that, and on paper. */
const STILL = ['(prefers-reduced-motion: reduce)', 'print'].map((query) => matchMedia(query));

/** Knows whether things move, and draws its host anew when that changes. */
export class Moving {
  /** @param {import('lit').LitElement} host */
  constructor(host) {
    this.changed = () => host.requestUpdate();
    host.addController(this);
  }

  get now() {
    return !STILL.some(({ matches }) => matches);
  }

  hostConnected() {
    for (const query of STILL) query.addEventListener('change', this.changed);
  }

  hostDisconnected() {
    for (const query of STILL) query.removeEventListener('change', this.changed);
  }
}

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
    const { motion, progress, moment, now, trace, session } = this.view;
    if (!motion || !now || progress === 1) return nothing;
    const told = session.explain(trace, now);
    const seen = motions[motion]({ told, moment, progress, place: this.#places() });
    return repeat(
      seen.filter(({ opacity }) => opacity > 0),
      ({ key }) => key,
      (traveller) => this.#traveller(traveller),
    );
  }

  /** @returns {import('../motion/index.js').Scene['place']} */
  #places() {
    const own = /** @type {HTMLElement} */ (this.parentElement);
    const origin = own.getBoundingClientRect();
    /* A figure in slides may be shown larger or smaller than it is. */
    const scale = origin.width / own.offsetWidth || 1;
    const grids = this.#grids.map((grid) => {
      const box = /** @type {Element} */ (grid.firstElementChild).getBoundingClientRect();
      return {
        grid,
        left: (box.left - origin.left) / scale,
        top: (box.top - origin.top) / scale,
      };
    });
    return (cell, operand = -1) => {
      const shown = grids.flatMap(({ grid, left, top }) => {
        const place = grid.placeOf(cell);
        if (!place) return [];
        const { width, height } = grid.size;
        const box = { left: left + place.column * width, top: top + place.row * height };
        return [{ operand: grid.operand, box: { ...box, width, height } }];
      });
      return (shown.find((one) => one.operand === operand) ?? shown[0])?.box ?? null;
    };
  }

  /** @param {Traveller} traveller */
  #traveller({ box, size, opacity, of, value, sign = '' }) {
    const { mode } = sizeOf(size.width, size.height, this.unit);
    const { node } = of ?? this.view.now ?? { node: '' };
    const decimals = decimalsOf(this.view.trace, node);
    const values = value === undefined ? [] : [value];
    const { write, font } = inCells(values, size, { unit: this.unit, decimals });
    const shown = value === undefined || mode === 'colours' ? '' : write(value);
    const words = [sign, shown].filter(Boolean).join(' ');
    const rgb = of && this.#fill(of);
    const look = rgb ? `background:${css(rgb)};color:${ink(rgb)};` : '';
    const scale = `scale(${box.width / size.width},${box.height / size.height})`;
    return html`<div
      class="traveller ${of ? 'copy' : value === undefined ? 'sign' : 'sum'}"
      style="${look}width:${size.width}px;height:${size.height}px;font-size:${font}px;opacity:${opacity};transform:translate(${box.left}px,${box.top}px) ${scale}"
    ><span>${words}</span></div>`;
  }

  /** @param {import('../draw/tensor.js').Cell} cell */
  #fill({ node, index }) {
    const step = this.view.trace.step(node);
    return step.kind === 'ids' ? null : fillOf(this.view, step, offset(step.shape, index));
  }
}

customElements.define('gf-motion', Motion);
