// What every matrix on the stage is: an ARIA grid with one tab stop, whose cells can be edited.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { fraction, full, parseNumber, shortest } from '../draw/format.js';
import { cellKey, matrices, numberAt, offset, sameCell } from '../draw/tensor.js';
import { ViewElement } from './base.js';
import { isPresented, unitOf } from './room.js';

/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** Done once the last that waits has its frame. @type {Promise<unknown>} */
let frames = Promise.resolve();

/** Comes with a frame that nobody else has who asked for one. */
export function ownFrame() {
  frames = frames.then(() => new Promise(requestAnimationFrame));
  return frames;
}

/** What has no words heads nothing. @param {'row' | 'rowheader' | 'columnheader'} role @param {string} label */
const roleOf = (role, label) => (label ? role : 'presentation');

export class Grid extends ViewElement {
  static properties = {
    step: { attribute: false },
    head: { attribute: false },
    transposed: { attribute: false },
    size: { attribute: false },
    rowLabels: { attribute: false },
    columnLabels: { attribute: false },
    down: { attribute: false },
    across: { attribute: false },
    bounds: { attribute: false },
    skipped: { attribute: false },
    run: { attribute: false },
    operand: { attribute: false },
    name: { attribute: false },
    cursor: { state: true },
    editing: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/session.js').Step} */
    this.step = /** @type {any} */ (null);
    this.head = 0;
    this.transposed = false;
    /** @type {import('../draw/crossing.js').Size} */
    this.size = { width: 60, height: 30, mode: 'numbers' };
    /** @type {string[] | null} */
    this.rowLabels = null;
    /** @type {string[] | null} */
    this.columnLabels = null;
    /** @type {import('../draw/window.js').Span | null} the part that is shown, after transposing */
    this.down = null;
    /** @type {import('../draw/window.js').Span | null} */
    this.across = null;
    /** After how many rows and columns a head ends; 0 if heads are not in that direction. */
    this.bounds = { rows: 0, columns: 0 };
    /** Whether Tab passes it by. */
    this.skipped = false;
    /** Which run's numbers these are: the page's, which can be edited, or another's: 'intact', 'a', 'b'. */
    this.run = 'page';
    /** Which operand of the step on the stage it shows; -1 for the step itself. */
    this.operand = -1;
    this.name = '';
    /** @type {{ row: number, column: number }} */
    this.cursor = { row: 0, column: 0 };
    /** @type {((value: number) => string) | null} how its cells write their numbers, if they do */
    this.write = null;
    /** @type {string | null} what is typed into the cell at the cursor */
    this.editing = null;
    /** So many characters of it were typed by the reader. */
    this.editingFrom = 0;
    /** Whether the numbers were computed anew, which is shown at once: only time moves gently. */
    this.anew = false;
  }

  /** The step that is drawn. @type {import('../../app/session.js').Step | null} */
  #drawn = null;

  /** While time passes, another step is drawn matrix by matrix, so that no frame draws all of them. */
  async scheduleUpdate() {
    if (this.view?.playing && this.#drawn !== this.step) await ownFrame();
    this.#drawn = this.step;
    await super.scheduleUpdate();
  }

  /** Which part of its step it shows, and where that begins: every cell asks. */
  layout = { rows: 0, columns: 0, firstRow: 0, firstColumn: 0 };

  #arrange() {
    const { rows, columns } = matrices(this.step.shape, this.step.kind === 'ids');
    const [r, c] = this.transposed ? [columns, rows] : [rows, columns];
    const down = this.down ?? { from: 0, count: r };
    const across = this.across ?? { from: 0, count: c };
    this.layout = {
      rows: down.count,
      columns: across.count,
      firstRow: down.from,
      firstColumn: across.from,
    };
  }

  /**
   * Which number of its step is at a place of this grid, or beyond it.
   * @param {number} row
   * @param {number} column
   */
  indexAt(row, column) {
    const { firstRow, firstColumn } = this.layout;
    const [i, j] = this.transposed
      ? [firstColumn + column, firstRow + row]
      : [firstRow + row, firstColumn + column];
    const rank = this.step.shape.length;
    const upright = this.step.kind === 'ids' ? [i] : [j];
    return rank === 1 ? upright : rank === 2 ? [i, j] : [this.head, i, j];
  }

