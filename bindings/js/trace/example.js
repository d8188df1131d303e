// An example, worked or typed, as a tape: its leaves, its x, its attention.

import { examples as data } from '../../generated/examples.js';
import { english, near } from '../base/errors.js';
import { flatten, shapeOf } from '../base/values.js';
import {
  buildAdam,
  buildLoss,
  buildScores,
  LAYER_LEAVES,
  layered,
  predict,
  ranked,
} from './example-layers.js';
import { message, rangeError, typeError } from './texts.js';

/** @typedef {import('../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** Numbers that follow from a seed. Each row has its own stream if `rows` names them, so that a word
 * has the same embedding in every sentence.
 * @typedef {object} Seeded
 * @property {number[]} shape
 * @property {{ seed: number, low: number, high: number }} uniform each number is drawn evenly between low and high
 * @property {string[]} [rows] */

/** A printed number as the text writes it, null where it prints none; nested as the node's shape.
 * @typedef {string | null | Printed[]} Printed */

/** A number that the text prints beside the steps.
 * @typedef {object} ExampleAside
 * @property {'exp' | 'sum-exp' | 'mean' | 'deviation' | 'product' | 'sqrt'} fn what is printed: e^x of a cell, the sum of these over a row, a row's mean or deviation, a product of two cells, or a root
 * @property {string} printed the number as the text writes it
 * @property {string} [of] a node; `index` is its cell, or its row for sum-exp, mean and deviation
 * @property {number[]} [index]
 * @property {string} [by] the other factor of a product
 * @property {number[]} [byIndex] the factor's cell
 * @property {number} [value] what sqrt is taken of */

/** Sinusoids of some positions: `positions` numbers them, `channels` is the width of each code, `node` names the matrix. `dots` makes node.dots, the dot product of each with each. `shift` k makes
 * node.shift, the linear map from the code of any position p to that of p + k; node.shifted, what it makes
 * of the codes; and node.ahead, the codes that this should be.
 * @typedef {{ node: string, positions: number[], channels: number, dots?: boolean, shift?: number }} Codes */

/** A text in pieces. corpus: what the merges were learned from. merges: in the order learned, each 'left right'. The pieces
 * that they make of `text` are the example's `tokens`.
 * @typedef {{ text: string, corpus: string, merges: string[] }} Cut */

/** An image in patches, `rows` times `columns` of them: each row of x is a patch of `height` times `width` pixels, row by
 * row.
 * @typedef {{ rows: number, columns: number, height: number, width: number }} Patches */

/**
 * @typedef {object} Example
 * @property {string} name
 * @property {string} title
 * @property {string} source the text that it comes from
 * @property {string} about what to look at
 * @property {string[]} [tokens] the words, one per row of x
 * @property {string[]} [vocabulary] all words: those of the rows of embedding.weight, and of the columns of w_u
 * @property {{ heads?: number, causal?: boolean, positions?: 'rotary' | 'alibi', scale?: number }} [attention]
 *   scale multiplies the scores in place of 1/√d_k, and 1 leaves them; positions: those that are not added to x: queries and keys turn by pos, or distances lower scores
 * @property {Record<string, number[] | number[][] | number[][][] | Seeded>} [inputs] leaves, by name
 * @property {Codes[]} [positions] in place of attention and inputs: sinusoids alone
 * @property {Cut} [cut] how the tokens were made of a text
 * @property {Patches} [patches] how the tokens lie in an image
 * @property {import('./example-layers.js').ExampleLayer} [layer] the residual sums, norms and feed-forward around the attention
 * @property {object} [loss] cross-entropy of the last step, or of its product with w_u, the logits, against labels
 * @property {import('./example-layers.js').ExampleAdam} [adam] in place of attention: a step from theta and gradient
 * @property {{ epsilon: number }} [norm] in place of attention: a layer norm of x with gain and bias
 * @property {{ epsilon: number }} [smoothing] in place of attention: label with 1 - epsilon of it, and the rest shared by all
 *   classes
 * @property {{ kind: 'noam', dModel: number, warmup: number, steps: number[] }} [schedule] in place of
 *   attention and inputs: learning rates, and their share of the highest
 * @property {Record<string, Printed>} [printed] what the text prints, by node
 * @property {ExampleAside[]} [asides]
 */

