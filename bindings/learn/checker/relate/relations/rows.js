// Relations of values that are put together from others as they stand: copies, concatenated heads, sums of a run, powers.

import { sumOf } from '../../../../js/base/sum.js';
import { each } from '../value.js';
import { last } from './candidate.js';

/** @typedef {import('../value.js').Value} Value */
/** @typedef {import('../memory.js').Entry} Entry */
/** @typedef {import('./candidate.js').Candidate} Candidate */
/** @typedef {import('./candidate.js').Search} Search */

/** A matrix whose rows a text has computed one after the other. @param {Search} search
 * @returns {Candidate[]} */
export function copies({ entries, value }) {
  const { length } = value.rows;
  if (value.rank !== 2 || length < 2) return [];
  const rows = entries.slice(0, length).reverse();
  const fits = rows.every(
    (entry) =>
      !entry.given &&
      entry.cells &&
      entry.printed.rank === 1 &&
      entry.printed.rows[0].length === value.rows[0].length,
  );
  if (!fits || rows.length < length) return [];
  return [
    {
      relation: 'copy',
      of: rows,
      expected: false,
      run: (values) => ({ rank: 2, rows: values.map((one) => one.rows[0]) }),
      mistakes: {},
    },
  ];
}

const HEAD = /^(?:head|z|o|h)?\s?(?:head)?\s?(\d|[₀-₉])/i;

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
  return [{ relation: 'concatenation', of: heads, expected: true, sure: true, run, mistakes: {} }];
}

/** The sum of the results directly before it that one function has computed, or of the row before it. @param {Search} search
 * @returns {Candidate[]} */
function sums({ entries }) {
  const [first] = entries;
  if (!first) return [];
  const isRow = first.printed.rank === 1;
  const until = entries.findIndex(({ call, printed }) => printed.rank > 0 || call !== first.call);
  const run = isRow ? [first] : entries.slice(0, until < 0 ? entries.length : until);
  const isCalled = isRow
    ? first.meaning === 'exponentials' || first.call === 'exp'
    : first.call === 'exp';
  if (!isCalled || (!isRow && run.length < 2)) return [];
  return [
    {
      relation: 'sum',
      of: run.reverse(),
      expected: true,
      certain: true,
      run: (values) => ({ rank: 0, rows: [[sumOf(values.flatMap(({ rows }) => rows.flat()))]] }),
      mistakes: {},
    },
  ];
}

/** @param {Search} search
 * @returns {Candidate[]} */
const exponentials = ({ alike }) =>
  last(alike, ['masked', 'scaled', 'scores']).map((scores) => ({
    relation: 'exponential',
    of: [scores],
    expected: true,
    run: ([x]) => each(x, Math.exp),
    mistakes: {},
  }));

/** @type {import('./candidate.js').Relations} */
export const rows = { concatenation: concatenations, sum: sums, exponentials };
