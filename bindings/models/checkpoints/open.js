// Opens the files that people have: GGUF, safetensors, llama2.c. Of a file its header is read at first, by which it
// is refused if it must be. Its tensors are read in the order of the file, piece by piece, into the core's memory.

import {
  checkBoolean,
  checkListener,
  checkWord,
  english,
  readOptions,
} from '../../js/base/errors.js';
import { parse } from '../../js/base/file.js';
import { checkSignal, turns } from '../../js/base/turn.js';
import { isObject, sizeOf } from '../../js/base/values.js';
import { readSafetensorsHeader } from '../../js/formats/safetensors.js';
import { refusing as fileRefusing } from '../../js/formats/texts.js';
import { weightsOf } from '../../js/model/model.js';
import { ARITHMETICS } from '../../js/stored/matrix.js';
import { MAGIC, readGguf } from '../formats/gguf.js';
import { MAGIC as LLAMA2C, readLlama2c, readLlama2cTokens } from '../formats/llama2c.js';
import { besides, openSource, readExactly } from '../formats/source.js';
import { bytesOf, STORED } from '../formats/stored.js';
import { listedTokenizer } from '../formats/token-lists.js';
import { File } from './file.js';
import { fromNeighbours, inGguf, ofGguf, scalingOf, tokenListsOf } from './gguf.js';
import { familyOf } from './index.js';
import { ofLlama2c, tokenListsOfLlama2c } from './llama2c.js';
import { OpenedModel } from './opened.js';
import { planOf } from './plan.js';
import { bytesWhenStored, hasIntegers, StoredModel } from './stored.js';
import { place } from './table.js';
import { message, refusing, typeError } from './texts.js';

/** @typedef {import('../formats/source.js').FileLike} FileLike */
/** @typedef {import('../formats/source.js').Source} Source */
/** @typedef {import('../formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {import('../formats/token-lists.js').TokenLists} TokenLists */
/** @typedef {import('../../js/model/weights.js').Weights} Weights */
/** @typedef {import('../../js/runtime/engine.js').Engine} Engine */
/** @typedef {import('../../js/stored/matrix.js').StoredMatrix} StoredMatrix */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */
/** @typedef {import('./gguf.js').Ordered} Ordered */
/** @typedef {import('./table.js').Family} Family */

/** A file that was opened: its header was read, its weights were not.
 * @typedef {object} Checkpoint
 * @property {'gguf' | 'safetensors' | 'llama2.c'} container the format of the file
 * @property {string} family Hugging Face's model_type
 * @property {Readonly<ModelConfig>} config of the model in it
 * @property {number} bytes that the weights take in the file
 * @property {{ stored: number, float32: number }} memory what they take in the core's memory, in bytes: as the file
 *   stores them, or all in float32
 * @property {ListedTokenizer | null} tokenizer of a GGUF, or of the tokenizer.bin that was given
 * @property {string | null} chatTemplate in Jinja
 * @property {readonly string[]} warnings what the file does not say, and what was taken in its place
 * @property {readonly string[] | null} labels of the classes of a model that finds some: what its node `classes` scores
 * @property {boolean} multiLabel whether they do not exclude each other: each has a probability of its own */

/** @typedef {object} OpenOptions
 * @property {unknown} [config] of safetensors: config.json, parsed; where the file has an address or a path, it is
 *   read beside it
 * @property {FileLike} [tokenizer] of llama2.c: tokenizer.bin
 * @property {AbortSignal} [signal] ends the reading */

/** A tensor that was not read yet, and which of the sources has it.
 * @typedef {Ordered & { source: number, data?: Float32Array }} Placed */
/** @typedef {ReturnType<typeof planOf<Placed>>} Plan */

