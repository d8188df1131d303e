// glassformer convert: a model of others in another type of numbers, in the files of Hugging Face, or as model.save()
// writes it.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { exportModel } from '../index.js';
import { sizeOf } from '../js/base/values.js';
import { checkpointOf, headerOf } from '../models/checkpoints/open.js';
import { ggufHeader, MAGIC, readGguf } from '../models/formats/gguf.js';
import { STORING } from '../models/formats/quantize.js';
import { openSource, readExactly } from '../models/formats/source.js';
import { bytesOf, STORED } from '../models/formats/stored.js';
import { load } from '../models.js';
import { settingsOf, tokenizerFiles } from './companions.js';
import { areSame, checkFolder, checkPlace, Draft, writeFiles } from './files.js';
import { modelOf, noteWarnings, tokensBeside, weightsIn, within } from './models.js';
import { checkKept, HALVES, narrowed } from './narrowed.js';
import { Failure, FORCE, string, UsageError, word } from './usage.js';

/** @typedef {import('../models/formats/gguf.js').Gguf} Gguf */
/** @typedef {import('../models/formats/source.js').Source} Source */
/** @typedef {import('../models/formats/stored.js').StoredTensor} StoredTensor */
/** @typedef {import('./terminal.js').Terminal} Terminal */

/** As many numbers as are converted at once. */
const PIECE_VALUES = 2 ** 18;

/** The types, and the number that general.file_type has for a file of each. */
const FILE_TYPES = {
  ...{ f32: 0, f16: 1, bf16: 32, q4_0: 2, q4_1: 3, q5_0: 8, q5_1: 9, q8_0: 7 },
  ...{ q4_k: 14, q5_k: 16, q6_k: 18 },
};
const TYPES = Object.keys(FILE_TYPES);

/** What takes the place of a type whose blocks do not divide the rows of a matrix. @type {Record<string, string>} */
const SUBSTITUTES = { Q4_K: 'Q5_0', Q5_K: 'Q5_1', Q6_K: 'Q8_0' };

/** What safetensors are written in. */
const FLOATS = ['f32', ...Object.keys(HALVES)];

/** How the names of files end that are something else than what is written here. */
const OTHER_FILES = /\.(bin|pth?|ckpt|onnx|npz|json|safetensor|ggml|txt|md|zip|gz|tar)$/i;

/** The formats that exportModel writes the families in. @type {Record<string, 'llama' | 'roberta'>} */
const OTHERS = {
  mistral: 'llama',
  'xlm-roberta': 'roberta',
  camembert: 'roberta',
};

const HELP = `glassformer convert IN OUT

Stores a model in another format, which the name of OUT decides:

  NAME.gguf   IN is a GGUF. Its matrices are stored in the type that --type
              names, which must be given, vectors as f32; its metadata and
              tokenizer stay
  FOLDER      a new or an empty folder, as Hugging Face has them: config.json,
              model.safetensors in f32 (the default), f16 or bf16, and the
              tokenizer. IN is a GGUF, a .bin of llama2.c, or a folder of
              Hugging Face
  NAME.safetensors
              the same models in one file, in the same types, as model.save()
              writes it: gf.open reads it in Python, too

  --type TYPE   ${TYPES.slice(0, 5).join(', ')},
                ${TYPES.slice(5).join(', ')}
  --force       replace OUT if it is a file that exists, even if it is IN
  --json        one object: the file, its bytes, how many tensors have each type
  --quiet       nothing but errors

A type with a K has blocks of 256 numbers. Where a row does not divide into
them, q5_0, q5_1 or q8_0 take the place of q4_k, q5_k or q6_k. Where it does
not divide into blocks of 32 either, a matrix is stored as f16.

Examples
  glassformer convert smollm2.gguf smollm2-q8.gguf --type q8_0
  glassformer convert smollm2.gguf smollm2 --type bf16
  glassformer convert smollm2.gguf smollm2.safetensors
`;

/** The type that a tensor gets.
 * @param {string} type @param {readonly number[]} shape */
function typeFor(type, shape) {
  if (shape.length < 2) return 'F32';
  const wanted = type.toUpperCase();
  const width = /** @type {number} */ (shape.at(-1));
  const fits = [wanted, SUBSTITUTES[wanted]].find((one) => one && width % STORED[one].block === 0);
  return fits ?? 'F16';
}

/** The metadata with another general.file_type, if it has one.
 * @param {Gguf['pairs']} pairs @param {number} fileType */