/** @typedef {'embedding' | 'positions' | 'projections' | 'scores' | 'scale' | 'mask' | 'softmax' | 'mix' | 'w_o'} Removal */
/** @typedef {import('../base/message.js').Message} Message */
/** possible: whether this trace can leave it out. reason: why not, in English; why: the same as a message, for other languages.
 * @typedef {{ name: Removal, possible: boolean, reason: string | null, why: Message | null }} Removable */

/** Freezes a value and all within it, since everyone shares it.
 * @template T
 * @param {T} value
 * @returns {T} */
function frozen(value) {
  if (typeof value === 'object' && value) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** The worked examples by name, in the order of teaching. @type {Record<string, Example>} */
export const examples = frozen(/** @type {Record<string, Example>} */ (data));

/** @typedef {Partial<import('../tape/description.js').Description>} About */

/** @type {About} */
const VECTORS = { axes: ['token', 'channel'] };
/** @type {About} */
const ROW = { axes: ['channel'] };

/** What x is made of, in the order of its making, as leaves; and what they are.
 * @type {Record<string, { kind: 'input' | 'parameter' | 'ids', about: About }>} */
const MADE_OF = /** @type {const} */ ({
  'embedding.weight': {
    kind: 'parameter',
    about: { role: 'embedding', parameter: 'table', axes: ['vocabulary', 'channel'] },
  },
  tokens: { kind: 'ids', about: { role: 'tokens', axes: ['token'] } },
  'position.weight': {
    kind: 'parameter',
    about: { role: 'position', parameter: 'table', axes: ['position', 'channel'] },
  },
  pos: { kind: 'ids', about: { role: 'positions', axes: ['token'] } },
  embedding: { kind: 'input', about: { role: 'embedding', ...VECTORS } },
  position: { kind: 'input', about: { role: 'position', ...VECTORS } },
  x: { kind: 'input', about: { role: 'input', ...VECTORS } },
});
export const SOURCES = Object.keys(MADE_OF);
const PROJECTIONS = ['w_q', 'w_k', 'w_v'];
const BIASES = ['b_q', 'b_k', 'b_v'];
/** All leaves that an example may give. What those of an attention are, its builder says.
 * @type {typeof MADE_OF} */
export const LEAF = {
  ...MADE_OF,
  ...Object.fromEntries(['q', 'k', 'v'].map((name) => [name, { kind: 'input', about: {} }])),
  ...Object.fromEntries(
    [...PROJECTIONS, 'w_o', ...BIASES, 'b_o'].map((name) => [
      name,
      { kind: 'parameter', about: {} },
    ]),
  ),
  ...LAYER_LEAVES,
  label: { kind: 'input', about: VECTORS },
  gain: { kind: 'parameter', about: { role: 'norm', parameter: 'gain', ...ROW } },
  bias: { kind: 'parameter', about: { role: 'norm', parameter: 'bias', ...ROW } },
};
export const LEAVES = Object.keys(LEAF);

/** FNV-1a over the UTF-8 bytes: the stream of a name.
 * @param {string} text */
export function streamOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** @param {Example} example @param {string} name
 * @returns {number[]} empty if it is not given */
function inputShape({ inputs = {} }, name) {
  const values = inputs[name];
  if (values === undefined) return [];
  return Array.isArray(values) ? shapeOf(values) : values.shape;
}

/** Channels of x. @param {Example} example */
const channelsOf = (example) =>
  [...SOURCES]
    .reverse()
    .map((name) => inputShape(example, name))
    .find((shape) => shape.length > 1)
    ?.at(-1);

/** Why x w_q, x w_k, x w_v cannot be x itself; null if they can.
 * @param {Example} example
 * @returns {Message | null} */
function keepsProjections(example) {
  const bare = PROJECTIONS.filter((w) => !inputShape(example, w).length).map((w) => w.slice(2));
  if (bare.length) return message('exampleUnweighted', { names: bare.join(', ') });
  const channels = channelsOf(example) ?? 0;
  const heads = example.attention?.heads ?? 1;
  if (channels % heads) return message('exampleHeads', { channels, heads });
  const name = ['w_o', 'w_u'].find((one) => inputShape(example, one).length) ?? '';
  const [rows = channels] = inputShape(example, name);
  return rows === channels ? null : message('exampleRows', { name, rows, of: 'x', channels });
}

/** Why each query cannot take the value of its own place; null if it can.
 * @param {Example} example */
function keepsMix(example) {
  const words = ['x', 'embedding', 'tokens'].flatMap((name) =>
    inputShape(example, name).slice(0, 1),
  );
  const [queries, values] = ['q', 'v'].map((name) => inputShape(example, name).at(-2) ?? words[0]);
  return queries === values ? null : message('exampleMix', { queries, values });
}

/** @param {Example} example
 * @returns {Message | null} */
function keepsOutput(example) {
  const [rows, columns] = inputShape(example, 'w_o');
  if (rows === undefined) return message('exampleNoOutput', {});
  return rows === columns ? null : message('exampleSquare', { shape: [rows, columns] });
}

/** Whether positions are added somewhere. @param {Example} example */
const isPlaced = ({ inputs = {}, attention }) =>
  'pos' in inputs ||
  ('embedding' in inputs && 'position' in inputs) ||
  attention?.positions !== undefined;

/** @param {Example} example */
const isMasked = ({ inputs = {}, attention }) => Boolean(attention?.causal || inputs.mask);

/** What an example can lose, and why not the rest.
 * @param {Example} example
 * @returns {Removable[]} */
export function removableOf(example) {
  const inputs = example.inputs ?? {};
  const none = builderOf(example) === buildAttention ? null : message('exampleNoAttention', {});
  /** @type {[Removal, Message | null][]} */
  const reasons = [
    ['embedding', none ?? ('embedding.weight' in inputs ? null : message('exampleVectors', {}))],
    ['positions', none ?? (isPlaced(example) ? null : message('exampleUnplaced', {}))],
    ['projections', none ?? keepsProjections(example)],
    ['scores', none],
    ['scale', none],
    ['mask', none ?? (isMasked(example) ? null : message('exampleNoMask', {}))],
    ['softmax', none],
    ['mix', none ?? keepsMix(example)],
    ['w_o', none ?? keepsOutput(example)],
  ];
  return reasons.map(([name, why]) => ({
    name,
    possible: !why,
    reason: why && english(why),
    why,
  }));
}

/** @param {Removable[]} removable @param {unknown} remove
 * @returns {Set<Removal>} */
export function checkRemove(removable, remove) {
  if (!Array.isArray(remove)) {
    throw typeError('names', { where: 'trace: remove', given: remove });
  }
  for (const name of remove) {
    const entry = removable.find((one) => one.name === name);
    if (!entry) {
      const names = removable.map((one) => one.name);
      const hint = near(String(name), names);
      throw rangeError('unknownRemoval', { where: 'trace: remove', value: name, hint });
    }
    const { why } = entry;
    if (why) throw rangeError('notRemovable', { where: 'trace: remove', name, reason: why });
  }
  return new Set(remove);
}

/** @param {Glassformer} gf @param {string} name @param {Seeded} seeded */
function seededValues(gf, name, { shape, uniform, rows }) {
  if (!rows) return gf.uniform(shape, { ...uniform, stream: streamOf(name) });
  if (rows.length !== shape[0]) {
    throw rangeError('rowsNamed', { where: `trace: ${name}`, n: rows.length, shape });
  }
  const data = rows.map(
    (row) => gf.uniform(shape.slice(1), { ...uniform, stream: streamOf(row) }).data,
  );
  return { data: data.flatMap((row) => [...row]), shape };
}

/** @param {number} size */
const identity = (size) =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => Number(i === j)));

