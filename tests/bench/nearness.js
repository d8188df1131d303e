// How near products in integers are to exact ones, in a whole model: the logits of SmolLM2 (`make setup-models`) for each
// token of a page of documentation, by the file as it is, both ways.
//
//   node tests/bench/nearness.js [TOKENS]

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load, openCheckpoint } from '../../bindings/models.js';

const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const MOST = 512;

/** The logarithm of a softmax, in float64.
 * @param {Float32Array} logits */
function logSoftmax(logits) {
  const most = logits.reduce((a, b) => Math.max(a, b));
  let sum = 0;
  for (const x of logits) sum += Math.exp(x - most);
  return Float64Array.from(logits, (x) => x - most - Math.log(sum));
}

/** @param {Float32Array | Float64Array} row */
const likeliest = (row) => row.indexOf(row.reduce((a, b) => Math.max(a, b)));

const gf = await load();
const checkpoint = /** @type {import('../../bindings/models.js').Checkpoint} */ (
  await openCheckpoint(here('../../build/models/smollm2.gguf'))
);
const text = readFileSync(here('../../docs/teaching.md'), 'utf8');
const target = checkpoint.tokenizer?.encode(text).slice(0, Number(process.argv[2] ?? MOST)) ?? [];

/** @param {'exact' | 'integer'} arithmetic */
async function logitsOf(arithmetic) {
  const model = await gf.openModel(checkpoint, { stored: true, arithmetic });
  if (!model) throw new Error('the model was not opened');
  const run = model.forward({ target, steps: false });
  const logits = Float32Array.from(/** @type {Float32Array} */ (run.logits.data));
  run.dispose();
  model.dispose();
  return logits;
}

const [exact, integer] = [await logitsOf('exact'), await logitsOf('integer')];
const width = exact.length / target.length;
const found = { tokens: target.length, difference: 0, same: 0, divergence: 0 };
for (let i = 0; i < exact.length; i += width) {
  const [a, b] = [exact, integer].map((logits) => logits.subarray(i, i + width));
  const [p, q] = [logSoftmax(a), logSoftmax(b)];
  if (likeliest(a) === likeliest(b)) found.same += 1 / target.length;
  for (let j = 0; j < width; j++) {
    found.difference = Math.max(found.difference, Math.abs(a[j] - b[j]));
    found.divergence += (Math.exp(p[j]) * (p[j] - q[j])) / target.length;
  }
}
process.stdout.write(
  `${found.tokens} tokens: logits differ by ${found.difference.toPrecision(2)} at most, ` +
    `the likeliest token is the same for ${(100 * found.same).toFixed(2)} %, ` +
    `mean KL divergence ${found.divergence.toExponential(1)}\n`,
);
