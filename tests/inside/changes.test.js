// Values that are taken away, or put in from another run: against a float64 model changed at the same places.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bench } from '../../bindings/lab/inside/bench.js';
import {
  ablate,
  attributionPatch,
  circuits,
  logitAttribution,
  neighbours,
  patch,
  paths,
  why,
} from '../../bindings/lab/inside/index.js';
import { families, gf, model as made, refused, refusedAs } from '../bindings/model/small.js';
import { distance } from '../bindings/naive.js';
import { KINDS, metric, modelOf, reference, SIZES } from './reference.js';

const target = [3, 7, 7, 1, 12, 0];
const from = [3, 5, 7, 1, 2, 0];
const METRICS = [
  { kind: 'logit', token: 4, position: -1 },
  { kind: 'difference', token: 4, against: 9, position: 3 },
  { kind: 'probability', token: 2, position: -2 },
  { kind: 'loss', token: 0, position: -1 },
];
const zero = (row) => row.map(() => 0);
const bitsOf = ({ logits }) => new Int32Array(logits.data.slice().buffer);

/** What `put` makes of a float64 run at one step of one layer. */
const changed = (double, step, layer, put) => {
  const change = (name, l, values) => (name === step && l === layer ? put(values) : values);
  return double.run(target, change).logits;
};

/** Each kind of place, in float64: the step, how many there are in a layer, and what a place becomes when `at(i, j)`,
 * its values at token i, are replaced by those of `other`. */
const EACH = {
  head: {
    step: 'mix',
    count: SIZES.heads,
    put: (values, other, h) => values.map((head, i) => (i === h ? other[i] : head)),
    zeroed: (values) => values.map((head) => head.map(zero)),
    mean: (runs) => (values) =>
      values.map((head, h) => {
        const rows = runs.flatMap((run) => run[h]);
        const mean = rows[0].map(
          (_, d) => rows.reduce((sum, row) => sum + row[d], 0) / rows.length,
        );
        return head.map(() => mean);
      }),
  },
  neuron: {
    step: 'activation',
    count: SIZES.dFF,
    put: (values, other, n) =>
      values.map((row, t) => row.map((x, j) => (j === n ? other[t][j] : x))),
    zeroed: (values) => values.map(zero),
  },
  position: {
    step: (layer) => (layer === 0 ? ['input', 0] : ['output', layer - 1]),
    count: target.length,
    put: (values, other, t) => values.map((row, i) => (i === t ? other[i] : row)),
    zeroed: (values) => values.map(zero),
  },
};
const stepOf = ({ step }, layer) => (typeof step === 'string' ? [step, layer] : step(layer));

