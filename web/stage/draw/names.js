// What a step is called on the page: a word, a letter, a colour, and labels of its rows and columns. All of it
// follows from what the core says of the step.

/** @typedef {import('../../app/session.js').Step} Step */

/** What stands at the word before it. @param {string} word */
export const isStop = (word) => /^[.,:;!?]$/.test(word);

/** What was made of a query, a key or a value, by the op; and of scores. @type {Record<string, string>} */
const SUFFIX_OF_OP = { heads: '.heads', rope: '.rotated', cache: '.cache' };
/** @type {Record<string, string>} */
const SCORES = { scale: '.scaled', softcap: '.capped', alibi: '.biased', mask: '.masked' };
/** @type {Record<string, string>} */
const POOLED = { gather: 'pooler.token', linear: 'pooler.dense', tanh: 'pooled' };

/** What queries, keys and values are called in a lesson. @param {Step} step */
const headed = (step) => role(step) + (SUFFIX_OF_OP[step.op] ?? '');

/** Of the first and the second layer of a feed-forward network, and of the attention's last.
 * @param {Step} step */
const isOfForward = ({ part }) => part === 'feed_forward';

/** What is behind W and b in the names of a step's parameters. @type {Record<string, (step: Step) => string>} */
const SUFFIXES = {
  query: () => 'q',
  key: () => 'k',
  value: () => 'v',
  output: (step) => (isOfForward(step) ? '2' : 'o'),
  hidden: (step) => (isOfForward(step) ? '1' : 'y'),
  gate: () => 'gate',
  pooled: () => 'y',
  logit: ({ parameter }) => (parameter === 'weight' ? 'u' : 'y'),
};

/** What the steps of each role are in a lesson's words; others go by their own name.
 * @type {Record<string, (step: Step) => string>} */
const WORDS = {
  tokens: () => 'tokens',
  positions: ({ name, axes: [of] }) => (of === 'token' ? 'pos' : name),
  lengths: () => 'lengths',
  embedding: ({ op }) => (op === 'scale' ? 'embedding.scaled' : 'embedding'),
  segment: () => 'type',
  position: (step) =>
    step.op === 'rotation' ? 'rotation' : isCodes(step) ? step.name : 'position',
  input: () => 'x',
  query: headed,
  key: headed,
  value: headed,
  score: ({ op }) => `scores${SCORES[op] ?? ''}`,
  weight: () => 'weights',
  mix: () => 'mix',
  concat: () => 'concat',
  output: (step) => (isOfForward(step) ? 'linear2' : 'output'),
  residual: () => 'residual',
  norm: () => 'norm',
  hidden: (step) => (isOfForward(step) ? 'linear1' : 'prediction.dense'),
  gate: () => 'gate',
  activation: () => 'activation',
  pooled: ({ op, name }) => POOLED[op] ?? name,
  probability: () => 'probabilities',
  loss: () => 'loss',
  learning_rate: ({ op }) => (op === 'scale' ? 'learning_rate.relative' : 'learning_rate'),
};
/** What tables are called by what they hold. @type {Record<string, string>} */
const TABLES = { embedding: 'embedding', position: 'position', segment: 'type' };

/** @param {Step} step */
function parameterWord(step) {
  const { name, role, parameter } = step;
  if (role === 'norm') return String(parameter);
  if (parameter === 'table') return `${TABLES[String(role)]}.weight`;
  const behind = SUFFIXES[String(role)]?.(step);
  return behind ? `${parameter === 'weight' ? 'w' : 'b'}_${behind}` : name;
}

/**
 * What a step is called within its attention or layer: 'scores.scaled', 'w_q', 'norm'.
 * @param {Step} step
 */
export function word(step) {
  if (step.word) return step.word;
  if (step.parameter) return parameterWord(step);
  if (step.op === 'dropout') return 'dropout';
  return WORDS[String(step.role)]?.(step) ?? step.name;
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
  w_u: 'W_U',
  w_y: 'W_Y',
  b_y: 'b_Y',
  probabilities: 'P_Y',
  'pooler.first': 'pooler_first',
  'pooler.token': 'pooler_token',
  'pooler.dense': 'pooler_dense',
  'prediction.dense': 'prediction_dense',
  lengths: 'n',
  mean: 'μ',
  variance: 'σ²',
  centred: 'X−μ',
  'm.corrected': 'm̂',
  'v.corrected': 'v̂',
  'v.root': '√v̂',
  divisor: '√v̂+ε',
  epsilon: 'ε',
  update: 'Δ',
  gradient: 'g',
  label: 'y',
  'label.kept': 'y′',
  'label.share': 'u',
  'label.smoothed': 'y_ε',
  hidden: 'F_1',
  'x.pos': 'X′',
  rate: 'η',
  'greedy.p': 'p',
  'beam.p': 'p',
  'theta.new': 'θ′',
  learning_rate: 'η',
  'learning_rate.relative': 'η_rel',
};

/**
 * The letter of a step and what stands below it: { letter: 'W', below: 'Q' }.
 * @param {Step} step
 * @param {number} [head] which head's matrix is meant, if one is
 */
export function symbol(step, head) {
  const { letter, below } = usual(step, head);
  /* What only a mistake does is like a usual step, but is not it. */
  return { letter: step.aside ? `${letter}${step.op === 'transpose' ? 'ᵀ' : '*'}` : letter, below };
}

/** @param {Step} step @param {number} [head] */
function usual(step, head) {
  const name = word(step);
  const written = step.symbol ?? /** @type {Record<string, string>} */ (SYMBOLS)[name];
  if (!written) {
    if (step.role === 'positions') return { letter: 'p', below: '' };
    /* Tables of codes differ by how many channels they have. */
    if (isCodes(step)) return { letter: 'PE', below: String(step.shape.at(-1)) };
    return { letter: name, below: '' };
  }
  const [letter, below = ''] = written.split('_');
  return { letter, below: head === undefined ? below : String(head + 1) };
}

