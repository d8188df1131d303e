// A checkpoint of the reader's own: read in a worker, taken over piece by piece, run on any text.
import { html } from 'lit';
import { inTurns, turn } from '../../../bindings/base/turn.js';
import { cellKey } from '../../draw/tensor.js';
import { drawInTurns } from '../../elements/turns.js';
import { short, text as words } from '../../locale/text.js';
import { isStored } from '../../reader/files.js';
import { openReader } from '../../reader/open.js';
import { Ended } from '../../remote/failure.js';
import { Remote } from '../../remote/remote.js';
import { traceModel, traceModelInTurns } from '../../session.js';
import { counting } from '../../state/changes.js';
import './find.js';
import { lackOf } from './missing-file.js';
import { firstAttention } from './state.js';

/** @typedef {import('../../state/walk.js').State} State */
/** @typedef {import('../../state/walk.js').Edit} Edit */
/** @typedef {import('../../reader/answers.js').Message} Message */
/** @typedef {import('../../reader/answers.js').Files} Files */
/** @typedef {import('../../reader/answers.js').Read} Read */
/** @typedef {import('./translator.js').Reading} Reading */
/**
 * @typedef {object} Listener
 * @property {AbortSignal} signal
 * @property {(told: string, part: number | null) => void} onProgress
 * @property {(offer: { lines: string[], warnings: string[] }) => Promise<void>} agree resolves once the reader wants the
 *   model that is told of
 */
/** @typedef {Omit<Listener, 'agree'>} Progressing */

/** Longer texts take long, and their maps are hard to read. */
const LONGEST = 64;
/** Tokens of the first text, where there is no tokenizer. */
const SAMPLE = 3;
/** Layers of a stack. The page draws each of them, and a model is built in one turn; published ones have fewer. */
const MOST_LAYERS = 128;
/** Parameters of larger models get no slopes: they would need as much memory again. */
const SLOPES = 2e7;
/** Multiply-adds that no step of a run exceeds, since nothing else has a turn meanwhile; but some tokens are read. */
const STEP = 5e8;
const FEW = 8;

/** Tokens of an answer, at most. */
const ANSWER = 200;

/** What a text takes is milliseconds; a pattern of a tokenizer can run without end. */
const PATIENCE = 10_000;

/** What to tell of a failure. @param {unknown} error */
function told(error) {
  if (error instanceof Ended)
    return error.message ? error : new Error(words('chapters/transformer/checkpoint/noWorker'));
  const lack = lackOf(error);
  return lack === null ? error : new Error(lack);
}

/** What reads files. Whoever does not want to wait ends it; the next question starts it anew. */
class Reader {
  #remote;
  /** What is to be known of the files that were read. @type {import('../../reader/answers.js').Words | null} */
  #words = null;
  /** The files that were opened and not read. @type {Files | null} */
  #files = null;

  /** @param {(progress: import('../../reader/answers.js').Progress) => void} onProgress */
  constructor(onProgress) {
    /** @type {Remote<import('../../reader/answers.js').Questions, import('../../reader/answers.js').Answers>} */
    this.#remote = new Remote(openReader, { heard: ({ progress }) => onProgress(progress) });
  }

