// Against PyTorch and transformers: what they compute from the same weights, values and gradients.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { importModel, load } from '../bindings/index.js';
import { core } from '../bindings/js/embedded.js';
import { readSafetensors } from '../bindings/js/formats/safetensors.js';
import { start } from '../bindings/js/runtime/engine.js';
import { readCheckpoint } from '../bindings/models/checkpoints/index.js';
import { variantOf } from '../bindings/models/checkpoints/variant.js';
import { load as loadModels, openCheckpoint } from '../bindings/models.js';

const gf = await load();
const models = await loadModels();
const fixtures = new URL('reference/fixtures/', import.meta.url);
const read = (path) => readFileSync(new URL(path, fixtures));
const json = (path) => JSON.parse(read(path));
const tensorsOf = (path) => readSafetensors(read(path)).tensors;

const VALUES = 1e-5;
const GRADIENTS = 1e-4;

/** What is farthest off, as a part of tolerance * (1 + |expected|). */
function distance(actual, expected) {
  assert.equal(actual.length, expected.length);
  let most = 0;
  for (let i = 0; i < expected.length; i++) {
    const off = Math.abs(actual[i] - expected[i]) / (1 + Math.abs(expected[i]));
    if (!(off <= most)) most = off;
  }
  return most;
}

function near(what, actual, expected, tolerance) {
  const off = distance(actual, expected);
  assert.ok(off < tolerance, `${what}: off by ${off}`);
}

/** Tensors whose names begin with the prefix, without it. */
const under = (tensors, prefix, put = '') =>
  new Map(
    [...tensors]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, tensor]) => [put + name.slice(prefix.length), tensor]),
  );

/** The rows of a tensor, cut to their lengths: what makes the model pad. */
function rowsOf({ shape, data }, lengths) {
  const [size, time, width = 0] = shape;
  const row = (i, t) =>
    width
      ? Array.from(data.subarray((i * time + t) * width, (i * time + t + 1) * width))
      : data[i * time + t];
  return Array.from({ length: size }, (_, i) =>
    Array.from({ length: lengths ? lengths.data[i] : time }, (_, t) => row(i, t)),
  );
}

/** Runs a model on padded tensors, with what stands in the padding too. */
function runOn(model, inputs, lengths, more = {}) {
  const given = Object.entries(inputs);
  const ragged = given.map(([name, tensor]) => [name, rowsOf(tensor, lengths[name])]);
  const run = model.forward({ ...Object.fromEntries(ragged), ...more });
  const leaves = { tokenTypes: 'token_types' };
  for (const [name, { data }] of given) run.tensor(leaves[name] ?? name).data.set(data);
  run.forward();
  return run;
}

/** Of every parameter. One that PyTorch leaves out takes no part in the result. */
function compareGradients(model, expected, gradients = (name) => model.parameters.get(name).grad) {
  for (const name of expected.keys()) assert.ok(model.parameters.has(name), name);
  for (const [name, { size }] of model.parameters) {
    const { data } = expected.get(name) ?? { data: new Float32Array(size) };
    near(`the gradient of ${name}`, gradients(name), data, GRADIENTS);
  }
}

// ---- torch.nn ----

/** PyTorch's masks of booleans say what is masked, ours what is kept; those of numbers are added. */
const maskOf = ({ shape: [rows, columns], data }) =>
  Array.from({ length: rows }, (_, i) =>
    Array.from(data.subarray(i * columns, (i + 1) * columns), (cell) =>
      data instanceof Int32Array ? cell === 0 : cell,
    ),
  );

/** Of the parameters, not of the inputs. */
const gradientsOf = (file, path) => {
  const gradients = under(file, 'grad.', path);
  for (const name of ['src', 'tgt', 'memory']) gradients.delete(path + name);
  return gradients;
};

const MODULES = {
  TransformerEncoderLayer: { kind: 'bert', layers: 1, path: 'encoder.layers.0.' },
  TransformerDecoderLayer: {
    kind: 'transformer',
    layers: 0,
    decoderLayers: 1,
    path: 'decoder.layers.0.',
  },
  Transformer: { kind: 'transformer', path: '' },
};

