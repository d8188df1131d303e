// What an answer is called that is off in more than one way: the reason that a learner can do something about.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
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
    assert.match(message, /too few digits.*0\.33/);
    assert.match(mark(gf, problem, answers, { lang: 'fr' }).cells[cell].message, /chiffres.*0,33/);
    assert.match(mark(gf, problem, answers, { lang: 'de' }).cells[cell].message, /Stellen.*0,33/);
  }
});

test('an earlier step that was rounded too early is still named', () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  const cell = 'weights[0,0]';
  const answers = answersTo(problem, (name) => (name === cell ? '0.35' : undefined));
  assert.equal(mark(gf, problem, answers).cells[cell].state, 'early-rounding');
});

test('a known misconception comes before the number of a neighbouring cell', () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  const cell = 'scores.scaled[2,2]';
  assert.equal(problem.solution['scores.scaled[1,2]'].value, 1);
  assert.equal(problem.misconceptions['scale-by-sqrt-dmodel'][cell], 1);
  const answers = answersTo(problem, (name) => (name === cell ? '1.00' : undefined));
  const { state, points } = mark(gf, problem, answers).cells[cell];
  assert.deepEqual([state, points], ['misconception:scale-by-sqrt-dmodel', 0]);
});

test('the number of a neighbouring cell that no misconception gives is told as such', () => {
  const problem = exercise(gf, 'weights', { seed: 1 });
  const cell = 'scores.scaled[2,2]';
  const answers = answersTo(problem, (name) => (name === cell ? '4' : undefined));
  assert.equal(mark(gf, problem, answers).cells[cell].state, 'slip:place');
});
