import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bits, families, gf, model, POSITIONS, refused, refusedAs, state } from './small.js';

const source = [3, 1, 4, 1, 5];
const target = [9, 2, 6, 5];
const inputsOf = ({ kind }, more = {}) => ({
  ...(kind === 'transformer' && { source }),
  target,
  ...more,
});

test('each family has its defaults, and a config that is complete and frozen', () => {
  const paper = gf.model({ kind: 'transformer', vocab: 5, layers: 1 });
  const { seed, ...config } = paper.config;
  assert.equal(seed, 0);
  assert.deepEqual(config, {
    kind: 'transformer',
    vocab: 5,
    sourceVocab: 0,
    tokenTypes: 0,
    maxLength: 512,
    dModel: 512,
    heads: 8,
    kvHeads: 8,
    dFF: 2048,
    layers: 1,
    decoderLayers: 1,
    positions: 'sinusoidal',
    norm: 'layer',
    preNorm: false,
    finalNorm: false,
    embeddingNorm: false,
    activation: 'relu',
    bias: true,
    tied: true,
    outputBias: false,
    scaleEmbedding: true,
    pooler: false,
    prediction: false,
    head: 'logits',
    interleaved: false,
    rotaryBase: 10000,
    epsilon: 1e-5,
    dropout: 0.1,
    remove: [],
  });
  assert.ok(Object.isFrozen(paper.config));
  paper.dispose();

  /* GPT-2 small without its 11 other layers and its vocabulary, BERT base likewise. */
  const gpt = gf.model({ kind: 'gpt', vocab: 1, layers: 1 });
  const { dModel, heads, dFF, maxLength, positions, activation, preNorm, finalNorm } = gpt.config;
  assert.deepEqual(
    [dModel, heads, dFF, maxLength, positions, activation, preNorm, finalNorm],
    [768, 12, 3072, 1024, 'learned', 'gelu-tanh', true, true],
  );
  assert.equal(gpt.size, 124_439_808 - 11 * 7_087_872 - 50_256 * 768);
  gpt.dispose();
  const bert = gf.model({ kind: 'bert', vocab: 1, layers: 1, prediction: false, tied: true });
  assert.equal(bert.size, 109_482_240 - 11 * 7_087_872 - 30_521 * 768 + 1);
  bert.dispose();
});

test('parameters go by the names of PyTorch modules; their views are live', () => {
  const made = gf.model(families.transformer);
  const { parameters } = made;
  assert.equal(parameters.size, 2 * (8 + 4 + 4) + 2 * (16 + 4 + 6) + 1);
  assert.equal(
    made.size,
    [...parameters.values()].reduce((sum, { size }) => sum + size, 0),
  );
  const w = parameters.get('encoder.layers.1.linear1.weight');
  assert.deepEqual(w.shape, [8, 12]);
  assert.equal(w.data.length, 96);
  assert.throws(
    () => w.grad,
    refusedAs('GF_ESTATE', /linear1\.weight: no gradient yet: call backward/),
  );
  assert.throws(
    () => parameters.get('encoder.layers.1.linear3.weight'),
    refusedAs('GF_ENAME', /did you mean "encoder\.layers\.1\.linear1\.weight"/),
  );
  const run = made.forward({ source, target });
  const before = bits(run.logits.data);
  w.data[0] += 1;
  run.forward();
  assert.notEqual(bits(run.logits.data), before);
  made.dispose();
});

test('the seed alone decides about the first parameters', () => {
  const [a, b, c] = [1, 1, 2].map((seed) => gf.model({ ...families.gpt, seed }));
  assert.equal(state(a), state(b));
  assert.notEqual(state(a), state(c));
  for (const made of [a, b, c]) made.dispose();
});

