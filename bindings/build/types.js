// Trims the types that tsc wrote: what throws errors within the package has types of all its sentences, which nobody
// outside can call; modules that no entry leads to declare nothing for users; a tab indents like four blanks, and a
// comment of one line takes one; and what @typedef says stands beside it as a type.
// `node bindings/build/types.js FOLDER`
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(process.argv[2]);
const root = path.resolve(import.meta.dirname, '../..');

/** What sentences() of js/base/errors.js gives. */
const MAKERS =
  /^export declare const (?:failure|message|rangeError|refusing|typeError): <D extends.*?;\n(?=export |\/\*\*|$(?![\s\S]))/gms;

/** Comments that declare types. */
const TYPEDEFS = /^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*?@(?:typedef|callback)\b[\s\S]*?\*\/\n/gm;

/** The declarations that a file names. @param {string} file @param {string} text */
const namedIn = (file, text) =>
  [...text.matchAll(/(?:\bfrom |\bimport\()["'](\.[^"']+)\.js["']/g)].map(([, name]) =>
    path.resolve(path.dirname(file), `${name}.d.ts`),
  );

const { exports: entries } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const made = path.join(root, 'bindings/generated/types');
const waiting = Object.values(entries)
  .map((entry) => path.relative(made, path.join(root, entry.types ?? '')))
  .filter((file) => !file.startsWith('..'))
  .map((file) => path.join(folder, file));

const reached = new Set();
while (waiting.length) {
  const file = /** @type {string} */ (waiting.pop());
  if (reached.has(file)) continue;
  reached.add(file);
  let text;
  try {
    text = readFileSync(file, 'utf8')
      .replace(MAKERS, '')
      .replace(TYPEDEFS, '')
      .replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4))
      .replace(/\/\*\*\n\s*\* *([^\n]*)\n\s*\*\//g, '/** $1 */');
  } catch {
    continue; // of bindings/*.d.ts, which are written by hand
  }
  writeFileSync(file, text);
  waiting.push(...namedIn(file, text));
}
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const file = path.join(folder, name);
  if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
