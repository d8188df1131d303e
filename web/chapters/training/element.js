// The page of the chapter: it wants what the state asks for, and hands every part the same `now`.
import { html, nothing } from 'lit';
import { Base } from '../../elements/base.js';
import { saveFile } from '../../elements/save.js';
import { typeset } from '../../telling/number.js';
import { change } from './ask.js';
import './bar.js';
import { Course } from './live.js';
import './curves.js';
import { layersOf } from './maps.js';
import { Record } from './record.js';
import { planOf, settingsOf } from './settings.js';
import { VIEWS } from './state.js';
import './training.css';
import { message, text } from '../../locale/text.js';
import { told } from './telling.js';

/** @type {{ readonly [name: string]: string }} */
const VIEW_TEXTS = {
  run: 'chapters/training/views/run',
  batch: 'chapters/training/views/batch',
  values: 'chapters/training/views/values',
  update: 'chapters/training/views/update',
};

/** @typedef {import('./state.js').State} State */
/** @typedef {import('../../trainer/protocol.js').Side} Side */
/** @typedef {import('./walkthrough.js').StepWalkthrough} StepWalkthrough */
/** @typedef {NonNullable<Training['now']>} Now */

/** The spoken sentence changes this seldom while a training runs, in ms. */
const SPOKEN = 4000;
/** Where motion is to be reduced, so does the page, in ms. */
const SELDOM = 1000;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** How long a training takes at least where it is watched, and in how many parts. */
const FILM = { ms: 8000, parts: 100 };

export class Training extends Base {
  static properties = {
    session: { attribute: false },
    state: { attribute: false, noAccessor: true },
    theme: { attribute: false },
    playing: { state: true },
    shows: { attribute: false },
    lens: { attribute: false },
    heard: { state: true },
    spoken: { state: true },
    views: { state: true },
  };

  /** Opens what trains. Whoever defines the chapter gives it, as a figure has no worker.
   * @type {typeof import('../../trainer/open.js').openTrainer} */
  static openTrainer;

  /** Loads what takes a step apart. @type {() => Promise<unknown>} */
  static loadSteps;

  constructor() {
    super();
    /** @type {import('../../session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {StepWalkthrough | null} */
    this.walkthrough = null;
    /** @type {import('./walkthrough.js').Sequence | null} what the walkthrough is about */
    this.sequence = null;
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    this.playing = false;
    /** Steps that may be taken by now, while it is played. */
    this.allowed = 0;
    /** When some more may be. */
    this.next = 0;
    /** The step that is taken apart while others are taken. @type {number | null} */
    this.held = null;
    /** Whether another chapter was opened while it was running. */
    this.left = false;
    /** The parts that are shown; null for all. Of any choice the training itself is what is on the stage.
     * @type {ReadonlySet<string> | null} */
    this.shows = null;
    /** Another picture of the attention, in place of the page.
     * @type {((view: NonNullable<Training['view']>) => unknown) | null} */
    this.lens = null;
    /** The evaluation that a lesson was told of. @type {unknown} */
    this.told = null;
    /** How often there was something new. */
    this.heard = 0;
    this.heardAt = 0;
    /** What is read aloud. */
    this.spoken = '';
    this.spokenAt = 0;
    /** @type {import('./live.js').File | null} */
    this.file = null;
    this.files = 0;
    /** @type {Course | null} */
    this.course = null;
    /** What takes a step apart: it is loaded when one is first opened.
     * @type {'absent' | 'coming' | 'here'} */
    this.views = 'absent';
    /** @type {unknown} the failure that was told */
    this.failed = null;
    this.addEventListener('gf-train', (event) =>
      this.#command(/** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener('gf-refuse', (event) => this.#letGo(event));
  }

  /** @type {State} */
  #state = /** @type {any} */ (null);

  get state() {
    return this.#state;
  }

  /** A walkthrough finds its own changes in its state at once. */
  set state(state) {
    const before = this.#state;
    this.#state = state;
    this.#teach();
    this.requestUpdate('state', before);
  }

  connectedCallback() {
    super.connectedCallback();
    this.course ??= new Course(
      () => Training.openTrainer(() => this.tell(text('chapters/training/page/noWorker'))),
      () => this.#hear(),
    );
    if (this.left && !this.lens) this.play();
    this.left = false;
    this.requestUpdate();
  }

  /** No step is taken while another chapter is open; the run goes on when this one is opened again. */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.left = this.playing;
    this.#pause();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('state')) this.#follow(/** @type {State | undefined} */ (changed.get('state')));
    if (changed.has('state') && this.state.view !== 'run') this.#load();
    this.#want();
    this.#speak();
  }

