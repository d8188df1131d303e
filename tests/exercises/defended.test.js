// Marks that a strict lecturer could not defend before a class: one slip that cost a sheet, accusations by chance, sentences that
// were not true, and points for nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each, workedOut } from './by-hand.js';
import { chance, penOf, written } from './learner.js';
import { marked, pointsFor, problemOf, seeds } from './setup.js';

/** Works with two decimals in each step. @param {(step: string, numbers: any) => any} [write] */
const pen = (write) =>
  penOf(
    {
      digits: 2,
      even: false,
      notes: false,
      shifted: true,
      squaresFirst: false,
      fractions: false,
    },
    write,
  );

/** What somebody writes. @param {any} problem @param {Record<string, number>} numbers */
const sheetOf = (problem, numbers) =>
  Object.fromEntries(problem.asked.map((cell) => [cell, written(numbers[cell], 2, chance(1))]));

/** The part of its points that a sheet earns. @param {any} problem @param {Record<string, string>} cells @param {any} [options] */
function partOf(problem, cells, options) {
  const { points, max } = pointsFor(problem, cells, options);
  return points / max;
}

/** What is given, with one number misread, each in turn. @param {any} problem */
function* misread(problem) {
  for (const [name, numbers] of Object.entries(problem.given)) {
    if (name === 'mask') continue;
    for (const [i, x] of [numbers].flat(3).entries()) {
      for (const y of [x + 1, -x || 2]) {
        let n = 0;
        const put = (all) => (Array.isArray(all) ? all.map(put) : n++ === i ? y : all);
        yield { ...problem, given: { ...problem.given, [name]: put(numbers) } };
      }
    }
  }
}

for (const recipe of ['attention', 'causal-attention', 'weights', 'one-query', 'two-heads']) {
  test(`${recipe}: one given number that was misread costs about one cell`, () => {
    /** @type {string[]} */
    const dear = [];
    let all = 0;
    for (const seed of seeds(15, 3)) {
      const problem = problemOf(recipe, { seed });
      for (const other of misread(problem)) {
        const part = partOf(problem, sheetOf(problem, workedOut(other, '', pen())));
        assert.ok(part >= 0.5, `${seed}: ${JSON.stringify(other.given)}`);
        if (part <= 0.9) dear.push(`${seed}: ${part}: ${JSON.stringify(other.given)}`);
        all++;
      }
    }
    /* Two known mistakes may make the same numbers, by chance. */
    assert.ok(dear.length <= 0.01 * all, dear.join('\n'));
  });
}

/** Steps that somebody works out in a way of their own. */
const OTHERWISE = {
  'over √3': ['scores.scaled', (x) => (2 * x) / Math.sqrt(3)],
  'times √d_k': ['scores.scaled', (x) => 4 * x],
  'signs of scores': ['scores', (x) => -x],
};

for (const [name, [step, change]] of Object.entries(OTHERWISE)) {
  test(`${name}: what follows is carried, nobody is accused, and no sentence is untrue`, () => {
    const problems = Array.from({ length: 30 }, (_, i) => problemOf('attention', { seed: i + 1 }));
    for (const problem of problems.slice(0, 8)) {
      const write = (own, numbers) =>
        own === step ? each(numbers, (x) => Math.round(100 * change(x)) / 100) : numbers;
      const cells = sheetOf(problem, workedOut(problem, '', pen(write)));
      const marks = marked(problem, cells, { variants: problems });
      assert.equal(marks.variant, undefined);
      const states = problem.asked.map((cell) => [cell, marks.cells[cell].state]);
      const untrue = states.filter(
        ([cell, state]) => !cell.startsWith(`${step}[`) && /wrong|stock|slip/.test(state),
      );
      assert.deepEqual(untrue, []);
      assert.ok(marks.points / marks.max > 0.5, `${problem.seed}: ${marks.points}`);
    }
  });
}

test('exchanged projections are named, and no one is told K Qᵀ', () => {
  for (const mistake of ['q-k-exchanged', 'k-by-w-q']) {
    for (const seed of seeds(15, 4)) {
      const problem = problemOf('attention', { seed });
      const { cells } = pointsFor(problem, sheetOf(problem, workedOut(problem, mistake, pen())));
      const named = new Set(
        Object.values(cells).flatMap(({ misconception = [] }) => misconception),
      );
      assert.deepEqual([...named], [mistake], String(seed));
    }
  }
});

test('powers of 10 are named, not called rounded too early', () => {
  const problem = problemOf('attention', { seed: 1 });
  const { cells } = pointsFor(problem, sheetOf(problem, workedOut(problem, 'base-10', pen())));
  assert.equal(cells['weights[0,0]'].state, 'misconception:base-10');
});

test('right weights behind invented numbers earn half, as they do not follow', () => {
  const problem = problemOf('attention', { seed: 1 });
  const right = workedOut(problem, '', pen());
  const random = chance(7);
  const invented = problem.asked.map((cell) => [
    cell,
    cell.startsWith('weights') ? right[cell] : random.below(9) - 4,
  ]);
  const marks = marked(problem, sheetOf(problem, Object.fromEntries(invented)));
  assert.ok(marks.steps.weights.points <= 2.5, String(marks.steps.weights.points));
  assert.match(marks.cells['weights[0,0]'].message, /does not follow.*half/);
});

