// A tape's methods that make nodes: leaves, attention in named steps, and those of each op's own file.

import { MAX_RANK } from '../../generated/layout.js';
import { builders } from '../../generated/ops.js';
import { checkShape } from '../base/values.js';
import { attentionConfig } from './attention.js';
import { Nodes } from './nodes.js';

/** @typedef {import('../../generated/ops.js').Builders} Builders */
/** @typedef {import('./attention.js').AttentionOptions} AttentionOptions */

class Leaves extends Nodes {
  // ---- Leaves ----

  /** Data that you fill.
   * @param {string} name @param {number[]} shape */
  input(name, shape) {
    return this.#leaf('gf_input', name, shape);
  }

  /** Something to be learned, that you fill.
   * @param {string} name @param {number[]} shape */
  parameter(name, shape) {
    return this.#leaf('gf_parameter', name, shape);
  }

  /** int32 that you fill: tokens, positions, lengths, or a boolean mask.
   * @param {string} name @param {number[]} shape */
  ids(name, shape) {
    return this.#leaf('gf_ids', name, shape);
  }

  // ---- Attention ----

  /** Scaled dot-product attention in named steps: q, k, v, scores, scores.scaled, scores.masked,
   * weights, mix, concat, output. Returns output.
   * @param {AttentionOptions} options
   * @param {string} [path] goes before each name, with a dot between */
  attention(options, path = '') {
    const [integers, floats] = attentionConfig(
      options,
      (where, node) => this.operand(where, node),
      (where, node) => this.optional(where, node),
    );
    const { engine } = this.block;
    return this.build('attention', path, (address, name) =>
      engine.core.gf_attention(address, engine.config(integers, floats), name),
    );
  }

  // ---- How a step is built ----

  /** @param {'gf_input' | 'gf_parameter' | 'gf_ids'} make @param {string} name @param {number[]} shape */
  #leaf(make, name, shape) {
    const what = make.slice(3);
    const dimensions = checkShape(`${what}: shape`, shape);
    const { engine } = this.block;
    /* The scratch holds no longer shape, and the core refuses a rank of 5 without looking at it. */
    const first = dimensions.slice(0, MAX_RANK);
    return this.build(
      what,
      name,
      (address, text) =>
        engine.core[make](address, dimensions.length, engine.integers(first), text),
      { given: () => dimensions },
    );
  }
}

Object.assign(Leaves.prototype, builders);

export const Ops =
  /** @type {{ new (...options: ConstructorParameters<typeof Leaves>): Leaves & Builders }} */ (
    /** @type {unknown} */ (Leaves)
  );
