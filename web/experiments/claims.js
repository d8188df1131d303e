// What breaks if a step is removed: for each claim an experiment that puts it to the test, and what its
// numbers say. All of them are seeded, and computed by the core when they are asked for.
import { entropy } from './readouts.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../session.js').Trace} Trace */
/** @typedef {Record<string, number>} Measures by the name of their plot */
/** What load() gave, how it computes an example, and the seed of all numbers.
 * @typedef {{
 *   core: any, trace: (example: any, options: { remove: any[] }) => Trace, seed: number,
 * }} Lab */
/**
 * @typedef {{
 *   places: number[], plots: Record<string, 'linear' | 'log'>,
 *   measure: (lab: Lab, place: number, remove: string[]) => Measures,
 *   judge: (intact: Measures[], removed: Measures[], places: number[]) => Verdict,
 * }} Claim
 * places: where it is measured, from left to right.
 * plots: what is measured, and how its axis is divided.
 */
/** says: the name of the sentence that `values` fill in, if neither 'holds' nor 'fails' will do.
 * @typedef {{ holds: boolean, says?: string, values: Record<string, number> }} Verdict */
/** What was measured so far, intact and with the step removed.
 * @typedef {{ name: string, places: number[], all: number, intact: Measures[], removed: Measures[] }} Evidence */

/** Numbers with variance 1. */
const UNIT = Math.sqrt(3);

/** @param {Lab} lab @param {number[]} shape */
const numbers = ({ seed }, ...shape) => ({ shape, uniform: { seed, low: -UNIT, high: UNIT } });

/** A square of weights that keeps the variance.
 * @param {Lab} lab @param {number} rows @param {number} columns */
function weights({ seed }, rows, columns) {
  const high = Math.sqrt(3 / rows);
  return { shape: [rows, columns], uniform: { seed, low: -high, high } };
}

/** @param {Record<string, unknown>} inputs @param {Record<string, unknown>} [attention] */
const example = (inputs, attention = {}) => ({
  name: 'claim',
  title: '',
  source: '',
  about: '',
  attention,
  inputs,
});

/** Words of so many channels, and their projections.
 * @param {Lab} lab @param {number} words @param {number} channels */
const projected = (lab, words, channels) => ({
  x: numbers(lab, words, channels),
  w_q: weights(lab, channels, channels),
  w_k: weights(lab, channels, channels),
  w_v: weights(lab, channels, channels),
});

/** Computes an example, looks at it, and gives its memory back.
 * @template T
 * @param {Lab} lab @param {unknown} given @param {string[]} remove @param {(trace: Trace) => T} look
 * @returns {T} */
function seen(lab, given, remove, look) {
  const trace = lab.trace(given, { remove });
  try {
    return look(trace);
  } finally {
    trace.dispose();
  }
}

/** @param {ArrayLike<number>} values */
const largest = (values) => Math.max(...Array.from(values, Math.abs));

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const distance = (a, b) => largest(Array.from(a, (value, i) => value - b[i]));

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {ArrayLike<number>} values */
const rootMeanSquare = (values) => Math.sqrt(mean(Array.from(values, (value) => value * value)));

/** @param {Float32Array | Int32Array} data @param {number} width
 * @returns {number[][]} */
const rowsOf = (data, width) =>
  Array.from({ length: data.length / width }, (_, i) => [
    ...data.slice(i * width, (i + 1) * width),
  ]);

/** @template T @param {T[]} list @returns {T} */
const last = (list) => list[list.length - 1];

const WORDS = 16;
const CHANNELS = 8;
const POWERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Attention of 16 random queries to 16 random keys; the values are few, whatever d is.
 * @type {Claim} */
const scale = {
  places: POWERS,
  plots: { spread: 'log', entropy: 'linear', gradient: 'linear' },
  measure: (lab, d, remove) => {
    const given = example({
      q: numbers(lab, WORDS, d),
      k: numbers(lab, WORDS, d),
      v: numbers(lab, WORDS, CHANNELS),
    });
    return seen(lab, given, remove, (trace) => {
      const slopes = Array.from({ length: WORDS }, (_, i) => {
        trace.gradient('output', [i, 0]);
        return Math.hypot(.../** @type {Float32Array} */ (trace.step('scores.scaled').grad));
      });
      return {
        spread: rootMeanSquare(trace.step('scores.scaled').data),
        entropy: Number(entropy(trace, 'weights')),
        gradient: mean(slopes),
      };
    });
  },
  judge: (intact, removed, places) => {
    const [before, after] = [last(intact), last(removed)];
    const part = before.gradient / after.gradient;
    return {
      holds: after.entropy < before.entropy / 2 && part > 2,
      values: {
        d: last(places),
        root: Math.sqrt(last(places)),
        spread: after.spread,
        before: before.entropy,
        after: after.entropy,
        part,
      },
    };
  },
};

