// The options of tape.attention, as the core's gf_attention_config.

import {
  checkBoolean,
  checkFinite,
  checkInt32,
  checkOptions,
  rangeError,
  typeError,
} from '../base/errors.js';
import { isGiven } from '../base/values.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */

/**
 * @typedef {object} AttentionOptions
 * @property {Tensor} query what the queries come from, [Tq,C] or [B,Tq,C]; or the heads themselves,
 *   [B,H,Tq,D]
 * @property {Tensor} key what the keys come from; or [B,G,Tk,D]
 * @property {Tensor} value what the values come from; or [B,G,Tk,Dv]
 * @property {Tensor | null} [wQ] [C,H*D]; left out, query is projected already
 * @property {Tensor | null} [wK] [C,G*D]
 * @property {Tensor | null} [wV] [C,G*Dv]
 * @property {Tensor | null} [wO] [H*Dv,C]; left out, there is no projection at the end
 * @property {Tensor | null} [bQ]
 * @property {Tensor | null} [bK]
 * @property {Tensor | null} [bV]
 * @property {Tensor | null} [bO]
 * @property {number} [heads] H, 1 by default
 * @property {number} [kvHeads] G, a divisor of H: so many heads of keys and values; H by default
 * @property {boolean} [causal] query i sees key j only if j <= i + offset
 * @property {number} [offset] how many keys come before the first query, 0 by default
 * @property {Tensor | null} [mask] ids: 0 masks; values: added to the scores
 * @property {Tensor | null} [lengths] ids [B]: keys from lengths[b] on are padding
 * @property {Tensor | null} [rotation] turns queries and keys by their positions, as rope does
 * @property {boolean} [interleaved] the pairs of the rotation are neighbours
 * @property {boolean} [alibi] takes the distance from each score, as alibi does
 * @property {Tensor | null} [at] ids [1]: keys and values are cached, so many tokens are there
 * @property {number} [capacity] of the cache, with at
 * @property {boolean} [fused] scores, weights and mix are one node, which keeps no weights: memory grows
 *   with the length, not its square; the bits are the same
 * @property {number} [softcap] keeps the scores within -softcap..softcap, before the mask
 * @property {number} [scale] multiplies the scores; 1 / sqrt(D) by default
 */

const INPUTS = /** @type {const} */ (['query', 'key', 'value']);

/** A bias, and the weights that it needs, in the order of the config. */
const PROJECTIONS = /** @type {const} */ ([
  ['wQ', 'bQ'],
  ['wK', 'bK'],
  ['wV', 'bV'],
  ['wO', 'bO'],
]);

const OPTIONS = [
  ...[...INPUTS, ...PROJECTIONS.flat(), 'heads', 'kvHeads', 'causal', 'offset', 'mask', 'lengths'],
  ...['rotation', 'interleaved', 'alibi', 'at', 'capacity', 'fused', 'softcap', 'scale'],
];

/** A number that is left out as 0, and therefore cannot be 0.
 * @param {string} where @param {number | undefined} value */
function orZero(where, value) {
  if (value === undefined) return 0;
  if (Math.fround(checkFinite(where, value)) !== 0) return value;
  throw rangeError('notZero', { where, given: value });
}

/** @param {number | undefined} softcap */
function capOrZero(softcap) {
  const cap = orZero('attention: softcap', softcap);
  if (cap >= 0) return cap;
  throw rangeError('aboveZero', { where: 'attention: softcap', given: cap });
}

/** @param {string} where @param {boolean} value */
function flag(where, value) {
  checkBoolean(where, value);
  return Number(value);
}

/** The fields of gf_attention_config: its integers, then its floats.
 * @param {AttentionOptions} options
 * @param {(where: string, node: unknown) => number} operand the id of a node
 * @param {(where: string, node: Tensor | null | undefined) => number} optional
 * @returns {[number[], number[]]} */
export function attentionConfig(options, operand, optional) {
  checkOptions('attention', options, OPTIONS);
  for (const [w, b] of PROJECTIONS) {
    if (!isGiven(options[b]) || isGiven(options[w])) continue;
    throw typeError('biasAlone', { where: 'attention', bias: b, weights: w });
  }
  if (isGiven(options.at) && options.capacity === undefined) {
    throw typeError('atAlone', { where: 'attention' });
  }
  const { heads = 1, kvHeads = heads, causal = false, offset = 0, capacity = 0 } = options;
  const { interleaved = false, alibi = false, fused = false } = options;
  const integers = [
    ...INPUTS.map((key) => operand(`attention: ${key}`, options[key])),
    ...PROJECTIONS.flat().map((key) => optional(`attention: ${key}`, options[key])),
    checkInt32('attention: heads', heads),
    checkInt32('attention: kvHeads', kvHeads),
    flag('attention: causal', causal),
    checkInt32('attention: offset', offset),
    optional('attention: mask', options.mask),
    optional('attention: lengths', options.lengths),
    optional('attention: rotation', options.rotation),
    flag('attention: interleaved', interleaved),
    flag('attention: alibi', alibi),
    optional('attention: at', options.at),
    checkInt32('attention: capacity', capacity),
    flag('attention: fused', fused),
  ];
  const floats = [capOrZero(options.softcap), orZero('attention: scale', options.scale)];
  return [integers, floats];
}
