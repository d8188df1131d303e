// The tape's methods: each makes the op that its name says, with its attributes, and runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ops, plainOps } from '../../bindings/build/table.js';
import { load } from '../../bindings/index.js';
import * as naive from './naive.js';

const gf = await load();
const { numbers } = naive;

/** What each method makes of x [2,4], y [2,4], gain [4], square [4,4], t: ids [2], at: ids [1], key: ids [2]. */
const MADE = [
  [(t) => t.tape.embed(t.x, t.t, 'n'), 'embed', [2, 4], {}],
  [(t) => t.tape.scale(t.x, 3, 'n'), 'scale', [2, 4], { factor: 3 }],
  [(t) => t.tape.linear(t.x, t.square, t.gain, 'n'), 'linear', [2, 4], {}],
  [(t) => t.tape.matmul(t.x, t.square, 'n'), 'matmul', [2, 4], { transposed: 0 }],
  [(t) => t.tape.matmulTransposed(t.x, t.y, 'n'), 'matmul', [2, 2], { transposed: 1 }],
  [(t) => t.tape.splitHeads(t.x, 2, 'n'), 'heads', [2, 2, 2], { split: 1, heads: 2 }],
  [(t) => t.tape.concatHeads(t.scores, 'n'), 'heads', [2, 4], { split: 0, heads: 0 }],
  [
    (t) => t.tape.position(t.t, 4, { halves: true }, 'n'),
    'position',
    [2, 4],
    { channels: 4, halves: 1 },
  ],
  [(t) => t.tape.rotation(t.t, 4, 100, 'n'), 'rotation', [2, 2, 2], { dimensions: 4, base: 100 }],
  [
    (t) => t.tape.rope(t.x, t.turns, { interleaved: true }, 'n'),
    'rope',
    [2, 4],
    { interleaved: 1 },
  ],
  [(t) => t.tape.alibi(t.scores, t.at, 'n'), 'alibi', [2, 2, 2], {}],
  [(t) => t.tape.alibi(t.scores, null, 'n'), 'alibi', [2, 2, 2], {}],
  [(t) => t.tape.layerNorm(t.x, t.gain, null, 0.5, 'n'), 'layer_norm', [2, 4], { epsilon: 0.5 }],
  [(t) => t.tape.rmsNorm(t.x, t.gain, 0.5, 'n'), 'rms_norm', [2, 4], { epsilon: 0.5 }],
  [(t) => t.tape.topK(t.x, 3, 'n'), 'top_k', [2, 3], { k: 3, ids: 0 }],
  [(t) => t.tape.topKIds(t.x, 3, 'n'), 'top_k', [2, 3], { k: 3, ids: 1 }],
  [(t) => t.tape.gelu(t.x, {}, 'n'), 'gelu', [2, 4], { tanh_form: 0 }],
  [(t) => t.tape.gelu(t.x, { approximate: 'tanh' }, 'n'), 'gelu', [2, 4], { tanh_form: 1 }],
  [(t) => t.tape.silu(t.x, 2, 'n'), 'silu', [2, 4], { factor: 2 }],
  [(t) => t.tape.softcap(t.x, 3, 'n'), 'softcap', [2, 4], { cap: 3 }],
  [(t) => t.tape.swiglu(t.x, t.y, 2, 'n'), 'swiglu', [2, 4], { factor: 2 }],
  [(t) => t.tape.dropout(t.x, t.key, 0.5, 'n'), 'dropout', [2, 4], { p: 0.5 }],
  [
    (t) =>
      t.tape.crossEntropy(t.x, t.t, { weights: t.gain, ignoreIndex: 3, labelSmoothing: 0.5 }, 'n'),
    'cross_entropy',
    [1],
    { reduction: 0, ignore_index: 3, smoothing: 0.5 },
  ],
  [
    (t) => t.tape.crossEntropy(t.x, t.y, { reduction: 'none' }, 'n'),
    'cross_entropy',
    [2],
    { reduction: 2, ignore_index: -100, smoothing: 0 },
  ],
  [(t) => t.tape.transpose(t.scores, [2, 0, 1], 'n'), 'transpose', [2, 2, 2], {}],
  [(t) => t.tape.pow(t.x, 3, 'n'), 'pow', [2, 4], { exponent: 3 }],
  [(t) => t.tape.sum(t.x, { axis: 1 }, 'n'), 'sum', [2], { axis: 1, keep_dims: 0 }],
  [
    (t) => t.tape.mean(t.x, { axis: -2, keepDims: true }, 'n'),
    'mean',
    [1, 4],
    { axis: -2, keep_dims: 1 },
  ],
  [(t) => t.tape.amax(t.x, {}, 'n'), 'amax', [1], { axis: 2 ** 31 - 1, keep_dims: 0 }],
  [(t) => t.tape.reshape(t.x, [4, -1], 'n'), 'reshape', [4, 2], {}],
  [(t) => t.tape.slice(t.x, -1, 1, 3, 'n'), 'slice', [2, 2], { axis: -1, start: 1, end: 3 }],
  [(t) => t.tape.stack([t.x, t.y, t.x], -1, 'n'), 'concat', [2, 4, 3], { axis: 2 }],
  [(t) => t.tape.concat(t.x, t.y, 1, 'n'), 'concat', [2, 8], { axis: 1 }],
  [(t) => t.tape.gather(t.x, t.t, 1, 'n'), 'gather', [2, 2], { axis: 1 }],
  [(t) => t.tape.cache(t.heads, t.at, 5, 'n'), 'cache', [1, 1, 5, 2], { capacity: 5 }],
  [
    (t) => t.tape.mask(t.scores, { causal: true, offset: 1 }, 'n'),
    'mask',
    [2, 2, 2],
    { causal: 1, offset: 1 },
  ],
];

