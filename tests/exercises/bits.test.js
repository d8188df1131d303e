// The same seed is the same problem, byte for byte, in every build of the core, and so are its marks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { exercise, mark } from '../../bindings/learn/exercises/index.js';
import { BUILDS } from '../support/builds.js';
import { gf, LEVELS, RECIPES, rightAnswers, seeds } from './setup.js';

const scalar = await load(BUILDS.scalar);
const simd = await load(BUILDS.simd);

for (const recipe of RECIPES) {
  test(`${recipe}: the same bytes with SIMD and without, and a second time`, () => {
    for (const seed of seeds(100, 3)) {
      const level = LEVELS[seed % 3];
      const texts = [simd, scalar, gf, gf].map((core) =>
        JSON.stringify(exercise(core, recipe, { seed, level })),
      );
      assert.deepEqual(new Set(texts).size, 1, `seed ${seed}, ${level}`);
      const problem = JSON.parse(texts[0]);
      const answers = {
        cells: {
          ...rightAnswers(exercise(gf, recipe, { seed, level })),
          [problem.asked[0]]: '2,5',
        },
      };
      assert.deepEqual(mark(scalar, problem, answers), mark(simd, problem, answers));
    }
  });
}

/** A factor of their steps is drawn. */
const DRAWN = ['adam-step', 'attention-scale', 'dropout-scale'];

test('once a problem of a recipe was drawn, others lay out no tape', () => {
  let laid = 0;
  const tape = () => {
    laid += 1;
    return gf.tape();
  };
  const counted = { ...gf, tape };
  for (const recipe of RECIPES.filter((one) => !DRAWN.includes(one))) {
    exercise(counted, recipe, { seed: 1 });
    const before = laid;
    for (const seed of [2, 3, 4]) exercise(counted, recipe, { seed });
    assert.equal(laid, before, recipe);
  }
  assert.ok(laid > RECIPES.length);
});

test('seeds give other problems', () => {
  for (const recipe of RECIPES) {
    const problems = Array.from({ length: 12 }, (_, i) => {
      const { seed, ...problem } = exercise(gf, recipe, { seed: i + 1 });
      return JSON.stringify(problem);
    });
    assert.ok(new Set(problems).size > 8, recipe);
  }
});
