// What lies in vectors: one token in two contexts, neighbours in the table, what labels explain, and whether attention says
// everything twice. Each by its definition, from a float64 model.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, readModel } from '../../bindings/index.js';
import { contexts, labelShares, neighbours, symmetry } from '../../bindings/lab/inside/index.js';
import { kindExamples, START, senseExamples, tasks } from '../../bindings/lab/tasks/index.js';
import { gf } from '../bindings/model/small.js';
import { KINDS, modelOf, reference, SIZES } from './reference.js';

const [first, second] = [
  [3, 7, 1, 4],
  [5, 2, 9, 4, 1],
];
const sum = (list) => list.reduce((a, b) => a + b, 0);
const mean = (list) => sum(list) / list.length;
const cosine = (a, b) =>
  sum(a.map((x, i) => x * b[i])) / Math.sqrt(sum(a.map((x) => x * x)) * sum(b.map((x) => x * x)));
const near = (a, b, what) => assert.ok(Math.abs(a - b) < 3e-5, `${what}: ${a}, not ${b}`);

/** The share of the variance between two groups, as one minus that within them. */
function shareOf(rows, labels, label) {
  const scatter = (list) =>
    sum(list[0].map((_, c) => list.length * mean(list.map((row) => row[c] ** 2)))) -
    list.length * sum(list[0].map((_, c) => mean(list.map((row) => row[c])) ** 2));
  const groups = [true, false].map((is) => rows.filter((_, i) => (labels[i] === label) === is));
  return 1 - sum(groups.map(scatter)) / scatter(rows);
}

for (const [name, options] of Object.entries(KINDS)) {
  test(`${name}: a token in two contexts`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const { states, positions } = await contexts(
      model,
      { target: first },
      { target: second },
      { positions: [3, -2] },
    );
    assert.deepEqual(positions, [3, 3]);
    const [one, other] = [double.run(first), double.run(second)];
    const table = double.matrix('embedding.weight');
    const due = [
      [table[4], table[4]],
      [one.step('input', 0)[3], other.step('input', 0)[3]],
      ...[0, 1].flatMap((l) =>
        ['middle', 'output'].map((step) => [one.step(step, l)[3], other.step(step, l)[3]]),
      ),
    ];
    assert.equal(states.length, due.length);
    for (const [i, [a, b]] of due.entries()) near(states[i].cosine, cosine(a, b), states[i].name);
    assert.ok(states[5].cosine < 0.99);
    model.dispose();
  });

  test(`${name}: neighbours in the table`, async () => {
    const model = modelOf(gf, options);
    const table = reference(model).matrix('embedding.weight');
    const found = await neighbours(model, { token: 4, top: 5 });
    const due = table
      .map((row, token) => ({ token, cosine: cosine(table[4], row) }))
      .filter(({ token }) => token !== 4)
      .sort((a, b) => b.cosine - a.cosine);
    assert.deepEqual(
      found.neighbours.map(({ token }) => token),
      due.slice(0, 5).map(({ token }) => token),
    );
    for (const [i, one] of found.neighbours.entries()) near(one.cosine, due[i].cosine, i);
    const some = await neighbours(model, { token: 4, among: [2, 4, 9] });
    assert.equal(some.neighbours.length, 2);
    const { data } = model.parameters.get('embedding.weight');
    for (const id of [0, 5]) data.fill(0, id * table[0].length, (id + 1) * table[0].length);
    const all = (await neighbours(model, { token: 4, top: table.length })).neighbours;
    const numbers = all.slice(0, -2).map(({ cosine }) => cosine);
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => b - a),
    );
    assert.deepEqual(all.slice(-2), [
      { token: 0, cosine: Number.NaN },
      { token: 5, cosine: Number.NaN },
    ]);
    model.dispose();
  });

  test(`${name}: how much a label explains, of each head and by position`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const places = [0, 1, 2, 3, 0, 1, 2, 3];
    const texts = places.map((_, i) => (i < 4 ? first : [...second.slice(i - 4), 6, 8, i]));
    const labels = places.map((_, i) => (i % 3 ? 'a' : 'b'));
    const examples = texts.map((target, i) => ({
      inputs: { target },
      label: labels[i],
      position: places[i],
    }));
    const nodes = ['decoder.layers.1.self_attn.v.heads', 'decoder.layers.1.residual2'];
    const runs = texts.map((target) => double.run(target));
    const heads = runs[0].step('values', 1).length;
    const rowsOf = [
      ...Array.from({ length: heads }, (_, h) =>
        runs.map((run, i) => run.step('values', 1)[h][places[i]]),
      ),
      runs.map((run, i) => run.step('output', 1)[places[i]]),
    ];
    for (const byPosition of [false, true]) {
      const { shares, labels: told } = await labelShares(model, examples, { nodes, byPosition });
      assert.deepEqual(told, ['b', 'a']);
      assert.equal(shares.length, 2 * rowsOf.length);
      for (const [k, rows] of rowsOf.entries()) {
        /* Of two sentences at one position each is half their difference away from the mean. */
        const centred = rows.map((row, i) => row.map((x, c) => (x - rows[(i + 4) % 8][c]) / 2));
        const due = shareOf(byPosition ? centred : rows, labels, 'a');
        near(shares[2 * k + 1].share, due, shares[2 * k + 1].node);
        assert.ok(shares[2 * k].chance > 0 && shares[2 * k].chance <= 1);
      }
    }
    model.dispose();
  });

  test(`${name}: how far the weight of i for j is from that of j for i`, async () => {
    const model = modelOf(gf, options);
    const { heads } = await symmetry(model, { target: first });
    const run = reference(model).run(first);
    assert.equal(heads.length, SIZES.heads * SIZES.layers);
    for (const { layer, head, difference, share, name: told } of heads) {
      const a = run.step('weights', layer)[head];
      const pairs = first.flatMap((_, i) => first.slice(0, i).map((_, j) => [a[i][j], a[j][i]]));
      near(difference, mean(pairs.map(([x, y]) => Math.abs(x - y))), told);
      /* A causal model attends in one direction alone. */
      near(share, 1, told);
    }
    const single = await symmetry(model, { target: [1] });
    assert.equal(single.heads[0].difference, null);
    model.dispose();
  });
}

