// What the JavaScript fuzzer tries: inputs from outside, each taken or refused in the documented way.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {
  examples,
  exportModel,
  importModel,
  load,
  readModel,
  traceExample,
} from '../../bindings/index.js';
import { readSafetensors, writeSafetensors } from '../../bindings/js/formats/safetensors.js';
import { chatPrompt } from '../../bindings/models/formats/chat.js';
import { openTokenizer } from '../../bindings/models/formats/tokenizer.js';
import { load as loadOpening, openCheckpoint } from '../../bindings/models.js';
import { unpack } from '../../web/app/state/packed.js';
import { BadHash, chapterOf, fromHash, toHash } from '../../web/app/state/store.js';
import { BadQuestion, questionOf } from '../../web/figures/embed/protocol.js';
import { unforeseen } from '../support/foreseen.js';
import { gguf, llama2c, llamaGguf, STRING, tokenizerBin } from '../support/gguf.js';
import { GGUF, LLAMA2C, SAFETENSORS } from '../support/seeds.js';
import { tokenizers } from '../support/tokenizers.js';
import { chapters } from '../web/states.js';

/** @typedef {{ inputs: import('fast-check').Arbitrary<any>, run: (input: any) => unknown }} Target
 * inputs are plain JSON, so that one that goes wrong can be kept as a file */

/** Does it, unless it is refused: as this, or as the package refuses.
 * @template T
 * @param {() => T} call @param {Function} [kind]
 * @returns {T | undefined} */
function unless(call, kind) {
  try {
    return call();
  } catch (error) {
    assert.ok(kind ? error instanceof kind : !unforeseen(error), error.stack);
    return undefined;
  }
}

/** Reads a file, unless it is refused as one.
 * @template T
 * @param {() => T} call
 * @returns {T | undefined} */
function unlessFile(call) {
  try {
    return call();
  } catch (error) {
    assert.equal(error.code, 'GF_EFILE', error.stack);
    assert.equal(unforeseen(error), null, error.stack);
    return undefined;
  }
}

/** What may stand anywhere in a JSON file. */
const odd = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, '', 'x', [], {}, [[]], [[1]]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A JSON value with some of its parts replaced, left out or given twice.
 * @param {any} value @param {{ place: number, odd: any }[]} changes */
function changed(value, changes) {
  const whole = [structuredClone(value)];
  for (const { place, odd } of changes) {
    /** @type {[any, string][]} */
    const places = [];
    const walk = (/** @type {any} */ at) => {
      for (const key of Object.keys(at)) {
        places.push([at, key]);
        if (typeof at[key] === 'object' && at[key]) walk(at[key]);
      }
    };
    walk(whole);
    const [parent, key] = places[place % places.length];
    parent[key] = structuredClone(odd);
  }
  return whole[0];
}
const changes = fc.array(fc.record({ place: fc.nat(), odd }), { minLength: 1, maxLength: 3 });

const gf = await load();
const small = gf.model({
  kind: 'gpt',
  vocab: 5,
  dModel: 4,
  heads: 1,
  layers: 1,
  dFF: 4,
  maxLength: 6,
});
const saved = small.save();
const foreign = exportModel(small, 'gpt2');