  /**
   * The cell shown at a place of this grid.
   * @param {number} row
   * @param {number} column
   */
  cellAt(row, column) {
    const index = this.indexAt(row, column);
    const flat = offset(this.step.shape, index);
    const isComputed = flat < this.view.known(this.step);
    return { node: this.step.name, index, flat, isComputed, value: numberAt(this.step, flat) };
  }

  /**
   * Where this grid shows a cell; null if it does not.
   * @param {Cell | null} cell
   */
  placeOf(cell) {
    if (cell?.node !== this.step.name) return null;
    const { rows, columns, firstRow, firstColumn } = this.layout;
    const { index } = cell;
    const alone = this.step.kind === 'ids' ? [index[0], 0] : [0, index[0]];
    const [i, j] = index.length === 1 ? alone : index.slice(-2);
    const [down, across] = this.transposed ? [j, i] : [i, j];
    const [row, column] = [down - firstRow, across - firstColumn];
    const other = index.length === 3 && index[0] !== this.head;
    const outside = row < 0 || column < 0 || row >= rows || column >= columns;
    return other || outside ? null : { row, column };
  }

  columnHeads() {
    const { columns } = this.layout;
    const labels = this.columnLabels;
    if (!labels) return nothing;
    const longest = Math.max(...labels.map((label) => label.length));
    const turned = longest * 8.5 * unitOf(this) > this.size.width && longest > 2;
    return html`<div role=${roleOf('row', labels.join(''))} class="heads ${turned ? 'turned' : ''}">
      ${Array.from(
        { length: columns },
        (
          _,
          column,
        ) => html`<div role=${roleOf('columnheader', labels[column])} class="head" title=${labels[column]}>
          <span>${labels[column]}</span>
        </div>`,
      )}
    </div>`;
  }

  /** @param {number} row */
  rowHead(row) {
    if (!this.rowLabels) return nothing;
    const label = this.rowLabels[row];
    return html`<div role=${roleOf('rowheader', label)} class="side" title=${label}>${label}</div>`;
  }

  /** Whether an edit changed a number of its step. */
  get isChanged() {
    const { changes, state } = this.view;
    if (this.run !== 'page') return false;
    return changes.counts.has(this.step) || state.edits.some(({ node }) => node === this.step.name);
  }

  /** The number that a cell had before the edits; null if it is the same. @param {Cell} cell */
  old(cell) {
    return this.isChanged ? this.view.old(cell) : null;
  }

  /** The same as it is told. @param {number | null} old */
  was(old) {
    return old === null ? '' : text('stage/was', { value: full(old) });
  }

  /** A number of the reader's as a fraction, if it was typed as one. @param {Cell & { value: number }} cell */
  typed(cell) {
    const { edited, state } = this.view;
    const isTyped = edited.has(cellKey(cell)) || (state.matrices && this.step.kind !== 'op');
    return isTyped ? fraction(cell.value) : '';
  }

  /** @param {Cell} cell @param {number | null} old what the edits changed */
  marks(cell, old) {
    const key = cellKey(cell);
    const { operands, term, focus, pinned, hover, edited, mismatches, differing, lit } = this.view;
    const isPage = this.run === 'page';
    const isEdited = isPage && edited.has(key);
    return {
      focus: sameCell(cell, focus),
      pinned: isPage && sameCell(cell, pinned),
      operand: isPage && operands.some((keys) => keys.has(key)),
      active: isPage && (operands[Math.min(term, operands.length - 1)]?.has(key) ?? false),
      hover: isPage && sameCell(cell, hover),
      lit: isPage && lit.has(key),
      differs: differing.has(key),
      edited: isEdited,
      changed: isPage && !isEdited && old !== null,
      wrong: isPage && mismatches.has(key),
    };
  }

  /** Lines between the heads. */
  boundaries() {
    const { rows, columns, firstRow, firstColumn } = this.layout;
    const { width, height } = this.size;
    const { bounds, transposed } = this;
    /** Those inside of what is shown, from its first place on. */
    const places = (/** @type {number[]} */ ...[step, count, from]) =>
      Array.from({ length: count }, (_, i) => i).filter(
        (i) => i > 0 && step > 0 && (from + i) % step === 0,
      );
    const [down, across] = transposed
      ? [bounds.rows, bounds.columns]
      : [bounds.columns, bounds.rows];
    return [
      ...places(down, columns, firstColumn).map(
        (i) => html`<i class="boundary down" style="left:${i * width}px"></i>`,
      ),
      ...places(across, rows, firstRow).map(
        (i) => html`<i class="boundary across" style="top:${i * height}px"></i>`,
      ),
    ];
  }

