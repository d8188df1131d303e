// Models that multiply in integers: what they say of themselves, how their numbers arise, and what they refuse.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { explain, traceModel, train } from '../../bindings/index.js';
import { ablate } from '../../bindings/lab/inside/index.js';
import { load as loadThreads } from '../../bindings/models/threads/node/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { llamaGguf } from '../support/gguf.js';
import { CONFIG, smallGguf, smallTensors } from '../support/small-gguf.js';

const gf = await load();
const checkpoint = await openCheckpoint(smallGguf());
const target = [3, 9, 20, 7, 11];
const inTheModel = /open it with arithmetic "exact"/;
const model = await gf.openModel(checkpoint, { arithmetic: 'integer' });
const exact = await gf.openModel(checkpoint, { stored: true });
after(() => {
  model.dispose();
  exact.dispose();
});

const logitsOf = (one, ids) => {
  const run = one.forward({ target: ids, steps: false });
  const logits = run.logits.data.slice();
  run.dispose();
  return logits;
};

test('a model says how it multiplies; its logits are near the exact ones, and others', () => {
  assert.equal(model.arithmetic, 'integer');
  assert.equal(exact.arithmetic, 'exact');
  const [a, b] = [logitsOf(model, target), logitsOf(exact, target)];
  const most = Math.max(...b.map(Math.abs));
  assert.notDeepEqual(a, b);
  assert.ok(a.every((x, i) => Math.abs(x - b[i]) < 1e-3 * most));
});

test('token by token, in one run, and with two threads: the same bits', async () => {
  const all = logitsOf(model, target);
  const width = model.config.vocab;
  for (let n = 1; n <= target.length; n++) {
    assert.deepEqual(logitsOf(model, target.slice(0, n)), all.slice(0, n * width));
  }
  const core = await loadThreads({ threads: 2 });
  const other = await core.openModel(checkpoint, { arithmetic: 'integer' });
  const long = Array.from({ length: 60 }, (_, i) => (7 * i) % width);
  assert.deepEqual(logitsOf(other, long), logitsOf(model, long));
  other.dispose();
  core.dispose?.();
});

test('its products are labelled, and explained by the integers that make them, bit for bit', () => {
  const trace = traceModel(model, { target }, { gradients: false });
  const products = trace.steps.filter(({ arithmetic }) => arithmetic === 'integer');
  assert.ok(
    products.some(({ op }) => op === 'linear') && products.some(({ op }) => op === 'matmul'),
  );
  assert.ok(trace.steps.every(({ op, arithmetic }) => op !== 'embed' || arithmetic === undefined));
  for (const { name, shape } of products) {
    for (const index of [shape.map(() => 0), shape.map((size) => size - 1)]) {
      const { value, integers, bias } = explain(trace, name, index, gf);
      const { total } = integers.at(-1);
      assert.equal(bias ? Math.fround(total + bias.value) : total, value, name);
    }
  }
  trace.dispose();
});

test('what needs exact products is refused by name', async () => {
  const batch = { target, labels: [...target.slice(1), 1] };
  await assert.rejects(async () => {
    for await (const _ of train(model, [batch])) break;
  }, inTheModel);
  assert.throws(() => traceModel(model, { target }, { remove: ['mask'] }), inTheModel);
  const edits = [{ node: 'logits', index: [0, 0], value: 1 }];
  assert.throws(() => traceModel(model, { target }, { edits }), inTheModel);
  await assert.rejects(ablate(model, { target }, { each: 'head' }), inTheModel);
  const trace = traceModel(model, { target });
  assert.throws(() => trace.gradient('logits', [0, 0]), /only exact products have gradients/);
  trace.dispose();
});

test('wrong options are refused with what was received', async () => {
  const opening = (options, from = checkpoint) => gf.openModel(from, options);
  await assert.rejects(opening({ arithmetic: 'fast' }), /arithmetic: .*"fast"/);
  await assert.rejects(opening({ arithmetic: 'integer', stored: false }), /stored: true/);
  const floats = await openCheckpoint(llamaGguf(CONFIG, smallTensors()));
  await assert.rejects(opening({ arithmetic: 'integer' }, floats), /the file stores F32/);
});

test('the command line says which arithmetic it was', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'integer-'));
  const file = path.join(folder, 'small.gguf');
  writeFileSync(file, smallGguf());
  const bin = path.resolve(import.meta.dirname, '../../bindings/cli/bin.js');
  const run = (...args) => spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  const made = run('generate', file, 'the cat', '--max', '4', '--arithmetic', 'integer');
  assert.match(made.stderr, /arithmetic integer/);
  const json = run('generate', file, 'the cat', '--max', '4', '--arithmetic', 'integer', '--json');
  assert.equal(JSON.parse(json.stdout).arithmetic, 'integer');
  assert.match(
    run('generate', file, 'a', '--arithmetic', 'int').stderr,
    /unknown arithmetic "int"/,
  );
  const vector = run('embed', file, 'the cat', '--arithmetic', 'integer', '--json');
  assert.equal(JSON.parse(vector.stdout).arithmetic, 'integer');
  rmSync(folder, { recursive: true });
});
