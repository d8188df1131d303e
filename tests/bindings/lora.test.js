// Adapters of low rank: what they compute and learn, against the float64 algebra of x (W + alpha / rank A B); their memory;
// their files; merging; refusals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load as loadSmall, readModel, train } from '../../bindings/index.js';
import { addLora, openLora } from '../../bindings/models/lora/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { bytesOf, emptyLlama, gguf, llamaGguf } from '../support/gguf.js';
import { heaps } from '../support/heap.js';
import { generator } from '../support/program.js';

const gf = await load();
const small = await loadSmall();
const fixtures = new URL('../reference/fixtures/', import.meta.url);

const opened = async (name) => {
  const config = JSON.parse(readFileSync(new URL(`${name}/config.json`, fixtures)));
  const bytes = new Uint8Array(readFileSync(new URL(`${name}/model.safetensors`, fixtures)));
  return gf.openModel(await openCheckpoint(bytes, { config }));
};
const SIZES = { vocab: 17, dModel: 12, heads: 3, layers: 2, dFF: 20, maxLength: 16, dropout: 0 };
const made = (kind, more) => async () => small.model({ kind, ...SIZES, ...more, seed: 4 });
const MODELS = {
  transformer: made('transformer'),
  gpt: made('gpt'),
  bert: made('bert'),
  rotary: made('gpt', { positions: 'rotary', norm: 'rms', activation: 'swiglu', kvHeads: 1 }),
  alibi: made('gpt', { positions: 'alibi', interleaved: false, tied: false }),
  ...Object.fromEntries(
    ['gpt2', 'llama', 'mistral', 'qwen2', 'qwen3', 'neox', 'bert', 'roberta', 'distilbert'].map(
      (family) => [`${family}-odd-0`, () => opened(`${family}-odd-0`)],
    ),
  ),
};
/** Of all linear layers, by the last parts of their names. */
const ALL = (model) => [
  ...new Set(
    [...model.parameters.values()]
      .filter(({ parameter, name }) => parameter === 'weight' && /layers\.\d/.test(name))
      .map(({ name }) => name.split('.').at(-2)),
  ),
];

const fill = (model, random, spread) => {
  for (const { data } of model.parameters.values())
    for (let i = 0; i < data.length; i++) data[i] = (2 * random() - 1) * spread;
};
const inputsOf = ({ config: { kind } }) =>
  kind === 'transformer'
    ? {
        source: [
          [3, 5, 4],
          [6, 2],
        ],
        target: [
          [1, 4, 5],
          [1, 7],
        ],
      } // prettier-ignore
    : {
        target: [
          [1, 4, 5, 2],
          [6, 3],
        ],
      }; // prettier-ignore

/** a [n,k] b [k,m] in float64; with the flags, of their transposes. */
function product(a, b, [n, k, m], { left = false, right = false } = {}) {
  const out = new Float64Array(n * m);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++)
      for (let l = 0; l < k; l++)
        out[i * m + j] += a[left ? l * n + i : i * k + l] * b[right ? j * k + l : l * m + j];
  return out;
}

function assertNear(actual, expected, bound, what) {
  assert.equal(actual.length, expected.length, what);
  const scale = Math.max(1, ...Array.from(expected, Math.abs));
  for (const [i, value] of expected.entries()) {
    const off = Math.abs(actual[i] - value) / scale;
    assert.ok(off <= bound, `${what}[${i}]: ${actual[i]} is not ${value}`);
  }
}

const resultOf = (run) => run.tape.nodes.findLast(({ kind }) => kind === 'op');