for (const [name, options] of Object.entries(KINDS)) {
  test(`${name}: heads, neurons and positions to zero, in each metric`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    for (const [each, { count, put, zeroed, ...rest }] of Object.entries(EACH)) {
      for (const asked of METRICS) {
        const told = await ablate(model, { target }, { each, metric: asked });
        assert.ok(Math.abs(told.before - metric(double.run(target).logits, asked)) < 2e-5);
        assert.deepEqual(told.check, { nothing: true });
        const due = Array.from({ length: SIZES.layers }, (_, l) =>
          Array.from({ length: count }, (_, i) => {
            const logits = changed(double, ...stepOf(rest, l), (values) =>
              put(values, zeroed(values), i),
            );
            return metric(logits, asked);
          }),
        );
        assert.ok(distance(told.grid.values, due) < 5e-5, `${each} ${asked.kind}`);
        assert.equal(told.grid.unit, asked.kind);
      }
    }
    model.dispose();
  });

  test(`${name}: patching from another run, and the checks that go with it`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const other = double.run(from);
    const asked = METRICS[1];
    for (const each of ['head', 'position']) {
      const { count, put, ...rest } = EACH[each];
      const told = await patch(model, { target }, { from: { target: from }, each, metric: asked });
      const due = Array.from({ length: SIZES.layers }, (_, l) => {
        const [step, layer] = stepOf(rest, l);
        return Array.from({ length: count }, (_, i) =>
          metric(
            changed(double, step, layer, (values) => put(values, other.step(step, layer), i)),
            asked,
          ),
        );
      });
      assert.ok(distance(told.grid.values, due) < 5e-5, each);
      assert.ok(Math.abs(told.other - metric(other.logits, asked)) < 2e-5);
      assert.deepEqual(told.check, { nothing: true, everything: true });
    }
    model.dispose();
  });

  test(`${name}: means over a set, another run's values, and several places at once`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const set = [[1, 2, 3], [4, 5, 6, 7, 8], from];
    const { step, put, mean } = EACH.head;
    const [asked] = METRICS;
    const value = { mean: set.map((tokens) => ({ target: tokens })) };
    const means = await ablate(model, { target }, { each: 'head', value, metric: asked });
    const runs = set.map((tokens) => double.run(tokens));
    for (let l = 0; l < SIZES.layers; l++) {
      const average = mean(runs.map((run) => run.step('mix', l)));
      for (let h = 0; h < SIZES.heads; h++) {
        const logits = changed(double, step, l, (values) => put(values, average(values), h));
        assert.ok(Math.abs(means.grid.values[l][h] - metric(logits, asked)) < 5e-5);
      }
    }
    /* A head, then a neuron of a later layer: its other neurons see what the head has changed. */
    const at = [
      { layer: 0, head: 1 },
      { layer: 1, neuron: 3 },
    ];
    const both = await ablate(model, { target }, { at, metric: asked });
    const { logits } = double.run(target, (name, layer, values) => {
      if (name === 'mix' && layer === 0) return put(values, EACH.head.zeroed(values), 1);
      if (name === 'activation' && layer === 1)
        return EACH.neuron.put(values, EACH.neuron.zeroed(values), 3);
      return values;
    });
    assert.ok(Math.abs(both.after - metric(logits, asked)) < 2e-5);
    assert.equal(both.grid, null);
    const run = { run: { target: from } };
    const swapped = await ablate(
      model,
      { target },
      { at: at.slice(0, 1), value: run, metric: asked },
    );
    const patched = await patch(
      model,
      { target },
      { at: at.slice(0, 1), from: { target: from }, metric: asked },
    );
    assert.equal(swapped.after, patched.after);
    /* One head to zero, its neighbour and a later neuron as in the other run, another neuron at its mean. */
    const mixed = await ablate(
      model,
      { target },
      {
        at: [
          { layer: 0, head: 0 },
          { layer: 0, head: 1, value: run },
          { layer: 1, neuron: 2, value },
          { layer: 1, neuron: 3, value: run },
        ],
        metric: asked,
      },
    );
    const other = double.run(from);
    const neurons = runs.flatMap((one) => one.step('activation', 1).map((row) => row[2]));
    const averages = target.map(() => {
      const row = Array(SIZES.dFF).fill(0);
      row[2] = neurons.reduce((a, b) => a + b, 0) / neurons.length;
      return row;
    });
    const every = double.run(target, (name, layer, values) => {
      if (name === 'mix' && layer === 0) return [values[0].map(zero), other.step('mix', 0)[1]];
      if (name !== 'activation' || layer !== 1) return values;
      const withMean = EACH.neuron.put(values, averages, 2);
      return EACH.neuron.put(withMean, other.step('activation', 1), 3);
    });
    assert.ok(Math.abs(mixed.after - metric(every.logits, asked)) < 5e-5);
    assert.equal(mixed.check.nothing, true);
    model.dispose();
  });

  test(`${name}: a layer is its sublayers' outputs, and a node any of its cells`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const [asked] = METRICS;
    const told = await ablate(model, { target }, { each: 'layer', metric: asked });
    for (let l = 0; l < SIZES.layers; l++) {
      const { logits } = double.run(target, (step, layer, values) =>
        layer === l && (step === 'attention' || step === 'feed-forward')
          ? values.map(zero)
          : values,
      );
      assert.ok(Math.abs(told.grid.values[l][0] - metric(logits, asked)) < 5e-5);
    }
    const one = await ablate(
      model,
      { target },
      { at: [{ layer: 1, part: 'feed_forward' }], metric: asked },
    );
    const part = changed(double, 'feed-forward', 1, (values) => values.map(zero));
    assert.ok(Math.abs(one.after - metric(part, asked)) < 5e-5);
    const node = 'decoder.layers.0.self_attn.output';
    const cell = await ablate(
      model,
      { target },
      { at: [{ node, index: [0, null, 2] }], metric: asked },
    );
    const channel = changed(double, 'attention', 0, (values) =>
      values.map((row) => row.map((x, c) => (c === 2 ? 0 : x))),
    );
    assert.ok(Math.abs(cell.after - metric(channel, asked)) < 5e-5);
    model.dispose();
  });
}

