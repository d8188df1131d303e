// A sentence with lines as thick as its attention weights: long ones in several lines, and above arrows and matrices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, inBrowser, settled } from './browser.js';
import { answer, lessons, PASSED } from './learner.js';

const browsing = inBrowser();
const { open } = browsing;
const ready = 'gf-learn .sentence';

/** The scene of a lesson, and a link to it. @param {string} name @param {number} n */
const sceneAt = (name, n) => ({
  scene: lessons.find((one) => one.name === name).scenes[n - 1],
  link: `#lesson=${name}&scene=${n}`,
});

/** px between two points of a line that are looked at. */
const GRAIN = 4;

for (const [name, n] of [
  ['many-heads', 4],
  ['find-the-head', 1],
]) {
  test(`on a phone ${name} ${n} stands in several lines, and no line of attention runs over a word`, async () => {
    const { scene, link } = sceneAt(name, n);
    const viewport = { width: 390, height: 844 };
    const { page, complaints, close } = await open(link, { ready, viewport });
    await answer(page, scene);
    await page.waitForSelector(PASSED);
    await settled(page);
    const seen = await page.locator('gf-tokens .sentence').evaluate((drawing, grain) => {
      const words = [...drawing.querySelectorAll('.token > [lang]')].map((one) => {
        const { x, y, width, height } = one.getBBox();
        /* Its letters, not the room of its line. */
        return {
          word: one.textContent,
          left: x,
          right: x + width,
          top: y + height / 4,
          bottom: y + 0.9 * height,
        };
      });
      const over = [...drawing.querySelectorAll('.line')].flatMap((line) => {
        const points = Array.from({ length: Math.floor(line.getTotalLength() / grain) }, (_, i) =>
          line.getPointAtLength(i * grain),
        );
        const hit = words.find((one) =>
          points.some(({ x, y }) => x > one.left && x < one.right && y > one.top && y < one.bottom),
        );
        return hit ? [hit.word] : [];
      });
      const { width } = drawing.viewBox.baseVal;
      const scale = drawing.getBoundingClientRect().width / width;
      return {
        over,
        rows: new Set(words.map(({ top }) => Math.round(top))).size,
        type: 29 * scale,
        within: words.every(({ left, right }) => left >= 0 && right <= width),
      };
    }, GRAIN);
    assert.deepEqual(seen.over, []);
    assert.ok(seen.rows > 1, `${seen.rows} lines`);
    assert.ok(seen.type >= 16, `${seen.type} px`);
    assert.ok(seen.within, 'a word is cut');
    assert.deepEqual(complaints, []);
    await close();
  });
}

test('above the plane a line has the score of its key, which is asked for before', async () => {
  const { scene, link } = sceneAt('one-score', 4);
  const { page, close } = await open(link, { ready });
  const score = page.locator('gf-plane .sentence .share');
  assert.equal(await score.textContent(), '?');
  await answer(page, scene);
  await page.waitForSelector(PASSED);
  /* (2, 2) · (1.5, 1.5) */
  assert.equal(await score.textContent(), '6');
  await close();
});

test('above the matrices the sentence has the lines of the row that is computed, thin until they are', async () => {
  const viewport = { width: 1440, height: 900 };
  const { scene, link } = sceneAt('the-output', 5);
  const { page, close } = await open(link, { ready: 'gf-attending .line', viewport });
  const widths = () =>
    page
      .locator('gf-attending .line')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('stroke-width'))));
  assert.deepEqual(await widths(), Array(7).fill(1));
  assert.equal(await page.locator('gf-attending .share').count(), 0);
  await answer(page, scene);
  await page.waitForSelector(PASSED);
  /* Softmax of 6/√2, 0, 6/√2 and four zeros, in float64. */
  const powers = [6, 0, 6, 0, 0, 0, 0].map((score) => Math.exp(score / Math.SQRT2));
  const sum = powers.reduce((a, b) => a + b);
  for (const [i, width] of (await widths()).entries())
    assert.ok(Math.abs(width - Math.max(1, (20 * powers[i]) / sum)) < 1e-4, `${i}: ${width}`);
  assert.deepEqual(await page.locator('gf-attending .share').allTextContents(), ['48%', '48%']);
  await page.setViewportSize({ width: 1280, height: 720 });
  assert.equal(
    await page.locator('gf-attending').isVisible(),
    false,
    'a low screen is for matrices',
  );
  await close();
});

test('a text that is little smaller on one line stands on one', async () => {
  const viewport = { width: 1440, height: 900 };
  const { page, close } = await open('#lesson=many-heads&scene=4', {
    ready: 'gf-tokens',
    viewport,
  });
  await page.locator('gf-tokens .token').first().waitFor();
  const lines = await page
    .locator('gf-tokens .token > text:first-of-type')
    .evaluateAll((all) => all.map((one) => one.getAttribute('y')));
  assert.ok(lines.length > 20);
  assert.equal(new Set(lines).size, 1);
  await close();
});

test('arrows that are the same begin at the origin: a key lies in its beam, rows of one matrix are one arrow', async () => {
  const { page, close } = await open('#lesson=a-head-is-born&scene=5', {
    ready: 'gf-plane .shaft',
  });
  const begins = async () =>
    new Set(
      await page
        .locator('gf-plane .shaft')
        .evaluateAll((all) => all.map((one) => one.getAttribute('d')?.split('L')[0])),
    ).size;
  assert.equal(await begins(), 1);
  await follow(page, '#lesson=a-head-is-born&scene=7');
  await page.locator('gf-plane .shaft').nth(3).waitFor();
  assert.equal(await begins(), 1);
  await close();
});
