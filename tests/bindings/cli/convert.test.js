// glassformer convert: types of numbers, and the files of Hugging Face.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { exportModel, importModel, load, readModel } from '../../../bindings/index.js';
import { readSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { readGguf } from '../../../bindings/models/formats/gguf.js';
import { openSource } from '../../../bindings/models/formats/source.js';
import { openCheckpoint, load as opening } from '../../../bindings/models.js';
import {
  gguf as ggufOf,
  llama2c,
  llamaGguf,
  STRING,
  TYPES,
  tokenizerBin,
  U32,
} from '../../support/gguf.js';
import { call, refuses, succeeds } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-convert-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
const write = (name, content) => {
  writeFileSync(at(name), content);
  return at(name);
};
const header = async (file) => readGguf(await openSource('test', readFileSync(file)));

/** A Llama whose rows some blocks fill. */
const gf = await load();
const model = gf.model({
  ...{ kind: 'gpt', vocab: 9, dModel: 64, heads: 2, kvHeads: 1, layers: 1, dFF: 40, maxLength: 8 },
  ...{ positions: 'rotary', norm: 'rms', activation: 'swiglu', bias: false, tied: false, seed: 4 },
});

const llama = exportModel(model, 'llama');
const { tensors } = readSafetensors(llama.bytes);
const metadata = {
  'general.file_type': [U32, 0],
  'tokenizer.ggml.model': [STRING, 'gpt2'],
  'tokenizer.ggml.pre': [STRING, 'gpt-2'],
  'tokenizer.ggml.tokens': [[STRING], [...'abcdefghi']],
  'tokenizer.ggml.merges': [[STRING], []],
  'tokenizer.ggml.bos_token_id': [U32, 1],
  'tokenizer.ggml.eos_token_id': [U32, 8],
  'tokenizer.chat_template': [STRING, '{{ messages[0].content }}'],
};
const gguf = write('in.gguf', llamaGguf(llama.config, tensors, metadata));

/** How far a number may move, as a part of the largest: half a step of the type. Scales are rounded besides. */
const STEPS = {
  f32: 0,
  f16: 2 ** -11,
  bf16: 2 ** -8,
  q8_0: 1 / 254,
  q5_0: 1 / 16,
  q5_1: 1 / 30,
  q4_0: 1 / 8,
  q4_1: 1 / 14,
};

for (const [type, step] of Object.entries(STEPS)) {
  test(`${type}: matrices move by half a step, vectors and metadata stay`, async () => {
    const out = at(`${type}.gguf`);
    const told = JSON.parse(await succeeds('convert', gguf, out, '--type', type, '--json'));
    assert.deepEqual([told.file, told.bytes], [out, readFileSync(out).length]);
    const [before, now] = [await header(gguf), await header(out)];
    const numbers = { f32: 0, f16: 1, q4_0: 2, q4_1: 3, q8_0: 7, q5_0: 8, q5_1: 9, bf16: 32 };
    const said = new Map(before.metadata).set('general.file_type', numbers[type]);
    assert.deepEqual(now.metadata, said);
    const wanted = type.toUpperCase();
    for (const [name, { dtype, shape }] of now.tensors) {
      assert.deepEqual(shape, before.tensors.get(name).shape);
      const fits = shape.at(-1) % TYPES[wanted][1] === 0;
      assert.equal(dtype, shape.length === 1 ? 'F32' : fits ? wanted : 'F16', name);
    }
    /* 40 numbers in a row: no blocks. */
    assert.equal(
      now.tensors.get('blk.0.ffn_down.weight').dtype,
      STEPS[type] >= 1 / 254 ? 'F16' : wanted,
    );
    const core = await opening();
    const [a, b] = [
      await core.openModel(await openCheckpoint(gguf)),
      await core.openModel(await openCheckpoint(out)),
    ];
    let moved = 0;
    for (const [name, { data }] of a.parameters) {
      const most = data.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
      const other = b.parameters.get(name).data;
      for (let i = 0; i < data.length; i++) {
        const distance = Math.abs(data[i] - other[i]);
        assert.ok(
          distance <= (step && step + 2 ** -10) * most,
          `${name}[${i}]: ${data[i]} became ${other[i]}`,
        );
        moved = Math.max(moved, distance / most);
      }
    }
    assert.ok(moved >= step / 4, `${moved}`);
  });
}

/** A Llama whose rows have blocks of 256, but for those of one matrix. */
const wide = exportModel(gf.model({ ...model.config, dModel: 256, dFF: 64, seed: 5 }), 'llama');
const wideGguf = write(
  'wide.gguf',
  llamaGguf(wide.config, readSafetensors(wide.bytes).tensors, metadata),
);

/* A step and a half of the type for numbers from -most to most: least squares give up the farthest one for others. */
for (const [type, [number, instead, step]] of Object.entries({
  q4_k: [14, 'Q5_0', 3 / 15],
  q5_k: [16, 'Q5_1', 3 / 31],
  q6_k: [18, 'Q8_0', 3 / 63],
})) {
  test(`${type}: other blocks take its place where a row does not divide into 256`, async () => {
    const out = at(`${type}.gguf`);
    const told = JSON.parse(await succeeds('convert', wideGguf, out, '--type', type, '--json'));
    const { metadata: said, tensors: now } = await header(out);
    assert.equal(said.get('general.file_type'), number);
    assert.equal(now.get('blk.0.ffn_down.weight').dtype, instead);
    assert.equal(now.get('blk.0.ffn_up.weight').dtype, type.toUpperCase());
    assert.deepEqual(told.types, { [type]: 8, [instead.toLowerCase()]: 1, f32: 3 });
    const core = await opening();
    const [a, b] = [
      await core.openModel(await openCheckpoint(wideGguf)),
      await core.openModel(await openCheckpoint(out)),
    ];
    for (const [name, { data }] of a.parameters) {
      const most = data.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
      const other = b.parameters.get(name).data;
      for (let i = 0; i < data.length; i++) {
        const bound = data.length === 256 ? 0 : step * most;
        assert.ok(Math.abs(data[i] - other[i]) <= bound, `${name}[${i}]: ${data[i]}, ${other[i]}`);
      }
    }
  });
}

test('a number that a type cannot store is named, and nothing is left', async () => {
  const file = readFileSync(gguf);
  const { tensors: all } = await header(gguf);
  const { begin } = all.get('blk.0.ffn_up.weight');
  for (const [value, type] of [
    [Number.NaN, 'q8_0'],
    [Number.NEGATIVE_INFINITY, 'q4_0'],
    [70000, 'f16'],
  ]) {
    const bad = Buffer.from(file);
    bad.writeFloatLE(value, begin + 4 * 70);
    const sentence = new RegExp(
      `blk.0.ffn_up.weight has the number ${value}, which ${type.toUpperCase()} cannot store`,
    );
    await refuses(['convert', write('bad.gguf', bad), at('a.gguf'), '--type', type], 1, sentence);
    assert.ok(!existsSync(at('a.gguf')));
  }
  /* What it can store stays: bfloat16 has the range of float32, and its NaN. */
  const nan = Buffer.from(file);
  nan.writeFloatLE(Number.NaN, begin);
  const { status } = await call([
    'convert',
    write('nan.gguf', nan),
    at('nan.bf16.gguf'),
    '--type',
    'bf16',
  ]);
  assert.equal(status, 0);
});

test('one file is what model.save() writes', async () => {
  const out = at('own.safetensors');
  const told = JSON.parse(await succeeds('convert', gguf, out, '--json'));
  assert.deepEqual(told, { file: out, bytes: readFileSync(out).length, types: { f32: 12 } });
  const { config, parameters, step } = readModel(readFileSync(out));
  assert.deepEqual([config.positions, config.kvHeads, step], ['rotary', 1, 0]);
  for (const [name, { data }] of model.parameters) {
    assert.deepEqual(parameters.get(name).data, data, name);
  }
});

test('a folder of Hugging Face is what importModel reads', async () => {
  const bin = write('in.bin', llama2c({ ...llama.config, rope_theta: 10000 }, tensors));
  const hf = at('from-gguf');
  for (const [file, out] of [
    [gguf, hf],
    [bin, at('from-bin')],
    [hf, at('again')],
  ]) {
    const { status, stderr } = await call(['convert', file, out]);
    assert.equal(status, 0, stderr);
    const alone = file === bin ? `${bin} has no tokenizer\n` : '';
    assert.ok(stderr.startsWith(alone), stderr);
    const rest = stderr.slice(alone.length);
    assert.match(rest, /^wrote .*model\.safetensors: \d+\.\d MB, tensors 12 in f32\n$/);
    const config = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8'));
    assert.equal(config.model_type, 'llama');
    const same = gf.open(
      importModel({ config, bytes: readFileSync(join(out, 'model.safetensors')) }),
    );
    for (const [name, { data }] of model.parameters) {
      assert.deepEqual(same.parameters.get(name).data, data, name);
    }
  }
});

test('a folder of Hugging Face has its tokenizer, by which the model goes on', async () => {
  const folders = [at('with-tokens'), at('with-tokens-again')];
  for (const [i, out] of folders.entries()) {
    await succeeds('convert', i ? folders[0] : gguf, out, '--quiet');
    assert.deepEqual(readdirSync(out), [
      'config.json',
      'generation_config.json',
      'model.safetensors',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    const config = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8'));
    assert.deepEqual([config.bos_token_id, config.eos_token_id], [1, 8]);
    const own = JSON.parse(readFileSync(join(out, 'tokenizer_config.json'), 'utf8'));
    assert.deepEqual([own.eos_token, own.chat_template], ['i', '{{ messages[0].content }}']);
    const tail = ['--max', '4', '--json'];
    const [a, b] = await Promise.all(
      [gguf, out].map(async (file) =>
        JSON.parse(await succeeds('generate', file, 'abca', '--chat', ...tail)),
      ),
    );
    assert.deepEqual([b.text, b.tokens], [a.text, a.tokens]);
    assert.ok(a.tokens.length > 0);
  }
});

test('the tokens of llama2.c beside its model become those of the folder', async () => {
  mkdirSync(at('bin'));
  const bin = write('bin/model.bin', llama2c({ ...llama.config, rope_theta: 10000 }, tensors));
  const tokens = ['<unk>', '\n<s>\n', '\n</s>\n', ' ', 'a', 'b', ' a', 'ab', ' ab'];
  write('bin/tokenizer.bin', tokenizerBin(tokens, [0, 0, 0, -5, -6, -7, -2, -3, -1]));
  await succeeds('convert', bin, at('from-tokens'), '--quiet');
  const [a, b] = await Promise.all(
    [bin, at('from-tokens')].map(async (file) =>
      JSON.parse(await succeeds('generate', file, 'ab aab', '--max', '3', '--json')),
    ),
  );
  assert.deepEqual([b.text, b.tokens], [a.text, a.tokens]);
});

test('a folder of Hugging Face in 16 bits: each number is the nearest one', async () => {
  /* Of bfloat16 the nearest: the lower half of the bits, and whether it is past the middle. */
  const nearest = (value) => {
    const bits = new Uint32Array(Float32Array.of(value).buffer)[0];
    const [low, half] = [bits & 0xffff, (bits >>> 16) & 1];
    const up = low > 0x8000 || (low === 0x8000 && half === 1);
    return new Float32Array(Uint32Array.of((((bits >>> 16) + (up ? 1 : 0)) << 16) >>> 0).buffer)[0];
  };
  for (const [type, dtype] of [
    ['bf16', 'bfloat16'],
    ['f16', 'float16'],
  ]) {
    const out = at(`half-${type}`);
    const told = JSON.parse(
      await succeeds('convert', gguf, out, '--type', type.toUpperCase(), '--json'),
    );
    assert.deepEqual([told.bytes < llama.bytes.length * 0.6, told.types], [true, { [type]: 12 }]);
    const config = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8'));
    assert.equal(config.torch_dtype, dtype);
    const bytes = readFileSync(join(out, 'model.safetensors'));
    const said = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))));
    for (const { dtype: kind } of Object.values(said)) assert.equal(kind, type.toUpperCase());
    const same = gf.open(importModel({ config, bytes }));
    for (const [name, { data }] of model.parameters) {
      const other = same.parameters.get(name).data;
      for (const [i, x] of data.entries()) {
        if (type === 'bf16') assert.equal(other[i], nearest(x), `${name}[${i}]`);
        else assert.ok(Math.abs(other[i] - x) <= 2 ** -11 * Math.abs(x) + 2 ** -25, name);
      }
    }
  }
});

