// The matrices of the present step, as elements.

import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { html as staticHtml } from 'lit/static-html.js';
import { motion } from '#capabilities';
import { count, rich, text } from '../../app/locale/text.js';
import { alone, arrange } from '../draw/arrangement.js';
import { display } from '../draw/format.js';
import { headsIn, role, symbol, word } from '../draw/names.js';
import { here } from '../draw/panels.js';
import { matrices } from '../draw/tensor.js';
import { drawingOf } from '../ops.js';
import { chip, letter, typeset } from '../telling/number.js';
import { SWITCH_TEXTS } from '../telling/switch-texts.js';
import { knownOf, plainSymbol, title } from '../telling/words.js';
import { ViewElement } from './base.js';
import { tagOf } from './matrix-tag.js';
import { isPresented } from './room.js';

/** @type {Readonly<Record<string, string>>} */
const ROWS_TEXTS = {
  rows: 'stage/rowsOf',
  table: 'stage/rowsFromZero',
  columns: 'stage/columnsOf',
};

/** @type {Readonly<Record<string, string>>} */
const PAGE_TEXTS = {
  up: 'stage/pages/up',
  down: 'stage/pages/down',
  left: 'stage/pages/left',
  right: 'stage/pages/right',
};

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../draw/arrangement.js').Panel} Panel */
/** @typedef {import('../draw/window.js').Span} Span */

/** Steps of which there are many: what removes them is a switch, not a button beside each. */
const FREQUENT_OPS = ['rope', 'alibi', 'layer_norm', 'rms_norm'];

/** @param {Step} stage */
function removalOf({ op, role, removal }) {
  if (op === 'embed') return 'embedding';
  return FREQUENT_OPS.includes(op) || role === 'residual' ? undefined : removal?.name;
}

