// Tunes a model file on a text with adapters of low rank (LoRA), such as SmolLM2-Instruct (`make setup-models`): its matrices stay
// as the file stores them, and what is learned is a small file beside it. Writes CSV: step, loss, loss on the held-out last tenth
// of the text, which stands at step 0, too; on standard error what follows the first words of the text, before and after
//
//   node docs/headless/lora.js build/models/smollm2.gguf text.txt adapter.safetensors [--steps 20] [--length 64] [--rank 8]

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { open, train } from 'glassformer';
import { addLora } from 'glassformer/lora';
import { generateText } from 'glassformer/text';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '20' },
    length: { type: 'string', default: '64' },
    rank: { type: 'string', default: '8' },
  },
});
const [file, source, adapter] = positionals;
if (!adapter)
  throw new Error('expected three files: node docs/headless/lora.js MODEL TEXT ADAPTER');
const [steps, length, rank] = [values.steps, values.length, values.rank].map(Number);

const { model } = await open(file, { stored: true });
const tokens = model.tokenizer.encode(readFileSync(source, 'utf8'));
const pieces = [];
for (let first = 0; first + length < tokens.length; first += length) {
  pieces.push({
    target: [tokens.slice(first, first + length)],
    labels: [tokens.slice(first + 1, first + length + 1)],
  });
}
const heldOut = Math.max(1, Math.floor(pieces.length / 10));
if (pieces.length <= heldOut) throw new Error(`expected ${2 * length} tokens or more`);
const [seen, validation] = [pieces.slice(0, -heldOut), pieces.slice(-heldOut)];
const data = Array.from({ length: steps }, (_, step) => seen[step % seen.length]);

const prompt = tokens.slice(0, 8);
const writes = async (by) =>
  (await generateText(by, model.tokenizer, prompt, { maxNewTokens: 24 })).text;

function lossOf(piece) {
  const run = model.forward(piece, { steps: false });
  const { loss } = run;
  run.dispose();
  return loss;
}

const tuned = addLora(model, { rank });
console.error(`${tuned.size} numbers are trained\nbefore: ${await writes(model)}`);
const before = validation.reduce((sum, piece) => sum + lossOf(piece), 0) / heldOut;
console.log(`step,loss,held out\n0,,${before}`);
const options = { optimizer: 'adamw', rate: 1e-3, clip: 1, validation, validateEvery: steps };
for await (const { step, loss, validationLoss } of train(tuned, data, options))
  console.log([step, loss, validationLoss ?? ''].join());
console.error(`after: ${await writes(tuned)}`);
writeFileSync(adapter, tuned.save());
