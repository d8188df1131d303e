// Relations of values that are put together from others as they stand: copies, concatenated heads, sums of a run, powers.

import { sumOf } from '../../../../js/base/sum.js';
import { isRounded } from '../../../../js/number/judge.js';
import { agreement } from '../agreement.js';
import { isSlip } from '../doubt.js';
import { each } from '../value.js';
import { last } from './candidate.js';

/** @typedef {import('../value.js').Value} Value */
/** @typedef {import('../../read/number.js').Cell} Cell */
/** @typedef {import('../memory.js').Entry} Entry */
/** @typedef {import('./candidate.js').Candidate} Candidate */
/** @typedef {import('./candidate.js').Search} Search */

/** A number of a result: of which, in which row and column. @typedef {{ k: number, i: number, j: number }} Place */

/** A number, and the result that it may be a copy of. @typedef {{ place: Place, cell: Cell }} Copied */

/** Rows of a width that the results before hold: their own rows, and single numbers in a run.
 * @param {Entry[]} results in the order of the text @param {number} width
 * @returns {Place[][]} */
function rowsIn(results, width) {
  let run = 0;
  return results.flatMap(({ printed: { rank, rows } }, k) => {
    run = rank === 0 ? run + 1 : 0;
    if (rank > 0 && rows[0].length === width)
      return rows.map((row, i) => row.map((_, j) => ({ k, i, j })));
    if (run < width) return [];
    return [Array.from({ length: width }, (_, j) => ({ k: k - width + 1 + j, i: 0, j: 0 }))];
  });
}

/** The results before, of each equation the last, in the order of the text. @param {Search} search */
function resultsIn({ known: memory, label }) {
  /* Scaled scores are no copy of scores. A function below a heading says itself what it is. */
  const meaning = memory.meaningOf(label);
  const isAlike = (/** @type {Entry} */ one) =>
    one.printed.rank === 0 ||
    !meaning ||
    !one.meaning ||
    one.meaning === meaning ||
    Boolean(one.titled && one.call);
  return memory.entries.filter(
    (one, k, all) =>
      isAlike(one) &&
      !one.given &&
      one.cells &&
      !one.open &&
      one.gap === undefined &&
      all[k + 1]?.start !== one.start,
  );
}

/** The rows or numbers directly before that a value may put together: as many as it has.
 * @param {Entry[]} results @param {Value} value */
function runBefore(results, { rows }) {
  const last = results.at(-1);
  const rank = rows.length > 1 ? 1 : 0;
  const count = rank ? rows.length : rows[0].length;
  const from = results.findLastIndex(({ printed }) => printed.rank !== rank) + 1;
  const isWhole = last !== undefined && results.length - from === count && count > 2;
  return isWhole ? results.slice(from) : [];
}

/** Numbers that were computed one after the other, put together: rows as a matrix, single numbers as a row.
 * @param {Search} search
 * @returns {Candidate[]} */
export function copies(search) {
  const { value, cells } = search;
  const { length } = value.rows[0];
  if (!cells || value.rank === 0 || length < 2) return [];
  const all = resultsIn(search);
  const areWhole = value.rows.flat().every(Number.isInteger);
  /* Whole numbers may be the same by chance, but not a whole run. */
  const results = areWhole ? runBefore(all, value) : all;
  const rows = rowsIn(results, length);
  const isCopied = (/** @type {Place} */ { k, i, j }, /** @type {Cell} */ cell) =>
    isRounded(cell, results[k].exact.rows[i][j]) || results[k].cells?.[i][j].text === cell.text;
  /** @type {Place[][]} */
  const chosen = [];
  for (const row of cells.toReversed()) {
    const [best] = rows
      .map((places, n) => ({
        places,
        n,
        count: places.filter((one, m) => isCopied(one, row[m])).length,
      }))
      .sort((a, b) => b.count - a.count || b.n - a.n);
    if (!best) return [];
    chosen.unshift(best.places);
    rows.length = best.n + 1;
  }
  const pairs = chosen.flatMap((places, n) =>
    places.map((place, m) => ({ place, cell: cells[n][m] })),
  );
  const wrong = pairs.filter(({ place, cell }) => !isCopied(place, cell));
  const isOnce = new Set(chosen).size === chosen.length;
  const sure = isOnce && isSlipIn(wrong, pairs, results);
  if (wrong.length > 0 && !sure) return [];
  const of = [...new Set(chosen.flat().map(({ k }) => results[k]))];
  return [
    {
      relation: 'copy',
      of,
      sure,
      run: (values) => ({
        rank: value.rank,
        rows: chosen.map((places) =>
          places.map(({ k, i, j }) => values[of.indexOf(results[k])].rows[i][j]),
        ),
      }),
    },
  ];
}

