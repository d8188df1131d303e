// Film strips for eyes: ten frames of each thing that moves, on one sheet, in build/film/.
// node tests/web/film.js [WORD...] takes those whose names contain the words.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { follow, launch, open, serve, settled } from './browser.js';

const TRANSFORMER = '#v=1&chapter=transformer&panel=stage&block=encoder.0.norm1';
const SENTENCE = '#v=1&sentence=16~16~1~1~p~each of the eight words sees all others';
const HEADS = '#v=1&example=two-heads';
/** What a strip shows: a link, a step of it by its name or its op, and which of the step's moments; to its last one,
 * if only the first is named. */
const STRIPS = {
  'product-term': { hash: '#v=1&example=three-tokens', node: 'scores', moments: [1, 2] },
  fold: { hash: '#v=1&example=three-tokens', node: 'scores', moments: [0, 0] },
  softmax: { hash: '#v=1&example=three-tokens', node: 'weights', moments: [1, 6] },
  blend: { hash: '#v=1&example=three-tokens', node: 'output', moments: [0, 0] },
  residual: { hash: TRANSFORMER, node: 'add', moments: [1, 1] },
  norm: { hash: TRANSFORMER, node: 'layer_norm', moments: [0, 0] },
  'product-whole': { hash: '#v=1&example=three-tokens', node: 'scores', moments: [3, 3] },
  'product-many': { hash: SENTENCE, node: 'q', moments: [1, 2] },
  'rows-product': { hash: '#v=1&example=three-tokens', node: 'scores', moments: [5] },
  'rows-softmax': { hash: SENTENCE, node: 'weights', moments: [19] },
  'rows-large': { hash: SENTENCE, node: 'q', moments: [18] },
  'fold-large': { hash: SENTENCE.replace('16~16', '48~48'), node: 'scores', moments: [0, 0] },
  'blend-large': { hash: SENTENCE, node: 'mix', moments: [0, 0] },
  scale: { hash: '#v=1&example=three-tokens', node: 'scores.scaled', moments: [1, 1] },
  stage: { hash: '#v=1&example=three-tokens&level=stage', node: 'scores', moments: [1] },
  heads: { hash: HEADS, node: 'concat', moments: [1] },
};
const FRAMES = 10;
const SHEETS = [
  { width: 1440, height: 900, columns: 2 },
  { width: 375, height: 740, columns: 5 },
];
const folder = path.resolve(import.meta.dirname, '../../build/film');

/** @param {import('playwright-core').Page} page @param {string} node */
const momentsOf = (page, node) =>
  page.evaluate((name) => {
    const { line } = /** @type {any} */ (document.querySelector('main > *'));
    const stage = line.stages.findIndex((step) => [step.name, step.op].includes(name));
    const after = line.first[stage + 1] ?? line.moments.length;
    return { first: line.first[stage], last: after - 1 };
  }, node);

/** The frames of a strip, as pictures of the stage. */
async function filmed(page, { hash, node, moments: [from, upTo] }) {
  await follow(page, hash);
  const [, chapter] = /chapter=(\w+)/.exec(hash) ?? ['', 'attention'];
  await page.waitForSelector(`gf-chapter-${chapter} gf-stage .matrix`);
  const { first, last } = await momentsOf(page, node);
  const to = upTo ?? last - first;
  const pictures = [];
  for (let k = 0; k < FRAMES; k++) {
    const t = first + from - 1 + ((to - from + 1) * k) / (FRAMES - 1);
    await follow(page, `${hash}&t=${t}`);
    await page.evaluate(() => customElements.whenDefined('gf-motion').then(() => {}));
    await settled(page);
    pictures.push((await page.locator('gf-stage').screenshot()).toString('base64'));
  }
  return pictures;
}

const words = process.argv.slice(2);
const strips = Object.entries(STRIPS).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
mkdirSync(folder, { recursive: true });
const [site, browser] = await Promise.all([serve(), launch()]);
for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const { width, height, columns } of SHEETS) {
    const viewport = { width, height };
    const { page, close } = await open(browser, `${site.url}#v=1`, {
      viewport,
      colorScheme,
      reducedMotion: 'no-preference',
    });
    const sheet = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    for (const [name, strip] of strips) {
      const pictures = await filmed(page, strip);
      await sheet.setContent(
        `<body style="margin:0;display:grid;grid-template-columns:repeat(${columns},1fr);gap:6px;background:#888">
        ${pictures.map((one) => `<img style="width:100%" src="data:image/png;base64,${one}">`).join('')}`,
      );
      const file = path.join(folder, `${name}-${width}-${colorScheme}.png`);
      await sheet.screenshot({ path: file, fullPage: true });
      console.log(path.relative(process.cwd(), file));
    }
    await sheet.close();
    await close();
  }
}
await browser.close();
site.close();
