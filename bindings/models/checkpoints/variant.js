// What the layers of some families have besides the fields of a ModelConfig: the core of glassformer/models computes it.

import { checkBoolean, checkInteger, checkReal, TINY } from '../../js/base/errors.js';
import { parametersOf } from '../../js/model/config/parameters.js';
import { Engine } from '../../js/runtime/engine.js';

/** The fields of a model that files of others tell. @typedef {PlainConfig & Partial<Variant>} ModelConfig */
/** @typedef {import('../../js/model/config/parameters.js').ModelConfig} PlainConfig */
/** @typedef {import('../../js/model/config/parameters.js').Parameter} Parameter */

/**
 * @typedef {object} Variant
 * @property {number} headSize channels of a head; dModel need not be heads times as many
 * @property {boolean} qkvBias queries, keys and values have a bias, whatever `bias` says
 * @property {boolean} qkNorm the queries and keys of each head are normalised by their root mean square
 * @property {number} rotarySize channels of each head that are rotated; an even number
 * @property {boolean} parallel attention and feed-forward read the same vectors, each with its own norm
 * @property {boolean} qkvUnbiased queries, keys and values have no bias, whatever `bias` says
 * @property {boolean} unscaled scores are not divided by √d_k
 * @property {number} window in some layers tokens see only so many, themselves included
 * @property {number} windowFirst the first of these layers, from 0
 * @property {number} windowStep from one of these layers to the next
 * @property {number} rotarySpan positions, in which pairs of channels are slow or fast
 * @property {number} rotaryStretch slow pairs are rotated so many times slower
 * @property {number} rotarySlow pairs with at most so many rotations in the span are slow
 * @property {number} rotaryFast pairs with at least so many are rotated as ever
 * @property {number} embeddingSize width of the embeddings; a linear layer makes dModel of it
 * @property {boolean} sharedLayers all layers have the parameters of the first
 * @property {boolean} poolerRelu the pooler has ReLU in place of tanh
 * @property {number} classes of the pooled token, or of each token where there is no pooler: the node `classes`
 * @property {boolean} classesUnbiased they have no bias; so those of a decoder are of texts, by their last token */

/** A field, checked, and its number in the core's struct.
 * @typedef {{ check: (where: string, value: unknown) => void, word: (value: unknown) => number }} Field */

/** @type {Field} */
const flag = { check: checkBoolean, word: Number };
/** @param {number} low @returns {Field} */
const real = (low) => ({
  check: (where, value) => checkReal(where, value, low, 1e6),
  word: (value) => new Int32Array(Float32Array.of(Number(value)).buffer)[0],
});
/** @param {number} low @param {number} [high] @returns {Field} */
const integer = (low, high = 2 ** 24) => ({
  check: (where, value) => checkInteger(where, value, low, high),
  word: Number,
});
const size = integer(1);
/** Layers that the core builds. */
export const MAX_LAYERS = 1024;

/** In the order of gf_variant. */
export const VARIANT = Object.freeze({
  headSize: size,
  qkvBias: flag,
  qkNorm: flag,
  rotarySize: size,
  parallel: flag,
  qkvUnbiased: flag,
  unscaled: flag,
  window: size,
  windowFirst: integer(0, MAX_LAYERS),
  windowStep: integer(1, MAX_LAYERS),
  rotarySpan: integer(0),
  rotaryStretch: real(TINY),
  rotarySlow: real(0),
  rotaryFast: real(TINY),
  embeddingSize: size,
  sharedLayers: flag,
  poolerRelu: flag,
  classes: size,
  classesUnbiased: flag,
});

/** What nodes of these ops have besides, by the op's name.
 * @type {Record<string, import('../../js/runtime/ops.js').Attribute[]>} */
const ATTRIBUTES = Object.fromEntries(
  Object.entries({
    mask: ['window'],
    attention: ['window'],
    rotation: ['stretch', 'slow', 'fast', 'span'],
  }).map(([op, names]) => [
    op,
    names.map((name) => ({ name, kind: 'real', low: 0, high: 2 ** 31, words: [] })),
  ]),
);

const KEYS = /** @type {(keyof Variant)[]} */ (Object.keys(VARIANT));
/** Of the scratch block, behind the integers of a model and a batch. */
const VARIANT_OFFSET = 4 * 48;

/** The fields of a variant that a config has; null if it has none.
 * @param {Partial<Variant>} config
 * @returns {Partial<Variant> | null} */
export function variantOf(config) {
  const keys = KEYS.filter((key) => config[key]);
  return keys.length ? Object.fromEntries(keys.map((key) => [key, config[key]])) : null;
}

/** The rest of a config.
 * @param {PlainConfig & Partial<Variant>} config
 * @returns {PlainConfig} */
