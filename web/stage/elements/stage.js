// The stage: the present step, its heading, and, if something is removed, the intact result beside it.

import { html, nothing } from 'lit';
import { geometry } from '#capabilities';
import { text } from '../../app/locale/text.js';
import { momentOf } from '../../app/state/timeline.js';
import { fork, pair } from '../draw/arrangement.js';
import { sizeOf } from '../draw/tensor.js';
import { drawingOf, isGeometric } from '../ops.js';
import { knownOf, prose, runName, title } from '../telling/words.js';
import { ViewElement } from './base.js';
import { explained } from './explained.js';
import { freeHeight, isPresented, oneScreen, roomObserver, unitOf } from './room.js';
import './figure.js';
import { typeset } from '../telling/number.js';

/** px of the design: below this width operands are shown as one row and one column. */
const NARROW = 520;
/** Of more heads than so many, only the numbers are told. */
const MAX_NAMED_HEADS = 6;
/** px of the design between the two runs, with the line that parts them and the brackets of the matrices. */
const FORK_GAP = 64;
/** ms in which the page's run goes where there is room for the intact one beside it, and back. */
const SLIDE_MS = 260;
/** px of a finger's way that counts as a swipe */
const MIN_SWIPE = 50;

/** @typedef {{ width: number, height: number }} Room */

export class Stage extends ViewElement {
  static properties = { box: { state: true } };