for (const [method, { op, operands }] of Object.entries(plainOps)) {
  const make = (t) => t.tape[method](...[t.x, t.y].slice(0, operands), 'n');
  MADE.push([make, op, [2, 4], {}, method]);
}

/** Leaves of every kind, filled. */
function leaves() {
  const tape = gf.tape();
  const all = {
    tape,
    x: tape.input('x', [2, 4]),
    y: tape.input('y', [2, 4]),
    gain: tape.parameter('gain', [4]),
    square: tape.parameter('square', [4, 4]),
    t: tape.ids('t', [2]),
    at: tape.ids('at', [1]),
    key: tape.ids('key', [2]),
    scores: tape.input('scores', [2, 2, 2]),
    heads: tape.input('heads', [1, 1, 2, 2]),
  };
  return { ...all, turns: tape.rotation(all.t, 2, 10000, 'turns') };
}

for (const [make, op, shape, attributes, method] of MADE) {
  const name =
    method ??
    String(make)
      .replace(/^.*?tape\./s, '')
      .replace(/\s+/g, ' ');
  test(`tape.${name}`, () => {
    const all = leaves();
    const node = make(all);
    assert.equal(node.op, op);
    assert.deepEqual(node.shape, shape);
    assert.deepEqual(node.attributes, attributes);
    all.tape.plan();
    all.x.set(numbers(2, 4));
    all.t.set([1, 0]);
    all.tape.forward();
    assert.equal(node.data.length, node.size);
    if (!(node.data instanceof Int32Array))
      all.tape.backward(node, new Float32Array(node.size).fill(1));
    all.tape.dispose();
  });
}

test('so does the method of every op', () => {
  const made = MADE.map(([, op]) => op);
  assert.deepEqual(
    ops.filter((op) => !made.includes(op)),
    ['leaf', 'attention'],
  );
});

test('places of the largest are ids, and choose as such', () => {
  const tape = gf.tape();
  const x = tape.input('x', [4]);
  const places = tape.topKIds(x, 2, 'places');
  const largest = tape.gather(x, places, 0, 'largest');
  tape.plan();
  x.set([1, 7, 3, 5]);
  tape.forward();
  assert.deepEqual([...places.data], [1, 3]);
  assert.ok(places.data instanceof Int32Array);
  assert.equal(places.grad, null);
  assert.deepEqual([...largest.data], [7, 5]);
  tape.dispose();
});

test('dropout depends on seed, step and name, and a bypass switches it off', () => {
  const tape = gf.tape();
  const x = tape.input('x', [1000]);
  const key = tape.ids('key', [2]);
  const [a, b] = ['a', 'b'].map((name) => tape.dropout(x, key, 0.25, name));
  tape.plan();
  x.data.fill(3);
  const kept = (node, seed, step) => {
    key.set([seed, step]);
    tape.forward();
    return [...node.data].map((value) => value !== 0);
  };
  const once = kept(a, 1, 1);
  assert.deepEqual(kept(a, 1, 1), once);
  for (const other of [kept(a, 2, 1), kept(a, 1, 2), kept(b, 1, 1)])
    assert.notDeepEqual(other, once);
  const share = once.filter(Boolean).length / 1000;
  assert.ok(Math.abs(share - 0.75) < 0.06, `${share} are kept`);
  kept(a, 1, 1);
  assert.ok(a.data.every((value) => value === 0 || value === 4));
  tape.bypass(a);
  assert.ok(kept(a, 1, 1).every(Boolean));
  tape.dispose();
});

