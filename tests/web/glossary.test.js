// Terms: the glossary of each language, and their explanations on the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { inBrowser } from './browser.js';

const read = (code) =>
  JSON.parse(readFileSync(new URL(`../../web/locale/glossary/${code}.json`, import.meta.url)));

describe('the glossary', () => {
  const english = read('en');

  for (const code of ['en', 'fr', 'de']) {
    test(`in ${code} explains each term in at most 25 words, by a form of its own`, () => {
      const terms = read(code);
      assert.deepEqual(Object.keys(terms), Object.keys(english));
      const forms = Object.values(terms).flatMap((term) => term.forms);
      assert.deepEqual([...new Set(forms)], forms);
      for (const [name, { is }] of Object.entries(terms)) {
        assert.match(is, /^[\p{Lu}−\d].*\.$/u, name);
        assert.ok(is.split(/\s+/).length <= 25, name);
        if (code !== 'en') assert.notEqual(is, english[name].is);
      }
    });
  }
});

describe('a term on the page', () => {
  const browsing = inBrowser();
  const start = async (hash) => {
    const opened = await browsing.open(`#v=1&example=i-love-robotics&${hash}`);
    const shown = () =>
      opened.page.locator('gf-term [role=tooltip]:popover-open').allTextContents();
    return { ...opened, shown };
  };

  test('is explained where it comes first: by pointer, by keyboard, and away with Escape', async () => {
    const { page, shown, complaints, close } = await start('t=1');
    await page.keyboard.press('7');
    await page.locator('.stage-head h2', { hasText: 'Attention weights' }).waitFor();
    const terms = page.locator('.stage-head .term');
    const said = await terms.allTextContents();
    assert.deepEqual(said, ['Softmax', 'scores', 'attention weights']);
    assert.deepEqual(await shown(), []);
    await terms.nth(0).hover();
    assert.match((await shown()).join('|'), /^Turns a row of numbers into weights [^|]*$/);
    await page.locator('.stage-head h2').hover();
    assert.deepEqual(await shown(), []);
    await terms.nth(1).focus();
    assert.match((await shown()).join('|'), /^How well a query and a key agree[^|]*$/);
    const box = await page.locator('gf-term [role=tooltip]:popover-open').boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 1440 && box.y > 0, JSON.stringify(box));
    await page.keyboard.press('Escape');
    assert.deepEqual(await shown(), []);
    assert.equal(await page.locator('.stage-head h2').textContent(), 'Attention weights');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is explained in the language of the page', async () => {
    const { shown, page, close } = await start('lang=de');
    await page.locator('.stage-head .term').first().focus();
    assert.match((await shown()).join(), /^Ein Stück Text/);
    await close();
  });
});
