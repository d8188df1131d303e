// The exercise worked out on the stage: rightly, or with a mistake beside the right way. One timeline plays both.
import { html, nothing } from 'lit';
import { brings, language, text } from '../../app/locale/text.js';
import { fixedTrace } from '../../app/state/fixed.js';
import { doneAt } from '../../app/state/timeline.js';
import { OPENING } from '../../app/state/walk.js';
import { decimalsOf, display } from '../../stage/draw/format.js';
import { offset, sameCell } from '../../stage/draw/tensor.js';
import { Walkthrough } from '../../stage/elements/walkthrough.js';
import { typeset } from '../../stage/telling/number.js';
import { describe } from '../../stage/telling/words.js';
import { WORKING } from './state.js';

/* A lesson shows the machine without its chapter. */
brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/exercises/machine',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../../bindings/learn/exercises/index.js').Problem} Problem */
/** @typedef {import('../../../bindings/learn/exercises/index.js').ProblemTrace} ProblemTrace */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */

const SHOWS = new Set(['strip', 'stage', 'caption', 'legend', 'microscope', 'timeline']);

/** @param {ProblemTrace} worked @param {Record<string, string>} words what some steps are called instead */
function traceOf(worked, words) {
  const steps = worked.steps.map((step) => ({ ...step, word: words[step.name] ?? step.word }));
  return fixedTrace(steps, (name) => steps.find((step) => step.name === name) ?? worked.step(name));
}

/** A problem on the stage. */
export class Worked extends Walkthrough {
  static properties = {
    ...Walkthrough.properties,
    engine: { attribute: false },
    problem: { attribute: false },
    called: { attribute: false },
    tokens: { attribute: false },
  };

  constructor() {
    super();
    /** What steps are called elsewhere, by their names here. @type {Record<string, string>} */
    this.called = {};
    /** The words of the rows, where they are others than the problem's. @type {readonly string[] | null} */
    this.tokens = null;
    /** @type {import('./element.js').Engine} */
    this.engine = /** @type {any} */ (null);
    /** @type {Problem} */
    this.problem = /** @type {any} */ (null);
    this.shows = SHOWS;
  }

  get opening() {
    return { ...OPENING, example: WORKING };
  }

  /** The example of a walk is what is played. @param {import('../../app/state/walk.js').State} _state */
  subject(_state) {
    const { recipe, level, given: numbers, policy } = this.problem;
    return JSON.stringify([recipe, level, numbers, policy, language()]);
  }

  get target() {
    return null;
  }

  /** @param {import('../../app/state/walk.js').State} state
   * @returns {import('../../app/session.js').Opened} */
  open({ example: played }) {
    const { problem, engine, called } = this;
    const { traceProblem, misconceptions } = engine;
    const lang = language();
    const mistake = played === WORKING ? undefined : played;
    const right = traceProblem(this.session.core, problem, { lang });
    const shown = mistake
      ? traceProblem(this.session.core, problem, { lang, misconception: mistake })
      : right;
    const { memory, given } = problem;
    const tokens = [...(this.tokens ?? problem.tokens ?? [])];
    /* Classes are counted from 0, as their labels are. */
    const vocabulary = given.logits && Object.keys(/** @type {number[][]} */ (given.logits)[0]);
    const about = mistake
      ? misconceptions({ lang }).find(({ name }) => name === mistake)?.sentence
      : text('chapters/exercises/machine/working');
    const sides = memory && { sides: { source: [...memory], target: tokens } };
    const trace = traceOf(shown, called);
    return {
      example: {
        ...{ name: '', title: '', source: '', tokens },
        ...{ about: about ?? '', ...(vocabulary && { vocabulary }), ...sides },
      },
      trace,
      intact: mistake ? traceOf(right, called) : null,
      stages: shown.stages.map(trace.step),
      runs: {
        intact: text('chapters/exercises/machine/right'),
        page: text('chapters/exercises/machine/mistaken'),
      },
      differing: shown.differing,
    };
  }
}

export class Machine extends Worked {
  static properties = {
    ...Worked.properties,
    start: { attribute: false },
    answer: { attribute: false },
    leave: { attribute: false },
    asks: { attribute: false },
  };

