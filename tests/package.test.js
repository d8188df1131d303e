// The npm package as its users get it: packed, installed in a fresh folder, imported, bundled, typed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { build } from 'vite';
import * as glassformer from '../bindings/index.js';
import { program } from './bindings/forms.js';
import { pack } from './consumers/pack.js';
import { compile, sources } from './consumers/typescript/compile.js';
import { filesNamed, linksOf } from './support/markdown.js';
import { waits } from './support/sample.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (name) => join(root, 'node_modules/.bin', name);

/** A folder with the package installed, and the tarball that it came from. */
let folder;
let tarball;

/** Runs a program in the folder; returns what it wrote. */
function run(program, ...args) {
  const options = { cwd: folder, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

function write(name, text) {
  writeFileSync(join(folder, name), text);
  return name;
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'glassformer-'));
  write('package.json', '{ "name": "consumer", "private": true, "type": "module" }');
  tarball = pack();
  run('npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball);
});

after(() => rmSync(folder, { recursive: true }));

test('it holds the sources, what is generated, the types, and nothing else', () => {
  const installed = join(folder, 'node_modules/glassformer');
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  const known = [
    /^(package\.json|README\.md|LICENSE)$/,
    /^bindings\/(?!build\/|generated\/)([\w-]+\/)*[\w-]+\.js$/,
    /^bindings\/(README\.md|(core|element|anywidget|disposable)\.d\.ts)$/,
    /^bindings\/data\/models\/[\w-]+\.safetensors$/,
    /^bindings\/generated\/((simd|threads|relaxed|unpack|examples|families|languages|layout|(exercises|checker)-words|sentences|ops|server-py)\.js|glassformer\.wasm)$/,
    /^bindings\/generated\/(element|anywidget|assignment|french-english|lessons|motion)\.js$/,
    /^bindings\/generated\/figures\/(embed\.html|(element\.classic|anywidget|stories)\.js)$/,
    /^docs\/schemas\/\w+\.schema\.json$/,
    /^bindings\/generated\/types\/([\w-]+\/)*[\w-]+\.d\.ts$/,
  ];
  const strange = files.filter((file) => !known.some((pattern) => pattern.test(file)));
  assert.deepEqual(strange, []);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const key of ['dependencies', 'devDependencies', 'scripts']) {
    assert.equal(manifest[key], undefined, key);
  }
  assert.match(manifest.repository.url, /^git\+https:/);
});

