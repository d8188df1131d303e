// What a node is called on the page: a letter, a role, and labels of its rows and columns.

/** @typedef {import('../session.js').Step} Step */

/** What the steps of models, which go by the paths of PyTorch's modules, are in a lesson's words. */
const STEMS = /** @type {[RegExp, string][]} */ ([
  [/^(?:encoder|decoder)\.(?:layers\.\d+\.)?(?:(?:self|cross)_attn\.)?/, ''],
  [/^([qkv])_proj\.weight$/, 'w_$1'],
  [/^([qkv])_proj\.bias$/, 'b_$1'],
  [/^out_proj\.weight$/, 'w_o'],
  [/^out_proj\.bias$/, 'b_o'],
  [/^linear(\d)\.weight$/, 'w_$1'],
  [/^linear(\d)\.bias$/, 'b_$1'],
  [/^gate\.weight$/, 'w_gate'],
  [/^gate\.bias$/, 'b_gate'],
  [/^(?:prediction\.|embedding_)?norm\d?\.weight$/, 'gain'],
  [/^(?:prediction\.|embedding_)?norm\d?\.bias$/, 'bias'],
  [/^(?:prediction\.)?norm\d$|^prediction\.norm$|^embedding_norm$/, 'norm'],
  [/^prediction\.activation$/, 'activation'],
  [/^(residual|dropout)\d$/, '$1'],
  [/^source_embedding\.weight$/, 'embedding.weight'],
  [/^position_embedding\.weight$/, 'position.weight'],
  [/^token_type_embedding\.weight$/, 'type.weight'],
  [/^token_type$/, 'type'],
  [/^(?:logits|pooler\.dense|prediction\.dense)\.weight$/, 'w_y'],
  [/^(?:logits|pooler\.dense|prediction\.dense)\.bias$/, 'b_y'],
  [/^input$|^typed$/, 'x'],
  [/^(?:source|target)$/, 'tokens'],
  [/^(?:source|target)\.positions$/, 'pos'],
]);
/** @type {Map<string, string>} */
const stems = new Map();

/**
 * What a node is called within its attention or layer: 'scores.scaled', 'w_q', 'norm'.
 * @param {string} node
 */
export function stem(node) {
  let name = stems.get(node);
  if (name === undefined) {
    name = STEMS.reduce((text, [pattern, to]) => text.replace(pattern, to), node);
    stems.set(node, name);
  }
  return name;
}

/** Symbols as the paper writes them; a node that is not listed goes by its own name. */
const SYMBOLS = {
  x: 'X',
  embedding: 'E',
  position: 'P',
  'embedding.weight': 'W_E',
  'position.weight': 'W_P',
  codes: 'PE',
  'codes.dots': 'G',
  'codes.shift': 'R_k',
  'codes.shifted': 'PE′',
  'codes.ahead': 'PE_+k',
  tokens: 't',
  pos: 'p',
  w_q: 'W_Q',
  w_k: 'W_K',
  w_v: 'W_V',
  w_o: 'W_O',
  b_q: 'b_Q',
  b_k: 'b_K',
  b_v: 'b_V',
  b_o: 'b_O',
  q: 'Q',
  k: 'K',
  v: 'V',
  'q.heads': 'Q_h',
  'k.heads': 'K_h',
  'v.heads': 'V_h',
  'q.rotated': 'Q′',
  'k.rotated': 'K′',
  rotation: 'R',
  scores: 'S',
  'scores.scaled': 'S′',
  'scores.biased': 'S*',
  'scores.masked': 'S″',
  weights: 'A',
  mix: 'M',
  concat: 'C',
  output: 'O',
  'embedding.scaled': 'E′',
  type: 'T',
  'type.weight': 'W_T',
  dropout: 'D',
  residual: 'Z',
  norm: 'N',
  gain: 'γ',
  bias: 'β',
  w_1: 'W_1',
  b_1: 'b_1',
  w_2: 'W_2',
  b_2: 'b_2',
  w_gate: 'W_g',
  b_gate: 'b_g',
  linear1: 'F_1',
  gate: 'G',
  activation: 'F_+',
  linear2: 'F_2',
  logits: 'Y',
  'logits.unbiased': 'Y′',
  w_y: 'W_Y',
  b_y: 'b_Y',
  probabilities: 'P_Y',
  lengths: 'n',
  learning_rate: 'η',
  'learning_rate.relative': 'η_rel',
};

/**
 * The letter of a node and what stands below it: { letter: 'W', below: 'Q' }.
 * @param {string} node
 * @param {number} [head] which head's matrix is meant, if one is
 */
export function symbol(node, head) {
  const name = stem(node);
  const known = /** @type {Record<string, string>} */ (SYMBOLS)[name];
  if (!known) {
    if (name.endsWith('.positions')) return { letter: 'p', below: '' };
    const [head, ...rest] = name.replace(/^pe/, 'PE').split('.');
    return { letter: head, below: rest.join(' ') };
  }
  const [letter, below = ''] = known.split('_');
  return { letter, below: head === undefined ? below : String(head + 1) };
}

/**
 * Q, K, V, attention, or none of them.
 * @param {string} node
 * @returns {'q' | 'k' | 'v' | 'a' | 'x'}
 */
