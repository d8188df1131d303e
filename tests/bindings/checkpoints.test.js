import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { readSafetensors, writeSafetensors } from '../../bindings/js/formats/safetensors.js';
import { parametersOf } from '../../bindings/js/model/config/parameters.js';
import { readCheckpoint, writeCheckpoint } from '../../bindings/models/checkpoints/index.js';

const fixtures = new URL('../reference/fixtures/', import.meta.url);
const bytesOf = (name) => readFileSync(new URL(name, fixtures));
const tensorsOf = (name) => readSafetensors(bytesOf(name)).tensors;
const configOf = (name) => JSON.parse(bytesOf(`${name}/config.json`));
/** Those of odd sizes are only held against transformers: tests/reference.test.js. */
const families = readdirSync(fixtures).filter(
  (name) => existsSync(new URL(`${name}/config.json`, fixtures)) && !name.includes('-odd-'),
);
const readFixture = (name) =>
  readCheckpoint(configOf(name), tensorsOf(`${name}/model.safetensors`));

const bytes = (data) => Buffer.from(data.slice().buffer);

/** Names, their order, shapes and bits. */
function assertSame(actual, expected) {
  assert.deepEqual([...actual.keys()], [...expected.keys()]);
  for (const [name, { shape, data }] of actual) {
    assert.deepEqual(shape, expected.get(name).shape, name);
    assert.ok(bytes(data).equals(bytes(expected.get(name).data)), `${name} has other numbers`);
  }
}
const sorted = (map) => new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The cell of a tensor at an index. */
const at = ({ shape, data }, ...index) => data[index.reduce((sum, i, k) => sum * shape[k] + i, 0)];

/** What holds a file's tensors, as transformers or our writer made them. */
const asFile = (tensors) => readSafetensors(writeSafetensors(tensors)).tensors;

/** Parameters of a model, all numbers different. */
function numbered(config) {
  let next = 1;
  const fill = (shape) =>
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => next++);
  return new Map(
    [...parametersOf(config)].map(([name, shape]) => [name, { shape, data: fill(shape) }]),
  );
}

const refused = (config, tensors, ...reasons) =>
  assert.throws(
    () => readCheckpoint(config, tensors),
    (error) => {
      assert.ok(error instanceof GlassformerError, error.stack);
      assert.equal(error.code, 'GF_EFILE');
      for (const reason of reasons) assert.match(error.message, reason);
      assert.ok(error.message.length < 4000);
      return true;
    },
  );

// ---- Names ----

const tiny = {
  kind: 'transformer',
  vocab: 5,
  sourceVocab: 0,
  tokenTypes: 0,
  maxLength: 6,
  dModel: 4,
  heads: 2,
  kvHeads: 2,
  dFF: 3,
  layers: 1,
  decoderLayers: 1,
  positions: 'sinusoidal',
  norm: 'layer',
  preNorm: false,
  finalNorm: true,
  embeddingNorm: false,
  activation: 'relu',
  bias: true,
  tied: true,
  outputBias: false,
  scaleEmbedding: false,
  pooler: false,
  prediction: false,
  head: 'logits',
  interleaved: false,
  rotaryBase: 10000,
  epsilon: 1e-5,
  dropout: 0,
};
const tinyGpt2 = { ...tiny, kind: 'gpt', decoderLayers: 0, positions: 'learned', preNorm: true };
const tinyLlama = {
  ...tiny,
  kind: 'gpt',
  decoderLayers: 0,
  positions: 'rotary',
  norm: 'rms',
  preNorm: true,
  activation: 'swiglu',
  kvHeads: 1,
  bias: false,
  tied: false,
};
const tinyBert = {
  ...tiny,
  kind: 'bert',
  tokenTypes: 2,
  decoderLayers: 0,
  positions: 'learned',
  finalNorm: false,
  embeddingNorm: true,
  activation: 'gelu',
  outputBias: true,
  pooler: true,
  prediction: true,
};
const tinyMarian = {
  ...tiny,
  positions: 'sinusoidal-halves',
  finalNorm: false,
  activation: 'silu',
  outputBias: true,
  scaleEmbedding: true,
};

/** "a b" and ".weight 4 .bias 3": all names with all endings. */
const listed = (names, endings) =>
  names.split(' ').flatMap((name) => endings.split(' ').map((ending) => name + ending));
const attention = (path) =>
  listed(`${path}.q_proj ${path}.k_proj ${path}.v_proj ${path}.out_proj`, '.weight[4,4] .bias[4]');
const norm = (path) => listed(path, '.weight[4] .bias[4]');
const feedForward = (path) => [
  ...listed(`${path}.linear1`, '.weight[4,3] .bias[3]'),
  ...listed(`${path}.linear2`, '.weight[3,4] .bias[4]'),
];
const shapesOf = (config) => [...parametersOf(config)].map(([name, shape]) => `${name}[${shape}]`);

