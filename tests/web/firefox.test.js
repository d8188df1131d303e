// The playground in Firefox, beside Chromium: the same numbers, the same choices, and nothing complained of.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { unlessInstalled } from '../support/skips.js';
import { numbers, serve, settled } from './browser.js';

const consumers = path.resolve(import.meta.dirname, '../consumers');
const skip = unlessInstalled(path.join(consumers, 'node_modules'));

/** What is looked at, and what is there once it stands. */
const PLACES = {
  'v=1&example=three-tokens&t=1e6&remove=scale': 'gf-stage .matrix',
  'v=1&sentence=4~4~1~1~p~so it is&t=1e6&gradient=1': 'gf-gradient .slope',
  'v=1&chapter=heads&lang=fr': 'gf-multiples .matrix',
  'v=1&chapter=positions&panel=shuffle&lang=de': 'gf-shuffled .matrix',
  'v=1&chapter=transformer': '.translation ol button',
  'v=1&chapter=training': '[data-node$="cross_attn.weights"]',
  'v=1&chapter=inside&view=birth&at=1175': '.birth .bits',
};

/** What is seen of a page: each number, what is chosen of each list, and the hash of what was trained. */
async function seen(page) {
  await settled(page);
  const chosen = await page.evaluate(() =>
    [...document.querySelectorAll('select')].map(({ selectedOptions: [one] }) => one?.text.trim()),
  );
  /* Not by a locator: the two drivers have others. */
  const bits = await page.evaluate(() =>
    [...document.querySelectorAll('.birth .bits')].map(({ textContent }) => textContent),
  );
  return { numbers: await numbers(page), chosen, bits };
}

describe('Firefox', { skip }, () => {
  let site;
  let both;
  before(async () => {
    const { browsers } = await import(path.join(consumers, 'browsers.js'));
    [site, both] = await Promise.all([serve(), browsers()]);
  });
  after(async () => {
    for (const browser of both) await browser.close();
    site.close();
  });

  for (const [hash, sign] of Object.entries(PLACES)) {
    test(hash, async () => {
      const [chromium, firefox] = await Promise.all(
        both.map(async (browser) => {
          const page = await browser.newPage();
          const complaints = [];
          page.on('console', (message) => {
            if (['error', 'warning', 'warn'].includes(message.type()))
              complaints.push(message.text());
          });
          page.on('pageerror', (error) => complaints.push(String(error)));
          await page.goto(`${site.url}#${hash}`);
          await page.waitForSelector(sign);
          const found = await seen(page);
          await page.close();
          return { ...found, complaints };
        }),
      );
      assert.ok(chromium.numbers.length > 0 && chromium.chosen.every(Boolean));
      assert.deepEqual(firefox, { ...chromium, complaints: [] });
    });
  }
});
