// The client of a worker: its models have as methods what are functions here.

import { Client } from '../../js/base/call-client.js';
import { checkListener, checkOptions } from '../../js/base/errors.js';
import { checkSignal, streamOf } from '../../js/base/turn.js';
import { isFiles, pathOf } from '../open/files.js';
import { generation, partsOf } from './generation.js';
import { WorkerSession, WorkerTokenizer } from './session.js';
import { failure, typeError } from './texts.js';

/** @typedef {import('../checkpoints/open.js').OpenOptions} OpenOptions */
/** @typedef {import('../formats/source.js').FileLike} FileLike */
/** @typedef {import('../open/place.js').ModelSource} ModelSource */
/** @typedef {import('../../lab/inside/index.js').AblateOptions} AblateOptions */
/** @typedef {import('../../lab/inside/index.js').Ablation} Ablation */
/** @typedef {import('../../lab/inside/index.js').AttributionOptions} AttributionOptions */
/** @typedef {import('../../lab/inside/index.js').AttributionPatchOptions} AttributionPatchOptions */
/** @typedef {import('../../lab/inside/index.js').AttributionPatching} AttributionPatching */
/** @typedef {import('../../lab/inside/index.js').Circuits} Circuits */
/** @typedef {import('../../lab/inside/index.js').CircuitsOptions} CircuitsOptions */
/** @typedef {import('../../lab/inside/index.js').ContextOptions} ContextOptions */
/** @typedef {import('../../lab/inside/index.js').Contexts} Contexts */
/** @typedef {import('../../lab/inside/index.js').HeadRoles} HeadRoles */
/** @typedef {import('../../lab/inside/index.js').HeadRolesOptions} HeadRolesOptions */
/** @typedef {import('../../lab/inside/index.js').HeadScoreOptions} HeadScoreOptions */
/** @typedef {import('../../lab/inside/index.js').HeadScores} HeadScores */
/** @typedef {import('../../lab/inside/index.js').LabelShareOptions} LabelShareOptions */
/** @typedef {import('../../lab/inside/index.js').LabelShares} LabelShares */
/** @typedef {import('../../lab/inside/index.js').LensOptions} LensOptions */
/** @typedef {import('../../lab/inside/index.js').LinkedText} LinkedText */
/** @typedef {import('../../lab/inside/index.js').Listener} Listener */
/** @typedef {import('../../lab/inside/index.js').LogitAttribution} LogitAttribution */
/** @typedef {import('../../lab/inside/index.js').LogitLens} LogitLens */
/** @typedef {import('../../lab/inside/index.js').NeighbourOptions} NeighbourOptions */
/** @typedef {import('../../lab/inside/index.js').Neighbours} Neighbours */
/** @typedef {import('../../lab/inside/index.js').PatchOptions} PatchOptions */
/** @typedef {import('../../lab/inside/index.js').Patching} Patching */
/** @typedef {import('../../lab/inside/index.js').PathOptions} PathOptions */
/** @typedef {import('../../lab/inside/index.js').Paths} Paths */
/** @typedef {import('../../lab/inside/index.js').Probe} Probe */
/** @typedef {import('../../lab/inside/index.js').ProbeExample} ProbeExample */
/** @typedef {import('../../lab/inside/index.js').ProbeOptions} ProbeOptions */
/** @typedef {import('../../lab/inside/index.js').Rollout} Rollout */
/** @typedef {import('../../lab/inside/index.js').RolloutOptions} RolloutOptions */
/** @typedef {import('../../lab/inside/index.js').Symmetry} Symmetry */
/** @typedef {import('../../lab/inside/index.js').Why} Why */
/** @typedef {import('../../lab/inside/index.js').WhyOptions} WhyOptions */
/** @typedef {import('../../js/model/config/config.js').Config} Config */
/** @typedef {import('../../js/model/config/config.js').ModelOptions} ModelOptions */
/** @typedef {import('../../js/model/inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('../../js/model/train.js').Step} TrainStep */
/** @typedef {import('../../js/model/train.js').TrainBatch} TrainBatch */
/** @typedef {import('../../js/model/train.js').TrainOptions} TrainOptions */
/** @typedef {import('../formats/chat.js').Message} Message */
/** @typedef {import('../text/session.js').SessionOptions} SessionOptions */
/** @typedef {import('../text/index.js').ChosenToken} ChosenToken */
/** @typedef {import('../text/index.js').Classified} Classified */
/** @typedef {import('../text/index.js').Classifier} Classifier */
/** @typedef {import('../text/index.js').ClassifiedToken} ClassifiedToken */
/** @typedef {import('../text/index.js').ClassifierOptions} ClassifierOptions */
/** @typedef {import('../text/index.js').ClassifyOptions} ClassifyOptions */
/** @typedef {import('../text/index.js').EmbedOptions} EmbedOptions */
/** @typedef {import('../text/index.js').Filling} Filling */
/** @typedef {import('../text/index.js').FillOptions} FillOptions */
/** @typedef {import('../text/index.js').Generated} Generated */
/** @typedef {import('../text/index.js').LabelledText} LabelledText */
/** @typedef {import('./generation.js').WorkerTextOptions} WorkerTextOptions */
/** @typedef {import('./generation.js').WorkerTokenOptions} WorkerTokenOptions */
/**
 * @template T
 * @typedef {import('../text/index.js').GenerationStream<T>} GenerationStream */
