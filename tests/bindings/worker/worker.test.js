// Models in a worker of Node: the answers are those of this thread, bit for bit, and so are the errors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { GlassformerError, importModel, readModel, train } from '../../../bindings/index.js';
import { readSafetensors } from '../../../bindings/js/formats/safetensors.js';
import {
  classify,
  embed,
  generateTokens,
  trainClassifier,
} from '../../../bindings/models/text/index.js';
import { startWorker as startInPage } from '../../../bindings/models/worker/index.js';
import { startWorker } from '../../../bindings/models/worker/node/index.js';
import { answering } from '../../../bindings/models/worker/server.js';
import { load as loadModels, openCheckpoint } from '../../../bindings/models.js';
import { llamaGguf, STRING } from '../../support/gguf.js';
import { bits, collect, families, gf, model, refused, refusedAs } from '../model/small.js';

/** @type {Record<string, (...args: any[]) => Promise<unknown>>} */
const inside = { ...(await import('../../../bindings/lab/inside/index.js')) };
const worker = startWorker();
after(() => worker.dispose());

const prompt = [9, 2, 6];
const here = model(families.gpt);
const there = await worker.read(here.save());

test('it is the same model', () => {
  assert.deepEqual({ ...there.config }, { ...here.config });
  assert.equal(there.size, here.size);
});

test('it writes the same tokens, and says as much of them', async () => {
  const options = { maxNewTokens: 9, temperature: 1, seed: 3, best: 2, repetitionPenalty: 1.2 };
  const mine = generateTokens(here, prompt, options);
  const expected = await collect(mine);
  const stream = there.generateTokens(prompt, options);
  assert.deepEqual(await collect(stream), expected);
  assert.deepEqual(stream.result, mine.result);
});

test('progress and signals cross', async () => {
  const told = [];
  const controller = new AbortController();
  const stream = there.generateTokens(prompt.toReversed(), {
    signal: controller.signal,
    onProgress: (progress) => {
      told.push(progress);
      controller.abort();
    },
  });
  await collect(stream);
  assert.equal(stream.result.ended, 'signal');
  assert.deepEqual(told[0], { read: 1, prompt: 3, written: 0 });
  const none = there.generateTokens(prompt.toReversed(), { signal: AbortSignal.abort() });
  assert.equal((await none).ended, 'signal');
});

test('what onProgress throws is what the call is rejected with, and the work there ends', async () => {
  const odd = new RangeError('a listener of the program failed');
  const onProgress = () => {
    throw odd;
  };
  const options = { whenFull: 'slide', onProgress };
  const isOdd = (error) => error === odd;
  await assert.rejects(collect(there.generateTokens(prompt, options)), isOdd);
  await assert.rejects(there.ablate({ target: prompt }, { each: 'head', onProgress }), isOdd);
  await assert.rejects(worker.open(file('bert/model.safetensors'), { onProgress }), isOdd);
  assert.equal((await collect(there.generateTokens(prompt, { maxNewTokens: 2 }))).length, 2);
});

test('whoever leaves the loop ends the work there', async () => {
  const endless = { whenFull: 'slide' };
  for await (const _ of there.generateTokens(prompt, endless)) break;
  /* The next answer comes although the first text has no end. */
  assert.equal((await collect(there.generateTokens(prompt, { maxNewTokens: 2 }))).length, 2);
});

