import { html, nothing } from 'lit';
import { checkpoints, growth, translator } from '#capabilities';
import { text } from '../../app/locale/text.js';
import { blocksOf, blockWith, isAttention } from '../../stage/draw/blocks.js';
import { change as askFor } from '../../stage/elements/ask.js';
import { Walkthrough } from '../../stage/elements/walkthrough.js';
import { readoutsOf } from '../../stage/experiments/readouts.js';
import './attention.js';
import { candidatesAt } from './candidates.js';
import './cost.js';
import { isCut, lengthOf, nextIn, pictureOf } from './film.js';
import './map.js';
import { firstMasked } from './masks.js';
import { overwrite } from './overwrite.js';
import './paths.js';
import './size.js';
import { END, EXPERIMENTS, FILMS, LOOKS, opening, PANELS, TRANSLATOR } from './state.js';
import './transformer.css';
import './translation.js';
import { Translator } from './translator.js';
import { wait, waiting } from './waiting.js';
import { aboutOf } from './words.js';

/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {import('../../app/state/view.js').View} View */
/** @typedef {import('../../app/session.js').Opened} Opened */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */
/** @typedef {import('../../app/state/walk.js').Edit} Edit */
/** @typedef {import('../../stage/draw/blocks.js').Block} Block */
/** @typedef {import('../../stage/elements/base.js').Action} Action */
/** @typedef {import('./translator.js').Reading} Reading */
/** @typedef {import('./waiting.js').Listener} Listener */
/** The part of the state that belongs to one walk. */
const NEW_WALK = { t: END, path: [], open: null };
/** Settings by which the model writes; another value makes other tensors. */
const WRITING = ['way', 'temperature', 'topK', 'seed', 'beams', 'step', 'beside'];
/** Keys that walk through the steps. */
const WALK_KEYS = /^( |Arrow(Left|Right)|Home|End|[1-9])$/;

export class Transformer extends Walkthrough {
  static properties = {
    ...Walkthrough.properties,
    work: { state: true },
    choosing: { state: true },
  };

  constructor() {
    super();
    /** @type {Map<string, Translator | import('./checkpoint.js').Checkpoint>} the models that are there, by state.model */
    this.models = new Map();
    /** What the reader waits for. @type {import('./waiting.js').Work | null} */
    this.work = null;
    /** Whether a checkpoint is being chosen. */
    this.choosing = false;
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {Reading} what the model was run on */
    this.reading = /** @type {any} */ (null);
    /** @type {ReturnType<typeof overwrite> | null} the parameters that are edited */
    this.overwritten = null;
    /** Computes checkpoints; null until one is opened. @type {import('./ahead.js').Ahead | null} */
    this.ahead = null;
    this.asksForOpener = false;
    this.addEventListener('gf-close', () => {
      this.choosing = false;
      if (!this.models.has(this.state.model)) this.ask(opening);
    });
  }

  get opening() {
    return opening;
  }

  get invitation() {
    return text('chapters/transformer/invitation');
  }

  get computed() {
    return ['model', 'text', ...WRITING, 'remove', 'edits'];
  }

  /** @param {State} state */
  subject({ model }) {
    return this.models.get(model);
  }

  get scoped() {
    return ['open', 'block', 'film'];
  }