test('the parameters have the names and shapes that the core gives them, in its order', () => {
  const encoder = 'encoder.layers.0';
  const decoder = 'decoder.layers.0';
  assert.deepEqual(shapesOf({ ...tiny, sourceVocab: 7, tied: false, outputBias: true }), [
    'embedding.weight[5,4]',
    'source_embedding.weight[7,4]',
    ...attention(`${encoder}.self_attn`),
    ...norm(`${encoder}.norm1`),
    ...feedForward(encoder),
    ...norm(`${encoder}.norm2`),
    ...norm('encoder.norm'),
    ...attention(`${decoder}.self_attn`),
    ...norm(`${decoder}.norm1`),
    ...attention(`${decoder}.cross_attn`),
    ...norm(`${decoder}.norm2`),
    ...feedForward(decoder),
    ...norm(`${decoder}.norm3`),
    ...norm('decoder.norm'),
    'logits.weight[4,5]',
    'logits.bias[5]',
  ]);
  assert.deepEqual(shapesOf(tinyGpt2), [
    'embedding.weight[5,4]',
    'decoder.position_embedding.weight[6,4]',
    ...norm(`${decoder}.norm1`),
    ...attention(`${decoder}.self_attn`),
    ...norm(`${decoder}.norm2`),
    ...feedForward(decoder),
    ...norm('decoder.norm'),
  ]);
  assert.deepEqual(shapesOf(tinyLlama), [
    'embedding.weight[5,4]',
    `${decoder}.norm1.weight[4]`,
    `${decoder}.self_attn.q_proj.weight[4,4]`,
    `${decoder}.self_attn.k_proj.weight[4,2]`,
    `${decoder}.self_attn.v_proj.weight[4,2]`,
    `${decoder}.self_attn.out_proj.weight[4,4]`,
    `${decoder}.norm2.weight[4]`,
    `${decoder}.gate.weight[4,3]`,
    `${decoder}.linear1.weight[4,3]`,
    `${decoder}.linear2.weight[3,4]`,
    'decoder.norm.weight[4]',
    'logits.weight[4,5]',
  ]);
  assert.deepEqual(shapesOf(tinyBert), [
    'embedding.weight[5,4]',
    'token_type_embedding.weight[2,4]',
    'encoder.position_embedding.weight[6,4]',
    ...norm('encoder.embedding_norm'),
    ...attention(`${encoder}.self_attn`),
    ...norm(`${encoder}.norm1`),
    ...feedForward(encoder),
    ...norm(`${encoder}.norm2`),
    ...listed('pooler.dense prediction.dense', '.weight[4,4] .bias[4]'),
    ...norm('prediction.norm'),
    'logits.bias[5]',
  ]);
  const empty = { layers: 0, decoderLayers: 0 };
  const vectors = { ...tiny, ...empty, vocab: 0, sourceVocab: 7 };
  assert.deepEqual(shapesOf(vectors), norm('encoder.norm'));
  const rms = { ...tiny, ...empty, vocab: 0, norm: 'rms' };
  assert.deepEqual(shapesOf(rms), ['encoder.norm.weight[4]']);
  const noLogits = {
    ...tinyBert,
    ...empty,
    vocab: 0,
    tokenTypes: 0,
    positions: 'none',
    pooler: false,
  };
  assert.deepEqual(shapesOf(noLogits), norm('encoder.embedding_norm'));
});

// ---- What transformers and PyTorch wrote ----

const GPT2 = { vocab: 37, maxLength: 12, dModel: 16, heads: 4, kvHeads: 4, dFF: 64, layers: 2 };
const LLAMA = { vocab: 34, maxLength: 16, dModel: 24, heads: 4, kvHeads: 2, dFF: 40, layers: 2 };
const BERT = { vocab: 38, maxLength: 12, dModel: 16, heads: 4, kvHeads: 4, dFF: 24, layers: 2 };
const MARIAN = { vocab: 41, maxLength: 12, dModel: 16, heads: 4, kvHeads: 4, dFF: 24, layers: 2 };
const gpt2 = { ...tinyGpt2, ...GPT2, activation: 'gelu-tanh', epsilon: 1e-4, dropout: 0.1 };
const llama = { ...tinyLlama, ...LLAMA, rotaryBase: 500 };
const bert = { ...tinyBert, ...BERT, epsilon: 1e-12, dropout: 0.1 };
const marian = { ...tinyMarian, ...MARIAN, decoderLayers: 2, dropout: 0.1 };
const EXPECTED = {
  bert: { ...bert, outputBias: false, prediction: false, head: 'none' },
  'bert-masked-lm': { ...bert, pooler: false },
  'bert-old': bert,
  gpt2,
  'gpt2-bf16': gpt2,
  'gpt2-f16': gpt2,
  'gpt2-old': gpt2,
  llama,
  'llama-tied': { ...llama, tied: true },
  marian,
  'marian-relu': { ...marian, activation: 'relu' },
};

for (const name of families) {
  test(`${name}: config and parameters are read, and written as they were`, () => {
    const { config, parameters } = readFixture(name);
    assert.deepEqual(config, EXPECTED[name]);
    assert.deepEqual(
      [...parameters].map(([key, { shape }]) => [key, shape]),
      [...parametersOf(config)],
    );
    for (const { shape, data } of parameters.values()) {
      assert.equal(
        data.length,
        shape.reduce((a, b) => a * b, 1),
      );
      assert.ok(data.every(Number.isFinite) && new Set(data).size > data.length / 2);
    }
    for (const format of [name.split('-')[0], 'torch']) {
      const written = writeCheckpoint(format, config, parameters);
      const again = readCheckpoint(
        JSON.parse(JSON.stringify(written.config)),
        asFile(written.tensors),
      );
      assert.deepEqual(again.config, config);
      assertSame(again.parameters, parameters);
    }
  });
}

for (const name of ['gpt2', 'llama', 'llama-tied', 'bert-masked-lm', 'marian', 'marian-relu']) {
  test(`${name}: the file that we write is transformers' own, byte for byte`, () => {
    const { config, parameters } = readFixture(name);
    const { config: settings, tensors } = writeCheckpoint(name.split('-')[0], config, parameters);
    const theirs = bytesOf(`${name}/model.safetensors`);
    assert.deepEqual(Buffer.from(writeSafetensors(tensors, { format: 'pt' })), theirs);
    const known = configOf(name);
    if (known.n_inner === null) known.n_inner = 64;
    if (known.activation_function === 'swish') known.activation_function = 'silu';
    /* We have one dropout, no tokens of our own, and rope_theta where transformers 4 has it. */
    const ours = /dropout|pdrop|rope_theta|pad_token_id/;
    for (const key of Object.keys(settings).filter((key) => !ours.test(key))) {
      assert.deepEqual(settings[key], known[key], key);
    }
  });
}

