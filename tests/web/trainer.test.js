import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect, load, train } from '../../bindings/index.js';
import { heldOut } from '../../bindings/lab/tasks/held-out.js';
import {
  answer,
  evaluate,
  isHeldOut,
  taskBatches,
  tasks,
  testBatch,
} from '../../bindings/lab/tasks/index.js';
import { planOf } from '../../web/chapters/training/settings.js';
import { Local } from '../../web/workers/remote/local.js';
import { Remote } from '../../web/workers/remote/remote.js';
import { Checkpoints } from '../../web/workers/trainer/checkpoints.js';
import { Trial } from '../../web/workers/trainer/evaluation.js';
import { Trainer } from '../../web/workers/trainer/trainer.js';
import { heaps } from '../support/heap.js';

const gf = await load();
const model = { dModel: 16, heads: 2, dFF: 24, layers: 1, seed: 3 };
const training = {
  schedule: 'noam',
  rate: 0.7,
  warmup: 10,
  labelSmoothing: 0.1,
  dropout: 0.1,
  seed: 3,
  total: 60,
};
const plan = {
  task: 'copy',
  seed: 3,
  tokens: 96,
  steps: 60,
  every: 10,
  runs: { a: { model, training } },
};
const without = (remove) => ({
  ...plan,
  runs: { ...plan.runs, b: { model: { ...model, remove }, training } },
});

/** A trainer at the end of a wire that copies what passes, as messages do; and all that it told. */
function wired() {
  const heard = { a: { steps: [], evaluations: [] }, b: { steps: [], evaluations: [] } };
  const replays = [];
  const remote = new Remote(() => new Local(async (tell) => new Trainer(gf, tell)), {
    heard: ({ progress, replay }) => {
      if (replay) replays.push(replay);
      for (const [side, { steps, evaluations, ended }] of Object.entries(progress?.runs ?? {})) {
        heard[side].steps.push(...steps);
        heard[side].evaluations.push(...evaluations);
        heard[side].ended = ended;
      }
    },
  });
  const ask = (what, question, signal) => remote.ask(what, question, signal);
  return { ask, heard, replays };
}

/** The same run, by the bindings alone. */
async function reference(steps, more = {}) {
  const task = tasks.copy;
  const made = gf.model({
    kind: 'transformer',
    vocab: task.vocabulary.size,
    maxLength: 11,
    dropout: 0,
    ...model,
    ...more,
  });
  const told = [];
  const stream = taskBatches(task, { tokens: 96, seed: 3 });
  for await (const step of train(made, stream, { ...training, steps })) told.push(step);
  return { made, told };
}

test('what is looked at of French is chosen: right sentences that training never has', () => {
  const task = tasks['french-english'];
  const { pairs, examples } = heldOut(task, 1);
  const sources = pairs.map(({ source }) => source);
  assert.deepEqual(heldOut(task, 2).examples, examples);
  assert.deepEqual(pairs.slice(0, examples.length), examples);
  assert.equal(pairs.length, 64);
  assert.equal(new Set(sources).size, 64);
  for (const { source } of pairs) assert.ok(isHeldOut(source), source);
  assert.deepEqual(
    examples.map(({ target }) => target),
    [
      'the old woman eats a red apple in the kitchen',
      'the boy reads a book in the garden',
      'the young baker does not drink any wine',
      'my mother looks at the birds in the park',
      'my sister closes the green door',
    ],
  );
});

test('a run has the bits of a training by the bindings', async () => {
  const { ask, heard } = wired();
  const started = await ask('start', { plan });
  const { made, told } = await reference(25);
  assert.equal(started.runs.a.size, made.size);
  assert.deepEqual(await ask('train', { to: 25 }), { step: 25 });
  const facts = ({ step, loss, learningRate, gradientNorm, tokens }) =>
    [step, loss, learningRate, gradientNorm, tokens].join();
  assert.deepEqual(heard.a.steps.map(facts), told.map(facts));
  assert.deepEqual(
    started.runs.a.rates.slice(0, 25),
    told.map(({ learningRate }) => learningRate),
  );
  const saved = await ask('save', { at: { side: 'a', step: null } });
  assert.equal(Buffer.compare(saved, made.save({ training: true })), 0);
  made.dispose();
});

