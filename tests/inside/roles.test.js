// What heads look at, by its definition, from attention maps of float64 models; and verdicts that can come out either way.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ablate, headRoles, withoutHead } from '../../bindings/lab/inside/index.js';
import { verdictsOf } from '../../bindings/lab/inside/verdicts.js';
import {
  linkedSentences,
  sentenceLevels,
  sentenceLinks,
  tasks,
  trained,
  untrained,
} from '../../bindings/lab/tasks/index.js';
import { gf } from '../bindings/model/small.js';
import { matmul, softmaxRow, transpose } from '../bindings/naive.js';
import { KINDS, modelOf, reference, SIZES } from './reference.js';

const task = tasks['french-english'];
const file = new URL('../../bindings/data/models/french-english.safetensors', import.meta.url);
const translator = trained(gf, task, await readFile(file));

/** Every number of headRoles again: `rowsOf` gives the weights of a head in a text, `allowed` how many tokens a row has. */
function again(texts, rowsOf, allowed) {
  const count = (relation) =>
    texts.flatMap(({ links }) => links).filter((link) => link.relation === relation).length;
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const linked = (relation, value) =>
    texts.flatMap((text, t) =>
      text.links.filter((link) => link.relation === relation).map((link) => value(link, t)),
    );
  return {
    count,
    distance: (layer, head) =>
      mean(
        texts.flatMap((_, t) =>
          rowsOf(t, layer, head).map((row, i) =>
            row.reduce((sum, a, j) => sum + a * Math.abs(j - i), 0),
          ),
        ),
      ),
    previous: (layer, head) =>
      mean(
        texts.flatMap((_, t) =>
          rowsOf(t, layer, head)
            .slice(1)
            .map((row, i) => row[i]),
        ),
      ),
    attention: (relation, layer, head) =>
      mean(
        linked(relation, ({ query, keys }, t) =>
          keys.reduce((sum, key) => sum + rowsOf(t, layer, head)[query][key], 0),
        ),
      ),
    largest: (relation, layer, head) =>
      mean(
        linked(relation, ({ query, keys }, t) => {
          const row = rowsOf(t, layer, head)[query];
          return Number(keys.some((key) => row[key] === Math.max(...row)));
        }),
      ),
    even: (relation) =>
      mean(linked(relation, ({ query, keys }, t) => keys.length / allowed(t, query))),
  };
}

function agrees({ heads, relations }, due) {
  for (const { layer, head, distance, previous, relations: own } of heads) {
    const near = (told, value, what) =>
      assert.ok(
        Math.abs(told - value) < 2e-5,
        `${what} of ${layer}.${head}: ${told}, not ${value}`,
      );
    near(distance, due.distance(layer, head), 'distance');
    near(previous, due.previous(layer, head), 'previous');
    for (const [name, { attention, largest }] of Object.entries(own)) {
      near(attention, due.attention(name, layer, head), name);
      near(largest, due.largest(name, layer, head), `largest ${name}`);
    }
  }
  for (const [name, { count, even }] of Object.entries(relations)) {
    assert.equal(count, due.count(name));
    assert.ok(Math.abs(even - due.even(name)) < 1e-12, name);
  }
}

for (const [name, options] of Object.entries(KINDS)) {
  test(`${name}: roles of a gpt’s heads, against float64`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const texts = [
      { inputs: { target: [3, 7, 6, 1, 0] }, links: [{ relation: 'first', query: 4, keys: [0] }] },
      {
        inputs: { target: [2, 5, 4, 9] },
        links: [
          { relation: 'first', query: 2, keys: [0] },
          { relation: 'first', query: 3, keys: [0, 2] },
          { relation: 'last', query: 3, keys: [2] },
        ],
      },
    ];
    const runs = texts.map(({ inputs }) => double.run(inputs.target));
    const told = await headRoles(model, texts);
    assert.equal(told.heads.length, SIZES.layers * SIZES.heads);
    agrees(
      told,
      again(
        texts,
        (t, layer, head) => runs[t].step('weights', layer)[head],
        (_, i) => i + 1,
      ),
    );
    /* The distances 4, 2, 3 and 1 occur once each: the nearest counts. */
    assert.deepEqual([told.relations.first.offset, told.relations.first.fixed], [-1, 1 / 3]);
    /* Of rows of 1 to 5 tokens, and of 1 to 4. */
    const rows = [0, 0.5, 1, 1.5, 2, 0, 0.5, 1, 1.5];
    assert.ok(Math.abs(told.even.distance - rows.reduce((a, b) => a + b) / 9) < 1e-12);
    model.dispose();
  });
}