/** Cells of ours and of the file that are the same number. */
const PLACES = {
  'gpt2-old': `
    embedding.weight[36,3]                           wte.weight[36,3]
    decoder.position_embedding.weight[2,3]           wpe.weight[2,3]
    decoder.layers.1.norm1.weight[5]                 h.1.ln_1.weight[5]
    decoder.layers.1.self_attn.q_proj.weight[2,3]    h.1.attn.c_attn.weight[2,3]
    decoder.layers.1.self_attn.k_proj.weight[2,3]    h.1.attn.c_attn.weight[2,19]
    decoder.layers.1.self_attn.v_proj.weight[2,3]    h.1.attn.c_attn.weight[2,35]
    decoder.layers.0.self_attn.v_proj.bias[15]       h.0.attn.c_attn.bias[47]
    decoder.layers.0.self_attn.out_proj.weight[2,3]  h.0.attn.c_proj.weight[2,3]
    decoder.layers.1.norm2.bias[5]                   h.1.ln_2.bias[5]
    decoder.layers.0.linear1.weight[2,60]            h.0.mlp.c_fc.weight[2,60]
    decoder.layers.0.linear2.weight[60,2]            h.0.mlp.c_proj.weight[60,2]
    decoder.norm.weight[2]                           ln_f.weight[2]`,
  llama: `
    embedding.weight[33,3]                           model.embed_tokens.weight[33,3]
    logits.weight[3,33]                              lm_head.weight[33,3]
    decoder.layers.1.norm1.weight[3]                 model.layers.1.input_layernorm.weight[3]
    decoder.layers.1.self_attn.q_proj.weight[2,3]    model.layers.1.self_attn.q_proj.weight[3,2]
    decoder.layers.1.self_attn.k_proj.weight[23,3]   model.layers.1.self_attn.k_proj.weight[3,23]
    decoder.layers.1.self_attn.v_proj.weight[23,3]   model.layers.1.self_attn.v_proj.weight[3,23]
    decoder.layers.1.self_attn.out_proj.weight[2,3]  model.layers.1.self_attn.o_proj.weight[3,2]
    decoder.layers.1.norm2.weight[3]                 model.layers.1.post_attention_layernorm.weight[3]
    decoder.layers.1.gate.weight[2,39]               model.layers.1.mlp.gate_proj.weight[39,2]
    decoder.layers.1.linear1.weight[2,39]            model.layers.1.mlp.up_proj.weight[39,2]
    decoder.layers.1.linear2.weight[39,2]            model.layers.1.mlp.down_proj.weight[2,39]
    decoder.norm.weight[2]                           model.norm.weight[2]`,
  'bert-old': `
    embedding.weight[37,3]                           bert.embeddings.word_embeddings.weight[37,3]
    token_type_embedding.weight[1,3]                 bert.embeddings.token_type_embeddings.weight[1,3]
    encoder.position_embedding.weight[7,3]           bert.embeddings.position_embeddings.weight[7,3]
    encoder.embedding_norm.weight[3]                 bert.embeddings.LayerNorm.gamma[3]
    encoder.embedding_norm.bias[3]                   bert.embeddings.LayerNorm.beta[3]
    encoder.layers.1.self_attn.q_proj.weight[2,3]    bert.encoder.layer.1.attention.self.query.weight[3,2]
    encoder.layers.1.self_attn.k_proj.weight[2,3]    bert.encoder.layer.1.attention.self.key.weight[3,2]
    encoder.layers.1.self_attn.v_proj.bias[2]        bert.encoder.layer.1.attention.self.value.bias[2]
    encoder.layers.1.self_attn.out_proj.weight[2,3]  bert.encoder.layer.1.attention.output.dense.weight[3,2]
    encoder.layers.1.norm1.weight[3]                 bert.encoder.layer.1.attention.output.LayerNorm.gamma[3]
    encoder.layers.1.linear1.weight[2,23]            bert.encoder.layer.1.intermediate.dense.weight[23,2]
    encoder.layers.1.linear2.weight[23,2]            bert.encoder.layer.1.output.dense.weight[2,23]
    encoder.layers.1.norm2.bias[3]                   bert.encoder.layer.1.output.LayerNorm.beta[3]
    pooler.dense.weight[2,3]                         bert.pooler.dense.weight[3,2]
    prediction.dense.weight[2,3]                     cls.predictions.transform.dense.weight[3,2]
    prediction.norm.weight[3]                        cls.predictions.transform.LayerNorm.gamma[3]
    logits.bias[37]                                  cls.predictions.bias[37]`,
  marian: `
    embedding.weight[40,3]                           model.shared.weight[40,3]
    encoder.layers.1.self_attn.q_proj.weight[2,3]    model.encoder.layers.1.self_attn.q_proj.weight[3,2]
    encoder.layers.1.norm1.weight[3]                 model.encoder.layers.1.self_attn_layer_norm.weight[3]
    encoder.layers.1.norm2.weight[3]                 model.encoder.layers.1.final_layer_norm.weight[3]
    encoder.layers.1.linear1.weight[2,23]            model.encoder.layers.1.fc1.weight[23,2]
    decoder.layers.1.self_attn.v_proj.weight[2,3]    model.decoder.layers.1.self_attn.v_proj.weight[3,2]
    decoder.layers.1.self_attn.out_proj.weight[2,3]  model.decoder.layers.1.self_attn.out_proj.weight[3,2]
    decoder.layers.1.cross_attn.k_proj.weight[2,3]   model.decoder.layers.1.encoder_attn.k_proj.weight[3,2]
    decoder.layers.1.cross_attn.out_proj.bias[2]     model.decoder.layers.1.encoder_attn.out_proj.bias[2]
    decoder.layers.1.norm1.weight[3]                 model.decoder.layers.1.self_attn_layer_norm.weight[3]
    decoder.layers.1.norm2.weight[3]                 model.decoder.layers.1.encoder_attn_layer_norm.weight[3]
    decoder.layers.1.norm3.weight[3]                 model.decoder.layers.1.final_layer_norm.weight[3]
    decoder.layers.1.linear2.weight[23,2]            model.decoder.layers.1.fc2.weight[2,23]
    logits.bias[40]                                  final_logits_bias[0,40]`,
};

for (const [name, lines] of Object.entries(PLACES)) {
  test(`${name}: every weight lands where it belongs`, () => {
    const { parameters } = readFixture(name);
    const tensors = tensorsOf(`${name}/model.safetensors`);
    const cell = (map, place) => {
      const [key, index] = place.slice(0, -1).split('[');
      return at(map.get(key) ?? assert.fail(`no ${key}`), ...index.split(',').map(Number));
    };
    for (const line of lines.trim().split('\n')) {
      const [ours, theirs] = line.trim().split(/ +/);
      assert.ok(Number.isFinite(cell(parameters, ours)), line);
      assert.equal(cell(parameters, ours), cell(tensors, theirs), line);
    }
  });
}

