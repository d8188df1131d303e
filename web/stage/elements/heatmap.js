// A matrix as colours alone. Pointer and arrow keys move a cursor, whose cell shows its number.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { text } from '../../app/locale/text.js';
import { Row } from '../../app/state/view.js';
import { decimalsOf, display, shortest } from '../draw/format.js';
import { drawHeatmap } from '../draw/heatmap.js';
import { scaleOf } from '../draw/names.js';
import { cellKey, numberAt, offset, parseCell } from '../draw/tensor.js';
import { Grid } from './grid.js';

/** Whether numbers are those that were drawn; what makes them one by one is the same as long as it is one object.
 * @param {unknown} now @param {unknown} before */
const sameNumbers = (now, before) =>
  now === before ||
  (now instanceof Float32Array &&
    before instanceof Float32Array &&
    now.length === before.length &&
    now.every((number, i) => Object.is(number, before[i])));

export class Heatmap extends Grid {
  static properties = { ...Grid.properties, framed: { attribute: false } };

  constructor() {
    super();
    /** Cells that are pointed out. @type {readonly { row: number, column: number }[]} */
    this.framed = [];
    /** @type {unknown[]} what the heat map was drawn from, besides its numbers */
    this.drawn = [];
    /** @type {unknown} */
    this.numbers = null;
  }

  render() {
    const { rows, columns } = this.layout;
    const { width, height } = this.size;
    return html`<div
      class="matrix colours"
      role="grid"
      aria-label=${text('stage/gridOf', { name: this.name, rows, columns })}
      aria-rowcount=${rows}
      aria-colcount=${columns}
      data-grid=${this.step.name}
      style=${styleMap({
        '--cell-width': `${width}px`,
        '--cell-height': `${height}px`,
        width: `${columns * width}px`,
        height: `${rows * height}px`,
      })}
      @keydown=${this.key}
      @paste=${this.paste}
      @pointermove=${this.#point}
      @pointerleave=${() => this.act({ do: 'point', cell: null, stage: true })}
      @click=${this.#click}
      @dblclick=${(/** @type {MouseEvent} */ event) => this.editAt(this.#place(event) ?? this.cursor)}
    >
      ${this.columnHeads()} <canvas aria-hidden="true"></canvas> ${this.boundaries()}
      ${this.#boxes()} ${this.#sides()} ${this.#reader()}
    </div>`;
  }

