// Trains a small GPT to write words backwards, saves it as others can read it, and reads it back.
//
//   node docs/headless/train.js build/reverse
//
// Out: in the folder config.json, model.safetensors and tokenizer.json, as Hugging Face has them of
// GPT-2; on standard output the loss, and what the model from these files makes of words it never saw.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportModel, importModel, load, train } from 'glassformer';
import { writeFiles } from 'glassformer/cli';

const [folder = 'build/reverse'] = process.argv.slice(2);
const TOKENS = ['[UNK]', ...'abcdefgh', '>', '.'];
const [MARK, STOP] = ['>', '.'].map((token) => TOKENS.indexOf(token));
const LENGTH = 4;
const gf = await load();

/** Random words, those to train on or those held out: by the sum of their letters' numbers. */
function words(count, seed, heldOut) {
  const drawn = gf.uniform([10 * count, LENGTH], { seed, low: 1, high: 9 }).data;
  return Array.from({ length: 10 * count }, (_, i) =>
    Array.from(drawn.subarray(LENGTH * i, LENGTH * (i + 1)), Math.floor),
  )
    .filter((word) => (word.reduce((a, b) => a + b) % 5 === 0) === heldOut)
    .slice(0, count);
}

/** a b c d > d c b a . as what is read and what is asked for; -100 asks for nothing. */
const batchOf = (list) => ({
  target: list.map((word) => [...word, MARK, ...word.toReversed()]),
  labels: list.map((word) => [...word.map(() => -100), ...word.toReversed(), STOP]),
});

const steps = 300;
const training = Array.from({ length: steps }, (_, seed) => batchOf(words(32, seed, false)));
const size = { vocab: TOKENS.length, maxLength: 16, dModel: 32, heads: 2, dFF: 64, layers: 2 };
const gpt2 = {
  positions: 'learned',
  preNorm: true,
  activation: 'gelu-tanh',
  scaleEmbedding: false,
};
const model = gf.model({ kind: 'gpt', ...size, ...gpt2, outputBias: false, dropout: 0, seed: 1 });
const options = { schedule: 'cosine', rate: 0.01, warmup: 20, clip: 1, steps };
for await (const { step, loss } of train(model, training, options)) {
  if (step % 100 === 0) console.error(`step ${step} of ${steps}: loss ${loss.toFixed(4)}`);
}

const none = { added_tokens: [], normalizer: null, post_processor: null, decoder: null };
const vocab = Object.fromEntries(TOKENS.map((token, id) => [token, id]));
const wordPiece = { type: 'WordPiece', unk_token: '[UNK]', vocab };
const tokenizer = { ...none, pre_tokenizer: { type: 'WhitespaceSplit' }, model: wordPiece };
const { config, bytes } = exportModel(model, 'gpt2');
const place = (name) => join(folder, name);
await writeFiles(
  [
    [place('config.json'), JSON.stringify(config, null, 2)],
    [place('model.safetensors'), bytes],
    [place('tokenizer.json'), JSON.stringify(tokenizer, null, 2)],
  ],
  { folder, force: true },
);

const read = { config: JSON.parse(await readFile(place('config.json'))) };
const again = gf.open(importModel({ ...read, bytes: await readFile(place('model.safetensors')) }));
const test = words(5, 1, true);
console.log(`loss of held-out words: ${again.forward(batchOf(test)).loss}`);
for (const word of test) {
  const written = again.generateSync([...word, MARK], { stopTokens: [STOP], maxNewTokens: 8 });
  console.log([...word, MARK, ...written].map((id) => TOKENS[id]).join(' '));
}
