// The eager functions' forms, defaults and refusals. Their numbers are in conformance/.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GlassformerError, load } from '../../bindings/index.js';
import { refused } from './model/small.js';
import * as naive from './naive.js';

const gf = await load();
const { numbers } = naive;
const close = (actual, expected, tolerance = 1e-6) => {
  const distance = naive.distance(actual, expected);
  assert.ok(distance <= tolerance, `off by ${distance}: ${JSON.stringify(actual)}`);
};

test('functions of one number take a number, nested arrays or { data, shape }', () => {
  const functions = {
    relu: (x) => Math.max(0, x),
    sigmoid: (x) => 1 / (1 + Math.exp(-x)),
    tanh: Math.tanh,
    exp: Math.exp,
    silu: (x) => x / (1 + Math.exp(-x)),
  };
  for (const [name, f] of Object.entries(functions)) {
    close(gf[name](0.7), f(0.7));
    close(gf[name]([[-1, 2]]), [[f(-1), f(2)]]);
    const { data, shape } = gf[name]({ data: [-1, 2], shape: [2, 1, 1, 1, 1] });
    assert.deepEqual(shape, [2, 1, 1, 1, 1]);
    close([...data], [f(-1), f(2)]);
    assert.deepEqual(gf[name]({ data: [0.5], shape: [] }).shape, []);
  }
  close(gf.erf(0.5), 0.5204998778);
  close(gf.gelu([1]), [0.8413447461]);
  close(gf.gelu([1], { approximate: 'tanh' }), [0.8411919906]);
  close(gf.softcap(10, 2), 2 * Math.tanh(5));
  close(gf.scale(4, 0.5), 2);
  close(gf.swiglu([0, Math.log(3)], [5, 4]), [0, 3 * Math.log(3)]);
});

test('dropout keeps what it keeps for the same seed and step', () => {
  const x = Array(400).fill(1);
  const y = gf.dropout(x, { p: 0.5, seed: 4 });
  assert.deepEqual(gf.dropout(x, { seed: 4 }), y);
  assert.notDeepEqual(gf.dropout(x, { seed: 5 }), y);
  assert.notDeepEqual(gf.dropout(x, { seed: 4, step: 1 }), y);
  assert.ok(y.every((value) => value === 0 || value === 2));
  assert.deepEqual(gf.dropout(x, { training: false }), x);
  assert.deepEqual(gf.dropout(x, { p: 0 }), x);
});

test('an axis counts from the front or from the back', () => {
  const x = numbers(3, 4);
  const columns = naive.transpose(naive.transpose(x).map(naive.softmaxRow));
  close(gf.softmax(x, { axis: 0 }), columns);
  close(gf.softmax(x, { axis: -2 }), columns);
  close(gf.exp(gf.logSoftmax(x, { axis: 0 })), columns);
  assert.deepEqual(gf.topK(x, 2, { axis: 0 }).values.length, 2);
});

test('logSumExp of nothing, of infinities, over all axes', () => {
  assert.equal(gf.logSumExp([0, 0, 0, 0]), Math.fround(Math.log(4)));
  assert.deepEqual(gf.logSumExp([[1e4, 1e4]], { axis: 1 }), [Math.fround(1e4 + Math.log(2))]);
  const [out, all] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rows = [
    [out, out],
    [all, 1],
    [out, 3],
  ];
  assert.deepEqual(gf.logSumExp(rows, { axis: -1 }), [out, all, 3]);
  assert.deepEqual(
    gf.logSumExp({ data: [], shape: [2, 0] }, { axis: 1 }).data,
    Float32Array.of(out, out),
  );
});

