// A program of tape commands that runs twice: here on a Glassformer, and as a text on build/run
// (tests/native/run.c describes it). Both give the same lines, a node each.

const scratch = new DataView(new ArrayBuffer(4));

/** The bits of a float32, in hexadecimal. */
function bits(x) {
  scratch.setFloat32(0, x);
  return scratch.getUint32(0).toString(16);
}

/** The bits of every number of a typed array. */
const words = (data) => [...new Uint32Array(data.buffer, data.byteOffset, data.length)];
const hex = (data) => words(data).map((word) => word.toString(16));

/** FNV-1a with 64 bits, a step per word, told in hexadecimal. Every NaN counts as one. */
export function hash(data) {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  words(data).forEach((word, i) => {
    low = (low ^ (Number.isNaN(data[i]) ? 0x7fc00000 : word)) >>> 0;
    // times 2^40 + 0x1b3, modulo 2^64
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0)) % 2 ** 32;
    low = product % 2 ** 32;
  });
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}

/** FNV-1a with 32 bits of a text: the stream of a seeded tensor. */
function streamOf(text) {
  return new TextEncoder()
    .encode(text)
    .reduce((h, byte) => Math.imul(h ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}

/** The name of each field of an attention in C. */
const FIELDS = {
  ...{ query: 'query', key: 'key', value: 'value', mask: 'mask', lengths: 'lengths' },
  ...{ wQ: 'w_q', wK: 'w_k', wV: 'w_v', wO: 'w_o', bQ: 'b_q', bK: 'b_k', bV: 'b_v', bO: 'b_o' },
};

/** Nodes are told by name, an operand that is left out by null. Real numbers are float32. */
export class Program {
  #lines = [];
  #steps = [];
  #stored = new Set();

  /** The program for build/run. */
  get text() {
    return [...this.#lines, 'dump', ''].join('\n');
  }

  /** Runs it and returns what build/run prints: name, hash of the values, hash of the gradient. */
  run(gf) {
    const tape = gf.tape();
    for (const step of this.#steps) step(tape, (name) => name && tape.find(name), gf);
    const lines = tape.nodes.map((node) => {
      if (this.#stored.has(node.name)) return `${node.name} - -`;
      const { name, data, grad } = node;
      return `${name} ${hash(data)} ${grad ? hash(grad) : '-'}`;
    });
    tape.dispose();
    return lines;
  }

  #add(command, step) {
    this.#lines.push(command.map((word) => word ?? '-').join(' '));
    this.#steps.push(step);
  }

  // ---- Building ----

  input(name, shape) {
    this.#add(['input', name, ...shape], (tape) => tape.input(name, shape));
  }
  parameter(name, shape) {
    this.#add(['parameter', name, ...shape], (tape) => tape.parameter(name, shape));
  }
  ids(name, shape) {
    this.#add(['ids', name, ...shape], (tape) => tape.ids(name, shape));
  }
  embed(table, ids, name) {
    this.#add(['push', 'embed', name, table, ids], (tape, at) =>
      tape.embed(at(table), at(ids), name),
    );
  }
  position(ids, channels, name) {
    this.#add(['push', 'position', name, ids, channels, 0], (tape, at) =>
      tape.position(at(ids), channels, {}, name),
    );
  }
  add(a, b, name) {
    this.#add(['push', 'add', name, a, b], (tape, at) => tape.add(at(a), at(b), name));
  }
  scale(x, factor, name) {
    this.#add(['push', 'scale', name, x, factor], (tape, at) => tape.scale(at(x), factor, name));
  }
  linear(x, w, b, name) {
    this.#add(['push', 'linear', name, x, w, b], (tape, at) =>
      tape.linear(at(x), at(w), at(b), name),
    );
  }
  matmul(a, b, name) {
    this.#add(['push', 'matmul', name, a, b, 0], (tape, at) => tape.matmul(at(a), at(b), name));
  }
  matmulTransposed(a, b, name) {
    this.#add(['push', 'matmul', name, a, b, 1], (tape, at) =>
      tape.matmulTransposed(at(a), at(b), name),
    );
  }
  mask(x, { causal = false, mask = null, lengths = null }, name) {
    this.#add(['push', 'mask', name, x, mask, lengths, Number(causal), 0], (tape, at) =>
      tape.mask(at(x), { causal, mask: at(mask), lengths: at(lengths) }, name),
    );
  }
  softmax(x, name) {
    this.#add(['push', 'softmax', name, x], (tape, at) => tape.softmax(at(x), name));
  }
  splitHeads(x, heads, name) {
    this.#add(['push', 'heads', name, x, 1, heads], (tape, at) =>
      tape.splitHeads(at(x), heads, name),
    );
  }
  concatHeads(x, name) {
    this.#add(['push', 'heads', name, x, 0, 0], (tape, at) => tape.concatHeads(at(x), name));
  }
  /** @param {object} options nodes by name under the keys of FIELDS; heads, causal, scale */
  attention({ heads = 1, causal = false, scale, ...nodes }, path = '') {
    const fields = Object.entries(nodes).filter(([, node]) => node);
    const command = ['attention', ...fields.map(([key, node]) => `${FIELDS[key]}=${node}`)];
    command.push(`heads=${heads}`, `causal=${Number(causal)}`);
    if (scale !== undefined) command.push(`scale=${bits(scale)}`);
    if (path) command.push(`path=${path}`);
    this.#add(command, (tape, at) => {
      const tensors = Object.fromEntries(fields.map(([key, node]) => [key, at(node)]));
      tape.attention({ ...tensors, heads, causal, scale }, path);
    });
  }

  // ---- Running ----

  /** Binds a parameter to rows as a file has them.
   * @param {string} node
   * @param {{ type: string, rows: number, columns: number, along: number, arithmetic?: 'exact' | 'integer' }} matrix
   * @param {Uint8Array} bytes */
  stored(node, { along, arithmetic = 'exact', ...matrix }, bytes) {
    this.#stored.add(node);
    const all = new Uint32Array(bytes.slice().buffer);
    this.#add(['stored', node, matrix.type, along, ...hex(all)], (tape, at, gf) =>
      tape.bindStored(at(node), gf.stored(matrix).put(bytes), { along, arithmetic }),
    );
    if (arithmetic === 'integer') this.#lines.push(`integers ${node}`);
  }
  plan() {
    this.#add(['plan'], (tape) => {
      tape.plan();
      /* Gradients are 0 where nothing is differentiated, as the native build tells them. */
      tape.zeroGrad();
    });
  }
  /** @param {Float32Array | Int32Array} data */
  set(node, data) {
    this.#add(['set', node, ...hex(data)], (_, at) => at(node).set(data));
  }
  /** Fills equal shares of a node from one stream each. */
  uniform(node, { seed, low, high }, streams) {
    this.#add(['uniform', node, seed, bits(low), bits(high), ...streams], (_, at, gf) => {
      const { data } = at(node);
      const share = data.length / streams.length;
      const parts = streams.map((stream) => gf.uniform([share], { seed, stream, low, high }));
      for (const [k, part] of parts.entries()) at(node).data.set(part.data, k * share);
    });
  }
  bypass(node, k) {
    this.#add(['bypass', node, k], (tape) => tape.bypass(node, k));
  }
  freeze(node) {
    this.#add(['freeze', node], (tape) => tape.freeze(node));
  }
  /** By default from the first node to the last. */
  forward(first, last) {
    this.#add(['forward', first, last], (tape) => tape.forward(first, last));
  }
  /** From a node down to the first one. */
  backward(node, gradient) {
    this.#lines.push('zero_grad', `grad ${node} ${hex(gradient).join(' ')}`);
    this.#add(['backward', null, node], (tape) => tape.backward(node, gradient));
  }
}

