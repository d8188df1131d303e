// What a reader has to wait for: all that Chromium asks for before a chapter stands, packed as a host packs it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { site as built, launch, open, serve, settled } from './browser.js';
import { chapters } from './states.js';

const LIMIT = 250_000;

let site;
let browser;

before(async () => {
  [site, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  site?.close();
});

for (const name of Object.keys(chapters)) {
  test(`chapter ${name} weighs less than 250 kB before its model`, async () => {
    site.asked.clear();
    const { page, close } = await open(browser, `${site.url}#chapter=${name}`, {
      ready: `gf-chapter-${name} > *`,
    });
    await page.waitForLoadState('networkidle');
    await settled(page);
    const files = [...site.asked].filter((file) => !file.endsWith('.safetensors'));
    assert.ok(files.includes('index.html') && files.length > 5, String(files));
    const sizes = await Promise.all(
      files.map(async (file) => {
        const bytes = await readFile(path.join(built, file));
        return [gzipSync(bytes, { level: 9 }).length, file];
      }),
    );
    const total = sizes.reduce((sum, [size]) => sum + size, 0);
    const told = sizes.sort(([a], [b]) => b - a).map((pair) => pair.join(' '));
    assert.ok(total < LIMIT, `${total} bytes: ${told.join(', ')}`);
    await close();
  });
}
