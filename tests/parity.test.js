// One source, one set of bits: every value and every gradient of many tapes is the same natively,
// under other compilers and flags, in WebAssembly with SIMD and without.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { gzipSync } from 'node:zlib';
import * as glassformer from '../bindings/index.js';
import { load } from '../bindings/models.js';
import { golden, hashOf, programsOf } from './consumers/golden.js';
import { BUILDS } from './support/builds.js';
import { randomModel } from './support/models.js';
import { ofExample } from './support/program.js';
import { full, sample } from './support/sample.js';
import { INTEGER_TYPES, ofStored, TYPES } from './support/stored.js';

const root = path.resolve(import.meta.dirname, '..');
const MODELS = 60;

const files = readdirSync(path.join(root, 'bindings/data/examples')).sort();
/* The examples of attention and positions; of a norm and of schedules the training below tells. */
const examples = files
  .map((file) => JSON.parse(readFileSync(path.join(root, 'bindings/data/examples', file), 'utf8')))
  .filter(({ attention, positions }) => attention || positions)
  .map((example) => ({ name: example.name, program: ofExample(example) }));
const models = Array.from({ length: MODELS }, (_, i) => ({
  name: `random model, seed ${i + 1}`,
  program: randomModel(i + 1),
}));
const stored = [
  ...TYPES.map((type) => ({ name: `stored as ${type}`, program: ofStored(type) })),
  ...INTEGER_TYPES.map((type) => ({
    name: `stored as ${type}, multiplied in integers`,
    program: ofStored(type, 'integer'),
  })),
];
const programs = [...examples, ...models];

/** Runs a native build, one of another processor in an emulator. */
function execute(runner, emulator, input) {
  const file = path.join(root, runner);
  const [command, ...args] = emulator ? [emulator, file] : [file];
  /* Wine keeps its Windows in a folder. */
  const env = { ...process.env, WINEPREFIX: path.join(root, 'build/wine') };
  return spawnSync(command, args, { input, env, encoding: 'utf8' });
}

/** A line per node, from a native build of tests/native/run.c. */
function native(program, runner = 'build/run', emulator) {
  const { status, stdout, stderr } = execute(runner, emulator, program.text);
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split(/\r?\n/);
}

/** The hash of 200 steps of training, by a native build of tests/native/train.c. */
const trained = (trainer, emulator) => execute(trainer, emulator).stdout.trim();

/** Tells where the bits part: at the first value, or else at the last gradient, which comes first. */
function compare(lines, expected) {
  assert.equal(lines.length, expected.length);
  const differs = (part) => (line, i) => line.split(' ')[part] !== expected[i].split(' ')[part];
  const [value, gradient] = [lines.findIndex(differs(1)), lines.findLastIndex(differs(2))];
  const i = value >= 0 ? value : gradient;
  if (i >= 0) assert.fail(`${lines[i]}, but build/run has ${expected[i]}`);
}

for (const [build, options] of Object.entries(BUILDS)) {
  describe(`wasm ${build} has the bits of the native build`, async () => {
    const gf = await load(options);
    for (const { name, program } of [...programs, ...stored]) {
      test(name, () => compare(program.run(gf), native(program)));
    }
  });
}

