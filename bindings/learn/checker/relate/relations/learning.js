// The relations of training: losses, gradients, a step of Adam, the learning rate.

import { meanOf, sumOf } from '../../../../js/base/sum.js';
import { added, both, each, sameShape } from '../value.js';
import { halfUnitOf, last, perRow } from './candidate.js';

/** @typedef {import('../value.js').Value} Value */
/** @typedef {import('../memory.js').Entry} Entry */
/** @typedef {import('./candidate.js').Candidate} Candidate */
/** @typedef {import('./candidate.js').Run} Run */
/** @typedef {import('./candidate.js').Search} Search */

const isAlone = (/** @type {Value} */ { rows }) => rows.length === 1 && rows[0].length === 1;

/** The target of each row of probabilities: rows of shares as they are, classes as one-hot rows.
 * @param {Value} labels @param {Value} probabilities
 * @returns {Value | null} */
function targetsOf(labels, probabilities) {
  const { rank, rows } = probabilities;
  if (sameShape(labels, probabilities)) return labels;
  const classes = labels.rows.flat();
  const fits = classes.every((x) => Number.isInteger(x) && x >= 0 && x < rows[0].length);
  if (classes.length !== rows.length || !fits) return null;
  return { rank, rows: classes.map((label) => rows[0].map((_, j) => Number(j === label))) };
}

/** The probabilities that have a share in a loss. @param {Value} p @param {Value} labels */
const targeted = (p, labels) => {
  const shares = targetsOf(labels, p)?.rows.flat() ?? [];
  return p.rows.flat().filter((x, i) => shares[i] && x > 0);
};

/** - sum q log p of each row. @param {Value} p @param {Value} q @param {(x: number) => number} log */
const entropies = (p, q, log) =>
  p.rows.map((row, i) => -sumOf(row.map((x, j) => (q.rows[i][j] ? q.rows[i][j] * log(x) : 0))));

/** Each target in the row above its own. @param {Value} q
 * @returns {Value} */
const shifted = ({ rank, rows }) => ({
  rank,
  rows: rows.map((_, i) => rows[(i + 1) % rows.length]),
});

/** Losses as a value shows them: one for each row, or one for all.
 * @param {Value} shape @param {number[]} losses @param {(losses: number[]) => number} total */
const shown = (shape, losses, total) =>
  perRow(shape, losses) ?? (isAlone(shape) ? { ...shape, rows: [[total(losses)]] } : null);

/** Probabilities and labels that fit each other, the latest first. @param {Entry[]} entries */
function labelled(entries) {
  const labels = entries.filter(({ meaning }) => meaning === 'labels').slice(0, 2);
  const probabilities = entries.filter(({ meaning }) => meaning === 'weights').slice(0, 3);
  return probabilities
    .flatMap((p) => labels.map((q) => ({ p, q })))
    .filter(
      ({ p, q }) => targetsOf(q.printed, p.printed) && `${p.printed.rows}` !== `${q.printed.rows}`,
    );
}

/** A validation loss may be of anything. */
const PLAINLY_LOSS =
  /^\W*(the |total |mean |average |cross.?entropy |nll )*(loss(es)?|cross.?entropy)\W*$/i;

/** @param {Search} search
 * @returns {Candidate[]} */
function losses({ entries, label, value }) {
  const isTotal = /\b(total|sum)/i.test(label);
  const total = isTotal ? sumOf : meanOf;
  const many = entries.filter(({ printed }) => printed.rows.flat().length > 1);
  const averages = (isAlone(value) ? last(many, ['loss']) : []).map((one) => {
    /** @type {(of: (losses: number[]) => number) => Run} */
    const by =
      (of) =>
      ([x]) =>
        shown(value, x.rows.flat(), of);
    return {
      relation: isTotal ? /** @type {const} */ ('sum') : /** @type {const} */ ('mean'),
      of: [one],
      run: by(total),
      mistakes: { 'sum-for-mean': by(sumOf) },
    };
  });
  const entropies = labelled(entries).map(({ p, q }) => ({
    relation: /** @type {const} */ ('cross entropy'),
    of: [p, q],
    band: p.given ? 0 : halfUnitOf(p) / Math.min(...targeted(p.printed, q.printed)),
    run: crossEntropy(value, Math.log, total),
    mistakes: {
      'log-base-10': crossEntropy(value, Math.log10, total),
      'label-shifted': crossEntropy(value, Math.log, total, shifted),
      'sum-for-mean': crossEntropy(value, Math.log, sumOf),
    },
  }));
  const certain = PLAINLY_LOSS.test(label);
  return [...averages, ...entropies].map((one) => ({ ...one, expected: true, certain }));
}

/** @param {Value} shape @param {(x: number) => number} log @param {(losses: number[]) => number} total
 * @param {(targets: Value) => Value} [move]
 * @returns {Run} */
const crossEntropy =
  (shape, log, total, move = (targets) => targets) =>
  ([p, labels]) => {
    const targets = targetsOf(labels, p);
    return targets && shown(shape, entropies(p, move(targets), log), total);
  };

