// docs/api.md is what the comments in the source say, every function has an example, and each runs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { unexported } from '../docs/api/read.js';
import { blocks, read, root, write } from './support/markdown.js';
import { checked, checksIn, PRELUDE } from './support/snippets.js';

const page = read('docs/api.md');

/** Runs a program with Node.js; returns what it wrote. */
function run(...args) {
  const options = { cwd: root, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** The sections about functions: those with a signature. */
const functions = page
  .split(/^(?=#{2,4} )/m)
  .filter((text) => text.includes('```ts\n'))
  .map((text) => ({ name: text.match(/^#+ (\S+)/)[1], text }));

test('docs/api.md and docs/glossary.md are up to date', () => {
  run('docs/api/make.js', '--check');
});

test('every type that a function takes or gives has a name that an entry exports', () => {
  assert.deepEqual(unexported(), []);
});

/** Rows of a table that say nothing of a field but its type. The number may only fall. */
const EMPTY = 232;

test('what a field is, is said, but for those that were never described', () => {
  const lines = read('docs/api.md').split('\n');
  const empty = lines.filter((line) => /^\| `.*` \| +\|$/.test(line));
  assert.ok(
    empty.length <= EMPTY,
    `${empty.length} rows without a word: ${empty.slice(-9).join('\n')}`,
  );
});

test('every function has an example', () => {
  assert.ok(functions.length > 65, `${functions.length} functions`);
  const without = functions.filter(({ text }) => !text.includes('```js\n'));
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  );
});

test('every example gives what it says', () => {
  const examples = blocks('docs/api.md', 'js');
  const scopes = examples.map((code) => {
    const lines = code.replace(/^import (.+) from ('.+');$/gm, 'const $1 = await import($2);');
    return `{\n${checked(lines)}}\n`;
  });
  const start = `import { load } from 'glassformer';\nconst gf = await load();\n`;
  const file = write('api.js', PRELUDE + start + scopes.join(''));
  const checks = run(file).trim().split('\n').at(-1);
  assert.equal(Number(checks), checksIn(examples.join('')));
});
