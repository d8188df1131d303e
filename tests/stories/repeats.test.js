// The birth of an induction head: what it is trained on, that it is born, that the two heads of its circuit are what the
// answer hangs on, that gradients are those of differences in float64, and that every build gives the same bits.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { inspect, load } from '../../bindings/index.js';
import { dice } from '../../bindings/js/base/random.js';
import { ablate, circuits, headScores } from '../../bindings/lab/inside/index.js';
import { birth, changeOf, repeats, unborn } from '../../bindings/lab/stories/index.js';
import { lossOf } from '../reference/repeats64.js';
import { BUILDS } from '../support/builds.js';
import { waits } from '../support/sample.js';

const gf = await load();
const pointsOf = async (model, options) => {
  const points = [];
  for await (const point of birth(model, options)) points.push(point);
  return points;
};

test('sequences repeat what they begin with, and only what can be known counts', () => {
  const stream = repeats(3);
  const periods = new Set();
  for (let i = 0; i < 50; i++) {
    const { target, labels } = stream.next().value;
    for (const [row, ids] of target.entries()) {
      const all = [...ids, labels[row].at(-1)];
      const counted = labels[row].findIndex((label) => label !== -100);
      const period = counted;
      periods.add(period);
      for (const [t, label] of labels[row].entries()) {
        assert.equal(label, t < counted ? -100 : all[t + 1]);
        if (t >= counted) assert.equal(label, all[t + 1 - period]);
      }
    }
  }
  assert.deepEqual(
    [...periods].toSorted((a, b) => a - b),
    [6, 7, 8, 9, 10],
  );
  const first = repeats(3);
  for (let i = 0; i < 4; i++) first.next();
  assert.deepEqual(repeats(3, 4).next().value, first.next().value);
});

test('a head is born in the second layer, fed by one of the first', async (t) => {
  if (waits(t)) return;
  const model = unborn(gf, 1);
  const points = await pointsOf(model, { every: 100 });
  const { layer, head, step, before, after } = changeOf(points);
  assert.equal(layer, 1);
  assert.ok(before < 0.1 && after > 0.4, `${before} to ${after}`);
  assert.ok(step > 100 && step < 1200, `${step}`);
  for (const score of points.at(-1).induction[0]) assert.ok(score < 0.15, `${score} in layer 0`);

  const words = [3, 1, 4, 15, 9, 2, 6, 5];
  const inputs = { target: [...words, ...words.slice(0, 5)] };
  const metric = { kind: 'probability', token: words[5] };
  const told = await ablate(model, inputs, { each: 'head', metric });
  assert.ok(told.before > 0.5 && told.check.nothing);
  const [first, second] = told.grid.values;
  assert.ok(second[head] < 0.1, `${second}`);
  assert.ok(Math.min(...first) < 0.1, `${first}`);
  /* What feeds it looks at the token before. */
  const { heads } = await headScores(model, inputs);
  const previous = heads.filter((one) => one.layer === 0).map((one) => one.previous);
  assert.equal(first.indexOf(Math.min(...first)), previous.indexOf(Math.max(...previous)));
  model.dispose();
});

test('with one layer none is born, and the loss stays high', async (t) => {
  if (waits(t)) return;
  const last = async (options) => {
    const model = unborn(gf, 1, options);
    assert.equal(model.config.layers, options?.layers ?? 2);
    const [{ induction, loss }] = (await pointsOf(model, { every: 300 })).slice(-1);
    model.dispose();
    return { loss, most: Math.max(...induction.flat()) };
  };
  const [one, two] = [await last({ layers: 1 }), await last()];
  /* ln 16 is the loss of a guess. */
  assert.ok(
    one.loss > 0.7 * Math.log(16) && two.loss < 0.3 * Math.log(16),
    `${one.loss} ${two.loss}`,
  );
  assert.ok(one.most < 0.15 && two.most > 0.4, `${one.most} ${two.most}`);
});

test('the scalar build trains the same bits', async () => {
  const hashes = await Promise.all(
    Object.values(BUILDS).map(async (options) => {
      const core = await load(options);
      const model = unborn(core, 1);
      const points = await pointsOf(model, { steps: 10, every: 5 });
      const bytes = model.save({ training: true });
      return [createHash('sha256').update(bytes).digest('hex'), points];
    }),
  );
  assert.deepEqual(hashes[0], hashes[1]);
  const losses = hashes[0][1].map(({ loss }) => loss);
  assert.equal(losses[0], null, 'no step was taken before the first point');
  assert.ok(losses.slice(1).every((loss) => loss > 0));
});

test('the change is where the score passes the middle of its rise, and needs two points', () => {
  const curve = [0.1, 0.12, 0.35, 0.55];
  const points = curve.map((score, i) => ({
    step: 100 * i,
    loss: 1,
    induction: [
      [0.2, 0.1],
      [0.3, score],
    ],
  }));
  assert.deepEqual(changeOf(points), { layer: 1, head: 1, step: 150, before: 0.1, after: 0.55 });
  assert.throws(
    () => changeOf(points.slice(0, 1)),
    /changeOf: expected two points at least, received 1/,
  );
});

test('gradients are those of central differences in float64', async () => {
  const model = unborn(gf, 1);
  const { layers, heads } = model.config;
  const roll = dice(5, 0);
  await pointsOf(model, { steps: 30, every: 30 });
  const { target, labels } = repeats(1, model.step).next().value;
  const batch = { target: target.slice(0, 4), labels: labels.slice(0, 4) };
  const inspection = inspect(model, [batch], { rate: 0.01 });
  const weights = Object.fromEntries(
    [...model.parameters].map(([name, { shape, data }]) => [
      name,
      { shape: [...shape], data: Float64Array.from(data) },
    ]),
  );
  assert.ok(Math.abs(inspection.loss - lossOf(weights, batch, { layers, heads })) < 1e-5);
  for (const [name, { shape, data }] of Object.entries(weights)) {
    if (roll(3)) continue;
    const at = roll(data.length);
    const index = shape.length > 1 ? [Math.floor(at / shape[1]), at % shape[1]] : [at];
    const [value, h] = [data[at], 1e-4];
    const [right, left] = [h, -h].map((by) => {
      data[at] = value + by;
      return lossOf(weights, batch, { layers, heads });
    });
    data[at] = value;
    const { gradient } = inspection.update(name, index);
    const due = (right - left) / (2 * h);
    assert.ok(
      Math.abs(gradient - due) <= 1e-5 * Math.max(1, Math.abs(due)),
      `${name} ${index}: ${gradient}, not ${due}`,
    );
  }
  inspection.dispose();
  model.dispose();
});

test('a head copies whose OV circuit raises the token that it reads, each row against its mean', async () => {
  const model = unborn(gf, 1);
  const [{ copying }] = await pointsOf(model, { steps: 1, every: 1 });
  const { vocab, heads, layers } = model.config;
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const fresh = unborn(gf, 1);
      const { ov } = await circuits(fresh, { layer, head });
      fresh.dispose();
      /* Pearson's correlation with the identity, of rows less their means. */
      const rows = ov.values.map((row) => {
        const mean = row.reduce((a, b) => a + b, 0) / vocab;
        return row.map((x) => x - mean);
      });
      const [a, b] = [
        rows.flat(),
        rows.flatMap((row, i) => row.map((_, j) => (i === j) - 1 / vocab)),
      ];
      const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
      const due = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
      assert.ok(Math.abs(copying[layer][head] - due) < 1e-9);
    }
  }
  model.dispose();
});
