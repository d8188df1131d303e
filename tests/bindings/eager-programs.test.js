// A repeated call runs the tape of an earlier one: its numbers are those of a core that has computed nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { load } from '../../bindings/index.js';
import { heaps } from '../support/heap.js';

const numbers = (count) =>
  fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: count, maxLength: count });
const matrix = (rows, columns) => fc.array(numbers(columns), { minLength: rows, maxLength: rows });
const square = fc.integer({ min: 1, max: 3 }).chain((n) => matrix(n, n));

const option = (arbitrary) => fc.option(arbitrary, { nil: undefined });
/** Options of which each may be left out. */
const options = (arbitraries) => fc.record(arbitraries, { requiredKeys: [] });

const attention = fc
  .record({
    x: square,
    rest: options({
      causal: fc.boolean(),
      scale: fc.constantFrom(1, 0.5, -0.5),
      softcap: fc.constantFrom(1, 2),
      offset: fc.constantFrom(0, 1, -1),
      steps: fc.constantFrom([], ['scores.scaled'], ['scores.scaled', 'scores.masked']),
    }),
    mask: fc.boolean(),
  })
  .map(({ x, rest, mask }) => [
    'attention',
    { q: x, k: x, v: x, ...rest, ...(mask && { mask: x.map((row) => row.map((v) => v < 2)) }) },
  ]);

/** Calls whose shapes often repeat, and whose attributes often differ. */
const call = fc.oneof(
  attention,
  square.map((x) => ['softmax', x]),
  fc.tuple(square, fc.constantFrom(0, 1, -1)).map(([x, axis]) => ['softmax', x, { axis }]),
  fc
    .tuple(square, fc.constantFrom(1e-5, 0.1, 0))
    .map(([x, epsilon]) => [...['layerNorm', x, null, null], { epsilon }]),
  fc.tuple(square, fc.boolean()).map(([x, gain]) => ['rmsNorm', x, gain ? x[0] : null]),
  fc
    .tuple(square, fc.constantFrom('none', 'tanh'))
    .map(([x, approximate]) => [...['gelu', x], { approximate }]),
  fc.tuple(square, fc.constantFrom(0, -0, 2, Number.MIN_VALUE)).map(([x, by]) => ['scale', x, by]),
  fc
    .tuple(square, fc.boolean(), fc.boolean(), fc.constantFrom(0, 1, 2))
    .map(([x, transA, transB, beta]) => ['gemm', x, x, x, { transA, transB, beta }]),
  fc.tuple(square, fc.boolean()).map(([x, largest]) => ['topK', x, 1, { largest }]),
  fc.tuple(square, fc.constantFrom(0, 1, -1, 7)).map(([x, id]) => ['gather', x, [id]]),
  fc
    .tuple(square, option(fc.constantFrom('none', 'sum')), option(fc.constantFrom(0, 0.5)))
    .map(([x, reduction, labelSmoothing]) => [
      ...['crossEntropy', x, x.map(() => 0)],
      { reduction, labelSmoothing },
    ]),
  square.map((x) => ['concat', x, x, 1]),
  fc
    .tuple(square, fc.constantFrom({}, [], '1', Number.NaN))
    .map(([x, wrong]) => [...['softmax', x], { axis: wrong }]),
);

/** The result as it is, signed zeros apart from zeros, or the error's sentence. */
const outcome = (gf, [name, ...inputs]) => {
  try {
    return gf[name](...inputs);
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
};

test('a call gives what it gives on a core that has computed nothing before', async () => {
  const shared = await load();
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 4 }), async (calls) => {
      for (const one of calls) {
        const fresh = await load();
        assert.deepStrictEqual(outcome(shared, one), outcome(fresh, one), JSON.stringify(one));
      }
    }),
    { numRuns: 60 },
  );
});

test('results are copies: a later call of the same shapes leaves them as they are', async () => {
  const gf = await load();
  const first = gf.softmax(Float32Array.of(1, 1));
  gf.softmax(Float32Array.of(0, 100));
  assert.deepEqual([...first], [0.5, 0.5]);
});

test('a full memory takes back what is kept for later calls', async () => {
  const gf = await load();
  gf.softmax([[1, 2]]);
  const { used } = heaps;
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError('full');
  };
  try {
    assert.throws(() => gf.uniform([3000, 3000]), { code: 'GF_EMEMORY' });
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.ok(heaps.used < used);
  assert.deepEqual(gf.softmax([[0, 0]]), [[0.5, 0.5]]);
});

test('tapes of other shapes do not fill the memory', async () => {
  const gf = await load();
  const row = (length) => new Float32Array(length).fill(1);
  for (let length = 1; length <= 100; length++) gf.softmax(row(length));
  const before = heaps.used;
  for (let length = 1; length <= 1000; length++) gf.softmax(row(length));
  gf.softmax(row(100_000));
  assert.equal(heaps.used, before);
});

/** Two rows of two numbers, in each form that takes matrices. */
const FORMS = {
  nested: (x) => [x, x],
  typed: (x) => [Float32Array.from(x), Float32Array.from(x)],
  flat: (x) => ({ data: Float32Array.of(...x, ...x), shape: [2, 2] }),
};

for (const [form, of] of Object.entries(FORMS)) {
  test(`what attention gave stays as it is when it runs again: ${form}`, async () => {
    const gf = await load();
    const attend = (x) => gf.attention({ q: of(x), k: of(x), v: of(x), steps: ['scores.scaled'] });
    const first = attend([1, 2]);
    const before = structuredClone(first);
    attend([3, 4]);
    assert.deepEqual(first, before);
  });
}
