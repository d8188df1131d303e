// What every engine computes, through the package's own functions, and the hashes of all its bits:
// four words of 16 hexadecimal digits. It asks nothing of its host.

import { ofExample } from '../support/program.js';

const BATCH = 8;
const LENGTH = 8;
const WORDS = 10;
const STEPS = 200;
const START = 0;
const END = 1;
const FIRST = 2;

/** FNV-1a with 64 bits, a step per byte. */
class Hash {
  #value = 0xcbf29ce484222325n;

  /** @param {ArrayBufferView} view */
  add({ buffer, byteOffset, byteLength }) {
    for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) {
      this.#value = BigInt.asUintN(64, (this.#value ^ BigInt(byte)) * 0x100000001b3n);
    }
    return this;
  }

  toString() {
    return this.#value.toString(16).padStart(16, '0');
  }
}

/** @param {string} text */
export const hashOf = (text) => String(new Hash().add(new TextEncoder().encode(text)));

/** The worked examples that have a program for the native build, tests/native/run.c.
 * @param {Record<string, any>} examples */
export const programsOf = (examples) =>
  Object.values(examples)
    .filter(({ attention, positions }) => attention || positions)
    .map(ofExample);

/** The batch of a step of tests/native/train.c. */
function batchOf(gf, step) {
  const high = FIRST + WORDS - Math.fround(0.01);
  const options = { seed: 1, stream: step, low: FIRST, high };
  const words = [...gf.uniform([BATCH * LENGTH], options).data].map(Math.floor);
  const source = Array.from({ length: BATCH }, (_, b) => words.slice(b * LENGTH, (b + 1) * LENGTH));
  const said = source.map((row) => row.toReversed().slice(0, -1));
  return {
    source,
    target: said.map((row) => [START, ...row]),
    labels: said.map((row) => [...row, END]),
  };
}

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
const TRAINING = {
  schedule: 'noam',
  warmup: 40,
  optimizer: 'adamw',
  labelSmoothing: 0.1,
  clip: 1,
};

/** Trains a model as tests/native/train.c does, and hashes every loss and every parameter. */
async function trained(train, model, gf) {
  const hash = new Hash();
  const batches = Array.from({ length: STEPS }, (_, i) => batchOf(gf, i + 1));
  for await (const { loss } of train(model, batches, TRAINING)) hash.add(Float32Array.of(loss));
  for (const { data } of model.parameters.values()) hash.add(data);
  return String(hash);
}

/** What a model writes: greedily, by chance, and as the best of several. */
async function write(gf, model) {
  const [source] = batchOf(gf, STEPS + 1).source;
  const common = { start: START, stopTokens: [END], maxNewTokens: 12 };
  const found = [];
  for (const options of [{}, { temperature: 1.3, topK: 5, topP: 0.9, seed: 3 }, { beams: 3 }]) {
    for await (const token of model.generate(source, { ...common, ...options })) found.push(token);
  }
  return String(new Hash().add(Int32Array.from(found)));
}

/**
 * @param {typeof import('glassformer')} glassformer an entry of the package
 * @param {import('glassformer').LoadOptions} [options] of load
 * @returns {Promise<string>}
 */
export async function golden({ load, examples, train }, options) {
  const gf = await load(options);
  const examined = programsOf(examples).flatMap((program) => program.run(gf));
  const model = gf.model(MODEL);
  const learned = await trained(train, model, gf);
  const written = await write(gf, model);
  const saved = String(new Hash().add(model.save({ training: true })));
  model.dispose();
  return [hashOf(examined.join('\n')), learned, written, saved].join(' ');
}