test('a run has every step by its name', () => {
  const made = model(families.transformer);
  const run = made.forward({ source, target });
  assert.deepEqual(run.logits.shape, [1, 4, 11]);
  const weights = run.tensor('decoder.layers.1.cross_attn.weights');
  assert.deepEqual(weights.shape, [1, 2, 4, 5]);
  const rows = weights.toArray()[0].flat();
  for (const row of rows) assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-6);
  assert.throws(
    () => run.tensor('decoder.layers.1.cross_attn.weight'),
    refusedAs('GF_ENAME', /did you mean "decoder\.layers\.1\.cross_attn\.weights"/),
  );
  assert.throws(() => run.loss, refusedAs('GF_ENAME', /no loss without labels/));
  made.dispose();
});

test('a step is bypassed, frozen, and put back', () => {
  const made = model(families.bert);
  const run = made.forward({ target });
  const before = bits(run.logits.data);
  const scaled = 'encoder.layers.0.self_attn.scores.scaled';
  run.bypass(scaled);
  run.forward();
  assert.notEqual(bits(run.logits.data), before);
  assert.equal(
    bits(run.tensor(scaled).data),
    bits(run.tensor('encoder.layers.0.self_attn.scores').data),
  );
  run.bypass(scaled, null);
  run.forward();
  assert.equal(bits(run.logits.data), before);
  const weights = run.tensor('encoder.layers.0.self_attn.weights');
  run.freeze(weights);
  weights.data.fill(0.25);
  run.forward(weights);
  assert.equal(weights.data[0], 0.25);
  assert.notEqual(bits(run.logits.data), before);
  run.freeze(weights, false);
  run.forward();
  assert.equal(bits(run.logits.data), before);
  made.dispose();
});

test('backward gives the gradients of steps and parameters, afresh each time', () => {
  const made = model(families.transformer);
  const labels = [2, 6, 5, -100];
  const run = made.forward({ source, target, labels });
  run.backward();
  const { grad } = made.parameters.get('embedding.weight');
  const first = bits(grad);
  assert.ok(grad.some((x) => x !== 0));
  run.backward();
  assert.equal(bits(made.parameters.get('embedding.weight').grad), first);
  /* By differences: one weight. */
  const w = made.parameters.get('decoder.layers.0.cross_attn.k_proj.weight');
  const slope = w.grad[3];
  const at = (step) => {
    const old = w.data[3];
    w.data[3] += step;
    run.forward();
    w.data[3] = old;
    return run.loss;
  };
  const h = 2 ** -8;
  assert.ok(Math.abs((at(h) - at(-h)) / (2 * h) - slope) < 1e-3 * (1 + Math.abs(slope)));
  const without = made.forward({ source, target, labels, gradients: false });
  without.backward();
  assert.equal(without.tensor('embedding.weight').grad, null);
  assert.equal(without.tensor('encoder.input').grad.length, 5 * 8);
  made.dispose();
});

for (const [kind, options] of Object.entries(families)) {
  for (const positions of POSITIONS) {
    test(`${kind}, ${positions}: a sequence beside longer ones gives the bits that it gives alone`, () => {
      const made = model({ ...options, positions });
      const alone = made.forward(inputsOf(options));
      const more = made.forward({
        ...(kind === 'transformer' && { source: [[1, 2, 3, 4, 5, 6, 7], source, [8]] }),
        target: [[5, 4, 3], target, [1, 2, 3, 4, 5, 6, 7, 8]],
      });
      const due = alone.logits.data;
      const [, time, vocab] = more.logits.shape;
      const rows = more.logits.data.subarray(time * vocab, time * vocab + due.length);
      assert.equal(bits(rows), bits(due));
      made.dispose();
    });
  }
}

test('ids come as lists, lists of lists, typed arrays; one sequence is a batch of one', () => {
  const made = model(families.gpt);
  const [a, b, c] = [target, [target], [Int32Array.from(target)]].map(
    (ids) => made.forward({ target: ids }).logits,
  );
  assert.deepEqual(a.shape, [1, 4, 11]);
  assert.equal(bits(a.data), bits(b.data));
  assert.equal(bits(a.data), bits(c.data));
  made.dispose();
});

