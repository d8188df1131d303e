// What the experiments of the claims measure, computed again in float64 as the formulas say it. Only the random
// numbers are the core's.
import * as naive from '../bindings/naive.js';

const UNIT = Math.sqrt(3);
const { matmul, transpose } = naive;

/** The stream of a leaf, as traces have it. */
function stream(name) {
  let hash = 0x811c9dc5;
  for (const c of name) hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

const rowsOf = (data, width) =>
  Array.from({ length: data.length / width }, (_, i) => [
    ...data.slice(i * width, (i + 1) * width),
  ]);
const sum = (values) => values.reduce((a, b) => a + b, 0);
const mean = (values) => sum(values) / values.length;
const rms = (values) => Math.sqrt(mean(values.map((x) => x * x)));
const largest = (values) => Math.max(...values.map(Math.abs));
const minus = (a, b) => a.map((x, i) => x - b[i]);
const plus = (a, b) => a.map((row, i) => row.map((x, j) => x + b[i][j]));
const range = (n) => Array.from({ length: n }, (_, i) => i);

/** The random numbers of a seed. */
const drawn = (core, seed) => ({
  unit: (name, rows, columns) => {
    const options = { seed, stream: stream(name), low: -UNIT, high: UNIT };
    return rowsOf(core.uniform([rows, columns], options).data, columns);
  },
  weight: (name, rows, columns) => {
    const high = Math.sqrt(3 / rows);
    const { data } = core.uniform([rows, columns], {
      seed,
      stream: stream(name),
      low: -high,
      high,
    });
    return rowsOf(data, columns);
  },
});

/** Attention step by step; `factor` of the scores, `keep` tells what is seen, `share` makes weights of a row. */
function attend(
  q,
  k,
  v,
  { factor = 1 / Math.sqrt(q[0].length), keep, share = naive.softmaxRow } = {},
) {
  const scores = matmul(q, transpose(k));
  const scaled = scores.map((row, i) =>
    row.map((s, j) => (!keep || keep(i, j) ? s * factor : Number.NEGATIVE_INFINITY)),
  );
  const weights = scaled.map(share);
  return { scores, scaled, weights, output: matmul(weights, v) };
}

/** Queries, keys and values of tokens. */
function project({ weight }, x) {
  const width = x[0].length;
  return ['w_q', 'w_k', 'w_v'].map((name) => matmul(x, weight(name, width, width)));
}

const entropyOf = (row) => -sum(row.map((a) => (a > 0 ? a * Math.log(a) : 0)));

/** sin and cos of p / 10000^(2i/d), in pairs. */
const sinusoids = (places, d) =>
  places.map((p) =>
    range(d).map((c) => {
      const angle = p / 10000 ** ((c - (c % 2)) / d);
      return c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    }),
  );

/** One encoder layer after the other, normalised behind each sum, with the parameters of a model. */
function encode(x, { layers, of, remove }) {
  const linear = (rows, name) => {
    const [w, b] = [of(`${name}.weight`), of(`${name}.bias`)[0]];
    return matmul(rows, w).map((row) => row.map((y, j) => y + b[j]));
  };
  const norm = (rows, name) => {
    if (remove.includes('norm')) return rows;
    const [gain, bias] = [of(`${name}.weight`)[0], of(`${name}.bias`)[0]];
    return rows.map((row) => {
      const middle = mean(row);
      const deviation = Math.sqrt(mean(row.map((y) => (y - middle) ** 2)) + 1e-5);
      return row.map((y, j) => ((y - middle) / deviation) * gain[j] + bias[j]);
    });
  };
  const added = (before, made) => (remove.includes('residual') ? made : plus(before, made));
  let rows = x;
  for (const layer of range(layers)) {
    const at = `encoder.layers.${layer}`;
    const [q, k, v] = ['q', 'k', 'v'].map((name) => linear(rows, `${at}.self_attn.${name}_proj`));
    const heads = [0, 1].map((h) => {
      const [own, keys, values] = [q, k, v].map((all) => naive.headOf(all, 2, h));
      return attend(own, keys, values).output;
    });
    const joined = rows.map((_, i) => [...heads[0][i], ...heads[1][i]]);
    rows = norm(added(rows, linear(joined, `${at}.self_attn.out_proj`)), `${at}.norm1`);
    const wide = linear(rows, `${at}.linear1`).map((row) => row.map((y) => Math.max(0, y)));
    rows = norm(added(rows, linear(wide, `${at}.linear2`)), `${at}.norm2`);
  }
  return rows;
}

/** A fresh encoder of 16 channels, and the six random tokens that it reads. */
function encoder(core, seed, layers, remove) {
  const sizes = { heads: 2, dModel: 16, dFF: 32, layers, decoderLayers: 1, maxLength: 6, vocab: 0 };
  const model = core.model({ kind: 'transformer', dropout: 0, seed, ...sizes });
  const kept = Object.fromEntries(
    [...model.parameters].map(([name, { data, shape }]) => [name, rowsOf(data, shape.at(-1))]),
  );
  model.dispose();
  const words = rowsOf(core.uniform([6, 16], { seed, low: -UNIT, high: UNIT }).data, 16);
  const input = plus(words, sinusoids(range(6), 16));
  const run = (x) => encode(x, { layers, of: (name) => kept[name], remove });
  return { input, run };
}

/** The loss of a linear layer after so many steps on words: vectors that are trained along or not, or numbers alone. */
function taught(core, seed, steps, gone, trained) {
  const labels = [...core.uniform([16], { seed, high: 2 }).data].map(Math.floor);
  const own = (shape, of) =>
    rowsOf(core.uniform(shape, { seed, stream: of, low: -1 }).data, shape[1]);
  const table = gone ? range(16).map((id) => Array(8).fill((2 * id) / 16 - 1)) : own([16, 8], 1);
  const w = own([8, 2], 2);
  const b = [0, 0];
  const forward = () =>
    matmul(table, w).map((row) => naive.softmaxRow(row.map((y, j) => y + b[j])));
  for (const _ of range(steps)) {
    /* d loss / d y = (p - 1 of the label) / n */
    const slopes = forward().map((row, i) => row.map((p, j) => (p - Number(j === labels[i])) / 16));
    const ofTable = matmul(slopes, transpose(w));
    const ofW = matmul(transpose(table), slopes);
    for (const [r, row] of w.entries()) for (const j of [0, 1]) row[j] -= 0.5 * ofW[r][j];
    for (const j of [0, 1]) b[j] -= 0.5 * sum(slopes.map((row) => row[j]));
    if (gone || !trained) continue;
    for (const [i, row] of table.entries()) for (const c of range(8)) row[c] -= 0.5 * ofTable[i][c];
  }
  return -mean(forward().map((row, i) => Math.log(row[labels[i]])));
}

/** By the claim: what a seed gives at a place. */
export const measures = {
  scale(core, seed, d, gone) {
    const { unit } = drawn(core, seed);
    const [q, k, v] = [unit('q', 16, d), unit('k', 16, d), unit('v', 16, 8)];
    const { scaled, weights } = attend(q, k, v, gone ? { factor: 1 } : {});
    /* d output_0 / d s_j = a_j (v_j - output) */
    const slopes = weights.map((row) => {
      const output = sum(row.map((a, j) => a * v[j][0]));
      return Math.hypot(...row.map((a, j) => a * (v[j][0] - output)));
    });
    return {
      spread: rms(scaled.flat()),
      entropy: mean(weights.map(entropyOf)),
      gradient: mean(slopes),
    };
  },
  softmax(core, seed, n, gone) {
    const { unit } = drawn(core, seed);
    const [q, k, v] = ['q', 'k', 'v'].map((name) => unit(name, n, 8));
    const { weights, output } = attend(q, k, v, gone ? { share: (row) => row } : {});
    const all = weights.flat();
    return {
      negative: all.filter((a) => a < 0).length / all.length,
      off: rms(weights.map((row) => sum(row) - 1)),
      reach: largest(output.flat()) / largest(v.flat()),
    };
  },
  projections(core, seed, d, gone) {
    const draw = drawn(core, seed);
    const x = draw.unit('x', 16, d);
    const [q, k, v] = gone ? [x, x, x] : project(draw, x);
    const { scores } = attend(q, k, v);
    const own = scores.filter((row, i) => row.indexOf(Math.max(...row)) === i).length;
    const gaps = scores.flatMap((row, i) => row.map((s, j) => s - scores[j][i]));
    return { own: own / 16, one: largest(gaps) / largest(scores.flat()) };
  },
  scores(core, seed, d, gone) {
    const options = { seed, stream: 1, low: -UNIT, high: UNIT };
    const q = rowsOf(core.uniform([16, d], options).data, d);
    const { weights } = attend(q, q, q, gone ? { factor: 0 } : {});
    return { found: mean(weights.map((row, i) => row[i])) };
  },
  mix(core, seed, n, gone) {
    const draw = drawn(core, seed);
    const x = draw.unit('x', n, 8);
    const outputOf = (words) => {
      const [q, k, v] = project(draw, words);
      return (gone ? v : attend(q, k, v).output)[0];
    };
    const before = outputOf(x);
    const felt = range(n).filter((j) => {
      const other = x.map((row, i) => row.map((value) => (i === j ? value + 0.01 : value)));
      return largest(minus(outputOf(other), before)) > 0;
    });
    return { words: felt.length };
  },
  w_o(core, seed, heads, gone) {
    const w = drawn(core, seed).weight('w_o', 24, 24);
    const each = range(heads).map((h) => w.slice((h * 24) / heads, ((h + 1) * 24) / heads));
    return { heads: gone ? 1 : each.filter((rows) => rows.some((row) => row[0] !== 0)).length };
  },
  positions(core, seed, n, gone) {
    const draw = drawn(core, seed);
    const table = draw.unit('embedding.weight', n, 8);
    const turned = [...range(n).slice(1), 0];
    const outputOf = (ids) => {
      const words = ids.map((id) => table[id]);
      const x = gone ? words : plus(words, sinusoids(range(n), 8));
      return attend(...project(draw, x)).output;
    };
    const [before, after] = [outputOf(range(n)), outputOf(turned)];
    return { moved: largest(turned.flatMap((word, at) => minus(before[word], after[at]))) };
  },
  mask(core, seed, n, gone) {
    const draw = drawn(core, seed);
    const { data } = core.uniform([n, 8], { seed, low: -UNIT, high: UNIT });
    const x = rowsOf(data, 8);
    const other = [...x.slice(0, -1), x.at(-1).map((value) => -value)];
    const keep = gone ? undefined : (i, j) => j <= i;
    const [before, after] = [x, other].map(
      (words) => attend(...project(draw, words), { keep }).output,
    );
    const moves = before.slice(0, -1).map((row, i) => largest(minus(row, after[i])));
    return { noticed: moves.filter((move) => move > 0).length / (n - 1), moved: mean(moves) };
  },
  embedding(core, seed, steps, gone) {
    const [fixed, loss] = [false, true].map((trained) => taught(core, seed, steps, gone, trained));
    return { fixed, loss };
  },
  residual(core, seed, layers, gone) {
    const { input, run } = encoder(core, seed, layers, gone ? ['residual'] : []);
    const rows = run(input);
    const middle = transpose(rows).map(mean);
    const apart = rms(rows.flatMap((row) => minus(row, middle))) / rms(rows.flat());
    /* Central differences of how far the first two tokens are apart in their first channel. */
    const step = 1e-5;
    const slopes = input.flatMap((row, i) =>
      row.map((_, c) => {
        const [up, down] = [step, -step].map((by) => {
          const [one, other] = run(
            input.map((same, k) => same.map((x, at) => (k === i && at === c ? x + by : x))),
          );
          return one[0] - other[0];
        });
        return (up - down) / (2 * step);
      }),
    );
    return {
      apart: Math.max(2 ** -24, apart),
      gradient: Math.max(2 ** -24, Math.hypot(...slopes)),
    };
  },
  norm(core, seed, layers, gone) {
    const { input, run } = encoder(core, seed, layers, gone ? ['norm'] : []);
    return { size: rms(run(input).flat()) };
  },
};
