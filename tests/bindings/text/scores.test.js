// What a token is chosen by: numbers that stay, whatever needs memory meanwhile, and are refused where they are none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../../bindings/index.js';
import { generateTokens } from '../../../bindings/text/index.js';

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
