// Generation for applications, against the published formulas in float64, written here again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listedTokenizer } from '../../../bindings/models/formats/token-lists.js';
import {
  generateText,
  generateTexts,
  generateTokens,
} from '../../../bindings/models/text/index.js';
import { collect, families, gf, model, refused, refusedAs } from '../model/small.js';

const { gpt, transformer } = families;
const prompt = [9, 2, 6];
const VOCAB = gpt.vocab;

/** The logits behind these tokens, of a run without a cache, in float64. */
function logitsOf(made, target, source) {
  const run = made.forward({ ...(source && { source }), target, gradients: false });
  const logits = Array.from(run.logits.data.slice(-VOCAB));
  run.dispose();
  return logits;
}

const argmax = (row) => row.indexOf(Math.max(...row));

function softmax(logits, temperature = 1) {
  const most = Math.max(...logits);
  const all = logits.map((x) => Math.exp((x - most) / temperature));
  const sum = all.reduce((a, b) => a + b, 0);
  return all.map((x) => x / sum);
}

/** Writes tokens by a rule from logits to a token. */
function written(made, steps, choose, start = prompt) {
  const tokens = [];
  for (let place = 0; place < steps; place++) {
    tokens.push(choose(logitsOf(made, [...start, ...tokens]), tokens, place));
  }
  return tokens;
}

/** What ours writes. */
async function ours(made, options, from = prompt) {
  const stream = generateTokens(made, from, options);
  const all = await collect(stream);
  assert.deepEqual(all, stream.result.tokens);
  return all.map(({ token }) => token);
}

const STEPS = 24;

test('repetition penalty: Keskar et al. 2019, over prompt and text', async () => {
  const made = model(gpt);
  const plain = written(made, STEPS, argmax);
  for (const penalty of [1.3, 4, 0.7]) {
    const expected = written(made, STEPS, (logits, tokens) => {
      const there = new Set([...prompt, ...tokens]);
      return argmax(
        logits.map((x, id) => (there.has(id) ? (x > 0 ? x / penalty : x * penalty) : x)),
      );
    });
    assert.notDeepEqual(expected, plain, 'it makes a difference');
    const options = { maxNewTokens: STEPS, repetitionPenalty: penalty };
    assert.deepEqual(await ours(made, options), expected);
  }
  made.dispose();
});

test('frequency and presence penalty: logit - count f - [count > 0] p, over the text alone', async () => {
  const made = model(gpt);
  for (const [frequencyPenalty, presencePenalty] of [
    [0.8, 0],
    [0, 2.5],
    [1.5, 3],
    [-0.5, 0.1],
  ]) {
    const expected = written(made, STEPS, (logits, tokens) =>
      argmax(
        logits.map((x, id) => {
          const count = tokens.filter((token) => token === id).length;
          return x - count * frequencyPenalty - (count > 0 ? presencePenalty : 0);
        }),
      ),
    );
    const options = { maxNewTokens: STEPS, frequencyPenalty, presencePenalty };
    assert.deepEqual(await ours(made, options), expected);
  }
  made.dispose();
});

test('banned tokens are never written, forced ones come first, your function has the last word', async () => {
  const made = model(gpt);
  const best = written(made, 1, argmax)[0];
  const tokens = await ours(made, { maxNewTokens: STEPS, banned: [best, 3] });
  assert.ok(!tokens.includes(best) && !tokens.includes(3));
  assert.deepEqual(
    tokens,
    written(made, STEPS, (logits) =>
      argmax(logits.map((x, id) => (id === best || id === 3 ? -Infinity : x))),
    ),
  );
  const forced = [7, 7, 1];
  assert.deepEqual(
    await ours(made, { maxNewTokens: STEPS, forced }),
    written(made, STEPS, (logits, _, place) => forced[place] ?? argmax(logits)),
  );
  const seen = [];
  const process = (logits, before) => {
    assert.equal(logits.length, VOCAB);
    seen.push([...before]);
    logits.fill(-Infinity);
    logits[before.length % VOCAB] = 1;
  };
  const counted = Array.from({ length: 9 }, (_, i) => i);
  assert.deepEqual(await ours(made, { maxNewTokens: 9, process }), counted);
  assert.deepEqual(
    seen,
    counted.map((n) => counted.slice(0, n)),
  );
  made.dispose();
});

