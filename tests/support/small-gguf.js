// A GGUF as small as one can be that has everything: stored matrices, a tokenizer with merges, a chat template.
import { STORING } from '../../bindings/models/formats/quantize.js';
import { gguf, I32, llamaGguf, STRING, TYPES, U32 } from './gguf.js';
import { generator } from './program.js';

export const CONFIG = {
  ...{ model_type: 'llama', hidden_size: 32, intermediate_size: 64, num_hidden_layers: 2 },
  ...{ num_attention_heads: 2, num_key_value_heads: 1, max_position_embeddings: 64 },
  ...{ rms_norm_eps: 1e-5, rope_theta: 10000 },
};
const SPECIAL = ['<|im_start|>', '<|im_end|>'];
/** What is joined, in this order: Ġ is a space. */
export const MERGES = [
  't h',
  'th e',
  'Ġ the',
  'c a',
  'ca t',
  'Ġ cat',
  's a',
  'sa t',
  'Ġ sat',
  'Ġ o',
  'Ġo n',
];
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz.,!?TIĠĊ'];
export const TOKENS = [...SPECIAL, ...CHARACTERS, ...MERGES.map((pair) => pair.replace(' ', ''))];
export const TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

export const METADATA = {
  'tokenizer.ggml.model': [STRING, 'gpt2'],
  'tokenizer.ggml.pre': [STRING, 'smollm'],
  'tokenizer.ggml.tokens': [[STRING], TOKENS],
  'tokenizer.ggml.token_type': [[I32], TOKENS.map((token) => (SPECIAL.includes(token) ? 3 : 1))],
  'tokenizer.ggml.merges': [[STRING], MERGES],
  'tokenizer.ggml.bos_token_id': [U32, 0],
  'tokenizer.ggml.eos_token_id': [U32, 1],
  'tokenizer.chat_template': [STRING, TEMPLATE],
};

/** The names and shapes of its tensors, tied.
 * @param {typeof CONFIG} config @param {number} vocab */
function* tensorsOf({ hidden_size: width, intermediate_size: inner, ...config }, vocab) {
  const kv = (width / config.num_attention_heads) * config.num_key_value_heads;
  yield ['model.embed_tokens', [vocab, width]];
  for (let i = 0; i < config.num_hidden_layers; i++) {
    for (const [name, shape] of [
      ['input_layernorm', [width]],
      ['self_attn.q_proj', [width, width]],
      ['self_attn.k_proj', [kv, width]],
      ['self_attn.v_proj', [kv, width]],
      ['self_attn.o_proj', [width, width]],
      ['post_attention_layernorm', [width]],
      ['mlp.gate_proj', [inner, width]],
      ['mlp.up_proj', [inner, width]],
      ['mlp.down_proj', [width, inner]],
    ]) {
      yield [`model.layers.${i}.${name}`, shape];
    }
  }
  yield ['model.norm', [width]];
}

/** Tensors of numbers below 1/4. @param {typeof CONFIG} [config] */
export function smallTensors(config = CONFIG, vocab = TOKENS.length) {
  const random = generator(5);
  return new Map(
    [...tensorsOf(config, vocab)].map(([name, shape]) => {
      const count = shape.reduce((a, b) => a * b, 1);
      const number = () => (shape.length === 1 ? 0.5 + random() : (random() - 0.5) / 2);
      return [`${name}.weight`, { shape, data: Float32Array.from({ length: count }, number) }];
    }),
  );
}

/** The file: its matrices in 4 bits, its table in 8.
 * @param {Record<string, [any, any]>} [more] metadata @param {typeof CONFIG} [config] */
export function smallGguf(more = {}, config = CONFIG) {
  const facts = { ...METADATA, ...more };
  const [, tokens] = facts['tokenizer.ggml.tokens'];
  const tensors32 = smallTensors(config, tokens.length);
  const { metadata, list } = llamaGguf(config, tensors32, facts, { parts: true });
  const tensors = list.map(([name, type, shape, bytes]) => {
    if (shape.length === 1) return [name, type, shape, bytes];
    const stored = name === 'token_embd.weight' ? 'Q8_0' : 'Q4_1';
    const [, block, size] = TYPES[stored];
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const out = new Uint8Array((numbers.length / block) * size);
    STORING[stored](numbers, out);
    return [name, stored, shape, out];
  });
  return gguf(metadata, tensors);
}