/** How far the entropy of a row may move for a rounding of its probabilities. @param {Value} p */
const steepest = ({ rows }) =>
  Math.max(...rows.map((row) => sumOf(row.map((x) => (x > 0 ? Math.abs(Math.log(x)) + 1 : 0)))));

/** In nats, or in bits. @param {Search} search
 * @returns {Candidate[]} */
function entropy({ entries, value }) {
  /** @type {(log: (x: number) => number) => Run} */
  const by =
    (log) =>
    ([p]) =>
      perRow(value, entropies(p, p, log));
  return last(entries, ['weights']).flatMap((p) =>
    [Math.log, Math.log2].map((log) => ({
      relation: /** @type {const} */ ('entropy'),
      of: [p],
      expected: true,
      band: p.given ? 0 : halfUnitOf(p) * steepest(p.printed),
      run: by(log),
      mistakes: { 'log-base-10': by(Math.log10) },
    })),
  );
}

/** p - y, of the sum of losses or of their mean. @param {Search} search
 * @returns {Candidate[]} */
function gradients({ entries, alike }) {
  return labelled(entries)
    .filter(({ p }) => alike.includes(p))
    .flatMap(({ p, q }) =>
      [1, p.printed.rows.length].map((count) => {
        /** @type {(of: (x: number, y: number) => number) => Run} */
        const by =
          (of) =>
          ([x, labels]) => {
            const targets = targetsOf(labels, x);
            return targets && both(x, targets, (a, b) => of(a, b) / count);
          };
        return {
          relation: /** @type {const} */ ('softmax gradient'),
          of: [p, q],
          expected: true,
          run: by((a, b) => a - b),
          mistakes: { 'gradient-sign': by((a, b) => b - a), 'label-ignored': by((a) => a) },
        };
      }),
    );
}

/** Of a softmax: diag(p) - p pᵀ. @param {Search} search
 * @returns {Candidate[]} */
const jacobians = ({ entries }) =>
  last(
    entries.filter(({ printed }) => printed.rank === 1),
    ['weights'],
  ).map((p) => ({
    relation: /** @type {const} */ ('softmax gradient'),
    of: [p],
    expected: true,
    run: ([
      {
        rows: [row],
      },
    ]) => ({
      rank: 2,
      rows: row.map((x, i) => row.map((y, j) => x * (Number(i === j) - y))),
    }),
  }));

/** What texts call the numbers of a step, and what they are where a text does not say. */
const NUMBERS = {
  beta1: { names: ['beta1', 'β1', 'β₁'], usual: 0.9 },
  beta2: { names: ['beta2', 'β2', 'β₂'], usual: 0.999 },
  epsilon: { names: ['epsilon', 'varepsilon', 'ε', 'eps'], usual: 1e-8 },
  rate: {
    names: ['learning rate', 'learningrate', 'rate', 'lr', 'alpha', 'α', 'eta', 'η'],
    usual: Number.NaN,
  },
  step: { names: ['t', 'step'], usual: 1 },
  dModel: { names: ['dmodel', 'd model'], usual: Number.NaN },
  warmup: {
    names: ['warmup', 'warm-up', 'warmupsteps', 'warmup steps', 'warm-up steps'],
    usual: Number.NaN,
  },
};
const STEPS = ['steps', 'step', 't'];

/** A number that the text has named. @param {Search} search @param {keyof typeof NUMBERS} what */
function numberNamed({ known: memory }, what) {
  const { names, usual } = NUMBERS[what];
  const value = names.map((name) => memory.find(name)?.printed).find((value) => value?.rank === 0);
  return value ? value.rows[0][0] : usual;
}

/** A moment of the gradient, from the one before if there is one.
 * @param {'moment1' | 'moment2'} meaning
 * @returns {(search: Search) => Candidate[]} */
const momentOf = (meaning) => (search) => {
  if (/(0|before|old|prev\w*)\W*$/i.test(search.label)) return [];
  const isFirst = meaning === 'moment1';
  const beta = numberNamed(search, isFirst ? 'beta1' : 'beta2');
  const before = last(search.alike, [meaning]);
  /* Momentum has one decay, and other ways. */
  const isAdam = NUMBERS.beta2.names.some((name) => search.known.exactly(name));
  return last(search.alike, ['gradient']).map((gradient) => ({
    relation: 'moment',
    of: [gradient, ...before],
    expected: true,
    certain: isAdam && before.length > 0,
    run: ([g, old]) => {
      const share = each(g, (x) => (1 - beta) * (isFirst ? x : x * x));
      return old
        ? added(
            each(old, (x) => beta * x),
            share,
          )
        : share;
    },
  }));
};

/** @param {'moment1' | 'moment2'} meaning
 * @returns {(search: Search) => Candidate[]} */