test('without a vocabulary, vectors go in and come out', () => {
  const made = model({ ...families.transformer, vocab: 0 });
  const vectors = (n) => Array.from({ length: n }, (_, i) => Array(8).fill(i / 4));
  const run = made.forward({ source: [vectors(3), vectors(5)], target: [vectors(2), vectors(2)] });
  const output = run.tape.nodes.at(-1);
  assert.deepEqual(output.shape, [2, 2, 8]);
  run.backward(output, new Float32Array(32).fill(1));
  assert.equal(run.tensor('source').grad.length, 2 * 5 * 8);
  assert.throws(
    () => made.forward({ source: [vectors(3)], target: [[[1, 2]]] }),
    refused(RangeError, /target\[0\]\[0\]: expected a vector of 8, received an array of 2/),
  );
  made.dispose();
});

test('masks: what is false is not seen, numbers are added to the scores', () => {
  const made = model(families.transformer);
  const sourceMask = source.map(() => source.map((_, j) => j < 4));
  const memoryMask = target.map(() => source.map((_, j) => (j < 4 ? 0 : -Infinity)));
  const masked = made.forward({ source, target, sourceMask, memoryMask });
  const cut = made.forward({ source: source.slice(0, 4), target });
  assert.equal(bits(masked.logits.data), bits(cut.logits.data));
  assert.throws(
    () => made.forward({ source, target, memoryMask: sourceMask }),
    refused(RangeError, /memoryMask\[0\]: expected \[4,5\] or \[1,4,5\], received an array of 5/),
  );
  made.dispose();
});

test('dropout drops in training, by seed and step; else it is not there', () => {
  const made = model({ ...families.bert, dropout: 0.5 });
  const run = (options) => bits(made.forward({ target, ...options }).logits.data);
  const plain = run({});
  const dropped = run({ training: true, seed: 1, step: 2 });
  assert.notEqual(dropped, plain);
  assert.equal(run({ training: true, seed: 1, step: 2 }), dropped);
  assert.notEqual(run({ training: true, seed: 1, step: 3 }), dropped);
  assert.notEqual(run({ training: true, seed: 2, step: 2 }), dropped);
  made.dispose();
});

test('a model without a head computes no logits', () => {
  for (const family of Object.values(families)) {
    const made = model({ ...family, head: 'none', prediction: false });
    const inputs = { target, ...(family.kind === 'transformer' && { source: target }) };
    const run = made.forward(inputs);
    assert.throws(() => run.logits, refusedAs('GF_ENAME', /no node "logits"/));
    run.dispose();
    const labels = target.map(() => 1);
    const reason = /forward: labels: this model has no logits/;
    assert.throws(() => made.forward({ ...inputs, labels }), refused(TypeError, reason));
    assert.throws(() => made.generateSync([1]), refused(TypeError, /this model cannot generate/));
    const rows = made.summary({ source: 3, target: 3 }).rows.map(({ name }) => name);
    assert.deepEqual(
      rows.filter((name) => name.startsWith('logits')),
      [],
    );
    made.dispose();
  }
});

test('0 heads of keys and values are as many as there are heads', () => {
  const config = { ...families.gpt, heads: 4, kvHeads: 0 };
  assert.equal(gf.model(config).config.kvHeads, 4);
  const q = [[1, 0, 2, 1]];
  const options = { q, k: q, v: q, heads: 2 };
  assert.deepEqual(gf.attention({ ...options, kvHeads: 0 }), gf.attention(options));
});