/** The attention maps of the translator's encoder in float64: post-norm, ReLU, sinusoids, as its config says. */
function encoderMaps(ids) {
  const { dModel, heads, layers, epsilon } = translator.config;
  const matrix = (name) => {
    const { data, shape } = translator.parameters.get(name);
    const [rows, columns] = shape.length > 1 ? shape : [1, shape[0]];
    return Array.from({ length: rows }, (_, i) => [
      ...data.subarray(i * columns, (i + 1) * columns),
    ]);
  };
  const linear = (x, name) => {
    const [bias] = matrix(`${name}.bias`);
    return matmul(x, matrix(`${name}.weight`)).map((row) => row.map((y, j) => y + bias[j]));
  };
  const norm = (x, name) => {
    const [gain, bias] = [matrix(`${name}.weight`)[0], matrix(`${name}.bias`)[0]];
    return x.map((row) => {
      const mean = row.reduce((a, b) => a + b) / dModel;
      const variance = row.reduce((sum, y) => sum + (y - mean) ** 2, 0) / dModel;
      return row.map((y, j) => ((y - mean) / Math.sqrt(variance + epsilon)) * gain[j] + bias[j]);
    });
  };
  const add = (a, b) => a.map((row, i) => row.map((y, j) => y + b[i][j]));
  const table = matrix('embedding.weight');
  let x = ids.map((id, p) =>
    table[id].map((y, c) => {
      const angle = p / 10000 ** ((2 * Math.floor(c / 2)) / dModel);
      return y * Math.sqrt(dModel) + (c % 2 ? Math.cos(angle) : Math.sin(angle));
    }),
  );
  const size = dModel / heads;
  return Array.from({ length: layers }, (_, layer) => {
    const at = (name) => `encoder.layers.${layer}.${name}`;
    const [q, k, v] = ['q', 'k', 'v'].map((name) => linear(x, at(`self_attn.${name}_proj`)));
    const part = (rows, h) => rows.map((row) => row.slice(h * size, (h + 1) * size));
    const maps = Array.from({ length: heads }, (_, h) =>
      matmul(part(q, h), transpose(part(k, h))).map((row) =>
        softmaxRow(row.map((score) => score / Math.sqrt(size))),
      ),
    );
    const mixes = maps.map((map, h) => matmul(map, part(v, h)));
    const concat = x.map((_, i) => mixes.flatMap((mix) => mix[i]));
    x = norm(add(x, linear(concat, at('self_attn.out_proj'))), at('norm1'));
    const hidden = linear(x, at('linear1')).map((row) => row.map((y) => Math.max(0, y)));
    x = norm(add(x, linear(hidden, at('linear2'))), at('norm2'));
    return maps;
  });
}

test('roles of the translator’s encoder, against float64; its verdicts', async () => {
  const texts = linkedSentences(task.heldOut(60, 4));
  const maps = texts.map(({ inputs }) => encoderMaps(inputs.source));
  const options = /** @type {const} */ ({ stack: 'encoder', levels: sentenceLevels });
  const told = await headRoles(translator, texts, options);
  const lengths = texts.map(({ inputs }) => inputs.source.length);
  agrees(
    told,
    again(
      texts,
      (t, layer, head) => maps[t][layer][head],
      (t) => lengths[t],
    ),
  );
  const { reach, relations, order } = told.verdicts;
  assert.equal(reach.says, 'fails', 'layer 2 looks less far than layer 1');
  assert.ok(reach.layers[1] < reach.layers[0]);
  assert.deepEqual(relations.nounDeterminer, { says: 'partly', layer: 0, head: 2 });
  assert.equal(relations.verbSubject.says, 'fails');
  assert.equal(order.says, 'holds');
});

test('an untrained model has no heads that specialise, and no order', async () => {
  const model = untrained(gf, task, 2);
  const texts = linkedSentences(task.heldOut(60, 4));
  const { verdicts } = await headRoles(model, texts, { stack: 'encoder', levels: sentenceLevels });
  for (const [name, verdict] of Object.entries(verdicts.relations))
    assert.ok(verdict === null || verdict.says === 'fails', name);
  assert.notEqual(verdicts.reach.says, 'holds');
  assert.equal(verdicts.order.says, 'fails');
  model.dispose();
});

/** Facts of two layers with a head each. */
const factsOf = (attention, largest, distances, previous) => ({
  heads: [0, 1].map((layer) => ({
    ...{ name: `${layer}`, layer, head: 0, distance: distances[layer], previous: previous[layer] },
    relations: { link: { attention: attention[layer], largest: largest[layer] } },
  })),
  even: { distance: 3, previous: 0.2 },
  relations: { link: { count: 40, even: 0.2, offset: 1, fixed: 0.5 } },
  reach: Array.from({ length: 10 }, (_, i) => [2, i < 9 ? distances[1] : 1]),
});

