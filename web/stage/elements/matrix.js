// A matrix whose cells are large enough to show their numbers, with as many digits as fit.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { text } from '../../app/locale/text.js';
import { css, ink } from '../draw/colour.js';
import { decimalsOf, inCells, inSigns, plainly, shortest } from '../draw/format.js';
import { lookOf } from '../draw/look.js';
import { cellKey, sameCell } from '../draw/tensor.js';
import { Grid } from './grid.js';
import { digitOf } from './lettering.js';
import { isPresented, unitOf } from './room.js';

/** @typedef {import('../../app/session.js').Step} Step */

/** Shares stand in columns: all have as many decimals. */
const SHARE_DECIMALS = 4;
/** Shares that are smaller leave the eye to the larger ones. */
const FAINT = 0.01;

/** Whether numbers are shares of one: next to it, a power of ten says no more than zero. @param {Step} step */
const isShare = ({ role }) => role === 'weight' || role === 'probability';

export class Matrix extends Grid {
  render() {
    const { rows, columns } = this.layout;
    const { width, height, mode } = this.size;
    const { write, font } = this.#written();
    this.write = write;
    return html`<div
      class="matrix ${mode} ${this.anew ? 'anew' : ''}"
      role="grid"
      aria-label=${text('stage/gridOf', { name: this.name, rows, columns })}
      data-grid=${this.step.name}
      style=${styleMap({
        '--cell-width': `${width}px`,
        '--cell-height': `${height}px`,
        '--digits': `${font}px`,
        width: `${columns * width}px`,
        height: `${rows * height}px`,
      })}
      @keydown=${this.key}
      @paste=${this.paste}
      @dblclick=${() => this.editAt(this.cursor)}
    >
      ${this.columnHeads()} ${this.#rows(write)} ${this.boundaries()}
    </div>`;
  }

  /** How the numbers in sight are written, all with as many digits. */
  #written() {
    const { rows, columns } = this.layout;
    const values = Array.from(
      { length: rows * columns },
      (_, i) => this.cellAt(Math.floor(i / columns), i % columns).value,
    );
    const how = {
      unit: unitOf(this),
      decimals:
        decimalsOf(this.view.trace, this.step.name) ??
        (isShare(this.step) ? SHARE_DECIMALS : undefined),
      isSlide: isPresented(this),
      digit: digitOf(this),
    };
    const written = () => inCells(values, this.size, how);
    if (!isShare(this.step)) return written();
    const { write, font } = plainly(written);
    return { write: (/** @type {number} */ value) => plainly(() => write(value)), font };
  }

  /** @param {(value: number) => string} write */
  #rows(write) {
    const { rows, columns } = this.layout;
    return Array.from(
      { length: rows },
      (_, row) => html`<div role="row" class="row ${this.#isTold(row) ? 'told' : ''}">
        ${this.rowHead(row)}
        ${Array.from({ length: columns }, (_, column) => this.#cell(row, column, write))}
      </div>`,
    );
  }

  /** Whether a row is told as a whole. @param {number} row */
  #isTold(row) {
    const { tellsRow, focus } = this.view;
    return tellsRow && this.run === 'page' && this.placeOf(focus)?.row === row;
  }

  /** What is said of the cell under the pointer; the others' would be written for nobody.
   * @param {import('./grid.js').Cell & { value: number }} cell @param {string} before */
  #titleOf(cell, before) {
    if (!sameCell(cell, this.view.hover)) return nothing;
    const number = `${cell.index.map((i) => i + 1).join(', ')}: ${inSigns(shortest(cell.value))}`;
    return before ? `${number}, ${before}` : number;
  }

  /**
   * @param {number} row
   * @param {number} column
   * @param {(value: number) => string} write
   */
  #cell(row, column, write) {
    const cell = this.cellAt(row, column);
    const here = this.cursor.row === row && this.cursor.column === column;
    const stop = here && !this.skipped ? '0' : '-1';
    if (!cell.isComputed) {
      return html`<div
        role="gridcell"
        class="cell unknown ${sameCell(cell, this.view.focus) ? 'focus' : ''}"
        tabindex=${stop}
        aria-label=${text('stage/unknown')}
        @focus=${() => this.moveTo(row, column)}
      ></div>`;
    }
    const { rgb, masked, broken, isBare } = lookOf(this.view, this.step, cell.flat);
    const digits = shortest(cell.value);
    const isFaint = isShare(this.step) && cell.value < FAINT;
    const typed = this.typed(cell);
    const old = this.old(cell);
    const before = this.was(old);
    const note = this.view.differing.has(cellKey(cell)) ? text('stage/differs') : before;
    return html`<div
      role="gridcell"
      class=${classMap({ cell: true, masked, broken, bare: isBare, ...this.marks(cell, old) })}
      tabindex=${stop}
      data-node=${cell.node}
      data-index=${cell.index.join()}
      data-value=${digits}
      data-run=${this.run === 'page' ? nothing : this.run}
      aria-description=${note || nothing}
      title=${this.#titleOf(cell, before)}
      style=${isBare ? '' : `background:${css(rgb)};color:${isFaint ? 'var(--quiet)' : ink(rgb)}`}
      @focus=${() => this.moveTo(row, column)}
    >
      ${here && this.editing !== null ? this.field() : typed || write(cell.value)}
    </div>`;
  }
}

customElements.define('gf-matrix', Matrix);
