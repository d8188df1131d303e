// What the tests of the page share: the built site on a port of its own, and Chromium.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { full } from '../support/sample.js';

const root = path.resolve(import.meta.dirname, '../..');
export const site = path.join(root, 'build/site');
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** The same engine without the parts of a window, which draws in three quarters of the time; with FULL=1 the browser
 * that people have. */
const SHELL = '/usr/bin/chromium-headless-shell';
const CHROMIUM = process.env.CHROMIUM ?? (!full && existsSync(SHELL) ? SHELL : '/usr/bin/chromium');
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run ' +
  '--disable-background-networking --disable-component-update --disable-sync --process-per-site';

/**
 * Serves the site below a sub-path, as a course host would.
 * @param {{ folder?: string, headers?: Record<string, string>, types?: Record<string, string> }} [options] another folder
 * than the built site, what every answer says beside its type, and types of more endings. In `pages` of what it gives, by their names,
 * are pages that lie beside the site.
 * @returns also what was asked for, and what was sent here: reports
 */
export async function serve({ folder = site, headers = {}, types = {} } = {}) {
  if (!existsSync(path.join(site, 'index.html'))) {
    execFileSync('npx', ['vite', 'build', '--config', 'web/vite.config.js'], { cwd: root });
  }
  /** @type {Map<string, string>} */
  const pages = new Map();
  const asked = new Set();
  const reports = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = pathname.replace(/^\/course\/week-3\//, '') || 'index.html';
    if (request.method === 'POST') {
      reports.push(Buffer.concat(await request.toArray()).toString());
      server.emit('report');
      response.writeHead(204).end();
      return;
    }
    asked.add(file);
    try {
      const body =
        pages.get(file) ?? (await readFile(path.join(folder, path.normalize(`/${file}`))));
      const ending = path.extname(file);
      const type = types[ending] ?? TYPES[ending] ?? 'application/octet-stream';
      response.writeHead(200, { ...headers, 'content-type': type });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${server.address().port}/course/week-3/`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, pages, asked, reports, reported: () => once(server, 'report'), close };
}

/** Chromium. */
export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(' ') });

/**
 * The built site and Chromium for all tests of a file.
 * @param {Parameters<typeof serve>[0]} [options]
 */
export function inBrowser(options) {
  const browsing = {
    /** @type {Awaited<ReturnType<typeof serve>>} */
    site: null,
    /** @type {import('playwright-core').Browser} */
    browser: null,
    /**
     * Opens a page.
     * @param {string} [address] as a link on the site's own page has it; without one the first chapter before anything is
     *   computed, '#' for the list of lessons
     * @param {Parameters<typeof open>[2]} [more]
     */
    open: (address, more) =>
      open(
        browsing.browser,
        new URL(address || '#example=i-love-robotics', browsing.site.url).href,
        more,
      ),
  };
  before(async () => {
    [browsing.site, browsing.browser] = await Promise.all([serve(options), launch()]);
  });
  after(async () => {
    await browsing.browser?.close();
    browsing.site?.close();
  });
  return browsing;
}

/** Milliseconds until what does not come is missed: a machine at work elsewhere may take its time. */
const PATIENCE = 120_000;

/** @typedef {import('playwright-core').BrowserContextOptions} Settings */

/** What pages run in that leave nothing behind, by its settings.
 * @type {WeakMap<import('playwright-core').Browser, Map<string, Promise<import('playwright-core').BrowserContext>>>} */
const contexts = new WeakMap();

/** Where pages of these settings run, the same for all: without a service worker the site keeps nothing, and a page
 * costs half as much to open in a context, and a process, that are there.
 * @param {import('playwright-core').Browser} browser @param {Settings} settings */
function contextOf(browser, settings) {
  const known = contexts.get(browser) ?? new Map();
  contexts.set(browser, known);
  const key = JSON.stringify(settings);
  if (!known.has(key)) known.set(key, shared(browser, settings));
  return known.get(key);
}

/** What one page keeps of lessons is not there for the next. @param {import('playwright-core').Browser} browser @param {Settings} settings */
async function shared(browser, settings) {
  const context = await withoutWorker(browser, settings);
  await context.addInitScript(() => {
    try {
      localStorage.clear();
    } catch {
      /* A page without an origin has no storage. */
    }
  });
  return context;
}

/** @param {import('playwright-core').Browser} browser @param {Settings} settings */
async function withoutWorker(browser, settings) {
  const context = await browser.newContext(settings);
  await context.addInitScript(() => delete Navigator.prototype.serviceWorker);
  return context;
}

/**
 * Opens the page and watches it: whatever it complains of, or asks another origin for, is noted.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {Settings & { ready?: string, alone?: boolean }} [options] and what
 * has to be there before the page is; without it, a chapter with what its stage shows. A service worker
 * comes only to those who ask for it: it fetches the whole site. Who depends on what the browser keeps asks to be alone.
 */
export async function open(
  browser,
  url,
  { ready: awaited, serviceWorkers = 'block', alone = false, ...options } = {},
) {
  const settings = {
    viewport: { width: 1440, height: 900 },
    reducedMotion: /** @type {const} */ ('reduce'),
    ...options,
  };
  const works = serviceWorkers === 'allow';
  const isKept = works || alone;
  const context = await (works
    ? browser.newContext(settings)
    : alone
      ? withoutWorker(browser, settings)
      : contextOf(browser, settings));
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && !['data:', 'blob:'].includes(protocol)) {
      complaints.push(`asked for ${request.url()}`);
    }
  });
  await page.goto(url);
  await (awaited ? page.waitForSelector(awaited) : ready(page));
  return { page, complaints, close: () => (isKept ? context : page).close() };
}

/**
 * Waits until a chapter is there, with what its stage shows if it has one; or a failure.
 * @param {import('playwright-core').Page} page
 */
export const ready = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector('gf-stage .matrix, .failure') ??
      (document.querySelector('main > * > *') && !document.querySelector('gf-stage')),
  );

/**
 * Waits until something holds. What it reads of an element that is still being made does not hold yet.
 * @template A
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page
 * @param {(arg: A) => unknown} holds
 * @param {A} [arg]
 */
export const until = (page, holds, arg) =>
  /* A text would count as it is, and never be called: it is made a function first. */
  page.waitForFunction(
    new Function(`return (arg) => {
      try {
        return (${holds})(arg);
      } catch (error) {
        if (error instanceof TypeError) return null;
        throw error;
      }
    }`)(),
    arg,
  );

/**
 * What an element makes after it was drawn, such as the plot of gf-plot, once it is there.
 * @param {import('playwright-core').Page} page
 * @param {string} selector
 * @param {string} property
 */
export const made = (page, selector, property) =>
  until(page, ([one, name]) => document.querySelector(one)[name], [selector, property]);

/**
 * Shows another state, as a link to it would.
 * @param {import('playwright-core').Page} page
 * @param {string} hash
 */
export async function follow(page, hash) {
  await page.evaluate(async (to) => {
    const app = document.querySelector('gf-app');
    if (location.hash === to) return;
    const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));
    location.hash = to;
    await changed;
    await app.updateComplete;
  }, hash);
  await settled(page);
}

/** Asks for a model of one's own, which stands among the options. @param {import('playwright-core').Page} page */
export async function chooseCheckpoint(page) {
  const button = page.getByRole('button', { name: 'Checkpoint…' });
  if (!(await button.isVisible())) await page.locator('gf-translation .fold').click();
  await button.click();
}

/** Shows all panels and switches of a chapter in which nothing was asked for yet. @param {import('playwright-core').Page} page */
export async function unfold(page) {
  await page.locator('.unfold').click();
  await settled(page);
}

/**
 * The address that the page has now. Playwright's `page.url()` hears of a change later than the page does.
 * @param {import('playwright-core').Page} page
 */
export const addressOf = (page) => page.evaluate(() => location.href);

/**
 * Goes back or forward in the history, to another state of the page.
 * @param {import('playwright-core').Page} page
 * @param {'back' | 'forward'} way
 */
export async function travel(page, way) {
  await page.evaluate(async (where) => {
    const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));
    history[where]();
    await changed;
  }, way);
  await settled(page);
}

/**
 * Waits until every element has drawn its last state.
 * @param {import('playwright-core').Page} page
 */
export async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let calm = 0; calm < 2; ) {
      const elements = [...document.querySelectorAll('*')].filter(
        (element) => element.updateComplete,
      );
      const drawn = await Promise.all(elements.map((element) => element.updateComplete));
      calm = drawn.every(Boolean) ? calm + 1 : 0;
      await frame();
    }
  });
}

/**
 * Every number of a tensor that is on the page.
 * @param {import('playwright-core').Page} page
 */
export function numbers(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-node]')].map((element) => ({
      node: element.dataset.node,
      index: element.dataset.index.split(',').map(Number),
      value: element.dataset.value,
      run: element.dataset.run ?? 'page',
      text: element.textContent.trim(),
      grid: element.matches('.numbers [role=gridcell], .short [role=gridcell]'),
      isPixel: element instanceof SVGRectElement,
      besideText: element.closest('gf-mismatches') !== null,
    })),
  );
}
