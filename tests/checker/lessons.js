// What the made texts teach: each lesson's steps in float64, as textbooks give them, rightly or with a mistake that is
// known by name. Nothing here is shared with what it tests.

/** @typedef {number[][]} Matrix */
/** @typedef {(n: number) => number} Roll */

/** @typedef {object} Lesson
 * @property {(roll: Roll) => Record<string, any>} draw what is given: rows, and numbers by their names
 * @property {(given: any, mistake?: string) => Record<string, Matrix | number>} steps with what is given, in order
 * @property {string[]} exact what is printed in all its digits
 * @property {string[]} mistakes
 * @property {Record<string, string>} titles what a text calls a step, where not by its name
 * @property {Record<string, string>} written what LaTeX writes before a result */

export const matmul = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
export const turned = (a) => a[0].map((_, j) => a.map((row) => row[j]));
export const map = (a, of) => a.map((row) => row.map(of));
const zip = (a, b, of) => a.map((row, i) => row.map((x, j) => of(x, b[i][j])));
const sum = (list) => list.reduce((x, y) => x + y, 0);
const mean = (list) => sum(list) / list.length;
export const softmax = (a) =>
  a.map((row) => {
    const e = row.map((x) => Math.exp(x - Math.max(...row)));
    return e.map((x) => x / sum(e));
  });

/** @param {Roll} roll @param {number} rows @param {number} columns */
const halves = (roll, rows, columns, least = -3) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => (roll(9) + least) / 2));

