// Guesses from the text itself: they save time, and change nothing of what is written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readModel } from '../../../bindings/index.js';
import { generateTexts, generateTokens } from '../../../bindings/models/text/index.js';
import { guess } from '../../../bindings/models/text/lookup.js';
import { load, openCheckpoint } from '../../../bindings/models.js';
import { reclaim } from '../../support/heap.js';
import { tries } from '../../support/sample.js';
import { smallGguf } from '../../support/small-gguf.js';

const gf = await load();
const VOCAB = 8;
const CONFIG = {
  kind: 'gpt',
  vocab: VOCAB,
  dModel: 8,
  heads: 4,
  layers: 2,
  dFF: 12,
  maxLength: 64,
};
const KINDS = {
  learned: {},
  rotary: { positions: 'rotary', kvHeads: 2, norm: 'rms', activation: 'swiglu' },
  alibi: { positions: 'alibi' },
  unmasked: { remove: ['mask'] },
};
const checkpoint = await openCheckpoint(smallGguf());
/** How many tokens all texts together have: with FULL, a hundred thousand. */
const TOKENS = process.env.FULL ? 100_000 : 2000;

/** All that a text tells, and how many tokens were not read by themselves.
 * @param {any} model @param {number[]} prompt @param {object} options */
async function write(model, prompt, options) {
  reclaim(gf);
  let steps = 0;
  const process = () => {
    steps++;
  };
  const stream = generateTokens(model, prompt, { ...options, process });
  for await (const _ of stream);
  const { tokens, ended, guessed } = stream.result;
  return {
    told: [ended, tokens.map(({ token, logProb, best }) => [token, logProb, best])],
    steps,
    guessed,
  };
}

/** Writes with guesses and without; gives how many were right.
 * @param {any} model @param {number[]} prompt @param {object} options */
async function same(model, prompt, options) {
  const alone = await write(model, prompt, { ...options, lookup: false });
  const ahead = await write(model, prompt, { ...options, lookup: true });
  assert.deepEqual(ahead.told, alone.told);
  assert.equal(alone.guessed, 0);
  return { guessed: ahead.guessed, count: ahead.steps };
}

test('what followed the same tokens before is the guess, and goes on in the same way', () => {
  assert.deepEqual(guess([1, 2, 3, 9, 8, 1, 2, 3], 2), [9, 8]);
  assert.deepEqual(guess([1, 2, 3, 9, 8, 1, 2, 3], 7), [9, 8, 1, 2, 3, 9, 8]);
  assert.deepEqual(guess([5, 2, 3, 7, 0, 2, 3, 4, 1, 5, 2, 3], 1), [7], 'three tokens before two');
  assert.deepEqual(guess([2, 3, 7, 2, 3, 4, 2, 3], 1), [4], 'of equals the last one');
  assert.deepEqual(guess([4, 4], 3), [4, 4, 4]);
  assert.deepEqual(guess([1, 2, 3], 3), [], 'a new token');
  assert.deepEqual(guess([1, 3, 2, 3], 1, 3), [], 'one token is less than three');
  assert.deepEqual(guess([7], 3), []);
});

const options = fc.record(
  {
    temperature: fc.constantFrom(0, 0.3, 1),
    seed: fc.integer({ min: 0, max: 9 }),
    best: fc.constantFrom(0, 3),
    whenFull: fc.constantFrom('end', 'slide'),
    repetitionPenalty: fc.constantFrom(1, 0.6),
    stopTokens: fc.constantFrom([], [3]),
    maxNewTokens: fc.integer({ min: 1, max: 90 }),
  },
  { requiredKeys: ['seed', 'stopTokens', 'maxNewTokens'] },
);
const prompts = fc.array(fc.integer({ min: 0, max: VOCAB - 1 }), { minLength: 1, maxLength: 30 });
/** A greedy text soon repeats itself, so guesses of it are right, however few others are drawn. */
const REPEATING = [[1, 2, 1, 2], { temperature: 0, seed: 0, stopTokens: [], maxNewTokens: 60 }];

for (const kind of Object.keys(KINDS)) {
  test(`${kind}: the text, its probabilities and its end are the same, whatever is asked`, async () => {
    const model = gf.model({ ...CONFIG, ...KINDS[kind] }, { seed: 3 });
    let right = 0;
    await fc.assert(
      fc.asyncProperty(prompts, options, async (prompt, asked) => {
        right += (await same(model, prompt, asked)).guessed;
      }),
      { numRuns: tries(30), examples: [REPEATING] },
    );
    assert.equal(right > 0, kind !== 'unmasked', `${right} guesses were right`);
    model.dispose();
  });
}

test('stored, in integers and as float32, trained and not: thousands of tokens', async () => {
  const models = {
    stories: gf.open(
      readModel(
        readFileSync(new URL('../../../bindings/data/models/stories.safetensors', import.meta.url)),
      ),
    ),
    exact: await gf.openModel(checkpoint, { stored: true }),
    integer: await gf.openModel(checkpoint, { arithmetic: 'integer' }),
    float32: await gf.openModel(checkpoint, { stored: false }),
  };
  for (const [name, model] of Object.entries(models)) {
    const { vocab, maxLength } = model.config;
    let [written, right] = [0, 0];
    for (let seed = 0; written < tries(TOKENS / 4); seed++) {
      const part = Array.from({ length: 5 }, (_, i) => (7 * i + 3 * seed + 1) % vocab);
      const prompt = [...part, ...part, ...part].slice(0, maxLength >> 1);
      const temperature = [0, 0.4, 1][seed % 3];
      const { guessed, count } = await same(model, prompt, { temperature, seed, stopTokens: [] });
      written += count;
      right += guessed;
    }
    assert.ok(right > 0, `${name}: no guess was right`);
    model.dispose();
  }
});

test('the next turn goes on from what was guessed; texts side by side are not guessed', async () => {
  const [model, fresh] = ['a', 'b'].map(() =>
    gf.model({ ...CONFIG, ...KINDS.rotary }, { seed: 3 }),
  );
  const lookup = { lookup: true, temperature: 0, maxNewTokens: 20 };
  const first = generateTokens(model, [1, 2, 1, 2, 1, 2], lookup);
  for await (const _ of first);
  assert.ok(first.result.guessed > 0);
  const second = [1, 2, 1, 2, 1, 2, ...first.result.tokens.map(({ token }) => token), 5];
  const [a, b] = [generateTokens(model, second, lookup), generateTokens(fresh, second, lookup)];
  for (const stream of [a, b]) for await (const _ of stream);
  assert.deepEqual(a.result.tokens, b.result.tokens);
  const letters = [...'abcdefgh'];
  const tokenizer = {
    encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
    decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
  };
  const [one] = await generateTexts(model, tokenizer, ['abababab', 'bcbc'], lookup);
  assert.equal(one.guessed, 0);
});
