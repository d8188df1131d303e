// What passes from an input to an output, in a recurrent network and in attention: against float64 that multiplies the
// derivatives out, or moves an input a little.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { information, recurrence } from '../../bindings/lab/inside/index.js';

const gf = await load();

const times = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((s, x, k) => s + x * b[k][j], 0)));
const norm = (rows) => Math.hypot(...rows.flat());
const near = (a, b, part, what) =>
  assert.ok(Math.abs(a - b) <= part * Math.abs(b), `${what}: ${a}, not ${b}`);

/** The random numbers that the documentation names, as rows. */
function numbers({ gain, units, steps, seed }) {
  const draw = (stream, rows, deviation) => {
    const { data } = gf.normal([rows, units], { seed, stream, deviation });
    return Array.from({ length: rows }, (_, i) => [...data.subarray(i * units, (i + 1) * units)]);
  };
  const deviation = 1 / Math.sqrt(units);
  const [u, q, k, v] = [2, 3, 4, 5].map((stream) => draw(stream, units, deviation));
  return { x: draw(0, steps, 1), w: draw(1, units, gain * deviation), u, q, k, v };
}

/** States and the matrices dh_t / dx_s, forward. */
function recurrent64({ x, w, u }) {
  let state = x[0].map(() => 0);
  let all = [];
  const states = [];
  for (const input of x) {
    const sums = state.map(
      (_, j) =>
        state.reduce((s, h, i) => s + h * w[i][j], 0) +
        input.reduce((s, h, i) => s + h * u[i][j], 0),
    );
    state = sums.map(Math.tanh);
    const through = (matrix) =>
      matrix.map((row) => row.map((value, j) => value * (1 - state[j] ** 2)));
    all = [...all.map((before) => through(times(before, w))), through(u)];
    states.push(state);
  }
  return { states, norms: all.map(norm) };
}

/** The output of the last query, of one head. */
function attention64({ x, q, k, v }) {
  const [keys, values, [query]] = [times(x, k), times(x, v), times([x.at(-1)], q)];
  const scores = keys.map(
    (key) => key.reduce((s, a, i) => s + a * query[i], 0) / Math.sqrt(query.length),
  );
  const parts = scores.map(Math.exp);
  const sum = parts.reduce((a, b) => a + b);
  return values[0].map((_, j) =>
    values.reduce((s, value, i) => s + (parts[i] / sum) * value[j], 0),
  );
}

/** The norm of its derivatives after one input, by central differences. */
function moved(all, s) {
  const step = 1e-5;
  const at = (i, by) =>
    attention64({ ...all, x: all.x.with(s, all.x[s].with(i, all.x[s][i] + by)) });
  return norm(
    all.x[s].map((_, i) => at(i, step).map((value, j) => (value - at(i, -step)[j]) / (2 * step))),
  );
}

for (const gain of [0.5, 0.8, 1, 1.2, 3]) {
  test(`recurrence of gain ${gain}: states and derivatives are those of float64`, () => {
    const options = { gain, units: 8, steps: 40, seed: 5 };
    const network = recurrence(gf, options);
    const { states, norms } = recurrent64(numbers(options));
    /* A chaotic network carries each rounding on. */
    const part = gain > 2 ? 0.05 : 1e-4;
    for (const [t, { state, fromState, fromInput }] of network.steps.entries()) {
      for (const [i, value] of state.entries()) {
        assert.ok(Math.abs(value - states[t][i]) < part, `state ${t} ${i}: ${value}`);
        near(value, Math.tanh(fromState[i] + fromInput[i]), 1e-5, `tanh ${t} ${i}`);
      }
    }
    const { derivatives, chain, kept } = network.reach(40).recurrent;
    assert.equal(derivatives.length, 40);
    for (const [s, value] of derivatives.entries())
      near(value, norms[s], part, `after input ${s + 1}`);
    /* A product, a sum and a tanh at each step; one state. */
    assert.deepEqual([chain, kept], [3 * 40, 8]);
    network.dispose();
  });
}

test('one step of attention: derivatives are those of float64, and what waits does not grow', () => {
  const options = { gain: 1, units: 6, steps: 30, seed: 2 };
  const network = recurrence(gf, options);
  const all = numbers(options);
  const [{ attention: short }, { attention: long }] = [network.reach(5), network.reach(30)];
  for (const [s, value] of long.derivatives.entries())
    near(value, moved(all, s), 2e-3, `after input ${s + 1}`);
  near(short.derivatives[0], moved({ ...all, x: all.x.slice(0, 5) }, 0), 2e-3, 'after 5');
  assert.equal(short.chain, long.chain);
  /* Keys and values of each input. */
  assert.deepEqual([short.kept, long.kept], [2 * 5 * 6, 2 * 30 * 6]);
  network.dispose();
});

test('a hundred steps: what is left is 1e-28 to 1e-15 as W grows, and more than at first once it is large', () => {
  const left = (gain) => {
    const network = recurrence(gf, { gain });
    const { recurrent } = network.reach(100);
    network.dispose();
    return recurrent.derivatives[0];
  };
  const options = { units: 32, steps: 100, seed: 1 };
  for (const gain of [0.5, 0.8, 1, 1.2])
    near(left(gain), recurrent64(numbers({ gain, ...options })).norms[0], 0.01, `gain ${gain}`);
  assert.ok(left(0.8) < 1e-27 && left(1) < 1e-20 && left(1.2) < 1e-13);
  assert.ok(left(3) > 1e6);
});

test('information: a Gaussian channel, by the entropies of its output', () => {
  /** h(out) - h(out | value) of normal numbers. */
  const bits = (row, noise) => {
    const entropy = (variance) => 0.5 * Math.log2(2 * Math.PI * Math.E * variance);
    const all = row.map((a) => a * a);
    const whole = all.reduce((s, a) => s + a, noise);
    return all.map((own) => entropy(whole) - entropy(whole - own));
  };
  for (const row of [[0.02, 0.87, 0.11], [1], [0.25, 0.25, 0.5], [0, 1], [-2, 1]]) {
    for (const noise of [0.01, 1]) {
      for (const [j, value] of information(Float64Array.from(row), noise).entries()) {
        assert.ok(Math.abs(value - bits(row, noise)[j]) < 1e-12, `${row}: ${value}`);
      }
    }
  }
  /* Worked by hand: log2((0.7693 + 0.01) / (0.7693 + 0.01 - a^2)) / 2. */
  assert.deepEqual(
    information([0.02, 0.87, 0.11]).map((value) => Number(value.toPrecision(2))),
    [0.00037, 2.6, 0.011],
  );
  assert.equal(information([0.02, 0.87, 0.11])[1].toFixed(2), '2.56');
});
