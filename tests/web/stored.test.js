// Models that stay as their files store them, opened by the reader: GGUF, llama2.c, sharded safetensors. What the page
// shows is held against the same files expanded to float32 in Node.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { chat, chatPrompt, session } from '../../bindings/chat.js';
import { explain, load, traceModel } from '../../bindings/index.js';
import { writeSafetensors } from '../../bindings/js/formats/safetensors.js';
import { load as loadModels, openCheckpoint } from '../../bindings/models.js';
import { operandsOf } from '../../web/app/state/view.js';
import * as state from '../../web/chapters/transformer/state.js';
import { filesAt, filesOf, isStored } from '../../web/workers/reader/files.js';
import { llama2c, STRING, tokenizerBin } from '../support/gguf.js';
import { sample, waits } from '../support/sample.js';
import {
  CONFIG,
  MERGES,
  smallGguf,
  smallTensors,
  TEMPLATE,
  TOKENS,
} from '../support/small-gguf.js';
import { chooseCheckpoint, follow, inBrowser, numbers, settled, until } from './browser.js';
import { compare } from './expect.js';
import { agree, choose, refusal } from './opener.js';

const HASH = '#v=1&chapter=transformer&model=disk';
const TEXT = 'The cat sat on the mat because it was tired.';
const browsing = inBrowser();
const start = (hash = HASH) => browsing.open(hash, { ready: '.opener' });
const gf = await load();
const core = await loadModels();

/** The model of a file in float32, and how its texts are cut. */
async function expanded(file, options) {
  const checkpoint = await openCheckpoint(file, options);
  const model = await core.openModel(checkpoint);
  return { model, tokenizer: checkpoint.tokenizer };
}

async function shown(page) {
  await page.waitForSelector('gf-translation .translation > b');
  await settled(page);
}

/** Waits until the state of the address is computed and drawn: a large model computes in turns. */
async function computed(page) {
  await until(page, () => {
    const { state, taken } = document.querySelector('gf-chapter-transformer');
    return state === taken;
  });
  await settled(page);
}

/** Opens the chat, and waits for an answer. */
async function say(page, message) {
  const field = page.locator('gf-chat [name=message]');
  if (!(await field.count())) await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await field.fill(message);
  await page.getByRole('button', { name: 'Send' }).click();
  await until(page, () => {
    const { stop, subject } = document.querySelector('gf-chat');
    return stop === null && subject.talk.session?.messages.at(-1)?.role === 'assistant';
  });
  await settled(page);
}

test('files and addresses that say all of a model', () => {
  const named = (...names) => names.map((name) => ({ name }));
  const [gguf, bin, tokens, config, one, two, index] = named(
    ...['model.GGUF', 'stories.bin', 'tokenizer.bin', 'config.json'],
    ...['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'],
    'model.safetensors.index.json',
  );
  assert.deepEqual(filesOf([config, gguf, one]), { weights: gguf });
  assert.deepEqual(filesOf([tokens, bin]), { weights: bin, tokenizer: tokens });
  assert.deepEqual(filesOf([bin]), { weights: bin, tokenizer: undefined });
  assert.equal(filesOf([tokens]), null);
  const sharded = filesOf([two, index, one, config]);
  assert.deepEqual([sharded.parts, sharded.config], [[one, two], config]);
  assert.ok(isStored(sharded) && isStored({ weights: gguf }) && isStored({ weights: bin }));
  assert.ok(isStored({ weights: one, config }) && !isStored({ weights: one }));
  const hub = 'https://huggingface.co/a/b';
  assert.deepEqual(filesAt(`${hub}/blob/main/x.gguf`), { weights: `${hub}/resolve/main/x.gguf` });
  assert.deepEqual(filesAt('https://host.edu/m/stories.bin'), {
    weights: 'https://host.edu/m/stories.bin',
    tokenizer: 'https://host.edu/m/tokenizer.bin',
  });
  const at = filesAt(`${hub}/resolve/main/model.safetensors.index.json`);
  assert.equal(at.config, `${hub}/resolve/main/config.json`);
  assert.equal(filesAt(hub).weights, `${hub}/resolve/main/model.safetensors`);
  for (const bad of ['gpt2', 'file:///x.gguf']) assert.throws(() => filesAt(bad));
});

