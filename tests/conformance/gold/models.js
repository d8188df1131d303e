// nn.TransformerEncoder, nn.TransformerDecoder and nn.Transformer with cosines for weights.

/** cos(0), cos(1), ... in float32. @param {number} size */
const cosines = (size) => Float32Array.from({ length: size }, (_, i) => Math.cos(i));

/** PyTorch's name of a parameter of ours, and which third of the projections it is.
 * @param {string} name */
function place(name) {
  const match = /^(.*_attn)\.([qkv])_proj\.(weight|bias)$/.exec(name);
  if (!match) return null;
  return { third: 'qkv'.indexOf(match[2]), kind: match[3] };
}

/** Fills a parameter as the rule says: every tensor of PyTorch's is cos(0), cos(1), ... row by row; its
 * matrices are [out,in], and q, k and v are one.
 * @param {string} name @param {any} parameter */
function fill(name, { shape, size, data }) {
  const third = place(name)?.third ?? 0;
  const all = cosines((third + 1) * size).subarray(third * size);
  if (shape.length === 1) return data.set(all);
  const [inner, outer] = shape;
  for (let i = 0; i < size; i++) data[i] = all[(i % outer) * inner + Math.floor(i / outer)];
}

/** [T,N,E] as the API takes it, [N,T,E]; and back.
 * @param {any} gf @param {any} tensor */
const batchFirst = (gf, tensor) => gf.transpose(tensor, [1, 0, 2]);

/** Which keys are seen, [N,Tq,Tk]: neither padded (N,Tk) nor masked (Tq,Tk); undefined if all are.
 * @param {number} batch @param {number} queries @param {number} keys @param {any} padding
 * @param {any} mask */
function seen(batch, queries, keys, padding, mask) {
  if (!padding && !mask) return undefined;
  const range = (/** @type {number} */ length) => Array.from({ length }, (_, i) => i);
  return range(batch).map((b) =>
    range(queries).map((i) =>
      range(keys).map((j) => !padding?.data[b * keys + j] && !mask?.data[i * keys + j]),
    ),
  );
}

/** @param {any} gf @param {any} given @param {any} content */
function run(gf, given, content) {
  const { config } = content;
  const full = given.model === 'transformer';
  const depth = full
    ? /* 2 encoder layers + encoder.norm, 1 decoder layer + decoder.norm */
      layersOf(content.parameters)
    : { encoder: given.src ? given.layers : 0, decoder: given.tgt ? given.layers : 0 };
  const model = gf.model({
    kind: 'transformer',
    vocab: 0,
    dModel: config.d_model,
    heads: config.nhead,
    dFF: config.dim_feedforward,
    layers: depth.encoder,
    decoderLayers: depth.decoder,
    positions: 'none',
    activation: given.activation ?? 'relu',
    finalNorm: full || given.final_norm,
    epsilon: config.layer_norm_eps,
    dropout: 0,
  });
  for (const [name, parameter] of model.parameters) {
    const own = !full && /^(encoder|decoder)\.norm\./.test(name);
    if (own) parameter.data.fill(name.endsWith('weight') ? 1 : 0);
    else fill(name, parameter);
  }
  const [source, target] = [given.src ?? given.memory, given.tgt];
  const batch = source.shape[1];
  const times = { source: source.shape[0], target: target?.shape[0] ?? 0 };
  const inputs = {
    source: nested(batchFirst(gf, source)),
    ...(target && { target: nested(batchFirst(gf, target)) }),
  };
  const masks = {
    sourceMask: seen(batch, times.source, times.source, given.src_key_padding_mask, given.src_mask),
    targetMask:
      target && seen(batch, times.target, times.target, given.tgt_key_padding_mask, given.tgt_mask),
    memoryMask:
      target &&
      seen(batch, times.target, times.source, given.memory_key_padding_mask, given.memory_mask),
  };
  for (const [name, mask] of Object.entries(masks)) if (mask) inputs[name] = mask;
  const done = model.forward(inputs);
  if (!given.src) {
    /* A decoder alone: what it attends to is given, not encoded. */
    const memory =
      done.tape.nodes.find(({ name }) => name === 'encoder.norm') ?? done.tensor('source');
    memory.data.set(batchFirst(gf, source).data);
    if (memory.kind === 'op') done.freeze(memory);
    done.forward();
  }
  const { data, shape } = done.tape.nodes.at(-1);
  const y = batchFirst(gf, { data: data.slice(), shape: [...shape] });
  done.dispose();
  model.dispose();
  return y;
}

/** @param {any} tensor */
function nested({ data, shape: [n, t, e] }) {
  const row = (/** @type {number} */ at) => Array.from(data.subarray(at, at + e));
  return Array.from({ length: n }, (_, b) =>
    Array.from({ length: t }, (_, i) => row((b * t + i) * e)),
  );
}

/** How many layers the list of parameters names: encoder.layers.{0,1}.norm1.weight, ...
 * @param {[string, number[]][]} parameters */
function layersOf(parameters) {
  const count = (/** @type {string} */ stack) => {
    const numbers = parameters.flatMap(([name]) => {
      const match = new RegExp(`^${stack}\\.layers\\.\\{?([\\d,]+)\\}?\\.`).exec(name);
      return match ? match[1].split(',').map(Number) : [];
    });
    return Math.max(-1, ...numbers) + 1;
  };
  return { encoder: count('encoder'), decoder: count('decoder') };
}

/** @type {import('./index.js').Adapter} */
const compare = (gf, given, content) => {
  const y = run(gf, given, content);
  if (given.expected) return [{ what: 'y', actual: y, expected: given.expected }];
  /* Without numbers the data asks for finite ones. */
  const finite = Array.from(y.data, (value) => Number(Number.isFinite(value)));
  return [{ what: 'finite', actual: finite, expected: finite.map(() => 1) }];
};

/** @type {Record<string, import('./index.js').Adapter>} */
export const models = { encoder: compare, decoder: compare, transformer: compare };
