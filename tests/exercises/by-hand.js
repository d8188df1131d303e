// What somebody computes with pencil and paper: each recipe by its textbook formula, in float64, from a problem's JSON
// alone; rightly, or with one mistake that is known by name. Nothing here is shared with what it tests.

/** How somebody writes: `write` takes the numbers of a step and gives those that the work goes on with, `note` does
 * so for a number on the way, `power` for one of e, `shifted` says whether the largest score is taken off before powers of e,
 * `squaresFirst` whether a variance is the mean square less the squared mean.
 * @typedef {{ write: (step: string, numbers: any) => any, note: (x: number) => number, power?: (x: number) => number,
 *   shifted?: boolean, squaresFirst?: boolean }} Pen */

/** @param {any} nested @param {(x: number) => number} f */
export const each = (nested, f) =>
  Array.isArray(nested) ? nested.map((part) => each(part, f)) : f(nested);

/** The numbers of a step by the names of their cells.
 * @param {string} step @param {any} nested
 * @returns {[string, number][]} */
export function cellsOf(step, nested, index = []) {
  if (!Array.isArray(nested)) return [[`${step}[${index.join(',')}]`, nested]];
  return nested.flatMap((part, i) => cellsOf(step, part, [...index, i]));
}

const sum = (list) => list.reduce((all, x) => all + x, 0);
const mean = (list) => sum(list) / list.length;
const column = (a, j) => a.map((row) => row[j]);
const transposed = (a) => a[0].map((_, j) => column(a, j));
const zip = (a, b, f) => a.map((row, i) => (Array.isArray(row) ? zip(row, b[i], f) : f(row, b[i])));

/** @param {Pen} pen */
const product = ({ note }, a, b) =>
  a.map((row) => b[0].map((_, j) => sum(row.map((x, k) => note(x * b[k][j])))));

/** @param {Pen} pen */
const plusRow = ({ note }, a, row) => a.map((one) => one.map((x, j) => note(x) + row[j]));

/** Powers over their sum. @param {Pen} pen @param {number[]} row */
function softmaxRow({ note, power = note, shifted }, row, base = Math.E) {
  /* Nobody divides by powers that their digits cannot hold. */
  const largest = Math.max(...row);
  const most = shifted || largest < -4 ? largest : 0;
  const powers = row.map((x) => power(base ** (x - most)));
  const all = note(sum(powers));
  return powers.map((one) => (all ? one / all : 0));
}

/** Softmax of a matrix, rightly or with a mistake. @param {Pen} pen @param {string} mistake */
function softmax(pen, rows, mistake) {
  switch (mistake) {
    case 'softmax-over-columns':
      return transposed(transposed(rows).map((row) => softmaxRow(pen, row)));
    case 'softmax-over-all': {
      const all = softmaxRow(pen, rows.flat());
      return rows.map((row, i) => row.map((_, j) => all[i * row.length + j]));
    }
    case 'no-exp':
      return rows.map((row) => {
        const shown = row.map((x) => (x === -Infinity ? 0 : x));
        return shown.map((x) => x / sum(shown));
      });
    case 'base-2':
      return rows.map((row) => softmaxRow(pen, row, 2));
    case 'base-10':
      return rows.map((row) => softmaxRow(pen, row, 10));
    case 'sum-not-normalised':
      return each(rows, Math.exp);
    default:
      return rows.map((row) =>
        row.every((x) => x === -Infinity) ? row.map(() => 0) : softmaxRow(pen, row),
      );
  }
}

/** Q Kᵀ. @param {Pen} pen @param {string} mistake */
function scoresOf(pen, q, k, mistake) {
  if (mistake === 'k-not-transposed') return product(pen, q, k);
  if (mistake === 'scores-transposed') return product(pen, k, transposed(q));
  return product(pen, q, transposed(k));
}

/** @param {number} dK @param {number | undefined} dModel @param {string} mistake */
function divisorOf(dK, dModel, mistake) {
  if (mistake === 'no-scaling') return 1;
  if (mistake === 'scale-by-dk') return dK;
  if (mistake === 'scale-by-sqrt-dmodel' && dModel) return Math.sqrt(dModel);
  return Math.sqrt(dK);
}

/** @param {Pen} pen @param {string} mistake */
const scaledBy = ({ note }, scores, dK, dModel, mistake) => {
  const divisor = note(divisorOf(dK, dModel, mistake));
  return each(scores, (x) => x / divisor);
};

