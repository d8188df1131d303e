// Reads what llama2.c writes: a model, stories15M.bin, and its tokenizer.bin. Little-endian:
//
//   7 int32 of the model: width, feed-forward width, layers, heads, heads of keys and values, vocabulary (negative:
//   the logits have weights of their own), length; then all tensors in float32, those of one kind layer by layer
//
//   version 1: "ak42" as uint32, int32 version, the same 7 int32 (the vocabulary positive), a byte that is 1 where the
//   logits have no weights of their own, zeros up to byte 256; then the tensors, those of the norms first
//
//   int32 longest token, then of each token: float32 score, int32 length, UTF-8
//
// https://github.com/karpathy/llama2.c

import { refusing } from '../../js/formats/texts.js';
import { readExactly } from './source.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./stored.js').StoredTensor} StoredTensor */

/** @typedef {object} Llama2c
 * @property {number} width
 * @property {number} inner
 * @property {number} layers
 * @property {number} heads
 * @property {number} kvHeads
 * @property {number} vocab
 * @property {number} length
 * @property {boolean} tied
 * @property {Map<string, StoredTensor>} tensors by the names of its source, wq.0 being the first layer's */

const HEADER = 28;
/** What files of version 1 begin with. */
export const MAGIC = 0x616b3432;
const HEADER_1 = 256;
const MAX_SIZE = 2 ** 24;
const MAX_LAYERS = 1024;
const MAX_TOKENIZER = 2 ** 26;

/** @type {import('../../js/formats/texts.js').Refuse} */
const refuse = /* @__PURE__ */ refusing('llama2.c');

/** @param {string} where @param {number} value @param {number} high */
function checkSize(where, value, high) {
  if (value < 1 || value > high) refuse('integerFrom', { where, low: 1, high, given: value });
}

/** @typedef {[name: string | null, copies: number, shape: number[]]} Part several tensors of one shape */

/** The tensors in the order of the file; null stands where the file has something that can be computed.
 * @param {Omit<Llama2c, 'tensors'>} model @param {number} version
 * @returns {Part[]} */
function layoutOf({ width, inner, layers, heads, kvHeads, vocab, length, tied }, version) {
  const kvWidth = (width / heads) * kvHeads;
  /* Of the rotation: cosines, sines. */
  const angles = [length, Math.floor(width / heads / 2)];
  /** @type {Part} */
  const table = ['token_embedding_table', 1, [vocab, width]];
  /** @type {Part[]} */
  const norms = [
    ['rms_att_weight', layers, [width]],
    ['rms_ffn_weight', layers, [width]],
    ['rms_final_weight', 1, [width]],
  ];
  /** @type {Part[]} */
  const attention = [
    ['wq', layers, [width, width]],
    ['wk', layers, [kvWidth, width]],
    ['wv', layers, [kvWidth, width]],
    ['wo', layers, [width, width]],
  ];
  /** @type {Part[]} */
  const feedForward = [
    ['w1', layers, [inner, width]],
    ['w2', layers, [width, inner]],
    ['w3', layers, [inner, width]],
  ];
  /** @type {Part} */
  const head = ['wcls', tied ? 0 : 1, [vocab, width]];
  if (version) return [...norms, table, ...attention, ...feedForward, head];
  const [first, second, last] = norms;
  return [table, first, ...attention, second, ...feedForward, last, [null, 2, angles], head];
}

/** What stands before the 7 numbers, and whether the logits share the table, where it does not stand within them.
 * @param {Source} source */
async function beginningOf(source) {
  const bytes = await readExactly(source, 0, HEADER);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(0, true) !== MAGIC) return { view, version: 0, header: HEADER, tied: null };
  const version = view.getInt32(4, true);
  if (version === 2)
    refuse('typeUnread', { where: 'version 2', dtype: '8-bit Q8_0', words: 'F32' });
  /* Files of the first kind have no number. */
  if (version !== 1) refuse('word', { where: 'version', words: '1', given: version });
  const whole = await readExactly(source, 0, HEADER_1);
  const rest = new DataView(whole.buffer, whole.byteOffset + 8);
  return { view: rest, version, header: HEADER_1, tied: rest.getUint8(28) === 1 };
}

/** Reads the header of a model. The file's length must be what the header makes it.
 * @param {Source} source
 * @returns {Promise<Llama2c>} */
export async function readLlama2c(source) {
  const { view, version, header, tied } = await beginningOf(source);
  const [width, inner, layers, heads, kvHeads, rows, length] = Array.from({ length: 7 }, (_, i) =>
    view.getInt32(4 * i, true),
  );
  const model = {
    width,
    inner,
    layers,
    heads,
    kvHeads,
    vocab: version ? rows : Math.abs(rows),
    length,
    tied: tied ?? rows > 0,
  };
  for (const [where, value, high] of /** @type {[string, number, number][]} */ ([
    ['dim', width, MAX_SIZE],
    ['hidden_dim', inner, MAX_SIZE],
    ['n_layers', layers, MAX_LAYERS],
    ['n_heads', heads, MAX_SIZE],
    ['n_kv_heads', kvHeads, MAX_SIZE],
    ['vocab_size', model.vocab, MAX_SIZE],
    ['seq_len', length, MAX_SIZE],
  ])) {
    checkSize(where, value, high);
  }
  if (width % heads) {
    refuse('notDividing', { part: 'n_heads', n: heads, whole: 'dim', size: width });
  }
  const layout = layoutOf(model, version);
  const size = layout.reduce(
    (sum, [, n, shape]) => sum + 4 * n * shape[0] * (shape[1] ?? 1),
    header,
  );
  if (source.size !== size && Number.isFinite(source.size)) {
    refuse('sizeAs', { expected: size, size: source.size });
  }
  /** @type {Map<string, StoredTensor>} */
  const tensors = new Map();
  let begin = header;
  for (const [name, copies, shape] of layout) {
    for (let i = 0; i < copies; i++) {
      const end = begin + 4 * shape[0] * (shape[1] ?? 1);
      if (name) tensors.set(`${name}.${i}`, { dtype: 'F32', shape, begin, end });
      begin = end;
    }
  }
  return { ...model, tensors };
}

/** Reads tokenizer.bin: the tokens of a vocabulary, with their scores.
 * @param {Source} source @param {number} vocab how many the model has
 * @returns {Promise<{ tokens: string[], scores: Float32Array }>} */
export async function readLlama2cTokens(source, vocab) {
  const bytes = await source.read(0, Math.min(source.size, MAX_TOKENIZER));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** @type {string[]} */
  const tokens = [];
  /** @type {number[]} */
  const scores = [];
  let offset = 4;
  for (let i = 0; i < vocab; i++) {
    if (offset + 8 > bytes.length) refuse('tokensEnd', { n: i, expected: vocab });
    const length = view.getInt32(offset + 4, true);
    const begin = offset + 8;
    if (length < 0 || begin + length > bytes.length) refuse('tokensEnd', { n: i, expected: vocab });
    scores.push(view.getFloat32(offset, true));
    offset = begin + length;
    tokens.push(decoder.decode(bytes.subarray(begin, offset)));
  }
  return { tokens, scores: Float32Array.from(scores) };
}
