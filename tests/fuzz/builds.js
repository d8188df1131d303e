// Runs random programs in every build and compares all bits: `node tests/fuzz/builds.js SECONDS SEED`, where seed 0 stands for
// another one each time. What differs is made as small as it gets and kept in corpus/builds/, where the tests find it.
//
// One program is a list of lines (see run-lines.js): the core in C, JavaScript and Python each read it by a few verbs, of which
// one, push, makes a node of any row of the op table. So a new op needs nothing here.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load } from '../../bindings/index.js';
import { load as loadThreads } from '../../bindings/models/threads/node/index.js';
import { hash } from '../support/program.js';
import { PYTHONPATH, python } from '../support/python.js';
import { programOf } from './programs.js';
import { isModel, runLines } from './run-lines.js';

const root = path.resolve(import.meta.dirname, '../..');
const scalar = path.join(root, 'build/wasm/glassformer-scalar.wasm');
/** So many programs at a time: a process of Python takes longest to start. */
const CHUNK = 50;

/** @typedef {string[]} Lines of a program, or of what comes of it: a node each */
/** @typedef {(programs: Lines[]) => Promise<Lines[]>} Build gives nothing for a program that it does not read */

function spawn(command, args, input, env = {}) {
  const options = { input, encoding: /** @type {const} */ ('utf8'), maxBuffer: 2 ** 30 };
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

/** Through tests/native/run.c, which knows no models. @type {Build} */
async function native(programs) {
  const tapes = programs.filter((lines) => !isModel(lines));
  const text = (lines) => [...lines, 'dump', ''].join('\n');
  const all = spawn(path.join(root, 'build/run'), [], tapes.map(text).join(''));
  const results = all.stdout.split('\n\n').map((one) => one.split('\n'));
  if (all.status === 0)
    return programs.map((lines) => (isModel(lines) ? [] : /** @type {Lines} */ (results.shift())));
  if (programs.length === 1) return [[`refused: ${all.stderr.trim()}`]];
  return (await Promise.all(programs.map((lines) => native([lines])))).flat();
}

const KINDS = { f: Float32Array, i: Int32Array };

/** The hash of an array that Python tells. @param {string | null} packed */
function hashOf(packed) {
  if (packed === null) return '-';
  const bytes = Uint8Array.from(Buffer.from(packed.slice(1), 'base64'));
  return hash(new KINDS[packed[0]](bytes.buffer));
}

/** @type {Build} */
async function inPython(programs) {
  const script = path.join(root, 'tests/python/run_lines.py');
  const { status, stdout, stderr } = spawn(python, [script], JSON.stringify(programs), {
    PYTHONPATH,
  });
  if (status !== 0) throw new Error(stderr);
  const line = (one) =>
    typeof one === 'string' ? one : [one[0], ...one.slice(1).map(hashOf)].join(' ');
  return JSON.parse(stdout).map((lines) => lines.map(line));
}

/** Every build by its name, and how to end them: the first is what the others are held against. */
export async function open() {
  const gf = await load({ simd: true });
  const threads = await loadThreads({ threads: 3 });
  const here = (/** @type {any} */ core) => async (/** @type {Lines[]} */ programs) => {
    const results = [];
    for (const lines of programs) results.push(await runLines(core, lines));
    return results;
  };
  const builds = {
    simd: here(gf),
    scalar: here(await load({ module: readFileSync(scalar) })),
    threads: here(threads),
    native,
    python: inPython,
  };
  return { gf, builds, close: () => threads.dispose() };
}

const isRefused = ([first]) => Boolean(first?.startsWith('refused: '));

/** Where two results part; null where they do not. @param {Lines} expected @param {Lines} result */
function difference(expected, result) {
  if (!result.length) return null;
  if (isRefused(expected) && isRefused(result)) return null;
  const length = Math.max(expected.length, result.length);
  const i = Array.from({ length }).findIndex((_, at) => expected[at] !== result[at]);
  return i < 0 ? null : `has "${result[i]}", simd "${expected[i]}"`;
}

/** The programs that some build computes otherwise than the first does.
 * @param {Record<string, Build>} builds @param {Lines[]} programs */
export async function differences({ simd, ...others }, programs) {
  const expected = await simd(programs);
  const found = [];
  for (const [name, build] of Object.entries(others)) {
    for (const [i, result] of (await build(programs)).entries()) {
      const what = difference(expected[i], result);
      const refused = isRefused(expected[i]) !== isRefused(result);
      if (what) found.push({ name, lines: programs[i], what: `${name} ${what}`, refused });
    }
  }
  return found;
}

/** The same difference, with as few lines as it needs: leaves out more and more of them. */
async function shrunk(builds, { name, lines, refused }) {
  const two = { simd: builds.simd, [name]: builds[name] };
  const differs = async (fewer) =>
    (await differences(two, [fewer])).some((one) => one.refused === refused);
  let kept = lines;
  for (let size = kept.length >> 1; size; size >>= 1) {
    /* From the end: what is read stands before what reads it. */
    for (let at = kept.length - size; at > -size; at -= size) {
      const fewer = kept.toSpliced(Math.max(at, 0), Math.min(size, at + size));
      if (fewer.length && (await differs(fewer))) kept = fewer;
    }
  }
  return kept;
}

/** Runs random programs until the time is over, or something differs; gives how many.
 * @param {{ gf: any, builds: Record<string, Build> }} opened @param {number} seed
 * @param {(count: number) => boolean} isOver */
export async function fuzz({ gf, builds }, seed, isOver) {
  let count = 0;
  while (!isOver(count)) {
    const programs = Array.from({ length: CHUNK }, () => programOf(gf, seed * 1e6 + count++));
    const found = await differences(builds, programs);
    const [first] = found.sort((a, b) => a.lines.length - b.lines.length);
    if (first) return { count, what: first.what, lines: await shrunk(builds, first) };
  }
  return { count };
}

if (process.argv[1] === import.meta.filename) {
  const [seconds, given] = process.argv.slice(2).map(Number);
  if (!(seconds > 0) || !(given >= 0)) {
    console.error('usage: node tests/fuzz/builds.js SECONDS SEED');
    process.exit(2);
  }
  const seed = given || Math.floor(Math.random() * 2000);
  const opened = await open();
  const end = performance.now() + 1000 * seconds;
  const { count, what, lines } = await fuzz(opened, seed, () => performance.now() > end);
  console.log(`builds: ${count} programs in ${seconds} s, seed ${seed}`);
  if (lines) {
    const text = `${lines.join('\n')}\n`;
    const folder = path.join(root, 'tests/fuzz/corpus/builds');
    mkdirSync(folder, { recursive: true });
    const name = `${createHash('sha1').update(text).digest('hex').slice(0, 12)}.txt`;
    writeFileSync(path.join(folder, name), text);
    console.error(`${what}\n${path.join(folder, name)}\n${text}`);
    process.exitCode = 1;
  }
  opened.close();
}
