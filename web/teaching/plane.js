// Rows as arrows in the plane: two numbers are a direction and a length. What is dragged is edited, so that
// the matrices follow. Longer rows are seen along two channels, or along their principal directions, and it is said.
import { html, nothing, svg } from 'lit';
import { role, symbol } from '../draw/names.js';
import { language, text } from '../locale/text.js';
import { letter } from '../telling/number.js';
import { movedTo, ofChannels, placeIn, principal } from './basis.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn } from './telling.js';
import './plane.css';

/** @typedef {import('../draw/tensor.js').Cell} Cell */
/** @typedef {{ path: string, cells: Cell[], row: number[], at: number[], kind: string, name: string, sub: { letter: string, below: string } }} Arrow */

/** Of the drawing, in its own units. */
const SIZE = 400;
const MARGIN = 26;
const ROOM = SIZE - 2 * MARGIN;
/** Where the origin lies, as a part of the room: values that are blended are seen better from a corner. */
const MIDDLE = 0.5;
const CORNER = 0.1;
/** What a key or a pointer moves by. */
const GRAIN = 0.1;
/** The channels that are seen at first. */
const CHANNELS = [0, 1];
const NICE = [1, 1.5, 2, 3, 4, 5, 8, 10];

/** @extends {Picture<'plane'>} */
export class Plane extends Picture {
  static properties = { ...Picture.properties, along: { state: true } };

  constructor() {
    super();
    /** What the edges of the drawing stand for: fixed for a picture, so that nothing but the arrow moves. */
    this.extent = 1;
    this.origin = MIDDLE;
    /** @type {unknown} */
    this.fitted = '';
    /** What longer rows are seen along: two channels, or null for their principal directions.
     * @type {readonly number[] | null} */
    this.along = CHANNELS;
    /** @type {import('./basis.js').Basis} */
    this.basis = ofChannels(2, CHANNELS);
    /** Whether an arrow is held. */
    this.held = false;
  }

