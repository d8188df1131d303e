// The relations around attention: positions, residual sums, norms.

import { meanOf, sumOf } from '../../../../js/base/sum.js';
import { isWritten } from '../../read/number.js';
import { added, both, layerNorm, normalised, numberOf, squaresOf, turned } from '../value.js';
import { last, perRow } from './candidate.js';
import { sums } from './rows.js';

/** @typedef {import('../value.js').Value} Value */
/** @typedef {import('../memory.js').Entry} Entry */
/** @typedef {import('./candidate.js').Candidate} Candidate */
/** @typedef {import('./candidate.js').Run} Run */
/** @typedef {import('./candidate.js').Search} Search */

const isAround = (/** @type {Entry} */ { meaning }) => meaning === 'gain' || meaning === 'bias';

/** One number for each row of x, or for each column, if the label says so.
 * @param {'sum' | 'mean' | 'variance' | 'deviation'} relation
 * @param {(row: number[]) => number} way
 * @param {Record<string, (row: number[]) => number>} [others] by known misconceptions
 * @returns {(search: Search) => Candidate[]} */
const statistic =
  (relation, way, others = {}) =>
  (search) => {
    const { entries, label, value, before, wordsBehind } = search;
    const of = (/** @type {Value} */ x) => (COLUMNS.test(label) ? turned(x) : x).rows;
    const by =
      (/** @type {(row: number[]) => number} */ one) =>
      (/** @type {Value[]} */ [x]) =>
        perRow(value, of(x).map(one));
    const rows = entries.filter((entry) => {
      const { length, 0: first } = of(entry.printed);
      return first.length > 1 && perRow(value, Array(length).fill(0)) && !isAround(entry);
    });
    /* What programs call var divides by n - 1, what they call std is its root. */
    const isOfProgram = /^(var|std)\b/.test(label) || BY_FEWER.test(before);
    const ways = isOfProgram ? [way, ...Object.values(others).slice(0, 1)] : [way];
    const named = value.rank === 0 ? ofNamedRow(search, relation, ways) : [];
    if (named.length) return named;
    const inputs = [...last(rows, ['residual', 'input']), ...rows.slice(0, 2)];
    return inputs.flatMap((x, i) =>
      ways.map((one) => ({
        relation,
        of: [x],
        expected: true,
        certain: i === 0 && !APART.test(wordsBehind(x)),
        run: by(one),
        mistakes: Object.fromEntries(Object.entries(others).map(([name, one]) => [name, by(one)])),
      })),
    );
  };

/** The same of the row that a text names: "cat": mean = 0.5. Of several ways the text's other numbers of this kind tell which it
 * means. @param {Search} search @param {'sum' | 'mean' | 'variance' | 'deviation'} relation
 * @param {((row: number[]) => number)[]} ways
 * @returns {Candidate[]} */
function ofNamedRow({ entries, rowOf }, relation, ways) {
  const matrices = entries.filter((entry) => rowOf(entry) >= 0);
  const others = entries.flatMap(({ meaning, printed, cells }) =>
    meaning === relation && printed.rank === 0 && cells ? cells.flat() : [],
  );
  return matrices.flatMap((x) => {
    const isMeant = (/** @type {(row: number[]) => number} */ way) =>
      others.some((cell) => x.exact.rows.some((row) => isWritten(cell, way(row))));
    const meant = ways.length > 1 ? ways.filter(isMeant) : ways;
    const isSure = matrices.length === 1 && meant.length === 1;
    const row = rowOf(x);
    return (isSure ? meant : ways).map((way) => ({
      relation,
      of: [x],
      expected: true,
      sure: isSure,
      row,
      run: (/** @type {Value[]} */ [{ rows }]) => numberOf(way(rows[row])),
    }));
  });
}

