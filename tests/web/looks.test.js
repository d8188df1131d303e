import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { examples } from '../../web/session.js';
import { follow, inBrowser, settled } from './browser.js';
import { overflow, serious } from './expect.js';

const OWN = [
  'v=1&sentence=16~16~2~1~pc~every word sees those before it, and itself',
  `v=1&sentence=64~64~8~1~pc~${'all twenty four of them '.repeat(4)} and four more here`,
];

const { open } = inBrowser();

const all = [...Object.keys(examples).map((name) => `v=1&example=${name}`), ...OWN];
const FORK = 'v=1&example=i-love-robotics&remove=scale';
const LONG =
  'Donaudampfschifffahrtsgesellschaft incomprehensibilities antidisestablishmentarianism';
const WIDE = [
  'v=1&example=masked&remove=mask',
  'v=1&chapter=heads&panel=stage&heads=12&t=1100',
  ...['shuffle', 'sentence'].map(
    (panel) => `v=1&chapter=positions&panel=${panel}&sentence=8~8~2~1~p~${LONG}`,
  ),
  ...['waves', 'distance', 'shift'].map(
    (panel) => `v=1&chapter=positions&panel=${panel}&channels=64&count=100`,
  ),
];

describe('axe finds nothing serious', () => {
  for (const colorScheme of ['light', 'dark']) {
    test(colorScheme, async () => {
      const { page, close } = await open('', { colorScheme });
      const states = [
        'v=1&example=three-tokens&t=70',
        'v=1&example=masked&t=99&path=weights:1,0',
        'v=1&example=two-heads&t=70&remove=scale',
        'v=1&example=ten-tokens&t=900&gradient=1',
        'v=1&example=i-love-robotics&edits=scores:0,0=9&t=99',
        'v=1&example=nowhere',
      ];
      for (const state of states) {
        await follow(page, `#${state}`);
        assert.deepEqual(await serious(page), [], state);
      }
      await close();
    });
  }
});

describe('fits', () => {
  test('one desktop screen without scrolling, every stage of every example', async () => {
    const { page, close } = await open();
    for (const state of [...all, FORK]) {
      await follow(page, `#${state}`);
      const stages = await page.locator('gf-strip li').count();
      for (let k = 0; k < stages; k++) {
        await page.locator('gf-strip button').nth(k).click();
        await settled(page);
        const { x, y } = await overflow(page);
        assert.ok(x <= 0 && y <= 0, `${state}, stage ${k + 1}: ${x}, ${y}`);
        const cut = await page.locator('gf-stage .figure').evaluate((figure) => {
          const box = figure.getBoundingClientRect();
          return [...figure.querySelectorAll('.matrix')].filter((matrix) => {
            const { left, right, top, bottom } = matrix.getBoundingClientRect();
            const bracket = 5;
            return (
              left - bracket < box.left ||
              right + bracket > box.right ||
              top < box.top ||
              bottom > box.bottom
            );
          }).length;
        });
        assert.equal(cut, 0, `${state}, stage ${k + 1}: a matrix is cut off`);
      }
    }
    await close();
  });

  for (const [width, height] of [
    [320, 640],
    [768, 1024],
    [2560, 1440],
  ]) {
    test(`${width} px wide`, async () => {
      const { page, complaints, close } = await open('', {
        viewport: { width, height },
      });
      for (const state of all) {
        for (const more of ['', '&t=40', '&t=1e5']) {
          await follow(page, `#${state}${more}`);
          const { x } = await overflow(page);
          assert.ok(x <= 0, `${state}${more} is ${x} px too wide`);
        }
      }
      for (const state of WIDE) {
        await follow(page, `#${state}`);
        const { x } = await overflow(page);
        assert.ok(x <= 0, `${state} is ${x} px too wide`);
      }
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  test('on a phone the chosen view is in sight', async () => {
    const viewport = { width: 375, height: 812 };
    for (const view of [
      'heads&panel=numbers',
      'positions&panel=sentence',
      'positions&panel=shift',
    ]) {
      const hash = `#v=1&chapter=${view}`;
      const { page, close } = await open(hash, { viewport });
      await settled(page);
      const beyond = await page.locator('.shelf > .tabs').evaluate((tabs) => {
        const [all, one] = [tabs, tabs.querySelector('[aria-pressed=true]')].map((element) =>
          element.getBoundingClientRect(),
        );
        return Math.max(all.left - one.left, one.right - all.right);
      });
      assert.ok(beyond <= 1, `${view}: ${beyond} px of it are hidden`);
      await close();
    }
  });

  test('labels and arrows do not cover each other', async () => {
    for (const [width, height, state] of [
      [1440, 900, 'chapter=positions&panel=sentence&scheme=alibi&t=300'],
      [1440, 900, 'chapter=heads&panel=stage&t=890'],
      [768, 1024, 'example=i-love-robotics&t=74'],
      [768, 1024, 'example=two-heads&t=101'],
    ]) {
      const viewport = { width, height };
      const { page, close } = await open(`#v=1&${state}`, { viewport });
      await settled(page);
      const faults = await page.locator('gf-stage .figure').evaluate((figure) => {
        const box = (element) => element.getBoundingClientRect();
        const heads = [...figure.querySelectorAll('.head span')];
        const others = [...figure.querySelectorAll('.arrow .op, .arrow svg, .remove')];
        const { top } = box(figure);
        const over = (a, b) =>
          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        return heads
          .filter((head) => box(head).top < top || others.some((one) => over(box(head), box(one))))
          .map((head) => head.textContent);
      });
      assert.deepEqual(faults, [], state);
      await close();
    }
  });

  test('a swipe steps', async () => {
    const phone = { viewport: { width: 375, height: 800 }, hasTouch: true };
    const { page, close } = await open('#v=1&example=hi-how&t=12', phone);
    await page.locator('.figure').evaluate((figure) => {
      const at = (type, clientX) =>
        figure.dispatchEvent(
          new PointerEvent(type, { pointerType: 'touch', clientX, bubbles: true }),
        );
      at('pointerdown', 300);
      at('pointerup', 200);
    });
    await page.waitForURL(/t=13/);
    await close();
  });
});