test('a cached decoding step gives what the whole sequence gives', () => {
  const [time, width] = [5, 4];
  const x = numbers(time, width);
  const whole = gf.attention({ q: x, k: x, v: x, heads: 2, causal: true }).output;
  const tape = gf.tape();
  const token = tape.input('token', [1, 1, width]);
  const [at, lengths] = [tape.ids('at', [1]), tape.ids('lengths', [1])];
  const inputs = { query: token, key: token, value: token, heads: 2, at, capacity: time, lengths };
  const output = tape.attention(inputs);
  tape.plan();
  for (let i = 0; i < time; i++) {
    token.set([[x[i]]]);
    at.set([i]);
    lengths.set([i + 1]);
    tape.forward();
    assert.ok(naive.distance(output.toArray(), [[whole[i]]]) < 1e-6, `token ${i}`);
  }
  tape.dispose();
});

test('attention turns, biases and caps, in named steps', () => {
  const tape = gf.tape();
  const x = tape.input('x', [2, 3, 8]);
  const rotation = tape.rotation(tape.ids('positions', [3]), 4, 10000, 'rotation');
  const given = { query: x, key: x, value: x, heads: 2, rotation, interleaved: true };
  tape.attention({ ...given, alibi: true, softcap: 2, causal: true, offset: 1 }, 'a');
  assert.deepEqual(
    tape.nodes.filter(({ name }) => name.startsWith('a.')).map(({ name, op }) => `${name} ${op}`),
    [
      ...['a.q.heads heads', 'a.k.heads heads', 'a.v.heads heads'],
      ...['a.q.rotated rope', 'a.k.rotated rope', 'a.scores matmul', 'a.scores.scaled scale'],
      ...['a.scores.capped softcap', 'a.scores.biased alibi', 'a.scores.masked mask'],
      ...['a.weights softmax', 'a.mix matmul', 'a.output heads'],
    ],
  );
  assert.equal(tape.find('a.q.rotated').attributes.interleaved, 1);
  assert.deepEqual(tape.find('a.scores.masked').attributes, { causal: 1, offset: 1 });
  const two = { query: x, key: x, value: tape.input('v', [2, 3, 4]), heads: 4 };
  assert.throws(() => tape.attention({ ...two, kvHeads: 3 }, 'b'), { code: 'GF_ERANGE' });
  assert.throws(
    () => tape.attention({ ...given, at: tape.ids('at', [1]) }, 'c'),
    /the option at needs capacity/,
  );
  tape.dispose();
});

