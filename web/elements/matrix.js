// One matrix of the stage: a grid of numbers if its cells are large enough, else a heat map with one
// cell at a time to read. Both are ARIA grids with one tab stop, and in both cells can be edited.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { css, fill, ink } from '../draw/colour.js';
import { abbreviate, display, shortest } from '../draw/format.js';
import { drawHeatmap } from '../draw/heatmap.js';
import { scaleOf } from '../draw/names.js';
import { cellKey, matrices, offset, parseCell, sameCell } from '../draw/tensor.js';
import { text } from '../locale/text.js';
import { Base } from './base.js';

/** Longer texts than this many characters make the digits smaller. */
const USUAL_TEXT = 6;

export class Matrix extends Base {
  static properties = {
    view: { attribute: false },
    step: { attribute: false },
    head: { attribute: false },
    transposed: { attribute: false },
    size: { attribute: false },
    rowLabels: { attribute: false },
    columnLabels: { attribute: false },
    onlyRow: { attribute: false },
    onlyColumn: { attribute: false },
    run: { attribute: false },
    name: { attribute: false },
    cursor: { state: true },
    editing: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {import('../session.js').Step} */
    this.step = /** @type {any} */ (null);
    this.head = 0;
    this.transposed = false;
    /** @type {import('../draw/crossing.js').Size} */
    this.size = { width: 60, height: 30, mode: 'numbers' };
    /** @type {string[] | null} */
    this.rowLabels = null;
    /** @type {string[] | null} */
    this.columnLabels = null;
    /** @type {number | null} as it is shown: after transposing */
    this.onlyRow = null;
    /** @type {number | null} */
    this.onlyColumn = null;
    /** Which run's numbers these are: the page's, or the intact one beside it. */
    this.run = /** @type {'page' | 'intact'} */ ('page');
    this.name = '';
    /** @type {{ row: number, column: number }} */
    this.cursor = { row: 0, column: 0 };
    /** @type {string | null} what is typed into the cell at the cursor */
    this.editing = null;
    /** @type {unknown[]} what the heat map was drawn from */
    this.drawn = [];
  }

  get layout() {
    const { rows, columns } = matrices(this.step.shape, this.step.kind === 'ids');
    const [r, c] = this.transposed ? [columns, rows] : [rows, columns];
    return {
      rows: this.onlyRow === null ? r : 1,
      columns: this.onlyColumn === null ? c : 1,
      firstRow: this.onlyRow ?? 0,
      firstColumn: this.onlyColumn ?? 0,
    };
  }

  /**
   * The cell shown at a place of this grid.
   * @param {number} row
   * @param {number} column
   */
  cellAt(row, column) {
    const { firstRow, firstColumn } = this.layout;
    const [i, j] = this.transposed
      ? [firstColumn + column, firstRow + row]
      : [firstRow + row, firstColumn + column];
    const rank = this.step.shape.length;
    const upright = this.step.kind === 'ids' ? [i] : [j];
    const index = rank === 1 ? upright : rank === 2 ? [i, j] : [this.head, i, j];
    const flat = offset(this.step.shape, index);
    const known = flat < this.view.known(this.step);
    return { node: this.step.name, index, flat, known, value: this.step.data[flat] };
  }

  /** @param {number} flat */
  fillOf(flat) {
    const { theme, limit, state } = this.view;
    if (state.gradient && this.step.grad) {
      return fill(this.step.grad[flat], 'signed', this.view.slope, theme);
    }
    return fill(this.step.data[flat], scaleOf(this.step), limit, theme);
  }

