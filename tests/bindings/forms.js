// Calls of every eager function with arguments of every form, and the TypeScript that says of each what came
// out of it.

import { plainOps } from '../../bindings/build/table.js';

/** The forms of two numbers and of four. */
const ROWS = [
  '[1, 2]',
  'Float32Array.of(1, 2)',
  '{ data: [1, 2], shape: [2] }',
  '{ data: [1, 2] }',
];
const MATRICES = [
  '[[1, 2], [3, 4]]',
  '[Float32Array.of(1, 2), [3, 4]]',
  '{ data: [1, 2, 3, 4], shape: [2, 2] }',
];
const IDS = ['[1, 0]', 'Int32Array.of(1, 0)', '{ data: [1, 0] }'];
const ONCE = (/** @type {string[]} */ ...calls) => calls;
/** @param {string} name @param {string[][]} forms @param {string} [rest] */
const over = (name, forms, rest = '') => forms.flat().map((form) => `gf.${name}(${form}${rest})`);
/** @param {string} name @param {string[]} lefts @param {string[]} rights */
const across = (name, lefts, rights) =>
  lefts.flatMap((a) => rights.map((b) => `gf.${name}(${a}, ${b})`));
const any = [['0.5', '[[[1]]]'], ROWS, MATRICES];
const attention = (/** @type {string} */ form, rest = '') =>
  `gf.attention({ q: ${form}, k: ${form}, v: ${form}${rest} })`;

/** By function. @type {Record<string, string[]>} */
export const calls = {
  ...Object.fromEntries(
    [...Object.keys(plainOps), 'gelu', 'silu', 'dropout'].map((name) => [name, over(name, any)]),
  ),
  scale: over('scale', any, ', 2'),
  softcap: over('softcap', any, ', 2'),
  ...Object.fromEntries(
    ['softmax', 'logSoftmax'].map((name) => [name, over(name, [ROWS, MATRICES])]),
  ),
  add: across('add', ROWS, ROWS),
  sub: across('sub', ROWS, ROWS),
  div: across('div', MATRICES, ROWS),
  pow: over('pow', any, ', 2'),
  ...Object.fromEntries(
    ['sum', 'mean', 'amax'].map((name) => [
      name,
      [
        ...over(name, [ROWS, MATRICES]),
        ...over(name, [ROWS, MATRICES], ', { axis: 0 }'),
        ...over(name, [ROWS, MATRICES], ', { axis: 0, keepDims: true }'),
      ],
    ]),
  ),
  mul: across('mul', MATRICES, MATRICES),
  swiglu: across('swiglu', ROWS, ROWS),
  logSumExp: [
    ...over('logSumExp', [ROWS, MATRICES]),
    ...over('logSumExp', [ROWS, MATRICES], ', { axis: 0 }'),
    ...over('logSumExp', [ROWS, MATRICES], ', { axis: 0, keepDims: true }'),
  ],
  layerNorm: [
    ...over('layerNorm', [ROWS, MATRICES]),
    ...over('layerNorm', [MATRICES], ', [1, 1], Float32Array.of(0, 0)'),
  ],
  rmsNorm: over('rmsNorm', [ROWS, MATRICES], ', [1, 1]'),
  moments: over('moments', [ROWS, MATRICES]),
  topK: over('topK', [ROWS, MATRICES], ', 1'),
  linear: over('linear', [MATRICES], ', [[1], [2]], Float32Array.of(3)'),
  matmul: across('matmul', [...ROWS, ...MATRICES, '[[[1, 2]]]'], [ROWS[0], ROWS[1], MATRICES[0]]),
  matmulTransposed: across('matmulTransposed', MATRICES, MATRICES),
  gemm: [...across('gemm', MATRICES, MATRICES), 'gf.gemm([[1]], [[2]], 3)'],
  embed: across('embed', MATRICES, [...IDS.slice(0, 2), '[[1], [0]]']),
  gather: [
    ...across('gather', [...ROWS.slice(0, 2), ...MATRICES], [...IDS.slice(0, 2), '[[1], [0]]']),
    ...across('gather', [ROWS[2], MATRICES[2]], IDS),
  ],
  transpose: over('transpose', [ROWS, MATRICES]),
  concat: across('concat', ROWS, ROWS),
  where: [
    ...across(
      'where',
      ['[true, false]', 'Uint8Array.of(1, 0)', '{ data: [true, false] }'],
      ['[1, 2], 3'],
    ),
    'gf.where([true, false], [[1, 2]], 0)',
    'gf.where([[true], [false]], Float32Array.of(1, 2), 0)',
    'gf.where([true], 1, 2)',
  ],
  tril: over('tril', [MATRICES]),
  triu: over('triu', [MATRICES]),
  oneHot: over('oneHot', [IDS, ['[[1], [0]]']], ', 2'),
  splitHeads: over('splitHeads', [MATRICES, ['[[[1, 2]]]']], ', 2'),
  concatHeads: over('concatHeads', [
    ['[[[1, 2]], [[3, 4]]]', '{ data: [1, 2], shape: [2, 1, 1] }'],
  ]),
  position: over('position', [IDS], ', 4'),
  rotation: over('rotation', [IDS], ', 4'),
  rope: over('rope', [MATRICES], ', [[[1, 0]], [[0, 1]]]'),
  alibi: over('alibi', [['[[[0, 0]]]', '{ data: [0, 0], shape: [1, 1, 2] }']]),
  mask: over('mask', [MATRICES], ', { causal: true }'),
  attention: [
    ...MATRICES.map((form) => attention(form)),
    ...MATRICES.map((form) => attention(form, ', heads: 1')),
    ...MATRICES.map((form) => attention(form, ", heads: 2, steps: ['scores.scaled']")),
    attention('[[[1, 2]]]', ', heads: 2, mask: [[true]]'),
    attention('[[[[1, 2]]]]', ', lengths: Int32Array.of(1)'),
    attention('{ data: [1, 2], shape: [1, 1, 2] }', ', causal: true'),
  ],
  crossEntropy: [
    ...over('crossEntropy', [MATRICES], ', [0, 1]'),
    ...over('crossEntropy', [MATRICES], ", Int32Array.of(0, 1), { reduction: 'none' }"),
    ...over('crossEntropy', [MATRICES], ", [0, 1], { reduction: 'sum', labelSmoothing: 0.1 }"),
    ...over('crossEntropy', [ROWS], ', [1, 0]'),
  ],
  nllLoss: [
    ...over('nllLoss', [MATRICES], ', [0, 1]'),
    ...over('nllLoss', [MATRICES], ", [0, 1], { reduction: 'none' }"),
  ],
  adam: [...ROWS, ...MATRICES].flatMap((x) => [
    `gf.adam({ value: ${x}, grad: ${x}, m: ${x}, v: ${x} })`,
    `gf.adam({ value: ${x}, grad: ${x}, m: ${x}, v: ${x}, vMax: ${x} })`,
  ]),
  uniform: ONCE('gf.uniform([2])'),
  normal: ONCE('gf.normal([2, 1])'),
  learningRate: ONCE("gf.learningRate(1, { kind: 'constant' })"),
};

