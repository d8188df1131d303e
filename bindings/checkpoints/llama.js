// Llama of Hugging Face's transformers, and Mistral, whose tokens may see only so many before them. Weights are [out, in].

import { stretchDemands, stretchIn, stretchOf, writeStretch } from './rope.js';
import { under } from './table.js';
import { refusing } from './texts.js';
import { eachLayer, windowsIn, windowsOf } from './windows.js';

const TABLE = 'model.embed_tokens.weight';
const HEAD = 'lm_head.weight';

/** Mistral has a window in every layer, or in none.
 * @param {import('./table.js').Settings} given */
const windowOf = ({ model_type: type, sliding_window: window }) =>
  type === 'mistral' ? window : undefined;

/** @param {import('./table.js').Settings} given */
function windows(given) {
  const size = windowOf(given);
  if (size === undefined) return {};
  const { num_hidden_layers: layers, max_position_embeddings: length } = given;
  return windowsOf(
    size,
    eachLayer(layers, () => true),
    length,
  );
}

/** All matrices have biases, or none has. Qwen's have their own rule.
 * @param {import('./table.js').Settings} given */
function biases({ model_type: type, attention_bias: value, mlp_bias: other }) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing('config.json');
  if (type !== 'llama' && type !== 'mistral') return {};
  if (other !== true && other !== false)
    return refuse('boolean', { where: 'mlp_bias', given: other });
  return value === other
    ? {}
    : refuse('biasesUnlike', { where: 'attention_bias', other: String(other), given: value });
}

/** @type {import('./table.js').Family} */
export const llama = {
  types: ['llama', 'mistral'],
  prefix: 'model.',
  ignored: /^layers\.\d+\.self_attn\.rotary_emb\.inv_freq$/,
  settings: {
    vocab: 'vocab_size',
    maxLength: 'max_position_embeddings',
    dModel: 'hidden_size',
    heads: 'num_attention_heads',
    kvHeads: 'num_key_value_heads',
    dFF: 'intermediate_size',
    layers: 'num_hidden_layers',
    bias: 'attention_bias',
    tied: 'tie_word_embeddings',
    rotaryBase: 'rope_theta',
    epsilon: 'rms_norm_eps',
  },
  defaults: (given) => ({
    num_key_value_heads: given.num_attention_heads,
    attention_bias: false,
    mlp_bias: false,
    tie_word_embeddings: false,
    rope_theta: given.rope_parameters ? given['rope_parameters.rope_theta'] : 10000,
    rms_norm_eps: 1e-6,
  }),
  demands: (given) => ({
    hidden_act: 'silu',
    head_dim: Number(given.hidden_size) / Number(given.num_attention_heads),
    sliding_window: windowOf(given),
    ...stretchDemands(given),
    partial_rotary_factor: 1,
    rope_theta: given['rope_parameters.rope_theta'] ?? given.rope_theta,
    'rope_parameters.partial_rotary_factor': 1,
  }),
  read: (given, file) => ({
    ...biases(given),
    ...stretchOf(given),
    ...windows(given),
    tied: file.isTied(given.tie_word_embeddings, HEAD, [TABLE]),
  }),
  write: (config) => ({
    ...(config.window
      ? { model_type: 'mistral', architectures: ['MistralForCausalLM'] }
      : { architectures: ['LlamaForCausalLM'] }),
    ...(config.window && { sliding_window: config.window }),
    hidden_act: 'silu',
    mlp_bias: config.bias,
    ...writeStretch(config),
  }),
  fixed: (config) => ({
    kind: 'gpt',
    positions: 'rotary',
    norm: 'rms',
    preNorm: true,
    finalNorm: true,
    embeddingNorm: false,
    activation: 'swiglu',
    outputBias: false,
    scaleEmbedding: false,
    interleaved: false,
    ...stretchIn(config),
    ...windowsIn(config),
  }),
  rows: () => [
    ['embedding.weight', [TABLE, HEAD]],
    ...under('decoder.layers.{i}', 'model.layers.{i}', [
      ['norm1.{p}', 'input_layernorm.{p}'],
      ['self_attn.{x}_proj.{p}', 'self_attn.{x}_proj.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'self_attn.o_proj.{p}', 'transposed'],
      ['norm2.{p}', 'post_attention_layernorm.{p}'],
      ['gate.{p}', 'mlp.gate_proj.{p}', 'transposed'],
      ['linear1.{p}', 'mlp.up_proj.{p}', 'transposed'],
      ['linear2.{p}', 'mlp.down_proj.{p}', 'transposed'],
    ]),
    ['decoder.norm.{p}', 'model.norm.{p}'],
    ['logits.weight', HEAD, 'transposed'],
  ],
};