test('of a row as long as a vocabulary not every cell has a key, and each is known', () => {
  const row = Array.from({ length: 49_152 }, (_, j) => ({ node: 'logits', index: [3, j] }));
  const [all, ...more] = operandsOf({ max: 1, row });
  assert.deepEqual([all.size, more.length], [2, 0]);
  assert.ok(all.has('logits:3,0') && all.has('logits:3,20000') && all.has('logits:3,49151'));
  assert.ok(!all.has('logits:2,5') && !all.has('probabilities:3,5'));
  assert.deepEqual(all.within(49_100, 52), ['logits:3,49100', 'logits:3,49151']);
  assert.deepEqual(all.within(0, 8), ['logits:3,0', 'logits:3,7']);
  assert.equal(operandsOf({ max: 1, row: row.slice(0, 3) }).length, 6);
});

describe('opened', () => {
  test('a GGUF: told before it is loaded; every panel, another text, a removal and an edit are the file’s', async () => {
    const file = smallGguf();
    const { model, tokenizer } = await expanded(file);
    const { page, complaints, close } = await start();
    browsing.site.asked.clear();
    await choose(page, { 'small.gguf': file });
    const offer = await page.locator('.opener .offer').textContent();
    assert.match(
      offer,
      /A llama model of 20,096 parameters: 2 layers, 2 heads, width 32, 47 tokens/,
    );
    assert.match(offer, /\(Q4_1, Q8_0, and F32\)/);
    assert.match(offer, /a laptop: reading 10 tokens takes about a second/);
    assert.equal(await page.evaluate(() => document.querySelector('gf-translation')), null);
    await agree(page);
    await shown(page);
    const traced = (text, options) =>
      traceModel(model, { target: tokenizer.encode(text) }, options);
    for (const panel of state.PANELS) {
      if (state.EXPERIMENTS.includes(panel))
        await page.getByLabel('Experiments').selectOption(panel);
      else await page.locator('.shelf .tabs button').nth(state.LOOKS.indexOf(panel)).click();
      await settled(page);
      compare(await numbers(page), { page: traced(TEXT) });
    }
    assert.deepEqual(
      await page.locator('.translation .plain li').allTextContents(),
      tokenizer.tokens(tokenizer.encode(TEXT)).map((token) => token.replace(/^Ġ/, '·')),
    );
    await page.locator('gf-translation [name=text]').fill('the cat sat on the');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForFunction(
      () => document.querySelectorAll('.translation .plain li').length === 5,
    );
    await settled(page);
    const short = 'the cat sat on the';
    for (const more of [
      '&block=decoder.0.self_attn&panel=stage&t=1e6',
      '&block=decoder.1.feed_forward&panel=stage&t=1e6',
      '&block=logits&panel=stage&t=1e6',
      '&block=decoder.embedding&panel=stage&t=1e6',
    ]) {
      await follow(page, `${HASH}&text=${encodeURIComponent(short)}${more}`);
      await computed(page);
      compare(await numbers(page), { page: traced(short) });
    }
    const edit = { node: 'decoder.layers.0.self_attn.q', index: [2, 3], value: 4 };
    await follow(
      page,
      `${HASH}&text=${encodeURIComponent(short)}&block=decoder.1.self_attn&remove=scale&edits=${edit.node}:2,3=4`,
    );
    await computed(page);
    compare(
      (await numbers(page)).filter(({ run }) => run === 'page'),
      { page: traced(short, { remove: ['scale'], edits: [edit] }) },
    );
    assert.deepEqual(complaints, []);
    model.dispose();
    await close();
  });

  test('a GGUF that does not say how texts are cut: told before it is loaded, in each language', async () => {
    const bytes = Buffer.from(smallGguf()).toString('latin1');
    const file = Buffer.from(bytes.replace('tokenizer.ggml.pre', 'tokenizer.ggml.pra'), 'latin1');
    const { page, complaints, close } = await start();
    for (const [lang, sentence] of [
      ['en', /^tokenizer\.ggml\.pre: is missing, so texts are cut .*llama\.cpp$/],
      ['fr', /^tokenizer\.ggml\.pre\s?: manque, les textes .*llama\.cpp$/],
      ['de', /^tokenizer\.ggml\.pre: fehlt, deshalb .*llama\.cpp noch einmal um$/],
    ]) {
      for (const chapter of ['transformer', 'inside']) {
        await follow(page, `#v=1&chapter=${chapter}&model=disk&lang=${lang}`);
        await page.waitForSelector('.opener');
        await choose(page, { 'small.gguf': file });
        const warnings = page.locator('.opener .offer .warning');
        await warnings.first().waitFor();
        const [told, ...more] = await warnings.allTextContents();
        assert.match(told, sentence, `${chapter}, ${lang}`);
        assert.deepEqual(more, []);
      }
    }
    await choose(page, { 'small.gguf': smallGguf() });
    await until(page, () => document.querySelector('.opener .offer .warning') === null);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('models of every family: told before they are loaded, every step of every block is the file’s', async () => {
    const fixtures = new URL('../reference/fixtures/', import.meta.url);
    const names = readdirSync(fixtures).filter((name) => /-odd-0$|^marian$/.test(name));
    const { page, complaints, close } = await start();
    for (const name of sample(names, 2)) {
      const read = (file) => readFileSync(new URL(`${name}/${file}`, fixtures));
      const [config, weights] = ['config.json', 'model.safetensors'].map(read);
      const settings = JSON.parse(config);
      const { model } = await expanded(new Uint8Array(weights), { config: settings });
      const { kind } = model.config;
      const ids = [0, 1, 2];
      const own = [settings.decoder_start_token_id];
      const inputs = kind === 'transformer' ? { source: ids, target: own } : { target: ids };
      const trace = traceModel(model, inputs);
      if (!(await page.locator('.opener').count())) {
        await chooseCheckpoint(page);
      }
      await choose(page, { 'config.json': config, 'model.safetensors': weights });
      await agree(page);
      await page.waitForSelector('.opener', { state: 'detached' });
      await shown(page);
      compare(await numbers(page), { page: trace });
      const blocks = await page.evaluate(() =>
        document.querySelector('gf-chapter-transformer').blocks.map((block) => block.name),
      );
      for (const block of sample(blocks, 5)) {
        await follow(page, `${HASH}&text=0%201%202&block=${block}&panel=stage&t=1e6`);
        await settled(page);
        compare(await numbers(page), { page: trace });
      }
      trace.dispose();
      model.dispose();
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an edit is computed in turns before it is shown; Reset gives an edited parameter back', async (t) => {
    if (waits(t)) return;
    const file = smallGguf();
    const { model, tokenizer } = await expanded(file);
    const { page, complaints, close } = await start();
    await choose(page, { 'small.gguf': file });
    await agree(page);
    await shown(page);
    /** What is waited for at once, and how many edits there are then; ends when nothing is computed any more. */
    const act = async (action) => {
      const at = await page.evaluate((detail) => {
        const chapter = document.querySelector('gf-chapter-transformer');
        chapter.dispatchEvent(new CustomEvent('gf-act', { detail, bubbles: true }));
        return [chapter.work?.label ?? '', chapter.shown.edits.length];
      }, action);
      await until(page, () => document.querySelector('gf-chapter-transformer').work === null);
      await settled(page);
      return at;
    };
    const isPage = ({ run }) => run === 'page';
    const check = async (options) =>
      compare((await numbers(page)).filter(isPage), {
        page: traceModel(model, { target: tokenizer.encode(TEXT) }, options),
      });
    const edit = { node: 'decoder.layers.0.self_attn.q', index: [2, 3], value: 4 };
    const norm = 'decoder.layers.0.norm1.weight';
    const parameter = model.parameters.get(norm);
    const was = parameter.data[1];
    const computing = 'Running the model…';
    assert.deepEqual(await act({ do: 'edit', cell: edit, text: '4' }), [computing, 0]);
    await check({ edits: [edit] });
    const owned = { do: 'edit', cell: { node: norm, index: [1] }, text: '2' };
    assert.deepEqual(await act(owned), [computing, 1]);
    parameter.data[1] = 2;
    await check({ edits: [edit] });
    assert.deepEqual(await act({ do: 'remove', name: 'scale' }), [computing, 2]);
    await check({ remove: ['scale'] });
    parameter.data[1] = was;
    await act({ do: 'reset' });
    await check({});
    await act(owned);
    /* What goes back computes in turns, too. */
    await page.evaluate(() => {
      const subject = document.querySelector('gf-chapter-transformer').models.get('disk');
      const { prepare } = subject;
      subject.prepared = 0;
      subject.prepare = (...how) => {
        subject.prepared++;
        return prepare.apply(subject, how);
      };
    });
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => {
      const { work, shown } = document.querySelector('gf-chapter-transformer');
      return work === null && shown.edits.length === 0;
    });
    assert.equal(
      await page.evaluate(
        () => document.querySelector('gf-chapter-transformer').models.get('disk').prepared,
      ),
      1,
    );
    await settled(page);
    await check({});
    assert.deepEqual(complaints, []);
    model.dispose();
    await close();
  });

  test('while a run computes, the bar alone is drawn anew; what is cancelled leaves all as it was', async () => {
    const { page, complaints, close } = await start();
    await choose(page, { 'small.gguf': smallGguf() });
    await agree(page);
    await shown(page);
    const [drawn, told, edits] = await page.evaluate(async () => {
      const chapter = document.querySelector('gf-chapter-transformer');
      const subject = chapter.models.get('disk');
      const { prepare } = subject;
      subject.prepare = async (state, listener, over) => {
        for (let part = 0; part <= 1; part += 1 / 16) {
          listener.onProgress('', part);
          await new Promise((done) => requestAnimationFrame(done));
        }
        return prepare.call(subject, state, listener, over);
      };
      let count = 0;
      const { performUpdate } = chapter;
      chapter.performUpdate = () => {
        count++;
        performUpdate.call(chapter);
      };
      const cell = { node: 'decoder.layers.0.norm1.weight', index: [1] };
      const detail = { do: 'edit', cell, text: '2' };
      chapter.dispatchEvent(new CustomEvent('gf-act', { detail, bubbles: true }));
      while (chapter.work) await new Promise((done) => requestAnimationFrame(done));
      const { length } = chapter.shown.edits;
      subject.prepare = prepare;
      chapter.dispatchEvent(
        new CustomEvent('gf-act', { detail: { ...detail, text: '3' }, bubbles: true }),
      );
      chapter.work.stop.abort();
      while (!chapter.work.failure) await new Promise((done) => requestAnimationFrame(done));
      return [
        count,
        chapter.work.failure,
        [length, subject.model.parameters.get(cell.node).data[1]],
      ];
    });
    assert.ok(drawn < 10, `${drawn} times`);
    assert.match(told, /cancelled/);
    assert.deepEqual(edits, [1, 2]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('any step is found by its name, or by parts of it; no step is said to be none', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await start();
    await choose(page, { 'small.gguf': smallGguf() });
    await agree(page);
    await shown(page);
    const find = async (typed) => {
      await page.locator('gf-find input').fill(typed);
      await page.locator('gf-find input').press('Enter');
      await settled(page);
      return page.evaluate(() => {
        const { shown, line, view } = document.querySelector('gf-chapter-transformer');
        return [shown.block, line.stages[view.moment.stage].name, shown.path[0]?.node ?? ''];
      });
    };
    const scores = 'decoder.layers.1.self_attn.scores';
    assert.deepEqual(await find('layers.1 scores'), ['decoder.1.self_attn', scores, '']);
    const weight = 'decoder.layers.0.linear2.weight';
    assert.deepEqual((await find(weight)).toSpliced(1, 1), ['decoder.0.feed_forward', weight]);
    for (const width of [1440, 768, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      const [field, switches] = await page.evaluate(() =>
        ['gf-find input', 'gf-switches'].map((one) =>
          document.querySelector(one).getBoundingClientRect().toJSON(),
        ),
      );
      const apart = field.bottom <= switches.top || field.right <= switches.left;
      assert.ok(apart && field.left >= 0 && field.right <= width, `beside the rest at ${width}`);
      const [run, all] = await page.evaluate(() => [
        document.querySelector('gf-translation .main').getBoundingClientRect().right,
        document.documentElement.scrollWidth,
      ]);
      assert.ok(run <= width && all <= width, `a long text at ${width}: ${run}, ${all}`);
    }
    /* The last width is that of a phone, where the field is far below the stage. */
    await find('layers.0 scores');
    const { top, bottom } = await page.evaluate(() =>
      document.querySelector('gf-stage').getBoundingClientRect().toJSON(),
    );
    assert.ok(bottom > 300 && top < 600, `the stage is from ${top} to ${bottom}`);
    await find('nothing of this name');
    assert.match(
      await page.locator('[role=status], [role=alert]').allTextContents().then(String),
      /nothing of this name/,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('of 30 layers one is open on the map, and the others fold; elements are drawn in turns', async (t) => {
    if (waits(t)) return;
    const file = smallGguf({}, { ...CONFIG, num_hidden_layers: 30 });
    const { model, tokenizer } = await expanded(file);
    const trace = traceModel(model, { target: tokenizer.encode(TEXT) });
    const { page, complaints, close } = await start();
    await choose(page, { 'small.gguf': file });
    await agree(page);
    await shown(page);
    const seen = async () => {
      await settled(page);
      return page.evaluate(() => {
        const keys = [...document.querySelectorAll('gf-model-map [data-block]')];
        const lit = keys.find((key) => key.ariaCurrent === 'step');
        const at = document.activeElement.dataset.block ?? '';
        const lines = keys.filter((key) => key.matches('.folded'));
        return [
          lit.dataset.block,
          at,
          lines.map((key) => key.textContent.trim().split(/\n\s*/).at(-1)),
        ];
      });
    };
    const map = page.locator('gf-model-map');
    const line = (name) => map.getByRole('button', { name, exact: true });
    assert.deepEqual((await seen())[2], ['layers 2–30']);
    await line('decoder: layers 2–30').click();
    const [, , numbered] = await seen();
    assert.deepEqual(
      numbered.slice(1),
      Array.from({ length: 29 }, (_, i) => String(i + 2)),
    );
    assert.equal(await line('decoder: layers 2–30').getAttribute('aria-expanded'), 'true');
    await line('decoder layer 12: masked attention').click();
    const twelfth = [
      'decoder.11.self_attn',
      'decoder.11.self_attn',
      ['layers 1–11', 'layers 13–30'],
    ];
    assert.deepEqual(await seen(), twelfth);
    compare(await numbers(page), { page: trace });
    /* By keys: up to the line above, unfolded, three layers on and folded again; then down to layer 11. */
    const keys = async (...pressed) => {
      for (const key of pressed) {
        await page.keyboard.press(key);
        await settled(page);
      }
    };
    const up = Array.from({ length: 4 }, () => 'ArrowUp');
    await keys(...up, 'Enter', 'ArrowDown', 'ArrowRight', 'Escape');
    assert.deepEqual(await seen(), ['decoder.11.self_attn', 'decoder.12-29', twelfth[2]]);
    await keys(...up, 'ArrowUp', 'ArrowUp');
    assert.equal((await seen())[1], 'probabilities');
    await line('decoder: layers 1–11').focus();
    await keys('Enter', 'ArrowDown', 'ArrowRight', 'Enter');
    const eleventh = ['decoder.10.self_attn', 'decoder.10.self_attn'];
    assert.deepEqual(await seen(), [...eleventh, ['layers 1–10', 'layers 12–30']]);
    const waiting = await page.evaluate(async () => {
      const chapter = document.querySelector('gf-chapter-transformer');
      const change = { block: 'decoder.3.feed_forward', panel: 'stage', path: [], open: null };
      const detail = { do: 'set', change };
      chapter.dispatchEvent(new CustomEvent('gf-act', { detail, bubbles: true }));
      for (let i = 0; i < 100; i++) await null;
      return [...document.querySelectorAll('gf-stage, gf-microscope, gf-legend')].filter(
        (one) => one.isUpdatePending,
      ).length;
    });
    assert.equal(waiting, 3);
    await settled(page);
    compare(await numbers(page), { page: trace });
    assert.deepEqual(complaints, []);
    trace.dispose();
    model.dispose();
    await close();
  });

  test('a chat: what the template makes of it, what is kept, and a question that is taken back', async () => {
    const file = smallGguf();
    const checkpoint = await openCheckpoint(file);
    const model = await core.openModel(checkpoint);
    const messages = [{ role: 'user', content: 'the cat sat' }];
    const { chatTemplate, tokenizer } = checkpoint;
    const due = session(model, { chatTemplate, tokenizer, maxNewTokens: 200 });
    const { text: first } = await due.ask('the cat sat').whole();
    const read = tokenizer.encode(chatPrompt(checkpoint, messages), { special: false });
    const { page, complaints, close } = await start();
    await choose(page, { 'small.gguf': file });
    await agree(page);
    await shown(page);
    await say(page, 'the cat sat');
    const seen = await page.evaluate(() => {
      const of = (where) =>
        [...document.querySelectorAll(`gf-chat ${where}`)].map((one) => one.textContent);
      return { said: of('.said span'), all: of('.token').length, special: of('.token.special') };
    });
    assert.deepEqual(seen.said, ['the cat sat', first]);
    assert.ok(first.length > 10);
    assert.equal(seen.all, read.length);
    assert.deepEqual(seen.special, ['<|im_start|>', '<|im_end|>', '<|im_start|>']);
    const told = await page.evaluate(async () => {
      const one = document.querySelector('gf-chat');
      one.querySelector('[name=message]').value = 'on the';
      one.querySelector('form').requestSubmit();
      one.stop.abort();
      while (one.stop) await new Promise((done) => requestAnimationFrame(done));
      const { value } = one.querySelector('[name=message]');
      return [one.subject.talk.session.messages.length, one.status, value];
    });
    assert.deepEqual(told, [2, 'cancelled.', 'on the']);
    /* Later turns read only what is new, until whole turns are left out. */
    while (!due.trimmed) {
      const { kept } = await due.ask('on the').whole();
      await say(page, 'on the');
      const texts = await page.locator('gf-chat .said span').allTextContents();
      assert.equal(texts.at(-1), due.messages.at(-1).content);
      assert.equal(await page.locator('gf-chat .token.kept').count(), kept);
      assert.ok(kept > 0);
    }
    assert.match(
      await page.locator('gf-chat').textContent(),
      new RegExp(`no longer reads the oldest ${due.trimmed} messages`),
    );
    assert.deepEqual(complaints, []);
    model.dispose();
    await close();
  });

  test('a folder of Hugging Face chats by its template, and its tokenizer is looked into', async () => {
    const bytesOfTokens = { type: 'ByteLevel', add_prefix_space: false, use_regex: true };
    const vocab = Object.fromEntries(TOKENS.map((token, id) => [token, id]));
    const special = TOKENS.slice(0, 2).map((content, id) => ({ id, content, special: true }));
    const tokenizer = {
      ...{ version: '1.0', added_tokens: special, normalizer: null, post_processor: null },
      ...{ pre_tokenizer: bytesOfTokens, decoder: bytesOfTokens },
      model: { type: 'BPE', vocab, merges: MERGES },
    };
    const config = { ...CONFIG, tie_word_embeddings: true, vocab_size: TOKENS.length };
    const json = (value) => Buffer.from(JSON.stringify(value));
    const weights = writeSafetensors(smallTensors());
    const { page, complaints, close } = await start();
    await choose(page, {
      'model.safetensors': weights,
      'config.json': json(config),
      'tokenizer.json': json(tokenizer),
      'tokenizer_config.json': json({ eos_token: '<|im_end|>' }),
      'chat_template.jinja': Buffer.from(TEMPLATE),
    });
    await agree(page);
    await shown(page);
    await say(page, 'the cat sat');
    const said = await page.locator('gf-chat .said span').allTextContents();
    /* The same in a GGUF: its tokenizer is ours. */
    const { model } = await expanded(weights, { config });
    const checkpoint = await openCheckpoint(smallGguf());
    const messages = [{ role: 'user', content: 'the cat sat' }];
    let due = '';
    for await (const part of chat(model, checkpoint, messages, { maxNewTokens: 200 })) due += part;
    assert.deepEqual(said, ['the cat sat', due]);
    await page.getByLabel('Experiments').selectOption('tokenizer');
    await page.locator('gf-cuts input').fill(' cat');
    await page.waitForFunction(() => document.querySelectorAll('gf-cuts tr').length === 5);
    const rows = await page.locator('gf-cuts tr').allTextContents();
    assert.match(rows[3], /·cat\s+merge 6 of 11/);
    assert.deepEqual(complaints, []);
    model.dispose();
    await close();
  });

  test('the tokenizer: a typed word is cut step by step, in the order of its merges', async () => {
    const { page, complaints, close } = await start();
    await choose(page, { 'small.gguf': smallGguf() });
    await agree(page);
    await shown(page);
    await page.getByLabel('Experiments').selectOption('tokenizer');
    await page.locator('gf-cuts input').fill('the cats');
    await page.waitForFunction(() => document.querySelectorAll('gf-cuts table').length === 2);
    const rows = await page.evaluate(() =>
      [...document.querySelectorAll('gf-cuts tr')].map((row) => [
        [...row.querySelectorAll('.token')].map((token) => token.textContent).join(' '),
        row.querySelector('.made')?.textContent ?? '',
        row.querySelector('td:last-child').textContent,
      ]),
    );
    const [the, cat] = [TOKENS.indexOf('the'), TOKENS.indexOf('Ġcat')];
    assert.deepEqual(rows, [
      ['t h e', '', 'the parts'],
      ['th e', 'th', 'merge 1 of 11'],
      ['the', 'the', 'merge 2 of 11'],
      [`the${the}`, '', 'the tokens and their ids'],
      ['· c a t s', '', 'the parts'],
      ['· ca t s', 'ca', 'merge 4 of 11'],
      ['· cat s', 'cat', 'merge 5 of 11'],
      ['·cat s', '·cat', 'merge 6 of 11'],
      [`·cat${cat} s${TOKENS.indexOf('s')}`, '', 'the tokens and their ids'],
    ]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a character of several bytes is shown as it is read; before they are joined, its bytes are', async () => {
    const bytes = { '!': 'Ã', '?': '©', ',': 'Ã©' };
    const tokens = TOKENS.map((token) => bytes[token] ?? token);
    const merges = ['c a', 'Ã ©'];
    const { page, complaints, close } = await start();
    const file = smallGguf({
      'tokenizer.ggml.tokens': [[STRING], tokens],
      'tokenizer.ggml.merges': [[STRING], merges],
    });
    await choose(page, { 'small.gguf': file });
    await agree(page);
    await shown(page);
    await page.locator('gf-translation [name=text]').fill('caé é');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForFunction(
      () => document.querySelectorAll('.translation .plain li').length === 4,
    );
    const read = await page.locator('.translation .plain li').allTextContents();
    assert.deepEqual(read, ['ca', 'é', '·', 'é']);
    await page.getByLabel('Experiments').selectOption('tokenizer');
    await page.locator('gf-cuts input').fill('é');
    await page.waitForFunction(() => document.querySelectorAll('gf-cuts tr').length === 3);
    const rows = await page.evaluate(() =>
      [...document.querySelectorAll('gf-cuts tr')].map((row) =>
        [...row.querySelectorAll('.token')].map((token) => token.textContent),
      ),
    );
    assert.deepEqual(rows, [['<0xC3>', '<0xA9>'], ['é'], [`é${tokens.indexOf('Ã©')}`]]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('llama2.c with its tokenizer, and without one; sharded safetensors with config.json', async (t) => {
    if (waits(t)) return;
    const config = { ...CONFIG, tie_word_embeddings: true, vocab_size: TOKENS.length };
    const tensors = smallTensors();
    const words = TOKENS.map((token) => token.replaceAll('Ġ', ' '));
    const tokens = tokenizerBin(
      words,
      words.map((_, id) => -id),
    );
    const bin = llama2c(config, tensors);
    const parts = [...tensors].map(([name, values], i) => [i % 2, name, values]);
    const [one, two] = [0, 1].map((which) =>
      writeSafetensors(new Map(parts.filter(([i]) => i === which).map(([, ...pair]) => pair))),
    );
    const json = Buffer.from(JSON.stringify(config));
    const { page, complaints, close } = await start();
    for (const [files, from, options, ids] of [
      [{ 'small.bin': bin, 'tokenizer.bin': tokens }, bin, { tokenizer: tokens }, null],
      [{ 'small.bin': bin }, bin, {}, [0, 1, 2]],
      [
        { 'b.safetensors': two, 'a.safetensors': one, 'config.json': json },
        [one, two],
        { config },
        [0, 1, 2],
      ],
    ]) {
      await follow(page, HASH);
      if (!(await page.locator('.opener').count())) {
        await chooseCheckpoint(page);
      }
      const { model, tokenizer } = await expanded(from, options);
      await choose(page, files);
      await agree(page);
      await page.waitForSelector('.opener', { state: 'detached' });
      await shown(page);
      compare(await numbers(page), {
        page: traceModel(model, { target: ids ?? tokenizer.encode(TEXT) }),
      });
      model.dispose();
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a logit is followed down to a weight of 4 bits, which tells its block and cannot be edited', async () => {
    const file = smallGguf();
    const { model, tokenizer } = await expanded(file);
    const { page, complaints, close } = await start();
    await choose(page, { 'small.gguf': file });
    await agree(page);
    await shown(page);
    const node = 'decoder.layers.1.linear2.weight';
    const text = encodeURIComponent(TEXT);
    await follow(
      page,
      `${HASH}&text=${text}&block=decoder.1.feed_forward&panel=stage&t=1e6&path=${node}:3,5`,
    );
    await page.waitForSelector('gf-block .quants');
    await settled(page);
    const kept = await core.openModel(await openCheckpoint(file), { stored: true });
    const trace = traceModel(kept, { target: tokenizer.encode('the') });
    const { weight } = explain(trace, node, [3, 5], gf);
    const told = await page.locator('gf-microscope').textContent();
    assert.match(told, /q4_1/);
    assert.match(told, new RegExp(`[=≈]\\s+${weight.q} × `));
    assert.equal(
      await page.locator('gf-microscope').getByRole('button', { name: 'Edit' }).count(),
      0,
    );
    assert.deepEqual(complaints, []);
    for (const one of [model, kept]) one.dispose();
    await close();
  });
});

describe('refused', () => {
  test('files that are cut, lie or mean harm: by name, before weights are read, and nothing is lost', async () => {
    const { page, complaints, close } = await start();
    const file = smallGguf();
    for (const [files, reason] of [
      [{ 'a.gguf': file.subarray(0, 700) }, /GGUF: /],
      [{ 'a.gguf': file.subarray(0, file.length - 100) }, /GGUF: .*ends?/],
      [{ 'a.gguf': smallGguf({ 'general.architecture': [STRING, 'mamba'] }) }, /received "mamba"/],
      [{ 'a.gguf': Buffer.from('<!doctype html><title>404</title>') }, /expected a file of GGUF/],
      [{ 'a.bin': Buffer.from([0x80, 2, 0x8a, ...Array(40).fill(0)]) }, /pickle of PyTorch/],
      [{ 'a.gguf': Buffer.alloc(0) }, /ends/],
      [{ 'notes.txt': Buffer.from('x') }, /None of these is a \.safetensors, \.gguf or \.bin file/],
    ]) {
      await choose(page, files);
      assert.match(await refusal(page), reason);
      await page.locator('.opener [type=file]').setInputFiles([]);
    }
    await choose(page, { 'small.gguf': file });
    await agree(page);
    await shown(page);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('by address: the header alone is read until the reader agrees; Cancel ends what hangs', async () => {
    const file = smallGguf();
    const asked = [];
    let hangs = false;
    const host = createServer((request, response) => {
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      asked.push(request.url);
      response.writeHead(request.url === '/small.gguf' ? (from ? 206 : 200) : 404, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'range',
        'content-length': file.length - from,
      });
      if (hangs) response.write(file.subarray(from, from + 3000));
      else response.end(file.subarray(from));
    });
    await new Promise((done) => host.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${host.address().port}`;
    const { page, close } = await start(
      `#v=1&chapter=transformer&model=${encodeURIComponent(`${origin}/small.gguf`)}`,
    );
    assert.deepEqual(asked, [], 'a link alone asks nobody');
    await page.getByRole('button', { name: 'Fetch' }).click();
    await page.waitForSelector('.opener .offer');
    await page.locator('.opener').getByRole('button', { name: 'Cancel' }).click();
    assert.match(await refusal(page), /cancelled/);
    await page.getByRole('button', { name: 'Fetch' }).click();
    await agree(page);
    await shown(page);
    const { model, tokenizer } = await expanded(file);
    compare(await numbers(page), { page: traceModel(model, { target: tokenizer.encode(TEXT) }) });
    model.dispose();
    await chooseCheckpoint(page);
    hangs = true;
    await page.getByRole('button', { name: 'Fetch' }).click();
    await page.locator('.opener').getByRole('button', { name: 'Cancel' }).click();
    assert.match(await refusal(page), /cancelled/);
    await page.locator('.opener [name=address]').fill(`${origin}/nothing.gguf`);
    await page.getByRole('button', { name: 'Fetch' }).click();
    await page.waitForFunction(() => /404/.test(document.querySelector('.refusal')?.textContent));
    host.closeAllConnections();
    host.close();
    await close();
  });
});