test('torch.nn.Transformer is read and written', () => {
  const name = 'torch/transformer_pre_gelu.safetensors';
  const file = tensorsOf(name);
  const theirs = new Map(
    [...file].flatMap(([key, tensor]) =>
      key.startsWith('param.') ? [[key.slice('param.'.length), tensor]] : [],
    ),
  );
  const config = {
    ...tiny,
    vocab: 0,
    dModel: 10,
    dFF: 18,
    layers: 2,
    decoderLayers: 2,
    positions: 'none',
    activation: 'gelu',
    preNorm: true,
  };
  const { parameters } = readCheckpoint({ model_type: 'glassformer', ...config }, theirs);
  const stacked = theirs.get('decoder.layers.1.multihead_attn.in_proj_weight');
  for (const [k, letter] of ['q', 'k', 'v'].entries()) {
    const ours = parameters.get(`decoder.layers.1.cross_attn.${letter}_proj.weight`);
    assert.equal(at(ours, 2, 7), at(stacked, 10 * k + 7, 2));
  }
  const linear = theirs.get('encoder.layers.0.linear1.weight');
  assert.equal(at(parameters.get('encoder.layers.0.linear1.weight'), 3, 17), at(linear, 17, 3));
  const bias = theirs.get('encoder.layers.0.self_attn.in_proj_bias');
  assert.equal(at(parameters.get('encoder.layers.0.self_attn.k_proj.bias'), 4), at(bias, 14));
  const written = writeCheckpoint('torch', config, parameters);
  assertSame(sorted(written.tensors), sorted(theirs));
});

// ---- Round trip of any model ----

const some = (...values) => fc.constantFrom(...values);
const anyConfig = fc
  .record({
    kind: some('transformer', 'gpt', 'bert'),
    vocab: some(0, 5),
    sourceVocab: some(0, 7),
    tokenTypes: some(0, 2),
    maxLength: some(3),
    heads: some([1, 1], [2, 1], [2, 2], [4, 2]),
    size: some(2, 4),
    dFF: some(3, 5),
    layers: some(0, 1, 2),
    decoderLayers: some(0, 1, 2),
    positions: some('sinusoidal', 'sinusoidal-halves', 'learned', 'rotary', 'alibi', 'none'),
    norm: some('layer', 'rms'),
    preNorm: fc.boolean(),
    finalNorm: fc.boolean(),
    embeddingNorm: fc.boolean(),
    activation: some('relu', 'gelu', 'gelu-tanh', 'silu', 'swiglu'),
    bias: fc.boolean(),
    tied: fc.boolean(),
    outputBias: fc.boolean(),
    scaleEmbedding: fc.boolean(),
    pooler: fc.boolean(),
    prediction: fc.boolean(),
    head: some('logits', 'none'),
    interleaved: fc.boolean(),
    rotaryBase: some(10000, 500000),
    epsilon: some(1e-5, 1e-12, 0),
    dropout: some(0, 0.1),
  })
  .map(({ heads: [heads, kvHeads], size, ...rest }) => ({
    ...rest,
    heads,
    kvHeads,
    dModel: heads * size,
    ...(rest.kind === 'transformer' ? {} : { sourceVocab: 0, decoderLayers: 0 }),
    ...(rest.kind === 'bert' ? {} : { tokenTypes: 0, pooler: false, prediction: false }),
  }));

/** What a format keeps of any config: the rest is as the family has it. */
const kept = {
  torch: (c) => c,
  gpt2: ({ vocab, maxLength, dModel, heads, dFF, layers, tied, epsilon, dropout, activation }) => ({
    ...tinyGpt2,
    ...{
      vocab: vocab || 5,
      maxLength,
      dModel,
      heads,
      kvHeads: heads,
      dFF,
      layers,
      tied,
      epsilon,
      dropout,
    },
    activation: activation === 'swiglu' ? 'relu' : activation,
  }),
  llama: ({
    vocab,
    maxLength,
    dModel,
    heads,
    kvHeads,
    dFF,
    layers,
    tied,
    epsilon,
    bias,
    rotaryBase,
  }) => ({
    ...tinyLlama,
    ...{
      vocab: vocab || 5,
      maxLength,
      dModel,
      heads,
      kvHeads,
      dFF,
      layers,
      tied,
      epsilon,
      bias,
      rotaryBase,
    },
  }),
  bert: ({ tokenTypes, embeddingNorm, pooler, prediction, tied, ...c }) => ({
    ...kept.gpt2(c),
    ...{ kind: 'bert', tokenTypes, pooler, prediction, outputBias: prediction },
    head: prediction ? 'logits' : 'none',
    ...{ preNorm: false, finalNorm: false, embeddingNorm: true, tied: tied || !prediction },
  }),
  roberta: (c) => ({ ...kept.bert(c), activation: 'gelu' }),
  distilbert: (c) => ({ ...kept.bert(c), tokenTypes: 0, pooler: false, epsilon: 1e-12 }),
  marian: ({ decoderLayers, sourceVocab, scaleEmbedding, outputBias, ...c }) => ({
    ...kept.gpt2(c),
    ...{
      kind: 'transformer',
      decoderLayers: decoderLayers || 1,
      sourceVocab,
      scaleEmbedding,
      outputBias,
    },
    ...{ positions: 'sinusoidal-halves', preNorm: false, finalNorm: false, epsilon: 1e-5 },
  }),
};

for (const format of Object.keys(kept)) {
  test(`any model in the format ${format} is read as it was written`, () => {
    fc.assert(
      fc.property(anyConfig, (given) => {
        const config = kept[format](given);
        const parameters = numbered(config);
        const written = writeCheckpoint(format, config, parameters);
        const again = readCheckpoint(
          JSON.parse(JSON.stringify(written.config)),
          asFile(written.tensors),
        );
        assert.deepEqual(again.config, config);
        assertSame(again.parameters, parameters);
      }),
    );
  });
}

// ---- What files may lack, or have besides ----

const MODELS = {
  torch: tiny,
  gpt2: tinyGpt2,
  llama: tinyLlama,
  bert: tinyBert,
  roberta: { ...tinyBert, activation: 'gelu' },
  distilbert: { ...tinyBert, tokenTypes: 0, pooler: false, epsilon: 1e-12 },
  marian: tinyMarian,
};

