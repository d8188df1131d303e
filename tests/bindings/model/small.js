// Small models and sentences for the tests.
import assert from 'node:assert/strict';
import { GlassformerError, load } from '../../../bindings/index.js';

export const gf = await load();

const sizes = { vocab: 11, maxLength: 40, dModel: 8, heads: 2, dFF: 12, layers: 2, seed: 3 };

/** One per family, different in all that a family can be. */
export const families = {
  transformer: { kind: 'transformer', ...sizes },
  gpt: {
    kind: 'gpt',
    ...sizes,
    kvHeads: 1,
    positions: 'rotary',
    norm: 'rms',
    activation: 'swiglu',
    bias: false,
    tied: false,
  },
  bert: { kind: 'bert', ...sizes },
};

export const POSITIONS = ['sinusoidal', 'sinusoidal-halves', 'learned', 'rotary', 'alibi', 'none'];

/** A model whose parameters are not what they are at first: gains of 1 and biases of 0 hide errors.
 * Large, so that tokens are told apart clearly. */
export function model(options, spread = 1) {
  const made = gf.model(options);
  let stream = 100;
  for (const parameter of made.parameters.values()) {
    const { data: noise } = gf.uniform([parameter.size], {
      seed: 5,
      stream: stream++,
      low: -spread,
      high: spread,
    });
    parameter.data.set(parameter.name.includes('norm') ? noise.map((x) => 1 + x / 4) : noise);
  }
  return made;
}

export const bits = (data) => Buffer.from(Float32Array.from(data).buffer).toString('hex');

/** All parameters, as bits. */
export const state = (made) => [...made.parameters.values()].map(({ data }) => bits(data)).join();

export const refused = (Kind, pattern) => (error) => {
  assert.ok(error instanceof Kind, error.stack);
  assert.match(error.message, pattern);
  return true;
};

export const refusedAs = (code, pattern) => (error) => {
  assert.ok(error instanceof GlassformerError, error.stack);
  assert.equal(error.code, code);
  assert.match(error.message, pattern);
  return true;
};

export async function collect(iterable) {
  const all = [];
  for await (const item of iterable) all.push(item);
  return all;
}
