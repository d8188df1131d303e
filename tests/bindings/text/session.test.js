// Sessions: what is said is added, only what is new is read, and turns are left out whole; the same in a worker.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { chatPrompt, session } from '../../../bindings/chat.js';
import { readSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { addLora } from '../../../bindings/models/lora/index.js';
import { generateText } from '../../../bindings/models/text/index.js';
import { startWorker } from '../../../bindings/models/worker/node/index.js';
import { load, openCheckpoint } from '../../../bindings/models.js';
import { llamaGguf, STRING } from '../../support/gguf.js';
import { reclaim } from '../../support/heap.js';
import { refused, refusedAs } from '../model/small.js';

const TEMPLATE =
  "{% for m in messages %}{% if m.role == 'system' %}({{ m.content }}){% elif m.role == 'user' %}x{{ m.content }}y" +
  '{% else %}{{ m.content }}z{% endif %}{% endfor %}{% if tools %}{{ tools[0].name }}{% endif %}{% if loud %}q{% endif %}';
const TOKENS = ['<|end|>', 'Ġ', ...'abcdefghijklmnopqrstuvwxyz', 'ab', 'Ġc', '(', ')', '.', ','];
const fixture = (name) =>
  readFileSync(new URL(`../../reference/fixtures/llama/${name}`, import.meta.url));
const { tensors } = readSafetensors(fixture('model.safetensors'));
const MOST = 96;
const bytes = llamaGguf(
  { ...JSON.parse(fixture('config.json')), max_position_embeddings: MOST },
  tensors,
  {
    'tokenizer.ggml.model': [STRING, 'gpt2'],
    'tokenizer.ggml.pre': [STRING, 'gpt-2'],
    'tokenizer.ggml.tokens': [[STRING], TOKENS],
    'tokenizer.ggml.token_type': [[5], TOKENS.map((_, id) => (id ? 1 : 3))],
    'tokenizer.ggml.merges': [[STRING], ['a b', 'Ġ c']],
    'tokenizer.chat_template': [STRING, TEMPLATE],
  },
);
const gf = await load();
const checkpoint = await openCheckpoint(bytes);
const opened = () => gf.openModel(checkpoint);
const worker = startWorker();
after(() => worker.dispose());

const OPTIONS = { maxNewTokens: 5, temperature: 1, seed: 3, best: 2, stopTokens: [] };
const QUESTIONS = ['hello there', 'ab c', 'who is it', 'tell me', 'say no more', 'and', 'so'];

/** A result, but for what was spared. */
const written = ({ kept, ...rest }) => rest;

/** What a model writes that reads the whole chat. */
async function afresh(messages, options = OPTIONS) {
  const model = await opened();
  const text = chatPrompt(checkpoint, messages);
  const ids = checkpoint.tokenizer.encode(text, { special: false });
  const result = await generateText(model, checkpoint.tokenizer, ids, options).whole();
  model.dispose();
  assert.equal(result.kept, 0);
  return { ids, result: written(result) };
}

test('turns are added, have the bits of chats that are read whole, and read only what is new', async () => {
  const model = await opened();
  const talk = session(model, { ...OPTIONS, system: 'be good' });
  const said = [{ role: 'system', content: 'be good' }];
  let before = 0;
  for (const content of QUESTIONS.slice(0, 3)) {
    let first;
    const onProgress = ({ read }) => {
      first ??= read;
    };
    const stream = talk.ask(content, { onProgress });
    let text = '';
    for await (const part of stream) text += part;
    said.push({ role: 'user', content });
    const { ids, result } = await afresh(said);
    assert.deepEqual(written(stream.result), result);
    assert.equal(text, result.text);
    /* Of letters each is a token again: all but the last one of an answer were read before. */
    assert.equal(stream.result.kept, Math.max(0, before - 1));
    said.push({ role: 'assistant', content: text });
    assert.deepEqual(talk.messages, said);
    /* All but the last token of an answer was read before; of letters each is a token again. */
    assert.ok(first > before - 2, `${first} of ${ids.length}, ${before} before`);
    before = ids.length + result.tokens.length;
  }
  assert.equal(talk.trimmed, 0);
  model.dispose();
});

test('two sessions on one model keep their own keys and values, as many bytes as they say', async () => {
  const model = await opened();
  const talks = ['one', 'two'].map((system) => session(model, { ...OPTIONS, system }));
  const { layers, kvHeads, dModel, heads } = model.config;
  const perToken = 8 * layers * kvHeads * (dModel / heads);
  for (const question of QUESTIONS.slice(0, 3)) {
    for (const [i, talk] of talks.entries()) {
      let first;
      const onProgress = ({ read }) => {
        first ??= read;
      };
      const before = talk.messages.map(({ content }) => content).join('').length;
      await talk.ask(question, { onProgress }).whole();
      assert.ok(first > before / 2 || before < 8, `${i}: ${first}`);
      assert.ok(talk.bytes > 0 && talk.bytes <= MOST * perToken && talk.bytes % perToken === 0);
    }
  }
  talks[0].dispose();
  assert.equal(talks[0].bytes, 0);
  assert.ok(talks[1].bytes > 0);
  /* Memory that is full takes them, and the next turn has the same bits. */
  reclaim(gf);
  assert.equal(talks[1].bytes, 0);
  for (const talk of talks) {
    const said = talk.messages;
    const { result } = await afresh([...said, { role: 'user', content: 'ab' }]);
    assert.deepEqual(written(await talk.ask('ab').whole()), result);
  }
  model.dispose();
  assert.equal(talks[1].bytes, 0, 'they go with the model');
  await assert.rejects(talks[1].ask('a').whole(), refusedAs('GF_EDISPOSED', /disposed/));
});

test('a full chat loses whole turns, never the system message, and answers as a chat without them', async () => {
  const model = await opened();
  const talk = session(model, { ...OPTIONS, system: 'sys', maxLength: 64 });
  let trims = 0;
  for (let i = 0; i < 12; i++) {
    const earlier = talk.trimmed;
    const content = QUESTIONS[i % QUESTIONS.length];
    const before = talk.messages;
    const result = await talk.ask(content).whole();
    const [head, ...rest] = before;
    const read = [head, ...rest.slice(talk.trimmed), { role: 'user', content }];
    assert.equal(read[1].role, 'user', 'a turn begins with a question');
    const { ids, result: expected } = await afresh(read);
    assert.deepEqual(written(result), expected);
    assert.ok(ids.length + OPTIONS.maxNewTokens <= 64);
    if (talk.trimmed > earlier) {
      trims += 1;
      assert.ok(ids.length <= 32 || read.length === 2, 'half of it is free then');
    }
    assert.equal(talk.messages.length, 1 + 2 * (i + 1), 'all that was said is there');
  }
  assert.ok(trims > 1 && trims < 8, `${trims} of 12 turns`);
  await assert.rejects(
    talk.ask('a'.repeat(70)).whole(),
    refused(
      RangeError,
      /ask: the message takes 7\d tokens with the system message, and the session 64/,
    ),
  );
  assert.equal(talk.messages.length, 25, 'a refused message is not added');
  model.dispose();
});

test('what was left or ended is added as far as it was written; errors add nothing', async () => {
  const model = await opened();
  const talk = session(model, OPTIONS);
  let part = '';
  const left = talk.ask('hello');
  for await (part of left) break;
  assert.deepEqual(talk.messages.slice(1), [{ role: 'assistant', content: part }]);
  await talk.ask('ab', { signal: AbortSignal.abort() }).whole();
  assert.equal(talk.messages.length, 2, 'nothing was written');
  await assert.rejects(talk.ask('ab', { temperature: -1 }).whole(), RangeError);
  const stop = new Error('listener');
  const onProgress = ({ written }) => {
    if (written) throw stop;
  };
  await assert.rejects(talk.ask('ab', { onProgress }).whole(), (error) => error === stop);
  assert.equal(talk.messages.length, 2);
  const first = talk.ask('ab');
  await first.next();
  await assert.rejects(
    talk.ask('c').whole(),
    refusedAs('GF_ESTATE', /ask: the session is still answering/),
  );
  await first.whole();
  assert.equal(talk.messages.length, 4);
  /* What it gives out is a copy. */
  talk.messages.push({ role: 'user', content: 'x' });
  assert.equal(talk.messages.length, 4);
  model.dispose();
});

test('tools, variables, parts and earlier messages reach the template', async () => {
  const model = await opened();
  const earlier = [
    { role: 'user', content: 'a' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'f', arguments: { n: 1 } } }],
    },
  ];
  const talk = session(model, {
    ...OPTIONS,
    messages: earlier,
    tools: [{ name: 'tool' }],
    variables: { loud: true },
  });
  const stream = talk.ask({
    role: 'tool',
    content: [
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
    ],
  });
  let seen;
  const { encode } = checkpoint.tokenizer;
  checkpoint.tokenizer.encode = (text, options) => {
    seen = text;
    return encode(text, options);
  };
  await stream.whole();
  checkpoint.tokenizer.encode = encode;
  assert.equal(seen, 'xayzb\nczt'.replace('t', 'toolq'));
  assert.equal(talk.messages[2].content, 'b\nc');
  assert.deepEqual(talk.messages[1], earlier[1]);
  model.dispose();
});