/** The leaves with their values. Without embeddings a word is its number, in every channel. Without
 * projections the weights are square, so that q, k and v have the size of x whatever d_k was; and there
 * are no biases.
 * @param {Glassformer} gf @param {Example} example @param {Set<Removal>} removed */
function leavesOf(gf, example, removed) {
  const { inputs = {} } = example;
  /** @type {Map<string, { shape: number[], values: import('../base/values.js').Values }>} */
  const leaves = new Map();
  const sources = SOURCES.filter((name) => name in inputs);
  for (const name of [...sources, ...Object.keys(inputs).filter((n) => !SOURCES.includes(n))]) {
    if (removed.has('projections') && BIASES.includes(name)) continue;
    const input = inputs[name];
    let values;
    if (removed.has('projections') && PROJECTIONS.includes(name)) {
      values = identity(channelsOf(example) ?? 0);
    } else if (removed.has('embedding') && name === 'embedding.weight') {
      const [rows, channels] = inputShape(example, name);
      values = Array.from({ length: rows }, (_, id) => new Array(channels).fill(id));
    } else values = Array.isArray(input) ? input : seededValues(gf, name, input);
    const shape = Array.isArray(values) ? shapeOf(values) : values.shape;
    /* Checked here, where a reader knows its name. */
    const Kind = LEAF[name].kind === 'ids' ? Int32Array : Float32Array;
    const data = flatten(`trace: example.inputs.${name}`, values, shape, Kind);
    leaves.set(name, { shape, values: { data, shape } });
  }
  return leaves;
}

