// The programs of docs/headless for many machines: nothing is lost or done twice, though a worker is killed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load, readModel } from '../bindings/index.js';
import { blocks } from './support/markdown.js';
import { onlyInFull, REASONS } from './support/skips.js';

const root = path.resolve(import.meta.dirname, '..');
const headless = path.join(root, 'docs/headless');
const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-cluster-'));
after(() => rmSync(folder, { recursive: true }));
const place = (name) => path.join(folder, name);

const venv = path.join(root, 'build/cluster-venv');
const python = path.join(venv, 'bin/python');
const PACKAGES = ['dask', 'distributed', 'pandas', 'pyarrow'];
const has = (command, ...args) => spawnSync(command, args).status === 0;

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function run(command, args, env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: headless, ...env },
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout;
}

/** A program that does what entropies.py does, writes down what it did, and kills its process where the file `kill`
 * tells it to, once: before it gives its results, or as soon as they are written (`kill-late`). */
const FATAL = `
import os, signal
from pathlib import Path
import entropies, pandas
SCHEMA = entropies.SCHEMA
FOLDER = Path(${JSON.stringify(folder)})
class Late(pandas.DataFrame):
    def to_parquet(self, *given, **options):
        super().to_parquet(*given, **options)
        os.kill(os.getpid(), signal.SIGKILL)
def due(name, frame):
    if 700 not in set(frame["id"]):
        return False
    try:
        (FOLDER / name).unlink()
    except FileNotFoundError:
        return False
    return True
def work(frame, model):
    killed = due("kill", frame)
    made = entropies.work(frame, model)
    if killed:
        os.kill(os.getpid(), signal.SIGKILL)
    if due("kill-late", frame):
        return Late(made)
    with open(FOLDER / "done", "a") as done:
        done.write("".join(f"{row}\\n" for row in frame["id"]))
    return made
`;

const READ = `
import json, sys, pandas
print(pandas.read_parquet(sys.argv[1]).to_json(orient="records", double_precision=15))
`;
const rowsOf = (name) => JSON.parse(run(python, ['-c', READ, place(name)]));
const doneSince = () => {
  const ids = readFileSync(place('done'), 'utf8').trim().split('\n').map(Number);
  rmSync(place('done'));
  return ids.sort((a, b) => a - b);
};

/** The mean entropy of each head's weights, from what the JavaScript package computes. */
function entropiesOf(model, tokens) {
  const run = model.forward({ target: [tokens] });
  const found = run.tape.nodes
    .filter(({ role, op }) => role === 'weight' && op === 'softmax')
    .flatMap(({ data, shape: [, heads, queries, keys] }) =>
      Array.from({ length: heads }, (_, head) => {
        const size = queries * keys;
        const own = data.subarray(head * size, (head + 1) * size);
        return own.reduce((sum, p) => sum - (p && p * Math.log2(p)), 0) / queries;
      }),
    );
  run.dispose();
  return found;
}

describe('rows by the million, on many machines', { skip: onlyInFull }, () => {
  const every = Array.from({ length: 1600 }, (_, i) => i);
  const args = [place('fatal.py'), place('model.safetensors'), place('rows')];
  let whole;

  before(() => {
    run('make', ['build/python/stamp', 'MAKEFLAGS=']);
    const wheel = run('python3', ['bindings/python/wheel.py']).trim();
    run('python3', ['-m', 'venv', '--clear', venv]);
    run(python, ['-m', 'pip', 'install', '--quiet', wheel, ...PACKAGES]);
    writeFileSync(place('fatal.py'), FATAL);
    run(python, ['docs/headless/entropies.py', folder]);
  });

  test('the program of docs/headless/cluster.md gives the columns that it names', () => {
    const [code] = blocks('docs/headless/cluster.md', 'python');
    const frame = 'pandas.DataFrame({"id": [7], "tokens": [[3, 1, 4]]})';
    const told = run(python, [
      '-c',
      `import pandas\n${code}\nprint(SCHEMA, work(${frame}, None).to_json(orient="records"))`,
    ]);
    assert.equal(told, 'id long, tokens int [{"id":7,"tokens":3}]\n');
  });

  test('Dask: a killed worker loses nothing, and its file is computed again', async () => {
    writeFileSync(place('kill'), '');
    const told = run(python, [
      'docs/headless/dask_map.py',
      ...args,
      place('dask'),
      '--workers',
      '2',
    ]);
    assert.match(told, /^0 of 8 files are there\n/);
    assert.deepEqual(doneSince(), every);
    whole = rowsOf('dask');
    assert.deepEqual(
      whole.map(({ id }) => id).sort((a, b) => a - b),
      every,
    );
    const gf = await load();
    const model = gf.open(readModel(readFileSync(place('model.safetensors'))));
    const given = new Map(rowsOf('rows').map(({ id, tokens }) => [id, tokens]));
    for (const { id, entropy } of whole.filter((_, i) => i % 97 === 0)) {
      for (const [head, bits] of entropiesOf(model, given.get(id)).entries()) {
        assert.ok(Math.abs(bits - entropy[head]) < 1e-9, `row ${id}, head ${head}`);
      }
    }
    model.dispose();
  });

  test('Dask: what is there stays, the rest is computed, though a worker dies with a file written', () => {
    for (const part of ['part-00003.parquet', 'part-00005.parquet']) rmSync(place(`dask/${part}`));
    writeFileSync(place('kill-late'), '');
    const told = run(python, [
      'docs/headless/dask_map.py',
      ...args,
      place('dask'),
      '--workers',
      '2',
    ]);
    assert.match(told, /^6 of 8 files are there\n/);
    assert.ok(!existsSync(place('kill-late')));
    assert.deepEqual(doneSince(), [...every.slice(600, 800), ...every.slice(1000, 1200)]);
    assert.deepEqual(rowsOf('dask'), whole);
  });

  const noSpark = !has('java', '-version') && REASONS.java;
  test('Spark: a killed worker loses nothing, and a second run adds what is missing', {
    skip: noSpark,
  }, () => {
    run(python, ['-m', 'pip', 'install', '--quiet', 'pyspark']);
    /* Of a cluster the default: a task that fails is tried again. */
    const env = {
      PYSPARK_SUBMIT_ARGS: '--master local[2,4] pyspark-shell',
      PYSPARK_PYTHON: python,
    };
    writeFileSync(place('kill'), '');
    const spark = (rows) =>
      run(python, ['docs/headless/spark_map.py', ...args.slice(0, 2), rows, place('spark')], env);
    assert.match(spark(place('rows/part-0000[0-3].parquet')), /^800 rows in [\d.]+ s$/m);
    assert.deepEqual([...new Set(doneSince())], every.slice(0, 800));
    assert.match(spark(place('rows')), /^1600 rows in [\d.]+ s$/m);
    assert.deepEqual(doneSince(), every.slice(800));
    const byId = (rows) => rows.toSorted((a, b) => a.id - b.id);
    assert.deepEqual(byId(rowsOf('spark')), byId(whole));
  });
});