test('an evaluation that fails leaves everything as it was, and is made when it is asked for again', async (t) => {
  const { ask, heard } = wired();
  await ask('start', { plan });
  await ask('train', { to: 5 });
  const before = await ask('save', { at: { side: 'a', step: null } });
  const { of } = Trial.prototype;
  const fail = () =>
    t.mock.method(Trial.prototype, 'of', () => Promise.reject(new RangeError('no evaluation')), {
      times: 1,
    });
  fail();
  const other = { ...plan, seed: 9, runs: { a: { model: { ...model, seed: 9 }, training } } };
  await assert.rejects(ask('start', { plan: other }), /no evaluation/);
  const after = await ask('save', { at: { side: 'a', step: null } });
  assert.equal(Buffer.compare(after, before), 0, 'the run before stays');
  heard.a.evaluations.length = 0;
  fail();
  await assert.rejects(ask('train', { to: 10 }), /no evaluation/);
  await ask('train', { to: 12 });
  assert.equal(Trial.prototype.of, of);
  assert.deepEqual(
    heard.a.evaluations.map(({ step }) => step),
    [10, 12],
  );
  const { made } = await reference(12);
  const saved = await ask('save', { at: { side: 'a', step: null } });
  assert.equal(Buffer.compare(saved, made.save({ training: true })), 0);
  made.dispose();
});

test('a step that fails for want of memory is told, and taken when it is tried again', async () => {
  const { ask, heard } = wired();
  await ask('start', { plan });
  await ask('train', { to: 3 });
  heaps.before = () => {
    throw new RangeError('no memory');
  };
  try {
    await assert.rejects(ask('train', { to: 20 }), /no memory/);
    await assert.rejects(ask('train', { to: 20 }), /no memory/);
  } finally {
    heaps.before = () => {};
  }
  await ask('train', { to: 20 });
  const { made, told } = await reference(20);
  assert.deepEqual(
    heard.a.steps.map(({ loss }) => loss),
    told.map(({ loss }) => loss),
  );
  const saved = await ask('save', { at: { side: 'a', step: null } });
  assert.equal(Buffer.compare(saved, made.save({ training: true })), 0);
  made.dispose();
});

test('held-out pairs: loss, exact answers, attention, as the bindings say', async () => {
  const { ask, heard } = wired();
  const { examples, heldOut: count } = await ask('start', { plan });
  await ask('train', { to: 35 });
  assert.deepEqual(
    heard.a.evaluations.map(({ step }) => step),
    [0, 10, 20, 30, 35],
  );
  const { made } = await reference(35);
  const told = heard.a.evaluations.at(-1);
  const { pairs } = heldOut(tasks.copy, 3);
  assert.equal(count, pairs.length);
  const { right } = await evaluate(made, tasks.copy, pairs);
  assert.equal(told.right, right);
  assert.deepEqual(
    told.answers.map((tokens) => tasks.copy.detokenize('target', tokens)),
    await Promise.all(examples.map(({ source }) => answer(made, tasks.copy, source))),
  );
  const run = made.forward(testBatch(tasks.copy, pairs));
  assert.equal(told.loss, run.loss);
  const { labels } = testBatch(tasks.copy, pairs);
  const rows = run.logits.toArray().map((row, i) => row.slice(0, labels[i].length));
  const due = rows.flatMap((row, i) =>
    row.map((logits, t) => {
      const most = Math.max(...logits);
      const sum = logits.reduce((all, logit) => all + Math.exp(logit - most), 0);
      return { certain: 1 / sum, hit: Number(logits[labels[i][t]] === most), pair: i };
    }),
  );
  assert.deepEqual(
    [...told.hits],
    due.map(({ hit }) => hit),
  );
  for (const [i, { certain }] of due.entries())
    assert.ok(Math.abs(told.certain[i] - certain) < 1e-6);
  assert.deepEqual(
    [...told.answered],
    labels.map((_, i) => Number(due.every(({ hit, pair }) => pair !== i || hit))),
  );
  assert.equal(told.share, due.filter(({ hit }) => hit).length / due.length);
  const weights = run.tensor('decoder.layers.0.cross_attn.weights').toArray();
  for (const [e, { sourceTokens, targetTokens }] of examples.entries()) {
    const [T, S] = [targetTokens.length, sourceTokens.length];
    assert.equal(told.attention[e].length, 2 * T * S);
    for (const [head, t, s] of [
      [0, 0, 0],
      [1, T - 1, S - 1],
      [1, 1, 2],
    ]) {
      assert.equal(told.attention[e][(head * T + t) * S + s], weights[e][head][t][s]);
    }
  }
  run.dispose();
  made.dispose();
});

