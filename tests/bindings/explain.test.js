import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ops } from '../../bindings/build/table.js';
import { stories } from '../../bindings/generated/ops.js';
import { examples, explain, load, sentence, traceExample } from '../../bindings/index.js';
import { byFormula, defined } from '../reference/ops64.js';
import { check, UNTOLD } from './told.js';

const gf = await load();
/** A tape seen as explain sees a trace. */
const seen = (tape) => ({
  step: (name) => {
    const { op, kind, shape, attributes, bypassed, frozen, inputs, data } = tape.find(name);
    const names = inputs.map((input) => input?.name ?? null);
    const copied = data.slice();
    return {
      name,
      op,
      kind,
      shape,
      attributes,
      bypassed,
      frozen,
      inputs: names,
      data: copied,
      from: 0,
    };
  },
});

for (const name of Object.keys(examples)) {
  test(`${name}: every explanation arrives at its cell's bits`, () => {
    const trace = traceExample(gf, name);
    assert.ok(check(gf, trace, trace.steps) > 0);
  });
}

test('so do those of sentences, with heads, a mask, removals and edits', () => {
  const words = sentence('the dog, the cat', { heads: 2, causal: true, dModel: 12 });
  const options = {
    remove: ['positions', 'softmax'],
    edits: [{ node: 'scores', index: [1, 2, 0], value: 5 }],
  };
  for (const trace of [traceExample(gf, words), traceExample(gf, words, options)])
    check(gf, trace, trace.steps);
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
    check(gf, seen(tape), tape.nodes);
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
  check(gf, seen(tape), tape.nodes);
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
    check(gf, seen(tape), tape.nodes);
    tape.dispose();
  }
});

test('every op of the table is explained, and has a definition in float64', () => {
  assert.ok(ops.length > 30);
  assert.deepEqual(
    ops.filter((op) => !(op in stories)),
    UNTOLD,
  );
  assert.deepEqual(
    ops.filter((op) => !(op in defined)),
    ['leaf', ...UNTOLD],
  );
});

test('functions of two, b repeated', () => {
  const tape = gf.tape();
  const fills = [];
  const a = leaf(tape, fills, 'a', [2, 3, 4]);
  for (const shape of [[2, 3, 4], [3, 4], [4], [2, 1, 4], [3, 1], [1], [2, 1, 1]]) {
    const b = leaf(tape, fills, `b.${shape}`, shape);
    for (const op of ['add', 'sub', 'mul', 'div']) tape[op](a, b, `${op}.${shape}`);
  }
  tape.plan();
  for (const fill of fills) fill();
  tape.forward();
  check(gf, seen(tape), tape.nodes);
  tape.dispose();
});

test('functions of one number, for numbers of every size', () => {
  const tape = gf.tape();
  const x = tape.input('x', [1, 23]);
  const up = tape.input('up', [1, 23]);
  for (const op of ['relu', 'sigmoid', 'tanh', 'erf', 'exp', ...byFormula]) tape[op](x, op);
  tape.gelu(x, {}, 'gelu');
  tape.gelu(x, { approximate: 'tanh' }, 'gelu.tanh');
  for (const factor of [1, 1.702]) {
    tape.silu(x, factor, `silu.${factor}`);
    tape.swiglu(x, up, factor, `swiglu.${factor}`);
  }
  tape.softcap(x, 5, 'softcap');
  tape.plan();
  const sizes = [0, 1e-8, 1e-3, 0.1, 0.5, 0.7, 1, 1.5, 2, 3, 4.5, 8];
  x.set([[...sizes.slice(1).map((size) => -size), ...sizes]]);
  up.set(gf.uniform([1, 23], { seed: 1, low: -2, high: 2 }));
  tape.forward();
  check(gf, seen(tape), tape.nodes);
  tape.dispose();
});

