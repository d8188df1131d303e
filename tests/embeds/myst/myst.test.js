// What MyST and others do that take anywidgets: the contract of https://anywidget.dev, and nothing else.
import assert from 'node:assert/strict';
import test from 'node:test';
import { calm } from '../../web/host.js';
import { example } from '../example.js';

test('a figure as an anywidget', async (context) => {
  const { page, complaints } = await example(context, 'myst/host.html');
  const figure = page.locator('gf-attention');
  await figure.locator('.cell.pinned').waitFor();
  assert.equal(await figure.locator('.cell.pinned').getAttribute('data-index'), '1,2');
  await figure.locator('gf-timeline').getByRole('button').first().click();
  await calm(figure);
  const state = await page.evaluate(() => [
    globalThis.model.get('state'),
    globalThis.model.saved > 0,
  ]);
  assert.deepEqual(state, ['#example=i-love-robotics', true]);
  await page.evaluate(() => {
    globalThis.model.set('remove', 'scale');
    globalThis.model.set('at', 'weights');
  });
  await figure.locator('.run.intact').waitFor();
  assert.equal(await figure.locator('gf-stage h2').textContent(), 'Attention weights');
  await page.evaluate(() => globalThis.model.set('state', '#example=hi-how'));
  await figure.locator('.run.intact').waitFor({ state: 'detached' });
  assert.equal(await figure.evaluate((element) => element.state), '#example=hi-how');
  await page.evaluate(() => globalThis.cleanup());
  assert.equal(await figure.count(), 0);
  /* A host that only shows, and has no traits to follow. */
  await page.evaluate(() => globalThis.again());
  await figure.locator('gf-stage .matrix').first().waitFor();
  assert.deepEqual(complaints, []);
});
