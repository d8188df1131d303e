// What glassformer/text makes of small models, for tests/python/test_texts.py: numbers, and where they come from.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as chat from '../../bindings/chat.js';
import { open, readModel, train } from '../../bindings/index.js';
import * as lora from '../../bindings/models/lora/index.js';
import * as text from '../../bindings/models/text/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { I32, llamaGguf, STRING, U32 } from '../support/gguf.js';
import { full } from '../support/sample.js';
import { CONFIG, smallGguf, smallTensors } from '../support/small-gguf.js';

const root = path.resolve(import.meta.dirname, '../..');
const fixtures = path.join(root, 'tests/reference/fixtures');
const gf = await load();
const { session } = chat;
const { addLora, openLora } = lora;
const { classify, classifyTokens, embed, fillMask, generateText, generateTexts, generateTokens } =
  text;
const { pad, trainClassifier, unpad } = text;

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
    const all = await generateTexts(model, checkpoint.tokenizer, ['the cat', 'on'], {
      ...{ maxNewTokens: 10, stop, temperature: 1, seed: 2, repetitionPenalty: 1.2 },
    });
    const several = all.map(({ text, ended, seed }) => ({ text, ended, seed }));
    const prompt = checkpoint.tokenizer.encode('the cat');
    const bits = written(model, prompt, hashOf);
    told.push({
      file,
      stored: file === real,
      text,
      stop,
      stopped: stopped.result.text,
      several,
      ...bits,
    });
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

const SMALL = { kind: 'gpt', vocab: 12, dModel: 16, heads: 2, layers: 2, maxLength: 16, seed: 6 };

/** Functions of the user, which test_texts.py has, too. */
const PROCESS = (/** @type {Float32Array} */ logits, /** @type {readonly number[]} */ tokens) => {
  logits[tokens.length % 12] += 2;
};
/** @type {Record<string, any>} */
const HOOKS = {
  fused: {
    'decoder.layers.1.norm1': (/** @type {Float32Array} */ values) => {
      for (let i = 0; i < values.length; i++) values[i] *= 1.5;
    },
  },
  apart: {
    'decoder.layers.0.self_attn.weights': (/** @type {Float32Array} */ values) => {
      values.fill(0, values.length / 2);
    },
  },
};

/** Tokens by every way of choosing. @param {string} folder */
async function choices(folder) {
  const model = gf.model(SMALL);
  const file = path.join(folder, 'choices.safetensors');
  writeFileSync(file, model.save());
  const prompt = [1, 5, 3, 7, 2, 9];
  const drawn = { temperature: 1.3, seed: 4 };
  const cases = [
    { maxNewTokens: 8, best: 3 },
    { ...drawn, repetitionPenalty: 1.4, frequencyPenalty: 0.3, presencePenalty: -0.2 },
    { maxNewTokens: 6, banned: [3, 4], forced: [5, 5] },
    { maxNewTokens: 10, minP: 0.08, seed: 9, stopTokens: [4] },
    { maxNewTokens: 40, whenFull: 'slide' },
    { ...drawn, maxNewTokens: 30, whenFull: 'slide', hooks: 'fused' },
    { topK: 3, seed: 2, best: 2, process: true },
    { maxNewTokens: 9, hooks: 'fused' },
    { ...drawn, maxNewTokens: 9, hooks: 'apart' },
    { maxNewTokens: 0 },
  ];
  const told = [];
  for (const { hooks, process, ...options } of cases) {
    const { tokens, ended, seed } = await generateTokens(model, prompt, {
      ...options,
      ...(hooks && { hooks: HOOKS[hooks] }),
      ...(process && { process: PROCESS }),
    });
    told.push({ options, hooks, process, tokens, ended, seed });
  }
  model.dispose();
  return { file, prompt, cases: told };
}

/** A classifier that is trained, and what it says. */
async function classifiers() {
  const told = [];
  const labelled = TEXTS.map((text, i) => ({ text, label: i % 2 ? 'odd' : 'even' }));
  for (const options of [
    { steps: 9 },
    { steps: 12, rate: 0.3, weightDecay: 0, pooling: 'last', normalize: false },
  ]) {
    for (const validation of [[], labelled.slice(2)]) {
      const { name, model } = await opened('bert');
      const examples = validation.length ? labelled.slice(0, 2) : labelled;
      const made = await trainClassifier(model, tokenizer, examples, { ...options, validation });
      const found = await classify(model, tokenizer, TEXTS, made);
      const { labels, weight, bias } = made;
      told.push({
        name,
        options,
        examples,
        validation,
        labels,
        weight: plain(weight),
        bias: plain(bias),
        texts: TEXTS,
        found,
      });
      model.dispose();
    }
  }
  return told;
}