test('it takes at most 5 MB, of which types are at most 0.5', () => {
  const installed = join(folder, 'node_modules/glassformer');
  const sizes = (at) =>
    readdirSync(join(installed, at), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  assert.ok(sizes('.') <= 5_000_000, `${sizes('.')} bytes`);
  assert.ok(sizes('bindings/generated/types') <= 500_000);
});

test('its modules are minified, and name what they load so that bundlers find it', () => {
  const bindings = join(folder, 'node_modules/glassformer/bindings');
  const engine = readFileSync(join(bindings, 'js/runtime/engine.js'), 'utf8');
  assert.doesNotMatch(engine, /^\s|@param/m);
  const all = readdirSync(bindings, { recursive: true })
    .filter((name) => name.endsWith('.js') && !name.startsWith('generated/'))
    .map((name) => readFileSync(join(bindings, name), 'utf8'))
    .join('\n');
  /* Node prints the line that an error comes from. */
  const lines = all.split('\n').map(({ length }) => length);
  assert.ok(Math.max(...lines) <= 500, `${Math.max(...lines)} characters`);
  for (const ending of ['script.js', 'glassformer.wasm'])
    assert.match(all, new RegExp(`new URL\\("[./\\w-]*${ending}",import\\.meta\\.url\\)`));
  assert.doesNotMatch(all, /\b(new URL|import)\(`[^$`]*`/);
  /* Bundlers leave out what is not used only if it is marked. */
  assert.match(all, /\/\* @__PURE__ \*\/ ?sentences\(/);
});

test('every link in its pages leads to a file in it', () => {
  const installed = join(folder, 'node_modules/glassformer');
  const pages = readdirSync(installed, { recursive: true }).filter((name) => name.endsWith('.md'));
  assert.deepEqual(
    pages.filter((page) => !page.startsWith('docs/schemas/')),
    ['README.md'],
  );
  const dead = pages.flatMap((page) =>
    linksOf(readFileSync(join(installed, page), 'utf8'))
      .map((link) => link.split('#')[0])
      .filter((file) => file && !existsSync(join(installed, dirname(page), file)))
      .map((file) => `${page}: ${file}`),
  );
  assert.deepEqual(dead, []);
});

test('a page that imports load alone gets at most 84 kB, packed', async () => {
  const input = join(folder, write('core.js', "export { load } from 'glassformer';\n"));
  const bundle = await rolldown({ input, cwd: folder });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const { length } = gzipSync(output[0].code, { level: 9 });
  assert.ok(length > 40_000 && length <= 84_000, `${length} bytes`);
});

test('the figures’ code is in it once; glassformer figures makes every file of it, with its notices', () => {
  const generated = join(folder, 'node_modules/glassformer/bindings/generated');
  const large = readdirSync(generated, { recursive: true }).filter(
    (name) => /\.(js|html)$/.test(name) && readFileSync(join(generated, name)).includes('gf-state'),
  );
  assert.deepEqual(
    large.filter((name) => !/^(anywidget\.js|figures\/)/.test(name)),
    ['element.js'],
  );
  for (const name of large.filter((name) => name !== 'element.js')) {
    assert.ok(readFileSync(join(generated, name)).length < 20_000, name);
  }
  const written = JSON.parse(run('npx', 'glassformer', 'figures', 'course', '--json')).files;
  assert.equal(written.length, 8);
  for (const file of written.filter(
    (name) => !/(french-english|lessons|motion|stories)\.js$/.test(name),
  )) {
    const text = readFileSync(join(folder, file), 'utf8');
    assert.ok(text.length > 400_000, `${file}: ${text.length}`);
    for (const notice of [
      /lit-html \d.*BSD-3-Clause/,
      /Redistribution and use in source and binary/,
    ]) {
      assert.match(text, notice, file);
    }
  }
  for (const file of ['element.js', 'lessons.js', 'motion.js'])
    assert.match(readFileSync(join(generated, file), 'utf8'), /Redistribution and use/, file);
});

test('every package of every lock file is held by its digest', () => {
  const locks = filesNamed('package-lock.json');
  assert.ok(locks.length > 10);
  for (const lock of locks) {
    const { packages } = JSON.parse(readFileSync(join(root, lock), 'utf8'));
    const loose = Object.entries(packages)
      .filter(([name, { link, integrity }]) => name && !link && !integrity)
      .map(([name]) => `${lock}: ${name}`);
    assert.deepEqual(loose, []);
  }
});

test('it runs by import and by require', () => {
  const use = `load().then((gf) => console.log(JSON.stringify(gf.matmul([[2]], [[3]]))));`;
  write('import.js', `import { load } from 'glassformer';\n${use}`);
  assert.equal(run(process.execPath, 'import.js'), '[[6]]\n');
  write('require.cjs', `const { load } = require('glassformer');\n${use}`);
  assert.match(run(process.execPath, '--no-warnings', 'require.cjs'), /^\[\[6\]\]\n$/);
});

test('glassformer/core.wasm is the module that load takes', () => {
  write(
    'external.js',
    `import { readFileSync } from 'node:fs';
    import { load } from 'glassformer';
    const module = readFileSync(new URL(import.meta.resolve('glassformer/core.wasm')));
    console.log((await load({ module })).exp(0));`,
  );
  assert.equal(run(process.execPath, 'external.js'), '1\n');
});

test('glassformer/external reads the core from its own file, and tells which one is not there', () => {
  const use = `import { load } from 'glassformer/external';
    console.log((await load()).exp(0));`;
  write('files.js', use);
  assert.equal(run(process.execPath, 'files.js'), '1\n');
  write(
    'fetches.js',
    `import { readFileSync } from 'node:fs';
    const here = new URL('./node_modules/glassformer/bindings/', import.meta.url);
    const { load } = await import(new URL('js/external/index.js', here));
    const answers = [[200, 'generated/glassformer.wasm'], [200, 'core.d.ts'], [404, 'core.d.ts']];
    globalThis.fetch = async () => {
      if (!answers.length) throw new TypeError('offline');
      const [status, file] = answers.shift();
      return new Response(readFileSync(new URL(file, here)), { status });
    };
    for (let i = 0; i < 4; i++) {
      await load().then((gf) => console.log(gf.exp(0)), ({ code, message }) => console.log(code, message));
    }`,
  );
  const [good, page, missing, offline] = run(process.execPath, 'fetches.js').split('\n');
  const address = /file:\S+\/generated\/glassformer\.wasm/.source;
  assert.equal(good, '1');
  assert.match(page, new RegExp(`^GF_EMODULE .* bytes of ${address} are not WebAssembly`));
  assert.match(missing, new RegExp(`^GF_EMODULE .* could not fetch the core from ${address}: 404`));
  assert.match(
    offline,
    new RegExp(`^GF_EMODULE .* could not fetch the core from ${address}: offline`),
  );
});

test('the command is installed, and is a function, too', () => {
  const text = run(join(folder, 'node_modules/.bin/glassformer'), 'examples');
  assert.match(text, /^i-love-robotics +I love robotics$/m);
  write(
    'command.js',
    `import { run } from 'glassformer/cli';
    const written = { stdout: '', stderr: '' };
    const keep = (name) => ({ write: (text, done) => { written[name] += text; done(); } });
    const streams = { stdin: process.stdin, stdout: keep('stdout'), stderr: keep('stderr') };
    const statuses = [await run(['examples'], streams), await run(['x'], streams)];
    console.log(JSON.stringify({ statuses, ...written }));`,
  );
  const told = JSON.parse(run(process.execPath, 'command.js'));
  assert.deepEqual(told.statuses, [0, 2]);
  assert.equal(told.stdout, text);
  assert.match(told.stderr, /^glassformer: unknown command "x"/);
});

test('publint has nothing to say', () => {
  assert.match(run(tool('publint'), tarball, '--strict'), /All good/);
});

test('every entry has types, under each way that modules are found', (t) => {
  if (waits(t)) return;
  run(tool('attw'), tarball, '--profile', 'esm-only');
});

test('the types accept what the README shows, refuse what is wrong, and say what comes out', async () => {
  for (const [name, text] of Object.entries(sources(program(await glassformer.load()))))
    write(name, text);
  compile(folder, root);
});

test('no declaration leaves a type open, or has what an older TypeScript lacks', () => {
  const types = join(folder, 'node_modules/glassformer/bindings');
  /* A template's tree and values have parts of every kind. */
  const files = readdirSync(types, { recursive: true }).filter(
    (name) => name.endsWith('.d.ts') && !/jinja\/(methods|expressions)\.d\.ts$/.test(name),
  );
  assert.ok(files.length > 100);
  const open = files.filter((name) =>
    /\bany\b|Array<ArrayBuffer/.test(codeOf(join(types, name)).replace(/\/\*\*? .*? \*\//g, '')),
  );
  assert.deepEqual(open, []);
});

/** The code of a module without its comments, which may speak of anything. */
const codeOf = (file) => readFileSync(file, 'utf8').replace(/\/\*.*?\*\/|^ *\/\/.*?$/gms, '');

/** The modules that an entry imports, itself included. With "(" those too that it imports later. */
function graph(file, seen = new Set(), later = '(') {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, from] of codeOf(file).matchAll(
    new RegExp(`(?: from |\\bimport[ ${later}])'(\\..+?)'`, 'g'),
  )) {
    graph(join(dirname(file), from), seen, later);
  }
  return seen;
}

test('with the core as a file of its own, it is not inlined besides', () => {
  for (const entry of ['index.js', 'node.js']) {
    const files = [...graph(join(root, 'bindings/js/external', entry))];
    assert.ok(files.some((file) => file.endsWith('engine.js')));
    assert.ok(!files.some((file) => /(simd|unpack)\.js$/.test(file)));
  }
});

test('the entry asks nothing of its host until it opens a file', () => {
  const files = [...graph(join(root, 'bindings/index.js'), new Set(), '')];
  for (const name of ['heap.js', 'simd.js']) {
    assert.ok(files.some((file) => file.endsWith(name)));
  }
  const host = /import\.meta|'node:|fetch\(|\b(window|document|process)\b *[.[]|\bHTMLElement\b/;
  for (const file of files) {
    assert.doesNotMatch(codeOf(file), host, file);
    assert.doesNotMatch(codeOf(file), /^await /m, `${file}: top-level await`);
  }
});

/** Builds a module that imports the package. @param {string} code @param {(file: string) => object} options of the build */
async function built(code, options) {
  const input = join(folder, write('entry.js', code));
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { write: false, ...options(input) },
  });
  return [result].flat()[0].output;
}

/** Bundles a module that imports the package; returns the code, one file without imports. */
async function bundle(code, format) {
  const output = await built(code, (entry) => ({
    lib: { entry, formats: [format], name: 'bundle' },
    rolldownOptions: { output: { codeSplitting: false } },
  }));
  assert.equal(output.length, 1);
  return output[0].code;
}

test('open is a part of its own, without a worker or what is not installed', async () => {
  const load = await built("import { load } from 'glassformer'; load();", (input) => ({
    rolldownOptions: { input },
  }));
  /* What calls hooks comes with the first. */
  assert.deepEqual(
    load.map(({ type, name }) => [type, name]),
    [
      ['chunk', 'entry'],
      ['chunk', 'hooks'],
    ],
  );
  const open = await built("import { open } from 'glassformer'; open('x.gguf');", (input) => ({
    rolldownOptions: { input },
  }));
  assert.ok(open.every(({ type }) => type === 'chunk'));
  assert.ok(open.length > 1);
  assert.doesNotMatch(open.map(({ code }) => code).join(''), /new Worker|optional-peer/);
});

test('a bundle with the elements carries along what they load from beside them', async () => {
  const output = await built("import 'glassformer/element';", (input) => ({
    rolldownOptions: { input },
  }));
  const scripts = ['french-english.js', 'lessons.js', 'motion.js'].map(
    (name) => `generated/${name}`,
  );
  const models = ['french-english', 'stories'].map((name) => `data/models/${name}.safetensors`);
  for (const file of [...scripts, ...models]) {
    const name = basename(file);
    const carried = output.find(({ names }) => names?.includes(name));
    const shipped = join(folder, 'node_modules/glassformer/bindings', file);
    assert.ok(readFileSync(shipped).equals(Buffer.from(carried.source)), name);
    assert.ok(output.find(({ isEntry }) => isEntry).code.includes(carried.fileName), name);
  }
});

test('a bundle, for a page’s script or a module, runs with nothing beside it', async () => {
  const use = `import { load } from 'glassformer';
    export const result = load().then((gf) => gf.matmul([[2]], [[3]]));`;
  const code = await bundle(use, 'iife');
  const names = { WebAssembly, TextEncoder, TextDecoder, FinalizationRegistry, atob };
  const value = await runInNewContext(`${code};bundle.result`, names);
  assert.equal(JSON.stringify(value), '[[6]]');
  write('bundle.js', `${await bundle(use, 'es')};console.log('runs');`);
  assert.equal(run(process.execPath, 'bundle.js'), 'runs\n');
});
