// What an answer is called that is off in more than one way: the reason that a learner can do something about.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { languages } from '../../bindings/js/base/speech.js';
import { exercise, mark } from '../../bindings/learn/exercises/index.js';

const gf = await load();

/** The right answers, but for some cells. @param {(cell: string, value: number) => string | undefined} otherwise */
function answersTo(problem, otherwise) {
  const answers = problem.asked.map((cell) => {
    const { value } = problem.solution[cell];
    return [cell, otherwise(cell, value) ?? String(value)];
  });
  return { cells: Object.fromEntries(answers) };
}

test('an answer in fewer digits than are asked is told so, and no earlier step is blamed', () => {
  for (const [policy, written] of [
    [{}, (x) => x.toFixed(1)],
    [{ digits: 4 }, (x) => x.toFixed(2)],
    [{ significant: 5 }, (x) => x.toPrecision(2)],
  ]) {
    const problem = exercise(gf, 'weights', { seed: 1, ...policy });
    const cell = 'weights[0,0]';
    const answers = answersTo(problem, (name, x) => (name === cell ? written(x) : undefined));
    const { state, points, message } = mark(gf, problem, answers).cells[cell];
    assert.equal(state, 'few-digits', JSON.stringify(policy));
    assert.equal(points, 0.5);
    assert.match(message, /fewer digits than are asked/);
    assert.match(
      mark(gf, problem, answers, { lang: 'fr' }).cells[cell].message,
      /moins de chiffres/,
    );
    assert.match(mark(gf, problem, answers, { lang: 'de' }).cells[cell].message, /weniger Stellen/);
  }
});

/** A row's softmax from powers of e with one decimal, in float64. @param {number[]} scores */
function coarseSoftmax(scores) {
  const powers = scores.map((x) => Number(Math.exp(x - Math.max(...scores)).toFixed(1)));
  return powers.map((power) => power / powers.reduce((a, b) => a + b));
}

test('early rounding is named where a step that was not asked explains the number, and nowhere else', () => {
  let named = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const problem = exercise(gf, 'weights', { seed });
    const scores = [0, 1, 2].map((j) => problem.solution[`scores.scaled[0,${j}]`].value);
    const cell = 'weights[0,0]';
    const { value, band } = problem.solution[cell];
    const coarse = coarseSoftmax(scores)[0];
    if (Math.abs(coarse - value) < band + 0.01) continue;
    named += 1;
    const stateOf = (/** @type {number} */ x) => {
      const answers = answersTo(problem, (name) => (name === cell ? x.toFixed(2) : undefined));
      return mark(gf, problem, answers).cells[cell].state;
    };
    assert.equal(stateOf(coarse), 'early-rounding', `seed ${seed}`);
    /* As far off on the other side, where the scores stand exact. */
    assert.notEqual(stateOf(2 * value - coarse + 0.01), 'early-rounding', `seed ${seed}`);
  }
  assert.ok(named > 2, String(named));
});

test('0.33, 0.25 and 0.2 are wrong where 0.27 is right and the steps before are exact', () => {
  const problem = exercise(gf, 'causal-attention', { seed: 23 });
  const cell = 'weights[2,0]';
  assert.equal(problem.solution[cell].value.toFixed(2), '0.27');
  for (const text of ['0.33', '0.25', '0.2']) {
    const answers = answersTo(problem, (name) => (name === cell ? text : undefined));
    const { state, points } = mark(gf, problem, answers).cells[cell];
    assert.deepEqual([state, points], ['wrong', 0], text);
  }
});

test('one number that a misconception gives is no misconception: the whole step is', () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  const made = problem.misconceptions['scale-by-sqrt-dmodel'];
  const step = (/** @type {string} */ name) => name.startsWith('scores.scaled');
  const cell = 'scores.scaled[2,2]';
  for (const isMade of [(/** @type {string} */ name) => name === cell, step]) {
    const answers = answersTo(problem, (name, value) =>
      isMade(name) ? String(made[name] ?? value) : undefined,
    );
    const { state } = mark(gf, problem, answers).cells[cell];
    assert.equal(state === 'misconception:scale-by-sqrt-dmodel', isMade === step, state);
  }
});

test('softmax over scores that were not divided is one mistake, and every other error is listed beside it', () => {
  const problem = exercise(gf, 'weights', { seed: 3 });
  const score = (/** @type {number[]} */ ...at) => problem.solution[`scores[${at}]`].value;
  /** Softmax of a row of scores as they are. @param {number} i @param {number} j */
  const unscaled = (i, j) => {
    const powers = [0, 1, 2].map((k) => Math.exp(score(i, k)));
    return powers[j] / powers.reduce((a, b) => a + b);
  };
  const answers = answersTo(problem, (name) => {
    const [i, j] = name.match(/\d/g).map(Number);
    if (name.startsWith('weights')) return unscaled(i, j).toFixed(2);
    return { 'scores[0,1]': '77', 'scores.scaled[2,0]': '9.99' }[name];
  });
  const { findings } = mark(gf, problem, answers);
  assert.deepEqual(
    findings.map(({ cell }) => cell),
    ['scores[0,1]', 'scores.scaled[2,0]', 'weights[0,0]'],
  );
  assert.match(findings[2].message, /did not divide the scores by √d_k/);
});

