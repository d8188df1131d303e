// A checkpoint of the reader's own: read in a worker, taken over piece by piece, run on any text.
import { html } from 'lit';
import { inTurns, turn } from '../../../bindings/js/base/turn.js';
import { short, text as words } from '../../app/locale/text.js';
import { traceModel, traceModelInTurns } from '../../app/session.js';
import { counting } from '../../app/state/changes.js';
import { cellKey } from '../../stage/draw/tensor.js';
import { drawInTurns } from '../../stage/elements/turns.js';
import './find.js';

/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {import('../../app/state/walk.js').Edit} Edit */
/** @typedef {import('../../workers/reader/answers.js').Prompt} Prompt */
/** @typedef {import('../../workers/reader/session.js').Session} Session */
/** @typedef {import('../../workers/reader/answers.js').Read} Read */
/** @typedef {import('./translator.js').Reading} Reading */
/** @typedef {import('./waiting.js').Listener} Listener */
/** @typedef {Omit<Listener, 'agree'>} Progressing */

/** Longer texts take long, and their maps are hard to read. */
const MAX_TOKENS = 64;
/** Tokens of the first text, where there is no tokenizer. */
const SAMPLE_TOKENS = 3;
/** Larger models get no gradients, which would need as much memory again: their number of parameters. */
const MAX_FOR_GRADIENTS = 2e7;
/** Multiply-adds that no step of a run exceeds, since nothing else has a turn meanwhile; but some tokens are read. */
const MAX_STEP_WORK = 5e8;
const MIN_TOKENS = 8;

/** Tokens of an answer, at most. */
const MAX_ANSWER_TOKENS = 200;

export class Checkpoint {
  /** Tokens of each text that was asked for. @type {Map<string, number[]>} */
  #encoded = new Map();
  #reader;
  #start;
  /** The cell whose gradients the steps of a trace have, or will have.
   * @type {WeakMap<object, { key: string, done: boolean, stop: AbortController }>} */
  #derived = new WeakMap();
  /** What is computed ahead. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** What was computed ahead. @type {Map<string, any>} */
  #ahead = new Map();
  /** What the edits changed in a trace: how many numbers of each step.
   * @type {WeakMap<object, ReadonlyMap<import('../../app/session.js').Step, number>>} */
  #changed = new WeakMap();

  /**
   * @param {string} name
   * @param {any} model
   * @param {import('./file-reader.js').FileReader} reader
   * @param {Pick<Read, 'vocabulary'> & { start?: number | null, numbers?: number, template?: string | null }} read
   *   start: with which token a target starts; numbers: of all parameters
   */
  constructor(name, model, reader, { vocabulary, start, numbers = model.size, template = null }) {
    drawInTurns();
    this.name = name;
    this.model = model;
    this.numbers = numbers;
    /** The template of chats; null if it cannot chat. */
    this.template = template;
    /** The chat, what the model read of it last, and how many of these tokens it did not read again.
     * @type {{ session: Session | null, read: Prompt['read'], kept: number }} */
    this.talk = { session: null, read: [], kept: 0 };
    this.writes = false;
    /** @type {readonly string[] | undefined} */
    this.vocabulary = vocabulary?.map((token) => short(token));
    this.#reader = reader;
    this.#start = start ?? 0;
  }

  /** The longest text that it can read. */
  get most() {
    const { maxLength, vocab, dModel } = this.model.config;
    const often = Math.max(MIN_TOKENS, Math.floor(MAX_STEP_WORK / (vocab * dModel)));
    return Math.min(maxLength, MAX_TOKENS, often);
  }

  get slopes() {
    return this.numbers <= MAX_FOR_GRADIENTS;
  }

  /** Whether a text has been made into tokens. @param {string} text */
  knows(text) {
    return this.#encoded.has(text);
  }

