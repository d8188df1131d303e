// Compares what a text prints with what the core computes: which numbers are wrong, and why.

import { flatIndex } from '../base/cell.js';
import { meanOf, sumOf } from '../base/sum.js';
import { cellIndex, sizeOf } from '../base/values.js';
import { isPrinted } from '../number/judge.js';
import { valuesOf } from '../tape/tensor.js';
import { cellsOf, explain } from './explain.js';
import { rangeError } from './texts.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./example.js').ExampleAside} ExampleAside */
/** @typedef {import('./example.js').Printed} Printed */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('./trace-example.js').Trace} Trace */

/** @typedef {{ shape: readonly number[], data: (number | null)[], text: (string | null)[] }} PrintedNode */

/**
 * @typedef {object} Mismatch
 * @property {string} node
 * @property {number[]} index
 * @property {number} printed
 * @property {number} computed
 * @property {'step' | 'carried'} cause step: the step is wrong; carried: it is right, from the numbers
 *   that the text prints before it
 * @property {'rounded' | 'wrong'} [from] carried: whether those were merely rounded, or wrong
 */

/** A number printed beside the steps. @typedef {object} Aside
 * @property {string} text what it is: "exp(scores.scaled[0,1])"
 * @property {number} printed
 * @property {number} computed
 * @property {boolean} right
 */

const NUMBER = /^-?\d+(?:\.(\d+))?$/;

/** @param {string} where @param {unknown} text */
function checkPrinted(where, text) {
  if (typeof text === 'string' && NUMBER.test(text)) return text;
  throw rangeError('printedNumber', { where, given: text });
}

/** @param {string} text @param {number} computed */
function isRight(text, computed) {
  const unit = 10 ** -(NUMBER.exec(text)?.[1] ?? '').length;
  return isPrinted({ value: Number(text), unit }, computed);
}

/** @param {string} where @param {readonly number[]} shape @param {Printed} values nested as the shape
 * @returns {(string | null)[]} one per cell */
function textsIn(where, shape, values) {
  if (values === null) return Array(sizeOf(shape)).fill(null);
  if (!shape.length) return [checkPrinted(where, values)];
  if (!Array.isArray(values) || values.length !== shape[0]) {
    throw rangeError('shapeFromHere', { where, expected: shape, given: values });
  }
  return values.flatMap((row, i) => textsIn(`${where}[${i}]`, shape.slice(1), row));
}

/** The example's printed numbers, cell by cell.
 * @param {Trace} trace
 * @returns {Record<string, PrintedNode>} */
export function printedOf(trace) {
  const entries = Object.entries(trace.example.printed ?? {}).map(([name, values]) => {
    const { shape } = trace.step(name);
    const text = textsIn(`trace: example.printed.${name}`, shape, values);
    return [name, { shape, data: text.map((t) => (t === null ? null : Number(t))), text }];
  });
  return Object.fromEntries(entries);
}

/** Whether the text prints a wrong number in this cell.
 * @param {Trace} trace @param {string} node @param {number} offset */
function isWrong(trace, node, offset) {
  const text = trace.printed[node]?.text[offset] ?? null;
  return text !== null && !isRight(text, trace.step(node).data[offset]);
}

/** Printed numbers that are not the computed ones. For the cause, each step is computed once more
 * from the numbers that the text prints before it.
 * @param {Trace} trace
 * @param {Tape} tape the example once more, computed: it is overwritten with what is printed
 * @param {Glassformer} gf
 * @returns {Mismatch[]} */
export function mismatchesOf(trace, tape, gf) {
  /** @type {Mismatch[]} */
  const mismatches = [];
  for (const tensor of tape.nodes) {
    const { name } = tensor;
    const printed = trace.printed[name];
    if (!printed) continue;
    const computed = trace.step(name).data;
    /* Computed from the printed numbers of the steps before. */
    tape.forward(tensor, tensor);
    const carried = valuesOf(tensor).slice();
    tensor.set(computed.map((value, i) => printed.data[i] ?? value));
    printed.text.forEach((text, i) => {
      if (text === null || isRight(text, computed[i])) return;
      const index = cellIndex(tensor.shape, i);
      const mismatch = { node: name, index, printed: Number(text), computed: computed[i] };
      if (!isRight(text, carried[i])) {
        mismatches.push({ ...mismatch, cause: 'step' });
        return;
      }
      const wrong = cellsOf(explain(trace, name, index, gf)).some((cell) =>
        isWrong(trace, cell.node, flatIndex(cell.node, trace.step(cell.node).shape, cell.index)),
      );
      mismatches.push({ ...mismatch, cause: 'carried', from: wrong ? 'wrong' : 'rounded' });
    });
  }
  return mismatches;
}

/** What a number beside the steps is, and what it should be.
 * @param {Trace} trace @param {Glassformer} gf @param {ExampleAside} aside
 * @returns {{ text: string, computed: number }} */
function compute(trace, gf, aside) {
  const { fn, of = '', index = [], by = '', byIndex = [], value = 0 } = aside;
  const read = (/** @type {string} */ node, /** @type {number[]} */ position) => {
    const { shape, data } = trace.step(node);
    return data[flatIndex(`trace: example.asides: ${node}`, shape, position)];
  };
  const cell = `${of}[${index}]`;
  const row = () =>
    Array.from({ length: trace.step(of).shape.at(-1) ?? 0 }, (_, j) => read(of, [...index, j]));
  switch (fn) {
    case 'exp':
      return { text: `exp(${cell})`, computed: gf.exp(read(of, index)) };
    case 'sum-exp':
      return { text: `the sum of exp(${cell})`, computed: sumOf(row().map((x) => gf.exp(x))) };
    case 'mean':
      return { text: `the mean of ${cell}`, computed: meanOf(row()) };
    case 'deviation': {
      const numbers = row();
      const mean = meanOf(numbers);
      const variance = meanOf(numbers.map((x) => (x - mean) ** 2));
      return { text: `the deviation of ${cell}`, computed: Math.sqrt(variance) };
    }
    case 'product':
      return { text: `${cell} × ${by}[${byIndex}]`, computed: read(of, index) * read(by, byIndex) };
    case 'sqrt':
      return { text: `sqrt(${value})`, computed: Math.sqrt(value) };
    default:
      throw rangeError('unknownFn', { where: 'trace: example.asides', fn });
  }
}

/** Numbers printed beside the steps, right and wrong.
 * @param {Trace} trace @param {Glassformer} gf
 * @returns {Aside[]} */
export function asidesOf(trace, gf) {
  return (trace.example.asides ?? []).map((aside) => {
    const { text, computed } = compute(trace, gf, aside);
    const printed = checkPrinted(`trace: example.asides: ${text}`, aside.printed);
    return { text, printed: Number(printed), computed, right: isRight(printed, computed) };
  });
}
