// What a node is called on the page: a letter, a role, and labels of its rows and columns.

/** @typedef {import('../session.js').Step} Step */

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
};

/**
 * The letter of a node and what stands below it: { letter: 'W', below: 'Q' }.
 * @param {string} node
 * @param {number} [head] which head's matrix is meant, if one is
 */
export function symbol(node, head) {
  const known = /** @type {Record<string, string>} */ (SYMBOLS)[node];
  if (!known) {
    if (node.endsWith('.positions')) return { letter: 'p', below: '' };
    const [head, ...rest] = node.replace(/^pe/, 'PE').split('.');
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
  const part = /^(?:[wb]_)?([qkv])(?:\.(?:heads|rotated))?$/.exec(node);
  if (part) return /** @type {'q' | 'k' | 'v'} */ (part[1]);
  return /^(scores|weights)/.test(node) ? 'a' : 'x';
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
  const parted = /^([qkv]|w_[qkvo]|concat)$/.test(node);
  const apart = steps.find(({ name, op }) => op === 'heads' && /^[qkv]\.heads$/.test(name));
  return parted && apart ? apart.shape[0] : 1;
}

/** @typedef {'token' | 'channel' | 'position' | 'word' | 'one' | 'pair' | 'turn'} Axis */

/**
 * What the rows and the columns of a node stand for.
 * @param {string} node
 * @returns {{ rows: Axis, columns: Axis }}
 */
export function axes(node) {
  if (/^w_/.test(node)) return { rows: 'channel', columns: 'channel' };
  if (/^b_/.test(node)) return { rows: 'one', columns: 'channel' };
  if (isCodes(node)) return { rows: 'position', columns: 'channel' };
  if (node === 'codes.dots') return { rows: 'position', columns: 'position' };
  if (node === 'codes.shift') return { rows: 'channel', columns: 'channel' };
  if (node === 'rotation') return { rows: 'pair', columns: 'turn' };
  if (node.endsWith('.positions')) return { rows: 'one', columns: 'one' };
  if (node === 'pos') return { rows: 'token', columns: 'one' };
  if (node === 'tokens') return { rows: 'token', columns: 'one' };
  if (node === 'position.weight') return { rows: 'position', columns: 'channel' };
  if (node === 'embedding.weight') return { rows: 'word', columns: 'channel' };
  if (/^(scores|weights)/.test(node)) return { rows: 'token', columns: 'token' };
  return { rows: 'token', columns: 'channel' };
}

/**
 * Labels along one axis.
 * @param {Axis} axis
 * @param {number} count
 * @param {{ tokens: string[], positions?: ArrayLike<number> }} known
 */
export function labels(axis, count, { tokens, positions }) {
  const words = [...new Set(tokens)];
  return Array.from({ length: count }, (_, i) => {
    if (axis === 'token') return tokens[i] ?? String(i + 1);
    if (axis === 'word') return words[i] ?? String(i + 1);
    if (axis === 'position') return String(positions ? positions[i] : i);
    if (axis === 'turn') return ['cos', 'sin'][i];
    return axis === 'one' ? '' : String(i + 1);
  });
}