/** As many numbers as are expanded at once. */
const VALUES_AT_ONCE = 2 ** 18;
const MAX_JSON_BYTES = 2 ** 26;
/** What llama2.c's first number is below. */
const MAX_WIDTH = 2 ** 20;
const CONFIG = 'config.json';
/** GGUF's divisors of the frequencies of rotation, and their base where it says none. */
const ROPE_DIVISORS = 'rope_freqs.weight';
const ROPE_THETA = 10000;
const MAX_PAIRS = 4096;
const INDEX = 'model.safetensors.index.json';

/** How files of gzip, bzip2, xz, 7z and zstd begin. */
const ARCHIVES = ['\x1f\x8b', 'BZh', '\xfd7zXZ', '7z\xbc\xaf', '(\xb5/\xfd'];
/** How pickles begin: a zip file, or one of the protocols 2 to 5. */
const PICKLES = [[0x50, 0x4b, 3, 4], ...[2, 3, 4, 5].map((protocol) => [0x80, protocol])];

/** @type {Record<string, import('../../js/base/errors.js').Rule>} */
const OPTIONS = { config: null, tokenizer: null, signal: [checkSignal] };
/** @type {Record<string, import('../../js/base/errors.js').Rule>} */
const LISTENER = {
  signal: [checkSignal],
  onProgress: [checkListener],
  stored: [checkBoolean],
  arithmetic: [checkWord, ARITHMETICS],
};

/** Of checkpoints: where their weights are, and where they go.
 * @type {WeakMap<Checkpoint, { sources: readonly Source[], plan: Plan }>} */
const openedFiles = new WeakMap();

// ---- Files beside a file ----

/** @param {unknown} file
 * @returns {file is string | URL} */
const isAddress = (file) => typeof file === 'string' || file instanceof URL;

/** @param {FileLike} file @param {string} part @param {AbortSignal} [signal] */
async function readJson(file, part, signal) {
  const source = await openSource('openCheckpoint', file, signal);
  try {
    const bytes = await source.read(0, Math.min(source.size, MAX_JSON_BYTES));
    const value = parse(part, new TextDecoder().decode(bytes));
    return isObject(value) ? value : refusing(part)('object', { given: value });
  } finally {
    await source.close();
  }
}

/** The files that an index names, in its folder.
 * @param {string | URL} address @param {AbortSignal} [signal] */
async function shardsOf(address, signal) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing(INDEX);
  const { weight_map: map } = await readJson(address, INDEX, signal);
  if (!isObject(map)) return refuse('object', { where: 'weight_map', given: map });
  const names = new Set(Object.values(map));
  if (!names.size) return refuse('noShards', { where: 'weight_map' });
  return Array.from(names, (name) => {
    const fits = typeof name === 'string' && /^[\w-][\w.-]*\.safetensors$/.test(name);
    return fits ? besides(address, name) : refuse('shardName', { value: name });
  });
}

// ---- Headers ----

/** @param {Source} source
 * @returns {Promise<Checkpoint['container']>} */
async function containerOf(source) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing(source.name || 'file');
  const begin = await readExactly(source, 0, 16);
  const text = String.fromCharCode(...begin);
  if (text.startsWith(MAGIC)) return 'gguf';
  if (PICKLES.some((sign) => sign.every((byte, i) => begin[i] === byte))) refuse('pickle', {});
  if (ARCHIVES.some((sign) => text.startsWith(sign))) refuse('packed', {});
  /* The length of the header, and its first character. */
  if (text[8] === '{') return 'safetensors';
  if (/^\s*\{/.test(text)) refuse('describes', {});
  const first = new DataView(begin.buffer, begin.byteOffset).getInt32(0, true);
  if (first === LLAMA2C || (first > 0 && first < MAX_WIDTH)) return 'llama2.c';
  return refuse('unknownFile', { given: text });
}

/** What a header says of the model, and what comes with it: plain data, which can be sent to whoever has the core.
 * @typedef {object} Header
 * @property {Checkpoint['container']} container
 * @property {Record<string, unknown>} config
 * @property {Map<string, Placed>} tensors
 * @property {TokenLists | null} lists
 * @property {string | null} chatTemplate */

