// A real model, SmolLM2-135M-Instruct in 4 bits, against what transformers computes of the same numbers
// (tests/reference/smollm2.py). Only in `make test-all`: `make setup-models` downloads the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chatPrompt } from '../../bindings/models/formats/chat.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { onlyInFull } from '../support/skips.js';

const file = fileURLToPath(new URL('../../build/models/smollm2.gguf', import.meta.url));
const expected = JSON.parse(
  readFileSync(new URL('../reference/fixtures/smollm2.json', import.meta.url), 'utf8'),
);

describe('SmolLM2', { skip: onlyInFull }, () => {
  let core;
  let checkpoint;
  let model;
  before(async () => {
    checkpoint = await openCheckpoint(file);
    core = await load();
    model = await core.openModel(checkpoint);
  });
  after(() => model?.dispose());

  test('its shape is that of its card', () => {
    const { vocab, dModel, heads, kvHeads, dFF, layers, maxLength, rotaryBase, tied } =
      model.config;
    assert.deepEqual(
      { vocab, dModel, heads, kvHeads, dFF, layers, maxLength, rotaryBase, tied },
      {
        ...{ vocab: 49152, dModel: 576, heads: 9, kvHeads: 3, dFF: 1536, layers: 30 },
        ...{ maxLength: 8192, rotaryBase: 100000, tied: true },
      },
    );
    assert.equal(model.size, 134515008);
  });

  test('texts become the ids that transformers finds', () => {
    for (const [text, ids] of expected.texts) {
      assert.deepEqual(checkpoint.tokenizer.encode(text), ids, text);
    }
  });

  for (const { prompt, ids, logits, tokens } of expected.prompts) {
    test(`${JSON.stringify(prompt)}: logits within 1e-4, and 64 tokens`, () => {
      assert.deepEqual(checkpoint.tokenizer.encode(prompt), ids);
      const run = model.forward({ target: ids, steps: false });
      const all = run.logits.data;
      const last = all.subarray(all.length - model.config.vocab);
      let most = 0;
      for (const [i, value] of logits.entries()) {
        const off = Math.abs(last[i * expected.each] - value) / (1 + Math.abs(value));
        if (!(off <= most)) most = off;
      }
      run.dispose();
      assert.ok(most < 1e-4, `off by ${most}`);
      const written = model.generateSync(ids, { maxNewTokens: tokens.length });
      assert.deepEqual(written, tokens);
    });
  }

  test('matrices that stay in 4 bits write the same tokens', async () => {
    const kept = await core.openModel(checkpoint, { stored: true });
    const [{ ids, tokens }] = expected.prompts;
    assert.equal(kept.stored.size, 30 * 7 + 1);
    assert.deepEqual(kept.generateSync(ids, { maxNewTokens: tokens.length }), tokens);
    kept.dispose();
  });

  test('its chat template asks for an answer', () => {
    const text = chatPrompt(checkpoint, [{ role: 'user', content: 'Hi' }]);
    assert.match(
      text,
      /^<\|im_start\|>system\n.*<\|im_end\|>\n<\|im_start\|>user\nHi<\|im_end\|>\n/,
    );
    assert.ok(text.endsWith('<|im_start|>assistant\n'));
    const [first] = checkpoint.tokenizer.encode(text);
    assert.equal(first, 1);
  });
});