describe('any step is opened again', () => {
  test('its loss, rate and norm are the recorded ones, bit for bit', async () => {
    const { ask, heard } = wired();
    await ask('start', { plan: without(['scale']) });
    await ask('train', { to: 40 });
    for (const side of ['a', 'b']) {
      for (const step of [40, 1, 17, 16, 33]) {
        const opened = await ask('open', { side, step });
        const recorded = heard[side].steps[step - 1];
        for (const key of ['step', 'loss', 'learningRate', 'gradientNorm', 'tokens']) {
          assert.ok(Object.is(opened[key], recorded[key]), `${side} ${step} ${key}`);
        }
      }
    }
    assert.notEqual(heard.a.steps[20].loss, heard.b.steps[20].loss);
  });

  test('its values, gradients and updates are those of that step', async () => {
    const { ask } = wired();
    await ask('start', { plan });
    await ask('train', { to: 30 });
    const opened = await ask('open', { side: 'a', step: 21 });
    const { made } = await reference(20);
    const batch = [...Array(21)].reduce(({ stream }) => ({ stream, value: stream.next().value }), {
      stream: taskBatches(tasks.copy, { tokens: 96, seed: 3 }),
    }).value;
    const inspection = inspect(made, [batch], training);
    const [run] = inspection.runs;
    const row = opened.batch.rows - 1;
    const { steps } = await ask('trace', { row });
    assert.equal(steps.length, run.tape.nodes.length);
    for (const step of steps) {
      const node = run.tensor(step.name);
      const whole = step.data.length === node.size;
      const part = (data) =>
        whole
          ? [...data]
          : [...data.subarray(row * step.data.length, (row + 1) * step.data.length)];
      assert.deepEqual([...step.data], part(node.data), step.name);
      if (step.grad) assert.deepEqual([...step.grad], part(node.grad), step.name);
    }
    for (const { name, shape } of made.parameters.values()) {
      const index = shape.map((d) => d - 1);
      const told = await ask('update', { parameter: name, index });
      assert.deepEqual(told, inspection.update(name, index));
    }
    inspection.dispose();
    made.dispose();
  });

  test('the batch is what the model was given; the loss is the mean over its labels', async () => {
    const { ask } = wired();
    const { vocabulary } = await ask('start', { plan });
    await ask('train', { to: 3 });
    const { batch, loss, tokens } = await ask('open', { side: 'a', step: 2 });
    const stream = taskBatches(tasks.copy, { tokens: 96, seed: 3 });
    stream.next();
    const { source, target, labels } = stream.next().value;
    assert.equal(batch.rows, source.length);
    const rows = (ids, width, lengths) =>
      Array.from(lengths, (length, i) => [...ids.subarray(i * width, i * width + length)]);
    assert.deepEqual(rows(batch.sourceIds, batch.source, batch.sourceLengths), source);
    assert.deepEqual(rows(batch.targetIds, batch.target, batch.targetLengths), target);
    assert.deepEqual(rows(batch.labels, batch.target, batch.targetLengths), labels);
    assert.equal(vocabulary[target[0][0]], '<start>');
    const asked = [...batch.labels.keys()].filter((at) => batch.labels[at] >= 0);
    assert.equal(asked.length, tokens);
    const mean = asked.reduce((sum, at) => sum + batch.losses[at], 0) / tokens;
    assert.ok(Math.abs(mean - loss) < 1e-5, `${mean} ${loss}`);
    const padding = [...batch.losses.keys()].filter((at) => batch.labels[at] < 0);
    assert.ok(padding.length > 0 && padding.every((at) => batch.losses[at] === 0));
  });

  test('what was trained goes on undisturbed', async () => {
    const { ask, heard } = wired();
    await ask('start', { plan });
    await ask('train', { to: 12 });
    await ask('open', { side: 'a', step: 5 });
    await ask('write', { at: { side: 'a', step: 7 }, text: 'abc', way: {} });
    await ask('train', { to: 20 });
    const { made, told } = await reference(20);
    assert.deepEqual(
      heard.a.steps.map(({ loss }) => loss),
      told.map(({ loss }) => loss),
    );
    made.dispose();
  });
});

