// Which relations may hold between the values of a text, by what it calls them and by their shapes.

import { rowNamedIn } from '../named.js';
import { sameShape } from '../value.js';
import { attention, unnamed } from './attention.js';
import { layers } from './layers.js';
import { learning } from './learning.js';
import { computed, copies, namedRow, rows } from './rows.js';

/** @typedef {import('./candidate.js').Candidate} Candidate */

/** @type {import('./candidate.js').Relations} */
const RELATIONS = { ...attention, ...layers, ...learning, ...rows };

/** How many values back one may come from. */
const MAX_BACK = 24;
/** Characters before a value that may say how it was computed. */
const MAX_BEFORE = 20_000;

/** What a value may have come from, the likeliest first.
 * @param {import('../memory.js').Memory} memory @param {string} text
 * @param {string} label @param {import('../value.js').Value} value
 * @param {import('../../read/number.js').Cell[][] | null} cells as the text prints it
 * @param {number} [gap] before which of its numbers others are left out
 * @returns {Candidate[]} */
export function candidatesFor(memory, text, label, value, cells, gap) {
  const recent = memory.entries.length - MAX_BACK;
  /* Matrices are needed to the end of a text. */
  const entries = memory.entries
    .filter((entry, k) => k >= recent || entry.printed.rank === 2)
    .reverse();
  const alike = entries.filter(({ printed }) => sameShape(printed, value));
  const start = cells ? cells[0][0].start : 0;
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  const wordsBehind = (/** @type {import('../memory.js').Entry} */ { end = start }) =>
    text.slice(Math.max(end, start - MAX_BEFORE), Math.max(end, start));
  const rowOf = (/** @type {import('../memory.js').Entry} */ entry) =>
    rowNamedIn(text, entry, start);
  const about = { known: memory, label, value, cells, gap };
  const search = { ...about, entries, alike, before, wordsBehind, rowOf };
  const meaning = memory.meaningOf(label);
  const related = meaning ? RELATIONS[meaning](search) : unnamed(search);
  return [
    ...namedRow(search),
    ...related,
    ...copies(search),
    ...(meaning === 'input' ? [] : computed(search)),
  ];
}
