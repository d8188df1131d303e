// MyST, which writes what its directive says, and shows it by a component of its themes; and the contract of
// https://anywidget.dev, which all hosts of anywidgets keep.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { build } from 'vite';
import { PYTHONPATH, python } from '../../support/python.js';
import { unlessInstalled } from '../../support/skips.js';
import { site } from '../../web/browser.js';
import { calm } from '../../web/host.js';
import { example, missing, root } from '../example.js';

const here = import.meta.dirname;

test('a figure as an anywidget', async (context) => {
  const { page, complaints } = await example(context, 'myst/host.html');
  const figure = page.locator('gf-attention');
  await figure.locator('.cell.pinned').waitFor();
  assert.equal(await figure.locator('.cell.pinned').getAttribute('data-index'), '1,2');
  await figure.locator('gf-timeline').getByRole('button').first().click();
  await calm(figure);
  const state = await page.evaluate(() => [
    globalThis.model.get('state'),
    globalThis.model.saved > 0,
  ]);
  assert.deepEqual(state, ['#example=i-love-robotics', true]);
  await page.evaluate(() => {
    globalThis.model.set('remove', 'scale');
    globalThis.model.set('at', 'weights');
  });
  await figure.locator('.run.intact').waitFor();
  assert.equal(await figure.locator('gf-stage h2').textContent(), 'Attention weights');
  await page.evaluate(() => globalThis.model.set('state', '#example=hi-how'));
  await figure.locator('.run.intact').waitFor({ state: 'detached' });
  assert.equal(await figure.evaluate((element) => element.state), '#example=hi-how');
  await page.evaluate(() => globalThis.cleanup());
  assert.equal(await figure.count(), 0);
  /* A host that only shows, and has no traits to follow. */
  await page.evaluate(() => globalThis.again());
  await figure.locator('gf-stage .matrix').first().waitFor();
  assert.deepEqual(complaints, []);
});

/** What Python sends of a trace, and of the run of a model, in which one number was written that nothing computes. */
const KERNEL = `
import json
import glassformer as gf
trace = gf.trace("three-tokens")
trace.edit("scores", [0, 1], 7.25)
trace["output"].data[2, 1] = 0.4375
model = gf.Model(kind="gpt", vocab=8, d_model=8, heads=2, layers=1, max_length=4)
run = model(target=[[1, 2, 3]])
weights = run["decoder.layers.0.self_attn.weights"]
print(json.dumps({
    "tape": gf.tape_of(trace), "other": gf.tape_of(gf.trace("three-tokens")),
    "run": gf.tape_of(run, tokens="abc"), "weight": float(weights.data[0, 1, 2, 0]),
}))
`;
function fromKernel() {
  execFileSync('make', ['build/python/stamp', 'MAKEFLAGS='], { cwd: root, stdio: 'pipe' });
  const env = { ...process.env, PYTHONPATH };
  return JSON.parse(execFileSync(python, ['-c', KERNEL], { env, encoding: 'utf8' }));
}

test('a figure of what the kernel of a notebook computed', async (context) => {
  const { tape, other, run, weight } = fromKernel();
  const { page, complaints } = await example(context, 'myst/host.html');
  await page.evaluate(() => globalThis.cleanup());
  const show = (given) =>
    page.evaluate(async (traits) => {
      globalThis.cleanup = await globalThis.show(traits);
    }, given);
  const figure = page.locator('gf-kernel');
  const valueAt = async (node, index) => {
    const cell = figure.locator(`[data-node="${node}"][data-index="${index}"]`).first();
    await cell.waitFor();
    return Math.fround(Number(await cell.getAttribute('data-value')));
  };
  await show({ tape, at: 'output/2,1' });
  assert.equal(await valueAt('output', '2,1'), 0.4375);
  await page.evaluate(() => globalThis.model.set('at', 'scores/0,1'));
  assert.equal(await valueAt('scores', '0,1'), 7.25);
  await calm(figure);
  assert.match(await figure.evaluate((element) => element.state), /scores:0,1/);
  /* What the kernel does is no act of the reader. */
  assert.equal(await page.evaluate(() => globalThis.model.get('state')), undefined);
  /* The next numbers of the kernel, where the reader is. */
  await page.evaluate((next) => globalThis.model.set('tape', next), other);
  await figure
    .locator('[data-node="scores"][data-index="0,1"][data-value="0.70000005"]')
    .first()
    .waitFor();
  await page.evaluate(() => globalThis.cleanup());
  assert.equal(await figure.count(), 0);

  await show({ tape: run, at: 'decoder.layers.0.self_attn.weights/1,2,0', show: 'all' });
  assert.equal(await valueAt('decoder.layers.0.self_attn.weights', '1,2,0'), weight);
  assert.deepEqual(complaints, []);
});