/** Adapters, trained: their files, and what the model with them writes. @param {string} folder */
async function adapters(folder) {
  const model = gf.model(SMALL);
  const file = path.join(folder, 'adapted.safetensors');
  writeFileSync(file, model.save());
  const batch = {
    target: [
      [1, 5, 3],
      [2, 7],
    ],
    labels: [
      [5, 3, 2],
      [7, 1],
    ],
  };
  const told = [];
  for (const options of [
    {},
    { rank: 3, alpha: 5, targets: ['decoder.layers.0.linear1', 'k_proj'], seed: 4 },
  ]) {
    const tuned = addLora(model, options);
    const losses = [];
    const batches = Array(4).fill(batch);
    for await (const { loss } of train(tuned, batches, { rate: 0.05, optimizer: 'adamw' }))
      losses.push(loss);
    const tokens = tuned.generateSync([1, 5], { maxNewTokens: 8 });
    const bytes = tuned.save({ training: true });
    const name = path.join(folder, `tuned-${told.length}.safetensors`);
    writeFileSync(name, bytes);
    tuned.dispose();
    const again = openLora(model, bytes);
    const rest = [];
    for await (const { loss } of train(again, [batch, batch], { rate: 0.05 })) rest.push(loss);
    again.dispose();
    told.push({ options, losses, tokens, file: name, rest });
  }
  model.dispose();
  return { file, batch, cases: told };
}

const SCHEMAS = [
  {
    type: 'object',
    properties: { a: { type: 'number', minimum: 0 }, b: { type: 'boolean' } },
    required: ['a'],
  },
  { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 3 },
  { type: 'string', minLength: 1, maxLength: 6 },
  { enum: ['on', 'the', 1, null] },
  { anyOf: [{ type: 'null' }, { type: ['boolean', 'string'] }] },
  { $ref: '#/$defs/x', $defs: { x: { const: [1, { a: 'é' }] } } },
  { type: 'array', items: { type: 'string' } },
];
const WRONG_SCHEMAS = [
  { type: 'text' },
  { type: 'string', pattern: 'a' },
  { type: 'array', items: { type: 'null' }, minItems: 3, maxItems: 2 },
  { $ref: '#/$defs/x', $defs: { x: { $ref: '#/$defs/x' } } },
  { type: 'object', properties: {}, required: ['a'] },
  { type: 'string', minLength: 90 },
  {},
];

/** Texts of schemas, of random models with each byte as a token. @param {string} folder */
async function schemas(folder) {
  const bytes = Array.from({ length: 256 }, (_, i) => i);
  const seen = bytes.filter((b) => (b > 32 && b < 127) || (b > 160 && b !== 173));
  const rest = bytes.filter((b) => !seen.includes(b));
  const letters = bytes.map((b) =>
    String.fromCodePoint(seen.includes(b) ? b : 256 + rest.indexOf(b)),
  );
  const words = ['{"', '":', 'true', '],', '12', '"a'];
  const file = path.join(folder, 'schemas.gguf');
  const tokens = ['<end>', ...letters, ...words];
  const lists = {
    'tokenizer.ggml.model': [STRING, 'gpt2'],
    'tokenizer.ggml.pre': [STRING, 'gpt-2'],
    'tokenizer.ggml.tokens': [[STRING], tokens],
    'tokenizer.ggml.token_type': [[I32], tokens.map((_, i) => (i ? 1 : 3))],
    'tokenizer.ggml.merges': [[STRING], []],
    'tokenizer.ggml.eos_token_id': [U32, 0],
  };
  writeFileSync(file, llamaGguf(CONFIG, smallTensors(CONFIG, tokens.length), lists));
  const { model, tokenizer } = await open(file, { gf });
  const told = [];
  const each = [
    { maxNewTokens: 40 },
    { maxNewTokens: 12, temperature: 1.5, seed: 3 },
    { temperature: 1, seed: 8 },
  ];
  for (const schema of [...SCHEMAS, ...WRONG_SCHEMAS]) {
    for (const options of each) {
      try {
        const { text, ended, tokens } = await generateText(model, tokenizer, 'ab', {
          ...options,
          schema,
        });
        told.push({ schema, options, text, ended, tokens: tokens.map(({ token }) => token) });
      } catch (error) {
        told.push({ schema, options, detail: error.detail });
      }
    }
  }
  model.dispose();
  return { file, cases: told };
}