  render() {
    const { rows, columns } = this.layout;
    const { width, height, mode } = this.size;
    const colours = mode === 'colours';
    return html`<div
      class="matrix ${mode}"
      role="grid"
      aria-label=${text('stage/gridOf', { name: this.name, rows, columns })}
      aria-rowcount=${rows}
      aria-colcount=${columns}
      data-grid=${this.step.name}
      style=${styleMap({
        '--cell-width': `${width}px`,
        '--cell-height': `${height}px`,
        '--digits': `${this.#fontSize()}px`,
        width: `${columns * width}px`,
        height: `${rows * height}px`,
      })}
      @keydown=${this.#key}
      @pointermove=${colours ? this.#point : nothing}
      @pointerleave=${colours ? () => this.act({ do: 'point', cell: null, stage: true }) : nothing}
      @click=${colours ? this.#click : nothing}
      @dblclick=${this.#doubleClick}
    >
      ${this.columnLabels ? this.#columnHeads() : nothing}
      ${colours ? this.#heatmap() : this.#rows()}
    </div>`;
  }

  #fontSize() {
    const { width, height, mode } = this.size;
    if (mode !== 'numbers') return Math.min(height * 0.66, width * 0.31);
    const { rows, columns } = this.layout;
    let longest = USUAL_TEXT;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        longest = Math.max(longest, display(this.cellAt(row, column).value).length);
      }
    }
    return Math.min(height * 0.4, (width - 10) / (longest * 0.63));
  }

  #columnHeads() {
    const { columns, firstColumn } = this.layout;
    const labels = /** @type {string[]} */ (this.columnLabels);
    const longest = Math.max(...labels.map((label) => label.length));
    const turned = longest * 8.5 > this.size.width && longest > 2;
    return html`<div role="row" class="heads ${turned ? 'turned' : ''}">
      ${Array.from(
        { length: columns },
        (
          _,
          column,
        ) => html`<div role="columnheader" class="head" title=${labels[firstColumn + column]}>
          <span>${labels[firstColumn + column]}</span>
        </div>`,
      )}
    </div>`;
  }

  /** @param {number} row */
  #rowHead(row) {
    if (!this.rowLabels) return nothing;
    const label = this.rowLabels[this.layout.firstRow + row];
    return html`<div role="rowheader" class="side" title=${label}>${label}</div>`;
  }

  #rows() {
    const { rows, columns } = this.layout;
    return Array.from(
      { length: rows },
      (_, row) => html`<div role="row" class="row">
        ${this.#rowHead(row)}
        ${Array.from({ length: columns }, (_, column) => this.#cell(row, column))}
      </div>`,
    );
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #cell(row, column) {
    const cell = this.cellAt(row, column);
    const here = this.cursor.row === row && this.cursor.column === column;
    const stop = here ? '0' : '-1';
    if (!cell.known) {
      return html`<div
        role="gridcell"
        class="cell unknown ${sameCell(cell, this.view.focus) ? 'focus' : ''}"
        tabindex=${stop}
        aria-label=${text('stage/unknown')}
        @focus=${() => this.#moveTo(row, column)}
      ></div>`;
    }
    const masked = cell.value === Number.NEGATIVE_INFINITY;
    const rgb = this.fillOf(cell.flat);
    const plain = masked || this.step.kind === 'ids';
    const shown = this.size.mode === 'numbers' ? display(cell.value) : abbreviate(cell.value);
    return html`<div
      role="gridcell"
      class=${classMap({ cell: true, masked, ...this.#marks(cell) })}
      tabindex=${stop}
      data-node=${cell.node}
      data-index=${cell.index.join()}
      data-value=${shortest(cell.value)}
      data-run=${this.run === 'intact' ? 'intact' : nothing}
      title=${`${cell.node}[${cell.index.join(', ')}] = ${shortest(cell.value)}`}
      style=${plain ? '' : `background:${css(rgb)};color:${ink(rgb)}`}
      @focus=${() => this.#moveTo(row, column)}
    >
      ${here && this.editing !== null ? this.#field() : shown}
    </div>`;
  }

  /** @param {import('../draw/tensor.js').Cell} cell */
  #marks(cell) {
    const key = cellKey(cell);
    const { operands, term, focus, pinned, hover, edited, mismatches } = this.view;
    const own = this.run === 'page';
    return {
      focus: sameCell(cell, focus),
      pinned: own && sameCell(cell, pinned),
      operand: own && operands.some((keys) => keys.has(key)),
      active: own && (operands[Math.min(term, operands.length - 1)]?.has(key) ?? false),
      hover: own && sameCell(cell, hover),
      edited: own && edited.has(key),
      wrong: own && mismatches.has(key),
    };
  }

  #heatmap() {
    const { rows } = this.layout;
    const { row, column } = this.cursor;
    const cell = this.cellAt(row, column);
    const { width, height } = this.size;
    const place = { left: `${column * width}px`, top: `${row * height}px` };
    return html`<canvas aria-hidden="true"></canvas>
      ${this.#boxes()}
      ${
        this.rowLabels
          ? html`<div class="sides" aria-hidden="true">
            ${Array.from({ length: rows }, (_, at) => this.#rowHead(at))}
          </div>`
          : nothing
      }
      <div role="row" class="reader" style=${styleMap(place)}>
        <div
          role="gridcell"
          class=${classMap({ cell: true, ...this.#marks(cell), unknown: !cell.known })}
          tabindex="0"
          aria-rowindex=${row + 1}
          aria-colindex=${column + 1}
          data-node=${cell.known ? cell.node : nothing}
          data-index=${cell.known ? cell.index.join() : nothing}
          data-value=${cell.known ? shortest(cell.value) : nothing}
          data-run=${this.run === 'intact' ? 'intact' : nothing}
          aria-label=${cell.known ? nothing : text('stage/unknown')}
        >
          <span class="bubble">
            ${
              this.editing === null
                ? cell.known
                  ? `${cell.index.map((i) => i + 1).join(', ')}: ${display(cell.value)}`
                  : text('stage/unknown')
                : this.#field()
            }
          </span>
        </div>
      </div>`;
  }

  /** Frames around the row, the column and the cell in question. */
  #boxes() {
    if (this.run === 'intact') return nothing;
    const { width, height } = this.size;
    const { operands, term, focus } = this.view;
    const places = (/** @type {Iterable<string>} */ keys) =>
      [...keys].flatMap((key) => this.#placeOf(parseCell(key)) ?? []);
    const all = places(operands.flatMap((keys) => [...keys]));
    const [active] = places(operands[Math.min(term, operands.length - 1)] ?? []);
    const place = this.#placeOf(focus);
    const frame = (
      /** @type {string} */ kind,
      /** @type {number} */ top,
      /** @type {number} */ left,
      /** @type {number} */ high,
      /** @type {number} */ wide,
    ) =>
      html`<div
        class="frame ${kind}"
        style=${styleMap({
          top: `${top * height}px`,
          left: `${left * width}px`,
          height: `${high * height}px`,
          width: `${wide * width}px`,
        })}
      ></div>`;
    const [downs, acrosses] = [all.map(({ row }) => row), all.map(({ column }) => column)];
    const [top, left] = [Math.min(...downs), Math.min(...acrosses)];
    return [
      all.length > 0
        ? frame(
            'operand',
            top,
            left,
            Math.max(...downs) - top + 1,
            Math.max(...acrosses) - left + 1,
          )
        : nothing,
      active ? frame('active', active.row, active.column, 1, 1) : nothing,
      place ? frame('focus', place.row, place.column, 1, 1) : nothing,
    ];
  }

  /**
   * Where this grid shows a cell; null if it does not.
   * @param {import('../draw/tensor.js').Cell | null} cell
   */
  #placeOf(cell) {
    if (cell?.node !== this.step.name) return null;
    const { rows, columns, firstRow, firstColumn } = this.layout;
    const { index } = cell;
    const [i, j] = index.length === 1 ? [0, index[0]] : index.slice(-2);
    const [down, across] = this.transposed ? [j, i] : [i, j];
    const [row, column] = [down - firstRow, across - firstColumn];
    const other = index.length === 3 && index[0] !== this.head;
    const outside = row < 0 || column < 0 || row >= rows || column >= columns;
    return other || outside ? null : { row, column };
  }

  #field() {
    return html`<input
      class="field"
      aria-label=${text('microscope/editOf', { cell: this.name })}
      .value=${this.editing ?? ''}
      @keydown=${this.#fieldKey}
      @blur=${this.#stopEditing}
      @click=${(/** @type {Event} */ event) => event.stopPropagation()}
    />`;
  }

  updated() {
    const canvas = this.querySelector('canvas');
    if (canvas) this.#draw(canvas);
    const field = /** @type {HTMLInputElement | null} */ (this.querySelector('.field'));
    if (field && document.activeElement !== field) {
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    }
  }

  /**
   * Draws the heat map, unless it already shows just that.
   * @param {HTMLCanvasElement} canvas
   */
  #draw(canvas) {
    const { state, slope, limit, theme } = this.view;
    const { rows, columns, firstRow, firstColumn } = this.layout;
    const { width, height } = this.size;
    const known = this.view.known(this.step);
    const graded = state.gradient && this.step.grad;
    const data = graded ? /** @type {Float32Array} */ (this.step.grad) : this.step.data;
    const density = window.devicePixelRatio || 1;
    const look = [data, known, width, height, theme, limit, slope, density, firstRow, firstColumn];
    const drawn = [canvas, this.head, ...look];
    if (drawn.every((part, at) => part === this.drawn[at])) return;
    this.drawn = drawn;
    drawHeatmap(
      canvas,
      {
        rows,
        columns,
        width,
        height,
        at: (row, column) => {
          const { flat } = this.cellAt(row, column);
          return flat < known ? data[flat] : null;
        },
        scale: graded ? 'signed' : scaleOf(this.step),
        limit: graded ? slope : limit,
        theme,
      },
      density,
    );
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const { rows, columns } = this.layout;
    const { row, column } = this.cursor;
    if (row >= rows || column >= columns) this.cursor = { row: 0, column: 0 };
    if (changed.has('step')) this.editing = null;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #moveTo(row, column) {
    if (this.cursor.row !== row || this.cursor.column !== column) this.cursor = { row, column };
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { rows, columns } = this.layout;
    const { row, column } = this.cursor;
    const cell = this.cellAt(row, column);
    const move = {
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(columns - 1, column + 1)],
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(rows - 1, row + 1), column],
      Home: [row, 0],
      End: [row, columns - 1],
    }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (move) this.#focusCell(move[0], move[1]);
    else if (event.key === 'Enter') this.act({ do: 'open', cell });
    else if (cell.known && event.key === 'F2') this.#edit(shortest(cell.value));
    else if (cell.known && /^[\d.-]$/.test(event.key)) this.#edit(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  async #focusCell(row, column) {
    this.cursor = { row, column };
    await this.updateComplete;
    const cell = /** @type {HTMLElement | null} */ (this.querySelector('.cell[tabindex="0"]'));
    cell?.focus();
    const { known, ...at } = this.cellAt(row, column);
    this.act({ do: 'point', cell: known ? at : null, stage: true });
  }

  /** @param {string} typed */
  #edit(typed) {
    if (this.run === 'page') this.editing = typed;
  }

  /** @param {KeyboardEvent} event */
  #fieldKey(event) {
    event.stopPropagation();
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const { row, column } = this.cursor;
    if (event.key === 'Escape') this.#focusCell(row, column).then(this.#stopEditing);
    if (event.key !== 'Enter') return;
    this.editing = field.value;
    this.act({
      do: 'edit',
      cell: this.cellAt(row, column),
      text: field.value,
      done: () => {
        this.editing = null;
        this.#focusCell(row, column);
      },
    });
  }

  #stopEditing = () => {
    this.editing = null;
  };

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
    this.#moveTo(place.row, place.column);
    const cell = this.cellAt(place.row, place.column);
    this.act({ do: 'point', cell: cell.known ? cell : null, stage: true });
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const place = this.#place(event);
    if (!place) return;
    this.#moveTo(place.row, place.column);
    const cell = this.cellAt(place.row, place.column);
    if (cell.known) this.act({ do: 'pick', cell, stage: true });
    event.stopPropagation();
  }

  /** @param {MouseEvent} event */
  #doubleClick(event) {
    const { row, column } = this.#place(event) ?? this.cursor;
    this.#moveTo(row, column);
    const cell = this.cellAt(row, column);
    if (cell.known) this.#edit(shortest(cell.value));
  }
}

customElements.define('gf-matrix', Matrix);