/** @typedef {string | ArrayLike<number>} Text a text, or its ids */

/** A worker, as this end uses it.
 * @typedef {object} ClientPort
 * @property {(message: object) => void} post
 * @property {(hear: (message: import('../../js/base/call-client.js').Posted) => void, failed: (reason: string) => void) => void} listen
 * @property {(isWaiting: boolean) => void} hold whether the program stays for an answer
 * @property {() => void} terminate */

/** How a model is opened in a worker.
 * @typedef {object} WorkerOpenOptions
 * @property {unknown} [config] of safetensors: config.json, parsed, unless it lies beside the file
 * @property {FileLike} [tokenizer] of llama2.c: tokenizer.bin
 * @property {{ tokenizer: unknown, config?: unknown, generation?: unknown }} [tokenizerFiles] tokenizer.json, parsed, with
 *   tokenizer_config.json and generation_config.json, unless they lie beside the file
 * @property {boolean} [stored] whether matrices stay as the file stores them
 * @property {import('../../js/stored/matrix.js').Arithmetic} [arithmetic] of products with them: see openModel
 * @property {number} [maxLength] the most tokens that it reads at once: see open
 * @property {AbortSignal} [signal] ends the reading
 * @property {(part: number) => void} [onProgress] part: 0 to 1 */

/** @typedef {object} Facts
 * @property {Readonly<Config>} config
 * @property {number} size how many numbers are learned
 * @property {import('../../js/stored/matrix.js').Arithmetic} arithmetic
 * @property {string | null} family
 * @property {string | null} chatTemplate
 * @property {readonly number[] | null} stops the tokens that end a text; null without a tokenizer
 * @property {readonly string[] | null} labels
 * @property {boolean} multiLabel */

/** @typedef {{ number: number, facts: Facts }} Made */

/** @typedef {import('./generation.js').Besides} Besides */

/** An event before the answer; without any of these fields the worker asks for a batch.
 * @typedef {{ progress?: unknown, part?: unknown, tokens?: ChosenToken[] }} Event */

/** Refuses options that are functions, or hold some as `hooks` do.
 * @param {string} where @param {object} options */
function checkSendable(where, options) {
  for (const [name, value] of Object.entries(options)) {
    const held = {}.toString.call(value) === '[object Object]' ? Object.values(Object(value)) : [];
    if ([value, ...held].some((one) => typeof one === 'function'))
      throw typeError('functionStays', { where: `${where}: ${name}`, given: value });
  }
}

/** Questions to one worker. */
class Channel {
  #port;
  #client;
  #isOver = false;

  /** @param {ClientPort} port */
  constructor(port) {
    this.#port = port;
    this.#client = new Client((message) => this.#post(message));
    port.listen(
      (message) => this.#client.hear(message),
      (reason) => this.#end(failure('GF_ESTATE', 'workerFailed', { where: 'worker', reason })),
    );
    port.hold(false);
  }

