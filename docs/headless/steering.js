// Steers a model while it writes. The shipped model of stories reads that Anna has a red thing; a vector that is added to what
// its second layer gives makes it go on as if the thing were blue. The vector is a difference of means: over other things,
// stories with a blue one minus the same stories with a red one. Writes CSV: how often the vector is added, the
// probabilities of both colours as the next word, and what the model writes
//
//   node docs/headless/steering.js [--from red] [--to blue] [--layer 1]

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { load } from 'glassformer';
import { storyInputs, trained, vocabulary } from 'glassformer/stories';
import { generateTokens } from 'glassformer/text';

const OTHERS = ['kite', 'hat', 'book', 'cup'];
const STRENGTHS = [0, 0.5, 1, 1.5, 2];

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'red' },
    to: { type: 'string', default: 'blue' },
    layer: { type: 'string', default: '1' },
  },
});
const { from, to } = values;
const STEP = `decoder.layers.${values.layer}.residual2`;

const gf = await load();
const file = new URL(import.meta.resolve('glassformer/models/stories.safetensors'));
const model = trained(gf, await readFile(file));
const promptOf = (colour, thing) =>
  storyInputs(
    `Anna and Ben are in the park. Anna has a ${colour} ${thing}. Ben says: "The ${thing} is`,
  ).target;

/** What the step gives for the last word of a text. */
function vectorOf(ids) {
  const run = model.forward({ target: ids });
  const vector = run.tensor(STEP).data.slice(-model.config.dModel);
  run.dispose();
  return vector;
}

const steering = new Float32Array(model.config.dModel);
for (const thing of OTHERS) {
  const [away, towards] = [from, to].map((colour) => vectorOf(promptOf(colour, thing)));
  for (const i of steering.keys()) steering[i] += (towards[i] - away[i]) / OTHERS.length;
}

const prompt = promptOf(from, 'ball');
const colours = vocabulary.encode([from, to]);
console.log(`strength,${from},${to},words`);
for (const strength of STRENGTHS) {
  const hooks = {
    /* Of the prompt its last word alone, and each word that is written: where the next one is chosen. */
    [STEP](vectors, { position }) {
      if (position < prompt.length - 1) return;
      for (const i of vectors.keys()) vectors[i] += strength * steering[i % steering.length];
    },
  };
  const options = { hooks, maxNewTokens: 2, best: model.config.vocab };
  const { tokens } = await generateTokens(model, prompt, options).whole();
  const [{ best }] = tokens;
  const shares = colours.map((id) => Math.exp(best.find(({ token }) => token === id).logProb));
  const words = vocabulary.decode(tokens.map(({ token }) => token)).join(' ');
  console.log([strength, ...shares, words].join());
}
