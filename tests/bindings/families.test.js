// Families whose layers have what the core of every page has not: opened by glassformer/models, refused elsewhere.
// What they compute is held against transformers in tests/reference.test.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GlassformerError } from '../../bindings/base/errors.js';
import { readSafetensors } from '../../bindings/formats/safetensors.js';
import { exportModel, importModel } from '../../bindings/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { bytesOf, llamaGguf, U32 } from '../support/gguf.js';

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

/** What each family has, with its names here, and its settings that are not supported. */
const FAMILIES = {
  qwen2: { variant: { qkvBias: true }, unfit: { use_sliding_window: true } },
  qwen3: { variant: { qkNorm: true }, unfit: { use_sliding_window: true, attention_bias: true } },
  gpt_neox: {
    name: 'neox',
    variant: {},
    unfit: { attention_bias: false },
  },
};
const names = Object.entries(FAMILIES).flatMap(([family, { name = family }]) =>
  [0, 1, 2].map((i) => ({ family, name: `${name}-odd-${i}` })),
);

for (const { family, name } of names) {
  test(`${name}: exported it is the same again, and no other family has it`, async () => {
    const checkpoint = await openCheckpoint(weightsOf(name), { config: configOf(name) });
    assert.equal(checkpoint.family, family);
    const model = await gf.openModel(checkpoint);
    for (const [field, value] of Object.entries(FAMILIES[family].variant)) {
      assert.equal(checkpoint.config[field], value);
      assert.equal(model.config[field], value);
    }
    const { config, bytes } = exportModel(model, family);
    assertSame(await opened(bytes, config), model);
    for (const format of ['llama', 'torch']) {
      assert.throws(() => exportModel(model, format), /has no \w+ (true|\d+)/);
    }
    assert.throws(() => model.save(), /write it with exportModel/);
    assert.equal(model.summary({ target: 3 }).parameters, model.size);
  });

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

  if (family === 'gpt_neox') continue;
  test(`${name} as GGUF is the same model`, async () => {
    const { tensors } = readSafetensors(weightsOf(name));
    const checkpoint = await openCheckpoint(
      llamaGguf(configOf(name), tensors, {}, { architecture: family }),
    );
    assert.equal(checkpoint.family, family);
    assertSame(await gf.openModel(checkpoint), await opened(weightsOf(name), configOf(name)));
  });
}

test('gpt_neox: a part of a head that cannot be rotated is refused', async () => {
  const bytes = weightsOf('neox-odd-0');
  const parts = (part) => ({
    ...configOf('neox-odd-0'),
    rope_parameters: { rope_type: 'default', rope_theta: 100, partial_rotary_factor: part },
  });
  await refused(bytes, parts(0.5), /even/);
  await refused(bytes, parts(0), /rotarySize/);
});

for (const [family, { name = family, unfit }] of Object.entries(FAMILIES)) {
  const config = configOf(`${name}-odd-0`);
  const bytes = weightsOf(`${name}-odd-0`);
  test(`${family}: what is not supported is refused by its name`, async () => {
    for (const [key, value] of Object.entries(unfit)) {
      await refused(bytes, { ...config, [key]: value }, new RegExp(`${key}: expected`));
    }
    const scaled = { rope_type: 'yarn', factor: 4, rope_theta: 100 };
    await refused(bytes, { ...config, rope_parameters: scaled }, /rope_type.*"default"/);
    if (family === 'gpt_neox') return;
    const { tensors } = readSafetensors(bytes);
    const more = { [`${family}.attention.sliding_window`]: [U32, 4] };
    const file = llamaGguf(config, tensors, more, { architecture: family });
    await refused(file, undefined, /sliding_window" is not supported/);
  });

  test(`${family}: importModel names the entry that opens it`, () => {
    assert.throws(() => importModel({ config, bytes }), /glassformer\/models/);
  });
}
