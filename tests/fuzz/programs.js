// Random programs for tests/fuzz/run-lines.js, from a seed: tapes of any ops, attention with any masks, runs of models, and models
// that learn and write. A Glassformer builds each as it is drawn, so what the core would refuse is left out.

import { generator } from '../support/program.js';

/** On every tail of the vectors; the last are beyond a block of a product, and shared out among threads. */
const SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 33];
const LONG = [70, 130, 257];
const MOST = 4096;
const REALS = [0, 1e-5, 0.1, 0.5, 1, 2, 100, -1];
const STRANGE = [Number.NaN, Number.POSITIVE_INFINITY, 1e-40, 3e38, -0];
const TRIES = 10;
const NODES = 120;

const product = (shape) => shape.reduce((a, b) => a * b, 1);
const hex = (data) =>
  [...new Uint32Array(data.buffer, data.byteOffset, data.length)].map((word) => word.toString(16));

/** Draws. @param {number} seed */
function drawing(seed) {
  const random = generator(seed);
  const chance = (/** @type {number} */ p) => random() < p;
  const integer = (/** @type {number} */ low, /** @type {number} */ high) =>
    low + Math.floor(random() * (high - low + 1));
  const pick = (list) => list[integer(0, list.length - 1)];
  return { random, chance, integer, pick };
}

/** What a call gives, unless it is refused. */
function unlessRefused(call) {
  try {
    return call();
  } catch (error) {
    if (!error.code?.startsWith('GF_')) throw error;
    return null;
  }
}

/** Whether a call is not refused. */
const isTaken = (call) =>
  unlessRefused(() => {
    call();
    return true;
  }) !== null;

class Drawn {
  #draw;
  #sizes;
  /** The axes of transposed nodes, which a node does not tell. */
  orders = new Map();

  constructor(gf, draw) {
    this.gf = gf;
    this.#draw = draw;
    this.tape = gf.tape();
    this.#sizes = Array.from({ length: 3 }, () => draw.pick(SIZES));
    if (draw.chance(0.1)) this.#sizes.push(draw.pick(LONG));
  }

  size = () => this.#draw.pick(this.#sizes);

  leaf(kind, shape) {
    const small = shape.map((size) => (product(shape) > MOST ? Math.min(size, 4) : size));
    return this.tape[kind](`leaf${this.tape.nodes.length}`, small);
  }