test('norms and their moments', () => {
  const { mean, invStdDev } = gf.moments(
    [
      [1, 3],
      [5, 5],
    ],
    { epsilon: 0.25 },
  );
  assert.deepEqual(mean, [[2], [5]]);
  close(invStdDev, [[1 / Math.sqrt(1.25)], [2]]);
  close(gf.layerNorm([[1, 3]], null, null, { epsilon: 0 }), [[-1, 1]]);
  close(gf.layerNorm([[1, 3]], [2, 3], [10, 20], { epsilon: 0 }), [[8, 23]]);
  close(gf.layerNorm([[1, 3]], [2], [1], { epsilon: 0 }), [[-1, 3]]);
  close(gf.rmsNorm([[3, 4]], [1, 2], { epsilon: 0 }), [[3 / Math.sqrt(12.5), 8 / Math.sqrt(12.5)]]);
});

test('the largest and the smallest, and where they are', () => {
  assert.deepEqual(gf.topK([3, 1, 3, 2], 3), { values: [3, 3, 2], indices: [0, 2, 3] });
  const smallest = gf.topK([3, 1, 3, 1], 2, { largest: false });
  assert.deepEqual(smallest, { values: [1, 1], indices: [1, 3] });
  const { values, indices } = gf.topK({ data: [1, 2], shape: [2] }, 1);
  assert.deepEqual(values, { data: Float32Array.of(2), shape: [1] });
  assert.deepEqual(indices, { data: Int32Array.of(1), shape: [1] });
});

test('positions', () => {
  close(gf.position([0, 1], 3, { halves: true }), [
    [0, 0, 1],
    [Math.sin(1), Math.sin(10000 ** (-2 / 3)), Math.cos(1)],
  ]);
  close(gf.rotation([2], 4, 100), [
    [
      [Math.cos(2), Math.sin(2)],
      [Math.cos(0.2), Math.sin(0.2)],
    ],
  ]);
  const quarter = [[[0, 1]]];
  assert.deepEqual(gf.rope([[1, 2]], quarter), [[-2, 1]]);
  assert.deepEqual(gf.rope([[1, 2, 3, 4]], quarter, { heads: 2 }), [[-2, 1, -4, 3]]);
  const halves = [
    [
      [0, 1],
      [1, 0],
    ],
  ];
  assert.deepEqual(gf.rope([[1, 2, 3, 4]], halves), [[-3, 2, 1, 4]]);
  assert.deepEqual(gf.rope([[1, 2, 3, 4]], halves, { interleaved: true }), [[-2, 1, 3, 4]]);
  const zeros = [[[0, 0]], [[0, 0]]];
  close(gf.alibi(zeros), [[[0, -1 / 16]], [[0, -1 / 256]]]);
  close(gf.alibi(zeros, { offset: 1 }), [[[-1 / 16, 0]], [[-1 / 256, 0]]]);
});

test('losses are numbers, or one for each target', () => {
  const logits = numbers(3, 4);
  const each = logits.map((row, i) => -Math.log(naive.softmaxRow(row)[i]));
  const mean = each.reduce((sum, x) => sum + x, 0) / 3;
  close(gf.crossEntropy(logits, [0, 1, 2], { reduction: 'none' }), each);
  close(gf.crossEntropy(logits, [0, 1, 2]), mean);
  close(gf.crossEntropy(logits, [0, -100, 2], { reduction: 'sum' }), each[0] + each[2]);
  close(gf.crossEntropy(naive.transpose(logits), [0, 1, 2], { axis: 0 }), mean);
  const probabilities = [0, 1, 2].map((i) => [0, 1, 2, 3].map((j) => Number(i === j)));
  close(gf.crossEntropy(logits, probabilities), mean);
  assert.equal(gf.crossEntropy(logits, [-100, -100, -100]), Number.NaN);
  assert.equal(gf.crossEntropy(logits, [-100, -100, -100], { reduction: 'sum' }), 0);
  const logProbs = gf.logSoftmax(logits);
  close(gf.nllLoss(logProbs, [0, 1, 2]), mean);
  close(gf.nllLoss(logProbs, [0, 1, 2], { reduction: 'none' }), each);
  assert.equal(gf.nllLoss(logProbs, [7, 7, 7], { ignoreIndex: 7 }), Number.NaN);
  close(gf.nllLoss(logProbs, [7, 7, 7], { ignoreIndex: 7, reduction: 'sum' }), 0);
  assert.deepEqual(gf.crossEntropy({ data: [1, 1], shape: [1, 2] }, [0]).shape, []);
});