/** A model in a format, its files to be changed. */
function sample(format, changes = {}) {
  const model = { ...MODELS[format], ...changes };
  const parameters = numbered(model);
  const { config, tensors } = writeCheckpoint(format, model, parameters);
  return { model, parameters, config, tensors: asFile(tensors) };
}

/** The same tensors under other names. */
const renamed = (tensors, name) =>
  new Map([...tensors].map(([key, tensor]) => [name(key), tensor]));

/** A tensor like another one, but for its first cell. */
const altered = ({ data, ...rest }) => ({ ...rest, data: data.with(0, 99) });

test('a prefix may be missing', () => {
  for (const [format, prefix] of [
    ['gpt2', 'transformer.'],
    ['llama', 'model.'],
    ['bert', 'bert.'],
    ['roberta', 'roberta.'],
    ['distilbert', 'distilbert.'],
    ['marian', 'model.'],
  ]) {
    const { config, tensors, parameters } = sample(format);
    const bare = renamed(tensors, (key) =>
      key.startsWith(prefix) ? key.slice(prefix.length) : key,
    );
    assertSame(readCheckpoint(config, bare).parameters, parameters);
    const first = [...bare.keys()][3];
    bare.delete(first);
    refused(config, bare, new RegExp(`: 1 missing: "${first}" \\[`));
  }
});

test('a model without a head makes its logits with the embedding, a bert none', () => {
  for (const [format, key, head] of [
    ['llama', 'lm_head.weight', 'logits'],
    ['bert', 'cls.', 'none'],
    ['roberta', 'lm_head.', 'none'],
    ['distilbert', 'vocab_', 'none'],
    ['marian', 'final_logits_bias', 'logits'],
  ]) {
    const { config, tensors, model } = sample(format);
    const body = [...tensors].filter(([name]) => !name.startsWith(key));
    const bare = renamed(new Map(body), (key) =>
      key.replace(/^(model|bert|roberta|distilbert)\./, ''),
    );
    const { config: read } = readCheckpoint(config, bare);
    const expected = { ...model, tied: true, outputBias: false, prediction: false, head };
    assert.deepEqual(read, expected);
  }
  const { config, tensors } = sample('llama');
  tensors.delete('lm_head.weight');
  refused(config, tensors, /1 missing: "lm_head.weight" \[5,4\]/);
});

test('a tied head may be there, or differ and so be none', () => {
  for (const [format, table, head] of [
    ['gpt2', 'transformer.wte.weight', 'lm_head.weight'],
    ['llama', 'model.embed_tokens.weight', 'lm_head.weight'],
    ['bert', 'bert.embeddings.word_embeddings.weight', 'cls.predictions.decoder.weight'],
    ['roberta', 'roberta.embeddings.word_embeddings.weight', 'lm_head.decoder.weight'],
    ['distilbert', 'distilbert.embeddings.word_embeddings.weight', 'vocab_projector.weight'],
    ['marian', 'model.shared.weight', 'lm_head.weight'],
  ]) {
    const { config, tensors, model, parameters } = sample(format, { tied: true });
    tensors.set(head, tensors.get(table));
    const equal = readCheckpoint(config, tensors);
    assert.deepEqual(equal.config, model);
    assertSame(equal.parameters, parameters);

    tensors.set(head, altered(tensors.get(table)));
    const untied = readCheckpoint(config, tensors);
    assert.deepEqual(untied.config, { ...model, tied: false });
    const logits = untied.parameters.get('logits.weight');
    assert.deepEqual(logits.shape, [4, 5]);
    assert.equal(at(logits, 0, 0), 99);
    assert.equal(at(logits, 3, 1), at(tensors.get(head), 1, 3));

    tensors.set(head, tensors.get(table));
    tensors.delete(table);
    assertSame(readCheckpoint(config, tensors).parameters, parameters);
  }
  const flat = sample('gpt2');
  flat.tensors.set('lm_head.weight', {
    ...flat.tensors.get('transformer.wte.weight'),
    shape: [20],
  });
  refused(flat.config, flat.tensors, /1 of another shape .*: "lm_head.weight" \[20\] ≠ \[5,4\]$/);
  const { config, tensors, model } = sample('gpt2', { tied: false });
  tensors.set('lm_head.weight', tensors.get('transformer.wte.weight'));
  assert.deepEqual(readCheckpoint(config, tensors).config, model);
});

test("RoBERTa's positions begin behind those of padding", () => {
  const { config, tensors, model, parameters } = sample('roberta');
  assert.equal(config.max_position_embeddings, model.maxLength + 2);
  const table = tensors.get('roberta.embeddings.position_embeddings.weight');
  assert.deepEqual(table.shape, [model.maxLength + 2, 4]);
  assert.deepEqual([...table.data.subarray(0, 8)], Array(8).fill(0));
  const own = parameters.get('encoder.position_embedding.weight');
  assert.deepEqual(table.data.subarray(8), own.data);
  for (const type of ['xlm-roberta', 'camembert']) {
    assertSame(readCheckpoint({ ...config, model_type: type }, tensors).parameters, parameters);
  }
});

test('Mistral is Llama, unless its window is shorter than its longest text', () => {
  const { config, tensors, model } = sample('llama');
  const windowed = { window: 4, windowStep: 1 };
  for (const [window, more] of [
    [4, windowed],
    [model.maxLength, {}],
    [100, {}],
    [null, {}],
  ]) {
    const given = { ...config, model_type: 'mistral', sliding_window: window };
    assert.deepEqual(readCheckpoint(given, tensors).config, { ...model, ...more });
  }
});

test("BERT's bias of the logits may be there twice", () => {
  const { config, tensors, parameters } = sample('bert');
  tensors.set('cls.predictions.decoder.bias', tensors.get('cls.predictions.bias'));
  assertSame(readCheckpoint(config, tensors).parameters, parameters);
});