  /** @param {string} call @param {number} model @param {readonly unknown[]} args @param {object} [options]
   * @param {Besides} [besides]
   * @returns {Promise<unknown>} */
  async ask(call, model, args, options = {}, { onPart, batches, stop } = {}) {
    const { signal, onProgress, ...rest } =
      /** @type {{ signal?: AbortSignal, onProgress?: (progress: unknown) => void }} */ (options);
    checkSignal(`${call}: signal`, signal);
    checkListener(`${call}: onProgress`, onProgress);
    checkSendable(call, rest);
    if (this.#isOver) throw failure('GF_EDISPOSED', 'workerEnded', { where: call });
    const signals = [signal, stop].filter((one) => one !== undefined);
    const hears = { onProgress: onProgress !== undefined };
    const answer = this.#client.call(
      call,
      { model, args: [...args, rest], hears },
      {
        signals,
        async onEvent(event, reply) {
          const { progress, part, tokens } = /** @type {Event} */ (event);
          if (progress !== undefined) onProgress?.(progress);
          else if (part !== undefined) onPart?.(part, tokens, () => reply(true));
          else reply(await batches?.next());
        },
      },
    );
    this.#port.hold(true);
    try {
      return await answer;
    } catch (error) {
      /* It crossed as the error of another thread. */
      signal?.throwIfAborted();
      throw error;
    } finally {
      if (!this.#isOver) this.#port.hold(this.#client.size > 0);
    }
  }

  /** @param {{ call?: string }} message a call, or the next batch of a training */
  #post(message) {
    try {
      this.#port.post(message);
    } catch (error) {
      /* Of structured cloning: a function, or what else no thread can give to another. */
      const { call: where = 'train: batch' } = message;
      throw typeError('notSent', { where, reason: /** @type {Error} */ (error).message });
    }
  }

  /** @param {Error} why */
  #end(why) {
    this.#isOver = true;
    this.#client.end(why);
  }

  dispose() {
    if (this.#isOver) return;
    this.#end(failure('GF_EDISPOSED', 'workerEnded', { where: 'worker' }));
    this.#port.terminate();
  }
}

/** A model in a worker. Its methods are the functions of glassformer/text and glassformer/inside, and train, without the
 * model and its tokenizer; all options but functions cross, `onProgress` and `signal` too. */
export class WorkerModel {
  #channel;
  #number;

  /** @param {Channel} channel @param {Made} made */
  constructor(channel, { number, facts }) {
    this.#channel = channel;
    this.#number = number;
    /** All options, with the defaults. */
    this.config = facts.config;
    /** How many numbers are learned. */
    this.size = facts.size;
    /** How its products are computed: 'exact' or 'integer'. */
    this.arithmetic = facts.arithmetic;
    /** Hugging Face's model_type; null of a model of ours. */
    this.family = facts.family;
    /** In Jinja, if the file has one. */
    this.chatTemplate = facts.chatTemplate;
    /** Between texts and ids; null if the file has none. */
    this.tokenizer =
      facts.stops && new WorkerTokenizer((...args) => this.#ask(...args), facts.stops);
    /** Of the classes that the file's own head finds; null if it finds none. */
    this.labels = facts.labels;
    /** Whether these do not exclude each other. */
    this.multiLabel = facts.multiLabel;
  }

  /** @param {string} call @param {readonly unknown[]} args @param {{ signal?: AbortSignal, training?: boolean }} [options]
   * @param {Besides} [besides] of a call that the signal ends: others it rejects, even if their answer is under way
   * @returns {Promise<any>} what that method gives */
  async #ask(call, args, options, besides) {
    const answer = await this.#channel.ask(call, this.#number, args, options, besides);
    if (!besides) options?.signal?.throwIfAborted();
    return answer;
  }

  /** @param {string} call @param {readonly unknown[]} args @param {{ signal?: AbortSignal }} [options]
   * @returns {GenerationStream<any>} */
  #stream(call, args, options) {
    return generation(call, (besides) => this.#ask(call, args, options, besides));
  }

  /** @param {ArrayLike<number>} prompt @param {WorkerTokenOptions} [options]
   * @returns {GenerationStream<ChosenToken>} */
  generateTokens(prompt, options) {
    return this.#stream('generateTokens', [prompt], options);
  }

  /** @param {Text} prompt @param {WorkerTextOptions} [options]
   * @returns {GenerationStream<string>} */
  generateText(prompt, options) {
    return this.#stream('generateText', [prompt], options);
  }

