// Each eager call is a small tape of its own.

import { GlassformerError, refusal } from '../base/errors.js';
import { isGiven } from '../base/values.js';
import { Tape } from '../tape/tape.js';
import { valuesOf } from '../tape/tensor.js';
import { answer, ids, values } from './read.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./read.js').Arranged} Arranged */
/** @typedef {keyof import('../../generated/ops.js').Builders} Method */

/** @param {[string, Arranged | null | undefined]} entry
 * @returns {entry is [string, Arranged]} */
const isOperand = (entry) => isGiven(entry[1]);

/** Builds, fills and runs a tape; int32 data becomes ids, and what is left out no leaf. Gives copies of the
 * results.
 * @template {Record<string, Tensor>} R
 * @param {Engine} engine
 * @param {string} where the function's name, which errors give instead of a node's
 * @param {Record<string, Arranged | null | undefined>} operands
 * @param {(tape: Tape, leaves: Record<string, Tensor>) => R} build
 * @returns {{ [K in keyof R]: Arranged }} */
export function run(engine, where, operands, build) {
  const tape = new Tape(engine);
  try {
    const entries = Object.entries(operands).filter(isOperand);
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

/** What a tape's method of that name makes of operands, in their order; null where one is left out.
 * @param {Engine} engine @param {Method} method
 * @param {Parameters<typeof run>[2]} operands @param {unknown[]} attributes
 * @returns {Arranged} */
export function call(engine, method, operands, ...attributes) {
  return run(engine, method, operands, (tape, leaves) => {
    const nodes = Object.keys(operands).map((name) => leaves[name] ?? null);
    return { y: /** @type {any} */ (tape)[method](...nodes, ...attributes, 'y') };
  }).y;
}

/** Operands that are ids, in every op that has them. */
const IDS = ['ids', 'positions'];

/** The same of plain data as they come, in the form of the first.
 * @template A what that form makes of it
 * @param {Engine} engine @param {Method} method @param {Record<string, unknown>} inputs
 * @param {unknown[]} attributes
 * @returns {A} */
export function apply(engine, method, inputs, ...attributes) {
  const read = Object.entries(inputs).map(([name, value]) => {
    const operand = (IDS.includes(name) ? ids : values)(`${method}: ${name}`, value);
    return /** @type {const} */ ([name, operand]);
  });
  const [[, first]] = read;
  return answer(first, call(engine, method, Object.fromEntries(read), ...attributes));
}
