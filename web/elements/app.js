// The page: holds the state, turns actions into new states, and hands every element the same view.
import { html, nothing } from 'lit';
import { reduce } from '../actions.js';
import { parseNumber } from '../draw/format.js';
import { parseCell, sameCell } from '../draw/tensor.js';
import { actionOf } from '../keys.js';
import { text } from '../locale/text.js';
import { readoutsOf } from '../readouts.js';
import { Session } from '../session.js';
import { BadHash, fromHash, History, OPENING, toHash, withEdit } from '../store.js';
import { advance, momentOf, timeline } from '../timeline.js';
import { domain, look } from '../view.js';
import { Base } from './base.js';
import './caption.js';
import './formula.js';
import './legend.js';
import './map.js';
import './masthead.js';
import './microscope.js';
import './readouts.js';
import './shortcuts.js';
import './stage.js';
import './strip.js';
import './switches.js';
import './timeline.js';

/** @typedef {import('../store.js').State} State */
/** @typedef {import('./base.js').Action} Action */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** What changes the numbers, and so must be computed anew. */
const COMPUTED = /** @type {const} */ (['example', 'sentence', 'remove', 'edits']);
/** Changes of these alone are no new entry of the browser's history. */
const PASSING = ['t', 'speed', 'level', 'theme'];

export class App extends Base {
  static properties = {
    state: { state: true },
    failure: { state: true },
    notice: { state: true },
    hover: { state: true },
    preview: { state: true },
    playing: { state: true },
    shared: { state: true },
    dark: { state: true },
  };

  constructor() {
    super();
    /** @type {State} */
    this.state = OPENING;
    this.failure = '';
    this.notice = '';
    /** @type {Cell | null} */
    this.hover = null;
    /** @type {Cell | null} a number of the stage that is pointed at */
    this.preview = null;
    this.playing = false;
    this.shared = false;
    this.history = new History();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    this.dark = dark.matches;
    dark.addEventListener('change', ({ matches }) => {
      this.dark = matches;
    });
    /** @type {Session | null} */
    this.session = null;
    /** @type {import('../session.js').Opened} */
    this.opened = /** @type {any} */ (null);
    /** @type {import('../timeline.js').Timeline} */
    this.line = /** @type {any} */ (null);
    this.limit = 1;
    this.pointer = { clientX: -1, clientY: -1 };
    /** @type {import('../view.js').Readouts | null} */
    this.readouts = null;
    /** @type {string | null} what readouts and slopes were computed for */
    this.sloped = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener('gf-act', (event) =>
      this.#act(/** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener('pointerover', this.#point);
    this.addEventListener('pointerleave', () =>
      this.#act({ do: 'point', cell: null, stage: false }),
    );
    this.addEventListener('click', this.#click);
    window.addEventListener('keydown', this.#key);
    window.addEventListener('hashchange', () => this.#follow());
    this.#start();
  }

  async #start() {
    if (typeof WebAssembly !== 'object') {
      this.failure = text('page/noWasm');
      return;
    }
    try {
      this.session = await Session.start();
    } catch (error) {
      this.failure = text('page/broken', { message: messageOf(error) });
      return;
    }
    this.#follow();
  }

  /** Shows what the address asks for; if it cannot be read, says so and shows the opening page. */
  #follow() {
    if (!this.session) return;
    this.playing = false;
    this.history = new History();
    try {
      const state = fromHash(location.hash);
      this.notice = '';
      this.#compute(state);
    } catch (error) {
      this.notice =
        error instanceof BadHash
          ? text('page/badHash', { part: short(error.message) })
          : text('page/badState', { message: short(messageOf(error)) });
      this.#compute(OPENING);
    }
  }

  /**
   * Takes a state over, computing what it asks for. If that fails it throws, and nothing changed.
   * @param {State} state
   * @param {boolean} [toOpen] whether to go to the first term of the cell that is opened
   */
  #compute(state, toOpen = false) {
    const before = this.state;
    const session = /** @type {Session} */ (this.session);
    const fresh = !this.opened || COMPUTED.some((key) => state[key] !== before[key]);
    const opened = fresh ? session.open(state) : this.opened;
    const shown = { ...state };
    if (fresh) check(shown, opened);
    if (fresh || shown.open !== before.open) {
      this.line = timeline(opened.trace.steps, shown.open);
    }
    if (toOpen && shown.open) shown.t = momentOf(this.line, shown.open);
    if (fresh) {
      this.limit = domain([...opened.trace.steps, ...(opened.intact?.steps ?? [])]);
      this.preview = null;
      this.hover = null;
      this.sloped = null;
    }
    this.opened = opened;
    this.state = { ...shown, t: Math.max(0, Math.min(shown.t, this.line.moments.length - 1)) };
  }

  /**
   * Changes the state, the page and the address; false, and a notice, if that cannot be computed.
   * @param {Partial<State>} change
   * @param {boolean} [again] an undo or a redo, which is no new change
   */
  #change(change, again = false) {
    const before = this.state;
    const { edits, remove } = before;
    try {
      this.#compute({ ...before, ...change }, 'open' in change);
    } catch (error) {
      this.notice = text('page/refused', { message: messageOf(error) });
      return false;
    }
    this.notice = '';
    this.shared = false;
    if ('example' in change) this.history = new History();
    else if (!again && ('edits' in change || 'remove' in change)) {
      this.history.record({ edits, remove });
    }
    const passing = Object.entries(change).every(([key, value]) =>
      key === 'path' ? Array.isArray(value) && value.length === 0 : PASSING.includes(key),
    );
    this.#address(passing);
    return true;
  }

