// Training of tapes: a regression by Adam against float64, groups, a rate of one's own, and how a loop ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, train } from '../../../bindings/index.js';

const gf = await load();
const POINTS = Array.from({ length: 12 }, (_, i) => [(i - 6) / 5, Math.sin(i)]);
const TARGETS = POINTS.map(([a, b]) => [2 * a - 3 * b + 0.5]);

/** y = x w + b, and its mean squared error. */
function regression() {
  const tape = gf.tape();
  const x = tape.input('x', [POINTS.length, 2]);
  const w = tape.parameter('w', [2, 1]);
  const b = tape.parameter('b', [1]);
  tape.mseLoss(tape.linear(x, w, b, 'y'), tape.input('target', [POINTS.length, 1]), 'loss');
  tape.plan();
  return tape;
}
const batches = (count) => Array(count).fill({ x: POINTS, target: TARGETS });

/** The same in float64: losses, and the parameters at the end. */
function reference({ steps, rate, decay = [0, 0, 0], clip = Number.POSITIVE_INFINITY }) {
  const [p, m, v] = [0, 1, 2].map(() => [0, 0, 0]);
  const losses = [];
  for (let step = 1; step <= steps; step++) {
    const errors = POINTS.map(([a, b], i) => p[0] * a + p[1] * b + p[2] - TARGETS[i][0]);
    losses.push(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
    const grad = [0, 1, 2].map(
      (k) => errors.reduce((sum, e, i) => sum + 2 * e * (POINTS[i][k] ?? 1), 0) / errors.length,
    );
    const scale = Math.min(1, clip / (Math.hypot(...grad) + 1e-6));
    for (const k of [0, 1, 2]) {
      const g = grad[k] * scale;
      m[k] = 0.9 * m[k] + 0.1 * g;
      v[k] = 0.999 * v[k] + 0.001 * g * g;
      const [mean, square] = [m[k] / (1 - 0.9 ** step), v[k] / (1 - 0.999 ** step)];
      const own = typeof rate === 'function' ? rate(step) : rate;
      p[k] -= own * decay[k] * p[k];
      p[k] -= (own * mean) / (Math.sqrt(square) + 1e-8);
    }
  }
  return { losses, p };
}

async function trained(options, steps = 60, tape = regression()) {
  const all = [];
  for await (const step of train(tape, batches(steps), options)) all.push(step);
  const p = [...tape.find('w').data, ...tape.find('b').data];
  return { tape, all, p };
}

function near(actual, expected, what) {
  actual.forEach((value, i) => {
    const due = expected[i];
    assert.ok(
      Math.abs(value - due) < 2e-5 * Math.max(1, Math.abs(due)),
      `${what} ${i}: ${value}, ${due}`,
    );
  });
}

test('a regression takes the steps of Adam in float64, and finds the line', async () => {
  const { tape, all, p } = await trained({ rate: 0.1 }, 400);
  const due = reference({ steps: 400, rate: 0.1 });
  near(
    all.slice(0, 50).map(({ loss }) => loss),
    due.losses,
    'loss',
  );
  near(p, due.p, 'parameter');
  assert.ok(Math.abs(p[0] - 2) < 0.01 && Math.abs(p[1] + 3) < 0.01 && Math.abs(p[2] - 0.5) < 0.01);
  tape.dispose();
});

test('a clipped gradient, a rate for each step, and no decay on what is a vector', async () => {
  const rate = (step) => 0.2 / Math.sqrt(step);
  const options = {
    ...{ rate, clip: 0.5, optimizer: 'adamw', weightDecay: 0.1 },
    groups: ({ shape }) => (shape.length > 1 ? undefined : { weightDecay: 0 }),
  };
  const { tape, all, p } = await trained(options);
  const due = reference({ steps: 60, rate, clip: 0.5, decay: [0.1, 0.1, 0] });
  near(
    all.map(({ loss }) => loss),
    due.losses,
    'loss',
  );
  near(
    all.map(({ learningRate }) => learningRate),
    all.map(({ step }) => rate(step)),
    'rate',
  );
  near(p, due.p, 'parameter');
  tape.dispose();
});

test('training goes on where it ended, or begins anew', async () => {
  const whole = await trained({ rate: 0.1 }, 30);
  const parts = await trained({ rate: 0.1 }, 10);
  const more = await trained({ rate: 0.1 }, 20, parts.tape);
  assert.deepEqual(more.p, whole.p);
  assert.equal(more.all.at(-1).step, 30);
  const anew = await trained({ rate: 0.1, restart: true, steps: 1 }, 5, parts.tape);
  assert.deepEqual(
    anew.all.map(({ step }) => step),
    [1],
  );
  for (const { tape } of [whole, parts]) tape.dispose();
});

test('a signal ends the loop, and another may begin only then', async () => {
  const tape = regression();
  const controller = new AbortController();
  let count = 0;
  for await (const { step } of train(tape, batches(50), { signal: controller.signal })) {
    count = step;
    await assert.rejects(train(tape, batches(1)).next(), { detail: 'trainedAlready' });
    if (step === 3) controller.abort();
  }
  assert.equal(count, 3);
  await train(tape, batches(1)).next();
  tape.dispose();
});

test('what cannot be trained is refused', async () => {
  const tape = regression();
  assert.throws(() => train(tape, batches(1), { shift: 1 }), { code: 'GF_ETYPE' });
  assert.throws(() => train(tape, 3), { detail: 'batches' });
  await assert.rejects(train(tape, batches(1), { loss: 'y' }).next(), { detail: 'shapeAs' });
  await assert.rejects(train(tape, batches(1), { loss: 'cost' }).next(), { detail: 'noNode' });
  await assert.rejects(train(tape, [{ z: [1] }]).next(), { detail: 'noNode' });
  const groups = () => ({ weightDecay: -1 });
  await assert.rejects(train(tape, batches(1), { groups }).next(), /groups: w: weightDecay/);
  await assert.rejects(train(tape, batches(1), { rate: () => Number.NaN }).next(), /rate/);
  const other = gf.tape();
  other.sum(other.input('x', [2]), {}, 'loss');
  other.plan();
  await assert.rejects(train(other, [{ x: [1, 2] }]).next(), { detail: 'nothingTrained' });
  for (const one of [tape, other]) one.dispose();
});

test('groups of a model: without a difference the same bits, without decay other norms', async () => {
  const batch = { target: [[1, 2, 3]], labels: [[2, 3, 4]] };
  const size = { kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 8, seed: 1 };
  const after = async (groups) => {
    const model = gf.model(size);
    const options = { optimizer: 'adamw', weightDecay: 0.5, rate: 0.01, groups };
    for await (const { step } of train(model, Array(5).fill(batch), options)) assert.ok(step);
    const values = [...model.parameters].map(([name, { data, shape }]) => [name, shape, [...data]]);
    model.dispose();
    return values;
  };
  const plain = await after(undefined);
  assert.deepEqual(await after(() => undefined), plain);
  const spared = await after(({ shape }) => ({ weightDecay: shape.length > 1 ? 0.5 : 0 }));
  const norm = (values) => values.find(([name]) => name.endsWith('norm1.weight'))[2];
  assert.ok(norm(spared).every((gain, i) => Math.abs(gain) > Math.abs(norm(plain)[i])));
  assert.notDeepEqual(spared, plain);
});
