// Writes GGUF and llama2.c as their own tools do, from the formats' descriptions.

/** What a value of metadata is: [type, value]; an array is [[type], values]. */
const SIZES = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const NAMES =
  'setUint8 setInt8 setUint16 setInt16 setUint32 setInt32 setFloat32 setUint8 - - setBigUint64 setBigInt64 setFloat64'.split(
    ' ',
  );
export const [U8, , , , U32, I32, F32, BOOL, STRING, ARRAY, U64] = Array.from(
  { length: 13 },
  (_, i) => i,
);
/** Numbers of tensor types, block sizes and bytes of a block. */
export const TYPES = {
  F32: [0, 1, 4],
  F16: [1, 1, 2],
  Q4_0: [2, 32, 18],
  Q4_1: [3, 32, 20],
  Q5_0: [6, 32, 22],
  Q5_1: [7, 32, 24],
  Q8_0: [8, 32, 34],
  Q4_K: [12, 256, 144],
  Q5_K: [13, 256, 176],
  Q6_K: [14, 256, 210],
  BF16: [30, 1, 2],
};

class Bytes {
  parts = [];
  length = 0;

  put(bytes) {
    this.parts.push(bytes);
    this.length += bytes.length;
  }

  number(type, value) {
    const view = new DataView(new ArrayBuffer(SIZES[type]));
    view[NAMES[type]](0, SIZES[type] === 8 && type !== 12 ? BigInt(value) : value, true);
    this.put(new Uint8Array(view.buffer));
  }

  text(text) {
    const bytes = new TextEncoder().encode(text);
    this.number(U64, bytes.length);
    this.put(bytes);
  }

  value(type, value) {
    if (Array.isArray(type)) {
      this.number(U32, type[0]);
      this.number(U64, value.length);
      for (const one of value) this.value(type[0], one);
    } else if (type === STRING) this.text(value);
    else this.number(type, Number(value));
  }

  align(alignment) {
    this.put(new Uint8Array((alignment - (this.length % alignment)) % alignment));
  }

