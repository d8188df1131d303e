// The names and shapes of a model's parameters, from its config alone: a file is held against them before
// anything is built.

import { sizeOf } from '../../base/values.js';
import { architectureOf } from './architecture.js';

/** @typedef {import('./architecture.js').Stack} Stack */
/** @typedef {Omit<import('./config.js').Config, 'seed' | 'remove'>} ModelConfig */
/** @typedef {[name: string, shape: number[]]} Parameter */

/** The parameters in the order in which the core makes them, one layer at a time: a caller that stops early
 * does not pay for the rest.
 * @param {ModelConfig} config
 * @returns {Generator<Parameter, void, undefined>} */
export function* parametersOf(config) {
  const { vocab, dModel, heads, kvHeads, dFF, bias } = config;
  const kvWidth = (dModel / heads) * kvHeads;

  /** @param {string} name @param {number} rows @returns {Parameter[]} */
  const table = (name, rows) => (rows ? [[`${name}.weight`, [rows, dModel]]] : []);
  /** @param {string} name @param {number} rows @param {number} columns @param {boolean} [biased]
   * @returns {Parameter[]} */
  const linear = (name, rows, columns, biased = bias) => [
    [`${name}.weight`, [rows, columns]],
    .../** @type {Parameter[]} */ (biased ? [[`${name}.bias`, [columns]]] : []),
  ];
  /** @param {string} name @returns {Parameter[]} */
  const norm = (name) => [
    [`${name}.weight`, [dModel]],
    .../** @type {Parameter[]} */ (
      bias && config.norm === 'layer' ? [[`${name}.bias`, [dModel]]] : []
    ),
  ];
  /** @param {string} name */
  const attention = (name) => [
    ...linear(`${name}.q_proj`, dModel, dModel),
    ...linear(`${name}.k_proj`, dModel, kvWidth),
    ...linear(`${name}.v_proj`, dModel, kvWidth),
    ...linear(`${name}.out_proj`, dModel, dModel),
  ];
  /** @param {string} name */
  const feedForward = (name) => [
    ...(config.activation === 'swiglu' ? linear(`${name}.gate`, dModel, dFF) : []),
    ...linear(`${name}.linear1`, dModel, dFF),
    ...linear(`${name}.linear2`, dFF, dModel),
  ];
  /** @param {string} layer @param {Stack} stack */
  const sublayers = (layer, stack) =>
    stack.sublayers.flatMap((name, i) => {
      const body = name === 'feed_forward' ? feedForward(layer) : attention(`${layer}.${name}`);
      const around = norm(`${layer}.norm${i + 1}`);
      return config.preNorm ? [...around, ...body] : [...body, ...around];
    });

  const { stacks, logits } = architectureOf(config);
  yield* table('embedding', vocab);
  for (const stack of stacks) {
    const { name } = stack;
    if (stack.sequence === 'source') yield* table('source_embedding', vocab && config.sourceVocab);
    yield* table('token_type_embedding', config.tokenTypes);
    const places = config.positions === 'learned' ? config.maxLength : 0;
    yield* table(`${name}.position_embedding`, places);
    if (config.embeddingNorm) yield* norm(`${name}.embedding_norm`);
    for (let i = 0; i < config[stack.depth]; i++) yield* sublayers(`${name}.layers.${i}`, stack);
    if (config.finalNorm) yield* norm(`${name}.norm`);
  }
  if (config.pooler) yield* linear('pooler.dense', dModel, dModel, true);
  if (!logits) return;
  if (config.prediction) {
    yield* linear('prediction.dense', dModel, dModel, true);
    yield* norm('prediction.norm');
  }
  const last = linear('logits', dModel, vocab, config.outputBias);
  yield* config.tied ? last.slice(1) : last;
}

/** @typedef {{ tensors: number, numbers: number }} Extent */

/** @param {Iterable<Parameter>} parameters
 * @returns {Extent} */
function tally(parameters) {
  let [tensors, numbers] = [0, 0];
  for (const [, shape] of parameters) {
    tensors += 1;
    numbers += sizeOf(shape);
  }
  return { tensors, numbers };
}

/** How many parameters there are, and how many numbers in all of them, however many layers repeat them: at
 * most two layers of a stack are looked at, the second being like all behind it.
 * @param {ModelConfig} config
 * @returns {Extent} */
export function extentOf(config) {
  /** @type {(keyof ModelConfig & ('layers' | 'decoderLayers'))[]} */
  const depths = ['layers', 'decoderLayers'];
  const few = { ...config };
  for (const depth of depths) few[depth] = Math.min(config[depth], 2);
  const extent = tally(parametersOf(few));
  const all = { ...extent };
  for (const depth of depths) {
    const more = config[depth] - few[depth];
    if (!more) continue;
    const less = tally(parametersOf({ ...few, [depth]: 1 }));
    all.tensors += more * (extent.tensors - less.tensors);
    all.numbers += more * (extent.numbers - less.numbers);
  }
  return all;
}
