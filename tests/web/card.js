// Takes the picture that a shared link shows, from the first page: node tests/web/card.js
import path from 'node:path';
import { launch, open, serve, settled } from './browser.js';

const file = path.resolve(import.meta.dirname, '../../web/card.png');

const [site, browser] = await Promise.all([serve(), launch()]);
const { page } = await open(browser, `${site.url}#chapter=learn`, {
  viewport: { width: 1200, height: 630 },
  ready: 'gf-hero .token',
});
/* The sentence and its parts alone, as large as the picture. */
await page.addStyleTag({
  content: `gf-masthead, .lead, .hint, .people, .ways, .welcome > .quiet, .lessons > :not(.welcome)
    { display: none !important }
    .teaching > .lessons { padding: 2rem 0 0 }
    .lessons > .welcome { zoom: 1.28; width: 56rem }
    gf-hero { width: 54rem }`,
});
await settled(page);
await page.screenshot({ path: file });
await browser.close();
site.close();
