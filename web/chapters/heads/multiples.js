// Every head's map, and below it the queries, keys, values and mixture, head beside head. A click shows that head on
// the stage.

import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { doneAt } from '../../app/state/timeline.js';
import { size } from '../../stage/draw/crossing.js';
import { role, symbol } from '../../stage/draw/names.js';
import { matrices } from '../../stage/draw/tensor.js';
import { explained } from '../../stage/elements/explained.js';
import { Panel } from '../../stage/elements/panel.js';
import { isPresented, oneScreen } from '../../stage/elements/room.js';
import { chip } from '../../stage/telling/number.js';
import { title } from '../../stage/telling/words.js';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */

/** px of the design */
const ROOM = { side: 150, narrow: 92, gap: 16, line: 8, head: 36, tokens: 56 };
const CELL = { least: 3, token: 11, numbers: 16, height: 30 };
/** A cell of a map is at most so many times as high as wide: beside others, and where maps stand alone. */
const STEEP = { usual: 1.5, alone: 2.5 };
/** The maps' share of the height where not all cells have numbers: where each head looks is what is to be seen first. */
const MAPS = 0.5;
/** px of one px of the design on a slide, where its words are large enough. */
const SLIDE_UNIT = 1.5;
const NARROW = 520;
/** px of all matrices where the page may scroll. */
const FREE_HEIGHT = 640;

/**
 * The queries, keys, values, weights and mixtures of each head.
 * @param {import('../../app/session.js').Trace} trace
 * @param {number} heads
 */
export function headSteps(trace, heads) {
  const suffix = heads > 1 ? '.heads' : '';
  /* A single head without W_O mixes the values into the output itself. */
  const mix = trace.steps.some(({ name }) => name === 'mix') ? 'mix' : 'output';
  return [`q${suffix}`, `k${suffix}`, `v${suffix}`, 'weights', mix].map(trace.step, trace);
}

export class Multiples extends Panel {
  static properties = { ...Panel.properties, alone: { attribute: false } };

  constructor() {
    super();
    /** Whether the maps stand alone. */
    this.alone = false;
  }

  render() {
    const { view } = this;
    const all = headSteps(view.trace, view.state.heads);
    const [dk] = all[2].shape.slice(-1);
    /* A class sees where each head looks, and nothing else. */
    const isAlone = this.alone || isPresented(this);
    const steps = isAlone ? all.filter(({ name }) => name === 'weights') : all;
    return html`<div class="panel">
      <p class="prose">${explained(text('chapters/heads/about', { n: dk }))}</p>
      <div class="room" @click=${this.#click} @gf-act=${this.#act}>
        ${this.box.width > 0 ? this.#table(view, steps, isAlone) : nothing}
      </div>
    </div>`;
  }