test('experiments give there what they give here, with progress, and end with a signal', async () => {
  const inputs = { target: prompt };
  const run = { target: [9, 3, 6] };
  const node = here.forward(inputs).tape.nodes.find(({ role }) => role === 'residual').name;
  const examples = Array.from({ length: 8 }, (_, i) => ({
    inputs: { target: [i, 1] },
    label: String(i % 2),
  }));
  /** @type {Record<Exclude<keyof typeof inside, 'withoutHead'>, unknown[]>} */
  const asked = {
    ablate: [inputs, { each: 'head', value: { run } }],
    attributionPatch: [inputs, { each: 'head', from: run }],
    circuits: [{ layer: 0, head: 0 }],
    contexts: [inputs, run],
    headRoles: [[{ inputs, links: [{ relation: 'first', query: 2, keys: [0] }] }]],
    headScores: [inputs],
    labelShares: [examples, { nodes: [node] }],
    logitAttribution: [inputs, { keys: true, products: true }],
    logitLens: [inputs],
    neighbours: [{ token: 3 }],
    patch: [inputs, { each: 'position', from: run }],
    paths: [inputs, { from: run, sender: { layer: 0, head: 0 } }],
    probe: [examples, { node, steps: 3 }],
    rollout: [inputs],
    symmetry: [inputs],
    why: [inputs, { layer: 0, head: 0, query: 2, key: 1 }],
  };
  /* A function cannot be sent, and what needs no model is not asked of a worker. */
  const { withoutHead, information, recurrence, ...experiments } = inside;
  assert.deepEqual(Object.keys(asked), Object.keys(experiments).sort());
  for (const [name, args] of Object.entries(asked))
    assert.deepEqual(await there[name](...args), await inside[name](here, ...args), name);
  const told = [];
  await there.ablate(inputs, { each: 'head', onProgress: (part) => told.push(part) });
  assert.ok(told.length > 0 && told.every((part) => part >= 0 && part <= 1));
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await assert.rejects(there.ablate(inputs, { each: 'head', signal }), (error) => error === reason);
  await assert.rejects(there.ablate(inputs, { each: 'odd' }), refused(RangeError, /^ablate: each/));
});

test('a signal that comes while the answer is under way rejects the call, as it rejects fetch', async () => {
  const bytes = await there.save();
  for (const call of [
    (signal) => there.neighbours({ token: 1, signal }),
    (signal) => worker.open(bytes, { signal }),
  ]) {
    const stop = new AbortController();
    const answer = call(stop.signal);
    stop.abort();
    await assert.rejects(answer, (error) => error === stop.signal.reason);
  }
});

test('errors are of the class, code and words that they have here', async () => {
  await assert.rejects(
    collect(there.generateTokens(prompt, { minP: 3 })),
    refused(RangeError, /^generateTokens: minP: expected a number from 0 to 1, received 3$/),
  );
  await assert.rejects(collect(there.generateTokens('x')), TypeError);
  const error = await there.embed(['a']).catch((reason) => reason);
  assert.ok(error instanceof GlassformerError);
  assert.equal(error.detail, 'noVocabulary');
  const made = await worker.create(there.config);
  await assert.rejects(made.embed(['a']), ({ detail }) => detail === 'noTokenizer');
  await assert.rejects(
    collect(there.generateTokens(prompt, { process: () => {} })),
    refused(TypeError, /generateTokens: process: a function cannot be sent to a worker/),
  );
  await assert.rejects(worker.open(Uint8Array.of(1, 2, 3)), refusedAs('GF_EFILE', /./));
  assert.throws(() => worker.open('x', { odd: 1 }), refused(TypeError, /unknown option "odd"/));
  await assert.rejects(worker.create({ kind: 'odd' }), RangeError);
});

// ---- Training ----

const batch = {
  target: [
    [1, 2, 3],
    [4, 5],
  ],
  labels: [
    [2, 3, 4],
    [5, 6],
  ],
};

test('it trains on batches from here to the same bits, and is saved', async () => {
  const own = gf.open(readModel(here.save()));
  const theirs = await worker.read(here.save());
  const options = { steps: 4, rate: 0.01 };
  const mine = await collect(train(own, Array(9).fill(batch), options));
  let asked = 0;
  async function* batches() {
    for (;;) {
      asked++;
      yield batch;
    }
  }
  const steps = await collect(theirs.train(batches(), options));
  const facts = ({ step, loss, gradientNorm }) => ({ step, loss, gradientNorm });
  assert.deepEqual(steps.map(facts), mine.map(facts));
  assert.equal(asked, 4, 'no batch is asked for that no step needs');
  const saved = readModel(await theirs.save({ training: true }));
  assert.equal(saved.step, 4);
  assert.equal(bits(await theirs.save()), bits(own.save()));
  own.dispose();
  await theirs.dispose();
  await assert.rejects(theirs.save(), refusedAs('GF_EDISPOSED', /the model is disposed of/));
});