for (const [name, make] of Object.entries(MODELS)) {
  test(`${name}: an adapted model computes and differentiates x (W + alpha / rank A B); so does the merged one`, async () => {
    const [model, whole] = [await make(), await make()];
    const random = generator(7);
    const [rank, alpha] = [3, 4.5];
    const tuned = addLora(model, { rank, alpha, targets: ALL(model) });
    const before = [...model.parameters.values()].map(({ data }) => data.slice());
    const same = [model, tuned].map((one) => resultOf(one.forward(inputsOf(one))).data.slice());
    assert.deepEqual(same[1], same[0], 'B is 0 at first');
    fill(tuned, random, 0.3);
    const adapters = [...tuned.parameters.keys()].filter((own) => own.endsWith('.lora_A.weight'));
    assert.ok(adapters.length >= 6);
    const parts = adapters.map((own) => {
      const [a, b] = [own, own.replace('lora_A', 'lora_B')].map((key) => tuned.parameters.get(key));
      const weight = whole.parameters.get(own.replace('lora_A.', ''));
      const [n, m] = weight.shape;
      const update = product(a.data, b.data, [n, rank, m]);
      for (let i = 0; i < update.length; i++) weight.data[i] += (alpha / rank) * update[i];
      return { own, a, b, weight, n, m };
    });
    const [run, expected] = [tuned, whole].map((one) => one.forward(inputsOf(one)));
    const [y, z] = [run, expected].map(resultOf);
    assertNear(y.data, z.data, 1e-5, 'result');
    const gradient = Float32Array.from(z.data, () => 2 * random() - 1);
    run.backward(y, gradient);
    expected.backward(z, gradient);
    for (const { own, a, b, weight, n, m } of parts) {
      const dW = Float64Array.from(weight.grad, (x) => (x * alpha) / rank);
      assertNear(a.grad, product(dW, b.data, [n, m, rank], { right: true }), 2e-5, `d ${own}`);
      assertNear(b.grad, product(a.data, dW, [rank, n, m], { left: true }), 2e-5, `d B of ${own}`);
    }
    for (const [i, { data, name: own }] of [...model.parameters.values()].entries()) {
      assert.deepEqual(data, before[i], `${own} has changed`);
    }
    const adapted = y.data.slice();
    tuned.merge();
    assertNear(resultOf(model.forward(inputsOf(model))).data, adapted, 1e-5, 'merged');
    model.dispose();
    whole.dispose();
  });
}

test('training moves the adapters alone; their file goes on with the same bits, and merged the model is saved', async () => {
  const model = gf.model({ kind: 'gpt', ...SIZES, dropout: 0.1, seed: 3 });
  const before = model.save();
  const batch = { target: [[1, 4, 5, 2]], labels: [[4, 5, 2, 6]] };
  const options = { rate: 0.02, clip: 1, seed: 2 };
  const learn = async (one, steps) => {
    const losses = [];
    const batches = Array.from({ length: steps }, () => batch);
    for await (const { loss } of train(one, batches, options)) losses.push(loss);
    return losses;
  };
  const tuned = addLora(model, { rank: 4, seed: 9 });
  assert.deepEqual(tuned.lora, { rank: 4, alpha: 4, targets: ['q_proj', 'v_proj'], seed: 9 });
  const losses = await learn(tuned, 20);
  assert.ok(losses.at(-1) < losses[0]);
  const half = addLora(model, { rank: 4, seed: 9 });
  const first = await learn(half, 12);
  const again = openLora(model, half.save({ training: true }));
  assert.equal(again.step, 12);
  assert.deepEqual([...first, ...(await learn(again, 8))], losses);
  assert.deepEqual(again.save(), tuned.save());
  assert.deepEqual(model.save(), before);
  const written = tuned.generateSync([1, 4], { maxNewTokens: 6 });
  const target = [[1, 4, ...written]];
  const data = tuned.forward({ target, steps: false }).logits.data.slice();
  for (const [i, token] of written.entries()) {
    const row = data.slice((i + 1) * SIZES.vocab, (i + 2) * SIZES.vocab);
    assert.equal(token, row.indexOf(Math.max(...row)));
  }
  tuned.merge();
  assert.throws(() => tuned.forward({ target }), { code: 'GF_EDISPOSED' });
  const saved = gf.open(readModel(model.save()));
  assertNear(saved.forward({ target }).logits.data, data, 1e-5, 'saved');
});

test('frozen parameters have no memory for gradients and moments', async () => {
  const model = gf.model({ kind: 'gpt', ...SIZES, dModel: 96, dFF: 384 });
  const tuned = addLora(model, { rank: 2 });
  let bytes = 0;
  heaps.before = (asked) => {
    if (asked >= 4 * tuned.size) bytes = Math.max(bytes, asked);
  };
  const batch = { target: [[1, 2]], labels: [[2, 3]] };
  for await (const _ of train(tuned, [batch, batch]));
  heaps.before = () => {};
  assert.ok(model.size > 100 * tuned.size);
  assert.ok(bytes < 4 * model.size, `one block has ${bytes} bytes`);
  assert.throws(() => model.parameters.get('logits.weight').grad, { code: 'GF_ENAME' });
  assert.throws(() => model.parameters.get('embedding.weight').grad, { code: 'GF_ESTATE' });
});

