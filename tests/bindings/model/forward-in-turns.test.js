// A run in turns: the bits of model.forward, whatever is kept, and nothing left of one that a signal ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwardInTurns } from '../../../bindings/index.js';
import { bits, families, gf, model, refused } from './small.js';

const large = {
  kind: 'gpt',
  vocab: 3000,
  dModel: 256,
  heads: 4,
  layers: 3,
  maxLength: 64,
  seed: 1,
};
const target = [Array.from({ length: 60 }, (_, i) => (7 * i) % 3000), [5, 6, 7]];

test('it has the bits of a run at once, with all steps, some, or none', async () => {
  const made = gf.model(large);
  for (const steps of [true, ['decoder.layers.1.norm1'], false]) {
    const gradients = steps === true;
    const whole = made.forward({ target, steps, gradients });
    const parts = [];
    const options = { steps, gradients, onProgress: (part) => parts.push(part) };
    const run = await forwardInTurns(made, { target }, options);
    assert.equal(bits(run.logits.data), bits(whole.logits.data));
    if (steps) {
      const name = 'decoder.layers.1.norm1';
      assert.equal(bits(run.tensor(name).data), bits(whole.tensor(name).data));
    }
    assert.ok(parts.length > 8 && parts.at(-1) === 1, `${parts.length} turns`);
    whole.dispose();
    run.dispose();
  }
  made.dispose();
});

test('other tasks have their turn while it runs, and a signal ends it', async () => {
  const made = gf.model(large);
  const controller = new AbortController();
  let seen = 0;
  const onProgress = (part) => {
    seen = part;
    controller.abort();
  };
  const run = forwardInTurns(made, { target }, { onProgress, signal: controller.signal });
  await assert.rejects(run, { name: 'AbortError' });
  assert.ok(seen > 0 && seen < 1);
  const none = forwardInTurns(made, { target }, { signal: AbortSignal.abort() });
  await assert.rejects(none, { name: 'AbortError' });
  made.dispose();
});

test('its loss has gradients, like that of model.forward', async () => {
  const made = model(families.transformer);
  const inputs = { source: [3, 1, 4], target: [1, 5, 9], labels: [5, 9, 2] };
  const whole = made.forward(inputs);
  whole.backward();
  const expected = bits(made.parameters.get('embedding.weight').grad);
  const run = await forwardInTurns(made, inputs);
  assert.equal(run.loss, whole.loss);
  run.backward();
  assert.equal(bits(made.parameters.get('embedding.weight').grad), expected);
  await assert.rejects(
    forwardInTurns(made, inputs, { step: 'x' }),
    refused(TypeError, /forwardInTurns: step: expected an integer/),
  );
  made.dispose();
});
