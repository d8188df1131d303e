// The notebooks of docs/notebooks: what they must be as files; and Jupyter runs them from the top to the bottom.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { PYTHONPATH, python } from './support/python.js';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'docs/notebooks');
const names = readdirSync(folder).filter((name) => name.endsWith('.ipynb'));
const made = mkdtempSync(path.join(tmpdir(), 'glassformer-notebooks-'));
after(() => rmSync(made, { recursive: true }));

/** @param {string} name */
const cellsOf = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')).cells;
const codeOf = (name) =>
  cellsOf(name)
    .filter(({ cell_type: kind }) => kind === 'code')
    .map(({ source }) => source.join(''));

/** @param {string} command @param {string[]} args @param {string} [input] */
function run(command, args, input) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    input,
    env: { ...process.env, HOME: made, PYTHONPATH },
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout;
}

test('notebooks are kept as they are before they are run', () => {
  assert.ok(names.length >= 2);
  for (const name of names) {
    const { nbformat, metadata, cells } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    assert.equal(nbformat, 4);
    assert.equal(metadata.kernelspec.name, 'python3');
    const ids = cells.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, name);
    for (const { cell_type: kind, outputs = [], execution_count: count = null } of cells) {
      assert.ok(['markdown', 'code'].includes(kind));
      assert.deepEqual([outputs, count], [[], null], name);
    }
  }
});

const COMPILES =
  'import ast, json, sys; [ast.parse(c, feature_version=(3, 10)) for c in json.load(sys.stdin)]';
test('their code is Python 3.10, and asks the package for what it has', () => {
  run(python, ['-c', COMPILES], JSON.stringify(names.flatMap(codeOf)));
  const init = readFileSync(path.join(root, 'bindings/python/glassformer/__init__.py'), 'utf8');
  const known = new Set([...init.matchAll(/^ {4}"(\w+)",$/gm)].map(([, name]) => name));
  for (const code of names.flatMap(codeOf)) {
    for (const [, name] of code.matchAll(/\bgf\.(\w+)/g)) assert.ok(known.has(name), name);
  }
});

/** Runs each notebook; tells of each code cell what came out. */
const EXECUTE = `
import json, sys
import nbformat
from nbclient import NotebookClient
told = {}
for path in sys.argv[1:]:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    told[path] = {
        cell.id.split("-", 1)[1]: [output.get("text") or output.get("data") for output in cell.outputs]
        for cell in notebook.cells if cell.cell_type == "code"
    }
print(json.dumps(told))
`;
const WIDGET = 'application/vnd.jupyter.widget-view+json';
test('Jupyter runs them from the top to the bottom', () => {
  const files = names.map((name) => path.join(folder, name));
  const told = JSON.parse(
    run(python, ['-c', EXECUTE, ...files])
      .trim()
      .split('\n')
      .at(-1),
  );
  const [byHand, copying] = ['attention-by-hand.ipynb', 'copying-head.ipynb'].map(
    (name) => told[path.join(folder, name)],
  );
  for (const { figure } of [byHand, copying]) assert.ok(figure[0][WIDGET].model_id);
  /* What the text itself gets wrong, of which its page says so. */
  assert.match(byHand.printed.join(''), /^scores\[0, 1\]: the text has 0.8, computed 0.7$/m);
  assert.match(byHand.mark.join(''), /^scores\[/m);
  assert.match(byHand.exercise[0]['text/html'], /<table>/);
  assert.match(copying.scores.join(''), /the copying head: layer 1, head \d/);
});