test('vectors that do not differ have no share, and labels that say nothing no more than chance', async () => {
  const model = modelOf(gf, KINDS.tied);
  const same = [1, 2, 3, 4].map((id, i) => ({
    inputs: { target: [5, id] },
    label: i % 2,
    position: 0,
  }));
  const flat = await labelShares(model, same, { nodes: ['decoder.layers.0.residual1'] });
  assert.deepEqual(
    flat.shares.map(({ share }) => share),
    [null, null],
  );
  model.dispose();
});

const task = tasks['french-english'];
const inputsOf = (source) => ({
  source: task.vocabulary.encode(task.tokenize('source', source)),
  target: [START],
});
const file = new URL('../../bindings/data/models/french-english.safetensors', import.meta.url);
const translator = (await load()).open(readModel(readFileSync(file)));

test('the sentences of a word have both meanings at each position alike', () => {
  for (const [word, labels] of [
    ['lit', ['bed', 'read']],
    ['porte', ['door', 'wear']],
  ]) {
    const examples = senseExamples(word, { seed: 3 });
    assert.ok(examples.length >= 40, `${word}: ${examples.length}`);
    const balance = new Map();
    for (const { source, position, label } of examples) {
      const words = task.tokenize('source', source);
      assert.equal(words[position], word);
      const english = task.solve(source).answer ?? '';
      const noun = new RegExp(`\\b${labels[0]}s?\\b`).test(english);
      assert.equal(label, labels[Number(!noun)], `${source}: ${english}`);
      balance.set(position, (balance.get(position) ?? 0) + (noun ? 1 : -1));
    }
    assert.deepEqual([...new Set(balance.values())], [0]);
  }
});

test('each word of a kind comes once, and none that is of two kinds', () => {
  const words = kindExamples().map(({ word }) => word);
  assert.equal(new Set(words).size, words.length);
  for (const word of ['lit', 'porte', 'froid', 'chaud']) assert.ok(!words.includes(word), word);
  const kind = Object.fromEntries(kindExamples().map(({ word, label }) => [word, label]));
  assert.deepEqual([kind.mange, kind.noir, kind.chat], ['verb', 'adjective', 'noun']);
});

test('the translator: the rows of lit, and what is near noir', async () => {
  const { states } = await contexts(
    translator,
    inputsOf('le garçon lit un livre'),
    inputsOf('le garçon voit un lit'),
    { positions: [2, 4] },
  );
  assert.deepEqual(
    states.map(({ cosine: c }) => c.toFixed(3)),
    ['1.000', '0.966', '0.932', '0.847', '0.868', '0.888'],
  );
  const [token] = task.vocabulary.encode(['noir']);
  const found = await neighbours(translator, { token, top: 3 });
  assert.deepEqual(
    found.neighbours.map(
      (one) => `${task.vocabulary.decode([one.token])} ${one.cosine.toFixed(2)}`,
    ),
    ['noire 0.81', 'noires 0.77', 'noirs 0.72'],
  );
});