test('what a session needs is asked for', async () => {
  const model = await opened();
  const bare = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
  assert.throws(() => session(bare), refusedAs('GF_ESTATE', /session: the model has no tokenizer/));
  bare.tokenizer = checkpoint.tokenizer;
  assert.throws(() => session(bare), refused(TypeError, /session: the file has no chat template/));
  const reads = gf.model({ kind: 'bert', vocab: 8, dModel: 8, heads: 2, layers: 1, head: 'none' });
  reads.tokenizer = checkpoint.tokenizer;
  assert.throws(() => session(reads), refused(TypeError, /session: this model cannot generate/));
  assert.throws(
    () => session(bare, checkpoint.tokenizer),
    refused(TypeError, /as \{ tokenizer \}/),
  );
  assert.throws(() => session({}), refused(TypeError, /session/));
  const wrong = {
    odd: [1, /session: unknown option "odd"/],
    sytem: ['a', /unknown option "sytem" \(did you mean "system"\?\)/],
    max_length: [9, /unknown option "max_length" \(did you mean "maxLength"\?\)/],
    system: [3, /session: system: expected a string/],
    messages: [[{ role: 'me', content: '' }], /session: messages\[0\]: role/],
    maxLength: [97, /session: maxLength: expected an integer from 1 to 96/],
    tools: [[3], /session: tools\[0\]: expected an object/],
    variables: [{ messages: [] }, /session: variables: messages is set already/],
    temperature: [-1, /session: temperature/],
  };
  for (const [key, [value, words]] of Object.entries(wrong)) {
    assert.throws(() => session(model, { [key]: value }), words, key);
  }
  const talk = session(model, OPTIONS);
  await assert.rejects(talk.ask(3).whole(), TypeError);
  await assert.rejects(talk.ask([{ type: 'image', url: 'x' }].concat()).whole(), TypeError);
  await assert.rejects(
    talk.ask({ role: 'user', content: [{ type: 'image', text: 'x' }] }).whole(),
    /ask: message\[0\]: content\[0\]: type: expected one of "text"/,
  );
  model.dispose();
});

