// What becomes of the page when a worker ends, or where there can be none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inBrowser, until } from './browser.js';

/* A frame that is sandboxed has an origin of its own: its host has to let it load what it needs. */
const browsing = inBrowser({ headers: { 'access-control-allow-origin': '*' } });

const SMALL = 'v=1&chapter=training&settings=dModel:16,heads:2,dFF:24,steps:2000';
const bar = 'gf-training-bar button';
/** Waits until so many steps are taken, and nothing is being done. */
const trained = (page, steps) =>
  page.waitForFunction((n) => {
    const now = document.querySelector('gf-chapter-training')?.now;
    return now?.last >= n && now.doing === '';
  }, steps);

describe('a trainer that ends', () => {
  const ends = {
    'from outside': { end: () => globalThis.close(), told: /the browser ended its worker/ },
    'by an error of its own': {
      end: () => {
        setTimeout(() => {
          throw new Error('out of memory');
        });
      },
      told: /its worker failed \(.*out of memory\)/,
    },
  };
  for (const [how, { end, told }] of Object.entries(ends)) {
    test(`${how} is told, and another one goes where the link leads`, async () => {
      const { page, complaints, close } = await browsing.open(`#${SMALL}&step=20`, { ready: bar });
      await trained(page, 20);
      await page.getByRole('button', { name: 'Train', exact: true }).click();
      await until(page, () => document.querySelector('gf-chapter-training').playing);
      const [worker] = page.workers();
      await worker.evaluate(end).catch(() => {});
      const notice = page.locator('gf-chapter-training .notice');
      await notice.waitFor();
      assert.match(await notice.textContent(), told);
      assert.equal(
        await page.evaluate(() => document.querySelector('gf-chapter-training').playing),
        false,
      );
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `${SMALL}&step=30`);
      await notice.getByRole('button', { name: 'Restart' }).click();
      await trained(page, 30);
      assert.equal(await notice.count(), 0);
      assert.deepEqual(
        complaints.filter((one) => !/out of memory/.test(one)),
        [],
      );
      await close();
    });
  }
});

test('where a frame allows no worker the page trains by itself, and says so', async () => {
  browsing.site.pages.set(
    'framed.html',
    `<!doctype html><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" width="1200" height="800"
      src="index.html#${SMALL}&amp;step=12"></iframe>`,
  );
  const { page, close } = await browsing.open('framed.html', { ready: 'iframe' });
  const frame = page.frames()[1];
  await trained(frame, 12);
  assert.equal(page.workers().length, 0);
  await frame.waitForSelector(bar);
  const told = await frame.locator('gf-app > .notice').textContent();
  assert.match(told, /allows no worker, so training runs in the page, which/);
  await frame.getByRole('button', { name: 'Train', exact: true }).click();
  await until(frame, () => document.querySelector('gf-chapter-training').now.last > 15);
  await frame.getByRole('button', { name: 'Pause', exact: true }).click();
  await until(frame, () => document.querySelector('gf-chapter-training').now.doing === '');
  await close();
});

test('where a frame allows no worker the page experiments by itself, to the same numbers', async () => {
  const link = 'v=1&chapter=inside&from=2.0,2.1&open=layer%202%20head%200';
  browsing.site.pages.set(
    'alone.html',
    `<!doctype html><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" width="1200" height="800"
      src="index.html#${link.replaceAll('&', '&amp;')}"></iframe>`,
  );
  /** @param {import('playwright-core').Page | import('playwright-core').Frame} page */
  const seen = async (page) => {
    await page.waitForSelector('.inside .sum .terms td');
    const numbers = page.locator('.inside [title]');
    return numbers.evaluateAll((all) => all.map(({ title }) => title));
  };
  const own = await browsing.open(`#${link}`, { ready: '.inside svg' });
  const numbers = await seen(own.page);
  assert.equal(own.page.workers().length, 1);
  await own.close();
  const { page, close } = await browsing.open('alone.html', { ready: 'iframe' });
  const frame = page.frames()[1];
  assert.deepEqual(await seen(frame), numbers);
  assert.equal(page.workers().length, 0);
  assert.ok(numbers.length > 100);
  await frame.getByRole('button', { name: /^Put everything back/ }).click();
  await frame.locator('.inside .verdict').waitFor({ state: 'detached' });
  await close();
});
