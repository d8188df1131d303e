// Nested arrays of any form: read once, with limits, and refused in a sentence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  examples,
  load,
  traceExample,
  traceModel,
  traceModelInTurns,
  train,
} from '../../bindings/index.js';
import { families } from './model/small.js';

const gf = await load();

const nested = (depth) => {
  let list = [1];
  for (let i = 1; i < depth; i++) list = [list];
  return list;
};
const endless = [];
endless.push(endless);
const gap = [1, 1];
delete gap[0];
const holes = [1];
holes.length = 30_000_000;
const rowsOfHoles = [[true]];
rowsOfHoles.length = 30_000_000;

const clear = (error) =>
  (error instanceof TypeError || error instanceof RangeError) &&
  /received|expected/.test(error.message) &&
  !/Maximum call stack/.test(error.message);

test('arrays that hold themselves, are too deep or have holes are refused', () => {
  for (const odd of [endless, nested(20_000), nested(9), holes, [[1], endless], gap]) {
    const tape = gf.tape();
    const x = tape.input('x', [2, 2]);
    tape.plan();
    for (const call of [
      () => gf.relu(odd),
      () => gf.softmax(odd),
      () => gf.matmul(odd, odd),
      () => gf.where(odd, 1, 0),
      () => gf.mask([[1]], { mask: odd }),
      () => gf.gather([1, 2], odd),
      () => gf.relu({ data: [1], shape: odd }),
      () => x.set(odd),
      () => gf.attention({ q: [[1]], k: [[1]], v: [[1]], causal: true, offset: odd }),
    ]) {
      assert.throws(call, clear, String(call));
    }
    tape.dispose();
  }
  assert.throws(() => gf.where(rowsOfHoles, 1, 0), clear);
  assert.deepEqual(gf.relu(nested(8)), nested(8));
});

test('a model’s sequences likewise', () => {
  const model = gf.model(families.gpt);
  for (const target of [endless, nested(20_000), holes, [[3], endless], rowsOfHoles]) {
    assert.throws(() => model.forward({ target }), clear);
    assert.throws(() => model.generateSync(target), clear);
    assert.throws(() => model.generateSync([3], { stopTokens: target }), clear);
    assert.throws(() => traceModel(model, { target: [3] }, { edits: target }), clear);
  }
});

test('as many sequences as there are', () => {
  const model = gf.model({ ...families.gpt, dModel: 2, heads: 1, dFF: 2, layers: 1, vocab: 4 });
  const target = Array.from({ length: 130_000 }, () => [1]);
  const run = model.forward({ target, steps: false });
  assert.deepEqual(run.logits.shape, [130_000, 1, 4]);
  run.dispose();
});

test('configs and examples are nobody’s to change', () => {
  const remove = ['scale'];
  const model = gf.model({ ...families.gpt, remove });
  remove.push('norm');
  assert.deepEqual(model.config.remove, ['scale']);
  assert.throws(() => model.config.remove.push('norm'), TypeError);
  const plain = gf.model(families.gpt);
  assert.throws(() => plain.config.remove.push('norm'), TypeError);
  assert.deepEqual(gf.model(families.gpt).config.remove, []);
  assert.throws(() => examples['three-tokens'].inputs.x.push([1]), TypeError);
  const saved = plain.save();
  plain.parameters.clear();
  assert.deepEqual(plain.save(), saved);
});

test('a trace keeps the example as it was given', () => {
  const own = structuredClone(examples['three-tokens']);
  const trace = traceExample(gf, own);
  own.title = 'another';
  own.inputs.x[0][0] = 9;
  assert.deepEqual(trace.example, examples['three-tokens']);
  trace.dispose();
});

test('what was given stays its owner’s: no answer shares its numbers, no later change is heard', async () => {
  const x = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
  const same = gf.transpose(x, [0, 1]);
  same.data[0] = 9;
  assert.equal(x.data[0], 1);
  const model = gf.model(families.gpt);
  const edits = [{ node: 'decoder.norm', index: [0, 0], value: 2 }];
  const inTurns = traceModelInTurns(
    model,
    { target: [3, 4] },
    {
      edits,
      onProgress: () => {
        edits[0].value = 7;
        edits[0].index[0] = 1;
      },
    },
  );
  const trace = await inTurns;
  assert.equal(trace.step('decoder.norm').data[0], 2);
  const betas = [0.9, 0.99];
  const batch = { target: [1, 3], labels: [3, 4] };
  const [changed, left] = [gf.model(families.gpt), gf.model(families.gpt)];
  const loop = train(changed, [batch, batch], { betas });
  betas[0] = 0.1;
  for await (const _ of loop);
  for await (const _ of train(left, [batch, batch], { betas: [0.9, 0.99] }));
  const weight = (one) => one.parameters.get('decoder.layers.0.linear1.weight').data;
  assert.deepEqual(weight(changed), weight(left));
});