  /** The tokens of a text.
   * @param {string} text
   * @param {AbortSignal} signal
   */
  async #tokensOf(text, signal) {
    const ids = this.vocabulary ? await this.#reader.ask('encode', { text }, signal) : idsOf(text);
    if (ids.length === 0) throw new RangeError(words('chapters/transformer/empty'));
    return ids;
  }

  /** Makes a text into tokens.
   * @param {string} text
   * @param {AbortSignal} signal
   */
  async #encode(text, signal) {
    if (this.knows(text)) return;
    const ids = await this.#tokensOf(text, signal);
    if (ids.length > this.most) {
      const long = { n: ids.length, most: this.most };
      throw new RangeError(words('chapters/transformer/checkpoint/long', long));
    }
    this.#encoded.set(text, ids);
  }

  /**
   * A first text: the wanted one, if the model reads it; or as much of a sentence as it reads, but one word at
   * least; without a tokenizer the first of its tokens.
   * @param {string | null} wanted
   * @param {AbortSignal} signal
   */
  async sample(wanted, signal) {
    try {
      if (wanted !== null) {
        await this.#encode(wanted, signal);
        this.read({ text: wanted });
        return wanted;
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    if (!this.vocabulary) {
      const n = Math.min(SAMPLE_TOKENS, this.most, this.#ids);
      return Array.from({ length: n }, (_, id) => id).join(' ');
    }
    const sentence = words('chapters/transformer/checkpoint/sample').split(' ');
    for (; sentence.length > 1; sentence.pop()) {
      const ids = await this.#tokensOf(sentence.join(' '), signal);
      if (ids.length <= this.most) break;
    }
    return sentence.join(' ');
  }

  /** How many ids the text may have: those of the source, where it has an embedding of its own. */
  get #ids() {
    const { sourceVocab, vocab } = this.model.config;
    return sourceVocab || vocab;
  }

  /**
   * Computes ahead what a state will ask for, giving the page its turns. Of several calls each waits for the last one, as
   * edits of parameters are made for the time of a run.
   * @param {State} state
   * @param {Progressing} listener
   * @param {(edits: Edit[]) => void} [over] makes edits of parameters, in place of those that are made
   */
  prepare(state, listener, over = () => {}) {
    const done = this.#last.then(() => this.#prepare(state, listener, over));
    this.#last = done.catch(() => {});
    return done;
  }

  /** @param {State} state @param {Progressing} listener @param {(edits: Edit[]) => void} over */
  async #prepare(state, { signal, onProgress }, over) {
    await this.#encode(state.text, signal);
    this.#forget();
    const running = words('chapters/transformer/checkpoint/running');
    const { inputs } = this.read(state);
    const runs = this.#runsOf(state);
    const traces = [];
    for (const [i, { own: ofParameters, ...run }] of runs.entries()) {
      over(ofParameters);
      const trace = await traceModelInTurns(this.model, inputs, {
        ...run,
        gradients: this.slopes,
        signal,
        onProgress: (/** @type {number} */ part) => onProgress(running, (i + part) / runs.length),
      });
      /* A nudge runs the model within one turn. */
      if (!this.slopes) trace.nudge = null;
      this.#ahead.set(keyOf({ ...state, ...run, own: ofParameters }), trace);
      traces.push(/** @type {import('../../app/session.js').Trace} */ (trace));
    }
    if (state.edits.length > 0) {
      const counts = new Map();
      await inTurns(counting(counts, traces[0], traces[traces.length - 1]));
      this.#changed.set(traces[0], counts);
    }
    /* What draws it begins with a turn of its own. */
    await turn();
    signal.throwIfAborted();
  }

  /** How many numbers of each step the edits changed, if it was counted ahead. @param {object} trace */
  changed(trace) {
    return this.#changed.get(trace);
  }

  /** What is computed for a state. What its edits change is held against a run without them.
   * @param {State} state */
  #runsOf({ remove, edits: all }) {
    const isParameter = (/** @type {Edit} */ { node }) => this.model.parameters.has(node);
    const edited = {
      own: all.filter(isParameter),
      edits: all.filter((edit) => !isParameter(edit)),
    };
    return [
      { remove, ...edited },
      ...(remove.length > 0 ? [{ remove: [], ...edited }] : []),
      ...(all.length > 0 ? [{ remove, edits: [], own: [] }] : []),
    ];
  }

  /** Whether all that a state asks for was computed ahead. @param {State} state */
  isReady(state) {
    return this.#runsOf(state).every((run) => this.#ahead.has(keyOf({ ...state, ...run })));
  }

  /** Gives back what nobody came for. */
  #forget() {
    for (const trace of this.#ahead.values()) trace.dispose();
    this.#ahead.clear();
  }

  /**
   * The trace that a state asks for.
   * @param {Reading} reading
   * @param {State} state
   * @param {{ remove: string[], edits: Edit[] }} how
   * @param {Edit[]} ofParameters the edits of parameters that are made
   */
  trace({ inputs }, state, { remove, edits }, ofParameters) {
    const key = keyOf({ ...state, remove, edits, own: ofParameters });
    const ahead = this.#ahead.get(key);
    if (ahead) {
      this.#ahead.delete(key);
      return ahead;
    }
    return traceModel(this.model, inputs, { remove, edits, gradients: this.slopes });
  }

  /**
   * @param {Record<string, any>} state
   * @returns {Reading}
   */
  read({ text }) {
    const ids = this.#encoded.get(text);
    if (!ids) throw new RangeError(words('chapters/transformer/checkpoint/unread'));
    const { kind } = this.model.config;
    const vocab = this.#ids;
    const beyond = ids.find((id) => id >= vocab);
    if (beyond !== undefined) {
      throw new RangeError(words('chapters/transformer/checkpoint/beyond', { id: beyond, vocab }));
    }
    const nameOf = (/** @type {number} */ id) => this.vocabulary?.[id] ?? String(id);
    const source = ids.map(nameOf);
    const reading = { predicted: [], written: null };
    if (kind !== 'transformer') {
      const sides = { source, target: source };
      return { ...reading, inputs: { target: [ids] }, sides, own: ids.length };
    }
    const start = this.#start;
    const inputs = { source: [ids], target: [[start]] };
    return { ...reading, inputs, sides: { source, target: [nameOf(start)] }, own: 1 };
  }

  /**
   * Whether the gradients of a cell are in the steps of a trace; if not, they are computed in turns.
   * @param {import('../../app/session.js').Trace} trace
   * @param {import('../../stage/draw/tensor.js').Cell} target
   * @param {() => void} then once they are there
   */
  derive(trace, target, then) {
    const wanted = cellKey(target);
    const before = this.#derived.get(trace);
    if (before?.key === wanted) return before.done;
    before?.stop.abort();
    const stop = new AbortController();
    const derived = { key: wanted, done: false, stop };
    this.#derived.set(trace, derived);
    trace
      .gradientInTurns?.(target.node, target.index, { signal: stop.signal })
      .then(() => {
        derived.done = true;
        then();
      })
      /* Another cell is asked for meanwhile; or another trace is shown, and this one was given back. */
      .catch(() => {});
    return false;
  }

  /** What finds a step by its name.
   * @param {import('../../app/state/view.js').View} view
   * @param {import('./element.js').Transformer} chapter */
  finder({ trace }, chapter) {
    return html`<gf-find .steps=${trace.steps} .chapter=${chapter}></gf-find>`;
  }

  /** The panels that the translator has not. */
  get panels() {
    return [...(this.template === null ? [] : ['chat']), ...(this.vocabulary ? ['tokenizer'] : [])];
  }

  /** One of them, if it is open. @param {import('../../app/state/view.js').View} view */
  panel({ state }) {
    if (!this.panels.includes(state.panel)) return null;
    if (state.panel === 'chat') {
      import('./chat.js');
      return html`<gf-chat .subject=${this}></gf-chat>`;
    }
    import('./cuts.js');
    return html`<gf-cuts .subject=${this}></gf-cuts>`;
  }

  /**
   * How a text is cut into tokens, step by step.
   * @param {string} text
   * @param {AbortSignal} signal
   */
  cut(text, signal) {
    return this.#reader.ask('cut', { text }, signal);
  }

  /** The chat with it. The model is here; its tokenizer and template stay in the reader's worker, as either may run without
   * end. */
  async chat() {
    const { Session, writeTokens } = await import('../../workers/reader/session.js');
    const reader = this.#reader;
    /* A text of tokens is as quick as it is short: who cancels an answer does not end the worker for it. */
    const { signal: patient } = new AbortController();
    /** @type {number[]} */
    let stopTokens = [];
    /** @type {import('../../../bindings/models/text/session.js').Words} */
    const words = {
      fit: async (chat, { signal = patient }) => {
        const { read, stops, ...fit } = await reader.ask('prompt', chat, signal);
        stopTokens = stops;
        Object.assign(this.talk, { read, kept: 0 });
        return fit;
      },
      write: (ids, options, keeping) => {
        const tokens = writeTokens('ask', this.model, ids, { ...options, stopTokens }, keeping);
        const { result } = tokens;
        const add = async (/** @type {number | null} */ token) => {
          const part = await reader.ask('write', { token }, patient);
          result.text += part;
          return part;
        };
        async function* parts() {
          for await (const { token } of tokens) yield await add(token);
          yield await add(null);
        }
        return Object.assign(parts(), { result });
      },
    };
    this.talk.session ??= new Session(this.model, { maxNewTokens: MAX_ANSWER_TOKENS }, words);
    return this.talk.session;
  }

  /** Forgets the chat. */
  endChat() {
    this.talk.session?.dispose();
    this.talk = { session: null, read: [], kept: 0 };
  }

  dispose() {
    this.endChat();
    this.#reader.close(new Error('closed'));
    this.#forget();
    this.model.dispose();
  }
}

/** @param {State} state */
const keyOf = (state) => JSON.stringify([state.text, state.remove, state.edits, state.own]);

/** Without a tokenizer a text is a list of ids. @param {string} text */
function idsOf(text) {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.every((part) => /^\d{1,9}$/.test(part))) return parts.map(Number);
  throw new RangeError(words('chapters/transformer/checkpoint/noTokenizer'));
}
