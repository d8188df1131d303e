// Loaded once, the page needs no server any more; and a new build takes over whole.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chapters } from '../../web/chapters/index.js';
import { writeWorker } from '../../web/offline/build.js';
import { waits } from '../support/sample.js';
import { site as built, follow, launch, open, ready, serve, settled } from './browser.js';

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
  await page.waitForFunction(() => document.querySelector('gf-chapter-training').now.shown === 20);
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

/** Makes another build of the site in a folder: each chunk has another name and its page another title. */
async function renew(folder) {
  const assets = path.join(folder, 'assets');
  const names = (await readdir(assets)).filter((name) => /^(chapter|index)-.*\.js$/.test(name));
  const files = (await readdir(folder, { recursive: true }))
    .filter((name) => /\.(js|html)$/.test(name))
    .map((name) => path.join(folder, name));
  for (const file of files) {
    let text = await readFile(file, 'utf8');
    for (const name of names) text = text.replaceAll(name, `new-${name}`);
    await writeFile(file, text.replace('<title>', '<meta name="build" content="new"><title>'));
  }
  for (const name of names) await rename(path.join(assets, name), path.join(assets, `new-${name}`));
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
