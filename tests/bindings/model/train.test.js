import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  batches,
  exportModel,
  importModel,
  load,
  readModel,
  train,
} from '../../../bindings/index.js';
import { BUILDS } from '../../support/builds.js';
import { onlyInFull } from '../../support/skips.js';
import { bits, collect, families, gf, model, refused, refusedAs, state } from './small.js';

/** Sentences, and the same backwards. */
const pairs = Array.from({ length: 60 }, (_, i) => {
  const source = Array.from({ length: 2 + (i % 5) }, (_, j) => 3 + ((i * 7 + j * j * 3) % 8));
  return { source, target: [...source].reverse() };
});
const forGpt = pairs.map(({ source }) => source);
const pairsOf = ({ kind }) => (kind === 'transformer' ? pairs : forGpt);

const finish = (made, options, more = {}) =>
  collect(train(made, batches(pairsOf(made.config), { tokens: 40, seed: 1, ...more }), options));

const stream = (config) => batches(pairsOf(config), { tokens: 40 });
const gradientsOf = (made) => [...made.parameters.values()].flatMap(({ grad }) => [...grad]);
const valuesOf = (made) => [...made.parameters.values()].flatMap(({ data }) => [...data]);
const farthest = (a, b) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);

for (const [kind, options] of Object.entries(families)) {
  test(`${kind}: the loss falls; each step tells loss, rate, norm and speed`, async () => {
    const made = gf.model({ ...options, dropout: 0 });
    const steps = await finish(made, { steps: 60, rate: 0.01 });
    assert.deepEqual(
      steps.map(({ step }) => step),
      steps.map((_, i) => i + 1),
    );
    assert.equal(steps.length, 60);
    assert.ok(steps.at(-1).loss < steps[0].loss / 1.5, `${steps[0].loss} ${steps.at(-1).loss}`);
    for (const { learningRate, gradientNorm, tokens, tokensPerSecond } of steps) {
      assert.equal(learningRate, Math.fround(0.01));
      assert.ok(gradientNorm > 0 && tokens > 0 && tokensPerSecond > 0);
    }
    assert.equal(made.step, 60);
    made.dispose();
  });
}

test('the loss is that of forward, and Adam gets its gradient', async () => {
  const made = model({ ...families.transformer, dropout: 0 });
  const [batch] = batches(pairs, { tokens: 40 });
  const run = made.forward(batch);
  run.backward();
  const expected = gradientsOf(made);
  const norm = Math.hypot(...expected);
  const [step] = await collect(train(made, [batch], { rate: 0 }));
  assert.ok(Math.abs(step.loss - run.loss) < 1e-6);
  assert.ok(Math.abs(step.gradientNorm - norm) < 1e-5 * norm);
  assert.ok(farthest(gradientsOf(made), expected) < 1e-5);
  made.dispose();
});

/** What a batch loses where the positions of each side begin elsewhere. */
function lossAt(made, batch, firsts) {
  const run = made.forward(batch);
  for (const node of run.tape.nodes) {
    if (node.role !== 'positions') continue;
    const first = firsts[node.name.split('.')[0]];
    node.set(Int32Array.from({ length: node.size }, (_, i) => first + i));
  }
  run.forward();
  const { loss } = run;
  run.dispose();
  return loss;
}

test('with a shift, positions begin anywhere up to it, on each side for itself, by the seed alone', async () => {
  const batch = {
    source: [
      [3, 4, 5],
      [4, 5, 6],
    ],
    target: [
      [1, 3],
      [1, 4],
    ],
    labels: [
      [3, 2],
      [4, 2],
    ],
  };
  const many = Array.from({ length: 40 }, () => batch);
  for (const positions of ['sinusoidal', 'learned']) {
    const made = model({ ...families.transformer, maxLength: 12, dropout: 0, positions });
    const losses = async (options) =>
      (await collect(train(made, many, { rate: 0, ...options }))).map(({ loss }) => loss);
    const all = [0, 1, 2, 3].flatMap((source) =>
      [0, 1, 2, 3].map((target) => lossAt(made, batch, { source, target })),
    );
    const shifted = await losses({ shift: 3 });
    const found = shifted.map((loss) => all.findIndex((one) => Math.abs(one - loss) < 1e-6));
    assert.ok(!found.includes(-1), `${positions}: ${shifted.filter((_, i) => found[i] < 0)}`);
    assert.ok(new Set(found).size > 10, `${positions}: ${found}`);
    assert.deepEqual(new Set(await losses({})).size, 1);
    made.dispose();
  }
  const again = async (seed) => {
    const made = model({ ...families.transformer, dropout: 0 });
    const steps = await collect(train(made, many, { rate: 0, shift: 3, seed }));
    made.dispose();
    return steps.map(({ loss }) => loss);
  };
  assert.deepEqual(await again(1), await again(1));
  assert.notDeepEqual(await again(1), await again(2));
});