/** A Llama as others have it, with a tokenizer of each kind. */
const opener = await loadOpening();
const llama = exportModel(
  gf.model({
    ...{ kind: 'gpt', vocab: 6, dModel: 8, heads: 2, kvHeads: 1, layers: 1, dFF: 4, maxLength: 6 },
    ...{ positions: 'rotary', norm: 'rms', activation: 'swiglu', bias: false, tied: false },
  }),
  'llama',
);
const llamaTensors = readSafetensors(llama.bytes).tensors;
const listed = [
  {
    'tokenizer.ggml.model': [STRING, 'gpt2'],
    'tokenizer.ggml.pre': [STRING, 'smollm'],
    'tokenizer.ggml.tokens': [[STRING], ['<|end|>', 'a', 'b', 'ab', 'Ġ', 'Ġab']],
    'tokenizer.ggml.token_type': [[5], [3, 1, 1, 1, 1, 4]],
    'tokenizer.ggml.merges': [[STRING], ['a b', 'Ġ ab']],
    'tokenizer.ggml.bos_token_id': [4, 0],
    'tokenizer.chat_template': [STRING, '{{ messages }}'],
  },
  {
    'tokenizer.ggml.model': [STRING, 'llama'],
    'tokenizer.ggml.tokens': [[STRING], ['<unk>', '<s>', '</s>', '▁', 'a', '▁a']],
    'tokenizer.ggml.token_type': [[5], [2, 3, 3, 1, 1, 1]],
    'tokenizer.ggml.scores': [[6], [0, 0, 0, -1, -2, -3]],
    'tokenizer.ggml.bos_token_id': [4, 1],
    'tokenizer.ggml.add_bos_token': [7, 1],
  },
];
const bin = {
  models: [0, 1].map((version) => llama2c(llama.config, llamaTensors, version)),
  tokens: tokenizerBin(['<unk>', '\n<s>\n', '\n</s>\n', ' ', 'a', ' a'], [0, 0, 0, -1, -2, -3]),
};

/** The same model in two files, with the index that leads to them. */
const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const shards = [0, 1].map((half) => ({
  name: `model-${half}.safetensors`,
  tensors: [...llamaTensors].filter((_, i) => i % 2 === half),
}));
const index = {
  metadata: { total_size: 4096 },
  weight_map: Object.fromEntries(
    shards.flatMap(({ name, tensors }) => tensors.map(([tensor]) => [tensor, name])),
  ),
};
const shardNames = ['model-0.safetensors', 'no.safetensors', 'config.json', '../x.safetensors'];

/** What stretches its rotation. */
const rope_scaling = {
  ...{ rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
  original_max_position_embeddings: 64,
};

/** Integers where formats have lengths, counts, offsets and types. */
const word = fc.oneof(
  fc.nat(300).map(String),
  fc.constantFrom(...[31, 32, 48, 53, 62, 63].map((power) => String(2n ** BigInt(power)))),
  fc.constantFrom(...[32, 63, 64].map((power) => String(2n ** BigInt(power) - 1n))),
);
/** What becomes of bytes: words written over them, single bytes, a part taken out or put in twice. */
const damage = fc.record({
  words: fc.array(fc.tuple(fc.nat(), word, fc.constantFrom(4, 8)), { maxLength: 2 }),
  bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
  part: fc.option(fc.tuple(fc.nat(), fc.nat(64), fc.boolean())),
  cut: fc.oneof(fc.constant(0), fc.nat(4000)),
});

/** What templates are made of. */
const PIECES = (
  '{{ }} {% %} {# #} {%- -%} {{- -}} for i in messages endfor if else elif endif set x = macro f(a) endmacro call endcall ' +
  '( ) [ ] { } | , . : ~ + - * / // % ** == < and or not is 1 2.5 \'a\' "b" true none range(9) namespace() .content ' +
  '|length |list |tojson |join .strip() [::-1] [1:] loop.last raw endraw filter upper with break recursive x.y = in'
)
  .split(' ')
  .map((piece) => `${piece} `);

/** @param {Uint8Array} bytes @param {any} how
 * @returns {Uint8Array<ArrayBuffer>} */
function damaged(bytes, { words, bytes: single, part, cut }) {
  let file = Uint8Array.from(bytes);
  for (const [place, value, size] of words) {
    const at = place % (file.length - 8);
    for (let i = 0; i < size; i++) file[at + i] = Number((BigInt(value) >> BigInt(8 * i)) & 255n);
  }
  for (const [place, byte] of single) file[place % file.length] = byte;
  if (part) {
    const [place, length, isTwice] = part;
    const at = place % file.length;
    const rest = file.subarray(isTwice ? at : Math.min(at + length, file.length));
    file = Uint8Array.from([...file.subarray(0, isTwice ? at + length : at), ...rest]);
  }
  return file.slice(0, file.length - Math.min(cut, file.length));
}

/** Awaits it, unless it is refused as a file.
 * @template T
 * @param {() => Promise<T>} call
 * @returns {Promise<T | undefined>} */
async function unlessFileAwaited(call) {
  try {
    return await call();
  } catch (error) {
    assert.equal(error.code, 'GF_EFILE', error.stack);
    assert.equal(unforeseen(error), null, error.stack);
    return undefined;
  }
}

/** Opens a file, whose model and tokenizer then work.
 * @param {Uint8Array<ArrayBuffer>} file @param {object} [options] */
async function opens(file, options) {
  const checkpoint = await unlessFileAwaited(() => openCheckpoint(file, options));
  if (!checkpoint) return;
  const { tokenizer } = checkpoint;
  if (tokenizer) {
    const ids = tokenizer.encode(' ab<|end|> a1\n</s>é');
    for (const id of ids) assert.ok(Number.isInteger(id) && id >= 0, `${id} is no id`);
    assert.equal(typeof tokenizer.decode([...ids, 2 ** 24]), 'string');
  }
  (await unlessFileAwaited(() => opener.openModel(checkpoint)))?.dispose();
}

/** Parts of a tokenizer, where they belong or not. */
const part = fc.oneof(
  fc.constantFrom(
    'BPE',
    'Unigram',
    'WordLevel',
    'Sequence',
    'Metaspace',
    'CTC',
    'BPEDecoder',
    'Nmt',
  ),
  fc.constantFrom(
    { type: 'CTC', pad_token: 's', word_delimiter_token: '', cleanup: true },
    { type: 'BPEDecoder', suffix: '' },
    { type: 'FixedLength', length: 0 },
    { type: 'Split', pattern: { Regex: '(' } },
    { type: 'Split', pattern: { Regex: '[[:alpha:]&&[^a]]+' }, behavior: 'Removed' },
    { type: 'RobertaProcessing', sep: ['cat', 4], cls: ['no', 4] },
    { SpecialToken: { id: 'x' } },
    ['a', 1],
    'a c',
  ),
);

/** A file of that header, whatever length it claims.
 * @param {string} header @param {Uint8Array} data @param {number} [claimed] */
function fileOf(header, data, claimed) {
  const text = new TextEncoder().encode(header);
  const file = new Uint8Array(8 + text.length + data.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(claimed ?? text.length), true);
  file.set(text, 8);
  file.set(data, 8 + text.length);
  return file;
}

/** The header of a file, and what follows it.
 * @param {Uint8Array<ArrayBuffer>} file
 * @returns {[any, Uint8Array]} */
function partsOf(file) {
  const end = 8 + new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(file.subarray(8, end))), file.subarray(end)];
}

