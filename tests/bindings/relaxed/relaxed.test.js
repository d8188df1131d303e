// A core that multiplies and adds in one step: near float64, by its label no other core's bits, and refused where the engine
// cannot.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { train } from '../../../bindings/index.js';
import { load } from '../../../bindings/models/relaxed/index.js';
import { load as loadExact } from '../../../bindings/models.js';
import { collect } from '../model/small.js';

const root = path.resolve(import.meta.dirname, '../../..');

/* Node 20 has it behind a flag, which newer versions ignore. */
const refused = await load().catch((error) => error);
setFlagsFromString('--experimental-wasm-relaxed-simd');
const gf = await load();
const exact = await loadExact();

/** A matrix of numbers between -1 and 1. @param {number} rows @param {number} columns @param {number} seed */
const matrix = (rows, columns, seed) => ({
  data: Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed + 12.9898 * i)),
  shape: [rows, columns],
});

test('an engine without relaxed SIMD is told what to take instead', async () => {
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  const errors = [refused, await load().catch((error) => error)];
  WebAssembly.validate = validate;
  for (const error of errors.filter((one) => one instanceof Error)) {
    assert.equal(error.code, 'GF_EMODULE');
    assert.match(
      error.message,
      /^load: WebAssembly has no relaxed SIMD here: take load\(\) without a core/,
    );
  }
  assert.ok(errors[1] instanceof Error);
});

test('it labels its numbers', () => {
  assert.equal(gf.label, 'fast, not bit-reproducible');
  assert.ok(!('label' in exact));
});

for (const [m, k, n] of [
  [4, 65, 33],
  [17, 300, 70],
  [64, 512, 64],
]) {
  test(`a product ${m}x${k}x${n} is near that of float64`, () => {
    const a = matrix(m, k, 1);
    const b = matrix(k, n, 2);
    const { data } = gf.matmul(a, b);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        let size = 0;
        for (let l = 0; l < k; l++) {
          const term = a.data[i * k + l] * b.data[l * n + j];
          sum += term;
          size += Math.abs(term);
        }
        const error = Math.abs(data[i * n + j] - sum);
        assert.ok(error <= k * 2 ** -24 * size, `[${i},${j}] is off by ${error}`);
      }
  });
}

test('a term is rounded once or twice, as the machine does it', () => {
  const x = 1 + 2 ** -12;
  const square = { data: new Float32Array(8 * 8), shape: [8, 8] };
  const terms = { data: new Float32Array(8 * 8), shape: [8, 8] };
  for (let i = 0; i < 8; i++) {
    square.data.set([1, x], i * 8);
    terms.data[i] = -(1 + 2 ** -11);
    terms.data[8 + i] = x;
  }
  const [first, ...others] = new Set(gf.matmul(square, terms).data);
  assert.deepEqual(others, []);
  assert.ok(first === 0 || first === 2 ** -24, `${first}`);
  assert.deepEqual([...new Set(exact.matmul(square, terms).data)], [0]);
});

test('one row times a matrix has the bits of glassformer/models', () => {
  const a = matrix(1, 300, 3);
  const b = matrix(300, 70, 4);
  assert.deepEqual(gf.matmul(a, b), exact.matmul(a, b));
});

test('attention is near that of float64, its weights of a sum near 1', () => {
  const [n, d] = [70, 32];
  const [q, k, v] = [5, 6, 7].map((seed) => matrix(n, d, seed));
  const { output, weights } = gf.attention({ q, k, v });
  for (let i = 0; i < n; i++) {
    const at = (x, r, c) => x.data[r * d + c];
    const scores = Array.from({ length: n }, (_, j) => {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += at(q, i, c) * at(k, j, c);
      return Math.exp(sum / Math.sqrt(d));
    });
    const total = scores.reduce((sum, x) => sum + x);
    for (let j = 0; j < n; j++)
      assert.ok(Math.abs(weights.data[i * n + j] - scores[j] / total) < 1e-6);
    for (let c = 0; c < d; c++) {
      const mix = scores.reduce((sum, x, j) => sum + (x / total) * at(v, j, c), 0);
      assert.ok(Math.abs(output.data[i * d + c] - mix) < 1e-5);
    }
  }
});

test('a model trains and writes as with glassformer/models, up to rounding', async () => {
  const [fast, slow] = await Promise.all(
    [gf, exact].map(async (core) => {
      const size = { vocab: 20, dModel: 32, heads: 2, layers: 2, maxLength: 16, seed: 1 };
      const model = core.model({ kind: 'gpt', ...size });
      const batch = { target: [[1, 2, 3, 4, 5, 6]], labels: [[2, 3, 4, 5, 6, 7]] };
      const steps = await collect(train(model, [batch, batch, batch, batch], { rate: 0.01 }));
      return {
        losses: steps.map(({ loss }) => loss),
        tokens: await collect(model.generate([1, 2, 3], { maxNewTokens: 4 })),
      };
    }),
  );
  fast.losses.forEach((loss, i) => {
    assert.ok(Math.abs(loss - slow.losses[i]) < 1e-4 * slow.losses[i], `${loss}`);
  });
  assert.deepEqual(fast.tokens, slow.tokens);
});

test('the page and the command line never load it', () => {
  for (const folder of ['web', 'bindings/cli', 'bindings/python']) {
    const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => /\.(js|py)$/.test(file))) {
      const text = readFileSync(path.join(root, folder, name), 'utf8');
      assert.doesNotMatch(text, /relaxed\/index|glassformer\/relaxed/, `${folder}/${name}`);
    }
  }
});
