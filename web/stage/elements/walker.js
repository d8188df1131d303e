// Walks through a trace: takes over the states that the shell sets, and turns actions, keys and time into changes of
// them. Its page is walkthrough.js.

import { message, short, text } from '../../app/locale/text.js';
import { reduce } from '../../app/state/actions.js';
import { actionOf } from '../../app/state/keys.js';
import { MAX } from '../../app/state/limits.js';
import { refused } from '../../app/state/locks.js';
import { placeOf } from '../../app/state/place.js';
import { Player } from '../../app/state/player.js';
import {
  advance,
  clockAt,
  doneAt,
  endOf,
  momentOf,
  sameTime,
  turnTime,
} from '../../app/state/timeline.js';
import { withEdit } from '../../app/state/walk.js';
import { parseNumber } from '../draw/format.js';
import { numberAt, offset, sameCell } from '../draw/tensor.js';
import { Moving } from './motion-state.js';
import { pointing } from './pointing.js';
import { WalkRules } from './walk-rules.js';

/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {import('./base.js').Action} Action */
/** @typedef {import('../draw/tensor.js').Cell} Cell */
/** How a change is asked for. moving: it is one of many that come by the frame.
 * @typedef {{ moving: boolean, undoable: boolean }} Asked */

/** Changes of these alone are no new entry of the browser's history. */
const KEYS_WITHOUT_ENTRY = ['t', 'speed', 'level', 'nudge'];

export class Walker extends WalkRules {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = {
    theme: { attribute: false },
    locks: { attribute: false },
    lit: { attribute: false },
    hover: { state: true },
    preview: { state: true },
  };

  constructor() {
    super();
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** What the reader cannot change. @type {ReadonlySet<string>} */
    this.locks = new Set();
    /** The cells to look at. @type {ReadonlySet<string>} */
    this.lit = new Set();
    /** Where playing ends; null for the end of the walk. @type {number | null} */
    this.until = null;
    /** @type {State} the last state that was taken over, or refused */
    this.taken = /** @type {any} */ (null);
    /** @type {Cell | null} */
    this.hover = null;
    /** @type {Cell | null} a number of the stage that is pointed at */
    this.preview = null;
    /** What stands for all that is seen, but for how much of a moment is over. @type {object | undefined} */
    this.still = undefined;
    this.player = new Player((ms) => this.#advance(ms));
    this.moving = new Moving(this);
    pointing(this, (action) => this.#act(action));
  }

  // ---- From the shell ----

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener('gf-act', this.#acted);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#halt();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has('state') || this.state === this.taken) return;
    if (!this.#comesLater(this.state, () => this.requestUpdate('state'))) this.#follow();
  }

  /** Whether a state has to wait for something that is being loaded; it is asked for again once that is there.
   * @param {State} state @param {() => void} again */
  #comesLater(state, again) {
    const loading = this.loads(state);
    loading?.then((came) => (came ? again() : this.tell(text('page/notLoaded'), again)));
    return loading !== null;
  }

  /** Between two steps nothing is drawn anew but what travels, and where the time is.
   * @param {Map<string, unknown>} changed */
  shouldUpdate(changed) {
    /* What the shell asks for is taken over first. */
    if (this.state !== this.taken) return true;
    const { view } = this;
    const stands = changed.size === 1 && changed.has('state') && view?.still === this.still;
    this.still = view?.still;
    if (!view || !stands) return true;
    for (const one of this.querySelectorAll('gf-stage, gf-timeline')) Object.assign(one, { view });
    return false;
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

  get view() {
    const { session, theme, hover, preview, playing, locks, lit } = this;
    const [moving, pace] = [this.moving.now, this.opened ? this.pace : 1];
    const seen = { session, theme, hover, preview, playing, moving, pace, locks, lit };
    return this.showing.view(seen);
  }

  /**
   * Takes a state over, computing what it asks for. If that fails it throws, and nothing changed.
   * @param {State} state
   */
  #take(state) {
    if (!this.showing.take(state)) return;
    this.preview = null;
    this.hover = null;
    this.dispatchEvent(new Event('gf-opened', { bubbles: true }));
  }

  /**
   * Changes the state, here and in the shell; false, and a notice, if that cannot be computed.
   * @param {Partial<State>} change
   * @param {Partial<Asked>} [how]
   */
  #change(change, how) {
    const { shown: before, line } = this;
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
        : this.#timeAfter(change, line, before.t);
    if (t >= 0) this.showing.move(t);
    this.#ask(t >= 0 || 't' in change ? { ...change, t: this.shown.t } : change, how);
    return true;
  }

  /**
   * Where what is told now is told after a step was edited or removed, which may take moments away: -1 for where one is. Of what
   * is removed before it has numbers all are shown: there is something to compare.
   * @param {Partial<State>} change @param {import('../../app/state/timeline.js').Timeline} line @param {number} t
   */
  #timeAfter(change, line, t) {
    if ('t' in change || !('edits' in change || 'remove' in change)) return -1;
    const { stage, cell } = line.moments[Math.ceil(t)];
    if ('remove' in change && cell < 0 && this.line.stages.length === line.stages.length)
      return endOf(this.line, stage);
    return this.line.moments.length === line.moments.length ? -1 : sameTime(this.line, line, t);
  }

