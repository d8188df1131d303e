// JupyterLite in Chromium, where PyTorch cannot be installed: a notebook installs our wheel and trains a small model. All comes
// from one folder; nothing is asked of another host.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { onlyInFull } from '../support/skips.js';
import { launch, serve } from '../web/browser.js';

const root = path.resolve(import.meta.dirname, '../..');
const runIn = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const run = (program, ...args) => runIn(root, program, ...args);

const CODE = `
import piplite
await piplite.install("glassformer")
import glassformer as gf
model = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=8, seed=1)
batch = {"target": [[1, 2, 3, 4]], "labels": [[2, 3, 4, 5]]}
losses = [step.loss for step in gf.train(model, [batch] * 30, rate=0.03)]
tape = gf.Tape()
x = tape.parameter("x", (1, 2))
tape.softmax(x, name="y")
tape.plan()
x.data[:] = [[1, 2]]
tape.forward()
tape.backward("y", [[1, 0]])
print("trained", len(losses), losses[0], losses[-1], "gradient", *x.grad.ravel())
`;

/** A JupyterLite with the wheels. @param {string} folder */
function build(folder) {
  run('make', 'setup-jupyterlite', 'build/pyodide/libglassformer.so', 'MAKEFLAGS=');
  const wheel = run('build/venv/bin/python3', 'bindings/python/wheel.py', 'pyodide-2024').trim();
  const comm = readdirSync(path.join(root, 'build/jupyterlite/wheels'))[0];
  /* Where JupyterLite looks for Pyodide; without what is large and not asked for. */
  cpSync(path.join(root, 'build/pyodide/with-numpy'), path.join(folder, 'static/pyodide'), {
    recursive: true,
    filter: (file) => !/\/(pyarrow|scipy|scikit|pandas|matplotlib-3)/.test(file),
  });
  const wheels = [wheel, path.join('build/jupyterlite/wheels', comm)];
  const out = path.join(folder, 'out');
  /* It leaves a list of what it made where it runs. */
  runIn(
    folder,
    path.join(root, 'build/jupyterlite/bin/jupyter'),
    ...['lite', 'build', '--lite-dir', folder, '--output-dir', out, '--apps', 'repl'],
    ...wheels.flatMap((file) => ['--piplite-wheels', path.join(root, file)]),
  );
  return out;
}

test('JupyterLite trains a small model with gradients from our wheel', {
  skip: onlyInFull,
}, async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-lite-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const site = await serve({ folder: build(folder), types: { '.wasm': 'application/wasm' } });
  context.after(site.close);
  const browser = await launch();
  context.after(() => browser.close());
  const page = await browser.newPage();
  const others = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(site.url).origin)
      others.push(request.url());
  });
  await page.goto(`${site.url}repl/index.html?kernel=python&code=${encodeURIComponent(CODE)}`);
  const printed = page.locator('.jp-OutputArea-output', { hasText: /trained|Error/ });
  await printed.first().waitFor({ timeout: 300_000 });
  const [, steps, first, last, one, other] =
    /trained (\d+) (\S+) (\S+) gradient (\S+) (\S+)/.exec(await printed.first().textContent()) ??
    [];
  assert.equal(steps, '30');
  assert.ok(Number(first) > 1.5 && Number(last) < Number(first) / 4, `${first} ${last}`);
  /* p(1 - p) and -p(1 - p) of the softmax of 1 and 2. */
  const p = 1 / (1 + Math.E);
  assert.ok(Math.abs(Number(one) - p * (1 - p)) < 1e-6, one);
  assert.ok(Math.abs(Number(other) + p * (1 - p)) < 1e-6, other);
  assert.deepEqual(others, []);
});
