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