/** Whether a number of each row and of each column agrees: otherwise what a matrix comes from may be wrong.
 * @param {Cell[][]} cells @param {Value} value */
const agreesAll = (cells, { rows }) => {
  const right = cells.map((row, i) => row.map((cell, j) => isRounded(cell, rows[i][j])));
  const isAny = (/** @type {boolean[]} */ line) => line.some(Boolean);
  return right.every(isAny) && right[0].every((_, j) => isAny(right.map((row) => row[j])));
};

/** How much of a matrix a copy has. */
const MOSTLY = 3 / 4;

/** A matrix that the text has computed above, and prints here under another name. Whole numbers may be the same by chance.
 * @param {Search} search
 * @returns {Candidate[]} */
export const computed = ({ known: memory, alike, value, cells }) =>
  alike
    .filter((entry) => entry.cells === null && value.rank === 2 && !memory.isStale(entry))
    .filter(() => !value.rows.flat().every(Number.isInteger))
    .filter(
      ({ exact, printed }) =>
        cells &&
        [exact, printed].some((one) => agreesAll(cells, one) && agreement(cells, one) >= MOSTLY),
    )
    .map((entry) => ({
      relation: 'copy',
      of: [entry],
      run: ([x]) => x,
    }));

/** A_{0,:} and A[0] are rows of A, counted from 0 or from 1. */
const ROW = /^(.{1,20}?)(?:_\{?(\d{1,2}),\s?:\s?\}?|\[(\d{1,2})(?:,\s?:)?\])$/;

/** Row 2 is the second one, or the third. */
const COUNTED = /^(?:row|zeile|ligne|fila|linha|riga|行)\s?(\d{1,2})$/i;

/** A row of a matrix by its name, or by its count: row 2 of the last one as wide. @param {Search} search
 * @returns {Candidate[]} */
export function namedRow({ known: memory, entries, label, value, cells }) {
  if (value.rank !== 1) return [];
  const [, base, ...indices] = ROW.exec(label) ?? [];
  const [, count] = (cells && COUNTED.exec(label)) ?? [];
  const { length } = value.rows[0];
  const isWide = (/** @type {Entry} */ { printed: { rank, rows } }) =>
    rank === 2 && rows[0].length === length;
  const last = count ? entries.find(isWide) : null;
  const matrix = base ? memory.exactly(base) : last;
  if (matrix?.printed.rank !== 2 || (last && (last.given || last.open))) return [];
  const index = Number(count ?? indices.find(Boolean));
  return [index, index - 1].flatMap((i) => {
    const row = matrix.exact.rows[i];
    const isOne = row && (base || isCopyOf(cells?.[0] ?? [], row));
    return isOne
      ? [
          {
            relation: /** @type {const} */ ('copy'),
            of: [matrix],
            expected: true,
            run: (/** @type {Value[]} */ [{ rows }]) => ({ rank: 1, rows: [rows[i]] }),
          },
        ]
      : [];
  });
}

/** Whether numbers repeat a row, but for a slip in one of several. Whole numbers may be the same by chance.
 * @param {Cell[]} cells @param {number[]} row */
function isCopyOf(cells, row) {
  const wrong = cells.flatMap((cell, j) => (isRounded(cell, row[j]) ? [] : [{ cell, i: 0, j }]));
  const isTelling = cells.some((cell, j) => cell.unit < 1 && cell.value && isRounded(cell, row[j]));
  const isSlipped = wrong.every((one) => isSlip(one, { rank: 1, rows: [row] }));
  return isTelling && cells.length > 2 && wrong.length < 2 && isSlipped;
}

/** Whether one number of several is copied wrongly, directly behind the results: single ones, or more than two. In p - y one differs, too,
 * and by no slip.
 * @param {Copied[]} wrong @param {Copied[]} pairs @param {Entry[]} results */
function isSlipIn(wrong, pairs, results) {
  const isDirect = Math.max(...pairs.map(({ place }) => place.k)) === results.length - 1;
  const areMany = pairs.length > 2 || pairs.some(({ place }) => !results[place.k].printed.rank);
  const isOne = wrong.length === 1 && isDirect && areMany;
  return (
    isOne && wrong.every(({ place, cell }) => isSlip({ ...place, cell }, results[place.k].exact))
  );
}

