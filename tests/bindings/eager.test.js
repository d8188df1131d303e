import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import * as naive from './naive.js';

const gf = await load();
const close = (actual, expected, tolerance = 1e-6) => {
  const distance = naive.distance(actual, expected);
  assert.ok(distance <= tolerance, `off by ${distance}: ${JSON.stringify(actual)}`);
};
const { numbers } = naive;

test('softmax', () => {
  const x = [...numbers(3, 7), [1, 2, 3, 4, -Infinity, 88, -5], Array(7).fill(-Infinity)];
  close(gf.softmax(x), x.map(naive.softmaxRow));
  close(gf.softmax([1, 1]), [0.5, 0.5]);
});

test('linear, with and without a bias', () => {
  const [x, w, b] = [numbers(5, 6), numbers(6, 3, 2), [1, -2, 3]];
  const y = naive.matmul(x, w);
  close(gf.linear(x, w), y);
  close(gf.linear(x, w, null), y);
  close(
    gf.linear(x, w, b),
    y.map((row) => row.map((value, j) => value + b[j])),
  );
});

test('matmul and matmulTransposed, also for a batch', () => {
  const [a, b] = [numbers(3, 5), numbers(5, 4, 2)];
  const y = naive.matmul(a, b);
  close(gf.matmul(a, b), y);
  close(gf.matmulTransposed(a, naive.transpose(b)), y);
  close(gf.matmul([a, a], [b, b]), [y, y]);
});

test('add repeats the second operand, scale multiplies', () => {
  const row = [1, 2];
  close(gf.add([row, row], [10, 20]), [
    [11, 22],
    [11, 22],
  ]);
  close(gf.scale([row, [-4, 0]], 0.5), [
    [0.5, 1],
    [-2, 0],
  ]);
});

test('a mask is causal, boolean, added, or a length', () => {
  const x = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const out = -Infinity;
  assert.deepEqual(gf.mask(x, { causal: true }), [
    [1, out, out],
    [4, 5, out],
  ]);
  const expected = [
    [1, out, 3],
    [out, 5, 6],
  ];
  const keep = [
    [true, false, true],
    [false, true, true],
  ];
  assert.deepEqual(gf.mask(x, { mask: keep }), expected);
  const bits = new Uint8Array([1, 0, 1, 0, 1, 1]);
  assert.deepEqual(gf.mask(x, { mask: { data: bits, shape: [2, 3] } }), expected);
  assert.deepEqual(gf.mask(x, { mask: { data: keep.flat(), shape: [2, 3] } }), expected);
  assert.deepEqual(gf.mask(x, { mask: [1, 0, out] }), [
    [2, 2, out],
    [5, 5, out],
  ]);
  assert.deepEqual(gf.mask([x, x], { lengths: [1, 3] }), [
    [
      [1, out, out],
      [4, out, out],
    ],
    x,
  ]);
});

test('embed looks up rows, position gives sinusoids', () => {
  const table = numbers(4, 3);
  close(gf.embed(table, [2, 0, 2]), [table[2], table[0], table[2]]);
  close(gf.embed(table, [[1], [3]]), [[table[1]], [table[3]]]);
  const expected = [0, 7, 1000].map((p) =>
    Array.from({ length: 5 }, (_, c) => {
      const angle = p / 10000 ** ((2 * Math.floor(c / 2)) / 5);
      return c % 2 ? Math.cos(angle) : Math.sin(angle);
    }),
  );
  close(gf.position([0, 7, 1000], 5), expected);
});

test('splitHeads and concatHeads are each other undone', () => {
  const x = numbers(3, 8);
  const apart = gf.splitHeads(x, 2);
  close(apart, [naive.headOf(x, 2, 0), naive.headOf(x, 2, 1)]);
  close(gf.concatHeads(apart), x);
});

test('attention: one head, causal, cross, several heads, a batch, a scale', () => {
  const [q, k, v] = [numbers(4, 6), numbers(4, 6, 2), numbers(4, 6, 3)];
  const plain = naive.attention(q, k, v);
  const result = gf.attention({ q, k, v });
  assert.deepEqual(Object.keys(result).sort(), [
    ...['output', 'presentKey', 'presentValue', 'scores', 'weights'],
  ]);
  assert.deepEqual(result.presentKey, gf.scale(k, 1));
  for (const name of ['scores', 'weights', 'output']) close(result[name], plain[name]);

  const causal = naive.attention(q, k, v, (i, j) => j <= i);
  close(gf.attention({ q, k, v, causal: true }).output, causal.output);

  const longer = { q, k: numbers(7, 6, 5), v: numbers(7, 2, 6) };
  const cross = naive.attention(longer.q, longer.k, longer.v);
  close(gf.attention(longer).output, cross.output);

  const heads = [0, 1, 2].map((h) =>
    naive.attention(...[q, k, v].map((x) => naive.headOf(x, 3, h))),
  );
  const split = gf.attention({ q, k, v, heads: 3 });
  close(
    split.weights,
    heads.map((head) => head.weights),
  );
  close(
    split.output,
    q.map((_, i) => heads.flatMap((head) => head.output[i])),
  );

  const padded = gf.attention({ q: [q, q], k: [k, k], v: [v, v], lengths: [4, 2] });
  close(padded.output, [plain.output, naive.attention(q, k, v, (_, j) => j < 2).output]);

  const unscaled = gf.attention({ q, k, v, scale: 1 }).weights;
  close(unscaled, plain.scores.map(naive.softmaxRow));
});