/** A draw from ids in their order, by the core's random number of that place. */
function drawn(ids, p, seed, place) {
  const [u] = gf.uniform([1], { seed, stream: place, low: 0, high: 1 }).data;
  let left = u * ids.reduce((sum, id) => sum + p[id], 0);
  return ids.find((id) => {
    left -= p[id];
    return left < 0;
  });
}

test('min-p: only tokens at least so likely as a part of the likeliest, Nguyen et al. 2024', async () => {
  const made = model(gpt, 0.4);
  const ids = Array.from({ length: VOCAB }, (_, id) => id);
  let cut = 0;
  for (const [minP, temperature, topK, topP] of [
    [0.3, 1, 0, 1],
    [0.6, 1.7, 0, 1],
    [0.1, 2, 3, 1],
    [0.2, 2, 0, 0.6],
    [1, 1, 0, 1],
  ]) {
    for (const seed of [1, 2, 3]) {
      const expected = written(made, 12, (logits, _, place) => {
        const p = softmax(logits, temperature);
        const most = Math.max(...p);
        let left = ids.filter((id) => p[id] >= minP * most);
        cut += VOCAB - left.length;
        if (topK || topP < 1) left.sort((a, b) => p[b] - p[a]);
        if (topK) left = left.slice(0, topK);
        if (topP < 1) {
          const all = left.reduce((sum, id) => sum + p[id], 0);
          const upTo = (n) => left.slice(0, n).reduce((sum, id) => sum + p[id], 0);
          while (upTo(left.length - 1) >= topP * all) left.pop();
        }
        return drawn(left, p, seed, place);
      });
      const options = { maxNewTokens: 12, minP, temperature, topK, topP, seed };
      assert.deepEqual(await ours(made, options), expected, JSON.stringify(options));
    }
  }
  assert.ok(cut > 100, 'it leaves out many');
  made.dispose();
});

test('without penalties the tokens are those of model.generate', async () => {
  for (const options of [gpt, transformer]) {
    const made = model(options, 0.5);
    for (const settings of [
      { maxNewTokens: 9, stopTokens: [4] },
      { temperature: 1.2, topK: 5, topP: 0.9, seed: 8 },
    ]) {
      assert.deepEqual(await ours(made, settings), made.generateSync(prompt, settings));
    }
    made.dispose();
  }
});

test('a model so large that a token takes several slices writes the same', async () => {
  const large = {
    kind: 'gpt',
    vocab: 500,
    dModel: 512,
    heads: 8,
    layers: 8,
    maxLength: 20,
    seed: 2,
  };
  const made = gf.model(large);
  /* 25 million weights in its layers: two slices. */
  assert.ok(made.size > 2 ** 24 + 500 * 512);
  for (const whenFull of ['end', 'slide']) {
    const settings = { maxNewTokens: 17, whenFull };
    assert.deepEqual(await ours(made, settings), made.generateSync(prompt, { maxNewTokens: 17 }));
  }
  made.dispose();
});

