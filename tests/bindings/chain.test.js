// The chain rule told term by term, and the nudge that tests it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chain,
  examples,
  explain,
  load,
  sentence,
  traceExample,
  traceModel,
} from '../../bindings/index.js';
import { steps as reference } from '../reference/attention64.js';
import { keeps } from '../reference/ops64.js';
import { waits } from '../support/sample.js';
import { families, model, POSITIONS } from './model/small.js';

const gf = await load();

/** A repeatable choice of numbers below n. */
function dice(seed) {
  let at = 0;
  return (n) => Math.floor(gf.uniform([1], { seed, stream: at++ }).data[0] * n) % n;
}

const sizeOf = (shape) => shape.reduce((size, d) => size * d, 1);

function indexOf(shape, at) {
  const index = [];
  let rest = at;
  for (const d of [...shape].reverse()) {
    index.unshift(rest % d);
    rest = (rest - (rest % d)) / d;
  }
  return index;
}

/** A tape seen as chain sees a trace, with the gradients that are in it. */
const seen = (tape) => ({
  steps: tape.nodes.map((tensor) => ({
    ...tensor,
    name: tensor.name,
    bypassed: tensor.bypassed,
    frozen: tensor.frozen,
    from: 0,
    inputs: tensor.inputs.map((input) => input?.name ?? null),
    data: tensor.data.slice(),
    grad: tensor.grad?.slice() ?? null,
  })),
});

/** The terms of a cell add up to its gradient, and each speaks of the numbers that are there. */
function checkCell(run, target, step, at, core = gf) {
  const index = indexOf(step.shape, at);
  const where = `d ${target.node}[${target.index}] / d ${step.name}[${index}]`;
  const told = chain(run, target, step.name, index, core);
  assert.equal(told.gradient, step.grad[at], where);
  let sum = told.seed ? 1 : 0;
  let size = 1e-30;
  for (const { y, gradient, derivative, product } of told.terms) {
    const to = run.steps.find(({ name }) => name === y.name || name === y.node);
    const place = y.index.reduce((flat, i, axis) => flat * to.shape[axis] + i, 0);
    assert.ok(Object.is(y.value, to.data[place]), `${where}: ${y.node}[${y.index}]`);
    assert.ok(Object.is(gradient, to.grad[place]), `${where}: ${y.node}[${y.index}]`);
    assert.equal(product, Math.fround(gradient * derivative), where);
    sum += product;
    /* A derivative of a gelu may be a small difference of larger numbers. */
    size += Math.abs(product) + Math.abs(gradient) / 8;
  }
  /* Without a softmax, a masked score times a value is no number. */
  const near = Object.is(sum, told.gradient) || Math.abs(sum - told.gradient) <= 3e-6 * size;
  assert.ok(near, `${where}: the terms give ${sum}, the core ${told.gradient}`);
  return told;
}

const differentiable = (run) => run.steps.filter(({ grad }) => grad);

/** A few random cells of every step. */
function checkRun(run, target, roll, count = 3, core = gf) {
  let moved = 0;
  for (const step of differentiable(run)) {
    for (let i = 0; i < count; i++) {
      const { gradient } = checkCell(run, target, step, roll(sizeOf(step.shape)), core);
      if (gradient !== 0) moved++;
    }
  }
  return moved;
}

function checkTrace(trace, roll) {
  const ops = trace.steps.filter(({ kind }) => kind === 'op');
  let moved = 0;
  for (const step of [ops.at(-1), ops[roll(ops.length)]]) {
    const target = { node: step.name, index: indexOf(step.shape, roll(step.data.length)) };
    trace.gradient(target.node, target.index);
    moved += checkRun(trace, target, roll);
  }
  return moved;
}

for (const name of Object.keys(examples)) {
  test(`${name}: the terms of the chain rule add up to the gradient`, () => {
    const trace = traceExample(gf, name);
    assert.ok(checkTrace(trace, dice(1)) > 0);
    for (const { name: removal, possible } of trace.removable) {
      if (possible) checkTrace(traceExample(gf, name, { remove: [removal] }), dice(2));
    }
  });
}

