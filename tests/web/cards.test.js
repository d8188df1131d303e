// What a shared link says of itself: the picture, and of each lesson its title, on a page that leads to it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { languages } from '../../bindings/js/base/speech.js';
import { addressOf, inBrowser, site } from './browser.js';
import { lessons } from './learner.js';

const { open } = inBrowser();
const fileOf = (name, lang) => `${name}${lang === 'en' ? '' : `.${lang}`}.html`;
const read = (file) => readFile(path.join(site, file), 'utf8');

test('each lesson has a page with its title and what it teaches, in each language', async () => {
  for (const { name, title, learned } of lessons) {
    for (const lang of languages) {
      const page = await read(fileOf(name, lang));
      assert.ok(page.includes(`<html lang="${lang}">`));
      const plain = page.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
      assert.ok(plain.includes(`<title>${title[lang]} · Glassformer</title>`), plain);
      assert.ok(plain.includes(`property="og:description" content="${learned[0][lang]}"`), plain);
    }
  }
});

test('the page and those of the lessons name a picture of 1200 by 630', async () => {
  for (const file of ['index.html', fileOf(lessons[0].name, 'de')]) {
    const page = await read(file);
    assert.equal(page.match(/property="og:image" content="([^"]+)"/)[1], './card.png');
    assert.ok(page.includes('content="summary_large_image"'));
  }
  const png = await readFile(path.join(site, 'card.png'));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
});

test('the page of a lesson leads to it', async () => {
  const { page, complaints, close } = await open('one-score.de.html', {
    ready: 'gf-learn .say p',
    alone: true,
  });
  assert.match(await addressOf(page), /\/#lesson=one-score&lang=de$/);
  assert.match(await page.locator('.where h2').innerText(), /Ein Score/);
  assert.deepEqual(complaints, []);
  await close();
});