test('the answer has the form of the first argument', () => {
  const plain = gf.softmax({ data: [0, 0, 0, 0], shape: [2, 2] });
  assert.deepEqual(plain, { data: new Float32Array(4).fill(0.5), shape: [2, 2] });
  assert.deepEqual(gf.softmax({ data: new Float64Array(2) }).shape, [2]);
  const { weights } = gf.attention({ q: { data: [1], shape: [1, 1] }, k: [[1]], v: [[1]] });
  assert.deepEqual(weights, { data: new Float32Array([1]), shape: [1, 1] });
});

test('exp is e^x, uniform depends on seed, stream and place', () => {
  for (const x of [-80, -1, 0, 1e-3, 1, 10, 80]) {
    assert.ok(Math.abs(gf.exp(x) / Math.exp(x) - 1) < 2e-7);
  }
  assert.equal(gf.exp(-Infinity), 0);
  const { data, shape } = gf.uniform([20, 50], { seed: 7, stream: 3, low: -2, high: 6 });
  assert.deepEqual(shape, [20, 50]);
  assert.ok(data.every((x) => x >= -2 && x < 6));
  const mean = data.reduce((sum, x) => sum + x, 0) / data.length;
  assert.ok(Math.abs(mean - 2) < 0.25, `mean ${mean}`);
  const again = gf.uniform([10], { seed: 7, stream: 3, low: -2, high: 6 }).data;
  assert.deepEqual(again, data.slice(0, 10));
  assert.notDeepEqual(gf.uniform([10], { seed: 8, stream: 3, low: -2, high: 6 }).data, again);
  assert.notDeepEqual(gf.uniform([10], { seed: 7, stream: 4, low: -2, high: 6 }).data, again);
});

for (const [call, kind, pattern] of [
  [() => gf.softmax('abc'), TypeError, /softmax: x: expected nested arrays .* received "abc"/],
  [() => gf.softmax(), TypeError, /received undefined/],
  [() => gf.softmax([[1, 2], [3]]), RangeError, /softmax: x at \[1\]: .* received an array of 1/],
  [() => gf.softmax([[1, 2], 3]), TypeError, /softmax: x at \[1\]: .* received 3/],
  [() => gf.softmax([[1, '2']]), TypeError, /softmax: x at \[0,1\]: .* received "2"/],
  [() => gf.softmax([[1, 2n]]), TypeError, /received 2n/],
  [() => gf.softmax({ data: [1, 2, 3], shape: [2, 2] }), RangeError, /received an array of 3/],
  [() => gf.softmax({ data: [1], shape: 1 }), TypeError, /expected a shape .* received 1/],
  [() => gf.softmax([]), Error, /dimension/],
  [() => gf.embed([[1]], [0.5]), RangeError, /embed: ids at \[0\]: .* received 0.5/],
  [() => gf.embed([[1]], [2 ** 31]), RangeError, /received 2147483648/],
  [() => gf.embed([[1]], [1]), Error, /ids\[0\] is 1; valid ids are 0 to 0/],
  [() => gf.matmul([[1, 2]], [[1, 2]]), Error, /shapes do not fit: \[1,2\] x \[1,2\]/],
  [() => gf.scale([1], Number.NaN), RangeError, /scale: factor: .* received NaN/],
  [() => gf.scale([1], 1e300), RangeError, /received 1e\+300/],
  [() => gf.mask([[1]], { casual: true }), TypeError, /"casual" \(did you mean "causal"\?\)/],
  [() => gf.mask([[1]], { causal: 'no' }), TypeError, /causal: .* received "no"/],
  [() => gf.mask([[1]], { mask: 0 }), TypeError, /mask: mask: .* received 0/],
  [() => gf.linear([[1]], [[1]], 0), TypeError, /linear: b: .* received 0/],
  [() => gf.attention({ q: [[1]], k: [[1]] }), TypeError, /attention: v: .* received undefined/],
  [() => gf.attention([[1]]), TypeError, /received an array of 1/],
  [() => gf.exp('1'), TypeError, /exp: x: expected nested arrays .* received "1"/],
  [() => gf.uniform([2], { seed: -1 }), RangeError, /uniform: seed: .* received -1/],
  [
    () => gf.uniform([2], { low: 5, high: 1 }),
    RangeError,
    /uniform: high: .* from 5 .* received 1$/,
  ],
  [() => gf.uniform(Array(2)), TypeError, /uniform: shape\[0\]: .* received undefined/],
  [
    () => gf.softmax([1], new Map([['axis', 0]])),
    TypeError,
    /options, received an object Map \(known: axis\)$/,
  ],
  [() => gf.softmax([1], Promise.resolve({ axis: 0 })), TypeError, /options, received a Promise/],
  [
    () => gf.softmax([1], new Date(0)),
    TypeError,
    /options, received an object Date \(known: axis\)$/,
  ],
  [() => gf.softmax([1], new ArrayBuffer(4)), TypeError, /options, .* ArrayBuffer/],
  [() => gf.uniform([0]), RangeError, /uniform: shape\[0\]: .* received 0/],
]) {
  test(`refused: ${String(call).slice(6)}`, () => {
    assert.throws(call, (error) => error instanceof kind && pattern.test(error.message));
    assert.deepEqual(gf.softmax([[3, 3]]), [[0.5, 0.5]], 'the next call is still right');
  });
}

test('a thousand calls, right and wrong, need the memory of one', async (t) => {
  const gf = await load();
  const { data } = gf.uniform([40, 40], { seed: 1 });
  const x = { data, shape: [40, 40] };
  gf.matmul(x, x);
  t.mock.method(WebAssembly.Memory.prototype, 'grow', () => {
    throw new RangeError('no more');
  });
  for (let i = 0; i < 1000; i++) {
    gf.matmul(x, x);
    assert.throws(() => gf.matmul(x, [[1]]), { code: 'GF_ESHAPE' });
  }
});
