import { html, nothing } from 'lit';
import { download } from '../../download.js';
import { blocksOf, blockWith } from '../../draw/blocks.js';
import { Lesson } from '../../elements/lesson.js';
import { text } from '../../locale/text.js';
import { readoutsOf } from '../../readouts.js';
import { tasks, translatorFile } from '../../session.js';
import './attention.js';
import { candidatesAt } from './candidates.js';
import './cost.js';
import './map.js';
import './masks.js';
import './paths.js';
import { END, opening, PANELS, TRANSLATOR } from './state.js';
import './transformer.css';
import './translation.js';
import { Translator } from './translator.js';

/** @typedef {import('../../walk.js').State} State */
/** @typedef {import('../../view.js').View} View */
/** @typedef {import('../../session.js').Opened} Opened */
/** @typedef {import('../../session.js').Step} Step */
/** @typedef {import('../../draw/tensor.js').Cell} Cell */
/** @typedef {import('../../draw/blocks.js').Block} Block */
/** @typedef {import('../../elements/base.js').Action} Action */
/** @typedef {import('./translator.js').Reading} Reading */

/** What a walk cannot keep where other tensors come. */
const ANEW = { t: END, path: [], open: null };

export class Transformer extends Lesson {
  static properties = { ...Lesson.properties, work: { state: true } };

  constructor() {
    super();
    /** @type {Map<string, Translator>} the models that are there, by state.model */
    this.models = new Map();
    /** @type {{ part: number | null, failure: string, stop: AbortController } | null} what is waited for */
    this.work = null;
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {Reading} what the model was run on */
    this.reading = /** @type {any} */ (null);
    /** @type {(() => void)[]} how to put back the parameters that were edited */
    this.restore = [];
  }

  get opening() {
    return opening;
  }

  get computed() {
    const written = ['way', 'temperature', 'topK', 'seed', 'beams', 'step', 'beside'];
    return ['model', 'text', ...written, 'remove', 'edits'];
  }

  get scoped() {
    return ['open', 'block'];
  }

  get panels() {
    return PANELS;
  }

  get words() {
    return 'chapters/transformer';
  }