  /**
   * @param {Partial<State>} change
   * @param {Partial<Asked>} [how]
   */
  #ask(change, { moving = false, ...how } = {}) {
    const passing = Object.entries(change).every(([key, value]) =>
      key === 'path'
        ? Array.isArray(value) && value.length === 0
        : KEYS_WITHOUT_ENTRY.includes(key),
    );
    const { undoable = !moving && this.computed.some((key) => key in change) } = how;
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
   * @returns {boolean} false if it is not one of a walkthrough
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
        this.#edit(action);
        return true;
      case 'drag':
        this.#drag(action);
        return true;
      case 'export': {
        const sheet = /** @type {import('./export-sheet.js').Export | null} */ (
          this.querySelector('gf-export')
        );
        sheet?.show();
        return sheet !== null;
      }
      default:
        return this.#reduce(action, view);
    }
  }

  /**
   * @param {Action} action
   * @param {import('../../app/state/view.js').View} view
   * @returns {boolean} whether it changes the state
   */
  #reduce(action, view) {
    const change = reduce(this.shown, action, view, this.opening);
    if (!change) return false;
    if (action.do === 'example') Object.assign(change, this.chosen(action.name));
    Object.assign(change, this.following(change, action));
    if (this.#comesLater({ ...this.shown, ...change }, () => this.#act(action))) return true;
    if ('t' in change || 'path' in change) {
      this.#halt();
      this.preview = null;
    }
    if (this.#change(change) && 'done' in action) action.done?.();
    return true;
  }

  /**
   * What a typed number asks for; null, and a notice, if it cannot be taken.
   * @param {Extract<Action, { do: 'edit' }>} action
   */
  edited({ cell, text: typed }) {
    const value = parseNumber(typed);
    if (value === null) return this.#refuse(text('microscope/bad', { text: short(typed) }));
    return this.#withinLimit(
      withEdit(this.shown.edits, { node: cell.node, index: cell.index, value }),
    );
  }

  /** Edits, if they are not too many. @param {import('../../app/state/walk.js').Edit[]} edits */
  #withinLimit(edits) {
    if (edits.length <= MAX.edits) return { edits: this.#others(edits) };
    return this.#refuse(text('page/tooManyEdits', { most: MAX.edits }));
  }

  /** Without edits to what a number is anyway: a slider that is back changes nothing.
   * @param {import('../../app/state/walk.js').Edit[]} edits */
  #others(edits) {
    const { before, trace, over } = this.opened;
    const { divide = 'root', edits: now } = this.shown;
    const isUsual = divide === 'root';
    const usual = now.length === 0 && isUsual ? trace : before;
    if (!usual || over) return edits;
    const isSame = (
      /** @type {import('../../app/state/walk.js').Edit} */ { node, index, value },
    ) => {
      const step = usual.step(node);
      return Object.is(numberAt(step, offset(step.shape, index)), value);
    };
    /* What is computed follows other edits, too. */
    if (isUsual && edits.every(isSame)) return [];
    return edits.filter((edit) => usual.step(edit.node).kind === 'op' || !isSame(edit));
  }

  /** @param {string} reason */
  #refuse(reason) {
    this.tell(reason);
    return null;
  }

  /** @param {Extract<Action, { do: 'edit' }>} action */
  #edit(action) {
    const change = this.edited(action);
    if (change && this.#change(change)) action.done?.();
  }

  /**
   * Numbers that are dragged: what can be undone is all of the way, and the link leads to its end.
   * @param {Extract<Action, { do: 'drag' }>} action
   */
  #drag({ edits: moved, begins, ends }) {
    const change = this.#withinLimit(moved.reduce(withEdit, this.shown.edits));
    if (change) this.#change(change, { undoable: begins, moving: !ends });
  }

  // ---- Time ----

  get playing() {
    return this.player.running;
  }

  /** Goes on in front of a class, or back. @param {1 | -1} by */
  turn(by) {
    if (this.opened) this.#act({ do: 'goto', t: turnTime(this.line, this.shown.t, by) });
  }

  /** @param {number | null} [until] a time where it stops */
  play(until = null) {
    if (this.playing || !this.opened) return;
    this.until = until;
    const { beginning } = this;
    const anew = this.showing.over || this.shown.t < beginning;
    this.#change(anew ? { t: beginning, path: [] } : { path: [] });
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
  #advance(ms) {
    const end = this.until ?? this.showing.end;
    const passed = ms * this.shown.speed * this.pace;
    const late = clockAt(this.line, this.shown.t) + passed - clockAt(this.line, end);
    const next = late >= 0 && this.until === null ? this.next : null;
    if (next) return this.#playNext(next, late / this.pace);
    const t = Math.min(end, advance(this.line, this.shown.t, passed));
    this.showing.move(t);
    this.#ask({ t }, { moving: t < end });
    return t < end;
  }

  /**
   * Plays on in another walk.
   * @param {Partial<State>} next
   * @param {number} late by how many ms it begins too late
   */
  #playNext(next, late) {
    try {
      this.#take({ ...this.shown, ...next });
    } catch (error) {
      this.tell(text('page/refused', { message: message(error) }));
      return false;
    }
    this.showing.move(advance(this.line, this.shown.t, late * this.pace));
    this.#ask({ ...next, t: this.shown.t }, { moving: true });
    return true;
  }

  /**
   * Goes to a time of the walk, or to a place as placeOf() reads it: a cell is pinned, of a row or a step the
   * last one is told.
   * @param {string} place
   */
  visit(place) {
    if (/^\d+(\.\d+)?$/.test(place)) {
      this.#halt();
      return void this.#change({ t: Number(place), path: [] });
    }
    const { step, index, whole } = placeOf(place, this.opened.trace.steps);
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
}