/** Random words; what comes out, against the largest number that went in.
 * @type {Claim} */
const softmax = {
  places: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64],
  plots: { reach: 'linear', sum: 'linear' },
  measure: (lab, words, remove) => {
    const [q, k, v] = [1, 2, 3].map(() => numbers(lab, words, CHANNELS));
    return seen(lab, example({ q, k, v }), remove, (trace) => {
      const sums = rowsOf(trace.step('weights').data, words).map((row) =>
        row.reduce((a, b) => a + b),
      );
      return {
        sum: rootMeanSquare(sums),
        reach: largest(trace.step('output').data) / largest(trace.step('v').data),
      };
    });
  },
  judge: (intact, removed, places) => ({
    holds: intact.every(({ reach }) => reach < 1 + 1e-6) && last(removed).reach > 1,
    values: {
      n: last(places),
      before: last(intact).reach,
      after: last(removed).reach,
      sum: last(removed).sum,
    },
  }),
};

/** Random words of ever more channels: how many of them attend most to themselves.
 * @type {Claim} */
const projections = {
  places: [1, 2, 4, 8, 16, 32, 64],
  plots: { own: 'linear', one: 'linear' },
  measure: (lab, d, remove) =>
    seen(lab, example(projected(lab, WORDS, d)), remove, (trace) => {
      const rows = rowsOf(trace.step('scores').data, WORDS);
      const own = rows.filter((row, i) => row.indexOf(Math.max(...row)) === i).length;
      const other = rows.map((row, i) =>
        distance(
          row,
          rows.map((another) => another[i]),
        ),
      );
      return { own: own / WORDS, one: largest(other) / largest(trace.step('scores').data) };
    }),
  judge: (intact, removed, places) => ({
    holds: last(removed).own > 0.9 && last(intact).own < 0.5 && last(removed).one < 1e-6,
    values: { d: last(places), before: last(intact).own, after: last(removed).own },
  }),
};

/** Each word asks for a key that is its own: how much of its weight finds it.
 * @type {Claim} */
const scores = {
  places: POWERS.slice(0, 8),
  plots: { found: 'linear' },
  measure: (lab, d, remove) => {
    const q = numbers(lab, WORDS, d);
    const { data, shape } = lab.core.uniform(q.shape, { ...q.uniform, stream: 1 });
    const same = rowsOf(data, shape[1]);
    const given = example({ q: same, k: same, v: numbers(lab, WORDS, CHANNELS) });
    return seen(lab, given, remove, (trace) => {
      const rows = rowsOf(trace.step('weights').data, WORDS);
      return { found: rows.reduce((sum, row, i) => sum + row[i], 0) / WORDS };
    });
  },
  judge: (intact, removed, places) => ({
    holds: last(removed).found < 2 / WORDS && last(intact).found > 0.5,
    values: { d: last(places), before: last(intact).found, after: last(removed).found, n: WORDS },
  }),
};

/** On how many words the first word's output depends, by its gradient.
 * @type {Claim} */
const mix = {
  places: [1, 2, 3, 4, 6, 8, 12, 16],
  plots: { words: 'linear' },
  measure: (lab, words, remove) =>
    seen(lab, example(projected(lab, words, CHANNELS)), remove, (trace) => {
      trace.gradient('output', [0, 0]);
      const rows = rowsOf(/** @type {Float32Array} */ (trace.step('x').grad), CHANNELS);
      return { words: rows.filter((row) => row.some((slope) => slope !== 0)).length };
    }),
  judge: (intact, removed, places) => ({
    holds: removed.every(({ words }) => words === 1) && last(intact).words === last(places),
    values: { before: last(intact).words, after: last(removed).words },
  }),
};

const WIDTH = 24;

/** On how many heads the first channel of the output depends, by its gradient.
 * @type {Claim} */
const w_o = {
  places: [2, 3, 4, 6, 8, 12],
  plots: { heads: 'linear' },
  measure: (lab, heads, remove) => {
    const given = example(
      { ...projected(lab, 4, WIDTH), w_o: weights(lab, WIDTH, WIDTH) },
      { heads },
    );
    return seen(lab, given, remove, (trace) => {
      trace.gradient('output', [0, 0]);
      const slopes = /** @type {Float32Array} */ (trace.step('mix').grad);
      const each = rowsOf(slopes, slopes.length / heads);
      return { heads: each.filter((head) => head.some((slope) => slope !== 0)).length };
    });
  },
  judge: (intact, removed, places) => ({
    holds: removed.every(({ heads }) => heads === 1) && last(intact).heads === last(places),
    values: { before: last(intact).heads, after: last(removed).heads },
  }),
};