  /** The labels of the rows, which a canvas has no elements to carry. */
  #sides() {
    if (!this.rowLabels) return nothing;
    const { rows } = this.layout;
    return html`<div class="sides" aria-hidden="true">
      ${Array.from({ length: rows }, (_, row) => this.rowHead(row))}
    </div>`;
  }

  /** The one cell that is there to be read and focused. */
  #reader() {
    const { row, column } = this.cursor;
    const cell = this.cellAt(row, column);
    const { width, height } = this.size;
    const place = { left: `${column * width}px`, top: `${row * height}px` };
    const decimals = decimalsOf(this.view.trace, cell.node);
    const shown = cell.isComputed
      ? `${cell.index.map((i) => i + 1).join(', ')}: ${display(cell.value, { decimals })}`
      : text('stage/unknown');
    const old = this.old(cell);
    const before = cell.isComputed ? this.was(old) : '';
    return html`<div role="row" class="reader" style=${styleMap(place)}>
      <div
        role="gridcell"
        class=${classMap({ cell: true, ...this.marks(cell, old), unknown: !cell.isComputed })}
        tabindex=${this.skipped ? '-1' : '0'}
        aria-rowindex=${row + 1}
        aria-colindex=${column + 1}
        data-node=${cell.isComputed ? cell.node : nothing}
        data-index=${cell.isComputed ? cell.index.join() : nothing}
        data-value=${cell.isComputed ? shortest(cell.value) : nothing}
        data-run=${this.run === 'page' ? nothing : this.run}
        aria-description=${before || nothing}
      >
        <span class="bubble" data-before=${before || nothing}>${this.editing === null ? shown : this.field()}</span>
      </div>
    </div>`;
  }

  /** Frames around what is pointed out; on the page the row, the column and the cell in question. */
  #boxes() {
    const { width, height } = this.size;
    const { operands, term, focus } = this.view;
    const { firstColumn, columns } = this.layout;
    const prefix = `${this.step.name}:`;
    const places = (/** @type {Iterable<string>} */ keys) =>
      [...(keys instanceof Row ? keys.within(firstColumn, columns) : keys)].flatMap((key) =>
        key.startsWith(prefix) ? (this.placeOf(parseCell(key)) ?? []) : [],
      );
    /** @param {string} kind @param {{ row: number, column: number }[]} cells */
    const frame = (kind, cells) => {
      if (cells.length === 0) return nothing;
      const rows = cells.map(({ row }) => row);
      const columns = cells.map(({ column }) => column);
      const [top, left] = [Math.min(...rows), Math.min(...columns)];
      return html`<div
        class="frame ${kind}"
        style=${styleMap({
          top: `${top * height}px`,
          left: `${left * width}px`,
          height: `${(Math.max(...rows) - top + 1) * height}px`,
          width: `${(Math.max(...columns) - left + 1) * width}px`,
        })}
      ></div>`;
    };
    const framed = this.framed.map((cell) => frame('pointed', [cell]));
    if (this.run !== 'page') return framed;
    const place = this.placeOf(focus);
    return [
      ...framed,
      frame('operand', operands.flatMap(places)),
      frame('active', places(operands[Math.min(term, operands.length - 1)] ?? []).slice(0, 1)),
      frame('focus', place ? [place] : []),
    ];
  }

  /** Where rows of a table are taken: which. Null for any other matrix. */
  get #taken() {
    const { line, moment, trace } = this.view;
    const { op, inputs: [table, ids] = [] } = line?.stages[moment?.stage] ?? {};
    if (op !== 'embed' || table !== this.step.name || !ids) return null;
    return new Set(Array.from(trace.step(ids).data));
  }

  updated() {
    super.updated();
    this.#draw(/** @type {HTMLCanvasElement} */ (this.querySelector('canvas')));
  }

  /**
   * Draws the heat map, unless it already shows just that.
   * @param {HTMLCanvasElement} canvas
   */
  #draw(canvas) {
    const { state, slope, theme } = this.view;
    const limit = this.view.limitOf(this.step);
    const { rows, columns, firstRow, firstColumn } = this.layout;
    const { width, height } = this.size;
    const knownCount = this.view.known(this.step);
    const graded = state.gradient && this.step.grad;
    const { step } = this;
    const { grad } = step;
    const density = window.devicePixelRatio || 1;
    const { isChanged } = this;
    const marks = isChanged ? [this.view.changes, state.edits] : [null, null];
    const scale = graded ? 'signed' : scaleOf(step);
    const part = [this.head, this.transposed, rows, columns, firstRow, firstColumn];
    const taken = this.#taken;
    const scene = [knownCount, width, height, theme, density, scale, graded ? slope : limit];
    const drawn = [canvas, ...marks, ...part, ...scene, taken && [...taken].join()];
    const numbers = graded ? grad : (step.stored ?? step.data);
    const isSame = drawn.every((part, i) => part === this.drawn[i]);
    if (isSame && sameNumbers(numbers, this.numbers)) return;
    this.drawn = drawn;
    this.numbers = numbers;
    drawHeatmap(
      canvas,
      {
        rows,
        columns,
        width,
        height,
        at: (row, column) => {
          const flat = offset(step.shape, this.indexAt(row, column));
          if (flat >= knownCount) return null;
          return graded && grad ? grad[flat] : numberAt(step, flat);
        },
        scale,
        limit: graded ? slope : limit,
        theme,
        isAside: taken ? (row) => !taken.has(Number(this.indexAt(row, 0).at(-2))) : undefined,
        mark: isChanged ? (row, column) => this.#mark(row, column) : undefined,
      },
      density,
    );
  }

  /** What edits have to do with a cell. @param {number} row @param {number} column */
  #mark(row, column) {
    const cell = this.cellAt(row, column);
    if (this.view.edited.has(cellKey(cell))) return 'edited';
    return this.view.old(cell) === null ? null : 'changed';
  }

  /** @param {PointerEvent | MouseEvent} event */
  #place(event) {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const { rows, columns } = this.layout;
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    return row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : null;
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const place = this.#place(event);
    if (!place || this.editing !== null) return;
    this.moveTo(place.row, place.column);
    const cell = this.cellAt(place.row, place.column);
    this.act({ do: 'point', cell: cell.isComputed ? cell : null, stage: true });
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const place = this.#place(event);
    if (!place) return;
    this.moveTo(place.row, place.column);
    const cell = this.cellAt(place.row, place.column);
    if (cell.isComputed) this.act({ do: 'pick', cell, stage: true });
    event.stopPropagation();
  }
}

customElements.define('gf-heatmap', Heatmap);
