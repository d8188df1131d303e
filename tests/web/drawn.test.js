// Wherever attention is shown, weights that nobody trained say so; trained ones and those of a text do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBrowser } from './browser.js';

const { open } = inBrowser();
const BADGE = 'gf-term.drawn .term';
const WORDS = {
  en: /^random matrices: no meaning$/,
  fr: /^matrices aléatoires\s: sans signification$/,
  de: /^zufällige Matrizen: ohne Bedeutung$/,
};

for (const [hash, lang] of [
  ['#v=1&sentence=8~8~1~1~p~the%20robot%20sees%20the%20ball&mode=present', 'en'],
  ['#v=1&chapter=heads', 'fr'],
  ['#v=1&chapter=heads&example=two-heads&sentence=&heads=2', 'de'],
  ['#v=1&chapter=positions&panel=sentence', 'en'],
  ['embed.html#v=1&chapter=heads&show=stage', 'fr'],
]) {
  test(`${hash} in ${lang}: random weights say so, and why that matters`, async () => {
    const link = `${hash}&lang=${lang}`;
    const { page, close } = await open(link, { ready: '.lesson' });
    const badge = page.locator(BADGE);
    await badge.waitFor();
    assert.match((await badge.textContent()).trim(), WORDS[lang]);
    await badge.focus();
    const why = page.locator('gf-term.drawn [role=tooltip]');
    await why.waitFor();
    assert.match(await why.textContent(), /token/i);
    await badge.press('Escape');
    assert.equal(await why.isVisible(), false);
    await close();
  });
}

for (const hash of ['#example=i-love-robotics', '#chapter=transformer', '#v=1&chapter=positions']) {
  test(`${hash}: nothing is random, and no such thing is said`, async () => {
    const { page, close } = await open(hash, { ready: '.lesson' });
    assert.equal(await page.locator(BADGE).count(), 0);
    await close();
  });
}

for (const theme of ['light', 'dark']) {
  test(`what float32 cannot hold has no colour of a number, and the legend says where it came up: ${theme}`, async () => {
    const { page, complaints, close } = await open(
      `#v=1&example=i-love-robotics&edits=x:0,0=3e%2B38&t=100000&theme=${theme}`,
    );
    const looks = await page
      .locator('gf-stage .result .cell')
      .evaluateAll((cells) =>
        cells.map((cell) => [cell.dataset.value, getComputedStyle(cell).backgroundImage]),
      );
    assert.equal(looks.length, 9);
    for (const [value, look] of looks) {
      assert.equal(value, 'NaN');
      assert.match(look, /repeating-linear-gradient.*repeating-linear-gradient/);
    }
    assert.match(
      (await page.locator('gf-legend').textContent()).replace(/\s+/g, ' '),
      /NaN or ∞ came up in S: 0\/0, ∞ − ∞, or a number larger than float32 holds/,
    );
    assert.deepEqual(complaints, []);
    await close();
  });
}

test('on a heat map it is hatched, and has no colour of a number', async () => {
  const { page, close } = await open(
    '#v=1&sentence=64~64~1~1~pc~the robot sees the ball&edits=embedding.weight:0,0=3e%2B38&t=100000',
  );
  const map = page.locator('gf-stage .result canvas');
  await map.waitFor();
  const inks = await map.evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add([...data.slice(at, at + 4)].join());
    return [...found];
  });
  /* Never the deepest of the negative. */
  assert.ok(inks.includes('153,153,153,255'), `${inks.slice(0, 9)}`);
  assert.ok(!inks.includes('180,81,47,255'));
  await close();
});