  /** @param {boolean} replace */
  #address(replace) {
    const hash = toHash(this.state);
    if (hash === location.hash) return;
    if (replace) window.history.replaceState(null, '', hash);
    else window.history.pushState(null, '', hash);
  }

  /** @param {Action} action */
  #act(action) {
    const view = this.view;
    if (!view) return;
    switch (action.do) {
      case 'point': {
        const preview = action.stage && !this.playing ? action.cell : null;
        if (!sameCell(action.cell, this.hover)) this.hover = action.cell;
        if (!sameCell(preview, this.preview)) this.preview = preview;
        return;
      }
      case 'play':
        if (this.playing) this.playing = false;
        else this.#play();
        return;
      case 'edit':
        return this.#edit(action.cell, action.text, action.done);
      case 'undo':
      case 'redo': {
        const change = this.history[action.do](this.state);
        if (change) this.#change(change, true);
        return;
      }
      case 'share':
        return void this.#share();
      case 'keys': {
        const sheet = /** @type {import('./shortcuts.js').Shortcuts} */ (
          this.querySelector('gf-shortcuts')
        );
        return sheet.toggle();
      }
      default: {
        const change = reduce(this.state, action, view);
        if (!change) return;
        if ('t' in change || 'path' in change) {
          this.playing = false;
          this.preview = null;
        }
        this.#change(change);
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
    if (value === null) {
      this.notice = text('microscope/bad', { text: short(typed) });
      return;
    }
    if (this.#change({ edits: withEdit(this.state.edits, { node, index, value }) })) done?.();
  }

  #play() {
    const end = this.line.moments.length - 1;
    if (this.state.t >= end) this.#change({ t: 0, path: [] });
    else this.#change({ path: [] });
    this.preview = null;
    this.playing = true;
    let before = performance.now();
    const frame = (/** @type {number} */ now) => {
      if (!this.playing) return this.#address(true);
      const t = advance(this.line, this.state.t, (now - before) * this.state.speed);
      before = now;
      this.state = { ...this.state, t };
      if (t >= end) this.playing = false;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  async #share() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.shared = true;
    } catch {
      this.notice = text('page/shareFailed');
    }
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const field = target.closest?.('input:not([type=range]):not([type=checkbox]), select, dialog');
    const view = this.view;
    if (field || !view) return;
    const pressable = target.closest?.('button, summary, a, [role=button], [type=checkbox]');
    if (pressable && (event.key === ' ' || event.key === 'Enter')) return;
    const action = actionOf(event, view);
    if (!action) return;
    event.preventDefault();
    this.#act(action);
  };

  /** @param {PointerEvent} event */
  #point = (event) => {
    // A page that changes under a resting pointer is not pointed at.
    const { clientX, clientY } = event;
    const rests = this.pointer.clientX === clientX && this.pointer.clientY === clientY;
    if (event.pointerType === 'touch' || rests) return;
    this.pointer = { clientX, clientY };
    const found = cellUnder(event);
    if (found === undefined) return;
    this.#act({ do: 'point', ...found });
  };

  /** @param {MouseEvent} event */
  #click = (event) => {
    const found = cellUnder(event);
    if (found?.cell) this.#act({ do: 'pick', cell: found.cell, stage: found.stage });
  };

  get theme() {
    const { theme } = this.state;
    if (theme !== 'auto') return theme;
    return this.dark ? 'dark' : 'light';
  }

  /** The cell whose slopes are shown: the picked one, else the first of the last stage. */
  get target() {
    const pinned = this.state.path.at(-1);
    if (pinned && this.opened.trace.step(pinned.node).kind === 'op') return pinned;
    const last = this.line.stages[this.line.stages.length - 1];
    return last.kind === 'op' ? { node: last.name, index: last.shape.map(() => 0) } : null;
  }

  #slopes() {
    const { gradient, remove } = this.state;
    const { target } = this;
    const wanted = gradient || remove.length > 0 ? JSON.stringify(target) : '';
    if (this.sloped === wanted) return;
    this.sloped = wanted;
    if (wanted && target) this.opened.trace.gradient(target.node, target.index);
    this.readouts = wanted && target ? readoutsOf(this.opened, target) : null;
  }

  /** @returns {import('../view.js').View | null} */
  get view() {
    const { session, opened } = this;
    if (!session || !opened) return null;
    this.#slopes();
    return look({
      state: this.state,
      opened,
      line: this.line,
      explain: (trace, cell) => session.explain(trace, cell),
      limit: this.limit,
      readouts: this.readouts,
      target: this.target,
      hover: this.hover,
      preview: this.preview,
      playing: this.playing,
      theme: this.theme,
    });
  }

  render() {
    if (this.failure) return html`<p class="failure" role="alert">${this.failure}</p>`;
    const view = this.view;
    if (!view) return html`<p class="loading" role="status">${text('page/loading')}</p>`;
    return html`
      <gf-masthead
        .view=${view}
        .examples=${/** @type {Session} */ (this.session).examples}
        .shared=${this.shared}
        .canUndo=${this.history.past.length > 0}
        .canRedo=${this.history.future.length > 0}
      ></gf-masthead>
      ${this.notice ? html`<p class="notice" role="alert">${this.notice}</p>` : nothing}
      <main>
        <aside class="left">
          <gf-map .view=${view}></gf-map>
          <gf-switches .view=${view}></gf-switches>
        </aside>
        <section class="centre" aria-label=${text('stage/label')}>
          <gf-strip .view=${view}></gf-strip>
          <gf-stage .view=${view}></gf-stage>
          <gf-readouts .view=${view}></gf-readouts>
          <gf-caption .view=${view}></gf-caption>
          <gf-legend .view=${view}></gf-legend>
        </section>
        <aside class="right">
          <gf-formula .view=${view}></gf-formula>
          <gf-microscope .view=${view}></gf-microscope>
        </aside>
      </main>
      <gf-timeline .view=${view}></gf-timeline>
      <gf-shortcuts></gf-shortcuts>
    `;
  }

  updated() {
    document.documentElement.dataset.theme = this.theme;
  }
}

/**
 * Refuses a state whose cells are not there.
 * @param {State} state
 * @param {import('../session.js').Opened} opened
 */
function check(state, { trace }) {
  for (const { node, index } of [...state.path, ...(state.open ? [state.open] : [])]) {
    const { shape } = trace.step(node);
    const there = index.length === shape.length && index.every((i, axis) => i < shape[axis]);
    if (!there) throw new RangeError(`no cell ${node}[${index.join(', ')}]`);
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

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string} message */
const short = (message) => (message.length > 80 ? `${message.slice(0, 79)}…` : message);

customElements.define('gf-app', App);
