// What the documentation promises: its code blocks, and what its commands need to run.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** Folders of what is made or installed, and those that begin with a dot. */
const MADE = /^(build|.*(node_modules|generated|dist)|(.*\/)?\.[^/]+)$/;

/** The files of the project whose names end so, by their paths from the root. Without git: an archive of the sources has
 * none. @param {string} end @param {string} [folder] @returns {string[]} */
export const filesNamed = (end, folder = '') =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return MADE.test(name) ? [] : filesNamed(end, name);
    return name.endsWith(end) ? [name] : [];
  });

/** The text of a page. @param {string} page from the root */
export const read = (page) => readFileSync(path.join(root, page), 'utf8');

/** A page's blocks of code, those of its lists too, each with its language. @param {string} page */
export const blocksOf = (page) =>
  [...read(page).matchAll(/^( *)(`{3,4})([^\n]*)\n(.*?)^\1\2$/gms)].map(
    ([, indent, , language, code]) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );

/** Those in one language. @param {string} page @param {string} language */
export const blocks = (page, language) =>
  blocksOf(page)
    .filter((block) => block.language === language)
    .map(({ code }) => code);

/** A text without its blocks of code, where brackets mean something else. @param {string} text */
export const proseOf = (text) => text.replace(/^```.*?^```/gms, '');

/** The links of a text that lead to files, or within it. @param {string} text */
export const linksOf = (text) =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^(https?|mailto):/.test(link));

/** Writes a file that a test runs. Inside of the package, the name glassformer leads to the package itself.
 * @param {string} name @param {string} text @param {object} [options] */
export function write(name, text, options) {
  const folder = path.join(root, 'build/readme');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), text, options);
  return path.join(folder, name);
}