test('masks of any length train as forward sees them, and are gone with the next batch', async () => {
  const made = model({ ...families.transformer, dropout: 0 });
  const pair = { source: [3, 4, 5], target: [1, 3], labels: [3, 2] };
  const hidden = (rows) => Array.from({ length: rows }, () => [true, false, true]);
  const wide = [pair, pair].map((_, i) => (i ? hidden(2) : Array(2).fill([true, true, true])));
  const given = [
    { ...pair, sourceMask: hidden(3) },
    { ...pair, targetMask: [0, 1].map((i) => [true, i > 0]) },
    pair,
    {
      source: [pair.source, pair.source],
      target: [pair.target, pair.target],
      labels: [pair.labels, pair.labels],
      memoryMask: wide,
    },
  ];
  const steps = await collect(train(made, given, { rate: 0 }));
  for (const [i, batch] of given.entries()) {
    const run = made.forward(batch);
    assert.ok(Math.abs(steps[i].loss - run.loss) < 1e-6, `${i}: ${steps[i].loss} ${run.loss}`);
    run.dispose();
  }
  assert.notEqual(steps[0].loss, steps[2].loss);
  made.dispose();
});

for (const optimizer of ['adam', 'adamw']) {
  test(`${optimizer}: 20 steps as in float64`, async () => {
    const made = model({ ...families.gpt, dropout: 0 });
    const options = { steps: 20, optimizer, rate: 0.01, betas: [0.8, 0.95], weightDecay: 0.1 };
    let x = valuesOf(made);
    const [m, v] = [x.map(() => 0), x.map(() => 0)];
    for await (const { step } of train(made, batches(forGpt, { tokens: 40 }), options)) {
      const gradients = gradientsOf(made);
      x = x.map((value, i) => {
        let g = gradients[i];
        let y = value;
        if (optimizer === 'adamw') y -= 0.01 * 0.1 * y;
        else g += 0.1 * y;
        m[i] = 0.8 * m[i] + 0.2 * g;
        v[i] = 0.95 * v[i] + 0.05 * g * g;
        return (
          y - (0.01 * (m[i] / (1 - 0.8 ** step))) / (Math.sqrt(v[i] / (1 - 0.95 ** step)) + 1e-8)
        );
      });
      assert.ok(farthest(valuesOf(made), x) < 2e-5, `step ${step}`);
    }
    made.dispose();
  });
}

test('the schedules: what each step is told', async () => {
  const rates = async (options) => {
    const made = gf.model({ ...families.gpt, dropout: 0 });
    const steps = await finish(made, { steps: 8, rate: 0.5, ...options });
    made.dispose();
    return steps.map(({ learningRate }) => Number(learningRate.toPrecision(4)));
  };
  const warmup = 4;
  assert.deepEqual(await rates({ warmup }), [0.125, 0.25, 0.375, 0.5, 0.5, 0.5, 0.5, 0.5]);
  assert.deepEqual(
    await rates({ schedule: 'linear', warmup }),
    [0.125, 0.25, 0.375, 0.5, 0.375, 0.25, 0.125, 0],
  );
  assert.deepEqual(
    await rates({ schedule: 'cosine', warmup }),
    [0.125, 0.25, 0.375, 0.5, 0.4268, 0.25, 0.07322, 0],
  );
  assert.deepEqual(
    await rates({ schedule: 'inverse-sqrt', warmup }),
    [0.125, 0.25, 0.375, 0.5, 0.4472, 0.4082, 0.378, 0.3536],
  );
  /* 8^-0.5 min(n^-0.5, n 4^-1.5) */
  assert.deepEqual(
    await rates({ schedule: 'noam', warmup, rate: 1 }),
    [0.04419, 0.08839, 0.1326, 0.1768, 0.1581, 0.1443, 0.1336, 0.125],
  );
});

