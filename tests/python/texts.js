// What glassformer/text makes of small models, for tests/python/test_texts.py: numbers, and where they come from.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { session } from '../../bindings/chat.js';
import { readModel, train } from '../../bindings/index.js';
import { addLora } from '../../bindings/models/lora/index.js';
import {
  classify,
  classifyTokens,
  embed,
  fillMask,
  generateText,
} from '../../bindings/models/text/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { full } from '../support/sample.js';
import { smallGguf } from '../support/small-gguf.js';

const root = path.resolve(import.meta.dirname, '../..');
const fixtures = path.join(root, 'tests/reference/fixtures');
const gf = await load();

/** Ids that every fixture has, in texts of several lengths. */
const TEXTS = [[5, 3, 7, 2], [1], [2, 6, 4, 4, 3, 1, 2], [6, 5]];
/** All that a model asks of a tokenizer when it is given ids. */
const tokenizer = {
  encode: () => [1],
  decode: (/** @type {Iterable<number>} */ ids) => `<${[...ids]}>`,
};

/** @param {Iterable<number>} numbers */
const plain = (numbers) => Array.from(numbers);

/** @param {string} name of a fixture */
async function opened(name) {
  const checkpoint = await openCheckpoint(path.join(fixtures, name, 'model.safetensors'));
  return { name, checkpoint, model: await gf.openModel(checkpoint) };
}

async function vectors() {
  const told = [];
  for (const fixture of ['bert', 'gpt2', 'marian', 'llama', 'bert-classes-odd-0']) {
    const { name, model } = await opened(fixture);
    for (const options of [{}, { pooling: 'first' }, { pooling: 'last', normalize: false }]) {
      const found = await embed(model, tokenizer, TEXTS, options);
      told.push({ name, options, texts: TEXTS, vectors: found.map(plain) });
    }
    model.dispose();
  }
  return told;
}

async function classes() {
  const told = [];
  const calls = { classify, classify_tokens: classifyTokens };
  for (const [call, fixture] of [
    ['classify', 'bert-classes-odd-0'],
    ['classify', 'gpt2-classes-odd-0'],
    ['classify', 'distilbert-classes-odd-0'],
    ['classify_tokens', 'bert-tokens-odd-0'],
    ['classify_tokens', 'gpt2-tokens-odd-0'],
  ]) {
    const { name, model, checkpoint } = await opened(fixture);
    for (const multiLabel of [false, true]) {
      const found = await calls[call](model, tokenizer, TEXTS, checkpoint.labels, { multiLabel });
      told.push({ call, name, texts: TEXTS, multiLabel, found });
    }
    model.dispose();
  }
  return told;
}

async function masks() {
  const { name, model } = await opened('bert-masked-lm');
  const ids = [5, 4, 7, 4];
  const found = await fillMask(model, tokenizer, ids, { mask: 4, best: 3 });
  model.dispose();
  return [{ name, ids, mask: 4, best: 3, found }];
}

/** Tokens, and the bits of the logits behind each of them.
 * @param {any} model @param {number[]} prompt @param {(arrays: any[]) => string} hashOf */
function written(model, prompt, hashOf) {
  const tokens = model.generateSync(prompt, { maxNewTokens: 10, stopTokens: [] });
  const run = model.forward({ target: [...prompt, ...tokens] }, { steps: false });
  const logits = hashOf([run.logits.data]);
  run.dispose();
  return { prompt, tokens, logits };
}

/** @param {string} folder with gpt-2.gguf @param {(arrays: any[]) => string} hashOf */
async function texts(folder, hashOf) {
  const told = [];
  const files = [path.join(folder, 'gpt-2.gguf')];
  const real = path.join(root, 'build/models/smollm2.gguf');
  if (full && existsSync(real)) files.push(real);
  for (const file of files) {
    const checkpoint = await openCheckpoint(file);
    const model = await gf.openModel(checkpoint, { stored: file === real });
    const whole = generateText(model, checkpoint.tokenizer, 'the cat', { maxNewTokens: 10 });
    for await (const _ of whole);
    const { text } = whole.result;
    const stop = [text.slice(3, 5), 'never'];
    const stopped = generateText(model, checkpoint.tokenizer, 'the cat', {
      maxNewTokens: 10,
      stop,
    });
    for await (const _ of stopped);
    const prompt = checkpoint.tokenizer.encode('the cat');
    const bits = written(model, prompt, hashOf);
    told.push({ file, stored: file === real, text, stop, stopped: stopped.result.text, ...bits });
    model.dispose();
  }
  const file = path.join(root, 'bindings/data/models/stories.safetensors');
  const model = gf.open(readModel(readFileSync(file)));
  const stories = { file, ...written(model, [1, 5, 9, 14], hashOf) };
  model.dispose();
  return { told, stories };
}

/** A model, adapters trained beside it, and what they make of it.
 * @param {string} folder @param {(arrays: any[]) => string} hashOf */
async function merged(folder, hashOf) {
  const model = gf.model({ kind: 'gpt', vocab: 12, dModel: 16, heads: 2, layers: 2, maxLength: 8 });
  writeFileSync(path.join(folder, 'base.safetensors'), model.save());
  const tuned = addLora(model, { rank: 3, alpha: 5, targets: ['q_proj', 'linear1'] });
  const batch = { target: [[1, 5, 3]], labels: [[5, 3, 2]] };
  for await (const _ of train(tuned, [batch, batch, batch], { rate: 0.05 }));
  writeFileSync(path.join(folder, 'lora.safetensors'), tuned.save());
  tuned.merge();
  const values = hashOf([...model.parameters.values()].map(({ data }) => data));
  model.dispose();
  return { values };
}

/** A chat that becomes longer than its model reads. @param {string} folder */
async function chats(folder) {
  const file = path.join(folder, 'chat.gguf');
  writeFileSync(file, smallGguf());
  const checkpoint = await openCheckpoint(file);
  const model = await gf.openModel(checkpoint);
  const options = { maxNewTokens: 12, temperature: 1, seed: 3, stopTokens: [] };
  const { chatTemplate, tokenizer } = checkpoint;
  const talk = session(model, { ...options, chatTemplate, tokenizer, system: 'the cat' });
  const turns = [];
  for (let i = 0; i < 30 && talk.trimmed < 4; i++) {
    const { text } = await talk.ask('on the').whole();
    turns.push({ text, trimmed: talk.trimmed });
  }
  model.dispose();
  return { file, turns, maxLength: talk.maxLength, messages: talk.messages };
}

/** @param {string} folder @param {(arrays: any[]) => string} hashOf */
export const textCases = async (folder, hashOf) => ({
  vectors: await vectors(),
  classes: await classes(),
  masks: await masks(),
  merged: await merged(folder, hashOf),
  chat: await chats(folder),
  ...(await texts(folder, hashOf)),
});