test('Marian may have its embedding under several names, and one for each side', () => {
  const { config, tensors, parameters } = sample('marian');
  const shared = tensors.get('model.shared.weight');
  tensors.set('model.encoder.embed_tokens.weight', shared);
  tensors.set('model.decoder.embed_tokens.weight', shared);
  assertSame(readCheckpoint(config, tensors).parameters, parameters);
  tensors.delete('model.shared.weight');
  assertSame(readCheckpoint(config, tensors).parameters, parameters);
  tensors.set('model.encoder.embed_tokens.weight', altered(shared));
  refused(
    config,
    tensors,
    /1 that should equal another tensor: "model.encoder.embed_tokens.weight" \[5,4\] ≠ "/,
  );

  const two = sample('marian', { sourceVocab: 7 });
  assert.equal(two.config.share_encoder_decoder_embeddings, false);
  assert.deepEqual(two.tensors.get('model.encoder.embed_tokens.weight').shape, [7, 4]);
  assert.deepEqual(two.tensors.get('model.decoder.embed_tokens.weight').shape, [5, 4]);
  assert.equal(two.tensors.has('model.shared.weight'), false);
  two.tensors.set('lm_head.weight', altered(two.tensors.get('model.decoder.embed_tokens.weight')));
  assert.deepEqual(readCheckpoint(two.config, two.tensors).config, { ...two.model, tied: false });
});

test("Marian's stored positions must be the sinusoids that the core computes", () => {
  const { config, tensors } = sample('marian');
  const angle = (t, i) => t / 10000 ** (i / 2);
  const positions = (row) => ({
    dtype: 'F32',
    shape: [6, 4],
    data: Float32Array.from({ length: 24 }, (_, n) => row(Math.floor(n / 4))[n % 4]),
  });
  const halves = positions((t) =>
    [0, 1].map((i) => Math.sin(angle(t, i))).concat([0, 1].map((i) => Math.cos(angle(t, i)))),
  );
  const mixed = positions((t) =>
    [0, 1].flatMap((i) => [Math.sin(angle(t, i)), Math.cos(angle(t, i))]),
  );
  const key = 'model.decoder.embed_positions.weight';
  readCheckpoint(config, new Map([...tensors, [key, halves]]));
  const reason =
    /1 that differ from what Glassformer computes: "model.decoder.embed_positions.weight"/;
  refused(config, new Map([...tensors, [key, mixed]]), reason);
  halves.data[23] = Number.NaN;
  refused(config, new Map([...tensors, [key, halves]]), reason);
});

test('masks, rotations and the like that old files keep are passed over, and nothing else', () => {
  const mask = { dtype: 'BOOL', shape: [1, 1, 2, 2], data: new Int32Array(4) };
  for (const [format, key] of [
    ['gpt2', 'transformer.h.0.attn.bias'],
    ['gpt2', 'transformer.h.11.attn.masked_bias'],
    ['llama', 'model.layers.0.self_attn.rotary_emb.inv_freq'],
    ['bert', 'bert.embeddings.position_ids'],
    ['bert', 'cls.seq_relationship.weight'],
  ]) {
    const { config, tensors, parameters } = sample(format);
    tensors.set(key, mask);
    assertSame(readCheckpoint(config, tensors).parameters, parameters);
    tensors.set(`${key}.more`, mask);
    refused(config, tensors, new RegExp(`1 extra: "${key}.more" \\[1,1,2,2\\]$`));
  }
});

test('numbers that need no change are not copied', () => {
  const { config, tensors } = sample('gpt2');
  const { parameters } = readCheckpoint(config, tensors);
  const { data } = tensors.get('transformer.wte.weight');
  assert.equal(parameters.get('embedding.weight').data, data);
});

// ---- Refusals ----