/** x, or what it is computed from.
 * @param {Tape} tape @param {Example} example @param {Record<string, Tensor>} leaves */
function inputOf(tape, { attention }, leaves) {
  const { tokens, pos } = leaves;
  const table = leaves['embedding.weight'];
  if (leaves.x) return leaves.x;
  const placed = leaves.position || (pos && !attention?.positions);
  const embedding =
    leaves.embedding ?? (table && tape.embed(table, tokens, placed ? 'embedding' : 'x'));
  if (!embedding) return embedding;
  if (!placed) {
    if (embedding !== leaves.embedding) tape.describe(embedding, { role: 'input' });
    return embedding;
  }
  const channels = embedding.shape.at(-1) ?? 0;
  const learned = leaves['position.weight'];
  const position =
    leaves.position ??
    (learned ? tape.embed(learned, pos, 'position') : tape.position(pos, channels, {}, 'position'));
  return tape.add(embedding, position, 'x');
}

/** What turns queries and keys by their places: as many channels of a head as make pairs.
 * @param {Tape} tape @param {Example} example @param {Record<string, Tensor>} leaves */
function rotationOf(tape, { attention = {} }, { pos, q, w_q }) {
  if (attention.positions !== 'rotary') return null;
  if (!pos) throw rangeError('rotaryPos', { where: 'trace: example.inputs' });
  const width = ((w_q ?? q).shape.at(-1) ?? 0) / (attention.heads ?? 1);
  const paired = 2 * Math.floor(width / 2);
  if (paired > 0) return tape.rotation(pos, paired, 10000, 'rotation');
  throw rangeError('rotaryPairs', { where: 'trace', width });
}

/** Refuses matrices that an attention cannot multiply, by their names.
 * @param {Record<string, Tensor>} leaves @param {Tensor | undefined} x */
