// Families whose layers have what the core of every page has not: opened by glassformer/models, refused elsewhere.
// What they compute is held against transformers in tests/reference.test.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explain, exportModel, importModel, traceModel } from '../../bindings/index.js';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { readSafetensors } from '../../bindings/js/formats/safetensors.js';
import { Decoder } from '../../bindings/js/model/decode/decoder.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import {
  bytesOf,
  F32,
  gguf,
  gptGguf,
  llama3Divisors,
  llamaGguf,
  STRING,
  U32,
} from '../support/gguf.js';

const gf = await load();
const fixtures = new URL('../reference/fixtures/', import.meta.url);
const bytesIn = (name) => new Uint8Array(readFileSync(new URL(name, fixtures)));
const configOf = (name) => JSON.parse(new TextDecoder().decode(bytesIn(`${name}/config.json`)));
const weightsOf = (name) => bytesIn(`${name}/model.safetensors`);

const opened = async (bytes, config, options) =>
  gf.openModel(await openCheckpoint(bytes, { config }), options);

function assertSame(actual, expected) {
  assert.deepEqual([...actual.parameters.keys()], [...expected.parameters.keys()]);
  for (const [name, { shape, data }] of expected.parameters) {
    const found = actual.parameters.get(name);
    assert.deepEqual(found.shape, shape, name);
    assert.ok(Buffer.from(bytesOf(found.data)).equals(bytesOf(data)), `${name} has other numbers`);
  }
}

const refused = (bytes, config, reason) =>
  assert.rejects(openCheckpoint(bytes, { config }), (error) => {
    assert.ok(error instanceof GlassformerError, error.stack);
    assert.equal(error.code, 'GF_EFILE');
    assert.match(error.message, reason);
    return true;
  });

const HEAD = { unfit: {}, unrotated: true, encoder: true };
/** What each family has, with the names of its fixtures, and its settings that are not supported. */
const FAMILIES = {
  qwen2: {
    family: 'qwen2',
    variant: { qkvBias: true },
    unfit: { use_sliding_window: 1 },
    gguf: true,
  },
  qwen3: {
    family: 'qwen3',
    variant: { qkNorm: true },
    unfit: { use_sliding_window: 1, attention_bias: true },
    gguf: true,
  },
  neox: { family: 'gpt_neox', variant: {}, unfit: { attention_bias: false } },
  neo: {
    family: 'gpt_neo',
    variant: { qkvUnbiased: true, unscaled: true, windowFirst: 1 },
    unfit: { attention_types: [[['global', 'near'], 1]], scale_attn_weights: false },
    unrotated: true,
  },
  mistral: { family: 'mistral', variant: { window: 3 }, unfit: {}, format: 'llama' },
  llama3: { family: 'llama', variant: { rotarySlow: 1 }, unfit: {} },
  'llama-linear': { family: 'llama', variant: { rotaryFast: 1 }, unfit: {} },
  'qwen2-window': {
    family: 'qwen2',
    variant: { windowStep: 1 },
    unfit: { layer_types: ['sliding_attention', 'sliding_attention', 'full_attention'] },
  },
  albert: {
    family: 'albert',
    variant: { sharedLayers: true },
    unfit: { num_hidden_groups: 2, inner_group_num: 2 },
    unrotated: true,
    encoder: true,
  },
  ...Object.fromEntries(
    [
      ['gpt2', 'gpt2'],
      ['neo', 'gpt_neo'],
      ['neox', 'gpt_neox'],
      ['llama', 'llama'],
      ['qwen2', 'qwen2'],
      ['qwen3', 'qwen3'],
    ].flatMap(([name, family]) => [
      [`${name}-classes`, { family, variant: { classesUnbiased: true }, ...HEAD }],
      [`${name}-tokens`, { family, variant: {}, ...HEAD }],
    ]),
  ),
  'bert-classes': { family: 'bert', variant: { pooler: true }, ...HEAD },
  'bert-tokens': { family: 'bert', variant: { pooler: false }, ...HEAD },
  'roberta-classes': { family: 'roberta', variant: { pooler: true }, ...HEAD },
  'roberta-tokens': { family: 'roberta', variant: { pooler: false }, ...HEAD },
  'distilbert-classes': { family: 'distilbert', variant: { poolerRelu: true }, ...HEAD },
  'distilbert-tokens': { family: 'distilbert', variant: { pooler: false }, ...HEAD },
  'albert-classes': { family: 'albert', variant: { pooler: true }, ...HEAD },
  'albert-tokens': { family: 'albert', variant: { pooler: false }, ...HEAD },
};
const names = Object.entries(FAMILIES).flatMap(([fixture, told]) =>
  [0, 1, 2].map((i) => ({ ...told, name: `${fixture}-odd-${i}` })),
);