test('every key that is missing, extra, of another shape or dtype is told in one error', () => {
  const { config, tensors } = sample('gpt2');
  tensors.delete('transformer.ln_f.bias');
  tensors.delete('transformer.h.0.ln_1.weight');
  tensors.set('__proto__', { dtype: 'F32', shape: [2, 1], data: new Float32Array(2) });
  tensors.set('ln_f.weight', tensors.get('transformer.ln_f.weight'));
  tensors.set('transformer.wpe.weight', tensors.get('transformer.wte.weight'));
  tensors.set('transformer.h.0.ln_2.bias', { dtype: 'I64', shape: [4], data: new Int32Array(4) });
  refused(
    config,
    tensors,
    /^gpt2: keys do not fit: /,
    /2 missing: "transformer.h.0.ln_1.weight" \[4\], "transformer.ln_f.bias" \[4\]/,
    /1 of another shape .*: "transformer.wpe.weight" \[5,4\] ≠ \[6,4\]/,
    /1 of another dtype: "transformer.h.0.ln_2.bias" \[4\] I64/,
    /1 extra: "__proto__" \[2,1\]/,
    /1 given twice: "ln_f.weight"/,
  );
  const old = sample('bert');
  old.tensors.set(
    'bert.embeddings.LayerNorm.gamma',
    old.tensors.get('bert.embeddings.LayerNorm.weight'),
  );
  refused(old.config, old.tensors, /1 given twice: "bert.embeddings.LayerNorm.gamma"/);
  refused(config, new Map(), /16 missing: ("[^"]+" \[[\d,]+\](, )?){10} and 6 more$/);
  const one = { dtype: 'F32', shape: [1], data: new Float32Array(1) };
  const many = Array.from({ length: 200_000 }, (_, i) => [`key${i}`, one]);
  refused(config, new Map(many), /; 200000 extra: ("key\d" \[1\](, )?){10} and 199990 more$/);
  const long = new Map([
    ...sample('gpt2').tensors,
    ['x'.repeat(100_000), tensors.get('__proto__')],
  ]);
  refused(config, long, /1 extra: "x{100}" \[2,1\]/);
});

test('settings that are not supported are refused by name, with the value', () => {
  const llama3 = { rope_type: 'llama3', factor: 8 };
  const FAST = 'rope_scaling.high_freq_factor';
  const rotations = (/** @type {unknown} */ slow, /** @type {unknown} */ fast) => ({
    ...{ ...llama3, low_freq_factor: slow, high_freq_factor: fast },
    original_max_position_embeddings: 64,
  });
  const yarn = { rope_type: 'yarn', rope_theta: 10000 };
  const dynamic = { type: 'dynamic', factor: 8 };
  const kinds = 'one of default, linear, llama3';
  const other = { rope_type: 'default', rope_theta: 500 };
  const half = { partial_rotary_factor: 0.5 };
  for (const [format, setting, begin, end] of [
    ['gpt2', 'scale_attn_weights', false, 'true', 'false'],
    ['gpt2', 'scale_attn_by_inverse_layer_idx', true, 'false', 'true'],
    ['gpt2', 'add_cross_attention', true, 'false', 'true'],
    ['gpt2', 'activation_function', 'quick_gelu', 'one of relu, gelu, ', '"quick_gelu"'],
    ['gpt2', 'activation_function', '__proto__', 'one of relu, gelu, ', '"__proto__"'],
    ['gpt2', 'activation_function', 7, 'one of relu, gelu, ', '7'],
    ['gpt2', 'n_head', '2', 'an integer', '"2"'],
    ['gpt2', 'n_embd', [4], 'an integer', 'an array of 1'],
    ['gpt2', 'n_layer', 1e9, 'an integer from 0 to 1024', '1000000000'],
    ['gpt2', 'vocab_size', 2.5, 'an integer from 0 to 16777216', '2.5'],
    ['gpt2', 'layer_norm_epsilon', -1, 'a number from 0 to 1', '-1'],
    ['gpt2', 'layer_norm_epsilon', 1.5, 'a number from 0 to 1', '1.5'],
    ['llama', 'rope_theta', 1e31, 'a number above 0 to 1e+30', '1e+31'],
    ['gpt2', 'resid_pdrop', 1, 'a number from 0 to below 1', '1'],
    ['gpt2', 'tie_word_embeddings', 'yes', 'true or false', '"yes"'],
    ['llama', 'hidden_act', 'gelu', '"silu"', '"gelu"'],
    ['llama', 'head_dim', 3, '2', '3'],
    ['llama', 'sliding_window', 4096, 'nothing', '4096'],
    ['llama', 'mlp_bias', true, 'the same as mlp_bias, which is true', 'false', 'attention_bias'],
    ['llama', 'attention_bias', true, 'the same as mlp_bias, which is false', 'true'],
    ['llama', 'attention_bias', 'NaN', 'true or false', '"NaN"'],
    ['llama', 'mlp_bias', {}, 'true or false', 'an object {}'],
    ['llama', 'rope_theta', Number.NaN, 'a number above 0', 'NaN'],
    ['llama', 'rope_theta', 0, 'a number above 0 to 1e+30', '0'],
    ['llama', 'rope_theta', 1e-46, 'a number above 0 to 1e+30', '1e-46'],
    ['llama', 'rope_scaling', rotations(4, 4 + 1e-9), 'a number above 4', '4.000000001', FAST],
    ['llama', 'rope_scaling', rotations(4, '8'), 'a number', '"8"', 'rotaryFast'],
    ['llama', 'rope_scaling', rotations(0, 1e-46), 'a number above 0', '1e-46', FAST],
    ['llama', 'rope_scaling', 'llama3', 'nothing', '"llama3"'],
    ['llama', 'rope_scaling', { factor: 8 }, 'nothing', '{ factor: 8 }'],
    ['llama', 'rope_scaling', dynamic, kinds, '"dynamic"', 'rope_scaling.type'],
    ['llama', 'rope_parameters', yarn, kinds, '"yarn"', 'rope_parameters.rope_type'],
    ['llama', 'rope_parameters', other, '500', '10000', 'rope_theta'],
    ['llama', 'rope_parameters', half, '1', '0.5', 'rope_parameters.partial_rotary_factor'],
    ['llama', 'partial_rotary_factor', 0.5, '1', '0.5'],
    ['bert', 'position_embedding_type', 'relative_key', '"absolute"', '"relative_key"'],
    ['bert', 'is_decoder', true, 'false', 'true'],
    ['bert', 'add_cross_attention', true, 'false', 'true'],
    ['bert', 'hidden_act', 'relu6', 'one of relu, gelu, ', '"relu6"'],
    ['roberta', 'hidden_act', 'relu', '"gelu"', '"relu"'],
    ['roberta', 'pad_token_id', 0, '1', '0'],
    ['roberta', 'position_embedding_type', 'relative_key', '"absolute"', '"relative_key"'],
    ['marian', 'static_position_embeddings', false, 'true', 'false'],
    ['marian', 'normalize_before', true, 'false', 'true'],
    ['marian', 'normalize_embedding', true, 'false', 'true'],
    ['marian', 'add_final_layer_norm', true, 'false', 'true'],
    ['marian', 'add_bias_logits', true, 'false', 'true'],
    ['marian', 'decoder_attention_heads', 4, '2', '4'],
    ['marian', 'decoder_ffn_dim', 5, '3', '5'],
    ['marian', 'decoder_vocab_size', 9, '5', '9'],
    ['marian', 'share_encoder_decoder_embeddings', 'no', 'one of true, false', '"no"'],
    ['torch', 'kind', 't5', 'one of "transformer", "gpt", "bert"', '"t5"'],
    ['torch', 'positions', 'relative', 'one of "sinusoidal", ', '"relative"'],
    ['torch', 'softcap', 30, 'nothing', '30'],
    ['torch', 'rotaryBase', Number.NaN, 'a number above 0 to 1e+30', 'NaN'],
  ].map(([format, key, value, expected, received, told = key]) => [
    ...[format, { [key]: value }],
    ...[`config.json: ${told}: expected ${expected}`, `, received ${received}`],
  ])) {
    const { config, tensors } = sample(format);
    assert.throws(
      () => readCheckpoint({ ...config, ...setting }, tensors),
      ({ code, message }) =>
        (code === 'GF_EFILE' && message.startsWith(begin) && message.endsWith(end)) ||
        assert.fail(message),
    );
  }
  for (const [format, setting, reason] of [
    ['gpt2', { n_head: 3 }, /^config.json: n_head 3 does not divide n_embd 4$/],
    [
      'llama',
      { num_key_value_heads: 3 },
      /_key_value_heads 3 does not divide num_attention_heads 2$/,
    ],
    ['llama', { hidden_size: 2 }, /rotary positions need heads of even size, received 1$/],
    ['llama', { rope_scaling: llama3 }, /rope_scaling.low_freq_factor is missing$/],
    ['torch', { heads: 3 }, /heads 3 does not divide dModel 4$/],
    ['gpt2', { n_layer: null }, /^config.json: n_layer is missing$/],
    ['torch', { dFF: undefined }, /^config.json: dFF is missing$/],
  ]) {
    const { config, tensors } = sample(format);
    refused({ ...config, ...setting }, tensors, reason);
  }
  const { config, tensors } = sample('llama');
  const { rope_theta, ...rest } = config;
  assert.equal(rope_theta, 10000);
  const much = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, i]));
  refused(
    { ...config, rope_scaling: much },
    tensors,
    /rope_scaling: .* received \{ key0: 0, key1: 1,/,
  );
  const layers = { ...rest, rope_parameters: { full_attention: {} } };
  refused(layers, tensors, /rope_theta is missing$/);
});

