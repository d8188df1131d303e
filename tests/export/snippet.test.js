// The exported programs run, and give the core's numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceExample } from '../../bindings/index.js';
import { javascript } from '../../web/stage/export/javascript.js';
import { numpy, pytorch } from '../../web/stage/export/python.js';
import { snippet, variable } from '../../web/stage/export/snippet.js';
import { families, model, POSITIONS } from '../bindings/model/small.js';
import { waits } from '../support/sample.js';
import { runJavaScript, runPython } from './run.js';
import { gf, modelTraces, states } from './states.js';

const COUNT = 6;
const all = [...states(COUNT), ...modelTraces()];

/** The tape of a model's run, as traces have their steps. */
const seen = (tape) => ({
  example: { title: 'A model', source: '' },
  steps: tape.nodes.map((tensor) => ({
    ...tensor,
    bypassed: tensor.bypassed,
    frozen: tensor.frozen,
    inputs: tensor.inputs.map((input) => input?.name ?? null),
    data: tensor.data.slice(),
  })),
});

/** Every family, and every choice that has an op of its own. */
const models = [
  ...Object.values(families),
  ...POSITIONS.map((positions) => ({ ...families.transformer, layers: 1, positions })),
  { ...families.gpt, activation: 'gelu', positions: 'alibi', heads: 4, kvHeads: 2 },
  { ...families.gpt, activation: 'silu', interleaved: true },
  { ...families.gpt, activation: 'gelu-tanh', norm: 'layer', tied: true },
  { ...families.bert, pooler: true },
].map((options) => {
  const made = model({ ...options }, 0.4);
  const batch = {
    target: [
      [1, 4, 5, 2],
      [3, 2],
    ],
    labels: [
      [4, 5, 2, 3],
      [2, -100],
    ],
  };
  const source =
    made.config.kind === 'transformer'
      ? {
          source: [
            [3, 4, 5],
            [6, 7],
          ],
        }
      : {};
  const run = made.forward({ ...batch, ...source });
  const trace = seen(run.tape);
  made.dispose();
  return { where: JSON.stringify(options), trace };
});

const computed = ({ steps }) => steps.filter(({ kind }) => kind === 'op');

test('the JavaScript gives the core’s bits, with edits and removals', (t) => {
  if (waits(t)) return;
  const cases = [...all, ...models];
  const programs = cases.map(({ trace }) => snippet(trace, javascript));
  const names = cases.map(({ trace }) => trace.steps.map(({ name }) => variable(name, javascript)));
  const results = runJavaScript(programs, names);
  results.forEach(({ values, printed }, at) => {
    const { where, trace } = cases[at];
    for (const { name, data } of trace.steps) {
      const found = [values[variable(name, javascript)]].flat(Infinity);
      assert.equal(found.length, data.length, `${where}: ${name}`);
      data.forEach((value, i) => {
        const same = Object.is(Math.fround(found[i]), value);
        assert.ok(same, `${where}: ${name}[${i}]: ${found[i]} instead of ${value}`);
      });
    }
    assert.deepEqual(
      printed.map(([label]) => label),
      computed(trace).map(({ name }) => name),
    );
  });
  assert.ok(results.length > 60);
});

/** float32 in another order of summation: so far from the core, against the step's largest number. */
const CLOSE = 4e-6;

test('the NumPy gives the core’s digits, with edits and removals', (t) => {
  if (waits(t)) return;
  const cases = [...all, ...models];
  const results = runPython(cases.map(({ trace }) => snippet(trace, numpy)));
  results.forEach(({ values, types, printed }, at) => {
    const { where, trace } = cases[at];
    for (const { name, data, kind } of trace.steps) {
      const own = variable(name, numpy);
      const numbers = [values[own]].flat(Infinity);
      assert.equal(numbers.length, data.length, `${where}: ${name}`);
      assert.equal(types[own], kind === 'ids' ? 'int32' : 'float32', `${where}: ${name}`);
      const scale = data.reduce(
        (most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most),
        1,
      );
      data.forEach((value, i) => {
        const near =
          Object.is(Math.fround(numbers[i]), value) ||
          Math.abs(numbers[i] - value) <= CLOSE * scale;
        assert.ok(near, `${where}: ${name}[${i}]: ${numbers[i]} instead of ${value}`);
        if (kind !== 'op') assert.equal(Math.fround(numbers[i]), value, `${where}: ${name}`);
      });
    }
    for (const { name } of computed(trace)) assert.ok(printed.includes(`${name}\n[`), where);
  });
  assert.ok(results.length > 60);
});

test('PyTorch has a line for each step of every trace', () => {
  for (const { trace } of [...all, ...models]) {
    const text = snippet(trace, pytorch);
    for (const { name } of trace.steps) {
      assert.ok(text.includes(`\n${variable(name, pytorch)} = `), name);
    }
  }
});

test('a few steps alone stand on the values of those before them', () => {
  const trace = traceExample(gf, 'two-heads');
  const only = ['scores.scaled', 'weights'];
  const text = snippet(trace, javascript, only);
  assert.match(text, /^const scores = \[$/m);
  assert.match(text, /^const weights = gf\.softmax\(scores_scaled\);$/m);
  assert.doesNotMatch(text, /w_q|output/);
  const [{ values }] = runJavaScript([text], [['weights']]);
  assert.deepEqual(values.weights.flat(2).map(Math.fround), [...trace.step('weights').data]);
});

test('what an edit or a removal did is said in words', () => {
  const edits = [{ node: 'scores', index: [0, 0], value: 9 }];
  const text = snippet(traceExample(gf, 'hi-how', { remove: ['scale'], edits }), numpy);
  assert.match(text, /^# scores \[2, 2\]: held fast by an edit$/m);
  assert.match(text, /^# scores\.scaled \[2, 2\]: removed, a copy of scores$/m);
  assert.match(text, /^scores_scaled = scores$/m);
});

test('no title breaks out of its comment, no node takes a name that is taken', () => {
  const example = {
    title: 'a\nimport os\r\n',
    source: 'b\u2028c',
    about: '',
    name: 'x',
    tokens: [],
  };
  const positions = [
    { node: 'np', positions: [0], channels: 2 },
    { node: 'sinusoids', positions: [1], channels: 2 },
  ];
  const text = snippet(traceExample(gf, { ...example, positions }), numpy);
  assert.doesNotMatch(text, /^import os/m);
  assert.match(text, /^np_ = sinusoids\(np_positions, 2, halves=False\)$/m);
  assert.match(text, /^sinusoids_ = sinusoids\(/m);
  for (const language of [numpy, pytorch, javascript]) {
    const written = snippet(traceExample(gf, { ...example, positions }), language);
    assert.equal(written.split(/[\n\r\u2028\u2029]/)[0], `${language.comment} a import os`);
  }
});
