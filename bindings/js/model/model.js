// A model: its parameters, and what one does with them.

import { checkBoolean, checkText, failure, message, readOptions } from '../base/errors.js';
import { atOnce, inTurns, streamOf } from '../base/turn.js';
import { inPlaceOfOthers, mayBePutAside } from '../tape/recent.js';
import { checkConfig } from './config/config.js';
import { search } from './decode/beam.js';
import { checkGeneration, generate, generateSync, WITHOUT_HOOKS } from './decode/generate.js';
import { checkRead, checkTokens, checkVocabulary, filling, writeModel } from './file.js';
import { checkInputs, Reading } from './inputs/inputs.js';
import { prepared } from './ready.js';
import { inner } from './slices.js';
import { summary } from './summary.js';
import { rangeError, typeError } from './texts.js';
import { Parameters, Weights } from './weights.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./file.js').Read} Read */
/** @typedef {import('./decode/generate.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./ready.js').RunOptions} RunOptions */

/** Between texts and ids: openCheckpoint and openTokenizer give such, and any object with encode and decode is one.
 * @typedef {object} Tokenizer
 * @property {(text: string) => number[]} encode the ids of a text
 * @property {(ids: Iterable<number>) => string} decode the text of ids
 * @property {(ids: Iterable<number>) => string[]} [tokens] each as the vocabulary has it
 * @property {readonly number[]} [stops] the tokens that end a text */

const SEARCH = { most: 4, rules: WITHOUT_HOOKS };
export const RUN_OPTIONS = ['training', 'seed', 'step', 'remove', 'gradients', 'steps'];

/** @typedef {import('./file.js').SaveOptions} SaveOptions */

/** @type {Record<string, import('../base/errors.js').Rule>} */
const SAVE = {
  training: [checkBoolean],
  vocabulary: [checkVocabulary],
};

/** Refuses what open() would not read later. @type {import('./file.js').RefuseTokens} */
const refuseTokens = (detail, { where, ...params }) => {
  throw rangeError(detail, { where: `save: vocabulary: ${where}`, ...params });
};

/** A model's weights, for functions that are not its methods.
 * @type {(where: string, model: Model) => Weights} */
export let weightsOf;

/** What a folder of sentence-transformers says of vectors; `embed` goes by it.
 * @typedef {object} Embedding
 * @property {string} pooling 'mean', 'first' or 'last', or the names of what `embed` does not do
 * @property {number} maxLength the most tokens of a text */

export class Model {
  #weights;
  /** @type {Parameters | undefined} */
  #parameters;