test('Adam leaves its arguments alone and gives the new state', () => {
  const state = { value: [1, 2], grad: [1, -1], m: [0, 0], v: [0, 0], vMax: [9, 0] };
  const before = structuredClone(state);
  const next = gf.adam(state, { learningRate: 0.5, epsilon: 0 });
  assert.deepEqual(state, before);
  close(next.m, [0.1, -0.1]);
  close(next.v, [0.001, 0.001]);
  close(next.vMax, [9, 0.001]);
  close(next.value[1], 2.5);
  const decayed = gf.adam(
    { ...state, vMax: null, grad: [0, 0] },
    { learningRate: 0.5, weightDecay: 0.5, decoupled: true },
  );
  close(decayed.value, [0.75, 1.5]);
  assert.equal('vMax' in decayed, false);
});

/** One step of Adam in float64, with the core's betas in float32. @param {number} step */
function adamInDouble({ value, grad, m, v }, { learningRate, epsilon }, step) {
  const [b1, b2, rate, small] = [0.9, 0.999, learningRate, epsilon].map(Math.fround);
  return value.map((x, i) => {
    const mean = b1 * m[i] + (1 - b1) * grad[i];
    const square = b2 * v[i] + (1 - b2) * grad[i] ** 2;
    return x - (rate * (mean / (1 - b1 ** step))) / (Math.sqrt(square / (1 - b2 ** step)) + small);
  });
}

test('Adam has the numbers of float64 at any step, and other steps are refused', () => {
  const state = { value: [1, 2, -3], grad: [0.5, -1, 1e-3], m: [0.1, 0, -2], v: [0.3, 0, 1] };
  const options = { learningRate: 0.5, epsilon: 1e-8 };
  for (const step of [1, 2, 1000, 20_000, 2 ** 31 - 1]) {
    const { value } = gf.adam(state, { ...options, step });
    close(value, adamInDouble(state, options, step), 2e-6);
  }
  for (const step of [0, -1, 1.5, 2 ** 31, Number.NaN]) {
    const told = refused(RangeError, new RegExp(`adam: step: .*received ${step}`));
    assert.throws(() => gf.adam(state, { step }), told);
  }
});

test('normal numbers are normal', () => {
  const { data } = gf.normal([10000], { seed: 3, mean: 2, deviation: 3 });
  const mean = data.reduce((sum, x) => sum + x, 0) / data.length;
  const spread = Math.sqrt(data.reduce((sum, x) => sum + (x - mean) ** 2, 0) / data.length);
  assert.ok(Math.abs(mean - 2) < 0.1 && Math.abs(spread - 3) < 0.1, `${mean} ${spread}`);
});

test('the functions do not need their object', () => {
  const { softmax, attention } = gf;
  assert.deepEqual(softmax([1, 1]), [0.5, 0.5]);
  assert.deepEqual(attention({ q: [[1]], k: [[1]], v: [[3]] }).output, [[3]]);
});