/** Bundles the page for the browser. */
async function bundled() {
  const [{ output }] = await build({
    configFile: false,
    root: here,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, minify: false, lib: { entry: 'client.js', formats: ['es'] } },
  });
  return output[0].code;
}

/** Builds the course, and reads its page.
 * @param {import('node:test').TestContext} context @param {string} builder */
async function shown(context, builder) {
  const folder = path.join(root, 'build/embeds/myst');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['myst.yml', 'course.md', 'theme']) {
    cpSync(path.join(here, name), path.join(folder, name), { recursive: true });
  }
  cpSync(path.join(site, 'anywidget.js'), path.join(folder, 'anywidget.js'));
  const traits = JSON.stringify({ tape: fromKernel().tape, at: 'scores/0,1' });
  const directive = `\n\`\`\`{anywidget} anywidget.js\n${traits}\n\`\`\`\n`;
  appendFileSync(path.join(folder, 'course.md'), directive);
  execFileSync(builder, ['build', '--site'], { cwd: folder, stdio: 'pipe' });
  const built = path.join(folder, '_build/site');
  cpSync(path.join(built, 'public'), built, { recursive: true });
  for (const name of ['lessons.js', 'motion.js']) {
    cpSync(path.join(site, name), path.join(built, 'files', name));
  }
  writeFileSync(path.join(built, 'client.js'), await bundled());
  writeFileSync(
    path.join(built, 'index.html'),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Course</title>
    <link rel="icon" href="data:,"></head><body><div id="root"></div>
    <script type="module" src="client.js"></script></body></html>`,
  );

  const { page, complaints } = await example(context, '', { folder: built });
  const figure = page.locator('gf-attention');
  await figure.locator('.cell.pinned').waitFor();
  assert.equal(await figure.locator('.cell.pinned').getAttribute('data-index'), '1,2');
  await figure.locator('gf-timeline').getByRole('button').first().click();
  await calm(figure);
  assert.equal(await figure.evaluate((element) => element.state), '#example=i-love-robotics');
  const score = page.locator('gf-kernel .cell.pinned');
  await score.waitFor();
  assert.deepEqual(
    await score.evaluate(({ dataset }) => [dataset.node, dataset.index, dataset.value]),
    ['scores', '0,1', '7.25'],
  );
  const lesson = page.locator('gf-lesson');
  await lesson.locator('footer button', { hasText: 'Skip' }).click();
  await page.waitForFunction(
    (element) => element.state === '#lesson=one-score&scene=2',
    await lesson.elementHandle(),
  );
  await page.evaluate(() => globalThis.leave());
  assert.deepEqual([await figure.count(), await lesson.count()], [0, 0]);
  assert.deepEqual(complaints, []);
}

/** What builds the pages of a course, and how it comes: Jupyter Book 2 is MyST by another name, from PyPI. */
const BUILDERS = {
  MyST: 'node_modules/.bin/myst',
  'Jupyter Book': '../../../build/jupyter/bin/jupyter-book',
};
for (const [name, command] of Object.entries(BUILDERS)) {
  const builder = path.join(here, command);
  const skip = missing(here) || unlessInstalled(builder);
  test(`a figure in a page of ${name}`, { skip }, (context) => shown(context, builder));
}
