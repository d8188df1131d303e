// Pocket: its sentences against a list made from the legend, the weights set by hand against float64, the same learned.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { examples, load, readModel, traceExample } from '../../bindings/index.js';
import { evaluate, learn, modelOf, sentences } from '../../bindings/lab/pocket/index.js';
import { reference } from '../reference/attention64.js';
import { full } from '../support/sample.js';

const gf = await load();
/** What the lessons say of them: Anna sings. Eva dances. Ben runs. Tom swims. */
const LEGEND = { Anna: 'sings', Eva: 'dances', Ben: 'runs', Tom: 'swims' };
const WHO = { She: ['Anna', 'Eva'], He: ['Ben', 'Tom'] };

test('there are 16 sentences, and each is answered as its legend says', () => {
  const all = sentences();
  assert.equal(new Set(all.map(({ tokens }) => tokens.join(' '))).size, 16);
  for (const { tokens, ids, next } of all) {
    const [meant, ...more] = tokens.filter((word) => WHO[tokens.at(-1)].includes(word));
    assert.deepEqual(more, []);
    assert.equal(next, LEGEND[meant]);
    assert.deepEqual(
      ids.map((id) => examples.pocket.vocabulary[id]),
      tokens,
    );
  }
});

test('the weights set by hand answer each of them, as float64 does', () => {
  const { right, total, answers } = evaluate(gf);
  assert.deepEqual([right, total], [16, 16]);
  for (const { ids, next, probability } of answers) {
    const inputs = { ...examples.pocket.inputs, tokens: ids };
    const { data, shape } = reference({ ...examples.pocket, inputs }).probabilities;
    const expected = data.slice(-shape[1])[examples.pocket.vocabulary.indexOf(next)];
    assert.ok(Math.abs(probability - expected) < 1e-6 && expected > 0.99, String(probability));
  }
});

test('another query matrix makes them wrong', () => {
  const turned = examples.pocket.inputs.w_q.map(([a, b]) => [a, -b]);
  const { right, answers } = evaluate(gf, { w_q: turned });
  assert.equal(right, 0);
  assert.ok(answers.every(({ probability }) => probability < 0.01));
});

test('other words are other ids, and the trace has their words', () => {
  const edits = [
    { node: 'tokens', index: [2], value: 1 },
    { node: 'tokens', index: [6], value: 9 },
  ];
  const trace = traceExample(gf, 'pocket', { edits });
  assert.equal(trace.tokens.join(' '), 'Anna and Eva are here . He');
  trace.dispose();
  const other = traceExample(gf, 'three-tokens');
  assert.deepEqual(other.tokens, examples['three-tokens'].tokens);
  other.dispose();
});

test('of two who fit alike each gets half', () => {
  const trace = traceExample(gf, 'pocket', { edits: [{ node: 'tokens', index: [2], value: 1 }] });
  const [anna, , eva] = trace.step('weights').data.slice(-7);
  assert.equal(anna, eva);
  assert.ok(anna > 0.45);
  const [sings, dances, runs, swims] = trace.step('probabilities').data.slice(-4);
  assert.ok(Math.abs(sings - dances) < 1e-6 && sings > 0.4 && runs + swims < 0.01);
  trace.dispose();
});

/** What the last step of each training reaches, and how many of the pair that it did not see. */
function reached(count, heldOut) {
  return Array.from({ length: count }, (_, i) => {
    const last = [...learn(gf, { seed: i + 1, heldOut })].at(-1);
    const { right, answers } = evaluate(gf, last.inputs);
    const held = answers.filter(({ pair }) => pair === heldOut);
    return { right, unseen: held.filter(({ answer, next }) => answer === next).length };
  });
}

test('it is learned from random weights, of nearly every seed', () => {
  const all = reached(full ? 100 : 20, null);
  const whole = all.filter(({ right }) => right === 16).length;
  assert.ok(whole >= 0.95 * all.length, `${whole} of ${all.length}`);
});

test('of most seeds so are the four sentences of a pair of names that was held out', () => {
  const all = reached(full ? 100 : 20, 'Anna Ben');
  const whole = all.filter(({ unseen }) => unseen === 4).length;
  assert.ok(whole >= 0.75 * all.length && all.some(({ unseen }) => unseen < 4), `${whole}`);
});

test('learning falls short after a few steps, and its loss is that of a float64 softmax at first', () => {
  const [first] = learn(gf, { seed: 3, steps: 1 });
  assert.ok(evaluate(gf, first.inputs).right < 16);
  /* Before the first step all 14 words are nearly alike, in sentences and in facts. */
  assert.ok(Math.abs(first.loss - 2 * Math.log(14)) < 0.3, String(first.loss));
});

test('the file is the model of the example, and its last row has the example’s bits', () => {
  const file = new URL('../../bindings/data/models/pocket.safetensors', import.meta.url);
  const bytes = readFileSync(file);
  const made = modelOf(gf);
  const vocabulary = { split: 'words', tokens: examples.pocket.vocabulary };
  assert.ok(Buffer.from(made.save({ vocabulary })).equals(bytes));
  const model = gf.open(readModel(bytes));
  for (const { ids } of sentences()) {
    const run = model.forward({ target: [ids] });
    const edits = ids.map((value, i) => ({ node: 'tokens', index: [i], value }));
    const trace = traceExample(gf, 'pocket', { edits });
    const last = (data) => Array.from(data).slice(-14);
    assert.deepEqual(last(run.logits.data), last(trace.step('logits').data));
    run.dispose();
    trace.dispose();
  }
  for (const one of [made, model]) one.dispose();
});
