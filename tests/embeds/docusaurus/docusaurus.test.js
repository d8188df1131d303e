// Docusaurus, and with it MDX and React: the page is rendered on a server, then React takes it over in the browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { pack, unpack } from '../../consumers/pack.js';
import { calm } from '../../web/host.js';
import { example, missing, root } from '../example.js';

const here = import.meta.dirname;
const folder = path.join(root, 'build/embeds/docusaurus');
/** Nothing is asked for elsewhere, and nothing is kept of another build. */
const QUIET = {
  NO_UPDATE_NOTIFIER: '1',
  DOCUSAURUS_NO_PERSISTENT_CACHE: 'true',
};

test('figures in a page of Docusaurus', { skip: missing(here) }, async (context) => {
  unpack(pack(), here);
  execFileSync('npx', ['docusaurus', 'build', '--no-minify', '--out-dir', folder], {
    cwd: here,
    env: { ...process.env, ...QUIET },
    stdio: 'pipe',
  });
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  assert.match(html, /<gf-attention id="fig1" example="masked" at="scores\/1,2" remove="scale"/);
  assert.match(html, /Open the figure<\/a>/);

  const { page, complaints } = await example(context, '', { folder });
  const [attention, transformer] = ['gf-attention', 'gf-transformer'].map((tag) =>
    page.locator(tag),
  );
  await attention.locator('.cell.pinned').waitFor();
  assert.equal(await attention.locator('.run.intact').count(), 1);
  await page.locator('a[data-gf-at]', { hasText: 'softmax' }).click();
  await calm(attention);
  assert.equal(await attention.locator('gf-stage h2').textContent(), 'Attention weights');
  /* The bundle carries the weights along. */
  await transformer.locator('gf-translation', { hasText: 'sleeps' }).waitFor();
  /* So it does the lessons. */
  await page.locator('gf-lesson .say p').waitFor();
  assert.equal(await page.locator('gf-lesson .failure').count(), 0);
  /* The site's own switch. */
  const seen = transformer.locator('.root');
  for (const theme of ['dark', 'light']) {
    await page.getByRole('button', { name: /dark and light mode/ }).click();
    await calm(transformer);
    assert.equal(await seen.getAttribute('data-theme'), theme);
  }
  assert.deepEqual(complaints, []);
});
