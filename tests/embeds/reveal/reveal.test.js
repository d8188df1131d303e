// Slides: figures stop when their slide is left, and leave the arrow keys to the deck until one is used.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../../web/browser.js';
import { calm } from '../../web/host.js';
import { example, missing } from '../example.js';

test('figures in reveal.js', { skip: missing(import.meta.dirname) }, async (context) => {
  const { page, complaints } = await example(context, 'reveal/index.html', {
    ready: '.present h2',
  });
  await page.waitForFunction(() => globalThis.Reveal?.isReady());
  const slide = () => page.evaluate(() => globalThis.Reveal.getIndices().h);
  const framed = page.frameLocator('iframe').locator('gf-attention');
  await page.keyboard.press('ArrowRight');
  assert.equal(await slide(), 1);
  await framed.locator('gf-stage .matrix').first().waitFor();
  assert.ok((await page.locator('iframe').boundingBox()).width > 400);
  await framed.evaluate((figure) => figure.play());
  assert.ok(await framed.evaluate(({ body }) => body.playing));
  await page.keyboard.press('ArrowRight');
  assert.equal(await slide(), 2);
  const frame = page.frames()[1];
  await until(frame, () => !document.querySelector('gf-attention').body.playing);

  const figure = page.locator('section > gf-attention');
  await calm(figure);
  const t = () => figure.evaluate(({ whole }) => whole.t);
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual([await slide(), await t()], [1, 0]);
  await page.keyboard.press('ArrowRight');
  await figure.locator('gf-stage h2').click();
  await page.keyboard.press('ArrowRight');
  await calm(figure);
  assert.deepEqual([await slide(), await t()], [2, 1]);

  /* A lesson on a slide: what is typed into it moves no slide. */
  await page.evaluate(() => globalThis.Reveal.slide(3));
  const lesson = page.locator('section > gf-lesson');
  await lesson.locator('gf-gate input').fill('6.35');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Delete');
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await lesson.locator('.reply.right').waitFor();
  assert.equal(await slide(), 3);
  assert.deepEqual(complaints, []);
});
