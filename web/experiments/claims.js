// What breaks if a step is removed: for each claim an experiment that puts it to the test, and what its
// numbers say. All of them are seeded, and computed by the core when they are asked for.
import { entropy } from './readouts.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../session.js').Trace} Trace */
/** @typedef {Record<string, number>} Measures by the name of their plot */
/** What load() gave, how it computes an example and a model, and the first seed.
 * @typedef {{
 *   core: any, trace: (example: any, options: { remove: any[] }) => Trace,
 *   traceModel: typeof import('../session.js').traceModel, seed: number,
 * }} Lab */
/**
 * What is measured, and what of it the claim says.
 * @typedef {{
 *   axis: 'linear' | 'log', shows: (intact: number, removed: number, place: number) => boolean,
 * }} Quantity
 * axis: how it is divided in a plot.
 * shows: whether what one seed gave at a place is as the claim says.
 */
/**
 * @typedef {{
 *   places: number[], plots: Record<string, Quantity>,
 *   measure: (lab: Lab, place: number, remove: string[]) => Measures,
 * }} Claim
 * places: where it is measured, from left to right.
 */
/** What was measured so far, intact and with the step removed: a list for each place, in which each seed has its
 * measures.
 * @typedef {{
 *   name: string, seeds: number[], places: number[], all: number, done: number,
 *   intact: Measures[][], removed: Measures[][],
 * }} Evidence
 * places: which are complete; all: how many measurements there will be, of which some are done.
 */
/** What the seeds say of one quantity.
 * @typedef {{ says: 'everywhere' | 'from' | 'some' | 'nowhere', counts: number[], from: number }} Shown
 * counts: for each place, how many seeds show what the claim says; from: the place from which on all do, an index.
 */
/** @typedef {{ says: 'holds' | 'partly' | 'fails', shown: Record<string, Shown> }} Verdict */

/** So many seeds, one after the other: what one of them gives may be chance. */
const SEEDS = 8;

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

/** Float32 has rounding of this size in numbers of size 1. */
const ROUNDING = 1e-5;

/** @param {number} intact @param {number} removed */
const halved = (intact, removed) => removed < intact / 2;

/** @param {number} intact @param {number} removed */
const tenth = (intact, removed) => removed < intact / 10;

const WORDS = 16;
const CHANNELS = 8;
const POWERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Attention of 16 random queries to 16 random keys; the values are few, whatever d is.
 * @type {Claim} */
const scale = {
  places: POWERS,
  plots: {
    spread: { axis: 'log', shows: (intact, removed) => removed > 2 * intact },
    entropy: { axis: 'linear', shows: halved },
    gradient: { axis: 'linear', shows: halved },
  },
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
};

/** Random words: the signs of the weights, the sums of their rows, and what comes out, against the largest number
 * that went in.
 * @type {Claim} */
const softmax = {
  places: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64],
  plots: {
    negative: { axis: 'linear', shows: (intact, removed) => intact === 0 && removed > 0 },
    off: { axis: 'linear', shows: (intact, removed) => intact < ROUNDING && removed > 0.1 },
    reach: { axis: 'linear', shows: (intact, removed) => intact < 1 + ROUNDING && removed > 1 },
  },
  measure: (lab, words, remove) => {
    const [q, k, v] = [1, 2, 3].map(() => numbers(lab, words, CHANNELS));
    return seen(lab, example({ q, k, v }), remove, (trace) => {
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
const projections = {
  places: [1, 2, 4, 8, 16, 32, 64],
  plots: {
    own: { axis: 'linear', shows: (intact, removed) => removed > 0.9 && intact < 0.5 },
    one: { axis: 'linear', shows: (intact, removed) => removed === 0 && intact > 0.01 },
  },
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
};

/** Each word asks for a key that is its own: how much of its weight finds it.
 * @type {Claim} */
const scores = {
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
    const given = example({ q: same, k: same, v: numbers(lab, WORDS, CHANNELS) });
    return seen(lab, given, remove, (trace) => {
      const rows = rowsOf(trace.step('weights').data, WORDS);
      return { found: rows.reduce((sum, row, i) => sum + row[i], 0) / WORDS };
    });
  },
};

/** On how many words the first word's output depends, by its gradient.
 * @type {Claim} */
const mix = {
  places: [1, 2, 3, 4, 6, 8, 12, 16],
  plots: {
    words: {
      axis: 'linear',
      shows: (intact, removed, words) => removed === 1 && words > 1 && intact === words,
    },
  },
  measure: (lab, words, remove) =>
    seen(lab, example(projected(lab, words, CHANNELS)), remove, (trace) => {
      trace.gradient('output', [0, 0]);
      const rows = rowsOf(/** @type {Float32Array} */ (trace.step('x').grad), CHANNELS);
      return { words: rows.filter((row) => row.some((slope) => slope !== 0)).length };
    }),
};

const WIDTH = 24;

/** On how many heads the first channel of the output depends, by its gradient.
 * @type {Claim} */
const w_o = {
  places: [2, 3, 4, 6, 8, 12],
  plots: {
    heads: {
      axis: 'linear',
      shows: (intact, removed, heads) => removed === 1 && intact === heads,
    },
  },
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
};

/** The words in another order: how far each word's output is from what it was.
 * @type {Claim} */
const positions = {
  places: [2, 3, 4, 6, 8, 12, 16],
  plots: {
    moved: { axis: 'linear', shows: (intact, removed) => removed < ROUNDING && intact > 0.01 },
  },
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
};

/** The last word is exchanged: how many of those before it notice, and how far their outputs move.
 * @type {Claim} */
const mask = {
  places: [2, 3, 4, 6, 8, 12, 16],
  plots: {
    noticed: { axis: 'linear', shows: (intact, removed) => intact === 0 && removed === 1 },
    moved: { axis: 'linear', shows: (intact, removed) => intact === 0 && removed > 0.01 },
  },
  measure: (lab, words, remove) => {
    const given = projected(lab, words, CHANNELS);
    const { data } = lab.core.uniform(given.x.shape, given.x.uniform);
    const x = rowsOf(data, CHANNELS);
    const outputOf = (/** @type {number[][]} */ tokens) =>
      seen(lab, example({ ...given, x: tokens }, { causal: true }), remove, (trace) =>
        rowsOf(trace.step('output').data, CHANNELS),
      );
    const after = outputOf([...x.slice(0, -1), last(x).map((value) => -value)]);
    const moves = outputOf(x)
      .slice(0, -1)
      .map((row, i) => distance(row, after[i]));
    return { noticed: moves.filter((move) => move > 0).length / moves.length, moved: mean(moves) };
  },
};

const LESSONS = 16;
const RATE = 0.5;

/** Which of 16 words belong to a group, chosen at random: the loss of a linear layer that learns it by
 * so many steps of gradient descent, from the words' embeddings or from their numbers alone.
 * @type {Claim} */
const embedding = {
  places: [0, 5, 10, 20, 30, 40, 60, 80, 100, 150, 200],
  plots: {
    loss: { axis: 'linear', shows: (intact, removed) => intact < removed / 4 },
  },
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
};

const DEPTHS = [1, 2, 3, 4, 6, 8, 12, 16];
const NARROW = 16;
/** Half a unit in the last place of 1. */
const EPSILON = 2 ** -24;
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
function encoded({ core, traceModel, seed }, layers, remove, look) {
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
    const trace = traceModel(
      model,
      { source: words, target: [words[0]] },
      { remove, gradients: false },
    );
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
  plots: {
    apart: { axis: 'log', shows: tenth },
    gradient: { axis: 'log', shows: tenth },
  },
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
      /* Words that are alike up to rounding are as alike as can be told. */
      const apart = Math.max(EPSILON, rootMeanSquare(away) / rootMeanSquare(end.data));
      return { apart, gradient: mean(norms) };
    }),
};

