// Learners who make a mistake that is known by name: it is named, nothing else is, and what those then do rightly for whom it
// is named follows from their numbers. Another slip beside it is found, too.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { read } from '../support/markdown.js';
import { full, LEVELS, MISCONCEPTIONS, RECIPES, seeds } from './setup.js';
import { mistakenLearners } from './simulated.js';

const none = () => ({
  learners: 0,
  named: 0,
  wrongly: 0,
  cells: 0,
  astray: 0,
  slips: 0,
  found: 0,
});
const total = none();

test('docs/marking.md has a row for each mistake that marking can name', () => {
  const rows = read('docs/marking.md').matchAll(/^\| `([a-z0-9-]+)` \|/gm);
  /* Another table has a row for each recipe. */
  const names = Array.from(rows, ([, name]) => name).filter((name) => !RECIPES.includes(name));
  assert.deepEqual(names.toSorted(), MISCONCEPTIONS.toSorted());
});

describe('mistakes', () => {
  for (const recipe of RECIPES) {
    test(`${recipe}: each mistake is named, and no other`, () => {
      const own = none();
      for (const { mistake, named, states, slip } of mistakenLearners(recipe, seeds(1000, 5))) {
        const due = ['right', 'carried', `misconception:${mistake}`];
        own.learners += 1;
        own.named += Number(named.includes(mistake));
        own.wrongly += Number(named.some((name) => name !== mistake));
        if (named.includes(mistake)) {
          own.cells += states.length;
          own.astray += states.filter((state) => !due.includes(state)).length;
        }
        own.slips += Number(slip !== null);
        own.found += Number(slip === 'found');
      }
      for (const what of Object.keys(total)) total[what] += own[what];
      assert.ok(own.learners, recipe);
      /* Of few, one may be missed, with the cells of that learner. */
      const one = full ? 0 : 1;
      const few = (/** @type {number} */ n, /** @type {number} */ part, /** @type {number} */ of) =>
        assert.ok(
          n <= Math.max(one * Math.ceil(of / own.learners), part * of),
          JSON.stringify(own),
        );
      few(own.learners - own.named, 0.05, own.learners);
      /* Whose numbers are those of one seed, at each level, may be told another mistake together. */
      const together = one * LEVELS.length;
      assert.ok(own.wrongly <= Math.max(together, 0.01 * own.learners), JSON.stringify(own));
      few(own.astray, 0.01, own.cells);
      assert.ok(own.slips - own.found <= Math.max(one, 0.1 * own.slips), JSON.stringify(own));
    });
  }

  after(() => {
    console.log(JSON.stringify(total));
    assert.ok(total.wrongly < 0.01 * total.learners, JSON.stringify(total));
    assert.ok(total.slips > total.learners / 10, JSON.stringify(total));
  });
});
