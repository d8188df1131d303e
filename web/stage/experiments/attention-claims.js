// The claims about one attention: what breaks if one of its steps is removed.
import {
  distance,
  largest,
  mean,
  numbers,
  projected,
  ROUNDING,
  rootMeanSquare,
  rowsOf,
  traced,
  weights,
} from './measuring.js';
import { entropy } from './readouts.js';

/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {import('./measuring.js').Claim} Claim */

/** @param {number} intact @param {number} removed */
const isHalved = (intact, removed) => removed < intact / 2;

const WORDS = 16;
const CHANNELS = 8;
const POWERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const outputsOf = (/** @type {Trace} */ trace) => rowsOf(trace.step('output').data, CHANNELS);

/** Attention of 16 random queries to 16 random keys; the values are few, whatever d is.
 * @type {Claim} */
export const scale = {
  places: POWERS,
  plots: {
    spread: { axis: 'log', shows: (intact, removed) => removed > 2 * intact },
    entropy: { axis: 'linear', shows: isHalved },
    gradient: { axis: 'linear', shows: isHalved },
  },
  /* Divided by d; by 1 nothing would be scaled. */
  instead: (d) => (d > 1 ? { scale: 1 / d } : {}),
  measure: (lab, d, remove, attention) => {
    const [q, k, v] = [d, d, CHANNELS].map((channels) => numbers(lab, WORDS, channels));
    /** @param {Trace} trace */
    const read = (trace) => {
      const norms = Array.from({ length: WORDS }, (_, i) => {
        trace.gradient('output', [i, 0]);
        return Math.hypot(.../** @type {Float32Array} */ (trace.step('scores.scaled').grad));
      });
      return {
        spread: rootMeanSquare(trace.step('scores.scaled').data),
        entropy: Number(entropy(trace, 'weights')),
        gradient: mean(norms),
      };
    };
    return traced(lab, remove, { q, k, v }, read, attention);
  },
};

/** Random words: the signs of the weights, the sums of their rows, and what comes out, against the largest number
 * that went in.
 * @type {Claim} */
export const softmax = {
  places: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64],
  plots: {
    negative: { axis: 'linear', shows: (intact, removed) => intact === 0 && removed > 0 },
    off: { axis: 'linear', shows: (intact, removed) => intact < ROUNDING && removed > 0.1 },
    reach: { axis: 'linear', shows: (intact, removed) => intact < 1 + ROUNDING && removed > 1 },
  },
  measure: (lab, words, remove) => {
    const [q, k, v] = [1, 2, 3].map(() => numbers(lab, words, CHANNELS));
    return traced(lab, remove, { q, k, v }, (trace) => {
      const { data } = trace.step('weights');
      const sums = rowsOf(data, words).map((row) => row.reduce((a, b) => a + b));
      return {
        negative: data.filter((weight) => weight < 0).length / data.length,
        off: rootMeanSquare(sums.map((sum) => sum - 1)),
        reach: largest(trace.step('output').data) / largest(trace.step('v').data),
      };
    });
  },
};

/** Random words of ever more channels: how many of them attend most to themselves.
 * @type {Claim} */
export const projections = {
  places: [1, 2, 4, 8, 16, 32, 64],
  plots: {
    own: { axis: 'linear', shows: (intact, removed) => removed > 0.9 && intact < 0.5 },
    one: { axis: 'linear', shows: (intact, removed) => removed === 0 && intact > 0.01 },
  },
  measure: (lab, d, remove) =>
    traced(lab, remove, projected(lab, WORDS, d), (trace) => {
      const rows = rowsOf(trace.step('scores').data, WORDS);
      const toThemselves = rows.filter((row, i) => row.indexOf(Math.max(...row)) === i).length;
      const asymmetry = rows.map((row, i) =>
        distance(
          row,
          rows.map((another) => another[i]),
        ),
      );
      return {
        own: toThemselves / WORDS,
        one: largest(asymmetry) / largest(rows.flat()),
      };
    }),
};

/** Each word's query equals its own key: how much of its attention weight that key gets.
 * @type {Claim} */
