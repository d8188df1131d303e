// A product of float32 matrices with weights of four bits, computed in three ways: exactly, and with activations rounded to
// 16 bits or, as llama.cpp does, to 8.

import { inner } from '../js/model/slices.js';
import { integersOf } from '../js/ops/kit/integers.js';
import { StoredMatrix } from '../js/stored/matrix.js';
import { valuesOf } from '../js/tape/tensor.js';
import { STORING } from './formats/quantize.js';

/** Numbers that share a scale. */
export const BLOCK = 32;
/** Bytes of a block. */
const BYTES = { q4_0: 18, q8_0: 34 };

/** @param {import('../js/runtime/engine.js').Engine} engine @param {keyof typeof BYTES} type
 * @param {Float32Array} numbers @param {number} columns */
function narrowed(engine, type, numbers, columns) {
  const bytes = new Uint8Array((numbers.length / BLOCK) * BYTES[type]);
  STORING[type.toUpperCase()](numbers, bytes);
  const rows = numbers.length / columns;
  return new StoredMatrix(engine, { type, rows, columns }).put(bytes);
}

/** The numbers that 16-bit integers stand for, block by block.
 * @param {Float32Array} x */
function sixteen(x) {
  const to = new Float64Array(x.length);
  for (let first = 0; first < x.length; first += BLOCK) {
    const { s, integers } = integersOf(Array.from(x.subarray(first, first + BLOCK)));
    for (const [i, q] of integers.entries()) to[first + i] = s * q;
  }
  return to;
}

/** The float32 numbers of a stored parameter.
 * @param {import('../js/tape/tape.js').Tape} tape @param {string} name */
const numbersOf = (tape, name) =>
  /** @type {import('../js/stored/numbers.js').StoredNumbers} */ (tape.find(name).stored).data;

/** @typedef {ReturnType<typeof threeWays>} ThreeWays */

/** All numbers of x w. The weights of each column become blocks of 32 integers of 4 bits with a scale.
 * @param {{ tape: () => import('../js/tape/tape.js').Tape }} gf what load() gives
 * @param {Float32Array} x [M,K], K a multiple of 32 @param {Float32Array} w [K,N] @param {number} depth K */
export function threeWays(gf, x, w, depth) {
  const rows = x.length / depth;
  const columns = w.length / depth;
  const tape = gf.tape();
  const { engine } = inner(tape).block;
  const turned = w.map((_, i) => w[(i % depth) * columns + Math.floor(i / depth)]);
  const weights = narrowed(engine, 'q4_0', turned, depth);
  const eights = narrowed(engine, 'q8_0', x, depth);
  try {
    const input = tape.input('x', [rows, depth]);
    const rounded = tape.input('rounded', [rows, depth]);
    for (const name of ['exact', 'integer', 'w']) tape.parameter(name, [depth, columns]);
    tape.parameter('eights', [rows, depth]);
    const results = {
      /* With the weights as they were. */
      whole: tape.linear(input, tape.find('w'), null, 'whole'),
      exact: tape.linear(input, tape.find('exact'), null, 'exact.y'),
      sixteen: tape.linear(input, tape.find('integer'), null, 'sixteen'),
      eight: tape.linear(rounded, tape.find('exact'), null, 'eight'),
    };
    tape.bindStored('exact', weights, { along: 0 });
    tape.bindStored('integer', weights, { along: 0, arithmetic: 'integer' });
    tape.bindStored('eights', eights, { along: 1 });
    tape.plan();
    const eight = numbersOf(tape, 'eights');
    const four = numbersOf(tape, 'exact');
    input.set(x);
    rounded.set(eight);
    tape.find('w').set(w);
    tape.forward();
    const y = Object.fromEntries(
      Object.entries(results).map(([name, node]) => [
        name,
        /** @type {Float32Array} */ (valuesOf(node)).slice(),
      ]),
    );
    return { rows, columns, depth, y, x: { exact: x, sixteen: sixteen(x), eight }, w: four };
  } finally {
    tape.dispose();
    weights.dispose();
    eights.dispose();
  }
}

/** By how much numbers miss others on average.
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const missing = (a, b) =>
  Array.from(a, (value, i) => Math.abs(value - b[i])).reduce((sum, miss) => sum + miss, 0) /
  a.length;

/** How much each way misses on average, and whether 16 bits are near: a hundred times as near as 8 bits, nearer, or not.
 * @param {ThreeWays} ways */
export function compared({ y }) {
  const misses = {
    weights: missing(y.exact, y.whole),
    sixteen: missing(y.sixteen, y.exact),
    eight: missing(y.eight, y.exact),
  };
  const times = misses.eight / misses.sixteen;
  const verdict = times >= 100 ? 'holds' : times > 1 ? 'partly' : 'fails';
  return { misses, times, verdict: /** @type {'holds' | 'partly' | 'fails'} */ (verdict) };
}

/** The terms of one number of the product, and what each misses.
 * @param {ThreeWays} ways @param {number} row @param {number} column */
export function termsOf({ x, w, depth, columns }, row, column) {
  return Array.from({ length: depth }, (_, k) => {
    const weight = w[k * columns + column];
    const term = (/** @type {ArrayLike<number>} */ of) => of[row * depth + k] * weight;
    const exact = term(x.exact);
    return {
      ...{ x: x.exact[row * depth + k], weight, exact },
      ...{ sixteen: term(x.sixteen) - exact, eight: term(x.eight) - exact },
    };
  });
}
