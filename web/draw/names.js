// What a node is called on the page: a letter, a role, and labels of its rows and columns.

/** @typedef {import('../session.js').Step} Step */

/** Symbols as the paper writes them; a node that is not listed goes by its own name. */
const SYMBOLS = {
  x: 'X',
  embedding: 'E',
  position: 'P',
  'embedding.weight': 'W_E',
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
  scores: 'S',
  'scores.scaled': 'S′',
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
  const part = /^(?:[wb]_)?([qkv])(?:\.heads)?$/.exec(node);
  if (part) return /** @type {'q' | 'k' | 'v'} */ (part[1]);
  return /^(scores|weights)/.test(node) ? 'a' : 'x';
}

/**
 * @param {Step} step
 * @returns {import('./colour.js').Scale}
 */
export const scaleOf = (step) =>
  step.op === 'softmax' && step.bypassed === null ? 'probability' : 'signed';

/**
 * What the rows and the columns of a node stand for.
 * @param {string} node
 * @returns {{ rows: 'token' | 'channel' | 'position' | 'word' | 'one', columns: 'token' | 'channel' | 'one' }}
 */
export function axes(node) {
  if (/^w_/.test(node)) return { rows: 'channel', columns: 'channel' };
  if (/^b_/.test(node)) return { rows: 'one', columns: 'channel' };
  if (/^pe\.[^.]+$/.test(node)) return { rows: 'position', columns: 'channel' };
  if (node.endsWith('.positions')) return { rows: 'one', columns: 'one' };
  if (node === 'pos') return { rows: 'token', columns: 'one' };
  if (node === 'tokens') return { rows: 'token', columns: 'one' };
  if (node === 'embedding.weight') return { rows: 'word', columns: 'channel' };
  if (/^(scores|weights)/.test(node)) return { rows: 'token', columns: 'token' };
  return { rows: 'token', columns: 'channel' };
}

/**
 * Labels along one axis.
 * @param {'token' | 'channel' | 'position' | 'word' | 'one'} axis
 * @param {number} count
 * @param {{ tokens: string[], positions?: ArrayLike<number> }} known
 */
export function labels(axis, count, { tokens, positions }) {
  const words = [...new Set(tokens)];
  return Array.from({ length: count }, (_, i) => {
    if (axis === 'token') return tokens[i] ?? String(i + 1);
    if (axis === 'word') return words[i] ?? String(i + 1);
    if (axis === 'position') return String(positions ? positions[i] : i);
    return axis === 'one' ? '' : String(i + 1);
  });
}