test('label smoothing: a tenth of the label is spread over the vocabulary', async () => {
  const made = model({ ...families.transformer, dropout: 0 });
  const [batch] = batches(pairs.slice(0, 1));
  const { logits } = made.forward(batch);
  const losses = logits.toArray()[0].map((row, i) => {
    const total = Math.log(row.reduce((sum, x) => sum + Math.exp(x), 0));
    const mean = row.reduce((sum, x) => sum + total - x, 0) / row.length;
    return 0.9 * (total - row[batch.labels[0][i]]) + 0.1 * mean;
  });
  const expected = losses.reduce((a, b) => a + b) / losses.length;
  const [{ loss }] = await collect(train(made, [batch], { labelSmoothing: 0.1 }));
  assert.ok(Math.abs(loss - expected) < 1e-5 * expected, `${loss} ${expected}`);
  made.dispose();
});

test('clipping: the update is that of a gradient of the given norm', async () => {
  const made = model({ ...families.gpt, dropout: 0 });
  const [{ gradientNorm }] = await finish(made, { steps: 1, clip: 0.5 });
  assert.ok(gradientNorm > 0.5);
  const norm = Math.hypot(...gradientsOf(made));
  assert.ok(Math.abs(norm - 0.5) < 1e-5, `${norm}`);
  made.dispose();
});

test('two halves of a batch, accumulated, are the whole batch', async () => {
  const [whole] = batches(pairs, { tokens: 400 });
  const half = (from, to) =>
    Object.fromEntries(Object.entries(whole).map(([key, rows]) => [key, rows.slice(from, to)]));
  const n = whole.labels.length;
  /* Not the middle: the halves differ in their number of labels, and weigh accordingly. */
  const parts = [half(0, n / 3), half(n / 3, n)];
  const [a, b] = [1, 2].map(() => model({ ...families.transformer, dropout: 0 }, 0.3));
  const [one] = await collect(train(a, [whole], { rate: 0.001 }));
  const [two] = await collect(train(b, parts, { rate: 0.001, accumulate: 2 }));
  assert.equal(one.tokens, two.tokens);
  assert.ok(Math.abs(one.loss - two.loss) < 1e-6);
  assert.ok(farthest(gradientsOf(a), gradientsOf(b)) < 1e-6);
  a.dispose();
  b.dispose();
});

test('dropout: on in training, by the seed; off where it is 0', async () => {
  const losses = async (options) => {
    const made = model({ ...families.transformer, dropout: 0.3 });
    const steps = await finish(made, { steps: 3, ...options });
    made.dispose();
    return steps.map(({ loss }) => loss).join();
  };
  assert.equal(await losses({ seed: 1 }), await losses({ seed: 1 }));
  assert.notEqual(await losses({ seed: 1 }), await losses({ seed: 2 }));
  assert.notEqual(await losses({ seed: 1 }), await losses({ seed: 1, dropout: 0 }));
});

test('a signal stops between two steps: the model is as the last step left it', async () => {
  const options = { steps: 12, rate: 0.01, warmup: 5, seed: 4 };
  const made = model({ ...families.transformer, dropout: 0.1 });
  const stop = new AbortController();
  let last = '';
  let steps = 0;
  const stream = batches(pairs, { tokens: 40 });
  for await (const { step } of train(made, stream, { ...options, signal: stop.signal })) {
    last = state(made);
    steps = step;
    if (step === 5) setTimeout(() => stop.abort());
    if (step > 5) await new Promise((resolve) => setTimeout(resolve));
  }
  assert.ok(steps < 12, `${steps}`);
  assert.equal(state(made), last);
  assert.equal(made.step, steps);
  assert.deepEqual(await finish(made, { signal: AbortSignal.abort() }), []);
  assert.equal(state(made), last);
  made.dispose();
});

test('the event loop has its turn while a model trains, once the work took 10 ms', async (t) => {
  const made = model({ ...families.transformer, dropout: 0 });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  /** Steps that are taken before something else is done, if each lasts so long; 50 at most. */
  const stepsOf = async (milliseconds) => {
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    let steps = 0;
    for await (const _ of train(made, batches(pairs, { tokens: 40 }), { steps: 50 })) {
      now += milliseconds;
      if (turned) break;
      steps++;
    }
    return steps;
  };
  assert.ok((await stepsOf(10)) < 50);
  assert.equal(await stepsOf(0), 50);
  made.dispose();
});

