// The article's figure, as the page draws it now. Run by `make paper`.
import path from 'node:path';
import { launch, open, serve } from '../../tests/web/browser.js';

const [site, browser] = await Promise.all([serve(), launch()]);
const address = new URL('#v=1&example=i-love-robotics&t=49&path=scores:1,0', site.url).href;
const { page, close } = await open(browser, address, {
  viewport: { width: 1440, height: 900 },
});
await page.locator('gf-stage').screenshot({ path: path.join(import.meta.dirname, 'scores.png') });
await close();
await browser.close();
site.close();