test('a prompt is read at once, with the bits that it has token by token', async () => {
  const tokens = Array.from({ length: 37 }, (_, i) => (7 * i * i + i) % 11);
  for (const options of [
    gpt,
    { ...gpt, positions: 'rotary', kvHeads: 1, heads: 2 },
    { ...gpt, remove: ['scale'] },
  ]) {
    const made = model({ ...options, vocab: 11, maxLength: 64 }, 0.5);
    for (const length of [1, 4, 5, 6, 37]) {
      /* The run of all but the last token is one slice, so nothing is told within it. */
      let pauses = 0;
      const settings = { maxNewTokens: 5, stopTokens: [], onProgress: () => pauses++ };
      const { result } = await whole(generateTokens(made, tokens.slice(0, length), settings));
      const steps = [];
      made.generateSync(tokens.slice(0, length), {
        maxNewTokens: 5,
        onStep: ({ token, logProb }) => steps.push({ token, logProb, best: [] }),
      });
      assert.deepEqual(result.tokens, steps, `${length} tokens`);
      assert.equal(pauses, length === 4 ? 3 + 5 : 5, `${length} tokens`);
    }
    made.dispose();
  }
});

test('log-probabilities are the model’s, of the chosen token and of the best k', async () => {
  const made = model(gpt, 0.6);
  const options = { maxNewTokens: 8, temperature: 3, seed: 2, banned: [1], best: 4 };
  const { result } = await whole(generateTokens(made, prompt, options));
  const before = [...prompt];
  for (const { token, logProb, best } of result.tokens) {
    const all = softmax(logitsOf(made, before)).map(Math.log);
    assert.ok(Math.abs(all[token] - logProb) < 1e-5);
    const order = all.map((_, id) => id).sort((a, b) => all[b] - all[a]);
    assert.deepEqual(
      best.map(({ token: id }) => id),
      order.slice(0, 4),
    );
    for (const { token: id, logProb: one } of best) assert.ok(Math.abs(all[id] - one) < 1e-5);
    before.push(token);
  }
  made.dispose();
});

/** Reads a stream to its end. */
async function whole(stream) {
  const parts = await collect(stream);
  return { parts, result: stream.result };
}

test('it says why it ended', async () => {
  const made = model(gpt);
  const ended = async (options) => (await whole(generateTokens(made, prompt, options))).result;
  const room = gpt.maxLength - prompt.length + 1;
  assert.equal((await ended({ maxNewTokens: 4 })).ended, 'max-new-tokens');
  assert.equal((await ended({ maxNewTokens: room })).ended, 'max-new-tokens');
  const full = await ended({});
  assert.deepEqual([full.ended, full.tokens.length], ['max-length', room]);
  assert.equal((await ended({ maxNewTokens: room + 1 })).ended, 'max-length');
  const all = written(made, STEPS, argmax);
  const other = all.findIndex((token) => token !== all[0]);
  const stopped = await ended({ stopTokens: [all[other]] });
  assert.deepEqual([stopped.ended, stopped.tokens.length], ['stop-token', other]);
  assert.deepEqual(await ended({ signal: AbortSignal.abort() }), {
    ended: 'signal',
    guessed: 0,
    kept: 0,
    seed: null,
    text: '',
    tokens: [],
  });
  assert.equal((await ended({ maxNewTokens: 0 })).ended, 'max-new-tokens');
  const left = generateTokens(made, prompt, {});
  for await (const _ of left) break;
  assert.equal(left.result.ended, null);
  const awaited = generateTokens(made, prompt, { maxNewTokens: 3 });
  assert.equal(await awaited, awaited.result, 'await writes the whole text');
  assert.equal(awaited.result.tokens.length, 3);
  made.dispose();
});

test('a signal ends it between two tokens, and what was written stays', async () => {
  const made = model(gpt);
  const controller = new AbortController();
  const stream = generateTokens(made, prompt, { signal: controller.signal });
  for await (const _ of stream) if (stream.result.tokens.length === 5) controller.abort();
  assert.equal(stream.result.ended, 'signal');
  assert.deepEqual(
    stream.result.tokens.map(({ token }) => token),
    written(made, 5, argmax),
  );
  made.dispose();
});