/** @param {Map<string, Ordered>} tensors @param {number} source */
const placed = (tensors, source) =>
  new Map([...tensors].map(([name, tensor]) => [name, { ...tensor, source }]));

/** @param {readonly Source[]} sources @param {unknown} config
 * @returns {Promise<Header>} */
async function safetensorsHeader(sources, config) {
  if (config === undefined || config === null) return refusing(CONFIG)('configMissing', {});
  if (!isObject(config)) return refusing(CONFIG)('object', { given: config });
  /** @type {Map<string, Placed>} */
  const tensors = new Map();
  for (const [i, source] of sources.entries()) {
    const { entries } = await readSafetensorsHeader(source);
    for (const [name, tensor] of placed(entries, i)) {
      if (tensors.has(name)) refusing(source.name || 'file')('nameTwice', { where: name });
      tensors.set(name, tensor);
    }
  }
  return { container: 'safetensors', config, tensors, lists: null, chatTemplate: null };
}

/** @param {Source} source @param {Ordered} tensor */
async function numbersOf(source, { dtype, shape, begin, end }) {
  const numbers = new Float32Array(sizeOf(shape));
  STORED[dtype].expand(await readExactly(source, begin, end), numbers);
  return numbers;
}

/** @param {Source} source
 * @returns {Promise<Header>} */
async function ggufHeader(source) {
  const { metadata, tensors } = await readGguf(source);
  const described = ofGguf(metadata, tensors);
  const divisors = described.tensors.get(ROPE_DIVISORS);
  if (divisors) {
    described.tensors.delete(ROPE_DIVISORS);
    const { dtype, shape } = divisors;
    const fits = Object.hasOwn(STORED, dtype) && sizeOf(shape) > 0 && sizeOf(shape) <= MAX_PAIRS;
    const base = Number(described.config.rope_theta ?? ROPE_THETA);
    const scaling = fits ? scalingOf(await numbersOf(source, divisors), base) : null;
    if (!scaling) refusing('GGUF')('settingUnread', { value: ROPE_DIVISORS });
    described.config.rope_scaling = scaling;
  }
  const template = metadata.get('tokenizer.chat_template');
  return {
    container: 'gguf',
    config: described.config,
    tensors: placed(described.tensors, 0),
    lists: tokenListsOf(metadata),
    chatTemplate: typeof template === 'string' ? template : null,
  };
}

/** @param {Source} source @param {FileLike | undefined} tokenizer @param {AbortSignal | undefined} signal
 * @returns {Promise<Header>} */
async function llama2cHeader(source, tokenizer, signal) {
  const file = await readLlama2c(source);
  const described = ofLlama2c(file);
  /** @type {Header} */
  const header = {
    container: 'llama2.c',
    config: described.config,
    tensors: placed(described.tensors, 0),
    lists: null,
    chatTemplate: null,
  };
  if (tokenizer === undefined) return header;
  const beside = await openSource('openCheckpoint: tokenizer', tokenizer, signal);
  try {
    return {
      ...header,
      lists: tokenListsOfLlama2c(await readLlama2cTokens(beside, file.vocab)),
    };
  } finally {
    await beside.close();
  }
}

/** Reads the positions of a family that computes them: they are compared.
 * @param {Family} family @param {Map<string, Placed>} tensors @param {readonly Source[]} sources */
async function readSinusoids(family, tensors, sources) {
  const file = new File(family, tensors);
  try {
    for (const name of family.sinusoids) {
      const tensor = file.find(name)?.tensor;
      if (!tensor || !Object.hasOwn(STORED, tensor.dtype)) continue;
      tensor.data = await numbersOf(sources[tensor.source], tensor);
    }
  } finally {
    for (const source of sources) await source.close();
  }
}

/** The `problem_type` of labels that do not exclude each other. */
const MULTI_LABEL = 'multi_label_classification';