test('a run that is taken up from a file has the bits of one that was never interrupted', async () => {
  for (const options of [families.transformer, families.gpt]) {
    const config = { ...options, dropout: 0.2 };
    const settings = {
      optimizer: 'adamw',
      schedule: 'cosine',
      rate: 0.01,
      warmup: 3,
      accumulate: 2,
      clip: 1,
      labelSmoothing: 0.1,
      seed: 9,
    };
    const whole = model(config);
    const all = await finish(whole, { ...settings, steps: 10 });

    const first = model(config);
    const begun = await finish(first, { ...settings, steps: 4, total: 10 });
    const bytes = first.save({ training: true });
    first.dispose();
    const second = gf.open(readModel(bytes));
    assert.equal(second.step, 4);
    const rest = await finish(second, { ...settings, steps: 6 }, { from: second.step * 2 });
    const told = ({ step, loss, learningRate, gradientNorm }) =>
      `${step} ${loss} ${learningRate} ${gradientNorm}`;
    assert.deepEqual([...begun, ...rest].map(told), all.map(told));
    assert.equal(state(second), state(whole));
    assert.equal(
      Buffer.compare(second.save({ training: true }), whole.save({ training: true })),
      0,
    );
    second.dispose();
    whole.dispose();
  }
});

test('restart forgets the moments and the steps', async () => {
  const made = model({ ...families.gpt, dropout: 0 });
  const before = made.save();
  await finish(made, { steps: 3 });
  for (const [name, { shape, data }] of gf.open(readModel(before)).parameters) {
    assert.deepEqual(shape, made.parameters.get(name).shape);
    made.parameters.get(name).data.set(data);
  }
  await finish(made, { steps: 2, restart: true });
  const fresh = gf.open(readModel(before));
  await finish(fresh, { steps: 2 });
  assert.equal(made.step, 2);
  assert.equal(state(made), state(fresh));
  made.dispose();
  fresh.dispose();
});

test('a model that diverges is left as the last step made it', async () => {
  const made = model({ ...families.gpt, dropout: 0 });
  made.parameters.get('decoder.norm.weight').data.fill(3e38);
  const before = state(made);
  await assert.rejects(finish(made, { steps: 1 }), refusedAs('GF_EDIVERGED', /step 1/));
  assert.equal(state(made), before);
  assert.equal(made.step, 0);
  made.dispose();
});

test('a saved model is the same model; other bytes are refused', () => {
  for (const options of Object.values(families)) {
    const made = model(options);
    const bytes = made.save();
    const again = gf.open(readModel(bytes));
    assert.deepEqual(again.config, made.config);
    assert.equal(state(again), state(made));
    assert.equal(Buffer.compare(again.save(), bytes), 0);
    assert.throws(() => readModel(bytes.subarray(0, -4)), refusedAs('GF_EFILE', /safetensors/));
    again.dispose();
    made.dispose();
  }
  assert.throws(() => readModel(new Uint8Array(20)), refusedAs('GF_EFILE', /./));
});

test('what a file holds can be read without the core, and opened piece by piece', async () => {
  /* More numbers than are copied at once. */
  const made = gf.model({
    kind: 'gpt',
    vocab: 40_000,
    dModel: 32,
    heads: 2,
    layers: 1,
    maxLength: 8,
  });
  const { config, bytes } = exportModel(made, 'gpt2');
  for (const [files, read] of [
    [{ config, bytes }, importModel({ config, bytes })],
    [{ bytes: made.save() }, readModel(made.save())],
  ]) {
    const told = [];
    const opened = await gf.openInTurns(read, { onProgress: (part) => told.push(part) });
    assert.equal(state(opened), state(made), Object.keys(files).join());
    assert.equal(told.at(-1), 1);
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    );
    assert.ok(told.length > opened.parameters.size, 'in pieces');
    assert.equal(state(gf.open(read)), state(made));
    opened.dispose();
  }
  const signal = AbortSignal.abort();
  await assert.rejects(gf.openInTurns(importModel({ config, bytes }), { signal }), {
    name: 'AbortError',
  });
  const between = new AbortController();
  const cancelled = gf.openInTurns(importModel({ config, bytes }), {
    signal: between.signal,
    onProgress: () => between.abort(),
  });
  await assert.rejects(cancelled, { name: 'AbortError' });
  const less = importModel({ config, bytes });
  less.parameters.delete('embedding.weight');
  await assert.rejects(
    () => gf.openInTurns(less),
    refusedAs('GF_EFILE', /the tensor "embedding.weight" is missing/),
  );
  assert.throws(() => readModel(new Uint8Array(20)), refusedAs('GF_EFILE', /safetensors/));
  assert.throws(() => readModel(bytes), refusedAs('GF_EFILE', /expected a file of model.save/));
  made.dispose();
});

