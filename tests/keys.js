// Checks that code and texts agree: each text of the page is named in code by its whole key, so that a search finds it, and each
// key that code names has a text. Run by `make lint`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const page = JSON.parse(readFileSync(path.join(root, 'bindings/words/en/page.json'), 'utf8'));

/** Keys that code composes: errors have the names of their sentences, and worked examples their own. */
const COMPOSED = /^(errors|examples)\//;
/** Modules of the build, where such words are paths. */
const BUILDS = /^(bundle\/|offline\/|embed\/(plugins|build)\.js)/;

/** The key of each text; one with several forms is one text. @param {any} texts @param {string} at @returns {string[]} */
const keysOf = (texts, at) =>
  typeof texts === 'string' || typeof texts.other === 'string' || Array.isArray(texts)
    ? [at]
    : Object.keys(texts).flatMap((key) => keysOf(texts[key], `${at}/${key}`));

const keys = Object.keys(page).flatMap((part) => keysOf(page[part], part));
const sections = Object.keys(page).join('|');
const literal = new RegExp(`'((?:${sections})(?:/[\\w.+-]+)+)'`, 'g');

/** What code names, and where. @type {Map<string, string>} */
const named = new Map();
for (const file of readdirSync(path.join(root, 'web'), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.js') || BUILDS.test(file)) continue;
  const source = readFileSync(path.join(root, 'web', file), 'utf8');
  for (const [, key] of source.matchAll(literal)) if (!key.endsWith('.js')) named.set(key, file);
}

/** Code may name a text, or a list of them. @param {string} key */
const isNamed = (key) =>
  key.split('/').some((_, i, parts) => i > 0 && named.has(parts.slice(0, i + 1).join('/')));

/** @param {string} key */
const hasText = (key) => keys.some((one) => one === key || one.startsWith(`${key}/`));

const wrong = [
  ...keys
    .filter((key) => !COMPOSED.test(key) && !isNamed(key))
    .map((key) => `bindings/words/en/page.json: no code names ${key}`),
  ...[...named]
    .filter(([key]) => !hasText(key))
    .map(([key, file]) => `web/${file}: there is no text ${key}`),
];
for (const line of wrong) console.error(line);
console.log(`${keys.length} texts, ${wrong.length} without a key or a text`);
process.exitCode = wrong.length ? 1 : 0;