export function plainOf(config) {
  const plain = { ...config };
  for (const key of KEYS) delete plain[key];
  return plain;
}

/** Parameters as wide as the embeddings. */
const EMBEDDING_WIDTH =
  /^(embedding|token_type_embedding|.*\.position_embedding|.*\.embedding_norm)\./;

/** Those of an attention, with what a variant has besides.
 * @param {PlainConfig & Partial<Variant>} config @param {string} path @param {'q' | 'k' | 'v' | 'out'} x
 * @param {string} end @param {number[]} shape
 * @returns {Parameter[]} */
function attentionWith(config, path, x, end, shape) {
  const { dModel, heads, kvHeads, headSize = dModel / heads, qkvBias, qkNorm } = config;
  if (x === 'out') {
    return [[`${path}out_proj.${end}`, end === 'weight' ? [heads * headSize, dModel] : shape]];
  }
  if (end !== 'weight') return [];
  const width = (x === 'q' ? heads : kvHeads) * headSize;
  const isBiased = qkvBias || (config.bias && !config.qkvUnbiased);
  /** @type {Parameter[]} */
  const parameters = [[`${path}${x}_proj.weight`, [dModel, width]]];
  if (isBiased) parameters.push([`${path}${x}_proj.bias`, [width]]);
  if (qkNorm && x !== 'v') parameters.push([`${path}${x}_norm.weight`, [headSize]]);
  return parameters;
}

/** What a parameter of the plain config becomes where embeddings have a width of their own.
 * @param {PlainConfig & Partial<Variant>} config @param {Parameter} parameter
 * @returns {Parameter[]} */
function narrowed({ dModel, embeddingSize: width }, [name, shape]) {
  if (!width) return [[name, shape]];
  if (EMBEDDING_WIDTH.test(name)) {
    const [stack] = name.split('.embedding_norm.bias');
    /** @type {Parameter[]} */
    const parameters = [[name, [...shape.slice(0, -1), width]]];
    if (stack === name) return parameters;
    const projection = `${stack}.embedding_projection`;
    return [
      ...parameters,
      [`${projection}.weight`, [width, dModel]],
      [`${projection}.bias`, [dModel]],
    ];
  }
  if (name === 'prediction.dense.weight') return [[name, [dModel, width]]];
  if (name.startsWith('prediction.')) return [[name, [width]]];
  return [[name, name === 'logits.weight' ? [width, ...shape.slice(1)] : shape]];
}

/** The parameters in the order in which the core makes them.
 * @param {PlainConfig & Partial<Variant>} config
 * @returns {Generator<Parameter, void, undefined>} */
export function* parametersWith(config) {
  const { dModel, classes, classesUnbiased, sharedLayers } = config;
  for (const parameter of parametersOf(config)) {
    const [name, shape] = parameter;
    if (sharedLayers && /\.layers\.[1-9]/.test(name)) continue;
    const [, path, x, end] = /^(.*\.self_attn\.)(q|k|v|out)_proj\.(weight|bias)$/.exec(name) ?? [];
    if (x)
      yield* attentionWith(config, path, /** @type {'q' | 'k' | 'v' | 'out'} */ (x), end, shape);
    else yield* narrowed(config, parameter);
  }
  if (!classes) return;
  yield ['classes.weight', [dModel, classes]];
  if (!classesUnbiased) yield ['classes.bias', [classes]];
}

/** The same core, whose models are of a variant: it shares the memory with the engine that it is made of. */
class VariantEngine extends Engine {
  /** @param {Engine} engine @param {Partial<Variant>} variant */
  constructor(engine, variant) {
    super(/** @type {any} */ (engine.core));
    this.heap = engine.heap;
    /** Nodes have more attributes than their builders take. */
    this.ops = new Map(
      [...this.ops].map(([name, op]) => [
        name,
        { ...op, attributes: [...op.attributes, ...(ATTRIBUTES[name] ?? [])] },
      ]),
    );
    const { core, memory } = engine;
    const words = KEYS.map((key) => VARIANT[key].word(variant[key] ?? 0));
    this.core = {
      ...core,
      /** @param {number} tape @param {number} model @param {number} batch */
      gf_build: (tape, model, batch) => {
        new Int32Array(memory.buffer, model + VARIANT_OFFSET).set(words);
        return core.gf_build_variant(tape, model, model + VARIANT_OFFSET, batch);
      },
    };
  }
}

/** The engine that builds models of a config.
 * @param {Engine} engine @param {Partial<Variant>} config */
export function engineFor(engine, config) {
  const variant = variantOf(config);
  return variant ? new VariantEngine(engine, variant) : engine;
}
