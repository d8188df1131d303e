// An op is a row and three files: softplus is added to a copy of the sources by those of new-op/. The specs, the header, the
// tape, the eager functions, the explanations and the package know it then, and no other file was changed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { onlyInFull } from './support/skips.js';

const root = path.resolve(import.meta.dirname, '..');
const PARTS = ['.ci', 'src', 'bindings', 'tests', 'web', 'docs', 'Makefile', 'package.json'];
const MORE = ['package-lock.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'tsconfig.json'];
const FILES = {
  'op.c': 'src/op/softplus.c',
  'spec.c': 'tests/spec/op/softplus.c',
  'binding.js': 'bindings/js/ops/softplus.js',
};
/** Tests that go through all ops; `parity` and `fuzz` hold the bits of all builds. */
const TESTS = [
  ...['ops', 'explain', 'chain', 'computed', 'wrong-calls', 'calls'].map(
    (name) => `bindings/${name}`,
  ),
  ...['house', 'errors', 'api', 'fuzz', 'conformance', 'python'],
].map((name) => `tests/${name}.test.js`);

test('softplus is a row and three files', { skip: onlyInFull }, async () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'glassformer-op-'));
  after(() => rmSync(copy, { recursive: true }));
  const run = (...command) =>
    execFileSync(command[0], command.slice(1), { cwd: copy, encoding: 'utf8' });
  for (const part of [...PARTS, ...MORE])
    cpSync(path.join(root, part), path.join(copy, part), {
      recursive: true,
      verbatimSymlinks: true,
    });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  mkdirSync(path.join(copy, 'build'));
  writeFileSync(path.join(copy, 'build/npm'), '');

  const table = readFileSync(path.join(copy, 'src/ops.def'), 'utf8');
  const row = 'GF_OP(softplus, SMALL, FORMULA("y = log(1 + exp(x))"), OPERANDS(F32(x)))\n';
  writeFileSync(path.join(copy, 'src/ops.def'), table.replace('GF_OP(tanh', `${row}GF_OP(tanh`));
  for (const [part, file] of Object.entries(FILES))
    cpSync(path.join(root, 'tests/new-op', part), path.join(copy, file));

  run('make', '-o', 'build/npm', 'header');
  /* npm ci would empty what the link leads to. */
  run('make', '-o', 'build/npm', 'package', 'native', 'spec', 'build/python/stamp');
  run('node', 'docs/api/make.js');
  assert.match(run('build/spec'), /^ok {3}softplus$/m);
  const { load } = await import(pathToFileURL(path.join(copy, 'bindings/index.js')).href);
  const [zero, large] = (await load()).softplus([0, 100]);
  assert.equal(zero, Math.fround(Math.LN2));
  assert.equal(large, 100);
  run('node', '--test', ...TESTS);
});