  get all() {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

/** A file of GGUF.
 * @param {Record<string, [any, any]>} metadata
 * @param {[name: string, type: string, shape: number[], bytes: Uint8Array][]} tensors shape as PyTorch has it */
export function gguf(metadata, tensors, { version = 3, alignment = 32 } = {}) {
  const file = new Bytes();
  file.put(new TextEncoder().encode('GGUF'));
  file.number(U32, version);
  file.number(U64, tensors.length);
  file.number(U64, Object.keys(metadata).length);
  for (const [key, [type, value]] of Object.entries(metadata)) {
    file.text(key);
    file.number(U32, Array.isArray(type) ? ARRAY : type);
    file.value(type, value);
  }
  let offset = 0;
  for (const [name, type, shape, bytes] of tensors) {
    file.text(name);
    file.number(U32, shape.length);
    for (const d of [...shape].reverse()) file.number(U64, d);
    file.number(U32, TYPES[type]?.[0] ?? type);
    file.number(U64, offset);
    offset = Math.ceil((offset + bytes.length) / alignment) * alignment;
  }
  file.align(alignment);
  for (const [, , , bytes] of tensors) {
    file.put(bytes);
    file.align(alignment);
  }
  return file.all;
}

/** @param {Float32Array} data */
export const bytesOf = (data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** As llama.cpp's converter has it: weights.reshape(heads, 2, size / 2, -1).swapaxes(1, 2).
 * @param {Float32Array} data [heads * size, width] @param {number} heads @param {number} rows */
export function neighbours(data, heads, rows) {
  const width = data.length / rows;
  const size = rows / heads;
  const out = new Float32Array(data.length);
  for (let head = 0; head < heads; head++) {
    for (let half = 0; half < 2; half++) {
      for (let pair = 0; pair < size / 2; pair++) {
        const from = (head * size + (half * size) / 2 + pair) * width;
        out.set(data.subarray(from, from + width), (head * size + 2 * pair + half) * width);
      }
    }
  }
  return out;
}

const LLAMA = [
  ['model.embed_tokens', 'token_embd'],
  ['model.norm', 'output_norm'],
  ['lm_head', 'output'],
  ['input_layernorm', 'attn_norm'],
  ['self_attn.q_proj', 'attn_q'],
  ['self_attn.k_proj', 'attn_k'],
  ['self_attn.v_proj', 'attn_v'],
  ['self_attn.o_proj', 'attn_output'],
  ['post_attention_layernorm', 'ffn_norm'],
  ['mlp.gate_proj', 'ffn_gate'],
  ['mlp.up_proj', 'ffn_up'],
  ['mlp.down_proj', 'ffn_down'],
  ['self_attn.q_norm', 'attn_q_norm'],
  ['self_attn.k_norm', 'attn_k_norm'],
];

/** A Llama of Hugging Face as a GGUF, or what is like it but for the order of rotation.
 * @param {any} config @param {Map<string, { shape: number[], data: Float32Array }>} tensors
 * @param {Record<string, [any, any]>} [more] metadata */
export function llamaGguf(config, tensors, more = {}, options = {}) {
  const theta = config.rope_parameters?.rope_theta ?? config.rope_theta;
  const { num_attention_heads: heads, num_key_value_heads: kvHeads } = config;
  const { architecture = 'llama' } = options;
  const own = architecture === 'llama' ? undefined : config.head_dim;
  const size = own ?? config.hidden_size / heads;
  const metadata = {
    'general.architecture': [STRING, architecture],
    [`${architecture}.context_length`]: [U32, config.max_position_embeddings],
    [`${architecture}.embedding_length`]: [U32, config.hidden_size],
    [`${architecture}.block_count`]: [U32, config.num_hidden_layers],
    [`${architecture}.feed_forward_length`]: [U32, config.intermediate_size],
    [`${architecture}.attention.head_count`]: [U32, heads],
    [`${architecture}.attention.head_count_kv`]: [U32, kvHeads],
    [`${architecture}.rope.freq_base`]: [F32, theta],
    [`${architecture}.attention.layer_norm_rms_epsilon`]: [F32, config.rms_norm_eps],
    [`${architecture}.rope.dimension_count`]: [U32, size],
    ...(own && { [`${architecture}.attention.key_length`]: [U32, size] }),
    ...more,
  };
  const list = [...tensors].map(([key, { shape, data }]) => {
    const [theirs, ours] = LLAMA.find(([name]) => key.includes(name));
    const layer = /layers\.(\d+)\./.exec(key)?.[1];
    const name = `${layer === undefined ? '' : `blk.${layer}.`}${ours}.${key.split('.').at(-1)}`;
    const count =
      architecture !== 'llama'
        ? 0
        : theirs.endsWith('q_proj')
          ? heads
          : theirs.endsWith('k_proj')
            ? kvHeads
            : 0;
    const numbers = count ? neighbours(data, count, shape[0]) : data;
    return [name, 'F32', shape, bytesOf(numbers)];
  });
  return options.parts ? { metadata, list } : gguf(metadata, list, options);
}

/** How many times slower each pair of a head is rotated, as llama.cpp's converter computes it for Llama 3: from factor 8, 1,
 * 4 and 8192. @param {number} size of a head @param {number} base */
export const llama3Divisors = (size, base) =>
  Float32Array.from({ length: size / 2 }, (_, i) => {
    const wavelength = 2 * Math.PI * base ** ((2 * i) / size);
    if (wavelength < 8192 / 4) return 1;
    if (wavelength > 8192 / 1) return 8;
    const smooth = (8192 / wavelength - 1) / (4 - 1);
    return 1 / ((1 - smooth) / 8 + smooth);
  });

/** GPT-NeoX or GPT-2 of Hugging Face as llama.cpp's converter writes it: weights as [out, in], and all heads' queries before
 * their keys and values.
 * @param {'gptneox' | 'gpt2'} architecture @param {any} config
 * @param {Map<string, { shape: number[], data: Float32Array }>} tensors */
export function gptGguf(architecture, config, tensors, options = {}) {
  const isNeox = architecture === 'gptneox';
  const [width, heads] = isNeox
    ? [config.hidden_size, config.num_attention_heads]
    : [config.n_embd, config.n_head];
  const size = width / heads;
  const part = config.rope_parameters?.partial_rotary_factor;
  const metadata = Object.entries({
    context_length: [U32, config.max_position_embeddings ?? config.n_positions],
    embedding_length: [U32, width],
    block_count: [U32, config.num_hidden_layers ?? config.n_layer],
    feed_forward_length: [U32, config.intermediate_size ?? config.n_inner],
    'attention.head_count': [U32, heads],
    'attention.layer_norm_epsilon': [F32, config.layer_norm_eps ?? config.layer_norm_epsilon],
    ...(isNeox && {
      'rope.dimension_count': [U32, Math.round(size * part)],
      'rope.freq_base': [F32, config.rope_parameters.rope_theta],
      use_parallel_residual: [BOOL, config.use_parallel_residual],
    }),
  }).map(([key, value]) => [`${architecture}.${key}`, value]);
  const list = [...tensors].map(([key, { shape, data }]) => {
    const [, ours] = GPT[architecture].find(([name]) => key.includes(name));
    const layer = /\.(?:h|layers)\.(\d+)\./.exec(key)?.[1];
    const name = `${layer === undefined ? '' : `blk.${layer}.`}${ours}.${key.split('.').at(-1)}`;
    if (isNeox && ours === 'attn_qkv') return [name, 'F32', shape, bytesOf(apart(data, heads))];
    const turned = !isNeox && layer !== undefined && shape.length === 2;
    return turned
      ? [name, 'F32', [shape[1], shape[0]], bytesOf(transposed(data, shape))]
      : [name, 'F32', shape, bytesOf(data)];
  });
  const facts = { 'general.architecture': [STRING, architecture], ...Object.fromEntries(metadata) };
  return options.parts ? { metadata: facts, list } : gguf(facts, list);
}

const GPT = {
  gptneox: [
    ['embed_in', 'token_embd'],
    ['final_layer_norm', 'output_norm'],
    ['embed_out', 'output'],
    ['input_layernorm', 'attn_norm'],
    ['query_key_value', 'attn_qkv'],
    ['attention.dense', 'attn_output'],
    ['post_attention_layernorm', 'ffn_norm'],
    ['dense_h_to_4h', 'ffn_up'],
    ['dense_4h_to_h', 'ffn_down'],
  ],
  gpt2: [
    ['wte', 'token_embd'],
    ['wpe', 'position_embd'],
    ['ln_f', 'output_norm'],
    ['lm_head', 'output'],
    ['ln_1', 'attn_norm'],
    ['c_attn', 'attn_qkv'],
    ['attn.c_proj', 'attn_output'],
    ['ln_2', 'ffn_norm'],
    ['c_fc', 'ffn_up'],
    ['mlp.c_proj', 'ffn_down'],
  ],
};

/** @param {Float32Array} data @param {number[]} shape */
const transposed = (data, [rows, columns]) =>
  data.map((_, i) => data[(i % rows) * columns + Math.floor(i / rows)]);

/** weights.reshape(heads, 3, size, -1).swapaxes(0, 1)
 * @param {Float32Array} data @param {number} heads */
function apart(data, heads) {
  const block = data.length / heads / 3;
  const out = new Float32Array(data.length);
  for (let head = 0; head < heads; head++) {
    for (let part = 0; part < 3; part++) {
      const from = (3 * head + part) * block;
      out.set(data.subarray(from, from + block), (part * heads + head) * block);
    }
  }
  return out;
}

/** The same as llama2.c's export.py writes it. @param {any} config @param {number} [version] */
export function llama2c(config, tensors, version = 0) {
  const { hidden_size: dim, num_attention_heads: heads, num_key_value_heads: kvHeads } = config;
  const file = new Bytes();
  const tied = !tensors.has('lm_head.weight');
  if (version) {
    file.number(I32, 0x616b3432);
    file.number(I32, version);
  }
  for (const number of [
    dim,
    config.intermediate_size,
    config.num_hidden_layers,
    heads,
    kvHeads,
    tied || version ? config.vocab_size : -config.vocab_size,
    config.max_position_embeddings,
  ]) {
    file.number(I32, number);
  }
  const one = (key, turned = 0) => {
    const { shape, data } = tensors.get(key);
    file.put(bytesOf(turned ? neighbours(data, turned, shape[0]) : data));
  };
  const each = (key, turned) => {
    for (let i = 0; i < config.num_hidden_layers; i++)
      one(`model.layers.${i}.${key}.weight`, turned);
  };
  if (version) {
    file.put(Uint8Array.of(Number(tied)));
    file.put(new Uint8Array(256 - 4 * 9 - 1));
    each('input_layernorm');
    each('post_attention_layernorm');
    one('model.norm.weight');
  }
  one('model.embed_tokens.weight');
  if (!version) each('input_layernorm');
  each('self_attn.q_proj', heads);
  each('self_attn.k_proj', kvHeads);
  each('self_attn.v_proj');
  each('self_attn.o_proj');
  if (!version) each('post_attention_layernorm');
  each('mlp.gate_proj');
  each('mlp.down_proj');
  each('mlp.up_proj');
  if (!version) {
    one('model.norm.weight');
    file.put(new Uint8Array(4 * config.max_position_embeddings * Math.floor(dim / heads / 2) * 2));
  }
  if (!tied) one('lm_head.weight');
  return file.all;
}

/** tokenizer.bin of llama2.c. @param {string[]} tokens @param {number[]} scores */
export function tokenizerBin(tokens, scores) {
  const file = new Bytes();
  const encoder = new TextEncoder();
  file.number(I32, Math.max(...tokens.map((token) => encoder.encode(token).length)));
  for (const [i, token] of tokens.entries()) {
    const bytes = encoder.encode(token);
    file.number(F32, scores[i]);
    file.number(I32, bytes.length);
    file.put(bytes);
  }
  return file.all;
}

/** The tensors of a Llama, all zeros. */
export function emptyLlama({ hidden_size: width, intermediate_size: inner, ...config }, tied) {
  const keys = (width / config.num_attention_heads) * config.num_key_value_heads;
  const layer = {
    input_layernorm: [width],
    post_attention_layernorm: [width],
    'self_attn.q_proj': [width, width],
    'self_attn.k_proj': [keys, width],
    'self_attn.v_proj': [keys, width],
    'self_attn.o_proj': [width, width],
    'mlp.gate_proj': [inner, width],
    'mlp.up_proj': [inner, width],
    'mlp.down_proj': [width, inner],
  };
  const shapes = [
    ['model.embed_tokens', [config.vocab_size, width]],
    ['model.norm', [width]],
    ...(tied ? [] : [['lm_head', [config.vocab_size, width]]]),
  ];
  for (let i = 0; i < config.num_hidden_layers; i++) {
    for (const [name, shape] of Object.entries(layer)) {
      shapes.push([`model.layers.${i}.${name}`, shape]);
    }
  }
  return new Map(
    shapes.map(([name, shape]) => {
      return [`${name}.weight`, { shape, data: new Float32Array(shape.reduce((a, b) => a * b)) }];
    }),
  );
}