test('a prompt is read in one pass, with the bits that it has token by token', async (t) => {
  const tiny = { kind: 'gpt', vocab: 20, dModel: 8, heads: 2, layers: 2, maxLength: 48, seed: 3 };
  const { config, bytes } = exportModel(gf.model(tiny), 'gpt2');
  const model = await opened(bytes, config);
  const single = gf.open(importModel({ config, bytes }));
  const fed = t.mock.method(Decoder.prototype, 'feeding');
  const few = [5, 3, 17, 2, 9, 11];
  /* More than a decoder has room for at first. */
  const many = Array.from({ length: 40 }, (_, i) => (7 * i) % 20);
  const steps = (one, ids, settings) => {
    const logits = [];
    fed.mock.resetCalls();
    const onStep = (step) => logits.push(step.logits);
    const written = one.generateSync(ids, { maxNewTokens: 3, onStep, ...settings });
    return { written, logits, fed: fed.mock.callCount() };
  };
  for (const ids of [few, many]) {
    const [own, other] = [model, single].map((one) => steps(one, ids, { temperature: 0 }));
    assert.deepEqual([own.fed, other.fed], [3, ids.length + 2]);
    assert.deepEqual(own.written, other.written);
    assert.deepEqual(own.logits, other.logits);
    const beams = { beams: 3, onStep: undefined };
    const [wide, slow] = [model, single].map((one) => steps(one, ids, beams));
    assert.deepEqual([wide.fed, slow.fed], [3, ids.length + 2]);
    assert.deepEqual(wide.written, slow.written);
    /* Without a mask nothing is kept: all is read again with each token. */
    const remove = { temperature: 0, remove: ['mask'] };
    assert.deepEqual(steps(model, ids, remove), steps(single, ids, remove));
  }
});

for (const { family, name, variant, format = family, gguf, encoder } of names) {
  test(`${name}: exported it is the same again, and no other family has it`, async () => {
    const checkpoint = await openCheckpoint(weightsOf(name), { config: configOf(name) });
    assert.equal(checkpoint.family, family);
    const model = await gf.openModel(checkpoint);
    for (const [field, value] of Object.entries(variant)) {
      assert.equal(checkpoint.config[field], value);
      assert.equal(model.config[field], value);
    }
    const { config, bytes } = exportModel(model, format);
    const again = await openCheckpoint(bytes, { config });
    assert.deepEqual(again.config, checkpoint.config);
    assertSame(await gf.openModel(again), model);
    for (const other of ['gpt2', 'torch'].filter((one) => one !== format)) {
      assert.throws(() => exportModel(model, other), /has no \w+ |has \w+ /);
    }
    assert.throws(() => model.save(), /write it with exportModel/);
    assert.equal(model.summary({ target: 3 }).parameters, model.size);
  });

  if (encoder) continue;
  test(`${name}: token by token it has the bits of the whole at once`, async () => {
    const model = await opened(weightsOf(name), configOf(name));
    const prompt = [5, 3, 17];
    const written = model.generateSync(prompt, { maxNewTokens: 5, temperature: 0 });
    const run = model.forward({ target: [[...prompt, ...written]] });
    const { data, shape } = run.logits;
    const vocab = shape.at(-1);
    for (const [i, token] of written.entries()) {
      const at = (prompt.length + i - 1) * vocab;
      const row = data.slice(at, at + vocab);
      assert.equal(token, row.indexOf(Math.max(...row)), `token ${i}`);
    }
  });

  if (!gguf) continue;
  test(`${name} as GGUF is the same model`, async () => {
    const { tensors } = readSafetensors(weightsOf(name));
    const checkpoint = await openCheckpoint(
      llamaGguf(configOf(name), tensors, {}, { architecture: family }),
    );
    assert.equal(checkpoint.family, family);
    assertSame(await gf.openModel(checkpoint), await opened(weightsOf(name), configOf(name)));
  });
}

