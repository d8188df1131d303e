// gf.attention: its layouts, masks, past and steps. Numbers of every option are in conformance/.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import * as naive from './naive.js';

const gf = await load();
const { numbers, headOf } = naive;
const close = (actual, expected, tolerance = 1e-6) => {
  const distance = naive.distance(actual, expected);
  assert.ok(distance <= tolerance, `off by ${distance}: ${JSON.stringify(actual)}`);
};
const [q, k, v] = [numbers(3, 8), numbers(5, 8, 2), numbers(5, 6, 3)];
const out = Number.NEGATIVE_INFINITY;

test('the three layouts give the same numbers, each in its own', () => {
  const apart = (x) => [0, 1].map((h) => headOf(x, 2, h));
  const single = gf.attention({ q, k, v, heads: 2 });
  const batch = gf.attention({ q: [q], k: [k], v: [v], heads: 2 });
  const heads = gf.attention({ q: [apart(q)], k: [apart(k)], v: [apart(v)] });
  close(batch.output, [single.output], 0);
  close(heads.output, [apart(single.output)], 0);
  for (const { weights, scores, presentKey } of [batch, heads]) {
    close(weights, [single.weights], 0);
    close(scores, [single.scores], 0);
    close(presentKey, [apart(k)]);
  }
  close(single.presentValue, apart(v));
});

test('of one head of one sequence there is no head’s dimension', () => {
  const { output, weights, scores, presentKey } = gf.attention({ q, k, v });
  const expected = naive.attention(q, k, v);
  close(output, expected.output);
  close(weights, expected.weights);
  close(scores, expected.scores);
  close(presentKey, k);
});

test('fewer heads of keys and values serve several heads of queries', () => {
  const [k2, v2] = [numbers(5, 4, 4), numbers(5, 6, 5)];
  const { output } = gf.attention({ q, k: k2, v: v2, heads: 4, kvHeads: 2 });
  const heads = [0, 1, 2, 3].map((h) => {
    const group = Math.floor(h / 2);
    return naive.attention(headOf(q, 4, h), headOf(k2, 2, group), headOf(v2, 2, group)).output;
  });
  close(
    output,
    q.map((_, i) => heads.flatMap((head) => head[i])),
  );
});

test('token by token with a past is the whole sequence, in every layout', () => {
  const x = numbers(6, 8);
  for (const options of [{}, { heads: 2 }, { heads: 4, kvHeads: 4 }]) {
    const whole = gf.attention({ q: x, k: x, v: x, causal: true, ...options });
    let [pastKey, pastValue] = [undefined, undefined];
    for (const part of [x.slice(0, 1), x.slice(1, 4), x.slice(4)]) {
      const given = { q: part, k: part, v: part, causal: true, ...options };
      const step = gf.attention({ ...given, pastKey, pastValue });
      const from = x.indexOf(part[0]);
      close(step.output, whole.output.slice(from, from + part.length));
      ({ presentKey: pastKey, presentValue: pastValue } = step);
    }
    close(pastKey, whole.presentKey, 0);
    close(pastValue, whole.presentValue, 0);
  }
});

test('an empty past is none', () => {
  const empty = { data: [], shape: [1, 2, 0, 4] };
  const { output } = gf.attention({ q, k, v, heads: 2, pastKey: empty, pastValue: empty });
  close(output, gf.attention({ q, k, v, heads: 2 }).output, 0);
});

test('an offset is a number, below 0 too, or one for each sequence', () => {
  const seen = (offset) => (i, j) => j <= i + offset;
  for (const offset of [0, 1, 2, 9, -1, -2]) {
    const { output } = gf.attention({ q, k, v, causal: true, offset });
    close(output, naive.attention(q, k, v, seen(offset)).output);
  }
  const two = { q: [q, q], k: [k, k], v: [v, v], causal: true };
  const expected = [-1, 2].map((offset) => naive.attention(q, k, v, seen(offset)).output);
  close(gf.attention({ ...two, offset: [-1, 2] }).output, expected);
  close(gf.attention({ ...two, offset: Int32Array.of(-1, 2) }).output, expected);
  const keep = q.map(() => [true, false, true, true, true]);
  close(gf.attention({ ...two, offset: [-1, 2], mask: keep }).output, [
    naive.attention(q, k, v, (i, j) => j <= i - 1 && j !== 1).output,
    naive.attention(q, k, v, (i, j) => j <= i + 2 && j !== 1).output,
  ]);
});

test('a query that sees nothing gets 0', () => {
  const { output, weights } = gf.attention({ q, k, v, mask: q.map((_, i) => k.map(() => i > 0)) });
  assert.deepEqual(weights[0], [0, 0, 0, 0, 0]);
  assert.deepEqual(output[0], [0, 0, 0, 0, 0, 0]);
});

test('a mask masks the keys beyond its width; one column is for all', () => {
  const short = q.map(() => [true, true]);
  const expected = naive.attention(q, k, v, (_, j) => j < 2).output;
  close(gf.attention({ q, k, v, mask: short }).output, expected);
  close(gf.attention({ q, k, v, mask: [0, 0] }).output, expected);
  close(gf.attention({ q, k, v, mask: [[0], [0], [1]] }).output, naive.attention(q, k, v).output);
});