function retyped(pairs, fileType) {
  const key = Buffer.from('\x11\0\0\0\0\0\0\0general.file_type\x04\0\0\0', 'latin1');
  const bytes = Buffer.from(pairs.bytes);
  const place = bytes.indexOf(key);
  if (place >= 0) bytes.writeUInt32LE(fileType, place + key.length);
  return { count: pairs.count, bytes: new Uint8Array(bytes) };
}

/** The bytes of a tensor in another type, a piece at a time.
 * @param {Source} source @param {string} name @param {StoredTensor} tensor @param {string} dtype */
async function* converted(source, name, { dtype: from, shape, begin }, dtype) {
  const width = /** @type {number} */ (shape.at(-1));
  const all = sizeOf(shape);
  const step = width * Math.max(1, Math.floor(PIECE_VALUES / width));
  for (let first = 0; first < all; first += step) {
    const count = Math.min(step, all - first);
    const place = begin + bytesOf(from, first);
    const numbers = new Float32Array(count);
    const bytes = await readExactly(source, place, place + bytesOf(from, count));
    STORED[from].expand(bytes, numbers);
    const out = new Uint8Array(bytesOf(dtype, count));
    STORING[dtype](numbers, out);
    checkKept(numbers, out, dtype, name);
    yield out;
  }
}

/** A model of others, and what its header says: what no command could open is not converted.
 * @param {string} from @param {Terminal} terminal */
async function checked(from, terminal) {
  const { sources, header } = await headerOf(from, {
    signal: terminal.signal,
    ...tokensBeside(from),
  });
  const checkpoint = await checkpointOf(sources, header);
  noteWarnings(from, checkpoint, terminal);
  return { header, checkpoint };
}

/** How a file is written. @typedef {{ force: boolean, terminal: Terminal }} Writing */

