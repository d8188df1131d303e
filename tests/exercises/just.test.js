// What each kind of learner earns, over all recipes and levels: whoever works rightly everything, whoever forgets the idea or
// fills in numbers that nobody computed little.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEARNERS, sheetsOf } from './cheaters.js';
import { full, seeds } from './setup.js';

/** A sheet whose right numbers happen to be nearly those of a cheater earns more, but no more than this beside. */
const CHANCE = 0.2;
/** The part of the sheets that may be such. */
const RARELY = 0.01;

/** Sheets of each row in a full run. A recipe has not always room for it. */
const SHEETS = 10_000;

for (const [name, { bounds }] of Object.entries(LEARNERS)) {
  test(name, () => {
    let [sum, sheets] = [0, 0];
    /** @type {string[]} */
    const above = [];
    const most = Math.min(1, bounds.each + (bounds.least ? 0 : CHANCE));
    for (const { problem, answers, marks, part } of sheetsOf(name, seeds(5000, 1))) {
      const { recipe, level, seed } = problem;
      const where = JSON.stringify({ recipe, level, seed, steps: marks.steps, answers });
      if (part > bounds.each) above.push(`${part}: ${where}`);
      assert.ok(part <= most, `${part} is more than ${most}: ${where}`);
      assert.ok(part >= (bounds.least ?? 0), `${part} is less than ${bounds.least}: ${where}`);
      sum += part;
      sheets += 1;
      if (full && sheets >= SHEETS) break;
    }
    assert.ok(sheets > 0);
    assert.ok(above.length <= Math.max(1, RARELY * sheets), above.join('\n'));
    assert.ok(sum / sheets <= (bounds.mean ?? 1), `${name}: ${sum / sheets} on average`);
  });
}
