// How the page looks, in every state that is worth a look.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { examples } from '../../web/app/session.js';
import { sample, waits } from '../support/sample.js';
import { follow, inBrowser, settled } from './browser.js';
import { overflow, serious, violations } from './expect.js';
import { LOOKS, show } from './looks.js';

const { open } = inBrowser();

for (const [colorScheme, rules] of /** @type {const} */ ([
  ['light', {}],
  /* Nothing else is another. */
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
])) {
  test(`axe finds nothing serious: ${colorScheme}`, async () => {
    const { page, close } = await open('', { colorScheme });
    for (const look of sample(LOOKS, 5)) {
      const name = await show(page, look);
      assert.deepEqual(await serious(page, rules), [], name);
    }
    await close();
  });
}

/** What axe calls moderate or minor, and what it asks of a name that has a value beside it. */
const ORDER = [
  ...['region', 'landmark-unique', 'heading-order', 'empty-table-header'],
  ...['aria-required-children', 'label-content-name-mismatch', 'page-has-heading-one'],
];
test('landmarks and headings are in order, what has no words heads nothing, names have what is read', async () => {
  const { page, close } = await open('#chapter=learn');
  for (const [hash, ready] of [
    ['chapter=learn', '.hero h2'],
    ['lesson=whole-machine&scene=5', 'gf-stage .matrix'],
    ['lesson=one-score&scene=4&mode=present', 'gf-plane .arrow'],
    ['v=1&example=masked&t=99', 'gf-microscope table'],
    [
      'v=1&chapter=training&settings=steps:60,tokens:96,dModel:16,heads:2,dFF:24,warmup:10&step=8&view=values',
      'gf-stage .matrix',
    ],
    ['v=1&chapter=inside&view=birth', '.birth figcaption button'],
  ]) {
    await show(page, { hash, ready });
    assert.deepEqual(await violations(page, { runOnly: ORDER }), [], hash);
  }
  await close();
});

/** How far a sheet reaches beyond the window, and its contents beyond it. */
const beyond = (page, sheet) =>
  page.locator(sheet).evaluate((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const out = Math.max(-left, -top, right - innerWidth, bottom - innerHeight);
    return Math.max(out, one.scrollWidth - one.clientWidth);
  });

const SCREENS = [
  [320, 640],
  [375, 800],
  [768, 1024],
  [1440, 900],
  [2560, 1440],
];
for (const [width, height] of sample(SCREENS, 3)) {
  test(`nothing is cut off or wider than the window: ${width} px`, async () => {
    const { page, complaints, close } = await open('', { viewport: { width, height } });
    for (const look of sample(LOOKS, 6)) {
      const name = await show(page, look);
      const { x, y } = await overflow(page);
      assert.ok(x <= 0, `${name} is ${x} px too wide`);
      if (width >= 1088) assert.ok(y <= 0, `${name} is ${y} px too high`);
      if (look.sheet) assert.ok((await beyond(page, look.sheet)) <= 0, `${name}: the sheet`);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
}

const FORK = 'v=1&example=i-love-robotics&remove=scale';

describe('fits', () => {
  test('one desktop screen without scrolling, every stage of every example', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open();
    const states = [...Object.keys(examples).map((name) => `v=1&example=${name}`), FORK];
    for (const state of sample(states, 2)) {
      await follow(page, `#${state}`);
      const stages = await page.locator('gf-strip li').count();
      for (let k = 0; k < stages; k++) {
        await page.locator('gf-strip button').nth(k).click();
        await settled(page);
        const { x, y } = await overflow(page);
        assert.ok(x <= 0 && y <= 0, `${state}, stage ${k + 1}: ${x}, ${y}`);
        /* Where a text is cut into tokens there is none. */
        const cut = await page.locator('gf-stage .figure').evaluateAll((all) =>
          all.flatMap((figure) => {
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
            });
          }),
        );
        assert.equal(cut.length, 0, `${state}, stage ${k + 1}: a matrix is cut off`);
      }
    }
    await close();
  });

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

  test('labels and arrows do not cover each other', async (t) => {
    if (waits(t)) return;
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
