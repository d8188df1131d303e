// What a page has to load.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** @typedef {import('../figures.js').Figures} Figures */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const wasm = new URL('../../../bindings/generated/glassformer.wasm', import.meta.url);

/** A page that only loads the core. */
async function bundle() {
  const { outputFiles } = await build({
    stdin: { contents: "export { load } from './bindings/index.js';", resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0].contents;
}

/** @param {Uint8Array} bytes */
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** @param {string} what @param {number} bytes @param {number} [most] */
const kB = (what, bytes, most) => ({ what: `kB, ${what}`, value: bytes / 1000, most });

/** @type {Figures} */
export const size = {
  name: 'size',
  async figures() {
    const core = readFileSync(wasm);
    const page = await bundle();
    return [
      kB('wasm', core.length, 126),
      kB('wasm, gzip', gzip(core), 46),
      kB('import { load }, gzip', gzip(page), 72.2),
    ];
  },
};
