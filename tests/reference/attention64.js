// Attention in float64, written from the formulas alone: no code shared with the core, nothing
// optimised, one function per formula. The tests hold the core's float32 values against it.

/** @typedef {{ shape: number[], data: number[] }} Tensor */
/** @typedef {(...operands: Tensor[]) => Tensor} Formula */
/** @typedef {{ name: string, inputs: string[], formula: Formula | null, value: Tensor }} Step */

/**
 * Every node's value of a worked example.
 * @param {any} example
 * @returns {Record<string, Tensor>}
 */
export function reference(example) {
  return Object.fromEntries(steps(example).map((step) => [step.name, step.value]));
}

/**
 * The nodes in the order of their computation, each with the formula that gave its value.
 * @param {any} example
 * @returns {Step[]}
 */
export function steps(example) {
  /** @type {Map<string, Step>} */
  const nodes = new Map();
  const has = (/** @type {string} */ name) => nodes.has(name);
  const value = (/** @type {string} */ name) => /** @type {Step} */ (nodes.get(name)).value;
  const leaf = (/** @type {string} */ name, /** @type {Tensor} */ tensor) =>
    nodes.set(name, { name, inputs: [], formula: null, value: tensor });
  const node = (
    /** @type {string} */ name,
    /** @type {string[]} */ inputs,
    /** @type {Formula} */ formula,
  ) => nodes.set(name, { name, inputs, formula, value: formula(...inputs.map(value)) });

  for (const { node: name, positions, channels } of example.positions ?? []) {
    leaf(`${name}.positions`, tensorOf(positions));
    node(name, [`${name}.positions`], (p) => sinusoids(p, channels));
  }
  if (example.schedule) {
    const { dModel, warmup, steps: at } = example.schedule;
    leaf('step', tensorOf([at]));
    leaf('learning_rate', tensorOf([at.map((/** @type {number} */ n) => noam(n, dModel, warmup))]));
    node('learning_rate.relative', ['learning_rate'], (x) =>
      map(x, (rate) => rate / noam(warmup, dModel, warmup)),
    );
  }
  if (example.smoothing) {
    const { epsilon } = example.smoothing;
    const label = tensorOf(example.inputs.label);
    const classes = /** @type {number} */ (label.shape.at(-1));
    leaf('label', label);
    leaf('label.share', tensorOf(new Array(classes).fill(epsilon / classes)));
    node('label.kept', ['label'], (y) => map(y, (p) => (1 - epsilon) * p));
    node('label.smoothed', ['label.kept', 'label.share'], (y, share) =>
      map(y, (p, i) => p + share.data[i % classes]),
    );
  }
  if (example.norm) {
    for (const [name, input] of Object.entries(example.inputs)) leaf(name, tensorOf(input));
    node('norm', ['x', 'gain', 'bias'], (x, gain, bias) =>
      layerNorm(x, gain, bias, example.norm.epsilon),
    );
  }
  if (!example.attention) return [...nodes.values()];

  for (const [name, input] of Object.entries(example.inputs)) {
    leaf(name, input.uniform ? seeded(name, input) : tensorOf(input));
  }
  if (has('embedding.weight')) {
    node(has('pos') ? 'embedding' : 'x', ['embedding.weight', 'tokens'], rowsOf);
  }
  if (has('pos')) node('position', ['pos'], (p) => sinusoids(p, value('embedding').shape[1]));
  if (has('position')) node('x', ['embedding', 'position'], add);
  for (const name of ['q', 'k', 'v']) {
    if (has(`w_${name}`)) node(name, ['x', `w_${name}`], matmul);
  }

  const { heads, causal } = example.attention;
  const [q, k, v] = ['q', 'k', 'v'].map((name) => {
    if (heads > 1) node(`${name}.heads`, [name], (x) => splitHeads(x, heads));
    return heads > 1 ? `${name}.heads` : name;
  });
  const headSize = /** @type {number} */ (value(q).shape.at(-1));
  node('scores', [q, k], (a, b) => matmul(a, transpose(b)));
  node('scores.scaled', ['scores'], (x) => map(x, (s) => s / Math.sqrt(headSize)));
  if (causal) node('scores.masked', ['scores.scaled'], causalMask);
  node('weights', [causal ? 'scores.masked' : 'scores.scaled'], softmax);
  const projected = has('w_o');
  const mixed = projected || heads > 1 ? 'mix' : 'output';
  node(mixed, ['weights', v], matmul);
  const joined = projected ? 'concat' : 'output';
  if (heads > 1) node(joined, [mixed], concatHeads);
  if (projected) node('output', [heads > 1 ? joined : mixed, 'w_o'], matmul);
  if (has('w_u')) {
    node('logits', ['output', 'w_u'], matmul);
    node('probabilities', ['logits'], softmax);
  }
  return [...nodes.values()];
}

/**
 * Vaswani et al. 2017, equation 3.
 * @param {number} step
 * @param {number} dModel
 * @param {number} warmup
 */
const noam = (step, dModel, warmup) =>
  step ? dModel ** -0.5 * Math.min(step ** -0.5, step * warmup ** -1.5) : 0;

/**
 * @param {Tensor} x
 * @param {Tensor} gain
 * @param {Tensor} bias
 * @param {number} epsilon
 * @returns {Tensor}
 */
function layerNorm(x, gain, bias, epsilon) {
  const width = gain.data.length;
  const data = x.data.map((value, i) => {
    const start = i - (i % width);
    const row = x.data.slice(start, start + width);
    const mean = row.reduce((sum, v) => sum + v, 0) / width;
    const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / width;
    const z = (value - mean) / Math.sqrt(variance + epsilon);
    return gain.data[i % width] * z + bias.data[i % width];
  });
  return { shape: x.shape, data };
}

