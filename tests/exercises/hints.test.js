// The equations of hints, which the key prints too: what is shown adds up to the number that is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exercise, hints, recipes } from '../../bindings/exercises/index.js';
import { load } from '../../bindings/index.js';
import { waits } from '../support/sample.js';

const gf = await load();
const numberOf = (text) => Number(text.replace(/[()]/g, '').replace('−', '-'));

test('each equation adds up as displayed, its bias included', (t) => {
  if (waits(t)) return;
  let told = 0;
  for (const { name } of recipes()) {
    for (let seed = 1; seed <= 5; seed++) {
      const problem = exercise(gf, name, { seed });
      for (const cell of problem.asked) {
        const [, , equation, last] = hints(gf, problem, cell);
        if (!last) continue;
        const [sum] = equation.split(' = ').slice(-1);
        const shown = sum.split(' + ').reduce(
          (all, term) =>
            all +
            term
              .split(' · ')
              .map(numberOf)
              .reduce((a, b) => a * b),
          0,
        );
        const value = numberOf(last.match(/[−\d.]+(?=\.$)/)[0]);
        assert.ok(
          Math.abs(shown - value) <= 0.005 + 1e-9,
          `${name}, ${seed}: ${equation}; ${last}`,
        );
        told++;
      }
    }
  }
  assert.ok(told > 500, `${told}`);
});

test('terms are what a learner multiplies: no factor that only adds, and numbers that are given', () => {
  const equationOf = (problem, cell) => hints(gf, problem, cell)[2].split(' = ')[1];
  const parts = exercise(gf, 'logit-parts', { seed: 3 });
  for (const cell of ['logits[0,0]', 'margin[0,0]'])
    assert.doesNotMatch(equationOf(parts, cell), /·/);
  const heads = exercise(gf, 'find-head', { seed: 3 });
  const { weights, writes } = heads.given;
  const [, shares] = weights;
  const terms = equationOf(heads, 'effects[1,0]')
    .split(' + ')
    .map((term) => term.split(' · ').map(numberOf));
  assert.deepEqual(
    terms,
    shares.map((share, i) => [share, writes[1][i]]),
  );
});

test('a negative number behind a sign is in brackets', () => {
  const problem = exercise(gf, 'induction', { seed: 1 });
  const [, , equation] = hints(gf, problem, 'scores[0,1]');
  assert.equal(equation, 'scores[0,1] = −1.50 · 0.50 + (−0.50) · (−1.50)');
});

test('the head that adds most to the logit of the name does not speak against it', () => {
  for (let seed = 0; seed < 40; seed++) {
    const { weights, writes } = exercise(gf, 'find-head', { seed }).given;
    const effects = weights.map((row, h) => row.reduce((sum, a, i) => sum + a * writes[h][i], 0));
    assert.ok(Math.max(...effects) > 0, `${seed}: ${effects}`);
  }
});
