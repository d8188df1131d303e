// Comparisons of the Training chapter, as compare.js repeats them without a page: their verdicts come out either way.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { heldOut } from '../../bindings/lab/tasks/held-out.js';
import { tasks, testBatch } from '../../bindings/lab/tasks/index.js';
import { waits } from '../support/sample.js';
import { trained } from './trained.js';

const program = path.join(import.meta.dirname, 'compare.js');

/** The held-out losses of A and B, seed by seed. */
const lossesOf = (...args) =>
  [
    ...execFileSync(process.execPath, [program, ...args], { encoding: 'utf8' }).matchAll(
      /^seed (\d+), step (\d+) {2}([AB]) {2}held-out loss (\S+),/gm,
    ),
  ].map(([, seed, step, side, loss]) => ({ seed, step, side, loss: Number(loss) }));

test('the norms help at 4 layers; at one layer and four times the rate they do harm', async (t) => {
  if (waits(t)) return;
  const [a, b] = lossesOf('off=norm&step=100&settings=layers:4');
  assert.ok(a.loss < 0.5 * b.loss, `${a.loss} ${b.loss}`);
  const [one, other] = lossesOf('off=norm&step=150&settings=rate:2.8');
  assert.ok(other.loss < 0.8 * one.loss, `${one.loss} ${other.loss}`);
});

test('a link is repeated for several seeds, with the numbers of a training by the bindings', async () => {
  const settings = { dModel: 16, heads: 2, dFF: 24, tokens: 96, warmup: 4 };
  const written = Object.entries(settings).map((pair) => pair.join(':'));
  const lines = lossesOf(`off=warmup&step=8&settings=${written}`, '--seeds', '3,4');
  assert.deepEqual(
    lines.map(({ seed, step, side }) => `${seed} ${step} ${side}`),
    ['3 8 A', '3 8 B', '4 8 A', '4 8 B'],
  );
  const gf = await load();
  for (const { seed, side, loss } of lines) {
    const choice = { task: 'copy', off: 'warmup', settings: { ...settings, seed: Number(seed) } };
    const { made } = await trained(gf, { ...choice, side: side.toLowerCase(), steps: 8 });
    const run = made.forward(testBatch(tasks.copy, heldOut(tasks.copy, Number(seed)).pairs));
    assert.equal(loss, Number(run.loss.toPrecision(4)));
    run.dispose();
    made.dispose();
  }
});
