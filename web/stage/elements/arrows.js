// Rows of two numbers as arrows in the plane. Dragging an arrow edits its row, and the matrices follow. Longer rows are
// shown along two channels, or along their principal directions; the element says which.
import { html, nothing, svg } from 'lit';
import { listed, text } from '../../app/locale/text.js';
import { dot, ofChannels, placeIn } from '../draw/basis.js';
import { decimalsOf, display, shortest } from '../draw/format.js';
import { letter } from '../telling/number.js';
import { merged, namesOf, paperOf } from './arrow-names.js';
import { Base } from './base.js';
import { Lettering } from './lettering.js';
import '../../style/arrows.css';

/** @typedef {import('../draw/tensor.js').Cell} Cell */
/** @typedef {import('./directions.js').Direction} Direction */
/**
 * A row of a matrix. moves: whether it can be dragged; beam: whether others are seen in it.
 * @typedef {{ cells: Cell[], row: number[], kind: string, name: string, sub: { letter: string, below: string },
 *   moves: boolean, beam?: boolean }} Arrow
 */
/** An arrow as it is drawn.
 * @typedef {{ arrow: Arrow, length: number, tip: Point, from: Point, along: Point }} Drawn */
/** Arrows that are the same. first: which of them comes first. @typedef {Arrow & { first: number }} Distinct */
/** @typedef {import('./label-layout.js').Point} Point */

/** Of the drawing, in its own units. */
const SIZE = 400;
const MARGIN = 26;
const ROOM = SIZE - 2 * MARGIN;
/** Where the origin lies, as a part of the room: values that are blended are seen better from a corner. */
const MIDDLE = 0.5;
const CORNER = 0.1;
/** What is seen at first, and all there is of rows of two channels. @type {Direction} */
const FIRST = { along: [0, 1], of: ([row]) => ofChannels(row.length, [0, 1]) };
/** What the edges may stand for, times a power of ten, and how far apart the lines then are.
 * @type {readonly (readonly [number, number])[]} */
const NICE = [
  [1, 0.25],
  [1.5, 0.5],
  [2, 0.5],
  [3, 1],
  [4, 1],
  [5, 1],
  [8, 2],
  [10, 2.5],
];
/** How far apart arrows of several matrices are drawn that are the same. */
const BESIDE = 8;
/** Radius within which the tip of an arrow can be gripped. */
const HANDLE = 15;
/** Longer rows are not written out. */
const MAX_WRITTEN = 4;

export class Arrows extends Base {
  static properties = {
    view: { attribute: false },
    subject: { attribute: false },
    arrows: { attribute: false },
    project: { attribute: false },
    weights: { attribute: false },
    ends: { attribute: false },
    hides: { attribute: false },
    direction: { state: true },
    projection: { state: true },
    blending: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** What is drawn: as long as it is the same, the edges of the drawing stay, so that nothing but an arrow moves. */
    this.subject = '';
    /** @type {Arrow[]} */
    this.arrows = [];
    /** The arrow onto which the other one is projected, and that other one. @type {readonly [Arrow, Arrow] | null} */
    this.project = null;
    /** How far each arrow counts, where they are blended. @type {number[] | null} */
    this.weights = null;
    /** What its axes mean. @type {import('./arrow-names.js').Ends | undefined} */
    this.ends = undefined;
    /** Whether the score is asked for, and so not told. */
    this.hides = false;
    /** What longer rows are seen along. */
    this.direction = FIRST;
    /** What the edges of the drawing stand for. */
    this.extent = 1;
    /** How far apart the lines of its paper are. */
    this.step = 0.25;
    this.origin = MIDDLE;
    /** How long the rows are that the drawing was made for. */
    this.width = 0;
    /** @type {import('../draw/basis.js').Basis} */
    this.basis = ofChannels(2, [0, 1]);
    /** What draws one arrow along another, once that is asked for. @type {typeof import('./projection.js') | null} */
    this.projection = null;
    /** The same of arrows that are blended. @type {typeof import('./blending.js') | null} */
    this.blending = null;
    /** @type {import('./drag.js').Drag | null} */
    this.drag = null;
    /** The pointer that is down on an arrow. @type {number | null} */
    this.pressed = null;
    this.lettering = new Lettering(this, '.plane svg', SIZE);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const rows = this.arrows.map(({ row }) => row);
    if (rows.length === 0) return;
    this.#loadParts();
    const { length } = rows[0];
    if (length !== this.width) this.direction = FIRST;
    else if (!changed.has('subject') && !changed.has('direction')) return;
    this.width = length;
    this.basis = this.direction.of(rows);
    const places = rows.flatMap((row) => placeIn(this.basis, row));
    const drags = this.weights !== null && this.arrows.some(({ moves }) => moves);
    this.origin = drags && places.every((x) => x >= 0) ? CORNER : MIDDLE;
    const most = (drags ? 2 : 1.15) * (Math.max(...places.map(Math.abs)) || 1);
    const scale = 10 ** Math.floor(Math.log10(most));
    const [extent, step] = NICE.find(([size]) => size * scale >= most) ?? NICE[NICE.length - 1];
    this.extent = scale * extent;
    this.step = scale * step;
  }