test('in a worker a session, the tokenizer and counts are what they are here', async () => {
  const [here, there] = [await opened(), await worker.open(new Blob([bytes]))];
  assert.equal(await there.count('hello ab c'), here.count('hello ab c'));
  assert.equal(here.count('hello ab c'), checkpoint.tokenizer.encode('hello ab c').length);
  const ids = await there.tokenizer.encode('ab c');
  assert.deepEqual(ids, here.tokenizer.encode('ab c'));
  assert.equal(await there.tokenizer.decode(ids), 'ab c');
  assert.deepEqual(await there.tokenizer.tokens(ids), here.tokenizer.tokens(ids));
  assert.deepEqual(there.tokenizer.stops, here.tokenizer.stops);
  const options = { ...OPTIONS, system: 'sys', maxLength: 64 };
  const [mine, theirs] = [session(here, options), await there.session(options)];
  for (const question of QUESTIONS) {
    const stream = theirs.ask(question);
    let text = '';
    for await (const part of stream) text += part;
    const result = await mine.ask(question).whole();
    assert.deepEqual(stream.result, result);
    assert.equal(text, result.text);
    assert.deepEqual(
      [theirs.messages, theirs.trimmed, theirs.bytes, theirs.maxLength],
      [mine.messages, mine.trimmed, mine.bytes, mine.maxLength],
    );
  }
  assert.ok(theirs.trimmed > 0);
  let part = '';
  for await (part of theirs.ask('hello')) break;
  assert.ok(theirs.messages.at(-1).content.startsWith(part));
  assert.equal(theirs.messages.at(-1).role, 'assistant');
  await theirs.dispose();
  await assert.rejects(there.session({ odd: 1 }), /session: unknown option "odd"/);
  const bare = await worker.create({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
  assert.equal(bare.tokenizer, null);
  await assert.rejects(bare.count('a'), refusedAs('GF_ESTATE', /no tokenizer/));
  await assert.rejects(bare.session(), refusedAs('GF_ESTATE', /no tokenizer/));
  for (const one of [here, there, bare]) await one.dispose();
});

test('adapters have the tokenizer and the template of their model', async () => {
  const model = await opened();
  const tuned = addLora(model, { rank: 1 });
  assert.equal(tuned.count('ab'), 1);
  assert.equal(tuned.chatTemplate, TEMPLATE);
  const { text } = await session(tuned, OPTIONS).ask('ab').whole();
  assert.equal(text, (await session(model, OPTIONS).ask('ab').whole()).text);
  for (const one of [tuned, model]) one.dispose();
});