test('norms and the logarithm of a softmax, for rows of every length', () => {
  for (const width of [1, 2, 3, 4, 5, 7, 8, 9, 17, 64]) {
    const tape = gf.tape();
    const fills = [];
    const x = leaf(tape, fills, 'x', [3, width], 4);
    const gain = leaf(tape, fills, 'gain', [width]);
    tape.layerNorm(x, gain, leaf(tape, fills, 'bias', [width]), 1e-5, 'layer');
    tape.rmsNorm(x, gain, 1e-6, 'rms');
    tape.rmsNorm(x, null, 1e-6, 'rms.plain');
    tape.logSoftmax(x, 'log');
    tape.topK(x, Math.min(3, width), 'largest');
    tape.topKIds(x, Math.min(3, width), 'places');
    tape.plan();
    for (const fill of fills) fill();
    tape.forward();
    check(gf, seen(tape), tape.nodes);
    tape.dispose();
  }
});

test('turns by position and slopes by distance', () => {
  for (const interleaved of [false, true]) {
    const tape = gf.tape();
    const fills = [];
    const positions = tape.ids('positions', [2, 3]);
    const rotation = tape.rotation(positions, 4, 10000, 'rotation');
    const alone = tape.rotation(tape.ids('alone', [3]), 6, 500, 'rotation.alone');
    const x = leaf(tape, fills, 'x', [2, 3, 3, 6]);
    tape.rope(x, rotation, { interleaved }, 'turned');
    tape.rope(x, alone, { interleaved }, 'turned.alone');
    const at = tape.ids('at', [1]);
    tape.alibi(leaf(tape, fills, 'scores', [2, 3, 2, 5]), at, 'biased');
    tape.alibi(x, null, 'biased.alone');
    tape.plan();
    for (const fill of fills) fill();
    positions.set([
      [0, 1, 2],
      [7, 100, 3],
    ]);
    tape.find('alone').set([4, 5, 6]);
    at.set([3]);
    tape.forward();
    check(gf, seen(tape), tape.nodes);
    tape.dispose();
  }
});

test('losses of every reduction, smoothed, weighed, of ids and of probabilities', () => {
  for (const reduction of ['mean', 'sum', 'none']) {
    const tape = gf.tape();
    const fills = [];
    const logits = leaf(tape, fills, 'logits', [2, 3, 7], 3);
    const weights = tape.input('weights', [7]);
    const ids = tape.ids('ids', [2, 3]);
    const shares = tape.softmax(leaf(tape, fills, 'other', [2, 3, 7]), 'shares');
    tape.crossEntropy(logits, ids, { reduction }, 'plain');
    tape.crossEntropy(logits, ids, { reduction, labelSmoothing: 0.1 }, 'smoothed');
    tape.crossEntropy(logits, ids, { reduction, weights, labelSmoothing: 0.2 }, 'weighed');
    tape.crossEntropy(logits, shares, { reduction, weights }, 'given');
    tape.plan();
    for (const fill of fills) fill();
    weights.set([1, 2, 0.5, 0, 1, 3, 1]);
    ids.set([
      [0, 6, -100],
      [2, 3, 3],
    ]);
    tape.forward();
    check(gf, seen(tape), tape.nodes);
    tape.dispose();
  }
});

test('what an axis comes to, and all of them', () => {
  const tape = gf.tape();
  const fills = [];
  const x = leaf(tape, fills, 'x', [2, 5, 3]);
  for (const op of ['sum', 'mean', 'amax'])
    for (const axis of [0, 1, 2, -1, undefined])
      for (const keepDims of [false, true])
        tape[op](
          x,
          axis === undefined ? { keepDims } : { axis, keepDims },
          `${op}.${axis}.${keepDims}`,
        );
  tape.reshape(x, [3, -1], 'reshaped');
  tape.slice(x, 1, 1, 4, 'part');
  tape.slice(x, -1, 2, 3, 'last');
  tape.pow(x, 3, 'cube');
  tape.plan();
  for (const fill of fills) fill();
  tape.forward();
  check(gf, seen(tape), tape.nodes);
  tape.dispose();
});