test('each verdict holds, holds in part and fails by its rule', () => {
  const relation = (attention, largest) =>
    verdictsOf(factsOf(attention, largest, [2, 3], [0.4, 0.2])).relations.link;
  assert.deepEqual(relation([0.3, 0.5], [0.7, 0.6]), { says: 'holds', layer: 1, head: 0 });
  assert.deepEqual(relation([0.3, 0.5], [0.7, 0.59]), { says: 'partly', layer: 1, head: 0 });
  assert.deepEqual(relation([0.39, 0.3], [0.9, 0.9]), { says: 'fails', layer: 0, head: 0 });
  const few = factsOf([0.5, 0.5], [0.9, 0.9], [2, 3], [0.4, 0.2]);
  few.relations.link.count = 29;
  assert.equal(verdictsOf(few).relations.link, null);

  const reach = (distance) => verdictsOf(factsOf([0, 0], [0, 0], [2, distance], [0, 0])).reach;
  assert.deepEqual(reach(3), { says: 'holds', layers: [2, 3], farther: [0.9] });
  assert.equal(reach(1).says, 'fails');
  const some = factsOf([0, 0], [0, 0], [2, 3], [0, 0]);
  some.reach = some.reach.map((text, i) => (i < 7 ? text : [2, 1]));
  assert.equal(verdictsOf(some).reach.says, 'partly');

  const order = (attention, previous) =>
    verdictsOf(factsOf(attention, [0, 0], [2, 3], previous), {
      near: ['previous'],
      middle: ['link'],
      end: ['link'],
    }).order;
  assert.deepEqual(order([0.2, 0.6], [0.6, 0.2]), {
    says: 'partly',
    depth: { near: 0, middle: 1, end: 1 },
  });
  assert.equal(order([0.6, 0.2], [0.2, 0.6]).says, 'fails');
  assert.equal(order([0.2, 0.6], [0.29, 0.2]).depth.near, null);
});

test('the grammar says which words belong together', () => {
  const links = (sentence) =>
    sentenceLinks(sentence).map(({ relation, query, keys }) => `${relation} ${query} ${keys}`);
  assert.deepEqual(links('le petit chat noir ne mange pas le poisson dans la cuisine').toSorted(), [
    'adjectiveNoun 1 2',
    'adjectiveNoun 3 2',
    ...['determinerNoun 0 2', 'determinerNoun 10 11', 'determinerNoun 7 8'],
    ...['far 2 5', 'far 5 2'],
    ...['nounDeterminer 11 10', 'nounDeterminer 2 0', 'nounDeterminer 8 7'],
    'objectPreposition 11 9',
    'prepositionObject 9 11',
    'subjectVerb 2 5',
    'verbSubject 5 2',
  ]);
  assert.deepEqual(links("il n'y a pas de pain"), ['determinerNoun 5 6', 'nounDeterminer 6 5']);
  assert.deepEqual(links('elle dort'), ['verbSubject 1 0', 'subjectVerb 0 1']);
  assert.equal(sentenceLinks('chat le dort'), null);
});

test('without a head a run has the bits of its ablation, and the weights come back', async () => {
  const before = translator.save();
  const inputs = { source: [20, 30, 40], target: [1] };
  for (const [stack, part] of [
    ['encoder', 'self_attn'],
    ['decoder', 'cross_attn'],
  ]) {
    const place = /** @type {any} */ ({ stack, part, layer: 1, head: 2 });
    const metric = /** @type {const} */ ({ kind: 'logit', token: 50 });
    const { after } = await ablate(translator, inputs, { at: [place], metric });
    const logit = await withoutHead(translator, place, () => {
      const run = translator.forward(inputs);
      const value = run.logits.data[50];
      run.dispose();
      return value;
    });
    assert.equal(logit, after);
  }
  const fails = withoutHead(translator, { stack: 'encoder', layer: 0, head: 0 }, () => {
    throw new Error('no');
  });
  await assert.rejects(fails, /^Error: no$/);
  assert.deepEqual(translator.save(), before);
  const missing = withoutHead(translator, { stack: 'encoder', layer: 2, head: 0 }, () => 1);
  await assert.rejects(missing, { code: 'GF_ERANGE', message: /layer: .* 0 to 1, received 2/ });
  const crossing = withoutHead(
    translator,
    { stack: 'encoder', layer: 1, head: 0, part: 'cross_attn' },
    () => 1,
  );
  await assert.rejects(crossing, /withoutHead: part: expected one of "self_attn"/);
});
