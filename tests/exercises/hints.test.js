// The equations of hints, which the key prints too: what is shown adds up to the number that is shown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import {
  exercise,
  exportQuiz,
  hints,
  recipes,
  worksheet,
} from '../../bindings/learn/exercises/index.js';
import { waits } from '../support/sample.js';

const gf = await load();
const numberOf = (text) => Number(text.replace(/[()]/g, '').replace('−', '-'));

/** What a side of an equation comes to, in the digits that it shows. */
function amountOf(side) {
  const code = side
    .replaceAll('−', '-')
    .replaceAll('·', '*')
    .replaceAll('∞', 'Infinity')
    .replace(/√(\d+)/g, 'Math.sqrt($1)')
    .replace(/e\^(\([^)]*\)|[\d.]+)/g, 'Math.exp($1)');
  assert.match(code, /^(?:[-+*/()\d. ]|Infinity|Math\.(?:sqrt|exp))+$/);
  return new Function(`return ${code}`)();
}

/** The cells of a problem whose working is shown, with the sides of the equation and the signs between them. */
const equationsOf = (problem) =>
  worksheet(gf, problem).key.flatMap(({ name, working, is, value }) => {
    if (!working) return [];
    const [own, , ...parts] = `${working} ${is} ${value}`.split(/ ([=≈]) /);
    assert.equal(own, name);
    const signs = parts.filter((_, i) => i % 2 > 0);
    return [{ name, working, sides: parts.filter((_, i) => i % 2 === 0), signs }];
  });

/** The right numbers as a learner fills them in. */
const answersOf = (problem) => ({
  cells: Object.fromEntries(worksheet(gf, problem).key.map(({ name, value }) => [name, value])),
});

test('each equation is true to the digits that it shows, its bias included', (t) => {
  if (waits(t)) return;
  let told = 0;
  for (const { name } of recipes()) {
    for (let seed = 1; seed <= 5; seed++) {
      const problem = exercise(gf, name, { seed });
      const answers = answersOf(problem);
      for (const { name: cell, working, sides, signs } of equationsOf(problem)) {
        const said = `${name}, ${seed}: ${working}; ${sides.at(-1)}`;
        assert.equal(hints(gf, problem, cell, { answers })[2], working);
        const values = sides.map(amountOf);
        signs.forEach((sign, i) => {
          const isSame = Math.abs(values[i + 1] - values[i]) < 1e-8;
          assert.equal(sign, isSame ? '=' : '≈', said);
        });
        const [before, last] = values.slice(-2);
        assert.ok(Math.abs(before - last) <= 0.005 + 1e-9, said);
        told++;
      }
    }
  }
  assert.ok(told > 800, `${told}`);
});

