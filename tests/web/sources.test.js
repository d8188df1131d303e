// Where tokens come from: a text in pieces before its rows are looked up, an image in patches beside its attention;
// and where a training run drops numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, load, traceExample } from '../../bindings/index.js';
import { inBrowser, settled, until } from './browser.js';

const { open } = inBrowser();

test('a text is cut merge by merge, and its tokens are those of the first row', async () => {
  const { page, complaints, close } = await open('#v=1&example=sub-words', { ready: '.result' });
  const { tokens, inputs } = examples['sub-words'];
  const cut = () =>
    page.locator('gf-cuts .result .token').evaluateAll((all) =>
      all.map((token) => {
        const id = token.querySelector('sub').textContent;
        return [token.textContent.slice(0, -id.length), Number(id)];
      }),
    );
  assert.deepEqual(
    await cut(),
    tokens.map((token, i) => [token, inputs.tokens[i]]),
  );
  const made = await page.locator('gf-cuts .made').allTextContents();
  assert.deepEqual(made, ['lo', 'lov', 'love', 'ro', 'rob', 'robo', 'robot', 'ic', 'ics']);
  await page.locator('gf-cuts input').fill('optics');
  await until(page, () => document.querySelectorAll('gf-cuts table').length === 1);
  assert.deepEqual(await cut(), [
    ['o', 2],
    ['p', 9],
    ['t', 7],
    ['ics', 23],
  ]);
  await page.locator('gf-cuts input').fill('zoo');
  await until(page, () =>
    document.querySelector('gf-cuts [role=status]').textContent.includes('z'),
  );
  await page.locator('gf-timeline').getByRole('button', { name: 'Step forward' }).click();
  await page.locator('gf-stage .matrix').first().waitFor();
  assert.equal(await page.locator('gf-pieces').count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test('a digit is seen in patches, with the weights of the present one', async () => {
  const { page, complaints, close } = await open('#v=1&example=digit&t=1e6&path=weights:6,9');
  await page.locator('gf-patches rect[data-node]').first().waitFor();
  await settled(page);
  const trace = traceExample(await load(), 'digit');
  const shown = await page
    .locator('gf-patches rect[data-node]')
    .evaluateAll((all) =>
      all.map(({ dataset }) => [dataset.node, dataset.index, Math.fround(Number(dataset.value))]),
    );
  const cells = (node, from, to) => {
    const { data, shape } = trace.step(node);
    return Array.from(data.slice(from, to), (value, i) => [
      ...[node, [Math.floor((from + i) / shape[1]), (from + i) % shape[1]].join()],
      value,
    ]);
  };
  assert.deepEqual(shown, [
    ...cells('x', 0, 64),
    ...cells('weights', 6 * 16, 7 * 16),
    ...cells('output', 0, 64),
  ]);
  const texts = await page.locator('gf-patches figcaption').allTextContents();
  assert.match(texts[1], /r2c3.*0\.271/);
  trace.dispose();
  assert.deepEqual(complaints, []);
  await close();
});

test('dropout has four places, which the map lights while one is seen', async () => {
  const link =
    '#v=1&chapter=training&task=french-english&step=3&view=values&block=encoder.0.norm1&t=1' +
    '&path=encoder.layers.0.dropout1:0,0';
  const { page, complaints, close } = await open(link, { ready: '.dropouts' });
  const places = page.locator('.dropouts button');
  const texts = (await places.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
  /* One layer each: two tables; self-attention twice and cross-attention once; two networks. */
  assert.deepEqual(texts, [
    ...['after the embeddings × 2', 'after attention × 3'],
    ...['in the feed-forward network × 2', 'after the feed-forward network × 2'],
  ]);
  const lit = () =>
    page.locator('gf-model-map .lit').evaluateAll((all) => all.map((box) => box.dataset.block));
  assert.deepEqual((await lit()).sort(), [
    ...['decoder.0.feed_forward', 'decoder.0.norm1', 'decoder.0.norm2', 'decoder.0.norm3'],
    ...['decoder.position', 'encoder.0.feed_forward', 'encoder.0.norm1', 'encoder.0.norm2'],
    'encoder.position',
  ]);
  await places.nth(2).click();
  await until(page, () => location.hash.includes('block=encoder.0.feed_forward'));
  await settled(page);
  const pressed = page.locator('.dropouts [aria-pressed=true]');
  assert.match(await pressed.textContent(), /in the feed-forward network/);
  assert.deepEqual(complaints, []);
  await close();
});