test('what is opened is what was read from a file', () => {
  assert.throws(
    () => gf.open({ config: {} }),
    refused(TypeError, /open: parameters: expected a Map.* received undefined/),
  );
  assert.throws(() => gf.open({ configs: {} }), refused(TypeError, /did you mean "config"/));
  assert.throws(() => importModel({ byte: 1 }), refused(TypeError, /did you mean "bytes"/));
  const bytes = gf.model(families.gpt).save();
  assert.throws(
    () => importModel({ config: { model_type: 'gpt5' }, bytes }),
    refusedAs('GF_EFILE', /model_type: expected one of .* received "gpt5"/),
  );
});

test('both builds train and write the same bits', async () => {
  const of = async (build) => {
    const core = await load(build);
    const made = core.model({ ...families.transformer, dropout: 0.1 });
    const options = { steps: 5, schedule: 'noam', warmup: 3, clip: 1 };
    const steps = await finish(made, options);
    const written = await collect(
      made.generate([3, 4], { temperature: 1, seed: 7, stopTokens: [] }),
    );
    return [state(made), steps.map(({ loss }) => loss), written];
  };
  assert.deepEqual(await of(BUILDS.simd), await of(BUILDS.scalar));
});

test('wrong training options are refused at the call', () => {
  const made = gf.model(families.gpt);
  const some = batches(forGpt);
  for (const [given, options, Kind, pattern] of [
    [undefined, {}, TypeError, /train: expected batches to iterate over, received undefined/],
    [some, { step: 3 }, TypeError, /unknown option "step" \(did you mean "steps"\?\)/],
    [some, { steps: -1 }, RangeError, /steps: expected an integer from 0 .* received -1/],
    [some, { schedule: 'noom' }, RangeError, /schedule: expected one of .* received "noom"/],
    [some, { optimizer: 'sgd' }, RangeError, /optimizer: expected one of .* received "sgd"/],
    [some, { schedule: 'cosine' }, TypeError, /the schedule cosine needs total, or steps/],
    [some, { rate: Number.NaN }, RangeError, /rate: expected a finite number, received NaN/],
    [some, { loss: 'loss' }, TypeError, /train: loss: .* call train\(tape, …, \{ loss \}\)$/],
    [some, { betas: [0.9] }, TypeError, /betas: expected two numbers/],
    [some, { betas: [0.9, 1] }, RangeError, /betas\[1\]: expected a number .* received 1/],
    [some, { clip: 0 }, RangeError, /clip: .* received 0/],
    [some, { accumulate: 0 }, RangeError, /accumulate: .* received 0/],
    [some, { labelSmoothing: 2 }, RangeError, /labelSmoothing: .* received 2/],
    [some, { signal: {} }, TypeError, /signal: expected an AbortSignal, received an object \{\}/],
  ]) {
    assert.throws(() => train(made, given, options), refused(Kind, pattern));
  }
  made.dispose();
});

test('a training that begins where its schedule has ended is refused, and the next is not', async () => {
  const made = model({ ...families.gpt, dropout: 0 });
  await train(made, batches(forGpt), { steps: 3 });
  for (const schedule of ['cosine', 'linear']) {
    const over = train(made, batches(forGpt), { schedule, total: 3 });
    await assert.rejects(
      over.next(),
      refused(RangeError, /total: the schedule .* step 3.*received 3/),
    );
  }
  const [step] = await train(made, batches(forGpt), { schedule: 'cosine', total: 5, steps: 1 });
  assert.equal(step.step, 4);
  assert.ok(step.learningRate > 0);
  made.dispose();
});