test('so do those of sentences, with heads, a mask, positions and edits', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const roll = dice(seed);
    const options = { dModel: 12, heads: 1 + roll(3), causal: roll(2) === 1, seed };
    const words = sentence('the dog, the cat', { ...options, positions: roll(2) === 1 });
    const edits = [{ node: 'scores.scaled', index: indexOf([1, 5, 5], roll(25)), value: 2 }];
    if (options.heads === 1) edits[0].index.shift();
    checkTrace(traceExample(gf, words), roll);
    checkTrace(traceExample(gf, words, { edits }), roll);
  }
});

/** What a step's formula gives if one cell of one operand is another. */
function moved(step, values, operand, at, value) {
  const inputs = step.inputs.map((name) => ({ ...values.get(name) }));
  const k = step.inputs.indexOf(operand);
  inputs[k].data = inputs[k].data.with(at, value);
  return step.formula(...inputs);
}

test('each derivative is that of the step’s formula, by central differences in float64', () => {
  const own = sentence('a dog sees a cat', { dModel: 6, heads: 2, causal: true });
  let checked = 0;
  for (const example of [...Object.values(examples), own]) {
    const steps = reference(example);
    const values = new Map(steps.map(({ name, value }) => [name, value]));
    const trace = traceExample(gf, example);
    const last = steps.at(-1);
    const target = { node: last.name, index: last.value.shape.map(() => 0) };
    trace.gradient(target.node, target.index);
    const roll = dice(7);
    for (const { name, grad, shape, data } of trace.steps) {
      if (!grad) continue;
      const at = roll(data.length);
      const { terms } = chain(trace, target, name, indexOf(shape, at), gf);
      const h = 1e-5 * Math.max(1, Math.abs(data[at]));
      for (const { y, derivative } of terms) {
        const step = steps.find((one) => one.name === y.node);
        /* A transposed or repeated operand is one formula of the same name. */
        if (!step?.inputs.includes(name)) continue;
        const place = y.index.reduce((flat, i, axis) => flat * step.value.shape[axis] + i, 0);
        const at64 = values.get(name).data[at];
        const [up, down] = [h, -h].map((d) => moved(step, values, name, at, at64 + d).data[place]);
        const expected = (up - down) / (2 * h);
        if (Number.isNaN(expected)) continue;
        const where = `${example.name}: d ${y.node}[${y.index}] / d ${name}[${indexOf(shape, at)}]`;
        assert.ok(
          Math.abs(derivative - expected) <= 2e-6 * Math.max(1, Math.abs(expected)),
          `${where}: ${derivative} instead of ${expected}`,
        );
        checked++;
      }
    }
  }
  assert.ok(checked > 500, `only ${checked} derivatives were checked`);
});

/** Every family, and every choice that has an op of its own. */
const models = [
  ...Object.values(families),
  ...POSITIONS.map((positions) => ({ ...families.transformer, layers: 1, positions })),
  { ...families.gpt, activation: 'gelu', positions: 'alibi', interleaved: false },
  { ...families.gpt, activation: 'silu', kvHeads: 2, interleaved: true },
  { ...families.gpt, activation: 'gelu-tanh', norm: 'layer', tied: true },
  { ...families.transformer, preNorm: true, dropout: 0.3, sourceVocab: 9 },
  { ...families.bert, pooler: true },
];

test('so do those of models, from the loss down to every parameter', () => {
  const target = { node: 'loss', index: [0] };
  const ops = new Set();
  models.forEach((options, seed) => {
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
    const run = made.forward({ ...batch, ...source, training: options.dropout > 0, seed: 3 });
    run.backward();
    const all = seen(run.tape);
    for (const { op } of all.steps) ops.add(op);
    assert.ok(checkRun(all, target, dice(seed), 8) > 20);
    if (made.config.pooler) {
      const [node, index] = ['pooled', [1, 0, 2]];
      const gradient = new Float32Array(run.tensor(node).size);
      gradient[made.config.dModel + 2] = 1;
      run.backward(node, gradient);
      assert.ok(checkRun(seen(run.tape), { node, index }, dice(seed), 8) > 20);
    }
    made.dispose();
  });
  for (const op of ['layer_norm', 'rms_norm', 'gelu', 'silu', 'swiglu', 'relu', 'rope', 'alibi']) {
    assert.ok(ops.has(op), `no model has ${op}`);
  }
  for (const op of ['dropout', 'tanh', 'gather', 'cross_entropy', 'embed', 'heads', 'mask']) {
    assert.ok(ops.has(op), `no model has ${op}`);
  }
});