test('a window masks what is too far back, and a cell of it says so', async () => {
  const model = await opened(weightsOf('mistral-odd-0'), configOf('mistral-odd-0'));
  const trace = traceModel(model, { target: [5, 3, 17, 4, 9] });
  const name = 'decoder.layers.0.self_attn.scores.masked';
  const { data, attributes, shape } = trace.step(name);
  assert.equal(attributes.window, 3);
  for (let query = 0; query < 5; query++) {
    for (let key = 0; key < 5; key++) {
      const sees = key <= query && key > query - 3;
      assert.equal(data[5 * query + key] > Number.NEGATIVE_INFINITY, sees, `${query} ${key}`);
      const { keep, reason } = explain(
        trace,
        name,
        [...shape.slice(0, -2).fill(0), query, key],
        gf,
      );
      assert.equal(keep, sees);
      assert.equal(reason, sees ? 'kept' : key > query ? 'causal' : 'window');
    }
  }
});

test('a stretched rotation tells its angle', async () => {
  const model = await opened(weightsOf('llama3-odd-0'), configOf('llama3-odd-0'));
  const trace = traceModel(model, { target: [5, 3, 17, 4, 9] });
  const { data, shape } = trace.step('decoder.rotation');
  for (let pair = 0; pair < shape[1]; pair++) {
    const { angle } = explain(trace, 'decoder.rotation', [4, pair, 1], gf);
    assert.ok(Math.abs(Math.sin(angle) - data[2 * (4 * shape[1] + pair) + 1]) < 1e-6, `${pair}`);
  }
});

test('settings of more layers than any model has are refused at once', async () => {
  const bytes = weightsOf('qwen2-window-odd-0');
  const many = { num_hidden_layers: 4e9, layer_types: null };
  const config = { ...configOf('qwen2-window-odd-0'), ...many };
  await refused(bytes, config, /num_hidden_layers: expected an integer/);
  const neo = configOf('neo-odd-0');
  const kinds = [[Array.from({ length: 1000 }, () => 'local'), 1e9]];
  await refused(weightsOf('neo-odd-0'), { ...neo, attention_types: kinds }, /attention_types/);
});

for (const [architecture, fixture] of [
  ['gptneox', 'neox'],
  ['gpt2', 'gpt2'],
]) {
  for (let i = 0; i < 3; i++) {
    const name = `${fixture}-odd-${i}`;
    test(`${name} as GGUF is the same model`, async () => {
      const config = configOf(name);
      const { tensors } = readSafetensors(weightsOf(name));
      const checkpoint = await openCheckpoint(gptGguf(architecture, config, tensors));
      const model = await opened(weightsOf(name), config);
      const same = await gf.openModel(checkpoint);
      assertSame(same, model);
      const inputs = { target: [[5, 3, 17, 4]] };
      assert.deepEqual(
        [...same.forward(inputs).logits.data],
        [...model.forward(inputs).logits.data],
      );
    });
  }
}