test('every step of attention shows its working, and what is taken before it is named', () => {
  const named = {
    en: [/√d_k = √4/, /e to the power/],
    fr: [/√d_k = √4/, /e à la puissance/],
    de: [/√d_k = √4/, /e hoch/],
  };
  for (const [lang, [root, power]] of Object.entries(named)) {
    const problem = exercise(gf, 'weights', { seed: 1 });
    for (const cell of problem.asked) {
      const told = hints(gf, problem, cell, { lang, answers: answersOf(problem) });
      assert.equal(told.length, 4, told.join('\n'));
      if (cell.startsWith('scores.scaled')) assert.match(told[1], root);
      if (cell.startsWith('weights')) assert.match(told[1], power);
    }
  }
  const problem = exercise(gf, 'weights', { seed: 1 });
  const { q, k } = problem.given;
  const score = q[0].reduce((sum, x, i) => sum + x * k[0][i], 0);
  assert.equal(
    hints(gf, problem, 'scores.scaled[0,0]', { answers: answersOf(problem) })[2],
    `scores.scaled[0,0] = ${String(score).replace('-', '−')}/√4`,
  );
  assert.match(
    hints(gf, problem, 'weights[0,0]', { lang: 'de', answers: answersOf(problem) })[2],
    /^weights\[0,0\] = e\^\(−1,50\)\/\(e\^.* ≈ 0,22\/\(0,22 \+ /,
  );
});

test('the keys of exports show the working of every step', async () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  for (const [format, pattern] of [
    ['markdown', /^- .*(?:=|≈)/gm],
    ['latex', /\\item/g],
    ['html', /<li>/g],
    ['moodle', /<li>/g],
  ]) {
    const files = await exportQuiz(gf, [problem], { format });
    const text = new TextDecoder().decode(files.at(-1).data);
    assert.equal(text.match(pattern)?.length, problem.asked.length, format);
  }
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

test('a sum of two steps shows its terms', () => {
  const problem = exercise(gf, 'residual-norm', { seed: 1 });
  const { x, sublayer } = problem.given;
  const [, , equation] = hints(gf, problem, 'residual[0,1]');
  const terms = equation.split(' = ')[1].split(' + ').map(numberOf);
  assert.deepEqual(terms, [x[0][1], sublayer[0][1]]);
});

test('a negative number behind a sign is in brackets', () => {
  const problem = exercise(gf, 'induction', { seed: 1 });
  const [, , equation] = hints(gf, problem, 'scores[0,1]', { answers: answersOf(problem) });
  assert.equal(equation, 'scores[0,1] = −1.50 · 0.50 + (−0.50) · (−1.50)');
});

test('the head that adds most to the logit of the name does not speak against it', () => {
  for (let seed = 0; seed < 40; seed++) {
    const { weights, writes } = exercise(gf, 'find-head', { seed }).given;
    const effects = weights.map((row, h) => row.reduce((sum, a, i) => sum + a * writes[h][i], 0));
    assert.ok(Math.max(...effects) > 0, `${seed}: ${effects}`);
  }
});

describe('before anything is filled in', () => {
  test('no hint but the last has a number of a cell that is to be computed', () => {
    const missing = ' A ? stands for a number that you have not filled in yet.';
    const problem = exercise(gf, 'causal-attention', { seed: 23 });
    assert.equal(
      hints(gf, problem, 'output[2,0]')[2],
      `output[2,0] = ? · 0 + ? · (−3) + ? · 6.${missing}`,
    );
    assert.equal(
      hints(gf, problem, 'weights[2,0]')[2],
      `weights[2,0] = e^?/(e^? + e^? + e^?).${missing}`,
    );
    for (const level of ['steps', 'faded', 'end']) {
      for (const recipe of ['attention', 'causal-attention', 'cross-attention', 'two-heads']) {
        const one = exercise(gf, recipe, { seed: 4, level });
        const known = new Set([...Object.values(one.given).flat(Infinity), 2, 4].map(Math.abs));
        for (const cell of one.asked) {
          const [, , equation = ''] = hints(gf, one, cell).slice(0, -1);
          const numbers =
            equation
              .split('=')
              .slice(1)
              .join()
              .match(/\d+(\.\d+)?/g) ?? [];
          if (level === 'faded') continue;
          for (const number of numbers)
            assert.ok(known.has(Number(number)), `${cell}: ${equation}`);
        }
      }
    }
  });

  test('a hint has the numbers that the learner wrote, right or wrong, and those that the sheet shows', () => {
    const problem = exercise(gf, 'causal-attention', { seed: 23 });
    const answers = {
      cells: { 'weights[2,0]': '0,5', 'weights[2,2]': '1/4', 'weights[2,1]': 'x' },
    };
    const [, , equation] = hints(gf, problem, 'output[2,0]', { answers });
    assert.match(equation, /^output\[2,0\] = 0\.50 · 0 \+ \? · \(−3\) \+ 0\.25 · 6\. /);
    const faded = exercise(gf, 'causal-attention', { seed: 23, level: 'faded' });
    const shown = worksheet(gf, faded).asked.find(({ of }) => of === 'weights').cells[2][1].text;
    const [, , other] = hints(gf, faded, 'output[2,0]');
    assert.match(other, new RegExp(`= \\? · 0 \\+ ${shown} · \\(−3\\) \\+ \\? · 6`));
  });
});
