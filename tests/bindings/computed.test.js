// What is not computed yet is refused by name, with what to call: no value and no gradient is a silent zero.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, train } from '../../bindings/index.js';
import { families, refused, refusedAs } from './model/small.js';

const gf = await load();

const uncomputed = (name) =>
  refusedAs('GF_ESTATE', new RegExp(`^(backward: )?${name}: not computed yet: call forward\\(\\)`));
const underived = (name) =>
  refusedAs('GF_ESTATE', new RegExp(`^${name}: no gradient yet: call backward\\(\\)$`));

/** x -> y = 2 x -> z = 3 y, planned. */
function chain(plan) {
  const tape = gf.tape();
  const x = tape.input('x', [2]);
  const y = tape.scale(x, 2, 'y');
  const z = tape.scale(y, 3, 'z');
  tape.plan(plan);
  x.set([1, 2]);
  return { tape, x, y, z };
}

test('values: of leaves at once, of ops after forward, whoever asks', () => {
  const { tape, x, y, z } = chain();
  assert.deepEqual(x.toArray(), [1, 2]);
  for (const read of [() => y.data, () => y.toArray(), () => y.set([1, 2])]) {
    assert.throws(read, uncomputed('y'));
  }
  tape.forward('y', 'y');
  assert.deepEqual(y.toArray(), [2, 4]);
  assert.throws(() => z.data, uncomputed('z'));
  tape.forward();
  assert.deepEqual(z.toArray(), [6, 12]);
});

test('a slice that begins behind what is not computed is refused, and computes nothing', () => {
  const { tape, y, z } = chain();
  assert.throws(() => tape.forward('z'), refusedAs('GF_ESTATE', /^y: forward: not computed yet/));
  assert.throws(() => z.data, uncomputed('z'));
  tape.freeze(y);
  y.set([5, 6]);
  tape.forward('z');
  assert.deepEqual(z.toArray(), [15, 18]);
  tape.freeze(y, false);
  assert.throws(() => y.data, uncomputed('y'));
  tape.forward();
  assert.deepEqual(z.toArray(), [6, 12]);
});

test('what is frozen is there to be written before anything is computed', () => {
  const { tape, y, z } = chain();
  tape.freeze('y');
  assert.deepEqual(y.toArray(), [0, 0]);
  y.data[1] = 4;
  tape.forward();
  assert.deepEqual(z.toArray(), [0, 12]);
});

test('what was written since the last forward shows downstream after the next', () => {
  const { tape, x, z } = chain();
  tape.forward();
  x.set([10, 20]);
  assert.deepEqual(z.toArray(), [6, 12]);
  tape.forward();
  assert.deepEqual(z.toArray(), [60, 120]);
});

test('gradients: only after backward, or where they were set to zero', () => {
  const { tape, x, y, z } = chain();
  tape.forward();
  for (const node of [x, y, z]) assert.throws(() => node.grad, underived(node.name));
  tape.backward('y', [1, 1]);
  assert.deepEqual([...x.grad, ...y.grad, ...z.grad], [2, 2, 1, 1, 0, 0]);
  const fresh = chain();
  fresh.tape.zeroGrad();
  assert.deepEqual([...fresh.x.grad], [0, 0]);
});

test('backward before forward is refused, and clears nothing', () => {
  const { tape, x } = chain();
  assert.throws(() => tape.backward('z', [1, 1]), uncomputed('z'));
  assert.throws(() => x.grad, underived('x'));
  tape.forward('y', 'y');
  assert.throws(() => tape.backward('z', [1, 1]), uncomputed('z'));
  tape.backward('y', [1, 1]);
  assert.throws(() => tape.backward('z', [1, 1]), uncomputed('z'));
  assert.deepEqual([...x.grad], [2, 2]);
});

test('a backward that fails on its way leaves no gradients to be read', () => {
  const tape = gf.tape();
  const table = tape.parameter('table', [2, 1]);
  const ids = tape.ids('ids', [1]);
  const e = tape.embed(table, ids, 'e');
  tape.plan();
  tape.forward();
  tape.backward(e);
  assert.deepEqual([...table.grad], [1, 0]);
  ids.set([2]);
  assert.throws(() => tape.backward(e), refusedAs('GF_EID', /is 2/));
  assert.throws(() => table.grad, underived('table'));
});

test('a plan that reuses memory: results after forward, no gradients', () => {
  const { tape, y, z } = chain({ reuse: true });
  assert.throws(() => z.data, uncomputed('z'));
  tape.forward();
  assert.deepEqual(z.toArray(), [6, 12]);
  assert.throws(() => y.data, refusedAs('GF_ESTATE', /this value is not kept/));
  assert.equal(z.grad, null);
  assert.throws(
    () => tape.backward(z, [1, 1]),
    refusedAs('GF_ESTATE', /reuses memory: no gradients/),
  );
});

test('ids that are computed, and a cache, which begins empty', () => {
  const tape = gf.tape();
  const best = tape.topKIds(tape.input('x', [1, 4]), 2, 'best');
  const at = tape.ids('at', [1]);
  const cache = tape.cache(tape.input('keys', [1, 1, 1, 2]), at, 3, 'cache');
  tape.plan();
  assert.throws(() => best.data, uncomputed('best'));
  assert.deepEqual([...cache.data], [0, 0, 0, 0, 0, 0]);
  cache.set(new Float32Array([1, 2, 3, 4, 5, 6]));
  tape.find('keys').set([[[[8, 9]]]]);
  at.set([1]);
  tape.forward();
  assert.deepEqual([...cache.data], [1, 2, 8, 9, 5, 6]);
  assert.deepEqual([...best.data], [0, 1]);
});

test('parameters of a model have a gradient once something was differentiated', async () => {
  const model = gf.model(families.transformer);
  const name = 'decoder.layers.0.linear1.weight';
  const batch = { source: [3, 4], target: [1, 3], labels: [3, 4] };
  const { grad: _, ...learned } = { ...model.parameters.get(name) };
  assert.ok(learned);
  assert.throws(() => model.parameters.get(name).grad, underived(name));
  const run = model.forward(batch);
  assert.throws(() => model.parameters.get(name).grad, underived(name));
  assert.throws(() => run.tensor(name).grad, underived(name));
  assert.throws(() => run.backward('loss', []), RangeError);
  assert.throws(() => model.parameters.get(name).grad, underived(name));
  run.backward();
  assert.ok(model.parameters.get(name).grad.some((slope) => slope !== 0));
  const other = gf.model(families.transformer);
  other.forward({ ...batch, gradients: false }).backward();
  assert.throws(() => other.parameters.get(name).grad, underived(name));
  const still = other.forward({ ...batch, gradients: false });
  assert.throws(
    () => still.backward(name),
    refusedAs('GF_ESTATE', /is of a tape without gradients/),
  );
  assert.throws(() => still.backward('source'), refused(TypeError, /ids have no gradient/));
  await train(other, [batch]).next();
  assert.ok(other.parameters.get(name).grad.some((slope) => slope !== 0));
});