test('the same mistake costs the same where its step was left empty', () => {
  const problem = problemOf('attention', { seed: 1 });
  const all = sheetOf(problem, workedOut(problem, 'no-scaling', pen()));
  const some = Object.entries(all).filter(([cell]) => !cell.startsWith('scores.scaled'));
  const [whole, empty] = [all, Object.fromEntries(some)].map((cells) => partOf(problem, cells));
  assert.equal(empty, whole);
});

test('what needs no arithmetic earns nothing, and costs a cell where it is wrong', () => {
  for (const seed of seeds(15, 4)) {
    const problem = problemOf('causal-attention', { seed });
    const right = sheetOf(problem, workedOut(problem, '', pen()));
    const isFree = (cell) =>
      problem.solution[cell].value === -Infinity ||
      /^(weights|output)\[0/.test(cell) ||
      (cell.startsWith('weights') && problem.solution[cell].value === 0);
    const idle = Object.fromEntries(
      problem.asked.filter(isFree).map((cell) => [cell, right[cell]]),
    );
    assert.equal(partOf(problem, idle), 0);
    const one = { ...right, 'scores.masked[0,1]': right['scores.scaled[0,1]'] };
    assert.ok(partOf(problem, one) < 1);
    assert.equal(partOf(problem, right), 1);
  }
});

test('one-hot weights are wrong, not stock answers, and weights written transposed are punished once', () => {
  const problem = problemOf('attention', { seed: 1 });
  const oneHot = (step, numbers) =>
    step === 'weights'
      ? numbers.map((row) => row.map((x) => Number(x === Math.max(...row))))
      : numbers;
  const { cells } = pointsFor(problem, sheetOf(problem, workedOut(problem, '', pen(oneHot))));
  assert.ok(Object.values(cells).every(({ state }) => state !== 'stock'));
  const turned = (step, numbers) =>
    step === 'weights' ? numbers[0].map((_, j) => numbers.map((row) => row[j])) : numbers;
  const { steps } = pointsFor(problem, sheetOf(problem, workedOut(problem, '', pen(turned))));
  assert.equal(steps.output.points, 0.5);
});

test("a first step that nobody can explain: what is computed from it earns half, a neighbour's sheet little", () => {
  for (const [recipe, step] of [
    ['attention', 'q'],
    ['causal-attention', 'scores'],
    ['weights', 'scores'],
  ]) {
    const problem = problemOf(recipe, { seed: 1 });
    const other = problemOf(recipe, { seed: 2 });
    const odd = (own, numbers) => (own === step ? each(numbers, (x) => 1.3 * x + 0.1) : numbers);
    const cells = sheetOf(problem, workedOut(problem, '', pen(odd)));
    const { steps } = pointsFor(problem, cells, { variants: [problem, other] });
    for (const [behind, { points, max }] of Object.entries(steps)) {
      if (['q', 'k', 'v'].includes(behind) || behind === step) continue;
      assert.ok(points >= max / 2 && points <= 0.75 * max, `${recipe}: ${behind}: ${points}`);
    }
    /* Of a variant that is not in the list, and reads none of the numbers that this sheet has. */
    const copied = sheetOf(problem, workedOut(other, '', pen()));
    assert.ok(partOf(problem, copied) < 0.2, recipe);
  }
});

test('what follows from zeros, or from equal weights, earns nothing', () => {
  const problem = problemOf('causal-attention', { seed: 1 });
  const zeros = (step, numbers) => (step === 'scores' ? each(numbers, () => 0) : numbers);
  const cells = sheetOf(problem, workedOut(problem, '', pen(zeros)));
  const { points, max } = pointsFor(problem, cells, { variants: [problem, problem] });
  assert.ok(points / max < 0.15, String(points));
});

test('digits that are cut off are told so, and earn half', () => {
  const problem = problemOf('label-smoothing', { seed: 1 });
  const cut = (_, numbers) => each(numbers, (x) => Math.trunc(100 * x + 1e-9) / 100);
  const numbers = workedOut(problem, '', { ...pen(), write: cut });
  const { cells, points, max } = marked(problem, sheetOf(problem, numbers));
  assert.equal(cells['targets[0,0]'].state, 'rounded-down');
  assert.match(cells['targets[0,0]'].message, /rounded down/);
  assert.ok(points / max >= 0.5, String(points));
});

test('a number that is misread for a mean and for what follows costs one cell', () => {
  const problem = problemOf('layer-norm', { seed: 1 });
  const [[first, ...row], ...rows] = problem.given.x;
  const other = { ...problem, given: { ...problem.given, x: [[first + 1, ...row], ...rows] } };
  const { cells, points, max } = pointsFor(problem, sheetOf(problem, workedOut(other, '', pen())));
  assert.equal(cells['mean[0,0]'].state, 'misread');
  assert.ok(points / max > 0.9, String(points));
});

test('where two known mistakes make the same numbers none is named, and what follows from them earns half', () => {
  /* The scores that the mask would hide are 0: whether the mask was forgotten or 0 written for −∞ cannot be told. */
  const problem = problemOf('causal-attention', { seed: 61, level: 'steps' });
  const cells = sheetOf(problem, workedOut(problem, 'mask-forgotten', pen()));
  const { cells: marks, steps } = pointsFor(problem, cells);
  assert.equal(marks['scores.masked[0,1]'].state, 'wrong');
  assert.ok(['weights[0,0]', 'output[0,0]'].every((cell) => marks[cell].points === 0.5));
  assert.ok(steps.weights.points < 0.7 * steps.weights.max, String(steps.weights.points));
});