function checkFit(leaves, x) {
  const where = 'trace: example.inputs';
  /** @param {string} name @param {Tensor | undefined} matrix @param {string} of @param {number} channels */
  const checkRows = (name, matrix, of, channels) => {
    if (!matrix || matrix.shape[0] === channels) return;
    throw rangeError('exampleRows', { where, name, rows: matrix.shape[0], of, channels });
  };
  /** Rows and channels of q, k or v. @param {string} name */
  const sizeOf = (name) => {
    const weights = leaves[`w_${name}`];
    const source = leaves[name] ?? (weights && x);
    if (!source) throw rangeError('neither', { where, name });
    const [rows, channels] = source.shape.slice(-2);
    checkRows(`w_${name}`, weights, leaves[name] ? name : 'x', channels);
    return [rows, weights?.shape[1] ?? channels];
  };
  const [[, queries], [keys, width], [values, channels]] = ['q', 'k', 'v'].map(sizeOf);
  if (queries !== width) throw rangeError('exampleKeys', { where, queries, keys: width });
  if (keys !== values) throw rangeError('exampleValues', { where, keys, values });
  checkRows('w_o', leaves.w_o, 'v', channels);
}

/** @type {Builder} */
function buildAttention(tape, _, example, leaves) {
  const x = inputOf(tape, example, leaves);
  checkFit(leaves, x);
  const { positions, ...attention } = example.attention ?? {};
  if (positions === 'alibi' && (attention.heads ?? 1) < 2) {
    throw rangeError('alibiHeads', { where: 'trace' });
  }
  /** @param {Tensor} source */
  const attend = (source) =>
    tape.attention({
      query: leaves.q ?? source,
      key: leaves.k ?? source,
      value: leaves.v ?? source,
      wQ: leaves.w_q,
      wK: leaves.w_k,
      wV: leaves.w_v,
      wO: leaves.w_o,
      bQ: leaves.b_q,
      bK: leaves.b_k,
      bV: leaves.b_v,
      bO: leaves.b_o,
      rotation: rotationOf(tape, example, leaves),
      interleaved: true,
      alibi: positions === 'alibi',
      mask: leaves.mask,
      ...attention,
    });
  if (example.layer && !x)
    throw rangeError('missingInput', { where: 'trace: example.inputs', name: 'x' });
  const last = example.layer ? layered(tape, example, leaves, x, attend) : attend(x);
  if (leaves.w_u || example.loss) predict(tape, leaves, last, example.loss);
  return {};
}

/** Builds a part of an example; returns the values of leaves that are not among its inputs.
 * @typedef {(tape: Tape, gf: Glassformer, example: Example, leaves: Record<string, Tensor>) =>
 *   Record<string, import('../base/values.js').Values>} Builder */

/** The linear map that shifts sinusoids by k positions: it rotates each pair (sin, cos) by the pair's angle at position k.
 * @param {Glassformer} gf @param {number} k @param {number} channels */
function shiftBy(gf, k, channels) {
  const angles = gf.rotation({ data: [k], shape: [1] }, channels).data;
  const map = new Float32Array(channels * channels);
  for (let i = 0; i < channels; i += 2) {
    const [cosine, sine] = [angles[i], angles[i + 1]];
    map.set([cosine, -sine], i * channels + i);
    map.set([sine, cosine], (i + 1) * channels + i);
  }
  return map;
}

/** @type {Builder} */
function buildPositions(tape, gf, { positions = [] }) {
  /** @type {Record<string, import('../base/values.js').Values>} */
  const values = {};
  for (const { node, positions: places, channels, dots, shift } of positions) {
    const codesOf = (/** @type {string} */ name, /** @type {number[]} */ indices) => {
      const leaf = `${name}.positions`;
      values[leaf] = indices;
      const ids = tape.ids(leaf, [indices.length]);
      tape.describe(ids, { role: 'positions', axes: ['position'] });
      return tape.position(ids, channels, {}, name);
    };
    const codes = codesOf(node, places);
    if (dots) tape.matmulTransposed(codes, codes, `${node}.dots`);
    if (shift === undefined) continue;
    if (channels % 2) {
      throw rangeError('shiftPairs', { where: `trace: ${node}`, channels });
    }
    const map = tape.parameter(`${node}.shift`, [channels, channels]);
    tape.describe(map, { role: 'position', parameter: 'weight', axes: ['channel', 'channel'] });
    values[`${node}.shift`] = { data: shiftBy(gf, shift, channels), shape: map.shape };
    tape.linear(codes, map, null, `${node}.shifted`);
    codesOf(
      `${node}.ahead`,
      places.map((index) => index + shift),
    );
  }
  return values;
}

