// The C library as its users meet it: installed, found by pkg-config, included, linked, run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const prefix = mkdtempSync(path.join(tmpdir(), 'glassformer-install-'));
after(() => rmSync(prefix, { recursive: true }));

const run = (command, args, options) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: 'pipe', ...options });

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const header = readFileSync(path.join(root, 'src/glassformer.h'), 'utf8');

/** Cflags and Libs, as pkg-config would answer. */
function packageFlags() {
  const text = readFileSync(path.join(prefix, 'lib/pkgconfig/glassformer.pc'), 'utf8');
  const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)[1];
  const variables = Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  assert.equal(variables.prefix, prefix);
  assert.equal(field('Version'), version);
  /** @param {string} flags */
  const expand = (flags) => {
    while (/\$\{\w+\}/.test(flags))
      flags = flags.replace(/\$\{(\w+)\}/g, (_, name) => variables[name]);
    return flags.split(' ');
  };
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

test('the comments of the header speak of what it declares', () => {
  const names = (text) => [...new Set(text.match(/\bgf_\w+|\bGF_\w*[A-Z0-9]/g))];
  const declared = names(header.replace(/\/\*.*?\*\//gs, ''));
  const told = names(header.match(/\/\*.*?\*\//gs).join('\n'));
  const undeclared = told.filter((name) => !declared.some((known) => known.startsWith(name)));
  assert.deepEqual(undeclared, []);
});

test('the program at the head of the header runs', () => {
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

/** The symbols of a library that others can meet, as nm tells them. */
const symbols = (file, ...options) =>
  run('nm', ['--defined-only', '--extern-only', '--format=posix', ...options, file])
    .split('\n')
    .filter((line) => / [A-Z] /.test(line))
    .map((line) => line.split(' ')[0]);

const library = path.join(prefix, 'lib/libglassformer');

test('the shared library shows what the header declares, and nothing else', () => {
  const declared = header.replace(/\/\*.*?\*\//gs, '').match(/\bgf_\w+(?=\()/g);
  assert.ok(declared.length > 90);
  assert.deepEqual(symbols(`${library}.so`, '--dynamic').sort(), [...new Set(declared)].sort());
});

const internal = symbols(`${library}.a`).filter((name) => !name.startsWith('gf_'));

test('every global of the static library begins with gf_ or gfi_', () => {
  assert.ok(internal.includes('gfi_gemm') && internal.includes('gfi_op_add'));
  assert.deepEqual(
    internal.filter((name) => !name.startsWith('gfi_')),
    [],
  );
});

for (const linking of ['static', 'shared']) {
  test(`a program with functions of the same names links with the ${linking} library, and computes`, () => {
    const own = internal.map((name) => name.slice('gfi_'.length));
    if (linking === 'shared') own.push(...internal);
    const source = `
      #include <glassformer.h>
      #include <stdlib.h>
      ${own.map((name) => `void ${name}(void);\nvoid ${name}(void) { abort(); }`).join('\n')}
      int main(void) { return gf_self_test() ? 1 : 0; }`;
    const program = path.join(prefix, `own-${linking}`);
    const link = linking === 'static' ? ['-static'] : ['-rdynamic', `-Wl,-rpath,${prefix}/lib`];
    const args = [
      '-std=c11',
      '-fno-builtin',
      ...cflags,
      '-xc',
      '-',
      '-o',
      program,
      ...link,
      ...libs,
    ];
    run('cc', args, { input: source });
    run(program, []);
  });
}

test('the shared library has a version, and programs ask for what is compatible', () => {
  const [compatible] = version.split('.');
  assert.equal(readlinkSync(`${library}.so`), `libglassformer.so.${compatible}`);
  assert.equal(readlinkSync(`${library}.so.${compatible}`), `libglassformer.so.${version}`);
  const needed = run('objdump', ['-p', path.join(prefix, 'example-shared')]);
  assert.match(needed, new RegExp(`NEEDED +libglassformer\\.so\\.${compatible}$`, 'm'));
  const numbers = ['MAJOR', 'MINOR', 'PATCH'].map(
    (part) => new RegExp(`#define GF_VERSION_${part} (\\d+)`).exec(header)[1],
  );
  assert.equal(numbers.join('.'), version);
  const program = path.join(prefix, 'version');
  const source = `#include <glassformer.h>
    #include <stdio.h>
    int main(void) { puts(gf_version()); }`;
  run('cc', [...cflags, '-xc', '-', '-o', program, '-static', ...libs], { input: source });
  assert.equal(run(program, []).trim(), version);
});

test('package, header, lock file and the newest entry of the changelog are of one version', () => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  assert.equal(lock.version, version);
  assert.equal(lock.packages[''].version, version);
  assert.match(header, new RegExp(`The library's version, "${version.replaceAll('.', '[.]')}"`));
  const changes = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  assert.equal(/^## (\S+)/m.exec(changes)[1], version);
});

test('the library has no variables', () => {
  const sections = run('size', ['-A', `${library}.a`]).matchAll(/^\.(data|bss)\s+(\d+)/gm);
  for (const [line, , size] of sections) assert.equal(Number(size), 0, line);
});

test('tapes in several threads compute what they compute alone, and nobody is in the way', () => {
  run(path.join(root, 'build/threads'), []);
});

test('several threads on one tape compute what one computes, and no two write the same number', () => {
  run(path.join(root, 'build/team'), []);
});
