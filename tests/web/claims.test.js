// The evidence for what breaks without a step: its numbers, against float64 and against what must be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, traceExample } from '../../bindings/index.js';
import { claims, evidence, verdict } from '../../web/experiments/claims.js';
import { lookup, text } from '../../web/locale/text.js';
import * as naive from '../bindings/naive.js';

const core = await load();
const lab = { core, trace: (...given) => traceExample(core, ...given), seed: 7 };

/** All that a claim's experiment gives in the end, and how often it stopped on the way. */
function measured(name, seed = 7) {
  let stops = 0;
  let found;
  for (found of evidence({ ...lab, seed }, name)) stops++;
  return { ...found, stops };
}

const all = Object.fromEntries(Object.keys(claims).map((name) => [name, measured(name)]));
const series = (name, run, key) => all[name][run].map((measures) => measures[key]);

test('every claim of the guide, and those beside it, has its experiment', () => {
  const guide = ['embedding', 'projections', 'scores', 'scale', 'softmax', 'mix'];
  const more = ['positions', 'mask', 'w_o', 'residual', 'norm'];
  assert.deepEqual(Object.keys(claims).sort(), [...guide, ...more].sort());
});

test('what can be removed somewhere has a claim, and the other way round', () => {
  const model = core.model({
    kind: 'transformer',
    vocab: 5,
    dModel: 4,
    heads: 1,
    layers: 1,
    dFF: 4,
  });
  const run = model.trace({ source: [1, 2], target: [1] });
  const removable = [...traceExample(core, 'masked').removable, ...run.removable];
  assert.deepEqual(
    [...new Set(removable.map(({ name }) => name))].sort(),
    Object.keys(claims).sort(),
  );
  model.dispose();
});

test('an experiment is taken in small steps, and its evidence grows', () => {
  for (const [name, { places, all: count, intact, removed, stops }] of Object.entries(all)) {
    assert.deepEqual(places, claims[name].places);
    assert.deepEqual([count, intact.length, removed.length], Array(3).fill(places.length), name);
    assert.equal(stops, 2 * places.length);
    const keys = Object.keys(claims[name].plots);
    for (const measures of [...intact, ...removed]) {
      assert.deepEqual(Object.keys(measures).sort(), [...keys].sort(), name);
      assert.ok(Object.values(measures).every(Number.isFinite), name);
    }
  }
  const run = evidence(lab, 'scale');
  run.next();
  run.next();
  assert.equal(run.next().value.places.length, 1, 'half of the second place is known');
  run.return();
});

test('the same seed gives the same evidence, another one another', () => {
  for (const name of ['scale', 'residual']) {
    assert.deepEqual(measured(name), all[name]);
    assert.notDeepEqual(measured(name, 8).intact, all[name].intact);
  }
});

test('the claims hold, for other seeds too', () => {
  for (const seed of [7, 1, 2, 3, 11]) {
    for (const name of Object.keys(claims)) {
      const { holds, values } = verdict(measured(name, seed));
      assert.ok(holds, `${name}, seed ${seed}: ${JSON.stringify(values)}`);
    }
  }
});

const unit = (rows, columns, stream) => {
  const high = Math.sqrt(3);
  const { data } = core.uniform([rows, columns], { seed: 7, stream, low: -high, high });
  return Array.from({ length: rows }, (_, i) => [...data.slice(i * columns, (i + 1) * columns)]);
};

/** The stream of a leaf, as traces have it. */
const stream = (name) => {
  let hash = 0x811c9dc5;
  for (const c of name) hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193);
  return hash >>> 0;
};

const near = (actual, expected, where) =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-5 + 1e-4 * Math.abs(expected),
    `${where}: ${actual}, ${expected}`,
  );

test('scaling: spreads, entropies and gradients as float64 gives them', () => {
  const { places } = claims.scale;
  places.forEach((d, at) => {
    const [q, k, v] = [
      unit(16, d, stream('q')),
      unit(16, d, stream('k')),
      unit(16, 8, stream('v')),
    ];
    for (const [run, factor] of [
      ['intact', 1 / Math.sqrt(d)],
      ['removed', 1],
    ]) {
      const scores = naive.matmul(q, naive.transpose(k)).map((row) => row.map((s) => s * factor));
      const squares = scores.flat().map((s) => s * s);
      near(
        series('scale', run, 'spread')[at],
        Math.sqrt(squares.reduce((a, b) => a + b) / squares.length),
        `${run} ${d}`,
      );
      const shares = scores.map(naive.softmaxRow);
      const entropies = shares.map(
        (row) => -row.reduce((sum, a) => sum + (a > 0 ? a * Math.log(a) : 0), 0),
      );
      near(
        series('scale', run, 'entropy')[at],
        entropies.reduce((a, b) => a + b) / 16,
        `${run} ${d}`,
      );
      /* d output_0 / d s_j = a_j (v_j - output) */
      const slopes = shares.map((row) => {
        const output = row.reduce((sum, a, j) => sum + a * v[j][0], 0);
        return Math.hypot(...row.map((a, j) => a * (v[j][0] - output)));
      });
      near(
        series('scale', run, 'gradient')[at],
        slopes.reduce((a, b) => a + b) / 16,
        `${run} ${d}`,
      );
    }
  });
});

test('what must be exact is', () => {
  const n = claims.mix.places;
  assert.deepEqual(series('mix', 'intact', 'words'), n);
  assert.ok(series('mix', 'removed', 'words').every((words) => words === 1));
  assert.deepEqual(series('w_o', 'intact', 'heads'), claims.w_o.places);
  assert.ok(series('w_o', 'removed', 'heads').every((heads) => heads === 1));
  assert.ok(series('scores', 'removed', 'found').every((share) => Math.abs(share - 1 / 16) < 1e-7));
  assert.ok(series('softmax', 'intact', 'sum').every((sum) => Math.abs(sum - 1) < 1e-6));
  assert.ok(
    series('mask', 'intact', 'moved')
      .slice(0, -1)
      .every((moved) => moved === 0),
  );
  assert.ok(
    series('projections', 'removed', 'one').every((gap) => gap === 0),
    'x xᵀ is symmetric',
  );
  assert.ok(series('norm', 'intact', 'size').every((size) => Math.abs(size - 1) < 1e-3));
});

test('a verdict says what the numbers say, not what the claim hopes for', () => {
  for (const [name, found] of Object.entries(all)) {
    const turned = { ...found, intact: found.removed, removed: found.intact };
    assert.equal(verdict(turned).holds, false, name);
    assert.equal(verdict(turned).says, 'fails');
  }
  const { intact, removed } = all.residual;
  const far = removed.map((measures) => ({ ...measures, gradient: 5 }));
  assert.equal(verdict({ ...all.residual, intact, removed: far }).says, 'stays');
});

test('there are words for every claim, axis, plot and verdict', () => {
  for (const [name, { plots }] of Object.entries(claims)) {
    const { says, values } = verdict(all[name]);
    for (const key of ['across', ...Object.keys(plots).map((plot) => `plots/${plot}`)]) {
      assert.ok(text(`claims/${name}/${key}`).length > 0);
    }
    for (const key of [says, 'fails']) {
      const wanted = lookup(`claims/${name}/${key}`).match(/\{\w+\}/g) ?? [];
      assert.ok(wanted.length > 0, `${name}: a verdict tells numbers`);
      for (const hole of wanted) assert.ok(hole.slice(1, -1) in values, `${name}/${key}: ${hole}`);
    }
    assert.ok(lookup(`switches/claims/${name}`), name);
    assert.ok(lookup(`switches/${name}`), name);
  }
});