test('a second training of one model at the same time is refused', async () => {
  const theirs = await worker.read(here.save());
  for await (const _ of theirs.train(Array(3).fill(batch), {})) {
    await assert.rejects(
      collect(theirs.train([batch])),
      refusedAs('GF_ESTATE', /it is already being trained/),
    );
    break;
  }
  /* The first one has ended with its loop. */
  assert.equal((await collect(theirs.train([batch]))).length, 1);
  await theirs.dispose();
});

test('what goes wrong with a batch ends the training', async () => {
  const theirs = await worker.read(here.save());
  function* failing() {
    yield batch;
    throw new RangeError('no more of it');
  }
  await assert.rejects(collect(theirs.train(failing())), refused(RangeError, /no more of it/));
  await assert.rejects(collect(theirs.train([{ target: [[1]] }])), /labels are missing/);
  assert.equal((await collect(theirs.train([batch]))).length, 1);
  assert.throws(() => theirs.train(3), refused(TypeError, /train: batches: expected an object/));
  await theirs.dispose();
});

// ---- Files ----

const fixtures = new URL('../../reference/fixtures/', import.meta.url);
const file = (name) => new URL(name, fixtures);

test('a folder of Hugging Face opens by address, with its tokenizer.json', async () => {
  const config = JSON.parse(readFileSync(file('bert/config.json'), 'utf8'));
  const vocab = Object.fromEntries(
    Array.from({ length: config.vocab_size }, (_, id) => [`t${id}`, id]),
  );
  const tokenizer = {
    ...{ version: '1.0', added_tokens: [], normalizer: null, post_processor: null, decoder: null },
    pre_tokenizer: { type: 'Whitespace' },
    model: { type: 'WordLevel', vocab, unk_token: 't0' },
  };
  const parts = [];
  const theirs = await worker.open(file('bert/model.safetensors'), {
    tokenizerFiles: { tokenizer },
    onProgress: (part) => parts.push(part),
  });
  assert.equal(theirs.family, 'bert');
  assert.equal(parts.at(-1), 1);
  const bytes = readFileSync(file('bert/model.safetensors'));
  const mine = gf.open(importModel({ config, bytes }));
  const plain = { encode: (text) => text.split(' ').map((t) => vocab[t]), decode: () => '' };
  const texts = ['t1 t2 t3', 't5'];
  const expected = await embed(mine, plain, texts);
  const vectors = await theirs.embed(texts);
  assert.deepEqual(vectors.map(bits), expected.map(bits));
  const examples = [
    { text: 't1 t2', label: 'a' },
    { text: 't7 t8', label: 'b' },
  ];
  const classifier = await theirs.trainClassifier(examples, { steps: 5 });
  assert.equal(
    bits(classifier.weight),
    bits((await trainClassifier(mine, plain, examples, { steps: 5 })).weight),
  );
  const [{ label }] = await theirs.classify(['t1 t2'], classifier);
  assert.equal(label, 'a');
  mine.dispose();
  await theirs.dispose();
});

