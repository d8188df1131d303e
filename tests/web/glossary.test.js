// Terms: the glossary of each language, and their explanations on the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { LANGUAGES } from '../../bindings/generated/languages.js';
import { inBrowser } from './browser.js';

const read = (code) =>
  JSON.parse(readFileSync(new URL(`../../bindings/words/${code}/glossary.json`, import.meta.url)));

describe('the glossary', () => {
  const english = read('en');

  for (const code of Object.keys(LANGUAGES)) {
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
    assert.match((await shown()).join('|'), /^Turns a row of numbers into shares [^|]*$/);
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

  test('is explained in captions and in the microscope, once on a page, and not in front of a class', async () => {
    const { page, shown, complaints, close } = await start('t=1');
    await page.keyboard.press('6');
    await page.locator('gf-stage [data-node="scores"][data-index="1,2"]').first().click();
    await page.locator('gf-microscope gf-term').first().waitFor({ state: 'attached' });
    await page.locator('.stage-head gf-term .term').first().waitFor();
    const told = await page.evaluate(() => {
      const terms = [...document.querySelectorAll('gf-term')].filter(({ name }) => name);
      const where = (term) => term.closest('.stage-head, gf-caption, gf-microscope')?.className;
      return {
        names: terms.map(({ name }) => name),
        explained: terms.filter((term) => term.querySelector('.term')).map(({ name }) => name),
        beside: terms.filter((term) => where(term) !== 'stage-head').map(({ name }) => name),
      };
    });
    assert.deepEqual(told.explained, [...new Set(told.names)]);
    assert.ok(told.beside.filter((name) => name === 'score').length > 1, told.beside.join());

    const score = page.locator('gf-caption .term, gf-microscope .term', { hasText: 'score' });
    assert.equal(await score.count(), 1);
    await score.focus();
    assert.match((await shown()).join('|'), /^How well a query and a key agree[^|]*$/);
    await page.keyboard.press('Escape');
    assert.deepEqual(await shown(), []);

    await page.keyboard.press('p');
    await page.waitForFunction(() => !document.querySelector('gf-term .term'));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.mode), 'present');
    /* The cell first, then the presentation. */
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('gf-term .term').first().waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is explained in a lesson, not in its buttons', async () => {
    const { page, complaints, close } = await browsing.open(
      '#v=1&lesson=scores-to-weights&scene=1',
      {
        ready: 'gf-learn .say p',
      },
    );
    const terms = page.locator('gf-learn .say .term');
    await terms.first().waitFor();
    assert.deepEqual(await terms.allTextContents(), ['query', 'scores', 'attention']);
    await terms.nth(1).hover();
    const tip = page.locator('gf-learn [role=tooltip]:popover-open');
    assert.match(
      (await tip.allTextContents()).join('|'),
      /^How well a query and a key agree[^|]*$/,
    );
    assert.equal(await page.locator('button gf-term').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is explained on a phone without covering the sentence that it is part of', async () => {
    const { page, close } = await browsing.open('#v=1&lesson=scores-to-weights&scene=1', {
      ready: 'gf-learn .say p',
      viewport: { width: 375, height: 740 },
    });
    const terms = page.locator('gf-learn .say .term');
    await terms.first().waitFor();
    const sentence = await page.locator('gf-learn .say p').boundingBox();
    for (let i = 0; i < (await terms.count()); i++) {
      await terms.nth(i).focus();
      const tip = await page.locator('[role=tooltip]:popover-open').boundingBox();
      const isClear = tip.y >= sentence.y + sentence.height || tip.y + tip.height <= sentence.y;
      assert.ok(isClear && tip.y >= 0 && tip.x >= 0, JSON.stringify({ tip, sentence }));
    }
    await close();
  });

  test('is explained in the language of the page', async () => {
    const { shown, page, close } = await start('lang=de');
    await page.locator('.stage-head .term').first().focus();
    assert.match((await shown()).join(), /^Ein Stück Text/);
    await close();
  });
});
