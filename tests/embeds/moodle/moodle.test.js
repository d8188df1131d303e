// A learning platform that sandboxes its frames: no origin, no storage, no fetch, and the frame has a fixed height.
import assert from 'node:assert/strict';
import test from 'node:test';
import { example } from '../example.js';

test('a figure in a sandboxed frame of Moodle', async (context) => {
  const { page, complaints } = await example(context, 'moodle/index.html');
  const figure = page.frameLocator('iframe').locator('gf-attention');
  await figure.locator('gf-stage .matrix').first().waitFor();
  const frame = page.frames()[1];
  assert.equal(await frame.evaluate(() => globalThis.origin), 'null');
  await figure.locator('gf-timeline').getByRole('button').last().click();
  await figure.locator('gf-stage .count', { hasText: '9 / 9' }).waitFor();
  await figure.locator('gf-stage .cell[data-node=output]').first().click();
  assert.equal(await figure.locator('gf-microscope .big').count(), 1);
  assert.equal((await figure.locator('.remove').count()) > 0, true);
  assert.deepEqual(complaints, []);
});
