// The code blocks of bindings/README.md run, and give what their comments say.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('bindings/README.md', root), 'utf8');
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code,
  );

/** What a line must give: the numbers as far as they are written. */
const CHECK = `
import assert from 'node:assert/strict';
let checks = 0;
const round = (value) => JSON.stringify(value, (_, x) => (typeof x === 'number' ? Math.round(x * 1e4) / 1e4 : x));
const check = (actual, expected) => {
  checks += 1;
  assert.equal(round(actual), round(expected));
};
process.on('exit', () => console.log(checks));
`;

test('the JavaScript runs in one go', () => {
  const code = blocks('js').join('\n');
  const lines = code.replace(/^( *)(.+); \/\/ = (.+)$/gm, '$1check($2, $3);');
  /* Inside of the package, the name glassformer leads to the package itself. */
  const folder = new URL('build/readme/', root);
  mkdirSync(folder, { recursive: true });
  const file = new URL('bindings.js', folder);
  writeFileSync(file, CHECK + lines);
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(file)], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.equal(Number(stdout), code.match(/\/\/ = /g).length);
  assert.ok(Number(stdout) > 20);
});

test('the commands run', () => {
  const commands = blocks('sh')
    .join('')
    .match(/^npx glassformer .*$/gm);
  assert.ok(commands.length > 5);
  for (const command of commands) {
    const args = command.match(/"[^"]*"|\S+/g).map((word) => word.replace(/^"|"$/g, ''));
    const cli = fileURLToPath(new URL('bindings/cli.js', root));
    const { stdout, status } = spawnSync(process.execPath, [cli, ...args.slice(2)]);
    assert.equal(status, 0, command);
    assert.ok(stdout.length > 0, command);
  }
});
