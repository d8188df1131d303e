// The first example of The Annotated Transformer: an encoder and a decoder learn to copy ten numbers. Writes the loss, and what
// becomes of 1 to 10.
//
//   node copy.js [--steps 300]

import { parseArgs } from 'node:util';
import { load, train } from 'glassformer';

const { values } = parseArgs({ options: { steps: { type: 'string', default: '300' } } });
const steps = Number(values.steps);
const [BATCH, LENGTH, VOCAB] = [80, 10, 11];
const gf = await load();

/** Random numbers from 1 to 10; every row begins with 1, from which the decoder starts, too. */
function batch(stream) {
  const drawn = gf.uniform([BATCH, LENGTH], { seed: 1, stream, low: 1, high: VOCAB }).data;
  const rows = Array.from({ length: BATCH }, (_, i) => [
    1,
    ...Array.from(drawn.subarray(LENGTH * i + 1, LENGTH * (i + 1)), Math.floor),
  ]);
  return {
    source: rows,
    target: rows.map((row) => row.slice(0, -1)),
    labels: rows.map((row) => row.slice(1)),
  };
}

const size = { vocab: VOCAB, dModel: 64, heads: 4, dFF: 128, layers: 2, maxLength: 16 };
const model = gf.model({ kind: 'transformer', ...size, decoderLayers: 2, tied: false, seed: 1 });
const data = Array.from({ length: steps }, (_, i) => batch(i));
const options = { schedule: 'noam', warmup: 200, rate: 0.5, dropout: 0 };
for await (const { step, loss } of train(model, data, options)) {
  if (step % 50 === 0) console.log(`step ${step} loss ${loss.toFixed(4)}`);
}

const source = Array.from({ length: LENGTH }, (_, i) => i + 1);
const written = [1];
for await (const token of model.generate(source, {
  start: 1,
  stopTokens: [],
  maxNewTokens: LENGTH - 1,
}))
  written.push(token);
console.log(written.join(' '));