/** The words in another order: how far each word's output is from what it was.
 * @type {Claim} */
const positions = {
  places: [2, 3, 4, 6, 8, 12, 16],
  plots: { moved: 'linear' },
  measure: (lab, words, remove) => {
    const order = Array.from({ length: words }, (_, i) => i);
    const turned = [...order.slice(1), 0];
    const outputOf = (/** @type {number[]} */ tokens) => {
      const { x, ...rest } = projected(lab, words, CHANNELS);
      const given = example({ 'embedding.weight': x, tokens, pos: order, ...rest });
      return seen(lab, given, remove, (trace) => rowsOf(trace.step('output').data, CHANNELS));
    };
    const [before, after] = [outputOf(order), outputOf(turned)];
    return { moved: largest(turned.map((word, at) => distance(before[word], after[at]))) };
  },
  judge: (intact, removed, places) => ({
    holds: removed.every(({ moved }) => moved < 1e-5) && intact.every(({ moved }) => moved > 1e-3),
    values: {
      n: last(places),
      before: last(intact).moved,
      after: largest(removed.map(({ moved }) => moved)),
    },
  }),
};

const SENTENCE = 12;

/** The last word is exchanged: how far the output of each word moves.
 * @type {Claim} */
const mask = {
  places: Array.from({ length: SENTENCE }, (_, i) => i + 1),
  plots: { moved: 'linear' },
  measure: (lab, place, remove) => {
    const given = projected(lab, SENTENCE, CHANNELS);
    const { data } = lab.core.uniform(given.x.shape, { ...given.x.uniform, stream: 1 });
    const x = rowsOf(data, CHANNELS);
    const outputOf = (/** @type {number[][]} */ words) =>
      seen(lab, example({ ...given, x: words }, { causal: true }), remove, (trace) =>
        trace.step('output').data.slice((place - 1) * CHANNELS, place * CHANNELS),
      );
    const other = [...x.slice(0, -1), last(x).map((value) => -value)];
    return { moved: distance(outputOf(x), outputOf(other)) };
  },
  judge: (intact, removed) => {
    const early = (/** @type {Measures[]} */ all) =>
      all.slice(0, -1).filter(({ moved }) => moved > 0).length;
    return {
      holds: early(intact) === 0 && early(removed) === SENTENCE - 1,
      values: { n: SENTENCE - 1, before: early(intact), after: early(removed) },
    };
  },
};

const LESSONS = 16;
const RATE = 0.5;

/** Which of 16 words belong to a group, chosen at random: the loss of a linear layer that learns it by
 * so many steps of gradient descent, from the words' embeddings or from their numbers alone.
 * @type {Claim} */
const embedding = {
  places: [0, 5, 10, 20, 30, 40, 60, 80, 100, 150, 200],
  plots: { loss: 'linear' },
  measure: ({ core, seed }, steps, remove) => {
    const tape = core.tape();
    const ids = Array.from({ length: LESSONS }, (_, i) => i);
    const bare = remove.includes('embedding');
    const tokens = tape.ids('tokens', [LESSONS]);
    const labels = tape.ids('labels', [LESSONS]);
    const table = tape.parameter('embedding.weight', [LESSONS, CHANNELS]);
    const w = tape.parameter('w', [CHANNELS, 2]);
    const b = tape.parameter('b', [2]);
    const x = tape.embed(table, tokens, 'x');
    const loss = tape.crossEntropy(tape.linear(x, w, b, 'y'), labels, {}, 'loss');
    tape.plan();
    tokens.set(ids);
    labels.set(Array.from(core.uniform([LESSONS], { seed, high: 2 }).data, Math.floor));
    table.set(
      bare
        ? ids.map((id) => new Array(CHANNELS).fill((2 * id) / LESSONS - 1))
        : core.uniform([LESSONS, CHANNELS], { seed, stream: 1, low: -1 }),
    );
    w.set(core.uniform([CHANNELS, 2], { seed, stream: 2, low: -1 }));
    for (let step = 0; step < steps; step++) {
      tape.forward();
      tape.backward(loss);
      for (const leaf of bare ? [w, b] : [table, w, b]) {
        const { data, grad } = leaf;
        for (let i = 0; i < data.length; i++) data[i] -= RATE * grad[i];
      }
    }
    tape.forward();
    const value = loss.data[0];
    tape.dispose();
    return { loss: value };
  },
  judge: (intact, removed, places) => ({
    holds: last(intact).loss < last(removed).loss / 4,
    values: { steps: last(places), before: last(intact).loss, after: last(removed).loss },
  }),
};

