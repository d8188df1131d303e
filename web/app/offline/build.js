// Writes the service worker of a built site: which files it has, each with its digest, and what to do.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const WORKER = 'offline.js';

/** @param {string | Buffer} bytes */
const digest = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/** @param {string} folder the built site */
export function writeWorker(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => name !== WORKER)
    .sort();
  const files = Object.fromEntries(
    names.map((name) => [name, digest(readFileSync(path.join(folder, name)))]),
  );
  const build = JSON.stringify({ version: digest(JSON.stringify(files)), files });
  const source = readFileSync(path.join(import.meta.dirname, 'worker.js'), 'utf8');
  writeFileSync(path.join(folder, WORKER), `self.BUILD = ${build};\n${source}`);
}

/** For Vite. @returns {import('vite').Plugin} */
export const offline = () => ({
  name: 'offline',
  apply: 'build',
  writeBundle: ({ dir }) => writeWorker(/** @type {string} */ (dir)),
});
