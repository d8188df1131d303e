// The first screen of each chapter: one sentence and one picture, until something is asked for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressOf, follow, inBrowser, settled, unfold } from './browser.js';

const { open } = inBrowser();

/** Each: what is seen at first, what it waits for, and what asks for it; what then waits until all is asked for. */
const CHAPTERS = {
  attention: {
    seen: ['gf-strip', 'gf-stage', 'gf-caption'],
    waits: ['gf-formula', 'gf-microscope'],
    last: ['gf-switches', '.legend label', 'gf-timeline .level'],
    ask: (page) => page.locator('gf-stage [data-node="output"]').first().click(),
  },
  heads: {
    seen: ['gf-multiples'],
    waits: ['gf-microscope', 'gf-strip', 'gf-multiples .prose'],
    ask: unfold,
  },
  positions: {
    seen: ['gf-waves gf-plot'],
    waits: ['gf-microscope', '.verdict'],
    last: ['gf-wavelengths'],
    ask: (page) => page.locator('gf-waves .fingerprint [data-node]').first().click(),
  },
  transformer: {
    seen: ['gf-attention-maps .lines', 'gf-model-map'],
    waits: ['gf-microscope', 'gf-attention-maps figure', 'gf-switches', '.translation .next'],
    ask: unfold,
  },
  training: {
    seen: ['gf-training-attention'],
    waits: ['gf-curves', 'gf-predictions', 'gf-writer', '.sentence'],
    ask: unfold,
  },
};

const visible = (page, selector) => page.locator(selector).filter({ visible: true }).count();

describe('a chapter opens with one sentence', () => {
  for (const [name, { seen, waits, ask, last = [] }] of Object.entries(CHAPTERS)) {
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
      for (const part of last) assert.equal(await visible(page, part), 0, part);
      if (last.length > 0) await unfold(page);
      for (const part of last) assert.ok(await visible(page, part), part);
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

test('the experiments of the Transformer are a list, which keys reach and a link opens', async () => {
  const ready = 'gf-attention-maps .lines';
  const { page, complaints, close } = await open('#chapter=transformer', { ready });
  assert.equal(await page.locator('.shelf .tabs button').count(), 4);
  const list = page.getByLabel('Experiments');
  await list.focus();
  await list.selectOption('cost');
  await page.locator('gf-cost').waitFor();
  assert.match(await addressOf(page), /panel=cost/);
  await follow(page, '#v=1&chapter=transformer&panel=size');
  await page.locator('gf-size').waitFor();
  assert.equal(await list.inputValue(), 'size');
  await page.locator('.shelf .tabs button').first().click();
  await page.locator(ready).waitFor();
  assert.equal(await list.inputValue(), '');
  assert.deepEqual(complaints, []);
  await close();
});

test('the options of an exercise are one click away', async () => {
  const { page, close } = await open('#chapter=exercises', { ready: '.sheet-matrix' });
  assert.equal(await page.locator('.shelf select').count(), 1);
  await page.getByRole('button', { name: 'Options' }).click();
  assert.equal(await page.locator('.shelf select').count(), 3);
  assert.equal(await page.locator('.signs').count(), 0, 'before there is a mark');
  await page.locator('.asked input').first().fill('0');
  await page.getByRole('button', { name: 'Check this step' }).click();
  await page.locator('.signs').waitFor();
  await close();
});

test('Inside shows the river first, its numbers below', async () => {
  const { page, close } = await open('#chapter=inside', { ready: '.inside svg' });
  const tops = await page.evaluate(() =>
    ['.inside svg', '.inside > h2', '.inside aside', '.inside .checked'].map(
      (part) => document.querySelector(part).getBoundingClientRect().top,
    ),
  );
  assert.deepEqual(
    tops,
    tops.toSorted((a, b) => a - b),
  );
  const last = page.locator('.inside .checked');
  await last.scrollIntoViewIfNeeded();
  assert.ok((await last.boundingBox()).y < page.viewportSize().height);
  await close();
});
