// Cases of the ONNX backend tests: an adapter per operator, in the operator's own words.
import { adam } from './adam.js';
import { attention } from './attention.js';
import { dropout, elementwise } from './elementwise.js';
import { losses } from './losses.js';
import { moving } from './moving.js';
import { products } from './products.js';
import { rotary } from './rotary.js';
import { rows } from './rows.js';

/** An adapter gets the attributes and the inputs, and gives the outputs; what is not asked for may be
 * left out. @typedef {(gf: any, attrs: any, inputs: any[], expected: any[]) => any[]} Adapter */

/** @type {Record<string, Adapter>} */
const adapters = {
  ...adam,
  ...attention,
  ...dropout,
  ...elementwise,
  ...losses,
  ...moving,
  ...products,
  ...rotary,
  ...rows,
};

/** 2e-6 for these, as the data's README has it. */
const CLOSE = { atol: 2e-6, rtol: 2e-6 };
const EXACTING = [
  ...['Attention', 'Softmax', 'LogSoftmax', 'LayerNormalization', 'RMSNormalization'],
];

const INT32 = 2 ** 31;

/** A tensor of the data as the API takes it: float32, int32, or bits for booleans.
 * @param {any} tensor */
function read(tensor) {
  if (!tensor) return null;
  const { dtype, shape, data } = tensor;
  const list = data.map(Number);
  if (dtype === 'bool') return { data: Uint8Array.from(list), shape };
  if (!/^u?int/.test(dtype)) return { data: Float32Array.from(list), shape };
  if (list.some((value) => value < -INT32 || value >= INT32)) throw new Error('int32 overflows');
  return { data: Int32Array.from(list), shape };
}

/** @param {any} gf @param {any} given
 * @returns {import('../folder.js').Pair[]} */
export function onnxPairs(gf, { op, attrs = {}, inputs, outputs }) {
  const adapter = Object.hasOwn(adapters, op) && adapters[op];
  if (!adapter) throw new Error(`unknown op ${op}`);
  const results = adapter(gf, attrs, inputs.map(read), outputs);
  return outputs.flatMap((expected, i) => {
    if (!expected) return [];
    const what = expected.name ?? `output ${i}`;
    if (!results[i]) throw new Error(`${what} is not computed`);
    const tolerance = EXACTING.includes(op) ? CLOSE : undefined;
    return [{ what, actual: results[i], expected, tolerance }];
  });
}
