// The good call of each eager function.

import { plainOps } from '../../../bindings/build/table.js';
import {
  boolean,
  INT32,
  integer,
  nullable,
  optional,
  options,
  other,
  plus,
  real,
  shape,
  UINT32,
  values,
  word,
  wrong,
} from './kinds.js';

const matrix = [
  [1, 2],
  [3, 4],
];
const square = values(matrix);
const batch = values([matrix]);
const vector = values([1, 2]);
const any = values(matrix, { number: true });
const vectorOrNumber = values([1, 2], { number: true });
const ids = values([0, 1], { ids: true });
/** Of random numbers: any rank will do. */
const sizes = {
  ...shape([2, 3]),
  wrong: shape([2, 3]).wrong.filter(({ value }) => ![0, 5].includes(value?.length)),
};
const seed = optional(integer(3, 0, UINT32));
const axis = optional(integer(-1, -2, 1));
const epsilon = optional(real(1e-5, 0));
const opt = (kinds) => optional(options(kinds));

/** A good row, and what has another shape: told by both.
 * @param {any} given @param {string} shown */
const misfit = (kind, given, shown) => plus(kind, wrong(given, shown));

const deep = [[[[[1]]]]];
const reduction = optional(word('sum'));
/** Below 1, in float32 too. @param {number} good */
const beta = (good) =>
  optional(plus(real(good, 0, 0.9), wrong(1, '1'), wrong(0.99999999, '0.99999999')));
const adam = {
  learningRate: optional(real(0.1)),
  beta1: beta(0.9),
  beta2: beta(0.99),
  epsilon: optional(real(1e-6, 0)),
  weightDecay: optional(real(0.1)),
  decoupled: optional(boolean(true)),
  step: optional(integer(2, 1, INT32)),
};

