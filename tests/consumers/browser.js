// Opens pages in Chromium and in Firefox, and tells what each says in its <output>:
//   node ../browser.js [--file] PAGE...
// Over http under the strictest policy that lets the package run, or, with --file, from the disk.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { browsers } from './browsers.js';

const root = path.resolve(import.meta.dirname, '..');
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self'; connect-src 'self'; worker-src 'self'";
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Serves the folder tests/, for a page may import what lies beside it. */
async function serve() {
  const server = createServer(async ({ url }, response) => {
    const file = path.join(root, path.normalize(new URL(url, 'http://localhost').pathname));
    try {
      const body = await readFile(file);
      const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY });
      response.end(body);
    } catch {
      /* A browser asks for an icon by itself. */
      response.writeHead(url === '/favicon.ico' ? 204 : 404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** What the page says; its complaints, if it has any, are an error. */
async function read(browser, address) {
  const page = await browser.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  for (;;) {
    const said = await page.evaluate(() => ({
      way: document.title,
      hashes: document.querySelector('output')?.textContent,
    }));
    if (complaints.length) throw new Error(`${browser.version}, ${address}: ${complaints.join()}`);
    if (said.hashes) {
      await page.close();
      return said;
    }
    await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
  }
}

const pages = process.argv.slice(2).filter((word) => word !== '--file');
const server = await serve();
const addressOf = (page) =>
  process.argv.includes('--file')
    ? pathToFileURL(page).href
    : server.url + path.relative(root, path.resolve(page));

for (const browser of await browsers()) {
  try {
    for (const page of pages) {
      const { way, hashes } = await read(browser, addressOf(page));
      console.log(`${browser.version}, ${way}\t${hashes}`);
    }
  } finally {
    await browser.close();
  }
}
server.close();
