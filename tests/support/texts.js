// The sentences of all errors of the package, by the module that states them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../../bindings');
const stating = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && !/^(generated|build)\//.test(name))
  .filter((name) => readFileSync(path.join(root, name), 'utf8').includes('export const TEXTS ='))
  .sort();

/** @type {Record<string, Record<string, string>>} */
export const tables = Object.fromEntries(
  await Promise.all(
    stating.map(async (name) => {
      const { TEXTS } = await import(pathToFileURL(path.join(root, name)).href);
      return [name, TEXTS];
    }),
  ),
);