test('only what lies downstream of a place is computed', async () => {
  const model = modelOf(gf, KINDS.tied);
  const bench = new Bench('test', model, { target });
  bench.run();
  const steps = bench.nodes.filter(({ kind }) => kind === 'op');
  assert.equal(bench.computed, steps.length);
  /* Counted by hand from the formulas: from the last head on, mix, concat, output, residual, norm, linear, activation,
   * linear, residual, norm, logits. */
  const last = steps.findLast(({ role }) => role === 'mix');
  const before = bench.computed;
  bench.run(new Map([[last, (values) => values.fill(0)]]));
  assert.equal(bench.computed - before, 11);
  /* Back to the unchanged run: the same again; then nothing is left to do. */
  bench.run();
  assert.equal(bench.computed - before, 22);
  bench.run();
  assert.equal(bench.computed - before, 22);
  /* A grid: each head of layer 1 computes those 11; each of layer 0 the 9 to its last residual, layer 1, norm and
   * logits. First comes the unchanged run, and the check, which puts back what was there from layer 0 on; the first
   * head of layer 1 undoes that. */
  const layer = steps.filter((node) => node.layer === 1).length;
  const [all, deep] = [steps.length, 9 + layer + 2];
  bench.dispose();
  const { computed } = await ablate(model, { target }, { each: 'head' });
  assert.equal(computed, all + deep + deep + 11 + deep + deep);
  model.dispose();
});

test('a place that has the values of the other run already is not computed', async () => {
  const model = modelOf(gf, KINDS.tied);
  const count = async (tokens) =>
    (await patch(model, { target }, { each: 'position', from: { target: tokens } })).computed;
  /* Causal runs that differ in their last token alone are the same at all others: one position is left in each layer. */
  const last = [...target.slice(0, -1), 9];
  const own = await count(target);
  const one = await count(last);
  const all = await count([9, ...last.slice(1)]);
  assert.ok(one > own);
  assert.ok(one - own < (all - own) / 2, `${one - own} of ${all - own}`);
  model.dispose();
});

test('encoders and cross-attention have places too', async () => {
  const model = made(families.transformer);
  const inputs = { source: [3, 1, 4], target: [9, 2, 6, 5] };
  const other = { source: [3, 8, 4], target: [9, 2, 1, 5] };
  const told = await patch(model, inputs, { from: other, each: 'head' });
  assert.deepEqual(told.grid.axes[0].labels, [
    ...['encoder 0', 'encoder 1', 'decoder 0', 'decoder 0 cross', 'decoder 1', 'decoder 1 cross'],
  ]);
  assert.deepEqual(told.check, { nothing: true, everything: true });
  const stream = await patch(model, inputs, { from: other, each: 'position' });
  assert.deepEqual(
    stream.grid.values.map((row) => row.length),
    [3, 3, 4, 4],
  );
  assert.ok(told.grid.values.flat().every((value) => value !== told.before));
  const at = [
    { layer: 0, position: 1, stack: 'encoder' },
    { layer: 0, position: 2 },
  ];
  assert.equal((await patch(model, inputs, { from: other, at })).after, told.other);
  model.dispose();
});

