// What the functions of the ops on plain data are made with.

import { reshape } from './layout.js';
import { answer, values, valuesOrNumber } from './read.js';
import { run } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('./read.js').Arranged} Arranged */
/** @typedef {ReturnType<typeof kit>} Kit */
/** @template V @typedef {import('./forms.js').Like<V>} Like */

/** @param {Engine} engine */
export const kit = (engine) => ({
  answer,
  reshape,
  values,
  valuesOrNumber,

  /** Builds, fills and runs a tape.
   * @template {Record<string, Tensor>} R
   * @param {string} where the function's name
   * @param {Record<string, Arranged>} operands
   * @param {(tape: Tape, leaves: Record<string, Tensor>) => R} build */
  run: (where, operands, build) => run(engine, where, operands, build),

  /** An op that takes each number by itself, so that any shape will do.
   * @template V
   * @param {string} name @param {V} given @param {(tape: Tape, x: Tensor) => Tensor} build
   * @returns {Like<V>} */
  each(name, given, build) {
    const x = valuesOrNumber(`${name}: x`, given);
    const { y } = run(engine, name, { x: reshape(x, [x.data.length]) }, (tape, { x }) => ({
      y: build(tape, x),
    }));
    return answer(x, reshape(y, x.shape));
  },
});
