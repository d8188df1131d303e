// minGPT's demo: a small GPT reads six digits and writes them in order. AdamW decays matrices alone, as there. Writes the loss, and
// how many of 200 texts that it never saw come out sorted.
//
//   node sorter.js [--steps 400]

import { parseArgs } from 'node:util';
import { load, train } from 'glassformer';

const { values } = parseArgs({ options: { steps: { type: 'string', default: '400' } } });
const steps = Number(values.steps);
const [LENGTH, DIGITS, BATCH] = [6, 3, 64];
const gf = await load();

/* As in minGPT, one text in four is held out, by a hash of its digits. */
const isHeldOut = (row) =>
  Math.imul(Number.parseInt(row.join(''), DIGITS), 0x9e3779b1) >>> 30 === 0;
function draw(count, stream, heldOut) {
  const drawn = gf.uniform([8 * count, LENGTH], { seed: 1, stream, high: DIGITS }).data;
  return Array.from({ length: 8 * count }, (_, i) =>
    Array.from(drawn.subarray(LENGTH * i, LENGTH * (i + 1)), Math.floor),
  )
    .filter((row) => isHeldOut(row) === heldOut)
    .slice(0, count);
}

/** Digits, then the same sorted; only the sorted ones are asked for. */
const batchOf = (rows) => ({
  target: rows.map((row) => [...row, ...row.toSorted().slice(0, -1)]),
  labels: rows.map((row) => [...row.slice(1).fill(-100), ...row.toSorted()]),
});

const nano = { dModel: 48, heads: 3, layers: 3, maxLength: 2 * LENGTH };
const model = gf.model({ kind: 'gpt', vocab: DIGITS, ...nano, dropout: 0.1, seed: 1 });
const data = Array.from({ length: steps }, (_, stream) => batchOf(draw(BATCH, stream, false)));
const adamw = {
  ...{
    optimizer: 'adamw',
    rate: 2e-3,
    betas: [0.9, 0.95],
    clip: 1,
    weightDecay: 0.1,
    schedule: 'cosine',
    steps,
  },
  groups: ({ shape }) => (shape.length > 1 ? undefined : { weightDecay: 0 }),
};
for await (const { step, loss } of train(model, data, adamw)) {
  if (step % 100 === 0) console.log(`step ${step} loss ${loss.toFixed(4)}`);
}

let right = 0;
const tests = draw(200, steps, true);
for (const row of tests) {
  const sorted = [];
  for await (const token of model.generate(row, { maxNewTokens: LENGTH })) sorted.push(token);
  if (String(sorted) === String(row.toSorted())) right++;
}
console.log(`sorted ${right} of ${tests.length}`);
