// Every op at work on so many numbers that they are shared out, in sizes that no number of threads divides.

import { ops, plainOps } from '../../../bindings/build/table.js';

const ROWS = 517;
const COLUMNS = 391;
/** Of [heads, tokens, channels]. */
const HEADS = [5, 131, 312];

/** Makes a node of an op, with leaves as it needs them. x and z: [ROWS, COLUMNS]; h: HEADS; row: [COLUMNS]; label: an id for
 * each row, below 7. */
const MADE = {
  embed: ({ t, label }) => t.embed(t.parameter('table', [7, COLUMNS]), label, 'n'),
  position: ({ t, label }) => t.position(label, COLUMNS, {}, 'n'),
  rotation: ({ t, label }) => t.rotation(label, COLUMNS - 1, 100, 'n'),
  rope: ({ t, h }) => t.rope(h, t.input('turns', [HEADS[1], 100, 2]), {}, 'n'),
  add: ({ t, x, row }) => t.add(x, row, 'n'),
  mul: ({ t, x, row }) => t.mul(x, row, 'n'),
  scale: ({ t, x }) => t.scale(x, 3, 'n'),
  pow: ({ t, x }) => t.pow(x, 2, 'n'),
  sum: ({ t, x }) => t.sum(x, { axis: 1 }, 'n'),
  mean: ({ t, x }) => t.mean(x, {}, 'n'),
  amax: ({ t, x }) => t.amax(x, { axis: 0 }, 'n'),
  reshape: ({ t, h }) => t.reshape(h, [-1, HEADS[2]], 'n'),
  slice: ({ t, x }) => t.slice(x, 1, 3, COLUMNS - 4, 'n'),
  linear: ({ t, x, row }) => t.linear(x, t.parameter('w', [COLUMNS, COLUMNS]), row, 'n'),
  matmul: ({ t, x, z }) => t.matmulTransposed(x, z, 'n'),
  heads: ({ t, h }) => t.splitHeads(h, 4, 'n'),
  mask: ({ t, h }) => t.mask(h, { causal: true, mask: t.input('mask', HEADS.slice(1)) }, 'n'),
  alibi: ({ t, h }) => t.alibi(h, null, 'n'),
  softcap: ({ t, x }) => t.softcap(x, 3, 'n'),
  attention: ({ t, h }) =>
    t.attention({ query: h, key: h, value: h, heads: 4, causal: true, fused: true }, 'n'),
  layer_norm: ({ t, x, row }) => t.layerNorm(x, row, t.parameter('bias', [COLUMNS]), 1e-5, 'n'),
  rms_norm: ({ t, x, row }) => t.rmsNorm(x, row, 1e-5, 'n'),
  gelu: ({ t, x }) => t.gelu(x, {}, 'n'),
  silu: ({ t, x }) => t.silu(x, 2, 'n'),
  swiglu: ({ t, x, z }) => t.swiglu(x, z, 2, 'n'),
  dropout: ({ t, x }) => t.dropout(x, t.ids('key', [2]), 0.3, 'n'),
  cross_entropy: ({ t, x, label, row }) =>
    t.crossEntropy(x, label, { weights: row, ignoreIndex: 3, labelSmoothing: 0.1 }, 'n'),
  top_k: ({ t, x }) => t.topK(x, 3, 'n'),
  transpose: ({ t, x }) => t.transpose(x, [1, 0], 'n'),
  concat: ({ t, x, z }) => t.concat(x, z, 1, 'n'),
  gather: ({ t, x, label }) => t.gather(x, label, 1, 'n'),
  cache: ({ t }) => t.cache(t.input('keys', [2, 3, 50, 400]), t.ids('at', [1]), 60, 'n'),
};
for (const [method, { op, operands }] of Object.entries(plainOps)) {
  MADE[op] ??= ({ t, x, z }) => t[method](...[x, z].slice(0, operands), 'n');
}

/** The ops that are tried, and those that are not. */
export const tried = Object.keys(MADE);
export const missing = ops.filter((op) => op !== 'leaf' && !MADE[op]);

/** A planned tape of one node of an op, its leaves filled.
 * @param {any} gf @param {string} op */
export function tapeOf(gf, op) {
  const t = gf.tape();
  const [x, z] = ['x', 'z'].map((name) => t.input(name, [ROWS, COLUMNS]));
  const all = { t, x, z, h: t.input('h', HEADS), row: t.parameter('row', [COLUMNS]) };
  const last = MADE[op]({ ...all, label: t.ids('label', [ROWS]) });
  t.plan();
  for (const { data, kind } of t.nodes.filter((node) => node.op === 'leaf')) {
    data.set(data.map((_, i) => (kind === 'ids' ? (i * i) % 7 : Math.sin(i * i))));
  }
  const gradient = Float32Array.from({ length: last.size }, (_, i) => Math.cos(i * i));
  return { tape: t, last, gradient };
}