/** Scores times a scale that is given, or as usual. @param {Pen} pen @param {string} mistake */
function scaledAs(pen, scores, dK, { scale, dModel }, mistake) {
  if (scale === undefined) return scaledBy(pen, scores, dK, dModel, mistake);
  if (mistake === 'scale-by-root') return scaledBy(pen, scores, dK, dModel, '');
  const powers = { 'scale-forgotten': 0, 'scale-inverted': -1 };
  return each(scores, (x) => x * scale ** (powers[mistake] ?? 1));
}

/** @param {Pen} pen @param {string} mistake */
const mixed = (pen, weights, v, mistake) =>
  product(pen, mistake === 'weights-transposed' ? transposed(weights) : weights, v);

/** @param {Pen} pen @param {string} mistake */
const projected = (pen, x, w, mistake) =>
  product(pen, x, mistake === 'w-transposed' && w.length === w[0].length ? transposed(w) : w);

/** Which scores are seen. @param {number[][]} mask @param {string} mistake */
function seenBy(mask, mistake) {
  const causal = mask.some((row) => row.join() !== mask[0].join());
  return mask.map((row, i) =>
    row.map((seen, j) => {
      if (mistake === 'mask-strict') return j < i;
      if (mistake === 'mask-flipped') return causal ? j >= i : !seen;
      return Boolean(seen);
    }),
  );
}

/** @param {string} mistake */
function masked(scores, mask, mistake) {
  if (mistake === 'mask-forgotten' || mistake === 'mask-after-softmax') return scores;
  return zip(scores, seenBy(mask, mistake), (x, seen) => {
    if (seen) return x;
    return mistake === 'mask-zero' ? 0 : -Infinity;
  });
}

/** From masked scores on. @param {Pen} pen @param {string} mistake */
function attended(pen, shown, mask, v, mistake) {
  const all = softmax(pen, shown, mistake);
  const hidden = mistake === 'mask-after-softmax';
  const weights = pen.write('weights', hidden ? zip(all, mask, (w, seen) => w * seen) : all);
  pen.write('output', mixed(pen, weights, v, mistake));
}

/** From queries and keys to the weights. @param {Pen} pen @param {string} mistake */
function weighed(pen, q, k, mask, sizes, mistake) {
  const scores = pen.write('scores', scoresOf(pen, q, k, mistake));
  const scaled = scaledAs(pen, scores, k[0].length, sizes, mistake);
  const written = sizes.scale === 1 ? scaled : pen.write('scores.scaled', scaled);
  const shown = mask ? pen.write('scores.masked', masked(written, mask, mistake)) : written;
  const all = softmax(pen, shown, mistake);
  const hidden = mask && mistake === 'mask-after-softmax';
  return pen.write('weights', hidden ? zip(all, mask, (w, seen) => w * seen) : all);
}

/** From x on, or from a memory beside it. @param {Pen} pen @param {string} mistake */
function wholeAttention(pen, given, from, sizes, mistake) {
  const { x } = given;
  const [q, k, v] = ['q', 'k', 'v'].map((to) => {
    const rows = to === 'q' ? x : from;
    return pen.write(to, projected(pen, rows, ofProjection(given, 'w', to, mistake), mistake));
  });
  const keys = mistake === 'x-for-k' ? x : k;
  const weights = weighed(pen, q, keys, given.mask, sizes, mistake);
  pen.write('output', mixed(pen, weights, mistake === 'x-for-v' ? x : v, mistake));
}

/** Half of the channels each, or, by mistake, half of the rows laid out anew. */
function heads(x, count, mistake) {
  const width = x[0].length / count;
  return Array.from({ length: count }, (_, h) => {
    if (mistake !== 'heads-split-by-token') {
      return x.map((row) => row.slice(h * width, (h + 1) * width));
    }
    const own = x.flat().slice(h * x.length * width, (h + 1) * x.length * width);
    return x.map((_, i) => own.slice(i * width, (i + 1) * width));
  });
}

/** (x - mean) / deviation, with gain and bias. @param {Pen} pen @param {string} mistake */
function normalised(pen, x, gain, bias, mistake, write = pen.write) {
  const means = pen.write(
    'mean',
    x.map((row) => [mean(row)]),
  );
  const centred = x.map((row, i) => row.map((value) => pen.note(value - means[i][0])));
  const n = x[0].length;
  const variances = pen.write(
    'variance',
    x.map((row, i) => {
      const squares = sum(centred[i].map((value) => pen.note(value ** 2)));
      if (mistake === 'norm-n-minus-1') return [squares / (n - 1)];
      if (!pen.squaresFirst) return [squares / n];
      return [
        pen.note(sum(row.map((value) => pen.note(value ** 2))) / n) - pen.note(means[i][0] ** 2),
      ];
    }),
  );
  const plain = mistake === 'no-gain-bias';
  const finished = (value, j) => (plain ? value : pen.note(pen.note(value) * gain[j]) + bias[j]);
  if (mistake === 'norm-over-tokens') {
    const columns = transposed(x).map((values) => {
      const middle = mean(values);
      const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
      return values.map((value) => (deviation ? (value - middle) / deviation : 0));
    });
    return write(
      'norm',
      transposed(columns).map((row) => row.map(finished)),
    );
  }
  return write(
    'norm',
    centred.map((row, i) => {
      const [variance] = variances[i];
      const divisor = mistake === 'no-root' ? variance : pen.note(Math.sqrt(variance));
      return row.map((value, j) => finished(value / divisor, j));
    }),
  );
}

