// Lessons of another host: opened where that host allows it, and refused in a sentence that says what was wrong.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { addressOf, follow, inBrowser } from './browser.js';

const browsing = inBrowser();
const text = (en) => ({ en, fr: en, de: en });
const lesson = {
  name: 'mine',
  title: text('Mine'),
  minutes: 1,
  learned: [text('This.')],
  scenes: [{ state: '#example=hi-how', picture: { kind: 'stage' }, say: text('From elsewhere.') }],
};
const JSON_TEXT = JSON.stringify(lesson);
const CORS = { 'access-control-allow-origin': '*' };

/** What the other host answers, by path. @type {Record<string, (response: import('node:http').ServerResponse) => void>} */
const ANSWERS = {
  '/mine.json': (response) => response.writeHead(200, CORS).end(JSON_TEXT),
  '/bom.json': (response) => response.writeHead(200, CORS).end(`\ufeff${JSON_TEXT}`),
  '/moved.json': (response) => response.writeHead(302, { ...CORS, location: 'mine.json' }).end(),
  '/private.json': (response) => response.writeHead(200).end(JSON_TEXT),
  '/to-private.json': (response) =>
    response.writeHead(302, { ...CORS, location: 'private.json' }).end(),
  '/page.json': (response) =>
    response
      .writeHead(200, { ...CORS, 'content-type': 'text/html' })
      .end('\n<!doctype html><title>Log in</title>'),
  '/none.json': (response) => response.writeHead(404, CORS).end('none'),
  '/gone.json': (response) => response.socket?.destroy(),
  '/latin.json': (response) =>
    response.writeHead(200, CORS).end(Buffer.from(JSON_TEXT.replace('Mine', 'Leçon'), 'latin1')),
  '/utf16.json': (response) =>
    response.writeHead(200, CORS).end(Buffer.from(`\ufeff${JSON_TEXT}`, 'utf16le')),
  '/deep.json': (response) =>
    response.writeHead(200, CORS).end(`${'['.repeat(1e5)}${']'.repeat(1e5)}`),
  '/other.json': (response) => response.writeHead(200, CORS).end('{"name":"mine"}'),
  '/endless.json': (response) => {
    response.writeHead(200, CORS);
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(1 << 16)));
    };
    response.on('drain', more);
    more();
  },
};

/** Paths that were asked for. @type {string[]} */
const asked = [];
/** What answers the path that is kept waiting. @type {(() => void) | null} */
let release = null;
const other = createServer(({ url = '' }, response) => {
  asked.push(url);
  if (url === '/slow.json') release = () => ANSWERS['/mine.json'](response);
  else ANSWERS[url](response);
});
let host = '';
before(async () => {
  await new Promise((done) => other.listen(0, '127.0.0.1', () => done(undefined)));
  host = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (other.address()).port}`;
});
after(() => {
  other.close();
  other.closeAllConnections();
});

const linkTo = (path) => `#lesson=${encodeURIComponent(host + path)}`;
const says = '.say p';

/** Opens the offer of a lesson, and agrees. */
async function agree(page, path) {
  await follow(page, linkTo(path));
  await page.locator('gf-learn .address', { hasText: path }).waitFor();
  assert.ok(!asked.includes(path), 'asked before its reader agreed');
  await page.locator('gf-learn .ways button').click();
}

describe('a lesson of another host', () => {
  for (const path of ['/mine.json', '/moved.json', '/bom.json']) {
    test(`${path} opens`, async () => {
      const { page, close } = await browsing.open('#chapter=learn', { ready: 'gf-learn ol' });
      await agree(page, path);
      await page.locator(says, { hasText: 'From elsewhere.' }).waitFor();
      await close();
    });
  }

  test('is refused in words that say why', async () => {
    const { page, close } = await browsing.open('#chapter=learn', { ready: 'gf-learn ol' });
    const notice = page.locator('gf-learn .notice');
    for (const [path, said] of [
      ['/private.json', /does not answer, or does not allow.*\(CORS\)/],
      ['/to-private.json', /does not answer, or does not allow/],
      ['/gone.json', /does not answer, or does not allow/],
      ['/none.json', /answered with 404/],
      ['/page.json', /is an HTML page, not a lesson/],
      ['/latin.json', /JSON in UTF-8/],
      ['/utf16.json', /JSON in UTF-8/],
      ['/deep.json', /at most 100 levels/],
      ['/other.json', /missing "title"/],
      ['/endless.json', /larger than 1 MB/],
    ]) {
      await agree(page, path);
      await notice.waitFor();
      assert.match(await notice.innerText(), said, path);
      assert.ok((await notice.innerText()).includes(host + path), path);
    }
    await close();
  });

  test('that comes late says so, and takes nobody away who has left', async () => {
    const { page, close } = await browsing.open('#chapter=learn', { ready: 'gf-learn ol' });
    const working = page.waitForEvent('worker');
    await agree(page, '/slow.json');
    await page.getByText('Fetching the lesson…').waitFor();
    const worker = await working;
    while (!release) await new Promise((done) => setImmediate(done));
    await follow(page, '#lesson=one-score');
    await page.locator(says).waitFor();
    const ended = worker.waitForEvent('close');
    release();
    await ended;
    await follow(page, '#lesson=one-score&scene=2');
    assert.match(await addressOf(page), /lesson=one-score&scene=2/);
    await close();
  });

  test('an address that is none leads to the list', async () => {
    const { page, close } = await browsing.open(`#lesson=${encodeURIComponent('http://[')}`, {
      ready: 'gf-learn ol',
    });
    assert.match(await page.locator('gf-learn .none').innerText(), /There is no lesson called/);
    await close();
  });
});