test("a GGUF's rotation is stretched: linearly, or as its divisors say if they are Llama 3's", async () => {
  const { rope_parameters: _, ...config } = configOf('llama-odd-0');
  const { tensors } = readSafetensors(weightsOf('llama-odd-0'));
  const size = config.hidden_size / config.num_attention_heads;
  const base = 5e6;
  const file = (more, freqs) => {
    const { metadata, list } = llamaGguf({ ...config, rope_theta: base }, tensors, more, {
      parts: true,
    });
    if (freqs)
      list.push(['rope_freqs.weight', 'F32', [freqs.length], bytesOf(Float32Array.from(freqs))]);
    return gguf(metadata, list);
  };
  const linear = {
    'llama.rope.scaling.type': [STRING, 'linear'],
    'llama.rope.scaling.factor': [F32, 4],
  };
  const { config: slowed } = await openCheckpoint(file(linear));
  assert.deepEqual([slowed.rotaryStretch, slowed.rotaryFast], [4, 1]);
  const slower = llama3Divisors(size, base);
  assert.equal(Math.max(...slower), 8);
  const { config: llama3 } = await openCheckpoint(file({}, slower));
  assert.deepEqual(
    [llama3.rotaryStretch, llama3.rotarySlow, llama3.rotaryFast, llama3.rotarySpan],
    [8, 1, 4, 8192],
  );
  await refused(
    file(
      {},
      slower.map((x) => 1.5 * x + 1),
    ),
    undefined,
    /rope_freqs.weight" is not supported/,
  );
  const { metadata, list } = llamaGguf(
    { ...config, rope_theta: base },
    tensors,
    {},
    { parts: true },
  );
  list.push(['rope_freqs.weight', 24, [size / 2], new Uint8Array(size / 2)]);
  await refused(gguf(metadata, list), undefined, /not supported|type/);
  const yarn = { 'llama.rope.scaling.type': [STRING, 'yarn'] };
  await refused(
    file(yarn),
    undefined,
    /rope_type: expected one of default, linear, llama3, received "yarn"/,
  );
});

test('classes have the labels of config.json, or their numbers', async () => {
  const config = configOf('bert-classes-odd-0');
  const bytes = weightsOf('bert-classes-odd-0');
  const named = { ...config, id2label: { 0: 'good', 1: 'bad' } };
  const { labels, config: model } = await openCheckpoint(bytes, { config: named });
  assert.equal(labels.length, model.classes);
  assert.deepEqual(labels.slice(0, 2), ['good', 'bad']);
  const { labels: numbers } = await openCheckpoint(bytes, {
    config: { ...config, id2label: null },
  });
  assert.deepEqual(
    numbers,
    Array.from(labels, (_, i) => String(i)),
  );
});

test('gpt_neox: a part of a head that cannot be rotated is refused', async () => {
  const bytes = weightsOf('neox-odd-0');
  const parts = (part) => ({
    ...configOf('neox-odd-0'),
    rope_parameters: { rope_type: 'default', rope_theta: 100, partial_rotary_factor: part },
  });
  await refused(bytes, parts(0.5), /even/);
  await refused(bytes, parts(0), /rotarySize/);
});

for (const [name, { family, unfit, gguf, unrotated }] of Object.entries(FAMILIES)) {
  const config = configOf(`${name}-odd-0`);
  const bytes = weightsOf(`${name}-odd-0`);
  test(`${name}: what is not supported is refused by its name`, async () => {
    for (const [key, value] of Object.entries(unfit)) {
      await refused(bytes, { ...config, [key]: value }, new RegExp(`${key}: expected`));
    }
    const scaled = { rope_type: 'yarn', factor: 4, rope_theta: 100 };
    const scaling = /rope_type: expected one of default, linear, llama3, received "yarn"/;
    if (!unrotated) await refused(bytes, { ...config, rope_parameters: scaled }, scaling);
    if (!gguf) return;
    const { tensors } = readSafetensors(bytes);
    const more = { [`${family}.attention.sliding_window`]: [U32, 4] };
    const file = llamaGguf(config, tensors, more, { architecture: family });
    await refused(file, undefined, /sliding_window" is not supported/);
  });

  test(`${name}: importModel names the entry that opens it`, () => {
    assert.throws(() => importModel({ config, bytes }), /glassformer\/models/);
  });
}