  /** Of the drawing, for 1. */
  get unit() {
    return (ROOM * (1 - this.origin)) / this.extent;
  }

  /** Where the drawing ends, at the left and below; at the other sides that is its extent. */
  get least() {
    return (-this.extent * this.origin) / (1 - this.origin);
  }

  /** @param {number} x */
  #across = (x) => MARGIN + ROOM * this.origin + x * this.unit;

  /** @param {number} y */
  #up = (y) => SIZE - this.#across(y);

  /** Of a point of the plane, in the drawing. @param {number[]} at */
  place = ([x, y]) => /** @type {[number, number]} */ ([this.#across(x), this.#up(y)]);

  /** @param {number[]} row */
  seen = (row) => placeIn(this.basis, row);

  render() {
    const { arrows, project, weights } = this;
    if (arrows.length === 0) return nothing;
    const all = this.#drawnArrows();
    const { place, step, lettering, ends } = this;
    const paper = paperOf({ size: SIZE, step, place, lettering, ends });
    const distinct = merged(arrows, keyOf, 'name');
    const named = distinct.map(
      (arrow) => `${nameOf(arrow)}${this.isWritten ? `: ${this.#rowText(arrow)}` : ''}`,
    );
    return html`<div class="plane">
      <svg
        viewBox="0 0 ${SIZE} ${SIZE}"
        role="group"
        aria-label=${`${text('plane/label')} ${named.join('; ')}`}
        @pointerenter=${this.#near}
        @focusin=${this.#near}
        @pointermove=${(/** @type {PointerEvent} */ event) => this.drag?.move(event)}
        @pointerup=${this.#drop}
        @pointercancel=${this.#drop}
      >
        ${paper.drawn} ${weights && !this.hides ? this.blending?.blend(this, weights) : nothing}
        ${project && !this.hides ? this.projection?.shadow(this, project) : nothing}
        ${all.map(arrowOf)} ${this.#names(all, distinct, paper.marks)}
        ${arrows.map((arrow, i) => (arrow.moves ? this.#handle(arrow, i) : nothing))}
      </svg>
      <div class="rows">
        ${weights && this.isWritten ? this.blending?.sum(this, weights) : nothing}
        ${this.isWritten ? distinct.map((arrow) => this.#row(arrow)) : nothing}
        ${project ? this.projection?.product(this, project) : nothing}
        ${this.width > 2 ? this.#directions() : nothing}
      </div>
    </div>`;
  }

  get isWritten() {
    return this.width <= MAX_WRITTEN;
  }

  #directions() {
    import('./directions.js');
    const [a, b] = this.hides ? [] : (this.project ?? []).map(({ row }) => this.seen(row));
    return html`<gf-directions
      .product=${a && b ? dot(a, b) : null}
      .width=${this.width}
      .direction=${this.direction}
      @gf-direction=${(/** @type {CustomEvent<Direction>} */ { detail }) => {
        this.direction = detail;
      }}
    ></gf-directions>`;
  }

  /** A number of a row. @param {Arrow} arrow @param {number} i */
  number({ cells, row }, i) {
    return display(row[i], { decimals: decimalsOf(this.view.trace, cells[i].node) });
  }

  /** @param {string[]} numbers */
  listed(numbers) {
    return `(${listed(numbers)})`;
  }

  /** @param {Arrow} arrow */
  #rowText(arrow) {
    return this.listed(arrow.row.map((_, i) => this.number(arrow, i)));
  }

  /** The middle of the points, which names keep away from where these are blended. @returns {Point} */
  get #middle() {
    const points = this.arrows.map(({ row }) => this.place(this.seen(row)));
    const mean = (/** @type {0 | 1} */ i) =>
      points.reduce((sum, point) => sum + point[i] / points.length, 0);
    return [mean(0), mean(1)];
  }