test('full, it slides: the newer half is read again from position 0', async () => {
  const made = model({ ...gpt, positions: 'learned', maxLength: 10 });
  const expected = [];
  /* What the model has read: at its maxLength the newer half stays. */
  let window = [...prompt];
  for (let i = 0; i < 33; i++) {
    const token = argmax(logitsOf(made, window));
    expected.push(token);
    if (window.length === 10) window = window.slice(-5);
    window.push(token);
  }
  const options = { maxNewTokens: 33, whenFull: 'slide' };
  assert.deepEqual(await ours(made, options), expected);
  made.dispose();
  const two = model(transformer);
  assert.throws(
    () => generateTokens(two, prompt, { whenFull: 'slide' }),
    refused(
      TypeError,
      /generateTokens: whenFull: a model with an encoder cannot slide its window: choose "end"/,
    ),
  );
  two.dispose();
});

// ---- Text ----

/** 11 tokens: bytes of é, € and an emoji in parts, and letters. */
const TOKENS = ['a', 'b', 'c', 'Ã', '©', 'â', 'Ĥ', '¬', 'ðŁ', 'ĺĢ', '<|end|>'];
const tokenizer = listedTokenizer({
  model: 'gpt2',
  tokens: TOKENS,
  types: TOKENS.map((_, id) => (id < 10 ? 1 : 3)),
  merges: [],
  eos: 10,
});
const [A, B, C, E1, E2, EURO1, EURO2, EURO3, SMILE1, SMILE2, END] = TOKENS.keys();
const made = model(gpt);

/** A text of these tokens, as parts. */
const spelled = (tokens, options = {}) =>
  whole(
    generateText(made, tokenizer, [A], { forced: tokens, maxNewTokens: tokens.length, ...options }),
  );

test('text comes in whole characters, of two, three and four bytes', async () => {
  const { parts, result } = await spelled([B, E1, E2, EURO1, EURO2, EURO3, SMILE1, SMILE2, C]);
  assert.deepEqual(parts, ['b', 'é', '€', '😀', 'c']);
  assert.equal(result.text, 'bé€😀c');
  assert.equal(result.tokens.length, 9);
});

test('a prompt that ends within a character is joined by what follows', async () => {
  const after = (prompt, tokens) =>
    whole(generateText(made, tokenizer, prompt, { forced: tokens, maxNewTokens: tokens.length }));
  assert.deepEqual((await after([A, E1], [E2, B])).parts, ['é', 'b']);
  assert.deepEqual((await after([EURO1, EURO2], [EURO3, B])).parts, ['€', 'b']);
  assert.deepEqual((await after([A, E1], [])).parts, []);
  const long = Array.from({ length: 4 }, () => [EURO1, EURO2, EURO3]).flat();
  assert.deepEqual((await after([...long, SMILE1], [SMILE2, B])).parts, ['😀', 'b']);
});

test('a decoder that gives up a whole run of bytes for one that is missing loses none', async () => {
  /* As ByteFallback of tokenizer.json does. */
  const strict = {
    ...tokenizer,
    decode(ids) {
      const text = tokenizer.decode(ids);
      return /\ufffd/.test(text) ? '\ufffd'.repeat([...ids].length) : text;
    },
  };
  const tokens = [EURO1, EURO2, EURO3, SMILE1, SMILE2, E1, E2];
  const prompt = [...tokens, ...tokens, E1];
  const { parts } = await whole(
    generateText(made, strict, prompt, { forced: [E2, ...tokens], maxNewTokens: 8 }),
  );
  assert.deepEqual(parts, ['é', '€', '😀', 'é']);
});

test('bytes that make no character are written as one each, and a character that is not complete not at all', async () => {
  const { parts, result } = await spelled([E1, E1, B, EURO1, EURO2]);
  assert.deepEqual(parts, ['\ufffd\ufffdb']);
  assert.deepEqual([result.text, result.tokens.length], ['\ufffd\ufffdb', 5]);
  assert.deepEqual((await spelled([B, SMILE1, END])).parts, ['b']);
  assert.equal((await spelled([E2, E2, E2, A])).result.text, '\ufffd\ufffd\ufffda');
});

