// What the layers of some families have besides the fields of a ModelConfig: the core of glassformer/models computes it.

import { checkBoolean, checkInteger } from '../base/errors.js';
import { parametersOf } from '../model/config/parameters.js';
import { Engine } from '../runtime/engine.js';

/** @typedef {import('../model/config/parameters.js').ModelConfig} PlainConfig */
/** @typedef {import('../model/config/parameters.js').Parameter} Parameter */

/**
 * @typedef {object} Variant
 * @property {number} headSize channels of a head; dModel need not be heads times as many
 * @property {boolean} qkvBias queries, keys and values have a bias, whatever `bias` says
 * @property {boolean} qkNorm the queries and keys of each head are normalised by their root mean square
 * @property {number} rotarySize channels of each head that are rotated; an even number
 * @property {boolean} parallel attention and feed-forward read the same vectors, each with its own norm */

/** A field, checked, and its number in the core's struct.
 * @typedef {{ check: (where: string, value: unknown) => void, word: (value: unknown) => number }} Field */

/** @type {Field} */
const flag = { check: checkBoolean, word: Number };
/** @type {Field} */
const size = { check: (where, value) => checkInteger(where, value, 1, 2 ** 24), word: Number };

/** In the order of gf_variant. */
export const VARIANT = Object.freeze({
  headSize: size,
  qkvBias: flag,
  qkNorm: flag,
  rotarySize: size,
  parallel: flag,
});

const KEYS = /** @type {(keyof Variant)[]} */ (Object.keys(VARIANT));
/** Of the scratch block, behind the integers of a model and a batch. */
const PLACE = 4 * 48;

/** The fields of a variant that a config has; null if it has none.
 * @param {Partial<Variant>} config
 * @returns {Partial<Variant> | null} */
export function variantOf(config) {
  const own = KEYS.filter((key) => config[key]);
  return own.length ? Object.fromEntries(own.map((key) => [key, config[key]])) : null;
}

/** The rest of a config.
 * @param {PlainConfig & Partial<Variant>} config
 * @returns {PlainConfig} */
export function plainOf(config) {
  const plain = { ...config };
  for (const key of KEYS) delete plain[key];
  return plain;
}

/** The parameters in the order in which the core makes them.
 * @param {PlainConfig & Partial<Variant>} config
 * @returns {Generator<Parameter, void, undefined>} */
export function* parametersWith(config) {
  const { dModel, heads, kvHeads, headSize = dModel / heads, qkvBias, qkNorm } = config;
  const widths = { q: heads * headSize, k: kvHeads * headSize, v: kvHeads * headSize };
  for (const [name, shape] of parametersOf(config)) {
    const [, path, x, end] = /^(.*\.self_attn\.)(q|k|v|out)_proj\.(weight|bias)$/.exec(name) ?? [];
    if (!x) {
      yield [name, shape];
    } else if (x === 'out') {
      yield [name, end === 'weight' ? [heads * headSize, dModel] : shape];
    } else if (end === 'weight') {
      const width = widths[/** @type {'q' | 'k' | 'v'} */ (x)];
      yield [name, [dModel, width]];
      if (config.bias || qkvBias) yield [`${path}${x}_proj.bias`, [width]];
      if (qkNorm && x !== 'v') yield [`${path}${x}_norm.weight`, [headSize]];
    }
  }
}

/** The same core, whose models are of a variant: it shares the memory with the engine that it is made of. */
class VariantEngine extends Engine {
  /** @param {Engine} engine @param {Partial<Variant>} variant */
  constructor(engine, variant) {
    super(/** @type {any} */ (engine.core));
    this.heap = engine.heap;
    const { core, memory } = engine;
    const words = KEYS.map((key) => VARIANT[key].word(variant[key] ?? 0));
    this.core = {
      ...core,
      /** @param {number} tape @param {number} model @param {number} batch */
      gf_build: (tape, model, batch) => {
        new Int32Array(memory.buffer, model + PLACE).set(words);
        return core.gf_build_variant(tape, model, model + PLACE, batch);
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