test('so do those of a model’s trace, which leaves the batch out; and its nudges', (t) => {
  if (waits(t)) return;
  const target = { node: 'loss', index: [0] };
  for (const [seed, options] of models.entries()) {
    const made = model({ ...options, dropout: 0 }, 0.4);
    const batch = { target: [[1, 4, 5, 2]], labels: [[4, 5, -100, 3]] };
    const source = made.config.kind === 'transformer' ? { source: [[3, 4, 5]] } : {};
    const trace = traceModel(made, { ...batch, ...source });
    trace.gradient('loss', [0]);
    const roll = dice(seed);
    assert.ok(checkRun(trace, target, roll, 4) > 20);
    const before = trace.step('loss').data[0];
    for (const step of differentiable(trace)) {
      const cell = { node: step.name, index: indexOf(step.shape, roll(sizeOf(step.shape))) };
      if (step.op === 'mask') continue;
      const { predicted, actual } = trace.nudge(cell, target, 0.01);
      assert.ok(Math.abs(predicted - actual) < 2e-3, `${step.name}: ${predicted}, ${actual}`);
    }
    assert.equal(trace.nudge({ node: 'loss', index: [0] }, target, 0.5).before, before);
    trace.dispose();
    made.dispose();
  }
});

test('so do those of one sequence of a batch, with the dropout and the loss of the whole', () => {
  const target = { node: 'loss', index: [0] };
  const made = model({ ...families.transformer, dropout: 0.3 }, 0.4);
  const run = made.forward({
    source: [[3, 4, 5], [6, 7], [5]],
    target: [
      [1, 4, 5, 2],
      [3, 2],
      [4, 4, 1],
    ],
    labels: [
      [4, 5, 2, 3],
      [2, -100],
      [1, 2, 3],
    ],
    training: true,
    seed: 3,
  });
  run.backward();
  const isBatched = ({ name }) => run.tensor(name).axes[0] === 'batch';
  for (const sequence of [0, 1, 2]) {
    const steps = run.steps(sequence);
    const roll = dice(sequence);
    for (const step of steps.filter((one) => one.grad && isBatched(one))) {
      for (let i = 0; i < 8; i++) checkCell({ steps }, target, step, roll(sizeOf(step.shape)));
    }
    const trace = { step: (name) => steps.find((step) => step.name === name) };
    for (const { name, shape, data } of steps.filter(({ op }) => op === 'dropout')) {
      for (let at = 0; at < data.length; at++) {
        const { keep } = explain(trace, name, indexOf(shape, at), gf);
        const place = sequence * data.length + at;
        const { inputs, attributes } = run.tensor(name);
        assert.equal(keep, keeps(name, place, inputs[1].data, attributes.p), `${name} ${at}`);
      }
    }
  }
  made.dispose();
});

test('every reduction and form of the cross entropy, a softcap and masks of numbers', () => {
  for (const reduction of ['mean', 'sum', 'none']) {
    for (const given of [true, false]) {
      for (const weighted of [true, false]) {
        const tape = gf.tape();
        const x = tape.input('x', [3, 4]);
        const mask = tape.input('mask', [1, 4]);
        const w = tape.input('w', [4]);
        const q = given ? tape.input('q', [3, 4]) : tape.ids('q', [3]);
        const masked = tape.mask(tape.softcap(x, 2, 'capped'), { mask }, 'masked');
        const options = { reduction, labelSmoothing: 0.1, ignoreIndex: 2 };
        tape.crossEntropy(masked, q, weighted ? { ...options, weights: w } : options, 'loss');
        tape.logSoftmax(masked, 'log');
        tape.plan();
        x.set(gf.uniform([3, 4], { seed: 1, low: -2, high: 2 }));
        mask.set([[0.5, -1, 0.25, 2]]);
        w.set([1, 2, 0.5, 3]);
        q.set(given ? gf.softmax(gf.uniform([3, 4], { seed: 2 })) : Int32Array.of(1, 2, 0));
        tape.forward();
        for (const node of ['loss', 'log']) {
          const { shape, size } = tape.find(node);
          const gradient = new Float32Array(size);
          gradient[size - 1] = 1;
          tape.backward(node, gradient);
          const target = { node, index: indexOf(shape, size - 1) };
          assert.ok(checkRun(seen(tape), target, dice(4), 6) > 0);
        }
        tape.dispose();
      }
    }
  }
});