  /**
   * A new plan begins from the beginning, and leaves a file that was opened.
   * @param {State | undefined} before
   */
  #follow(before) {
    if (!before) return;
    const other = planKey(before) !== planKey(this.state);
    if (other || this.state.step !== null) this.playing = false;
    if (this.state.view === 'run' || !this.playing) this.held = null;
    else if (before.view === 'run') this.held = Math.max(this.last, this.first + 1);
    /* What walks through a step has a Play of its own. */
    if (this.state.view === 'values') this.#pause();
    if (other && before.task !== this.state.task) this.file = null;
  }

  #load = async () => {
    if (this.views !== 'absent') return;
    this.views = 'coming';
    try {
      await Training.loadSteps();
      this.views = 'here';
    } catch {
      this.views = 'absent';
      this.tell(text('page/notLoaded'), this.#load);
    }
  };

  // ---- What is wanted ----

  get plan() {
    const plan = planOf(this.state);
    return this.file ? { ...plan, runs: { a: plan.runs.a } } : plan;
  }

  /** The steps that a state asks to be taken. */
  get goal() {
    const { steps } = this.plan;
    return Math.min(this.playing ? this.allowed : (this.state.step ?? 0), steps);
  }

  #want() {
    const { state, course, isConnected: seen } = this;
    if (!course || !state) return;
    const { shown } = this;
    const opened = seen && state.view !== 'run' && shown > this.first;
    /* While another chapter is open, no step is taken. */
    course.want({
      plan: this.plan,
      file: this.file,
      to: seen ? this.goal : 0,
      open: opened ? { side: this.side, step: shown } : null,
      row: state.view === 'batch' ? null : this.row,
      weight: state.view === 'update' ? this.weight : null,
    });
  }

  /** The run whose steps are taken apart. @returns {Side} */
  get side() {
    return this.plan.runs[this.state.side] ? this.state.side : 'a';
  }

  /** The sequence of the opened batch. */
  get row() {
    return Math.min(this.state.row, (this.course?.opened?.batch.rows ?? 1) - 1);
  }

  /** The weight whose update is shown. */
  get weight() {
    const parameters = this.course?.started?.runs[this.side]?.parameters ?? [];
    const there = (/** @type {import('../../draw/tensor.js').Cell | null} */ cell) => {
      const shape = parameters.find(({ name }) => name === cell?.node)?.shape;
      return (
        shape?.length === cell?.index.length && shape?.every((d, i) => Number(cell?.index[i]) < d)
      );
    };
    const { weight } = this.state;
    if (there(weight)) return weight;
    const isUsual = (/** @type {typeof parameters[number]} */ { role, parameter }) =>
      role === 'query' && parameter === 'weight';
    const first = parameters.find(isUsual) ?? parameters[0];
    return first ? { node: first.name, index: first.shape.map(() => 0) } : null;
  }

  get first() {
    return this.course?.started?.first ?? 0;
  }

  get last() {
    return Math.max(this.first, this.course?.last ?? 0);
  }

  /** The step that is looked at. */
  get shown() {
    const { step } = this.state;
    return step === null
      ? (this.held ?? this.last)
      : Math.max(this.first, Math.min(step, this.plan.steps));
  }

  // ---- What comes back ----

  #hear() {
    const { course } = this;
    if (!course) return;
    const time = performance.now();
    if (!(this.playing && still.matches && time - this.heardAt < SELDOM)) {
      this.heard++;
      this.heardAt = time;
    }
    if (course.lost) {
      this.playing = false;
      this.requestUpdate();
    }
    if (course.failure && course.failure !== this.failed) this.#fail(course.failure);
    this.failed = course.failure;
    if (this.playing && (course.last >= this.plan.steps || course.ended)) this.#pause();
    const { started } = course;
    if (this.file && started && started.first >= this.plan.steps && course.doing === '') {
      const { steps } = settingsOf({ ...this.state, settings: {} });
      const settings = { ...this.state.settings, steps: started.first + steps };
      change(this, { settings }, { passing: true });
    }
  }

  /** @param {{ key: string, error: Error }} failure */
  #fail({ key, error }) {
    if (this.file && key.startsWith('start')) {
      const { name } = this.file;
      this.file = null;
      this.tell(text('chapters/training/setup/notOpened', { name, message: message(error) }));
    } else if (key.startsWith('start')) {
      const detail = { message: message(error) };
      this.dispatchEvent(new CustomEvent('gf-refuse', { detail, bubbles: true }));
    } else this.tell(text('chapters/training/page/failed', { message: message(error) }));
  }

  // ---- Commands ----

  /** @param {import('./ask.js').Command} asked */
  #command(asked) {
    if (typeof asked === 'object') this.#open(asked.open);
    else if (asked === 'play') this.playing ? this.#pause() : this.play();
    else if (asked === 'step') this.#step();
    else if (asked === 'reset') this.#reset();
    else if (asked === 'cancel')
      change(this, { step: this.last || null, view: 'run' }, { passing: true });
    else if (asked === 'save') this.#save();
  }

  /** Trains until all steps are taken. */
  play() {
    if (this.last >= this.plan.steps || this.course?.ended) return;
    this.held = this.state.view === 'run' ? null : this.shown;
    if (this.state.step !== null) change(this, { step: null }, { passing: true });
    this.playing = true;
    this.allowed = this.last;
    this.#allow();
  }

  /** In a lesson or a figure a short training is a film: a few steps at a time, so that it can be watched. */
  #allow = () => {
    if (!this.playing) return;
    const { steps } = this.plan;
    const few = this.shows ? Math.ceil(steps / FILM.parts) : steps;
    if (this.last >= this.allowed) this.allowed = this.last + few;
    clearTimeout(this.next);
    if (this.shows) this.next = window.setTimeout(this.#allow, FILM.ms / FILM.parts);
    this.requestUpdate();
  };

  /** The link then leads to the step at which it was paused. */
  #pause() {
    if (!this.playing) return;
    this.playing = false;
    this.held = null;
    this.course?.rest().then(() => {
      if (!this.playing && this.state.step === null && this.isConnected) {
        change(this, { step: this.last }, { passing: true });
      }
    });
  }

  #step() {
    if (this.last >= this.plan.steps || this.course?.ended) return;
    this.playing = false;
    change(this, { step: this.last + 1 }, { passing: true });
  }

  #reset() {
    this.playing = false;
    this.course?.restart();
    change(this, { step: null, view: 'run' });
  }

  /** @param {File} file */
  async #open(file) {
    this.playing = false;
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.files++;
    this.file = { id: this.files, name: file.name, bytes };
    change(this, { off: null, step: null, view: 'run', side: 'a' });
    this.requestUpdate();
  }

  async #save() {
    const { course, state, shown, last } = this;
    if (!course) return;
    this.#pause();
    await course.rest();
    const { side } = this;
    const at = { side, step: shown === last ? null : shown };
    try {
      const bytes = await course.ask('save', { at });
      if (bytes)
        saveFile(
          `glassformer-${state.task}-${side}-${shown}.safetensors`,
          new Blob([/** @type {any} */ (bytes)]),
        );
    } catch (error) {
      this.tell(text('chapters/training/page/failed', { message: message(error) }));
    }
  }

  /** Another trainer in place of one that was lost; it begins from the beginning. */
  #restart = () => {
    this.course?.restart();
    this.requestUpdate();
  };

  // ---- Keys ----

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  key(event) {
    const { state } = this;
    if (state.view === 'values' && this.walkthrough?.isConnected && this.walkthrough.key(event))
      return true;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.now) return false;
    const stride = event.shiftKey ? 10 : 1;
    /** @type {globalThis.Record<string, () => void>} */
    const keys = {
      ' ': () => this.#command('play'),
      ArrowRight: () => this.#scrub(this.shown + stride),
      ArrowLeft: () => this.#scrub(this.shown - stride),
      Home: () => this.#scrub(this.first + 1),
      End: () => this.#scrub(this.last),
      n: () => this.#step(),
      Escape: () => state.view !== 'run' && change(this, { view: 'run' }),
    };
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    act?.();
    return act !== null;
  }

  /** @param {number} step */
  #scrub(step) {
    const to = Math.max(this.first, Math.min(step, this.last));
    if (to !== this.state.step) change(this, { step: to }, { passing: true });
  }

  // ---- What is seen ----

  get now() {
    const { course, state, theme, playing, file } = this;
    if (!course || !state) return null;
    const { started, replay } = course;
    const plan = this.plan;
    const sides = /** @type {Side[]} */ (Object.keys(plan.runs)).map((side) => ({
      side,
      record: course.records[side] ?? new Record(this.first),
    }));
    return {
      state,
      theme,
      playing,
      doing: course.doing || (this.views === 'coming' ? 'load' : ''),
      replay,
      started,
      file,
      course,
      sides,
      settings: settingsOf(state),
      plan,
      opened: course.opened,
      nodes: course.nodes,
      update: course.update,
      side: this.side,
      row: this.row,
      weight: this.weight,
      made: started?.runs.a ?? null,
      steps: plan.steps,
      goal: this.goal,
      first: this.first,
      last: this.last,
      shown: this.shown,
      pair: Math.min(state.pair, (started?.examples.length ?? 1) - 1),
      alone: this.shows !== null,
    };
  }

  /** How the example is done at the step that is looked at, once it is there. */
  get #evaluation() {
    const { course, state, last, shown } = this;
    return (state?.step ?? 0) <= last ? course?.records.a?.evaluationAt(shown) : undefined;
  }

  /** What a lesson tells of: where the decoder looks while it writes the example. */
  get view() {
    const { now } = this;
    const evaluation = this.#evaluation;
    if (!now?.started || !now.made || !evaluation) return null;
    const { state, theme, playing, pair, steps, started, made } = now;
    const { sourceTokens, targetTokens } = started.examples[pair];
    const shape = [targetTokens.length, sourceTokens.length];
    const trace = { steps: layersOf(evaluation.attention[pair], made.config, shape) };
    const sides = { source: sourceTokens, target: ['', ...targetTokens] };
    return { state, theme, playing, steps, trace, example: { tokens: [], sides } };
  }

  /** A lesson is told when there is something else to tell of. */
  updated() {
    const evaluation = this.#evaluation;
    if (!this.shows || !this.view || evaluation === this.told) return;
    this.told = evaluation;
    this.dispatchEvent(new Event('gf-opened', { bubbles: true }));
  }

  /** While a training runs, a new sentence is read aloud only now and then. */
  #speak() {
    const { now } = this;
    if (!now) return;
    const time = performance.now();
    if (this.playing && time - this.spokenAt < SPOKEN) return;
    this.spokenAt = time;
    this.spoken = told(now);
  }

  render() {
    const { now, lens, view } = this;
    if (!now) return nothing;
    if (lens) {
      const { goal: step, last } = now;
      return view
        ? lens(view)
        : html`<p class="empty" role="status">${text('chapters/training/bar/first', { step, last })}</p>`;
    }
    return html`
      ${this.course?.lost ? this.#lost(this.course.lost) : nothing}
      ${now.alone ? nothing : this.#shelf(now)}
      ${now.alone || this.state.view === 'values' ? nothing : html`<p class="sentence">${typeset(told(now))}</p>`}
      <p class="hidden" aria-live="polite">${this.spoken}</p>
      ${this.#view(now)}
      <gf-training-bar .now=${now}></gf-training-bar>
    `;
  }

  /** Which run is taken apart, and the views. @param {Now} now */
  #shelf({ state: { view: own }, sides, side: seen }) {
    return html`<div class="shelf">
      ${
        sides.length > 1 && own !== 'run'
          ? html`<div class="stepper" role="group" aria-label=${text('chapters/training/opened/which')}>
              ${sides.map(
                ({ side }) => html`<button
                  aria-pressed=${side === seen}
                  @click=${() => change(this, { side })}
                >${side.toUpperCase()}</button>`,
              )}
            </div>`
          : nothing
      }
      <div class="tabs" role="group" aria-label=${text('chapters/training/bar/views')}>
        ${VIEWS.map(
          (view) => html`<button
            aria-pressed=${view === own}
            @click=${() => change(this, { view })}
          >${text(VIEW_TEXTS[view])}</button>`,
        )}
      </div>
    </div>`;
  }

  /** @param {import('../../remote/failure.js').Ended} reason */
  #lost(reason) {
    const told = reason.message
      ? text('chapters/training/page/lostBy', { message: message(reason) })
      : text(reason.begun ? 'chapters/training/page/lost' : 'chapters/training/page/notStarted');
    return html`<p class="notice" role="alert">
      ${told} <button @click=${this.#restart}>${reason.begun ? text('chapters/training/page/restart') : text('page/again')}</button>
    </p>`;
  }

  /** @param {Now} now */
  #view(now) {
    if (now.state.view !== 'run') return this.#opened(now);
    const measured = html`<section class="measured" aria-label=${text('chapters/training/curves/all')}><gf-curves .now=${now}></gf-curves></section>`;
    const attention = html`<section class="attention"><gf-training-attention .now=${now}></gf-training-attention></section>`;
    if (now.alone) return html`<div class="overview alone">${measured} ${attention}</div>`;
    return html`<div class="overview">
      <aside class="left"><gf-training-setup .now=${now}></gf-training-setup></aside>
      ${measured}
      <section class="answers">
        <gf-predictions .now=${now}></gf-predictions>
        <gf-writer .now=${now}></gf-writer>
      </section>
      ${attention}
    </div>`;
  }

  get #isOpen() {
    const { course, plan, file } = this;
    const { opened } = course ?? {};
    const here = opened?.step === this.shown && opened.side === this.side;
    return here && course?.isOf(plan, file);
  }

  /** Hands the walkthrough what it shows, once the step that is looked at is open. */
  #teach() {
    const { walkthrough, course, session, theme } = this;
    const { opened, nodes, started } = course ?? {};
    if (!walkthrough || !opened || !nodes || !started || !this.#isOpen) return;
    const words = (/** @type {Int32Array} */ ids, /** @type {number} */ width) =>
      Array.from(
        ids.subarray(this.row * width, (this.row + 1) * width),
        (id) => started.vocabulary[id],
      );
    const { source, target, sourceIds, targetIds, labels } = opened.batch;
    if (this.sequence?.nodes !== nodes) {
      const sides = { source: words(sourceIds, source), target: words(targetIds, target) };
      const { row } = this;
      this.sequence = {
        nodes,
        sides,
        predicted: words(labels, target),
        vocabulary: started.vocabulary,
        row,
        rows: opened.batch.rows,
      };
    }
    walkthrough.session = session;
    walkthrough.theme = theme;
    walkthrough.shows = this.shows;
    walkthrough.state = /** @type {any} */ ({ ...this.state, sequence: this.sequence });
  }

  /** What was picked at one step may not be in the batch of another. @param {Event} event */
  #letGo(event) {
    const { walkthrough, state } = this;
    if (event.target !== walkthrough || walkthrough?.shown?.path !== state.path) return;
    event.stopPropagation();
    change(this, { path: [], open: null }, { passing: true });
  }

  /** @param {Now} now */
  #walkthrough({ nodes }) {
    if (!nodes)
      return html`<p class="empty" role="status">${text('chapters/training/opened/wait', { step: this.shown })}</p>`;
    this.walkthrough ??= /** @type {StepWalkthrough} */ (
      document.createElement('gf-training-walkthrough')
    );
    this.#teach();
    return this.walkthrough;
  }

  /**
   * One step, taken apart.
   * @param {Now} now
   */
  #opened(now) {
    const { state, side: own, shown, first } = now;
    const record = now.course.records[own];
    if (!this.#isOpen || this.views !== 'here') {
      const ended = record?.ended && shown > record.last;
      const why = ended
        ? 'chapters/training/opened/ended'
        : shown > first
          ? 'chapters/training/opened/wait'
          : 'chapters/training/opened/none';
      return html`<p class="empty" role="status">${text(why, { step: shown })}</p>`;
    }
    const view = {
      batch: () => html`<gf-batch .now=${now}></gf-batch>`,
      values: () => this.#walkthrough(now),
      update: () => html`<gf-adam .now=${now}></gf-adam>`,
    }[/** @type {'batch' | 'values' | 'update'} */ (state.view)];
    return html`<div class="opened">
      ${view()}
    </div>`;
  }
}

/** @param {State} state */
const planKey = ({ task, settings, off }) => JSON.stringify([task, settings, off]);

customElements.define('gf-chapter-training', Training);