test('wrong words are refused with status 2, wrong files with status 1, and nothing is left', async () => {
  await refuses(['convert'], 2, /expected two files, IN and OUT, received none/);
  await refuses(['convert', gguf, at('a.gguf'), 'b'], 2, /received ".*in\.gguf", ".*", "b"/);
  await refuses(['convert', gguf, at('a.gguf')], 2, /--type is missing. Choose from f32, .*q6_k/);
  await refuses(['convert', gguf, at('a.gguf'), '--type', 'q3_k'], 2, /unknown type "q3_k"/);
  for (const out of ['a', 'a.safetensors']) {
    const known = /--type: .* hold f32, f16, bf16; q8_0 needs a NAME\.gguf\n$/;
    await refuses(['convert', gguf, at(out), '--type', 'q8_0'], 2, known);
  }
  await refuses(
    ['convert', gguf, at('a.bin')],
    2,
    /OUT: expected a NAME\.gguf, .*, received .*a\.bin/,
  );
  await refuses(['convert', '-', at('a')], 2, /not read from standard input/);
  const bin = write('no.bin', llama2c({ ...llama.config, rope_theta: 10000 }, tensors));
  await refuses(['convert', bin, at('a.gguf'), '--type', 'f16'], 1, /made from a GGUF/);
  const alone = write('alone.safetensors', model.save());
  await refuses(
    ['convert', alone, at('a')],
    1,
    /alone\.safetensors: config\.json: cannot be opened/,
  );
  await refuses(
    ['convert', at('no.gguf'), at('a.gguf'), '--type', 'f16'],
    1,
    /no\.gguf: no such file/,
  );
  await refuses(['convert', gguf, gguf, '--type', 'f16'], 1, /the same file/);
  await refuses(['convert', gguf, at('no/a.gguf'), '--type', 'f16'], 1, /cannot write/);
  mkdirSync(at('full'));
  write('full/tokenizer.json', '{}');
  await refuses(['convert', gguf, at('full')], 1, /empty folder, but it has tokenizer\.json/);
  assert.equal(readFileSync(at('full/tokenizer.json'), 'utf8'), '{}');
  const cut = write('cut.gguf', readFileSync(gguf).subarray(0, -100));
  await refuses(['convert', cut, at('a.gguf'), '--type', 'f16'], 1, /cut\.gguf: .*ends at byte/);
  const signal = AbortSignal.abort();
  const { status } = await call(['convert', gguf, at('a.gguf'), '--type', 'f16'], { signal });
  assert.equal(status, 130);
  assert.ok(!existsSync(at('a.gguf')));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('every command that opens a GGUF says that it does not say how texts are cut', async () => {
  const { 'tokenizer.ggml.pre': _, ...silent } = metadata;
  const file = write('no-pre.gguf', llamaGguf(llama.config, tensors, silent));
  const warning = `${file}: tokenizer.ggml.pre: is missing, so texts are cut into words as for GPT-2.`;
  for (const args of [
    ['convert', file, at('no-pre-16.gguf'), '--type', 'f16'],
    ['convert', file, at('no-pre')],
    ['convert', file, at('no-pre.safetensors')],
    ['generate', file, 'ab', '--max', '1'],
    ['ask', file, 'ab'],
    ['embed', file, 'ab'],
    ['inside', 'lens', file, '--prompt', 'ab'],
  ]) {
    const { status, stderr } = await call(args);
    assert.equal(status, 0, stderr);
    assert.equal(stderr.split(warning).length, 2, `${args[0]}: ${stderr}`);
  }
});

test('a GGUF that cannot be opened is not written', async () => {
  writeFileSync(at('nothing.gguf'), ggufOf({ 'general.name': [STRING, 'x'] }, []));
  const { status, stderr } = await call([
    'convert',
    at('nothing.gguf'),
    at('never.gguf'),
    '--type',
    'f16',
  ]);
  assert.equal(status, 1);
  assert.match(stderr, /general\.architecture: expected one of/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('never')),
    [],
  );
});
