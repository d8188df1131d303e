// What the benchmark says of made-up rounds, and of made-up machines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, medianWithin } from './measure/judgement.js';
import { coresOf, described, loadOf, ticksOf, watch } from './measure/machine.js';
import { table } from './table.js';

/** @param {number} n @param {(i: number) => number} make */
const rounds = (n, make) => Array.from({ length: n }, (_, i) => make(i));

test('a bar is met or missed where all rounds say so', () => {
  assert.equal(
    judge(
      rounds(40, (i) => 1.5 + (i % 7) / 100),
      1.3,
    ),
    'met',
  );
  assert.equal(
    judge(
      rounds(40, (i) => 1.1 + (i % 7) / 100),
      1.3,
    ),
    'missed',
  );
  /* One round in which the machine was away changes nothing. */
  assert.equal(judge([...rounds(39, (i) => 1.5 + (i % 7) / 100), 0.01], 1.3), 'met');
});

test('a bar is not judged that the median may lie on either side of', () => {
  const near = rounds(40, (i) => 1.2 + i / 195);
  assert.equal(judge(near, 1.3), 'too close');
  assert.equal(judge(near, 1.25), 'met');
  assert.equal(judge(near, 1.36), 'missed');
  /* The same rounds, more of them, know more. */
  const shaken = (n) => rounds(n, (i) => 1.32 + (((i * 7919) % n) / n - 0.5) / 5);
  assert.equal(judge(shaken(12), 1.3), 'too close');
  assert.equal(judge(shaken(400), 1.3), 'met');
});

test('rounds that lie too far apart are not judged, nor are too few', () => {
  assert.equal(
    judge(
      rounds(40, (i) => (i % 2 ? 1.4 : 4)),
      1.3,
    ),
    'too noisy',
  );
  assert.equal(
    judge(
      rounds(7, () => 1.5),
      1.3,
    ),
    'too close',
  );
  assert.equal(
    judge(
      rounds(8, () => 1.5),
      1.3,
    ),
    'met',
  );
  assert.equal(judge([Number.NaN, 1, 1, 1, 1, 1, 1, 1], 1), 'too noisy');
});

test('the interval misses the median of what is measured once in a hundred at most', () => {
  /** Binomial coefficients as fractions of 2^n, in whole numbers. @param {number} n @param {number} k */
  const ways = (n, k) => {
    let of = 1n;
    for (let i = 1n; i <= BigInt(k); i++) of = (of * (BigInt(n) - i + 1n)) / i;
    return of;
  };
  for (const n of [8, 9, 12, 25, 40, 100]) {
    const { low, high } = medianWithin(rounds(n, (i) => (i * 37) % n).slice());
    const k = low + 1;
    assert.equal(high, n - k, `${n} rounds, as many on either side`);
    const tail = (to) =>
      Array.from({ length: to }, (_, i) => ways(n, i)).reduce((sum, x) => sum + x, 0n);
    const missed = (many) => Number((20000n * tail(many)) / 2n ** BigInt(n)) / 10000;
    assert.ok(missed(k) <= 0.01, `${n}: ${missed(k)}`);
    assert.ok(missed(k + 1) > 0.0099, `${n}: no narrower one would do`);
  }
  const { low, high } = medianWithin(rounds(40, (i) => i + 1));
  assert.deepEqual([low, high], [12, 29]);
});

const STAT = `cpu  9 9 9 9 9 9 9 9 0 0
cpu0 100 0 50 800 50 0 0 0 0 0
cpu1 10 0 0 990 0 0 0 0 0 0
cpu10 0 0 0 0 0 0 0 0 0 0
intr 1 2 3
`;
test('what others did is what the processors did, without what was measured', () => {
  const before = ticksOf(STAT);
  assert.deepEqual(before.get(0), { work: 150, all: 1000 });
  assert.deepEqual([...before.keys()], [0, 1, 10]);
  const after = ticksOf('cpu0 200 0 50 800 50 0 0 0 0 0\ncpu1 70 0 0 1030 0 0 0 0 0 0\n');
  const close = (x, due) => assert.ok(Math.abs(x - due) < 1e-9, `${x}`);
  const paired = loadOf(before, after, 1, coresOf(['0-1', '0-1']));
  close(paired.busy, 1.6);
  close(paired.others, 0.6);
  assert.equal(paired.pairs, 1);
  assert.equal(loadOf(before, after, 1, coresOf(['0', '1'])).pairs, 0);
  assert.equal(loadOf(before, before, 1, []).others, 0);
  assert.deepEqual(coresOf(['0,4', '1,5', '0,4', '1,5']), [
    [0, 4],
    [1, 5],
  ]);
});

test('this machine says what it is, and what was done', () => {
  assert.match(
    described(),
    /, \d+ (cores of \d threads?|threads|processors of a virtual machine); Node v\d+.*, V8 \d+/,
  );
  const told = watch()();
  if (told) assert.ok(told.others >= 0 && told.busy >= 0);
});

test('a report says what it does not judge', () => {
  const summary = { p10: 1, median: 1, p90: 1 };
  const player = { milliseconds: summary, rate: summary, runsPerSample: 1, samples: [] };
  const row = (who, verdict) => ({ ...player, who, ratio: summary, bar: 1, verdict });
  const told = table({
    ...{ name: 'product', unit: 'FLOP', work: 1, tolerance: 0, rounds: 40 },
    load: { busy: 2, others: 0.72, pairs: 1 },
    players: [{ ...player, who: 'ours' }, row('a', 'too close'), row('b', 'missed')],
  });
  assert.match(
    told,
    /^product {3}40 rounds, beside others on 0\.7 threads, 1 cores busy on both$/m,
  );
  assert.match(told, /^ {2}a .* 1x {2}too close$/m);
  assert.match(told, /^ {2}b .* MISSED$/m);
});
