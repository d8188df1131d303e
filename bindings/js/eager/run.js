// Each eager call is a small tape. A call that repeats function, shapes and attributes runs the tape of the call before.

import { GlassformerError, refusal } from '../base/errors.js';
import { isGiven } from '../base/values.js';
import { Tape } from '../tape/tape.js';
import { valuesOf } from '../tape/tensor.js';
import { answer, ids, values } from './read.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./read.js').Arranged} Arranged */
/** @typedef {keyof import('../../generated/ops.js').Builders} Method */
/** What a function computes with; null or undefined where an operand is left out.
 * @typedef {Readonly<Record<string, Arranged | null | undefined>>} Operands */
/** A planned tape. @typedef {{ tape: Tape, leaves: Record<string, Tensor>, results: Record<string, Tensor> }} Program */

/** An engine keeps so many tapes at most, those that ran last, ... */
const MAX_PROGRAMS = 32;
/** ... each of so many numbers at most: where there are more, building the tape takes little of the time. */
const MAX_SIZE = 16384;

/** @type {WeakMap<Engine, Map<string, Program>>} */
const programs = new WeakMap();

/** Text that differs where attributes differ. What no op takes need not have one of its own: its tape is never built.
 * @param {unknown} attribute
 * @returns {string} */
function textOf(attribute) {
  if (typeof attribute === 'number') return Object.is(attribute, -0) ? '-0' : `${attribute}`;
  if (typeof attribute === 'string') return JSON.stringify(attribute);
  const isSimple = typeof attribute === 'boolean' || !isGiven(attribute);
  return isSimple ? `${attribute}` : typeof attribute;
}

/** The same of an attribute that may be a list or options.
 * @param {unknown} attribute */
function textOfAll(attribute) {
  if (typeof attribute !== 'object' || !attribute) return textOf(attribute);
  if (Array.isArray(attribute)) return `[${attribute.map(textOf)}]`;
  return `{${Object.entries(attribute).map(([key, value]) => `${key}:${textOf(value)}`)}}`;
}

/** What the tape of a call depends on.
 * @param {string} where @param {Operands} operands @param {object} attributes */
function keyOf(where, operands, attributes) {
  let key = where;
  for (const name in operands) {
    const operand = operands[name];
    if (!operand) continue;
    key += `;${name}${operand.data instanceof Int32Array ? '#' : ''}`;
    for (const d of operand.shape) key += `,${d}`;
  }
  for (const name in attributes)
    key += `;${textOfAll(/** @type {Record<string, unknown>} */ (attributes)[name])}`;
  return key;
}

/** @template {object} A
 * @param {Engine} engine @param {Operands} operands @param {A} attributes
 * @param {(tape: Tape, leaves: Record<string, Tensor>, attributes: A) => Record<string, Tensor>} build
 * @returns {Program} */
function compile(engine, operands, attributes, build) {
  const tape = new Tape(engine);
  try {
    /** @type {Program['leaves']} */
    const leaves = {};
    for (const [name, operand] of Object.entries(operands)) {
      if (!operand) continue;
      const make = operand.data instanceof Int32Array ? 'ids' : 'input';
      leaves[name] = tape[make](name, [...operand.shape]);
    }
    const results = build(tape, leaves, attributes);
    tape.plan();
    return { tape, leaves, results };
  } catch (error) {
    tape.dispose();
    throw error;
  }
}

/** Keeps a tape for the next call like this one, in place of the one that has not run for longest.
 * @param {Map<string, Program>} kept @param {string} key @param {Program} program */
function keep(kept, key, program) {
  if (kept.size === MAX_PROGRAMS) {
    const [oldest, { tape }] = /** @type {[string, Program]} */ (kept.entries().next().value);
    kept.delete(oldest);
    tape.dispose();
  }
  kept.set(key, program);
}

/** @param {Engine} engine */
function programsOf(engine) {
  const kept = programs.get(engine);
  if (kept) return kept;
  /** @type {Map<string, Program>} */
  const made = new Map();
  programs.set(engine, made);
  engine.heap.reclaimers.add(() => {
    const isEmpty = !made.size;
    for (const { tape } of made.values()) tape.dispose();
    made.clear();
    return !isEmpty;
  });
  return made;
}

/** @param {Arranged} array
 * @returns {Arranged} */
const copied = ({ data, shape }) => ({ data: data.slice(), shape });

/** Fills and runs a tape, which is built if none is kept; int32 data becomes ids, and what is left out no leaf.
 * @template {Record<string, Tensor>} R
 * @template {object} A
 * @template [T=Arranged]
 * @param {Engine} engine
 * @param {string} where the function's name, which errors give instead of a node's
 * @param {Operands} operands
 * @param {A} attributes numbers, words, flags, and lists and options of them; by name or in order
 * @param {(tape: Tape, leaves: Record<string, Tensor>, attributes: A) => R} build depends on nothing else
 * @param {(result: Arranged, name: keyof R & string) => T} [take] makes of each result what is given back, before the core's
 *   memory changes again: a copy of it by default
 * @returns {{ [K in keyof R]: T }} */
export function run(engine, where, operands, attributes, build, take) {
  const taken = take ?? /** @type {(result: Arranged) => T} */ (/** @type {unknown} */ (copied));
  const kept = programsOf(engine);
  const key = keyOf(where, operands, attributes);
  /** @type {Program | undefined} */
  let program;
  let isKept = false;
  try {
    program = kept.get(key);
    /* Out of the list while it runs: what fails is not kept. */
    kept.delete(key);
    program ??= compile(engine, operands, attributes, build);
    const { tape, leaves, results } = program;
    let size = 0;
    for (const name in leaves) {
      const { data } = /** @type {Arranged} */ (operands[name]);
      valuesOf(leaves[name]).set(data);
      size += data.length;
    }
    tape.forward();
    /** @type {Record<string, T>} */
    const answers = {};
    for (const name in results) {
      const node = results[name];
      answers[name] = taken({ data: valuesOf(node), shape: node.shape }, name);
      size += node.size;
    }
    isKept = size <= MAX_SIZE;
    if (isKept) keep(kept, key, program);
    return /** @type {{ [K in keyof R]: T }} */ (answers);
  } catch (error) {
    if (!(error instanceof GlassformerError)) throw error;
    const { code, detail, params } = error;
    throw refusal(code, { detail, params: { ...params, where, node: undefined } });
  } finally {
    if (!isKept) program?.tape.dispose();
  }
}

/** What a tape's method of that name makes of operands, in their order; null where one is left out.
 * @param {Engine} engine @param {Method} method
 * @param {Operands} operands @param {unknown[]} attributes
 * @returns {Arranged} */
export function call(engine, method, operands, ...attributes) {
  return run(engine, method, operands, attributes, (tape, leaves) => {
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
