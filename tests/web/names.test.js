// What the page calls and shows of a step follows from what the core says of it: whatever the steps are named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, load, traceExample, traceModel } from '../../bindings/index.js';
import { languages } from '../../bindings/js/base/speech.js';
import {
  exercise,
  misconceptions,
  recipes,
  traceProblem,
} from '../../bindings/learn/exercises/index.js';
import { stagesOf } from '../../web/app/state/timeline.js';
import { blocksOf } from '../../web/stage/draw/blocks.js';
import { blockMap } from '../../web/stage/draw/map.js';
import { axes, headsIn, isCodes, labels, role, symbol, word } from '../../web/stage/draw/names.js';
import { title } from '../../web/stage/telling/words.js';
import { isByteLevel, plainOf, visible } from '../../web/workers/reader/plain.js';
import { sample } from '../support/sample.js';

const gf = await load();

/** The same steps under names that say nothing. */
function anonymous(steps) {
  const names = new Map(steps.map(({ name }, at) => [name, `n${at}`]));
  return steps.map((step) => ({
    ...step,
    name: names.get(step.name),
    inputs: step.inputs.map((name) => names.get(name) ?? null),
  }));
}

/** What is shown of steps, each by its place. */
function shown(steps) {
  const place = new Map(steps.map(({ name }, at) => [name, at]));
  const stages = stagesOf(steps);
  const { blocks, wires, rows } = blockMap(stages, steps);
  return {
    steps: steps.map((step) => [role(step), axes(step), headsIn(step), isCodes(step)]),
    stages: stages.map(({ name }) => place.get(name)),
    blocks: blocksOf(steps).map((block) => ({
      ...block,
      steps: block.steps.map(({ name }) => place.get(name)),
    })),
    map: [blocks.map(({ name, x, y }) => [place.get(name), x, y]), wires.length, rows],
  };
}

/** @returns {string[]} the steps that go by a name of their own */
function check(steps, told) {
  const hidden = anonymous(steps);
  assert.deepEqual(shown(hidden), shown(steps), told);
  return steps.flatMap((step, at) => {
    if (word(step) === step.name && word(hidden[at]) !== step.name) return [step.name];
    assert.equal(word(hidden[at]), word(step), `${told}: ${step.name}`);
    assert.deepEqual(symbol(hidden[at]), symbol(step), `${told}: ${step.name}`);
    return [];
  });
}

test('an example looks the same whatever its steps are named', () => {
  const own = new Set();
  for (const name of Object.keys(examples)) {
    const trace = traceExample(gf, name);
    for (const step of check(trace.steps, name)) own.add(step);
    trace.dispose();
  }
  /* Codes, schedules and labels are named by their example. */
  assert.deepEqual(
    [...own],
    [
      'logits',
      ...['pe.4.positions', 'pe.4', 'pe.6.positions', 'pe.6', 'step'],
      ...['label', 'label.kept', 'label.share', 'label.smoothed'],
    ],
  );
});

const SMALL = { vocab: 7, dModel: 8, heads: 2, layers: 2, maxLength: 6, dFF: 5 };
const MODELS = [
  { kind: 'transformer' },
  { kind: 'transformer', positions: 'learned', preNorm: true, tied: false },
  { kind: 'gpt', positions: 'rotary', norm: 'rms', activation: 'swiglu', kvHeads: 1 },
  { kind: 'gpt', positions: 'alibi' },
  { kind: 'bert' },
];

/** A trace of one of them. */
function traced(model) {
  const source = model.config.kind === 'transformer' ? { source: [[1, 2, 3]] } : {};
  return traceModel(model, { ...source, target: [[1, 2]] });
}

test('a model looks the same whatever its nodes are named', () => {
  const own = new Set();
  for (const options of MODELS) {
    const model = gf.model({ ...SMALL, ...options });
    const trace = traced(model);
    for (const step of check(trace.steps, JSON.stringify(options))) own.add(step);
    trace.dispose();
    model.dispose();
  }
  const ends = ['logits', 'logits.unbiased', 'pooler.first', 'token_types'];
  assert.deepEqual([...own].sort(), ends);
});