/** @type {Record<string, Lesson>} */
export const LESSONS = {
  attention: {
    draw(roll) {
      const [tokens, width, size] = [2 + roll(2), 2 + roll(3), 2 + roll(2)];
      const [X, W_Q, W_K, W_V] = [tokens, width, width, width].map((rows, i) =>
        halves(roll, rows, i ? size : width),
      );
      return { X, W_Q, W_K, W_V };
    },
    steps({ X, W_Q, W_K, W_V }, mistake) {
      const [Q, K, V] = [W_Q, W_K, W_V].map((w) => matmul(X, w));
      const S = matmul(Q, turned(K));
      const size = W_Q[0].length;
      const factor = { 'no-scaling': 1, 'scale-by-dk': 1 / size }[mistake] ?? 1 / Math.sqrt(size);
      const scaled = map(S, (x) => x * factor);
      const weights =
        mistake === 'softmax-over-columns' ? turned(softmax(turned(scaled))) : softmax(scaled);
      const output = matmul(mistake === 'weights-transposed' ? turned(weights) : weights, V);
      return { X, W_Q, W_K, W_V, Q, K, V, S, scaled, weights, output };
    },
    exact: ['X', 'W_Q', 'W_K', 'W_V', 'Q', 'K', 'V', 'S'],
    mistakes: ['no-scaling', 'scale-by-dk', 'softmax-over-columns', 'weights-transposed'],
    titles: {
      S: 'Scores',
      scaled: 'Scaled scores',
      weights: 'Attention weights',
      output: 'Output',
    },
    written: {
      Q: 'X W_Q',
      K: 'X W_K',
      V: 'X W_V',
      S: 'Q K^T',
      output: '\\text{Attention weights} V',
    },
  },

  norm: {
    draw(roll) {
      const [tokens, width] = [2 + roll(2), 3 + roll(2)];
      const drawn = () => halves(roll, tokens, width);
      /* No row of the sum has equal numbers. */
      const spread = map(drawn(), (x) => x / 2).map((row) => [row[0] + 4.5, ...row.slice(1)]);
      return {
        X: drawn(),
        sublayer: spread,
        gain: [Array.from({ length: width }, () => (1 + roll(4)) / 2)],
        bias: halves(roll, 1, width),
      };
    },
    steps({ X, sublayer, gain, bias }, mistake) {
      const residual = zip(X, sublayer, (x, y) => x + y);
      const norm = (row) => {
        const squares = row.map((x) => (x - mean(row)) ** 2);
        const n = mistake === 'norm-n-minus-1' ? row.length - 1 : row.length;
        const variance = sum(squares) / n;
        return row.map(
          (x) => (x - mean(row)) / (mistake === 'no-root' ? variance : Math.sqrt(variance)),
        );
      };
      const normed =
        mistake === 'norm-over-tokens' ? turned(turned(residual).map(norm)) : residual.map(norm);
      const output =
        mistake === 'no-gain-bias'
          ? normed
          : normed.map((row) => row.map((x, j) => x * gain[0][j] + bias[0][j]));
      return {
        X,
        sublayer,
        residual,
        mean: residual.map((row) => [mean(row)]),
        variance: residual.map((row) => [mean(row.map((x) => (x - mean(row)) ** 2))]),
        gain,
        bias,
        output,
      };
    },
    exact: ['X', 'sublayer', 'residual', 'gain', 'bias'],
    mistakes: ['norm-n-minus-1', 'no-root', 'norm-over-tokens', 'no-gain-bias'],
    titles: {
      sublayer: 'Sublayer',
      residual: 'Residual',
      mean: 'Mean',
      variance: 'Variance',
      gain: 'Gain',
      bias: 'Bias',
      output: 'Layer norm',
    },
    written: { residual: 'X + \\text{Sublayer}' },
  },

  positions: {
    draw(roll) {
      const [rows, width] = [2 + roll(3), 4 + 2 * roll(2)];
      const places = roll(2)
        ? { positions: [Array.from({ length: rows }, (_, i) => 3 * i + roll(3))] }
        : {};
      return { X: halves(roll, rows, width), ...places };
    },
    steps({ X, ...given }, mistake) {
      const width = X[0].length;
      const places = given.positions?.[0] ?? X.map((_, i) => i);
      const codes = places.map((place) =>
        X[0].map((_, c) => {
          const i = Math.floor(c / 2);
          const exponent = (mistake === 'exponent-i-for-2i' ? i : 2 * i) / width;
          const angle = (place + Number(mistake === 'position-from-1')) / 10000 ** exponent;
          const isSine = (c % 2 === 0) !== (mistake === 'sin-cos-swapped');
          return isSine ? Math.sin(angle) : Math.cos(angle);
        }),
      );
      return { X, ...given, codes, embedded: zip(X, codes, (x, y) => x + y) };
    },
    exact: ['X', 'positions'],
    mistakes: ['sin-cos-swapped', 'exponent-i-for-2i', 'position-from-1'],
    titles: {
      X: 'Embeddings',
      positions: 'Positions',
      codes: 'Positional encoding',
      embedded: 'Final embedding',
    },
    written: { embedded: '\\text{Embeddings} + \\text{Positional encoding}' },
  },

  loss: {
    draw(roll) {
      const rows = 2 + roll(3);
      const logits = Array.from({ length: rows }, () =>
        Array.from({ length: 3 }, () => (roll(13) - 4) / 2),
      );
      const labels = Array.from({ length: rows }, () => roll(3));
      return { logits, labels: [labels], oneHot: Boolean(roll(2)) };
    },
    steps({ logits, labels: [classes], oneHot }, mistake) {
      const powers = (row) => row.map((x) => (mistake === 'base-2' ? x * Math.LN2 : x));
      const probabilities = softmax(logits.map(powers));
      const targets = classes.map((label) => [0, 1, 2].map((j) => Number(j === label)));
      const log = mistake === 'log-base-10' ? Math.log10 : Math.log;
      const losses = classes.map((own, i) => {
        const label = mistake === 'label-shifted' ? classes[(i + 1) % classes.length] : own;
        return -log(probabilities[i][label]);
      });
      const sign = mistake === 'gradient-sign' ? -1 : 1;
      return {
        logits,
        probabilities,
        labels: oneHot ? targets : [classes],
        losses: [losses],
        loss: mistake === 'sum-for-mean' ? sum(losses) : mean(losses),
        gradient: zip(probabilities, targets, (p, y) =>
          mistake === 'label-ignored' ? p : sign * (p - y),
        ),
      };
    },
    exact: ['logits', 'labels'],
    mistakes: [
      ...['base-2', 'log-base-10', 'label-shifted', 'sum-for-mean'],
      ...['gradient-sign', 'label-ignored'],
    ],
    titles: {
      logits: 'Logits',
      probabilities: 'Probabilities',
      labels: 'Labels',
      losses: 'Losses',
      loss: 'Loss',
      gradient: 'Gradient',
    },
    written: { probabilities: '\\text{softmax}(\\text{Logits})' },
  },

  entropy: {
    draw: (roll) => ({ scores: halves(roll, 2 + roll(3), 3) }),
    steps({ scores }, mistake) {
      const weights = softmax(scores);
      const log = mistake === 'log-base-10' ? Math.log10 : Math.log;
      const entropy = [weights.map((row) => -sum(row.map((p) => p * log(p))))];
      return { scores, weights, entropy };
    },
    exact: ['scores'],
    mistakes: ['log-base-10'],
    titles: { scores: 'Scores', weights: 'Weights', entropy: 'Entropy' },
    written: {},
  },

  adam: {
    draw(roll) {
      const width = 2 + roll(3);
      return {
        theta: halves(roll, 1, width),
        gradient: [Array.from({ length: width }, () => (1 + roll(6)) * (roll(2) ? 0.5 : -0.5))],
        m_0: halves(roll, 1, width),
        v_0: [Array.from({ length: width }, () => (1 + roll(8)) / 2)],
        t: 2 + roll(3),
        beta_1: 0.9,
        beta_2: [0.8, 0.99][roll(2)],
        epsilon: 0.5,
        'learning rate': 0.1,
      };
    },
    steps(given, mistake) {
      const { theta, gradient, m_0, v_0, t, beta_1, beta_2, epsilon } = given;
      const mixed = (beta, a, b) => zip(a, b, (x, y) => beta * x + (1 - beta) * y);
      const m = mixed(beta_1, m_0, gradient);
      const v = mixed(
        beta_2,
        v_0,
        map(gradient, (g) => g * g),
      );
      const isLeftOut = mistake === 'adam-no-bias-correction';
      const corrected = (beta, x) => map(x, (y) => (isLeftOut ? y : y / (1 - beta ** t)));
      const [m_hat, v_hat] = [corrected(beta_1, m), corrected(beta_2, v)];
      const update = zip(m_hat, v_hat, (a, b) => {
        if (mistake === 'adam-eps-inside') return a / Math.sqrt(b + epsilon);
        return a / ((mistake === 'adam-no-root' ? b : Math.sqrt(b)) + epsilon);
      });
      const moved = zip(theta, update, (x, by) => x - given['learning rate'] * by);
      return { ...given, m, v, m_hat, v_hat, update, theta_new: moved };
    },
    exact: [
      ...['theta', 'gradient', 'm_0', 'v_0'],
      ...['t', 'beta_1', 'beta_2', 'epsilon', 'learning rate'],
    ],
    mistakes: ['adam-no-bias-correction', 'adam-eps-inside', 'adam-no-root'],
    titles: { gradient: 'Gradient', update: 'Update' },
    written: { m: '\\beta_1 m_0 + (1 - \\beta_1) \\cdot \\text{Gradient}' },
  },

  schedule: {
    draw(roll) {
      const warmup = [4, 9, 16, 100, 4000][roll(5)];
      const steps = [0.25, 0.5, 1, 2, 8].map((part) => Math.ceil(part * warmup));
      const d_model = [4, 16, 64, 512][roll(4)];
      return { d_model, warmup, steps: [steps], step: 1 + roll(3 * warmup) };
    },
    steps({ d_model, warmup, steps, step }, mistake) {
      const power = mistake === 'warmup-power' ? -0.5 : -1.5;
      const rate = (n) => d_model ** -0.5 * Math.min(n ** -0.5, n * warmup ** power);
      return { d_model, warmup, steps, rates: map(steps, rate), step, rate: rate(step) };
    },
    exact: ['d_model', 'warmup', 'steps', 'step'],
    mistakes: ['warmup-power'],
    titles: { steps: 'Steps', rates: 'Learning rates', rate: 'Learning rate' },
    written: {
      rate: 'd_{model}^{-0.5} \\cdot \\min(step^{-0.5}, step \\cdot warmup^{-1.5})',
    },
  },
};
