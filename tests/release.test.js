// What a release is made of: workflows that call what runs here, and one version in every file that names it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { onlyInFull } from './support/skips.js';

const root = path.resolve(import.meta.dirname, '..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const { version, description, repository, license } = JSON.parse(read('package.json'));

test('workflows call targets of the Makefile, and .ci/run', () => {
  const targets = new Set([...read('Makefile').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name));
  /* What only their host can do. */
  const uploads = /^(npm publish|mkdir dist && mv|gh release create) /;
  const folder = '.github/workflows';
  let called = 0;
  for (const file of readdirSync(path.join(root, folder))) {
    for (const [, command] of read(`${folder}/${file}`).matchAll(/^ *- run: (.+)$/gm)) {
      const [program, target] = command.split(' ');
      if (program === 'make') {
        assert.ok(targets.has(target), `${file}: make ${target}`);
        called++;
      } else assert.ok(program === '.ci/run' || uploads.test(command), `${file}: ${command}`);
    }
  }
  assert.ok(called >= 3, String(called));
});

test('the citation and the metadata are those of the package', () => {
  const citation = read('CITATION.cff');
  const code = repository.url.replace(/^git\+|\.git$/g, '');
  for (const line of [`version: ${version}`, `license: ${license}`, `repository-code: ${code}`]) {
    assert.ok(citation.split('\n').includes(line), line);
  }
  const [, title] = /** @type {RegExpExecArray} */ (/^title: "(.+)"$/m.exec(citation));
  const [, author] = /** @type {RegExpExecArray} */ (/^ {2}- name: (.+)$/m.exec(citation));
  const entry = read('docs/cite.md');
  for (const field of [
    `title = {{${title}}}`,
    `author = {{${author}}}`,
    `version = {${version}}`,
    `url = {${code}}`,
  ])
    assert.ok(entry.includes(field), field);
  const metadata = JSON.parse(read('codemeta.json'));
  assert.deepEqual(
    [metadata.version, metadata.description, metadata.codeRepository, metadata.license],
    [version, description, code, `https://spdx.org/licenses/${license}`],
  );
  assert.match(read('CHANGELOG.md'), new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm'));
});

test('the library in the wheels names no folder, so that two checkouts give the same bytes', () => {
  assert.ok(!readFileSync(path.join(root, 'build/libglassformer.so')).includes(root));
});

test('a release lists its files, by their SHA-256, and no dependency', () => {
  execFileSync('node', ['bindings/build/release.js'], { cwd: root });
  const folder = path.join(root, 'build/release');
  const sum = (file) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
  const files = readdirSync(folder).filter((file) => file !== 'SHA256SUMS');
  assert.deepEqual(
    read('build/release/SHA256SUMS'),
    files.map((file) => `${sum(file)}  ${file}\n`).join(''),
  );
  const bill = JSON.parse(read(`build/release/glassformer-${version}.cdx.json`));
  assert.deepEqual(
    [bill.bomFormat, bill.metadata.component.name, bill.components, bill.dependencies],
    ['CycloneDX', 'glassformer', [], [{ ref: `glassformer@${version}`, dependsOn: [] }]],
  );
});

test('the page of the wheel names the repository, and has no dead link', {
  skip: onlyInFull,
}, () => {
  execFileSync('make', ['python'], { cwd: root, stdio: 'ignore' });
  const [wheel] = readdirSync(path.join(root, 'build')).filter(
    (file) => file.startsWith(`glassformer-${version}-`) && file.endsWith('.whl'),
  );
  const code = `import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())`;
  const inside = `glassformer-${version}.dist-info/METADATA`;
  const page = execFileSync('python3', ['-c', code, path.join(root, 'build', wheel), inside], {
    encoding: 'utf8',
  });
  const home = repository.url.replace(/^git\+|\.git$/g, '');
  assert.match(page, new RegExp(`^Project-URL: Repository, ${home}$`, 'm'));
  const targets = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
  assert.ok(targets.length > 5, String(targets.length));
  assert.deepEqual(
    targets.filter((target) => !/^(https:|#)/.test(target)),
    [],
  );
});

test('two packs, in two folders, have the same bytes', { skip: onlyInFull }, () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'glassformer-'));
  const packed = () => {
    const file = `build/glassformer-${version}.tgz`;
    return [root, folder].map((place) => {
      execFileSync('node', ['bindings/build/package.js'], { cwd: place });
      return readFileSync(path.join(place, file));
    });
  };
  try {
    const isLeftOut = (name) =>
      name === path.join(root, 'build') || /\/(node_modules|\.git)$/.test(name);
    cpSync(root, folder, { recursive: true, filter: (name) => !isLeftOut(name) });
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const [first, second] = packed();
    assert.ok(first.equals(second));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('actionlint finds nothing in the workflows', { skip: onlyInFull }, () => {
  execFileSync('go', ['run', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
});