  /** @param {Engine} engine @param {unknown} options
   * @param {(weights: Weights, config: Config) => void} [fill] gives the parameters their values
   * @param {(engine: Engine, config: Config) => Weights} [hold] gives them their memory */
  constructor(
    engine,
    options,
    fill = (weights, { seed }) => weights.initialize(seed),
    hold = undefined,
  ) {
    /** All options, with the defaults. */
    this.config = checkConfig(options);
    /** Between texts and ids: of the file that the model came from, or set by you.
     * @type {Tokenizer | null} */
    this.tokenizer = null;
    /** Of chats, in Jinja, if the file has one.
     * @type {string | null} */
    this.chatTemplate = null;
    /** How sentence-transformers makes vectors of texts with it, if its folder says so.
     * @type {Embedding | null} */
    this.embedding = null;
    this.#weights = hold?.(engine, this.config) ?? new Weights(engine, this.config);
    try {
      fill(this.#weights, this.config);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** A model that was read.
   * @param {Engine} engine @param {Read} read */
  static from(engine, read) {
    const { config, step, tensors } = checkRead(read);
    const model = new Model(engine, config, (weights) => {
      atOnce(filling(weights, tensors));
    });
    model.#weights.step = step;
    return model;
  }

  /** The same piece by piece, with turns for everything else.
   * @param {Engine} engine @param {Read} read
   * @param {{ signal?: AbortSignal, onProgress?: (part: number) => void }} [listener] part: 0 to 1
   * @returns {Promise<Model>} */
  static async fromInTurns(engine, read, { signal, onProgress } = {}) {
    const { config, step, tensors } = checkRead(read);
    const all = tensors.reduce((sum, { size }) => sum + size, 0);
    const model = new Model(engine, config, () => {});
    model.#weights.step = step;
    const work = filling(model.#weights, tensors);
    try {
      await inTurns(work, signal, (done) => onProgress?.(done / all));
    } catch (error) {
      model.dispose();
      throw error;
    }
    return model;
  }

  static {
    weightsOf = (where, model) => {
      if (!(#weights in Object(model))) {
        const isWithin = #weights in Object(Object(model).model);
        const hint = isWithin ? message('passModel', {}) : undefined;
        throw typeError('model', { where, given: model, hint });
      }
      return model.#weights;
    };
  }

  /** Its options with all its positions, of which open() may leave it fewer. */
  get #whole() {
    return { ...this.config, maxLength: this.#weights.config.maxLength };
  }

  /** How many numbers are learned. */
  get size() {
    return this.#weights.size;
  }

  /** What is learned, by name: { shape, data, grad }, live. The list itself is a copy.
   * @returns {Parameters} */
  get parameters() {
    this.#parameters ??= new Parameters(this.#weights.parameters);
    return this.#parameters;
  }

  /** How its products are computed: 'exact', or 'integer' if it was opened so. */
  get arithmetic() {
    return this.#weights.arithmetic;
  }

  /** Training steps taken so far. */
  get step() {
    return this.#weights.step;
  }

  /** How many tokens a text has, with those that the tokenizer puts around it.
   * @param {string} text */
  count(text) {
    this.#weights.check();
    if (!this.tokenizer) throw failure('GF_ESTATE', 'noWords', { where: 'count' });
    return this.tokenizer.encode(checkText('count', text)).length;
  }

  /** Runs the model, and gives all its steps.
   * @param {Inputs & RunOptions} inputs */
  forward(inputs) {
    checkInputs('forward', this.config, inputs, RUN_OPTIONS);
    const reading = new Reading('forward', this.config, inputs);
    return inPlaceOfOthers(this.#weights.engine.heap, () => {
      const run = prepared(this.#weights, this.config, reading, inputs);
      try {
        run.forward();
      } catch (error) {
        run.dispose();
        throw error;
      }
      mayBePutAside(inner(run.tape).block);
      return run;
    });
  }

  /** Writes token by token: `for await (const token of model.generate(source, options))`; with await, all tokens. After the
   * signal it ends. A beam search gives its tokens when it has come to its end.
   * @param {ArrayLike<number>} input a transformer's source, or a gpt's prompt
   * @param {GenerateOptions} [options]
   * @returns {import('../base/turn.js').Stream<number> & { readonly seed: number | null }} seed: of the draws, null where the
   *   likeliest tokens are taken */
  generate(input, options = {}) {
    const generation = checkGeneration('generate', this.config, input, options);
    const seed = generation.chance?.seed ?? null;
    const stream = streamOf('generate', generate(this.#weights, this.config, generation));
    return Object.assign(stream, { seed });
  }

  /** The same tokens, at once: nothing else has a turn, so `signal` is not looked at. Hooks are refused.
   * @param {ArrayLike<number>} input @param {GenerateOptions} [options] */
  generateSync(input, options = {}) {
    const generation = checkGeneration('generateSync', this.config, input, options, {
      rules: WITHOUT_HOOKS,
    });
    return generateSync(this.#weights, this.config, generation);
  }

  /** What a beam search finds: all its hypotheses, best first.
   * @param {ArrayLike<number>} input @param {GenerateOptions} [options] beams: 4 by default */
  async search(input, options = {}) {
    const generation = checkGeneration('search', this.config, input, options, SEARCH);
    const work = search(this.#weights, this.config, generation);
    return inTurns(work, generation.signal);
  }

  /** The same, at once.
   * @param {ArrayLike<number>} input @param {GenerateOptions} [options] */
  searchSync(input, options = {}) {
    const generation = checkGeneration('searchSync', this.config, input, options, SEARCH);
    return atOnce(search(this.#weights, this.config, generation));
  }

  /** All steps of a run, with the parameters and the multiply-adds of each.
   * @param {import('./summary.js').Lengths} [lengths] */
  summary(lengths) {
    this.#weights.check();
    return summary(this.#weights.engine, this.#whole, lengths);
  }

  /** The model as a safetensors file.
   * @param {SaveOptions} [options]
   * @returns {import('../formats/safetensors.js').Bytes} */
  save(options = {}) {
    if (typeof options === 'string')
      throw typeError('saveGives', { where: 'save', given: options });
    const read = readOptions('save', options, SAVE);
    if (read.vocabulary) checkTokens(refuseTokens, read.vocabulary, this.config.vocab);
    const vocabulary =
      options.vocabulary === null ? undefined : (read.vocabulary ?? this.#weights.vocabulary);
    return writeModel(this.#weights, this.#whole, this.step, { ...read, vocabulary });
  }

  /** Gives the memory back. The model and its runs are of no use afterwards. */
  dispose() {
    this.#weights.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}
