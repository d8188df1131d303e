// How much more two workers do than one, in the programs of docs/headless/cluster.md: `make bench-workers`, on a machine
// that does nothing else. Rounds with one worker and with two take turns; seconds are those that the programs print.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'build/workers');
const python = path.join(folder, 'venv/bin/python');
const ROUNDS = 3;
/** What two processes of Dask are to do of the work of one. Spark's own process, and the thread that reads and writes for
 * `map`, work beside even one worker. */
const BAR = 1.8;

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
function run(command, args, env) {
  const options = { cwd: root, encoding: /** @type {const} */ ('utf8'), maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    env: { ...process.env, PYTHONPATH: 'docs/headless', ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

// ---- What is worked on ----

/** 76,800 rows in 16 files, of the rows that entropies.py makes: enough that to begin counts little, as with a million. */
const ROWS = `
import sys
from pathlib import Path
import pandas as pd
folder = Path(sys.argv[1])
few = pd.read_parquet(folder / "rows")
(folder / "many").mkdir()
for part in range(16):
    rows = pd.concat([few] * 48).iloc[part::16].assign(id=lambda frame: range(part * 4800, part * 4800 + len(frame)))
    rows.to_parquet(folder / f"many/part-{part:05}.parquet", index=False)
`;
const GPT = `import { load } from 'glassformer';
const gf = await load();
const model = gf.model({ kind: 'gpt', vocab: 256, dModel: 64, heads: 4, layers: 2, maxLength: 64 });
export default ({ tokens }) => {
  const run = model.forward({ target: [tokens], gradients: false });
  const [first] = run.tensor('decoder.layers.1.self_attn.weights').data;
  run.dispose();
  return first;
};
`;
const ATTEND = `import { load } from 'glassformer';
const gf = await load();
export default ({ q, k, v }) => gf.attention({ q, k, v, causal: true }).weights;
`;

function prepare() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const wheel = run('python3', ['bindings/python/wheel.py']).trim();
  run('python3', ['-m', 'venv', path.join(folder, 'venv')]);
  const packages = ['dask', 'distributed', 'pandas', 'pyarrow', ...(java ? ['pyspark'] : [])];
  run(python, ['-m', 'pip', 'install', '--quiet', wheel, ...packages]);
  run(python, ['docs/headless/entropies.py', folder]);
  run(python, ['-c', ROWS, folder]);
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    writeFileSync(path.join(folder, name), text);
  const lines = (/** @type {number} */ n, /** @type {(i: number) => object} */ row) =>
    Array.from({ length: n }, (_, i) => `${JSON.stringify(row(i))}\n`).join('');
  write('gpt.mjs', GPT);
  write('attend.mjs', ATTEND);
  write(
    'gpt.jsonl',
    lines(6000, (i) => ({ tokens: Array.from({ length: 32 }, (_, t) => (i * 31 + t * 7) % 256) })),
  );
  const matrix = (/** @type {number} */ i) =>
    Array.from({ length: 24 }, (_, r) =>
      Array.from({ length: 16 }, (_, c) => Number(Math.sin(i + r * 16 + c).toFixed(5))),
    );
  write(
    'attend.jsonl',
    lines(12000, (i) => ({ q: matrix(i), k: matrix(i + 1), v: matrix(i + 2) })),
  );
}

const java = spawnSync('java', ['-version']).status === 0;

// ---- How long it takes ----

const headless = (/** @type {string} */ name) => path.join('docs/headless', name);
const at = (/** @type {string} */ name) => path.join(folder, name);

/** @param {string} told */
function secondsOf(told) {
  const found = / in ([\d.]+) s$/m.exec(told);
  if (!found) throw new Error(`no seconds in ${told}`);
  return Number(found[1]);
}

/** @param {string} name of the program's rows, too */
const mapped = (name) => (/** @type {number} */ workers) => {
  const files = [at(`${name}.mjs`), at(`${name}.jsonl`), at('out.jsonl')];
  const flags = ['--workers', String(workers), '--json'];
  return JSON.parse(run('node', ['bindings/cli/bin.js', 'map', ...files, ...flags])).seconds;
};

/** Each with so many workers: seconds.
 * @type {Record<string, (workers: number) => number>} */
const PROGRAMS = {
  'Dask, entropies.py': (workers) => {
    rmSync(at('out'), { recursive: true, force: true });
    const files = [headless('entropies.py'), at('model.safetensors'), at('many'), at('out')];
    return secondsOf(run(python, [headless('dask_map.py'), ...files, '--workers', `${workers}`]));
  },
  ...(java && {
    'Spark, entropies.py': (/** @type {number} */ workers) => {
      rmSync(at('out'), { recursive: true, force: true });
      const files = [headless('entropies.py'), at('model.safetensors'), at('many'), at('out')];
      const env = {
        PYSPARK_SUBMIT_ARGS: `--master local[${workers}] pyspark-shell`,
        PYSPARK_PYTHON: python,
      };
      return secondsOf(run(python, [headless('spark_map.py'), ...files], env));
    },
  }),
  '`glassformer map`, a GPT of two layers': mapped('gpt'),
  '`glassformer map`, attend.mjs': mapped('attend'),
};

const median = (/** @type {number[]} */ list) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const told = (/** @type {number[]} */ list) =>
  `${median(list).toFixed(1)} s (${Math.min(...list).toFixed(1)} to ${Math.max(...list).toFixed(1)})`;

prepare();
console.log('| tool and program | one worker | two workers | speed-up |');
console.log('| --- | --- | --- | --- |');
for (const [name, seconds] of Object.entries(PROGRAMS)) {
  /** @type {[number[], number[]]} */
  const rounds = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of [1, 2]) rounds[workers - 1].push(seconds(workers));
  }
  const [one, two] = rounds;
  const more = median(one) / median(two);
  console.log(`| ${name} | ${told(one)} | ${told(two)} | ${more.toFixed(2)} × |`);
  if (name.startsWith('Dask') && more < BAR) process.exitCode = 1;
}
