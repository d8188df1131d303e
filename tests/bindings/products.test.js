// Weights of four bits in three ways, against float64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { compared, termsOf, threeWays } from '../../bindings/models/products.js';
import { generator } from '../support/program.js';

const gf = await load();
const [ROWS, DEPTH, COLUMNS] = [5, 64, 12];
const random = generator(7);
const numbers = (count) => Float32Array.from({ length: count }, () => random() - 0.5);

/** Q4_0 of ggml in float64: the number that is farthest from 0 becomes -8. */
function fourBits(block) {
  const far = block.reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most), 0);
  const d = far / -8;
  return block.map((x) => Math.min(15, Math.floor(x / d + 8.5)) - 8).map((q) => q * d);
}

test('the weights are those of Q4_0, and each way computes its product', () => {
  const [x, w] = [numbers(ROWS * DEPTH), numbers(DEPTH * COLUMNS)];
  const ways = threeWays(gf, x, w, DEPTH);
  for (let column = 0; column < COLUMNS; column++) {
    for (let first = 0; first < DEPTH; first += 32) {
      const block = Array.from({ length: 32 }, (_, i) => w[(first + i) * COLUMNS + column]);
      for (const [i, value] of fourBits(block).entries()) {
        /* The scale is stored as a float16. */
        assert.ok(Math.abs(ways.w[(first + i) * COLUMNS + column] - value) < 3e-4);
      }
    }
    for (let row = 0; row < ROWS; row++) {
      const terms = termsOf(ways, row, column);
      const at = row * COLUMNS + column;
      const exact = terms.reduce((sum, term) => sum + term.exact, 0);
      assert.ok(Math.abs(ways.y.exact[at] - exact) < 1e-6);
      for (const way of ['sixteen', 'eight']) {
        const sum = terms.reduce((total, term) => total + term.exact + term[way], 0);
        assert.ok(Math.abs(ways.y[way][at] - sum) < 2e-6, way);
      }
      const whole = terms.reduce(
        (sum, { x: input }, k) => sum + input * w[k * COLUMNS + column],
        0,
      );
      assert.ok(Math.abs(ways.y.whole[at] - whole) < 1e-6);
    }
  }
  for (const [i, value] of x.entries()) {
    assert.ok(Math.abs(ways.x.sixteen[i] - value) <= 0.5 / 32767);
    assert.ok(Math.abs(ways.x.eight[i] - value) < 0.51 / 127);
  }
});

test('16 bits are near, unless activations are whole eighths of bits: the verdict can be no', () => {
  const w = numbers(DEPTH * COLUMNS);
  const { misses, times, verdict } = compared(threeWays(gf, numbers(ROWS * DEPTH), w, DEPTH));
  assert.equal(verdict, 'holds');
  assert.ok(times > 100 && times < 1000, `${times}`);
  assert.ok(misses.weights > misses.eight && misses.eight > misses.sixteen);
  const whole = Float32Array.from(
    { length: ROWS * DEPTH },
    (_, i) => (i % 32 ? i % 100 : 127) / 128,
  );
  const other = compared(threeWays(gf, whole, w, DEPTH));
  assert.equal(other.verdict, 'fails', `${other.times}`);
});
