// What a token is chosen by: numbers that stay, whatever needs memory meanwhile, and are refused where they are none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../../bindings/index.js';
import { logitAttribution, logitLens, rollout } from '../../../bindings/lab/inside/index.js';
import { likeliest, untrained } from '../../../bindings/lab/stories/index.js';
import {
  classify,
  embed,
  fillMask,
  generateTokens,
  trainClassifier,
} from '../../../bindings/models/text/index.js';

import { refused } from '../model/small.js';

const gf = await load();
const small = { kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 };

/** A function of the user's that makes the core's memory grow. @param {import('../../../bindings/index.js').Glassformer} core */
const growing = (core) => () => {
  core.uniform([2 ** 20]);
};

for (const options of [
  { best: 2 },
  { temperature: 1, repetitionPenalty: 1.1 },
  { temperature: 1, minP: 0.1 },
]) {
  test(`log-probabilities outlive growing memory: ${JSON.stringify(options)}`, async () => {
    const core = await load();
    const model = core.model(small);
    const stream = generateTokens(model, [1, 2], {
      ...options,
      maxNewTokens: 3,
      process: growing(core),
    });
    for await (const { logProb } of stream) assert.ok(logProb <= 0, String(logProb));
    assert.equal(stream.result.tokens.length, 3);
  });
}

test('logits of NaN choose no token, whatever chooses', async () => {
  const model = gf.model(small);
  for (const { data } of model.parameters.values()) data.fill(Number.NaN);
  const refused = /logit NaN at position 2/;
  for (const options of [{}, { temperature: 1 }, { topK: 2 }, { beams: 2 }]) {
    assert.throws(() => model.generateSync([1, 2], options), refused, JSON.stringify(options));
  }
  for (const options of [
    {},
    { temperature: 1 },
    { minP: 0.1, temperature: 1 },
    { best: 1, forced: [3] },
  ]) {
    const read = async () => {
      for await (const _ of generateTokens(model, [1, 2], options));
    };
    await assert.rejects(read, refused, JSON.stringify(options));
  }
  model.dispose();
});

/** A model whose parameters are no numbers. @param {object} options */
function broken(options) {
  const model = gf.model({ ...small, ...options });
  for (const { data } of model.parameters.values()) data.fill(Number.NaN);
  return model;
}
const letters = [...'abcdefgh'];
const tokenizer = {
  encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
  decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
};

test('scores of NaN choose no filling, no class and no best token', async () => {
  const bert = broken({ kind: 'bert' });
  const sound = gf.model({ ...small, kind: 'bert' });
  const classifier = {
    labels: ['no', 'yes'],
    width: 8,
    weight: new Float32Array(16),
    bias: Float32Array.of(0, Number.NaN),
    pooling: 'mean',
    normalize: true,
  };
  const because = /score 0 is NaN, so none is the largest: look for NaN or very large numbers/;
  const calls = {
    'fillMask: position 1': () => fillMask(bert, tokenizer, 'ahb', { mask: 7 }),
    'classify: texts\\[0\\]': () => classify(sound, tokenizer, ['ab'], classifier),
    'logitLens: position 0': () => logitLens(broken({ kind: 'gpt' }), { target: [1, 2] }),
    logitAttribution: () => logitAttribution(broken({ kind: 'gpt' }), { target: [1, 2] }),
    'likeliest: position 0': async () => {
      const model = untrained(gf, 1);
      for (const { data } of model.parameters.values()) data.fill(Number.NaN);
      return likeliest(model, ['<start>', 'Anna']);
    },
  };
  for (const [where, call] of Object.entries(calls)) {
    await assert.rejects(call, (error) => {
      assert.match(error.message, new RegExp(`^${where}: `));
      assert.match(error.message, because);
      return error instanceof RangeError;
    });
  }
  const examples = ['a', 'b'].map((letter) => ({ text: letter, label: letter }));
  const vectors = {
    embed: () => embed(bert, tokenizer, ['ab']),
    classify: () => classify(bert, tokenizer, ['ab'], classifier),
    trainClassifier: () => trainClassifier(bert, tokenizer, examples),
  };
  for (const [name, call] of Object.entries(vectors)) {
    await assert.rejects(
      call,
      refused(RangeError, /embed: texts\[0\]: channel 0 of the vector is NaN: look for NaN/),
      name,
    );
  }
});

test('a flow of NaN ends, and is NaN', async () => {
  const { layers } = await rollout(broken({ kind: 'gpt' }), { target: [1, 2, 3] }, { flow: true });
  assert.ok(Number.isNaN(layers[0].flow.values[1][0]));
});

test('a rollout pauses in its products, and ends with its signal there', async () => {
  const model = gf.model({ ...small, kind: 'gpt', layers: 2 });
  const stop = new AbortController();
  const parts = [];
  const onProgress = (part) => {
    parts.push(part);
    /* The run itself tells the first part; the second comes from within the products. */
    if (parts.length === 2) stop.abort();
  };
  const result = rollout(model, { target: [1, 2, 3] }, { signal: stop.signal, onProgress });
  await assert.rejects(result, { name: 'AbortError' });
  assert.deepEqual(parts, [0.5, 0.5]);
});
