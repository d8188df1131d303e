// The licences of the libraries and faces that a bundle carries: their authors ask that the text goes wherever the code goes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/**
 * The packages that some modules come from: their folders by name.
 * @param {Iterable<string>} modules paths
 * @returns {Map<string, string>}
 */
function packagesOf(modules) {
  /** @type {Map<string, string>} */
  const folders = new Map();
  for (const module of modules) {
    const [, folder, name] = PACKAGE.exec(module.replaceAll(path.sep, '/').replace('\0', '')) ?? [];
    if (name) folders.set(name, folder);
  }
  return new Map([...folders].sort());
}

/** @param {string} folder of a package */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} ${version}: its package has no licence file`);
  const notice = path.join(folder, 'NOTICE');
  const texts = [path.join(folder, file), notice].filter(existsSync);
  const text = texts.map((entry) => readFileSync(entry, 'utf8').trim()).join('\n\n');
  return { title: `${name} ${version} (${license})`, text };
}

/**
 * The notices of everything that some modules come from; packages of one licence text share it.
 * @param {Iterable<string>} modules paths
 */
export function noticesOf(modules) {
  /** @type {Map<string, string[]>} */
  const titles = new Map();
  for (const folder of packagesOf(modules).values()) {
    const { title, text } = licenceOf(folder);
    titles.set(text, [...(titles.get(text) ?? []), title]);
  }
  const rule = `\n\n${'-'.repeat(72)}\n\n`;
  return [...titles].map(([text, names]) => `${names.join('\n')}\n\n${text}`).join(rule);
}

/** For Vite: writes the notices of all that was bundled, workers included, beside the page.
 * @returns {{ page: import('vite').Plugin, worker: import('vite').Plugin }} */
export function notices() {
  /** @type {Set<string>} */
  const modules = new Set();
  /** @type {import('vite').Rolldown.Plugin['generateBundle']} */
  const collect = (_, bundle) => {
    for (const part of Object.values(bundle)) {
      const files =
        part.type === 'chunk'
          ? part.moduleIds
          : part.originalFileNames.map((name) => path.resolve(import.meta.dirname, '..', name));
      for (const file of files) modules.add(file);
    }
  };
  return {
    worker: { name: 'notices-of-workers', apply: 'build', generateBundle: collect },
    page: {
      name: 'notices',
      apply: 'build',
      generateBundle(options, bundle, isWrite) {
        Reflect.apply(/** @type {any} */ (collect), this, [options, bundle, isWrite]);
        this.emitFile({
          type: 'asset',
          fileName: 'THIRD-PARTY.txt',
          source: `Glassformer's page contains the following libraries and faces.\n\n${noticesOf(modules)}\n`,
        });
      },
    },
  };
}
