// A matrix whose cells are large enough to show their numbers, in full or abbreviated.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import { css, ink } from '../draw/colour.js';
import { digits } from '../draw/crossing.js';
import { abbreviate, display, shortest } from '../draw/format.js';
import { cellKey, sameCell } from '../draw/tensor.js';
import { text } from '../locale/text.js';
import { fillOf, Grid } from './grid.js';

export class Matrix extends Grid {
  render() {
    const { rows, columns } = this.layout;
    const { width, height, mode } = this.size;
    return html`<div
      class="matrix ${mode} ${this.anew ? 'anew' : ''}"
      role="grid"
      aria-label=${text('stage/gridOf', { name: this.name, rows, columns })}
      data-grid=${this.step.name}
      style=${styleMap({
        '--cell-width': `${width}px`,
        '--cell-height': `${height}px`,
        '--digits': `${this.#fontSize()}px`,
        width: `${columns * width}px`,
        height: `${rows * height}px`,
      })}
      @keydown=${this.key}
      @dblclick=${() => this.editAt(this.cursor)}
    >
      ${this.columnHeads()} ${this.#rows()} ${this.boundaries()}
    </div>`;
  }

  #fontSize() {
    const { mode } = this.size;
    if (mode !== 'numbers') return digits(this.size);
    const { rows, columns } = this.layout;
    let longest = 0;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        longest = Math.max(longest, display(this.cellAt(row, column).value).length);
      }
    }
    return digits(this.size, longest);
  }

  #rows() {
    const { rows, columns } = this.layout;
    return Array.from(
      { length: rows },
      (_, row) => html`<div role="row" class="row">
        ${this.rowHead(row)}
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
    const stop = here && !this.skipped ? '0' : '-1';
    if (!cell.known) {
      return html`<div
        role="gridcell"
        class="cell unknown ${sameCell(cell, this.view.focus) ? 'focus' : ''}"
        tabindex=${stop}
        aria-label=${text('stage/unknown')}
        @focus=${() => this.moveTo(row, column)}
      ></div>`;
    }
    const masked = cell.value === Number.NEGATIVE_INFINITY;
    const rgb = fillOf(this.view, this.step, cell.flat);
    const plain = masked || this.step.kind === 'ids';
    const shown = this.size.mode === 'numbers' ? display(cell.value) : abbreviate(cell.value);
    const value = shortest(cell.value);
    return html`<div
      role="gridcell"
      class=${classMap({ cell: true, masked, ...this.marks(cell) })}
      tabindex=${stop}
      data-node=${cell.node}
      data-index=${cell.index.join()}
      data-value=${value}
      data-run=${this.run === 'page' ? nothing : this.run}
      aria-description=${this.view.differing.has(cellKey(cell)) ? text('stage/differs') : nothing}
      title=${`${cell.node}[${cell.index.join(', ')}] = ${value}`}
      style=${plain ? '' : `background:${css(rgb)};color:${ink(rgb)}`}
      @focus=${() => this.moveTo(row, column)}
    >
      ${here && this.editing !== null ? this.field() : shown}
    </div>`;
  }
}

customElements.define('gf-matrix', Matrix);
