// A model with adapters: whose linear layers get them, and how they are merged.

import {
  checkArray,
  checkBoolean,
  checkFinite,
  checkInteger,
  checkText,
  near,
  readOptions,
} from '../../js/base/errors.js';
import { UINT32 } from '../../js/base/values.js';
import { products } from '../../js/eager/products.js';
import { writeModel } from '../../js/model/file.js';
import { Model, weightsOf } from '../../js/model/model.js';
import { build } from '../../js/model/weights.js';
import { Tape } from '../../js/tape/tape.js';
import { matricesOf } from './graft.js';
import { failure, rangeError } from './texts.js';
import { LoraWeights } from './weights.js';

/** @typedef {import('../../js/model/weights.js').Weights} Weights */
/** @typedef {import('./graft.js').Adapter} Adapter */
/** @typedef {import('./graft.js').Matrix} Matrix */

/** What an adapter is.
 * @typedef {object} LoraOptions
 * @property {number} [rank] columns of A and rows of B, 8 by default
 * @property {number} [alpha] the update is alpha / rank times x A B; as large as rank by default
 * @property {readonly string[]} [targets] the linear layers that get one, by their names or the last parts of them: `q_proj`,
 *   `decoder.layers.0.linear1`, ...; by default those of queries and values
 * @property {number} [seed] of A, 0 by default */

/** All of them, with the defaults.
 * @typedef {Readonly<Required<LoraOptions>>} LoraConfig */

const RANK = 8;
const MAX_RANK = 2 ** 16;
const SUFFIX = '.weight';

/** @param {string} where @param {unknown} targets */
function checkTargets(where, targets) {
  checkArray(where, targets);
  for (const [i, target] of targets.entries()) checkText(`${where}[${i}]`, target);
}

/** @type {Record<keyof LoraOptions, import('../../js/base/errors.js').Rule>} */
const OPTIONS = {
  rank: [checkInteger, 1, MAX_RANK],
  alpha: [checkFinite],
  targets: [checkTargets],
  seed: [checkInteger, 0, UINT32],
};

/** @param {Matrix} matrix */
const nameOf = ({ name }) => name.slice(0, -SUFFIX.length);
/** @param {string} name */
const lastOf = (name) => name.slice(name.lastIndexOf('.') + 1);

/** The matrices that targets name.
 * @param {string} where @param {readonly Matrix[]} matrices @param {readonly string[] | undefined} targets
 * @returns {Matrix[]} */
function targeted(where, matrices, targets) {
  const all = [...new Set(matrices.map((matrix) => lastOf(nameOf(matrix))))];
  const names = all.join(', ');
  if (targets === undefined) {
    const defaults = matrices.filter(({ role }) => role === 'query' || role === 'value');
    if (defaults.length) return defaults;
    throw rangeError('noAttentions', { where, names });
  }
  if (!targets.length) throw rangeError('noProjections', { where, names });
  /** @param {Matrix} matrix @param {string} target */
  const isNamed = (matrix, target) =>
    nameOf(matrix) === target || nameOf(matrix).endsWith(`.${target}`);
  for (const value of targets) {
    if (matrices.some((matrix) => isNamed(matrix, value))) continue;
    throw rangeError('noProjection', { where, value, names, hint: near(value, all) });
  }
  return matrices.filter((matrix) => targets.some((target) => isNamed(matrix, target)));
}

/** The linear layers of a model.
 * @param {Weights} weights
 * @returns {Matrix[]} */
function layersOf({ engine, config }) {
  const tape = new Tape(engine);
  try {
    build(engine, tape, {}, config);
    return matricesOf(tape);
  } finally {
    tape.dispose();
  }
}

/** A model with adapters. Its `parameters` are theirs alone, and training changes no others; all else is as of any model. */
export class LoraModel extends Model {
  #below;
  #base;
  #adapters;

  /** @param {string} where @param {Model} model @param {LoraOptions} options */
  constructor(where, model, options) {
    const below = weightsOf(where, model);
    below.check();
    if (below.adapts) throw failure('GF_ESTATE', 'adaptedAlready', { where });
    const { rank = RANK, targets, seed = 0, alpha = rank } = readOptions(where, options, OPTIONS);
    const matrices = targeted(`${where}: targets`, layersOf(below), targets);
    const names = targets ?? [...new Set(matrices.map((matrix) => lastOf(nameOf(matrix))))];
    const adapters = matrices.map((matrix) => {
      const name = nameOf(matrix);
      const [rows, columns] = matrix.shape;
      /** @type {Adapter} */
      const adapter = {
        weight: matrix.name,
        a: `${name}.lora_A.weight`,
        b: `${name}.lora_B.weight`,
        shape: [rows, columns],
      };
      return adapter;
    });
    super(
      below.engine,
      below.config,
      (weights) => weights.initialize(seed),
      () => new LoraWeights(below, adapters, rank, alpha / rank),
    );
    this.#below = below;
    this.#base = model;
    this.#adapters = adapters;
    /** The config of the base model, with the settings of its family. */
    this.config = model.config;
    this.tokenizer = model.tokenizer;
    this.chatTemplate = model.chatTemplate;
    /** What the adapters are.
     * @type {LoraConfig} */
    this.lora = Object.freeze({ rank, alpha, targets: Object.freeze([...names]), seed });
  }

  /** Steps, parameters and multiply-adds of the model below. @override
   * @param {import('../../js/model/summary.js').Lengths} [lengths] */
  summary(lengths) {
    return this.#base.summary(lengths);
  }

  /** The adapters alone as a safetensors file, which openLora reads. @override
   * @param {{ training?: boolean }} [options] with all that it takes to go on training */
  save(options = {}) {
    const { training = false } = readOptions('save', options, { training: [checkBoolean] });
    return writeModel(weightsOf('save', this), this.lora, this.step, training);
  }

  /** Adds the adapters to the matrices of the model below, W + (alpha / rank) A B, and gives their memory back: that model
   * then computes what this one did, in as many steps as before, and can be saved and exported. */
  merge() {
    const below = this.#below;
    const { engine } = below;
    below.check();
    if (below.training?.deref()) throw failure('GF_ESTATE', 'trainedBelow', { where: 'merge' });
    if (below.stored) throw failure('GF_ESTATE', 'mergedIntoStored', { where: 'merge' });
    const { matmul } = products(engine);
    const { parameters } = weightsOf('merge', this);
    const { rank, alpha } = this.lora;
    for (const { weight, a, b, shape } of this.#adapters) {
      /* Copies: the memory may grow. */
      const [A, B] = [a, b].map((name) => parameters.get(name).data.slice());
      const update = matmul(
        { data: A, shape: [shape[0], rank] },
        { data: B, shape: [rank, shape[1]] },
      );
      const { data } = below.parameters.get(weight);
      for (let i = 0; i < data.length; i++) data[i] += (alpha / rank) * update.data[i];
    }
    below.trained += 1;
    this.dispose();
  }
}