/** What a run of exponentials comes to over its sum: a softmax step by step. No other row stands between, and the run is as
 * long as the row. @param {Search} search
 * @returns {Candidate[]} */
export function sharesOfRun({ entries, value }) {
  const isRow = (/** @type {Entry} */ { printed }) => printed.rank > 0;
  const first = entries.findIndex((entry) => entry.call === 'exp' || isRow(entry));
  if (value.rank !== 1 || value.rows[0].length < 2 || entries[first]?.call !== 'exp') return [];
  const end = entries.findIndex(({ call }, k) => k > first && call !== 'exp');
  const run = isRow(entries[first])
    ? [entries[first]]
    : entries.slice(first, end < 0 ? entries.length : end).reverse();
  if (run.flatMap(({ printed }) => printed.rows.flat()).length !== value.rows[0].length) return [];
  return [
    {
      relation: 'softmax',
      of: run,
      run: (values) => {
        const powers = values.flatMap(({ rows }) => rows.flat());
        return { rank: 1, rows: [powers.map((x) => x / sumOf(powers))] };
      },
    },
  ];
}

const HEAD = /^(?:head|out(?:put)?|z|o|h)?\s?(?:head)?\s?(\d|[₀-₉])/i;

/** Heads side by side. @param {Search} search
 * @returns {Candidate[]} */
function concatenations({ entries, value }) {
  const { length } = value.rows;
  const heads = entries
    .filter(({ form, printed }) => HEAD.test(form) && printed.rows.length === length)
    .reverse();
  const width = sumOf(heads.map(({ printed }) => printed.rows[0].length));
  if (heads.length < 2 || width !== value.rows[0].length) return [];
  const run = (/** @type {Value[]} */ values) => ({
    rank: value.rank,
    rows: values[0].rows.map((_, i) => values.flatMap((one) => one.rows[i])),
  });
  return [{ relation: 'concatenation', of: heads, expected: true, sure: true, run }];
}

/** The sum of the results directly before it that one function has computed, of the row before it, or of the exponentials of a
 * row. @param {Search} search
 * @returns {Candidate[]} */
export function sums({ entries }) {
  const [first] = entries;
  if (!first) return [];
  const isRow = first.printed.rank === 1;
  const until = entries.findIndex(({ call, printed }) => printed.rank > 0 || call !== first.call);
  const run = isRow ? [first] : entries.slice(0, until < 0 ? entries.length : until);
  const row = isRow ? undefined : entries.find(({ printed }) => printed.rank === 1);
  /* Of equal exponentials texts compute one. */
  const isOther = row && row.printed.rows[0].length !== run.length;
  const isCalled = first.call === 'exp' || (isRow && first.meaning === 'exponentials');
  if (!isCalled || (!isRow && run.length < 2)) return [];
  const numbersOf = (/** @type {Value[]} */ values) => values.flatMap(({ rows }) => rows.flat());
  return [
    {
      relation: 'sum',
      of: isOther ? [row] : run.reverse(),
      expected: true,
      certain: !isOther,
      run: (values) => {
        const numbers = isOther ? numbersOf(values).map(Math.exp) : numbersOf(values);
        return { rank: 0, rows: [[sumOf(numbers)]] };
      },
    },
  ];
}

/** @param {Search} search
 * @returns {Candidate[]} */
const exponentials = ({ alike }) => {
  const named = last(alike, ['masked', 'scaled', 'scores']);
  return [...named, ...alike.slice(0, 3)].map((scores) => ({
    relation: 'exponential',
    of: [scores],
    expected: named.includes(scores),
    run: ([x]) => each(x, Math.exp),
  }));
};

/** What each number of a column comes to with all before it. @param {Search} search
 * @returns {Candidate[]} */
const cumulative = ({ alike }) =>
  alike.slice(0, 1).map((one) => ({
    relation: 'cumulative sum',
    of: [one],
    expected: true,
    run: ([{ rank, rows: all }]) => ({
      rank,
      rows: all.map((row) => row.map((_, j) => sumOf(row.slice(0, j + 1)))),
    }),
  }));

/** @type {import('./candidate.js').Relations} */
export const rows = { concatenation: concatenations, exponentials, cumulative };
