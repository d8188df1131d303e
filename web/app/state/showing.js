// What a walkthrough shows: the last state that could be computed, with all that was computed for it.
import { ofExample } from '../locale/text.js';
import { changesOf } from './changes.js';
import { checkCells } from './check.js';
import { flightAt, timeline } from './timeline.js';
import { domain, makeView, steepest } from './view.js';

/** @typedef {import('./walk.js').State} State */
/** @typedef {import('../session.js').Opened} Opened */
/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */
/**
 * What a chapter decides.
 * @typedef {object} Rules
 * @property {string[]} computed the parts of the state that open() reads: what changes the numbers
 * @property {string[]} scoped those that stages() and inSight() read: what changes the timeline alone
 * @property {(state: State) => unknown} subject what open() makes a trace of, if there are several
 * @property {(state: State) => Opened} open computes what a state asks for; throws if that cannot be
 * @property {(state: State) => Step[] | undefined} stages the steps of the timeline, if not all
 * @property {(state: State) => import('./timeline.js').Level} level what is played at leisure
 * @property {(stage: Step) => Step[]} inSight the steps that share one scale of colours with a stage
 * @property {(state: State) => Partial<import('../session.js').Example>} telling what the chapter itself
 *   says of what is opened, besides what an example says of itself
 * @property {(state: State) => Cell | null} about the number that is told once all is computed, unless
 *   another one is picked
 * @property {Cell | null} target the cell whose gradients are shown
 * @property {(trace: import('../session.js').Trace, target: Cell) => boolean} derive computes the gradients of a cell; false:
 *   they come later, and then a view is asked for anew
 * @property {() => import('./view.js').Readouts | null} read what a removal does, in numbers
 */
/**
 * What is known of the reader.
 * @typedef {Pick<Parameters<typeof makeView>[0],
 *   'session' | 'theme' | 'hover' | 'preview' | 'playing' | 'moving' | 'pace' | 'locks' | 'lit'>} Reader
 */

/** A view, and what it was made of; how much of a moment is over changes nothing else.
 * @typedef {{ parts: unknown[], view: import('./view.js').View }} Seen */

export class Showing {
  #rules;
  /** What the edits changed. @type {ReturnType<typeof changesOf> | undefined} */
  #changes;
  /** The subject that is opened. @type {unknown} */
  #subject = null;
  /** The largest size of a number in sight, by stage. @type {Map<number, number>} */
  #limits = new Map();
  /** The largest gradient in sight, while gradients are shown. @type {Map<number, number>} */
  #steepest = new Map();
  /** @type {import('./view.js').Readouts | null} */
  #readouts = null;
  /** What was seen last. @type {Seen | null} */
  #seen = null;
  /** Whether gradients are wanted that come later: until then none are shown. */
  #awaits = false;
  /** What readouts and gradients were computed for. @type {string | null} */
  #graded = null;

  /** @param {Rules} rules */
  constructor(rules) {
    this.#rules = rules;
    /** @type {State} the state that is shown */
    this.state = /** @type {any} */ (null);
    /** @type {Opened} */
    this.opened = /** @type {any} */ (null);
    /** @type {import('./timeline.js').Timeline} */
    this.line = /** @type {any} */ (null);
  }