test('what cannot be done is refused, and an experiment ends when the signal comes', async () => {
  const model = modelOf(gf, KINDS.tied);
  const inputs = { target };
  const wrong = (options, pattern, Kind = RangeError) =>
    assert.rejects(ablate(model, inputs, options), refused(Kind, pattern));
  await wrong({}, /ablate: expected either each or at/, TypeError);
  await wrong({ each: 'heads' }, /ablate: each: .*did you mean "head"/);
  await wrong(
    { at: [{ layer: 2, head: 0 }] },
    /at\[0\]: there is no self_attn in layer 2 of the decoder/,
  );
  await wrong(
    { at: [{ layer: 0, head: 2 }] },
    /at\[0\]: head: expected an integer from 0 to 1, received 2/,
  );
  await wrong({ at: [{ layer: 0, head: 0, neuron: 0 }] }, /received head, neuron/, TypeError);
  await wrong({ at: [{ node: 'embedding.weight' }] }, /expected a step that is computed/);
  await wrong(
    { each: 'head', value: 'mean' },
    /value: expected "zero", { mean } or { run }/,
    TypeError,
  );
  await wrong({ each: 'head', value: { mean: [] } }, /expected at least one run/);
  await wrong(
    { each: 'head', metric: { token: 13 } },
    /metric: token: .* from 0 to 12, received 13/,
  );
  await wrong(
    { each: 'head', metric: { kind: 'difference', token: 1 } },
    /metric: against/,
    TypeError,
  );
  await wrong({ each: 'head', metric: { position: 6 } }, /position: .* from -6 to 5, received 6/);
  await assert.rejects(
    ablate(model, inputs, { at: [{ node: 'logit' }] }),
    refusedAs('GF_ENAME', /did you mean "logits"/),
  );
  await assert.rejects(
    patch(model, inputs, { each: 'head', from: { target: [1] } }),
    refused(RangeError, /patch: from: target: expected 6 tokens, received 1/),
  );
  await assert.rejects(
    ablate(model, { target: [[1], [2]] }, { each: 'head' }),
    refused(RangeError, /one sequence/),
  );
  const stop = new AbortController();
  const parts = [];
  const onProgress = (part) => {
    parts.push(part);
    if (part > 0.4) stop.abort();
  };
  const ended = ablate(model, inputs, { each: 'neuron', signal: stop.signal, onProgress });
  await assert.rejects(ended, { name: 'AbortError' });
  assert.ok(parts.length < 24 && parts.at(-1) > 0.4);
  const whole = [];
  await ablate(model, inputs, { each: 'head', onProgress: (part) => whole.push(part) });
  assert.deepEqual(whole, [0.25, 0.5, 0.75, 1]);
  model.dispose();
});

test('what is computed around the runs pauses, too, and never tells less than before', async () => {
  const small = { vocab: 3000, maxLength: 8, dModel: 8, heads: 2, layers: 4 };
  const model = gf.model({ kind: 'gpt', ...small });
  const run = { target: [1, 2, 3, 4] };
  const other = { target: [1, 5, 3, 4] };
  const head = { layer: 3, head: 0 };
  /** How often, at least: for each sublayer, row of a product, or thousand tokens. */
  const calls = [
    [logitAttribution, 8, run, {}],
    [why, 14, run, { ...head, query: 3, key: 1 }],
    [paths, 8, run, { from: other, sender: head, receivers: ['logits'] }],
    [circuits, 60, { ...head, tokens: [1, 2, 3] }],
    [neighbours, 2, { token: 1 }],
  ];
  for (const [work, least, ...args] of calls) {
    const parts = [];
    const onProgress = (part) => parts.push(part);
    await work(model, ...args.with(-1, { ...args.at(-1), onProgress }));
    assert.ok(parts.length >= least, `${work.name}: ${parts.length}`);
    assert.deepEqual(
      parts,
      parts.toSorted((a, b) => a - b),
      work.name,
    );
  }
  model.dispose();
  const wide = gf.model({ kind: 'gpt', ...small, dModel: 256, dFF: 4096, layers: 12 });
  const bench = new Bench('a', wide, run);
  const each = [...bench.running()].length;
  bench.dispose();
  let pauses = 0;
  const onProgress = () => pauses++;
  await attributionPatch(wide, run, { from: other, each: 'layer', onProgress });
  /* Of two runs, and of the way back. */
  assert.ok(pauses >= 3 * each, `${pauses} pauses, ${each} of a run`);
  wide.dispose();
});

test('a run of an experiment pauses, also within large steps, and gives the bits of a run at once', () => {
  const model = gf.model({
    ...{ kind: 'gpt', vocab: 4000, maxLength: 64, dModel: 256, heads: 4, layers: 2 },
    positions: 'learned',
  });
  const target = Array.from({ length: 64 }, (_, i) => (i * 37) % 4000);
  const [one, other] = [new Bench('a', model, { target }), new Bench('b', model, { target })];
  one.run();
  /* Of the logits alone there are 64 · 256 · 4000 products; no turn has more than 2^24 of them. */
  const pauses = [...other.running()].length;
  assert.ok(pauses >= (64 * 256 * 4000) / 2 ** 24, `${pauses} pauses`);
  assert.deepEqual(bitsOf(other), bitsOf(one));
  const change = ({ tape }) =>
    new Map([[tape.find('decoder.layers.0.residual2'), (values) => values.fill(1, 0, 5)]]);
  one.run(change(one));
  assert.ok([...other.running(change(other))].length >= pauses / 4);
  assert.deepEqual(bitsOf(other), bitsOf(one));
  for (const bench of [one, other]) bench.dispose();
  model.dispose();
});
