// The memory of adapters: their parameters, gradients and moments. The model below lends its own, without gradients.

import { build, Weights } from '../../js/model/weights.js';
import { Tape } from '../../js/tape/tape.js';
import { addressOf, graft, pushAdapters, runOn } from './graft.js';

/** @typedef {import('./graft.js').Adapter} Adapter */

export class LoraWeights extends Weights {
  #below;
  #adapters;

  /** @param {Weights} below @param {readonly Adapter[]} adapters @param {number} rank @param {number} factor alpha / rank */
  constructor(below, adapters, rank, factor) {
    const byMatrix = new Map(adapters.map((adapter) => [adapter.weight, adapter]));
    /** @type {typeof build} */
    const push = (engine, tape, batch, config, bind) => {
      pushAdapters(tape, adapters, rank);
      if (!bind) return addressOf(tape);
      runOn(tape, bind);
      const plain = new Tape(engine);
      try {
        build(engine, plain, batch, config);
        graft(engine, plain, tape, byMatrix, factor);
      } finally {
        plain.dispose();
      }
      runOn(tape, (address) => below.bind(address, false));
      return addressOf(tape);
    };
    super(below.engine, below.config, undefined, push);
    this.adapts = true;
    this.stored = below.stored;
    this.#below = below;
    this.#adapters = adapters;
  }

  /** A is uniform, as PEFT has it, and B is 0: at first the model computes what it did. @override
   * @param {number} seed */
  initialize(seed) {
    this.blocks.view('values').fill(0);
    const { core } = this.engine;
    for (const [i, { a, shape }] of this.#adapters.entries()) {
      const bound = 1 / Math.sqrt(shape[0]);
      const { byteOffset, length } = this.parameters.get(a).block('values');
      core.gf_uniform(byteOffset, length, seed, i, -bound, bound);
    }
  }

  /** @override */
  check() {
    super.check();
    this.#below.check();
  }
}
