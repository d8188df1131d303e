// The translator tells what it does not know before it translates, and its words can be chosen from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waits } from '../support/sample.js';
import { inBrowser } from './browser.js';
import { serious } from './expect.js';

const HASH = '#v=1&chapter=transformer';
const { open } = inBrowser();
const start = (hash = HASH) => open(hash, { ready: 'gf-chapter-transformer .lesson' });
const INPUT = 'gf-translation input[name="text"]';

/** The translation that is shown, without its end. */
const shown = async (page) =>
  (await page.locator('.translation ol button').allTextContents())
    .map((word) => word.trim())
    .filter((word) => word !== '<end>')
    .join(' ');

async function ask(page, text) {
  await page.fill(INPUT, text);
  await page.press(INPUT, 'Enter');
}

test('what the grammar has is translated at once', async () => {
  const { page, close } = await start();
  for (const [text, translation] of [
    ['le petit chat noir dort dans la maison', 'the little black cat sleeps in the house'],
    ['la grande maison est rouge', 'the big house is red'],
    ["j'ai deux chevaux blancs", 'I have two white horses'],
  ]) {
    await ask(page, text);
    await page.locator('.translation .source', { hasText: text }).waitFor();
    assert.equal(await shown(page), translation);
    assert.equal(await page.locator('gf-translation .doubt, .translation .unknown').count(), 0);
  }
  await close();
});

test('unknown words and what is outside the grammar are told first, and translated if one wants it', async () => {
  const { page, close } = await start();
  for (const [text, told] of [
    ['le zug dort', /vocabulary: zug\./],
    ['le chat noire dort', /“noire” cannot follow “le chat”/],
    ['chat dort', /no sentence begins with “chat”/],
    ['le chat', /is not complete/],
  ]) {
    const before = await shown(page);
    await ask(page, text);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.textContent(), told);
    assert.equal(await shown(page), before, 'nothing is translated yet');
    await page.getByRole('button', { name: 'Translate anyway' }).click();
    await page.locator('.translation .unknown').waitFor();
    assert.match(await page.locator('.translation .unknown').textContent(), told);
    assert.equal(await alert.count(), 0);
  }
  await close();
});

test('a sentence can be made of the vocabulary, by keyboard', async (t) => {
  if (waits(t)) return;
  const { page, close } = await start();
  const opener = page.getByRole('button', { name: 'Vocabulary…' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Vocabulary' });
  await sheet.waitFor();
  assert.deepEqual(await serious(page), []);
  const field = sheet.getByRole('textbox');
  await field.fill('');
  for (const word of ["l'", 'oiseau', 'chante']) {
    await sheet
      .locator('li button', { hasText: new RegExp(`^${word}$`) })
      .first()
      .focus();
    await page.keyboard.press('Enter');
  }
  assert.equal(await field.inputValue(), "l'oiseau chante");
  assert.match(await sheet.getByRole('status').textContent(), /l'oiseau chante/);
  await sheet.getByRole('button', { name: 'Remove the last word' }).press('Enter');
  assert.equal(await field.inputValue(), "l'oiseau");
  await field.fill("l'oiseau dort");
  await field.press('Enter');
  await page.locator('.translation .source', { hasText: "l'oiseau dort" }).waitFor();
  assert.equal(await shown(page), 'the bird sleeps');
  assert.equal(await sheet.count(), 0);
  await close();
});

for (const [width, height] of [
  [375, 740],
  [768, 1024],
]) {
  test(`nothing is cut at ${width} px: the likeliest tokens, and what is above them`, async () => {
    const { page, close } = await open('#v=1&chapter=transformer&step=1', {
      ready: 'gf-chapter-transformer .lesson',
      viewport: { width, height },
    });
    const right = async (locator) => {
      const { x, width: wide } = await locator.boundingBox();
      return x + wide;
    };
    const source = await page.locator('.translation .source').boundingBox();
    const written = await page.locator('.translation ol').boundingBox();
    assert.ok(source.y + source.height <= written.y + 1, 'the source is above its translation');
    for (const token of await page.locator('.translation .next span').all()) {
      assert.ok((await right(token)) <= width, await token.textContent());
    }
    const shares = await page.locator('.translation .next .number').allTextContents();
    assert.ok(
      shares.every((share) => /^(<\u202f)?[\d.]+%$/.test(share)),
      String(shares),
    );
    /* What can be chosen is folded away. */
    const block = page.locator('gf-translation .jump select');
    assert.ok(!(await block.isVisible()));
    await page.getByRole('button', { name: 'Options' }).click();
    if (width < 480) assert.ok((await block.boundingBox()).width > 200);
    if (width >= 768) {
      for (const button of await page.locator('gf-translation button:visible').all()) {
        assert.ok((await right(button)) <= width, await button.textContent());
      }
    }
    await close();
  });
}
