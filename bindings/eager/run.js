// Each eager call is a small tape of its own.

import { GlassformerError, refusal } from '../base/errors.js';
import { Tape } from '../tape/tape.js';
import { valuesOf } from '../tape/tensor.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./read.js').Arranged} Arranged */

/** Builds, fills and runs a tape; int32 data becomes ids. Gives copies of the results.
 * @template {Record<string, Tensor>} R
 * @param {Engine} engine
 * @param {string} where the function's name: nobody knows the nodes of its tape
 * @param {Record<string, Arranged>} operands
 * @param {(tape: Tape, leaves: Record<string, Tensor>) => R} build
 * @returns {{ [K in keyof R]: Arranged }} */
export function run(engine, where, operands, build) {
  const tape = new Tape(engine);
  try {
    const entries = Object.entries(operands);
    const leaves = Object.fromEntries(
      entries.map(([name, { data, shape }]) => {
        const make = data instanceof Int32Array ? 'ids' : 'input';
        return [name, tape[make](name, [...shape])];
      }),
    );
    const results = build(tape, leaves);
    tape.plan();
    for (const [name, { data }] of entries) leaves[name].set(data);
    tape.forward();
    const copies = Object.entries(results).map(([name, node]) => [
      name,
      { data: valuesOf(node).slice(), shape: node.shape },
    ]);
    return Object.fromEntries(copies);
  } catch (error) {
    if (!(error instanceof GlassformerError)) throw error;
    const { code, detail, params } = error;
    throw refusal(code, { detail, params: { ...params, where, node: undefined } });
  } finally {
    tape.dispose();
  }
}
