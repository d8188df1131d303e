// A lesson: the page of a chapter that walks through a trace. It holds what was computed for the state
// that the shell gives it, turns actions into changes of that state, and hands every element one view.
import { html, nothing } from 'lit';
import { parseNumber } from '../draw/format.js';
import { parseCell, sameCell } from '../draw/tensor.js';
import { readoutsOf } from '../experiments/readouts.js';
import { message, ofExample, short, text } from '../locale/text.js';
import { reduce } from '../state/actions.js';
import { checkCells } from '../state/check.js';
import { actionOf } from '../state/keys.js';
import { MOST } from '../state/limits.js';
import { refused } from '../state/locks.js';
import { placeOf } from '../state/place.js';
import { advance, doneAt, momentAt, momentOf, timeline } from '../state/timeline.js';
import { domain, look, steepest } from '../state/view.js';
import { withEdit } from '../state/walk.js';
import { Base } from './base.js';
import './caption.js';
import './chooser.js';
import './embed-sheet.js';
import './export-sheet.js';
import './formula.js';
import './gradient.js';
import './legend.js';
import './map.js';
import './microscope.js';
import { Player } from '../state/player.js';
import { typeset } from '../telling/number.js';
import './readouts.js';
import './stage.js';
import './strip.js';
import './switches.js';
import './timeline.js';

/** @typedef {import('../state/walk.js').State} State */
/** @typedef {import('../session.js').Opened} Opened */
/** @typedef {import('./base.js').Action} Action */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** Changes of these alone are no new entry of the browser's history. */
const PASSING = ['t', 'speed', 'level', 'nudge'];