  field() {
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
    const field = /** @type {HTMLInputElement | null} */ (this.querySelector('.field'));
    if (field && !field.matches(':focus')) {
      field.focus();
      /* A number that was there is replaced by what is typed; a digit that was typed stays. */
      field.setSelectionRange(this.editingFrom, field.value.length);
    }
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    this.#arrange();
    const { rows, columns } = this.layout;
    const { row, column } = this.cursor;
    if (row >= rows || column >= columns) this.cursor = { row: 0, column: 0 };
    this.anew = changed.has('step');
    if (this.anew) this.editing = null;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  moveTo(row, column) {
    if (this.cursor.row !== row || this.cursor.column !== column) this.cursor = { row, column };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /* Another step waits for its frame: what is seen is no more what a key would be about. */
    if (this.isUpdatePending) return;
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
    else if (cell.isComputed && event.key === 'F2')
      this.#edit(this.typed(cell) || shortest(cell.value));
    else if (cell.isComputed && /^[\d.\\√-]$/.test(event.key) && !isPresented(this))
      this.#edit(event.key, 1);
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
    const { isComputed, ...target } = this.cellAt(row, column);
    this.act({ do: 'point', cell: isComputed ? target : null, stage: true });
  }

  /** The next cell of the matrix in the order of reading, or the one before; null at its end.
   * @param {1 | -1} by */
  #beside(by) {
    const { rows, columns } = this.layout;
    const { row, column } = this.cursor;
    const place = row * columns + column + by;
    return place < 0 || place >= rows * columns
      ? null
      : { row: Math.floor(place / columns), column: place % columns };
  }

  /** Takes a pasted block, from the cell at the cursor on; one as large as the matrix replaces it. @param {ClipboardEvent} event */
  paste = async (event) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    /* A single number goes into the field as into any other. */
    if (!pasted.trim() || (this.editing !== null && !/[\s&;[,]/.test(pasted.trim()))) return;
    event.preventDefault();
    const { readBlock } = await import('../../../bindings/js/number/block.js');
    const block = readBlock(pasted);
    const [height, width] = [block.length, Math.max(0, ...block.map((row) => row.length))];
    const { rows, columns } = this.layout;
    const isWhole = height === rows && width === columns;
    const { row, column } = isWhole ? { row: 0, column: 0 } : this.cursor;
    const room = { rows: rows - row, columns: columns - column };
    if (height > room.rows || width > room.columns) {
      this.tell(text('stage/blockSize', { height, width, ...room }));
      return;
    }
    const cells = block.flatMap((line, i) =>
      line.map((typed, j) => ({ typed, ...this.cellAt(row + i, column + j) })),
    );
    const bad = cells.find(({ typed }) => parseNumber(typed) === null);
    /* What cannot be read is refused as if it had been typed. */
    if (bad) this.act({ do: 'edit', cell: bad, text: bad.typed });
    else {
      const edits = cells.map(({ node, index, typed }) => ({
        node,
        index,
        value: /** @type {number} */ (parseNumber(typed)),
      }));
      this.act({ do: 'drag', edits, begins: true, ends: true });
    }
    this.editing = null;
  };

  /** @param {string} typed @param {number} [from] */
  #edit(typed, from = 0) {
    if (this.run !== 'page' || !this.view.editable(this.step)) return;
    this.editing = typed;
    this.editingFrom = from;
  }

  /** @param {KeyboardEvent} event */
  #fieldKey(event) {
    event.stopPropagation();
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const { row, column } = this.cursor;
    if (event.key === 'Escape') this.#focusCell(row, column).then(this.#stopEditing);
    if (event.key !== 'Enter' && event.key !== 'Tab') return;
    /* Tab keeps what was typed, and goes on along the rows. */
    const next = event.key === 'Tab' ? this.#beside(event.shiftKey ? -1 : 1) : this.cursor;
    if (next) event.preventDefault();
    this.editing = field.value;
    this.act({
      do: 'edit',
      cell: this.cellAt(row, column),
      text: field.value,
      done: () => {
        this.editing = null;
        if (next) this.#focusCell(next.row, next.column);
      },
    });
  }

  #stopEditing = () => {
    this.editing = null;
  };

  /** @param {{ row: number, column: number }} place */
  editAt({ row, column }) {
    this.moveTo(row, column);
    const cell = this.cellAt(row, column);
    if (cell.isComputed) this.#edit(this.typed(cell) || shortest(cell.value));
  }
}