  /**
   * @template T
   * @param {AbortSignal} signal ends the worker
   * @param {() => Promise<T>} work
   * @returns {Promise<T>} throws the signal's reason once it came
   */
  async #until(signal, work) {
    signal.throwIfAborted();
    const stop = () => this.close(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work();
    } catch (error) {
      throw told(error);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * @param {Files} files
   * @param {AbortSignal} signal
   * @returns {Promise<Read>}
   */
  read(files, signal) {
    return this.#until(signal, async () => {
      const read = await this.#remote.ask('read', { files });
      this.#words = read.words;
      return read;
    });
  }

  /**
   * Reads headers alone.
   * @param {Files} files
   * @param {AbortSignal} signal
   */
  open(files, signal) {
    return this.#until(signal, () => {
      this.#files = files;
      return this.#remote.ask('open', { files });
    });
  }

  /**
   * Some of the weights of the files that were opened.
   * @param {import('../../reader/answers.js').Piece} piece
   * @param {AbortSignal} signal
   */
  bytes(piece, signal) {
    return this.#until(signal, () => this.#remote.ask('bytes', piece));
  }

  /**
   * What takes milliseconds, unless a pattern or a template runs without end.
   * @template {keyof import('../../reader/answers.js').Questions} K
   * @param {K} what
   * @param {import('../../reader/answers.js').Questions[K]} question
   * @param {AbortSignal} signal
   */
  ask(what, question, signal) {
    return this.#until(signal, async () => {
      const key = 'chapters/transformer/checkpoint/endless';
      const late = () => this.close(new Error(words(key, { seconds: PATIENCE / 1000 })));
      const patience = setTimeout(late, PATIENCE);
      try {
        if (!this.#remote.running) await this.#again();
        return await this.#remote.ask(what, question);
      } finally {
        clearTimeout(patience);
      }
    });
  }

  /** Tells one that was started anew what the last one knew. @returns {Promise<unknown>} */
  #again() {
    return this.#files
      ? this.#remote.ask('open', { files: this.#files })
      : this.#remote.ask('words', { words: this.#words });
  }

  /** @param {Error} reason told to whoever waits */
  close(reason) {
    this.#remote.close(reason);
  }
}

/** What the page needs of a model is told before the model is there.
 * @param {Record<string, any>} config */