/**
 * @param {any} nested numbers, or arrays of them
 * @returns {Tensor}
 */
export function tensorOf(nested) {
  const shape = [];
  for (let level = nested; Array.isArray(level); level = level[0]) shape.push(level.length);
  return { shape, data: [nested].flat(Infinity) };
}

/**
 * @param {Tensor} x
 * @param {(value: number, index: number) => number} f
 * @returns {Tensor}
 */
const map = (x, f) => ({ shape: x.shape, data: x.data.map(f) });

/** @type {Formula} */
const add = (a, b) => map(a, (x, i) => x + b.data[i]);

/** @type {Formula} */
const rowsOf = (table, ids) => {
  const channels = table.shape[1];
  return {
    shape: [...ids.shape, channels],
    data: ids.data.flatMap((id) => table.data.slice(id * channels, (id + 1) * channels)),
  };
};

/**
 * @param {Tensor} positions
 * @param {number} channels
 * @returns {Tensor}
 */
function sinusoids(positions, channels) {
  const data = positions.data.flatMap((position) =>
    Array.from({ length: channels }, (_, c) => {
      const angle = position / 10000 ** ((c - (c % 2)) / channels);
      return c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    }),
  );
  return { shape: [...positions.shape, channels], data };
}

/**
 * One matrix product for every leading index.
 * @type {Formula}
 */
const matmul = (a, b) => {
  const [rows, inner] = a.shape.slice(-2);
  const columns = /** @type {number} */ (b.shape.at(-1));
  const data = [];
  for (let matrix = 0; matrix * rows * inner < a.data.length; matrix++) {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        let sum = 0;
        for (let k = 0; k < inner; k++) {
          sum +=
            a.data[(matrix * rows + i) * inner + k] * b.data[(matrix * inner + k) * columns + j];
        }
        data.push(sum);
      }
    }
  }
  return { shape: [...a.shape.slice(0, -1), columns], data };
};

/** @type {Formula} */
const transpose = (x) => {
  const [rows, columns] = x.shape.slice(-2);
  const size = rows * columns;
  const data = x.data.map((_, i) => {
    const [matrix, row, column] = [Math.floor(i / size), i % rows, Math.floor(i / rows) % columns];
    return x.data[matrix * size + row * columns + column];
  });
  return { shape: [...x.shape.slice(0, -2), columns, rows], data };
};

/** @type {Formula} */
const causalMask = (x) => {
  const [queries, keys] = x.shape.slice(-2);
  return map(x, (score, i) =>
    i % keys > Math.floor(i / keys) % queries ? Number.NEGATIVE_INFINITY : score,
  );
};

/** @type {Formula} */
const softmax = (x) => {
  const keys = /** @type {number} */ (x.shape.at(-1));
  return map(x, (_, i) => {
    const start = i - (i % keys);
    const row = x.data.slice(start, start + keys);
    const exps = row.map((score) => Math.exp(score - Math.max(...row)));
    return exps[i % keys] / exps.reduce((sum, e) => sum + e);
  });
};

/**
 * @param {Tensor} x [T,H*D]
 * @param {number} heads
 * @returns {Tensor} [H,T,D]
 */
function splitHeads(x, heads) {
  const [tokens, channels] = x.shape;
  const size = channels / heads;
  const data = [];
  for (let h = 0; h < heads; h++) {
    for (let t = 0; t < tokens; t++) {
      for (let d = 0; d < size; d++) data.push(x.data[t * channels + h * size + d]);
    }
  }
  return { shape: [heads, tokens, size], data };
}

/** @type {Formula} */
const concatHeads = (x) => {
  const [heads, tokens, size] = x.shape;
  const data = [];
  for (let t = 0; t < tokens; t++) {
    for (let h = 0; h < heads; h++) {
      for (let d = 0; d < size; d++) data.push(x.data[(h * tokens + t) * size + d]);
    }
  }
  return { shape: [tokens, heads * size], data };
};

/**
 * A seeded input: one stream of random numbers for the tensor, or one per row.
 * @param {string} name
 * @param {any} input
 * @returns {Tensor}
 */
function seeded(name, { shape, uniform, rows }) {
  const channels = shape[1];
  const data = rows
    ? rows.flatMap((/** @type {string} */ row) => random(channels, uniform, row))
    : random(shape[0] * channels, uniform, name);
  return { shape, data };
}

/**
 * @param {number} count
 * @param {{ seed: number, low: number, high: number }} uniform
 * @param {string} stream
 */
function random(count, { seed, low, high }, stream) {
  return Array.from({ length: count }, (_, i) => {
    const words = philox([Math.floor(i / 4), 0, fnv1a(stream), 0], [seed, 0]);
    return low + (high - low) * ((words[i % 4] >>> 8) / 2 ** 24);
  });
}

/**
 * Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3").
 * @param {number[]} counter four 32-bit words
 * @param {number[]} key two 32-bit words
 */
export function philox(counter, key) {
  const word = (/** @type {bigint} */ x) => Number(BigInt.asUintN(32, x));
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const a = 0xd2511f53n * BigInt(c0);
    const b = 0xcd9e8d57n * BigInt(c2);
    [c0, c1, c2, c3] = [
      (word(b >> 32n) ^ c1 ^ k0) >>> 0,
      word(b),
      (word(a >> 32n) ^ c3 ^ k1) >>> 0,
      word(a),
    ];
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/**
 * FNV-1a, 32 bits, of a string's UTF-8 bytes.
 * @param {string} text
 */
export function fnv1a(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
