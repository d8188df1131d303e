// Threads in a page: where it is cross-origin isolated, and where it is not.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readModel } from '../../../bindings/index.js';
import { load } from '../../../bindings/models.js';
import { launch, open, serve } from '../../web/browser.js';

const root = path.resolve(import.meta.dirname, '../../..');
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** What a page computes: a product that is shared out, names and texts that cross the border, a file.
 * @param {any} gf @param {(bytes: Uint8Array) => unknown} readModel */
async function compute(gf, readModel) {
  const n = 200;
  const numbers = Float32Array.from({ length: n * n }, (_, i) => ((i * 7) % 31) / 31);
  const square = { data: numbers, shape: [n, n] };
  const { data } = gf.matmul(square, square);
  const model = gf.model({
    kind: 'gpt',
    vocab: 20,
    dModel: 64,
    heads: 2,
    layers: 1,
    maxLength: 64,
    seed: 1,
  });
  const tokens = [];
  for await (const token of model.generate([1, 2, 3], { maxNewTokens: 5 })) tokens.push(token);
  const bytes = model.save();
  const copy = gf.open(readModel(bytes));
  const run = copy.forward({ target: [[1, 2, 3]] });
  return { product: [...data], tokens, bytes: bytes.length, logits: [...run.logits.data] };
}

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

for (const [how, headers, count, reason] of [
  ['on two threads', ISOLATED, 2, /^null$/],
  ['on one, and says why, if it is not isolated', {}, 1, /Cross-Origin-Embedder-Policy/],
]) {
  test(`a page computes ${how}: with the bits of Node`, async () => {
    const site = await serve({ folder: root, headers });
    site.pages.set(
      'page.html',
      `<!doctype html><link rel="icon" href="data:,"><script type="module">
        import { readModel } from './bindings/index.js';
        import { load } from './bindings/models/threads/index.js';
        const compute = ${compute};
        const gf = await load({ threads: 2 });
        const { threads } = gf;
        const together = await compute(gf, readModel);
        gf.dispose();
        const told = JSON.stringify({ threads, results: [together, await compute(gf, readModel)] });
        document.body.append(Object.assign(document.createElement('output'), { textContent: told }));
      </script>`,
    );
    const { page, complaints } = await open(browser, `${site.url}page.html`, { ready: 'output' });
    const { threads, results } = JSON.parse(await page.locator('output').textContent());
    assert.equal(threads.count, count);
    assert.match(String(threads.reason), reason);
    const inNode = await compute(await load(), readModel);
    assert.deepEqual(results, [inNode, inNode]);
    assert.deepEqual(complaints, []);
    site.close();
  });
}
