// Files of models that are not what they say: refused by their names and sizes, before anything is built.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exportModel, importModel, readModel } from '../../../bindings/index.js';
import { core } from '../../../bindings/js/embedded.js';
import { writeSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { glassformer } from '../../../bindings/js/glassformer.js';
import { checkConfig } from '../../../bindings/js/model/config/config.js';
import { extentOf, parametersOf } from '../../../bindings/js/model/config/parameters.js';
import { start } from '../../../bindings/js/runtime/engine.js';
import { families, gf, model, refusedAs } from './small.js';

/** A core that counts what it is asked to build, and what it has allocated and not given back. */
async function counting() {
  const engine = await start(core);
  const work = { built: 0, allocated: 0, held: 0 };
  const { gf_build: build } = engine.core;
  engine.core = {
    ...engine.core,
    gf_build(...given) {
      work.built += 1;
      return build(...given);
    },
  };
  const alloc = engine.heap.alloc.bind(engine.heap);
  engine.heap.alloc = (bytes) => {
    work.allocated += 1;
    work.held += 1;
    return alloc(bytes);
  };
  const free = engine.heap.free.bind(engine.heap);
  engine.heap.free = (at) => {
    work.held -= 1;
    free(at);
  };
  return { core: glassformer(engine), work };
}

const ONES = { vocab: 1, maxLength: 1, dModel: 1, heads: 1, dFF: 1 };
const HUGE = {
  'a stack of 1024 layers': { kind: 'gpt', ...ONES, layers: 1024 },
  'two stacks of 1024 layers': {
    kind: 'transformer',
    ...ONES,
    layers: 1024,
    decoderLayers: 1024,
  },
  'an embedding of 2^24 rows': { kind: 'gpt', ...ONES, vocab: 2 ** 24, dModel: 512, layers: 0 },
};

/** What a file says of itself, with tensors that it may or may not ask for. */
const saved = (config, tensors = [], notes = {}) =>
  writeSafetensors(tensors, { format: 'glassformer', config: JSON.stringify(config), ...notes });

for (const [name, config] of Object.entries(HUGE)) {
  test(`a file that claims ${name} and has none builds nothing`, async () => {
    const { core, work } = await counting();
    const read = { config, parameters: new Map() };
    const reason = refusedAs('GF_EFILE', /is missing: the config asks for \d+ tensors, .* has 0/);
    assert.throws(() => core.open(readModel(saved(config))), reason);
    assert.throws(() => core.open(read), reason);
    await assert.rejects(core.openInTurns(read), reason);
    assert.deepEqual(work, { built: 0, allocated: 0, held: 0 });
  });
}

test('no more parameters are looked for than a file has, and one', () => {
  let asked = 0;
  class Counted extends Map {
    has(name) {
      asked += 1;
      return super.has(name);
    }
  }
  const config = HUGE['two stacks of 1024 layers'];
  const few = [...parametersOf(checkConfig(config))].slice(0, 40);
  const parameters = new Counted(
    few.map(([name, shape]) => [name, { shape, data: new Float32Array(1) }]),
  );
  assert.throws(
    () => gf.open({ config, parameters }),
    refusedAs('GF_EFILE', /"encoder.layers.2.self_attn.out_proj.bias" is missing/),
  );
  assert.equal(asked, 41);
});

test('a checkpoint whose config.json claims layers by the thousand is refused by their number', () => {
  const small = gf.model({ kind: 'gpt', ...ONES, layers: 1 });
  const { config, bytes } = exportModel(small, 'gpt2');
  assert.throws(
    () => importModel({ config: { ...config, n_layer: 1024 }, bytes }),
    refusedAs('GF_EFILE', /config.json asks for 16388 parameters, and the file has 16 tensors/),
  );
  small.dispose();
});

const whole = (max) => fc.integer({ min: 1, max });
const anyConfig = fc
  .record({
    kind: fc.constantFrom('transformer', 'gpt', 'bert'),
    vocab: fc.nat(5),
    maxLength: whole(3),
    heads: whole(3),
    dFF: whole(4),
    layers: fc.nat(5),
    decoderLayers: fc.nat(5),
    norm: fc.constantFrom('layer', 'rms'),
    positions: fc.constantFrom('learned', 'none'),
    activation: fc.constantFrom('relu', 'swiglu'),
    bias: fc.boolean(),
    tied: fc.boolean(),
    outputBias: fc.boolean(),
    embeddingNorm: fc.boolean(),
    finalNorm: fc.boolean(),
    sourceVocab: fc.nat(3),
    tokenTypes: fc.nat(2),
    pooler: fc.boolean(),
    prediction: fc.boolean(),
    head: fc.constantFrom('logits', 'none'),
    preNorm: fc.boolean(),
  })
  .map((config) => ({
    ...config,
    dModel: 2 * config.heads,
    decoderLayers: config.kind === 'transformer' ? config.decoderLayers : 0,
    sourceVocab: config.kind === 'transformer' ? config.sourceVocab : 0,
    tokenTypes: config.kind === 'bert' ? config.tokenTypes : 0,
    pooler: config.kind === 'bert' && config.pooler,
    prediction: config.kind === 'bert' && config.prediction,
  }));

test('how many parameters there are, and numbers in them, is told without naming them all', () => {
  fc.assert(
    fc.property(anyConfig, (given) => {
      const config = checkConfig(given);
      let [tensors, numbers] = [0, 0];
      for (const [, shape] of parametersOf(config)) {
        tensors += 1;
        numbers += shape.reduce((a, b) => a * b, 1);
      }
      assert.deepEqual(extentOf(config), { tensors, numbers });
    }),
  );
});

test('the parameters are those that the core makes, in its order', () => {
  fc.assert(
    fc.property(anyConfig, (given) => {
      const made = gf.model({ ...given, maxLength: 4 });
      const named = [...made.parameters].map(([name, { shape }]) => [name, [...shape]]);
      assert.deepEqual([...parametersOf(made.config)], named);
      made.dispose();
    }),
  );
});

// ---- What a file says of itself ----

test('each wrong field of a config is refused as part of the file, by its name and value', () => {
  const small = model(families.transformer);
  const { config } = small;
  const tensors = [...small.parameters].map(([name, { shape, data }]) => [name, { shape, data }]);
  for (const [change, reason] of [
    [{ layers: -1 }, /model: config: layers: expected an integer from 0 to 1024, received -1/],
    [{ layers: '2' }, /model: config: layers: expected an integer from 0 to 1024, received "2"/],
    [{ vocab: null }, /model: config: vocab: expected an integer .* received null/],
    [{ kind: 'gpt5' }, /model: config: kind: expected one of .* received "gpt5"/],
    [{ dModel: undefined }, /model: /],
    [{ heads: 3 }, /model: config: heads 3 does not divide dModel 8/],
    [{ pooler: true }, /model: config: pooler: only a bert has it, received true/],
    [{ bias: 1 }, /model: config: bias: expected true or false, received 1/],
    [{ epsilon: 'small' }, /model: config: epsilon: expected a number, received "small"/],
    [{ remove: 'mask' }, /model: config: remove: expected an array, received "mask"/],
    [{ remove: ['masks'] }, /model: config: remove\[0\]: expected one of .* received "masks"/],
    [{ seed: {} }, /model: config: seed: expected an integer .* received an object/],
    [{ layer: 2 }, /model: config: unknown option "layer" \(did you mean "layers"\?\)/],
  ]) {
    const wrong = { ...config, ...change };
    assert.throws(() => readModel(saved(wrong, tensors)), refusedAs('GF_EFILE', reason));
    const read = { config: wrong, parameters: new Map(tensors) };
    assert.throws(() => gf.open(read), refusedAs('GF_EFILE', reason));
  }
  for (const wrong of [null, 3, 'x', [], true]) {
    const reason = refusedAs('GF_EFILE', /model: config: expected an object of options/);
    assert.throws(() => readModel(saved(wrong, tensors)), reason);
    assert.throws(() => gf.open({ config: wrong, parameters: new Map(tensors) }), reason);
  }
  for (const step of ['-1', '1.5', '1e3', ' 1', '2147483647', '99999999999', 'one', '']) {
    assert.throws(
      () => readModel(saved(config, tensors, { step })),
      refusedAs('GF_EFILE', /model: step: expected an integer from 0 to 2147483646, received/),
    );
  }
  small.dispose();
});

test('tensors that the config does not ask for, or otherwise, are refused by name', () => {
  const small = model(families.gpt);
  const { config } = small;
  const opened = (change) => {
    const parameters = new Map(
      [...small.parameters].map(([name, { shape, data }]) => [name, { shape, data: data.slice() }]),
    );
    change(parameters);
    return () => gf.open({ config, parameters });
  };
  const name = 'decoder.layers.1.norm1.weight';
  for (const [change, reason] of [
    [(all) => all.set(name, null), /norm1.weight": expected { shape, data }, received null/],
    [(all) => all.set(name, { shape: 8 }), /norm1.weight": expected { shape, data }/],
    [(all) => all.set('extra', all.get(name)), /the config asks for no tensor "extra"/],
    [
      (all) => all.set(name, { shape: [2, 4], data: new Float32Array(8) }),
      /norm1.weight": expected the shape \[8\], received \[2,4\]/,
    ],
    [
      (all) => all.set(name, { shape: [8], data: new Float32Array(7) }),
      /norm1.weight": expected a Float32Array of 8 numbers, received Float32Array of 7/,
    ],
    [
      (all) => all.set(name, { shape: [8], data: new BigInt64Array(8) }),
      /norm1.weight": expected a Float32Array of 8 numbers, received BigInt64Array of 8/,
    ],
    [
      (all) => all.set(name, { shape: [8], data: new Int32Array(8) }),
      /norm1.weight": expected a Float32Array of 8 numbers, received Int32Array/,
    ],
    [
      (all) => structuredClone(0, { transfer: [all.get(name).data.buffer] }),
      /norm1.weight": expected a Float32Array of 8 numbers, received a detached Float32Array/,
    ],
  ]) {
    assert.throws(opened(change), refusedAs('GF_EFILE', reason));
  }
  opened(() => {})().dispose();
  small.dispose();
});

// ---- While it is opened piece by piece ----

test('a tensor that goes elsewhere while it is copied is refused, and the model is given up', async () => {
  const { core, work } = await counting();
  /* An embedding that is copied in several pieces, and tensors behind it. */
  const small = gf.model({
    kind: 'gpt',
    vocab: 50_000,
    dModel: 64,
    heads: 1,
    layers: 1,
    maxLength: 4,
  });
  const bytes = small.save();
  for (const [change, reason] of [
    [
      ({ parameters }) => {
        const { buffer } = parameters.get('embedding.weight').data;
        structuredClone(0, { transfer: [buffer] });
      },
      /"embedding.weight": expected a Float32Array of 3200000 numbers, received a detached/,
    ],
    [
      ({ parameters }) => {
        parameters.get('decoder.norm.weight').data = new BigInt64Array(64);
      },
      /"decoder.norm.weight": expected a Float32Array of 64 numbers, received BigInt64Array/,
    ],
    [
      ({ parameters }) => {
        parameters.get('decoder.norm.weight').data = undefined;
      },
      /"decoder.norm.weight": expected a Float32Array of 64 numbers, received undefined/,
    ],
  ]) {
    const read = readModel(bytes.slice());
    let pauses = 0;
    const opened = core.openInTurns(read, {
      onProgress: () => {
        pauses += 1;
        if (pauses === 1) change(read);
      },
    });
    await assert.rejects(opened, refusedAs('GF_EFILE', reason));
    assert.ok(pauses >= 1);
    assert.equal(work.held, 0);
  }
  assert.equal(work.built, 3);
  small.dispose();
});

test('a tensor that leaves the map meanwhile is still copied', async () => {
  const small = model(families.bert);
  const read = readModel(small.save());
  const opened = await gf.openInTurns(read, { onProgress: () => read.parameters.clear() });
  assert.equal(Buffer.compare(opened.save(), small.save()), 0);
  opened.dispose();
  small.dispose();
});

// ---- Sizes that someone types ----

test('a model that no memory holds is refused with the bytes that it takes, before anything is built', async () => {
  const { core, work } = await counting();
  const most = 2 ** 24;
  for (const [options, bytes] of [
    [
      {
        kind: 'gpt',
        vocab: most,
        dModel: 512,
        layers: 0,
        heads: 1,
        finalNorm: false,
        maxLength: 1,
      },
    ],
    [{ kind: 'gpt', vocab: most, dModel: most, heads: 1, layers: 1024, dFF: most }],
    [{ kind: 'transformer', vocab: 1, dModel: 2 ** 15, heads: 1, layers: 1024 }],
  ].map(([given]) => [given, 4 * extentOf(checkConfig(given)).numbers])) {
    assert.throws(
      () => core.model(options),
      refusedAs('GF_EMEMORY', new RegExp(`the parameters take ${bytes} bytes.* 4294967296`)),
    );
    assert.deepEqual(work, { built: 0, allocated: 0, held: 0 });
  }
});