test('steps come under their names; one that is not made is the one before', () => {
  const steps = ['scores.scaled', 'scores.capped', 'scores.masked'];
  const all = gf.attention({ q, k, v, softcap: 0.5, causal: true, steps });
  const scaled = naive.attention(q, k, v).scores.map((row) => row.map((s) => s / Math.sqrt(8)));
  const capped = scaled.map((row) => row.map((s) => 0.5 * Math.tanh(s / 0.5)));
  close(all['scores.scaled'], scaled);
  close(all['scores.capped'], capped);
  close(
    all['scores.masked'],
    capped.map((row, i) => row.map((s, j) => (j <= i ? s : out))),
  );
  const plain = gf.attention({ q, k, v, steps });
  for (const step of steps) close(plain[step], scaled);
});

test('the answer has the form of q', () => {
  const plain = (x) => ({ data: x.flat(), shape: [x.length, x[0].length] });
  const { output, presentKey } = gf.attention({ q: plain(q), k, v });
  assert.deepEqual(output.shape, [3, 6]);
  assert.ok(presentKey.data instanceof Float32Array);
});

for (const [call, pattern] of [
  [
    () => gf.attention({ q, k: [k], v }),
    /attention: shapes do not fit: \[3,8\] x \[1,5,8\] x \[5,6\]/,
  ],
  [() => gf.attention({ q: [1], k: [1], v: [1] }), /attention: shapes do not fit/],
  [() => gf.attention({ q, k, v, heads: 3 }), /heads 3 is out of range/],
  [() => gf.attention({ q, k, v, heads: 0 }), /attention: heads: .* received 0/],
  [() => gf.attention({ q, k, v, heads: 4, kvHeads: 1.5 }), /attention: kvHeads: .* received 1.5/],
  [
    () => gf.attention({ q: [[q]], k: [[k]], v: [[v]], heads: 2 }),
    /heads: expected 1, as the shapes say, received 2/,
  ],
  [() => gf.attention({ q, k, v, pastKey: k }), /expected pastKey and pastValue, received one$/],
  [() => gf.attention({ q, k, v, lengths: [3] }), /lengths: expected a batch/],
  [() => gf.attention({ q, k, v, causal: true, offset: 0.5 }), /offset: .* received 0.5/],
  [
    () => gf.attention({ q, k, v, causal: true, offset: [0, 1] }),
    /offset: expected a number or 1.* received an array of 2/,
  ],
  [
    () => gf.attention({ q, k, v, steps: ['weight'] }),
    /steps: expected one of "scores".* received "weight"/,
  ],
  [
    () => gf.attention({ q, k, v, steps: 'weights' }),
    /steps: expected an array of names, received "weights"/,
  ],
  [
    () => gf.attention({ q, k, v, softcap: 0 }),
    /softcap: expected a number other than 0, received 0/,
  ],
  [() => gf.attention({ q, k, v, softcap: -1 }), /softcap: expected a number above 0, received -1/],
  [() => gf.attention({ q, k, v, mask: numbers(2, 5) }), /shapes do not fit/],
]) {
  test(`refused: ${String(call).slice(6)}`, () => {
    assert.throws(call, (error) => pattern.test(error.message) || assert.fail(error.message));
  });
}

test('fused, attention is one node of the same bits', () => {
  const run = (fused) => {
    const tape = gf.tape();
    const [x, w] = [tape.input('x', [2, 5, 8]), tape.parameter('w', [8, 8])];
    const lengths = tape.ids('lengths', [2]);
    const options = { wQ: w, wK: w, wV: w, wO: w, heads: 2, causal: true, lengths, alibi: true };
    const y = tape.attention({ query: x, key: x, value: x, ...options, softcap: 2, fused });
    tape.plan();
    x.set([numbers(5, 8, 3), numbers(5, 8, 4)]);
    w.set(numbers(8, 8, 5));
    lengths.set([5, 3]);
    tape.forward();
    tape.backward(y, [numbers(5, 8, 6), numbers(5, 8, 7)]);
    return {
      tape,
      y: y.data.slice(),
      dw: w.grad.slice(),
      names: tape.nodes.map(({ name }) => name),
    };
  };
  const [steps, fused] = [run(false), run(true)];
  assert.deepEqual(fused.y, steps.y);
  assert.deepEqual(fused.dw, steps.dw);
  const inside = steps.names.filter((name) => !fused.names.includes(name));
  const expected = ['scores', 'scores.scaled', 'scores.capped', 'scores.biased', 'scores.masked'];
  assert.deepEqual(inside, [...expected, 'weights']);
  const { op, attributes } = fused.tape.find('mix');
  assert.equal(op, 'attention');
  assert.deepEqual(attributes, { factor: 0.5, causal: 1, offset: 0, alibi: 1, softcap: 2 });
});