  /** How many rows of other matrices an arrow would hide. In a beam it is seen, and of its own matrix they have one name.
   * @param {number} index */
  #under(index) {
    const arrow = this.arrows[index];
    const hidden = this.arrows
      .slice(0, index)
      .filter(
        (one) => !one.beam && one.kind !== arrow.kind && String(one.row) === String(arrow.row),
      );
    return arrow.moves ? 0 : hidden.length;
  }

  /** @returns {Drawn[]} */
  #drawnArrows() {
    return this.arrows.map((arrow, index) => {
      const [[tx, ty], [zx, zy]] = [this.place(this.seen(arrow.row)), this.place([0, 0])];
      const length = Math.hypot(tx - zx, ty - zy) || 1;
      const [dx, dy] = [(tx - zx) / length, (ty - zy) / length];
      /* What another one would hide is drawn beside it. */
      const under = BESIDE * this.#under(index);
      const [ox, oy] = [zx + under * dy, zy - under * dx];
      const tip = /** @type {Point} */ ([ox + tx - zx, oy + ty - zy]);
      return { arrow, length, tip, from: [ox, oy], along: [dx, dy] };
    });
  }

  /** @param {Drawn[]} all @param {Distinct[]} distinct @param {import('./arrow-names.js').Mark[]} marks */
  #names(all, distinct, marks) {
    const away = this.weights ? this.#middle : undefined;
    const names = distinct.map(({ first, kind, name, sub, moves }) => ({
      ...{ tip: all[first].tip, from: all[first].from, away },
      ...{ role: kind, letter: sub.letter, name, broad: all[first].arrow.beam ? 20 : 6 },
      clear: moves ? HANDLE + 4 : 8,
    }));
    const taken = all
      .filter(({ arrow }) => arrow.moves)
      .map(({ tip: [x, y] }) => ({
        ...{ left: x - HANDLE, right: x + HANDLE, top: y - HANDLE, bottom: y + HANDLE },
      }));
    const origin = this.place([0, 0]);
    return namesOf(names, { size: SIZE, lettering: this.lettering, taken, marks, origin });
  }

  /** @param {Arrow} arrow @param {number} index */
  #handle(arrow, index) {
    const seen = this.seen(arrow.row);
    const [x, y] = this.place(seen);
    return svg`<circle
      class="handle"
      cx=${x}
      cy=${y}
      r=${HANDLE}
      tabindex="0"
      role="slider"
      aria-valuenow=${Number(seen[0].toPrecision(3))}
      aria-valuetext=${this.isWritten ? this.#rowText(arrow) : this.listed(seen.map((part) => display(part)))}
      aria-label=${text('plane/drag', { name: nameOf(arrow) })}
      @pointerdown=${(/** @type {PointerEvent} */ event) => this.#grip(event, index)}
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, index)}
    />`;
  }

  /** @param {Arrow} arrow */
  #row(arrow) {
    const { row, kind, name, sub, cells } = arrow;
    return html`<p class="vector role-${kind}">
      <span class="chip role-${kind}">${letter(sub)}</span> <b>${name}</b>
      <span class="numbers"
        >${cells.map(
          (cell, i) => html`<span
            class="number"
            data-node=${cell.node}
            data-index=${cell.index.join()}
            data-value=${shortest(row[i])}
            >${this.number(arrow, i)}</span
          >`,
        )}</span
      >
    </p>`;
  }

  async #loadParts() {
    if (this.project) this.projection ??= await import('./projection.js');
    if (this.weights) this.blending ??= await import('./blending.js');
  }

  /** What drags comes as soon as a pointer or the focus does. */
  #near = async () => {
    const { Drag } = await import('./drag.js');
    this.drag ??= new Drag(this);
    return this.drag;
  };

  /** @param {PointerEvent} event @param {number} index */
  async #grip({ currentTarget, pointerId }, index) {
    const handle = /** @type {SVGElement} */ (currentTarget);
    this.pressed = pointerId;
    const drag = await this.#near();
    if (this.pressed === pointerId) drag.grip(handle, pointerId, index);
  }

  #drop = () => {
    this.pressed = null;
    this.drag?.drop();
  };

  /** @param {KeyboardEvent} event @param {number} index */
  async #key(event, index) {
    const { key } = event;
    if (!key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
    (await this.#near()).key(key, index);
  }
}

/** Arrows are the same if their rows of the same matrix are. @param {Arrow} arrow */
const keyOf = ({ sub, row }) => `${sub.letter}${sub.below} ${row}`;

/** @param {Drawn} drawn */
const arrowOf = ({ arrow: { kind, moves, beam }, length, tip, from, along: [dx, dy] }) => {
  const [tx, ty] = tip;
  const [long, wide] = beam ? [26, 13] : [13, 5.5];
  return svg`<g class="arrow role-${kind} ${moves ? 'moves' : ''} ${beam ? 'beam' : ''}" aria-hidden="true">
      <path class="shaft" d="M${from[0]} ${from[1]}L${tx - 0.6 * long * dx} ${ty - 0.6 * long * dy}" />
      ${length > 4 ? svg`<path class="head" d="M0 0L${-long} ${wide}V${-wide}Z" transform=${`matrix(${[dx, dy, -dy, dx, tx, ty]})`} />` : nothing}
    </g>`;
};

/** @param {Arrow} arrow */
const nameOf = ({ sub, name }) => `${sub.letter}${sub.below} ${name}`;

customElements.define('gf-arrows', Arrows);