test('the number of a neighbouring cell that no misconception gives is told as such', () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  const cell = 'scores.scaled[2,2]';
  const answers = answersTo(problem, (name) => (name === cell ? '4' : undefined));
  assert.equal(mark(gf, problem, answers).cells[cell].state, 'slip:place');
});

test('one score that is left undivided among divided ones is told as such, at what it is', () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  const cell = 'scores.scaled[0,0]';
  const answers = answersTo(problem, (name) =>
    name === cell ? String(problem.solution['scores[0,0]'].value) : undefined,
  );
  const { cells, points } = mark(gf, problem, answers);
  assert.equal(cells[cell].state, 'slip:before');
  assert.match(cells[cell].message, /not scaled/);
  assert.ok(points > 3, 'what follows counts');
  /* The only one that is filled in: the mistake that makes all of it. */
  const alone = mark(gf, problem, { cells: { 'scores[0,0]': '-3', [cell]: '-3' } });
  assert.equal(alone.cells[cell].misconception, 'no-scaling');
});

test('digits that change places leave a number that somebody writes', () => {
  const seed = Array.from({ length: 200 }, (_, i) => i + 1).find((one) =>
    Object.values(exercise(gf, 'scores', { seed: one }).solution).some(({ value }) => value === 10),
  );
  const problem = exercise(gf, 'scores', { seed });
  const cell = problem.asked.find((name) => problem.solution[name].value === 10) ?? '';
  const stateOf = (/** @type {string} */ text) => {
    const answers = answersTo(problem, (name) => (name === cell ? text : undefined));
    return mark(gf, problem, answers).cells[cell].state;
  };
  assert.notEqual(stateOf('1'), 'slip:digits');
  assert.notEqual(stateOf('-1'), 'slip:digits');
});

test('sheets of zeros or of ones are stock, not rounded too early', () => {
  for (const [recipe, seed] of [
    ['weights', 12],
    ['causal-attention', 6],
  ]) {
    const problem = exercise(gf, recipe, { seed });
    for (const text of ['0', '1']) {
      const { cells } = mark(
        gf,
        problem,
        answersTo(problem, () => text),
      );
      const states = new Set(Object.values(cells).map(({ state }) => state));
      for (const state of states) assert.ok(['right', 'stock', 'carried'].includes(state), state);
    }
  }
});

test('where most of a step is wrong, in more than one way, no slip is guessed', () => {
  const [problem, other] = [1, 2].map((seed) => exercise(gf, 'projection', { seed }));
  const answers = answersTo(problem, (name) => String(other.solution[name].value));
  for (const [cell, { state }] of Object.entries(mark(gf, problem, answers).cells)) {
    assert.doesNotMatch(state, /^slip/, cell);
  }
  /* Beside right numbers it is found. */
  const { value } = problem.solution['q[0,0]'];
  const one = answersTo(problem, (name) => (name === 'q[0,0]' ? String(-value) : undefined));
  assert.equal(mark(gf, problem, one).cells['q[0,0]'].state, 'slip:sign');
});

test('right weights over scaled scores that are none are told apart', () => {
  const problem = exercise(gf, 'weights', { seed: 6 });
  const numbers = [2, -4, 0, 1, 3, -2, 4, -1, 3];
  const answers = answersTo(problem, (name) => {
    const [, i, j] = /^scores\.scaled\[(\d),(\d)/.exec(name) ?? [];
    return i === undefined ? undefined : String(numbers[3 * Number(i) + Number(j)]);
  });
  const { cells, findings } = mark(gf, problem, answers);
  const { state, message } = cells['weights[0,0]'];
  assert.equal(state, 'right');
  assert.match(message, /does not follow from your earlier numbers, which give 0\.88/);
  assert.ok(findings.some(({ cell }) => cell === 'weights[0,0]'));
  /* A number that follows from a slip, and from what is right, is right alone. */
  const whole = answersTo(problem, () => undefined);
  assert.equal(mark(gf, problem, whole).cells['weights[0,0]'].message, 'Right.');
});

test('what is right in too few digits, or rounded too early, is not told its number', () => {
  const problem = exercise(gf, 'weights', { seed: 6 });
  const answers = answersTo(problem, (_, value) => String(Number(value.toFixed(1))));
  for (const lang of languages) {
    const { cells } = mark(gf, problem, answers, { lang });
    const early = Object.values(cells).filter(({ state }) => /few|early/.test(state));
    assert.ok(early.length > 2);
    for (const { message } of early) assert.doesNotMatch(message, /\d/);
  }
});