describe('stop texts', () => {
  test('end the text before them, across tokens, and no part of one is written before', async () => {
    const { parts, result } = await spelled([A, B, A, B, C, A], { stop: 'bc' });
    assert.deepEqual(parts, ['a', 'ba']);
    assert.deepEqual([result.text, result.ended], ['aba', 'stop-text']);
    assert.equal(result.tokens.length, 5);
  });

  test('of several the first in the text counts', async () => {
    const { result } = await spelled([A, C, E1, E2, B], { stop: ['b', 'éb', 'cé'] });
    assert.deepEqual([result.text, result.ended], ['a', 'stop-text']);
  });

  test('what only began like one is given out', async () => {
    const { parts, result } = await spelled([A, B, B, A], { stop: ['bbb', 'abba!'] });
    assert.equal(parts.join(''), 'abba');
    assert.deepEqual([result.text, result.ended], ['abba', 'max-new-tokens']);
    const ended = await spelled([A, B, END], { stop: ['bbb'] });
    assert.deepEqual([ended.result.text, ended.result.ended], ['ab', 'stop-token']);
  });
});

test('the tokenizer’s own stops end a text; so do others instead', async () => {
  const { result } = await spelled([A, END, A]);
  assert.deepEqual([result.text, result.ended], ['a', 'stop-token']);
  const other = await spelled([A, END, C, A], { stopTokens: [C] });
  assert.deepEqual([other.result.text, other.result.ended], ['a', 'stop-token']);
  assert.equal(other.result.tokens.length, 2);
});

test('the space that begins a SentencePiece text is no part of it, and all others are', async () => {
  const tokens = ['<unk>', '<s>', '</s>', '▁a', '▁b', 'c', '▁', 'd', 'e', 'f', 'g'];
  const pieces = listedTokenizer({
    model: 'llama',
    tokens,
    types: tokens.map((_, id) => (id ? (id < 3 ? 3 : 1) : 2)),
    scores: tokens.map((_, id) => -id),
    bos: 1,
    eos: 2,
  });
  const forced = [3, 4, 5, 1, 4, 6, 7];
  const options = { forced, maxNewTokens: forced.length, stopTokens: [] };
  const { parts } = await whole(generateText(made, pieces, [1], options));
  assert.equal(parts.join(''), 'a bc b d');
  const after = await whole(generateText(made, pieces, [1, 3], options));
  assert.equal(after.parts.join(''), ' a bc b d');
});

test('texts of several prompts are what each is alone', async () => {
  const prompts = ['a', 'abcabc', [C, B], 'ba'];
  for (const options of [
    { maxNewTokens: 12, repetitionPenalty: 1.2 },
    { maxNewTokens: 12, temperature: 1, seed: 4, stop: ['b'], stopTokens: [END, C] },
    { best: 2 },
    { maxNewTokens: 60, whenFull: 'slide', stopTokens: [] },
  ]) {
    const texts = await generateTexts(made, tokenizer, prompts, options);
    for (const [i, one] of prompts.entries()) {
      const alone = await whole(generateText(made, tokenizer, one, options));
      assert.deepEqual(texts[i], alone.result, `${one} ${JSON.stringify(options)}`);
    }
    assert.equal(texts.length, prompts.length);
  }
  assert.deepEqual(await generateTexts(made, tokenizer, []), []);
  const two = model(transformer);
  const plain = { encode: () => [3, 4], decode: (ids) => String([...ids]), stops: [2] };
  const texts = await generateTexts(two, plain, [[1, 5, 3], 'x'], { maxNewTokens: 6 });
  for (const [i, source] of [
    [1, 5, 3],
    [3, 4],
  ].entries()) {
    const tokens = texts[i].tokens.map(({ token }) => token);
    assert.deepEqual(tokens, two.generateSync(source, { maxNewTokens: 6 }));
  }
  two.dispose();
});

