// The page in each of its languages: nothing of another one is left, and nothing is lost on the way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { examples } from '../../bindings/index.js';
import { TEXTS as base } from '../../bindings/js/base/texts.js';
import { TEXTS as model } from '../../bindings/js/model/texts.js';
import { TEXTS as trace } from '../../bindings/js/trace/texts.js';
import { LANGUAGES } from '../../web/app/locale/text.js';
import { chapters } from '../../web/chapters/index.js';
import { sample, waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, ready, settled, until } from './browser.js';
import { overflow } from './expect.js';

/** The sentences that the core has for the page. */
const TEXTS = { ...base, ...model, ...trace };
const browsing = inBrowser();
const { open } = browsing;

const read = (code) =>
  JSON.parse(
    readFileSync(new URL(`../../bindings/words/${code}/page.json`, import.meta.url), 'utf8'),
  );
const codes = Object.keys(LANGUAGES);
const others = codes.filter((code) => code !== 'en');
const PHONE = { viewport: { width: 375, height: 667 } };
const language = (page) => page.evaluate(() => document.documentElement.lang);
const chooser = (page) => page.locator('gf-masthead .language select');
const titleOf = (code, name) => read(code).chapters[name].title;

/** Every panel of every chapter, once its numbers are there. */
const VIEWS = [
  ['#v=1&example=three-tokens&t=0'],
  ['#v=1&example=masked&t=60&remove=scale,mask&gradient=1&path=output:0,0'],
  ['#v=1&example=hi-how&t=9999'],
  ...['heads', 'stage', 'numbers'].map((panel) => [`#v=1&chapter=heads&panel=${panel}&t=9999`]),
  ...['waves', 'distance', 'shift', 'stage', 'shuffle', 'sentence'].map((panel) => [
    `#v=1&chapter=positions&panel=${panel}&t=9999`,
  ]),
  ...['attention', 'stage', 'next', 'masks', 'cost', 'size', 'paths', 'recurrence'].map((panel) => [
    `#v=1&chapter=transformer&panel=${panel}`,
    'gf-caption',
  ]),
  ['#v=1&chapter=transformer&panel=roles&role=far&headOff=1', 'gf-roles .removal p'],
  ['#v=1&chapter=training&step=1', 'gf-curves canvas'],
  ['#v=1&chapter=training&step=1&view=batch', 'gf-batch td'],
  ['#v=1&chapter=training&step=1&view=values', 'gf-training-walkthrough gf-caption'],
  ['#v=1&chapter=training&step=1&view=update', 'gf-adam th'],
  ['#v=1&chapter=exercises&answers=1~2&checked=111', '.sheet-matrix .sign'],
];

/** All that is read or told on the page, in its order. */
const told = (page) =>
  page.evaluate(() => {
    const names = ['aria-label', 'aria-valuetext', 'title', 'placeholder'];
    const all = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE && !node.parentElement.closest('script, style, math'))
        all.push(node.data);
      if (node.nodeType === Node.ELEMENT_NODE)
        all.push(...names.map((name) => node.getAttribute(name) ?? ''));
    }
    return all.map((words) => words.replace(/\s+/g, ' ').trim()).filter(Boolean);
  });

function leaves(words) {
  return typeof words === 'string' ? [words] : Object.values(words).flatMap(leaves);
}

/** What only English has: parts of sentences between what is filled in, and single words. */
function onlyEnglish(code) {
  const own = leaves(read(code)).join('\n').toLowerCase();
  const foreign = (part) => !own.includes(part.toLowerCase());
  const english = leaves(read('en'));
  const core = [...Object.values(TEXTS), ...Object.values(examples).map(({ about }) => about)];
  const parts = [...english, ...core]
    .flatMap((text) => text.split(/\{\w+\}|\b[A-Za-z]_\w+/))
    .map((part) => part.trim())
    .filter((part) => /[a-z]{3,} [a-z]{2,}/.test(part) && foreign(part));
  const single = english.filter((text) => /^[A-Za-z]{3,}$/.test(text) && foreign(text));
  return { parts, single: new Set(single) };
}

