// The page of the chapter: it asks the trainer for what the state shows, and hands every part the same `now`.
import { html, nothing } from 'lit';
import { change } from '../../stage/elements/ask.js';
import { Base } from '../../stage/elements/base.js';
import { saveFile } from '../../stage/elements/save.js';
import { typeset } from '../../stage/telling/number.js';
import './bar.js';
import { Course } from './live.js';
import './curves.js';
import { layersOf } from './maps.js';
import { Playback } from './playback.js';
import { Record } from './record.js';
import { planOf, settingsOf } from './settings.js';
import { StepLesson } from './step-lesson.js';
import './training.css';
import { message, text } from '../../app/locale/text.js';
import { sentenceOf } from './telling.js';
import { lost, openedStep, overview, shelf } from './views.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('../../workers/trainer/protocol.js').Side} Side */
/** @typedef {NonNullable<Training['now']>} Now */

/** While a training runs, the spoken sentence changes this often. */
const SPOKEN_EVERY_MS = 4000;
/** Where motion is to be reduced, the page changes this often. */
const REDUCED_EVERY_MS = 1000;
const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Training extends Base {
  static properties = {
    session: { attribute: false },
    state: { attribute: false, noAccessor: true },
    theme: { attribute: false },
    shows: { attribute: false },
    lens: { attribute: false },
    heard: { state: true },
    spoken: { state: true },
    views: { state: true },
    unfolded: { state: true },
  };

  /** Opens what trains. Whoever defines the chapter gives it, as a figure has no worker.
   * @type {typeof import('../../workers/trainer/open.js').openTrainer} */
  static openTrainer;

  /** Loads what takes a step apart. @type {() => Promise<unknown>} */
  static loadSteps;

  constructor() {
    super();
    /** @type {import('../../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** The parts that are shown; null for all. Of any choice the training itself is what is on the stage.
     * @type {ReadonlySet<string> | null} */
    this.shows = null;
    /** Another picture of the attention, in place of the page.
     * @type {((view: NonNullable<Training['view']>) => unknown) | null} */
    this.lens = null;
    /** The last evaluation that was announced to a lesson. @type {unknown} */
    this.announced = null;
    /** Counts what the trainer reported: each makes the page render. */
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
    /** Whether all is shown before a training. */
    this.unfolded = false;
    /** The last failure that was shown. @type {unknown} */
    this.failed = null;
    this.playback = new Playback(this);
    this.lesson = new StepLesson(this);
    this.addEventListener('gf-train', (event) =>
      this.#command(/** @type {CustomEvent} */ (event).detail),
    );
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
    this.lesson?.update();
    this.requestUpdate('state', before);
  }

  connectedCallback() {
    super.connectedCallback();
    this.course ??= new Course(
      () => Training.openTrainer(() => this.tell(text('chapters/training/page/noWorker'))),
      () => this.#hear(),
    );
    this.requestUpdate();
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
    const isOtherPlan = planKey(before) !== planKey(this.state);
    this.playback.follow(before, isOtherPlan);
    if (isOtherPlan && before.task !== this.state.task) this.file = null;
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
    const { isPlaying, allowed } = this.playback;
    return Math.min(isPlaying ? allowed : (this.state.step ?? 0), steps);
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
    const there = (/** @type {import('../../stage/draw/tensor.js').Cell | null} */ cell) => {
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

  /** The step that is shown. */
  get shown() {
    const { step } = this.state;
    return step === null
      ? (this.playback.held ?? this.last)
      : Math.max(this.first, Math.min(step, this.plan.steps));
  }

  // ---- What comes back ----

  #hear() {
    const { course } = this;
    if (!course) return;
    this.#renew(this.playing || course.doing === 'train');
    if (course.lost) {
      this.playback.stop();
    }
    if (course.failure && course.failure !== this.failed) this.#fail(course.failure);
    this.failed = course.failure;
    if (this.playing && (course.last >= this.plan.steps || course.ended)) this.playback.pause();
    const { started } = course;
    if (this.file && started && started.first >= this.plan.steps && course.doing === '') {
      const { steps } = settingsOf({ ...this.state, settings: {} });
      const settings = { ...this.state.settings, steps: started.first + steps };
      change(this, { settings }, { passing: true });
    }
  }

  /** Draws what was heard; with less motion only now and then. @param {boolean} isTraining */
  #renew(isTraining) {
    const time = performance.now();
    if (isTraining && still.matches && time - this.heardAt < REDUCED_EVERY_MS) return;
    this.heard++;
    this.heardAt = time;
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

  /** @param {import('./command.js').Command} command */
  #command(command) {
    if (typeof command === 'object') this.#open(command.open);
    else if (command === 'play') this.playing ? this.playback.pause() : this.play();
    else if (command === 'step') this.playback.step();
    else if (command === 'reset') this.playback.reset();
    else if (command === 'cancel')
      change(this, { step: this.last || null, view: 'run' }, { passing: true });
    else if (command === 'save') this.#save();
    else if (command === 'unfold') this.unfolded = true;
  }

  get playing() {
    return this.playback.isPlaying;
  }

  /** Trains until all steps are taken. */
  play() {
    this.playback.play();
  }

  pause() {
    this.playback.pause();
  }

  /** @param {File} file */
  async #open(file) {
    this.playback.stop();
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.files++;
    this.file = { id: this.files, name: file.name, bytes };
    change(this, { off: null, step: null, view: 'run', side: 'a' });
    this.requestUpdate();
  }

  async #save() {
    const { course, state, shown, last } = this;
    if (!course) return;
    this.playback.pause();
    await course.rest();
    const { side } = this;
    const place = { side, step: shown === last ? null : shown };
    try {
      const bytes = await course.ask('save', { at: place });
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
    const { walkthrough } = this.lesson;
    if (state.view === 'values' && walkthrough?.isConnected && walkthrough.key(event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.now) return false;
    const stride = event.shiftKey ? 10 : 1;
    /** @type {globalThis.Record<string, () => void>} */
    const keys = {
      ' ': () => this.#command('play'),
      ArrowRight: () => this.#scrub(this.shown + stride),
      ArrowLeft: () => this.#scrub(this.shown - stride),
      Home: () => this.#scrub(this.first + 1),
      End: () => this.#scrub(this.last),
      n: () => this.playback.step(),
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
    const { side, row, weight, goal, first, last, shown } = this;
    return {
      ...{ state, theme, playing, replay, started, file, course, sides, plan },
      ...{ side, row, weight, goal, first, last, shown },
      doing: course.doing || (this.views === 'coming' ? 'load' : ''),
      settings: settingsOf(state),
      opened: course.opened,
      nodes: course.nodes,
      update: course.update,
      made: started?.runs.a ?? null,
      steps: plan.steps,
      pair: Math.min(state.pair, (started?.examples.length ?? 1) - 1),
      alone: this.shows !== null,
      untouched: this.#isUntouched,
    };
  }

  /** Whether nothing was trained or opened yet: then the model's attention stands alone. */
  get #isUntouched() {
    const { shows, state, playing, unfolded, file, goal, first, last } = this;
    const { view, off, settings } = state;
    const isAsked = view !== 'run' || off !== null || Object.keys(settings).length > 0;
    const isBegun = playing || file !== null || Math.max(goal, last) > first;
    return shows === null && !unfolded && !isAsked && !isBegun;
  }

  /** The evaluation at the step that is shown, once that step is taken. */
  get #evaluation() {
    const { course, state, last, shown } = this;
    return (state?.step ?? 0) <= last ? course?.records.a?.evaluationAt(shown) : undefined;
  }

  /** What a lesson shows: where the decoder attends while it writes the example. */
  get view() {
    return this.#viewOf(this.#evaluation);
  }

  /** @param {import('../../workers/trainer/protocol.js').Evaluation | undefined} evaluation */
  #viewOf(evaluation) {
    const { now } = this;
    if (!now?.started || !now.made || !evaluation) return null;
    const { state, theme, playing, pair, steps, started, made } = now;
    const { sourceTokens, targetTokens } = started.examples[pair];
    const shape = [targetTokens.length, sourceTokens.length];
    const trace = { steps: layersOf(evaluation.attention[pair], made.config, shape) };
    const sides = { source: sourceTokens, target: ['', ...targetTokens] };
    return { state, theme, playing, steps, trace, example: { tokens: [], sides } };
  }

  /** Tells the lesson of each evaluation. */
  updated() {
    const evaluation = this.#evaluation;
    if (!this.shows || !this.view || evaluation === this.announced) return;
    this.announced = evaluation;
    this.dispatchEvent(new Event('gf-opened', { bubbles: true }));
  }

  /** While a training runs, a new sentence is read aloud only now and then. */
  #speak() {
    const { now } = this;
    if (!now) return;
    const time = performance.now();
    if (this.playing && time - this.spokenAt < SPOKEN_EVERY_MS) return;
    this.spokenAt = time;
    this.spoken = sentenceOf(now);
  }

  render() {
    const { now, lens, view } = this;
    if (!now) return nothing;
    if (lens) {
      const { goal: step, last } = now;
      /* Until the step is taken, the picture is that of the last evaluation, and changes with each. */
      const meanwhile = view ?? this.#viewOf(this.course?.records.a?.evaluationAt(last));
      return html`${
        view
          ? nothing
          : html`<label class="until">
              <progress max=${step} value=${last}></progress>
              ${text('chapters/training/bar/first', { step, last })}
            </label>`
      }
      ${meanwhile ? lens(meanwhile) : nothing}`;
    }
    /* The walk through a step has a timeline of its own: which step it is stands above. */
    const isAbove = this.state.view === 'values';
    const isTold = !now.alone && !now.untouched && !isAbove;
    this.toggleAttribute('untouched', now.untouched);
    const bar = html`<gf-training-bar class=${isAbove ? 'above' : ''} .now=${now}></gf-training-bar>`;
    return html`
      ${this.course?.lost ? lost(this.course.lost, this.#restart) : nothing}
      ${now.alone ? nothing : shelf(this, now)}
      ${isTold ? html`<p class="sentence">${typeset(sentenceOf(now))}</p>` : nothing}
      <p class="hidden" aria-live="polite">${this.spoken}</p>
      ${isAbove ? bar : nothing}
      ${now.state.view === 'run' ? overview(now) : openedStep(this, now)}
      ${isAbove ? nothing : bar}
    `;
  }

  /** Whether the step that is shown is taken apart. */
  get isOpen() {
    const { course, plan, file } = this;
    const { opened } = course ?? {};
    const here = opened?.step === this.shown && opened.side === this.side;
    return here && course?.isOf(plan, file);
  }
}

/** @param {State} state */
const planKey = ({ task, settings, off }) => JSON.stringify([task, settings, off]);

customElements.define('gf-chapter-training', Training);
