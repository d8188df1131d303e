// A model's run as a trace: its steps, what removing and editing does, and how each number arose.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { traceModel, traceModelInTurns } from '../../../bindings/index.js';
import { checkCell, flat, indexOf } from '../told.js';
import { bits, families, gf, model, POSITIONS, refused, refusedAs } from './small.js';

const source = [3, 1, 4, 1, 5];
const target = [9, 2, 6];
const inputsOf = ({ kind }, more = {}) => ({
  ...(kind === 'transformer' && { source }),
  target,
  ...more,
});

test('the steps of each family are those of a run of it, without the batch', () => {
  for (const options of Object.values(families)) {
    const made = model(options);
    const trace = traceModel(made, inputsOf(options));
    const run = made.forward(inputsOf(options));
    const { nodes } = run.tape;
    assert.deepEqual(
      trace.steps.map(({ name }) => name),
      [...nodes.map(({ name }) => name), 'probabilities'],
    );
    for (const { name, op, kind, attributes, inputs, data } of nodes) {
      const step = trace.step(name);
      assert.equal(bits(step.data), bits(data), name);
      assert.deepEqual([step.op, step.kind], [op, kind]);
      if (!('axis' in attributes)) assert.deepEqual(step.attributes, attributes);
      assert.deepEqual(
        step.inputs,
        kind === 'parameter' ? [] : inputs.map((input) => input?.name ?? null),
      );
    }
    assert.deepEqual(trace.step('logits').shape, [3, 11]);
    const layer = `${options.kind === 'bert' ? 'encoder' : 'decoder'}.layers.1`;
    assert.deepEqual(trace.step(`${layer}.self_attn.weights`).shape, [2, 3, 3]);
    assert.deepEqual(trace.step(`${layer}.self_attn.q`).shape, [3, 8]);
    assert.deepEqual(trace.step('target').shape, [3]);
    const shares = Array.from(trace.step('probabilities').data).slice(0, 11);
    assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-6);
    assert.throws(() => trace.step('logit'), refusedAs('GF_ENAME', /did you mean "logits"/));
    trace.dispose();
    run.dispose();
    assert.equal(trace.step('logits').data.length, 33, 'steps stay readable');
    made.dispose();
  }
});

test('one sequence of a batch: the numbers that it has alone, and padding behind them', () => {
  const made = model(families.transformer);
  const other = { source: [1, 2, 3, 4, 5, 6, 7], target: [1, 2, 3, 4, 5] };
  const alone = traceModel(made, { source, target });
  const beside = traceModel(
    made,
    {
      source: [other.source, source],
      target: [other.target, target],
    },
    { sequence: 1 },
  );
  const { shape, data } = beside.step('logits');
  assert.deepEqual(shape, [5, 11]);
  assert.equal(bits(data.slice(0, 33)), bits(alone.step('logits').data));
  assert.deepEqual([...beside.step('source').data], [...source, 0, 0]);
  assert.deepEqual([...beside.step('source.lengths').data], [5]);
  const masked = 'decoder.layers.0.self_attn.scores.masked';
  for (const { name, data: values, shape: own, op } of beside.steps) {
    if (op === 'leaf') continue;
    for (const at of [0, values.length >> 1, values.length - 1]) {
      checkCell(gf, beside, name, indexOf(own, at));
    }
  }
  assert.deepEqual(beside.step(masked).shape, [2, 5, 5]);
  assert.throws(
    () => traceModel(made, { source, target }, { sequence: 1 }),
    refused(RangeError, /sequence: .*received 1/),
  );
  assert.throws(
    () =>
      traceModel(made, {
        source: [source, source],
        target: [target, target],
        labels: [target, target],
      }),
    refused(RangeError, /labels: expected one sequence, received 2/),
  );
  made.dispose();
});

/** A model of any make. */
const models = fc
  .record({
    kind: fc.constantFrom('transformer', 'gpt', 'bert'),
    heads: fc.constantFrom([1, 1], [2, 2], [2, 1], [4, 2]),
    width: fc.constantFrom(2, 4),
    dFF: fc.integer({ min: 1, max: 9 }),
    layers: fc.integer({ min: 1, max: 2 }),
    positions: fc.constantFrom(...POSITIONS),
    norm: fc.constantFrom('layer', 'rms'),
    preNorm: fc.boolean(),
    finalNorm: fc.boolean(),
    embeddingNorm: fc.boolean(),
    activation: fc.constantFrom('relu', 'gelu', 'gelu-tanh', 'silu', 'swiglu'),
    bias: fc.boolean(),
    tied: fc.boolean(),
    outputBias: fc.boolean(),
    scaleEmbedding: fc.boolean(),
    interleaved: fc.boolean(),
  })
  .map(({ heads: [heads, kvHeads], width, ...rest }) => ({
    ...rest,
    ...(rest.kind === 'bert' && { tokenTypes: 2, pooler: true, prediction: true }),
    heads,
    kvHeads,
    dModel: heads * width,
    vocab: 7,
    maxLength: 6,
    dropout: 0,
  }));