test('the ops of losses: differences, quotients, powers, roots, sums, means, the largest, parts', () => {
  const tape = gf.tape();
  const x = tape.input('x', [3, 4]);
  const max = tape.amax(x, { axis: 1, keepDims: true }, 'max');
  const shifted = tape.sub(x, max, 'shifted');
  const power = tape.exp(shifted, 'power');
  const share = tape.div(power, tape.sum(power, { axis: -1, keepDims: true }, 'total'), 'share');
  const lengths = tape.sqrt(tape.sum(tape.pow(x, 2, 'square'), { axis: 0 }, 'norm'), 'length');
  const logs = tape.log(share, 'logs');
  const scaled = tape.mul(
    logs,
    tape.reshape(tape.mean(x, { axis: 1 }, 'mean'), [-1, 1], 'column'),
    'scaled',
  );
  const part = tape.slice(tape.div(scaled, lengths, 'whole'), 1, 1, 3, 'part');
  const loss = tape.mean(tape.stack([part, part], 0, 'both'), {}, 'loss');
  tape.plan();
  x.set(gf.uniform([3, 4], { seed: 3, low: 0.5, high: 2 }));
  tape.forward();
  tape.backward(loss);
  assert.ok(checkRun(seen(tape), { node: 'loss', index: [0] }, dice(4), 12) > 50);
  tape.dispose();
});

test('the pencil: how the score of "love" for "I" moves the output', () => {
  const trace = traceExample(gf, 'i-love-robotics');
  const target = { node: 'output', index: [1, 0] };
  trace.gradient('output', [1, 0]);
  const { terms, gradient } = chain(trace, target, 'scores.scaled', [1, 0], gf);
  const third = Math.fround(1 / 3);
  /* d output / d weight is the value's channel: 2, 1, 1. */
  assert.deepEqual(
    terms.map(({ y, gradient: outer, formula }) => [y.node, y.index, outer, formula]),
    [
      ['weights', [1, 0], 2, 'y_i (1 - y_i)'],
      ['weights', [1, 1], 1, '-y_i y_j'],
      ['weights', [1, 2], 1, '-y_i y_j'],
    ],
  );
  assert.ok(Math.abs(terms[0].product - 2 * third * (1 - third)) < 1e-7);
  assert.ok(Math.abs(gradient - (4 / 9 - 1 / 9 - 1 / 9)) < 1e-6);
  const { seed, terms: none } = chain(trace, target, 'output', [1, 0], gf);
  assert.deepEqual([seed, none], [true, []]);
});

test('a frozen step passes nothing on, a bypassed one passes all on', () => {
  const edits = [{ node: 'weights', index: [0, 0], value: 0.5 }];
  const trace = traceExample(gf, 'hi-how', { remove: ['scale'], edits });
  const target = { node: 'output', index: [0, 0] };
  trace.gradient('output', [0, 0]);
  assert.deepEqual(chain(trace, target, 'scores.scaled', [0, 0], gf).terms, []);
  const free = traceExample(gf, 'hi-how', { remove: ['scale'] });
  free.gradient('output', [0, 0]);
  const [term] = chain(free, target, 'scores', [0, 0], gf).terms;
  assert.deepEqual([term.y.node, term.derivative, term.formula], ['scores.scaled', 1, '1']);
});

