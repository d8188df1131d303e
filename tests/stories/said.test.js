// What the lesson Many heads says of the stories that the model learned.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from '../../bindings/js/base/random.js';
import { draw } from '../../bindings/lab/stories/draw.js';

test('a story that goes on after its second sentence is about the first name; later ones often are not', () => {
  const meant = { early: [], late: [] };
  for (let seed = 0; seed < 2000; seed++) {
    const { tokens, cast } = draw(dice(seed, 0));
    const then = tokens.indexOf('Then');
    /* Of two people with one pronoun it does not say which. */
    if (then < 0 || cast[0].gender === cast[1].gender) continue;
    const sentences = tokens.slice(0, then).filter((token) => token === '.').length;
    meant[sentences === 2 ? 'early' : 'late'].push(tokens[then + 1] === cast[0].gender);
  }
  assert.ok(meant.early.length > 100 && meant.early.every(Boolean));
  const share = meant.late.filter(Boolean).length / meant.late.length;
  assert.ok(share > 0.3 && share < 0.8, `${share} of ${meant.late.length}`);
});
