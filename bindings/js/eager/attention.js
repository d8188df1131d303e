// Attention on queries, keys and values that are projected already.

import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkWord,
  failure,
  rangeError,
  typeError,
} from '../base/errors.js';
import { INT32, isGiven } from '../base/values.js';
import { reshape, unfit } from './layout.js';
import { coreMask, maskOperands } from './masking.js';
import { answer, values } from './read.js';
import { run } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('./read.js').Arranged} Arranged */
/** @typedef {import('./masking.js').MaskValues} MaskValues */
/** @template V @typedef {import('./forms.js').Like<V>} Like */
/** @template V @template H @typedef {import('./forms.js').Scores<V, H>} Scores */

/**
 * @template V
 * @template {number} [H=number]
 * @template {Step} [S=Step]
 * @typedef {object} AttentionValues
 * @property {V} q [Tq,H*D], [B,Tq,H*D] or [B,H,Tq,D]
 * @property {Values} k of the same rank, with G heads and Tk keys
 * @property {Values} v of the same rank, with G heads and Tk values, which may have another width
 * @property {H} [heads] H, 1 by default
 * @property {number} [kvHeads] G, a divisor of H, which it is by default or if 0: query head h uses h / (H/G)
 * @property {number | ArrayLike<number>} [offset] how many keys come before the first query, for
 *   causal; or one number for each sequence. By default those of pastKey
 * @property {Values | null} [pastKey] keys of earlier calls, their presentKey: [B,G,P,D]
 * @property {Values | null} [pastValue] and their presentValue
 * @property {number} [softcap] keeps the scores within -softcap..softcap, before the mask
 * @property {number} [scale] multiplies the scores; 1 / sqrt(D) by default
 * @property {readonly S[]} [steps] further steps to give back, each under its name
 */

/** The scores on their way, as tape.attention names them; one that is not made equals the one before
 * it. */
const STEPS = /** @type {const} */ ([
  'scores',
  'scores.scaled',
  'scores.capped',
  'scores.masked',
  'weights',
]);
/** @typedef {(typeof STEPS)[number]} Step */

const OPTIONS = [
  ...['q', 'k', 'v', 'heads', 'kvHeads', 'causal', 'offset', 'mask', 'lengths'],
  ...['pastKey', 'pastValue', 'softcap', 'scale', 'steps'],
];

/** What attention gives.
 * @template V
 * @template H
 * @template {Step} S
 * @typedef {{ output: Like<V> }
 *   & { [K in 'scores' | 'weights' | 'presentKey' | 'presentValue' | S]: Scores<V, H> }} AttentionResult */

/** Dimensions of 1 in front of a shape, up to a rank.
 * @param {Arranged} array @param {number} rank */
function lift(array, rank) {
  const shape = [...array.shape];
  while (shape.length < rank) shape.unshift(1);
  return reshape(array, shape);
}

/** Heads and sizes, which each layout has in other dimensions.
 * @param {Arranged} q @param {Arranged} k @param {Arranged} v
 * @param {{ heads?: number, kvHeads?: number }} options */
function layoutOf(q, k, v, options) {
  const rank = q.shape.length;
  if (rank < 2 || rank > 4 || k.shape.length !== rank || v.shape.length !== rank) {
    throw unfit('attention', q.shape, k.shape, v.shape);
  }
  if (k.shape.at(-2) !== v.shape.at(-2)) {
    throw failure('GF_ESHAPE', 'keysAndValues', { where: 'attention', k: k.shape, v: v.shape });
  }
  const split = rank === 4;
  const heads = split ? q.shape[1] : (options.heads ?? 1);
  const groups = options.kvHeads === 0 ? undefined : options.kvHeads;
  const kvHeads = split ? k.shape[1] : (groups ?? heads);
  for (const [name, expected, option] of /** @type {const} */ ([
    ['heads', heads, options.heads],
    ['kvHeads', kvHeads, groups],
  ])) {
    checkInteger(`attention: ${name}`, expected, 1, INT32);
    if (option === undefined || option === expected) continue;
    throw rangeError('headsOfShapes', {
      where: `attention: ${name}`,
      expected: expected,
      given: option,
    });
  }
  return { rank, heads, kvHeads };
}

/** Keys or values of earlier calls; none at all are as if left out.
 * @param {string} name @param {Values | null | undefined} option */
function pastOperand(name, option) {
  if (!isGiven(option)) return null;
  const array = values(`attention: ${name}`, option);
  return array.data.length ? lift(array, 4) : null;
}

/** Checks the options of attention, and makes of them the operands of a tape.
 * @param {AttentionValues<any, any, any> & MaskValues} options */