const COMPILERS = [
  ['gcc', '-O3', '-march=native'],
  ['clang', '-O2'],
  ['gcc', '-O1'],
  ['clang', '-O3', '-march=native'],
];
/* Another processor, Windows, and a Linux without glibc; static, so that nothing looks for libraries. */
const ELSEWHERE = [
  { compiler: 'aarch64-linux-gnu-gcc', flags: ['-O2', '-static'], emulator: 'qemu-aarch64' },
  { compiler: 'x86_64-w64-mingw32-gcc', flags: ['-O2', '-static'], emulator: 'wine' },
  { compiler: 'musl-gcc', flags: ['-O2', '-static'] },
];
const here = sample(COMPILERS, 1).map(([compiler, ...flags]) => ({ compiler, flags }));
for (const { compiler, flags, emulator } of full ? [...here, ...ELSEWHERE] : here) {
  const label = [compiler, ...flags].join(' ');
  test(`${label} has the bits of the native build`, () => {
    const folder = path.join('build/parity', label.replaceAll(' ', ''));
    mkdirSync(path.join(root, folder), { recursive: true });
    /* Windows runs what ends so; the others do not mind. */
    const [runner, trainer] = [`${folder}/run.exe`, `${folder}/train.exe`];
    const sources = readdirSync(path.join(root, 'src'), { recursive: true })
      .filter((file) => file.endsWith('.c'))
      .map((file) => path.join('src', file));
    const strict = ['-std=c11', '-ffp-contract=off', '-fno-math-errno', '-Isrc', ...flags];
    const library = `${folder}/library.o`;
    for (const args of [
      [...sources, '-r', '-o', library],
      ['tests/native/run.c', library, '-o', runner],
      ['tests/native/train.c', library, '-o', trainer],
    ]) {
      const { status, stderr } = spawnSync(compiler, [...strict, ...args], {
        cwd: root,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
    }
    assert.equal(trained(trainer, emulator), trained('build/train'));
    for (const { name, program } of [...programs, ...stored]) {
      try {
        compare(native(program, runner, emulator), native(program));
      } catch (error) {
        assert.fail(`${name}: ${error.message}`);
      }
    }
  });
}

for (const kind of Object.keys(BUILDS)) {
  test(`200 steps of training: wasm ${kind} has the bits of the native build`, () => {
    const bytes = readFileSync(path.join(root, `build/train-${kind}.wasm`));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    const half = (upper) => (exports.train_hash(upper) >>> 0).toString(16).padStart(8, '0');
    assert.equal(half(1) + half(0), trained('build/train'));
  });
}

for (const [build, options] of Object.entries(BUILDS)) {
  test(`what each consumer computes: the package, ${build}, has the bits of the native build`, async () => {
    const [examined, training] = (await golden(glassformer, options)).split(' ');
    const lines = programsOf(glassformer.examples).flatMap((program) => native(program));
    assert.equal(examined, hashOf(lines.join('\n')));
    assert.equal(training, trained('build/train'));
  });
}

test('the bits of the worked examples, of stored parameters and of the training are those of golden.txt', () => {
  const lines = [...examples, ...stored].map(({ name, program }) => {
    const dump = native(program).join('\n');
    return `${name.replaceAll(' ', '-')} ${createHash('sha256').update(dump).digest('hex').slice(0, 16)}`;
  });
  lines.push(`training ${trained('build/train')}`);
  const golden = readFileSync(path.join(root, 'tests/golden.txt'), 'utf8').trimEnd();
  const message = 'tests/golden.txt may change only in a commit that says why the bits change';
  assert.deepEqual(lines, golden.split('\n'), message);
});

const LIMITS = {
  glassformer: [157_000, 56_000],
  'glassformer-threads': [162_000, 57_000],
  'glassformer-relaxed': [193_000, 68_000],
};
/** Memory that threads share comes from outside. */
const IMPORTS = { 'glassformer-threads': [{ module: 'env', name: 'memory', kind: 'memory' }] };
/* Node 20 has relaxed SIMD behind a flag, which newer versions ignore. */
setFlagsFromString('--experimental-wasm-relaxed-simd');
for (const [name, [most, packed]] of Object.entries(LIMITS)) {
  test(`${name}.wasm imports nothing but shared memory, and is smaller than ${most / 1000} kB, ${packed / 1000} kB compressed`, () => {
    const bytes = readFileSync(path.join(root, `build/wasm/${name}.wasm`));
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    assert.deepEqual(imports, IMPORTS[name] ?? []);
    assert.ok(bytes.length <= most, `it has ${bytes.length} bytes`);
    const { length } = gzipSync(bytes, { level: 9 });
    assert.ok(length <= packed, `compressed it has ${length} bytes`);
  });
}
