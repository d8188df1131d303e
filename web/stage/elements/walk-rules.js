// What a chapter decides about its walk through a trace. Each chapter overrides some of it.

import { Showing } from '../../app/state/showing.js';
import { readoutsOf } from '../experiments/readouts.js';
import { Base } from './base.js';

/** @typedef {import('../../app/state/showing.js').Rules} Rules */
/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {import('../../app/session.js').Opened} Opened */
/** @typedef {import('./base.js').Action} Action */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** @implements {Rules} */
export class WalkRules extends Base {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { session: { attribute: false }, state: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    this.showing = new Showing(this);
  }

  get shown() {
    return this.showing.state;
  }

  get opened() {
    return this.showing.opened;
  }

  get line() {
    return this.showing.line;
  }

  /**
   * @abstract
   * @returns {Record<string, any>} the chapter's opening state
   */
  get opening() {
    throw new Error('a walkthrough has an opening state');
  }

  get computed() {
    return ['example', 'sentence', 'remove', 'edits'];
  }

  get scoped() {
    return ['open'];
  }

  /** @param {State} _state
   * @returns {unknown} */
  subject(_state) {
    return null;
  }

  /**
   * @param {State} state
   * @returns {Opened}
   */
  open(state) {
    return this.session.run(this.session.exampleOf(state), state);
  }

  /** What a state needs for open() that is not loaded yet: whether it came; null if nothing is missing.
   * @param {State} _state @returns {Promise<boolean> | null} */
  loads(_state) {
    return null;
  }

  /** @param {State} _state */
  stages(_state) {
    return this.opened.stages;
  }

  /** @param {import('../../app/session.js').Step} _stage */
  inSight(_stage) {
    return [...this.opened.trace.steps, ...(this.opened.intact?.steps ?? [])];
  }

  /** What is played at leisure. @param {State} state */
  level(state) {
    return state.level;
  }

  /** @param {State} _state
   * @returns {Partial<import('../../app/session.js').Example>} */
  telling(_state) {
    return {};
  }

  /** @param {State} _state
   * @returns {Cell | null} */
  about(_state) {
    return null;
  }

  /** The cell that was chosen, else the loss, else what the last token ends in, which all others may have a
   * part in. @returns {Cell | null} */
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

  /** @param {import('../../app/session.js').Trace} trace @param {Cell} target */
  derive(trace, { node, index }) {
    trace.gradient(node, index);
    return true;
  }

  read() {
    return readoutsOf(this.opened);
  }

  /** The time at which playing begins anew: the first at which something of what is seen changes. */
  get beginning() {
    return 0;
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

  /** What an example asks of the chapter's own keys. @param {string} _name @returns {Partial<State>} */
  chosen(_name) {
    return {};
  }

  /** What is played when the walk is over, if it goes on. @returns {Partial<State> | null} */
  get next() {
    return null;
  }

  /** How many ms of the walk pass in one ms, at speed 1. */
  get pace() {
    return 1;
  }

  /** Names of the views between which state.panel chooses, if there are several. @returns {string[]} */
  get panels() {
    return [];
  }

  /** What changes when another of them is chosen. @param {string} name @returns {Partial<State>} */
  toPanel(name) {
    return { panel: name };
  }
}
