// What the page, a figure and an assignment can do: one interface, in three files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const web = path.resolve(import.meta.dirname, '../../web');
const { imports } = JSON.parse(readFileSync(path.join(web, 'package.json'), 'utf8'));

/** The names that a file of the interface exports. @param {string} condition */
function exportsOf(condition) {
  const source = readFileSync(path.join(web, imports['#capabilities'][condition]), 'utf8');
  const listed = [...source.matchAll(/^export \{ (.+) \}/gm)].flatMap(([, all]) => all.split(', '));
  const declared = [...source.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)];
  return [...listed, ...declared.map(([, name]) => name)].sort();
}

test('a figure exports what the page exports', () => {
  const names = exportsOf('default');
  assert.ok(names.length > 8, String(names));
  assert.deepEqual(exportsOf('figure'), names);
});

test('an assignment exports some of it', () => {
  const names = exportsOf('default');
  assert.deepEqual(
    exportsOf('assignment').filter((name) => !names.includes(name)),
    [],
  );
});

test('no module is replaced by its path', () => {
  const build = readFileSync(path.join(web, 'figures/embed/build.js'), 'utf8');
  assert.doesNotMatch(build, /\breplacement: /);
});
