// The relations of attention: products, scores, scaled scores, masks, softmax.

import { sumOf } from '../../../../js/base/sum.js';
import { both, each, masked, product, softmax, turned } from '../value.js';
import { halfUnitOf, last } from './candidate.js';
import { sharesOfRun, sums } from './rows.js';

/** @typedef {import('../value.js').Value} Value */
/** @typedef {import('../memory.js').Entry} Entry */
/** @typedef {import('./candidate.js').Candidate} Candidate */
/** @typedef {import('./candidate.js').Search} Search */

/** The most that a column of numbers comes to, signs aside. @param {Value} value */
const widest = (value) =>
  Math.max(...turned(value).rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)));

/** @param {Entry} a @param {Entry} b @param {boolean} expected
 * @returns {Candidate} */
const productOf = (a, b, expected) => ({
  relation: 'product',
  of: [a, b],
  expected,
  band: a.given ? 0 : halfUnitOf(a) * widest(b.printed),
  run: ([x, y]) => product(x, y),
  mistakes: {
    ...(a.meaning === 'weights' ? { 'weights-transposed': ([x, y]) => product(turned(x), y) } : {}),
    ...(b.meaning === 'input' ? { 'w-transposed': ([x, y]) => product(x, turned(y)) } : {}),
  },
});

/** @param {Entry} a @param {Entry} b @param {boolean} expected
 * @returns {Candidate} */
const scoresOf = (a, b, expected) => ({
  relation: 'product with transpose',
  of: [a, b],
  expected,
  inner: a.printed.rows[0].length,
  run: ([q, k]) => product(q, turned(k)),
  mistakes: {
    'scores-transposed': ([q, k]) => product(k, turned(q)),
    'k-not-transposed': ([q, k]) => product(q, k),
  },
});

/** @param {Entry} a @param {number} size @param {boolean} expected
 * @returns {Candidate} */
const scaledOf = (a, size, expected) => ({
  relation: 'scaled',
  of: [a],
  expected,
  run: ([x]) => each(x, (s) => s / Math.sqrt(size)),
  mistakes: {
    'no-scaling': ([x]) => x,
    'scale-by-dk': ([x]) => each(x, (s) => s / size),
  },
});

/** @type {import('./candidate.js').Mistakes} */
export const mistakesOfSoftmax = {
  'softmax-over-columns': ([x]) => {
    const columns = softmax(turned(x));
    return columns && turned(columns);
  },
  'no-exp': ([x]) => ({
    rank: x.rank,
    rows: x.rows.map((row) => row.map((s) => s / sumOf(row))),
  }),
  'base-2': ([x]) => softmax(each(x, (s) => s * Math.LN2)),
};

/** @param {Entry} a @param {boolean} expected
 * @returns {Candidate} */
const softmaxOf = (a, expected) => ({
  relation: 'softmax',
  of: [a],
  expected,
  band: a.given ? 0 : halfUnitOf(a) / 2,
  run: ([x]) => softmax(x),
  mistakes: mistakesOfSoftmax,
});

/** The softmax of scores that are divided by a root which only words name, or that of the width. @param {Search} search
 * @returns {Candidate[]} */
const softmaxOfScaled = ({ known: memory, alike, wordsBehind }) =>
  alike
    .filter(({ meaning }) => meaning === 'scores')
    .slice(0, 3)
    .flatMap((s) => {
      const size = Number(ROOT.exec(wordsBehind(s))?.[1]) || widthIn(memory) || s.inner;
      const run = (/** @type {Value} */ x) => softmax(each(x, (one) => one / Math.sqrt(size ?? 1)));
      return size ? [{ relation: 'softmax', of: [s], run: ([x]) => run(x) }] : [];
    });

/** The softmax of scores at the temperature that is named directly before it; of a row at several, each in a row of its own.
 * @param {Search} search
 * @returns {Candidate[]} */
function softened({ entries, alike, value }) {
  const [temperature] = entries;
  if (!temperature || !TEMPERATURE.test(temperature.form)) return [];
  const { rank, rows } = temperature.printed;
  const isOne = rank === 0;
  const [count, width] = [value.rows.length, value.rows[0].length];
  const rowsAlike = entries.filter(
    ({ printed }) => printed.rank === 1 && printed.rows[0].length === width,
  );
  if (!isOne && (rows[0].length !== count || count < 2)) return [];
  return last(isOne ? alike : rowsAlike, SCORES).map((s) => ({
    relation: 'softmax',
    of: [s, temperature],
    expected: true,
    sure: isOne,
    run: ([x, t]) =>
      softmax({
        rank: value.rank,
        rows: value.rows.map((_, i) =>
          x.rows[isOne ? i : 0].map((one) => one / t.rows[0][isOne ? 0 : i]),
        ),
      }),
  }));
}