const ids = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 });
const removals = fc.uniqueArray(fc.constantFrom('positions', 'mask', 'scale', 'norm', 'residual'));

test('every number of random models arises as it is told, to the bit and by definition', () => {
  const seen = new Set();
  const sample = fc.record({
    options: models,
    from: ids,
    to: ids,
    remove: removals,
    dice: fc.nat(),
  });
  fc.assert(
    fc.property(sample, ({ options, from, to, remove, dice }) => {
      const made = model(options);
      const labels = options.kind === 'bert' ? {} : { labels: to };
      const inputs = {
        ...(options.kind === 'transformer' && { source: from }),
        target: to,
        ...labels,
      };
      const trace = traceModel(made, inputs, { remove });
      trace.steps.forEach(({ name, op, shape, data }, i) => {
        seen.add(op);
        /* Of large steps a few cells: another few in each model. */
        const step = Math.max(1, Math.floor(data.length / 12));
        for (let at = (dice + i) % step; at < data.length; at += step) {
          checkCell(gf, trace, name, indexOf(shape, at));
        }
      });
      trace.dispose();
      made.dispose();
    }),
    { numRuns: 60, seed: 7 },
  );
  const due = ['embed', 'position', 'add', 'scale', 'linear', 'matmul', 'mask', 'softmax', 'heads'];
  due.push('layer_norm', 'rms_norm', 'relu', 'gelu', 'silu', 'swiglu', 'tanh', 'rotation', 'rope');
  due.push('alibi', 'cross_entropy', 'gather');
  assert.deepEqual(
    due.filter((op) => !seen.has(op)),
    [],
  );
});

test('steps that are left out copy their operand, and only what a model has can be', () => {
  const operands = { positions: 0, mask: 0, scale: 0, norm: 0, residual: 1 };
  const nodes = {
    positions: 'decoder.input',
    mask: 'decoder.layers.0.self_attn.scores.masked',
    scale: 'decoder.layers.1.cross_attn.scores.scaled',
    norm: 'encoder.layers.0.norm2',
    residual: 'decoder.layers.1.residual2',
  };
  const made = model(families.transformer);
  const intact = traceModel(made, { source, target });
  assert.deepEqual(
    intact.removable.map(({ name, possible, reason }) => [name, possible, reason]),
    Object.keys(operands).map((name) => [name, true, null]),
  );
  for (const [name, operand] of Object.entries(operands)) {
    const trace = traceModel(made, { source, target }, { remove: [name] });
    const step = trace.step(nodes[name]);
    assert.equal(step.bypassed, operand, name);
    assert.equal(bits(step.data), bits(trace.step(step.inputs[operand]).data), name);
    assert.notEqual(bits(trace.step('logits').data), bits(intact.step('logits').data), name);
    trace.dispose();
  }
  const bare = model({ ...families.bert, positions: 'none' });
  const reasons = traceModel(bare, { target }).removable;
  assert.match(reasons.find(({ name }) => name === 'positions').reason, /no positions/);
  assert.match(reasons.find(({ name }) => name === 'mask').reason, /this model has no mask/);
  assert.throws(
    () => traceModel(made, { source, target }, { remove: ['softmax'] }),
    refused(RangeError, /traceModel: remove\[0\]: expected one of "positions", .*"softmax"/),
  );
  made.dispose();
  bare.dispose();
});

test('an edited step keeps the rest of its values; a parameter is the model’s own', () => {
  const made = model(families.transformer);
  const plain = traceModel(made, { source, target });
  const node = 'decoder.layers.0.self_attn.weights';
  const trace = traceModel(
    made,
    { source, target },
    { edits: [{ node, index: [1, 2, 0], value: 3 }] },
  );
  assert.equal(trace.step(node).frozen, true);
  const changed = [...trace.step(node).data].filter((x, at) => x !== plain.step(node).data[at]);
  assert.deepEqual(changed, [3]);
  assert.equal(
    bits(trace.step('encoder.layers.1.norm2').data),
    bits(plain.step('encoder.layers.1.norm2').data),
  );
  assert.notEqual(bits(trace.step('logits').data), bits(plain.step('logits').data));

  trace.edit('target', [2], 8);
  assert.deepEqual([...trace.step('target').data], [9, 2, 8]);
  assert.throws(() => trace.edit('target', [2], 11), /ids\[2\] is 11; valid ids are 0 to 10/);
  assert.deepEqual([...trace.step('target').data], [9, 2, 8]);

  const weight = 'decoder.layers.0.linear1.weight';
  assert.throws(
    () => trace.edit(weight, [0, 0], 1),
    refused(RangeError, /belongs to the model: write into model\.parameters/),
  );
  const before = plain.step(weight).data[0];
  made.parameters.get(weight).data[0] = before + 1;
  assert.equal(plain.step(weight).data[0], Math.fround(before + 1), 'parameters are live');
  made.dispose();
});

