// Adam's exercise starts from what real gradients leave: a state that they can reach, and steps that Adam can take.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf, seeds } from './setup.js';

const WHOLE = [-3, -2, -1, 1, 2, 3];
const BETA = { m: 0.9, v: 0.8 };

/** Every state that one or two whole gradients leave, from zero. */
function reachable(steps) {
  let states = [{ m: 0, v: 0 }];
  for (let step = 0; step < steps; step++) {
    states = states.flatMap(({ m, v }) =>
      WHOLE.map((g) => ({
        m: BETA.m * m + (1 - BETA.m) * g,
        v: BETA.v * v + (1 - BETA.v) * g * g,
      })),
    );
  }
  return states;
}

test('some gradients lead to each state, and no update is larger than their usual size', () => {
  for (const seed of seeds(200, 40)) {
    const { given, solution, policy } = problemOf('adam-step', { seed });
    const states = reachable(given.step[0] - 1);
    for (const i of [0, 1, 2]) {
      const [m, v] = [given['m.before'][i], given['v.before'][i]];
      const isReached = states.some(
        (state) => Math.abs(state.m - m) < 1e-6 && Math.abs(state.v - v) < 1e-6,
      );
      assert.ok(isReached, `seed ${seed}: m ${m}, v ${v}`);
      /* Cauchy-Schwarz over at most three weights. */
      assert.ok(Math.abs(solution[`update[${i}]`].value) <= 1.01, `seed ${seed}`);
    }
    assert.ok(given.epsilon[0] <= 0.1);
    assert.equal(policy.digits, 3);
  }
});

test('in the lesson a weight rises although its present gradient is positive', () => {
  const { given, solution } = problemOf('adam-step', { seed: 178 });
  assert.ok(given.gradient[0] > 0 && given['m.before'][0] < 0);
  assert.ok(solution['theta.new[0]'].value > given.theta[0]);
});
