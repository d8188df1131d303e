// The linear probe: what it learns against a float64 regression of its own, and its control near chance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probe } from '../../bindings/lab/inside/index.js';
import { gf, refused, refusedAs } from '../bindings/model/small.js';
import { softmaxRow } from '../bindings/naive.js';
import { KINDS, modelOf, reference } from './reference.js';

/** Sequences without a pattern. */
const sequences = Array.from({ length: 160 }, (_, i) =>
  Array.from(
    { length: 4 },
    (_, t) => Math.floor(((Math.sin(i * 91.7 + t * 37.3) * 1e4) % 13) + 13) % 13,
  ),
);

test('what a step holds is found, also held out; what it cannot know is not', async () => {
  const model = modelOf(gf, KINDS.tied);
  /* The token before: at the first layer's input a position knows its own token alone. */
  const node = 'decoder.input';
  const about = (t) =>
    sequences.map((target) => ({
      inputs: { target },
      label: target[t] < 7 ? 'low' : 'high',
      position: 2,
    }));
  const own = await probe(model, about(2), { node });
  assert.equal(own.accuracy.heldOut, 1);
  const other = await probe(model, about(0), { node });
  assert.ok(
    other.accuracy.heldOut - other.chance < 0.2,
    `${other.accuracy.heldOut} with chance ${other.chance}`,
  );
  for (const { control, chance, counts } of [own, other]) {
    assert.deepEqual(counts, { trained: 120, heldOut: 40 });
    /* Three standard deviations of 40 throws. */
    assert.ok(Math.abs(control.heldOut - 0.5) < 3 * Math.sqrt(0.25 / 40), `${control.heldOut}`);
    assert.ok(chance > 0.3 && chance < 0.8);
  }
  model.dispose();
});

test('the map is where the loss has its minimum', async () => {
  const model = modelOf(gf, KINDS.rms);
  const double = reference(model);
  const [decay, position] = [0.1, 3];
  const examples = sequences.map((target) => ({
    inputs: { target },
    label: target[3] % 3,
    position,
  }));
  const told = await probe(model, examples, {
    node: 'decoder.layers.0.residual2',
    decay,
    steps: 2000,
    heldOut: 0.25,
  });
  const { weight, bias, mean, deviation } = told.map;
  assert.deepEqual([weight.length, weight[0].length, told.classes.length], [8, 3, 3]);
  const rows = sequences.map((target) => double.run(target).step('output', 0)[position]);
  const standard = rows.map((row) => row.map((x, c) => (x - mean[c]) / deviation[c]));
  const trained = standard.map((_, i) => i).filter((i) => !told.tried.includes(i));
  assert.equal(told.tried.length, 40);
  for (let c = 0; c < 8; c++) {
    const all = trained.map((i) => rows[i][c]);
    const middle = all.reduce((sum, x) => sum + x, 0) / 120;
    const spread = Math.sqrt(all.reduce((sum, x) => sum + (x - middle) ** 2, 0) / 120);
    assert.ok(Math.abs(middle - mean[c]) < 1e-4 && Math.abs(spread - deviation[c]) < 1e-4);
  }
  const logits = standard.map((row) =>
    bias.map((b, k) => row.reduce((sum, x, c) => sum + x * weight[c][k], b)),
  );
  const isRight = (i) =>
    told.classes[logits[i].indexOf(Math.max(...logits[i]))] === examples[i].label;
  assert.equal(told.accuracy.trained, trained.filter(isRight).length / 120);
  assert.equal(told.accuracy.heldOut, told.tried.filter(isRight).length / 40);
  /* The gradient of mean cross-entropy + decay / 2 |w|^2 is 0. */
  const errors = trained.map((i) =>
    softmaxRow(logits[i]).map((p, k) => p - Number(told.classes[k] === examples[i].label)),
  );
  for (let k = 0; k < 3; k++) {
    assert.ok(Math.abs(errors.reduce((sum, row) => sum + row[k], 0) / 120) < 1e-3);
    for (let c = 0; c < 8; c++) {
      const slope = errors.reduce((sum, row, n) => sum + row[k] * standard[trained[n]][c], 0) / 120;
      assert.ok(Math.abs(slope + decay * weight[c][k]) < 1e-3, `${slope} ${decay * weight[c][k]}`);
    }
  }
  const again = await probe(model, examples, {
    node: 'decoder.layers.0.residual2',
    decay,
    steps: 2000,
    heldOut: 0.25,
  });
  assert.deepEqual(again, told);
  const elsewhere = await probe(model, examples, { node: 'decoder.layers.0.residual2', seed: 1 });
  assert.notDeepEqual(elsewhere.map.mean, mean);
  model.dispose();
});

test('wrong examples and steps are refused', async () => {
  const model = modelOf(gf, KINDS.tied);
  const examples = sequences.slice(0, 8).map((target, i) => ({ inputs: { target }, label: i % 2 }));
  const wrong = (list, options, pattern, Kind = RangeError) =>
    assert.rejects(
      probe(model, list, { node: 'decoder.input', ...options }),
      refused(Kind, pattern),
    );
  await wrong(examples.slice(0, 3), {}, /examples: expected at least 4 examples, received 3/);
  await wrong(
    examples.map((one) => ({ ...one, label: 1 })),
    {},
    /expected at least two labels, received 1/,
  );
  await wrong(
    examples.map((one) => ({ ...one, label: null })),
    {},
    /examples\[0\]: label: expected a label/,
    TypeError,
  );
  await wrong(examples, { node: 'target' }, /one vector for each token, received "target"/);
  await wrong(
    examples,
    { node: 'decoder.layers.0.self_attn.weights' },
    /one vector for each token/,
  );
  await wrong(examples, { heldOut: 1 }, /heldOut/);
  await assert.rejects(
    probe(model, examples, { node: 'decoder.inputs' }),
    refusedAs('GF_ENAME', /did you mean "decoder.input"/),
  );
  model.dispose();
});