/** The type of a value, as TypeScript writes it.
 * @param {any} value
 * @returns {string} */
export function typeOf(value) {
  if (typeof value === 'number') return 'number';
  if (ArrayBuffer.isView(value)) return value.constructor.name;
  if (Array.isArray(value)) return `${value.length ? typeOf(value[0]) : 'number'}[]`;
  const fields = Object.keys(value).map(
    (name) => `${JSON.stringify(name)}: ${typeOf(value[name])}`,
  );
  return `{ ${fields.join('; ')} }`;
}

/** What can be done with a value next: every function that takes such.
 * @param {string} name @param {any} value
 * @returns {string[]} */
function next(name, value) {
  if (typeof value === 'number' || value.shape?.length === 0) return [`gf.scale(${name}, 1)`];
  if (value instanceof Int32Array || value.data instanceof Int32Array) {
    return [`gf.oneHot(${name}, 9)`, `gf.embed([[1], [2], [3]], ${name})`];
  }
  if (Array.isArray(value) || ArrayBuffer.isView(value) || 'data' in value) {
    return [`gf.scale(${name}, 1)`, `gf.softmax(${name})`, `gf.mul(${name}, ${name})`];
  }
  return Object.entries(value).flatMap(([key, part]) =>
    next(`${name}[${JSON.stringify(key)}]`, part),
  );
}

/** A call, what came out of it, and what could be done with that.
 * @param {any} gf @param {string} call
 * @returns {{ call: string, type: string, next: string[] }} */
export function known(gf, call) {
  const value = new Function('gf', `return ${call};`)(gf);
  const calls = next('y', value);
  for (const then of calls) new Function('gf', 'y', then)(gf, value);
  return { call, type: typeOf(value), next: calls };
}

/** Same<A, B> is true where two types are one. What may be left out counts as there. */
const SAME = `type Plain<T> = T extends number | ArrayBufferView ? T : { [K in keyof T]-?: Plain<T[K]> };
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
`;

/** A module that compiles if the types say what came out.
 * @param {any} gf */
export function program(gf) {
  const blocks = Object.values(calls)
    .flat()
    .map((call) => known(gf, call))
    .map(({ call, type, next }) => {
      const same = `const same: Same<typeof y, ${type}> = true;`;
      return `{ const y = ${call}; ${same} ${next.map((then) => `${then};`).join(' ')} void same; }\n`;
    });
  return `import type { Glassformer } from 'glassformer';\n${SAME}declare const gf: Glassformer;\n${blocks.join('')}`;
}
