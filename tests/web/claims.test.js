// The evidence for what breaks without a step: its numbers, against float64 and against what must be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, traceExample, traceModel } from '../../bindings/index.js';
import { lookup, text } from '../../web/app/locale/text.js';
import { claims } from '../../web/stage/experiments/claims.js';
import { evidence, spread, verdict } from '../../web/stage/experiments/evidence.js';
import { sample, waits } from '../support/sample.js';
import { measures } from './measures.js';

const core = await load();
const lab = { core, trace: (...given) => traceExample(core, ...given), traceModel, seed: 7 };

/** All that a claim's experiment gives in the end, and how often it stopped on the way. */
function measured(name, seed = 7) {
  let stops = 0;
  let found;
  for (found of evidence({ ...lab, seed }, name)) stops++;
  return { ...found, stops };
}

const all = Object.fromEntries(Object.keys(claims).map((name) => [name, measured(name)]));
/** Of all seeds: a list for each place. */
const series = (name, run, key) => all[name][run].map((seeds) => seeds.map((each) => each[key]));
const every = (name, run, key, holds) => series(name, run, key).flat().every(holds);

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
  const run = traceModel(model, { source: [1, 2], target: [1] });
  const removable = [...traceExample(core, 'masked').removable, ...run.removable];
  assert.deepEqual(
    [...new Set(removable.map(({ name }) => name))].sort(),
    Object.keys(claims).sort(),
  );
  model.dispose();
});

test('an experiment is taken in small steps, and its evidence grows', () => {
  for (const [name, measured] of Object.entries(all)) {
    const { places, seeds, all: count, done, stops, intact, removed, instead } = measured;
    const runs = claims[name].instead ? [intact, removed, instead] : [intact, removed];
    assert.deepEqual(places, claims[name].places);
    assert.ok(seeds.length >= 5, 'one seed may be chance');
    assert.deepEqual(
      [count, done, stops],
      Array(3).fill(runs.length * places.length * seeds.length),
      name,
    );
    const keys = Object.keys(claims[name].plots);
    for (const run of runs) {
      assert.equal(run.length, places.length);
      for (const each of run.flat()) {
        assert.deepEqual(Object.keys(each).sort(), [...keys].sort(), name);
        assert.ok(Object.values(each).every(Number.isFinite), name);
      }
    }
  }
  const run = evidence(lab, 'scale');
  run.next();
  const { intact, removed, places } = run.next().value;
  assert.deepEqual(
    [intact, removed, places].map(({ length }) => length),
    [1, 1, 0],
  );
  run.return();
});

test('the same seed gives the same evidence, another one another', (t) => {
  if (waits(t)) return;
  for (const name of ['scale', 'residual']) {
    assert.deepEqual(measured(name), all[name]);
    assert.notDeepEqual(measured(name, 8).intact, all[name].intact);
  }
  const { seeds } = measured('mix', 2 ** 32 - 2);
  assert.deepEqual(seeds.slice(0, 3), [2 ** 32 - 2, 2 ** 32 - 1, 0]);
});

/** Float32 against float64: sums of some terms of size 1. */
const near = (actual, expected, where) =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-5 + 2e-4 * Math.abs(expected),
    `${where}: ${actual}, ${expected}`,
  );

/** Rounding grows from layer to layer, and so does the work of differences: not through all layers. */
const SHALLOW = 4;
const DEEP = ['residual', 'norm'];

for (const [name, { plots }] of sample(Object.entries(claims), 4)) {
  test(`${name}: every seed measures what float64 gives, and shows what that shows`, () => {
    const { places, seeds, intact, removed } = all[name];
    const { shown } = verdict(all[name]);
    places.forEach((place, at) => {
      if (DEEP.includes(name) && place > SHALLOW) return;
      const wanted = seeds.map((seed) =>
        [false, true].map((gone) => measures[name](core, seed, place, gone)),
      );
      for (const [plot, { shows }] of Object.entries(plots)) {
        wanted.forEach(([before, after], i) => {
          near(intact[at][i][plot], before[plot], `${plot} intact, ${place}, seed ${seeds[i]}`);
          near(removed[at][i][plot], after[plot], `${plot} removed, ${place}, seed ${seeds[i]}`);
        });
        const count = wanted.filter(([before, after]) => shows(before[plot], after[plot], place));
        assert.equal(shown[plot].counts[at], count.length, `${plot} at ${place}`);
      }
    });
  });
}