test('what is only moved: gathered, joined, kept', () => {
  const tape = gf.tape();
  const fills = [];
  const x = leaf(tape, fills, 'x', [2, 3, 4]);
  const ids = tape.ids('ids', [2]);
  for (const axis of [0, 1, 2]) {
    tape.gather(x, ids, axis, `gather.${axis}`);
    tape.concat(x, leaf(tape, fills, `more.${axis}`, [2, 3, 4]), axis, `concat.${axis}`);
  }
  const at = tape.ids('at', [1]);
  tape.cache(leaf(tape, fills, 'keys', [1, 2, 1, 4]), at, 3, 'cache');
  tape.plan();
  for (const fill of fills) fill();
  ids.set([1, 0]);
  at.set([1]);
  tape.forward();
  const trace = seen(tape);
  check(gf, trace, tape.nodes);
  const told = (row) => explain(trace, 'cache', [0, 1, row, 2], gf);
  assert.deepEqual(told(1).from.index, [0, 1, 0, 2]);
  assert.equal(told(1).from.value, told(1).value);
  assert.equal(told(0).from, undefined, 'what earlier runs left has no cell any more');
  tape.dispose();
});

test('dropout keeps and drops, be it a 0', () => {
  const tape = gf.tape();
  const fills = [];
  const key = tape.ids('key', [2]);
  const x = leaf(tape, fills, 'x', [4, 9]);
  tape.dropout(x, key, 0.3, 'dropped');
  tape.dropout(tape.input('zeros', [4, 9]), key, 0.5, 'zeros.dropped');
  tape.plan();
  for (const fill of fills) fill();
  x.data.set([Number.NaN, Number.POSITIVE_INFINITY, -0, 1e-45]);
  key.set([1, -2]);
  tape.forward();
  check(gf, seen(tape), tape.nodes);
  const kept = seen(tape)
    .step('dropped')
    .data.filter((value) => value !== 0).length;
  assert.ok(kept > 15 && kept < 36, `${kept} of 36`);
  tape.dispose();
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
  const trace = traceExample(gf, {
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
  const { terms, value, bias } = explain(traceExample(gf, 'i-love-robotics'), 'scores', [1, 0], gf);
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
  const told = explain(traceExample(gf, 'positions'), 'pe.4', [1, 3], gf);
  assert.deepEqual([told.position, told.fn, told.pair], [1, 'cos', 1]);
  assert.ok(Math.abs(told.angle - 0.01) < 1e-15);
});

test('frozen and bypassed cells are told as what they are', () => {
  const edits = [{ node: 'scores', index: [0, 0], value: 9 }];
  const trace = traceExample(gf, 'hi-how', { remove: ['scale'], edits });
  const frozen = explain(trace, 'scores', [0, 0], gf);
  assert.deepEqual([frozen.value, frozen.frozen, frozen.terms], [9, true, undefined]);
  const copied = explain(trace, 'scores.scaled', [0, 0], gf);
  assert.deepEqual([copied.bypassed, copied.from.node, copied.from.value], [0, 'scores', 9]);
});

test('a cell that is not there is refused', () => {
  const trace = traceExample(gf, 'hi-how');
  assert.throws(
    () => explain(trace, 'score', [0, 0], gf),
    /no step "score" \(did you mean "scores"/,
  );
  assert.throws(() => explain(trace, 'scores', [0, 2], gf), /\[0,2\] is not a cell of \[2,2\]/);
  assert.throws(() => explain(trace, 'scores', [0], gf), /expected an index into \[2,2\]/);
  assert.throws(() => explain(trace, 'scores', [0, 0.5], gf), RangeError);
  assert.throws(() => explain(trace, 'scores', 'ab', gf), /received "ab"/);
});