test('a GGUF brings its tokenizer and its template: it writes and chats', async () => {
  const config = JSON.parse(readFileSync(file('llama/config.json'), 'utf8'));
  const { tensors } = readSafetensors(readFileSync(file('llama/model.safetensors')));
  const tokens = ['<|end|>', 'Ġ', ...'abcdefghijklmnopqrstuvwxyz', 'ab', 'Ġc', 'Ã', '©', '.', ','];
  const bytes = llamaGguf(config, tensors, {
    'tokenizer.ggml.model': [STRING, 'gpt2'],
    'tokenizer.ggml.pre': [STRING, 'gpt-2'],
    'tokenizer.ggml.tokens': [[STRING], tokens],
    'tokenizer.ggml.token_type': [[5], tokens.map((_, id) => (id ? 1 : 3))],
    'tokenizer.ggml.merges': [[STRING], ['a b', 'Ġ c']],
    'tokenizer.chat_template': [STRING, "{% for m in messages %}{{ m['content'] }}{% endfor %} c"],
  });
  const short = await worker.open(new Blob([bytes]), { stored: true, maxLength: 9 });
  assert.equal(short.config.maxLength, 9);
  const { tokens: few, ended } = await short.generateTokens([1, 2], { stopTokens: [] });
  assert.deepEqual([few.length, ended], [8, 'max-length']);
  await short.dispose();
  const theirs = await worker.open(new Blob([bytes]), { stored: true });
  const stream = theirs.generateText('ab c', { maxNewTokens: 6 });
  assert.equal((await collect(stream)).join(''), stream.result.text);
  const chat = theirs.chat([{ role: 'user', content: 'ab' }], { maxNewTokens: 6 });
  await collect(chat);
  assert.deepEqual(chat.result.tokens, stream.result.tokens);
  const [first, second] = await theirs.generateTexts(['ab c', 'z'], { maxNewTokens: 6 });
  assert.deepEqual(first, stream.result);
  assert.equal(second.tokens.length > 0, true);
  await theirs.dispose();
});

test('a folder of Hugging Face chats by the template of its tokenizer_config.json', async () => {
  const { vocab_size } = JSON.parse(readFileSync(file('llama/config.json'), 'utf8'));
  const words = Array.from({ length: vocab_size }, (_, id) => `t${id}`);
  const tokenizer = {
    ...{ version: '1.0', added_tokens: [], normalizer: null, post_processor: null, decoder: null },
    pre_tokenizer: { type: 'Whitespace' },
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      unk_token: 't0',
    },
  };
  const chat_template = "{{ bos_token }} {% for m in messages %}{{ m['content'] }}{% endfor %} t3";
  const config = { bos_token: 't1', chat_template };
  const theirs = await worker.open(file('llama/model.safetensors'), {
    tokenizerFiles: { tokenizer, config },
  });
  assert.equal(theirs.chatTemplate, chat_template);
  const options = { maxNewTokens: 4 };
  const answer = theirs.chat([{ role: 'user', content: 't5' }], options);
  await collect(answer);
  const written = theirs.generateTokens([1, 5, 3], options);
  await collect(written);
  assert.deepEqual(answer.result.tokens, written.result.tokens);
  await theirs.dispose();
});

test('a worker that ends refuses what is asked, and what was', async () => {
  const other = startWorker();
  const lost = await other.create(families.gpt);
  const waiting = collect(lost.generateTokens(prompt, { whenFull: 'slide' }));
  other.dispose();
  await assert.rejects(waiting, refusedAs('GF_EDISPOSED', /the worker has ended/));
  await assert.rejects(lost.save(), refusedAs('GF_EDISPOSED', /save: the worker has ended/));
  other.dispose();
});

test('names that every object has are no calls', async () => {
  for (const call of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'nothing']) {
    const none = { model: 1, args: [], hears: {} };
    const { error } = await new Promise((resolve) => {
      answering({
        post: (message) => message.id === 2 && resolve(message),
        listen(hear) {
          hear({ id: 1, call: 'create', input: { ...none, args: [families.gpt] } });
          setImmediate(() => hear({ id: 2, call, input: none }));
        },
      });
    });
    assert.match(JSON.stringify(error), /GF_ERANGE/, call);
    assert.match(JSON.stringify(error), new RegExp(`call.*${call}`));
  }
});

