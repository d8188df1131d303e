// The first page: Pocket, alive, against float64; and the pictures of what the lessons end in, computed anew.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { examples, load } from '../../bindings/index.js';
import { reference } from '../reference/attention64.js';
import { follow, inBrowser, settled } from './browser.js';
import { born, DIAGONAL, diagonal, FILE, river, TRAINED } from './ends.js';

const { open } = inBrowser();
const ready = 'gf-hero .token';
const gf = await load();
const ends = JSON.parse(readFileSync(FILE, 'utf8'));

/** Pocket in float64 on other words. @param {number[]} ids */
const of = (ids) =>
  reference({ ...examples.pocket, inputs: { ...examples.pocket.inputs, tokens: ids } });
const word = (page, place) => page.locator('gf-hero .token').nth(place);
const said = (page) => page.locator('gf-hero figcaption').allInnerTexts();
const near = (actual, expected) => {
  assert.equal(actual.length, expected.length);
  for (const [i, x] of expected.entries())
    assert.ok(Math.abs(actual[i] - x) < 2e-4, `${actual}, float64: ${expected}`);
};
/** How likely each word is that can come next. */
const likely = (page) =>
  page
    .locator('gf-hero .next-words .number')
    .evaluateAll((all) => all.map((one) => Number(one.dataset.value)));
/** How thick the lines are. */
const lines = (page) =>
  page
    .locator('gf-hero .line')
    .evaluateAll((all) => all.map((one) => Number(one.getAttribute('stroke-width'))));
/** A weight as a line: 20 for a whole one, a hairline at least. */
const thick = (weights) => weights.map((weight) => Math.max(1, 20 * weight));
const rowOf = ({ weights }, row) => Array.from(weights.data).slice(7 * row, 7 * row + 7);

test('names and pronoun are swapped, and lines and next word follow as in float64', async () => {
  const { page, complaints, close } = await open('#', { ready });
  near(await likely(page), of([1, 4, 3, 5, 6, 7, 9]).probabilities.data.slice(-4));
  near(await lines(page), thick(rowOf(of([1, 4, 3, 5, 6, 7, 9]), 6)));
  assert.deepEqual(await said(page), [
    'What “He” looks for',
    'What Tom is found by',
    'What Tom hands on',
  ]);
  await word(page, 6).click();
  await settled(page);
  near(await likely(page), of([1, 4, 3, 5, 6, 7, 8]).probabilities.data.slice(-4));
  assert.equal(
    await page
      .locator('gf-hero .coming')
      .innerHTML()
      .then((all) => /dances/.test(all)),
    true,
  );
  /* Two who fit: Eva and, for Tom, Anna. */
  await word(page, 2).click();
  await page.locator('.lead').hover();
  await settled(page);
  near(await likely(page), of([1, 4, 0, 5, 6, 7, 8]).probabilities.data.slice(-4));
  assert.equal((await said(page))[1], 'What Eva and Anna are found by');
  /* Nobody fits. */
  await word(page, 6).click();
  await page.locator('.lead').hover();
  await settled(page);
  near(await likely(page), of([1, 4, 0, 5, 6, 7, 9]).probabilities.data.slice(-4));
  assert.deepEqual((await said(page)).slice(1), ['No word fits best', 'A little of every value']);
  assert.deepEqual(complaints, []);
  await close();
});

test('a word that is pointed at, or has the focus, shows where it looks; the keyboard swaps', async () => {
  const { page, complaints, close } = await open('#', { ready });
  const run = of([1, 4, 3, 5, 6, 7, 9]);
  await word(page, 2).hover();
  await settled(page);
  near(await lines(page), thick(rowOf(run, 2)));
  assert.deepEqual(await said(page), [
    'What “Tom” looks for',
    'What He is found by',
    'He hands on nothing',
  ]);
  await page.locator('.lead').hover();
  await settled(page);
  near(await lines(page), thick(rowOf(run, 6)));
  await word(page, 1).focus();
  await settled(page);
  near(await lines(page), thick(rowOf(run, 1)));
  assert.equal((await said(page))[0], '“and” looks for nothing');
  await word(page, 6).focus();
  await page.keyboard.press('Enter');
  await settled(page);
  near(await likely(page), of([1, 4, 3, 5, 6, 7, 8]).probabilities.data.slice(-4));
  assert.deepEqual(complaints, []);
  await close();
});

