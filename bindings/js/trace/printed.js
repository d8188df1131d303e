// Compares what a text prints with what the core computes: which numbers are wrong, and why.

import { flatIndex } from '../base/cell.js';
import { meanOf, sumOf } from '../base/sum.js';
import { cellIndex, sizeOf } from '../base/values.js';
import { isPrinted, verdictOf } from '../number/judge.js';
import { valuesOf } from '../tape/tensor.js';
import { cellsOf, explain } from './explain.js';
import { rangeError } from './texts.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./example.js').ExampleAside} ExampleAside */
/** @typedef {import('./example.js').Printed} Printed */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('./trace-example.js').Trace} Trace */

/** @typedef {import('../number/judge.js').Verdict} Verdict */

/** What the text prints of a node, cell by cell; null where it prints nothing.
 * @typedef {object} PrintedNode
 * @property {readonly number[]} shape
 * @property {(number | null)[]} data the printed numbers, row by row
 * @property {(string | null)[]} text the same as the text writes them, such as '0.50'
 * @property {(Verdict | null)[]} verdict rounded: it is the computed number; truncated: cut off, not rounded; wrong */

/**
 * @typedef {object} Mismatch
 * @property {string} node
 * @property {number[]} index
 * @property {number} printed the number that the text prints
 * @property {number} computed what the core computes, float32
 * @property {'step' | 'carried'} cause step: the step is wrong; carried: it is right, from the numbers
 *   that the text prints before it
 * @property {'rounded' | 'wrong'} [from] carried: whether those were merely rounded, or wrong
 */

/** A number printed beside the steps. @typedef {object} Aside
 * @property {string} text what it is: "exp(scores.scaled[0,1])"
 * @property {number} printed the number that the text prints
 * @property {number} computed what the core computes, float32
 * @property {boolean} right whether the verdict is not wrong
 * @property {Verdict} verdict working: rounded from the numbers that the text prints, not from the exact ones
 */

const NUMBER = /^-?\d+(?:\.(\d+))?$/;

/** @param {string} where @param {unknown} text */
function checkPrinted(where, text) {
  if (typeof text === 'string' && NUMBER.test(text)) return text;
  throw rangeError('printedNumber', { where, given: text });
}

/** @param {string} text */
const numberOf = (text) => ({
  value: Number(text),
  unit: 10 ** -(NUMBER.exec(text)?.[1] ?? '').length,
});

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
    const { shape, data: computed } = trace.step(name);
    const text = textsIn(`trace: example.printed.${name}`, shape, values);
    const data = text.map((t) => (t === null ? null : Number(t)));
    const verdict = text.map((t, i) => (t === null ? null : verdictOf(numberOf(t), computed[i])));
    return [name, { shape, data, text, verdict }];
  });
  return Object.fromEntries(entries);
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
      if (text === null || printed.verdict[i] !== 'wrong') return;
      const index = cellIndex(tensor.shape, i);
      const mismatch = { node: name, index, printed: Number(text), computed: computed[i] };
      if (!isPrinted(numberOf(text), carried[i])) {
        mismatches.push({ ...mismatch, cause: 'step' });
        return;
      }
      const wrong = cellsOf(explain(trace, name, index, gf)).some((cell) => {
        const offset = flatIndex(cell.node, trace.step(cell.node).shape, cell.index);
        return trace.printed[cell.node]?.verdict[offset] === 'wrong';
      });
      mismatches.push({ ...mismatch, cause: 'carried', from: wrong ? 'wrong' : 'rounded' });
    });
  }
  return mismatches;
}

/** What a number beside the steps is called. @param {ExampleAside} aside */
function nameOf({ fn, of = '', index = [], by = '', byIndex = [], value = 0 }) {
  const cell = `${of}[${index}]`;
  switch (fn) {
    case 'exp':
      return `exp(${cell})`;
    case 'sum-exp':
      return `the sum of exp(${cell})`;
    case 'mean':
      return `the mean of ${cell}`;
    case 'deviation':
      return `the deviation of ${cell}`;
    case 'product':
      return `${cell} × ${by}[${byIndex}]`;
    case 'sqrt':
      return `sqrt(${value})`;
    default:
      throw rangeError('unknownFn', { where: 'trace: example.asides', fn });
  }
}

/** A number of a cell. @typedef {(node: string, index: number[]) => number} Read */

/** Where a number beside the steps has its operands from.
 * @typedef {{ read: Read, exp: Read }} Source exp: the exponential of a cell */

/** What a number beside the steps should be.
 * @param {Trace} trace @param {ExampleAside} aside @param {Source} source */
function compute(trace, { fn, of = '', index = [], by = '', byIndex = [], value = 0 }, source) {
  const { read, exp } = source;
  const row = (take = read) =>
    Array.from({ length: trace.step(of).shape.at(-1) ?? 0 }, (_, j) => take(of, [...index, j]));
  switch (fn) {
    case 'exp':
      return exp(of, index);
    case 'sum-exp':
      return sumOf(row(exp));
    case 'mean':
      return meanOf(row());
    case 'deviation': {
      const numbers = row();
      const mean = meanOf(numbers);
      return Math.sqrt(meanOf(numbers.map((x) => (x - mean) ** 2)));
    }
    case 'product':
      return read(of, index) * read(by, byIndex);
    default:
      return Math.sqrt(value);
  }
}

/** Numbers printed beside the steps, each an equation of the text's working.
 * @param {Trace} trace @param {Glassformer} gf
 * @returns {Aside[]} */
export function asidesOf(trace, gf) {
  const asides = trace.example.asides ?? [];
  const offsetOf = (/** @type {string} */ node, /** @type {number[]} */ index) =>
    flatIndex(`trace: example.asides: ${node}`, trace.step(node).shape, index);
  /** @type {Read} */
  const read = (node, index) => trace.step(node).data[offsetOf(node, index)];
  /** @type {Read} */
  const readPrinted = (node, index) =>
    trace.printed[node]?.data[offsetOf(node, index)] ?? read(node, index);
  /** @type {(from: Read) => Source} */
  const sourceOf = (from) => ({ read: from, exp: (node, index) => gf.exp(from(node, index)) });
  const [exact, rounded] = [sourceOf(read), sourceOf(readPrinted)];
  /** A sum of exponentials adds those that the text prints. @type {Source} */
  const added = {
    ...rounded,
    exp: (node, index) => {
      const printed = asides.find(
        ({ fn, of, index: place }) => fn === 'exp' && of === node && `${place}` === `${index}`,
      );
      return printed ? Number(printed.printed) : rounded.exp(node, index);
    },
  };
  return asides.map((aside) => {
    const text = nameOf(aside);
    const computed = compute(trace, aside, exact);
    const printed = checkPrinted(`trace: example.asides: ${text}`, aside.printed);
    const working = compute(trace, aside, aside.fn === 'sum-exp' ? added : rounded);
    const verdict = verdictOf(numberOf(printed), computed, [working]);
    return { text, printed: Number(printed), computed, right: verdict !== 'wrong', verdict };
  });
}