test('a script of your own serves too; one that fails says so', async () => {
  const address = new URL('../../../bindings/models/worker/node/index.js', import.meta.url);
  const script = (text) =>
    startWorker(new Worker(new URL(`data:text/javascript,${encodeURIComponent(text)}`)));
  const own = script(`import { serve } from ${JSON.stringify(address.href)}; serve();`);
  await own.ready();
  await assert.rejects(
    own.open(fileURLToPath(file('bert/model.safetensors')), { tokenizerFiles: { tokenizer: {} } }),
    refusedAs('GF_ESTATE', /this worker does not read tokenizer.json/),
  );
  own.dispose();
  const failing = script('throw new Error("no luck")');
  await assert.rejects(failing.ready(), refusedAs('GF_ESTATE', /the worker failed \(no luck\)/));
});

test('a worker without the package of tokenizers says which to install', async () => {
  const data = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
  const hooks = `export async function resolve(name, context, next) {
    if (name === '@huggingface/tokenizers') throw new Error('not installed');
    return next(name, context);
  }`;
  const hiding = `import { register } from 'node:module'; register(${JSON.stringify(data(hooks))});`;
  const script = new URL('../../../bindings/models/worker/node/script.js', import.meta.url);
  const bare = startWorker(new Worker(script, { execArgv: ['--import', data(hiding)] }));
  await assert.rejects(
    bare.open(file('bert/model.safetensors'), { tokenizerFiles: { tokenizer: {} } }),
    refusedAs(
      'GF_ESTATE',
      /^tokenizer\.json needs a package: npm install @huggingface\/tokenizers$/,
    ),
  );
  bare.dispose();
});

test("an error of the engine comes across with its code, and is none of glassformer's", async () => {
  const address = new URL('../../../bindings/models/worker/node/index.js', import.meta.url);
  const text = `import { serve } from ${JSON.stringify(address.href)};
    serve({ openTokenizer: () => import('node:fs').then((fs) => fs.readFileSync('/no/such')) });`;
  const own = startWorker(new Worker(new URL(`data:text/javascript,${encodeURIComponent(text)}`)));
  await assert.rejects(
    own.open(file('bert/model.safetensors'), { tokenizerFiles: { tokenizer: {} } }),
    { name: 'Error', code: 'ENOENT', message: /^ENOENT: no such file/ },
  );
  own.dispose();
});

test('what is no worker is refused', () => {
  for (const [given, told] of [
    [5, /^startWorker: expected a Worker, received 5$/],
    [{}, /^startWorker: expected a Worker, received an object \{\}$/],
    ['./script.js', /^startWorker: expected a Worker, received "\.\/script\.js"$/],
  ]) {
    assert.throws(() => startWorker(given), refused(TypeError, told));
    assert.throws(() => startInPage(given), refused(TypeError, told));
  }
});

test("a file's own classes have their labels there, and the same probabilities", async () => {
  const fixture = new URL('../../reference/fixtures/bert-classes-odd-0/', import.meta.url);
  const file = fileURLToPath(new URL('model.safetensors', fixture));
  const checkpoint = await openCheckpoint(file);
  const mine = await (await loadModels()).openModel(checkpoint);
  const tokenizer = { encode: () => [], decode: () => '' };
  const words = { model: { type: 'WordLevel', vocab: { a: 0 }, unk_token: 'a' } };
  const plain = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null };
  const files = { tokenizer: { ...plain, ...words, added_tokens: [] } };
  const opened = await worker.open(file, { tokenizerFiles: files });
  assert.deepEqual(opened.labels, checkpoint.labels);
  assert.equal(there.labels, null);
  const texts = [[1, 2, 3], [4]];
  assert.deepEqual(
    await opened.classify(texts, opened.labels),
    await classify(mine, tokenizer, texts, checkpoint.labels),
  );
  await assert.rejects(opened.classifyTokens(texts, opened.labels), /call classify$/);
  await opened.dispose();
  mine.dispose();
});