test('a run without a warm-up has the peak rate and the paper’s Adam before it, and can be opened there', async () => {
  const { ask, heard } = wired();
  const peak = (0.7 * 16 ** -0.5) / 10 ** 0.5;
  const adam = { schedule: 'constant', rate: peak, warmup: 0, betas: [0.9, 0.98], epsilon: 1e-9 };
  const early = { before: 10, training: { ...training, ...adam } };
  const b = { model, training, early };
  const { runs } = planOf({
    task: 'copy',
    settings: { steps: 60, dModel: 16, heads: 2, dFF: 24, seed: 3, warmup: 10 },
    off: 'warmup',
  });
  assert.deepEqual(runs.b.early, {
    ...early,
    training: { ...early.training, clip: Number.POSITIVE_INFINITY },
  });
  await ask('start', { plan: { ...plan, runs: { ...plan.runs, b } } });
  await ask('train', { to: 4 });
  await ask('train', { to: 20 });
  const { made: one } = await reference(0);
  const stream = taskBatches(tasks.copy, { tokens: 96, seed: 3 });
  const told = [];
  for await (const step of train(one, stream, { ...early.training, steps: 9 })) told.push(step);
  const rest = taskBatches(tasks.copy, { tokens: 96, seed: 3, from: 9 });
  for await (const step of train(one, rest, { ...training, steps: 11 })) told.push(step);
  const facts = ({ step, loss, learningRate, gradientNorm }) =>
    [step, loss, learningRate, gradientNorm].join();
  assert.deepEqual(heard.b.steps.map(facts), told.map(facts));
  for (const step of [1, 9, 10, 17]) {
    const { learningRate, loss } = await ask('open', { side: 'b', step });
    assert.deepEqual([learningRate, loss], [told[step - 1].learningRate, told[step - 1].loss]);
  }
  one.dispose();
});

test('a run with short sources sees no longer ones, and is tested on all', async () => {
  const { ask, heard } = wired();
  const b = { model, training, reach: 0.5 };
  const { runs, lengths } = await ask('start', { plan: { ...plan, runs: { ...plan.runs, b } } });
  assert.deepEqual([runs.a.longest, runs.b.longest], [10, 5]);
  assert.deepEqual(
    lengths,
    heldOut(tasks.copy, 3).pairs.map(({ source }) => source.length),
  );
  assert.ok(lengths.some((length) => length > 5));
  await ask('train', { to: 12 });
  const seen = { a: 0, b: 0 };
  for (const side of ['a', 'b']) {
    for (let step = 1; step <= 12; step++) {
      const { batch } = await ask('open', { side, step });
      seen[side] = Math.max(seen[side], ...batch.sourceLengths);
    }
  }
  assert.ok(seen.a > 5 && seen.b === 5, JSON.stringify(seen));
  assert.equal(heard.b.evaluations[0].answered.length, lengths.length);
});