for (const settings of json('torch/cases.json')) {
  const { name, module, masks } = settings;
  test(`torch.nn: ${name}`, () => {
    const file = tensorsOf(`torch/${name}.safetensors`);
    const { path, kind, ...layers } = MODULES[module];
    const config = {
      model_type: 'glassformer',
      kind,
      vocab: 0,
      maxLength: 8,
      dModel: settings.d_model,
      heads: settings.nhead,
      kvHeads: settings.nhead,
      dFF: settings.dim_feedforward,
      layers: settings.num_encoder_layers,
      decoderLayers: settings.num_decoder_layers ?? 0,
      ...layers,
      positions: 'none',
      norm: 'layer',
      tied: false,
      preNorm: settings.norm_first,
      finalNorm: settings.final_norm ?? false,
      activation: settings.activation,
      bias: settings.bias,
      epsilon: settings.layer_norm_eps,
    };
    const model = gf.open(readCheckpoint(config, under(file, 'param.', path)));
    const [source, target] =
      kind === 'bert' ? [undefined, 'src'] : file.has('src') ? ['src', 'tgt'] : ['memory', 'tgt'];
    const inputs = { ...(source && { source: file.get(source) }), target: file.get(target) };
    const lengths = {
      source: file.get(`${source}_lengths`) ?? file.get('memory_lengths'),
      target: file.get(`${target}_lengths`),
    };
    const mask = (key) => (masks[key] ? maskOf(file.get(key)) : undefined);
    const run = runOn(model, inputs, lengths, {
      [kind === 'bert' ? 'targetMask' : 'sourceMask']: mask('src_mask'),
      ...(kind !== 'bert' && { targetMask: mask('tgt_mask'), memoryMask: mask('memory_mask') }),
    });
    const output = run.tape.nodes.at(-1);
    near('the output', output.data, file.get('output').data, VALUES);
    run.backward(output, file.get('r.output').data);
    const { parameters } = readCheckpoint(config, gradientsOf(file, path));
    compareGradients(model, parameters);
    for (const [leaf, key] of [
      ['source', source],
      ['target', target],
    ]) {
      if (key) near(key, run.tensor(leaf).grad, file.get(`grad.${key}`).data, GRADIENTS);
    }
    run.dispose();
    model.dispose();
  });
}

// ---- transformers ----

const RESULTS = {
  logits: (run) => run.tape.nodes.findLast(({ name }) => name === 'logits' || name === 'classes'),
  loss: (run) => run.tensor('loss'),
  pooler_output: (run) => run.tensor('pooled'),
  last_hidden_state: (run) => run.tensor('pooler.token').inputs[0],
  encoder_last_hidden_state: (run) => run.tensor('decoder.layers.0.cross_attn.k').inputs[0],
};

/** Where a result has what is expected: of the classes of texts, a decoder's last tokens have them. */
function placesOf({ shape: [, tokens, width], data }, expected) {
  const all = Array.from(data.keys());
  if (expected.data.length === all.length) return all;
  return all.filter((at) => Math.floor(at / width) % tokens === tokens - 1);
}

/** By the core that every page has, unless the family needs the other one. */
async function opened(config, bytes) {
  const checkpoint = await openCheckpoint(bytes, { config });
  if (variantOf(checkpoint.config)) return models.openModel(checkpoint);
  return gf.open(importModel({ config, bytes }));
}

