// Small files of every format, one for each kind of value, tensor and edge: where fuzzing begins, and what every reader
// opens or refuses alike. Whether a seed opens, its format's description says.
import {
  ARRAY,
  BOOL,
  bytesOf,
  F32,
  gguf,
  I32,
  llama2c,
  llamaGguf,
  STRING,
  TYPES,
  U32,
  U64,
} from './gguf.js';
import { CONFIG, METADATA, smallTensors } from './small-gguf.js';

const LLAMA = { ...CONFIG, num_hidden_layers: 1, vocab_size: 8 };
const tensors = smallTensors(LLAMA, 8);
const { metadata, list } = llamaGguf(LLAMA, tensors, {}, { parts: true });

/** A model with more metadata. @param {Record<string, [any, any]>} more @param {object} [options] */
const withPairs = (more, options) => gguf({ ...metadata, ...more }, list, options);
/** A model whose table is another. @param {string | number} type @param {number[]} shape @param {number} bytes */
const withTable = (type, shape, bytes) =>
  gguf(
    metadata,
    list.map((row) =>
      row[0] === 'token_embd.weight' ? [row[0], type, shape, new Uint8Array(bytes)] : row,
    ),
  );
/** @param {Uint8Array} file @param {number} at @param {number[]} bytes */
const patched = (file, at, bytes) => {
  const copy = file.slice();
  copy.set(bytes, at);
  return copy;
};

const NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12];
const plain = withPairs({});
const LISTS = {
  ...METADATA,
  'tokenizer.ggml.tokens': [[STRING], ['a', 'b', 'ab', 'c', 'd', 'e', 'f', 'g']],
};
const LISTED = {
  ...LISTS,
  'tokenizer.ggml.token_type': [[I32], [1, 1, 1, 1, 1, 1, 1, 1]],
  'tokenizer.ggml.merges': [[STRING], ['a b']],
};
/** @param {string} key @param {[any, any]} pair */
const listed = (key, pair) => withPairs({ ...LISTED, [`tokenizer.ggml.${key}`]: pair });

/** What a number of each type may be. @param {number} type */
const number = (type) => (type === BOOL ? 1 : 2);