const x = [
  [1, 2],
  [3, 4],
];
for (const [call, kind, pattern] of [
  [() => gf.relu('1'), TypeError, /relu: x: .* received "1"/],
  [
    () => gf.gelu(x, { approximate: 1 }),
    TypeError,
    /approximate: expected one of "none", "tanh", received 1/,
  ],
  [
    () => gf.softmax(x, { axis: 2 }),
    RangeError,
    /softmax: axis: expected an integer from -2 to 1, received 2/,
  ],
  [() => gf.softmax(x, 1), TypeError, /softmax: expected an object of options, received 1/],
  [() => gf.softmax(x, { dim: 1 }), TypeError, /softmax: unknown option "dim"/],
  [
    () => gf.logSumExp(x, { axis: [0, 0] }),
    RangeError,
    /each axis of \[2,2\] once, received \[0,0\]/,
  ],
  [() => gf.logSumExp(x, { keepDims: 1 }), TypeError, /keepDims: .* received 1/],
  [
    () => gf.layerNorm(x, [1, 2, 3]),
    GlassformerError,
    /layerNorm: gain: shapes do not fit: \[3\] x \[2\]/,
  ],
  [
    () => gf.layerNorm(x, null, null, { epsilon: -1 }),
    RangeError,
    /^layerNorm: epsilon: expected a number from 0 to .*, received -1$/,
  ],
  [() => gf.moments(x, { epsilon: -1 }), RangeError, /^moments: epsilon: .* received -1$/],
  [
    () => gf.moments([[]]),
    RangeError,
    /^moments: width: expected an integer from 1 .* received 0$/,
  ],
  [
    () => gf.transpose(x, Array(2)),
    TypeError,
    /^transpose: order: shape\[0\]: .*received undefined$/,
  ],
  [() => gf.topK(x, 3), RangeError, /topK: k: expected an integer from 1 to 2, received 3/],
  [() => gf.matmul(x, [1, 2, 3]), GlassformerError, /matmul: shapes do not fit: \[2,2\] x \[3\]/],
  [
    () => gf.matmul([x, x], [x, x, x]),
    GlassformerError,
    /matmul: shapes do not fit: \[2\] x \[3\]/,
  ],
  [() => gf.gemm([1], x), GlassformerError, /gemm: shapes do not fit: \[1\] x \[2,2\]/],
  [() => gf.gemm(x, x, [1, 2, 3]), GlassformerError, /gemm: c: shapes do not fit: \[3\] x \[2,2\]/],
  [
    () => gf.gemm(x, x, 1, { alpha: '2' }),
    TypeError,
    /^gemm: alpha: expected a number, received "2"/,
  ],
  [() => gf.gather(x, [2]), GlassformerError, /ids\[0\] is 2; valid ids are -2 to 1/],
  [() => gf.gather(x, [-3]), GlassformerError, /ids\[0\] is -3; valid ids are -2 to 1/],
  [() => gf.transpose(x, [0]), RangeError, /each axis of \[2,2\] once, received \[0\]/],
  [() => gf.concat(x, [[1, 2, 3]]), GlassformerError, /concat: shapes do not fit/],
  [
    () => gf.where([true], x, [1, 2, 3]),
    GlassformerError,
    /where: shapes do not fit: \[1\] x \[2,2\] x \[3\]/,
  ],
  [() => gf.tril([1, 2]), RangeError, /tril: x: expected matrices, received the shape \[2\]/],
  [() => gf.triu(x, 0.5), RangeError, /triu: k: .* received 0.5/],
  [() => gf.oneHot([1], 0), RangeError, /oneHot: depth: .* received 0/],
  [() => gf.oneHot([1.5], 2), RangeError, /oneHot: ids at \[0\]: .* received 1.5/],
  [() => gf.rope(x, [[[1, 0]]]), GlassformerError, /rope: shapes do not fit/],
  [() => gf.rotation([1], 3), GlassformerError, /dimensions 3 is out of range/],
  [() => gf.dropout(x, { p: 1 }), GlassformerError, /p must be from 0 to below 1/],
  [() => gf.dropout(x, { p: 2, training: false }), GlassformerError, /p must be from 0 to below 1/],
  [
    () => gf.crossEntropy(x, [0]),
    GlassformerError,
    /crossEntropy: targets: shapes do not fit: \[1\] x \[2\]/,
  ],
  [() => gf.crossEntropy(x, [0, 2]), GlassformerError, /ids\[1\] is 2/],
  [
    () => gf.crossEntropy(x, [0, 0.5]),
    RangeError,
    /crossEntropy: targets at \[1\]: .* received 0.5/,
  ],
  [() => gf.nllLoss(x, [0, 2]), RangeError, /nllLoss: targets: 2 is not one of the 2 classes/],
  [
    () => gf.nllLoss(x, [0, 1], { weights: [1] }),
    GlassformerError,
    /nllLoss: weights: shapes do not fit/,
  ],
  [() => gf.nllLoss(x, [0, 1], { reduction: 'all' }), RangeError, /reduction: .* received "all"/],
  [
    () => gf.adam({ value: [1], grad: [1, 2], m: [0], v: [0] }),
    GlassformerError,
    /adam: grad: shapes do not fit: \[2\] x \[1\]/,
  ],
  [() => gf.adam({ value: [1], grad: [1], m: [0] }), TypeError, /adam: v: .* received undefined/],
  [
    () => gf.adam({ value: [1], grad: [1], m: [0], v: [0] }, { step: 0 }),
    RangeError,
    /adam: step: .* received 0/,
  ],
  [
    () => gf.learningRate(1, { kind: 'warm' }),
    RangeError,
    /kind: expected one of .* received "warm"/,
  ],
  [() => gf.learningRate(1, { kind: 'noam' }), TypeError, /dModel: .* received undefined/],
  [() => gf.learningRate(1, { kind: 'linear' }), TypeError, /total: .* received undefined/],
  [() => gf.normal([0]), RangeError, /normal: shape\[0\]: .* received 0/],
]) {
  test(`refused: ${String(call).slice(6)}`, () => {
    assert.throws(
      call,
      (error) => (error instanceof kind && pattern.test(error.message)) || assert.fail(error),
    );
    assert.deepEqual(gf.softmax([[3, 3]]), [[0.5, 0.5]], 'the next call is still right');
  });
}