test('means and how far the seeds reach are theirs', () => {
  assert.deepEqual(spread([{ a: 1 }, { a: 4 }, { a: 1 }], 'a'), { mean: 2, low: 1, high: 4 });
  assert.equal(spread([], 'a'), null);
});

test('what must be exact is', () => {
  const each = (name) => claims[name].places.map((place) => all[name].seeds.map(() => place));
  assert.deepEqual(series('mix', 'intact', 'words'), each('mix'));
  assert.ok(every('mix', 'removed', 'words', (words) => words === 1));
  assert.deepEqual(series('w_o', 'intact', 'heads'), each('w_o'));
  assert.ok(every('w_o', 'removed', 'heads', (heads) => heads === 1));
  assert.ok(every('scores', 'removed', 'found', (share) => Math.abs(share - 1 / 16) < 1e-7));
  assert.ok(every('softmax', 'intact', 'off', (off) => off < 1e-6));
  assert.ok(every('mask', 'intact', 'moved', (moved) => moved === 0));
  assert.ok(
    every('projections', 'removed', 'one', (gap) => gap === 0),
    'x xᵀ is symmetric',
  );
  assert.ok(every('norm', 'intact', 'size', (size) => Math.abs(size - 1) < 1e-3));
});

test('divided by d_k, scores shrink as 1 / √d_k and the weights become equal', () => {
  const { instead, places } = all.scale;
  const last = instead[places.indexOf(512)];
  for (const { spread, entropy } of last) {
    assert.ok(Math.abs(spread * Math.sqrt(512) - 1) < 0.1, String(spread));
    /* Of 16 equal weights it is ln 16. */
    assert.ok(Math.abs(entropy - Math.log(16)) < 0.01, String(entropy));
  }
});

test('a verdict says what the seeds say, not what the claim hopes for', () => {
  for (const [name, found] of Object.entries(all)) {
    const turned = { ...found, intact: found.removed, removed: found.intact };
    assert.notEqual(verdict(turned).says, 'holds', name);
    for (const { says } of Object.values(verdict(turned).shown)) {
      assert.ok(['some', 'nowhere'].includes(says), `${name}: ${says}`);
    }
  }
  assert.equal(verdict(all.scale).says, 'holds');
  /* In one example the gradient may rise: at small d it does, for some seeds. */
  assert.equal(verdict(all.scale).shown.gradient.counts[0], 0);
  assert.equal(verdict(all.residual).says, 'holds');
  /* Of some seeds the group is a piece of the list: there the number is as good as fixed vectors, and the verdict says so. */
  assert.equal(verdict(measured('embedding', 5007)).says, 'partly');
  /* One seed that does not show it is enough, and it is counted. */
  const { intact, removed } = all.scores;
  const one = [...removed.slice(0, -1), [intact.at(-1)[0], ...removed.at(-1).slice(1)]];
  const { says, shown } = verdict({ ...all.scores, removed: one });
  assert.deepEqual([says, shown.found.says], ['partly', 'some']);
  assert.equal(shown.found.counts.at(-1), all.scores.seeds.length - 1);
});

test('there are words for every claim, axis, quantity and verdict', () => {
  for (const [name, { plots }] of Object.entries(claims)) {
    for (const plot of Object.keys(plots)) {
      for (const part of ['plots', 'tests']) assert.ok(text(`claims/${name}/${part}/${plot}`));
    }
    for (const key of ['across', 'limits']) assert.ok(text(`claims/${name}/${key}`).length > 0);
    assert.ok(lookup(`switches/claims/${name}`), name);
    assert.ok(lookup(`switches/${name}`), name);
  }
  for (const says of ['holds', 'partly', 'fails']) assert.ok(lookup(`claims/${says}`));
  for (const says of ['everywhere', 'from', 'some', 'nowhere']) {
    assert.ok(lookup(`claims/shown/${says}`));
  }
});