test('a tokenizer whose decode gives no string is told of', async () => {
  const told = refused(TypeError, /^tokenizer: decode: expected a string, received an array of 1$/);
  const odd = { encode: () => [3, 4], decode: () => ['a'] };
  await assert.rejects(collect(generateText(made, odd, 'x', { maxNewTokens: 2 })), told);
});

test('progress tells of each token read and written', async () => {
  const told = [];
  await generateTexts(made, tokenizer, ['abc', 'a'], {
    maxNewTokens: 2,
    stopTokens: [],
    onProgress: (progress) => told.push(progress),
  });
  assert.deepEqual(told, [
    { read: 1, prompt: 3, written: 1 },
    { read: 2, prompt: 3, written: 2 },
    { read: 3, prompt: 3, written: 3 },
    { read: 3, prompt: 3, written: 4 },
  ]);
});

test('an await before for await is named, and the result is as it was', async () => {
  const stream = generateText(made, tokenizer, 'a', { maxNewTokens: 2 });
  assert.throws(() => stream.text, refusedAs('GF_ESTATE', /generateText: the text comes while/));
  const result = await stream;
  assert.equal(structuredClone(result).text, result.text);
  await assert.rejects(
    async () => {
      for await (const _ of result);
    },
    refused(TypeError, /an await before it has read the text to its end: leave that out/),
  );
});

test('what is wrong is refused before anything runs', async () => {
  const { length: most } = TOKENS;
  for (const [options, kind, pattern] of [
    [{ minP: 2 }, RangeError, /generateText: minP: expected a number from 0 to 1, received 2/],
    [{ repetitionPenalty: 0 }, RangeError, /repetitionPenalty: expected a number above 0/],
    [{ frequencyPenalty: 'x' }, TypeError, /frequencyPenalty: expected a number/],
    [{ banned: [most] }, RangeError, /banned\[0\]: expected an integer from 0 to 10, received 11/],
    [{ forced: 3 }, TypeError, /forced: expected ids, received 3/],
    [{ process: 3 }, TypeError, /process: expected a function/],
    [{ stop: 3 }, TypeError, /stop: expected a string or an array of strings, received 3/],
    [{ stop: '' }, RangeError, /stop: expected a string of one character or more, received ""/],
    [{ stop: [''] }, RangeError, /stop\[0\]: expected a string of one character or more/],
    [{ whenFull: 'stop' }, RangeError, /whenFull: expected one of "end", "slide"/],
    [{ min_p: 0.1 }, TypeError, /unknown option "min_p"/],
    [{ temperature: -1 }, RangeError, /temperature: expected 0, or a number from .*, received -1/],
  ]) {
    assert.throws(() => generateText(made, tokenizer, 'a', options), refused(kind, pattern));
  }
  assert.throws(() => generateText(made, null, 'a'), refused(TypeError, /expected a tokenizer/));
  assert.throws(() => generateText({}, tokenizer, 'a'), refused(TypeError, /expected a model/));
  assert.throws(() => generateText(made, tokenizer, ''), refused(RangeError, /has no tokens/));
  assert.throws(
    () => generateTokens(made, [1], { stop: ['a'] }),
    refused(TypeError, /unknown option "stop"/),
  );
  await assert.rejects(
    collect(generateTokens(made, [1], { process: (logits) => logits.fill(Number.NaN, 2) })),
    refused(RangeError, /process: your function wrote NaN for token 2/),
  );
  for (const [process, type] of [
    [(logits) => logits.map((logit) => logit / 2), 'Float32Array'],
    [async () => {}, 'Promise'],
  ]) {
    await assert.rejects(
      collect(generateTokens(made, [1], { process })),
      refused(TypeError, new RegExp(`process: your function .* received ${type}`)),
    );
  }
  await assert.rejects(
    collect(generateTokens(made, [1], { process: (logits) => logits.fill(-Infinity) })),
    refused(RangeError, /no token is left to choose from/),
  );
});
