// GPT-2 in float64, from a folder of Hugging Face's: written from the model's formulas alone, with a reader
// of its own, no code shared with the core. The tests hold attention and losses against it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {number[][]} Matrix */

/** Tensors of float32 as nested arrays. @param {string} file */
function tensors(file) {
  const bytes = readFileSync(file);
  const begin = 8 + Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.toString('utf8', 8, begin));
  delete header.__metadata__;
  return Object.fromEntries(
    Object.entries(header).map(
      ([
        name,
        {
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        const flat = Array.from({ length: (to - from) / 4 }, (_, i) =>
          bytes.readFloatLE(begin + from + 4 * i),
        );
        if (shape.length === 1) return [name, flat];
        const [rows, columns] = shape;
        const row = (/** @type {number} */ i) => flat.slice(i * columns, (i + 1) * columns);
        return [name, Array.from({ length: rows }, (_, i) => row(i))];
      },
    ),
  );
}

const sum = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b, 0);
const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
  sum(a.map((x, i) => x * b[i]));
const column = (/** @type {Matrix} */ a, /** @type {number} */ j) => a.map((row) => row[j]);
const plus = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.map((x, i) => x + b[i]);

/** x w + b, as Conv1D has it. @param {Matrix} x @param {Matrix} w @param {number[]} b */
const linear = (x, w, b) => x.map((row) => b.map((bias, j) => dot(row, column(w, j)) + bias));

/** @param {number[]} row */
function softmax(row) {
  const max = Math.max(...row);
  const all = row.map((x) => Math.exp(x - max));
  return all.map((x) => x / sum(all));
}

/** @param {Matrix} x @param {number[]} gain @param {number[]} bias @param {number} epsilon */
const norm = (x, gain, bias, epsilon) =>
  x.map((row) => {
    const mean = sum(row) / row.length;
    const variance = sum(row.map((a) => (a - mean) ** 2)) / row.length;
    return row.map((a, i) => ((a - mean) / Math.sqrt(variance + epsilon)) * gain[i] + bias[i]);
  });

const gelu = (/** @type {number} */ x) =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/** Causal attention: the weights of every head, and what they make of the values.
 * @param {Matrix} qkv [T, 3 E] @param {number} heads */
function attend(qkv, heads) {
  const width = qkv[0].length / 3;
  const size = width / heads;
  const part = (/** @type {number} */ which, /** @type {number} */ head) =>
    qkv.map((row) => row.slice(which * width + head * size, which * width + (head + 1) * size));
  const weights = Array.from({ length: heads }, (_, head) => {
    const [q, k] = [part(0, head), part(1, head)];
    return q.map((query, i) => {
      const seen = softmax(k.slice(0, i + 1).map((key) => dot(query, key) / Math.sqrt(size)));
      return [...seen, ...k.slice(i + 1).map(() => 0)];
    });
  });
  const mixed = qkv.map((_, i) =>
    weights.flatMap((rows, head) => {
      const v = part(2, head);
      return v[0].map((_, j) => dot(rows[i], column(v, j)));
    }),
  );
  return { weights, mixed };
}

/** @param {string} folder with config.json and model.safetensors, float32
 * @returns {(ids: number[]) => { weights: Matrix[][], logits: Matrix }} weights by layer and head */
export function gpt64(folder) {
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  const all = tensors(join(folder, 'model.safetensors'));
  const of = (/** @type {string} */ name) => all[`transformer.${name}`] ?? all[name];
  const both = (/** @type {string} */ name) => [of(`${name}.weight`), of(`${name}.bias`)];
  const epsilon = config.layer_norm_epsilon;
  return (ids) => {
    const table = of('wte.weight');
    let x = ids.map((id, i) => plus(table[id], of('wpe.weight')[i]));
    /** @type {Matrix[][]} */
    const layers = [];
    for (let i = 0; i < config.n_layer; i++) {
      const [g1, b1] = both(`h.${i}.ln_1`);
      const [g2, b2] = both(`h.${i}.ln_2`);
      const [qkvW, qkvB] = both(`h.${i}.attn.c_attn`);
      const { weights, mixed } = attend(
        linear(norm(x, g1, b1, epsilon), qkvW, qkvB),
        config.n_head,
      );
      const [outW, outB] = both(`h.${i}.attn.c_proj`);
      x = linear(mixed, outW, outB).map((row, t) => plus(row, x[t]));
      const [upW, upB] = both(`h.${i}.mlp.c_fc`);
      const [downW, downB] = both(`h.${i}.mlp.c_proj`);
      const hidden = linear(norm(x, g2, b2, epsilon), upW, upB).map((row) => row.map(gelu));
      x = linear(hidden, downW, downB).map((row, t) => plus(row, x[t]));
      layers.push(weights);
    }
    const [gain, bias] = both('ln_f');
    const logits = norm(x, gain, bias, epsilon).map((row) => table.map((token) => dot(row, token)));
    return { weights: layers, logits };
  };
}
