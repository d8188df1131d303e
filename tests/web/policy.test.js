// The page under the policy that it promises to work with, sent as a header: everything works, and a collector of
// reports, which hears of the workers too, hears of nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { waits } from '../support/sample.js';
import { chooseCheckpoint, follow, inBrowser, settled, until } from './browser.js';
import { chapters } from './states.js';

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; " +
  "font-src 'self'";

const browsing = inBrowser({
  headers: {
    'content-security-policy': POLICY,
    'content-security-policy-report-only': `${POLICY}; report-uri report`,
  },
});
const { open } = browsing;

test('the page says so itself', () => {
  const page = readFileSync(new URL('../../build/site/index.html', import.meta.url), 'utf8');
  assert.ok(page.includes(`http-equiv="Content-Security-Policy" content="${POLICY}"`));
});

/** Opens the page, which notes what its policy refuses. */
async function start(hash, options) {
  const opened = await open(hash, { serviceWorkers: 'allow', ...options });
  const violations = await opened.page.evaluateHandle(() => {
    const found = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      found.push(`${violatedDirective} ${blockedURI}`);
    });
    return found;
  });
  return { ...opened, violations };
}

test('every chapter, training, exports and checkpoints: no violation', async (t) => {
  if (waits(t)) return;
  browsing.site.reports.length = 0;
  const { page, complaints, violations, close } = await start('');
  for (const name of Object.keys(chapters)) {
    await follow(page, `#chapter=${name}`);
    await page.waitForSelector(`gf-chapter-${name} > *`);
  }

  await follow(page, '#v=1&chapter=training&settings=dModel:16,heads:2,dFF:24,steps:60&step=20');
  await until(page, () => document.querySelector('gf-chapter-training').now.shown === 20);

  await follow(page, '#v=1&example=masked&t=1e6');
  await page.keyboard.press('e');
  const sheet = page.locator('gf-export dialog');
  await sheet.waitFor();
  for (const option of await sheet.getByRole('radio').all()) {
    await option.check();
    await settled(page);
    const download = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Download' }).click();
    assert.equal(await (await download).failure(), null);
  }
  await page.keyboard.press('Escape');

  const gf = await load();
  const made = gf.model({ kind: 'gpt', vocab: 20, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
  await follow(page, '#chapter=transformer');
  await chooseCheckpoint(page);
  await page.locator('.opener [type=file]').setInputFiles([
    {
      name: 'own.safetensors',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(made.save()),
    },
  ]);
  await page.waitForSelector('gf-translation .translation > b');

  await page.evaluate(() => navigator.serviceWorker.ready);
  assert.deepEqual(await violations.jsonValue(), []);
  assert.deepEqual(browsing.site.reports, []);
  assert.deepEqual(complaints, []);
  await close();
});

test('what the policy forbids is reported: the collector hears', async () => {
  browsing.site.reports.length = 0;
  const { page, violations, close } = await start('');
  const heard = browsing.site.reported();
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.pwned = 1';
    document.body.append(script);
  });
  await heard;
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.ok((await violations.jsonValue()).length > 0);
  assert.match(browsing.site.reports.join(), /script-src/);
  await close();
});
