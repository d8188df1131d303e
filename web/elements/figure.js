// The matrices of the present step. A product is laid out crossing, so that each number of the result
// stands where its row and its column meet; any other step reads along an arrow.
import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { literal, html as staticHtml } from 'lit/static-html.js';
import { crossing, flow, sideBySide, size as sizeOf } from '../draw/crossing.js';
import { display } from '../draw/format.js';
import { axes, headsIn, isOfTokens, labels, role, symbol, word } from '../draw/names.js';
import { matrices, parseCell, sameCell } from '../draw/tensor.js';
import { page, span, spans } from '../draw/window.js';
import { rich, text } from '../locale/text.js';
import { drawingOf } from '../ops.js';
import { knownOf, plainSymbol, title } from '../telling/words.js';
import { Base } from './base.js';
import './heatmap.js';
import './matrix.js';
import { chip, letter } from '../telling/number.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../draw/crossing.js').Size} Size */
/** @typedef {{ width: number, height: number }} Room */
/** @typedef {import('../draw/window.js').Span} Span */
/** What is shown of a step, in its own rows and columns. @typedef {{ rows: Span, columns: Span }} Part */

/** px of the design */
const ID = { width: 50, height: 14 };
/** What a matrix takes beside its cells: brackets, and the gap to the next. */
const FRAME = 28;
const ARROW = { width: 136, height: 66, name: 96 };

const MANY_IDS = 16;

/** Steps of which there are many: what removes them is a switch, not a button beside each. */
const OFTEN = ['rope', 'alibi', 'layer_norm', 'rms_norm'];

const ONE = { from: 0, count: 1 };
/** So many rows of a table are shown that ids look up. */
const TABLE_ROWS = 12;

/** @param {Part} part */
const counts = ({ rows, columns }) => ({ rows: rows.count, columns: columns.count });

/**
 * Row and column of a cell within its matrix.
 * @param {import('../draw/tensor.js').Cell} cell
 */
const placeOf = ({ index }) => (index.length === 1 ? [index[0], index[0]] : index.slice(-2));

/** @param {Step} stage */
function removalOf({ op, role, removal }) {
  if (op === 'embed') return 'embedding';
  return OFTEN.includes(op) || role === 'residual' ? undefined : removal?.name;
}

export class Figure extends Base {
  static properties = {
    view: { attribute: false },
    room: { attribute: false },
    unit: { attribute: false },
    narrow: { attribute: false },
    alone: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('../state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {Room} px that the figure may take */
    this.room = { width: 0, height: 0 };
    /** How many px one px of the design is here. */
    this.unit = 1;
    /** Whether operands are shown as one row and one column only. */
    this.narrow = false;
    /** @type {Step | null} a step of the intact run, to be shown without its operands */
    this.alone = null;
  }

  render() {
    const { room, alone } = this;
    if (alone) return this.#alone(alone, room);
    const { stage, trace } = this.view;
    if (!drawingOf(stage).crosses) return this.#flow(room);
    const [a, b, bias] = stage.inputs;
    const operands = {
      left: trace.step(String(a)),
      above: trace.step(String(b)),
      bias: bias ? trace.step(bias) : null,
      transposed: stage.attributes.transposed === 1,
    };
    return this.narrow ? this.#stacked(operands, room) : this.#crossing(operands, room);
  }

  /**
   * @param {Step} before
   * @param {Room} room
   */
  #alone(before, room) {
    const { unit } = this;
    const side = this.#sideWidth(before);
    const free = { width: room.width - side - 16 * unit, height: room.height - 90 * unit };
    const part = this.#part(before, free);
    const size = sideBySide({ ...counts(part), count: 1 }, free, unit);
    return html`<div class="figure-grid flow" style=${styleMap({ '--side': `${side}px` })}>
      ${this.#matrix(before, { size, part, rows: true, columns: true, run: 'intact', below: true })}
    </div>`;
  }