/** Where the largest is; nowhere where two are as large, but for what a sum of fractions leaves. @param {number[]} row */
function best(row) {
  const most = row.flatMap((one, at) => (one > Math.max(...row) - 1e-5 ? [at] : []));
  return most.length === 1 ? most[0] : Number.NaN;
}

/** The output of attention of each row to all, each its own query, key and value. */
function selfAttended(x) {
  const pen = { write: (_, numbers) => numbers, note: (number) => number, shifted: true };
  const scores = each(product(pen, x, transposed(x)), (s) => s / Math.sqrt(x[0].length));
  return product(pen, softmax(pen, scores, ''), x);
}

/** PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i + 1) = cos of the same. */
function sinusoid(position, d, mistake) {
  return Array.from({ length: d }, (_, c) => {
    const i = Math.floor(c / 2);
    const exponent = (mistake === 'exponent-i-for-2i' ? i : 2 * i) / d;
    const angle = position / 10000 ** exponent;
    const sine = (c % 2 === 0) !== (mistake === 'sin-cos-swapped');
    return sine ? Math.sin(angle) : Math.cos(angle);
  });
}

/** @param {Pen} pen @param {string} mistake */
const lossOf = ({ note }, p, mistake) =>
  mistake === 'log-base-10' ? -note(Math.log10(p)) : -note(Math.log(p));

const COLUMNS = ['softmax-over-columns', 'softmax-over-all'];
const SOFTMAX = ['no-exp', 'base-2', 'base-10', 'sum-not-normalised'];
const PROJECTIONS = ['w-transposed', 'q-k-exchanged', 'k-by-w-q'];

/** A learner's weights or biases of a projection. @param {any} given @param {string} what w or b @param {string} to @param {string} mistake */
function ofProjection(given, what, to, mistake) {
  const others = { 'q-k-exchanged': { q: 'k', k: 'q' }, 'k-by-w-q': { k: 'q' } };
  return given[`${what}_${others[mistake]?.[to] ?? to}`];
}
const SCALING = ['no-scaling', 'scale-by-dk'];
const MASK = ['mask-zero', 'mask-after-softmax', 'mask-flipped', 'mask-forgotten'];
const LAYER = ['norm-over-tokens', 'norm-n-minus-1', 'no-root'];

/** Of each recipe: the mistakes that can be made in it, and how it is worked out.
 * @type {Record<string, { mistakes: string[],
 *   work: (pen: Pen, given: any, sizes: any, mistake: string) => void }>} */