/** What config.json calls the classes.
 * @param {ModelConfig} config @param {unknown} names by their numbers */
function labelsOf({ classes }, names) {
  if (!classes) return null;
  const labels = isObject(names) ? names : {};
  return Object.freeze(Array.from({ length: classes }, (_, i) => String(labels[i] ?? i)));
}

/** What a tokenizer does not say, and what is taken in its place.
 * @param {TokenLists | null} lists */
export function warningsOf(lists) {
  if (lists?.model !== 'gpt2' || lists.pre !== undefined) return [];
  const warning = message('noPre', { where: 'tokenizer.ggml.pre' });
  return [{ ...warning, message: english(warning) }];
}

/** What a header tells, once it is held against its config; the sources have the weights.
 * @param {readonly Source[]} sources @param {Header} header
 * @returns {Promise<Checkpoint>} */
export async function checkpointOf(sources, { container, config, tensors, lists, chatTemplate }) {
  const shared = familyOf(config);
  const family = container === 'gguf' ? inGguf(shared) : shared;
  if (family.sinusoids.length) await readSinusoids(family, tensors, sources);
  const plan = planOf(family, config, tensors, container === 'safetensors' ? CONFIG : container);
  const integers = plan.taken.filter(({ tensor: { dtype } }) => !Object.hasOwn(STORED, dtype));
  if (integers.length) {
    const keys = integers.map(({ key, tensor }) => `"${key}" ${tensor.dtype}`).join(', ');
    const problems = [message('keysTyped', { n: integers.length, keys: keys.slice(0, 1000) })];
    refusing(family.types[0])('keysUnfit', { problems });
  }
  const numbers = plan.taken.reduce((sum, { tensor: { shape } }) => sum + sizeOf(shape), 0);
  /** @type {Checkpoint} */
  const checkpoint = Object.freeze({
    container,
    family: String(config.model_type),
    config: Object.freeze(plan.config),
    bytes: piecesOf(plan).reduce((sum, { tensor: { begin, end } }) => sum + end - begin, 0),
    memory: Object.freeze({ stored: bytesWhenStored(plan.taken), float32: 4 * numbers }),
    tokenizer: lists && listedTokenizer(lists),
    chatTemplate,
    warnings: Object.freeze(warningsOf(lists).map(({ message: text }) => text)),
    labels: labelsOf(plan.config, config.id2label),
    multiLabel: Boolean(plan.config.classes) && config.problem_type === MULTI_LABEL,
  });
  openedFiles.set(checkpoint, { sources, plan });
  return checkpoint;
}

/** Refuses one part of several, by its name.
 * @param {string} name */
function checkPart(name) {
  const [, n, count, kind] = /-(\d{5})-of-(\d{5})\.(gguf|safetensors)$/.exec(name) ?? [];
  if (!(Number(count) > 1)) return;
  const part = { n: Number(n), count: Number(count) };
  if (kind === 'gguf') fileRefusing(name)('partOfGguf', part);
  fileRefusing(name)('partOfTensors', { ...part, file: INDEX });
}

/** Reads the header of a file, whose weights the sources have: they are closed, and a later read opens them again.
 * @param {FileLike | readonly FileLike[]} input @param {OpenOptions} options
 * @returns {Promise<{ sources: Source[], header: Header }>} */
export async function headerOf(input, { config, tokenizer, signal }) {
  const isIndex = isAddress(input) && String(input).endsWith('.index.json');
  /** @type {readonly unknown[]} */
  const files = isIndex ? await shardsOf(input, signal) : [input].flat();
  /** @type {Source[]} */
  const sources = [];
  try {
    for (const file of files.length ? files : [undefined]) {
      sources.push(await openSource('openCheckpoint', file, signal));
    }
    if (sources.length === 1) checkPart(sources[0].name);
    const container = await containerOf(sources[0]);
    if (container === 'gguf') return { sources, header: await ggufHeader(sources[0]) };
    if (container === 'llama2.c') {
      return { sources, header: await llama2cHeader(sources[0], tokenizer, signal) };
    }
    const fileConfig =
      config === undefined && isAddress(input)
        ? await readJson(besides(input, CONFIG), CONFIG, signal)
        : config;
    return { sources, header: await safetensorsHeader(sources, fileConfig) };
  } finally {
    for (const source of sources) await source.close();
  }
}