  /**
   * @typedef {{ left: Step, above: Step, bias: Step | null, transposed: boolean }} Operands
   * @param {Operands} operands
   * @param {Room} room
   */
  #crossing({ left, above, bias, transposed }, room) {
    const { stage } = this.view;
    const unit = this.unit;
    const side = this.#sideWidth(left);
    const gutter = 44 * unit;
    const heads = 34 * unit;
    const free = {
      width: room.width - side - gutter - 28 * unit,
      height: room.height - 2 * heads - 34 * unit - (bias ? 60 * unit : 0),
    };
    const parts = this.#parts(left, free);
    const { rows, columns, inner } = parts;
    const sizes = crossing(
      { rows: rows.count, columns: columns.count, inner: inner.count },
      free,
      unit,
    );
    const turned = transposed ? { rows: columns, columns: inner } : { rows: inner, columns };
    return html`<div
      class="figure-grid crossing"
      style=${styleMap({ '--side': `${side}px`, '--gutter': `${gutter}px`, '--heads': `${heads}px` })}
    >
      <div class="corner">
        <p class="cross"><span class="operator">×</span> ${this.#removal(stage)}</p>
        ${this.#caption(left)}
      </div>
      <div class="above">
        ${this.#matrix(above, { size: sizes.above, part: turned, rows: true, columns: true, transposed, beside: true })}
      </div>
      <div class="left">
        ${this.#matrix(left, { size: sizes.left, part: { rows, columns: inner }, rows: true, columns: false })}
      </div>
      <div class="result">
        ${this.#matrix(stage, { size: sizes.result, part: { rows, columns }, rows: false, columns: false, below: true })}
        ${
          bias
            ? html`<div class="bias">+ ${this.#matrix(bias, {
                size: { ...sizes.result, height: Math.max(sizes.result.height, 10) },
                part: { rows: ONE, columns },
                rows: false,
                columns: false,
                below: true,
              })}</div>`
            : nothing
        }
      </div>
    </div>`;
  }

  /**
   * On a narrow screen: the row, the column lying down, and where they cross.
   * @param {Operands} operands
   * @param {Room} room
   */
  #stacked({ left, above, transposed }, room) {
    const { stage } = this.view;
    const unit = this.unit;
    const { row, column } = this.#at;
    const side = this.#sideWidth(left);
    const width = room.width - side - 8 * unit;
    const { height } = room;
    const { rows, columns } = this.#part(stage, { width, height });
    const inner = span(Number(left.shape.at(-1)), width, this.#term, unit);
    const line = sideBySide({ rows: 1, columns: inner.count, count: 1 }, { width, height }, unit);
    const result = sideBySide(
      { rows: rows.count, columns: columns.count, count: 1 },
      { width, height },
      unit,
    );
    const one = (/** @type {number} */ from) => ({ from, count: 1 });
    const rowOf = { name: letter(symbol(left)) };
    const columnOf = { name: letter(symbol(above)) };
    return html`<div class="figure-grid stacked" style=${styleMap({ '--side': `${side}px` })}>
      ${this.#removal(stage)}
      <p class="part">${chip(symbol(left), role(left))} <span>${rich('stage/rowOperand', rowOf)}</span></p>
      ${this.#matrix(left, { size: line, part: { rows: one(row), columns: inner }, rows: true, columns: false, bare: true })}
      <p class="part">
        ${chip(symbol(above), role(above))} <span>${rich('stage/columnOperand', columnOf)}</span>
      </p>
      ${this.#matrix(above, {
        size: line,
        part: transposed
          ? { rows: one(column), columns: inner }
          : { rows: inner, columns: one(column) },
        rows: true,
        columns: false,
        transposed: !transposed,
        bare: true,
      })}
      <p class="part">${chip(symbol(stage), role(stage))} ${title(stage)}</p>
      ${this.#matrix(stage, { size: result, part: { rows, columns }, rows: true, columns: true, bare: true })}
      ${this.#pager(stage, { rows, columns })}
    </div>`;
  }

  /**
   * A step of one number each: operand, arrow, result.
   * @param {Room} room
   */
  #flow(room) {
    const { stage, trace } = this.view;
    const unit = this.unit;
    const names = stage.bypassed === null ? stage.inputs : [stage.inputs[stage.bypassed]];
    const operands = names.filter((name) => name !== null).map((name) => trace.step(String(name)));
    const drawing = drawingOf(stage);
    if (drawing.shown) operands.length = drawing.shown;
    // What scales and shifts each column stands below the result.
    const below = drawing.below ? operands.splice(1) : [];
    // A long list of places says no more than the labels of the rows.
    if (drawing.counts && operands[0].data.length > MANY_IDS) operands.length = 0;
    // An id looks up a row of the table, so the ids come first.
    if (drawing.looksUp) operands.reverse();
    const shown = [...operands, stage];
    const side = Math.max(...shown.map((step) => this.#sideWidth(step)));
    // Beside each other, the row labels of the first matrix serve all with the same rows.
    const like = (/** @type {Step} */ step) => axes(step).rows === axes(shown[0]).rows;
    const labels = shown.filter((step) => step === shown[0] || !like(step)).length;
    const panels = shown.map((step) => this.#panels(step).length);
    const frames = panels.reduce((sum, count) => sum + count, 1) * FRAME;
    const ids = shown.some((step) => step.kind === 'ids') ? ID.width * unit : 0;
    const joins = drawing.allHeads;
    const free = {
      width: room.width - side * labels - ids - frames * unit,
      height: room.height - ((this.narrow ? 160 : joins ? 132 : 84) + 48 * below.length) * unit,
    };
    // On a narrow screen they stand below each other, where room beside the widest one is enough.
    const own = (Math.max(...panels) + 1) * FRAME;
    const spare = this.narrow ? side * (labels - 1) + ids + (frames - own) * unit : 0;
    const sheet = { ...free, width: free.width + spare };
    const parts = shown.map((step) => this.#part(step, sheet));
    const { down, size } = flow(
      shown.map((_, at) => {
        const { rows, columns } = counts(parts[at]);
        return { rows, columns: columns * panels[at] };
      }),
      free,
      {
        width: ARROW.width * unit,
        height: ARROW.height * unit,
        name: this.narrow ? 0 : ARROW.name * unit,
        spare,
      },
      unit,
      joins,
    );
    // Below each other, the first matrix's column labels serve all of that width.
    const wide = (/** @type {Step} */ step) => step.shape[step.shape.length - 1];
    const labelled = (/** @type {Step} */ step) => ({
      rows: down || step === shown[0] || !like(step),
      columns: !down || step === shown[0] || wide(step) !== wide(shown[0]),
    });
    return html`<div
      class="figure-grid flow ${down ? 'down' : ''} ${this.narrow ? 'narrow' : ''}"
      style=${styleMap({ '--side': `${side}px` })}
    >
      ${operands.map((step, at) => [
        at > 0 ? html`<span class="operator">${drawing.sign ?? ''}</span>` : nothing,
        this.#group(step, parts[at], size, labelled(step)),
      ])}
      ${operands.length > 0 ? this.#arrow(stage) : nothing}
      <div class="with">
        ${this.#group(stage, parts[operands.length], size, labelled(stage))}
        ${below.map(
          (step, at) => html`<div class="bias">
            ${at === 0 ? '×' : '+'}
            ${this.#matrix(step, {
              size: { ...size, height: Math.min(size.height, 20 * unit) },
              part: { rows: ONE, columns: parts[operands.length].columns },
              rows: false,
              columns: false,
              below: true,
            })}
          </div>`,
        )}
      </div>
    </div>`;
  }

  /**
   * @param {Step} step
   * @returns {number[]} the heads that are shown beside each other
   */
  #panels(step) {
    if (step.shape.length < 3) return [0];
    const [heads, , width] = step.shape;
    const { allHeads } = drawingOf(this.view.stage);
    const all = allHeads && heads * width <= this.room.width / 3 / this.unit;
    return all ? Array.from({ length: step.shape[0] }, (_, h) => h) : [this.view.head];
  }

  /**
   * @param {Step} step
   * @param {Part} part
   * @param {Size} size
   * @param {{ rows: boolean, columns: boolean }} labelled
   */
  #group(step, part, size, { rows, columns }) {
    const { unit } = this;
    const ids = step.kind === 'ids';
    const width = ids ? Math.max(size.width, ID.width * unit) : size.width;
    const few = ids && step.data.length <= MANY_IDS;
    const height = few ? Math.max(size.height, ID.height * unit) : size.height;
    const fit = ids ? sizeOf(width, height, unit) : size;
    return html`<div class="group ${rows ? '' : 'unlabelled'} ${columns ? 'headed' : ''}">
      ${this.#panels(step).map((head, at) =>
        this.#matrix(step, { size: fit, part, rows: rows && at === 0, columns, below: true, head }),
      )}
    </div>`;
  }

  /** @param {Step} stage */
  #arrow(stage) {
    const { sign, label } = drawingOf(stage);
    if (sign) {
      return html`<div class="arrow"><span class="operator">=</span>${this.#removal(stage)}</div>`;
    }
    const own = label?.(stage, display) ?? stage.op;
    return html`<div class="arrow">
      <span class="op">${stage.bypassed === null ? own : text('stage/copied')}</span>
      <svg viewBox="0 0 60 10" aria-hidden="true"><path d="M0 5h54M49 1l6 4-6 4" /></svg>
      ${this.#removal(stage)}
    </div>`;
  }

  /**
   * The switch on the arrow of the step that it removes.
   * @param {Step} stage
   */
  #removal(stage) {
    const name = removalOf(stage);
    if (!name || this.view.locked('remove')) return nothing;
    const able = this.view.trace.removable.find((entry) => entry.name === name);
    const removed = this.view.state.remove.includes(name);
    if (!able || (!able.possible && !removed)) return nothing;
    const what = text(`switches/${name}`);
    return html`<button
      class="remove"
      aria-pressed=${removed}
      title=${text(removed ? 'stage/restoreOf' : 'stage/removeOf', { what })}
      @click=${() => this.act({ do: 'remove', name })}
    >${text(removed ? 'stage/restore' : 'stage/remove')}</button>`;
  }

  /**
   * @param {Step} step
   * @param {{ transposed?: boolean, head?: number, part?: Part, run?: string }} [how]
   */
  #caption(step, { transposed = false, head = this.view.head, part, run } = {}) {
    const { rows, columns } = matrices(step.shape, step.kind === 'ids');
    const heads = headsIn(step);
    const parts = (/** @type {number} */ count, /** @type {boolean} */ parted) =>
      parted && heads > 1 ? `${heads} · ${count / heads}` : String(count);
    const sides = [parts(rows, word(step) === 'w_o'), parts(columns, word(step) !== 'w_o')];
    const [r, c] = transposed ? sides.reverse() : sides;
    const which = step.shape.length === 3 ? head : undefined;
    return html`<p class="name">
      ${chip(symbol(step, which), role(step), transposed)}
      <span class="shape">${r} × ${c}</span>
      ${step.frozen && !step.removed ? html`<span class="badge">${text('stage/frozen')}</span>` : nothing}
      ${part ? this.#pager(step, part, run) : nothing}
    </p>`;
  }

  /**
   * @param {Step} step
   * @param {{ size: Size, part: Part, rows: boolean, columns: boolean, transposed?: boolean,
   *   head?: number, below?: boolean, beside?: boolean, bare?: boolean, run?: string }} how
   *   rows, columns: whether they are labelled
   */
  #matrix(step, how) {
    const { transposed = false, head = this.view.head, part } = how;
    const { rows, columns } = matrices(step.shape, step.kind === 'ids');
    const axis = axes(step);
    const known = knownOf(step, this.view);
    if (step.kind === 'ids') known.positions = step.data;
    const heads = headsIn(step);
    const joins = word(step) === 'w_o';
    const bounds = {
      rows: !joins || heads === 1 ? 0 : rows / heads,
      columns: joins || heads === 1 ? 0 : columns / heads,
    };
    const [down, across] = transposed ? [part.columns, part.rows] : [part.rows, part.columns];
    const [high, wide] = transposed ? [axis.columns, axis.rows] : [axis.rows, axis.columns];
    const rowLabels = () => labels(high, down.count, known, down.from);
    const columnLabels = () => labels(wide, across.count, known, across.from);
    const roomy = how.size.mode !== 'colours';
    const legible = roomy || how.size.height >= 11;
    const grid = roomy ? literal`gf-matrix` : literal`gf-heatmap`;
    const caption = how.bare
      ? nothing
      : this.#caption(step, {
          transposed,
          head,
          part: how.beside ? undefined : part,
          run: how.run,
        });
    return staticHtml`<figure class="${how.beside ? 'beside' : ''} role-${role(step)}">
      ${how.beside ? caption : nothing}
      <${grid}
        .view=${this.view}
        .step=${step}
        .head=${step.shape.length === 3 ? head : 0}
        .transposed=${transposed}
        .size=${how.size}
        .down=${down}
        .across=${across}
        .bounds=${bounds}
        .rowLabels=${how.rows && legible ? rowLabels() : null}
        .columnLabels=${how.columns && roomy ? columnLabels() : null}
        .run=${how.run ?? 'page'}
        .name=${`${plainSymbol(step)}${transposed ? ' transposed' : ''}`}
      ></${grid}>
      ${how.below ? caption : nothing}
    </figure>`;
  }

  // ---- What is shown of what does not fit ----

  /** The cell of the stage that is looked at, or about to be. */
  get #at() {
    const { stage, focus, now } = this.view;
    const cell = focus?.node === stage.name ? focus : now;
    const [row, column] = cell ? placeOf(cell) : [0, 0];
    return { row, column };
  }

  /** The term that is being told. */
  get #term() {
    const { focus, now, term } = this.view;
    return sameCell(focus, now) ? term : 0;
  }

  /**
   * The pages of a product.
   * @param {Step} left
   * @param {Room} room
   */
  #parts(left, room) {
    const { rows, columns } = matrices(this.view.stage.shape);
    const inner = Number(left.shape.at(-1));
    return spans({ rows, columns, inner }, room, { ...this.#at, term: this.#term }, this.unit);
  }

  /**
   * What is shown of a step: all of it, or where the stage's cell or its operand is.
   * @param {Step} step
   * @param {Room} room
   * @returns {Part}
   */
  #part(step, room) {
    const { stage, operands } = this.view;
    const { rows, columns } = matrices(step.shape, step.kind === 'ids');
    const cells = [...(operands[0] ?? [])].map((key) => parseCell(key));
    const own = cells.find((cell) => cell?.node === step.name);
    const like = step.shape.join() === stage.shape.join();
    const [row, column] = own && !like ? placeOf(own) : [this.#at.row, this.#at.column];
    const shown = this.#panels(step).length;
    /* Of a table few rows are looked up. */
    const table = drawingOf(stage).looksUp && step.kind === 'parameter';
    return {
      rows: table ? page(rows, TABLE_ROWS, row) : span(rows, room.height, row, this.unit),
      columns: span(columns, room.width / shown, column, this.unit),
    };
  }

  /**
   * Where in a step one is, and the ways to its other pages.
   * @param {Step} step
   * @param {Part} part
   * @param {string} [run]
   */
  #pager(step, { rows, columns }, run = 'page') {
    const { stage, head } = this.view;
    const all = matrices(step.shape, step.kind === 'ids');
    const of = (/** @type {'rows' | 'columns'} */ axis, /** @type {Span} */ { from, count }) =>
      count < all[axis]
        ? text(`stage/${axis}Of`, { from: from + 1, to: from + count, all: all[axis] })
        : nothing;
    if (rows.count === all.rows && columns.count === all.columns) return nothing;
    const go = (
      /** @type {number} */ row,
      /** @type {number} */ column,
      /** @type {string} */ way,
    ) => {
      const inside = row >= 0 && column >= 0 && row < all.rows && column < all.columns;
      const index = step.shape.length === 3 ? [head, row, column] : [row, column];
      const cell = { node: step.name, index };
      return html`<button
        ?disabled=${!inside}
        aria-label=${text(`stage/pages/${way}`)}
        @click=${() => this.act({ do: 'pick', cell, stage: true })}
      >${{ left: '‹', right: '›', up: '‹', down: '›' }[way]}</button>`;
    };
    const own = step === stage && run === 'page' && step.shape.length > 1;
    const { row, column } = this.#at;
    return html`<span class="pager">
      ${of('rows', rows)}
      ${
        own && rows.count < all.rows
          ? [go(rows.from - 1, column, 'up'), go(rows.from + rows.count, column, 'down')]
          : nothing
      }
      ${of('columns', columns)}
      ${
        own && columns.count < all.columns
          ? [go(row, columns.from - 1, 'left'), go(row, columns.from + columns.count, 'right')]
          : nothing
      }
    </span>`;
  }

  /**
   * Room for the labels at the left of a matrix, px.
   * @param {Step} step
   */
  #sideWidth(step) {
    const { rows } = axes(step);
    const { tokens, sides, vocabulary } = this.view.example;
    const list = (rows === 'source' || rows === 'target' ? sides?.[rows] : tokens) ?? [];
    const usual = rows === 'word' && vocabulary ? 7 : 3;
    const longest = isOfTokens(rows) ? Math.max(2, ...list.map((token) => token.length)) : usual;
    return Math.min(this.narrow ? 76 : 110, longest * 9 + 22) * this.unit;
  }
}

customElements.define('gf-figure', Figure);
