// Induction heads, found and removed by hooks, as in the exercises of ARENA. A model of two layers learns to go on with
// repeated tokens, in seconds. Then it reads random tokens twice. An induction head looks from a token back to what
// followed it the first time, and so knows what comes next. Writes CSV: of each head the attention that goes there, and the
// log-probability of the right next token without the head; first of all with every head
//
//   node docs/headless/induction.js [--steps 1200] [--texts 16] [--seed 1]

import { parseArgs } from 'node:util';
import { load } from 'glassformer';
import { birth, unborn } from 'glassformer/stories';
import { generateTokens } from 'glassformer/text';

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1200' },
    texts: { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
  },
});
const [steps, texts, seed] = [values.steps, values.texts, values.seed].map(Number);
const PERIOD = 10;

const gf = await load();
const model = unborn(gf, seed);
for await (const _ of birth(model, { steps, every: steps, seed }));
const { vocab, layers, heads } = model.config;

/** Random tokens twice, without the last one, which is to be guessed. */
const prompts = Array.from({ length: texts }, (_, stream) => {
  const { data } = gf.uniform([PERIOD], { seed, stream, low: 0, high: vocab - 0.01 });
  const once = Array.from(data, Math.floor);
  return { ids: [...once, ...once.slice(0, -1)], next: once[PERIOD - 1] };
});

/** The mean of the log-probability of the right next token, with hooks between the steps. */
async function logProbability(hooks) {
  let sum = 0;
  for (const { ids, next } of prompts) {
    const { tokens } = await generateTokens(model, ids, {
      maxNewTokens: 1,
      best: vocab,
      hooks,
    }).whole();
    sum += tokens[0].best.find(({ token }) => token === next).logProb / texts;
  }
  return sum;
}

/** What each head of a layer looks at: from the second time on, the place behind the same token. */
const scores = Array.from({ length: layers }, () => new Float64Array(heads));
const looking =
  (layer) =>
  (weights, { shape, position, tokens }) => {
    const [, , keys] = shape;
    for (let head = 0; head < heads; head++) {
      for (let row = 0; row < tokens; row++) {
        const place = position + row;
        if (place < PERIOD) continue;
        const cell = (head * tokens + row) * keys + place - PERIOD + 1;
        scores[layer][head] += weights[cell] / (texts * (PERIOD - 1));
      }
    }
  };
const all = Array.from({ length: layers }, (_, layer) => [
  `decoder.layers.${layer}.self_attn.weights`,
  looking(layer),
]);
const intact = await logProbability(Object.fromEntries(all));

console.log('layer,head,induction,log-probability');
console.log(`,,,${intact.toFixed(4)}`);
for (let layer = 0; layer < layers; layer++) {
  for (let head = 0; head < heads; head++) {
    const removed = await logProbability({
      [`decoder.layers.${layer}.self_attn.mix`](mix, { shape: [, tokens, width] }) {
        mix.fill(0, head * tokens * width, (head + 1) * tokens * width);
      },
    });
    console.log(`${layer},${head},${scores[layer][head].toFixed(4)},${removed.toFixed(4)}`);
  }
}
model.dispose();