/** Random numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const shapeOf = (value) => value.shape ?? [value.length, value[0].length];

/** A worked example from bindings/data/examples, forward and backward from a fixed random gradient. */
export function ofExample({ inputs = {}, positions = [], attention }) {
  const program = new Program();
  const has = (name) => (name in inputs ? name : null);
  for (const [name, value] of Object.entries(inputs)) {
    if (name === 'tokens') program.ids(name, [value.length]);
    else if (/^[wb]_|^embedding\.weight$/.test(name)) program.parameter(name, shapeOf(value));
    else program.input(name, shapeOf(value));
  }
  for (const { node, positions: list, channels } of positions) {
    program.ids(`${node}.positions`, [list.length]);
    program.position(`${node}.positions`, channels, node);
  }
  if (has('embedding')) program.add('embedding', 'position', 'x');
  if (has('tokens')) program.embed('embedding.weight', 'tokens', 'x');
  if (attention) {
    program.attention({
      ...{ query: has('q') ?? 'x', key: has('k') ?? 'x', value: has('v') ?? 'x' },
      ...{ wQ: has('w_q'), wK: has('w_k'), wV: has('w_v'), wO: has('w_o') },
      ...{ bQ: has('b_q'), bK: has('b_k'), bV: has('b_v'), bO: has('b_o') },
      ...attention,
    });
  }
  program.plan();
  for (const [name, value] of Object.entries(inputs)) {
    if (value.uniform) program.uniform(name, value.uniform, (value.rows ?? [name]).map(streamOf));
    else program.set(name, (name === 'tokens' ? Int32Array : Float32Array).from(value.flat()));
  }
  for (const { node, positions: list } of positions) {
    program.set(`${node}.positions`, Int32Array.from(list));
  }
  program.forward();
  if (attention) {
    const { tokens, x = inputs.embedding, q = x, v = x, w_v: wV = v, w_o: wO = wV } = inputs;
    const [rows, columns] = [tokens?.length ?? shapeOf(q)[0], shapeOf(wO)[1]];
    const random = generator(1);
    const gradient = Float32Array.from({ length: rows * columns }, () => random() - 0.5);
    program.backward('output', gradient);
  }
  return program;
}
