// JupyterLab as it is installed, with a kernel of Python: a notebook shows a figure, drives it, and hears of it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { unlessInstalled } from '../../support/skips.js';
import { launch, open, site, until } from '../../web/browser.js';
import { calm } from '../../web/host.js';
import { root } from '../example.js';

const LAB = 'build/jupyter/bin/jupyter-lab';
const skip = unlessInstalled(path.join(root, LAB));

/** Starts JupyterLab in a folder; returns its address. It looks for no update, and leaves nothing at home. */
async function lab(context, folder) {
  const server = spawn(
    path.join(root, LAB),
    [
      '--no-browser',
      '--allow-root',
      '--ServerApp.port=0',
      '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
    ],
    {
      cwd: folder,
      env: { ...process.env, HOME: folder, PYTHONPATH: path.join(root, 'build/python') },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = once(server, 'exit');
  context.after(async () => {
    server.kill();
    await ended;
  });
  for await (const line of createInterface({ input: server.stderr })) {
    const address = /http:\/\/127\.0\.0\.1:\S+/.exec(line);
    if (address) return new URL(address[0]);
  }
  throw new Error('JupyterLab ended before it said where it is');
}

test('a figure in a notebook of JupyterLab', { skip }, async (context) => {
  const folder = path.join(root, 'build/embeds/jupyter');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['attention.py', 'attention.ipynb']) {
    cpSync(path.join(import.meta.dirname, name), path.join(folder, name));
  }
  for (const name of [
    'anywidget.js',
    'french-english.js',
    'lessons.js',
    'motion.js',
    'stories.js',
  ]) {
    cpSync(path.join(site, name), path.join(folder, name));
  }
  execFileSync('make', ['build/python/stamp', 'MAKEFLAGS='], { cwd: root, stdio: 'pipe' });
  const address = await lab(context, folder);
  const browser = await launch();
  context.after(() => browser.close());
  address.pathname += '/tree/attention.ipynb';
  const { page, complaints } = await open(browser, address.href, { ready: '.jp-Notebook' });
  await page.getByText('Python 3 (ipykernel) | Idle').waitFor();

  /** Runs the cell in which something is written. */
  const run = async (hasText) => {
    await page.locator('.jp-CodeCell .cm-content', { hasText }).click();
    await page.keyboard.press('Shift+Enter');
  };
  await run('import Attention');
  const figure = page.locator('gf-attention');
  const pinned = figure.locator('.cell.pinned');
  await pinned.waitFor();
  assert.deepEqual(
    await pinned.evaluate(({ dataset }) => [dataset.node, dataset.index, dataset.value]),
    ['scores', '1,2', '4'],
  );

  await run('dlink');
  await figure.locator('gf-timeline').getByRole('button').first().click();
  await page.locator('.widget-label', { hasText: /^#example=i-love-robotics$/ }).waitFor();

  await run('figure.remove');
  await figure.locator('.run.intact').waitFor();
  await calm(figure);
  assert.equal(await figure.locator('gf-stage h2').textContent(), 'Attention weights');

  await run('transformer');
  await page.locator('gf-transformer gf-translation', { hasText: 'sleeps' }).waitFor();

  /* What the kernel computed, and what it computed then. */
  const score = page.locator('gf-kernel .cell[data-node="scores"][data-index="0,1"]').first();
  const shows = async (/** @type {string} */ value) => {
    await page.locator(`gf-kernel [data-node="scores"][data-value="${value}"]`).first().waitFor();
    assert.equal(await score.getAttribute('data-value'), value);
  };
  await run('gf.show');
  await shows('7.25');
  await run('gf.tape_of');
  await shows('0.5');

  await run('lesson');
  await page.locator('gf-lesson .say p').waitFor();
  await page.locator('gf-lesson footer button', { hasText: 'Skip' }).click();
  await until(
    page,
    () => document.querySelector('gf-lesson').state === '#lesson=one-score&scene=2',
  );
  assert.deepEqual(complaints, []);
});