/** What a softmax is taken of. @type {import('../../read/names.js').Meaning[]} */
const SCORES = ['masked', 'scaled', 'scores'];

/** The softmax of one row of scores. @param {Search} search
 * @returns {Candidate[]} */
function softmaxOfRows({ entries, value }) {
  /* Zeros agree with those of a mask. */
  const isRow = value.rows.length === 1 && value.rows[0].filter((x) => x > 0).length > 1;
  return SCORES.flatMap((meaning) =>
    last(
      entries.filter(
        ({ printed: { rank, rows } }) =>
          rank === 2 && isRow && rows[0].length === value.rows[0].length,
      ),
      [meaning],
    ),
  ).flatMap((scores) =>
    scores.printed.rows.map((_, i) => ({
      relation: /** @type {const} */ ('softmax'),
      of: [scores],
      run: ([x]) => softmax({ rank: value.rank, rows: [x.rows[i]] }),
    })),
  );
}

/** What the text has computed above, and not printed. @param {Entry} entry
 * @returns {Candidate} */
const copyOf = (entry) => ({
  relation: 'copy',
  of: [entry],
  expected: true,
  run: ([x]) => x,
});

/** The output of one row of weights. @param {Search} search
 * @returns {Candidate[]} */
const outputsOfRows = ({ entries, value }) =>
  last(entries, ['weights']).flatMap((weights) =>
    last(entries, ['value']).flatMap((values) =>
      (value.rank === 1 ? weights.printed.rows.slice(0, MAX_ROWS) : []).map((_, i) => ({
        relation: /** @type {const} */ ('product'),
        of: [weights, values],
        run: ([a, v]) => product({ rank: 1, rows: [a.rows[i]] }, v),
      })),
    ),
  );

/** The weights of queries and keys. @param {Value[]} of @param {number} [size] whose root divides
 * @returns {Value | null} */
function weightsOf([queries, keys], size = keys.rows[0].length) {
  const scores = product(queries, turned(keys));
  return scores && softmax(each(scores, (s) => s / Math.sqrt(size)));
}

/** Weights at once, with no scores before them, divided or not. @param {Search} search
 * @returns {(Candidate & { run: (values: Value[]) => Value | null })[]} */
const weighed = ({ entries }) =>
  last(entries, ['query', 'input']).flatMap((q) =>
    last(entries, ['key', 'input']).flatMap((k) =>
      [undefined, 1].map((size) => ({
        relation: /** @type {const} */ ('softmax'),
        of: [q, k],
        run: (/** @type {Value[]} */ of) => weightsOf(of, size),
      })),
    ),
  );

/** All of attention at once. @param {Search} search
 * @returns {Candidate[]} */
const attended = (search) =>
  weighed(search).flatMap(({ of, run }) =>
    last(search.entries, ['value', 'input']).map((v) => ({
      relation: /** @type {const} */ ('product'),
      of: [...of, v],
      run: (values) => {
        const weights = run(values.slice(0, 2));
        return weights && product(weights, values[2]);
      },
    })),
  );

/** @param {Entry} a @param {boolean} expected
 * @returns {Candidate} */
const maskedOf = (a, expected) => ({
  relation: 'masked',
  of: [a],
  expected,
  run: ([x]) => (x.rank === 2 && x.rows.length === x.rows[0].length ? masked(x) : null),
  mistakes: {
    'mask-zero': ([x]) => each(masked(x), (s) => (s === -Infinity ? 0 : s)),
    'mask-flipped': ([x]) => turned(masked(turned(x))),
  },
});