test('two runs take turns on the same batches', async () => {
  const { ask, heard } = wired();
  await ask('start', { plan: without(['residual']) });
  const stop = new AbortController();
  const training = ask('train', { to: 1e6 }, stop.signal);
  while (heard.a.steps.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  const { step } = await training;
  assert.ok(step < 1e6, `${step}`);
  assert.deepEqual(
    heard.a.steps.map(({ step, tokens }) => [step, tokens]),
    heard.b.steps.map(({ step, tokens }) => [step, tokens]),
  );
  assert.equal(heard.a.evaluations.at(-1).step, step);
  assert.deepEqual(heard.a.evaluations[0].answers.length, 5);
});

test('a run that diverges ends, and the other goes on', async () => {
  const { ask, heard } = wired();
  const wild = { ...training, schedule: 'constant', rate: 1e18, warmup: 0 };
  await ask('start', {
    plan: { ...plan, runs: { a: { model, training }, b: { model, training: wild } } },
  });
  await ask('train', { to: 12 });
  assert.equal(heard.a.steps.length, 12);
  assert.match(heard.b.ended.message, /gradient's norm is \w+ at step \d/);
  assert.ok(heard.b.steps.length < 12);
});

describe('writing', () => {
  test('greedily, by chance and by beams, at any step', async () => {
    const { ask } = wired();
    await ask('start', { plan });
    await ask('train', { to: 22 });
    const { made } = await reference(15);
    const ids = tasks.copy.vocabulary.encode([...'cab']);
    const at = { side: 'a', step: 15 };
    const ways = [{}, { temperature: 0.9, topK: 4, seed: 5 }];
    for (const way of ways) {
      const written = await ask('write', { at, text: 'cab', way });
      const due = [];
      for await (const id of made.generate(ids, { ...way, maxNewTokens: 11 })) due.push(id);
      assert.deepEqual(written.tokens, tasks.copy.vocabulary.decode(due));
      assert.ok(written.logProbs.length >= due.length);
    }
    const beams = await ask('write', { at, text: 'cab', way: { beams: 3 } });
    const found = await made.search(ids, { beams: 3, maxNewTokens: 11 });
    assert.deepEqual(
      beams.beams.map(({ score }) => score),
      found.map(({ score }) => score),
    );
    made.dispose();
  });
});

describe('files', () => {
  test('a saved run is taken up with the bits of one that went on', async () => {
    const first = wired();
    await first.ask('start', { plan });
    await first.ask('train', { to: 18 });
    const bytes = await first.ask('save', { at: { side: 'a', step: 12 } });
    await first.ask('train', { to: 24 });
    const second = wired();
    const started = await second.ask('load', { plan, bytes });
    assert.equal(started.first, 12);
    await second.ask('train', { to: 24 });
    assert.deepEqual(
      second.heard.a.steps.map(({ step, loss }) => [step, loss]),
      first.heard.a.steps.slice(12).map(({ step, loss }) => [step, loss]),
    );
    await assert.rejects(second.ask('open', { side: 'a', step: 12 }), /step 11 is not between 12/);
  });

  test('what does not fit is refused, and the present run stays', async () => {
    const { ask } = wired();
    await ask('start', { plan });
    await ask('train', { to: 3 });
    const refused = async (question, pattern) =>
      assert.rejects(ask('load', question), (error) => {
        assert.match(error.message, pattern);
        assert.equal(error.code, 'GF_EFILE');
        return true;
      });
    await refused({ plan, bytes: new Uint8Array(40) }, /safetensors/);
    const dates = gf.model({
      kind: 'transformer',
      vocab: 60,
      maxLength: 30,
      dModel: 8,
      heads: 1,
      layers: 1,
    });
    await refused({ plan, bytes: dates.save() }, /its vocabulary has 60 tokens, that of copy 30/);
    const gpt = gf.model({ kind: 'gpt', vocab: 30, maxLength: 30, dModel: 8, heads: 1, layers: 1 });
    await refused({ plan, bytes: gpt.save() }, /it holds a gpt, and copy needs a transformer/);
    const short = gf.model({
      kind: 'transformer',
      vocab: 30,
      maxLength: 5,
      dModel: 8,
      heads: 1,
      layers: 1,
    });
    await refused({ plan, bytes: short.save() }, /it reads 5 tokens, and copy has 11/);
    assert.deepEqual(await ask('train', { to: 4 }), { step: 4 });
  });
});

test('questions that make no sense are refused, one by one', async () => {
  const { ask } = wired();
  await assert.rejects(ask('open', { side: 'a', step: 1 }), /there is no run a/);
  await assert.rejects(ask('start', { plan: { ...plan, task: 'chess' } }), /no task chess/);
  await ask('start', { plan });
  await assert.rejects(ask('trace', { row: 0 }), /no step is open/);
  await assert.rejects(ask('open', { side: 'a', step: 9 }), /step 8 is not between 0 and 0/);
  await assert.rejects(
    ask('start', { plan: { ...plan, runs: { a: { model: { ...model, heads: 3 }, training } } } }),
    /heads 3 does not divide/,
  );
  assert.equal(
    (await ask('save', { at: { side: 'a', step: 0 } }, AbortSignal.abort())) instanceof Uint8Array,
    true,
  );
  await ask('train', { to: 10 });
  assert.equal(await ask('open', { side: 'a', step: 5 }, AbortSignal.abort()), null);
});

test('checkpoints stay few and spread, and the first is never lost', () => {
  const kept = new Checkpoints();
  const large = new Uint8Array(2 ** 22);
  for (let step = 3; step < 1000; step++)
    if (step === 3 || kept.isDue(step)) kept.keep(step, large);
  assert.ok(kept.size <= 8, `${kept.size}`);
  assert.equal(kept.before(4).step, 3);
  assert.throws(() => kept.before(3), /no state is kept before step 3/);
  for (let step = 4; step < 1000; step++) {
    const from = kept.before(step).step;
    assert.ok(from < step && step - from <= 256, `${step} ${from}`);
  }
});