function checkShown(config) {
  if (!config.vocab) throw new RangeError(words('chapters/transformer/checkpoint/noVocabulary'));
  if (!firstAttention(config)) {
    throw new RangeError(words('chapters/transformer/checkpoint/noLayers'));
  }
  const n = Math.max(config.layers ?? 0, config.decoderLayers ?? 0);
  if (n <= MOST_LAYERS) return;
  throw new RangeError(
    words('chapters/transformer/checkpoint/manyLayers', { n, most: MOST_LAYERS }),
  );
}

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
   * @type {WeakMap<object, ReadonlyMap<import('../../session.js').Step, number>>} */
  #changed = new WeakMap();

  /**
   * @param {string} name
   * @param {any} model
   * @param {Reader} reader
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
    /** What was said, and what the model read of it last.
     * @type {{ messages: Message[], read: import('../../reader/answers.js').Prompt['read'] }} */
    this.talk = { messages: [], read: [] };
    this.writes = false;
    /** @type {readonly string[] | undefined} */
    this.vocabulary = vocabulary?.map((token) => short(token));
    this.#reader = reader;
    this.#start = start ?? 0;
  }

  /**
   * @param {any} core
   * @param {string} name
   * @param {Files} files
   * @param {Listener} listener
   * @returns {Promise<Checkpoint>} throws the signal's reason once it came
   */
  static async open(core, name, files, { signal, onProgress, agree }) {
    const taken = words('chapters/transformer/checkpoint/taking');
    const taking = {
      signal,
      onProgress: (/** @type {number} */ part) => onProgress(taken, part),
    };
    const reader = new Reader(({ file, loaded, total }) =>
      onProgress(
        words('chapters/transformer/checkpoint/reading', { file }),
        total && loaded / total,
      ),
    );
    try {
      if (isStored(files)) {
        const opened = await reader.open(files, signal);
        checkShown(opened.offer.config);
        const [{ modelOf }, { factsOf }] = await Promise.all([
          import('../../reader/stored.js'),
          import('./model-facts.js'),
        ]);
        await agree(factsOf(opened.offer));
        const model = await modelOf(opened, (piece) => reader.bytes(piece, signal), taking);
        signal.throwIfAborted();
        const { vocabulary, offer, template, start } = opened;
        const { numbers } = offer;
        return new Checkpoint(name, model, reader, { vocabulary, numbers, template, start });
      }
      const read = await reader.read(files, signal);
      checkShown(read.config);
      const model = await core.openInTurns(
        { config: read.config, parameters: new Map(read.parameters), step: read.step },
        taking,
      );
      signal.throwIfAborted();
      return new Checkpoint(name, model, reader, read);
    } catch (error) {
      reader.close(/** @type {Error} */ (error));
      throw error;
    }
  }

  /** The longest text that it can read. */
  get most() {
    const { maxLength, vocab, dModel } = this.model.config;
    const often = Math.max(FEW, Math.floor(STEP / (vocab * dModel)));
    return Math.min(maxLength, LONGEST, often);
  }

  get slopes() {
    return this.numbers <= SLOPES;
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
      const n = Math.min(SAMPLE, this.most, this.#ids);
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
    const told = words('chapters/transformer/checkpoint/running');
    const { inputs } = this.read(state);
    const runs = this.#runsOf(state);
    const traces = [];
    for (const [i, { own, ...run }] of runs.entries()) {
      over(own);
      const trace = await traceModelInTurns(this.model, inputs, {
        ...run,
        gradients: this.slopes,
        signal,
        onProgress: (/** @type {number} */ part) => onProgress(told, (i + part) / runs.length),
      });
      signal.throwIfAborted();
      /* A nudge runs the model within one turn. */
      if (trace && !this.slopes) trace.nudge = null;
      this.#ahead.set(keyOf({ ...state, ...run, own }), trace);
      traces.push(/** @type {import('../../session.js').Trace} */ (trace));
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
    const isOwn = (/** @type {Edit} */ { node }) => this.model.parameters.has(node);
    const [own, edits] = [all.filter(isOwn), all.filter((edit) => !isOwn(edit))];
    return [
      { remove, edits, own },
      ...(remove.length > 0 ? [{ remove: [], edits, own }] : []),
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
   * @param {Edit[]} own the edits of parameters that are made
   */
  trace({ inputs }, state, { remove, edits }, own) {
    const key = keyOf({ ...state, remove, edits, own });
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
    const names = ids.map((id) => this.vocabulary?.[id] ?? String(id));
    if (kind !== 'transformer') {
      const sides = { source: names, target: names };
      return { inputs: { target: [ids] }, sides, predicted: [], own: ids.length, written: null };
    }
    const start = this.#start;
    const sides = { source: names, target: [this.vocabulary?.[start] ?? String(start)] };
    return {
      inputs: { source: [ids], target: [[start]] },
      sides,
      predicted: [],
      own: 1,
      written: null,
    };
  }

  /**
   * Whether the gradients of a cell are in the steps of a trace; if not, they are computed in turns.
   * @param {import('../../session.js').Trace} trace
   * @param {import('../../draw/tensor.js').Cell} target
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
      .then((whole) => {
        derived.done = whole === true;
        if (derived.done) then();
      })
      /* Another trace is shown meanwhile, and this one was given back. */
      .catch(() => {});
    return false;
  }

  /** What finds a step by its name.
   * @param {import('../../state/view.js').View} view
   * @param {import('./element.js').Transformer} chapter */
  finder({ trace }, chapter) {
    return html`<gf-find .steps=${trace.steps} .chapter=${chapter}></gf-find>`;
  }

  /** The panels that the translator has not. */
  get panels() {
    return [...(this.template === null ? [] : ['chat']), ...(this.vocabulary ? ['tokenizer'] : [])];
  }

  /** One of them, if it is open. @param {import('../../state/view.js').View} view */
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

  /**
   * Answers a chat: first what the model reads, then the text as it comes.
   * @param {Message[]} messages
   * @param {{ signal: AbortSignal, temperature: number }} how
   */
  async *answer(messages, { signal, temperature }) {
    const { generateTokens } = await import('../../reader/generate.js');
    const { ids, read, stops } = await this.#reader.ask('prompt', { messages }, signal);
    yield { read };
    const options = { maxNewTokens: ANSWER, stopTokens: stops, signal, temperature };
    for await (const { token } of generateTokens(this.model, ids, options)) {
      yield { part: await this.#reader.ask('write', { token }, signal) };
    }
    if (!signal.aborted) yield { part: await this.#reader.ask('write', { token: null }, signal) };
  }

  dispose() {
    this.#reader.close(new Error('closed'));
    this.#forget();
    this.model.dispose();
  }
}

/** @param {State} state */
const keyOf = ({ text, remove, edits, own }) => JSON.stringify([text, remove, edits, own]);

/** Without a tokenizer a text is a list of ids. @param {string} text */
function idsOf(text) {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.every((part) => /^\d{1,9}$/.test(part))) return parts.map(Number);
  throw new RangeError(words('chapters/transformer/checkpoint/noTokenizer'));
}