test('whatever the arguments, a call gives an answer or a clear error', () => {
  const skip = ['tape', 'trace', 'model', 'open', 'openInTurns'];
  const names = Object.keys(gf).filter((name) => !skip.includes(name));
  const option = fc.constantFrom(
    ...[undefined, null, true, 0, 1, -1, 0.5, 'mean', 'x', Number.NaN, [0], [[1]], {}, [true]],
  );
  const keys = fc.constantFrom(
    ...['axis', 'q', 'k', 'v', 'heads', 'kvHeads', 'causal', 'offset', 'mask', 'lengths', 'steps'],
    ...['scale', 'weights', 'reduction', 'p', 'seed', 'kind', 'epsilon', 'value', 'grad', 'm'],
  );
  const argument = fc.oneof(
    fc.constantFrom(
      ...[undefined, null, 0, 1, -1, 0.5, 2 ** 31, Number.NaN, 3n, '', 'x', true, Symbol('s'), {}],
      ...[[], [1], [0, 1], x, [x], [x, x], [[[x]]], [[1], [2, 3]], new Float32Array(4), () => 1],
      ...[{ data: [1, 2, 3, 4], shape: [2, 2] }, { data: [], shape: [0, 2] }, { data: 1 }],
      ...[{ q: x, k: x, v: x }, { value: [1], grad: [1], m: [0], v: [0] }, { kind: 'constant' }],
    ),
    fc.dictionary(keys, option, { maxKeys: 3 }),
  );
  let [answers, refusals] = [0, 0];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(argument, { maxLength: 4 }), (name, args) => {
      try {
        gf[name](...args);
        answers += 1;
      } catch (error) {
        refusals += 1;
        const clear =
          error instanceof GlassformerError ||
          ((error instanceof TypeError || error instanceof RangeError) &&
            /received|unknown|is none of|is not one of/.test(error.message));
        assert.ok(clear, `${name}: ${error.stack}`);
      }
    }),
    { numRuns: 10000 },
  );
  assert.deepEqual(gf.softmax([[3, 3]]), [[0.5, 0.5]]);
  assert.ok(answers > 100 && refusals > 3000, `${answers} answers, ${refusals} refusals`);
});