test('a model whose matrices stay as they are stored learns too, with the bits of the float32 one', async () => {
  const config = {
    ...{ hidden_size: 64, intermediate_size: 64, num_hidden_layers: 2, vocab_size: 40 },
    ...{ num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 16 },
    ...{ rms_norm_eps: 1e-5, rope_theta: 10000 },
  };
  const random = generator(3);
  const { metadata, list } = llamaGguf(config, emptyLlama(config, true), {}, { parts: true });
  const tensors = list.map(([name, , shape]) => {
    const size = shape.reduce((a, b) => a * b);
    if (shape.length === 1) return [name, 'F32', shape, bytesOf(new Float32Array(size).fill(1))];
    const bytes = new Uint8Array((size / 32) * 34).map(() => Math.floor(256 * random()));
    /* The scale 2^-10, as a half. */
    return [name, 'Q8_0', shape, bytes.map((byte, at) => [0, 0x14][at % 34] ?? byte)];
  });
  const checkpoint = await openCheckpoint(gguf(metadata, tensors));
  const batch = { target: [[3, 17, 39, 1]], labels: [[17, 39, 1, 8]] };
  const files = [];
  for (const stored of [false, true]) {
    const model = await gf.openModel(checkpoint, { stored });
    const tuned = addLora(model, { rank: 2, targets: ['q_proj', 'linear1'] });
    for await (const _ of train(tuned, [batch, batch, batch], { rate: 0.01 }));
    files.push(tuned.save());
    if (stored) assert.throws(() => tuned.merge(), /open it without stored to merge into it/);
  }
  assert.deepEqual(files[1], files[0]);
});

test('wrong options, files and states are refused with what came', async () => {
  const model = gf.model({ kind: 'gpt', ...SIZES });
  const used = heaps.used;
  const refuses = (call, code, says) =>
    assert.throws(call, (error) => {
      assert.equal(error.code, code, error.stack);
      assert.match(error.message, says);
      return true;
    });
  refuses(() => addLora({}), 'GF_ETYPE', /addLora: expected a model, received an object/);
  refuses(() => addLora(model, { rank: 0 }), 'GF_ERANGE', /rank: .* received 0$/);
  refuses(() => addLora(model, { r: 4 }), 'GF_ETYPE', /unknown option "r"/);
  refuses(() => addLora(model, { alpha: Number.NaN }), 'GF_ERANGE', /alpha: .* received NaN/);
  refuses(() => addLora(model, { targets: 'q_proj' }), 'GF_ETYPE', /targets: .* received "q_proj"/);
  refuses(() => addLora(model, { targets: [] }), 'GF_ERANGE', /name one linear layer or more/);
  refuses(
    () => addLora(model, { targets: ['q_prok'] }),
    'GF_ERANGE',
    /addLora: targets: no linear layer is called "q_prok": this model has q_proj, .*did you mean "q_proj"/,
  );
  refuses(() => openLora(model, model.save()), 'GF_EFILE', /expected a file of an adapter/);
  assert.equal(heaps.used, used);
  const tuned = addLora(model);
  const file = tuned.save();
  const other = gf.model({ kind: 'gpt', ...SIZES, dModel: 6 });
  refuses(() => openLora(other, file), 'GF_EFILE', /expected the shape \[6,8\], received \[12,8\]/);
  refuses(() => addLora(tuned), 'GF_ESTATE', /merge/);
  const batch = { target: [[1, 2]], labels: [[2, 3]] };
  const training = train(model, [batch, batch]);
  await training.next();
  refuses(() => tuned.merge(), 'GF_ESTATE', /being trained/);
  await training.return();
  model.dispose();
  refuses(() => tuned.forward({ target: [1] }), 'GF_EDISPOSED', /disposed/);
  refuses(() => addLora(model), 'GF_EDISPOSED', /disposed/);
  tuned.dispose();
  other.dispose();
});
