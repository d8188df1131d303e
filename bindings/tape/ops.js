// A tape's methods that make nodes: one per builder of the core.

import { checkFinite, checkOptions, checkWord, rangeError } from '../base/errors.js';
import { checkShape } from '../base/values.js';
import { attentionConfig } from './attention.js';
import { Nodes } from './nodes.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./attention.js').AttentionOptions} AttentionOptions */

const MAX_RANK = 4;

/**
 * @typedef {object} MaskOptions
 * @property {boolean} [causal] query i sees key j only if j <= i + offset
 * @property {number} [offset] how many keys come before the first query, 0 by default
 * @property {Tensor | null} [mask] ids: 0 masks; values: added to the scores
 * @property {Tensor | null} [lengths] ids [B]: keys from lengths[b] on are padding
 */

/**
 * @typedef {object} CrossEntropyOptions
 * @property {Tensor | null} [weights] [V], of the classes
 * @property {'mean' | 'sum' | 'none'} [reduction] 'mean' by default, which divides by the sum of the
 *   targets' weights
 * @property {number} [ignoreIndex] a target that counts for nothing, -100 by default
 * @property {number} [labelSmoothing] 0 to 1, 0 by default
 */

export class Ops extends Nodes {
  // ---- Leaves ----

  /** Data that you fill.
   * @param {string} name @param {number[]} shape */
  input(name, shape) {
    return this.#leaf('gf_input', name, shape);
  }

  /** Something to be learned, that you fill.
   * @param {string} name @param {number[]} shape */
  parameter(name, shape) {
    return this.#leaf('gf_parameter', name, shape);
  }

  /** int32 that you fill: tokens, positions, lengths, or a boolean mask.
   * @param {string} name @param {number[]} shape */
  ids(name, shape) {
    return this.#leaf('gf_ids', name, shape);
  }

  // ---- Embedding and positions ----

  /** y[i] = table[ids[i]]: table [V,C], ids [...] -> [...,C]
   * @param {Tensor} table @param {Tensor} ids @param {string} name */
  embed(table, ids, name) {
    return this.push('embed', { table, ids }, {}, name);
  }

  /** Sinusoidal position encoding: positions [...] -> [...,channels]
   * @param {Tensor} positions @param {number} channels
   * @param {{ halves?: boolean }} options halves: all sines first, then all cosines
   * @param {string} name */
  position(positions, channels, options, name) {
    checkOptions('position', options, ['halves']);
    const { halves = false } = options;
    return this.push('position', { positions }, { channels, halves }, name);
  }

  /** The angles of rotary positions as cosines and sines: positions [...] -> [...,dimensions/2,2]
   * @param {Tensor} positions @param {number} dimensions @param {number} base usually 10000
   * @param {string} name */
  rotation(positions, dimensions, base, name) {
    return this.push('rotation', { positions }, { dimensions, base }, name);
  }

  /** Turns each pair of a row by its position's angle: x [T,D], [H,T,D] or [B,H,T,D], rotation
   * [T,R/2,2], or [B,T,R/2,2] for the last.
   * @param {Tensor} x @param {Tensor} rotation
   * @param {{ interleaved?: boolean }} options interleaved: the pairs are neighbours
   * @param {string} name */
  rope(x, rotation, options, name) {
    checkOptions('rope', options, ['interleaved']);
    const { interleaved = false } = options;
    return this.push('rope', { x, rotation }, { interleaved }, name);
  }

  /** Takes from each score its distance times a slope of the head: x [...,H,Tq,Tk]
   * @param {Tensor} x @param {Tensor | null} at ids [1]: how many keys come before the first query
   * @param {string} name */
  alibi(x, at, name) {
    return this.push('alibi', { x, at }, {}, name);
  }

  // ---- Products and sums ----

  /** y = a + b, b repeated over the leading dimensions that it lacks.
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  add(a, b, name) {
    return this.push('add', { a, b }, {}, name);
  }

  /** y = factor x
   * @param {Tensor} x @param {number} factor @param {string} name */
  scale(x, factor, name) {
    return this.push('scale', { x }, { factor }, name);
  }

  /** y = x w + b: x [...,K], w [K,N], b [N] or null -> [...,N]
   * @param {Tensor} x @param {Tensor} w @param {Tensor | null} b @param {string} name */
  linear(x, w, b, name) {
    return this.push('linear', { x, w, b }, {}, name);
  }

