import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, explain, load, sentence } from '../../bindings/index.js';

const gf = await load();
const f32 = Math.fround;
const same = (actual, expected, where) =>
  assert.ok(Object.is(actual, expected), `${where}: ${actual} instead of ${expected}`);

/** A tape seen as explain sees a trace. */
const seen = (tape) => ({
  step: (name) => {
    const { op, kind, shape, attributes, bypassed, frozen, inputs, data } = tape.find(name);
    const names = inputs.map((input) => input?.name ?? null);
    return { name, op, kind, shape, attributes, bypassed, frozen, inputs: names, data };
  },
});

const flat = (shape, index) => index.reduce((at, i, axis) => at * shape[axis] + i, 0);

function indexOf(shape, at) {
  const index = [];
  let rest = at;
  for (const d of [...shape].reverse()) {
    index.unshift(rest % d);
    rest = (rest - (rest % d)) / d;
  }
  return index;
}

/** The value that an explanation arrives at. */
const conclusions = {
  linear: ({ terms, bias }) => (bias ? f32(terms.at(-1).sum + bias.value) : terms.at(-1).sum),
  matmul: ({ terms }) => terms.at(-1).sum,
  scale: ({ x, factor }) => f32(factor * x.value),
  add: ({ a, b }) => f32(a.value + b.value),
  mask: ({ x, keep, added }) => (keep ? f32(x.value + (added ?? 0)) : Number.NEGATIVE_INFINITY),
  softmax: ({ total, numerator }) => (total === 0 ? 0 : f32(numerator / total)),
  layer_norm: ({ normalised, gain, bias }) => {
    const scaled = gain ? f32(normalised * gain.value) : normalised;
    return bias ? f32(scaled + bias.value) : scaled;
  },
  embed: ({ row }) => row.value,
  heads: ({ from }) => from.value,
};

/** Every cell that is spoken of has the value that its step has there. */
function checkCells(trace, told, where) {
  if (typeof told !== 'object' || told === null) return;
  if (told.node !== undefined) {
    const { shape, data } = trace.step(told.node);
    assert.equal(told.index.length, shape.length, where);
    same(told.value, data[flat(shape, told.index)], where);
  }
  for (const part of Object.values(told)) checkCells(trace, part, where);
}

/** Explains every cell of a step; returns how many. */
function checkStep(trace, name) {
  const { op, shape, data, bypassed, frozen } = trace.step(name);
  data.forEach((value, at) => {
    const index = indexOf(shape, at);
    const where = `${name}[${index}]`;
    const told = explain(trace, name, index, gf);
    checkCells(trace, told, where);
    assert.deepEqual([told.node, told.op, told.bypassed], [name, op, bypassed]);
    if (frozen || op === 'leaf') return;
    if (bypassed !== null) same(told.from.value, value, where);
    else if (op === 'position') {
      const { angle, fn } = told;
      assert.ok(Math.abs(Math[fn](angle) - value) < 1e-6, where);
    } else same(conclusions[op](told), value, where);
    for (const { a, b, product } of told.terms ?? []) same(product, f32(a.value * b.value), where);
  });
  return data.length;
}

const check = (trace, steps) =>
  steps.reduce((cells, { name }) => cells + checkStep(trace, name), 0);

for (const name of Object.keys(examples)) {
  test(`${name}: every explanation arrives at its cell's bits`, () => {
    const trace = gf.trace(name);
    assert.ok(check(trace, trace.steps) > 0);
  });
}

test('so do those of sentences, with heads, a mask, removals and edits', () => {
  const words = sentence('the dog, the cat', { heads: 2, causal: true, dModel: 12 });
  const options = {
    remove: ['positions', 'softmax'],
    edits: [{ node: 'scores', index: [1, 2, 0], value: 5 }],
  };
  for (const trace of [gf.trace(words), gf.trace(words, options)]) check(trace, trace.steps);
});

/** A leaf filled with numbers of its own. */
function leaf(tape, fills, name, shape, spread = 1) {
  const tensor = tape.input(name, shape);
  fills.push(() => {
    const seed = fills.length;
    tensor.set(gf.uniform(shape, { seed, stream: name.length, low: -spread, high: spread }));
  });
  return tensor;
}

test('sums beyond one block of 256 are told in the order of the core', () => {
  for (const depth of [255, 256, 257, 511, 512, 513, 700]) {
    const tape = gf.tape();
    const fills = [];
    const [x, w] = [leaf(tape, fills, 'x', [3, depth]), leaf(tape, fills, 'w', [depth, 5])];
    const [a, b] = [leaf(tape, fills, 'a', [2, 3, depth]), leaf(tape, fills, 'b', [2, 4, depth])];
    tape.linear(x, w, leaf(tape, fills, 'bias', [5]), 'y');
    tape.matmulTransposed(a, b, 'scores');
    tape.plan();
    for (const fill of fills) fill();
    tape.forward();
    check(seen(tape), tape.nodes);
    tape.dispose();
  }
});

test('fewer heads of keys, an offset, sinusoids in halves', () => {
  const tape = gf.tape();
  const fills = [];
  const [q, k, v] = [8, 4, 6].map((width, i) => leaf(tape, fills, 'qkv'[i], [2, 3, width]));
  tape.attention({ query: q, key: k, value: v, heads: 4, kvHeads: 2, causal: true, offset: 1 });
  const positions = tape.ids('positions', [3]);
  tape.position(positions, 5, { halves: true }, 'halves');
  tape.plan();
  for (const fill of fills) fill();
  positions.set([0, 3, 7]);
  tape.forward();
  check(seen(tape), tape.nodes);
  tape.dispose();
});

