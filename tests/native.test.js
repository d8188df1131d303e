// The C library as its users meet it: installed, found by pkg-config, included, linked, run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const prefix = mkdtempSync(path.join(tmpdir(), 'glassformer-install-'));
after(() => rmSync(prefix, { recursive: true }));

const run = (command, args, options) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: 'pipe', ...options });

/** Cflags and Libs, as pkg-config would answer. */
function packageFlags() {
  const text = readFileSync(path.join(prefix, 'lib/pkgconfig/glassformer.pc'), 'utf8');
  const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)[1];
  const expand = (flags) => flags.replaceAll('$' + '{prefix}', prefix).split(' ');
  assert.match(text, new RegExp(`^prefix=${prefix}$`, 'm'));
  assert.equal(field('Version'), JSON.parse(readFileSync(path.join(root, 'package.json'))).version);
  return { cflags: expand(field('Cflags')), libs: expand(field('Libs')) };
}

run('make', ['install', `PREFIX=${prefix}`, 'MAKEFLAGS=']);
const { cflags, libs } = packageFlags();

for (const linking of ['-static', '-shared']) {
  test(`the example program links with the ${linking.slice(1)} library and prints attention`, () => {
    const program = path.join(prefix, `example${linking}`);
    const link = linking === '-static' ? ['-static'] : [`-Wl,-rpath,${prefix}/lib`];
    const strict = ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror'];
    run('cc', [...strict, ...cflags, 'tests/example/main.c', '-o', program, ...link, ...libs]);
    const rows = run(program, []).split('\n');
    const love = (title) => {
      const at = rows.findIndex((row) => row.trim().split(/\s+/)[0] === title);
      assert.notEqual(at, -1, `no table ${title} in:\n${rows.join('\n')}`);
      return rows[at + 2].match(/-?\d+(\.\d+)?/g).map(Number);
    };
    assert.deepEqual(love('q'), [1, 1, 1]);
    assert.deepEqual(love('scores'), [4, 4, 4]);
    for (const [i, exact] of [4 / 3, 2 / 3, 2 / 3].entries()) {
      assert.ok(Math.abs(love('output')[i] - exact) < 1e-3);
    }
  });
}

test('the header compiles alone, as C11 and as C++', () => {
  const options = { input: '#include <glassformer.h>\n' };
  run('cc', ['-std=c11', '-Wpedantic', '-Werror', ...cflags, '-fsyntax-only', '-xc', '-'], options);
  run('c++', ['-Wpedantic', '-Werror', ...cflags, '-fsyntax-only', '-xc++', '-'], options);
});

test('the program at the head of the header runs', () => {
  const header = readFileSync(path.join(root, 'src/glassformer.h'), 'utf8');
  const lines = header.split('\n');
  const start = lines.findIndex((line) => line.includes('#include <glassformer.h>'));
  const end = lines.findIndex((line, i) => i > start && line === ' *   }');
  const source = lines.slice(start, end + 1).map((line) => line.replace(/^ \* ?/, ''));
  const program = path.join(prefix, 'first');
  run('cc', ['-std=c11', '-Werror', ...cflags, '-xc', '-', '-o', program, '-static', ...libs], {
    input: source.join('\n'),
  });
  // softmax([1, 0, 0]) starts with e / (e + 2)
  assert.ok(Math.abs(Number(run(program, [])) - Math.E / (Math.E + 2)) < 1e-5);
});