const DEPTHS = [1, 2, 3, 4, 6, 8, 12, 16];
const NARROW = 16;
const DEEP_WORDS = 6;
const MODEL = {
  kind: 'transformer',
  vocab: 0,
  maxLength: DEEP_WORDS,
  heads: 2,
  dropout: 0,
};

/** An encoder of so many layers, fresh from its seed, and a few random words; looked at in its last step.
 * @template T
 * @param {Lab} lab @param {number} layers @param {string[]} remove
 * @param {(trace: Trace, end: Step) => T} look
 * @returns {T} */
function encoded({ core, seed }, layers, remove, look) {
  const model = core.model({
    ...MODEL,
    seed,
    dModel: NARROW,
    dFF: 2 * NARROW,
    layers,
    decoderLayers: 1,
  });
  const { data } = core.uniform([DEEP_WORDS, NARROW], { seed, low: -UNIT, high: UNIT });
  const words = rowsOf(data, NARROW);
  try {
    const trace = model.trace({ source: words, target: [words[0]] }, { remove, gradients: false });
    const end = trace.steps.findLast((/** @type {Step} */ { stack }) => stack === 'encoder');
    const found = look(trace, /** @type {Step} */ (end));
    trace.dispose();
    return found;
  } finally {
    model.dispose();
  }
}

/** How far the words are from their mean in the last layer, as a part of their size; and how much of
 * the gradient of its numbers reaches the words.
 * @type {Claim} */
const residual = {
  places: DEPTHS,
  plots: { apart: 'log', gradient: 'linear' },
  measure: (lab, layers, remove) =>
    encoded(lab, layers, remove, (trace, end) => {
      const rows = rowsOf(end.data, NARROW);
      const middle = rows[0].map((_, j) => mean(rows.map((row) => row[j])));
      const away = rows.flatMap((row) => row.map((value, j) => value - middle[j]));
      const norms = [0, 1].map((word) => {
        trace.gradient(end.name, [word, 0]);
        const { grad } = trace.step('encoder.input');
        return Math.hypot(.../** @type {Float32Array} */ (grad));
      });
      return { apart: rootMeanSquare(away) / rootMeanSquare(end.data), gradient: mean(norms) };
    }),
  judge: (intact, removed, places) => {
    const [before, after] = [last(intact), last(removed)];
    const holds = after.apart < before.apart / 1000;
    const vanishes = after.gradient < before.gradient / 10;
    return {
      holds,
      says: holds ? (vanishes ? 'vanishes' : 'stays') : 'fails',
      values: {
        n: last(places),
        before: before.apart,
        after: after.apart,
        gradientBefore: before.gradient,
        gradientAfter: after.gradient,
      },
    };
  },
};

/** How large the numbers are that leave the last layer.
 * @type {Claim} */
const norm = {
  places: DEPTHS,
  plots: { size: 'log' },
  measure: (lab, layers, remove) =>
    encoded(lab, layers, remove, (_, { data }) => ({ size: rootMeanSquare(data) })),
  judge: (intact, removed, places) => ({
    holds: last(removed).size > 2 * last(intact).size && Math.abs(last(intact).size - 1) < 0.01,
    values: { n: last(places), before: last(intact).size, after: last(removed).size },
  }),
};

/** By the name of what is removed. @type {Record<typeof import('./names.js').CLAIMS[number], Claim> & Record<string, Claim>} */
export const claims = {
  embedding,
  positions,
  projections,
  scores,
  scale,
  mask,
  softmax,
  mix,
  w_o,
  residual,
  norm,
};

/** Measures a claim place by place, each in a few milliseconds: between two of them the page can breathe,
 * or stop.
 * @param {Lab} lab @param {string} name of a claim
 * @returns {Generator<Evidence, Evidence>} what is known so far */
export function* evidence(lab, name) {
  const { places, measure } = claims[name];
  /** @type {Evidence} */
  let found = { name, places: [], all: places.length, intact: [], removed: [] };
  for (const place of places) {
    found = { ...found, intact: [...found.intact, measure(lab, place, [])] };
    yield found;
    const removed = [...found.removed, measure(lab, place, [name])];
    found = { ...found, places: [...found.places, place], removed };
    yield found;
  }
  return found;
}

/** What complete evidence says of the claim.
 * @param {Evidence} evidence
 * @returns {Required<Verdict>} */
export function verdict({ name, intact, removed, places }) {
  const judged = claims[name].judge(intact, removed, places);
  return { says: judged.holds ? 'holds' : 'fails', ...judged };
}