test('batches, masks of every kind, rows of every length', () => {
  for (const keys of [1, 2, 3, 4, 5, 7, 8, 9, 17]) {
    const tape = gf.tape();
    const fills = [];
    const spread = 20;
    const [q, k, v] = ['q', 'k', 'v'].map((n) => leaf(tape, fills, n, [2, keys, 6], spread));
    const added = leaf(tape, fills, 'added', [1, keys]);
    const kept = tape.ids('kept', [2, 1, 1, keys]);
    const lengths = tape.ids('lengths', [2]);
    const common = { query: q, key: k, value: v };
    tape.attention({ ...common, heads: 2, causal: true, mask: kept }, 'a');
    tape.attention({ ...common, heads: 3, mask: added, lengths }, 'b');
    tape.attention({ ...common, mask: added, causal: true, lengths }, 'c');
    tape.add(tape.find('a.output'), leaf(tape, fills, 'row', [6]), 'sum');
    tape.plan();
    for (const fill of fills) fill();
    kept.set({ data: Int32Array.from({ length: 2 * keys }, (_, i) => (i % 3 ? i : 0)) });
    added.data[0] = Number.NEGATIVE_INFINITY;
    lengths.set([keys - 1, -1]);
    tape.forward();
    check(seen(tape), tape.nodes);
    tape.dispose();
  }
});

test('a masked score says why', () => {
  const tape = gf.tape();
  const x = tape.input('x', [1, 3, 3]);
  const kept = tape.ids('kept', [3]);
  const lengths = tape.ids('lengths', [1]);
  const added = tape.input('added', [3]);
  tape.mask(x, { causal: true, mask: kept, lengths }, 'm');
  tape.mask(x, { mask: added }, 'n');
  tape.plan();
  kept.set([0, 1, 1]);
  lengths.set([2]);
  added.set([-3, Number.NEGATIVE_INFINITY, 0]);
  tape.forward();
  const reason = (node, index) => {
    const { keep, reason: why, added: bias } = explain(seen(tape), node, index, gf);
    return [keep, why, bias];
  };
  assert.deepEqual(reason('m', [0, 0, 1]), [false, 'causal', null]);
  assert.deepEqual(reason('m', [0, 2, 2]), [false, 'padding', null]);
  assert.deepEqual(reason('m', [0, 1, 0]), [false, 'mask', null]);
  assert.deepEqual(reason('m', [0, 1, 1]), [true, 'kept', null]);
  assert.deepEqual(reason('n', [0, 0, 0]), [true, 'added', -3]);
  assert.deepEqual(reason('n', [0, 0, 1]), [false, 'mask', null]);
  assert.deepEqual(reason('n', [0, 0, 2]), [true, 'added', 0]);
});

test('a softmax is told with its maximum, its exponentials and their sum', () => {
  const trace = gf.trace({
    ...examples['the-cat-sat'],
    attention: { causal: true },
    printed: {},
    asides: [],
  });
  const told = explain(trace, 'weights', [1, 0], gf);
  assert.equal(told.max, 4);
  assert.deepEqual(
    told.row.map(({ value, shifted }) => [value, shifted]),
    [
      [0, -4],
      [4, 0],
      [-Infinity, -Infinity],
    ],
  );
  assert.ok(Math.abs(told.row[0].exp - Math.exp(-4)) < 1e-8);
  assert.ok(Math.abs(told.total - 1 - Math.exp(-4)) < 1e-7);
});

test('the pencil: q of "love" times k of "I" is 1·2 + 1·1 + 1·1', () => {
  const { terms, value, bias } = explain(gf.trace('i-love-robotics'), 'scores', [1, 0], gf);
  assert.deepEqual(
    terms.map(({ a, b, product, sum }) => [a.node, a.index, b.node, b.index, product, sum]),
    [
      ['q', [1, 0], 'k', [0, 0], 2, 2],
      ['q', [1, 1], 'k', [0, 1], 1, 3],
      ['q', [1, 2], 'k', [0, 2], 1, 4],
    ],
  );
  assert.equal(value, 4);
  assert.equal(bias, null);
});

test('a position is an angle and a function of it', () => {
  const told = explain(gf.trace('positions'), 'pe.4', [1, 3], gf);
  assert.deepEqual([told.position, told.fn, told.pair], [1, 'cos', 1]);
  assert.ok(Math.abs(told.angle - 0.01) < 1e-15);
});

test('frozen and bypassed cells are told as what they are', () => {
  const edits = [{ node: 'scores', index: [0, 0], value: 9 }];
  const trace = gf.trace('hi-how', { remove: ['scale'], edits });
  const frozen = explain(trace, 'scores', [0, 0], gf);
  assert.deepEqual([frozen.value, frozen.frozen, frozen.terms], [9, true, undefined]);
  const copied = explain(trace, 'scores.scaled', [0, 0], gf);
  assert.deepEqual([copied.bypassed, copied.from.node, copied.from.value], [0, 'scores', 9]);
});

test('a cell that is not there is refused', () => {
  const trace = gf.trace('hi-how');
  assert.throws(
    () => explain(trace, 'score', [0, 0], gf),
    /no step "score" \(did you mean "scores"/,
  );
  assert.throws(() => explain(trace, 'scores', [0, 2], gf), /\[0,2\] is no cell of \[2,2\]/);
  assert.throws(() => explain(trace, 'scores', [0], gf), /expected an index into \[2,2\]/);
  assert.throws(() => explain(trace, 'scores', [0, 0.5], gf), RangeError);
  assert.throws(() => explain(trace, 'scores', 'ab', gf), /received "ab"/);
});
