// The claims about what stands around an attention: the embedding, and the parts of a deep stack.
import { mean, rootMeanSquare, rowsOf, UNIT } from './measuring.js';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {import('./measuring.js').Claim} Claim */
/** @typedef {import('./measuring.js').Lab} Lab */

/** Words, half of which belong to the group; channels of each. */
const [WORDS, CHANNELS] = [16, 8];
const RATE = 0.5;

/** The loss of a linear layer that learns which of 16 words belong to a group, chosen at random, by so many steps of
 * gradient descent.
 * @param {Lab} lab @param {number} steps @param {'trained' | 'fixed' | 'number'} words vectors of random numbers, trained
 *   along or not; or each word's number in the list, in all channels */
function learned({ core, seed }, steps, words) {
  const tape = core.tape();
  const ids = Array.from({ length: WORDS }, (_, i) => i);
  const tokens = tape.ids('tokens', [WORDS]);
  const labels = tape.ids('labels', [WORDS]);
  const table = tape.parameter('embedding.weight', [WORDS, CHANNELS]);
  const w = tape.parameter('w', [CHANNELS, 2]);
  const b = tape.parameter('b', [2]);
  const x = tape.embed(table, tokens, 'x');
  const loss = tape.crossEntropy(tape.linear(x, w, b, 'y'), labels, {}, 'loss');
  tape.plan();
  tokens.set(ids);
  labels.set(Array.from(core.uniform([WORDS], { seed, high: 2 }).data, Math.floor));
  table.set(
    words === 'number'
      ? ids.map((id) => new Array(CHANNELS).fill((2 * id) / WORDS - 1))
      : core.uniform([WORDS, CHANNELS], { seed, stream: 1, low: -1 }),
  );
  w.set(core.uniform([CHANNELS, 2], { seed, stream: 2, low: -1 }));
  for (let step = 0; step < steps; step++) {
    tape.forward();
    tape.backward(loss);
    for (const leaf of words === 'trained' ? [table, w, b] : [w, b]) {
      const { data, grad } = leaf;
      for (let i = 0; i < data.length; i++) data[i] -= RATE * grad[i];
    }
  }
  tape.forward();
  const [value] = loss.data;
  tape.dispose();
  return value;
}

/** What is learned of words from their embeddings, trained along or not, and from their numbers alone. Against vectors
 * that are fixed the number has as many weights to train.
 * @type {Claim} */
export const embedding = {
  places: [0, 5, 10, 20, 30, 40, 60, 80, 100, 150, 200],
  plots: {
    fixed: { axis: 'linear', shows: (intact, removed) => intact < removed },
    loss: { axis: 'linear', shows: (intact, removed) => intact < removed / 4 },
  },
  measure: (lab, steps, remove) => {
    if (!remove.includes('embedding'))
      return { fixed: learned(lab, steps, 'fixed'), loss: learned(lab, steps, 'trained') };
    const loss = learned(lab, steps, 'number');
    return { fixed: loss, loss };
  },
};

/** @param {number} intact @param {number} removed */
const isTenth = (intact, removed) => removed < intact / 10;

const DEPTHS = [1, 2, 3, 4, 6, 8, 12, 16];
const NARROW = 16;
/** Half a unit in the last place of 1. */
const EPSILON = 2 ** -24;
const DEEP_WORDS = 6;

/** An encoder of so many layers, fresh from its seed, and a few random words; read in its last step.
 * @template T
 * @param {Lab} lab @param {number} layers @param {string[]} remove
 * @param {(trace: Trace, end: Step) => T} read
 * @returns {T} */
function encoded({ core, traceModel, seed }, layers, remove, read) {
  const model = core.model({
    ...{ kind: 'transformer', vocab: 0, maxLength: DEEP_WORDS, heads: 2, dropout: 0 },
    ...{ seed, dModel: NARROW, dFF: 2 * NARROW, layers, decoderLayers: 1 },
  });
  const { data } = core.uniform([DEEP_WORDS, NARROW], { seed, low: -UNIT, high: UNIT });
  const words = rowsOf(data, NARROW);
  try {
    const inputs = { source: words, target: [words[0]] };
    const trace = traceModel(model, inputs, { remove, gradients: false });
    const end = trace.steps.findLast((/** @type {Step} */ { stack }) => stack === 'encoder');
    const measures = read(trace, /** @type {Step} */ (end));
    trace.dispose();
    return measures;
  } finally {
    model.dispose();
  }
}

/** How far the words are from their mean in the last layer, as a part of their size; and how much of the gradient of what
 * tells two of them apart there, the difference of their numbers, reaches the words that went in.
 * @type {Claim} */
export const residual = {
  places: DEPTHS,
  plots: {
    apart: { axis: 'log', shows: isTenth },
    gradient: { axis: 'log', shows: isTenth },
  },
  measure: (lab, layers, remove) =>
    encoded(lab, layers, remove, (trace, end) => {
      const rows = rowsOf(end.data, NARROW);
      const middle = rows[0].map((_, j) => mean(rows.map((row) => row[j])));
      const away = rows.flatMap((row) => row.map((value, j) => value - middle[j]));
      const [one, other] = [0, 1].map((word) => {
        trace.gradient(end.name, [word, 0]);
        return Float32Array.from(trace.step('encoder.input').grad ?? []);
      });
      /* Smaller differences are rounding. */
      const apart = Math.max(EPSILON, rootMeanSquare(away) / rootMeanSquare(end.data));
      const gradient = Math.hypot(...one.map((derivative, i) => derivative - other[i]));
      return { apart, gradient: Math.max(EPSILON, gradient) };
    }),
};

/** How large the numbers are that leave the last layer.
 * @type {Claim} */
export const norm = {
  places: DEPTHS,
  plots: {
    size: {
      axis: 'log',
      shows: (intact, removed) => Math.abs(intact - 1) < 0.01 && removed > 2 * intact,
    },
  },
  measure: (lab, layers, remove) =>
    encoded(lab, layers, remove, (_, { data }) => ({ size: rootMeanSquare(data) })),
};