export const scores = {
  places: POWERS.slice(0, 8),
  plots: {
    found: {
      axis: 'linear',
      shows: (intact, removed) => Math.abs(removed - 1 / WORDS) < ROUNDING && intact > 2 / WORDS,
    },
  },
  measure: (lab, d, remove) => {
    const q = numbers(lab, WORDS, d);
    const { data, shape } = lab.core.uniform(q.shape, { ...q.uniform, stream: 1 });
    const same = rowsOf(data, shape[1]);
    const inputs = { q: same, k: same, v: numbers(lab, WORDS, CHANNELS) };
    return traced(lab, remove, inputs, (trace) => {
      const rows = rowsOf(trace.step('weights').data, WORDS);
      return { found: rows.reduce((sum, row, i) => sum + row[i], 0) / WORDS };
    });
  },
};

/** On how many words the first word's output depends, by its gradient.
 * @type {Claim} */
export const mix = {
  places: [1, 2, 3, 4, 6, 8, 12, 16],
  plots: {
    words: {
      axis: 'linear',
      shows: (intact, removed, words) => removed === 1 && words > 1 && intact === words,
    },
  },
  measure: (lab, words, remove) =>
    traced(lab, remove, projected(lab, words, CHANNELS), (trace) => {
      trace.gradient('output', [0, 0]);
      const rows = rowsOf(/** @type {Float32Array} */ (trace.step('x').grad), CHANNELS);
      return { words: rows.filter((row) => row.some((derivative) => derivative !== 0)).length };
    }),
};

const WIDTH = 24;

/** On how many heads the first channel of the output depends, by its gradient.
 * @type {Claim} */
export const w_o = {
  places: [2, 3, 4, 6, 8, 12],
  plots: {
    heads: {
      axis: 'linear',
      shows: (intact, removed, heads) => removed === 1 && intact === heads,
    },
  },
  measure: (lab, heads, remove) => {
    const inputs = { ...projected(lab, 4, WIDTH), w_o: weights(lab, WIDTH, WIDTH) };
    const count = (/** @type {Trace} */ trace) => {
      trace.gradient('output', [0, 0]);
      const grad = /** @type {Float32Array} */ (trace.step('mix').grad);
      const ofHeads = rowsOf(grad, grad.length / heads);
      return { heads: ofHeads.filter((row) => row.some((derivative) => derivative !== 0)).length };
    };
    return traced(lab, remove, inputs, count, { heads });
  },
};

/** The words in another order: how far each word's output is from what it was.
 * @type {Claim} */
export const positions = {
  places: [2, 3, 4, 6, 8, 12, 16],
  plots: {
    moved: { axis: 'linear', shows: (intact, removed) => removed < ROUNDING && intact > 0.01 },
  },
  measure: (lab, words, remove) => {
    const order = Array.from({ length: words }, (_, i) => i);
    const turned = [...order.slice(1), 0];
    const outputOf = (/** @type {number[]} */ tokens) => {
      const { x, ...rest } = projected(lab, words, CHANNELS);
      const inputs = { 'embedding.weight': x, tokens, pos: order, ...rest };
      return traced(lab, remove, inputs, outputsOf);
    };
    const [before, after] = [outputOf(order), outputOf(turned)];
    return { moved: largest(turned.map((word, to) => distance(before[word], after[to]))) };
  },
};

/** The last word is exchanged: how many of those before it notice, and how far their outputs move.
 * @type {Claim} */
export const mask = {
  places: [2, 3, 4, 6, 8, 12, 16],
  plots: {
    noticed: { axis: 'linear', shows: (intact, removed) => intact === 0 && removed === 1 },
    moved: { axis: 'linear', shows: (intact, removed) => intact === 0 && removed > 0.01 },
  },
  measure: (lab, words, remove) => {
    const inputs = projected(lab, words, CHANNELS);
    const { data } = lab.core.uniform(inputs.x.shape, inputs.x.uniform);
    const x = rowsOf(data, CHANNELS);
    const outputOf = (/** @type {number[][]} */ tokens) =>
      traced(lab, remove, { ...inputs, x: tokens }, outputsOf, { causal: true });
    const after = outputOf(
      x.with(
        -1,
        x[words - 1].map((value) => -value),
      ),
    );
    const moves = outputOf(x)
      .slice(0, -1)
      .map((row, i) => distance(row, after[i]));
    return { noticed: moves.filter((move) => move > 0).length / moves.length, moved: mean(moves) };
  },
};
