// Path patching and attribution patching: against a float64 model, by definition.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributionPatch, patch, paths } from '../../bindings/lab/inside/index.js';
import { families, gf, model as made, refused } from '../bindings/model/small.js';
import { heaps } from '../support/heap.js';
import { KINDS, metric, modelOf, reference, SIZES } from './reference.js';

const target = [3, 7, 7, 1, 12, 0];
const from = [3, 5, 7, 1, 2, 0];
const asked = { kind: 'difference', token: 4, against: 9, position: -1 };

/** The metric if the sender's values come from the other run and all else inside sublayers stays, but for one receiver,
 * which is given what it then reads and passes it on. */
function alongPath(double, { layer, head }, receiver) {
  const base = double.run(target);
  const other = double.run(from);
  const swapped = (values) =>
    values.map((one, h) => (h === head ? other.step('mix', layer)[h] : one));
  const frozen = double.run(target, (step, l, values) => {
    if (step === 'mix') return l === layer ? swapped(base.step(step, l)) : base.step(step, l);
    return step === 'activation' ? base.step(step, l) : values;
  });
  if (receiver === 'logits') return metric(frozen.logits, asked);
  /* What the receiver reads there: for a feed-forward what it then makes of it, before it was held. */
  if (receiver.feed !== undefined) {
    const { steps } = double.run(target, (step, l, values) => {
      if (step === 'mix') return l === layer ? swapped(base.step(step, l)) : base.step(step, l);
      return step === 'activation' && l !== receiver.feed ? base.step(step, l) : values;
    });
    const given = steps.find(
      ({ step, layer: l }) => step === 'activation' && l === receiver.feed,
    ).values;
    const change = (step, l, values) =>
      step === 'activation' && l === receiver.feed ? given : values;
    return metric(double.run(target, change).logits, asked);
  }
  const given = frozen.step(receiver.step, receiver.layer)[receiver.head];
  const put = (values) => values.map((one, h) => (h === receiver.head ? given : one));
  const change = (step, l, values) =>
    step === receiver.step && l === receiver.layer ? put(values) : values;
  return metric(double.run(target, change).logits, asked);
}

const STEPS = { query: 'queries', key: 'keys', value: 'values' };

for (const [name, options] of Object.entries(KINDS)) {
  test(`${name}: paths from a head to each receiver`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const before = metric(double.run(target).logits, asked);
    const sender = { layer: 0, head: 1 };
    const told = await paths(model, { target }, { from: { target: from }, sender, metric: asked });
    const kv = model.config.kvHeads;
    assert.equal(told.parts.length, 1 + SIZES.heads + 2 * kv + 1 + 1);
    for (const { name: receiver, value } of told.parts) {
      const [, layer, head, input] = /^layer (\d)(?: head (\d) (\w+))?/.exec(receiver) ?? [];
      const place =
        receiver === 'logits'
          ? receiver
          : input
            ? { step: STEPS[input], layer: Number(layer), head: Number(head) }
            : { feed: Number(layer) };
      const due = alongPath(double, sender, place) - before;
      assert.ok(Math.abs(value - due) < 5e-5, `${receiver}: ${value}, not ${due}`);
    }
    const patched = await patch(
      model,
      { target },
      { from: { target: from }, at: [sender], metric: asked },
    );
    assert.ok(Math.abs(told.total - (patched.after - patched.before)) < 1e-6);
    assert.equal(told.remainder, told.total - told.sum);
    model.dispose();
  });

  test(`${name}: attribution patching is gradient times difference`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const [base, other] = [double.run(target), double.run(from)];
    for (const kind of ['difference', 'probability', 'loss']) {
      const wanted = kind === 'difference' ? asked : { kind, token: 4, position: -1 };
      const given = { from: { target: from }, each: 'head', metric: wanted };
      const told = await attributionPatch(model, { target }, { ...given, compare: true });
      const truth = await patch(model, { target }, given);
      for (let l = 0; l < SIZES.layers; l++) {
        for (let h = 0; h < SIZES.heads; h++) {
          /* The derivative along the line to the other run's values, by central differences in float64. */
          const along = (t) => {
            const [mine, theirs] = [base.step('mix', l)[h], other.step('mix', l)[h]];
            const moved = mine.map((row, i) => row.map((x, d) => x + t * (theirs[i][d] - x)));
            const change = (step, layer, values) =>
              step === 'mix' && layer === l
                ? values.map((one, i) => (i === h ? moved : one))
                : values;
            return metric(double.run(target, change).logits, wanted);
          };
          const due = (along(1e-5) - along(-1e-5)) / 2e-5;
          const scale = Math.max(1, Math.abs(due));
          assert.ok(Math.abs(told.grid.values[l][h] - due) < 5e-5 * scale, `${kind} ${l} ${h}`);
          const change = truth.grid.values[l][h] - truth.before;
          assert.ok(Math.abs(told.truth.values[l][h] - change) < 1e-6);
        }
      }
      const distances = told.truth.values.flatMap((row, i) =>
        row.map((x, j) => Math.abs(x - told.grid.values[i][j])),
      );
      assert.equal(told.error.largest, Math.max(...distances));
    }
    model.dispose();
  });
}