  get panels() {
    /* What a bert gives at a place is the token of that place; other models may give classes. */
    const { kind, head } = this.#model?.config ?? {};
    const isNext = kind !== 'bert' && head !== 'none';
    const without = new Set([isNext ? '' : 'next', growth !== null ? '' : 'recurrence']);
    const all = [...PANELS.filter((name) => !without.has(name)), ...(this.#subject?.panels ?? [])];
    return [...LOOKS, ...EXPERIMENTS].filter((name) => all.includes(name));
  }

  get listed() {
    const names = this.panels.filter((name) => EXPERIMENTS.includes(name));
    return { label: text('chapters/transformer/experiments'), names };
  }

  get words() {
    return 'chapters/transformer';
  }

  // ---- The model ----

  /** Waits until the model and the tokens that a state asks for are there.
   * @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.state) return;
    const subject = this.models.get(this.state.model);
    if (!subject) {
      if (this.state.model === TRANSLATOR && !this.work) this.#fetch();
      return;
    }
    if (this.ahead?.waits(this.state)) return;
    super.willUpdate(changed);
  }

  /**
   * Does a long task and shows its progress; of a failure, only the explanation is shown.
   * @param {string} label
   * @param {(listener: Listener) => Promise<void>} task
   * @param {() => void} again
   */
  wait(label, task, again) {
    return wait(this, label, task, {
      again,
      bar: () => this.querySelector('progress'),
      failed: (detail) =>
        this.dispatchEvent(new CustomEvent('gf-failed', { detail, bubbles: true })),
    });
  }

  /** Loads what opens checkpoints, when it is first shown. */
  #loadOpener = async () => {
    if (this.asksForOpener) return;
    this.asksForOpener = true;
    try {
      const Ahead = await checkpoints();
      this.ahead = Ahead && new Ahead(this);
    } catch {
      this.asksForOpener = false;
      this.tell(text('page/notLoaded'), this.#loadOpener);
    }
  };

  /** The translator, from where the page comes from. */
  #fetch() {
    const loading = text('chapters/transformer/loading');
    const task = async (/** @type {Listener} */ { signal, onProgress }) => {
      const { weights, task, marks } = await translator({
        signal,
        onProgress: (loaded, total) => onProgress(loading, total && loaded / total),
      });
      this.models.set(
        TRANSLATOR,
        new Translator(this.session.saved(weights), task, marks, weights),
      );
      this.requestUpdate('state');
    };
    this.wait(loading, task, () => this.#fetch());
  }

  /** Asks the shell for a change. @param {Partial<State>} change */
  ask(change) {
    askFor(this, change, { undoable: true });
  }

  // ---- What is computed ----

  /**
   * @param {State} state
   * @returns {Opened}
   */
  open(state) {
    const subject = /** @type {Translator | import('./checkpoint.js').Checkpoint} */ (
      this.models.get(state.model)
    );
    const before = this.overwritten;
    try {
      this.over(subject.model, state.edits);
      return this.#read(subject, state, /** @type {any} */ (this.overwritten));
    } catch (error) {
      this.over((before ?? subject).model, before?.edits ?? []);
      throw error;
    }
  }

  /** Makes edits of parameters, in place of those that are made. @param {any} model @param {Edit[]} edits */
  over(model, edits) {
    this.overwritten?.restore();
    this.overwritten = null;
    this.overwritten = overwrite(model, edits);
  }

  /**
   * Runs a model on what a state says.
   * @param {Translator | import('./checkpoint.js').Checkpoint} subject
   * @param {State} state
   * @param {ReturnType<typeof overwrite>} made
   * @returns {Opened}
   */
  #read(subject, state, made) {
    const reading = subject.read(state);
    const run = (/** @type {string[]} */ remove, { rest, own: ofParameters } = made) =>
      subject.trace(reading, state, { remove, edits: rest }, ofParameters);
    const trace = run(state.remove);
    const blocks = blocksOf(trace.steps);
    let [intact, before] = /** @type {(Opened['intact'])[]} */ ([null, null]);
    try {
      if (!blocks.some(({ name }) => name === state.block)) {
        throw new RangeError(text('chapters/transformer/noBlock', { block: state.block }));
      }
      if (state.remove.length > 0) intact = run([]);
      if (state.edits.length > 0)
        before = this.#unedited(() => run(state.remove, { ...made, rest: [], own: [] }));
    } catch (error) {
      for (const one of [trace, intact]) one?.dispose();
      throw error;
    }
    this.blocks = blocks;
    this.reading = reading;
    const { sides, predicted } = reading;
    const { vocabulary } = subject;
    const example = { title: subject.name, name: '', source: '', about: '', tokens: [] };
    return {
      example: { ...example, sides, predicted, vocabulary },
      trace,
      intact,
      before,
      over: made.over,
      counts: 'changed' in subject ? subject.changed(trace) : undefined,
    };
  }

  /** What a run is while the parameters are as they were. @template T @param {() => T} run @returns {T} */
  #unedited(run) {
    const { model, edits, restore } = /** @type {ReturnType<typeof overwrite>} */ (
      this.overwritten
    );
    restore();
    try {
      return run();
    } finally {
      this.overwritten = overwrite(model, edits);
    }
  }

  /** A film that is cut shows of each block what it amounts to, at the level of stages.
   * @param {State} state */
  stages({ block, film }) {
    const { steps } = this.#block(block);
    return isCut(film) ? pictureOf(steps, film) : steps;
  }

  /** @param {State} state */
  level(state) {
    return isCut(state.film) ? 'stage' : super.level(state);
  }