  /** The head of the number that is explained, or that is on the stage. */
  get #shown() {
    const { focus, head, trace } = this.view;
    const isOne = focus !== null && trace.step(focus.node).axes[0] === 'head';
    return isOne ? focus.index[0] : head;
  }

  /**
   * @param {import('../../app/state/view.js').View} view
   * @param {Step[]} steps
   * @param {boolean} isAlone whether these are the maps alone
   */
  #table(view, steps, isAlone) {
    const { unit } = this;
    const heads = Array.from({ length: view.state.heads }, (_, h) => h);
    const free = !oneScreen(this);
    const height = free ? FREE_HEIGHT * unit : this.box.height;
    /* On a phone the heads stand below each other. */
    const isNarrow = this.box.width < NARROW * unit;
    const beside = isNarrow ? heads.map((h) => [h]) : [heads];
    const hasNames = !isNarrow && !isAlone;
    const side = (hasNames ? ROOM.side : ROOM.narrow) * unit;
    const wide = (this.box.width - side) / beside[0].length - ROOM.gap * unit;
    const { rows } = matrices(steps[0].shape);
    /* Which token a column of weights is of stands above it where it can be read; on a slide in smaller type than the rest. */
    const isNamed = wide / rows >= CELL.token * Math.min(unit, SLIDE_UNIT);
    const head = ROOM.head + (isNamed ? ROOM.tokens : 0);
    const high = (height - (head + steps.length * ROOM.line) * unit) / rows;
    const fitted = (/** @type {number} */ room) =>
      Math.max(CELL.least, Math.min(CELL.height * unit, Math.floor(room * 2) / 2));
    const even = high / steps.length;
    const square = ((isAlone ? STEEP.alone : STEEP.usual) * wide) / rows;
    const part = steps.length > 1 ? MAPS : 1;
    const isSmall = isAlone || even < CELL.numbers * unit;
    const map = fitted(isSmall ? Math.min(high * part, square) : even);
    const other = fitted((high - map) / Math.max(1, steps.length - 1));
    const maps = steps.filter(({ name }) => name === 'weights');
    const others = steps.filter(({ name }) => name !== 'weights');
    return html`<div
      class="multiples ${isNamed ? 'named' : ''}"
      role="group"
      aria-label=${text('chapters/heads/multiples')}
      style="--column:${wide / rows}px;grid-template-columns:${side}px repeat(${beside[0].length}, minmax(0, 1fr))"
    >
      ${beside.map(
        (row) => html`<span></span>
        ${row.map((h) => this.#button(h, maps[0], row.length > 6))}
        ${[...maps, ...others].map((step) => {
          const { columns } = matrices(step.shape);
          const cell = step === maps[0] ? map : other;
          const width = Math.max(CELL.least * 0.5, Math.min(wide / columns, cell * 2.5));
          return html`${this.#name(step, cell, hasNames)}
            ${row.map((h) => this.#matrix(step, h, { width: Math.floor(width * 2) / 2, height: cell }, isNamed && step === maps[0]))}`;
        })}`,
      )}
    </div>`;
  }

  /** Chooses a head. @param {number} h @param {Step} weights @param {boolean} isShort whether its number alone has room */
  #button(h, weights, isShort) {
    return html`<button
      class=${h === this.#shown ? 'choose now' : 'choose'}
      aria-label=${text('chapters/heads/focus', { h: h + 1 })}
      @click=${() => this.#show({ node: 'weights', index: this.#index(weights, h, 0, 0) })}
    >${isShort ? h + 1 : text('chapters/heads/head', { h: h + 1 })}</button>`;
  }

  /**
   * What a row of matrices is, and what their rows are.
   * @param {Step} step
   * @param {number} height px of a row
   * @param {boolean} room whether there is any for what the matrix is called
   */
  #name(step, height, room) {
    const { tokens } = this.view.example;
    const legible = height >= CELL.token * this.unit;
    return html`<div class="row-name" title=${title(step)}>
      <span>
        ${chip(symbol(step), role(step))}
        ${room ? html`<span class="what">${title(step).split(',')[0]}</span>` : nothing}
      </span>
      ${
        legible
          ? html`<ol style="line-height:${height}px">${tokens.map((token) => html`<li>${token}</li>`)}</ol>`
          : nothing
      }
    </div>`;
  }

  /**
   * @param {Step} step
   * @param {number} h
   * @param {{ width: number, height: number }} cell
   * @param {boolean} isNamed whether its columns are
   */
  #matrix(step, h, cell, isNamed) {
    const fit = size(cell.width, cell.height, this.unit);
    const name = `${symbol(step).letter}, ${text('chapters/heads/head', { h: h + 1 })}`;
    const skipped = h !== this.#shown;
    const columnLabels = isNamed ? this.view.example.tokens : null;
    return this.matrix(step, fit, { head: h, name, skipped, columnLabels });
  }

  /**
   * @param {Step} step
   * @param {number} h
   * @param {number} i
   * @param {number} j
   */
  #index(step, h, i, j) {
    return step.shape.length === 3 ? [h, i, j] : [i, j];
  }

  /**
   * Its head on the stage, with this number picked.
   * @param {Cell} cell
   */
  #show(cell) {
    const step = this.view.trace.step(cell.node);
    const [rows, columns] = step.shape.slice(-2);
    const end = this.#index(step, cell.index[0], rows - 1, columns - 1);
    const t = doneAt(this.view.line, { node: cell.node, index: end });
    this.act({ do: 'set', change: { panel: 'stage', path: [cell], t } });
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const shown = /** @type {Element} */ (event.target).closest('[data-node]');
    if (!shown) return;
    event.stopPropagation();
    const { node, index } = /** @type {HTMLElement} */ (shown).dataset;
    this.#show({ node: String(node), index: String(index).split(',').map(Number) });
  }

  /** What the matrices ask for: a number that is opened or picked is shown on the stage. */
  #act(/** @type {CustomEvent} */ event) {
    const { do: asked, cell } = event.detail;
    if (asked !== 'open' && asked !== 'pick') return;
    event.stopPropagation();
    if (asked === 'pick') this.#show(cell);
    else this.act({ do: 'set', change: { panel: 'stage', path: [cell], open: cell } });
  }
}

customElements.define('gf-multiples', Multiples);
