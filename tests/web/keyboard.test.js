// The whole page of each chapter by keyboard alone: Tab reaches every control, in sight and with a ring around it;
// Shift+Tab leads back; sheets open, keep the focus, and Escape leaves them to where one was.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sample } from '../support/sample.js';
import { follow, inBrowser, settled } from './browser.js';

/** What is looked at, and what is there once it stands. */
const PLACES = {
  'v=1&example=three-tokens&t=40&remove=scale&gradient=1': 'gf-readouts dd',
  'chapter=heads': 'gf-multiples .matrix',
  'v=1&chapter=heads&panel=numbers': 'gf-head-numbers td',
  'chapter=positions': 'gf-waves .matrix',
  'v=1&chapter=positions&panel=shuffle': 'gf-shuffled .matrix',
  'chapter=transformer': '.translation ol button',
  'v=1&chapter=transformer&panel=stage': 'gf-stage .matrix',
  'chapter=training': 'gf-training-bar button',
  'chapter=exercises': '.sheet-matrix input',
};

const { open } = inBrowser();

/** In the page: everything that can be worked with, and what is known of the one that has the focus. */
function helpers() {
  const NATIVE = 'a[href], button, input, select, textarea, summary';
  /** One of several radio buttons is the tab stop of all. */
  const isStop = (one) =>
    (one.tabIndex >= 0 || one.matches(NATIVE)) &&
    !one.disabled &&
    one.checkVisibility({ visibilityProperty: true }) &&
    (one.type !== 'radio' || one.checked) &&
    !one.closest('[inert], dialog:not([open])');
  globalThis.controls = () =>
    [...document.querySelectorAll(`${NATIVE}, [tabindex]`)].filter(isStop);
  globalThis.visited = new Set();
  globalThis.nameOf = (one) =>
    `${one.tagName.toLowerCase()}.${one.className} "${
      one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40)
    }" in ${[...document.querySelectorAll('*')].findLast((e) => e.tagName.startsWith('GF-') && e.contains(one))?.tagName}`;
  globalThis.visit = () => {
    const one = document.activeElement;
    if (one === document.body || globalThis.visited.has(one)) return null;
    globalThis.visited.add(one);
    const rings = [one, one.parentElement, ...one.children].some((part) => {
      const { outlineStyle, outlineWidth, strokeWidth } = getComputedStyle(part);
      const outlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
      // A box of a drawing has a thicker border instead.
      return outlined || (part instanceof SVGElement && Number.parseFloat(strokeWidth) >= 2);
    });
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const seen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && right > left;
    return { name: globalThis.nameOf(one), rings, seen };
  };
}

for (const [hash, sign] of sample(Object.entries(PLACES), 5)) {
  describe(hash, () => {
    test('Tab reaches every control, and Shift+Tab leads back', async () => {
      const { page, complaints, close } = await open('', {});
      await follow(page, `#${hash}`);
      await page.waitForSelector(sign);
      await settled(page);
      await page.evaluate(helpers);
      await page.evaluate(() => {
        globalThis.atFirst = globalThis.controls();
      });
      const path = [];
      for (;;) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate(() => globalThis.visit());
        if (!stop) break;
        assert.ok(stop.rings, `no ring around ${stop.name}`);
        assert.ok(stop.seen, `out of sight: ${stop.name}`);
        path.push(stop.name);
      }
      const missed = await page.evaluate(() => {
        const now = globalThis.controls();
        return now
          .filter((one) => globalThis.atFirst.includes(one) && !globalThis.visited.has(one))
          .map(globalThis.nameOf);
      });
      assert.deepEqual(missed, [], `after ${path.length} stops`);
      assert.ok(path.length > 15, path.join('\n'));
      await page.keyboard.press('Shift+Tab');
      const last = await page.evaluate(() => globalThis.nameOf(document.activeElement));
      assert.equal(last, path.at(-1));
      assert.deepEqual(complaints, []);
      await close();
    });

    test('sheets keep the focus, and Escape leaves them', async () => {
      const { page, close } = await open();
      await follow(page, `#${hash}`);
      await page.waitForSelector(sign);
      await settled(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.evaluate(() => {
        globalThis.from = document.activeElement;
      });
      await page.keyboard.press('?');
      const sheet = page.locator('gf-shortcuts dialog');
      await sheet.waitFor();
      for (let k = 0; k < 3; k++) {
        await page.keyboard.press('Tab');
        const outside = await page.evaluate(() => {
          const { activeElement: one } = document;
          return one !== document.body && !one.closest('dialog');
        });
        assert.ok(!outside, 'Tab leads behind the sheet');
      }
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'hidden' });
      assert.ok(await page.evaluate(() => document.activeElement === globalThis.from));
      await close();
    });
  });
}