/** How large the numbers are that leave the last layer.
 * @type {Claim} */
const norm = {
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

/** Measures a claim place by place and seed by seed, each in a few milliseconds: between two of them the page can
 * breathe, or stop.
 * @param {Lab} lab @param {string} name of a claim
 * @returns {Generator<Evidence, Evidence>} what is known so far */
export function* evidence(lab, name) {
  const { places, measure } = claims[name];
  const seeds = Array.from({ length: SEEDS }, (_, i) => (lab.seed + i) % 2 ** 32);
  const all = 2 * places.length * SEEDS;
  /** @type {Evidence} */
  let found = { name, seeds, places: [], all, done: 0, intact: [], removed: [] };
  for (const [at, place] of places.entries()) {
    for (const seed of seeds) {
      for (const run of /** @type {const} */ (['intact', 'removed'])) {
        const measures = measure({ ...lab, seed }, place, run === 'removed' ? [name] : []);
        const here = [...(found[run][at] ?? []), measures];
        const done = found.done + 1;
        const complete = places.slice(0, Math.floor(done / (2 * SEEDS)));
        found = { ...found, done, places: complete, [run]: found[run].slice(0, at).concat([here]) };
        yield found;
      }
    }
  }
  return found;
}

/** The mean of what the seeds gave, and from where to where it reaches; null where nothing is known.
 * @param {Measures[]} [measures] @param {string} [plot] */
export function spread(measures = [], plot = '') {
  if (measures.length === 0) return null;
  const values = measures.map((each) => each[plot]);
  return { mean: mean(values), low: Math.min(...values), high: Math.max(...values) };
}

/** What complete evidence says of the claim: it holds where all seeds show each of its quantities from some place
 * on, the last one included.
 * @param {Evidence} evidence
 * @returns {Verdict} */
export function verdict({ name, intact, removed, places, seeds }) {
  const shown = Object.fromEntries(
    Object.entries(claims[name].plots).map(([plot, { shows }]) => {
      const counts = places.map(
        (place, at) =>
          seeds.filter((_, i) => shows(intact[at][i][plot], removed[at][i][plot], place)).length,
      );
      return [plot, shownBy(counts, seeds.length)];
    }),
  );
  const all = Object.values(shown);
  const full = all.filter(({ says }) => says === 'everywhere' || says === 'from');
  const none = all.every(({ counts }) => last(counts) === 0);
  return { says: full.length === all.length ? 'holds' : none ? 'fails' : 'partly', shown };
}

/** @param {number[]} counts for each place @param {number} all seeds
 * @returns {Shown} */
function shownBy(counts, all) {
  const from = counts.findLastIndex((count) => count < all) + 1;
  if (from === 0) return { says: 'everywhere', counts, from };
  if (from < counts.length) return { says: 'from', counts, from };
  return { says: counts.some((count) => count > 0) ? 'some' : 'nowhere', counts, from };
}
