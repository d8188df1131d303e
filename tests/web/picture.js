// Takes the picture of the page that README.md shows: node tests/web/picture.js
import path from 'node:path';
import { launch, open, serve } from './browser.js';

const HASH = '#example=three-tokens';
const file = path.resolve(import.meta.dirname, '../../web/playground.png');

const [site, browser] = await Promise.all([serve(), launch()]);
const { page } = await open(browser, site.url + HASH, { viewport: { width: 1280, height: 800 } });
/* The last term of the scores: one step before the sixth stage begins. */
for (const key of ['6', 'ArrowLeft']) await page.keyboard.press(key);
await page.screenshot({ path: file });
await browser.close();
site.close();
