// From claims to flags: which printed numbers are wrong, and why.

import { isPrinted, isRounded, agrees as isWithin, TOLERANCE } from '../../js/number/judge.js';
import { isWritten } from './read/number.js';
import { slipOf } from './slip.js';

/** @typedef {import('./read/number.js').Cell} Cell */
/** @typedef {import('./relate/claim.js').Claim} Claim */
/** @typedef {import('./relate/value.js').Value} Value */

/** A wrong number and its cause; follows: the number of the flag that it is carried from, from 1.
 * @typedef {{ cell: Cell, computed: number, cause: string, follows?: number }} Found */

/** A printed number in its place. @typedef {{ cell: Cell, i: number, j: number }} Placed */

/** @param {Value} value @param {Placed} one */
const agrees = ({ rows }, { cell, i, j }) => isWritten(cell, rows[i][j]);

/** Whether a number is another one to its last digit, so that it may come from there. @param {Value} value @param {Placed} one */
const follows = ({ rows }, { cell, i, j }) =>
  isRounded(cell, rows[i][j]) || isWritten(cell, rows[i][j]);

/** Whether a number that is right is cut off at its last digit, and not rounded. @param {Cell} cell @param {number} computed */
const isTruncated = ({ value, unit }, computed) =>
  isPrinted({ value, unit }, computed) &&
  Number.isFinite(computed) &&
  !isWithin(value, computed, TOLERANCE.rounded * unit);

/** The flag of a printed number, or of the one that it repeats. @param {Cell} cell
 * @returns {number | undefined} */
const flagOf = (cell) => cell.flag ?? (cell.repeats && flagOf(cell.repeats));

/** Judges the claims of one text, in their order. */
export class Judge {
  /** @type {Found[]} */ found = [];
  /** Numbers that are cut off, where that is not wrong. @type {Found[]} */ truncated = [];
  /** How many printed numbers were judged. */ checked = 0;
  #notation;
  #isStrict;

  /** @param {import('./read/number.js').Notation} notation @param {boolean} isStrict whether what is cut off is wrong */
  constructor(notation, isStrict) {
    this.#notation = notation;
    this.#isStrict = isStrict;
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
    this.#cutOff(
      flat.filter((one) => agrees(exact, one)),
      [exact, ...readings],
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

  /** Notes numbers that neither the right value nor a reading comes to by rounding. @param {Placed[]} right @param {Value[]} values */
  #cutOff(right, values) {
    for (const { cell, i, j } of right) {
      if (!values.every(({ rows }) => isTruncated(cell, rows[i][j]))) continue;
      const flag = { cell, computed: values[0].rows[i][j], cause: 'truncated' };
      (this.#isStrict ? this.found : this.truncated).push(flag);
      if (this.#isStrict) cell.flag = this.found.length;
    }
  }
}