/** @type {Record<string, 'q' | 'k' | 'v' | 'a'>} */
const COLOURS = { query: 'q', key: 'k', value: 'v', weight: 'a' };

/**
 * Q, K, V, attention, or none of them.
 * @param {Pick<Step, 'role'>} step
 */
export const role = (step) => COLOURS[String(step.role)] ?? 'x';

/**
 * @param {Step} step
 * @returns {import('./colour.js').Scale}
 */
export const scaleOf = (step) =>
  (step.op === 'softmax' || (step.aside !== undefined && step.role === 'weight')) &&
  step.bypassed === null
    ? 'probability'
    : 'signed';

/** Position codes of some places. @param {Step} step */
export const isCodes = ({ role, parameter, axes: [of] }) =>
  role === 'position' && !parameter && of === 'position';

/**
 * The step that holds the positions whose codes another one holds, or was made of.
 * @param {Step} step
 * @param {{ step: (name: string) => Step }} trace
 * @returns {Step}
 */
export const positionsOf = (step, trace) =>
  step.role === 'positions' ? step : positionsOf(trace.step(String(step.inputs[0])), trace);

/**
 * How many heads' columns (or rows) a matrix holds side by side; 1 if it is not parted.
 * @param {Step} step
 */
export const headsIn = ({ heads, axes, parameter }) =>
  axes.includes('head') || parameter === 'bias' ? 1 : Math.max(1, heads);

/** @typedef {'token' | 'source' | 'target' | 'predicting' | 'channel' | 'position' | 'word' | 'segment' | 'one' | 'pair' | 'turn' | 'step'} Axis
 * source and target: tokens of the encoder's side of a model, and of the decoder's; predicting: those of the decoder
 * as they look at others, each of which reads one token and predicts another. */

/** @param {Axis} axis */
export const isOfTokens = (axis) => OF_TOKENS.includes(axis);

/** @type {Axis[]} */
const OF_TOKENS = ['token', 'source', 'target', 'predicting'];

/** @type {Record<string, Axis>} */
const AXES = {
  channel: 'channel',
  vocabulary: 'word',
  position: 'position',
  segment: 'segment',
  pair: 'pair',
  rotation: 'turn',
  step: 'step',
};
const TOKENS = ['token', 'query', 'key'];

/**
 * What the rows and the columns of a step stand for.
 * @param {Pick<Step, 'axes' | 'sequences'> & Partial<Pick<Step, 'stack' | 'role'>>} step
 * @returns {{ rows: Axis, columns: Axis }}
 */
export function axes({ axes: all, sequences, stack, role: part }) {
  const axisAt = (/** @type {number} */ i) => {
    const axis = String(all[i]);
    if (!TOKENS.includes(axis)) return AXES[axis] ?? 'one';
    const asks = axis === 'query' || part === 'query';
    const predicts = asks && stack === 'decoder' && sequences[i] === 'target';
    return predicts ? 'predicting' : (sequences[i] ?? 'token');
  };
  if (all.length > 1) return { rows: axisAt(all.length - 2), columns: axisAt(all.length - 1) };
  /* Numbers of tokens stand below each other, others in a row. */
  const only = axisAt(0);
  if (only === 'position') return { rows: 'one', columns: 'one' };
  return isOfTokens(only) ? { rows: only, columns: 'one' } : { rows: 'one', columns: only };
}

/**
 * What an example knows of its axes. positions: those of the rows, where they are places; predicted: what each token of
 * the target is followed by, as far as that is known.
 * @typedef {{ tokens: string[], sides?: Record<'source' | 'target', string[]>, predicted?: readonly string[],
 *   vocabulary?: readonly string[], positions?: ArrayLike<number>, schedule?: { steps: number[] } }} Known
 */

/** What places of an axis are called, where an example has names for them.
 * @type {Partial<Record<Axis, (known: Known) => readonly string[]>>} */
const NAMED = {
  token: ({ tokens }) => tokens,
  source: ({ sides, tokens }) => sides?.source ?? tokens,
  target: ({ sides, tokens }) => sides?.target ?? tokens,
  predicting: ({ sides, tokens, predicted = [] }) =>
    (sides?.target ?? tokens).map((read, i) =>
      predicted[i] === undefined ? read : `${read} → ${predicted[i]}`,
    ),
  word: ({ vocabulary, tokens }) => vocabulary ?? [...new Set(tokens)],
  step: ({ schedule }) => schedule?.steps.map(String) ?? [],
};

/**
 * Labels along one axis, or along a part of it.
 * @param {Axis} axis
 * @param {number} count
 * @param {Known} names
 * @param {number} [from]
 */
export function labels(axis, count, names, from = 0) {
  const { positions } = names;
  const list = NAMED[axis]?.(names);
  return Array.from({ length: count }, (_, k) => {
    const i = from + k;
    if (list) return list[i] ?? String(i + 1);
    if (axis === 'position') return String(positions ? positions[i] : i);
    if (axis === 'turn') return ['cos', 'sin'][i];
    return axis === 'one' ? '' : String(i + 1);
  });
}

/** The longest name that a token of an axis has: so many letters, at least two.
 * @param {Axis} axis @param {Known} names */
export const longestOf = (axis, names) =>
  Math.max(2, ...(NAMED[axis]?.(names) ?? []).map(({ length }) => length));

/**
 * The label of one place of an axis.
 * @param {Axis} axis
 * @param {number} index
 * @param {Known} names
 */
export const labelAt = (axis, index, names) => labels(axis, 1, names, index)[0];