test('gradients in turns: those of the tape at once, until the signal comes', async () => {
  const made = model(families.transformer);
  const trace = traceModel(made, { source, target });
  const run = made.forward({ source, target });
  const logits = run.tape.find('logits');
  const seed = new Float32Array(logits.size);
  seed[2] = 1;
  run.tape.backward(logits, { data: seed, shape: logits.shape });
  const due = run.tape.nodes.map(({ name, grad }) => [name, grad && bits(grad)]);
  assert.equal(await trace.gradientInTurns('logits', [0, 2]), true);
  const found = due
    .map(([name]) => trace.step(name))
    .map(({ name, grad }) => [name, grad && bits(grad)]);
  assert.deepEqual(found, due);
  assert.ok(due.filter(([, grad]) => grad).length > 20);
  await assert.rejects(trace.gradientInTurns('logits', [0, 2], { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  });
  await assert.rejects(trace.gradientInTurns('target', [0]), refused(TypeError, /target/));
  for (const one of [run, trace, made]) one.dispose();
});

test('in turns: the same steps, with progress, until the signal comes', async () => {
  const made = model(families.transformer);
  const told = [];
  const edits = [{ node: 'decoder.input', index: [0, 0], value: 2 }];
  const options = { remove: ['norm'], edits, onProgress: (part) => told.push(part) };
  const trace = await traceModelInTurns(made, { source, target }, options);
  const due = traceModel(made, { source, target }, { remove: ['norm'], edits });
  const unedited = traceModel(made, { source, target }, { remove: ['norm'] });
  assert.deepEqual(
    trace.steps.map(({ data }) => bits(data)),
    due.steps.map(({ data }) => bits(data)),
  );
  /* A pause behind each step, and again behind each that the edit changes. */
  const changed = due.steps.filter(({ name, data }) => {
    const before = unedited.step(name).data;
    return name !== edits[0].node && bits(before) !== bits(data);
  });
  assert.ok(changed.length > 0 && told.length > trace.steps.length + changed.length);
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  );
  assert.equal(told.at(-1), 1);
  const stop = new AbortController();
  const cut = traceModelInTurns(
    made,
    { source, target },
    { signal: stop.signal, onProgress: () => stop.abort() },
  );
  await assert.rejects(cut, { name: 'AbortError' });
  await assert.rejects(
    () =>
      traceModelInTurns(made, { source, target }, { edits: [{ node: 'x', index: [0], value: 1 }] }),
    refusedAs('GF_ENAME', /no step "x"/),
  );
  made.dispose();
});

test('gradients of a cell agree with what editing the cells before it does', () => {
  const made = model(families.transformer, 0.5);
  const trace = traceModel(
    made,
    { source: [[2, 3], source], target: [[4], target] },
    { sequence: 1 },
  );
  const cell = ['logits', [2, 4]];
  const value = () => trace.step('logits').data[flat([3, 11], [2, 4])];
  trace.gradient(...cell);
  for (const [node, index] of [
    ['decoder.layers.1.cross_attn.mix', [1, 2, 1]],
    ['encoder.layers.1.norm2', [3, 5]],
    ['decoder.embedding.scaled', [0, 2]],
  ]) {
    const { shape, grad, data } = trace.step(node);
    const at = flat(shape, index);
    assert.equal(grad.length, data.length);
    const [from, slope, nudge] = [data[at], grad[at], 1e-2];
    const results = [from + nudge, from - nudge].map((edited) => {
      const moved = traceModel(
        made,
        { source: [[2, 3], source], target: [[4], target] },
        {
          sequence: 1,
          edits: [{ node, index, value: edited }],
        },
      );
      const result = moved.step('logits').data[flat([3, 11], [2, 4])];
      moved.dispose();
      return result;
    });
    const measured = (results[0] - results[1]) / (2 * nudge);
    assert.ok(
      Math.abs(measured - slope) < 2e-3 * Math.max(1, Math.abs(slope)),
      `${node}: ${measured}, ${slope}`,
    );
  }
  assert.ok(Number.isFinite(value()));
  assert.equal(trace.step('embedding.weight').grad.length, 88);
  assert.equal(trace.step('target').grad, null);
  const light = traceModel(made, { source, target }, { gradients: false });
  light.gradient('logits', [0, 0]);
  assert.equal(light.step('embedding.weight').grad, null);
  assert.equal(light.step('decoder.input').grad.length, 24);
  made.dispose();
});

test('only a model is traced', () => {
  for (const given of [undefined, {}, gf, 'model']) {
    assert.throws(() => traceModel(given, { target }), refused(TypeError, /^traceModel: /));
  }
});
