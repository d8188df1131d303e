// Loaded once, the page needs no server any more; and a new build takes over whole.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { writeWorker } from '../../web/app/offline/build.js';
import { chapters } from '../../web/chapters/index.js';
import { waits } from '../support/sample.js';
import { site as built, follow, launch, open, ready, serve, settled, until } from './browser.js';

/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens the page of a site with its service worker. Both end with the test. */
async function start(t, folder) {
  const site = await serve({ folder });
  t.after(() => site.close());
  const opened = await open(browser, site.url, { serviceWorkers: 'allow' });
  t.after(opened.close);
  return { site, ...opened };
}

/** A copy of the built site. */
async function copy(t) {
  const folder = await mkdtemp(path.join(tmpdir(), 'builds-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(built, folder, { recursive: true });
  return folder;
}

/** Waits until the service worker has everything, and answers this page. */
const kept = (page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller) return;
    await new Promise((done) =>
      serviceWorker.addEventListener('controllerchange', done, { once: true }),
    );
  });

test('every chapter opens, trains, translates and is opened anew without a server', async (t) => {
  if (waits(t)) return;
  const { site, page, complaints } = await start(t);
  await kept(page);
  site.close();
  await page.context().setOffline(true);
  for (const { name } of chapters) {
    await follow(page, `#chapter=${name}`);
    await page.waitForSelector(`main > gf-chapter-${name} > *`);
  }
  await follow(page, '#v=1&chapter=training&settings=dModel:16,heads:2,dFF:24,steps:60&step=20');
  await until(page, () => document.querySelector('gf-chapter-training').now.shown === 20);
  await follow(page, '#v=1&chapter=transformer&text=le garçon mange une pomme rouge');
  await page.reload();
  await page.waitForSelector('.translation ol button');
  assert.equal(
    (await page.locator('.translation ol button').allTextContents()).join(' '),
    'the boy eats a red apple <end>',
  );
  await page.goto(`${site.url}index.html#chapter=heads`);
  await page.waitForSelector('gf-chapter-heads gf-caption p');
  assert.deepEqual(complaints, []);
});

/** The names of another build's files: each has another digest. @param {string} text */
const renamed = (text) => text.replace(/-([0-9a-f]{7})(?=\.\w)/g, '-n$1');

/** Makes another build of the site in a folder: each asset has another name and its page another title. */
async function renew(folder) {
  const assets = path.join(folder, 'assets');
  for (const name of await readdir(assets)) {
    await rename(path.join(assets, name), path.join(assets, renamed(name)));
  }
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(js|html|css)$/.test(name)) continue;
    const file = path.join(folder, name);
    const text = renamed(await readFile(file, 'utf8'));
    await writeFile(file, text.replace('<title>', '<meta name="build" content="new"><title>'));
  }
  writeWorker(folder);
}

test('a new build waits for the pages of the old one, then takes over whole', async (t) => {
  if (waits(t)) return;
  const folder = await copy(t);
  const { site, page, complaints } = await start(t, folder);
  await kept(page);
  const isNew = (which) => which.locator('meta[name=build]').count();
  const second = await page.context().newPage();
  await renew(folder);

  // Beside the old page, a second one is of the old build, too: in all that it asks for later.
  await second.goto(site.url);
  await ready(second);
  await second.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await second.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistration()).waiting !== null,
  );
  await second.reload();
  await ready(second);
  assert.equal(await isNew(second), 0);
  await follow(page, '#chapter=heads');
  await page.waitForSelector('gf-chapter-heads > *');
  await follow(second, '#chapter=positions');
  await second.waitForSelector('gf-chapter-positions > *');

  // Alone, and loaded again, it is of the new one, where it was.
  await second.close();
  await page.reload();
  await page.waitForSelector('meta[name=build]', { state: 'attached' });
  await page.waitForSelector('gf-chapter-heads > *');
  await settled(page);
  assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
  await follow(page, '#chapter=positions');
  await page.waitForSelector('gf-chapter-positions > *');
  assert.deepEqual(complaints, []);
});

test('a build that is not whole is not kept', async (t) => {
  const folder = await copy(t);
  const assets = path.join(folder, 'assets');
  const model = (await readdir(assets)).find((name) => name.endsWith('.safetensors'));
  await writeFile(path.join(assets, model), '');
  const { page } = await start(t, folder);
  const state = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('./offline.js');
    const { installing } = registration;
    if (!installing) return 'redundant';
    return new Promise((done) => {
      installing.addEventListener('statechange', () => done(installing.state));
    });
  });
  assert.equal(state, 'redundant');
  await follow(page, '#chapter=heads');
  await page.waitForSelector('gf-chapter-heads > *');
});

