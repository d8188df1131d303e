// Installs the packed package in projects of every kind, builds and runs them, and compares what they
// computed: node tests/consumers/run.js [NAME...]

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import * as glassformer from '../../bindings/index.js';
import { golden } from './golden.js';
import { pack, unpack } from './pack.js';
import { provenance } from './provenance.js';
import { table } from './table.js';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
/** For a step that hangs; a machine at work elsewhere may take its time. */
const MINUTES = 15;

const foldersIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
        .map(({ name }) => name)
    : [];
const consumers = foldersIn(here);
const embedded = path.join(root, 'tests/embeds');
const embeds = foldersIn(embedded).filter((name) =>
  existsSync(path.join(embedded, name, `${name}.test.js`)),
);

const CORE = 'core.wasm';
const PLAYGROUND = 'playground';
const known = [CORE, ...consumers, PLAYGROUND, ...embeds];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !known.includes(name));
if (unknown) {
  console.error(`there is no ${unknown}; there are ${known.join(' ')}`);
  process.exit(2);
}
const chosen = (names) => names.filter((name) => !wanted.length || wanted.includes(name));

const progress = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

/** Runs a program; returns what it printed, or fails with all that it said. */
function run(cwd, program, ...args) {
  const child = spawn(program, args, { cwd, timeout: MINUTES * 60_000 });
  let out = '';
  let all = '';
  child.stdout.on('data', (text) => {
    out += text;
    all += text;
  });
  child.stderr.on('data', (text) => {
    all += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(out);
      else reject(new Error(`${program} ${args.join(' ')}: status ${status}\n${all}`));
    });
  });
}

/** The tools of a project, once, and the package. */
async function install(folder, tarball) {
  const lock = path.join(folder, 'package-lock.json');
  const done = path.join(folder, 'node_modules/.package-lock.json');
  const fresh = () => existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs;
  if (existsSync(lock) && !fresh()) {
    await run(folder, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund');
  }
  if (tarball) unpack(tarball, folder);
}

/** The versions that a project asks for. */
const versions = ({ dependencies = {} }) =>
  Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');

/** Installs, builds and runs a project. A row for each of its ways, or one for what went wrong. */
async function consume(name, tarball, expected) {
  const folder = path.join(here, name);
  const project = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const row = { name, tools: versions(project), build: '-', result: '-', way: '', seconds: 0 };
  const begin = performance.now();
  const rows = [];
  try {
    progress(`${name}: install`);
    await install(folder, tarball);
    if (project.scripts.build) {
      progress(`${name}: build`);
      rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
      row.build = 'failed';
      await run(folder, 'npm', 'run', '--silent', 'build');
      row.build = 'ok';
    }
    progress(`${name}: run`);
    row.result = 'failed';
    const printed = await run(folder, 'npm', 'start', '--silent');
    for (const line of printed.trim().split('\n')) {
      const [way, hashes] = line.split('\t');
      rows.push({ ...row, way, result: hashes === expected ? 'ok' : `other: ${hashes}` });
    }
  } catch (error) {
    rows.push({ ...row, way: 'failed', error });
  }
  const seconds = (performance.now() - begin) / 1000;
  return rows.map((one) => ({ ...one, seconds }));
}

/** A row about work that succeeds or fails as a whole. */
async function whole(row, work) {
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  try {
    await work();
    return { build: '-', tools: '', ...row, result: 'ok', seconds: seconds() };
  } catch (error) {
    return { build: '-', tools: '', ...row, result: 'failed', error, seconds: seconds() };
  }
}

const rows = [];
if (chosen([CORE]).length) {
  progress(`${CORE}: two clean builds`);
  rows.push(
    await whole({ name: CORE, way: 'two clean builds' }, async () => {
      console.log(`sha256 of the core: ${(await provenance(run)).join(', ')}`);
    }),
  );
}
if (chosen(consumers).length) {
  progress('pack');
  const tarball = pack();
  const expected = await golden(glassformer);
  await install(here);
  for (const name of chosen(consumers)) rows.push(...(await consume(name, tarball, expected)));
  console.log(`the package in ${process.version}: ${expected}\n`);
}
if (chosen([PLAYGROUND]).length) {
  progress(`${PLAYGROUND}: test`);
  const test = async () => {
    await install(here);
    await run(root, process.execPath, 'tests/run.js', 'web/firefox.test');
  };
  rows.push(await whole({ name: PLAYGROUND, way: 'Chromium and Firefox' }, test));
}
for (const name of chosen(embeds)) {
  progress(`${name}: test`);
  const test = async () => {
    await install(path.join(embedded, name));
    if (name === 'jupyter') await run(root, 'make', 'setup-jupyter');
    await run(root, process.execPath, 'tests/run.js', `embeds/${name}/`);
  };
  rows.push(await whole({ name, way: 'its tests' }, test));
}
progress('');

for (const { name, error } of rows) if (error) console.log(`${name}: ${error.message}\n`);
const cells = rows.map(({ name, tools, way, build, result, seconds }) => [
  ...[name, tools, way, build, result],
  `${seconds.toFixed(1)} s`,
]);
console.log(table(['', 'with', 'engine, way', 'build', 'hashes', 'time'], cells));
const bad = rows.filter(({ result }) => result !== 'ok').length;
console.log(`\n${rows.length - bad} ok, ${bad} not`);
process.exitCode = bad ? 1 : 0;