  constructor() {
    super();
    this.box = { width: 0, height: 0 };
    this.observer = roomObserver((box) => {
      const { width, height } = this.box;
      if (box.width !== width || box.height !== height) this.box = box;
    });
    /** What is observed: to ask for it anew makes the browser measure it, and lays all out. @type {Element | null} */
    this.observed = null;
    /** Where the page's run stood, while it goes elsewhere. @type {DOMRect | null} */
    this.stood = null;
    /** @type {number | null} */
    this.swipe = null;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const before = /** @type {import('../../app/state/view.js').View | undefined} */ (
      changed.get('view')
    );
    const { stage, intact, moving } = this.view;
    const goes = before?.stage.name === stage.name && !before.intact !== !intact;
    if (!moving || !goes) return;
    this.stood = this.#run?.getBoundingClientRect() ?? null;
    /* What comes with a removal may take room in the same frame. */
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.stood = null;
      }),
    );
  }

  /** The matrices of the page's own run. */
  get #run() {
    return [...this.querySelectorAll('gf-figure')].at(-1)?.querySelector('.figure-grid');
  }

  /** What a removal moves is followed by the eye. @param {DOMRect} from */
  async #slide(from) {
    const figures = /** @type {NodeListOf<import('./figure.js').Figure>} */ (
      this.querySelectorAll('gf-figure')
    );
    await Promise.all(Array.from(figures, (figure) => figure.updateComplete));
    const run = this.#run;
    for (const way of run?.getAnimations() ?? []) way.cancel();
    const to = run?.getBoundingClientRect();
    if (!run || !to?.width) return;
    const scale = `${from.width / to.width},${from.height / to.height}`;
    const way = `translate(${from.left - to.left}px,${from.top - to.top}px) scale(${scale})`;
    run.animate(
      { transformOrigin: ['0 0', '0 0'], transform: [way, 'none'] },
      { duration: SLIDE_MS, easing: 'ease-in-out' },
    );
  }

  updated() {
    if (this.stood) this.#slide(this.stood);
    if (this.#isDrawn) geometry();
    const figure = this.querySelector('.figure');
    if (!figure || figure === this.observed) return;
    this.observer.observe(figure);
    this.observed = figure;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer.disconnect();
    this.observed = null;
  }

  get unit() {
    return unitOf(this);
  }

  get narrow() {
    return this.box.width < NARROW * this.unit;
  }

  /** Between two steps only what travels is drawn anew.
   * @param {Map<string, unknown>} changed */
  shouldUpdate(changed) {
    if (!this.stands(changed)) return true;
    for (const motion of this.querySelectorAll('gf-motion')) {
      /** @type {import('./motion.js').Motion} */ (motion).view = this.view;
    }
    return false;
  }

  render() {
    const { stage, line, moment } = this.view;
    return html`
      <header class="stage-head">
        <p class="count">${text('stage/count', { at: moment.stage + 1, all: line.stages.length })}</p>
        <h2>${typeset(title(stage))}</h2>
        <p class="prose">${explained(prose(stage))}</p>
        ${this.#headTabs()} ${this.#arrows()}
      </header>
      <div class="planes">
      <div
        class="figure"
        @pointerdown=${(/** @type {PointerEvent} */ event) => {
          this.swipe = event.pointerType === 'touch' ? event.clientX : null;
        }}
        @pointerup=${this.#swiped}
      >
        ${this.box.width > 0 ? this.#figure() : nothing}
      </div>
      ${this.#isDrawn ? html`<gf-geometry .view=${this.view}></gf-geometry>` : nothing}
      </div>
    `;
  }

  get #hasArrows() {
    const { stage, trace } = this.view;
    return isGeometric(stage, (name) => trace.step(name));
  }

  /** Whether the geometric view is wanted, and there is one. */
  get #isDrawn() {
    return this.view.state.arrows && this.#hasArrows;
  }

  /** The way to the geometric view, and back. */
  #arrows() {
    if (!this.#hasArrows) return nothing;
    const { arrows } = this.view.state;
    return html`<button
      class="geometry"
      aria-pressed=${arrows}
      @click=${() => this.act({ do: 'set', change: { arrows: !arrows } })}
    >${text('stage/arrows')}</button>`;
  }

  #headTabs() {
    const { stage } = this.view;
    if (stage.shape.length < 3 || drawingOf(stage).allHeads) return nothing;
    const heads = stage.shape[0];
    return html`<div class="stepper" role="group" aria-label=${text('stage/heads')}>
      ${Array.from({ length: heads }, (_, h) => {
        const name = text('stage/head', { h: h + 1 });
        return html`<button
          aria-pressed=${this.view.head === h}
          aria-label=${name}
          @click=${() => this.act({ do: 'goto', t: this.#endOfHead(h) })}
        >${heads > MAX_NAMED_HEADS ? h + 1 : name}</button>`;
      })}
    </div>`;
  }

  /** @param {number} h */
  #endOfHead(h) {
    const { stage, line } = this.view;
    const [, rows, columns] = stage.shape;
    return momentOf(line, { node: stage.name, index: [h, rows - 1, columns - 1] });
  }

  #figure() {
    const { unit, narrow } = this;
    const { width } = this.box;
    const height = oneScreen(this) ? this.box.height : freeHeight(this);
    const { stage, runs } = this.view;
    /* A lesson compares whole results; a mistake is told by its operands, where there is room. */
    const bare = this.closest('gf-learn') && (narrow || !runs);
    /* A step that only a mistake takes has nothing beside it. */
    const intact = stage.aside ? null : this.view.intact;
    const view = intact && bare && !runs ? { ...this.view, known: sizeOf } : this.view;
    /** @type {(room: Room, alone?: import('../../app/session.js').Step | null, other?: Room | null) => unknown} */
    const figure = (room, alone = null, other = null) =>
      html`<gf-figure
        .view=${view}
        .room=${room}
        .unit=${unit}
        .narrow=${narrow}
        .alone=${alone}
        .other=${other}
      ></gf-figure>`;
    return intact
      ? this.#fork(intact, view, { width, height, bare: Boolean(bare) }, figure)
      : figure({ width, height });
  }

  /**
   * The run without anything removed, beside the page's.
   * @param {NonNullable<import('../../app/state/view.js').View['intact']>} intact
   * @param {import('../../app/state/view.js').View} view
   * @param {{ width: number, height: number, bare: boolean }} place bare: whole results alone
   * @param {(room: Room, alone?: import('../../app/session.js').Step | null, other?: Room | null) => unknown} figure
   */
  #fork(intact, view, { width, height, bare }, figure) {
    const { unit, narrow } = this;
    const { stage, runs } = view;
    const step = intact.step(stage.name);
    const room = { width, height: height - 24 * unit };
    const sheet = {
      ...{ view, drawing: drawingOf(stage), room, unit, narrow, isSlide: isPresented(this) },
      known: (/** @type {import('../../app/session.js').Step} */ one) => knownOf(one, view),
    };
    const whole = bare ? pair(sheet, step, FORK_GAP * unit) : null;
    const rooms = whole
      ? { intact: whole.room, page: whole.room }
      : fork(sheet, step, FORK_GAP * unit);
    return html`<div class="fork ${(whole?.stacked ?? narrow) ? 'stacked' : ''}">
      <section class="run intact">
        <h3>${runs?.intact ?? text('stage/intact')}</h3>
        ${figure(rooms.intact, step, bare ? null : rooms.page)}
      </section>
      <section class="run">
        <h3>${typeset(runName(this.view))}</h3>
        ${figure(rooms.page, bare ? stage : null)}
      </section>
    </div>`;
  }

  /** @param {PointerEvent} event */
  #swiped(event) {
    if (this.swipe === null) return;
    const moved = event.clientX - this.swipe;
    this.swipe = null;
    if (Math.abs(moved) > MIN_SWIPE) this.act({ do: 'step', by: moved < 0 ? 1 : -1 });
  }
}

customElements.define('gf-stage', Stage);
