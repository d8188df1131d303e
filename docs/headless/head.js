// Where one head of a checkpoint looks while it reads a text.
//
//   npm install @huggingface/tokenizers
//   node docs/headless/train.js build/reverse
//   node docs/headless/head.js build/reverse 0 0 "a b c d > d c b"
//
// The folder holds config.json, model.safetensors and tokenizer.json, as train.js writes them and as
// Hugging Face has them of GPT-2, Llama and BERT. Then come the layer and the head, from 0, and the text.
// Out: CSV; a row per token that looks, a column per token that is looked at.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importModel, load } from 'glassformer';
import { openTokenizer } from 'glassformer/tokenizer';

const [folder, layer, head, text] = process.argv.slice(2);
if (text === undefined) {
  console.error('node docs/headless/head.js FOLDER LAYER HEAD TEXT');
  process.exit(2);
}
const bytes = (name) => readFile(join(folder, name));
const json = async (name) => JSON.parse(await bytes(name));

const { encode, tokens } = openTokenizer({ tokenizer: await json('tokenizer.json') });
const config = await json('config.json');
const gf = await load();
const model = gf.open(importModel({ config, bytes: await bytes('model.safetensors') }));

const ids = encode(text);
const run = model.forward({ target: [ids] });
const stack = model.config.kind === 'bert' ? 'encoder' : 'decoder';
const weights = run.tensor(`${stack}.layers.${layer}.self_attn.weights`).toArray()[0][head];

const quoted = tokens(ids).map((token) => `"${token.replaceAll('"', '""')}"`);
console.log(['', ...quoted].join());
for (const [i, row] of weights.entries()) console.log([quoted[i], ...row].join());