export class Lesson extends Base {
  static properties = {
    session: { attribute: false },
    state: { attribute: false },
    theme: { attribute: false },
    shows: { attribute: false },
    locks: { attribute: false },
    hover: { state: true },
    preview: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** The parts that are shown; null for all. @type {ReadonlySet<string> | null} */
    this.shows = null;
    /** What the reader cannot change. @type {ReadonlySet<string>} */
    this.locks = new Set();
    /** @type {State} the state that is shown: the last one that could be computed */
    this.shown = /** @type {any} */ (null);
    /** @type {State} the last one that was taken over, or refused */
    this.taken = /** @type {any} */ (null);
    /** @type {Opened} */
    this.opened = /** @type {any} */ (null);
    /** The subject that it is of. @type {unknown} */
    this.traced = null;
    /** @type {import('../state/timeline.js').Timeline} */
    this.line = /** @type {any} */ (null);
    /** The largest size of a number in sight, by stage. @type {Map<number, number>} */
    this.limits = new Map();
    /** The largest slope in sight, while slopes are shown. @type {Map<number, number>} */
    this.steepest = new Map();
    /** @type {Cell | null} */
    this.hover = null;
    /** @type {Cell | null} a number of the stage that is pointed at */
    this.preview = null;
    this.player = new Player((ms) => this.#pass(ms));
    this.pointer = { clientX: -1, clientY: -1 };
    /** @type {import('../state/view.js').Readouts | null} */
    this.readouts = null;
    /** @type {string | null} what readouts and slopes were computed for */
    this.sloped = null;
  }

  // ---- What a chapter says of itself ----

  /**
   * @abstract
   * @returns {Record<string, any>} the chapter's opening state
   */
  get opening() {
    throw new Error('a lesson has an opening state');
  }

  /** What there is to choose from, in order. @returns {Record<string, import('../session.js').Example>} */
  get examples() {
    return {};
  }

  /** The parts of the state that open() reads: what changes the numbers. */
  get computed() {
    return ['example', 'sentence', 'remove', 'edits'];
  }

  /** What open() makes a trace of, if there are several such things. @param {State} _state
   * @returns {unknown} */
  subject(_state) {
    return null;
  }

  /**
   * Computes what a state asks for; throws if that cannot be.
   * @param {State} state
   * @returns {Opened}
   */
  open(state) {
    return this.session.run(this.session.exampleOf(state), state);
  }

  /** The number that is told once all is computed, unless another one is picked. @param {State} _state
   * @returns {Cell | null} */
  about(_state) {
    return null;
  }

  /** The parts of the state that stages() and inSight() read: what changes the timeline alone. */
  get scoped() {
    return ['open'];
  }

  /** The steps that the timeline walks through, if not all. @param {State} _state */
  stages(_state) {
    return this.opened.stages;
  }

  /** The steps that share one scale of colours with a stage. @param {import('../session.js').Step} _stage */
  inSight(_stage) {
    return [...this.opened.trace.steps, ...(this.opened.intact?.steps ?? [])];
  }

  /**
   * What else must change with a change.
   * @param {Partial<State>} _change
   * @param {Action} _action that asks for it
   * @returns {Partial<State>}
   */
  following(_change, _action) {
    return {};
  }

  /** What a removal does, in numbers. @param {Cell} target */
  read(target) {
    return readoutsOf(this.opened, target);
  }

  /** What an example asks of the chapter's own keys. @param {string} _name @returns {Partial<State>} */
  chosen(_name) {
    return {};
  }

  /** Names of the views between which state.panel chooses, if there are several. @returns {string[]} */
  get panels() {
    return [];
  }

  /** What changes when another of them is chosen. @param {string} name @returns {Partial<State>} */
  toPanel(name) {
    return { panel: name };
  }

  /** What the chapter itself says of what is opened, besides what an example says of itself.
   * @param {State} _state @returns {Partial<import('../session.js').Example>} */
  telling(_state) {
    return {};
  }

  /** Where the locale has the chapter's own words. */
  get words() {
    return '';
  }

  /** What is above the lesson: the choice of what is shown. @param {import('../state/view.js').View} view */
  head(view) {
    return html`<gf-chooser .view=${view} .examples=${this.examples}></gf-chooser>`;
  }

  /** The middle of the page. @param {import('../state/view.js').View} view @returns {unknown} */
  centre(view) {
    return html`<gf-stage .view=${view}></gf-stage>
      <gf-readouts .view=${view}></gf-readouts>`;
  }

  /**
   * A part of the page, where it is wanted.
   * @param {string} name
   * @param {() => unknown} what
   */
  wanted(name, what) {
    return !this.shows || this.shows.has(name) ? what() : nothing;
  }

  /** The left of the page. @param {import('../state/view.js').View} view */
  aside(view) {
    return html`${this.wanted('map', () => html`<gf-map .view=${view}></gf-map>`)}
    ${this.wanted('switches', () => html`<gf-switches .view=${view}></gf-switches>`)}`;
  }

  // ---- From the shell ----

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener('gf-act', this.#acted);
    this.addEventListener('pointerover', this.#point);
    this.addEventListener('pointerleave', this.#leave);
    this.addEventListener('click', this.#click);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#halt();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('state')) this.#follow();
  }

  /** Takes over what the shell asks for; if it cannot be computed, the shell asks for the opening. */
  #follow() {
    for (let turn = 0; turn < 2 && this.state !== this.taken; turn++) {
      this.taken = this.state;
      this.#halt();
      try {
        this.#take(this.state);
      } catch (error) {
        const detail = { message: message(error) };
        this.dispatchEvent(new CustomEvent('gf-refuse', { detail, bubbles: true }));
      }
    }
  }

  /**
   * A key that was pressed outside any field; whether it meant something here.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { view } = this;
    const action = view && actionOf(event, view);
    if (action) this.#act(action);
    return action !== null;
  }

  // ---- State ----

  /**
   * Takes a state over, computing what it asks for. If that fails it throws, and nothing changed.
   * @param {State} state
   */
  #take(state) {
    const before = /** @type {State | null} */ (this.shown);
    const differs = (/** @type {string[]} */ keys) =>
      !before || keys.some((key) => state[key] !== before[key]);
    const subject = this.subject(state);
    const fresh = subject !== this.traced || differs(this.computed);
    if (fresh) {
      const opened = this.open(state);
      checkCells(state, opened.trace);
      this.#dispose();
      this.opened = opened;
      this.traced = subject;
      this.preview = null;
      this.hover = null;
      this.sloped = null;
      this.dispatchEvent(new Event('gf-opened', { bubbles: true }));
    }
    if (fresh || differs(this.scoped)) {
      this.line = timeline(this.opened.trace.steps, state.open, this.stages(state));
      this.limits.clear();
      this.sloped = null;
    }
    this.shown = { ...state, t: Math.max(0, Math.min(state.t, this.line.moments.length - 1)) };
  }

  #dispose() {
    const { trace, intact, others = [] } = this.opened ?? {};
    for (const run of [trace, intact, ...others]) run?.dispose();
  }

  /**
   * Changes the state, here and in the shell; false, and a notice, if that cannot be computed.
   * @param {Partial<State>} change
   */
  #change(change) {
    const before = this.shown;
    try {
      this.#take({ ...before, ...change });
    } catch (error) {
      this.tell(text('page/refused', { message: message(error) }));
      return false;
    }
    const moved = this.scoped.some((key) => key !== 'open' && this.shown[key] !== before[key]);
    const pinned = moved && change.path?.at(-1);
    const t = change.open
      ? momentOf(this.line, change.open)
      : pinned
        ? doneAt(this.line, pinned)
        : -1;
    if (t >= 0) this.shown = { ...this.shown, t };
    this.#ask(t >= 0 || 't' in change ? { ...change, t: this.shown.t } : change);
    return true;
  }

