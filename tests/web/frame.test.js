// embed.html under its own policy: everything that it shows works, from a server and from a disk, and nothing else runs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sample } from '../support/sample.js';
import { site as folder, inBrowser } from './browser.js';
import { calm, pageOf } from './host.js';

const browsing = inBrowser();

const STATES = [
  'v=1&example=masked&gradient=1&show=all',
  'v=1&chapter=heads&show=all',
  'v=1&chapter=transformer&text=le%20chat%20dort&show=all',
];

const FRAMES = {
  'without a sandbox': '',
  'in a sandbox': 'sandbox="allow-scripts"',
};

/** Opens a page with a frame, whose figure is there; what its policy refuses is noted. */
async function framed(address, attributes) {
  const { site, open } = browsing;
  site.pages.set(
    'host.html',
    pageOf(`<iframe ${attributes} width="900" height="900" src="${address}"></iframe>`, {
      script: '',
    }),
  );
  const opened = await open('host.html', { ready: 'body' });
  const frame = opened.page.frames()[1];
  const figure = opened.page.frameLocator('iframe').locator('gf-attention');
  await figure.locator('.lesson, .waiting .main').first().waitFor();
  await calm(figure);
  const violations = await frame.evaluateHandle(() => {
    const found = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      found.push(`${violatedDirective} ${blockedURI}`);
    });
    return found;
  });
  return { ...opened, frame, figure, violations };
}

for (const [where, attributes] of Object.entries(FRAMES)) {
  describe(`embed.html ${where}`, () => {
    for (const state of sample(STATES, 2)) {
      test(`${state}: no violation`, async () => {
        const { figure, violations, complaints, close } = await framed(
          `embed.html#${state}`,
          attributes,
        );
        await figure.locator('.root').press('End');
        await calm(figure);
        for (const theme of ['dark', 'light']) {
          await figure.evaluate((element, to) => {
            element.theme = to;
          }, theme);
          await calm(figure);
        }
        assert.equal(await figure.locator('.waiting, .failure, .notice').count(), 0);
        assert.deepEqual(await violations.jsonValue(), []);
        assert.deepEqual(complaints, []);
        await close();
      });
    }

    test('runs no script that is not its own, and asks nobody', async () => {
      const { frame, violations, close } = await framed('embed.html#', attributes);
      await frame.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.pwned = 1';
        document.body.append(script);
        document.body.setAttribute('onclick', 'globalThis.pwned = 1');
        document.body.click();
        const other = document.createElement('script');
        other.src = 'https://elsewhere.example/script.js';
        const refused = new Promise((done) => other.addEventListener('error', done));
        document.body.append(other);
        await refused;
        await fetch('french-english.js').catch(() => {});
      });
      assert.equal(await frame.evaluate(() => globalThis.pwned), undefined);
      const kinds = (await violations.jsonValue()).map((one) => one.split(' ')[0]);
      assert.deepEqual(kinds, [
        'script-src-elem',
        'script-src-attr',
        'script-src-elem',
        'connect-src',
      ]);
      await close();
    });
  });
}

test('what stands in the address of embed.html is never run', async () => {
  const { site } = browsing;
  site.pages.set('own.js', 'globalThis.pwned = 1');
  const state = 'v=1&chapter=transformer&text=le%20chat%20dort&model=own.js';
  const { frame, close } = await framed(`embed.html#${state}`, '');
  assert.equal(await frame.evaluate(() => globalThis.pwned), undefined);
  assert.ok(!site.asked.has('own.js'));
  await close();
});

describe('a page from a disk', () => {
  const german = 'v=1&chapter=transformer&text=le%20chat%20dort&lang=de';

  /** Opens a page that is a file, with the translator in a frame. */
  async function fromDisk(attributes) {
    const place = mkdtempSync(path.join(tmpdir(), 'glassformer-'));
    const file = path.join(place, 'course.html');
    const embed = pathToFileURL(path.join(folder, 'embed.html'));
    writeFileSync(file, `<iframe ${attributes} src="${embed}#${german}"></iframe>`);
    const page = await browsing.browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const close = async () => {
      await page.close();
      rmSync(place, { recursive: true });
    };
    return { figure: page.frameLocator('iframe').locator('gf-attention'), close };
  }

  test('shows the translator in a frame', async () => {
    const { figure, close } = await fromDisk('');
    await figure.locator('gf-attention-maps .cell').first().waitFor();
    await close();
  });

  test('in a sandboxed frame says why it cannot, and what to do', async () => {
    const { figure, close } = await fromDisk('sandbox="allow-scripts"');
    await figure.locator('.waiting .main').waitFor();
    const told = await figure.locator('.waiting').textContent();
    assert.match(told, /french-english\.js.*Festplatte.*Webserver/);
    await close();
  });
});