  /** y = a b: a [...,M,K], b [...,K,N] -> [...,M,N]; b may have fewer heads.
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  matmul(a, b, name) {
    return this.push('matmul', { a, b }, { transposed: false }, name);
  }

  /** y = a b^T: a [...,M,K], b [...,N,K] -> [...,M,N]; b may have fewer heads.
   * @param {Tensor} a @param {Tensor} b @param {string} name */
  matmulTransposed(a, b, name) {
    return this.push('matmul', { a, b }, { transposed: true }, name, 'matmulTransposed');
  }

  // ---- Rows ----

  /** Softmax over the last dimension; a row that is all -inf gives 0.
   * @param {Tensor} x @param {string} name */
  softmax(x, name) {
    return this.push('softmax', { x }, {}, name);
  }

  /** Logarithm of the softmax over the last dimension.
   * @param {Tensor} x @param {string} name */
  logSoftmax(x, name) {
    return this.push('log_softmax', { x }, {}, name);
  }

  /** Normalises each row to mean 0 and variance 1, then scales and shifts it.
   * @param {Tensor} x @param {Tensor | null} gain [C] @param {Tensor | null} bias [C]
   * @param {number} epsilon usually 1e-5
   * @param {string} name */
  layerNorm(x, gain, bias, epsilon, name) {
    return this.push('layer_norm', { x, gain, bias }, { epsilon }, name);
  }

  /** Divides each row by its root mean square, then scales it.
   * @param {Tensor} x @param {Tensor | null} gain [C] @param {number} epsilon
   * @param {string} name */
  rmsNorm(x, gain, epsilon, name) {
    return this.push('rms_norm', { x, gain }, { epsilon }, name);
  }

  /** The k largest numbers of each row, largest first.
   * @param {Tensor} x @param {number} k @param {string} name */
  topK(x, k, name) {
    return this.push('top_k', { x }, { k, ids: false }, name);
  }

  /** The places of the k largest numbers of each row, as ids.
   * @param {Tensor} x @param {number} k @param {string} name */
  topKIds(x, k, name) {
    return this.push('top_k', { x }, { k, ids: true }, name, 'topKIds');
  }

  // ---- Each number by itself ----

  /** y = max(0, x)
   * @param {Tensor} x @param {string} name */
  relu(x, name) {
    return this.push('relu', { x }, {}, name);
  }

  /** y = x Phi(x), Phi the normal distribution; approximate 'tanh' is the older form.
   * @param {Tensor} x @param {{ approximate?: 'none' | 'tanh' }} options @param {string} name */
  gelu(x, options, name) {
    checkOptions('gelu', options, ['approximate']);
    const { approximate = 'none' } = options;
    checkWord('gelu: approximate', approximate, ['none', 'tanh']);
    return this.push('gelu', { x }, { tanh_form: approximate === 'tanh' }, name);
  }

  /** y = x sigmoid(factor x), also called swish.
   * @param {Tensor} x @param {number} factor usually 1 @param {string} name */
  silu(x, factor, name) {
    return this.push('silu', { x }, { factor }, name);
  }

  /** y = 1 / (1 + e^-x)
   * @param {Tensor} x @param {string} name */
  sigmoid(x, name) {
    return this.push('sigmoid', { x }, {}, name);
  }

  /** @param {Tensor} x @param {string} name */
  tanh(x, name) {
    return this.push('tanh', { x }, {}, name);
  }

  /** @param {Tensor} x @param {string} name */
  erf(x, name) {
    return this.push('erf', { x }, {}, name);
  }

  /** @param {Tensor} x @param {string} name */
  exp(x, name) {
    return this.push('exp', { x }, {}, name);
  }

  /** y = cap tanh(x / cap)
   * @param {Tensor} x @param {number} cap above 0 @param {string} name */
  softcap(x, cap, name) {
    return this.push('softcap', { x }, { cap }, name);
  }

  /** y = gate sigmoid(factor gate) up
   * @param {Tensor} gate @param {Tensor} up @param {number} factor usually 1 @param {string} name */
  swiglu(gate, up, factor, name) {
    return this.push('swiglu', { gate, up }, { factor }, name);
  }

  /** Zeroes each number with probability p, and divides the others by 1 - p. For inference, bypass
   * the node.
   * @param {Tensor} x @param {Tensor} key ids [2]: a seed and a step @param {number} p 0 <= p < 1
   * @param {string} name */
  dropout(x, key, p, name) {
    return this.push('dropout', { x, key }, { p }, name);
  }

  // ---- Loss ----

