// The equations of hints, which the key prints too: what is shown adds up to the number that is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exercise, hints, recipes } from '../../bindings/exercises/index.js';
import { load } from '../../bindings/index.js';

const gf = await load();
const numberOf = (text) => Number(text.replace(/[()]/g, '').replace('−', '-'));

test('each equation adds up as displayed, its bias included', () => {
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