test('settings that say what is so anyway, or nothing, are accepted', () => {
  for (const [format, setting, field] of [
    ['gpt2', { n_inner: null }, { dFF: 16 }],
    ['gpt2', { activation_function: 'gelu_pytorch_tanh' }, { activation: 'gelu-tanh' }],
    ['gpt2', { activation_function: 'swish' }, { activation: 'silu' }],
    ['llama', { head_dim: 2, sliding_window: null, rope_scaling: null }, {}],
    ['llama', { model_type: 'mistral', attention_bias: undefined, mlp_bias: undefined }, {}],
    [
      'llama',
      { rope_theta: undefined, rope_parameters: { rope_type: 'default', rope_theta: 500 } },
      { rotaryBase: 500 },
    ],
    ['llama', { rope_theta: undefined }, { rotaryBase: 10000 }],
    [
      'bert',
      { position_embedding_type: 'absolute', layer_norm_eps: undefined },
      { epsilon: 1e-12 },
    ],
    ['marian', { decoder_vocab_size: null, share_encoder_decoder_embeddings: null }, {}],
  ]) {
    const { config, tensors, model } = sample(format, format === 'gpt2' ? { dFF: 16 } : {});
    const { config: read } = readCheckpoint(
      JSON.parse(JSON.stringify({ ...config, ...setting })),
      tensors,
    );
    assert.deepEqual(read, { ...model, ...field });
  }
  const { config, tensors, model } = sample('llama', { kvHeads: 2 });
  const { num_key_value_heads, ...rest } = config;
  assert.equal(num_key_value_heads, 2);
  assert.deepEqual(readCheckpoint(rest, tensors).config, model);
});

test('what is no checkpoint at all is refused', () => {
  const { config, tensors } = sample('gpt2');
  for (const [wrong, reason] of [
    [null, /config.json: expected an object, received null/],
    [[], /config.json: expected an object, received an array of 0/],
    ['gpt2', /config.json: expected an object, received "gpt2"/],
    [{}, /model_type: expected one of glassformer, gpt2, .*, received undefined/],
    [{ model_type: 't5' }, /received "t5"/],
    [{ model_type: '__proto__' }, /received "__proto__"/],
    [JSON.parse('{"__proto__":{"model_type":"gpt2"}}'), /received undefined/],
    [JSON.parse('{"model_type":"gpt2","__proto__":{"n_embd":4}}'), /is missing/],
  ]) {
    refused(wrong, tensors, reason);
  }
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  refused(
    { ...config, n_layer: deep, n_embd: { deep } },
    tensors,
    /n_embd: expected an integer .* received an object \{/,
  );
  assert.throws(
    () => readCheckpoint(config, {}),
    /TypeError.*expected a Map of tensors, received an object \{/s,
  );
});

test('what a format cannot hold is not written', () => {
  for (const [format, changes, reason] of [
    ['gpt2', { norm: 'rms' }, /gpt2 has norm "layer", received "rms"/],
    ['gpt2', { kind: 'bert' }, /gpt2 has kind "gpt", received "bert"/],
    ['gpt2', { kvHeads: 1 }, /gpt2 has kvHeads 2, received 1/],
    ['gpt2', { activation: 'swiglu' }, /gpt2 has no activation "swiglu"/],
    ['gpt2', { vocab: 0 }, /gpt2 needs a token embedding: .* \(vocab 0\)/],
    ['llama', { interleaved: true }, /llama has interleaved false, received true/],
    ['bert', { prediction: false }, /bert has head "none", received "logits"/],
    ['bert', { outputBias: false }, /bert has outputBias true, received false/],
    [
      'bert',
      { prediction: false, outputBias: false, head: 'none', tied: false },
      /bert has tied true, received false/,
    ],
    ['marian', { epsilon: 1e-6 }, /marian has epsilon 0.00001, received 0.000001/],
    ['torch', { heads: 3 }, /heads 3 does not divide dModel 4/],
    ['torch', { layers: -1 }, /layers: expected an integer from 0 to 1024, received -1/],
    ['torch', { kind: 't5' }, /kind: expected one of "transformer", "gpt", "bert", received "t5"/],
  ]) {
    const model = { ...MODELS[format], ...changes };
    assert.throws(
      () => writeCheckpoint(format, model, new Map()),
      (error) =>
        error instanceof RangeError && (reason.test(error.message) || assert.fail(error.message)),
    );
  }
  const unknown =
    /RangeError: exportModel: format: expected one of "torch", .*, received "gpt" \(did you mean "gpt2"\?\)/;
  assert.throws(
    () => writeCheckpoint('gpt', tiny, new Map()),
    (error) => unknown.test(String(error)),
  );
  assert.throws(() => writeCheckpoint('__proto__', tiny, new Map()), /expected one of/);
  const parameters = numbered(tinyGpt2);
  parameters.delete('decoder.norm.bias');
  parameters.set('decoder.norm.weight', { shape: [3], data: new Float32Array(3) });
  parameters.set('more', { shape: [3], data: new Float32Array(3) });
  assert.throws(
    () => writeCheckpoint('gpt2', tinyGpt2, parameters),
    /parameters do not fit: 1 of another shape .*: "decoder.norm.weight" \[3\] ≠ \[4\]; 1 missing: "decoder.norm.bias" \[4\]; 1 extra: "more" \[3\]$/,
  );
});
