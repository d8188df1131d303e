// Pocket in training, as lesson eight shows it: its steps, and how many sentences are right, against float64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, load } from '../../bindings/index.js';
import { learn, sentences } from '../../bindings/lab/pocket/index.js';
import { reference } from '../reference/attention64.js';
import { inBrowser, settled } from './browser.js';
import { PASSED } from './learner.js';

const { open } = inBrowser();
const ready = 'gf-learning .facts';
const gf = await load();
const HELD_OUT = 'Anna Ben';
const weightsOf = (seed, step) =>
  [...learn(gf, { seed, steps: step, heldOut: HELD_OUT })].at(-1).inputs;

/** How many sentences a set of weights gets right in float64: of those that were learned, and of those held out. */
function rightIn(inputs) {
  const { vocabulary } = examples.pocket;
  const right = sentences().filter(({ ids, next }) => {
    const { probabilities } = reference({
      ...examples.pocket,
      inputs: { ...examples.pocket.inputs, ...inputs, tokens: ids },
    });
    const last = Array.from(probabilities.data).slice(-vocabulary.length);
    return vocabulary[last.indexOf(Math.max(...last))] === next;
  });
  const unseen = right.filter(({ pair }) => pair === HELD_OUT).length;
  return [right.length - unseen, unseen];
}
const counts = async (page) => [
  await page.locator('gf-learning .seen').innerText(),
  await page.locator('gf-learning .unseen').innerText(),
];
const said = ([seen, unseen]) => [`${seen} of 12 right`, `${unseen} of 4 right`];

test('a film trains Pocket from random weights until queries and keys point the same way', async () => {
  const { page, complaints, close } = await open('#lesson=how-it-learns', { ready });
  assert.deepEqual(await counts(page), said(rightIn(weightsOf(60, 1))));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForSelector(PASSED);
  await settled(page);
  const last = weightsOf(60, 100);
  assert.deepEqual(rightIn(last), [12, 4]);
  assert.deepEqual(await counts(page), said([12, 4]));
  /* What the reply says. */
  const [asks, offers] = ['w_q', 'w_k'].map((name) =>
    last['embedding.weight'].map((row) =>
      [0, 1].map((c) => row.reduce((sum, x, i) => sum + x * last[name][i][c], 0)),
    ),
  );
  const cosine = ([a, b], [c, d]) => (a * c + b * d) / Math.hypot(a, b) / Math.hypot(c, d);
  for (const [pronoun, name] of [
    [8, 0],
    [8, 1],
    [9, 2],
    [9, 3],
  ])
    assert.ok(cosine(asks[pronoun], offers[name]) > 0.99);
  await page.locator('gf-learning input').fill('20');
  await settled(page);
  assert.deepEqual(await counts(page), said(rightIn(weightsOf(60, 20))));
  assert.deepEqual(complaints, []);
  await close();
});

test('another start learns, too; a start that gets stuck is counted as it is', async () => {
  const { page, complaints, close } = await open('#lesson=how-it-learns&scene=2', { ready });
  await page.locator('gf-learning .another').click();
  await settled(page);
  assert.deepEqual(await counts(page), said(rightIn(weightsOf(61, 100))));
  await page.locator('gf-learning').evaluate((one) => {
    one.seed = 12;
  });
  await settled(page);
  const stuck = rightIn(weightsOf(12, 100));
  assert.ok(stuck[0] < 12, String(stuck));
  assert.deepEqual(await counts(page), said(stuck));
  assert.deepEqual(complaints, []);
  await close();
});

test('while arrows turn, of two words that come close none lies over the other', async () => {
  const { page, close } = await open('#lesson=how-it-learns&scene=2', { ready });
  await page.locator('gf-learning .another').waitFor();
  const over = await page.locator('gf-learning').evaluate(async (one) => {
    const found = [];
    for (let step = 1; step <= 100; step += 3) {
      one.seek(step);
      await one.updateComplete;
      const boxes = [...one.querySelectorAll('.verb .word')].map((word) =>
        word.getBoundingClientRect(),
      );
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(0, i)) {
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          if (across > 0 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5)
            found.push(step);
        }
    }
    return found;
  });
  assert.deepEqual(over, []);
  await close();
});

test('most starts learn all sentences, and some get stuck', () => {
  const all = Array.from({ length: 60 }, (_, i) => rightIn(weightsOf(i + 1, 100)));
  const learned = all.filter(([seen, unseen]) => seen + unseen === 16).length;
  assert.ok(learned > 40 && learned < 60, `${learned} of 60`);
});