test('a wrong config is refused, with what was received', () => {
  const base = families.transformer;
  for (const [options, Kind, pattern] of [
    [undefined, TypeError, /model: expected an object of options, received undefined/],
    [{ ...base, kind: 'gtp' }, RangeError, /kind: expected one of .*"gpt".*, received "gtp"/],
    [{ ...base, dmodel: 8 }, TypeError, /unknown option "dmodel" \(did you mean "dModel"\?\)/],
    [
      { kind: 'gpt' },
      TypeError,
      /vocab: expected an integer from 0 to 16777216, received undefined/,
    ],
    [{ ...base, heads: 3 }, RangeError, /heads 3 does not divide dModel 8/],
    [{ ...base, kvHeads: 3 }, RangeError, /kvHeads 3 does not divide heads 2/],
    [
      { ...base, dModel: 0 },
      RangeError,
      /dModel: expected an integer from 1 to 16777216, received 0/,
    ],
    [{ ...base, layers: 1.5 }, RangeError, /layers: expected an integer .* received 1.5/],
    [{ ...base, bias: 1 }, TypeError, /bias: expected true or false, received 1/],
    [
      { ...base, dropout: 1 },
      RangeError,
      /dropout: expected a number from 0 to below 1, received 1/,
    ],
    [{ ...base, epsilon: Number.NaN }, RangeError, /epsilon: expected a number .* received NaN/],
    [{ ...base, head: 'lm' }, RangeError, /head: expected one of "logits", "none", received "lm"/],
    [{ ...base, positions: 'sine' }, RangeError, /positions: expected one of .* received "sine"/],
    [{ ...base, pooler: true }, RangeError, /pooler: only a bert has it, received true/],
    [{ ...families.gpt, sourceVocab: 5 }, RangeError, /sourceVocab: only a transformer has it/],
    [
      { ...families.gpt, dModel: 6, heads: 2, kvHeads: 2 },
      RangeError,
      /rotary positions need heads of even size, received 3/,
    ],
  ]) {
    assert.throws(() => gf.model(options), refused(Kind, pattern));
  }
});

test('a size beyond the memory is refused, and nothing is lost', () => {
  assert.throws(
    () => gf.model({ kind: 'gpt', vocab: 2 ** 24, dModel: 512, heads: 8, layers: 1 }),
    refusedAs('GF_EMEMORY', /./),
  );
  const made = gf.model(families.gpt);
  assert.equal(made.forward({ target }).logits.size, 44);
  made.dispose();
});

test('wrong inputs are refused, with what was received; the next call is right', () => {
  const transformer = model({ ...families.transformer, maxLength: 6 });
  const gpt = model({ ...families.gpt, maxLength: 6 });
  const bert = model(families.bert);
  for (const [made, inputs, Kind, pattern] of [
    [transformer, undefined, TypeError, /expected inputs, such as .*, received undefined/],
    [
      gpt,
      { input_ids: [1] },
      TypeError,
      /unknown option "input_ids" \(here it is called "target"\)/,
    ],
    [transformer, { input_ids: [1] }, TypeError, /called "source" \/ "target"/],
    [transformer, [[1, 2]], TypeError, /expected inputs, such as .*, received an array of 1/],
    [transformer, { source, targets: [1] }, TypeError, /unknown option "targets".*"target"/],
    [transformer, { target }, TypeError, /source: expected ids, received undefined/],
    [
      transformer,
      { source: [], target },
      TypeError,
      /source: expected ids, received an array of 0/,
    ],
    [transformer, { source: [[1], []], target }, TypeError, /source\[1\]: expected ids/],
    [
      transformer,
      { source: [1, 11], target },
      RangeError,
      /source\[1\]: .*from 0 to 10, received 11/,
    ],
    [transformer, { source, target: [[1, -1]] }, RangeError, /target\[0\]\[1\]: .*received -1/],
    [transformer, { source, target: [1.5] }, RangeError, /target\[0\]: .*received 1.5/],
    [transformer, { source, target: ['a'] }, TypeError, /target\[0\]: .*received "a"/],
    [
      transformer,
      { source: [1, 2, 3, 4, 5, 6, 7], target },
      RangeError,
      /source: expected at most 6 tokens \(maxLength\), received 7/,
    ],
    [
      transformer,
      { source: [source, source], target },
      RangeError,
      /received 2 sources for 1 targets/,
    ],
    [
      transformer,
      { source, target, labels: [1] },
      RangeError,
      /labels\[0\]: expected 4 tokens, received 1/,
    ],
    [
      transformer,
      { source, target, labels: [1, 2, 3, 99] },
      RangeError,
      /labels\[3\]: .*received 99/,
    ],
    [transformer, { source, target, tokenTypes: target }, TypeError, /only a bert has it/],
    [gpt, { source, target }, TypeError, /a gpt has one sequence, the target/],
    [
      bert,
      { target, tokenTypes: [0, 1, 2, 0] },
      RangeError,
      /tokenTypes\[2\]: .*from 0 to 1, received 2/,
    ],
    [bert, { target, training: 1 }, TypeError, /training: expected true or false, received 1/],
  ]) {
    assert.throws(() => made.forward(inputs), refused(Kind, pattern));
    assert.equal(made.forward(inputsOf(made.config)).logits.size, 44);
  }
  for (const made of [transformer, gpt, bert]) made.dispose();
});