function readAttention(options) {
  checkOptions('attention', options, OPTIONS);
  const { causal = false, softcap, scale, steps = [] } = options;
  checkBoolean('attention: causal', causal);
  if (!Array.isArray(steps)) {
    throw typeError('names', { where: 'attention: steps', given: steps });
  }
  for (const step of steps) checkWord('attention: steps', step, STEPS);
  const q = values('attention: q', options.q);
  const k = values('attention: k', options.k);
  const v = values('attention: v', options.v);
  const layout = layoutOf(q, k, v, options);
  const pastKey = pastOperand('pastKey', options.pastKey);
  const pastValue = pastOperand('pastValue', options.pastValue);
  if (!pastKey !== !pastValue) {
    throw typeError('bothPast', { where: 'attention' });
  }
  if (layout.rank === 2 && isGiven(options.lengths)) {
    throw typeError('batchForLengths', { where: 'attention: lengths' });
  }
  const before = pastKey?.shape[2] ?? 0;
  const { mask: allowed, lengths } = maskOperands('attention', options);
  const sizes = {
    batch: layout.rank === 2 ? 1 : q.shape[0],
    queries: /** @type {number} */ (q.shape.at(-2)),
    keys: before + /** @type {number} */ (k.shape.at(-2)),
  };
  const masked = coreMask(
    { mask: allowed, causal, offset: options.offset === undefined ? before : options.offset },
    sizes,
  );
  const operands = {
    q: lift(q, 3),
    k: lift(k, 3),
    v: lift(v, 3),
    pastKey,
    pastValue,
    mask: masked.mask,
    lengths,
  };
  const { rank, heads, kvHeads } = layout;
  const { causal: isCausal, offset } = masked;
  return {
    q,
    operands,
    attributes: { rank, heads, kvHeads, causal: isCausal, offset, softcap, scale, steps },
  };
}

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** Puts attention on a tape, and finds the tensors that are asked for.
 * @param {import('../tape/tape.js').Tape} tape
 * @param {Record<string, Tensor>} leaves q, k, v; pastKey, pastValue, mask and lengths where they are given
 * @param {ReturnType<typeof readAttention>['attributes']} attributes */
function push(tape, leaves, { rank, heads, kvHeads, causal, offset, softcap, scale, steps }) {
  /** @param {'k' | 'v'} name @param {Tensor | undefined} past */
  const present = (name, past) => {
    const now = rank < 4 ? tape.splitHeads(leaves[name], kvHeads, `${name}.heads`) : leaves[name];
    return past ? tape.concat(past, now, 2, `${name}.present`) : now;
  };
  const presentKey = present('k', leaves.pastKey);
  const presentValue = present('v', leaves.pastValue);
  const { mask, lengths } = leaves;
  const sizes = { heads, kvHeads, causal, offset, softcap, scale };
  const output = tape.attention({
    query: leaves.q,
    key: presentKey,
    value: presentValue,
    mask,
    lengths,
    ...sizes,
  });
  /** A step that these options do not need is the one before it. @param {Step} step */
  const find = (step) => {
    const names = /** @type {string[]} */ (STEPS.slice(0, STEPS.indexOf(step) + 1));
    return /** @type {Tensor} */ (tape.nodes.findLast(({ name }) => names.includes(name)));
  };
  return {
    output: rank === 4 ? tape.splitHeads(output, heads, 'output.heads') : output,
    presentKey,
    presentValue,
    ...Object.fromEntries(['scores', 'weights', ...steps].map((step) => [step, find(step)])),
  };
}

/** @param {Engine} engine */
export const attention = (engine) => ({
  /** Makes masked scores -Infinity.
   * @template {Values} V
   * @param {V} x @param {MaskValues & { offset?: number }} options
   * @returns {Like<V>}
   * @example
   * gf.mask([[1, 2], [3, 4]], { causal: true }); // = [[1, -Infinity], [3, 4]] */
  mask(x, options) {
    checkOptions('mask', options, ['causal', 'offset', 'mask', 'lengths']);
    const { causal, offset } = options;
    const scores = values('mask: x', x);
    const operands = { x: scores, ...maskOperands('mask', options) };
    const { y } = run(
      engine,
      'mask',
      operands,
      { causal, offset },
      (tape, { x, mask, lengths }, attributes) => ({
        y: tape.mask(x, { ...attributes, mask, lengths }, 'y'),
      }),
    );
    return answer(scores, y);
  },

  /** Scaled dot-product attention on queries, keys and values that are projected already.
   * @template {Values} V
   * @template {number} [H=1]
   * @template {Step} [S=never]
   * @param {AttentionValues<V, H, S> & MaskValues} options
   * @returns {AttentionResult<V, H, S>}
   *   scores are q k^T, weights their softmax in the end: [B,H,Tq,Tk]. presentKey and presentValue are
   *   all keys and values, [B,G,Tk,D]. Of a single sequence there is no B, of a single head in it
   *   neither H nor G.
   * @example
   * const x = [[1, 0], [0, 1]];
   * const { weights, output } = gf.attention({ q: x, k: x, v: [[1, 2], [3, 4]], causal: true });
   * weights; // = [[1, 0], [0.3302, 0.6698]]
   * output; // = [[1, 2], [2.3395, 3.3395]] */
  attention(options) {
    const read = readAttention(options);
    const { q, attributes } = read;
    const { rank, heads } = attributes;
    /* A single sequence was lifted to a batch of one. */
    const drop = rank > 2 ? 0 : heads > 1 ? 1 : 2;
    return /** @type {any} */ (
      run(engine, 'attention', read.operands, attributes, push, ({ data, shape }, name) =>
        answer(q, {
          data: q.form === 'nested' ? data : data.slice(),
          shape: shape.slice(name === 'output' ? Math.min(drop, 1) : drop),
        }),
      )
    );
  },
});
