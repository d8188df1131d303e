// Tables and JSON hold every bit of a tensor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceExample, traceModel } from '../../bindings/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { csv, json } from '../../web/stage/export/tables.js';
import { smallGguf } from '../support/small-gguf.js';
import { gf, states } from './states.js';

const all = states(2);
const read = (text) => Number(text.replace(/inf$/, 'Infinity').replace('nan', 'NaN'));

test('a table gives back the bits of every step', () => {
  for (const { where, trace } of all) {
    for (const step of trace.steps) {
      const [head, ...rows] = csv(step)
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
      const leading = step.shape.length - 1;
      assert.equal(rows.length, step.data.length / step.shape.at(-1), `${where} ${step.name}`);
      assert.equal(head.length, leading + step.shape.at(-1));
      const numbers = rows.flatMap((row) => row.slice(leading)).map(read);
      step.data.forEach((value, at) => {
        const found = step.kind === 'ids' ? numbers[at] : Math.fround(numbers[at]);
        assert.ok(Object.is(found, value), `${where} ${step.name}[${at}]: ${numbers[at]}`);
      });
    }
  }
});

test('each row begins with its index', () => {
  const trace = traceExample(gf, 'two-heads');
  const [head, ...rows] = csv(trace.step('weights')).trimEnd().split('\n');
  assert.equal(head, 'h,i,0,1,2');
  assert.deepEqual(
    rows.map((row) => row.split(',', 2).join()),
    ['0,0', '0,1', '0,2', '1,0', '1,1', '1,2'],
  );
});

test('numbers are the shortest that read back', () => {
  const trace = traceExample(gf, 'three-tokens');
  assert.equal(csv(trace.step('x')), 'i,0,1\n0,1,0.5\n1,0.8,1.2\n2,0.3,0.9\n');
});

test('JSON gives back the bits, the shape and the name', () => {
  for (const { where, trace } of all) {
    for (const step of trace.steps) {
      const text = json(step);
      const { name, op, shape, data } = JSON.parse(text);
      assert.deepEqual([name, op, shape], [step.name, step.op, [...step.shape]], where);
      const flat = [data].flat(Infinity).map(Number);
      assert.equal(flat.length, step.data.length);
      flat.forEach((value, at) => {
        const found = step.kind === 'ids' ? value : Math.fround(value);
        assert.ok(Object.is(found, step.data[at]), `${where} ${name}[${at}]`);
      });
      let depth = data;
      for (const size of shape) {
        assert.equal(depth.length, size);
        depth = depth[0];
      }
      assert.ok(!/\d{15}/.test(text), 'no digit that float32 does not hold');
    }
  }
});

test('of a product in integers, table and JSON say so', async () => {
  const core = await load();
  const model = await core.openModel(await openCheckpoint(smallGguf()), { arithmetic: 'integer' });
  const trace = traceModel(model, { target: [3, 9] }, { gradients: false });
  const product = trace.steps.find(({ arithmetic }) => arithmetic === 'integer');
  assert.match(csv(product, 'intact'), /^# intact\n# arithmetic integer\n/);
  assert.equal(JSON.parse(json(product)).arithmetic, 'integer');
  const other = trace.steps.find(({ op }) => op === 'softmax' || op === 'attention');
  assert.doesNotMatch(csv(other), /#/);
  assert.equal('arithmetic' in JSON.parse(json(other)), false);
  model.dispose();
});