/** What is loaded when it is first asked for: where, what asks for it, and what is there in the new build. */
const LATE = {
  'a chapter': { hash: '#example=masked', to: '#chapter=inside', there: 'gf-chapter-inside > *' },
  'a lesson': { hash: '#chapter=learn', to: '#lesson=one-score&scene=2', there: '.say p' },
  'a language': {
    hash: '#example=masked&t=7',
    to: '#v=1&example=masked&t=7&lang=fr',
    there: 'html[lang=fr]',
  },
  'the trainer': {
    hash: '#example=masked',
    to: '#v=1&chapter=training&settings=dModel:16,heads:2,dFF:24,steps:60&step=1',
    there: 'gf-training-attention .maps figure',
  },
  'the translator': {
    hash: '#example=masked',
    to: '#v=1&chapter=transformer&text=le chat dort',
    there: '.translation ol button',
  },
  'what writes exports': {
    hash: '#v=1&example=masked&t=9',
    ask: (page) => page.keyboard.press('e'),
    there: 'gf-stage .matrix',
  },
};

test('a page that stays open while its site is replaced says so, and a reload opens its very state', async (t) => {
  const folder = await copy(t);
  const site = await serve({ folder });
  t.after(() => site.close());
  const pages = await Promise.all(
    Object.entries(LATE).map(async ([name, late]) => {
      const { page, close } = await open(browser, site.url + late.hash, {
        alone: true,
        ready: 'main > *',
      });
      t.after(close);
      await settled(page);
      return { name, page, ...late };
    }),
  );
  await renew(folder);
  for (const { name, page, hash, to = hash, ask = () => {}, there } of pages) {
    await page.evaluate((next) => {
      if (location.hash !== next) location.hash = next;
    }, to);
    await ask(page);
    const notice = page.locator('gf-app > .notice', { hasText: 'new version' });
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Reload' }).click();
    await page.waitForSelector('meta[name=build]', { state: 'attached' });
    await page.waitForSelector(there);
    assert.equal(await page.evaluate(() => decodeURI(location.hash)), decodeURI(to), name);
    assert.equal(await page.locator('gf-app > .notice').count(), 0, name);
  }
});

test('a worker that is started again says so likewise', async (t) => {
  const folder = await copy(t);
  const site = await serve({ folder });
  t.after(() => site.close());
  const hash = '#v=1&chapter=training&settings=dModel:16,heads:2,dFF:24,steps:60&step=1';
  const { page, close } = await open(browser, site.url + hash, {
    alone: true,
    ready: 'gf-training-attention .maps figure',
  });
  t.after(close);
  const [worker] = page.workers();
  await worker.evaluate(() => globalThis.close()).catch(() => {});
  const restart = page.locator('gf-chapter-training .notice button');
  await restart.waitFor();
  await renew(folder);
  await restart.click();
  await page.locator('gf-app > .notice', { hasText: 'new version' }).waitFor();
});

test('a file that does not come while the site is as it was is no new version', async (t) => {
  const site = await serve();
  t.after(() => site.close());
  const { page, close } = await open(browser, site.url, { alone: true });
  t.after(close);
  await page.route(/assets\/chapter-/, (route) => route.abort());
  await page.evaluate(() => {
    location.hash = '#chapter=positions';
  });
  const notice = page.locator('gf-app > .notice');
  await notice.waitFor();
  await settled(page);
  assert.match(await notice.innerText(), /did not load\. Check your connection/);
});

test('a service worker that lost its store lets the new build through', async (t) => {
  const folder = await copy(t);
  const { page } = await start(t, folder);
  await kept(page);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await renew(folder);
  await page.evaluate(() => {
    location.hash = '#chapter=positions';
  });
  await page.locator('gf-app > .notice').getByRole('button', { name: 'Reload' }).click();
  await page.waitForSelector('meta[name=build]', { state: 'attached' });
  await page.waitForSelector('gf-chapter-positions > *');
});

test('where a browser has no room for a build, the page works from the network', async (t) => {
  const folder = await copy(t);
  const { site, page } = await start(t, folder);
  await kept(page);
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(site.url);
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 });
  await renew(folder);
  const isNew = () => page.locator('meta[name=build]').count();
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistration()).waiting !== null,
  );
  assert.equal(await isNew(), 0);
  await page.reload();
  await page.waitForSelector('meta[name=build]', { state: 'attached' });
  await follow(page, '#chapter=positions');
  await page.waitForSelector('gf-chapter-positions > *');
});