test('a batch that is refused restarts nothing', async () => {
  const made = model({ ...families.gpt, dropout: 0 });
  await train(made, batches(forGpt), { steps: 3 });
  const before = made.save({ training: true });
  const refusedBatch = train(made, [{ target: [[1, 2]] }], { restart: true, steps: 1 });
  await assert.rejects(refusedBatch.next(), /labels are missing/);
  assert.equal(made.step, 3);
  assert.ok(Buffer.from(made.save({ training: true })).equals(before));
  made.dispose();
});

test('a batch whose labels are all ignored adds nothing to a step', async () => {
  const batch = { target: [[1, 2, 3]], labels: [[2, -100, 4]] };
  const nothing = { target: [[5, 6]], labels: [[-100, -100]] };
  const made = model({ ...families.gpt, dropout: 0 });
  const [alone] = await collect(train(made, [batch], { rate: 0 }));
  const gradients = gradientsOf(made);
  for (const batches of [
    [batch, nothing],
    [nothing, batch],
  ]) {
    const [step] = await collect(train(made, batches, { rate: 0, accumulate: 2, restart: true }));
    assert.equal(step.loss, alone.loss);
    assert.equal(step.tokens, 2);
    assert.deepEqual(gradientsOf(made), gradients);
  }
  assert.ok(Number.isNaN(made.forward(nothing).loss));
  made.dispose();
});

test('a wrong batch stops the training; the model is as it was', async () => {
  const made = model({ ...families.gpt, dropout: 0 });
  const before = state(made);
  await assert.rejects(
    collect(train(made, [{ target: [[1, 2]], labels: [[2, 99]] }])),
    refused(RangeError, /train: batch: labels\[0\]\[1\]: .* received 99/),
  );
  await assert.rejects(
    collect(train(made, [{ target: [[1, 2]] }])),
    refused(TypeError, /labels are missing/),
  );
  await assert.rejects(
    collect(train(made, [{ target: [[1, 2, 3]], labels: [[-100, -100, -100]] }])),
    refused(RangeError, /train: batch: all 3 labels are -100, .* a step needs one that counts/),
  );
  assert.equal(state(made), before);
  made.dispose();
});

test('one block of parameters serves tapes of many shapes', async () => {
  const made = model({ ...families.gpt, dropout: 0 });
  const shapes = Array.from({ length: 12 }, (_, i) => ({
    target: [Array.from({ length: 3 * i + 1 }, (_, j) => j % 11)],
    labels: [Array.from({ length: 3 * i + 1 }, (_, j) => (j + 1) % 11)],
  }));
  const steps = await collect(train(made, [...shapes, ...shapes]));
  assert.equal(steps.length, 24);
  assert.equal(bits([steps.at(-1).tokens]), bits([34]));
  made.dispose();
});

// ---- Batches ----

test('batches teach with the target between start and end', () => {
  const [batch] = batches([{ source: [5, 6], target: [7, 8, 9] }]);
  assert.deepEqual(batch, { source: [[5, 6]], target: [[1, 7, 8, 9]], labels: [[7, 8, 9, 2]] });
  const [alone] = batches([[5, 6, 7]], { start: null, end: null });
  assert.deepEqual(alone, { target: [[5, 6]], labels: [[6, 7]] });
});

test('batches keep the budget, group by length and hold every pair once per epoch', () => {
  const epoch = (options) => {
    const stream = batches(pairs, { tokens: 30, ...options });
    const seen = [];
    const out = [];
    while (seen.length < pairs.length) {
      const batch = stream.next().value;
      out.push(batch);
      for (const [i, source] of batch.source.entries()) {
        seen.push(JSON.stringify([source, batch.labels[i].slice(0, -1)]));
      }
    }
    assert.deepEqual(seen.sort(), pairs.map((p) => JSON.stringify([p.source, p.target])).sort());
    return out;
  };
  const all = epoch({});
  let padding = 0;
  for (const { source, target } of all) {
    for (const side of [source, target]) {
      const longest = Math.max(...side.map((row) => row.length));
      assert.ok(longest * side.length <= 30);
      padding += longest * side.length - side.flat().length;
    }
  }
  assert.ok(padding < 40, `${padding}`);
  assert.deepEqual(epoch({ seed: 0 }), all);
  assert.notDeepEqual(epoch({ seed: 1 }), all);
});