/** Opens a file: GGUF, safetensors with its config.json, or llama2.c. Reads its header alone, and refuses there what
 * cannot be read; `gf.openModel(checkpoint)` makes the model.
 * @deprecated goes in 2.0; use open of glassformer, which makes the model and its tokenizer at once
 * @param {FileLike | readonly FileLike[]} file several: the parts of a sharded safetensors; an address or a path may
 *   lead to model.safetensors.index.json, too
 * @param {OpenOptions} [options]
 * @returns {Promise<Checkpoint>}
 * @example
 * import { openCheckpoint } from 'glassformer/models';
 * import { exportModel } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
 * const { config, bytes } = exportModel(model, 'gpt2'); // or: openCheckpoint('smollm2.gguf')
 * const checkpoint = await openCheckpoint(bytes, { config });
 * checkpoint.config.vocab; // = 8 */
export async function openCheckpoint(file, options = {}) {
  const checkedOptions = readOptions('openCheckpoint', options, OPTIONS);
  const { signal } = checkedOptions;
  try {
    const { sources, header } = await headerOf(file, checkedOptions);
    const checkpoint = await checkpointOf(sources, header);
    signal?.throwIfAborted();
    return checkpoint;
  } catch (error) {
    /* What was cut off by the signal ends with its reason. */
    signal?.throwIfAborted();
    throw error;
  }
}

// ---- Weights ----

/** What is to be read, in the order of the files.
 * @param {Plan} plan */
function piecesOf({ taken }) {
  const pieces = taken.flatMap(({ tensor, twins, ...rest }) =>
    [tensor, ...twins].map((one) => ({ ...rest, tensor: one })),
  );
  return pieces.sort(
    ({ tensor: a }, { tensor: b }) => a.source - b.source || a.begin - b.begin || a.end - b.end,
  );
}

/** Whether numbers are the same, bit for bit.
 * @param {Float32Array} a @param {Float32Array} b */
const areSame = (a, b) => a.every((value, i) => Object.is(value, b[i]));

/** Puts rows where they belong.
 * @param {StoredMatrix} matrix @param {Uint8Array} bytes @param {number} first @param {number} count
 * @param {(row: number) => number} [rowOf] */
function putRows(matrix, bytes, first, count, rowOf) {
  if (!rowOf) {
    matrix.put(bytes, first);
    return;
  }
  const size = bytes.length / count;
  for (let i = 0; i < count; i++) {
    matrix.put(bytes.subarray(i * size, (i + 1) * size), rowOf(first + i));
  }
}

/** Reads the weights into a model's memory; tells after each piece how many bytes that were. Whoever has the turn
 * meanwhile may let the memory grow: each piece has views of its own.
 * @param {Weights} weights @param {ReadonlyMap<string, StoredMatrix>} stored what stays as it is stored
 * @param {readonly Source[]} sources @param {Plan} plan
 * @returns {AsyncGenerator<number, void, undefined>} */