  /** Another operand beside x: some node, or a leaf of a shape that goes with it. */
  #beside(x) {
    const { chance, pick } = this.#draw;
    if (!x || chance(0.4)) return pick(this.tape.nodes);
    const { shape } = x;
    const last = shape.at(-1);
    const shapes = [
      shape,
      [last],
      [last, this.size()],
      [this.size(), last],
      [...shape.slice(0, -2), last, this.size()],
      shape.slice(0, -1),
      shape.slice(-2),
      [shape[0]],
      [2],
    ].filter((one) => one.length);
    return this.leaf(pick(['input', 'parameter', 'ids']), pick(shapes));
  }

  #attribute({ kind, low, high, words }, x) {
    const { chance, pick, random } = this.#draw;
    if (kind === 'flag') return chance(0.5);
    if (kind === 'integer') return pick([0, 1, 2, 3, 4, -1, this.size(), this.size()]);
    if (kind === 'word') return pick(words);
    if (kind === 'real')
      return Math.fround(pick(REALS.filter((real) => real >= low && real <= high)));
    const axes = x.shape.map((_, axis) => ({ axis, at: random() }));
    return axes.sort((a, b) => a.at - b.at).map(({ axis }) => axis);
  }

  /** One op. */
  step(rows) {
    const { chance, pick } = this.#draw;
    const [op, row] = pick(rows);
    for (let i = 0; i < TRIES && this.tape.nodes.length < NODES; i++) {
      let x;
      const operands = {};
      for (const { name, optional } of row.operands) {
        operands[name] = optional && chance(0.4) ? null : this.#beside(x);
        x ??= operands[name];
      }
      const attributes = Object.fromEntries(
        row.attributes.map((one) => [one.name, this.#attribute(one, x)]),
      );
      const name = `${op}${this.tape.nodes.length}`;
      if (!unlessRefused(() => this.tape.push(op, operands, attributes, name))) continue;
      this.orders.set(name, attributes.order);
      return;
    }
  }

  build() {
    const { chance, integer, pick } = this.#draw;
    const rows = [...this.tape.block.engine.ops].filter(([op]) => op !== 'leaf');
    for (let i = integer(1, 3); i > 0; i--) {
      const shape = Array.from({ length: integer(1, 4) }, this.size);
      this.leaf(pick(['input', 'input', 'ids']), shape);
    }
    for (let i = integer(1, 10); i > 0; i--) {
      if (chance(0.2)) this.attend();
      else this.step(rows);
    }
  }

  /** Attention of given heads, or with projections. */
  attend() {
    const { chance, integer, pick } = this.#draw;
    const { size } = this;
    const g = integer(1, 3);
    const h = g * integer(1, 2);
    const [b, tq, d, e] = [integer(1, 3), size(), 2 * integer(1, 5), size()];
    const tk = chance(0.5) ? tq : size();
    const c = size();
    const projected = chance(0.5);
    const of = (t, heads, width) =>
      this.leaf('input', projected ? [b, t, c] : [b, heads, t, width]);
    const weight = (columns) => (projected ? this.leaf('parameter', [c, columns]) : null);
    const bias = (columns) => (projected && chance(0.5) ? this.leaf('parameter', [columns]) : null);
    const mask = () => {
      const shape = [b, h, tq, tk].slice(integer(0, 2)).map((n) => (chance(0.2) ? 1 : n));
      return this.leaf(pick(['ids', 'input']), shape);
    };
    const positions = chance(0.3) && tq === tk ? this.leaf('ids', [tq]) : null;
    const options = {
      ...{ query: of(tq, h, d), key: of(tk, g, d), value: of(tk, g, e) },
      ...{ wQ: weight(h * d), wK: weight(g * d), wV: weight(g * e), heads: h, kvHeads: g },
      ...{ bQ: bias(h * d), bK: bias(g * d), bV: bias(g * e) },
      wO: chance(0.4) ? this.leaf('parameter', [h * e, size()]) : null,
      mask: chance(0.5) ? mask() : null,
      lengths: chance(0.4) ? this.leaf('ids', [b]) : null,
      rotation: positions && this.tape.rotation(positions, d, 100, `rotation${positions.name}`),
      ...{ causal: chance(0.4), alibi: chance(0.3), fused: chance(0.4) },
      ...(chance(0.3) && { interleaved: true }),
      ...(chance(0.3) && { offset: integer(0, 3) }),
      ...(chance(0.3) && { softcap: 20 }),
      ...(chance(0.3) && { scale: Math.fround(0.3) }),
    };
    unlessRefused(() => this.tape.attention(options, `a${this.tape.nodes.length}`));
  }
}

/** Numbers for a leaf: ids small, so that they are often ones of a table. */
function numbersFor({ kind, size }, { random, chance, integer }) {
  if (kind === 'ids') {
    const most = integer(0, 3);
    return Int32Array.from({ length: size }, () => integer(0, most));
  }
  const spread = chance(0.2) ? 9 : 1;
  return Float32Array.from({ length: size }, () =>
    chance(0.05) ? 0 : (2 * random() - 1) * spread,
  );
}

/** The lines that build the nodes again, without leaves that nobody reads.
 * @param {readonly any[]} nodes @param {any} ops the op table @param {Map<string, number[]>} [orders] */
function buildingLines(nodes, ops, orders) {
  const read = new Set(nodes.flatMap(({ inputs }) => inputs));
  const kept = nodes.filter((node) => node.op !== 'leaf' || read.has(node));
  return kept.map(({ op, kind, name, shape, inputs, attributes }) => {
    if (op === 'leaf') return [kind, name, ...shape].join(' ');
    const row = ops.get(op);
    const operands = row.operands.map((_, k) => inputs[k]?.name ?? '-');
    const numbers = row.attributes.flatMap((one) =>
      one.kind === 'axes' ? orders.get(name) : [attributes[one.name]],
    );
    return ['push', op, name, ...operands, ...numbers].join(' ');
  });
}

const setLine = (name, numbers) => ['set', name, ...hex(numbers)].join(' ');

/** Lines for what is run backward, from a node that has a gradient. */
const backwardLines = (node, gradient) => [
  'zero_grad',
  `grad ${node.name} ${hex(gradient).join(' ')}`,
  `backward - ${node.name}`,
];

/** Experiments on a tape that ran: another run, with numbers of ours in a step. Null where it is refused. */
function freezing(tape, node, draw) {
  const kind = node.data instanceof Int32Array ? 'ids' : 'op';
  const numbers = numbersFor({ kind, size: node.size }, draw);
  tape.freeze(node);
  node.data.set(numbers);
  if (!isTaken(() => tape.forward(node))) return null;
  return [`freeze ${node.name}`, setLine(node.name, numbers), `forward ${node.name} -`];
}

/** Leaves and steps as they come, or null where they cannot run. */
function tapeProgram(gf, draw) {
  const { chance, integer, pick } = draw;
  const drawn = new Drawn(gf, draw);
  const { tape } = drawn;
  try {
    drawn.build();
    const { ops } = tape.block.engine;
    const read = new Set(tape.nodes.flatMap(({ inputs }) => inputs));
    const lines = [...buildingLines(tape.nodes, ops, drawn.orders), 'plan'];
    const leaves = tape.nodes.filter((node) => node.op === 'leaf' && read.has(node));
    const steps = tape.nodes.filter(({ op }) => op !== 'leaf');
    if (!steps.length) return null;
    tape.plan();
    const strange = chance(0.15) ? pick(STRANGE) : null;
    for (const leaf of leaves) {
      const numbers = numbersFor(leaf, draw);
      if (strange !== null && leaf.kind !== 'ids') numbers[0] = strange;
      leaf.data.set(numbers);
      lines.push(setLine(leaf.name, numbers));
    }
    if (chance(0.2)) {
      const { name } = pick(steps);
      const k = integer(0, 1);
      if (isTaken(() => tape.bypass(name, k))) lines.push(`bypass ${name} ${k}`);
    }
    if (!isTaken(() => tape.forward())) return null;
    lines.push('forward - -');
    if (chance(0.2)) {
      const more = freezing(tape, pick(steps), draw);
      if (!more) return null;
      lines.push(...more);
    }
    const last = chance(0.7) ? steps.at(-1) : pick(steps);
    const gradient = numbersFor({ kind: 'op', size: last.size }, draw);
    if (isTaken(() => tape.backward(last, gradient))) lines.push(...backwardLines(last, gradient));
    return lines;
  } finally {
    tape.dispose();
  }
}

/** Options of a model, some of which do not go together. */
function modelOptions({ chance, integer, pick }) {
  const kind = pick(['transformer', 'gpt', 'bert']);
  const kvHeads = integer(1, 2);
  const heads = kvHeads * integer(1, 2);
  return {
    ...{ kind, vocab: integer(5, 11), heads, dModel: heads * 2 * integer(1, 5), maxLength: 9 },
    ...{ layers: integer(1, 2), dFF: integer(1, 20), seed: integer(0, 1000) },
    ...(kind === 'transformer' && { decoderLayers: integer(1, 2) }),
    ...(chance(0.5) && { kvHeads }),
    positions: pick(['sinusoidal', 'sinusoidal-halves', 'learned', 'rotary', 'alibi', 'none']),
    ...(chance(0.5) && { norm: 'rms' }),
    activation: pick(['relu', 'gelu', 'gelu-tanh', 'silu', 'swiglu']),
    ...Object.fromEntries(
      ['preNorm', 'finalNorm', 'embeddingNorm', 'bias', 'tied', 'outputBias', 'scaleEmbedding']
        .filter(() => chance(0.3))
        .map((key) => [key, chance(0.5)]),
    ),
    ...(chance(0.4) && { dropout: 0.25 }),
  };
}

/** Sequences of different lengths, with labels.
 * @param {any} options @param {ReturnType<typeof drawing>} draw */
function batchOf({ kind, vocab }, { integer, chance }) {
  const rows = integer(1, 3);
  const sequence = (length) => Array.from({ length }, () => integer(0, vocab - 1));
  const target = Array.from({ length: rows }, () => sequence(integer(1, 7)));
  const labels = target.map((row) => row.map(() => (chance(0.2) ? -100 : integer(0, vocab - 1))));
  labels[0][0] = 1;
  const source = target.map(() => sequence(integer(1, 7)));
  return { ...(kind === 'transformer' && { source }), target, labels };
}

/** One run of a model, as a tape: every op that a model is made of, in the native core too. */
function runProgram(gf, draw) {
  const options = modelOptions(draw);
  const model = unlessRefused(() => gf.model(options));
  if (!model) return null;
  const run = model.forward({ ...batchOf(options, draw), training: draw.chance(0.5), seed: 3 });
  const { nodes, block } = run.tape;
  const lines = [...buildingLines(nodes, block.engine.ops), 'plan'];
  const read = new Set(nodes.flatMap(({ inputs }) => inputs));
  for (const node of nodes)
    if (node.op === 'leaf' && read.has(node)) lines.push(setLine(node.name, node.data));
  lines.push('forward - -', ...backwardLines(run.tape.find('loss'), Float32Array.of(1)));
  run.dispose();
  model.dispose();
  return lines;
}

/** A model that learns and writes, which the bindings do in many calls of the core. */
function modelProgram(gf, draw) {
  const { chance, integer, pick } = draw;
  const options = modelOptions(draw);
  const model = unlessRefused(() => gf.model(options));
  if (!model) return null;
  model.dispose();
  const training = {
    ...{ steps: integer(1, 4), rate: pick([0.001, 0.1]), seed: integer(0, 99) },
    ...(chance(0.3) && { schedule: pick(['noam', 'cosine', 'linear']), warmup: 1, total: 9 }),
    ...(chance(0.3) && { clip: 1 }),
    ...(chance(0.3) && { labelSmoothing: 0.1 }),
    ...(chance(0.3) && { weightDecay: 0.1 }),
  };
  const generate = {
    ...{ maxNewTokens: 5, stopTokens: [] },
    ...(chance(0.3) ? { beams: 2 } : { temperature: pick([0.7, 1, 2]), seed: integer(0, 99) }),
  };
  const lines = (verb, told) =>
    Object.entries(told).map(([key, value]) => `${verb} ${key} ${JSON.stringify(value)}`);
  const batches = Array.from({ length: integer(1, 2) }, () => batchOf(options, draw));
  return [
    ...lines('model', options),
    ...lines('train', training),
    ...lines('generate', generate),
    ...batches.map((batch) => `batch ${JSON.stringify(batch)}`),
  ];
}

const KINDS = [tapeProgram, tapeProgram, tapeProgram, runProgram, modelProgram];

/** The program of a seed: its lines. @param {any} gf @param {number} seed
 * @returns {string[]} */
export function programOf(gf, seed) {
  const draw = drawing(seed);
  for (;;) {
    const lines = draw.pick(KINDS)(gf, draw);
    if (lines) return lines;
  }
}