export function role(node) {
  const name = stem(node);
  const part = /^(?:[wb]_)?([qkv])(?:\.(?:heads|rotated))?$/.exec(name);
  if (part) return /** @type {'q' | 'k' | 'v'} */ (part[1]);
  return /^(scores|weights)/.test(name) ? 'a' : 'x';
}

/**
 * @param {Step} step
 * @returns {import('./colour.js').Scale}
 */
export const scaleOf = (step) =>
  step.op === 'softmax' && step.bypassed === null ? 'probability' : 'signed';

/** Position codes of some places. @param {string} node */
export const isCodes = (node) => /^(pe\.[^.]+|codes(\.shifted|\.ahead)?)$/.test(node);

/**
 * The node that holds the positions whose codes another one holds.
 * @param {string} node
 */
export const positionsOf = (node) =>
  `${node.replace('.shifted', '').replace('.dots', '')}.positions`;

/**
 * How many heads' columns (or rows) a matrix holds side by side; 1 if it is not parted.
 * @param {string} node
 * @param {Step[]} steps
 */
export function headsIn(node, steps) {
  const parted = /^([qkv]|w_[qkvo]|concat)$/.test(stem(node));
  const attention = /^.*_attn\.|/.exec(node)?.[0] ?? '';
  const apart = steps.find(
    ({ name, op }) =>
      op === 'heads' &&
      /^[qkv]\.heads$/.test(name.slice(attention.length)) &&
      name.startsWith(attention),
  );
  return parted && apart ? apart.shape[0] : 1;
}

/** @typedef {'token' | 'source' | 'target' | 'channel' | 'position' | 'word' | 'one' | 'pair' | 'turn' | 'step'} Axis
 * source and target: tokens of the encoder's side of a model, and of the decoder's. */

/** @param {Axis} axis */
export const isOfTokens = (axis) => axis === 'token' || axis === 'source' || axis === 'target';

/**
 * Whose tokens the rows of a step are.
 * @param {string} node
 * @returns {'token' | 'source' | 'target'}
 */
function sequenceOf(node) {
  if (/^(encoder|source)\b|cross_attn\.[kv]\b/.test(node)) return 'source';
  return /^(decoder|target|logits|probabilities|pool|prediction)/.test(node) ? 'target' : 'token';
}

/**
 * What the rows and the columns of a node stand for.
 * @param {string} node
 * @returns {{ rows: Axis, columns: Axis }}
 */
export function axes(node) {
  const name = stem(node);
  const sequence = sequenceOf(node);
  if (/^learning_rate/.test(name)) return { rows: 'one', columns: 'step' };
  if (/^w_/.test(name)) return { rows: 'channel', columns: name === 'w_y' ? 'word' : 'channel' };
  if (name === 'b_y') return { rows: 'one', columns: 'word' };
  if (/^(b_|gain$|bias$)/.test(name)) return { rows: 'one', columns: 'channel' };
  if (isCodes(name)) return { rows: 'position', columns: 'channel' };
  if (name === 'codes.dots') return { rows: 'position', columns: 'position' };
  if (name === 'codes.shift') return { rows: 'channel', columns: 'channel' };
  if (name === 'rotation') return { rows: 'pair', columns: 'turn' };
  if (name.endsWith('.positions')) return { rows: 'one', columns: 'one' };
  if (name === 'pos' || name === 'tokens') return { rows: sequence, columns: 'one' };
  if (name === 'position.weight') return { rows: 'position', columns: 'channel' };
  if (name === 'embedding.weight') return { rows: 'word', columns: 'channel' };
  if (/^(logits|probabilities)/.test(name)) return { rows: sequence, columns: 'word' };
  if (/^(scores|weights)/.test(name)) {
    return { rows: sequence, columns: node.includes('cross_attn') ? 'source' : sequence };
  }
  return { rows: sequence, columns: 'channel' };
}

/**
 * What an example knows of its axes. positions: those of the rows, where they are places.
 * @typedef {{ tokens: string[], sides?: Record<'source' | 'target', string[]>,
 *   vocabulary?: readonly string[], positions?: ArrayLike<number>, schedule?: { steps: number[] } }} Known
 */

/**
 * Labels along one axis, or along a part of it.
 * @param {Axis} axis
 * @param {number} count
 * @param {Known} known
 * @param {number} [from]
 */
export function labels(axis, count, known, from = 0) {
  const { tokens, positions } = known;
  const lists = {
    token: () => tokens,
    source: () => known.sides?.source ?? tokens,
    target: () => known.sides?.target ?? tokens,
    word: () => known.vocabulary ?? [...new Set(tokens)],
    step: () => known.schedule?.steps.map(String) ?? [],
  };
  const list = axis in lists ? lists[/** @type {keyof typeof lists} */ (axis)]() : null;
  return Array.from({ length: count }, (_, k) => {
    const i = from + k;
    if (list) return list[i] ?? String(i + 1);
    if (axis === 'position') return String(positions ? positions[i] : i);
    if (axis === 'turn') return ['cos', 'sin'][i];
    return axis === 'one' ? '' : String(i + 1);
  });
}

/**
 * The label of one place of an axis.
 * @param {Axis} axis
 * @param {number} at
 * @param {Known} known
 */
export const labelAt = (axis, at, known) => labels(axis, 1, known, at)[0];