/** Rows of weights that are tried, each. */
const MAX_ROWS = 12;
/** The number whose root divides, in words: Divide by √2 */
const ROOT = /(?:√|sqrt)\s?[({]?\s?(\d{1,6})/;
/** What a text calls d_k. @param {import('../memory.js').Memory} memory */
const widthIn = (memory) => {
  const { rank, rows } = memory.exactly('d_k')?.exact ?? { rank: -1, rows: [[0]] };
  return rank === 0 ? rows[0][0] : 0;
};
/** What stands between scores and their softmax, if the text says that it is one. */
const SAYS_SOFTMAX = /^.{0,150}softmax.{0,300}$/is;
const TEMPERATURE = /^(t|τ|temp|temperature)$/i;
const LETTER = /** @type {const} */ ({ query: 'q', key: 'k', value: 'v' });

/** @param {'query' | 'key' | 'value'} meaning
 * @returns {(search: Search) => Candidate[]} */
function projections(meaning) {
  const byLetter = new RegExp(`^w.*${LETTER[meaning]}|\\b${meaning}\\b`, 'i');
  return ({ entries }) => {
    const unexplained = entries.filter((entry) => entry.meaning === 'input');
    const inputs = unexplained.filter(({ form }) => !/^w/i.test(form));
    const weights = unexplained.filter(({ form }) => byLetter.test(form));
    return inputs.slice(0, 3).flatMap((x) => weights.slice(0, 2).map((w) => productOf(x, w, true)));
  };
}

/** What a step of attention may have come from, the likeliest first.
 * @type {import('./candidate.js').Relations} */
export const attention = {
  input: () => [],
  query: projections('query'),
  key: projections('key'),
  value: projections('value'),
  scores(search) {
    const { entries, value } = search;
    /* S = 11.21 behind exponentials is their sum. */
    if (value.rank === 0) return sums(search);
    const queries = last(entries, ['query', 'input']);
    const keys = last(entries, ['key', 'input']);
    return queries.flatMap((q) =>
      keys.map((k) => scoresOf(q, k, q.meaning === 'query' && k.meaning === 'key')),
    );
  },
  scaled({ known: memory, entries, alike, label, wordsBehind }) {
    const width = last(entries, ['key', 'query'])[0]?.printed.rows[0].length;
    /* Divided in a formula above: Q Kᵀ / √d = [[1/1.41, 0/1.41]]. */
    const temperature = entries.find(
      ({ form, printed }) => !printed.rank && TEMPERATURE.test(form),
    );
    const [above] = last(alike, ['scaled']);
    if (above && !above.cells) return [copyOf(above)];
    /* Of scores that are called otherwise the numbers tell. */
    const latest = alike.slice(0, 1).filter(({ meaning }) => meaning === null);
    const undivided = [...last(alike, ['scores']), ...latest].filter(
      ({ call }) => call !== 'quotient',
    );
    return undivided.flatMap((s) => {
      const root = ROOT.exec(label) ?? ROOT.exec(wordsBehind(s));
      const size = Number(root?.[1]) || widthIn(memory) || s.inner || width;
      const heat = temperature?.exact.rows[0][0] ?? 0;
      return [size, heat ** 2].filter(Boolean).map((one) => scaledOf(s, one, true));
    });
  },
  masked: ({ alike }) => last(alike, ['scaled', 'scores']).map((s) => maskedOf(s, true)),
  weights: (search) => {
    const { alike } = search;
    const hot = softened(search);
    if (hot.length) return hot;
    return last(alike, SCORES)
      .map((s) => softmaxOf(s, true))
      .concat(
        alike
          .slice(0, 1)
          .map((s) => softmaxOf(s, !s.given && SAYS_SOFTMAX.test(search.wordsBehind(s)))),
        softmaxOfScaled(search),
        softmaxOfRows(search),
        sharesOfRun(search),
        last(search.entries, ['scores']).length ? [] : weighed(search),
      );
  },
  output: (search) => {
    const { entries } = search;
    const weights = last(entries, ['weights']);
    const products = weights.flatMap((a) =>
      last(entries, ['value', 'input']).map((v) => productOf(a, v, v.meaning === 'value')),
    );
    return [...products, ...outputsOfRows(search), ...attended(search)];
  },
};

/** Relations of values whose name says nothing. @param {Search} search */
export function unnamed(search) {
  const { alike, value } = search;
  /* Whole numbers are no weights: a softmax would agree only by chance. Of p - y all but one are. */
  const numbers = value.rows.flat();
  if (numbers.every(Number.isInteger)) return [];
  if (numbers.some((x) => x < 0)) return factors(search);
  return [
    ...alike.slice(0, 3).map((s) => softmaxOf(s, false)),
    ...softmaxOfScaled(search),
    ...softmaxOfRows(search),
    ...sharesOfRun(search),
    ...factors(search),
  ];
}

/** A column of products beside its factors: most of them are neither. @param {Search} search
 * @returns {Candidate[]} */
function factors({ entries: [b, a], alike, value }) {
  if (![a, b].every((one) => one?.cells && alike.includes(one)) || value.rank !== 1) return [];
  const isOther = (/** @type {number} */ x, /** @type {number} */ i) =>
    [a, b].every(({ printed }) => Math.abs(printed.rows[0][i] / x - 1) > 0.01);
  const isProduct = value.rows[0].filter(isOther).length > 2;
  return isProduct
    ? [
        {
          relation: 'product',
          of: [a, b],
          run: ([x, y]) => both(x, y, (m, n) => m * n),
        },
      ]
    : [];
}
