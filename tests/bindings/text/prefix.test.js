// A text that begins like the one before it goes on from its keys and values, with the same bits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { train } from '../../../bindings/index.js';
import { generateTexts, generateTokens } from '../../../bindings/models/text/index.js';
import { load } from '../../../bindings/models.js';
import { reclaim } from '../../support/heap.js';

const gf = await load();
const VOCAB = 8;
const CONFIG = {
  kind: 'gpt',
  vocab: VOCAB,
  dModel: 8,
  heads: 4,
  layers: 2,
  dFF: 12,
  maxLength: 24,
};
const KINDS = {
  learned: {},
  rotary: { positions: 'rotary', kvHeads: 2, norm: 'rms', activation: 'swiglu' },
  alibi: { positions: 'alibi' },
  sinusoidal: { positions: 'sinusoidal' },
};
const modelOf = (kind) => gf.model({ ...CONFIG, ...KINDS[kind] }, { seed: 3 });

/** All that a text tells, and how many tokens were read already when it began.
 * @param {any} model @param {number[]} prompt @param {object} [options] @param {number} [most] tokens after which to leave */
async function write(model, prompt, options = {}, most = Number.POSITIVE_INFINITY) {
  let spared;
  const onProgress = ({ read }) => {
    spared ??= read - 1;
  };
  const stream = generateTokens(model, prompt, { maxNewTokens: 4, onProgress, ...options });
  for await (const _ of stream) if (stream.result.tokens.length >= most) break;
  return { ...stream.result, spared };
}
const told = ({ tokens }) => tokens.map(({ token, logProb, best }) => [token, logProb, best]);

const ids = (length) =>
  fc.array(fc.integer({ min: 0, max: VOCAB - 1 }), { minLength: 1, maxLength: length });
/** A prompt that begins anew, or goes on from part of the last text. */
const turn = fc.record({
  kept: fc.integer({ min: 0, max: 20 }),
  more: ids(9),
  options: fc.record(
    {
      temperature: fc.constantFrom(0, 0.7, 1.5),
      seed: fc.integer({ min: 0, max: 9 }),
      best: fc.constantFrom(0, 3),
      whenFull: fc.constantFrom('end', 'slide'),
      repetitionPenalty: fc.constantFrom(1, 1.3),
      maxNewTokens: fc.integer({ min: 0, max: 12 }),
    },
    { requiredKeys: ['seed'] },
  ),
  most: fc.constantFrom(1, 3, Number.POSITIVE_INFINITY),
});

for (const kind of Object.keys(KINDS)) {
  test(`${kind}: turns of a talk have the bits of texts that are read whole`, async () => {
    const fresh = modelOf(kind);
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 5 }), async (turns) => {
        const model = modelOf(kind);
        let before = [];
        for (const { kept, more, options, most } of turns) {
          const prompt = [...before.slice(0, kept), ...more].slice(0, CONFIG.maxLength);
          reclaim(gf);
          const expected = await write(fresh, prompt, options, most);
          assert.deepEqual(told(await write(model, prompt, options, most)), told(expected));
          before = [...prompt, ...expected.tokens.map(({ token }) => token)];
        }
        model.dispose();
      }),
      { numRuns: 30 },
    );
    fresh.dispose();
  });
}

test('the second turn reads what is new', async () => {
  const model = modelOf('rotary');
  const first = [1, 2, 3, 4, 5];
  const { tokens, spared } = await write(model, first);
  assert.equal(spared, first.length - 1);
  const text = [...first, ...tokens.map(({ token }) => token)];
  const second = await write(model, [...text, 1]);
  assert.equal(second.spared, text.length - 1, 'the last token was written, not read');
  const edited = await write(model, [1, 2, 3, 7, 7, 7]);
  assert.equal(edited.spared, 3);
  model.dispose();
});

test('parameters that may have changed are read anew', async () => {
  const changes = {
    written: (model) => model.parameters.get('embedding.weight').data.fill(0.5),
    trained: async (model) => {
      for await (const _ of train(model, [{ target: [1, 2, 3], labels: [2, 3, 4] }], { steps: 1 }));
    },
  };
  const prompt = [1, 2, 3, 4, 5, 6];
  for (const [name, change] of Object.entries(changes)) {
    const [model, fresh] = [modelOf('learned'), modelOf('learned')];
    await write(model, prompt);
    await change(model);
    await change(fresh);
    assert.deepEqual(told(await write(model, prompt)), told(await write(fresh, prompt)), name);
    for (const one of [model, fresh]) one.dispose();
  }
});

test('texts at the same time, side by side, or of an encoder go their own way', async () => {
  const [model, fresh] = [modelOf('alibi'), modelOf('alibi')];
  const prompts = [
    [1, 2, 3, 4],
    [1, 2, 3, 5],
  ];
  const both = await Promise.all(prompts.map((prompt) => write(model, prompt)));
  for (const [i, prompt] of prompts.entries()) {
    reclaim(gf);
    assert.deepEqual(told(both[i]), told(await write(fresh, prompt)));
  }
  const letters = [...'abcdefgh'];
  const tokenizer = {
    encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
    decode: (tokens) => Array.from(tokens, (id) => letters[id]).join(''),
  };
  const [one] = await generateTexts(model, tokenizer, prompts, { maxNewTokens: 4 });
  assert.deepEqual(
    one.tokens.map(({ token }) => token),
    both[0].tokens.map(({ token }) => token),
  );
});