for (const code of others) {
  describe(LANGUAGES[code].name, () => {
    test('in every view nothing is English, a key, or worth a complaint', async () => {
      const { parts, single } = onlyEnglish(code);
      const { page, complaints, close } = await open(`#v=1&lang=${code}`);
      for (const [hash, awaited] of sample(VIEWS, 8)) {
        await follow(page, `${hash}&lang=${code}`);
        if (awaited) await page.waitForSelector(awaited, { state: 'attached' });
        await settled(page);
        assert.equal(await page.locator('[role=alert]').count(), 0, hash);
        const words = await told(page);
        assert.ok(words.length > 20, hash);
        for (const text of words) {
          const part = parts.find((one) => text.includes(one));
          assert.equal(part, undefined, `${hash}: “${text}”`);
          assert.ok(!single.has(text), `${hash}: “${text}”`);
          assert.doesNotMatch(text, /\{\w+\}|^(page|chapters|titles|prose|nouns)\//, hash);
        }
      }
      assert.deepEqual(complaints, []);
      await close();
    });
  });
}

for (const code of sample(codes, 1)) {
  test(`the head fits a phone in ${LANGUAGES[code].name}`, async () => {
    const { page, close } = await open(`#v=1&lang=${code}`, PHONE);
    for (const { name } of chapters) {
      await follow(page, `#v=1&chapter=${name}&lang=${code}`);
      assert.ok((await overflow(page)).x <= 0, name);
      const cut = await page.locator('gf-masthead').evaluate((head) =>
        [...head.querySelectorAll('h1, nav, a, button, label')]
          .filter((part) => {
            const { left, right } = part.getBoundingClientRect();
            return left < 0 || right > innerWidth || part.scrollWidth > part.clientWidth + 1;
          })
          .map((part) => part.textContent),
      );
      assert.deepEqual(cut, [], name);
    }
    await close();
  });
}

test('the head is one row on a desktop screen, in each language', async () => {
  const { page, close } = await open('#v=1');
  for (const code of codes) {
    await follow(page, `#v=1&lang=${code}`);
    await page.waitForFunction((lang) => document.documentElement.lang === lang, code);
    const middles = await page.locator('gf-masthead > *').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
    assert.ok(Math.max(...middles) - Math.min(...middles) < 4, `${code}: ${middles}`);
  }
  await close();
});

describe('the language', () => {
  test('is that of the browser, and no other one is loaded', async () => {
    for (const [locale, code] of [
      ['fr-CA', 'fr'],
      ['de-AT', 'de'],
      ['it-IT', 'en'],
    ]) {
      const context = await browsing.browser.newContext({ locale });
      const page = await context.newPage();
      const asked = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${browsing.site.url}#chapter=attention`);
      await ready(page);
      assert.equal(await language(page), code);
      assert.equal(await page.title(), `${titleOf(code, 'attention')} · Glassformer`);
      const loaded = others.filter((one) => asked.some((path) => path.includes(`/${one}-`)));
      assert.deepEqual(loaded, code === 'en' ? [] : [code]);
      assert.doesNotMatch(await addressOf(page), /lang=/);
      await context.close();
    }
  });

  test('is chosen in the head, by its own name, and kept by reload and other chapters, but in no link', async () => {
    const { page, complaints, close } = await open('', { locale: 'fr-FR', alone: true });
    assert.deepEqual(await chooser(page).locator('option').allTextContents(), [
      'English',
      'Français',
      'Deutsch',
      'Español',
    ]);
    assert.equal(await chooser(page).inputValue(), 'fr');
    await chooser(page).selectOption('de');
    await page.waitForFunction(() => document.documentElement.lang === 'de');
    assert.doesNotMatch(await addressOf(page), /lang=/);
    await page.reload();
    await ready(page);
    assert.equal(await language(page), 'de');
    assert.equal(await chooser(page).inputValue(), 'de');
    await page.getByRole('link', { name: titleOf('de', 'heads') }).click();
    await page.waitForSelector('gf-chapter-heads .matrix');
    await settled(page);
    assert.equal(await page.title(), `${titleOf('de', 'heads')} · Glassformer`);
    await follow(page, '#chapter=heads');
    assert.equal(await language(page), 'de');
    /* A link that asks for a language has it; the reader's choice replaces it. */
    await follow(page, '#v=1&chapter=heads&lang=en');
    assert.equal(await language(page), 'en');
    assert.match(await addressOf(page), /lang=en/);
    await chooser(page).selectOption('fr');
    await page.waitForFunction(() => document.documentElement.lang === 'fr');
    assert.doesNotMatch(await addressOf(page), /lang=/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('changes the words, and nothing else', async (t) => {
    if (waits(t)) return;
    const state = 'v=1&chapter=positions&panel=shuffle&t=40&scheme=none';
    const { page, complaints, close } = await open(`#${state}&lang=en`);
    await page.getByRole('button', { name: 'learned' }).click();
    await settled(page);
    const english = await told(page);
    for (const code of [...others, 'en']) {
      await chooser(page).selectOption(code);
      await page.waitForFunction((to) => document.documentElement.lang === to, code);
      await settled(page);
      const changed = await told(page);
      /* The choice is the reader's, not the link's. */
      assert.doesNotMatch(await addressOf(page), /lang=/);
      const fresh = await open(`${await addressOf(page)}&lang=${code}`);
      await settled(fresh.page);
      const undo = read(code).page.undo;
      assert.ok(await page.getByRole('button', { name: undo }).isEnabled(), code);
      assert.deepEqual(changed, await told(fresh.page));
      await fresh.close();
    }
    assert.deepEqual(await told(page), english);
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.match(await addressOf(page), /scheme=none/);
    assert.doesNotMatch(await addressOf(page), /lang=/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('changes while a training runs, which goes on', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open(
      '#v=1&chapter=training&settings=steps:5000,tokens:96,dModel:16,heads:2,dFF:24&lang=en',
    );
    await page.keyboard.press('Space');
    await until(page, () => document.querySelector('gf-chapter-training').now.last > 3);
    await chooser(page).selectOption('fr');
    await page.waitForFunction(() => document.documentElement.lang === 'fr');
    const [playing, last] = await page.evaluate(() => {
      const { now } = document.querySelector('gf-chapter-training');
      return [now.playing, now.last];
    });
    assert.ok(playing);
    assert.ok(last > 3);
    await until(
      page,
      (before) => document.querySelector('gf-chapter-training').now.last > before,
      last,
    );
    assert.match(await page.locator('main .sentence').textContent(), /perte/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is that of a notice about a link, and outlives it', async () => {
    const { page, close } = await open('#lang=de&nonsense');
    assert.match(await page.locator('[role=alert]').textContent(), /„nonsense“ des Links/);
    assert.equal(await language(page), 'de');
    await follow(page, '#example=two-heads&lang=fr&path=scores:9,9,9&v=1');
    assert.match(await page.locator('[role=alert]').textContent(), /pas de case scores/);
    assert.equal(await language(page), 'fr');
    await follow(page, '#v=1&lang=xx');
    assert.match(await page.locator('[role=alert]').textContent(), /lang=xx/);
    await close();
  });

  test('that cannot be loaded is told, and the present one stays', async () => {
    const { page, close } = await open();
    await page.route(/\/fr-[^/]*\.js$/, (route) => route.abort());
    await chooser(page).selectOption('fr');
    await page.waitForSelector('[role=alert]');
    assert.match(
      await page.locator('[role=alert]').textContent(),
      /texts in Français did not load/,
    );
    assert.equal(await language(page), 'en');
    assert.doesNotMatch(await addressOf(page), /lang/);
    assert.equal(await chooser(page).inputValue(), 'en');
    await chooser(page).selectOption('de');
    await page.waitForFunction(() => document.documentElement.lang === 'de');
    assert.equal(await page.locator('[role=alert]').count(), 0);
    await close();
  });

  test('is that of what is exported', async () => {
    const { page, close } = await open('#v=1&example=two-heads&lang=fr');
    await page.keyboard.press('e');
    await page.getByLabel('LaTeX').check();
    const preview = page.locator('gf-export pre');
    await page.waitForFunction(() => document.querySelector('gf-export pre')?.textContent);
    assert.match(await preview.textContent(), /\\title\{Deux têtes\}[\s\S]*\\section\*\{Données\}/);
    await close();
  });
});