  // ---- The model ----

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.state) return;
    if (!this.models.has(this.state.model)) {
      if (!this.work) this.#fetch();
      return;
    }
    super.willUpdate(changed);
  }

  /** The translator, from where the page comes from. */
  async #fetch() {
    const stop = new AbortController();
    this.work = { part: null, failure: '', stop };
    const told = (/** @type {number | null} */ part, failure = '') => {
      if (this.work?.stop === stop) this.work = { part, failure, stop };
    };
    try {
      const [bytes, { tasks: all, START, END: end, UNKNOWN }] = await Promise.all([
        download(translatorFile, {
          signal: stop.signal,
          onProgress: (loaded, total) => told(total && loaded / total),
        }),
        tasks(),
      ]);
      const task = all['french-english'];
      const model = this.session.core.model(bytes);
      this.models.set(TRANSLATOR, new Translator(model, task, { START, END: end, UNKNOWN }));
      this.work = null;
      this.requestUpdate('state');
    } catch (error) {
      const cancelled = stop.signal.aborted;
      told(
        null,
        cancelled ? text(`${this.words}/cancelled`) : /** @type {Error} */ (error).message,
      );
    }
  }

  // ---- What is computed ----

  /**
   * @param {State} state
   * @returns {Opened}
   */
  open(state) {
    const subject = /** @type {Translator} */ (this.models.get(state.model));
    const { model } = subject;
    const cells = this.#overwrite(model, state.edits);
    try {
      const reading = subject.read(state);
      const run = (/** @type {string[]} */ remove) =>
        model.trace(reading.inputs, { remove, edits: cells });
      const trace = run(state.remove);
      const blocks = blocksOf(trace.steps);
      if (!blocks.some(({ name }) => name === state.block)) {
        trace.dispose();
        throw new RangeError(text(`${this.words}/noBlock`, { block: state.block }));
      }
      const intact = state.remove.length > 0 ? run([]) : null;
      this.blocks = blocks;
      this.reading = reading;
      const { sides } = reading;
      const { vocabulary } = subject;
      const example = { title: subject.name, name: '', source: '', about: '', tokens: [] };
      return { example: { ...example, sides, vocabulary }, trace, intact };
    } catch (error) {
      this.#overwrite(model, this.shown?.edits ?? []);
      throw error;
    }
  }

  /**
   * Writes the edits of parameters into the model, in place of those before; gives back the others,
   * which a trace takes.
   * @param {any} model
   * @param {import('../../walk.js').Edit[]} edits
   */
  #overwrite(model, edits) {
    while (this.restore.length > 0) this.restore.pop()?.();
    return edits.filter(({ node, index, value }) => {
      if (!model.parameters.has(node)) return true;
      const parameter = model.parameters.get(node);
      const at = index.reduce((sum, i, axis) => sum * parameter.shape[axis] + i, 0);
      const before = parameter.data[at];
      parameter.data[at] = value;
      this.restore.push(() => {
        parameter.data[at] = before;
      });
      return false;
    });
  }

  /** @param {State} state */
  stages({ block }) {
    const open = /** @type {Block} */ (this.blocks.find(({ name }) => name === block));
    this.opened.example = {
      ...this.opened.example,
      about: text(`${this.words}/about/${open.kind}`),
    };
    return open.steps;
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
    const shifts = ['text', 'way', 'temperature', 'topK', 'seed', 'beams', 'step', 'beside'];
    const shifted = shifts.some((key) => key in change);
    if (shifted || 'remove' in change) {
      const { parameters } = this.#model;
      const kept = (change.edits ?? this.shown.edits).filter(({ node }) => parameters.has(node));
      const edits = { edits: kept, path: [], open: null };
      if (!shifted) return edits;
      return { ...ANEW, ...edits, ...('step' in change ? {} : { step: null }) };
    }
    const cell = change.open ?? change.path?.at(-1);
    if (!cell || (action.do === 'pick' && action.stage && !change.open)) return {};
    const home = blockWith(this.blocks, cell.node);
    return home && home.name !== this.shown.block ? { block: home.name } : {};
  }

  get #model() {
    return /** @type {Translator} */ (this.models.get(this.shown.model)).model;
  }

  /** The attention of the open block, or that which the words are written by. */
  get attention() {
    const attentions = this.blocks.filter(({ kind }) => kind.endsWith('_attn'));
    const open = attentions.find(({ name }) => name === this.shown.block);
    return open ?? attentions.findLast(({ kind }) => kind === 'cross_attn') ?? attentions.at(-1);
  }

  /** @param {string} panel */
  toPanel(panel) {
    return panel === 'stage' ? { panel } : { ...ANEW, panel };
  }

  /** What a panel is about: a number of the place where we are. @param {State} state */
  about({ panel, block }) {
    const row = this.reading.own - 1;
    const steps = this.attention?.steps ?? [];
    const words = panel === 'stage' && /^(logits|probabilities)$/.test(block);
    const largest = (/** @type {Step | undefined} */ step) => {
      if (!step) return null;
      const index = step.shape.length === 3 ? [0, Math.min(row, step.shape[1] - 1)] : [row];
      return candidatesAt(step, index, 1)[0];
    };
    if (panel === 'attention') return largest(steps.find(({ name }) => name.endsWith('.weights')));
    if (panel === 'next') return largest(this.opened.trace.steps.at(-1));
    return words ? largest(this.line.stages.at(-1)) : null;
  }

  /** The slopes are those of the score of the word that is written here, unless a cell is picked.
   * @returns {Cell | null} */
  get target() {
    const { written, own } = this.reading;
    if (!written || this.shown.path.length > 0) return super.target;
    return { node: 'logits', index: [own - 1, written.tokens[own - 1] ?? written.end ?? 0] };
  }

  /** @param {Cell} target */
  read(target) {
    const { attention } = this;
    const last = (/** @type {string} */ suffix) =>
      attention?.steps.find(({ name }) => name.endsWith(suffix))?.name ?? '';
    return readoutsOf(this.opened, target, {
      weights: last('.weights'),
      scores: last('.scores'),
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
    else return super.key(event);
    return true;
  }

  /** @param {number} by */
  #toBlock(by) {
    const at = this.blocks.findIndex(({ name }) => name === this.shown.block) + by;
    const block = this.blocks[at];
    if (block) this.act({ do: 'set', change: { ...ANEW, block: block.name } });
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
      .subject=${this.models.get(this.shown.model)}
      .reading=${this.reading}
    ></gf-translation>`;
  }

  /** @param {View} view */
  aside(view) {
    return html`<gf-model-map .view=${view} .blocks=${this.blocks}></gf-model-map>
      <gf-switches .view=${view}></gf-switches>`;
  }

  /** @param {View} view */
  centre(view) {
    /* A panel tells of all that was computed, whatever the time is. */
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
      case 'paths':
        return html`<gf-paths .view=${all}></gf-paths>`;
      default:
        return super.centre(view);
    }
  }

  updated() {
    super.updated();
    this.dataset.panel = this.state?.panel;
  }

  render() {
    if (!this.work) return super.render();
    const { part, failure, stop } = this.work;
    return html`<div class="waiting" role="status">
      ${
        failure
          ? html`<p>${text(`${this.words}/failed`, { message: failure })}</p>
              <button class="main" @click=${() => this.#fetch()}>${text(`${this.words}/again`)}</button>`
          : html`<p>${text(`${this.words}/loading`)}</p>
              <progress max="1" value=${part ?? nothing}></progress>
              <button @click=${() => stop.abort()}>${text(`${this.words}/cancel`)}</button>`
      }
    </div>`;
  }
}

customElements.define('gf-transformer', Transformer);
