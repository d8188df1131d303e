// Writes ONNX models: a graph is built node by node, values go by their names.

import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

const IR_VERSION = 9;
const FLOAT = 1;
const INT64 = 7;
const OPSETS = [
  { domain: '', version: 20 },
  { domain: 'com.microsoft', version: 1 },
];

const Model = protobuf
  .loadSync(fileURLToPath(new URL('onnx.proto', import.meta.url)))
  .lookupType('onnx.ModelProto');

/** @param {string} name @param {number} elemType @param {readonly number[]} shape */
const value = (name, elemType, shape) => ({
  name,
  type: { tensorType: { elemType, shape: { dim: shape.map((dimValue) => ({ dimValue })) } } },
});

/** A text, a whole number, a list of them; a number that is to be a float comes as { float }.
 * @typedef {string | number | readonly number[] | { float: number }} Attribute */

/** @param {[string, Attribute]} entry */
function attribute([name, value]) {
  if (typeof value === 'string') return { name, s: Buffer.from(value), type: 3 };
  if (typeof value === 'number') return { name, i: value, type: 2 };
  return 'float' in value ? { name, f: value.float, type: 1 } : { name, ints: [...value], type: 7 };
}

export class Graph {
  /** @type {object[]} */
  #nodes = [];
  /** @type {object[]} */
  #initializers = [];
  /** @type {object[]} */
  #inputs = [];
  /** @type {object[]} */
  #outputs = [];

  /** @param {string} name @param {readonly number[]} shape */
  input(name, shape) {
    this.#inputs.push(value(name, FLOAT, shape));
    return name;
  }

  /** @param {string} name @param {readonly number[]} shape */
  ids(name, shape) {
    this.#inputs.push(value(name, INT64, shape));
    return name;
  }

  /** Constant numbers.
   * @param {string} name @param {{ data: Float32Array, shape: readonly number[] }} tensor */
  weight(name, { data, shape }) {
    return this.#constant(name, FLOAT, data, shape);
  }

  /** Constant whole numbers, such as a shape. @param {string} name @param {number[]} list */
  list(name, list) {
    return this.#constant(name, INT64, BigInt64Array.from(list, BigInt), [list.length]);
  }

  /** The first result of an op. One of Microsoft's is told as 'com.microsoft.Gelu'.
   * @param {string} op @param {readonly string[]} input names, '' where one is left out
   * @param {Record<string, Attribute>} [attributes] @param {string[]} [output] names of the results */
  node(op, input, attributes = {}, output = [`${op}.${this.#nodes.length}`]) {
    const dot = op.lastIndexOf('.');
    this.#nodes.push({
      input,
      output,
      opType: op.slice(dot + 1),
      domain: op.slice(0, Math.max(dot, 0)),
      attribute: Object.entries(attributes).map(attribute),
    });
    return output[0];
  }

  /** @param {string} name @param {readonly number[]} shape */
  output(name, shape) {
    this.#outputs.push(value(name, FLOAT, shape));
  }

  bytes() {
    const graph = {
      name: 'bench',
      node: this.#nodes,
      initializer: this.#initializers,
      input: this.#inputs,
      output: this.#outputs,
    };
    return Model.encode({ irVersion: IR_VERSION, opsetImport: OPSETS, graph }).finish();
  }

  /** @param {string} name @param {number} dataType @param {Float32Array | BigInt64Array} data
   * @param {readonly number[]} dims */
  #constant(name, dataType, data, dims) {
    const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#initializers.push({ name, dataType, dims, rawData });
    return name;
  }
}
