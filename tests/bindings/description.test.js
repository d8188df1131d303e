import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { examples, load, traceExample, traceModel } from '../../bindings/index.js';

const gf = await load();

/** "batch head target.query source.key" */
const axesOf = ({ axes, sequences }) =>
  axes.map((axis, i) => (sequences[i] ? `${sequences[i]}.${axis}` : axis)).join(' ');

test('what is said of leaves is known of what is made of them', () => {
  const tape = gf.tape();
  const [x, w] = [tape.input('x', [2, 3, 4]), tape.parameter('w', [4, 6])];
  assert.deepEqual([x.role, x.axes, x.heads, x.removal], [null, [null, null, null], 0, null]);
  tape.describe(x, { axes: ['batch', 'token', 'channel'], sequences: [null, 'source'] });
  tape.describe('w', {
    role: 'query',
    parameter: 'weight',
    axes: ['channel', 'channel'],
    heads: 2,
  });
  const q = tape.linear(x, w, null, 'q');
  assert.deepEqual([q.role, q.parameter, q.heads], ['query', null, 2]);
  assert.deepEqual(q.removal, { name: 'projections', operand: 0 });
  const apart = tape.splitHeads(q, 2, 'apart');
  assert.equal(axesOf(apart), 'batch head source.token channel');
  const weights = tape.softmax(tape.matmulTransposed(apart, apart, 'scores'), 'weights');
  assert.equal(weights.role, 'weight');
  assert.equal(axesOf(weights), 'batch head source.query source.key');
  assert.deepEqual(tape.find('scores').removal, { name: 'scores', operand: null });
  tape.describe(weights, { stack: 'decoder', layer: 2, part: 'self_attn' });
  assert.deepEqual([weights.stack, weights.layer, weights.part], ['decoder', 2, 'self_attn']);
  tape.describe(weights, { removal: { name: 'mix', operand: 0 } });
  assert.equal(weights.role, 'weight', 'what is left out stays');
  assert.deepEqual(weights.removal, { name: 'mix', operand: 0 });
  assert.equal(weights.layer, 2);
  tape.dispose();
});

test('attention needs nobody to describe its operands', () => {
  const tape = gf.tape();
  const [x, w] = [tape.input('x', [2, 3, 4]), tape.parameter('w', [4, 4])];
  tape.attention({ query: x, key: x, value: x, wQ: w, wK: w, heads: 2 });
  assert.deepEqual([x.role, axesOf(x)], ['input', 'batch token channel']);
  assert.deepEqual([w.role, w.parameter, w.heads], ['query', 'weight', 2]);
  assert.equal(tape.find('k').role, 'key');
  assert.equal(axesOf(tape.find('weights')), 'batch head query key');
  tape.dispose();
});

test('every step of an example says what it is, and what its axes are', () => {
  for (const name of Object.keys(examples)) {
    const trace = traceExample(gf, name);
    for (const step of trace.steps) {
      assert.equal(step.axes.length, step.shape.length, `${name}: ${step.name}`);
      /* The core has no word for the number of a training step, nor for labels. */
      if (step.name === 'step' || step.name.startsWith('label')) continue;
      assert.ok(step.role, `${name}: ${step.name}`);
      if (step.role !== 'learning_rate') assert.ok(step.axes.every(Boolean), step.name);
    }
    trace.dispose();
  }
});

