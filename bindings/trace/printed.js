// What a text prints, held against what the core computes: which numbers are wrong, and why.

import { flatIndex } from '../base/cell.js';
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

/** @param {string} where @param {readonly number[]} shape @param {Printed} given
 * @returns {(string | null)[]} one per cell */
function texts(where, shape, given) {
  if (given === null) return Array(sizeOf(shape)).fill(null);
  if (!shape.length) return [checkPrinted(where, given)];
  if (!Array.isArray(given) || given.length !== shape[0]) {
    throw rangeError('shapeFromHere', { where, expected: shape, given });
  }
  return given.flatMap((row, i) => texts(`${where}[${i}]`, shape.slice(1), row));
}

/** The example's printed numbers, cell by cell.
 * @param {Trace} trace
 * @returns {Record<string, PrintedNode>} */
export function printedOf(trace) {
  const entries = Object.entries(trace.example.printed ?? {}).map(([name, given]) => {
    const { shape } = trace.step(name);
    const text = texts(`trace: example.printed.${name}`, shape, given);
    return [name, { shape, data: text.map((t) => (t === null ? null : Number(t))), text }];
  });
  return Object.fromEntries(entries);
}

/** Whether the text prints a wrong number in this cell.
 * @param {Trace} trace @param {string} node @param {number} at */
function isWrong(trace, node, at) {
  const text = trace.printed[node]?.text[at] ?? null;
  return text !== null && !isRight(text, trace.step(node).data[at]);
}

/** Printed numbers that are not the computed ones. For the cause, each step is computed once more
 * from the numbers that the text prints before it.
 * @param {Trace} trace
 * @param {Tape} tape the example once more, computed: it is overwritten with what is printed
 * @param {Glassformer} gf
 * @returns {Mismatch[]} */
export function mismatchesOf(trace, tape, gf) {
  /** @type {Mismatch[]} */
  const found = [];
  for (const tensor of tape.nodes) {
    const { name } = tensor;
    const printed = trace.printed[name];
    if (!printed) continue;
    const computed = trace.step(name).data;
    tape.forward(tensor, tensor);
    const followed = valuesOf(tensor).slice();
    tensor.set(computed.map((value, at) => printed.data[at] ?? value));
    printed.text.forEach((text, at) => {
      if (text === null || isRight(text, computed[at])) return;
      const index = cellIndex(tensor.shape, at);
      const told = { node: name, index, printed: Number(text), computed: computed[at] };
      if (!isRight(text, followed[at])) {
        found.push({ ...told, cause: 'step' });
        return;
      }
      const wrong = cellsOf(explain(trace, name, index, gf)).some((cell) =>
        isWrong(trace, cell.node, flatIndex(cell.node, trace.step(cell.node).shape, cell.index)),
      );
      found.push({ ...told, cause: 'carried', from: wrong ? 'wrong' : 'rounded' });
    });
  }
  return found;
}

/** @param {Trace} trace @param {Glassformer} gf @param {ExampleAside} aside
 * @returns {{ text: string, computed: number }} */
function compute(trace, gf, aside) {
  const { fn, of = '', index = [], by = '', byIndex = [], value = 0 } = aside;
  const read = (/** @type {string} */ node, /** @type {number[]} */ at) => {
    const { shape, data } = trace.step(node);
    return data[flatIndex(`trace: example.asides: ${node}`, shape, at)];
  };
  switch (fn) {
    case 'exp':
      return { text: `exp(${of}[${index}])`, computed: gf.exp(read(of, index)) };
    case 'sum-exp': {
      const width = trace.step(of).shape.at(-1) ?? 0;
      const row = Array.from({ length: width }, (_, j) => gf.exp(read(of, [...index, j])));
      const computed = row.reduce((sum, term) => sum + term, 0);
      return { text: `the sum of exp(${of}[${index}])`, computed };
    }
    case 'mean':
    case 'deviation': {
      const width = trace.step(of).shape.at(-1) ?? 0;
      const row = Array.from({ length: width }, (_, j) => read(of, [...index, j]));
      const mean = row.reduce((sum, x) => sum + x, 0) / width;
      const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width;
      const computed = fn === 'mean' ? mean : Math.sqrt(variance);
      return { text: `the ${fn} of ${of}[${index}]`, computed };
    }
    case 'product':
      return {
        text: `${of}[${index}] × ${by}[${byIndex}]`,
        computed: read(of, index) * read(by, byIndex),
      };
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