test('rows and columns are what the core says that they are', () => {
  const find = (steps, name) => steps.find((step) => step.name === name);
  const model = gf.model({ ...SMALL, kind: 'bert' });
  const { steps } = traced(model);
  /* The only sequence of a model is its target; what a pooler makes is no word. */
  const rowsOf = (name) => axes(find(steps, name));
  assert.deepEqual(rowsOf('encoder.input'), { rows: 'target', columns: 'channel' });
  assert.deepEqual(rowsOf('encoder.layers.0.self_attn.weights'), {
    rows: 'target',
    columns: 'target',
  });
  assert.deepEqual(rowsOf('pooler.dense.weight'), { rows: 'channel', columns: 'channel' });
  assert.deepEqual(rowsOf('token_type_embedding.weight'), { rows: 'segment', columns: 'channel' });
  model.dispose();
  const shared = gf.model({ ...SMALL, kind: 'gpt', kvHeads: 1 });
  const layer = 'decoder.layers.0.self_attn';
  const all = traced(shared).steps;
  assert.deepEqual(
    ['q', 'k', 'v', 'q_proj.weight', 'k_proj.weight', 'q_proj.bias', 'scores'].map((name) =>
      headsIn(find(all, `${layer}.${name}`)),
    ),
    [2, 1, 1, 2, 1, 1, 1],
  );
  /* A row of a decoder reads one token and predicts another; what it looks at is only read. */
  assert.deepEqual(axes(find(all, `${layer}.scores`)), { rows: 'predicting', columns: 'target' });
  assert.deepEqual(axes(find(all, `${layer}.q`)), { rows: 'predicting', columns: 'channel' });
  assert.deepEqual(axes(find(all, `${layer}.k`)), { rows: 'target', columns: 'channel' });
  const known = { tokens: [], sides: { source: [], target: ['<s>', 'the'] }, predicted: ['the'] };
  assert.deepEqual(labels('predicting', 2, known), ['<s> → the', 'the']);
  assert.deepEqual(labels('target', 2, known), ['<s>', 'the']);
  shared.dispose();
});

test('whatever leads to a step of an exercise is called in words, in each language, and has a symbol', () => {
  const langs = sample(languages, 1);
  const raw = new Set();
  for (const { name: recipe } of recipes()) {
    const problem = exercise(gf, recipe, { seed: 7 });
    const possible = misconceptions().map(({ name }) => name);
    for (const misconception of [undefined, ...possible]) {
      for (const lang of langs) {
        let trace;
        try {
          trace = traceProblem(gf, problem, { misconception, lang });
        } catch {
          /* Nobody makes this mistake here. */
          continue;
        }
        for (const step of trace.steps) {
          const { letter } = symbol(step);
          const isCalled =
            step.symbol !== null || [letter, title(step)].some((one) => one !== step.name);
          if (!isCalled || /\./.test(letter)) raw.add(`${recipe}: ${step.name}`);
        }
      }
    }
  }
  assert.deepEqual([...raw], []);
});

test('spaces and ends of lines are seen in pieces of words, wherever they stand', () => {
  const pieces = [' the', '▁the', '\n', '\n\n', 'x', ' ', '\t'];
  assert.deepEqual(pieces.map(visible), ['·the', '·the', '↵', '↵↵', 'x', '·', '⇥']);
});

test('byte-level tokens are read as texts, parts of characters as bytes, added tokens as they are', () => {
  const tokens = ['Ġthe', 'Ċ', 'Ã©', 'Ã', '<|end|>', '<Ġ名>'];
  assert.deepEqual(tokens.map(plainOf), [' the', '\n', 'é', '<0xC3>', '<|end|>', '<Ġ名>']);
  assert.ok(isByteLevel({ decoder: { type: 'Sequence', decoders: [{ type: 'ByteLevel' }] } }));
  assert.ok(!isByteLevel({ decoder: null }));
});