test('batches are taken up anywhere, in any epoch', () => {
  const take = (options, n) => {
    const stream = batches(pairs, { tokens: 30, seed: 5, ...options });
    return Array.from({ length: n }, () => stream.next().value);
  };
  const all = take({}, 70);
  for (const from of [0, 1, 19, 20, 21, 50]) {
    assert.deepEqual(take({ from }, 70 - from), all.slice(from));
  }
  assert.notDeepEqual(all.slice(0, 10), all.slice(-10));
});

test('a thousand billion batches are passed over at once', () => {
  const take = (from, n) => {
    const stream = batches(pairs, { tokens: 30, seed: 5, from });
    return Array.from({ length: n }, () => stream.next().value);
  };
  const far = take(1e12, 70);
  assert.deepEqual(take(1e12 + 7, 63), far.slice(7));
  const sources = new Set(far.flatMap(({ source }) => source.map(String)));
  assert.deepEqual(sources, new Set(pairs.map(({ source }) => String(source))));
});

test('batches of a stream come in windows, and end with it', () => {
  const stream = function* () {
    yield* pairs;
  };
  const all = [...batches(stream(), { tokens: 30, window: 16 })];
  assert.equal(all.flatMap(({ source }) => source).length, pairs.length);
  const rest = [...batches(stream(), { tokens: 30, window: 16, from: 7 })];
  assert.deepEqual(rest, all.slice(7));
});

test('batches that no pass over the pairs reaches are refused, and windows that no memory holds', () => {
  /** Pairs without an end. */
  function* endless() {
    for (;;) yield [3, 4];
  }
  const wrong = (options, pattern) =>
    assert.throws(() => batches(endless(), options).next(), refused(RangeError, pattern));
  wrong({ from: 1e9 }, /from: expected an integer from 0 to 30000000, received 1000000000/);
  wrong({ window: 1e9 }, /window: expected an integer from 1 to 100000, received 1000000000/);
  /* An array is not read again: its epochs are counted. */
  assert.ok(batches([[3, 4]], { from: 2 ** 53 - 1 }).next().value);
});

test('a stream that is far from its batch after all pairs that are read again is refused', {
  skip: onlyInFull,
}, () => {
  function* endless() {
    for (;;) yield [3, 4];
  }
  const options = { from: 10_000, tokens: 2 ** 32 - 1, window: 100_000 };
  assert.throws(
    () => batches(endless(), options).next(),
    refused(RangeError, /from: reading 30000000 pairs again gave 300 batches: .* received 10000/),
  );
});