/** @type {Builder} */
function buildNorm(tape, _, { norm }, { x, gain, bias }) {
  tape.layerNorm(x, gain, bias, norm?.epsilon ?? 0, 'norm');
  return {};
}

/** @type {Builder} */
function buildSchedule(tape, gf, { schedule }) {
  if (!schedule) return {};
  const { steps, ...rest } = schedule;
  const rates = steps.map((step) => gf.learningRate(step, rest));
  const step = tape.input('step', [1, steps.length]);
  const rate = tape.input('learning_rate', [1, steps.length]);
  tape.describe(step, { axes: [null, 'step'] });
  tape.describe(rate, { role: 'learning_rate', axes: [null, 'step'] });
  /* Noam's rate is highest where the warm-up ends. */
  tape.scale(rate, 1 / gf.learningRate(rest.warmup, rest), 'learning_rate.relative');
  return { step: [steps], learning_rate: [rates] };
}

/** @type {Builder} */
function buildSmoothing(tape, _, { smoothing }, { label }) {
  const epsilon = smoothing?.epsilon ?? 0;
  const kept = tape.scale(label, 1 - epsilon, 'label.kept');
  const classes = Number(kept.shape.at(-1));
  const share = tape.input('label.share', [classes]);
  tape.describe(share, { axes: ['channel'] });
  tape.add(kept, share, 'label.smoothed');
  return { 'label.share': new Array(classes).fill(epsilon / classes) };
}

/** @param {Example} example
 * @returns {Builder} */
function builderOf({ positions, norm, schedule, smoothing, adam, loss, inputs = {} }) {
  if (positions) return buildPositions;
  if (adam) return buildAdam;
  if (inputs.scores) return buildScores;
  if (loss && inputs.logits) return buildLoss;
  if (norm) return buildNorm;
  if (smoothing) return buildSmoothing;
  return schedule ? buildSchedule : buildAttention;
}

/** Builds the example on an empty tape, plans it and writes its leaves; nothing is computed yet.
 * @param {Tape} tape @param {Glassformer} gf @param {Example} example @param {Set<Removal>} removed
 * @returns {Set<string>} the nodes that are there without what they usually do */
export function build(tape, gf, example, removed) {
  const inputs = leavesOf(gf, example, removed);
  /** @type {Record<string, Tensor>} */
  const leaves = {};
  for (const [name, { shape }] of inputs) {
    const { kind, about } = LEAF[name];
    leaves[name] = tape[kind](name, shape);
    tape.describe(name, ranked(about, shape.length));
  }
  const more = builderOf(example)(tape, gf, example, leaves);
  tape.plan();
  for (const [name, { values }] of inputs) leaves[name].set(values);
  for (const [name, values] of Object.entries(more)) tape.find(name).set(values);
  return takeOut(tape, removed);
}

/** Takes the nodes out of what is removed: they copy an operand, or stay 0, as scores that compare nothing.
 * @param {Tape} tape @param {Set<Removal>} removed */
function takeOut(tape, removed) {
  /** @type {Set<string>} */
  const names = removed;
  const out = tape.nodes.filter(({ removal }) => removal && names.has(removal.name));
  for (const node of out) {
    const { operand } = /** @type {import('../tape/description.js').NodeRemoval} */ (node.removal);
    if (operand === null) {
      tape.freeze(node);
      node.set(new Float32Array(node.size));
    } else tape.bypass(node, operand);
  }
  if (removed.has('embedding')) out.push(...tape.nodes.filter(({ op }) => op === 'embed'));
  return new Set(out.map(({ name }) => name));
}