  /** Begins a chat, by the template of the file.
   * @param {Omit<SessionOptions, 'tokenizer'>} [options]
   * @returns {Promise<WorkerSession>} */
  async session(options) {
    const state = await this.#ask('session', [], options);
    return new WorkerSession((...args) => this.#ask(...args), state);
  }

  /** How many tokens a text has, with those that the tokenizer puts around it.
   * @param {string} text
   * @returns {Promise<number>} */
  async count(text) {
    return (await this.#ask('encode', [text])).length;
  }

  /** @deprecated goes in 2.0; `session` does this, and keeps the messages
   * @param {readonly Message[]} messages @param {WorkerTextOptions} [options]
   * @returns {GenerationStream<string>} */
  chat(messages, options) {
    return this.#stream('chat', [messages], options);
  }

  /** @param {readonly Text[]} prompts @param {WorkerTextOptions} [options]
   * @returns {Promise<Generated[]>} */
  generateTexts(prompts, options) {
    return this.#ask('generateTexts', [prompts], options, {});
  }

  /** @param {readonly Text[]} texts @param {EmbedOptions} [options]
   * @returns {Promise<Float32Array[]>} */
  embed(texts, options) {
    return this.#ask('embed', [texts], options);
  }

  /** @param {readonly Text[]} texts @param {Classifier | readonly string[]} classifier or `labels`
   * @param {ClassifyOptions} [options]
   * @returns {Promise<Classified[]>} */
  classify(texts, classifier, options) {
    return this.#ask('classify', [texts, classifier], options);
  }

  /** @param {readonly Text[]} texts @param {readonly string[]} labels those of the model
   * @param {ClassifyOptions} [options]
   * @returns {Promise<ClassifiedToken[][]>} */
  classifyTokens(texts, labels, options) {
    return this.#ask('classifyTokens', [texts, labels], options);
  }

  /** @param {readonly LabelledText[]} examples @param {Omit<EmbedOptions, 'onProgress'> & ClassifierOptions} [options]
   * @returns {Promise<Classifier>} */
  trainClassifier(examples, options) {
    return this.#ask('trainClassifier', [examples], options);
  }

  /** @param {Text} text @param {FillOptions} [options]
   * @returns {Promise<Filling[][]>} */
  fillMask(text, options) {
    return this.#ask('fillMask', [text], options);
  }

  /** @param {Inputs} inputs of one sequence @param {AblateOptions & Listener} options
   * @returns {Promise<Ablation>} */
  ablate(inputs, options) {
    return this.#ask('ablate', [inputs], options);
  }

  /** @param {Inputs} inputs of one sequence @param {AttributionPatchOptions & Listener} options
   * @returns {Promise<AttributionPatching>} */
  attributionPatch(inputs, options) {
    return this.#ask('attributionPatch', [inputs], options);
  }

  /** @param {CircuitsOptions & Listener} options
   * @returns {Promise<Circuits>} */
  circuits(options) {
    return this.#ask('circuits', [], options);
  }

  /** @param {readonly LinkedText[]} texts @param {HeadRolesOptions & Listener} [options]
   * @returns {Promise<HeadRoles>} */
  headRoles(texts, options) {
    return this.#ask('headRoles', [texts], options);
  }

  /** @param {Inputs} first of one sequence @param {Inputs} second likewise
   * @param {ContextOptions & Listener} [options]
   * @returns {Promise<Contexts>} */
  contexts(first, second, options) {
    return this.#ask('contexts', [first, second], options);
  }

  /** @param {Inputs} inputs of one sequence @param {HeadScoreOptions & Listener} [options]
   * @returns {Promise<HeadScores>} */
  headScores(inputs, options) {
    return this.#ask('headScores', [inputs], options);
  }

  /** @param {readonly ProbeExample[]} examples @param {LabelShareOptions & Listener} options
   * @returns {Promise<LabelShares>} */
  labelShares(examples, options) {
    return this.#ask('labelShares', [examples], options);
  }

  /** @param {Inputs} inputs of one sequence @param {AttributionOptions & Listener} [options]
   * @returns {Promise<LogitAttribution>} */
  logitAttribution(inputs, options) {
    return this.#ask('logitAttribution', [inputs], options);
  }

  /** @param {Inputs} inputs of one sequence @param {LensOptions & Listener} [options]
   * @returns {Promise<LogitLens>} */
  logitLens(inputs, options) {
    return this.#ask('logitLens', [inputs], options);
  }

  /** @param {NeighbourOptions & Listener} options
   * @returns {Promise<Neighbours>} */
  neighbours(options) {
    return this.#ask('neighbours', [], options);
  }

  /** @param {Inputs} inputs of one sequence @param {PatchOptions & Listener} options
   * @returns {Promise<Patching>} */
  patch(inputs, options) {
    return this.#ask('patch', [inputs], options);
  }

  /** @param {Inputs} inputs of one sequence @param {PathOptions & Listener} options
   * @returns {Promise<Paths>} */
  paths(inputs, options) {
    return this.#ask('paths', [inputs], options);
  }

  /** @param {readonly ProbeExample[]} examples @param {ProbeOptions & Listener} options
   * @returns {Promise<Probe>} */
  probe(examples, options) {
    return this.#ask('probe', [examples], options);
  }

  /** @param {Inputs} inputs of one sequence @param {RolloutOptions & Listener} [options]
   * @returns {Promise<Rollout>} */
  rollout(inputs, options) {
    return this.#ask('rollout', [inputs], options);
  }

  /** @param {Inputs} inputs of one sequence @param {Listener} [options]
   * @returns {Promise<Symmetry>} */
  symmetry(inputs, options) {
    return this.#ask('symmetry', [inputs], options);
  }

  /** @param {Inputs} inputs of one sequence @param {WhyOptions & Listener} options
   * @returns {Promise<Why>} */
  why(inputs, options) {
    return this.#ask('why', [inputs], options);
  }

  /** Trains the model there on batches from here. A second training of one model at the same time is refused.
   * @param {Iterable<TrainBatch> | AsyncIterable<TrainBatch>} batches @param {TrainOptions} [options]
   * @returns {import('../../js/base/turn.js').Stream<TrainStep>} */
  train(batches, options) {
    /** @type {any} */
    const iterable = batches;
    const iterator = iterable?.[Symbol.asyncIterator]?.() ?? iterable?.[Symbol.iterator]?.();
    if (!iterator) throw typeError('object', { where: 'train: batches', given: batches });
    const steps = partsOf((besides) =>
      this.#ask('train', [null], options, { ...besides, batches: iterator }),
    );
    return streamOf('train', steps);
  }

  /** The model as a safetensors file.
   * @param {{ training?: boolean }} [options] with all that it takes to go on training
   * @returns {Promise<Uint8Array>} */
  save(options) {
    return this.#ask('save', [], options);
  }

  /** Gives the memory there back. @returns {Promise<void>} */
  dispose() {
    return this.#ask('dispose', []);
  }
}

/** @param {unknown} worker */
export function checkWorker(worker) {
  if (typeof Object(worker).postMessage === 'function') return;
  throw typeError('worker', { where: 'startWorker', given: worker });
}

const OPEN_OPTIONS = [
  'config',
  'tokenizer',
  'tokenizerFiles',
  'stored',
  'arithmetic',
  'maxLength',
  'signal',
  'onProgress',
];

/** A worker with a core of its own. */
export class ModelWorker {
  #channel;

  /** @param {ClientPort} port */
  constructor(port) {
    this.#channel = new Channel(port);
  }

  /** @param {string} call @param {readonly unknown[]} args @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<WorkerModel>} */
  async #made(call, args, options) {
    const made = await this.#channel.ask(call, 0, args, options);
    const model = new WorkerModel(this.#channel, /** @type {Made} */ (made));
    if (!options?.signal?.aborted) return model;
    await model.dispose();
    throw options.signal.reason;
  }

  /** Waits until the core is compiled there. @returns {Promise<void>} */
  async ready() {
    await this.#channel.ask('ready', 0, []);
  }

  /** Opens a model there, with all that lies beside it, as open() does here.
   * @param {ModelSource} file its file, its files, or its folder @param {WorkerOpenOptions} [options]
   * @returns {Promise<WorkerModel>} */
  open(file, options = {}) {
    checkOptions('open', options, OPEN_OPTIONS);
    const tokenizer = options.tokenizer && { tokenizer: crossing(options.tokenizer) };
    return this.#made('open', [crossing(file)], { ...options, ...tokenizer });
  }

  /** A model with new parameters.
   * @param {ModelOptions} options
   * @returns {Promise<WorkerModel>} */
  create(options) {
    return this.#made('create', [options]);
  }

  /** A model that was saved by ours.
   * @param {ArrayBuffer | Uint8Array} bytes
   * @returns {Promise<WorkerModel>} */
  read(bytes) {
    return this.#made('read', [bytes]);
  }

  /** Ends the worker, and all that goes on in it. */
  dispose() {
    this.#channel.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

/** Addresses are objects, which do not cross; nor do the folders of a file, and in Node its name.
 * @param {ModelSource} file
 * @returns {unknown} */
const crossing = (file) => {
  if (file instanceof URL) return { href: file.href };
  if (file instanceof Blob) return { blob: file, path: pathOf(file) };
  return isFiles(file) ? Array.from(file, crossing) : file;
};