test('wrong arguments are told with the method and the value', () => {
  const { tape, x, y, t, gain, scores } = leaves();
  for (const [call, pattern] of [
    [() => tape.layerNorm(x, 1, null, 1e-5, 'n'), /layerNorm: gain: expected a Tensor, received 1/],
    [
      () => tape.layerNorm(x, null, null, undefined, 'n'),
      /layerNorm: epsilon: .* received undefined/,
    ],
    [() => tape.layerNorm(x, null, null, -1, 'n'), /epsilon must be 0 or above, received -1/],
    [() => tape.rmsNorm(x, null, 'a', 'n'), /rmsNorm: epsilon: .* received "a"/],
    [
      () => tape.gelu(x, { approximate: 'tan' }, 'n'),
      /gelu: approximate: expected one of "none", "tanh", received "tan"/,
    ],
    [() => tape.gelu(x, 'n'), /gelu: expected an object of options, received "n"/],
    [() => tape.position(t, 4, { half: true }, 'n'), /"half" \(did you mean "halves"\?\)/],
    [() => tape.position(t, 4, { halves: 1 }, 'n'), /position: halves: .* received 1/],
    [() => tape.rope(x, t, {}, 'n'), /n: rope/],
    [() => tape.softcap(x, 0, 'n'), /cap must be above 0, received 0/],
    [() => tape.dropout(x, t, 1, 'n'), /p must be from 0 to below 1, received 1/],
    [
      () => tape.crossEntropy(x, t, { reduction: 'avg' }, 'n'),
      /reduction: expected one of "mean", "sum", "none", received "avg"/,
    ],
    [
      () => tape.crossEntropy(x, t, { weights: [1] }, 'n'),
      /weights: expected a Tensor, received an array/,
    ],
    [
      () => tape.crossEntropy(x, t, { labelSmoothing: 2 }, 'n'),
      /smoothing must be from 0 to 1, received 2/,
    ],
    [
      () => tape.transpose(x, [0], 'n'),
      /transpose: order: expected each axis of \[2,4\] once, received \[0\]/,
    ],
    [
      () => tape.transpose(x, [0, 0], 'n'),
      /transpose: order: expected each axis of \[2,4\] once, received \[0,0\]/,
    ],
    [() => tape.concat(x, y, 2, 'n'), /n: concat: axis 2 is out of range for \[2,4\] x \[2,4\]/],
    [() => tape.gather(x, y, 0, 'n'), /n: gather/],
    [() => tape.topK(x, 5, 'n'), /n: topK: k 5 is out of range/],
    [() => tape.topKIds(x, 0.5, 'n'), /topKIds: k: .* received 0.5/],
    [() => tape.mask(scores, { causal: true, offset: -1 }, 'n'), /offset -1 is not 0 or above/],
    [() => tape.sub(x, scores, 'n'), /n: sub: shapes do not fit: \[2,4\] x \[2,2,2\]/],
    [() => tape.pow(x, Number.NaN, 'n'), /pow: exponent: .* received NaN/],
    [() => tape.sum(x, { dim: 0 }, 'n'), /sum: .*"dim"/],
    [() => tape.mean(x, { axis: 2 }, 'n'), /n: mean: axis 2 is out of range for \[2,4\]/],
    [() => tape.amax(x, { keepDims: 1 }, 'n'), /amax: keepDims: .* received 1/],
    [() => tape.reshape(x, [3, -1], 'n'), /n: reshape: shapes do not fit: \[2,4\] x \[3,-1\]/],
    [() => tape.reshape(x, [-1, -1], 'n'), /reshape: shapes do not fit: \[2,4\] x \[-1,-1\]/],
    [() => tape.reshape(x, [2, 1, 2, 1, 2], 'n'), /do not fit: \[2,4\] x \[2,1,2,1,2\]/],
    [() => tape.slice(x, 1, 2, 2, 'n'), /slice: end: expected an integer from 3 to 4, received 2/],
    [() => tape.slice(x, 2, 0, 1, 'n'), /slice: axis: expected an integer from -2 to 1/],
    [() => tape.stack([x], 0, 'n'), /stack: tensors.length: .* received 1/],
    [() => tape.stack([x, 3], 0, 'n'), /stack: tensors\[1\]: expected a Tensor, received 3/],
    [() => tape.stack([x, gain], 0, 'n'), /n\.1: reshape: shapes do not fit: \[4\]/],
    [() => tape.swiglu(x, gain, 1, 'n'), /n: swiglu: shapes do not fit: \[2,4\] x \[4\]/],
  ]) {
    assert.throws(
      call,
      (error) => pattern.test(error.message) || assert.fail(error.message),
      String(call),
    );
  }
  assert.equal(tape.nodes.length, 10);
  tape.dispose();
});

test('add, sub, mul and div take a number, which is a leaf of one cell', () => {
  const due = { add: [3.5, 1.5], sub: [-1.5, -3.5], mul: [2.5, -2.5], div: [0.4, -0.4] };
  for (const [op, values] of Object.entries(due)) {
    const tape = gf.tape();
    const x = tape.input('x', [1, 2]);
    const y = tape[op](x, 2.5, 'y');
    assert.throws(() => tape[op](y, 2, 'x'), /x/);
    assert.throws(() => tape[op](y, Number.NaN, 'z'), /b: .* received NaN/);
    assert.throws(() => tape[op](2, 2, 'z'), /a: expected a Tensor, received 2/);
    assert.deepEqual(
      tape.nodes.map(({ name }) => name),
      ['x', 'y.b', 'y'],
    );
    tape.plan();
    x.set([[1, -1]]);
    tape.forward();
    assert.ok(naive.distance(y.toArray(), [values]) < 1e-6, op);
    assert.deepEqual(gf[op]([[1, -1]], 2.5), y.toArray());
    assert.deepEqual(gf[op]([[1, -1]], [2.5]), y.toArray());
    tape.backward(y, [[1, 1]]);
    const slope = { add: 1, sub: 1, mul: 2.5, div: Math.fround(1 / 2.5) }[op];
    assert.deepEqual([...x.grad], [slope, slope]);
    tape.dispose();
  }
  assert.throws(() => gf.matmul([[1]], 2), /matmul: b: expected nested arrays/);
  assert.throws(() => gf.add(1, 2), /add: a: expected nested arrays/);
});
