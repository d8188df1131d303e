// The documentation site beside the playground: its links, its search, what it asks other hosts for, whether all can use it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { figures } from '../../docs/site/gallery.js';
import { inBrowser, site } from './browser.js';
import { overflow, serious } from './expect.js';

const folder = path.join(site, 'docs');
const root = path.resolve(site, '../..');
execFileSync('make', ['build/docs-site.stamp', 'MAKEFLAGS='], { cwd: root, stdio: 'pipe' });
cpSync(path.join(root, 'build/docs-site'), folder, { recursive: true });
const pages = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.html'));
const html = new Map(pages.map((page) => [page, readFileSync(path.join(folder, page), 'utf8')]));

test('every link leads to a page, and to a heading on it', () => {
  const broken = [];
  let seen = 0;
  for (const [page, text] of html) {
    for (const [, link] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const { pathname, hash } = new URL(link, `http://x/docs/${page}`);
      const isPlayground = pathname === '/';
      if (/^https?:/.test(link) || isPlayground) continue;
      const lesson = /^\/([\w-]+)\.html$/.exec(link)?.[1];
      if (lesson && existsSync(path.join(root, `web/lessons/${lesson}.json`))) continue;
      seen++;
      const target = pathname.replace(/^\/docs\//, '').replace(/^$|\/$/, '$&index.html');
      const isThere = html.get(target);
      const id = decodeURIComponent(hash.slice(1));
      if (isThere && (!id || isThere.includes(`id="${id}"`))) continue;
      broken.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(seen > 1000, `${seen} links`);
});

test('the lessons are learning resources, each with its time and what it teaches', () => {
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(
    html.get('index.html'),
  );
  const { hasPart } = JSON.parse(json);
  assert.equal(hasPart.length, 10);
  for (const { name, timeRequired, teaches, url } of hasPart) {
    assert.ok(name && /^PT\d+M$/.test(timeRequired) && teaches.length > 0, name);
    assert.match(url, /#lesson=[a-z-]+$/);
  }
});

describe('in the browser', () => {
  const browsing = inBrowser();
  /** @param {string} page @param {object} [settings] */
  const open = async (page, settings) => {
    const context = await browsing.browser.newContext(settings);
    const opened = await context.newPage();
    const others = [];
    opened.on('request', (request) => {
      const { origin } = new URL(browsing.site.url);
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        others.push(request.url());
    });
    await opened.goto(new URL(`/docs/${page}`, browsing.site.url).href);
    await opened.locator('.VPDoc').waitFor();
    return { page: opened, others, close: () => context.close() };
  };

  test('the page leads to it, in each language, and only where it is', async () => {
    const html = readFileSync(path.join(site, 'index.html'), 'utf8').replace(
      /<link rel="help"[^>]*>/,
      '',
    );
    for (const [lang, label] of [
      ['en', 'Documentation'],
      ['de', 'Dokumentation'],
    ]) {
      for (const there of [true, false]) {
        const context = await browsing.browser.newContext({ serviceWorkers: 'block' });
        const page = await context.newPage();
        const link = there ? '<link rel="help" href="./docs/index.html">' : '';
        await page.route(/\/(index\.html)?$/, (route) =>
          route.fulfill({
            contentType: 'text/html',
            body: html.replace('</head>', `${link}</head>`),
          }),
        );
        await page.goto(`${browsing.site.url}#v=1&lang=${lang}`);
        await page.locator('gf-masthead .tools .share').waitFor();
        await page.locator('gf-masthead .menu > summary').click();
        const docs = page.getByRole('link', { name: label, exact: true });
        assert.equal(await docs.count(), Number(there));
        if (there)
          assert.equal(
            await docs.evaluate(({ href }) => href),
            new URL('docs/index.html', browsing.site.url).href,
          );
        await context.close();
      }
    }
  });

  /* What a student, a lecturer or an engineer types, and where the first answer is to lead. */
  const answers = {
    mask: 'syllabus.html#13-masks',
    'causal mask': 'syllabus.html#13-masks',
    'divide by d_k': 'syllabus.html#5-scaling-divide-by-d_k',
    'why divide by sqrt': 'syllabus.html#5-scaling-divide-by-d_k',
    'gradient of softmax': 'syllabus.html#6-softmax',
    'softmax derivative': 'syllabus.html#6-softmax',
    'attention weights': 'syllabus.html',
    'query key value': 'syllabus.html#3-queries-keys-and-values',
    'what is a head': 'syllabus.html#10-heads',
    'multi-head attention': 'syllabus.html#10-heads',
    'positional encoding': 'syllabus.html#11-positions',
    'layer norm': 'syllabus.html#12-encoder-and-decoder',
    backpropagation: 'syllabus.html#15-training',
    'cheat sheet': 'for-students.html',
    offline: 'for-students.html',
    'export png': 'for-students.html',
    'embed in Moodle': 'teaching.html#moodle',
    canvas: 'teaching.html#canvas',
    exam: 'teaching.html#exams',
    slides: 'embedding.html#slides',
    projector: 'presenting.html',
    'keyboard shortcuts': 'presenting.html',
    hosting: 'embedding.html#hosting',
    privacy: 'for-teachers.html',
    'screen reader': 'accessibility.html',
    license: 'cite.html',
    install: 'npm.html',
    webpack: 'npm.html#bundlers',
    python: 'python.html',
    notebook: 'python.html#in-a-notebook',
    GGUF: 'files.html',
    'load gguf': 'files.html',
    chat: 'files.html#chats',
    'bit-identical': 'javascript.html',
    tokenizer: 'api/glassformer-tokenizer.html',
    'train a model': 'javascript.html#training',
    'fine-tuning': 'javascript.html#training',
    'kv cache': 'javascript.html#generating',
    threads: 'javascript.html#threads',
    memory: 'javascript.html#memory',
    error: 'javascript.html#errors',
    'command line': 'javascript.html#command-line',
    benchmark: 'bench.html',
    upgrade: 'migration.html',
  };

  test('the first answers of the search', async () => {
    const { page, others, close } = await open('index.html');
    await page.locator('.VPNavBarSearch button').click();
    const results = page.locator('.VPLocalSearchBox .result');
    const wrong = [];
    for (const [query, first] of Object.entries(answers)) {
      await page.locator('.search-input').fill('');
      await results.first().waitFor({ state: 'detached' });
      await page.locator('.search-input').fill(query);
      const href = await results.first().getAttribute('href');
      if (!href.startsWith(`/docs/${first}`)) wrong.push(`${query}: ${href}`);
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(others, []);
    await close();
  });

  test('each figure of the gallery opens, in its frame and in the playground', async () => {
    assert.equal(figures.length, 12);
    const { page, close } = await open('gallery.html');
    assert.equal(await page.locator('.gallery iframe').count(), figures.length);
    await close();
    for (const { title, state } of figures) {
      const context = await browsing.browser.newContext({ reducedMotion: 'reduce' });
      for (const file of ['embed.html', 'index.html']) {
        const opened = await context.newPage();
        const errors = [];
        opened.on('pageerror', ({ message }) => errors.push(message));
        await opened.goto(new URL(`/${file}#${state}`, browsing.site.url).href);
        await opened.locator('gf-stage .cell, gf-learn .say, .say').first().waitFor();
        assert.equal(await opened.locator('[role=alert], .notice').count(), 0, `${file}: ${title}`);
        assert.deepEqual(errors, [], `${file}: ${title}`);
      }
      await context.close();
    }
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing serious, nothing is wider than a phone: ${colorScheme}`, async () => {
      for (const name of [
        'index.html',
        'api/glassformer-text.html',
        'syllabus.html',
        'teaching.html',
        'gallery.html',
      ]) {
        const { page, others, close } = await open(name, {
          colorScheme,
          viewport: { width: 320, height: 640 },
        });
        assert.deepEqual(await serious(page), [], name);
        assert.equal((await overflow(page)).x, 0, name);
        assert.deepEqual(others, []);
        await close();
      }
    });
  }
});