test('what is not there is refused', () => {
  const trace = traceExample(gf, sentence('a b'));
  const target = { node: 'output', index: [0, 0] };
  assert.throws(() => chain(trace, target, 'x', [0, 0], gf), { code: 'GF_ESTATE' });
  trace.gradient('output', [0, 0]);
  assert.throws(() => chain(trace, target, 'y', [0, 0], gf), { code: 'GF_ENAME' });
  assert.throws(() => chain(trace, target, 'x', [0, 99], gf), RangeError);
  assert.throws(() => chain(trace, target, 'tokens', [0], gf), /ids have no gradient/);
  const other = { node: 'output', index: [0, 1] };
  assert.throws(() => chain(trace, other, 'x', [0, 0], gf), { code: 'GF_ESTATE' });
});

test('a nudge: the actual change approaches the predicted one, and nothing stays changed', () => {
  for (const [name, remove] of [
    ['three-tokens', []],
    ['two-heads', ['scale']],
    ['masked', []],
  ]) {
    const trace = traceExample(gf, name, { remove });
    const before = trace.steps.map(({ data }) => [...data]);
    const roll = dice(9);
    for (const node of ['x', 'w_q', 'q', 'scores', 'weights', 'output']) {
      const { shape } = trace.step(node);
      const cell = { node, index: indexOf(shape, roll(sizeOf(shape))) };
      const target = { node: 'output', index: trace.step('output').shape.map(() => 0) };
      const [coarse, fine] = [0.1, 0.01].map((epsilon) => trace.nudge(cell, target, epsilon));
      assert.ok(Math.abs(fine.step - 0.01) < 1e-6);
      assert.equal(fine.actual, fine.after - fine.before);
      for (const { actual, predicted, step } of [coarse, fine]) {
        /* Second order in the step, and the rounding of the target. */
        assert.ok(Math.abs(actual - predicted) < 2 * step * step + 5e-7, `${name} ${node}`);
      }
      if (Math.abs(fine.predicted) > 1e-4) assert.ok(Math.abs(fine.ratio - 1) < 0.05);
    }
    trace.edit('x', [0, 0], before[0][0]);
    assert.deepEqual(
      trace.steps.map(({ data }) => [...data]),
      before,
    );
  }
});

test('a nudge against float64 central differences', () => {
  const name = 'three-tokens';
  const steps = reference(examples[name]);
  const trace = traceExample(gf, name);
  const h = 1e-5;
  const forward = (node, at, d) => {
    const values = new Map();
    for (const step of steps) {
      const value = step.formula
        ? step.formula(...step.inputs.map((input) => values.get(input)))
        : { ...step.value };
      if (step.name === node) value.data = value.data.with(at, value.data[at] + d);
      values.set(step.name, value);
    }
    return values.get('output').data[3];
  };
  for (const node of ['x', 'w_k', 'k', 'scores.scaled', 'weights']) {
    const cell = { node, index: indexOf(trace.step(node).shape, 1) };
    const { predicted, step } = trace.nudge(cell, { node: 'output', index: [1, 1] }, 0.01);
    const expected = (forward(node, 1, h) - forward(node, 1, -h)) / (2 * h);
    assert.ok(Math.abs(predicted / step - expected) < 1e-5, `${node}: ${predicted / step}`);
  }
});

test('a nudge of what does not matter, of ids, of an infinity', () => {
  const trace = traceExample(gf, 'masked');
  const target = { node: 'output', index: [0, 0] };
  const still = trace.nudge({ node: 'q', index: [2, 0] }, target, 0.1);
  assert.deepEqual([still.predicted, still.actual, still.ratio], [0, 0, null]);
  const after = trace.nudge({ node: 'output', index: [1, 1] }, { node: 'q', index: [0, 0] }, 0.1);
  assert.deepEqual([after.predicted, after.actual, after.ratio], [0, 0, null]);
  assert.throws(
    () => trace.nudge({ node: 'scores.masked', index: [0, 2] }, target, 0.1),
    RangeError,
  );
  assert.throws(() => trace.nudge({ node: 'q', index: [0, 0] }, target, 1e39), RangeError);
  const words = traceExample(gf, sentence('a b'));
  assert.throws(() => words.nudge({ node: 'tokens', index: [0] }, target, 1), TypeError);
});