  /**
   * Takes a state over, computing what it asks for. If that fails it throws, and nothing changed.
   * @param {State} state
   * @returns {boolean} whether something was computed
   */
  take(state) {
    const before = /** @type {State | null} */ (this.state);
    const differs = (/** @type {string[]} */ keys) =>
      !before || keys.some((key) => state[key] !== before[key]);
    const { computed, scoped } = this.#rules;
    const subject = this.#rules.subject(state);
    const fresh = subject !== this.#subject || differs(computed);
    if (fresh) this.#open(state, subject);
    if (fresh || differs([...scoped, 'level'])) {
      const { steps } = this.opened.trace;
      this.line = timeline(steps, state.open, this.#rules.stages(state), this.#rules.level(state));
      this.#limits.clear();
      this.#graded = null;
    }
    this.state = { ...state, t: Math.max(0, Math.min(state.t, this.end)) };
    return fresh;
  }

  /**
   * @param {State} state
   * @param {unknown} subject
   */
  #open(state, subject) {
    const opened = this.#rules.open(state);
    checkCells(state, opened.trace);
    const { trace, intact, before, others = [] } = this.opened ?? {};
    for (const run of [trace, intact, before, ...others]) run?.dispose();
    this.opened = opened;
    this.#changes = changesOf(opened.trace, opened.before, opened.over, opened.counts);
    this.#subject = subject;
  }

  /** Another time of the walk; nothing is computed for it. @param {number} t */
  move(t) {
    this.state = { ...this.state, t };
  }

  /** The last moment of the walk. */
  get end() {
    return this.line.moments.length - 1;
  }

  /** Whether all is computed. */
  get over() {
    return this.state.t >= this.end;
  }

  #grade() {
    const { gradient, remove } = this.state;
    const rules = this.#rules;
    const { target } = rules;
    const wanted = gradient || remove.length > 0 ? JSON.stringify([target, gradient]) : '';
    if (this.#graded === wanted) return;
    this.#readouts = null;
    const runs = [this.opened.trace, ...(remove.length > 0 ? [this.opened.intact] : [])];
    const derived = runs.map((run) => !wanted || !target || !run || rules.derive(run, target));
    this.#awaits = derived.includes(false);
    if (this.#awaits) return;
    this.#graded = wanted;
    if (target && remove.length > 0) this.#readouts = rules.read();
    this.#steepest.clear();
  }

  /**
   * What is measured of the steps in sight, once for each stage.
   * @param {Map<number, number>} cached
   * @param {(steps: Step[]) => number} measure
   * @param {import('../session.js').Trace | null} [of] the run whose steps they are; by default the present one
   */
  #measured(cached, measure, of = null) {
    const { stage } = this.line.moments[Math.ceil(this.state.t)];
    if (!cached.has(stage)) {
      const steps = this.#rules.inSight(this.line.stages[stage]);
      cached.set(stage, measure(of ? steps.map(({ name }) => of.step(name)) : steps));
    }
    return /** @type {number} */ (cached.get(stage));
  }

  /**
   * @param {Reader} reader
   * @returns {import('./view.js').View | null}
   */
  view(reader) {
    const { opened, line } = this;
    if (!opened) return null;
    this.#grade();
    const state = this.#awaits ? { ...this.state, gradient: false } : this.state;
    const rules = this.#rules;
    const details = { ...ofExample(opened.example), ...rules.telling(state) };
    const seen = {
      ...reader,
      line,
      /* An edit leaves the colours of other numbers as they are. */
      limit: this.#measured(this.#limits, domain, opened.before),
      slope: state.gradient ? this.#measured(this.#steepest, steepest) : 1,
      readouts: this.#readouts,
      changes: this.#changes,
    };
    const { progress, ...flight } = flightAt(line, state.t, reader.pace);
    /* What the rules make of a state is the same as long as the state is. */
    const timeless = { ...state, t: Number.isInteger(state.t) };
    const parts = [seen, details, timeless, flight]
      .flatMap(Object.values)
      .concat(opened, this.over);
    const before = this.#seen?.parts;
    if (before?.length !== parts.length || !parts.every((part, i) => Object.is(part, before[i]))) {
      const view = makeView({
        ...seen,
        state,
        opened: { ...opened, example: { ...opened.example, ...details } },
        target: rules.target,
        about: rules.about(state),
        over: this.over,
      });
      this.#seen = { parts, view: { ...view, still: {} } };
    }
    const { view } = /** @type {Seen} */ (this.#seen);
    return { ...view, state, progress };
  }
}
