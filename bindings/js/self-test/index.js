// Whether this engine computes the bits that all others compute. It is the training of tests/native/train.c, by
// the same functions that users call.

import { checkCore } from '../base/errors.js';
import { train } from '../model/train.js';
import { failure } from './texts.js';

/** The hash of the native library, as tests/golden.txt has it. */
const BITS = '077e1b0157624337';

const [BATCH, LENGTH, WORDS, STEPS] = [8, 8, 10, 200];
const [START, END, FIRST] = [0, 1, 2];

/** @type {import('../model/config/config.js').ModelOptions} */
const MODEL = {
  kind: 'transformer',
  vocab: FIRST + WORDS,
  maxLength: 16,
  dModel: 20,
  heads: 2,
  dFF: 40,
  layers: 2,
  activation: 'gelu',
  dropout: 0.1,
  seed: 7,
};

/** @type {import('../model/train.js').TrainOptions} */
const TRAINING = {
  schedule: 'noam',
  warmup: 40,
  optimizer: 'adamw',
  labelSmoothing: 0.1,
  clip: 1,
};

/** Sequences that depend on the step alone, to be written backwards but for the first token.
 * @param {import('../glassformer.js').Glassformer} gf @param {number} step */
function batchOf(gf, step) {
  const high = FIRST + WORDS - Math.fround(0.01);
  const { data } = gf.uniform([BATCH * LENGTH], { seed: 1, stream: step, low: FIRST, high });
  const source = Array.from({ length: BATCH }, (_, i) =>
    Array.from(data.subarray(i * LENGTH, (i + 1) * LENGTH), Math.floor),
  );
  const said = source.map((row) => row.slice(1).reverse());
  return {
    source,
    target: said.map((row) => [START, ...row]),
    labels: said.map((row) => [...row, END]),
  };
}

/** @param {import('../glassformer.js').Glassformer} gf */
function* batchesOf(gf) {
  for (let step = 1; step <= STEPS; step++) yield batchOf(gf, step);
}

/** FNV-1a with 64 bits, a step per byte.
 * @param {bigint} hash @param {Float32Array} numbers */
function add(hash, { buffer, byteOffset, byteLength }) {
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}

/** Trains a small transformer, and compares every bit of its losses and parameters with what the C library computes.
 * It takes about half a second.
 * @param {import('../glassformer.js').Glassformer} gf
 * @returns {Promise<void>} rejects with GF_EBITS if a bit differs
 * @example
 * import { selfTest } from 'glassformer/self-test';
 *
 * await selfTest(gf); */
export async function selfTest(gf) {
  checkCore('selfTest', gf);
  const model = gf.model(MODEL);
  try {
    let hash = 0xcbf29ce484222325n;
    for await (const { loss } of train(model, batchesOf(gf), TRAINING)) {
      hash = add(hash, Float32Array.of(loss));
    }
    for (const { data } of model.parameters.values()) hash = add(hash, data);
    const bits = hash.toString(16).padStart(16, '0');
    if (bits !== BITS) {
      throw failure('GF_EBITS', 'otherBits', { where: 'selfTest', expected: BITS, bits });
    }
  } finally {
    model.dispose();
  }
}