test('after dispose, and in a block with using, the memory is free again', () => {
  const made = gf.model(families.gpt);
  const run = made.forward({ target });
  made.dispose();
  made.dispose();
  for (const call of [
    () => made.forward({ target }),
    () => made.parameters.get('embedding.weight').data,
    () => run.forward(),
    () => made.save(),
    () => made.summary(),
  ]) {
    assert.throws(call, refusedAs('GF_EDISPOSED', /the model is disposed of/));
  }
  run.dispose();
  assert.throws(() => run.logits, refusedAs('GF_EDISPOSED', /the tape is disposed of/));
  assert.equal(typeof made[Symbol.dispose], 'function');
  assert.equal(typeof run[Symbol.dispose], 'function');
});

test('without all steps a run has the same results, in less memory', () => {
  for (const options of Object.values(families)) {
    const made = model(options);
    const inputs = inputsOf(options, { labels: [[9, 2, 6, -100]] });
    const all = made.forward(inputs);
    const few = made.forward({ ...inputs, steps: false });
    const stack = options.kind === 'bert' ? 'encoder' : 'decoder';
    const name = `${stack}.layers.1.self_attn.mix`;
    const some = made.forward({ ...inputs, steps: [name, 'logits'] });
    assert.equal(few.loss, all.loss);
    assert.equal(bits(some.logits.data), bits(all.logits.data));
    assert.equal(bits(some.tensor(name).data), bits(all.tensor(name).data));
    assert.throws(() => few.tensor(name).data, refusedAs('GF_ESTATE', /is not kept/));
    assert.throws(() => few.backward(), refusedAs('GF_ESTATE', /no gradients/));
    const hidden = { ...inputs, steps: [`${stack}.layers.1.self_attn.weights`] };
    assert.throws(() => made.forward(hidden), refusedAs('GF_ENAME', /weights/));
    assert.throws(
      () => made.forward({ ...inputs, steps: 'all' }),
      refused(TypeError, /forward: steps: expected true, false or names, received "all"/),
    );
    assert.throws(
      () => made.forward({ ...inputs, steps: false, gradients: true }),
      refused(TypeError, /gradients need all steps/),
    );
    made.dispose();
  }
});

test('a model that is large by its defaults is refused, with what to give', () => {
  assert.throws(
    () => gf.model({ kind: 'gpt', vocab: 8 }),
    (error) => {
      assert.equal(error.detail, 'largeByDefault');
      assert.match(error.message, /86 million parameters, .* dModel: 768 and layers: 12/);
      return true;
    },
  );
  assert.throws(() => gf.model({ kind: 'gpt', vocab: 8, dModel: 768 }), /give both/);
  const { parameters } = gf.summary({ kind: 'gpt', vocab: 8 });
  assert.equal(Math.round(parameters / 1e6), 86);
  for (const options of [{ layers: 1 }, { dModel: 12 }])
    gf.model({ kind: 'gpt', vocab: 8, ...options }).dispose();
});
