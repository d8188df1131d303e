// Matrices of parameters in the types of files, made up of random blocks.

import { STORED } from '../../bindings/models/formats/stored.js';
import { generator, Program } from './program.js';

/** Where the float16 numbers of a block lie; of bfloat16 the one number.
 * @type {Record<string, number[]>} */
const HALVES = {
  f16: [0],
  bf16: [0],
  q4_0: [0],
  q4_1: [0, 2],
  q5_0: [0],
  q5_1: [0, 2],
  q8_0: [0],
  q4_k: [0, 2],
  q5_k: [0, 2],
  q6_k: [208],
};
export const TYPES = Object.keys(HALVES);

/** Rows of any blocks, with scales and offsets around 2^-4.
 * @param {string} type @param {number} rows @param {number} columns */
export function blocksOf(type, rows, columns) {
  const { block, bytes: size } = STORED[type.toUpperCase()];
  const random = generator(size);
  const bytes = Uint8Array.from({ length: (rows * columns * size) / block }, () => 256 * random());
  for (let at = 0; at < bytes.length; at += size) {
    for (const half of HALVES[type]) bytes[at + half + 1] = (bytes[at + half + 1] & 0x83) | 0x2c;
  }
  return bytes;
}

/** The types whose products can be sums of integers. */
export const INTEGER_TYPES = TYPES.filter((type) => type.startsWith('q'));

/** Every way in which a stored parameter is read, forward and backward: few rows, and as many as fill tiles. Products in
 * integers have no gradients.
 * @param {string} type @param {'exact' | 'integer'} [arithmetic] */
export function ofStored(type, arithmetic = 'exact') {
  const [rows, columns] = [22, 512];
  const program = new Program();
  const random = generator(1);
  const numbers = (n) => Float32Array.from({ length: n }, () => random() - 0.5);
  program.parameter('w', [columns, rows]);
  program.parameter('table', [rows, columns]);
  for (const m of [2, 6]) {
    const name = (label) => `${label}.${m}`;
    program.input(name('x'), [m, columns]);
    program.ids(name('ids'), [m]);
    program.linear(name('x'), 'w', null, name('y'));
    program.embed('table', name('ids'), name('rows'));
    program.add(name('x'), name('rows'), name('sum'));
    program.matmulTransposed(name('sum'), 'table', name('logits'));
    program.add(name('y'), name('logits'), name('result'));
  }
  const bytes = blocksOf(type, rows, columns);
  program.stored('w', { type, rows, columns, along: 0, arithmetic }, bytes);
  program.stored('table', { type, rows, columns, along: 1, arithmetic }, bytes);
  program.plan();
  for (const m of [2, 6]) {
    program.set(`x.${m}`, numbers(m * columns));
    program.set(
      `ids.${m}`,
      Int32Array.from({ length: m }, (_, i) => (5 * i) % rows),
    );
  }
  program.forward();
  if (arithmetic === 'exact') program.backward('result.6', numbers(6 * rows));
  return program;
}
