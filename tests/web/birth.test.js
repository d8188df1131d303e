// The birth of a head in the page: its points and the bits of the trained model are those of Node, time runs forth and
// back, and a head can be switched off at any step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { Birth } from '../../web/birth/birth.js';
import { SEQUENCE, STEPS } from '../../web/birth/protocol.js';
import { waits } from '../support/sample.js';
import { follow, inBrowser, settled } from './browser.js';

const { open } = inBrowser();
const HASH = '#v=1&chapter=inside&view=birth';

test('the bits are those of Node, and each step is read as there, whole and without heads', async (t) => {
  if (waits(t)) return;
  const { page, complaints, close } = await open(HASH, { ready: '.birth .bits' });
  const told = [];
  const birth = new Birth(await load(), ({ grown }) => told.push(grown));
  const { bits } = await birth.grow({ seed: 1 }, new AbortController().signal);
  const due = told.flatMap(({ points }) => points);
  assert.match(await page.locator('.birth .bits').textContent(), new RegExp(bits));
  assert.deepEqual(await page.locator('gf-birth').evaluate(({ points }) => points), due);
  const { layer, head, before, after } = told.at(-1).change;
  assert.ok(after - before > 0.4);

  const shown = () =>
    page
      .locator('.birth .answer b')
      .evaluateAll((all) => all.map(({ title }) => Math.fround(title)));
  const off = [{ layer, head }];
  const read = async (step, off) => {
    const { before, after } = await birth.read({ step, off });
    return (off.length ? [before, after] : [before]).map(Math.fround);
  };
  assert.deepEqual(await shown(), await read(STEPS, []));
  assert.ok((await shown())[0] > 0.5, 'the answer is known');

  const time = page.locator('.birth input[type=range]');
  await time.fill('300');
  await settled(page);
  assert.deepEqual(await shown(), await read(300, []));
  await time.fill('900');
  await settled(page);
  assert.deepEqual(await shown(), await read(900, []));

  await page.getByRole('button', { name: `layer ${layer}, head ${head} off` }).click();
  await settled(page);
  assert.deepEqual(await shown(), await read(900, off));
  assert.ok((await shown())[1] < 0.5 * (await shown())[0], 'the answer hangs on the head');
  const link = new URL(page.url()).hash;
  await follow(page, '#v=1&chapter=inside');
  await follow(page, link);
  assert.deepEqual(await shown(), await read(900, off));
  assert.equal(SEQUENCE.at(-1), SEQUENCE[5]);
  assert.deepEqual(complaints, []);
  await close();
});