export const BY_HAND = {
  projection: {
    mistakes: PROJECTIONS,
    work(pen, given, _, mistake) {
      for (const to of ['q', 'k', 'v'])
        pen.write(to, projected(pen, given.x, ofProjection(given, 'w', to, mistake), mistake));
    },
  },
  'projection-bias': {
    mistakes: [...PROJECTIONS, 'no-bias', 'bias-by-row'],
    work(pen, given, _, mistake) {
      for (const to of ['q', 'k', 'v']) {
        const plain = projected(pen, given.x, ofProjection(given, 'w', to, mistake), mistake);
        const bias = ofProjection(given, 'b', to, mistake);
        const biased = plain.map((row, i) =>
          row.map((y, j) => pen.note(y) + bias[mistake === 'bias-by-row' ? i : j]),
        );
        pen.write(to, mistake === 'no-bias' ? plain : biased);
      }
    },
  },
  scores: {
    mistakes: ['k-not-transposed', 'scores-transposed', 'x-for-k'],
    work: (pen, { x, q, k }, _, mistake) =>
      pen.write('scores', scoresOf(pen, q, mistake === 'x-for-k' ? x : k, mistake)),
  },
  'scaled-scores': {
    mistakes: [...SCALING, 'scale-by-sqrt-dmodel', 'scores-transposed'],
    work(pen, { q, k }, sizes, mistake) {
      const scores = pen.write('scores', scoresOf(pen, q, k, mistake));
      pen.write('scores.scaled', scaledAs(pen, scores, k[0].length, sizes, mistake));
    },
  },
  'softmax-row': {
    mistakes: SOFTMAX,
    work: (pen, given, _, mistake) =>
      pen.write('weights', softmax(pen, given['scores.scaled'], mistake)),
  },
  weights: {
    mistakes: [...SCALING, 'scale-by-sqrt-dmodel', 'scores-transposed', ...COLUMNS, ...SOFTMAX],
    work(pen, { q, k }, sizes, mistake) {
      weighed(pen, q, k, null, sizes, mistake);
    },
  },
  'output-row': {
    mistakes: ['weights-transposed', 'x-for-v'],
    work: (pen, { x, weights, v }, _, mistake) =>
      pen.write('output', mixed(pen, weights, mistake === 'x-for-v' ? x : v, mistake)),
  },
  'one-query': {
    mistakes: [...SCALING, ...SOFTMAX],
    work(pen, { q, k, v }, sizes, mistake) {
      pen.write('output', mixed(pen, weighed(pen, q, k, null, sizes, mistake), v, mistake));
    },
  },
  'attention-scale': {
    mistakes: [
      ...['scale-forgotten', 'scale-inverted', 'scale-by-root', 'scores-transposed'],
      ...[...COLUMNS, ...SOFTMAX, 'weights-transposed'],
    ],
    work(pen, { q, k, v }, sizes, mistake) {
      pen.write('output', mixed(pen, weighed(pen, q, k, null, sizes, mistake), v, mistake));
    },
  },
  attention: {
    mistakes: [
      ...SCALING,
      'scale-by-sqrt-dmodel',
      'scores-transposed',
      ...COLUMNS,
      ...SOFTMAX,
      'weights-transposed',
      'x-for-v',
      ...PROJECTIONS,
    ],
    work: (pen, given, sizes, mistake) => wholeAttention(pen, given, given.x, sizes, mistake),
  },
  'cross-attention': {
    mistakes: [...SCALING, 'scale-by-sqrt-dmodel', ...COLUMNS, ...SOFTMAX, ...PROJECTIONS],
    work: (pen, given, sizes, mistake) => wholeAttention(pen, given, given.memory, sizes, mistake),
  },
  'causal-attention': {
    mistakes: [
      ...SCALING,
      'scores-transposed',
      ...MASK,
      'mask-strict',
      ...COLUMNS,
      ...SOFTMAX,
      'weights-transposed',
    ],
    work(pen, { q, k, v, mask }, sizes, mistake) {
      pen.write('output', mixed(pen, weighed(pen, q, k, mask, sizes, mistake), v, mistake));
    },
  },
  'padding-mask': {
    mistakes: [...MASK, ...COLUMNS, ...SOFTMAX, 'weights-transposed'],
    work(pen, given, _, mistake) {
      const { mask, v } = given;
      const shown = pen.write('scores.masked', masked(given['scores.scaled'], mask, mistake));
      attended(pen, shown, mask, v, mistake);
    },
  },
  'two-heads': {
    mistakes: [
      ...SCALING,
      'scores-transposed',
      ...COLUMNS,
      ...SOFTMAX,
      'weights-transposed',
      'heads-averaged',
      'heads-split-by-token',
      'no-w-o',
    ],
    work(pen, given, sizes, mistake) {
      const count = sizes.heads;
      const [q, k, v] = ['q', 'k', 'v'].map((name) => heads(given[name], count, mistake));
      const scores = pen.write(
        'scores',
        q.map((own, h) => scoresOf(pen, own, k[h], mistake)),
      );
      const scaled = pen.write(
        'scores.scaled',
        scaledAs(pen, scores, k[0][0].length, sizes, mistake),
      );
      const weights = pen.write(
        'weights',
        scaled.map((own) => softmax(pen, own, mistake)),
      );
      const mix = pen.write(
        'mix',
        weights.map((own, h) => mixed(pen, own, v[h], mistake)),
      );
      const concat = mix[0].map((_, i) => {
        const parts = mix.map((own) => own[i]);
        if (mistake !== 'heads-averaged') return parts.flat();
        const average = transposed(parts).map(mean);
        return parts.flatMap(() => average);
      });
      pen.write('output', mistake === 'no-w-o' ? concat : product(pen, concat, given.w_o));
    },
  },
  'causal-heads': {
    mistakes: [
      ...[...SCALING, 'scores-transposed', ...MASK, 'mask-strict', ...COLUMNS, ...SOFTMAX],
      ...['weights-transposed', 'heads-averaged', 'heads-split-by-token'],
    ],
    work(pen, given, sizes, mistake) {
      const [q, k, v] = ['q', 'k', 'v'].map((name) => heads(given[name], sizes.heads, mistake));
      const scores = pen.write(
        'scores',
        q.map((one, h) => scoresOf(pen, one, k[h], mistake)),
      );
      const shown = pen.write(
        'scores.masked',
        scores.map((one) => {
          const scaled = scaledAs(pen, one, k[0][0].length, sizes, mistake);
          return masked(sizes.scale === 1 ? scaled : each(scaled, pen.note), given.mask, mistake);
        }),
      );
      const weights = pen.write(
        'weights',
        shown.map((one) => {
          const all = softmax(pen, one, mistake);
          return mistake === 'mask-after-softmax'
            ? zip(all, given.mask, (w, seen) => w * seen)
            : all;
        }),
      );
      const mix = pen.write(
        'mix',
        weights.map((one, h) => mixed(pen, one, v[h], mistake)),
      );
      pen.write(
        'output',
        mix[0].map((_, i) => {
          const parts = mix.map((one) => one[i]);
          const average = transposed(parts).map(mean);
          return parts.flatMap((part) => (mistake === 'heads-averaged' ? average : part));
        }),
      );
    },
  },
  sinusoid: {
    mistakes: ['positions-missing', 'position-from-1', 'sin-cos-swapped', 'exponent-i-for-2i'],
    work(pen, { position, x }, { dModel }, mistake) {
      const late = mistake === 'position-from-1' ? 1 : 0;
      const pos = pen.write(
        'pos',
        position.map((p) => sinusoid(p + late, dModel, mistake)),
      );
      pen.write('x.pos', mistake === 'positions-missing' ? x : zip(x, pos, (a, b) => a + b));
    },
  },
  'layer-norm': {
    mistakes: [...LAYER, 'no-gain-bias'],
    work: (pen, { x, gain, bias }, _, mistake) => normalised(pen, x, gain, bias, mistake),
  },
  'residual-norm': {
    mistakes: [...LAYER, 'norm-before-residual'],
    work(pen, { x, sublayer }, _, mistake) {
      const ones = x[0].map(() => 1);
      const zeros = x[0].map(() => 0);
      const residual = pen.write(
        'residual',
        zip(x, sublayer, (a, b) => a + b),
      );
      if (mistake !== 'norm-before-residual')
        return normalised(pen, residual, ones, zeros, mistake);
      return normalised(pen, sublayer, ones, zeros, mistake, (step, norm) =>
        pen.write(
          step,
          zip(x, norm, (a, b) => a + b),
        ),
      );
    },
  },
  'feed-forward': {
    mistakes: ['relu-forgotten', 'no-bias'],
    work(pen, { x, w_1, b_1, w_2, b_2 }, _, mistake) {
      const biased = (a, row) => (mistake === 'no-bias' ? a : plusRow(pen, a, row));
      const hidden = pen.write('hidden', biased(product(pen, x, w_1), b_1));
      const activation = pen.write(
        'activation',
        each(hidden, (h) => (mistake === 'relu-forgotten' ? h : Math.max(0, h))),
      );
      pen.write('output', biased(product(pen, activation, w_2), b_2));
    },
  },
  'dropout-scale': {
    mistakes: ['dropout-not-rescaled'],
    work(pen, { x, keep, p }, _, mistake) {
      const left = mistake === 'dropout-not-rescaled' ? 1 : 1 - p[0];
      pen.write(
        'output',
        zip(x, keep, (value, kept) => (kept ? value / left : 0)),
      );
    },
  },
  'cross-entropy': {
    mistakes: ['log-base-10', 'sum-for-mean', 'label-shifted', ...COLUMNS, ...SOFTMAX],
    work(pen, { logits, labels }, _, mistake) {
      const probabilities = pen.write('probabilities', softmax(pen, logits, mistake));
      const losses = pen.write(
        'losses',
        probabilities.map((row, i) => {
          const own = mistake === 'label-shifted' ? (i + 1) % labels.length : i;
          return lossOf(pen, row[labels[own]], mistake);
        }),
      );
      pen.write('loss', [mistake === 'sum-for-mean' ? sum(losses) : mean(losses)]);
    },
  },
  'label-smoothing': {
    mistakes: ['smoothing-on-all', 'log-base-10'],
    work(pen, { probabilities, label, smoothing }, _, mistake) {
      const [epsilon] = smoothing;
      const classes = label[0].length;
      const targets = pen.write(
        'targets',
        each(label, (y) => {
          if (mistake === 'smoothing-on-all') return y ? 1 - epsilon : epsilon / (classes - 1);
          return (1 - epsilon) * y + epsilon / classes;
        }),
      );
      pen.write(
        'losses',
        targets.map((row, i) =>
          sum(row.map((q, j) => pen.note(q * lossOf(pen, probabilities[i][j], mistake)))),
        ),
      );
    },
  },
  'softmax-gradient': {
    mistakes: ['label-ignored', 'gradient-sign', ...COLUMNS, ...SOFTMAX],
    work(pen, { logits, label }, _, mistake) {
      const probabilities = pen.write('probabilities', softmax(pen, logits, mistake));
      pen.write(
        'gradient',
        zip(probabilities, label, (p, y) => {
          if (mistake === 'label-ignored') return p;
          return mistake === 'gradient-sign' ? y - p : p - y;
        }),
      );
    },
  },
  'adam-step': {
    mistakes: ['adam-no-bias-correction', 'adam-eps-inside', 'adam-no-root'],
    work(pen, given, { rate, beta1, beta2 }, mistake) {
      const { theta, gradient, step, epsilon } = given;
      const { note } = pen;
      const moment = (before, now, beta) => note(beta * before) + note((1 - beta) * now);
      const m = pen.write(
        'm',
        zip(given['m.before'], gradient, (before, g) => moment(before, g, beta1)),
      );
      const v = pen.write(
        'v',
        zip(given['v.before'], gradient, (before, g) => moment(before, note(g ** 2), beta2)),
      );
      const corrected = (x, beta) =>
        mistake === 'adam-no-bias-correction' ? x : x / note(1 - note(beta ** step[0]));
      const mHat = pen.write(
        'm.corrected',
        m.map((x) => corrected(x, beta1)),
      );
      const vHat = pen.write(
        'v.corrected',
        v.map((x) => corrected(x, beta2)),
      );
      const update = pen.write(
        'update',
        zip(mHat, vHat, (a, b) => {
          if (mistake === 'adam-eps-inside') return a / note(Math.sqrt(b + epsilon[0]));
          if (mistake === 'adam-no-root') return a / (b + epsilon[0]);
          return a / (note(Math.sqrt(b)) + epsilon[0]);
        }),
      );
      pen.write(
        'theta.new',
        zip(theta, update, (t, u) => t - note(rate * u)),
      );
    },
  },
  'adam-steps': {
    mistakes: [
      ...['adam-no-bias-correction', 'adam-eps-inside', 'adam-no-root'],
      ...['adam-moments-reset', 'adam-correction-first'],
    ],
    work(pen, given, { rate, beta1, beta2 }, mistake) {
      const { note } = pen;
      const [epsilon] = given.epsilon;
      let { theta } = given;
      let m = theta.map(() => 0);
      let v = theta.map(() => 0);
      for (let t = 1; given[`gradient.${t}`]; t++) {
        const g = given[`gradient.${t}`];
        const kept = mistake === 'adam-moments-reset' ? 0 : 1;
        m = pen.write(
          `m.${t}`,
          zip(m, g, (old, now) => note(kept * beta1 * old) + note((1 - beta1) * now)),
        );
        v = pen.write(
          `v.${t}`,
          zip(v, g, (old, now) => note(kept * beta2 * old) + note((1 - beta2) * note(now ** 2))),
        );
        const power = mistake === 'adam-correction-first' ? 1 : t;
        const unbiased = (x, beta) =>
          mistake === 'adam-no-bias-correction' ? x : x / note(1 - note(beta ** power));
        const mHat = pen.write(
          `m.corrected.${t}`,
          m.map((x) => unbiased(x, beta1)),
        );
        const vHat = pen.write(
          `v.corrected.${t}`,
          v.map((x) => unbiased(x, beta2)),
        );
        const update = pen.write(
          `update.${t}`,
          zip(mHat, vHat, (a, b) => {
            if (mistake === 'adam-eps-inside') return a / note(Math.sqrt(b + epsilon));
            if (mistake === 'adam-no-root') return a / (b + epsilon);
            return a / (note(Math.sqrt(b)) + epsilon);
          }),
        );
        theta = pen.write(
          `theta.${t}`,
          zip(theta, update, (old, u) => old - note(rate * u)),
        );
      }
    },
  },
  'attention-backward': {
    mistakes: [
      ...[...SCALING, 'scores-transposed', ...COLUMNS, ...SOFTMAX],
      ...['softmax-elementwise', 'softmax-skipped', 'weights-not-transposed'],
      ...['gradient-not-transposed', 'gradient-unscaled'],
    ],
    work(pen, given, sizes, mistake) {
      const { q, k, v } = given;
      const { note } = pen;
      const upper = given['gradient.output'];
      const scores = each(scoresOf(pen, q, k, mistake), note);
      const scaled = each(scaledAs(pen, scores, k[0].length, sizes, mistake), note);
      const weights = pen.write('weights', softmax(pen, scaled, mistake));
      const forV = mistake === 'weights-not-transposed' ? weights : transposed(weights);
      pen.write('gradient.v', product(pen, forV, upper));
      const ofWeights = pen.write('gradient.weights', product(pen, upper, transposed(v)));
      /* The Jacobian of softmax, cell by cell: dA_ij / dS_ik = A_ij (1 where j = k, less A_ik). */
      const ofScores = pen.write(
        'gradient.scores',
        weights.map((row, i) => {
          const ofRow = ofWeights[i];
          if (mistake === 'softmax-skipped') return ofRow;
          if (mistake === 'softmax-elementwise') return row.map((a, j) => ofRow[j] * a * (1 - a));
          const all = sum(row.map((a, j) => note(a * ofRow[j])));
          return row.map((a, j) => a * note(ofRow[j] - all));
        }),
      );
      const { scale = 1 / note(Math.sqrt(k[0].length)) } = sizes;
      const factor = mistake === 'gradient-unscaled' ? 1 : scale;
      const times = (a, b) => each(product(pen, a, b), (x) => note(x) * factor);
      pen.write('gradient.q', times(ofScores, k));
      const forK = mistake === 'gradient-not-transposed' ? ofScores : transposed(ofScores);
      pen.write('gradient.k', times(forK, q));
    },
  },
  'noam-rate': {
    mistakes: ['warmup-power'],
    work({ note, write }, { step, dModel, warmup }, _, mistake) {
      const power = mistake === 'warmup-power' ? -0.5 : -1.5;
      write(
        'rate',
        step.map(
          (s) =>
            note(dModel[0] ** -0.5) * Math.min(note(s ** -0.5), note(s * note(warmup[0] ** power))),
        ),
      );
    },
  },
  'parameter-count': {
    mistakes: ['biases-not-counted', 'heads-multiply'],
    work({ write }, given, _, mistake) {
      const [[d], [h], [f]] = [given.d_model, given.heads, given.d_ff];
      const bias = mistake === 'biases-not-counted' ? 0 : 1;
      const times = mistake === 'heads-multiply' ? h : 1;
      const attention = write('attention', [times * 4 * (d * d + bias * d)]);
      const feedForward = write('feed_forward', [d * f + bias * f + f * d + bias * d]);
      const norms = write('norms', [2 * (d + bias * d)]);
      write('layer', [attention[0] + feedForward[0] + norms[0]]);
    },
  },
  cost: {
    mistakes: ['heads-multiply', 'cost-without-square'],
    work({ write }, given, _, mistake) {
      const [[d], [h], [f], [n]] = [given.d_model, given.heads, given.d_ff, given.tokens];
      const times = mistake === 'heads-multiply' ? h : 1;
      const queries = mistake === 'cost-without-square' ? 1 : n;
      const parts = [
        write('projections', [times * n * 4 * d * d]),
        write('scores', [queries * n * d]),
        write('mix', [queries * n * d]),
        write('feed_forward', [n * 2 * d * f]),
      ];
      write('layer', [sum(parts.flat())]);
    },
  },
  'greedy-and-beam': {
    mistakes: ['greedy-for-beam', 'probabilities-added'],
    work({ write, note }, { first, second }, _, mistake) {
      /* Whose slip makes another word of it multiplies nothing. */
      const next = (i, j) => second[i]?.[j] ?? NaN;
      const joint = ([i, j]) =>
        mistake === 'probabilities-added' ? first[i] + next(i, j) : note(first[i] * next(i, j));
      const word = best(first);
      const greedy = write('greedy', [word, best(second[word])]);
      write('greedy.p', [joint(greedy)]);
      const all = second.flatMap((row, i) =>
        row.map((p, j) => ({ words: [i, j], p: first[i] * p })),
      );
      const [most] = all.sort((a, b) => b.p - a.p);
      const beam = write('beam', mistake === 'greedy-for-beam' ? greedy : most.words);
      write('beam.p', [joint(beam)]);
    },
  },
  'logit-parts': {
    mistakes: ['final-norm-forgotten', 'embedding-left-out', 'parts-averaged'],
    work(pen, { parts, w_u }, { deviation }, mistake) {
      const divisor = mistake === 'final-norm-forgotten' ? 1 : deviation;
      const contributions = pen.write(
        'contributions',
        each(product(pen, parts, w_u), (x) => x / divisor),
      );
      const counted = mistake === 'embedding-left-out' ? contributions.slice(1) : contributions;
      const of = mistake === 'parts-averaged' ? mean : sum;
      const logits = pen.write('logits', [transposed(counted).map(of)]);
      pen.write('margin', [[logits[0][0] - logits[0][1]]]);
    },
  },
  ablation: {
    mistakes: ['relu-forgotten', 'direct-effect-only', 'other-head-off', 'effect-reversed'],
    work(pen, { x, h, on, w_1, w_2, u }, _, mistake) {
      const read = (stream) =>
        each(product(pen, stream, w_1), (a) => (mistake === 'relu-forgotten' ? a : Math.max(0, a)));
      const logitOf = (stream, activation) =>
        product(
          pen,
          zip(stream, product(pen, activation, w_2), (a, b) => a + b),
          u,
        );
      const withHeads = (factors) => [
        x[0].map((value, j) => value + sum(h.map((row, i) => factors[i] * row[j]))),
      ];
      const stream = pen.write('stream', withHeads([1, 1]));
      const activation = pen.write('activation', read(stream));
      const logit = pen.write('logit', logitOf(stream, activation));
      const left = mistake === 'other-head-off' ? on[0].map((one) => 1 - one) : on[0];
      const without = pen.write('stream.off', withHeads(left));
      const again = pen.write(
        'activation.off',
        mistake === 'direct-effect-only' ? read(stream) : read(without),
      );
      const after = pen.write('logit.off', logitOf(without, again));
      const effect = after[0][0] - logit[0][0];
      pen.write('effect', [[mistake === 'effect-reversed' ? -effect : effect]]);
    },
  },
  'find-head': {
    mistakes: ['attention-alone', 'sign-ignored', 'attention-ignored'],
    work({ write, note }, { weights, writes, name }, _, mistake) {
      const effects = write(
        'effects',
        weights.map((row, h) => [
          sum(
            row.map((w, j) =>
              mistake === 'attention-ignored' ? writes[h][j] : note(w * writes[h][j]),
            ),
          ),
        ]),
      );
      const looked =
        mistake === 'attention-alone' ? weights.map((row) => row[name[0]]) : effects.flat();
      write('head', [best(mistake === 'sign-ignored' ? looked.map(Math.abs) : looked)]);
    },
  },
  induction: {
    mistakes: [
      ...SCALING,
      ...SOFTMAX,
      'no-previous-head',
      'next-for-previous',
      'value-of-previous',
    ],
    work(pen, { x, a_0, e }, _, mistake) {
      const attends =
        mistake === 'next-for-previous'
          ? x.map((_, i) => x.map((_, j) => Number(j === i + 1)))
          : a_0;
      const previous = pen.write('previous', product(pen, attends, x));
      const keys = mistake === 'no-previous-head' ? x : previous;
      const scores = pen.write('scores', product(pen, [x.at(-1)], transposed(keys)));
      const scaled = pen.write('scores.scaled', scaledBy(pen, scores, x[0].length, 0, mistake));
      const weights = pen.write('weights', softmax(pen, scaled, mistake));
      const output = pen.write(
        'output',
        product(pen, weights, mistake === 'value-of-previous' ? previous : x),
      );
      pen.write('logits', product(pen, output, transposed(e)));
    },
  },
  shuffle: {
    mistakes: ['order-kept', 'positions-missing'],
    work({ write }, { x, order }, _, mistake) {
      const equal = (a, b) => a.every((value, j) => Math.abs(value - b[j]) < 1e-6);
      const same = (placed) => {
        if (mistake === 'order-kept') return order.map((_, i) => i + 1);
        const before = selfAttended(placed(x));
        const after = selfAttended(placed(order.map((i) => x[i])));
        return after.map((row) => 1 + before.findIndex((one) => equal(one, row)));
      };
      const coded = (rows) =>
        rows.map((row, p) => zip(row, sinusoid(p, row.length, ''), (a, b) => a + b));
      write(
        'same',
        same((rows) => rows),
      );
      write('same.placed', same(mistake === 'positions-missing' ? (rows) => rows : coded));
    },
  },
};

/** @type {Pen} */
const EXACT = { write: (_, numbers) => numbers, note: (x) => x, shifted: true };

/** Works a problem out and gives each cell of each step as it was written.
 * @param {any} problem @param {string} [mistake] @param {Pen} [pen]
 * @returns {Record<string, number>} */
export function workedOut({ recipe, given, sizes = {} }, mistake = '', pen = EXACT) {
  /** @type {Record<string, number>} */
  const cells = {};
  const write = (step, numbers) => {
    const written = pen.write(step, numbers);
    Object.assign(cells, Object.fromEntries(cellsOf(step, written)));
    return written;
  };
  BY_HAND[recipe].work({ ...pen, write }, given, sizes, mistake);
  return cells;
}
