// Models whose matrices stay as their file has them: every experiment gives the numbers of the float32 model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as entry from '../../bindings/lab/inside/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import { bytesOf, gguf, llamaGguf } from '../support/gguf.js';
import { generator } from '../support/program.js';

const inside = { ...entry };
const config = {
  ...{ hidden_size: 32, intermediate_size: 64, num_hidden_layers: 2, vocab_size: 40 },
  ...{ num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 16 },
  ...{ rms_norm_eps: 1e-5, rope_theta: 10000 },
};

/** A llama of float16 numbers between 2^-3 and 2^-2, of either sign. */
function file() {
  const random = generator(9);
  const { hidden_size: C, intermediate_size: F, vocab_size: V } = config;
  const layer = (i) =>
    Object.entries({
      ...{
        'self_attn.q_proj': [C, C],
        'self_attn.k_proj': [C / 2, C],
        'self_attn.v_proj': [C / 2, C],
      },
      ...{
        'self_attn.o_proj': [C, C],
        'mlp.gate_proj': [F, C],
        'mlp.up_proj': [F, C],
        'mlp.down_proj': [C, F],
      },
      ...{ input_layernorm: [C], post_attention_layernorm: [C] },
    }).map(([name, shape]) => [`model.layers.${i}.${name}.weight`, shape]);
  const shapes = [
    ['model.embed_tokens.weight', [V, C]],
    ...layer(0),
    ...layer(1),
    ['model.norm.weight', [C]],
    ['lm_head.weight', [V, C]],
  ];
  const empty = new Map(
    shapes.map(([name, shape]) => [
      name,
      { shape, data: new Float32Array(shape.reduce((a, b) => a * b)) },
    ]),
  );
  const { metadata, list } = llamaGguf(config, empty, {}, { parts: true });
  const tensors = list.map(([name, , shape]) => {
    const count = shape.reduce((a, b) => a * b);
    if (shape.length === 1) return [name, 'F32', shape, bytesOf(new Float32Array(count).fill(1))];
    const halves = Uint16Array.from(
      { length: count },
      () => 0x3000 + Math.floor(1024 * random()) + (random() < 0.5 ? 0x8000 : 0),
    );
    return [name, 'F16', shape, bytesOf(halves)];
  });
  return gguf(metadata, tensors);
}

test('every experiment gives the numbers of the float32 model', async () => {
  const gf = await load();
  const checkpoint = await openCheckpoint(file());
  const whole = await gf.openModel(checkpoint);
  const kept = await gf.openModel(checkpoint, { stored: true });
  assert.ok(kept.stored.size > 10);
  const inputs = { target: [3, 17, 39, 0, 8] };
  const from = { target: [3, 5, 39, 0, 9] };
  const calls = {
    headScores: [inputs],
    logitLens: [inputs],
    rollout: [inputs],
    ablate: [inputs, { each: 'neuron', layers: [1] }],
    patch: [inputs, { each: 'head', from }],
    paths: [inputs, { sender: { layer: 0, head: 3 }, from }],
    attributionPatch: [inputs, { each: 'position', from }],
    logitAttribution: [inputs, { against: 7, keys: true, products: true }],
    why: [inputs, { layer: 1, head: 2, key: 3 }],
    circuits: [{ layer: 0, head: 3, tokens: [1, 39] }],
  };
  for (const [name, given] of Object.entries(calls)) {
    const [a, b] = await Promise.all([whole, kept].map((model) => inside[name](model, ...given)));
    assert.deepEqual(b, a, name);
    assert.ok(!JSON.stringify(a).includes('null,null'), name);
  }
  whole.dispose();
  kept.dispose();
});
