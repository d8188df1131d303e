// A writer in a page of Chromium.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launch } from '../../web/browser.js';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** @param {string} model the path of a GGUF */
async function serve(model) {
  const { outputFiles } = await build({
    entryPoints: [at('page.js')],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    external: ['node:*'],
  });
  const files = new Map([
    ['/model.gguf', model],
    ['/wllama.wasm', at('../node_modules/@wllama/wllama/esm/wasm/wllama.wasm')],
  ]);
  const server = createServer((request, response) => {
    const file = files.get(/** @type {string} */ (request.url));
    if (file) {
      const type = file.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-length': statSync(file).size });
      createReadStream(file).pipe(response);
    } else if (request.url === '/page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(outputFiles[0].contents);
    } else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><script type="module" src="/page.js"></script>');
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  return server;
}

/** Opens a model in a page of its own, in `way`: ours, f32 or wllama.
 * @param {string} way @param {string} model
 * @returns {Promise<{ write: import('./ours.js').Write, opened: number, close: () => Promise<void> }>} */
export async function inChromium(way, model) {
  const server = await serve(model);
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await launch();
  const close = async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  };
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction('globalThis.write');
    const opened = await page.evaluate((name) => /** @type {any} */ (globalThis).open(name), way);
    const write = (/** @type {string} */ prompt, /** @type {number} */ tokens) =>
      page.evaluate(
        ([text, count]) => /** @type {any} */ (globalThis).write(text, count),
        /** @type {const} */ ([prompt, tokens]),
      );
    return { write, opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}
