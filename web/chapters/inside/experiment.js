// What is computed for the chapter: the run that its state asks for, then what each head and position does alone, a few
// layers at a time. It also keeps the models: that of the stories, and one of the reader's own files.

import { text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { Ended } from '../../workers/remote/failure.js';
import { Remote } from '../../workers/remote/remote.js';
import { FEW_LAYERS } from './river.js';
import { EXAMPLES, NO_CHOICES, placeOf } from './state.js';
import { reasonOf } from './words.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('../../workers/inside/experiments.js').Result} Result */
/** @typedef {import('../../workers/inside/experiments.js').Rows} Rows */
/** @typedef {import('../../workers/inside/experiments.js').Whole} Whole */
/** @typedef {import('../../workers/inside/answers.js').Questions} Questions */
/** @typedef {import('../../workers/inside/answers.js').Answers} Answers */
/** words: to choose from; null for a reader's own model. file: that it was read from.
 * @typedef {{ key: string, name: string, words: string[] | null, config: import('../../../bindings/index.js').Config,
 *   file: Answers['take']['file'] | null }} Model */
/** @typedef {import('../../stage/elements/base.js').Base & { state: State }} Host */

/** @typedef {Pick<import('./own-model.js').Opening, 'work' | 'hear' | 'open' | 'render'>} Opening */
/** What differs where the chapter is shown. openExperiments: what computes. loadOpening: what opens a model of the reader's
 * own, or says that none can be.
 * @typedef {{ openExperiments: () => import('../../workers/remote/remote.js').Port, loadOpening: () => Promise<{
 *   Opening: new (...given: ConstructorParameters<typeof import('./own-model.js').Opening>) => Opening }> }} Means */

/** Heads that one request tries: a click waits for one request at most. */
const HEADS_PER_REQUEST = 48;

/** @param {State} state @returns {Omit<Questions['rows'], 'layers' | 'both'>} */
const textsOf = ({ model, prompt, other, word, instead, value }) => ({
  own: model !== '',
  ...{ prompt, other, word, instead, value },
});

/** @typedef {import('lit').ReactiveController} Controller */

/** @implements {Controller} */
export class Experiment {
  #host;
  #means;
  /** The model of the stories. @type {Model | null} */
  #stories = null;
  /** The reader's own model, as long as the worker has it. @type {Model | null} */
  own = null;
  /** The model of the result. @type {Model | null} */
  model = null;
  /** @type {Result | null} */
  result = null;
  /** What places do alone, as far as it is computed. @type {Rows[]} */
  #rows = [];
  /** The texts that the rows are of. */
  #rowsKey = '';
  /** Whether the reader stopped before all layers were tried. */
  isStopped = false;
  /** Why the last text has no result. */
  failure = '';
  /** The state that the result is of. @type {State | null} */
  #shown = null;
  /** What the reader is shown to wait for. @type {'' | 'run' | 'rows'} */
  busy = '';
  /** Where heads attend in the text of `#scoresKey`. @type {Answers['scores'] | null} */
  scores = null;
  #scoresKey = '';
  /** Whether a model of the reader's own is being chosen. */
  isChoosing = false;
  /** What opens it, once it is loaded. @type {Opening | null} */
  opening = null;
  /** Shows progress without a rendering. */
  bar = document.createElement('progress');
  /** The part of all layers that is being tried. @type {{ from: number, each: number } | null} */
  #part = null;
  /** What is being computed, or was. */
  #asked = '';
  #stop = new AbortController();
  /** @type {Promise<unknown>} */
  #computing = Promise.resolve();
  /** @type {Promise<unknown>} */
  #scoring = Promise.resolve();

  /** @param {Host} host @param {Means} means */
  constructor(host, means) {
    this.#host = host;
    this.#means = means;
    host.addController(this);
    /** @type {Remote<Questions, Answers>} */
    this.remote = new Remote(means.openExperiments, {
      heard: (message) => this.#hear(/** @type {any} */ (message)),
      ended: () => {
        this.own = null;
      },
    });
  }

  hostDisconnected() {
    this.#asked = '';
    this.own = null;
    this.remote.close();
  }

  /** Resolves once the result is what the state asks for. */
  get done() {
    return Promise.all([this.#computing, this.#scoring]);
  }

  /** Whether the model that the state asks for is there, or comes by itself. */
  get hasModel() {
    const { model } = this.#host.state;
    return model === '' || model === this.own?.key;
  }

  hostUpdate() {
    const { state, isConnected } = this.#host;
    if (!state || !isConnected) return;
    if (this.isChoosing || !this.hasModel) {
      this.#stop.abort();
      this.#asked = '';
      if (!this.opening) this.#computing = this.#loadOpening();
      return;
    }
    const { model, score, prompt } = state;
    if (score !== '' && prompt + model !== this.#scoresKey)
      this.#scoring = this.#score(prompt, model);
    if (model !== this.model?.key) this.result = null;
    const key = JSON.stringify([model, this.question]);
    if (key === this.#asked) return;
    this.#asked = key;
    this.#restart();
    this.busy = '';
    this.#part = null;
    this.#computing = this.#compute(key, this.#stop.signal);
  }

  /** Nobody waits for the last question any more. */
  #restart() {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** What the state asks the worker. @returns {Questions['run']} */
  get question() {
    const { state } = this.#host;
    const { off, from, open } = state;
    return { ...textsOf(state), off: off.map(placeOf), from: from.map(placeOf), open };
  }

  /** @param {Partial<Pick<Experiment, 'model' | 'result' | 'failure' | 'busy' | 'scores' | 'isStopped' | 'isChoosing'>>} values */
  #set(values) {
    Object.assign(this, values);
    this.#host.requestUpdate();
  }

  /** @param {string} key @param {AbortSignal} signal */
  async #compute(key, signal) {
    const { own: ownModel } = this;
    const { state } = this.#host;
    const isOwn = state.model !== '';
    /** @type {Result | null} */
    let result = null;
    let failure = '';
    try {
      if (!isOwn) this.#stories ??= await this.#askStories();
      result = await this.remote.ask('run', this.question, signal);
    } catch (error) {
      if (key !== this.#asked) return;
      if (error instanceof Ended || !(isOwn || this.#stories)) this.#tellLost();
      else failure = reasonOf(error);
    }
    if (key !== this.#asked) return;
    const model = isOwn ? ownModel : this.#stories;
    this.#set({ busy: '', failure });
    if (!result || !model) {
      if (model !== this.model) this.#set({ model, result });
      return;
    }
    const texts = textsOf(state);
    const rowsKey = JSON.stringify([state.model, texts]);
    if (rowsKey !== this.#rowsKey) {
      this.#rowsKey = rowsKey;
      this.#rows = [];
      this.isStopped = false;
    }
    this.#shown = state;
    this.#set({ model, result });
    await this.#tryLayers(texts, signal);
  }

  /** @returns {Promise<Model>} */
  async #askStories() {
    return { key: '', name: '', file: null, ...(await this.remote.ask('model', {})) };
  }

  /** Tries the layers that were not tried yet, the last first: it needs the least.
   * @param {Omit<Questions['rows'], 'layers' | 'both'>} texts @param {AbortSignal} signal */
  async #tryLayers(texts, signal) {
    const { layers, heads } = /** @type {Model} */ (this.model).config;
    const tried = new Set(this.#rows.flatMap((rows) => rows.layers));
    const left = Array.from({ length: layers }, (_, layer) => layer).filter((i) => !tried.has(i));
    const many = Math.max(1, Math.floor(HEADS_PER_REQUEST / heads));
    try {
      while (left.length > 0 && !this.isStopped && !signal.aborted) {
        const each = Math.min(many, left.length) / layers;
        this.#part = { from: 1 - left.length / layers, each };
        const asked = { ...texts, both: layers <= FEW_LAYERS, layers: left.slice(-many) };
        const rows = await this.remote.ask('rows', asked, signal);
        if (signal.aborted) return;
        left.splice(-many);
        this.#rows = [...this.#rows, rows];
        this.#host.requestUpdate();
      }
    } catch (error) {
      if (!signal.aborted) this.#set({ failure: reasonOf(error) });
    }
    if (!signal.aborted) this.#set({ busy: '' });
  }

  /** The result, with what is computed of places alone. @returns {Whole | null} */
  get whole() {
    const { result, model } = this;
    const rows = this.#rows;
    if (!result || !model) return null;
    const { layers, heads } = model.config;
    const unknown = (/** @type {number} */ columns) =>
      Array.from(
        { length: layers },
        () => /** @type {(number | null)[]} */ (Array(columns).fill(null)),
      );
    const [alone, contrast] = [unknown(heads), unknown(heads)];
    const words = unknown(result.tokens.length);
    for (const part of rows) {
      for (const [i, layer] of part.layers.entries()) {
        alone[layer] = part.alone[i];
        if (part.contrast) contrast[layer] = part.contrast[i];
        if (part.words) words[layer] = part.words[i];
      }
    }
    const everything = rows.map(({ check }) => check.everything);
    const check = {
      nothing: rows.every(({ check }) => check.nothing),
      everything: everything.includes(null) ? null : everything.every(Boolean),
    };
    return {
      ...result,
      ...{ alone, words: result.fits ? words : null },
      contrast: rows.some((part) => part.contrast) ? contrast : null,
      target: rows[0]?.target ?? null,
      check: rows.length > 0 ? check : null,
    };
  }

  /** The state, without what the other text cannot give: it has more tokens, or fewer. */
  get applied() {
    const { state } = this.#host;
    return this.result && !this.result.fits ? { ...state, from: [] } : state;
  }

  get isChanged() {
    const { off, from } = this.applied;
    return off.length + from.length > 0;
  }

  /** @param {string} prompt @param {string} model */
  async #score(prompt, model) {
    const key = prompt + model;
    this.#scoresKey = key;
    this.scores = null;
    try {
      const scores = await this.remote.ask('scores', { own: model !== '', prompt });
      if (key === this.#scoresKey) this.#set({ scores });
    } catch {
      /* The run tells what is wrong with the text, or the worker. */
      if (key === this.#scoresKey) this.#scoresKey = '';
    }
  }

  #tellLost() {
    this.#host.tell(text('page/notLoaded'), () => {
      this.#asked = '';
      this.#host.requestUpdate();
    });
  }

  /** @param {import('../../workers/inside/answers.js').Telling} message */
  #hear(message) {
    const work = this.opening?.work;
    if (work && !work.failure) this.opening?.hear(message);
    else if ('part' in message) {
      const { from, each } = this.#part ?? { from: 0, each: 1 };
      this.bar.value = from + each * message.part;
      const busy = this.#part ? 'rows' : 'run';
      if (busy !== this.busy) this.#set({ busy });
    }
  }

  /** Ends what the reader waits for: a run by going back to what is shown, rows where they are. */
  halt = () => {
    if (this.busy === 'run') {
      const { model, prompt, other, word, instead, off, from, value, open } = /** @type {State} */ (
        this.#shown
      );
      const shown = { model, prompt, other, word, instead, off, from, value, open };
      return change(this.#host, shown, { undoable: true });
    }
    this.#stop.abort();
    this.#set({ isStopped: true, busy: '' });
  };

  /** Tries the layers that are left. */
  goOn = () => {
    this.#stop = new AbortController();
    this.#set({ isStopped: false });
    const texts = textsOf(/** @type {State} */ (this.#shown));
    this.#computing = this.#tryLayers(texts, this.#stop.signal);
  };

  // ---- A model of the reader's own ----

  choose = () => this.#set({ isChoosing: true });

  /** The reader closed the choice of a model. */
  close() {
    this.#set({ isChoosing: false });
    if (this.opening) this.opening.work = null;
    if (!this.hasModel) this.toStories();
  }

  toStories = () => {
    const stories = { model: '', ...NO_CHOICES, ...EXAMPLES.names, score: '' };
    change(this.#host, stories, { undoable: true });
  };

  async #loadOpening() {
    const update = () => this.#host.requestUpdate();
    try {
      const { Opening } = await this.#means.loadOpening();
      this.opening = new Opening(this.remote, update);
      update();
    } catch {
      this.#host.tell(text('page/notLoaded'), update);
    }
  }

  /** @param {import('../transformer/opener.js').Wanted} wanted */
  async open(wanted) {
    this.own = null;
    const taken = await this.opening?.open(wanted);
    if (!taken) return;
    const { config, file, sample } = taken;
    const { key, name } = wanted;
    this.own = { key, name, words: null, config, file };
    this.#asked = '';
    this.#set({ isChoosing: false });
    /* The state of a link has its texts. */
    if (this.#host.state.model === key) return;
    const prompt = text('chapters/transformer/checkpoint/sample');
    const first = { model: key, ...NO_CHOICES, prompt, other: '', score: '', ...sample };
    change(this.#host, first, { undoable: true });
  }
}