const families = readdirSync(fixtures).filter((name) =>
  existsSync(new URL(`${name}/config.json`, fixtures)),
);
for (const family of families) {
  test(`transformers: ${family}`, async () => {
    const config = json(`${family}/config.json`);
    const model = await opened(config, read(`${family}/model.safetensors`));
    const file = tensorsOf(`${family}/expected.safetensors`);
    const two = file.has('decoder_input_ids');
    const inputs = {
      ...(two && { source: file.get('input_ids') }),
      target: file.get(two ? 'decoder_input_ids' : 'input_ids'),
      ...(file.has('token_type_ids') && { tokenTypes: file.get('token_type_ids') }),
      ...(file.has('labels') && { labels: file.get('labels') }),
    };
    const target = file.get(two ? 'decoder_lengths' : 'lengths');
    const lengths = { source: file.get('lengths'), target, tokenTypes: target, labels: target };
    const run = runOn(model, inputs, lengths);
    for (const [name, resultOf] of Object.entries(RESULTS)) {
      if (!file.has(name) || (name === 'loss' && !file.has('labels'))) continue;
      const result = resultOf(run);
      const places = placesOf(result, file.get(name));
      near(
        name,
        places.map((at) => result.data[at]),
        file.get(name).data,
        VALUES,
      );
    }
    const { parameters } = readCheckpoint(config, under(file, 'grad.'));
    if (file.has('labels')) {
      run.backward();
      compareGradients(model, parameters);
    } else {
      /* Several results, each with its own gradient. */
      const sums = new Map();
      for (const [name, resultOf] of Object.entries(RESULTS)) {
        if (!file.has(`r.${name}`)) continue;
        const result = resultOf(run);
        const given = file.get(`r.${name}`);
        const slopes = new Float32Array(result.data.length);
        for (const [i, at] of placesOf(result, given).entries()) slopes[at] = given.data[i];
        run.backward(result, slopes);
        for (const [key, { grad }] of model.parameters) {
          const sum = sums.get(key) ?? new Float32Array(grad.length);
          sums.set(
            key,
            sum.map((x, i) => x + grad[i]),
          );
        }
      }
      compareGradients(model, parameters, (name) => sums.get(name));
    }
    run.dispose();
    model.dispose();
  });
}

// ---- Training ----

const engine = await start(core);

test('torch.optim: Adam, AdamW and AMSGrad, step by step', () => {
  const { core, heap, memory } = engine;
  const { initial, gradients, cases } = json('optimizers.json');
  const n = initial.length;
  for (const { kind, lr, betas, eps, weight_decay, amsgrad, values } of cases) {
    const at = heap.alloc(5 * 4 * n + 28);
    const view = (i, size = n) => new Float32Array(memory.buffer, at + 4 * n * i, size);
    view(0, 5 * n).fill(0);
    view(0).set(initial);
    for (const [i, gradient] of gradients.entries()) {
      view(1).set(gradient);
      view(5, 5).set([lr, ...betas, eps, weight_decay]);
      new Int32Array(memory.buffer, at + 4 * (5 * n + 5), 2).set([Number(kind === 'AdamW'), i + 1]);
      const [x, g, m, v, most, adam] = [0, 1, 2, 3, 4, 5].map((k) => at + 4 * n * k);
      core.gf_adam_step(x, g, m, v, amsgrad ? most : 0, n, adam);
      near(`${kind} at step ${i + 1}`, view(0), values[i], VALUES);
    }
    heap.free(at);
  }
});

test("transformers' schedules: the rate of each step", () => {
  const kinds = ['constant', 'linear', 'cosine', 'inverse_sqrt'];
  for (const { kind, warmup, total, rate, rates } of json('schedules.json')) {
    const at = engine.config([kinds.indexOf(kind), warmup, total, 0], [rate]);
    const ours = rates.map((_, step) => engine.core.gf_learning_rate(at, step));
    near(`${kind} after a warm-up of ${warmup}`, ours, rates, 1e-9);
  }
});

test('torch.nn.functional.cross_entropy: losses and gradients', () => {
  for (const given of json('losses.json')) {
    const { reduction, weights, ignore_index: ignoreIndex, smoothing: labelSmoothing } = given;
    const tape = gf.tape();
    const logits = tape.input('logits', [5, 7]);
    const targets = Array.isArray(given.targets[0])
      ? tape.input('targets', [5, 7])
      : tape.ids('targets', [5]);
    const w = weights && tape.input('weights', [7]);
    const options = { reduction, weights: w, ignoreIndex, labelSmoothing };
    const loss = tape.crossEntropy(logits, targets, options, 'loss');
    tape.plan();
    logits.set(given.logits);
    targets.set(given.targets);
    w?.set(weights);
    tape.forward();
    tape.backward(loss, [given.upstream].flat());
    near(`the ${reduction}`, loss.data, [given.loss].flat(), VALUES);
    near(`the gradient of the ${reduction}`, logits.grad, given.gradient.flat(), GRADIENTS);
    tape.dispose();
  }
});