/** What of PyTorch divides by n - 1, unless it says otherwise. */
const BY_FEWER =
  /(?:\btorch\.(?:var|std)|\b(?!np\b|numpy\b)\w+\.(?:var|std))\((?![^()\n]*(?:unbiased\s*=\s*False|correction\s*=\s*0))[^()\n]*\bdim\b/;
/** Where another paragraph begins, which may be about other numbers. */
const APART = /\n\s*\n|\\(?:sub)*section\b/;
/** A label of what is computed for each column. */
const COLUMNS = /\b(column|colonne|spalten|columna|coluna)|列/i;

const sumOfEach = statistic('sum', sumOf);

const variance = (/** @type {number[]} */ row) => squaresOf(row) / row.length;
const varianceOfFewer = (/** @type {number[]} */ row) => squaresOf(row) / (row.length - 1);

/** @param {Value} x */
const byColumns = (x) => turned(normalised(turned(x), (row) => Math.sqrt(variance(row)) || 1));

/** Added to the variance by programs, and by few texts. */
const EPSILONS = [0, 1e-5];

/** @param {Entry} x @param {Entry[]} around gain and bias, as far as the text has them
 * @param {number} epsilon
 * @returns {Candidate} */
function normOf(x, around, epsilon) {
  const by =
    (/** @type {(x: Value) => Value | null} */ norm) =>
    (/** @type {Value[]} */ [first, ...gainAndBias]) =>
      gainAndBias.reduce((y, one, i) => {
        const isGain = around[i].meaning === 'gain';
        return y && both(y, one, isGain ? (a, b) => a * b : (a, b) => a + b);
      }, norm(first));
  const right = (/** @type {Value} */ value) => layerNorm(value, epsilon);
  return {
    relation: 'layer norm',
    of: [x, ...around],
    expected: around.length > 0,
    run: by(right),
    mistakes: {
      'norm-n-minus-1': by((value) => normalised(value, (row) => Math.sqrt(varianceOfFewer(row)))),
      'no-root': by((value) => normalised(value, variance)),
      'norm-over-tokens': by((value) => (value.rows.length > 1 ? byColumns(value) : null)),
      ...(around.length ? { 'no-gain-bias': ([value]) => right(value) } : {}),
    },
  };
}

/** A norm by means and deviations that the text has for each row: in a list, or each alone.
 * @param {Search} search @param {Entry} x
 * @returns {Candidate[]} */
function normBy({ entries }, x) {
  const { length } = x.printed.rows;
  const [means, deviations] = ['mean', 'deviation'].map((meaning) => {
    const all = entries.filter((one) => one.meaning === meaning && one.from?.includes(x));
    const list = all.find(({ printed }) => printed.rows.flat().length === length);
    const alone = x.printed.rows.flatMap((_, i) => all.find(({ row }) => row === i) ?? []);
    return list ? [list] : alone.length === length ? alone : [];
  });
  if (!deviations.length) return [];
  const run = (/** @type {Value[]} */ [{ rank, rows }, ...others]) => {
    const numbers = others.flatMap(({ rows }) => rows.flat());
    const [middles, over] = means.length ? [numbers, numbers.slice(length)] : [null, numbers];
    return {
      rank,
      rows: rows.map((row, i) => row.map((y) => (y - (middles?.[i] ?? meanOf(row))) / over[i])),
    };
  };
  const of = [x, ...means, ...deviations];
  return [{ relation: 'layer norm', of, expected: true, run }];
}

/** @param {Search} search
 * @returns {Candidate[]} */
function norms(search) {
  const { alike, entries, label, value } = search;
  const fits = entries.filter(
    ({ printed: { rows } }) => rows.length === 1 && rows[0].length === value.rows[0].length,
  );
  const around = [...last(fits, ['gain']), ...last(fits, ['bias'])];
  /* What is normalised may yet wait for its gain. */
  const waits = !around.length || /normali[sz]ed/i.test(label) ? [[]] : [];
  const inputs = [...last(alike, ['residual']), ...alike.filter((entry) => !isAround(entry))];
  return inputs
    .slice(0, 3)
    .flatMap((x) => [around, ...waits].map((those) => ({ x, those })))
    .flatMap(({ x, those }) => [
      ...EPSILONS.map((epsilon) => normOf(x, those, epsilon)),
      ...(those.length ? [] : normBy(search, x)),
    ]);
}

/** The codes of positions, sines and cosines in turn, or all sines first.
 * @param {Search} search @param {number[]} places of the rows @param {{ guessed: boolean, named: boolean }} how named: whether the
 *   text says which positions these are
 * @returns {Candidate[]} */
function sinusoidsAt({ value, known: memory, gap }, places, { guessed, named }) {
  const shown = value.rows[0].length;
  const [width] = gap === undefined ? [] : (memory.find('d_model')?.printed.rows.flat() ?? []);
  const channels = width ?? shown;
  /* Of those that are left out only the width is known. */
  const shaped = (/** @type {number[][]} */ rows) => ({
    rank: value.rank,
    rows:
      gap === undefined
        ? rows
        : rows.map((row) => [...row.slice(0, gap), ...row.slice(channels - shown + gap)]),
  });
  const code = (/** @type {number[]} */ positions, /** @type {number} */ width, pairs = 2) =>
    positions.map((position) =>
      Array.from({ length: width }, (_, i) => {
        const angle = position / 10_000 ** ((i - (i % pairs)) / width);
        return i % 2 ? Math.cos(angle) : Math.sin(angle);
      }),
    );
  const later = places.map((position) => position + 1);
  const sinesFirst = (/** @type {number[]} */ row) =>
    [0, 1].flatMap((odd) => row.filter((_, i) => i % 2 === odd));
  const sinusoid = {
    relation: /** @type {const} */ ('sinusoid'),
    of: [],
    expected: true,
    /* The first sine and cosine are those of any width. */
    guessed: guessed || gap !== undefined,
  };
  const inTurn = {
    ...sinusoid,
    run: () => shaped(code(places, channels)),
    mistakes: {
      ...(named && { 'position-from-1': () => shaped(code(later, channels)) }),
      'sin-cos-swapped': () =>
        shaped(code(places, channels).map((row) => row.map((_, i) => row[i ^ 1]))),
      'exponent-i-for-2i': () =>
        shaped(code(places, 2 * channels).map((row) => row.slice(0, channels))),
    },
  };
  /* Some programs give each channel a frequency of its own. */
  const others = [
    () => code(places, channels).map(sinesFirst),
    () => code(places, channels, 1),
  ].map((rows) => ({ ...sinusoid, run: () => shaped(rows()) }));
  return channels < 4 ? [inTurn] : [inTurn, ...others];
}

const isPlace = (/** @type {number} */ x) => Number.isInteger(x) && x >= 0 && x < 2 ** 20;

/** Positions of a row alone, where the text does not say which it is. */
const FIRST = Array.from({ length: 10 }, (_, position) => [position]);

/** The places that a text may mean: those that it gives, the one in the label, or from 0 on.
 * @param {Search} search */
function placesFor({ entries, label, value }) {
  const count = value.rows.length;
  const listed = entries
    .filter(({ meaning }) => meaning === 'places')
    .map(({ printed }) => printed.rows.flat())
    .filter((places) => places.length === count && places.every(isPlace));
  const [digits] = /\d{1,6}/.exec(label) ?? [];
  const inLabel = count === 1 && digits ? [[Number(digits)]] : [];
  const rest = count === 1 ? FIRST : [Array.from({ length: count }, (_, i) => i)];
  return { named: [...listed.slice(0, 1), ...inLabel], rest };
}

/** @param {Search} search */
function sinusoids(search) {
  const { value, gap } = search;
  if (value.rows[0].length < 2 || (gap !== undefined && !search.known.find('d_model'))) return [];
  const { named, rest } = placesFor(search);
  const isAlone = value.rows.length === 1;
  return [
    ...named.flatMap((places) => sinusoidsAt(search, places, { guessed: false, named: true })),
    ...rest.flatMap((places) => sinusoidsAt(search, places, { guessed: true, named: !isAlone })),
  ];
}

/** What a layer's step may have come from, the likeliest first.
 * @type {import('./candidate.js').Relations} */
export const layers = {
  gain: () => [],
  bias: () => [],
  places: (search) => (search.value.rows.flat().every(isPlace) ? [] : sinusoids(search)),
  sum: (search) => (search.value.rank === 0 ? sums(search) : sumOfEach(search)),
  mean: statistic('mean', meanOf),
  variance: statistic('variance', variance, { 'norm-n-minus-1': varianceOfFewer }),
  deviation: statistic('deviation', (row) => Math.sqrt(variance(row)), {
    'norm-n-minus-1': (row) => Math.sqrt(varianceOfFewer(row)),
    'no-root': variance,
  }),
  norm: norms,
  residual: ({ alike }) =>
    alike.slice(0, 4).flatMap((b, i) =>
      alike.slice(i + 1, 4).map((a) => ({
        relation: /** @type {const} */ ('sum'),
        of: [a, b],
        expected: true,
        run: /** @type {Run} */ (([x, y]) => added(x, y)),
        mistakes: /** @type {Record<string, Run>} */ (
          b.meaning === 'positions' ? { 'positions-missing': ([x]) => x } : {}
        ),
      })),
    ),
  positions: sinusoids,
};