test('where all behind the sender is linear, paths add up to its effect; elsewhere the remainder is said', async () => {
  /* One layer without norms: behind a head lie its feed-forward, and the logits. */
  const linear = modelOf(gf, { ...KINDS.tied, layers: 1, remove: ['norm'] });
  const options = { from: { target: from }, sender: { layer: 0, head: 0 }, metric: asked };
  const told = await paths(linear, { target }, options);
  assert.deepEqual(
    told.parts.map(({ name }) => name),
    ['layer 0 feed-forward', 'logits'],
  );
  assert.ok(Math.abs(told.remainder) < 2e-5 && Math.abs(told.total) > 0.01, String(told.remainder));
  linear.dispose();
  const normed = modelOf(gf, { ...KINDS.tied, layers: 1 });
  const bent = await paths(normed, { target }, options);
  assert.ok(Math.abs(bent.remainder) > 1e-3);
  normed.dispose();
});

test('every head as the sender to some receivers, in a grid', async () => {
  const model = modelOf(gf, KINDS.rms);
  const double = reference(model);
  const before = metric(double.run(target).logits, asked);
  const receivers = [{ layer: 1, head: 1, input: 'query' }];
  const { grid } = await paths(
    model,
    { target },
    { from: { target: from }, receivers, metric: asked },
  );
  for (let head = 0; head < SIZES.heads; head++) {
    const due =
      alongPath(double, { layer: 0, head }, { step: 'queries', layer: 1, head: 1 }) - before;
    assert.ok(Math.abs(grid.values[0][head] - due) < 5e-5);
    assert.equal(grid.values[1][head], 0, 'nothing comes from behind');
  }
  const direct = await paths(
    model,
    { target },
    { from: { target: from }, receivers: ['logits'], metric: asked },
  );
  const due = alongPath(double, { layer: 1, head: 0 }, 'logits') - before;
  assert.ok(Math.abs(direct.grid.values[1][0] - due) < 5e-5);
  model.dispose();
});

test('across the stacks of a transformer, and refusals', async () => {
  const model = made(families.transformer);
  const inputs = { source: [3, 1, 4], target: [9, 2, 6] };
  const given = { from: { source: [3, 8, 4], target: [9, 2, 6] } };
  const sender = { layer: 1, head: 0, stack: 'encoder' };
  const { parts } = await paths(model, inputs, { ...given, sender });
  const reached = parts.filter(({ value }) => value !== 0).map(({ name }) => name);
  assert.ok(reached.includes('decoder layer 0 cross-attention head 1 key'));
  assert.ok(!reached.includes('decoder layer 0 head 1 key'), 'no path leads there directly');
  const wrong = (options, pattern, Kind = RangeError) =>
    assert.rejects(paths(model, inputs, { ...given, ...options }), refused(Kind, pattern));
  await wrong({}, /paths: expected sender, receivers or both/, TypeError);
  await wrong({ receivers: [] }, /receivers: expected at least one receiver/);
  await wrong(
    { receivers: ['logit'] },
    /receivers\[0\]: expected "logits", { layer, head, input }/,
    TypeError,
  );
  await wrong(
    { receivers: [{ layer: 0, head: 2, input: 'key' }] },
    /receivers\[0\]: head: .* 0 to 1, received 2/,
  );
  await wrong(
    { receivers: [{ layer: 0, head: 0 }] },
    /receivers\[0\]: input: expected one of/,
    TypeError,
  );
  await wrong({ receivers: [{ layer: 5 }] }, /there is no feed_forward in layer 5 of the decoder/);
  await wrong(
    { receivers: ['logits', { layer: 0 }] },
    /without a sender, "logits" must be the only receiver/,
  );
  model.dispose();
});

test('a run has memory for gradients only where attribution patching asks for them', async () => {
  /* Whose logits alone take more than the nodes of its tape. */
  const model = modelOf(gf, { ...KINDS.rms, vocab: 10000 });
  const [few, all] = [[], []];
  for (const [work, bytes] of [
    [patch, few],
    [attributionPatch, all],
  ]) {
    heaps.before = (wanted) => bytes.push(wanted);
    try {
      await work(model, { target }, { from: { target: from }, each: 'head', metric: asked });
    } finally {
      heaps.before = () => {};
    }
  }
  assert.ok(
    1.5 * Math.max(...few) < Math.max(...all),
    `${Math.max(...few)} of ${Math.max(...all)}`,
  );
  model.dispose();
});
