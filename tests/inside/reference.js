// A gpt in float64, as its formulas say it, that can be changed anywhere: what experiments are held against.

import assert from 'node:assert/strict';
import { attention, headOf, matmul, softmaxRow, transpose } from '../bindings/naive.js';

/** Three that differ in what an experiment can trip over: tied or not, layer or RMS norm, biases, groups of heads. */
export const KINDS = {
  tied: { kind: 'gpt', positions: 'learned', tied: true, activation: 'gelu-tanh' },
  untied: { kind: 'gpt', positions: 'learned', tied: false, outputBias: true, activation: 'relu' },
  rms: {
    ...{ kind: 'gpt', positions: 'none', tied: false, norm: 'rms', bias: false },
    ...{ activation: 'swiglu', kvHeads: 1 },
  },
};
export const SIZES = { vocab: 13, maxLength: 24, dModel: 8, heads: 2, dFF: 12, layers: 2, seed: 5 };

/** Numbers from -1 to 1 without a pattern (a matrix of sines has rank 2): Lehmer's generator, as 2 ** 31 - 1 has it. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

/** A model whose weights and biases are all far from 0, so that nothing is small by chance. */
export function modelOf(gf, options) {
  const model = gf.model({ ...SIZES, ...options });
  const next = chance(20261122);
  for (const { data, shape, parameter, name } of model.parameters.values()) {
    const spread = { bias: 0.3, gain: 0.4, table: 1, weight: 1.7 / Math.sqrt(shape[0]) };
    const [middle, width] = [Number(parameter === 'gain'), spread[parameter]];
    assert.ok(width > 0, name);
    for (let i = 0; i < data.length; i++) data[i] = middle + width * next();
  }
  return model;
}

const add = (a, b) => a.map((row, i) => row.map((x, j) => x + (b[i] ?? b)[j]));
const sum = (row) => row.reduce((a, b) => a + b, 0);
const ACTIVATIONS = {
  relu: (x) => Math.max(0, x),
  'gelu-tanh': (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

/** The model's numbers as matrices, and the run of them on tokens. */
export function reference(model) {
  const { config } = model;
  const { heads, kvHeads, layers, norm, epsilon } = config;
  const matrix = (name) => {
    if (!model.parameters.has(name)) return null;
    const { data, shape } = model.parameters.get(name);
    const [rows, columns] = shape.length > 1 ? shape : [1, shape[0]];
    return Array.from({ length: rows }, (_, i) => [
      ...data.subarray(i * columns, (i + 1) * columns),
    ]);
  };
  const bias = (name) => matrix(`${name}.bias`)?.[0] ?? null;
  const linear = (x, name) => {
    const y = matmul(x, matrix(`${name}.weight`));
    return bias(name) ? y.map((row) => row.map((v, j) => v + bias(name)[j])) : y;
  };
  /** The scale of a row, and the row normalised. */
  const statistics = (row) => {
    const mean = norm === 'layer' ? sum(row) / row.length : 0;
    const rate = 1 / Math.sqrt(sum(row.map((x) => (x - mean) ** 2)) / row.length + epsilon);
    return { mean, rate };
  };
  const normed = (x, name) =>
    x.map((row) => {
      const { mean, rate } = statistics(row);
      return row.map(
        (v, j) => (v - mean) * rate * matrix(`${name}.weight`)[0][j] + (bias(name)?.[j] ?? 0),
      );
    });
  const unembed = (x) =>
    config.tied ? matmul(x, transpose(matrix('embedding.weight'))) : linear(x, 'logits');

  /** All steps of a run. `change(step, layer, values)` gives what goes on in their place: of steps 'input', 'queries',
   * 'keys', 'values', 'mix' (lists of heads), 'attention', 'activation', 'feed-forward', 'middle', 'output'. */
  function run(tokens, change = (_step, _layer, values) => values) {
    const steps = [];
    const made = (step, layer, values) => {
      const used = change(step, layer, values);
      steps.push({ step, layer, values: used });
      return used;
    };
    const places = matrix('decoder.position_embedding.weight');
    const embedding = matrix('embedding.weight');
    let x = tokens.map((id, t) => embedding[id].map((v, j) => v + (places ? places[t][j] : 0)));
    x = made('input', 0, x);
    for (let l = 0; l < layers; l++) {
      const at = `decoder.layers.${l}`;
      const read = normed(x, `${at}.norm1`);
      const split = (name, count) => {
        const all = linear(read, `${at}.self_attn.${name}`);
        return Array.from({ length: count }, (_, h) => headOf(all, count, h));
      };
      const q = made('queries', l, split('q_proj', heads));
      const k = made('keys', l, split('k_proj', kvHeads));
      const v = made('values', l, split('v_proj', kvHeads));
      const group = heads / kvHeads;
      const seen = q.map((one, h) =>
        attention(one, k[Math.floor(h / group)], v[Math.floor(h / group)], (i, j) => j <= i),
      );
      made(
        'scores',
        l,
        seen.map(({ scores }) => scores),
      );
      made(
        'weights',
        l,
        seen.map(({ weights }) => weights),
      );
      const mix = made(
        'mix',
        l,
        seen.map(({ output }) => output),
      );
      const concat = tokens.map((_, t) => mix.flatMap((head) => head[t]));
      const attended = made('attention', l, linear(concat, `${at}.self_attn.out_proj`));
      x = made('middle', l, add(x, attended));
      const inner = normed(x, `${at}.norm2`);
      const hidden = linear(inner, `${at}.linear1`);
      const gate = config.activation === 'swiglu' ? linear(inner, `${at}.gate`) : null;
      const active = made(
        'activation',
        l,
        hidden.map((row, i) =>
          row.map((value, j) =>
            gate
              ? (gate[i][j] / (1 + Math.exp(-gate[i][j]))) * value
              : ACTIVATIONS[config.activation](value),
          ),
        ),
      );
      x = made('output', l, add(x, made('feed-forward', l, linear(active, `${at}.linear2`))));
    }
    const logits = unembed(normed(x, 'decoder.norm'));
    const step = (name, layer) =>
      steps.find((one) => one.step === name && one.layer === layer).values;
    return { logits, steps, step };
  }
  return { run, matrix, bias, normed, statistics, unembed, linear };
}

/** A metric of logits, as its definition says. */
export function metric(logits, { kind, token, against, position }) {
  const row = logits.at(position);
  if (kind === 'logit') return row[token];
  if (kind === 'difference') return row[token] - row[against];
  const share = softmaxRow(row)[token];
  return kind === 'probability' ? share : -Math.log(share);
}
