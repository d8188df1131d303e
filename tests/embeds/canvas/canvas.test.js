// A learning platform that strips scripts, keeps frames, and makes them as high as they ask to be.
import assert from 'node:assert/strict';
import test from 'node:test';
import { example } from '../example.js';

/** Waits until the frame is as high as its page. */
const fits = (page) =>
  page.waitForFunction(() => {
    const frame = document.querySelector('iframe');
    return Math.abs(frame.clientHeight - frame.contentDocument.documentElement.offsetHeight) <= 1;
  });

test('a figure in Canvas, as high as it asks to be', async (context) => {
  const { page, complaints } = await example(context, 'canvas/index.html');
  const figure = page.frameLocator('iframe').locator('gf-attention');
  await figure.locator('gf-multiples .matrix').first().waitFor();
  await fits(page);
  const wide = await page.locator('iframe').evaluate((frame) => frame.clientHeight);
  assert.ok(wide > 200, `${wide} px`);
  /* A narrower column, and another height; the answers to that come to an end. */
  await page.setViewportSize({ width: 400, height: 800 });
  await fits(page);
  const heights = await page.evaluate(async () => {
    const seen = new Set();
    for (let frame = 0; frame < 30; frame++) {
      await new Promise((done) => requestAnimationFrame(done));
      seen.add(document.querySelector('iframe').clientHeight);
    }
    return seen.size;
  });
  assert.ok(heights <= 2, `${heights} heights`);
  assert.deepEqual(complaints, []);
});