  /** @param {string} path @returns {Arrow} */
  #arrow(path) {
    const { trace, example } = this.view;
    const scope = scopeIn(this.view);
    const cells = cellsOf(path, scope);
    const [{ node, index }] = cells;
    const step = trace.step(node);
    const token = example.tokens[index.at(-2) ?? 0] ?? '';
    const row = rowOf(path, scope);
    return {
      path,
      cells,
      row,
      at: placeIn(this.basis, row),
      kind: role(step),
      name: token,
      sub: symbol(step),
    };
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.view) return;
    if (changed.has('picture')) this.along = CHANNELS;
    const fitted = JSON.stringify([this.picture, this.along]);
    if (this.fitted === fitted) return;
    this.fitted = fitted;
    const scope = scopeIn(this.view);
    const rows = this.picture.arrows.map((path) => rowOf(path, scope));
    this.basis = this.along ? ofChannels(rows[0].length, this.along) : principal(rows);
    const places = rows.flatMap((row) => placeIn(this.basis, row));
    const drags = this.moves !== '' && this.picture.blend !== undefined;
    this.origin = drags && places.every((x) => x >= 0) ? CORNER : MIDDLE;
    const most = (drags ? 2 : 1.15) * Math.max(0.1, ...places.map(Math.abs));
    const scale = 10 ** Math.floor(Math.log10(most));
    this.extent = scale * (NICE.find((n) => n * scale >= most) ?? 10);
  }

  /** Of the drawing, for 1. */
  get #unit() {
    return (ROOM * (1 - this.origin)) / this.extent;
  }

  /** @param {number} x */
  #across = (x) => MARGIN + ROOM * this.origin + x * this.#unit;

  /** @param {number} y */
  #up = (y) => SIZE - this.#across(y);

  /** @param {number[]} at */
  #place = ([x, y]) => /** @type {[number, number]} */ ([this.#across(x), this.#up(y)]);

  render() {
    const { picture } = this;
    const arrows = picture.arrows.map((path) => this.#arrow(path));
    const named = arrows.map(
      ({ sub, name, row }) => `${sub.letter}${sub.below} ${name}: ${this.#rowText(row)}`,
    );
    return html`<div class="plane">
      <svg
        viewBox="0 0 ${SIZE} ${SIZE}"
        role="group"
        aria-label=${`${text('lessons/plane/label')} ${named.join('; ')}`}
        @pointermove=${this.#drag}
        @pointerup=${this.#drop}
        @pointercancel=${this.#drop}
      >
        ${this.#paper()} ${picture.blend ? this.#blend(arrows, picture.blend) : nothing}
        ${picture.project ? this.#shadow(picture.project) : nothing}
        ${arrows.map((arrow) => this.#drawn(arrow))}
        ${arrows.map((arrow) => (arrow.path === this.moves ? this.#handle(arrow) : nothing))}
      </svg>
      <div class="rows">
        ${arrows.map((arrow) => this.#row(arrow))}
        ${picture.project ? this.#product(picture.project) : nothing}
        ${picture.blend ? this.#blended(picture.blend) : nothing}
        ${arrows[0].row.length > 2 ? this.#seen(arrows[0].row.length) : nothing}
      </div>
    </div>`;
  }

  /** What of longer rows is seen. @param {number} width */
  #seen(width) {
    const pairs = Array.from({ length: width - 1 }, (_, i) => [i, i + 1]);
    const named = this.along ?? [];
    return html`<label class="quiet seen"
      >${text('lessons/plane/along')}
      <select
        @change=${(/** @type {Event} */ event) => {
          const { value } = /** @type {HTMLSelectElement} */ (event.currentTarget);
          this.along = pairs[Number(value)] ?? null;
        }}
      >
        ${pairs.map(
          ([a, b], i) => html`<option value=${i} ?selected=${named[0] === a}>
            ${text('lessons/plane/channels', { a: a + 1, b: b + 1 })}
          </option>`,
        )}
        <option value="principal" ?selected=${!this.along}>${text('lessons/plane/principal')}</option>
      </select>
    </label>`;
  }

  /** @param {number[]} row */
  #rowText(row) {
    const lang = language();
    return `(${row.map((x) => numberText(x, lang)).join(lang === 'en' ? ', ' : '; ')})`;
  }

  #paper() {
    const { extent } = this;
    const step = extent > 4 ? Math.ceil(extent / 4) : extent > 2 ? 1 : extent > 1 ? 0.5 : 0.25;
    const lines = [];
    const least = (-extent * this.origin) / (1 - this.origin);
    for (let at = step; at < extent; at += step) lines.push(at, ...(-at > least ? [-at] : []));
    return svg`<g class="paper" aria-hidden="true">
      ${lines.map(
        (at) => svg`<path d="M${this.#across(at)} 0V${SIZE}M0 ${this.#up(at)}H${SIZE}" />`,
      )}
      <path class="axis" d="M${this.#across(0)} 0V${SIZE}M0 ${this.#up(0)}H${SIZE}" />
      ${[step, 2 * step]
        .filter((at) => at < extent)
        .map(
          (at) =>
            svg`<text x=${this.#across(at)} y=${this.#up(0) + 14}>${numberText(at, language(), '1')}</text>`,
        )}
    </g>`;
  }

  /** @param {Arrow} arrow */
  #drawn({ at: tip, kind, name, sub, path }) {
    const [x, y] = this.#place(tip);
    const [ox, oy] = this.#place([0, 0]);
    const length = Math.hypot(x - ox, y - oy) || 1;
    const [dx, dy] = [(x - ox) / length, (y - oy) / length];
    const head = `M${x} ${y}L${x - 13 * dx + 5.5 * dy} ${y - 13 * dy - 5.5 * dx}L${x - 13 * dx - 5.5 * dy} ${y - 13 * dy + 5.5 * dx}Z`;
    const [lx, ly] = [
      x + 14 * dx + (kind === 'k' ? 20 * dy : 0),
      y + 14 * dy - (kind === 'k' ? 20 * dx : 0),
    ];
    const at = [clamp(lx, 14, SIZE - 14), clamp(ly, 14, SIZE - 8)];
    return svg`<g class="arrow role-${kind} ${path === this.moves ? 'moves' : ''}" aria-hidden="true">
      <path class="shaft" d="M${ox} ${oy}L${x - 8 * dx} ${y - 8 * dy}" />
      ${length > 4 ? svg`<path class="head" d=${head} />` : nothing}
      <text x=${at[0]} y=${at[1]} text-anchor=${dx < -0.3 ? 'end' : dx > 0.3 ? 'start' : 'middle'}
        ><tspan class="letter">${sub.letter}</tspan><tspan> ${name}</tspan></text>
    </g>`;
  }

  /** How far one arrow reaches along the other. @param {string[]} paths */
  #shadow([onto, of]) {
    const [a, b] = [this.#arrow(onto).at, this.#arrow(of).at];
    const square = a[0] * a[0] + a[1] * a[1] || 1;
    const part = (a[0] * b[0] + a[1] * b[1]) / square;
    const foot = this.#place([a[0] * part, a[1] * part]);
    const tip = this.#place(b);
    const reach = 3 * this.extent;
    const norm = Math.sqrt(square);
    const [from, to] = [-reach, reach].map((far) =>
      this.#place([(a[0] / norm) * far, (a[1] / norm) * far]),
    );
    return svg`<g class="shadow" aria-hidden="true">
      <path class="along" d="M${from}L${to}" />
      <path class="drop" d="M${tip}L${foot}" />
      <path class="cast" d="M${this.#place([0, 0])}L${foot}" />
    </g>`;
  }

  /** The values, each as far as its weight says, laid end to end. @param {Arrow[]} arrows @param {string} path */
  #blend(arrows, path) {
    const weights = rowOf(path, scopeIn(this.view));
    const corners = arrows.map(({ at }) => this.#place(at));
    const ends = [[0, 0]];
    for (const [i, { at }] of arrows.entries()) {
      const [x, y] = ends[i];
      ends.push([x + weights[i] * at[0], y + weights[i] * at[1]]);
    }
    const chain = ends.map((end) => this.#place(end).join(' '));
    const [x, y] = this.#place(ends[ends.length - 1]);
    return svg`<g class="blend" aria-hidden="true">
      <path class="hull" d="M${corners.join('L')}Z" />
      <path class="chain" d="M${chain.join('L')}" />
      ${chain.slice(1).map((end) => svg`<circle cx=${end.split(' ')[0]} cy=${end.split(' ')[1]} r="3" />`)}
      <circle class="end" cx=${x} cy=${y} r="7" />
    </g>`;
  }

  /** @param {Arrow} arrow */
  #handle({ row, at, name, sub }) {
    const [x, y] = this.#place(at);
    return svg`<circle
      class="handle"
      cx=${x}
      cy=${y}
      r="15"
      tabindex="0"
      role="slider"
      aria-valuenow=${Number(at[0].toFixed(2))}
      aria-valuetext=${this.#rowText(row)}
      aria-label=${text('lessons/plane/drag', { name: `${sub.letter} ${name}` })}
      @pointerdown=${this.#grip}
      @keydown=${this.#key}
    />`;
  }

  /** @param {Arrow} arrow */
  #row({ row, kind, name, sub, cells }) {
    return html`<p class="vector role-${kind}">
      <span class="chip role-${kind}">${letter(sub)}</span> <b>${name}</b>
      <span class="numbers"
        >${cells.map(
          (cell, i) => html`<span
            class="number"
            data-node=${cell.node}
            data-index=${cell.index.join()}
            data-value=${row[i]}
            >${numberText(row[i], language())}</span
          >`,
        )}</span
      >
    </p>`;
  }

  /** @param {string[]} paths */
  #product([onto, of]) {
    const [a, b] = [this.#arrow(onto), this.#arrow(of)];
    const lang = language();
    const sum = a.row.reduce((all, x, i) => all + x * b.row[i], 0);
    const terms = a.row.map(
      (x, i) => `${numberText(x, lang)} · ${bracketed(numberText(b.row[i], lang))}`,
    );
    return html`<p class="product">
      <i>${a.sub.letter}</i> · <i>${b.sub.letter}</i> = ${terms.join(' + ')} =
      <b class="number">${this.hides ? '?' : numberText(sum, lang)}</b>
    </p>`;
  }

  /** @param {string} path */
  #blended(path) {
    const scope = scopeIn(this.view);
    const weights = rowOf(path, scope);
    const arrows = this.picture.arrows.map((one) => this.#arrow(one));
    const sum = arrows[0].row.map((_, c) =>
      arrows.reduce((all, { row }, i) => all + weights[i] * row[c], 0),
    );
    const lang = language();
    return html`<p class="product">
      ${arrows.map(
        ({ name }, i) => html`${i ? ' + ' : ''}<b>${numberText(weights[i], lang)}</b> · ${name}`,
      )}
      = <b class="number">${this.#rowText(sum)}</b>
    </p>`;
  }

  /** @param {PointerEvent} event */
  #grip = (event) => {
    this.held = true;
    const handle = /** @type {SVGElement} */ (event.currentTarget);
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    handle.focus();
  };

  #drop = () => {
    this.held = false;
  };

  /** @param {PointerEvent} event */
  #drag = (event) => {
    if (!this.held) return;
    const box = /** @type {SVGElement} */ (this.querySelector('svg')).getBoundingClientRect();
    const scale = SIZE / box.width;
    const [ox, oy] = this.#place([0, 0]);
    const x = ((event.clientX - box.left) * scale - ox) / this.#unit;
    const y = (oy - (event.clientY - box.top) * scale) / this.#unit;
    this.#move([x, y]);
  };

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const by = {
      ArrowLeft: [-GRAIN, 0],
      ArrowRight: [GRAIN, 0],
      ArrowUp: [0, GRAIN],
      ArrowDown: [0, -GRAIN],
    }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const { at } = this.#arrow(this.moves);
    this.#move([at[0] + by[0], at[1] + by[1]]);
  };

  /** @param {number[]} to */
  #move(to) {
    const { cells, row } = this.#arrow(this.moves);
    const least = (-this.extent * this.origin) / (1 - this.origin);
    const wanted = to.map((x) => clamp(x, least, this.extent));
    for (const [i, x] of movedTo(this.basis, row, wanted).entries()) {
      const value = Number((Math.round(x / GRAIN) * GRAIN).toFixed(1));
      if (Math.abs(x - row[i]) < GRAIN / 2) continue;
      this.act({ do: 'edit', cell: cells[i], text: String(value) });
    }
  }
}

/** @param {number} x @param {number} low @param {number} high */
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/** @param {string} number */
const bracketed = (number) => (number.startsWith('−') ? `(${number})` : number);

customElements.define('gf-plane', Plane);
