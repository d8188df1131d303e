// A model of a file. Its family may have what the configs of other models cannot say.

import { Model } from '../../js/model/model.js';
import { summary } from '../../js/model/summary.js';
import { PromptWeights } from './prompt-weights.js';
import { failure } from './texts.js';
import { engineFor, plainOf, variantOf } from './variant.js';

/** @typedef {import('../../js/runtime/engine.js').Engine} Engine */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** One that was opened by gf.openModel. */
export class OpenedModel extends Model {
  #engine;
  #plain;

  /** @param {Engine} engine @param {ModelConfig} config
   * @param {ConstructorParameters<typeof PromptWeights>[2]} [store] binds some parameters to memory elsewhere */
  constructor(engine, config, store) {
    const modelEngine = engineFor(engine, config);
    const fill = () => {};
    super(
      modelEngine,
      plainOf(config),
      fill,
      (core, plain) => new PromptWeights(core, plain, store),
    );
    this.#engine = modelEngine;
    const plain = /** @type {Model} */ (this).config;
    this.#plain = plain;
    /** All options, with the defaults, and what its family has besides.
     * @type {Readonly<Model['config'] & Partial<import('./variant.js').Variant>>} */
    this.config = Object.freeze({ ...plain, ...variantOf(config) });
  }

  /** All steps of a run, with the parameters and the multiply-adds of each. @override
   * @param {import('../../js/model/summary.js').Lengths} [lengths] */
  summary(lengths) {
    return summary(this.#engine, this.#plain, lengths);
  }

  /** The model as a safetensors file. @override
   * @param {import('../../js/model/file.js').SaveOptions} [options] */
  save(options) {
    if (!variantOf(this.config)) return super.save(options);
    throw failure('GF_ESTATE', 'variantNotSaved', { where: 'save' });
  }
}