test('wrong pairs and options of batches are refused', () => {
  assert.throws(() => batches([]), refused(RangeError, /received an array of 0/));
  assert.throws(
    () => [...batches([1, 2, 3])],
    refused(TypeError, /lists of ids such as \[\[1, 2\]/),
  );
  assert.throws(() => batches(5), refused(TypeError, /expected pairs of ids, received 5/));
  assert.throws(() => batches(pairs, { token: 5 }), refused(TypeError, /did you mean "tokens"/));
  assert.throws(() => batches(pairs, { tokens: 0 }), refused(RangeError, /received 0/));
  assert.throws(() => batches([{ source: [1] }]).next(), refused(TypeError, /source, target/));
  assert.throws(
    () => batches([[5]], { start: null, end: null }).next(),
    refused(RangeError, /two tokens/),
  );
});

test('two trainings of one model at a time are refused; the first goes on as if alone', async () => {
  const made = model(families.transformer);
  const alone = model(families.transformer);
  const options = { steps: 4, seed: 2 };
  const expected = await collect(train(alone, stream(alone.config), options));
  const first = train(made, stream(made.config), options);
  const losses = [(await first.next()).value.loss];
  const second = train(made, stream(made.config), options);
  const twice = refusedAs('GF_ESTATE', /^train: it is already being trained: end that loop/);
  await assert.rejects(second.next(), twice);
  for await (const { loss } of first) losses.push(loss);
  assert.deepEqual(
    losses,
    expected.map(({ loss }) => loss),
  );
  assert.equal(state(made), state(alone));
  /* However a training ends, another may begin: by break, return(), its signal, an error, or its end. */
  for await (const _ of train(made, stream(made.config))) break;
  const returned = train(made, stream(made.config));
  await returned.next();
  await returned.return();
  const stop = new AbortController();
  for await (const _ of train(made, stream(made.config), { signal: stop.signal })) stop.abort();
  await assert.rejects(train(made, [{ target: [1] }]).next(), TypeError);
  const parallel = [train(made, stream(made.config)), train(made, stream(made.config))];
  await assert.rejects(Promise.all(parallel.map((loop) => loop.next())), twice);
  await Promise.all(parallel.map((loop) => loop.return()));
  assert.equal((await collect(train(made, stream(made.config), { steps: 1 }))).length, 1);
  /* Await takes all steps. */
  const reports = await train(made, stream(made.config), { steps: 2 });
  assert.deepEqual(
    reports.map(({ step }) => step),
    [made.step - 1, made.step],
  );
  await assert.rejects(async () => await train(made, [{ target: [1] }]), TypeError);
  /* What was made, and never begun, is in nobody's way. */
  train(made, stream(made.config));
  assert.equal((await collect(train(made, stream(made.config), { steps: 1 }))).length, 1);
});

test('a generation that goes on after a training step is refused; one between two steps is not', async () => {
  for (const remove of [[], ['mask']]) {
    const made = model(families.transformer);
    const loop = train(made, stream(made.config));
    await loop.next();
    const source = [3, 4, 5];
    const options = { stopTokens: [], maxNewTokens: 3, remove };
    assert.equal((await collect(made.generate(source, options))).length, 3);
    const writing = made.generate(source, options);
    await writing.next();
    await loop.next();
    const late = refusedAs('GF_ESTATE', /^generate: trained during generation/);
    await assert.rejects(writing.next(), late);
    assert.equal((await collect(made.generate(source, options))).length, 3);
    await loop.return();
  }
});

/** The mean loss of batches in float64, by the logits of whole runs. */
function lossOf(made, list) {
  let [sum, count] = [0, 0];
  for (const one of list) {
    const run = made.forward({ ...one, gradients: false });
    const rows = run.logits.toArray();
    run.dispose();
    for (const [i, labels] of one.labels.entries()) {
      for (const [j, label] of labels.entries()) {
        if (label === -100) continue;
        const all = rows[i][j].reduce((total, x) => total + Math.exp(x), 0);
        sum += Math.log(all) - rows[i][j][label];
        count += 1;
      }
    }
  }
  return sum / count;
}

const held = [
  {
    target: [
      [1, 3, 9, 4],
      [1, 5],
    ],
    labels: [
      [3, 9, 4, 2],
      [5, -100],
    ],
  },
  { target: [[1, 6, 6]], labels: [[6, 6, 2]] },
];

test('the validation loss is that of whole runs, and of the steps the best one can be kept', async () => {
  for (const keepBest of [false, true]) {
    const made = gf.model({ ...families.gpt, dropout: 0.3 });
    const seen = [];
    const options = { steps: 42, rate: 0.02, labelSmoothing: 0.1, validation: held };
    const given = { ...options, validateEvery: 4, keepBest };
    for await (const step of train(made, stream(made.config), given)) {
      assert.equal('validationLoss' in step, step.step % 4 === 0);
      if (step.validationLoss === undefined) continue;
      const expected = lossOf(made, held);
      assert.ok(Math.abs(step.validationLoss - expected) < 1e-5 * expected);
      seen.push({ loss: step.validationLoss, state: state(made) });
    }
    assert.equal(seen.length, 10);
    const best = seen.reduce((a, b) => (b.loss < a.loss ? b : a));
    assert.notEqual(best, seen.at(-1), 'it has got worse at the end');
    assert.equal(state(made) === best.state, keepBest);
    assert.equal(made.step, 42);
    made.dispose();
  }
});

test('validation leaves the bits of a training alone; one without labels is refused', async () => {
  const plain = gf.model(families.bert);
  const watched = gf.model(families.bert);
  await finish(plain, { steps: 9 });
  await finish(watched, { steps: 9, validation: held, validateEvery: 2 });
  assert.equal(state(watched), state(plain));
  const silent = [{ target: [[1, 2]], labels: [[-100, -100]] }];
  assert.throws(
    () => train(plain, [], { validation: silent }),
    refused(RangeError, /train: validation: all 2 labels are -100/),
  );
  assert.throws(() => train(plain, [], { validation: 3 }), refused(TypeError, /expected an array/));
});
