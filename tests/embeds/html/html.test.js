// A page of one's own, opened from the disk: no server, no module.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { launch } from '../../web/browser.js';
import { calm } from '../../web/host.js';

test('a plain page that is opened as a file', async (context) => {
  const browser = await launch();
  context.after(() => browser.close());
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(`file://${path.join(import.meta.dirname, 'index.html')}`);
  for (const tag of ['gf-attention', 'gf-transformer']) {
    await page.locator(`${tag} .lesson`).waitFor();
    await calm(page.locator(tag));
  }
  assert.match(await page.locator('gf-transformer gf-translation').textContent(), /cat/);
  await page.locator('a[data-gf-at="softmax/1"]').click();
  await calm(page.locator('gf-attention'));
  assert.equal(await page.locator('gf-attention .cell[data-node=weights]').count(), 6);
  await page.locator('gf-lesson .say p').waitFor();
  await page.locator('gf-lesson .next').click();
  await page
    .locator('gf-lesson .scenes li:nth-child(2) [aria-current=step]')
    .waitFor({ state: 'attached' });
  assert.match(await page.locator('gf-lesson .say').textContent(), /query/);
  await page.locator('gf-attention gf-timeline .main').click();
  await page.waitForFunction(() => customElements.get('gf-motion'));
  assert.deepEqual(complaints, []);
});