test('numbers that are all alike are small, none lies over another, and the next word steps back', async () => {
  const { page, close } = await open('#', { ready });
  const shares = page.locator('gf-hero .share');
  assert.equal(await page.locator('gf-hero .alike').count(), 0);
  for (let place = 0; place < 7; place++) {
    await word(page, place).hover();
    await settled(page);
    const boxes = await shares.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().toJSON()).sort((a, b) => a.left - b.left),
    );
    for (const [i, box] of boxes.slice(1).entries())
      assert.ok(boxes[i].right < box.left, `${place}`);
    const opacity = await page
      .locator('gf-hero .next')
      .evaluate((one) => getComputedStyle(one).opacity);
    assert.equal(Number(opacity) < 1, place !== 6);
  }
  await word(page, 1).hover();
  await settled(page);
  assert.ok((await shares.count()) > 2);
  assert.equal(await page.locator('gf-hero .alike').count(), await shares.count());
  await close();
});

test('on a phone the way into the first lesson is on the first screen, and a word is touched', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, close } = await open('#', { ready, viewport, hasTouch: true, isMobile: true });
  const start = await page.locator('.ways .main').boundingBox();
  assert.ok(start.y + start.height < 844, `${start.y}`);
  assert.match(await page.locator('gf-hero .hint').innerText(), /^Touch a word/);
  await close();
});

test('the pronoun changes once by itself, unless the reader takes over or wants no motion', async () => {
  const { page, close } = await open('#', { ready, reducedMotion: 'no-preference' });
  /* He, then She. */
  const asks = (shown) => shown.locator('gf-hero').evaluate(({ ids }) => ids[6]);
  await page.waitForFunction(() => document.querySelector('gf-hero').ids[6] === 8);
  await close();
  const calm = await open('#', { ready });
  assert.equal(await asks(calm.page), 9);
  assert.equal(await calm.page.locator('gf-hero').evaluate(({ turn }) => turn), undefined);
  await calm.close();
});

test('who begins to explore sees what attention makes, before it is played', async () => {
  const { page, close } = await open('#', { ready });
  const link = await page.locator('.ways a:not(.main)').getAttribute('href');
  for (const hash of [link, '#chapter=attention']) {
    await follow(page, hash);
    await page.locator('gf-stage .matrix').first().waitFor();
    await settled(page);
    assert.equal(await page.locator('gf-strip .now').innerText(), 'O', hash);
    assert.equal(await page.locator('gf-stage .cell.unknown').count(), 0, hash);
  }
  await close();
});

test('three pictures lead to the river, the birth and the training', async () => {
  const { page, complaints, close } = await open('#', { ready: '.ends a' });
  const links = await page
    .locator('.ends a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  assert.deepEqual(links, [
    '#chapter=inside',
    '#chapter=inside&view=birth',
    DIAGONAL.replace('v=1&', ''),
  ]);
  const opacities = await page
    .locator('.ends rect')
    .evaluateAll((all) => all.map((one) => Number(one.getAttribute('fill-opacity'))));
  near(
    opacities,
    ends.diagonal.rows.flat().map((weight) => 0.06 + 0.94 * weight),
  );
  await page.locator('.ends a').first().click();
  await page.waitForSelector('gf-chapter-inside');
  assert.deepEqual(complaints, []);
  await close();
});

test('the pictures show what the river, the birth and the training compute', async () => {
  const { birth, trained } = await born(gf);
  assert.deepEqual(ends, { river: await river(gf), birth, diagonal: await diagonal(gf) });
  assert.deepEqual(JSON.parse(readFileSync(TRAINED, 'utf8')), trained);
});
