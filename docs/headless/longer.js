// Trains a small transformer to copy 1 to 6 letters, and counts how many texts of each length it then copies right, longer ones
// too. Positions are sinusoids, which exist for any length. Writes CSV: length,right,of
//
//   node longer.js [--steps 800] [--seed 1] [--shift 0]   # shift: in training, positions begin anywhere up to it

import { parseArgs } from 'node:util';
import { batches, load, train } from 'glassformer';

const LEARNED = 6;
const LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];
const TESTS = 50;
const [START, END, FIRST, LETTERS] = [1, 2, 3, 8];

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '800' },
    seed: { type: 'string', default: '1' },
    shift: { type: 'string', default: '0' },
  },
});
const [steps, seed, shift] = [values.steps, values.seed, values.shift].map(Number);
const gf = await load();

/** A text of so many letters; `stream` tells texts apart. */
function textOf(length, stream) {
  const range = { low: FIRST, high: FIRST + LETTERS - 0.001 };
  return Array.from(gf.uniform([length], { seed, stream, ...range }).data, Math.floor);
}

const pairs = Array.from({ length: 4000 }, (_, i) => {
  const source = textOf(1 + (i % LEARNED), i);
  return { source, target: source };
});
const size = { vocab: FIRST + LETTERS, dModel: 32, heads: 4, dFF: 64, layers: 1, decoderLayers: 1 };
const model = gf.model({ kind: 'transformer', ...size, maxLength: 32, dropout: 0, seed });
const schedule = { schedule: 'cosine', rate: 0.005, warmup: 100, clip: 1, total: steps };
for await (const _ of train(model, batches(pairs, { tokens: 256 }), {
  ...schedule,
  steps,
  seed,
  shift,
}));

console.log('length,right,of');
for (const length of LENGTHS) {
  let right = 0;
  for (let i = 0; i < TESTS; i++) {
    const source = textOf(length, 10_000 + 100 * length + i);
    const limits = { start: START, stopTokens: [END], maxNewTokens: length + 2 };
    const written = [];
    for await (const token of model.generate(source, limits)) written.push(token);
    if (String(written) === String(source)) right++;
  }
  console.log([length, right, TESTS].join());
}
