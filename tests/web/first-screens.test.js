// The first screen of each chapter: one sentence and one picture, until something is asked for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { follow, inBrowser, settled, unfold } from './browser.js';

const { open } = inBrowser();

/** Each: what is seen at first, what it waits for, and what asks for it. */
const CHAPTERS = {
  attention: {
    seen: ['gf-strip', 'gf-stage', 'gf-caption'],
    waits: ['gf-formula', 'gf-microscope', 'gf-switches', '.legend label', 'gf-timeline .level'],
    ask: (page) => page.locator('gf-stage [data-node="output"]').first().click(),
  },
  heads: {
    seen: ['gf-multiples'],
    waits: ['gf-microscope', 'gf-strip', 'gf-multiples .prose'],
    ask: unfold,
  },
  positions: {
    seen: ['gf-waves gf-plot'],
    waits: ['gf-microscope', 'gf-wavelengths', '.verdict'],
    ask: (page) => page.locator('gf-waves .fingerprint [data-node]').first().click(),
  },
};

const visible = (page, selector) => page.locator(selector).filter({ visible: true }).count();

describe('a chapter opens with one sentence', () => {
  for (const [name, { seen, waits, ask }] of Object.entries(CHAPTERS)) {
    test(`${name}: what else there is comes when it is asked for`, async () => {
      const { page, complaints, close } = await open(`#chapter=${name}`, { ready: seen[0] });
      await settled(page);
      assert.equal(await visible(page, '.invitation'), 1);
      for (const part of seen) assert.ok(await visible(page, part), part);
      for (const part of waits) assert.equal(await visible(page, part), 0, part);
      await ask(page);
      await page.locator(waits[0]).first().waitFor();
      for (const part of waits) assert.ok(await visible(page, part), part);
      assert.equal(await page.locator('.invitation').count(), 0);
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  test('what a link names is open, and closes by Escape; the first switch has the focus', async () => {
    const { page, close } = await open('#v=1&example=i-love-robotics&t=91&path=output:0,0');
    assert.ok(await page.locator('gf-microscope').isVisible());
    await page.keyboard.press('Escape');
    await page.locator('.invitation').waitFor();
    await page.locator('.unfold').focus();
    await page.keyboard.press('Enter');
    await page.locator('gf-switches input:focus').waitFor();
    await follow(page, '#v=1&example=i-love-robotics&t=40');
    assert.equal(await page.locator('.invitation').count(), 0);
    await close();
  });

  test('in a walk to its end the last number stays explained', async () => {
    const { page, close } = await open('#v=1&example=i-love-robotics&t=90');
    for (const key of ['ArrowRight', 'End']) await page.keyboard.press(key);
    await settled(page);
    assert.ok(await page.locator('gf-microscope').isVisible());
    await close();
  });
});