  /** Cross entropy of logits [...,V] against targets: ids [...] or probabilities [...,V]. Gives [1],
   * or [...] without reduction.
   * @param {Tensor} logits @param {Tensor} targets @param {CrossEntropyOptions} options
   * @param {string} name */
  crossEntropy(logits, targets, options, name) {
    const known = ['weights', 'reduction', 'ignoreIndex', 'labelSmoothing'];
    checkOptions('crossEntropy', options, known);
    const { weights, reduction = 'mean', ignoreIndex = -100, labelSmoothing = 0 } = options;
    const smoothing = checkFinite('crossEntropy: labelSmoothing', labelSmoothing);
    const attributes = { reduction, ignore_index: ignoreIndex, smoothing };
    return this.push('cross_entropy', { logits, targets, weights }, attributes, name);
  }

  // ---- Moving numbers ----

  /** Gives each head its own matrix: x [...,T,H*D] -> [...,H,T,D]
   * @param {Tensor} x @param {number} heads @param {string} name */
  splitHeads(x, heads, name) {
    return this.push('heads', { x }, { split: true, heads }, name, 'splitHeads');
  }

  /** Joins the heads again: x [...,H,T,D] -> [...,T,H*D]
   * @param {Tensor} x @param {string} name */
  concatHeads(x, name) {
    return this.push('heads', { x }, { split: false, heads: 0 }, name, 'concatHeads');
  }

  /** Reorders the axes: axis i of y is axis order[i] of x.
   * @param {Tensor} x @param {number[]} order @param {string} name */
  transpose(x, order, name) {
    this.operand('transpose: x', x);
    const axes = checkShape('transpose: order', order);
    const { shape } = x;
    if (axes.length !== shape.length || shape.some((_, axis) => !axes.includes(axis))) {
      throw rangeError('axesOnce', { where: 'transpose: order', shape, axes });
    }
    return this.push('transpose', { x }, { order: axes }, name);
  }

  /** a, then b, along an axis; the other dimensions are equal.
   * @param {Tensor} a @param {Tensor} b @param {number} axis @param {string} name */
  concat(a, b, axis, name) {
    return this.push('concat', { a, b }, { axis }, name);
  }

  /** y[.., i, ..] = x[.., ids[i], ..] along an axis.
   * @param {Tensor} x @param {Tensor} ids @param {number} axis @param {string} name */
  gather(x, ids, axis, name) {
    return this.push('gather', { x, ids }, { axis }, name);
  }

  /** Writes keys or values behind those of earlier runs: x [B,H,T,D] -> [B,H,capacity,D]
   * @param {Tensor} x @param {Tensor} at ids [1]: how many tokens are there
   * @param {number} capacity @param {string} name */
  cache(x, at, capacity, name) {
    return this.push('cache', { x, at }, { capacity }, name);
  }

  // ---- Attention ----

  /** Makes masked scores -inf: x [...,Tq,Tk] -> the same shape
   * @param {Tensor} x @param {MaskOptions} options @param {string} name */
  mask(x, options, name) {
    checkOptions('mask', options, ['causal', 'offset', 'mask', 'lengths']);
    const { causal = false, offset = 0, mask, lengths } = options;
    return this.push('mask', { x, mask, lengths }, { causal, offset }, name);
  }

  /** Scaled dot-product attention in named steps: q, k, v, scores, scores.scaled, scores.masked,
   * weights, mix, concat, output. Returns output.
   * @param {AttentionOptions} options
   * @param {string} [path] goes before each name, with a dot between */
  attention(options, path = '') {
    const [integers, floats] = attentionConfig(
      options,
      (where, node) => this.operand(where, node),
      (where, node) => this.optional(where, node),
    );
    const { engine } = this.block;
    return this.build('attention', path, (at, name) =>
      engine.core.gf_attention(at, engine.config(integers, floats), name),
    );
  }

  // ---- How a step is built ----

  /** @param {'gf_input' | 'gf_parameter' | 'gf_ids'} make @param {string} name @param {number[]} shape */
  #leaf(make, name, shape) {
    const what = make.slice(3);
    const dimensions = checkShape(`${what}: shape`, shape);
    const { engine } = this.block;
    /* The scratch holds no longer shape, and the core refuses a rank of 5 without looking at it. */
    const first = dimensions.slice(0, MAX_RANK);
    return this.build(
      what,
      name,
      (at, text) => engine.core[make](at, dimensions.length, engine.integers(first), text),
      { given: () => `[${dimensions}]` },
    );
  }
}