async function* reading(weights, stored, sources, plan) {
  const written = new Set();
  /* All pieces go through the same memory: what is thrown away would be kept until somebody collects it. */
  let room = new Uint8Array(0);
  let numbers = new Float32Array(0);
  for (const { entry, key, tensor } of piecesOf(plan)) {
    const { dtype, shape, begin, pairs } = tensor;
    const rowOf = pairs ? fromNeighbours(pairs) : undefined;
    const source = sources[tensor.source];
    const width = /** @type {number} */ (shape.at(-1));
    const rows = sizeOf(shape) / width;
    const step = Math.max(1, Math.floor(VALUES_AT_ONCE / width));
    const isAgain = written.has(entry);
    written.add(entry);
    const matrix = stored.get(entry.ours[0]);
    for (let row = 0; row < rows; row += step) {
      const many = Math.min(step, rows - row);
      const from = begin + bytesOf(dtype, row * width);
      const size = bytesOf(dtype, many * width);
      if (room.length < size) room = new Uint8Array(size);
      const bytes = await readExactly(source, from, from + size, room);
      if (matrix) {
        putRows(matrix, bytes, row, many, rowOf);
        yield bytes.length;
        continue;
      }
      if (numbers.length < many * width) numbers = new Float32Array(many * width);
      const values = numbers.subarray(0, many * width);
      STORED[dtype].expand(bytes, values);
      const parts = entry.ours.map((name) => weights.parameters.get(name).block('values'));
      /* Twins are tables and vectors, which lie in the file as they do here. */
      if (!isAgain) place(entry, parts, values, row, rowOf);
      else if (!areSame(values, parts[0].subarray(row * width))) {
        refusing(source.name || 'file')('twinUnlike', { value: key });
      }
      yield bytes.length;
    }
  }
}

/** How a model is made of a checkpoint.
 * @typedef {object} ModelOptions
 * @property {boolean} [stored] matrices stay as the file stores them, in few bits, and give the same results, bit for
 *   bit; such a model is neither trained nor saved. By default all parameters become float32
 * @property {import('../../js/stored/matrix.js').Arithmetic} [arithmetic] `integer`: products with such matrices are
 *   sums of integers, faster, with other bits than `exact`, the default, but one set of them everywhere. So matrices
 *   stay stored by default
 * @property {AbortSignal} [signal] ends the reading
 * @property {(part: number, bytes: number) => void} [onProgress] part: 0 to 1; bytes: read so far */

/** Refuses to multiply in integers where a file stores none, or they become float32.
 * @param {boolean} stored @param {Plan} plan */
function checkIntegers(stored, { taken }) {
  const where = 'openModel: arithmetic';
  if (!stored) throw typeError('integersExpanded', { where });
  if (taken.some(hasIntegers)) return;
  const types = [...new Set(taken.map(({ tensor }) => tensor.dtype))].join(', ');
  throw typeError('noIntegers', { where, types });
}

/** Makes the model of a checkpoint, reading its weights piece by piece.
 * @param {Engine} engine @param {Checkpoint} checkpoint @param {ModelOptions} [options]
 * @returns {Promise<OpenedModel>} */
export async function openModel(engine, checkpoint, options = {}) {
  const { arithmetic = 'exact', ...rest } = readOptions('openModel', options, LISTENER);
  const { stored = arithmetic === 'integer', signal, onProgress } = rest;
  const opened = openedFiles.get(checkpoint);
  if (!opened) throw typeError('checkpoint', { where: 'openModel', given: checkpoint });
  signal?.throwIfAborted();
  const { sources, plan } = opened;
  const all = checkpoint.bytes;
  if (arithmetic === 'integer') checkIntegers(stored, plan);
  const model = stored
    ? new StoredModel(engine, plan.config, plan.taken, arithmetic)
    : new OpenedModel(engine, plan.config);
  model.tokenizer = checkpoint.tokenizer;
  model.chatTemplate = checkpoint.chatTemplate;
  const matrices = model instanceof StoredModel ? model.stored : new Map();
  const turn = turns();
  let isWhole = false;
  try {
    let done = 0;
    const weights = weightsOf('openModel', model);
    for await (const bytes of reading(weights, matrices, sources, plan)) {
      done += bytes;
      onProgress?.(done / all, done);
      await turn();
      signal?.throwIfAborted();
    }
    isWhole = true;
    return model;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    if (!isWhole) model.dispose();
    for (const source of sources) await source.close();
  }
}