  /** @param {State} state */
  telling({ block }) {
    const open = this.#block(block);
    const about = aboutOf(open);
    const predicts = isAttention(open) && open.stack === 'decoder' && this.reading.written !== null;
    return { about: predicts ? `${about} ${text('chapters/transformer/maps/rows')}` : about };
  }

  /** @param {string} block */
  #block(block) {
    return /** @type {Block} */ (this.blocks.find(({ name }) => name === block));
  }

  /** Scores and logits are far larger than weights: a step and its operands have a scale of their own.
   * @param {Step} stage */
  inSight(stage) {
    const { trace, intact } = this.opened;
    const names = [stage.name, ...stage.inputs.filter((name) => name !== null)];
    return [trace, intact].flatMap((run) => (run ? names.map((name) => run.step(name)) : []));
  }

  /**
   * A number that is entered brings its block along; another step of the translation, other tensors.
   * @param {Partial<State>} change
   * @param {Action} action
   * @returns {Partial<State>}
   */
  following(change, action) {
    if (change.film && change.film !== 'off') {
      const begin = { block: this.blocks[0].name, path: [], open: null, t: 0 };
      return { ...begin, step: this.reading.written ? 0 : null, ...this.toPanel('stage') };
    }
    const isOtherRun = ['text', ...WRITING].some((key) => key in change);
    if (isOtherRun || 'remove' in change) return this.#keptOf(change, isOtherRun);
    const cell = change.open ?? change.path?.at(-1);
    if (!cell || (action.do === 'pick' && action.stage && !change.open)) return {};
    const home = blockWith(this.blocks, cell.node);
    return home && home.name !== this.shown.block ? { block: home.name } : {};
  }

  /** What is kept where the model runs anew: edits of its parameters. @param {Partial<State>} change @param {boolean} isOtherRun */
  #keptOf(change, isOtherRun) {
    const { parameters } = this.#model;
    const kept = (change.edits ?? this.shown.edits).filter(({ node }) => parameters.has(node));
    const edits = { edits: kept, path: [], open: null };
    if (!isOtherRun) return edits;
    return { ...NEW_WALK, ...edits, ...('step' in change ? {} : { step: null }) };
  }

  // ---- The film of a sentence ----

  get #film() {
    const { written } = this.reading;
    return { film: this.shown.film, blocks: this.blocks, written };
  }

  get next() {
    const { film, block } = this.shown;
    return film === 'off' ? null : nextIn(this.#film, block);
  }

  /** Each block has the same part of the film. */
  get pace() {
    const length = FILMS[this.shown.film];
    return length === null ? 1 : (this.line.duration * lengthOf(this.#film)) / length;
  }

  /** What is shown: its finder and panels are those that the translator has not. @returns {any} */
  get #subject() {
    return this.models.get(this.shown?.model);
  }

  get #model() {
    return this.#subject?.model;
  }

  /** The attention of the open block, or that which the words are written by. */
  get attention() {
    const attentions = this.blocks.filter(isAttention);
    const open = attentions.find(({ name }) => name === this.shown.block);
    return open ?? attentions.findLast(({ kind }) => kind === 'cross_attn') ?? attentions.at(-1);
  }

  /** @param {string} panel */
  toPanel(panel) {
    return panel === 'stage' ? { panel } : { ...NEW_WALK, panel };
  }

  /** What a panel is about: a number of the place where we are. @param {State} state */
  about({ panel, block }) {
    const row = this.reading.own - 1;
    const steps = this.attention?.steps ?? [];
    const words = panel === 'stage' && (block === 'logits' || block === 'probabilities');
    const largest = (/** @type {Step | undefined} */ step) => {
      if (!step) return null;
      const index = step.shape.length === 3 ? [0, Math.min(row, step.shape[1] - 1)] : [row];
      return candidatesAt(step, index, 1)[0];
    };
    if (panel === 'attention') return largest(steps.find(({ role }) => role === 'weight'));
    if (panel === 'next') return largest(this.opened.trace.steps.at(-1));
    if (panel === 'masks') return firstMasked(this.opened.trace);
    return words ? largest(this.line.stages.at(-1)) : null;
  }

  /** Gradients are those of the logit of the token that is written here, unless the reader chose others.
   * @returns {Cell | null} */
  get target() {
    const { written, own: rows } = this.reading;
    if (!written || this.shown.target) return super.target;
    return { node: 'logits', index: [rows - 1, written.tokens[rows - 1] ?? written.end ?? 0] };
  }

  /** Of a large model they come later. @param {import('../../app/session.js').Trace} trace @param {Cell} target */
  derive(trace, target) {
    return this.ahead?.derive(trace, target) ?? super.derive(trace, target);
  }

  read() {
    const { attention } = this;
    return readoutsOf(this.opened, {
      weights: attention?.steps.find(({ role }) => role === 'weight')?.name ?? '',
      output: this.opened.trace.steps.some(({ name }) => name === 'logits')
        ? 'logits'
        : String(this.blocks.at(-1)?.steps.at(-1)?.name),
    });
  }

  // ---- Keys ----

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.opened || event.ctrlKey || event.metaKey || event.altKey) return super.key(event);
    const blocks = { PageUp: 1, PageDown: -1 }[event.key];
    const steps = { '.': 1, ',': -1 }[event.key];
    if (blocks) this.#toBlock(blocks);
    else if (steps) this.#toStep(steps);
    else {
      if (WALK_KEYS.test(event.key)) this.act({ do: 'set', change: { panel: 'stage' } });
      return super.key(event);
    }
    return true;
  }

  /** @param {number} by */
  #toBlock(by) {
    const block = this.blocks[this.blocks.indexOf(this.#block(this.shown.block)) + by];
    if (block) this.act({ do: 'set', change: { ...NEW_WALK, block: block.name } });
  }

  /** @param {number} by */
  #toStep(by) {
    const { written } = this.reading;
    if (!written) return;
    const step = written.step + by;
    if (step >= 0 && step <= written.tokens.length) this.act({ do: 'set', change: { step } });
  }

  // ---- What is seen ----

  /** @param {View} view */
  head(view) {
    return html`<gf-translation
      .view=${view}
      .subject=${this.#subject}
      .reading=${this.reading}
      .blocks=${this.blocks}
      @gf-choose=${() => {
        this.work = null;
        this.choosing = true;
      }}
    ></gf-translation>`;
  }

  /** @param {View} view */
  aside(view) {
    const map = () => html`<gf-model-map .view=${view} .blocks=${this.blocks}></gf-model-map>`;
    const atlas = () =>
      html`<div class="atlas">${map()} ${this.#subject.finder?.(view, this) ?? nothing}</div>`;
    return html`${this.wanted('map', atlas)}
    ${this.wanted('switches', () => html`<gf-switches .view=${view}></gf-switches>`)}`;
  }

  /** @param {View} view */
  centre(view) {
    /* A panel shows all that was computed, whatever the time is. */
    const all = { ...view, known: (/** @type {Step} */ step) => step.data.length };
    const { reading, attention } = this;
    switch (view.state.panel) {
      case 'attention':
        return html`<gf-attention-maps
          .view=${all} .reading=${reading} .block=${attention}
        ></gf-attention-maps>`;
      case 'next':
        return html`<gf-candidates
          .view=${all} .reading=${reading} .core=${this.session.core}
        ></gf-candidates>`;
      case 'masks':
        return html`<gf-masks
          .view=${all} .reading=${reading} .blocks=${this.blocks} .core=${this.session.core}
        ></gf-masks>`;
      case 'cost':
        return html`<gf-cost
          .view=${all} .reading=${reading} .blocks=${this.blocks} .model=${this.#model}
        ></gf-cost>`;
      case 'size':
        return html`<gf-size .view=${all} .core=${this.session.core}></gf-size>`;
      case 'paths':
      case 'recurrence':
        return html`<gf-paths .view=${all} .core=${this.session.core}></gf-paths>`;
      default:
        return this.#subject.panel?.(all) ?? super.centre(view);
    }
  }

  updated() {
    super.updated();
    if (this.querySelector('gf-opener')) this.#loadOpener();
    const panel = this.state?.panel;
    this.dataset.panel = !this.opened || this.panels.includes(panel) ? panel : 'stage';
  }

  render() {
    const { work, state } = this;
    if (!state) return nothing;
    const there = this.models.has(state.model);
    if (this.choosing || (!there && state.model !== TRANSLATOR)) {
      const address = state.model.startsWith('http') ? state.model : '';
      return html`<gf-opener .work=${work} .address=${address}></gf-opener>`;
    }
    const walk = there && this.opened ? super.render() : nothing;
    return html`${work ? waiting(work, this.opened ? this.#close : null) : nothing}${walk}`;
  }

  /** What was waited for is not wanted any more: what is shown stays. */
  #close = () => {
    this.work = null;
    if (this.state !== this.taken) this.ask(this.shown);
  };
}

customElements.define('gf-chapter-transformer', Transformer);