test('every step of a model says what it is, where it stands, and what its axes are', () => {
  const small = { vocab: 7, dModel: 4, heads: 2, layers: 2, maxLength: 6, dFF: 5 };
  for (const kind of ['transformer', 'gpt', 'bert']) {
    const model = gf.model({ kind, ...small });
    const source =
      kind === 'transformer'
        ? {
            source: [
              [1, 2, 3],
              [4, 5],
            ],
          }
        : {};
    const trace = traceModel(model, { ...source, target: [[1, 2], [3]] }, { sequence: 1 });
    for (const step of trace.steps) {
      const { name, role, axes, shape, stack, layer } = step;
      assert.equal(axes.length, shape.length, name);
      assert.ok(!axes.includes('batch'), name);
      if (step.data.length < 2) continue;
      assert.ok(role, name);
      assert.ok(axes.every(Boolean), `${name}: ${axes}`);
      const [first, second, third] = name.split('.');
      assert.equal(stack, first === 'encoder' || first === 'decoder' ? first : stack, name);
      assert.equal(layer, second === 'layers' ? Number(third) : null, name);
    }
    const cross = trace.steps.filter(
      ({ part, role }) => part === 'cross_attn' && role === 'weight',
    );
    assert.deepEqual(
      cross.map((step) => [axesOf(step), step.layer, step.heads]),
      kind === 'transformer'
        ? [0, 1].map((layer) => ['head target.query source.key', layer, 2])
        : [],
    );
    trace.dispose();
    model.dispose();
  }
});

test('parameters and the rows of a summary say what their nodes do', () => {
  const small = { vocab: 7, dModel: 4, heads: 2, layers: 1, maxLength: 6, dFF: 5 };
  for (const kind of ['transformer', 'gpt', 'bert']) {
    const model = gf.model({ kind, ...small });
    const source = kind === 'transformer' ? { source: [[1, 2]] } : {};
    const run = model.forward({ ...source, target: [[1, 2]] });
    for (const { name, role, parameter } of model.parameters.values()) {
      const node = run.tensor(name);
      assert.deepEqual([role, parameter], [node.role, node.parameter], name);
      assert.ok(role && parameter, name);
    }
    for (const { name, role, stack, layer, part } of model.summary({ source: 2, target: 2 }).rows) {
      const node = run.tensor(name);
      assert.deepEqual([role, stack, layer, part], [node.role, node.stack, node.layer, node.part]);
    }
    run.dispose();
    model.dispose();
  }
});

test('a run shows each sequence of its batch by itself, as a trace of it does, with its gradients', () => {
  const model = gf.model({ kind: 'gpt', vocab: 7, dModel: 4, heads: 2, layers: 1, maxLength: 6 });
  const target = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const run = model.forward({
    target,
    labels: [
      [2, 3, 4],
      [5, 6, 0],
    ],
  });
  run.backward();
  for (const sequence of [0, 1]) {
    const steps = run.steps(sequence);
    const trace = traceModel(model, { target }, { sequence });
    for (const step of trace.steps) {
      if (step.role === 'probability') continue;
      const own = steps.find(({ name }) => name === step.name);
      const { data, grad, ...facts } = step;
      const { data: same, grad: slope, ...rest } = own;
      assert.deepEqual(rest, facts);
      assert.deepEqual(Array.from(same), Array.from(data), step.name);
      if (step.kind !== 'ids') assert.equal(slope.length, data.length, step.name);
    }
    const whole = run.logits.grad;
    const part = steps.find(({ role }) => role === 'logit').grad;
    assert.deepEqual(part, whole.slice(sequence * part.length, (sequence + 1) * part.length));
    trace.dispose();
  }
  run.dispose();
  model.dispose();
});

test('the types name every word of the core', () => {
  const source = readFileSync(
    new URL('../../bindings/generated/layout.js', import.meta.url),
    'utf8',
  );
  const { engine } = gf.tape().block;
  const lists = {
    role: 'Role',
    axis: 'Axis',
    sequence: 'Sequence',
    parameter: 'Parameter',
    stack: 'Stack',
    part: 'Part',
    removal: 'RemovalName',
  };
  for (const [kind, type] of Object.entries(lists)) {
    const pattern = new RegExp(`@typedef \\{([^}]*)\\} ${type} ?\\*/`);
    const [, union] = pattern.exec(source) ?? [];
    const named = union.match(/'[^']+'/g).map((word) => word.slice(1, -1));
    assert.deepEqual(named, engine.words(kind).slice(1), kind);
  }
});
