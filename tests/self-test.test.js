// The bits rest on IEEE arithmetic. Flags that would bend it are refused or without effect, and what slips
// through, gf_self_test reports.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { sample, waits } from './support/sample.js';
import { REASONS } from './support/skips.js';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'build/self-test');
mkdirSync(folder, { recursive: true });

const GF_OK = 0;
const GF_EBITS = -8;

const execute = (command, args) => spawnSync(command, args, { cwd: root, encoding: 'utf8' });

const x86 = process.arch !== 'x64' && REASONS.x86;

/** A program that prints what gf_self_test returns. */
function build(name, compiler, flags, sources) {
  const program = path.join(folder, name);
  const args = [...flags, '-Isrc', 'tests/native/self_test.c', ...sources, '-lm', '-o', program];
  const { status, stderr } = execute(compiler, args);
  assert.equal(status, 0, stderr);
  return program;
}

/** @param {string} program @param {string[]} [args] */
const selfTest = (program, args = []) => Number(execute(program, args).stdout);

for (const compiler of ['gcc', 'clang']) {
  for (const flag of ['-ffast-math', '-Ofast', '-ffinite-math-only']) {
    test(`${compiler} refuses ${flag}`, () => {
      const args = ['-std=c11', flag, '-Isrc', '-fsyntax-only', 'src/op/softmax.c'];
      const { status, stderr } = execute(compiler, args);
      assert.notEqual(status, 0);
      assert.match(stderr, /IEEE arithmetic/);
    });
  }
}

for (const flag of [
  '-fassociative-math -fno-signed-zeros -fno-trapping-math',
  '-freciprocal-math',
]) {
  test(`gcc refuses ${flag}`, () => {
    const args = [...flag.split(' '), '-Isrc', '-fsyntax-only', 'src/op/softmax.c'];
    assert.match(execute('gcc', args).stderr, /IEEE arithmetic/);
  });
}

test('gcc refuses a machine that rounds to more than the type', { skip: x86 }, () => {
  const args = ['-mfpmath=387', '-Isrc', '-fsyntax-only', 'src/op/softmax.c'];
  assert.match(execute('gcc', args).stderr, /rounds each operation to its type/);
});

const fma = !/^flags.* fma /m.test(readFileSync('/proc/cpuinfo', 'utf8')) && REASONS.fma;
const contracted = /\bv?fn?m(add|sub)/;
const everything = readdirSync(path.join(root, 'src'), { recursive: true })
  .filter((file) => file.endsWith('.c'))
  .map((file) => path.join('src', file));

for (const compiler of sample(['gcc', 'clang'], 1)) {
  const flags = ['-std=gnu11', '-O1', '-mfma', '-ffp-contract=fast'];
  const label = [compiler, ...flags].join(' ');
  test(`${label}: nothing is contracted, or it is reported`, { skip: fma }, (t) => {
    if (waits(t)) return;
    const program = build(label.replaceAll(/[ =]/g, ''), compiler, flags, everything);
    const code = execute('objdump', ['-d', program]).stdout;
    assert.equal(selfTest(program), contracted.test(code) ? GF_EBITS : GF_OK);
    if (compiler === 'gcc') assert.doesNotMatch(code, contracted);
  });
}

test('without liberties the bits are right; with another rounding mode they are not', () => {
  const program = build('strict', 'cc', ['-std=c11'], ['build/libglassformer.a']);
  assert.equal(selfTest(program), GF_OK);
  assert.equal(selfTest(program, ['upward']), GF_EBITS);
});

test('a program linked for fast math, whose tiny numbers are 0, is reported', { skip: x86 }, () => {
  const program = build('flushed', 'gcc', ['-ffast-math'], ['build/libglassformer.a']);
  assert.equal(selfTest(program), GF_EBITS);
});