/** What a name may be: a key of the format, of every object, of no Unicode, or of any. */
const name = fc.oneof(
  fc.constantFrom('__metadata__', '__proto__', 'constructor', '', '\ud800', '\u0000', '\u{10ffff}'),
  fc.constantFrom('embedding.weight', 'wte.weight', 'transformer.wte.weight', 'format', 'config'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
/** The ends of all sizes. */
const size = fc.oneof(
  fc.nat(700),
  fc.constantFrom(-1, 0.5, 2 ** 24, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, '8', null),
);
/** A tensor as a header tells it, seldom rightly. */
const entry = fc.record(
  {
    dtype: fc.oneof(fc.constantFrom('F64', 'F32', 'F16', 'BF16', 'I64', 'U8', 'BOOL', 'F8'), odd),
    shape: fc.oneof(fc.array(size, { maxLength: 40 }), odd),
    data_offsets: fc.oneof(fc.tuple(size, size), fc.array(size, { maxLength: 3 }), odd),
    more: odd,
  },
  { requiredKeys: ['dtype', 'shape', 'data_offsets'] },
);

/** Bytes of a file: its header changed, tensors and notes put in, one of them perhaps twice, its length
 * told otherwise, some bytes changed, some at the end cut off. */
const bytes = fc.record({
  file: fc.nat(1),
  header: fc.option(changes),
  entries: fc.array(fc.tuple(name, fc.oneof(entry, odd)), { maxLength: 3 }),
  notes: fc.option(fc.oneof(fc.dictionary(name, fc.oneof(fc.string(), odd), { maxKeys: 3 }), odd)),
  twice: fc.boolean(),
  claimed: fc.option(size.filter((n) => Number.isSafeInteger(n) && n >= 0)),
  at: fc.array(fc.tuple(fc.nat(saved.length), fc.nat(255)), { maxLength: 4 }),
  cut: fc.oneof(fc.constant(0), fc.nat(saved.length)),
});

/** The bytes that such a description means.
 * @param {any} described */
function bytesOf({ file, header, entries = [], notes, twice, claimed, at, cut }) {
  const [whole, rest] = partsOf([saved, foreign.bytes][file]);
  const json = header ? changed(whole, header) : whole;
  const object = typeof json === 'object' && json !== null && !Array.isArray(json);
  /** @type {[string, any][]} */
  const members = object ? [...Object.entries(json), ...entries] : [];
  if (notes) members.push(['__metadata__', notes]);
  if (twice && members.length) members.push(members[0]);
  const text = object
    ? `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`
    : JSON.stringify(json);
  const data = fileOf(text, rest, claimed ?? undefined);
  for (const [place, byte] of at) data[place % data.length] = byte;
  return data.subarray(0, data.length - Math.min(cut, data.length));
}

/** @type {Record<string, Target>} */
export const targets = {
  safetensors: {
    inputs: bytes,
    run(described) {
      const data = bytesOf(described);
      const read = unlessFile(() =>
        described.file ? importModel({ config: foreign.config, bytes: data }) : readModel(data),
      );
      if (read) unlessFile(() => gf.open(read))?.dispose();
    },
  },

  config: {
    inputs: changes,
    run(how) {
      const config = changed(foreign.config, how);
      const files = { config, bytes: foreign.bytes };
      const read = unlessFile(() => importModel(files));
      if (read) unlessFile(() => gf.open(read))?.dispose();
    },
  },

  /* The config within a file of our own, and the step beside it. */
  saved: {
    inputs: fc.record({
      changes,
      more: fc.dictionary(name, odd, { maxKeys: 2 }),
      step: fc.option(fc.oneof(fc.string(), size.map(String))),
    }),
    run({ changes: how, more, step }) {
      const [header, rest] = partsOf(saved);
      const { config, ...notes } = header.__metadata__;
      const wrong = changed(JSON.parse(config), how);
      const whole = typeof wrong === 'object' && wrong ? { ...wrong, ...more } : wrong;
      header.__metadata__ = { ...notes, config: JSON.stringify(whole), ...(step && { step }) };
      const read = unlessFile(() => readModel(fileOf(JSON.stringify(header), rest)));
      if (read) unlessFile(() => gf.open(read))?.dispose();
      const { parameters } = readModel(saved);
      unlessFile(() => gf.open({ config: whole, parameters }))?.dispose();
    },
  },

  /* Other metadata, tensors left out, given twice or of another type and shape, and then damaged bytes. */
  gguf: {
    inputs: fc.record({
      kind: fc.nat(1),
      metadata: fc.array(
        fc.tuple(
          fc.nat(),
          fc.oneof(
            fc.tuple(
              fc.constantFrom(4, 5, 10),
              fc.oneof(fc.nat(70), fc.constantFrom(2 ** 24, 2 ** 31 - 1)),
            ),
            fc.tuple(fc.constant(6), fc.constantFrom(0, -1, 0.5, 1e30)),
            fc.tuple(fc.constant(7), fc.nat(1)),
            fc.tuple(
              fc.constant(8),
              fc.oneof(fc.constantFrom('llama', 'gpt2', 'qwen2', ''), fc.string()),
            ),
            fc.tuple(
              fc.constant([8]),
              fc.array(fc.constantFrom('a', 'b', '', 'a b', '<s>'), { maxLength: 8 }),
            ),
            fc.tuple(fc.constant([5]), fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 8 })),
          ),
        ),
        { maxLength: 2 },
      ),
      tensors: fc.array(
        fc.tuple(
          fc.nat(),
          fc.constantFrom('left', 'twice', 'F32', 'F16', 'Q4_0', 'Q6_K', 10, 99),
          fc.option(
            fc.array(fc.oneof(fc.nat(64), fc.constantFrom(2 ** 31, 2 ** 53 - 1)), { maxLength: 5 }),
          ),
        ),
        { maxLength: 2 },
      ),
      damage: fc.option(damage),
    }),
    run({ kind, metadata, tensors, damage: how }) {
      const { metadata: own, list } = llamaGguf(llama.config, llamaTensors, listed[kind], {
        parts: true,
      });
      const keys = Object.keys(own);
      const said = {
        ...own,
        ...Object.fromEntries(metadata.map(([i, pair]) => [keys[i % keys.length], pair])),
      };
      const all = [...list];
      for (const [i, what, shape] of tensors) {
        const at = i % Math.max(1, all.length);
        if (!all[at]) continue;
        const [name, type, usual, bytes] = all[at];
        if (what === 'left') all.splice(at, 1);
        else if (what === 'twice') all.push(all[at]);
        else all[at] = [name, what ?? type, shape ?? usual, bytes];
      }
      const file = gguf(said, all);
      return opens(how ? damaged(file, how) : file);
    },
  },

  /* A small file for each kind of value, tensor and edge, as it is or damaged. */
  seeds: {
    inputs: fc.record({ kind: fc.nat(2), seed: fc.nat(), damage: fc.option(damage) }),
    run({ kind, seed, damage: how }) {
      const files = Object.values([GGUF, LLAMA2C, SAFETENSORS][kind]);
      const [file] = files[seed % files.length];
      const bytes = how ? damaged(file, how) : file;
      return kind === 2 ? unlessFile(() => readSafetensors(bytes, 'seed')) : opens(bytes);
    },
  },

  /* A chat template made of pieces of others. */
  template: {
    inputs: fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), {
      maxLength: 40,
    }),
    run(pieces) {
      const messages = [{ role: /** @type {const} */ ('user'), content: 'a😀b' }];
      /* The number of steps ends a template; a busy machine must not. */
      const options = { timeout: 60_000 };
      const text = unlessFile(() =>
        chatPrompt({ chatTemplate: pieces.join('') }, messages, options),
      );
      assert.ok(text === undefined || typeof text === 'string');
    },
  },

  llama2c: {
    inputs: fc.record({
      version: fc.nat(1),
      header: fc.array(
        fc.tuple(
          fc.nat(9),
          fc.oneof(
            fc.integer({ min: -9, max: 40 }),
            fc.constantFrom(2 ** 20, 2 ** 31 - 1, -(2 ** 31)),
          ),
        ),
        { maxLength: 3 },
      ),
      damage: fc.option(damage),
      tokens: fc.option(damage),
    }),
    run({ version = 0, header, damage: how, tokens }) {
      const file = Uint8Array.from(bin.models[version]);
      for (const [i, value] of header) new DataView(file.buffer).setInt32(4 * i, value, true);
      const tokenizer = tokens ? damaged(bin.tokens, tokens) : bin.tokens;
      return opens(how ? damaged(file, how) : file, { tokenizer });
    },
  },

  /* An index that leads elsewhere, tensors in other files than it says, and damaged files. */
  shards: {
    inputs: fc.record({
      index: fc.option(changes),
      names: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...shardNames)), { maxLength: 2 }),
      config: fc.option(changes),
      moved: fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 2 }),
      damage: fc.option(damage),
    }),
    run({ index: how, names, config, moved, damage: of }) {
      const said = structuredClone(index);
      const tensors = Object.keys(said.weight_map);
      for (const [i, name] of names) said.weight_map[tensors[i % tensors.length]] = name;
      const parts = shards.map((shard) => new Map(shard.tensors));
      for (const [i, isTwice] of moved) {
        const [from, to] = i % 2 ? parts : parts.toReversed();
        const key = [...from.keys()][i % from.size];
        if (key === undefined) continue;
        to.set(key, from.get(key));
        if (!isTwice) from.delete(key);
      }
      const files = parts.map((part) => writeSafetensors(part));
      if (of) files[0] = damaged(files[0], of);
      for (const [i, { name }] of shards.entries())
        writeFileSync(path.join(folder, name), files[i]);
      const own = { ...llama.config, rope_scaling };
      const wrong = config ? changed(own, config) : own;
      writeFileSync(path.join(folder, 'config.json'), JSON.stringify(wrong));
      const file = path.join(folder, 'model.safetensors.index.json');
      writeFileSync(file, JSON.stringify(how ? changed(said, how) : said));
      return opens(file);
    },
  },

  tokenizer: {
    inputs: fc.record({
      name: fc.constantFrom(...Object.keys(tokenizers)),
      how: fc.array(fc.record({ place: fc.nat(), odd: fc.oneof(odd, part) }), { maxLength: 4 }),
      config: fc.option(
        fc.dictionary(
          fc.constantFrom(
            ...['additional_special_tokens', 'remove_space', 'clean_up', 'eos_token', 'bos_token'],
            'chat_template',
          ),
          fc.oneof(fc.array(fc.constantFrom('cat', 'Ġcat', '▁cat')), odd),
        ),
      ),
      text: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          'The cat sleeps',
          ' cats cat',
          "naïve ☃ 你好\ncat's 12",
          '</s>[CLS]<|end|>',
        ),
      ),
    }),
    run({ name, how, config, text }) {
      const tokenizer = changed(tokenizers[name], how);
      const read = unlessFile(() => openTokenizer({ tokenizer, config: config ?? {} }));
      const ids = read && unlessFile(() => read.encode(text));
      if (!read || !ids) return;
      const { bos = 0, eos = 0, stops } = read;
      for (const id of [...ids, bos, eos, ...stops]) {
        assert.ok(Number.isInteger(id) && id >= 0, `${id} is no id`);
      }
      assert.ok(read.chatTemplate === null || typeof read.chatTemplate === 'string');
      assert.equal(typeof read.decode([...ids, 2 ** 24]), 'string');
      for (const token of read.tokens([...ids, 9999])) assert.equal(typeof token, 'string');
    },
  },

  link: {
    inputs: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.tuple(
            fc.oneof(
              fc.constantFrom(
                ...Object.values(chapters).flatMap(({ parts }) => Object.keys(parts)),
              ),
              fc.constantFrom('v', 'z', 'chapter', 'theme', 'lang', 'speed', '__proto__'),
            ),
            fc.oneof(
              fc.string({ unit: 'binary' }),
              fc.constantFrom(
                ...Object.keys(chapters),
                '1',
                '0',
                'q:1,2',
                '-1',
                '1e9',
                '%',
                'x:0,0:3',
              ),
              fc.stringMatching(/^[\w.:,;%=-]*$/),
            ),
          ),
        )
        .map((pairs) => `#${pairs.map((pair) => pair.join('=')).join('&')}`),
    ),
    async run(given) {
      let hash;
      try {
        hash = await unpack(given);
      } catch (error) {
        assert.ok(error instanceof BadHash, String(error.stack));
        return;
      }
      const name = unless(() => chapterOf(hash, Object.keys(chapters)), BadHash);
      const state = name && unless(() => fromHash(hash, chapters[name]), BadHash);
      if (!state) return;
      assert.equal(Object.getPrototypeOf(state), Object.prototype);
      const again = fromHash(toHash(chapters[name], state), chapters[name]);
      assert.deepEqual(again, fromHash(toHash(chapters[name], again), chapters[name]));
    },
  },

  message: {
    inputs: fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          glassformer: fc.oneof(fc.constant(1), odd),
          type: fc.oneof(
            fc.constantFrom('getState', 'setState', 'play', 'pause', 'seek', 'theme', 'lang'),
            odd,
          ),
          id: odd,
          state: fc.oneof(fc.string(), odd),
          at: odd,
          theme: fc.oneof(fc.constant('dark'), odd),
          lang: fc.oneof(fc.constant('fr'), odd),
        },
        { requiredKeys: [] },
      ),
    ),
    run(data) {
      const question = unless(() => questionOf(data), BadQuestion);
      if (question) assert.equal(typeof question.type, 'string');
    },
  },

  example: {
    inputs: fc.record({ name: fc.constantFrom(...Object.keys(examples)), changes }),
    run({ name, changes: how }) {
      const example = changed(examples[name], how);
      const trace = unless(() => traceExample(gf, example));
      trace?.dispose();
    },
  },
};