export class Figure extends ViewElement {
  static properties = {
    room: { attribute: false },
    unit: { attribute: false },
    narrow: { attribute: false },
    alone: { attribute: false },
    other: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('../draw/arrangement.js').Room} px that the figure may take */
    this.room = { width: 0, height: 0 };
    /** How many px one px of the design is here. */
    this.unit = 1;
    /** Whether operands may be shown as one row and one column only. */
    this.narrow = false;
    /** @type {Step | null} a step to be shown without its operands: one of the intact run, or the present one */
    this.alone = null;
    /** The room of the page's own run, beside which that step stands, if that has its operands.
     * @type {import('../draw/arrangement.js').Room | null} */
    this.other = null;
  }

  /** What moves is not needed to see the steps: it comes behind them. */
  updated() {
    if (this.view.moving && !customElements.get('gf-motion')) motion.load();
  }

  render() {
    const { view, room, unit, narrow } = this;
    const drawing = drawingOf(view.stage);
    const sheet = {
      ...{ view, drawing, room, unit, narrow, isSlide: isPresented(this) },
      known: (/** @type {Step} */ step) => knownOf(step, view),
    };
    const arranged = this.alone ? alone(sheet, this.alone, this.other) : arrange(sheet);
    switch (arranged.kind) {
      case 'alone':
        return this.#alone(arranged);
      case 'crossing':
        return this.#crossing(arranged);
      case 'stacked':
        return this.#stacked(arranged);
      default:
        return this.#flow(arranged);
    }
  }

  /** @param {import('../draw/arrangement.js').Alone} arranged */
  #alone({ side, result }) {
    return html`<div class="figure-grid flow" style=${styleMap({ '--side': `${side}px` })}>
      ${this.#matrix(result, -1, result.step === this.view.stage ? 'page' : 'intact')}
    </div>`;
  }

  /** @param {import('../draw/arrangement.js').Crossing} arranged */
  #crossing({ side, gutter, heads, gap, left, above, result, bias }) {
    return html`<div
      class="figure-grid crossing ${this.narrow ? 'narrow' : ''}"
      style=${styleMap({ '--side': `${side}px`, '--gutter': `${gutter}px`, '--heads': `${heads}px`, '--gap': `${gap}px` })}
    >
      <div class="corner">
        <p class="cross"><span class="operator">×</span> ${this.#removal(result.step)}</p>
        ${this.#caption(left)}
      </div>
      <div class="above">${this.#matrix(above, 1)}</div>
      <div class="left">${this.#matrix(left, 0)}</div>
      <div class="result">
        ${this.#matrix(result)}
        ${bias ? html`<div class="bias">+ ${this.#matrix(bias, 2)}</div>` : nothing}
      </div>
      ${this.#motion()}
    </div>`;
  }

  /** @param {import('../draw/arrangement.js').Stacked} arranged */
  #stacked({ side, left, above, result }) {
    const { stage } = this.view;
    const called = (/** @type {Panel} */ { step }) => chip(symbol(step), role(step));
    const rowOf = { name: letter(symbol(left.step)) };
    const columnOf = { name: letter(symbol(above.step)) };
    const isTurned = stage.attributes.transposed === 1;
    return html`<div class="figure-grid stacked" style=${styleMap({ '--side': `${side}px` })}>
      ${this.#removal(stage)}
      <p class="part">${called(left)} <span>${rich('stage/rowOperand', rowOf)}</span></p>
      ${this.#matrix(left, 0)}
      <p class="part">${called(above)} <span>${rich(isTurned ? 'stage/rowOperand' : 'stage/columnOperand', columnOf)}</span></p>
      ${this.#matrix(above, 1)}
      <p class="part">${called(result)} ${title(stage)}</p>
      ${this.#matrix(result)}
      ${this.#pager(result)}
      ${this.#motion()}
    </div>`;
  }

  /** @param {import('../draw/arrangement.js').Flow} arranged */
  #flow({ side, down, operands, result, below }) {
    const { stage } = this.view;
    const { sign = '' } = drawingOf(stage);
    return html`<div
      class="figure-grid flow ${down ? 'down' : ''} ${this.narrow ? 'narrow' : ''}"
      style=${styleMap({ '--side': `${side}px` })}
    >
      ${operands.map((group, i) => [
        i > 0 ? html`<span class="operator">${sign}</span>` : nothing,
        i === 0 && below.length > 0 ? this.#with(group, below) : this.#group(group, i),
      ])}
      ${operands.length > 0 ? this.#arrow(stage) : nothing}
      ${this.#group(result)}
      ${this.#motion()}
    </div>`;
  }

  /**
   * An operand, and below it what else the step reads.
   * @param {import('../draw/arrangement.js').Group} operand
   * @param {Panel[]} below
   */
  #with(operand, below) {
    return html`<div class="with">
      ${this.#group(operand, 0)}
      ${below.map((panel, i) => html`<div class="bias">${this.#matrix(panel, i + 1)}</div>`)}
    </div>`;
  }

  /**
   * @param {import('../draw/arrangement.js').Group} group
   * @param {number} [operand]
   */
  #group({ panels, rows, columns }, operand) {
    return html`<div class="group ${rows ? '' : 'unlabelled'} ${columns ? 'headed' : ''}">
      ${panels.map((panel) => this.#matrix(panel, operand))}
    </div>`;
  }

  /** What travels over all that; it comes last, behind the matrices. */
  #motion() {
    return html`<gf-motion
      aria-hidden="true"
      .view=${this.view}
      .room=${this.room}
      .unit=${this.unit}
    ></gf-motion>`;
  }

  /** @param {Step} stage */
  #arrow(stage) {
    const { sign, label } = drawingOf(stage);
    if (sign) {
      return html`<div class="arrow"><span class="operator">=</span>${this.#removal(stage)}</div>`;
    }
    const name = label?.(stage, display, this.view.trace) ?? stage.op;
    return html`<div class="arrow">
      <span class="op">${typeset(stage.bypassed === null ? name : text('stage/copied'))}</span>
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
    const what = text(SWITCH_TEXTS[name].name);
    return html`<button
      class="remove"
      aria-pressed=${removed}
      title=${text(removed ? 'stage/restoreOf' : 'stage/removeOf', { what })}
      @click=${() => this.act({ do: 'remove', name })}
    >${text(removed ? 'stage/restore' : 'stage/remove')}</button>`;
  }

  /**
   * @param {Panel} panel
   * @param {string} [run]
   */
  #caption(panel, run) {
    const { step, transposed, part, name } = panel;
    const { rows, columns } = matrices(step.shape, step.kind === 'ids');
    const heads = headsIn(step);
    /* Where no pager says it, the size says which part is shown. */
    /** @type {(span: Span, all: number, isParted: boolean) => string} */
    const parts = ({ from, count }, all, isParted) =>
      name !== 'below' && count < all
        ? `${from + 1}–${from + count}/${all}`
        : isParted && heads > 1
          ? `${heads} · ${all / heads}`
          : String(all);
    const isLast = word(step) === 'w_o';
    const sides = [parts(part.rows, rows, isLast), parts(part.columns, columns, !isLast)];
    const [r, c] = transposed ? sides.reverse() : sides;
    const which = step.shape.length === 3 ? panel.head : undefined;
    return html`<p class="name">
      ${chip(symbol(step, which), role(step), transposed)}
      <span class="shape">${r} × ${c}</span>
      ${step.frozen && !step.removed ? html`<span class="badge">${text('stage/frozen')}</span>` : nothing}
      ${name === 'below' ? this.#pager(panel, run) : nothing}
    </p>`;
  }

  /**
   * @param {Panel} panel
   * @param {number} [operand] which one of the stage's; -1 for the stage's own
   * @param {string} [run]
   */
  #matrix(panel, operand = -1, run = 'page') {
    const { step, transposed, size, name } = panel;
    const grid = tagOf(size);
    const caption = name ? this.#caption(panel, run) : nothing;
    return staticHtml`<figure class="${name === 'beside' ? 'beside' : ''} role-${role(step)}">
      ${name === 'beside' ? caption : nothing}
      <${grid}
        .view=${this.view}
        .step=${step}
        .head=${panel.head}
        .transposed=${transposed}
        .size=${size}
        .down=${panel.down}
        .across=${panel.across}
        .bounds=${panel.bounds}
        .rowLabels=${panel.rowLabels}
        .columnLabels=${panel.columnLabels}
        .run=${run}
        .operand=${operand}
        .name=${`${plainSymbol(step)}${transposed ? ' transposed' : ''}`}
      ></${grid}>
      ${name === 'below' ? caption : nothing}
    </figure>`;
  }

  /**
   * Where in a step one is, and the ways to its other pages.
   * @param {Panel} panel
   * @param {string} [run]
   */
  #pager({ step, head, part: { rows, columns } }, run = 'page') {
    const { stage } = this.view;
    const all = matrices(step.shape, step.kind === 'ids');
    /* Rows of a table go by ids and positions, which count from zero. */
    const isTable = step.parameter === 'table';
    const first = { rows: isTable ? 0 : 1, columns: 1 };
    const hasPages = step === stage && run === 'page' && step.shape.length > 1;
    const shown = { rows, columns };
    const place = here(this.view);
    /** Which rows or columns are shown, and the ways to those before and after them.
     * @param {'rows' | 'columns'} axis */
    const ways = (axis) => {
      const { from, count: size } = shown[axis];
      if (size === all[axis]) return nothing;
      const range = text(ROWS_TEXTS[isTable && axis === 'rows' ? 'table' : axis], {
        from: from + first[axis],
        to: from + size - 1 + first[axis],
        all: count(all[axis]),
      });
      if (!hasPages) return range;
      /** @param {number} to @param {string} way @param {string} sign */
      const go = (to, way, sign) => {
        const { row, column } = { ...place, ...(axis === 'rows' ? { row: to } : { column: to }) };
        const index = step.shape.length === 3 ? [head, row, column] : [row, column];
        return html`<button
          ?disabled=${to < 0 || to >= all[axis]}
          aria-label=${text(PAGE_TEXTS[way])}
          @click=${() => this.act({ do: 'pick', cell: { node: step.name, index }, stage: true })}
        >${sign}</button>`;
      };
      const [back, on] = axis === 'rows' ? ['up', 'down'] : ['left', 'right'];
      return [range, go(from - 1, back, '‹'), go(from + size, on, '›')];
    };
    if (rows.count === all.rows && columns.count === all.columns) return nothing;
    return html`<span class="pager">
      ${ways('rows')}
      ${ways('columns')}
    </span>`;
  }
}

customElements.define('gf-figure', Figure);