/** Files of GGUF, and whether they open. @type {Record<string, [file: Uint8Array, opens: boolean]>} */
export const GGUF = {
  plain: [plain, true],
  ...Object.fromEntries(
    NUMBERS.flatMap((type) => [
      [`value of type ${type}`, [withPairs({ 'x.y': [type, number(type)] }), true]],
      [`array of type ${type}`, [withPairs({ 'x.y': [[type], [number(type), 0]] }), true]],
      [`empty array of type ${type}`, [withPairs({ 'x.y': [[type], []] }), true]],
    ]),
  ),
  'a string': [withPairs({ 'x.y': [STRING, 'é😀'] }), true],
  'an empty string': [withPairs({ 'x.y': [STRING, ''] }), true],
  'an empty key': [withPairs({ '': [U32, 1] }), true],
  'strings of no length': [withPairs({ 'x.y': [[STRING], ['', '']] }), true],
  'no strings': [withPairs({ 'x.y': [[STRING], []] }), true],
  'no arrays': [withPairs({ 'x.y': [[ARRAY], []] }), true],
  'a value of no type': [
    patched(withPairs({ 'x.y': [U64, 0] }), 0, [...new TextEncoder().encode('GGUF'), 4]),
    false,
  ],
  'version 2': [withPairs({}, { version: 2 }), true],
  ...Object.fromEntries(
    [0, 1, 4].map((version) => [`version ${version}`, [withPairs({}, { version }), false]]),
  ),
  'big-endian': [patched(plain, 4, [0, 0, 0, 3]), false],
  ...Object.fromEntries(
    [1, 32, 4096].map((alignment) => [
      `alignment ${alignment}`,
      [withPairs({ 'general.alignment': [U32, alignment] }, { alignment }), true],
    ]),
  ),
  'alignment 0': [withPairs({ 'general.alignment': [U32, 0] }), false],
  'alignment 24': [withPairs({ 'general.alignment': [U32, 24] }), false],
  'alignment as a string': [withPairs({ 'general.alignment': [STRING, '32'] }), false],
  ...Object.fromEntries(
    Object.entries(TYPES)
      .filter(([, [, block]]) => 32 % block === 0)
      .map(([type, [, block, bytes]]) => [
        `tensor of ${type}`,
        [withTable(type, [8, 32], ((8 * 32) / block) * bytes), true],
      ]),
  ),
  'tensor of half a block': [withTable('Q4_K', [8, 32], 144), false],
  'tensor of no type': [withTable(99, [8, 32], 1024), false],
  'tensor with no rank': [withTable('F32', [], 4), false],
  'tensor of rank 5': [withTable('F32', [1, 1, 1, 8, 32], 1024), false],
  'tensor with a dimension of 0': [withTable('F32', [0, 32], 0), false],
  'tensor of 2^60 numbers': [withTable('F32', [2 ** 30, 2 ** 30], 0), false],
  'a tensor twice': [gguf(metadata, [...list, list[0]]), false],
  'no tensors': [gguf(metadata, []), false],
  'a file that is cut': [plain.subarray(0, plain.length - 64), false],
  'a header that is cut': [plain.subarray(0, 100), false],
  'part 1 of 2': [withPairs({ 'split.no': [2, 0], 'split.count': [2, 2] }), false],
  'part 1 of 1': [withPairs({ 'split.no': [2, 0], 'split.count': [2, 1] }), true],
  'a tokenizer': [withPairs(LISTED), true],
  'a token twice': [listed('tokens', [[STRING], ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g']]), false],
  'a merge of one token': [listed('merges', [[STRING], ['ab']]), false],
  'a merge of three': [listed('merges', [[STRING], ['a b c']]), false],
  'a pre of no text': [listed('pre', [U32, 1]), false],
  'a pre that nobody knows': [listed('pre', [STRING, 'nobody']), false],
  'bos beyond the tokens': [listed('bos_token_id', [U32, 8]), false],
  'bos as a whole float': [listed('bos_token_id', [F32, 1]), true],
  'bos as half a float': [listed('bos_token_id', [F32, 0.5]), false],
  'bos as a bool': [listed('bos_token_id', [BOOL, 1]), false],
  'eom beyond the tokens': [listed('eom_token_id', [U32, 8]), false],
  'add_bos as a number': [listed('add_bos_token', [U32, 1]), false],
  'no tokens': [listed('tokens', [[STRING], []]), false],
};

/** A file of safetensors. @param {string} header @param {number} [bytes] of numbers */
function safetensors(header, bytes = 4) {
  const text = new TextEncoder().encode(header);
  const file = new Uint8Array(8 + text.length + bytes);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  return file;
}
const ONE = '"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';

/** Files of safetensors, and whether they can be read. @type {Record<string, [file: Uint8Array, opens: boolean]>} */
export const SAFETENSORS = {
  plain: [safetensors(`{${ONE}}`), true],
  empty: [safetensors('{}', 0), true],
  'metadata null': [safetensors(`{"__metadata__":null,${ONE}}`), true],
  'metadata null, with spaces': [safetensors(`{ "__metadata__" : null , ${ONE} } `), true],
  'metadata {}': [safetensors(`{"__metadata__":{},${ONE}}`), true],
  'metadata twice': [safetensors(`{"__metadata__":null,"__metadata__":null,${ONE}}`), false],
  'metadata nul': [safetensors(`{"__metadata__":nul,${ONE}}`), false],
  'metadata nullx': [safetensors(`{"__metadata__":nullx,${ONE}}`), false],
  'metadata []': [safetensors(`{"__metadata__":[],${ONE}}`), false],
  'metadata of numbers': [safetensors(`{"__metadata__":{"a":1},${ONE}}`), false],
  'metadata of null': [safetensors(`{"__metadata__":{"a":null},${ONE}}`), false],
  'a name twice': [safetensors(`{${ONE},${ONE}}`), false],
  'a tensor of null': [safetensors('{"a":null}', 0), false],
  'no shape': [safetensors('{"a":{"dtype":"F32","data_offsets":[0,4]}}'), false],
  'rank 0': [safetensors('{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}'), true],
  'a dimension of 0': [
    safetensors('{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}', 0),
    true,
  ],
  'a shape below 0': [
    safetensors('{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}'),
    false,
  ],
  'a hole': [safetensors('{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', 8), false],
  'bytes at the end': [safetensors(`{${ONE}}`, 5), false],
};

const MODEL2C = llama2c({ ...LLAMA }, tensors);
/** @param {number} at which number of the header @param {number} value */
const header2c = (at, value) =>
  patched(MODEL2C, 4 * at, [...bytesOf(/** @type {any} */ (Int32Array.of(value)))]);

/** Files of llama2.c, and whether they open. @type {Record<string, [file: Uint8Array, opens: boolean]>} */
export const LLAMA2C = {
  plain: [MODEL2C, true],
  'version 1': [llama2c({ ...LLAMA }, tensors, 1), true],
  'version 2': [patched(llama2c({ ...LLAMA }, tensors, 1), 4, [2, 0, 0, 0]), false],
  ...Object.fromEntries(
    ['dim', 'hidden', 'layers', 'heads', 'kvHeads', 'vocab', 'length'].flatMap((name, at) =>
      [0, -1, 2 ** 31 - 1].map((value) => [`${name} ${value}`, [header2c(at, value), false]]),
    ),
  ),
  'a file that is cut': [MODEL2C.subarray(0, MODEL2C.length - 4), false],
};
