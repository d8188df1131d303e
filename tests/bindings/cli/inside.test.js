// glassformer inside: each experiment from the command line gives the numbers of its function, in four formats.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../../bindings/index.js';
import * as inside from '../../../bindings/lab/inside/index.js';
import {
  linkedSentences,
  START,
  sentenceLevels,
  tasks,
  trained,
} from '../../../bindings/lab/tasks/index.js';
import { KINDS, modelOf } from '../../inside/reference.js';
import { call, refuses, succeeds } from './call.js';

const gf = await load();
const folder = mkdtempSync(join(tmpdir(), 'glassformer-inside-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'tiny.safetensors');
const model = modelOf(gf, KINDS.untied);
writeFileSync(file, model.save());
const prompt = ['--prompt', '3 7 7 1'];
const against = ['--against', '3 5 7 2'];
const inputs = { target: [3, 7, 7, 1] };
const from = { target: [3, 5, 7, 2] };

/** What JSON makes of a result: typed arrays are lists. */
const plain = (told) =>
  JSON.parse(JSON.stringify(told, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)));
const metric = { token: 4, against: 9, position: -2 };

/** Each experiment: its flags, and the call that they stand for. */
const CALLS = {
  scores: [[], () => inside.headScores(model, inputs)],
  lens: [['--position=1'], () => inside.logitLens(model, inputs, { position: 1 })],
  logit: [
    ['--token', '4', '--instead', '9'],
    () => inside.logitAttribution(model, inputs, { token: 4, against: 9 }),
  ],
  why: [
    ['--layer', '1', '--head', '1', '--query', '2', '--key', '1'],
    () => inside.why(model, inputs, { layer: 1, head: 1, query: 2, key: 1 }),
  ],
  ablate: [
    ['--token', '4', '--instead', '9', '--position=-2', '--each', 'position'],
    () => inside.ablate(model, inputs, { metric, each: 'position' }),
  ],
  patch: [
    [...against, '--metric', 'loss', '--token', '2'],
    () => inside.patch(model, inputs, { from, each: 'head', metric: { kind: 'loss', token: 2 } }),
  ],
  attribution: [
    against,
    () => inside.attributionPatch(model, inputs, { from, each: 'head', compare: true }),
  ],
  paths: [
    [...against, '--sender', '0.1'],
    () => inside.paths(model, inputs, { from, sender: { layer: 0, head: 1 } }),
  ],
  rollout: [['--flow'], () => inside.rollout(model, inputs, { flow: true })],
  circuits: [
    ['--layer', '1', '--head', '1', '--tokens', '2 12'],
    () => inside.circuits(model, { layer: 1, head: 1, tokens: [2, 12] }),
  ],
  contexts: [
    [...against, '--token', '7'],
    () => inside.contexts(model, inputs, from, { positions: [1, 2] }),
  ],
  neighbours: [['--token', '4'], () => inside.neighbours(model, { token: 4 })],
  symmetry: [[], () => inside.symmetry(model, inputs)],
};

/** What is of the weights alone. */
const noPrompt = ['circuits', 'neighbours'];

for (const [name, [flags, own]] of Object.entries(CALLS)) {
  test(`${name}: the function's numbers as JSON, and each of them in the other formats`, async () => {
    const words = ['inside', name, file, ...(noPrompt.includes(name) ? [] : prompt), ...flags];
    const told = JSON.parse(await succeeds(...words, '--json'));
    assert.deepEqual(told, plain(await own()));
    assert.equal(told.experiment, name);
    const csv = (await succeeds(...words, '--format', 'csv')).trimEnd().split('\n');
    assert.equal(csv[0], 'sheet,row,column,value');
    const numbers = csv.slice(1).map((line) => line.split(',').at(-1));
    const svg = await succeeds(...words, '--format', 'svg');
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 [\d.]+ [\d.]+"/);
    assert.ok(!/NaN|undefined/.test(svg));
    const table = await succeeds(...words);
    const isSum = name === 'logit' || name === 'paths';
    const values = isSum ? told.parts.map(({ value }) => value) : told.grid?.values.flat();
    if (values) assert.deepEqual(numbers.slice(0, values.length).map(Number), values);
    if (isSum) for (const part of told.parts) assert.ok(table.includes(part.name));
    /* A cell, or a bar, for each number, on one white sheet. */
    assert.equal(svg.match(/<rect /g).length, 1 + numbers.length + (isSum ? 2 : 0));
  });
}

test('roles: the numbers of headRoles on generated sentences, and their verdicts', async () => {
  const task = tasks['french-english'];
  const bytes = readFileSync(
    new URL('../../../bindings/data/models/french-english.safetensors', import.meta.url),
  );
  const words = ['inside', 'roles', 'french-english', '--texts', '40', '--seed', '3'];
  const told = JSON.parse(await succeeds(...words, '--json'));
  const own = await inside.headRoles(
    trained(gf, task, bytes),
    linkedSentences(task.heldOut(40, 3)),
    { stack: 'encoder', levels: sentenceLevels },
  );
  assert.deepEqual(told, plain(own));
  const table = await succeeds(...words);
  assert.match(table, /^later layers look farther +fails: [\d.]+, [\d.]+ tokens$/m);
  assert.match(table, /^a head for nounDeterminer +partly: layer 0 head 2$/m);
  const csv = await succeeds(...words, '--format', 'csv');
  assert.match(csv, /^attention,even attention,previous,0\.\d+$/m);
  await refuses(['inside', 'roles', file], 2, /roles needs a model whose texts are generated/);
  await refuses([...words, ...prompt], 2, /roles does not use --prompt/);
});

test('a probe reads its examples from a file, and so do shares', async () => {
  const examples = Array.from({ length: 40 }, (_, i) => ({
    prompt: `${(5 * i) % 13} 1`,
    label: (5 * i) % 13 < 6,
    position: 0,
  }));
  const lines = join(folder, 'examples.jsonl');
  writeFileSync(
    lines,
    examples.map((one) => `${JSON.stringify({ ...one, label: Number(one.label) })}\n`).join(''),
  );
  const flags = ['--examples', lines, '--node', 'decoder.embedding'];
  const told = JSON.parse(await succeeds('inside', 'probe', file, ...flags, '--json'));
  const own = await inside.probe(
    model,
    examples.map((one) => ({
      inputs: { target: one.prompt.split(' ').map(Number) },
      label: Number(one.label),
      position: 0,
    })),
    { node: 'decoder.embedding' },
  );
  assert.deepEqual(told, plain(own));
  assert.match(await succeeds('inside', 'probe', file, ...flags), /^examples held out +10$/m);
  const nodes = ['decoder.embedding', 'decoder.layers.0.self_attn.v.heads'];
  const shares = ['inside', 'shares', file, '--examples', lines, '--node', nodes.join()];
  const measured = await inside.labelShares(
    model,
    examples.map(({ prompt: text, label }) => ({
      inputs: { target: text.split(' ').map(Number) },
      ...{ label: Number(label), position: 0 },
    })),
    { nodes },
  );
  assert.deepEqual(JSON.parse(await succeeds(...shares, '--json')), plain(measured));
  assert.match(await succeeds(...shares), /^decoder\.embedding 1 +[\d.]+ +[\d.]+$/m);
});

test('examples of a probe that cannot be read are refused in one line', async () => {
  const lines = join(folder, 'wrong.jsonl');
  const flags = ['--examples', lines, '--node', 'decoder.embedding'];
  await refuses(['inside', 'probe', file, ...flags], 1, /cannot read .*wrong\.jsonl: no such file/);
  for (const [line, told] of [
    ['no JSON', /line 1: expected JSON/],
    ['null', /line 1: expected {"prompt": TEXT, .*, received null/],
    ['{"promt": "1"}', /line 1: expected {"prompt": TEXT, .*, received {"promt": "1"}/],
  ]) {
    writeFileSync(lines, `${line}\n`);
    await refuses(['inside', 'probe', file, ...flags], 1, told);
  }
});

test('a figure has the page’s colours: blue speaks for, brown against; entropies have a scale of their own', async () => {
  const svg = await succeeds('inside', 'logit', file, ...prompt, '--format', 'svg');
  const told = JSON.parse(await succeeds('inside', 'logit', file, ...prompt, '--json'));
  const bars = [...svg.matchAll(/height="14" fill="rgb\((\d+),\d+,(\d+)\)"/g)];
  const signs = bars.map(([, red, blue]) => Math.sign(blue - red));
  const values = [...told.parts.map(({ value }) => value), told.sum, told.total];
  assert.deepEqual(signs, values.map(Math.sign));
  const csv = await succeeds('inside', 'scores', file, ...prompt, '--format', 'csv');
  const { heads } = JSON.parse(await succeeds('inside', 'scores', file, ...prompt, '--json'));
  const entropies = csv.split('\n').filter((line) => line.startsWith('entropy,'));
  assert.deepEqual(
    entropies.map((line) => Number(line.split(',').at(-1))),
    heads.map(({ entropy }) => entropy),
  );
});

test('means over a set, and a shipped model in words', async () => {
  const set = join(folder, 'set.txt');
  writeFileSync(set, '1 2 3\n4 5\n');
  const words = ['inside', 'ablate', file, ...prompt, '--value', 'mean', '--set', set, '--json'];
  const value = { mean: [{ target: [1, 2, 3] }, { target: [4, 5] }] };
  assert.deepEqual(
    JSON.parse(await succeeds(...words)),
    plain(await inside.ablate(model, inputs, { each: 'head', value })),
  );
  const task = tasks.reverse;
  const bytes = readFileSync(
    new URL('../../../bindings/data/models/reverse.safetensors', import.meta.url),
  );
  const reverse = trained(gf, task, bytes);
  const ids = (text) => task.vocabulary.encode([...text]);
  const own = await inside.logitLens(reverse, {
    source: ids('abcd'),
    target: [START, ...ids('dc')],
  });
  const told = await succeeds('inside', 'lens', 'reverse', '--prompt', 'abcd', '--target', 'dc');
  assert.equal(task.vocabulary.decode([own.rows.at(-1).best[2]])[0], 'b');
  assert.match(told, /^decoder layer \d feed-forward +"b" [01]\.\d{3}/m);
  assert.match(told, /0 <start> +1 d +2 c\n/);
  reverse.dispose();
});

test('a file with a vocabulary reads words, as its name does', async () => {
  const named = (name) =>
    fileURLToPath(new URL(`../../../bindings/data/models/${name}.safetensors`, import.meta.url));
  for (const [name, ...words] of [
    ['stories', '--prompt', 'Anna has a red'],
    ['reverse', '--prompt', 'abcd', '--target', 'dc'],
    ['french-english', '--prompt', "l'homme dort", '--target', 'the man'],
  ]) {
    const lens = (model) => succeeds('inside', 'lens', model, ...words, '--json');
    assert.equal(await lens(named(name)), await lens(name));
  }
  await refuses(
    ['inside', 'lens', named('stories'), '--prompt', 'Otto has a Zug'],
    2,
    /does not know "Otto", "Zug"/,
  );
});

test('wrong words are refused in one line', async () => {
  const headless = join(folder, 'headless.safetensors');
  writeFileSync(headless, modelOf(gf, { ...KINDS.untied, outputBias: false, head: 'none' }).save());
  await refuses(
    ['inside', 'lens', headless, ...prompt],
    2,
    /expected a model that computes logits/,
  );
  await refuses(['inside'], 2, /missing experiment. Choose from scores, lens/);
  await refuses(
    ['inside', 'patches', file],
    2,
    /unknown experiment "patches" \(did you mean "patch"\?\)/,
  );
  await refuses(['inside', 'patch'], 2, /missing model/);
  await refuses(['inside', 'patch', file], 2, /missing --prompt/);
  await refuses(['inside', 'ablate', file, '3 1'], 2, /one model.*Write the text behind --prompt/);
  await refuses(['inside', 'patch', file, ...prompt], 2, /missing --against/);
  await refuses(
    ['inside', 'paths', file, ...prompt, ...against],
    2,
    /--sender: expected LAYER.HEAD/,
  );
  await refuses(
    ['inside', 'ablate', file, ...prompt, '--value', 'mean'],
    2,
    /--value mean needs --set FILE/,
  );
  await refuses(
    ['inside', 'ablate', file, ...prompt, '--token', '1 2'],
    2,
    /--token: expected one token, received 2/,
  );
  await refuses(
    ['inside', 'ablate', file, ...prompt, '--metric', 'difference'],
    2,
    /--metric difference needs --instead TOKEN/,
  );
  await refuses(
    ['inside', 'ablate', file, ...prompt, '--layer', '1'],
    2,
    /ablate does not use --layer. It uses --prompt, --target, --metric/,
  );
  await refuses(
    ['inside', 'ablate', 'stories', '--prompt', 'Anna zugs a ball'],
    2,
    /the model does not know "zugs"/,
  );
  for (const [flag, value] of [
    [against, 'run'],
    [['--set', file], 'mean'],
  ])
    await refuses(
      ['inside', 'ablate', file, ...prompt, ...flag],
      2,
      new RegExp(`${flag[0]} needs --value ${value}$`, 'm'),
    );
  await refuses(
    ['inside', 'lens', file, ...prompt, '--target', '3'],
    2,
    /--target: .* has one stack\. Write the whole text in --prompt/,
  );
  await refuses(['inside', 'lens', file, ...prompt, '--format', 'png'], 2, /unknown format "png"/);
  await refuses(['inside', 'lens', file, '--prompt', '3 99'], 2, /logitLens: target.*99/);
  const story = 'Anna and Ben are in the park. Anna has a red ball. Anna gives the ball to';
  const told = await succeeds(
    'inside',
    'ablate',
    'stories',
    '--prompt',
    story,
    '--instead',
    'Anna',
  );
  assert.match(told, /difference of "Ben" instead of "Anna" at position 19/);
  await refuses(['inside', 'lens', 'addition', ...prompt], 2, /no model of addition is shipped/);
  const stop = new AbortController();
  stop.abort();
  const { status } = await call(['inside', 'ablate', 'reverse', '--prompt', 'abc'], {
    signal: stop.signal,
  });
  assert.equal(status, 130);
});