const correctedOf = (meaning) => (search) => {
  const beta = numberNamed(search, meaning === 'moment1' ? 'beta1' : 'beta2');
  const share = 1 - beta ** numberNamed(search, 'step');
  return last(search.alike, [meaning]).map((moment) => ({
    relation: 'bias correction',
    of: [moment],
    expected: true,
    certain: true,
    run: ([m]) => each(m, (x) => x / share),
    mistakes: { 'adam-no-bias-correction': ([m]) => m },
  }));
};

/** Ways to divide one moment by the root of the other.
 * @typedef {(m: number, v: number, epsilon: number) => number} Quotient
 * @type {Record<string, Quotient>} */
const MISTAKEN = {
  'adam-eps-inside': (m, v, epsilon) => m / Math.sqrt(v + epsilon),
  'adam-no-root': (m, v, epsilon) => m / (v + epsilon),
};

/** A step by a quotient of moments. @param {Entry[]} of
 * @param {(values: Value[], quotient: Quotient) => Value | null} run
 * @returns {Candidate} */
const byQuotient = (of, run) => ({
  relation: 'adam step',
  of,
  expected: true,
  certain: true,
  run: (values) => run(values, (m, v, epsilon) => m / (Math.sqrt(v) + epsilon)),
  mistakes: Object.fromEntries(
    Object.entries(MISTAKEN).map(([name, quotient]) => [name, (values) => run(values, quotient)]),
  ),
});

/** The moments that a step divides, corrected if the text corrects them. @param {Search} search */
const momentsIn = ({ alike }) => {
  const [m, v] = [last(alike, ['corrected1', 'moment1']), last(alike, ['corrected2', 'moment2'])];
  return m.flatMap((one) => v.map((other) => [one, other]));
};

/** With the learning rate, or without it. @param {Search} search
 * @returns {Candidate[]} */
function updates(search) {
  const [epsilon, rate] = [numberNamed(search, 'epsilon'), numberNamed(search, 'rate')];
  return momentsIn(search).flatMap((moments) =>
    [1, rate].map((factor) =>
      byQuotient(moments, ([m, v], quotient) =>
        both(m, v, (a, b) => factor * quotient(a, b, epsilon)),
      ),
    ),
  );
}

/** @param {Search} search
 * @returns {Candidate[]} */
function parameters(search) {
  const { alike } = search;
  const [epsilon, rate] = [numberNamed(search, 'epsilon'), numberNamed(search, 'rate')];
  /** @type {(factor: number) => Run} */
  const less =
    (factor) =>
    ([x, by]) =>
      both(x, by, (a, b) => a - factor * b);
  return last(alike, ['parameters']).flatMap((theta) => [
    ...last(alike, ['update']).flatMap((update) =>
      [rate, 1].map((factor) => ({
        relation: /** @type {const} */ ('adam step'),
        of: [theta, update],
        expected: true,
        certain: true,
        run: less(factor),
      })),
    ),
    ...momentsIn(search).map((moments) =>
      byQuotient([theta, ...moments], ([x, m, v], quotient) => {
        const update = both(m, v, (a, b) => quotient(a, b, epsilon));
        return update && less(rate)([x, update]);
      }),
    ),
  ]);
}

/** Vaswani et al. 2017, formula 3, for each step of a list or of a table. @param {Search} search
 * @returns {Candidate[]} */
function rates(search) {
  const { known: memory, label, value } = search;
  const [dModel, warmup] = [numberNamed(search, 'dModel'), numberNamed(search, 'warmup')];
  const isTable = value.rows[0].length === 2 && value.rows.every(([n]) => Number.isInteger(n));
  const count = value.rows.flat().length;
  const named = /\bsteps? (\d{1,9})\b/i.exec(label);
  const steps = STEPS.flatMap((name) => memory.exactly(name) ?? []).filter(
    ({ printed }) => printed.rows.flat().length === count,
  );
  const by =
    (/** @type {number} */ power) =>
    (/** @type {Value[]} */ [list]) => {
      const rate = (/** @type {number} */ n) =>
        Math.min(n ** -0.5, n * warmup ** power) / Math.sqrt(dModel);
      if (named) return perRow(value, [rate(Number(named[1]))]);
      if (isTable) return { ...value, rows: value.rows.map(([n]) => [n, rate(n)]) };
      return perRow(value, list.rows.flat().map(rate));
    };
  if (Number.isNaN(dModel + warmup) || !(isTable || named || steps.length)) return [];
  return [
    {
      relation: 'schedule',
      of: isTable || named ? [] : steps.slice(0, 1),
      expected: true,
      certain: true,
      run: by(-1.5),
      mistakes: { 'warmup-power': by(-0.5) },
    },
  ];
}

/** What a step of training may have come from, the likeliest first.
 * @type {import('./candidate.js').Relations} */
export const learning = {
  labels: () => [],
  loss: losses,
  entropy,
  gradient: gradients,
  jacobian: jacobians,
  moment1: momentOf('moment1'),
  moment2: momentOf('moment2'),
  corrected1: correctedOf('moment1'),
  corrected2: correctedOf('moment2'),
  update: updates,
  parameters,
  rate: rates,
};