  constructor() {
    super();
    /** Where it begins; by default at the first difference. @type {Cell | null} */
    this.start = null;
    /** The label of the button that leads back, where that is no exercise. */
    this.leave = '';
    /** Cells that are still asked for: the right way shows neither them nor what comes after. @type {Cell[]} */
    this.asks = [];
    /** What the reader wrote in a cell. @type {(cell: string) => string} */
    this.answer = () => '';
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const before = this.opened;
    super.willUpdate(changed);
    if (!this.opened || this.opened === before) return;
    const [first = null] = this.opened.differing ?? [];
    const start = this.start ?? first;
    if (start) this.showing.move(this.#timeOf(start));
  }

  get view() {
    const view = super.view;
    const intact = view?.intact;
    if (!intact || this.asks.length === 0) return view;
    return {
      ...view,
      known: (/** @type {import('../../app/session.js').Step} */ step) =>
        intact.steps.includes(step)
          ? Math.min(view.known(step), this.#revealed(step))
          : view.known(step),
    };
  }

  /** How many numbers of a step of the right way are shown. @param {import('../../app/session.js').Step} step */
  #revealed({ name, shape }) {
    const { steps } = /** @type {import('../../app/session.js').Trace} */ (this.opened.intact);
    const placeOf = (/** @type {string} */ node) => steps.findIndex((step) => step.name === node);
    const asked = this.asks.filter(({ node }) => node === name);
    if (asked.length > 0) return Math.min(...asked.map(({ index }) => offset(shape, index)));
    return placeOf(name) < placeOf(this.asks[0].node) ? Number.POSITIVE_INFINITY : 0;
  }

  /** When a cell is computed. @param {Cell} cell */
  #timeOf(cell) {
    return Math.max(0, doneAt(this.line, cell));
  }

  /** Whether a cell of the right way stays hidden. @param {Cell} cell */
  #isSecret({ node, index }) {
    const step = /** @type {import('../../app/session.js').Step} */ (this.view?.intact?.step(node));
    return this.asks.length > 0 && offset(step.shape, index) >= this.#revealed(step);
  }

  /** The cells that differ, as far as they are shown. */
  get #differences() {
    const { differing = [] } = this.opened;
    return this.view?.intact ? differing.filter((cell) => !this.#isSecret(cell)) : [];
  }

  /** @param {1 | -1} by the next differing cell, or the one before */
  #differing(by) {
    const differing = this.#differences;
    const { focus } = this.view ?? {};
    const current = differing.findIndex((cell) => sameCell(cell, focus));
    const next = current < 0 ? 0 : (current + by + differing.length) % differing.length;
    this.act({ do: 'goto', t: this.#timeOf(differing[next]) });
  }

  /** Both numbers of the cell in focus, and the reader's own. */
  #comparison() {
    const view = /** @type {NonNullable<typeof this.view>} */ (this.view);
    const { focus, trace, intact } = view;
    if (!intact) return nothing;
    if (!focus || trace.step(focus.node).aside) return text('chapters/exercises/machine/only');
    const { node, index } = focus;
    const [mistaken, right] = [trace, intact].map((run) => {
      const { data, shape } = run.step(node);
      return display(data[offset(shape, index)], { decimals: decimalsOf(run, node) });
    });
    if (this.#isSecret(focus)) return nothing;
    const cell = describe(focus, view);
    const differs = this.opened.differing?.some((one) => sameCell(one, focus));
    if (!differs) return text('chapters/exercises/machine/same', { cell, value: right });
    const written = this.answer(`${node}[${index.join(',')}]`);
    const difference = text('chapters/exercises/machine/differs', { cell, own: mistaken, right });
    return written
      ? `${difference} ${text('chapters/exercises/machine/written', { written })}`
      : difference;
  }

  #steps() {
    return html`<button @click=${() => this.#differing(-1)}>${text('chapters/exercises/machine/before')}</button>
      <button @click=${() => this.#differing(1)}>${text('chapters/exercises/machine/next')}</button>`;
  }

  render() {
    const { view } = this;
    if (!view) return nothing;
    const { about } = view.example;
    const { differing = [] } = this.opened;
    const leave = () => this.dispatchEvent(new CustomEvent('gf-leave'));
    return html`<div class="machine-head">
        <button @click=${leave}>${this.leave || text('chapters/exercises/machine/back')}</button>
        <h2 tabindex="-1">${typeset(about)}</h2>
        ${
          differing.length > 0
            ? html`<div class="tools">
              <p aria-live="polite">${typeset(this.#comparison())}</p>
              ${this.#differences.length > 1 ? this.#steps() : nothing}
            </div>`
            : nothing
        }
      </div>
      ${super.render()}`;
  }
}

customElements.define('gf-worked', Worked);
customElements.define('gf-machine', Machine);
