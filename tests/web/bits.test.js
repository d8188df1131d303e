// Four bits: what the panel shows is what Node computes from the same matrices.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { compared, threeWays } from '../../bindings/models/products.js';
import { inBrowser } from './browser.js';

const HASH = '#v=1&chapter=transformer&panel=bits';

describe('the panel', async () => {
  const browsing = inBrowser();

  test('its table and its verdict, of the numbers of the translator', async () => {
    const { page, close } = await browsing.open(HASH, { ready: 'gf-bits .facts' });
    const { x, w, depth, told, rows } = await page.evaluate(() => {
      const panel = document.querySelector('gf-bits');
      const { product } = panel;
      return {
        ...{ x: [...product.x], w: [...product.w], depth: product.depth },
        told: panel.querySelector('.verdict').textContent.replace(/\s+/g, ' '),
        rows: [...panel.querySelectorAll('table')].map((table) => table.tBodies[0].rows.length),
      };
    });
    assert.equal(depth, 64);
    assert.deepEqual(rows, [4, depth]);
    const ways = threeWays(await load(), Float32Array.from(x), Float32Array.from(w), depth);
    const { misses, times, verdict } = compared(ways);
    assert.equal(verdict, 'holds');
    assert.match(told, /^ ?Sixteen bits are more than a hundred times as accurate as eight\./);
    assert.ok(told.includes(` ${Math.round(times)} times as much as 16`), told);
    const weights = Math.round(misses.weights / misses.sixteen).toLocaleString('en');
    assert.ok(told.includes(`miss ${weights} times as much as the 16-bit`), told);
    await close();
  });
});
