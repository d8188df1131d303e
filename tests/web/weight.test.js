// What a reader has to wait for: all that Chromium asks for before a chapter stands, packed as a host packs it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { site as built, inBrowser, settled } from './browser.js';
import { chapters } from './states.js';

const LIMIT = 250_000;

const browsing = inBrowser();
const { open } = browsing;

for (const name of Object.keys(chapters)) {
  test(`chapter ${name} weighs less than 250 kB before its model`, async () => {
    browsing.site.asked.clear();
    const { page, close } = await open(`#chapter=${name}`, {
      ready: `gf-chapter-${name} > *`,
    });
    await page.waitForLoadState('networkidle');
    await settled(page);
    const files = [...browsing.site.asked].filter((file) => !file.endsWith('.safetensors'));
    assert.ok(files.includes('index.html') && files.length > 5, String(files));
    const sizes = await Promise.all(
      files.map(async (file) => {
        const bytes = await readFile(path.join(built, file));
        assert.ok(!bytes.includes('torch.'), `${file} holds programs, which only an export needs`);
        return [gzipSync(bytes, { level: 9 }).length, file];
      }),
    );
    const total = sizes.reduce((sum, [size]) => sum + size, 0);
    const told = sizes.sort(([a], [b]) => b - a).map((pair) => pair.join(' '));
    assert.ok(total < LIMIT, `${total} bytes: ${told.join(', ')}`);
    await close();
  });
}