/** @type {Record<string, import('./kinds.js').Kind[]>} */
export const eager = {
  relu: [any],
  gelu: [any, opt({ approximate: optional(word('tanh')) })],
  silu: [any, optional(real(2))],
  sigmoid: [any],
  tanh: [any],
  erf: [any],
  phi: [any],
  exp: [any],
  log: [any],
  sqrt: [any],
  softcap: [any, real(2, 1e-30)],
  scale: [any, real(3)],
  dropout: [
    any,
    opt({
      p: optional(real(0.25, 0, 0.999)),
      training: optional(boolean(true)),
      seed,
      step: seed,
    }),
  ],
  swiglu: [square, misfit(square, [[1, 2, 3]], '[1,3]'), optional(real(2))],
  pow: [any, real(2)],
  ...Object.fromEntries(
    ['sum', 'mean', 'amax'].map((name) => [
      name,
      [square, opt({ axis, keepDims: optional(boolean(true)) })],
    ]),
  ),
  add: [misfit(square, deep, '[1,1,1,1,1]'), misfit(vectorOrNumber, [1, 2, 3], '[3]')],
  ...Object.fromEntries(
    ['sub', 'mul', 'div'].map((name) => [name, [square, misfit(vectorOrNumber, [1, 2, 3], '[3]')]]),
  ),

  softmax: [square, opt({ axis })],
  logSoftmax: [square, opt({ axis })],
  logSumExp: [square, opt({ axis, keepDims: optional(boolean(true)) })],
  layerNorm: [
    square,
    nullable(misfit(vector, [1, 2, 3], '[3]')),
    nullable(vector),
    opt({ axis, epsilon }),
  ],
  rmsNorm: [square, nullable(misfit(vector, [1, 2, 3], '[3]')), opt({ axis, epsilon })],
  moments: [square, opt({ axis, epsilon: optional(real(1e-5)) })],
  topK: [square, integer(1, 1, 2), opt({ axis, largest: optional(boolean(false)) })],

  matmul: [square, misfit(square, [[1, 2, 3]], '[1,3]')],
  matmulTransposed: [square, misfit(square, [[1, 2, 3]], '[1,3]')],
  linear: [
    square,
    misfit(square, [[1, 2, 3]], '[1,3]'),
    nullable(misfit(vector, [1, 2, 3], '[3]')),
  ],
  gemm: [
    misfit(square, [1, 2], '[2]'),
    square,
    nullable(values(matrix, { number: true })),
    opt({
      alpha: optional(real(2)),
      beta: optional(real(2)),
      transA: optional(boolean(true)),
      transB: optional(boolean(true)),
    }),
  ],

  position: [ids, integer(4, 1, 2 ** 30 - 1), opt({ halves: optional(boolean(true)) })],
  rotation: [ids, integer(4, 2, 2 ** 30 - 1), optional(real(100, 1e-30))],
  rope: [
    square,
    values([[[0.6, 0.8]], [[1, 0]]]),
    opt({ interleaved: optional(boolean(true)), heads: optional(integer(1, 1, 1)) }),
  ],
  alibi: [values([matrix, matrix]), opt({ offset: optional(integer(1, -(2 ** 31), INT32)) })],

  mask: [
    square,
    options({
      causal: optional(boolean(true)),
      offset: optional(integer(0, 0, INT32)),
      mask: nullable(values([[true, false]], { mask: true, number: false })),
      lengths: nullable(other(undefined, [wrong([0.5], '0.5'), wrong([2, 2], '[2]')])),
    }),
  ],
  attention: [
    options({
      q: batch,
      k: misfit(batch, [[[1, 2, 3]]], '[1,1,3]'),
      v: misfit(batch, [1, 2], '[2]'),
      heads: optional(integer(1, 1, 2)),
      kvHeads: optional(integer(1, 0, 1)),
      causal: optional(boolean(true)),
      offset: optional(integer(0, -(2 ** 31), INT32)),
      mask: nullable(values([[true, false]], { mask: true })),
      lengths: nullable(plus(values([2], { ids: true }), wrong([2, 2], '[2]'))),
      pastKey: nullable(other(undefined, [wrong([[[[1, 2]]]], 'pastKey')])),
      pastValue: nullable(other(undefined, [wrong([[[[1, 2]]]], 'pastValue')])),
      softcap: optional(real(2, 1e-30)),
      scale: optional(real(2, -3e38, 3e38, (value) => value !== 0)),
      steps: optional(other(['scores.scaled'], [wrong(['odds'], '"odds"'), wrong([3], '3')])),
    }),
  ],

  embed: [misfit(square, [1, 2], '[2]'), plus(ids, wrong([0, 2], 'is 2'), wrong([-1], 'is -1'))],
  gather: [square, plus(ids, wrong([2], 'is 2')), optional(integer(0, -2, 1))],
  transpose: [
    square,
    optional(
      other(
        [1, 0],
        [wrong([0, 0], '[0,0]'), wrong([0], '[0]'), wrong([0, 2], '2'), wrong([0, 'a'], '"a"')],
      ),
    ),
  ],
  concat: [square, misfit(square, [[1, 2, 3]], '[1,3]'), optional(integer(0, -2, 1))],
  where: [values([[true, false]], { mask: true }), misfit(any, [[1, 2, 3]], '[1,3]'), any],
  tril: [misfit(square, [1, 2], '[2]'), optional(integer(0, -(2 ** 31), INT32))],
  triu: [misfit(square, [1, 2], '[2]'), optional(integer(0, -(2 ** 31), INT32))],
  oneHot: [
    ids,
    integer(3, 1, INT32),
    opt({ axis: optional(integer(-1, -2, 1)), on: optional(real(2)), off: optional(real(1)) }),
  ],
  splitHeads: [misfit(square, [1, 2], '[2]'), integer(2, 1, 2)],
  concatHeads: [values([matrix, matrix])],

  crossEntropy: [
    square,
    plus(ids, wrong([0, 5], 'is 5'), wrong([0], '[1]')),
    opt({
      axis,
      weights: nullable(misfit(vector, [1, 2, 3], '[3]')),
      reduction,
      ignoreIndex: optional(integer(-7, -(2 ** 31), INT32)),
      labelSmoothing: optional(real(0.1, 0, 1)),
    }),
  ],
  nllLoss: [
    square,
    plus(ids, wrong([0, 5], '5'), wrong([0], '[1]')),
    opt({
      axis,
      weights: nullable(misfit(vector, [1, 2, 3], '[3]')),
      reduction,
      ignoreIndex: optional(integer(-7, -(2 ** 31), INT32)),
    }),
  ],

  uniform: [sizes, opt({ seed, stream: seed, low: optional(real(-1)), high: optional(real(2)) })],
  normal: [
    sizes,
    opt({ seed, stream: seed, mean: optional(real(1)), deviation: optional(real(2)) }),
  ],
  learningRate: [
    integer(3, 0, INT32),
    options({
      kind: word('cosine'),
      rate: optional(real(2)),
      warmup: optional(integer(2, 0, 8)),
      total: optional(integer(9, 3, INT32)),
      dModel: optional(integer(8, 0, INT32)),
    }),
  ],
  adam: [
    options({
      value: vector,
      grad: misfit(vector, [1, 2, 3], '[3]'),
      m: vector,
      v: misfit(vector, [[1, 2]], '[1,2]'),
      vMax: nullable(vector),
    }),
    opt(adam),
  ],
};

/* An op that takes numbers alone needs no row. */
for (const [name, { operands }] of Object.entries(plainOps))
  eager[name] ??= Array(operands).fill(square);
