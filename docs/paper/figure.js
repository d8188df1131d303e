// The paper's figure, as the page draws it now: build/paper/scores.png, beside the text. Run by `make paper`.
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { launch, open, serve } from '../../tests/web/browser.js';

const folder = path.resolve(import.meta.dirname, '../../build/paper');
mkdirSync(folder, { recursive: true });
for (const file of ['paper.md', 'paper.bib']) {
  cpSync(path.join(import.meta.dirname, file), path.join(folder, file));
}
const [site, browser] = await Promise.all([serve(), launch()]);
const address = new URL('#v=1&example=i-love-robotics&t=49&path=scores:1,0', site.url).href;
const { page, close } = await open(browser, address, {
  viewport: { width: 1440, height: 900 },
  deviceScaleFactor: 2,
});
await page.locator('gf-stage').screenshot({ path: path.join(folder, 'scores.png') });
await close();
await browser.close();
site.close();
