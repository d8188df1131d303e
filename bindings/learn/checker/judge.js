// From claims to flags: which printed numbers are wrong, and why.

import { isPrinted, isRounded } from '../../js/number/judge.js';
import { slipOf } from './slip.js';

/** @typedef {import('./read/number.js').Cell} Cell */
/** @typedef {import('./relate/claim.js').Claim} Claim */
/** @typedef {import('./relate/value.js').Value} Value */

/** A wrong number and its cause; follows: the number of the flag that it is carried from, from 1.
 * @typedef {{ cell: Cell, computed: number, cause: string, follows?: number }} Found */

/** A printed number in its place. @typedef {{ cell: Cell, i: number, j: number }} Placed */

/** @param {Value} value @param {Placed} one */
const agrees = ({ rows }, { cell, i, j }) => isPrinted(cell, rows[i][j]);

/** Whether a number is another one to its last digit, so that it may come from there. @param {Value} value @param {Placed} one */
const follows = ({ rows }, { cell, i, j }) =>
  isRounded(cell, rows[i][j]) || isPrinted(cell, rows[i][j]);

/** The flag of a printed number, or of the one that it repeats. @param {Cell} cell
 * @returns {number | undefined} */
const flagOf = (cell) => cell.flag ?? (cell.repeats && flagOf(cell.repeats));

/** Judges the claims of one text, in their order. */
export class Judge {
  /** @type {Found[]} */ found = [];
  /** How many printed numbers were judged. */ checked = 0;
  #notation;

  /** @param {import('./read/number.js').Notation} notation */
  constructor(notation) {
    this.#notation = notation;
  }

  /** @param {Claim} claim */
  take({ cells, exact, readings, mistakes, aside, used }) {
    const flat = cells.flatMap((row, i) => row.map((cell, j) => ({ cell, i, j })));
    this.checked += flat.length;
    const wrong = flat.filter(
      (one) =>
        !agrees(exact, one) &&
        !(aside && readings.some((value) => agrees(value, one))) &&
        !Number.isNaN(exact.rows[one.i][one.j]),
    );
    const slips = wrong.filter((one) => !readings.some((value) => follows(value, one)));
    const [name] = mistakes.find(
      ([, value]) =>
        (slips.length > 1 || flat.length === 1) &&
        slips.filter((one) => follows(value, one)).length > 0.6 * slips.length,
    ) ?? [null];
    const [first] = used.flatMap((cell) => flagOf(cell) ?? []).sort((a, b) => a - b);
    for (const one of wrong) {
      const { cell, i, j } = one;
      const computed = exact.rows[i][j];
      const flag = { cell, computed };
      if (slips.includes(one)) {
        this.found.push({ ...flag, cause: name ?? slipOf(cell, computed, this.#notation) });
      } else if (first) this.found.push({ ...flag, cause: 'carried', follows: first });
      else this.found.push({ ...flag, cause: 'rounded' });
      cell.flag = this.found.length;
    }
  }
}
