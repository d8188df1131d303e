// The key of a sheet by the sheet's own rule: each step rounded before the next one reads it. Recomputed in float64 with
// another program, and where the key prints products, in exact decimals from what it prints.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exportQuiz, mark, worksheet } from '../../bindings/learn/exercises/index.js';
import { workedOut } from './by-hand.js';
import { penOf } from './learner.js';
import { gf, LEVELS, problemOf, RECIPES, seeds } from './setup.js';

const SEEDS = Array.from({ length: 30 }, (_, i) => i + 1);

/** A printed number in units of its sixth decimal; no printed number of a key has more. @param {string} text */
function decimal(text) {
  const [, sign, whole, part = ''] = /^\(?([−-]?)(\d+)(?:\.(\d{1,6}))?\)?$/.exec(text) ?? [];
  assert.notEqual(whole, undefined, text);
  const units = BigInt(whole + part.padEnd(6, '0'));
  return sign ? -units : units;
}

/** A number of 12 decimals rounded to so many, halves away from zero, in units of the sixth. @param {bigint} x */
function roundedTo(x, digits) {
  const unit = 10n ** BigInt(12 - digits);
  const size = x < 0n ? -x : x;
  const units = (2n * size + unit) / (2n * unit);
  return (x < 0n ? -units : units) * 10n ** BigInt(6 - digits);
}

const numberOf = (text) => (text === '−∞' ? -Infinity : Number(text.replace('−', '-')));

for (const recipe of RECIPES) {
  describe(recipe, () => {
    for (const level of LEVELS) {
      test(`${level}: each number of the key is what the rule gives, and counts as right`, () => {
        for (const seed of level === 'steps' ? SEEDS : seeds(30, 5)) {
          const problem = problemOf(recipe, { seed, level });
          const { key } = worksheet(gf, problem);
          const { digits } = problem.policy;
          const due = workedOut(
            problem,
            '',
            penOf({ digits, even: false, notes: false, shifted: true }),
          );
          assert.deepEqual(
            key.map(({ name }) => name),
            problem.asked,
          );
          for (const { name, value } of key) {
            const where = `${recipe}, ${level}, seed ${seed}: ${name}: ${value}, not ${due[name]}`;
            const close =
              Math.abs(numberOf(value) - due[name]) < 1e-9 * Math.max(1, Math.abs(due[name]));
            assert.ok(Object.is(numberOf(value), due[name]) || close, where);
          }
          const answers = Object.fromEntries(key.map(({ name, value }) => [name, value]));
          const { cells } = mark(gf, problem, { cells: answers });
          for (const name of problem.asked)
            assert.equal(cells[name].state, 'right', `${recipe}, ${seed}: ${name}`);
        }
      });
    }
  });
}

test('sums of products come to the number behind them in exact decimals', () => {
  let sums = 0;
  for (const recipe of RECIPES) {
    for (const seed of SEEDS) {
      const problem = problemOf(recipe, { seed });
      const { digits } = problem.policy;
      for (const { name, working, value } of worksheet(gf, problem).key) {
        const [, sum] = /^\S+ [=≈] ([^/√^∞]* · [^/√^∞]*)$/.exec(working) ?? [];
        if (!sum || digits === undefined) continue;
        const total = sum
          .split(' + ')
          .map((term) => term.split(' · ').map(decimal))
          .reduce((all, [a, b = 10n ** 6n]) => all + a * b, 0n);
        assert.equal(
          roundedTo(total, digits),
          decimal(value),
          `${recipe}, ${seed}: ${name}: ${working}: ${value}`,
        );
        sums += 1;
      }
    }
  }
  assert.ok(sums > 5000, `${sums}`);
});

test('the sum that was 2.17 for the full digits of the weights is 2.16', () => {
  const keys = SEEDS.flatMap((seed) => worksheet(gf, problemOf('causal-attention', { seed })).key);
  const [entry] = keys.filter(({ working }) => working.includes('0.88 · 3 + 0.12 · (−4)'));
  assert.equal(entry?.value, '2.16');
});

test('equal scores have equal weights', () => {
  let pairs = 0;
  for (const recipe of [
    'weights',
    'attention',
    'causal-attention',
    'softmax-row',
    'padding-mask',
  ]) {
    for (const seed of SEEDS) {
      const { key } = worksheet(gf, problemOf(recipe, { seed }));
      const values = new Map(
        key.map(({ name, value, accepted }) => [name, `${value} ${accepted}`]),
      );
      for (const { name, working } of key) {
        if (!name.startsWith('weights')) continue;
        const [, own, all] = /= (e\^\S+)\/\((.*?)\)(?: [=≈]|$)/.exec(working) ?? [];
        const row = name.slice(0, name.lastIndexOf(',') + 1);
        all?.split(' + ').forEach((power, j) => {
          if (power !== own || `${row}${j}]` === name) return;
          assert.equal(values.get(`${row}${j}]`), values.get(name), `${recipe}, ${seed}: ${name}`);
          pairs += 1;
        });
      }
    }
  }
  assert.ok(pairs > 100, `${pairs}`);
});

test('the accepted range is what marking takes, and not a hair more', () => {
  let ranges = 0;
  for (const recipe of RECIPES) {
    for (const seed of seeds(30, 2)) {
      const problem = problemOf(recipe, { seed });
      const { digits } = problem.policy;
      if (digits === undefined) continue;
      for (const { name, accepted } of worksheet(gf, problem).key) {
        if (!accepted) continue;
        const [low, high] = accepted.split(' to ').map(numberOf);
        const { value, band } = problem.solution[name];
        const unit = 10 ** -digits;
        const isRight = (x) => Math.abs(x - value) <= band + 4e-7 * Math.max(1, Math.abs(value));
        assert.deepEqual(
          [low, high].map(isRight),
          [true, true],
          `${recipe}, ${seed}: ${name}: ${accepted}`,
        );
        assert.deepEqual(
          [low - unit, high + unit].map(isRight),
          [false, false],
          `${recipe}, ${seed}: ${name}: ${accepted}`,
        );
        ranges += 1;
      }
    }
  }
  assert.ok(ranges > 50, `${ranges}`);
});

test('sheets have a line for the name, and titles in words', async () => {
  const files = async (format, lang) =>
    (await exportQuiz(gf, [problemOf('causal-attention')], { format, lang })).map(({ data }) =>
      new TextDecoder().decode(data),
    );
  for (const [lang, name, title] of [
    ['en', 'Name', 'Scaled scores'],
    ['fr', 'Nom', 'Scores mis à l’échelle'],
    ['de', 'Name', 'Skalierte Scores'],
  ]) {
    for (const format of ['html', 'markdown', 'latex']) {
      const [sheet, key] = await files(format, lang);
      assert.match(sheet, new RegExp(`${name}(: |</p>)`), format);
      for (const text of [sheet, key]) {
        assert.ok(text.includes(title), `${format}, ${lang}: ${title}`);
        assert.doesNotMatch(text, /scores\.scaled|scores\.masked/);
      }
    }
  }
});