/** @param {string} from @param {string} to @param {string} type @param {Writing} writing */
async function toGguf(from, to, type, { force, terminal }) {
  const { signal } = terminal;
  const source = await openSource('convert', from);
  let draft;
  try {
    const begin = Buffer.from(await source.read(0, MAGIC.length)).toString('latin1');
    if (begin !== MAGIC) {
      const instead = 'a folder or a NAME.safetensors can be made of it';
      throw new Failure(`${from}: ${to} is made from a GGUF, which this file is not; ${instead}`);
    }
    const gguf = await within(from, async () => {
      await checked(from, terminal);
      return readGguf(source);
    });
    const pairs = retyped(gguf.pairs, FILE_TYPES[/** @type {keyof typeof FILE_TYPES} */ (type)]);
    const { header, tensors } = ggufHeader({ ...gguf, pairs }, (_, { shape }) =>
      typeFor(type, shape),
    );
    draft = await Draft.open(to, { force, signal });
    await draft.write(header);
    let written = header.length;
    const end = header.length + (tensors.at(-1)?.end ?? 0);
    /** @type {Record<string, number>} */
    const types = {};
    for (const [i, { name, dtype, begin }] of tensors.entries()) {
      const tensor = /** @type {StoredTensor} */ (gguf.tensors.get(name));
      const padding = new Uint8Array(header.length + begin - written);
      await draft.write(padding);
      written += padding.length;
      for await (const bytes of converted(source, name, tensor, dtype)) {
        await draft.write(bytes);
        written += bytes.length;
        const percent = Math.floor((100 * written) / end);
        terminal.progress(`${percent} %  ${name}  ${i + 1} / ${tensors.length}`);
      }
      types[dtype.toLowerCase()] = (types[dtype.toLowerCase()] ?? 0) + 1;
    }
    await draft.keep();
    return { file: to, bytes: written, types };
  } finally {
    draft?.drop();
    await source.close();
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** A model of others, opened whole, and what its header says.
 * @param {string} from @param {Terminal} terminal */
async function opened(from, terminal) {
  const { header, checkpoint } = await within(from, () => checked(from, terminal));
  terminal.signal?.throwIfAborted();
  return {
    header,
    model: await modelOf(await load(), from, checkpoint, terminal),
  };
}

/** What a safetensors may have its numbers in. @typedef {'f32' | keyof typeof HALVES} Type */

/** @param {Uint8Array} bytes of float32 @param {Type} type */
const typed = (bytes, type) => (type === 'f32' ? bytes : narrowed(bytes, type));

/** @param {string} from @param {string} to @param {Type} type @param {Writing} writing */
async function toFolder(from, to, type, { terminal }) {
  const { signal } = terminal;
  const { header, model } = await opened(from, terminal);
  const family = String(header.config.model_type);
  const format = OTHERS[family] ?? /** @type {'llama'} */ (family);
  const { config, bytes: whole } = exportModel(model, format);
  Object.assign(config, settingsOf(header));
  const bytes = typed(whole, type);
  if (type !== 'f32') config.torch_dtype = HALVES[type];
  const tokenizer = tokenizerFiles(from, header);
  const place = (/** @type {string} */ name) => path.join(to, name);
  const file = place('model.safetensors');
  await writeFiles(
    [
      [place('config.json'), `${JSON.stringify(config, null, 2)}\n`],
      [file, bytes],
      ...tokenizer.map(([name, content]) => /** @type {const} */ ([place(name), content])),
    ],
    { folder: to, signal },
  );
  if (!tokenizer.some(([name]) => name === 'tokenizer.json'))
    terminal.note(`${from} has no tokenizer`);
  return { file, bytes: bytes.length, types: { [type]: model.parameters.size } };
}

/** @param {string} from @param {string} to @param {Type} type @param {Writing} writing */
async function toFile(from, to, type, { force, terminal }) {
  const { model } = await opened(from, terminal);
  const bytes = typed(model.save(), type);
  await writeFiles([[to, bytes]], { force, signal: terminal.signal });
  return { file: to, bytes: bytes.length, types: { [type]: model.parameters.size } };
}

/** Refuses before the work what would fail after it.
 * @param {string} to @param {boolean} isFolder @param {boolean} force */
async function checkOutput(to, isFolder, force) {
  if (!isFolder) return checkPlace(to, force);
  /* What lies there already could belong to another model, such as its tokenizer. */
  const [there] = await readdir(to).catch(() => []);
  if (there) throw new Failure(`${to}: expected a new or an empty folder, but it has ${there}`);
  checkFolder(to);
}

/** IN and OUT. @param {string[]} words */
function filesOf(words) {
  const [from, to, ...rest] = words;
  if (!from || !to || rest.length) {
    const received = words.map((name) => JSON.stringify(name)).join(', ') || 'none';
    throw new UsageError(`expected two files, IN and OUT, received ${received}`);
  }
  if (!to.endsWith('.gguf') && OTHER_FILES.test(to)) {
    throw new UsageError(
      `OUT: expected a NAME.gguf, a NAME.safetensors or a folder, received ${to}`,
    );
  }
  return [from, to];
}

/** The type of the numbers in the new file. @param {import('./usage.js').Flags} flags @param {boolean} isGguf */
function typeOf(flags, isGguf) {
  const types = isGguf ? TYPES : FLOATS;
  const type = string(flags, 'type')?.toLowerCase();
  if (type && TYPES.includes(type) && !types.includes(type)) {
    throw new UsageError(
      `--type: a folder and a NAME.safetensors hold ${FLOATS.join(', ')}; ${type} needs a NAME.gguf`,
    );
  }
  if (isGguf && type === undefined) {
    throw new UsageError(`--type is missing. Choose from ${types.join(', ')}`);
  }
  return word({ type }, 'type', types);
}

/** @type {import('./usage.js').Command} */
export const convert = {
  help: HELP,
  flags: { type: { type: 'string' }, ...FORCE },
  async run({ flags, words, terminal }) {
    const [from, to] = filesOf(words);
    const isGguf = to.endsWith('.gguf');
    const type = typeOf(flags, isGguf);
    const isFile = to.endsWith('.safetensors');
    const input = weightsIn(from);
    const force = flags.force === true;
    if (areSame(to, input) && !force) {
      throw new Failure(`${to}: IN and OUT are the same file. Pass --force to replace it`);
    }
    await checkOutput(to, !isGguf && !isFile, force);
    const writing = { force, terminal };
    const report = await (type !== undefined && isGguf
      ? toGguf(input, to, type, writing)
      : (isFile ? toFile : toFolder)(input, to, /** @type {Type} */ (type ?? 'f32'), writing));
    if (flags.json) return terminal.print(`${JSON.stringify(report)}\n`);
    const parts = Object.entries(report.types).map(([name, count]) => `${count} in ${name}`);
    terminal.note(`wrote ${report.file}: ${megabytes(report.bytes)}, tensors ${parts.join(', ')}`);
  },
};