  /**
   * @param {Partial<State>} change
   * @param {boolean} [moving] whether it is one of many that come by the frame
   */
  #ask(change, moving = false) {
    const passing = Object.entries(change).every(([key, value]) =>
      key === 'path' ? Array.isArray(value) && value.length === 0 : PASSING.includes(key),
    );
    const undoable = this.computed.some((key) => key in change);
    this.dispatchEvent(
      new CustomEvent('gf-change', {
        detail: { change, passing, moving, undoable },
        bubbles: true,
      }),
    );
    // The shell has set it; nothing is to be computed again.
    this.taken = this.state;
  }

  // ---- Actions ----

  #acted = (/** @type {Event} */ event) => {
    if (this.#act(/** @type {CustomEvent} */ (event).detail)) event.stopPropagation();
  };

  /**
   * @param {Action} action
   * @returns {boolean} false if it is not one of a lesson
   */
  #act(action) {
    const { view } = this;
    if (!view) return true;
    if (refused(this.locks, action, view.trace)) {
      this.tell(text('page/locked'));
      return true;
    }
    switch (action.do) {
      case 'point': {
        const preview = action.stage && !this.playing ? action.cell : null;
        if (!sameCell(action.cell, this.hover)) this.hover = action.cell;
        if (!sameCell(preview, this.preview)) this.preview = preview;
        return true;
      }
      case 'play':
        if (this.playing) this.pause();
        else this.play();
        return true;
      case 'edit':
        this.#edit(action.cell, action.text, action.done);
        return true;
      case 'export': {
        const sheet = /** @type {import('./export-sheet.js').Export | null} */ (
          this.querySelector('gf-export')
        );
        sheet?.show();
        return sheet !== null;
      }
      default: {
        const change = reduce(this.shown, action, view, this.opening);
        if (!change) return false;
        if (action.do === 'example') Object.assign(change, this.chosen(action.name));
        Object.assign(change, this.following(change, action));
        if ('t' in change || 'path' in change) {
          this.#halt();
          this.preview = null;
        }
        this.#change(change);
        return true;
      }
    }
  }

  /**
   * @param {Cell} cell
   * @param {string} typed
   * @param {() => void} [done]
   */
  #edit({ node, index }, typed, done) {
    const value = parseNumber(typed);
    if (value === null) return this.tell(text('microscope/bad', { text: short(typed) }));
    const edits = withEdit(this.shown.edits, { node, index, value });
    if (edits.length > MOST.edits) {
      return this.tell(text('page/tooManyEdits', { most: MOST.edits }));
    }
    if (this.#change({ edits })) done?.();
  }

  // ---- Time ----

  get playing() {
    return this.player.running;
  }

  play() {
    if (this.playing) return;
    const over = this.shown.t >= this.line.moments.length - 1;
    this.#change(over ? { t: 0, path: [] } : { path: [] });
    this.preview = null;
    this.player.start();
    this.requestUpdate();
  }

  /** Stays where it is, and lets the link lead there. */
  pause() {
    if (!this.playing) return;
    this.#halt();
    this.#ask({ t: this.shown.t });
  }

  #halt() {
    if (!this.playing) return;
    this.player.stop();
    this.requestUpdate();
  }

  /**
   * @param {number} ms
   * @returns {boolean} false at the end of the walk
   */
  #pass(ms) {
    const t = advance(this.line, this.shown.t, ms * this.shown.speed);
    this.shown = { ...this.shown, t };
    const more = t < this.line.moments.length - 1;
    this.#ask({ t }, more);
    return more;
  }

  /**
   * Goes to a time of the walk, or to a place as placeOf() reads it: a cell is pinned, of a row or a step the
   * last one is told.
   * @param {string} at
   */
  visit(at) {
    if (/^\d+(\.\d+)?$/.test(at)) {
      this.#halt();
      return void this.#change({ t: Number(at), path: [] });
    }
    const { step, index, whole } = placeOf(at, this.opened.trace.steps);
    const cell = { node: step.name, index };
    /** @type {Action} */
    const action = { do: 'cell', cell };
    const panel = this.panels.includes('stage') ? this.toPanel('stage') : {};
    const change = { ...panel, path: [cell], ...this.following({ path: [cell] }, action) };
    this.#halt();
    this.preview = null;
    if (!this.#change(change)) return;
    const t = doneAt(this.line, cell);
    if (t >= 0) this.#change({ t, path: whole ? [] : [cell] });
  }

  #point = (/** @type {Event} */ given) => {
    // A page that changes under a resting pointer is not pointed at.
    const event = /** @type {PointerEvent} */ (given);
    const { clientX, clientY } = event;
    const rests = this.pointer.clientX === clientX && this.pointer.clientY === clientY;
    if (event.pointerType === 'touch' || rests) return;
    this.pointer = { clientX, clientY };
    const found = cellUnder(event);
    if (found !== undefined) this.#act({ do: 'point', ...found });
  };

  #leave = () => this.#act({ do: 'point', cell: null, stage: false });

  #click = (/** @type {Event} */ event) => {
    const found = cellUnder(event);
    if (found?.cell) this.#act({ do: 'pick', cell: found.cell, stage: found.stage });
  };

  // ---- What is seen ----

  /** The cell whose slopes are shown: the one that was chosen, else the loss, else what the last token
   * ends in, which all others may have a part in. */
  get target() {
    if (this.shown.target) return this.shown.target;
    const { trace } = this.opened;
    const last = trace.steps.find(({ role }) => role === 'loss') ?? this.line.stages.at(-1);
    if (last?.kind !== 'op') return null;
    const row = last.shape.length - 2;
    return {
      node: last.name,
      index: last.shape.map((size, axis) => (axis === row ? size - 1 : 0)),
    };
  }

  get #done() {
    return !this.playing && this.shown.t >= this.line.moments.length - 1;
  }

  #slopes() {
    const { gradient, remove } = this.shown;
    const { target } = this;
    const wanted = gradient || remove.length > 0 ? JSON.stringify([target, gradient]) : '';
    if (this.sloped === wanted) return;
    this.sloped = wanted;
    const { trace } = this.opened;
    if (wanted && target) trace.gradient(target.node, target.index);
    this.readouts = wanted && target && remove.length > 0 ? this.read(target) : null;
    this.steepest.clear();
  }

  /**
   * What is measured of the steps in sight, once for each stage.
   * @param {Map<number, number>} known
   * @param {(steps: import('../session.js').Step[]) => number} measure
   */
  #measured(known, measure) {
    const { stage } = momentAt(this.line, this.shown.t);
    if (!known.has(stage)) known.set(stage, measure(this.inSight(this.line.stages[stage])));
    return /** @type {number} */ (known.get(stage));
  }

  /** @returns {import('../state/view.js').View | null} */
  get view() {
    const { session, opened } = this;
    if (!opened) return null;
    this.#slopes();
    const told = { ...ofExample(opened.example), ...this.telling(this.shown) };
    return look({
      state: this.shown,
      opened: { ...opened, example: { ...opened.example, ...told } },
      line: this.line,
      session,
      limit: this.#measured(this.limits, domain),
      slope: this.shown.gradient ? this.#measured(this.steepest, steepest) : 1,
      readouts: this.readouts,
      target: this.target,
      hover: this.hover,
      preview: this.preview,
      about: this.#done ? this.about(this.shown) : null,
      playing: this.playing,
      theme: this.theme,
      locks: this.locks,
    });
  }

  /** @param {import('../state/view.js').View} view */
  #tabs({ state }) {
    if (this.panels.length === 0) return nothing;
    return html`<div class="tabs" role="group" aria-label=${text('page/panels')}>
      ${this.panels.map(
        (name) => html`<button
          aria-pressed=${state.panel === name}
          @click=${() => this.act({ do: 'set', change: this.toPanel(name) })}
        >${typeset(text(`${this.words}/panels/${name}`))}</button>`,
      )}
    </div>`;
  }

  /** Once what stands beside the tabs has its width, too. */
  updated() {
    if (this.opened && this.sight(this.shown.panel)) requestAnimationFrame(this.#showTab);
  }

  /** On a narrow screen the tabs may be wider than it. */
  #showTab = () => {
    const chosen = this.querySelector('.shelf > .tabs [aria-pressed=true]');
    const tabs = chosen?.parentElement;
    if (!tabs || !(chosen instanceof HTMLElement)) return;
    const middle = chosen.offsetLeft - tabs.offsetLeft + chosen.offsetWidth / 2;
    tabs.scrollLeft = middle - tabs.clientWidth / 2;
  };

  /**
   * A column, if any of its parts is wanted.
   * @param {string} where
   * @param {string[]} parts
   * @param {() => unknown} what
   */
  #side(where, parts, what) {
    const any = !this.shows || parts.some((name) => this.shows?.has(name));
    return any ? html`<aside class=${where}>${what()}</aside>` : nothing;
  }

  /** @param {import('../state/view.js').View} view */
  #shelf(view) {
    const choice = this.wanted('example', () => [this.head(view), this.#tabs(view)]);
    const chapter = this.localName.replace('gf-chapter-', '');
    const away = this.wanted(
      'export',
      () => html`<div class="away">
        <gf-course .view=${view} .chapter=${chapter}></gf-course>
        <gf-export .view=${view}></gf-export>
      </div>`,
    );
    if (choice === nothing && away === nothing) return nothing;
    return html`<div class="shelf">${choice} ${away}</div>`;
  }

  render() {
    const { view } = this;
    if (!view) return nothing;
    const part = (/** @type {string} */ name, /** @type {() => unknown} */ what) =>
      this.wanted(name, what);
    return html`
      ${this.#shelf(view)}
      <div class="lesson">
        ${this.#side('left', ['map', 'switches'], () => this.aside(view))}
        <section class="centre" aria-label=${text('stage/label')}>
          ${part('strip', () => html`<gf-strip .view=${view}></gf-strip>`)}
          ${part('stage', () => this.centre(view))}
          ${part('caption', () => html`<gf-caption .view=${view}></gf-caption>`)}
          ${part('legend', () => html`<gf-legend .view=${view}></gf-legend>`)}
        </section>
        ${this.#side(
          `right ${view.state.gradient ? 'graded' : ''}`,
          ['formula', 'microscope'],
          () => [
            part('formula', () => html`<gf-formula .view=${view}></gf-formula>`),
            part(
              'microscope',
              () => html`<gf-microscope .view=${view}></gf-microscope>
                <gf-gradient .view=${view}></gf-gradient>`,
            ),
          ],
        )}
      </div>
      ${part('timeline', () => html`<gf-timeline .view=${view}></gf-timeline>`)}
    `;
  }
}

/**
 * The number under the pointer; undefined if the pointer is over a canvas, which tells by itself.
 * @param {Event} event
 * @returns {{ cell: Cell | null, stage: boolean } | undefined}
 */
function cellUnder(event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest('.matrix.colours, input')) return undefined;
  const shown = target.closest('[data-node], [data-link]');
  if (!shown) return { cell: null, stage: false };
  const key =
    shown.getAttribute('data-link') ??
    `${shown.getAttribute('data-node')}:${shown.getAttribute('data-index')}`;
  return { cell: parseCell(key), stage: shown.closest('.matrix') !== null };
}