/** Texts in the vocabularies of shipped models. */
async function vocabularies() {
  const texts = {
    stories: ['the cat sleeps, and “Tom” likes milk.', "Anna's dog; 12", 'THE END', ''],
    dates: ['12 mai 2020', '3/4/99'],
    'french-english': ["le chat n'est pas l'ami, où vas-tu?", 'L’homme dort !'],
  };
  const told = [];
  for (const [name, list] of Object.entries(texts)) {
    const file = path.join(root, `bindings/data/models/${name}.safetensors`);
    const { tokenizer } = await open(file);
    if (!tokenizer) throw new Error(name);
    const { stops } = tokenizer;
    for (const text of list) {
      const plain = tokenizer.encode(text, { special: false });
      const ids = tokenizer.encode(text);
      told.push({
        file,
        text,
        ids,
        plain,
        stops,
        back: tokenizer.decode(ids),
        tokens: tokenizer.tokens(ids),
      });
    }
  }
  return told;
}

/** Trainings with a rate of one's own, and with groups: of a model, and of a tape. @param {string} folder */
async function trainings(folder) {
  const model = gf.model(SMALL);
  const file = path.join(folder, 'trained.safetensors');
  writeFileSync(file, model.save());
  const batch = { target: [[1, 5, 3]], labels: [[5, 3, 2]] };
  const points = Array.from({ length: 6 }, (_, i) => [(i - 3) / 4, Math.fround(Math.sin(i))]);
  const target = points.map(([a, b]) => [2 * a - 3 * b + 0.5]);
  const rate = (/** @type {number} */ step) => 0.1 / step;
  const groups = (/** @type {{ shape: readonly number[] }} */ { shape }) =>
    shape.length < 2 ? { weightDecay: 0, rate: 0.5 } : undefined;
  const told = [];
  for (const options of [
    { rate: 0.02 },
    { rate },
    { rate, groups, optimizer: 'adamw', weightDecay: 0.3 },
  ]) {
    const losses = [];
    const restart = { ...options, restart: true };
    for await (const { loss, learningRate } of train(model, Array(4).fill(batch), restart))
      losses.push([loss, learningRate]);
    const tape = gf.tape();
    const [w, b] = [tape.parameter('w', [2, 1]), tape.parameter('b', [1])];
    tape.mseLoss(
      tape.linear(tape.input('x', [6, 2]), w, b, 'y'),
      tape.input('target', [6, 1]),
      'loss',
    );
    tape.plan();
    const steps = [];
    for (let i = 0; i < 2; i++)
      for await (const step of train(tape, Array(3).fill({ x: points, target }), {
        ...options,
        clip: 2,
      }))
        steps.push(step);
    told.push({
      options: {
        ...options,
        ...('groups' in options && { groups: true }),
        ...(typeof options.rate !== 'number' && { rate: true }),
      },
      ...{ losses, steps, parameters: [...w.data, ...b.data] },
    });
    tape.dispose();
  }
  model.dispose();
  return { file, batch, points, target, cases: told };
}

/** Rows of one length, and back. */
function padded() {
  const rows = [[5, 6, 7], [8], []];
  return [{}, { value: 9, side: 'left' }].map((options) => {
    const made = pad(rows, options);
    return { rows, options, made, back: unpad(made.ids.slice(0, 2), made.mask.slice(0, 2)) };
  });
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
  choices: await choices(folder),
  classifiers: await classifiers(),
  adapters: await adapters(folder),
  padded: padded(),
  vocabularies: await vocabularies(),
  schemas: await schemas(folder),
  trainings: await trainings(folder),
  names: {
    text: [...Object.keys(text), ...Object.keys(chat)],
    lora: Object.keys(lora),
  },
  ...(await texts(folder, hashOf)),
});
