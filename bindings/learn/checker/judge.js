// From claims to flags: which printed numbers are wrong, and why.

import { isWritten, verdictIn } from './read/number.js';
import { slipOf } from './slip.js';

/** @typedef {import('./read/number.js').Cell} Cell */
/** @typedef {import('./relate/claim.js').Claim} Claim */
/** @typedef {import('./relate/value.js').Value} Value */

/** A wrong number, the numbers of its row, and its cause; follows: the number of the flag that it is carried from, from 1.
 * @typedef {{ cell: Cell, row: Cell[], computed: number, cause: string, follows?: number }} Found */

/** A printed number in its place. @typedef {{ cell: Cell, row: Cell[], i: number, j: number }} Placed */

/** @param {Value} value @param {Placed} one */
const agrees = ({ rows }, { cell, i, j }) => isWritten(cell, rows[i][j]);

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
  take({ cells, exact, readings, carried, righted, mistakes, aside, vague, said, used }) {
    const flat = cells.flatMap((row, i) => row.map((cell, j) => ({ cell, row, i, j })));
    this.checked += flat.length;
    const flags = used.flatMap((cell) => flagOf(cell) ?? []).sort((a, b) => a - b);
    const isRepeated = said && flags.every((flag) => this.found[flag - 1].cause === 'rounded');
    const judged = flat.map((one) => {
      const { cell, i, j } = one;
      /* An equation in prose may hold for the rounded numbers that it prints. */
      const others = [...(aside || vague || isRepeated ? readings : []), carried, righted];
      const working = others.flatMap((value) => value ?? []).map(({ rows }) => rows[i][j]);
      const computed = exact.rows[i][j];
      if (Number.isNaN(computed)) return { ...one, verdict: 'rounded' };
      const verdict = verdictIn(cell, computed, working);
      if (verdict === 'truncated')
        this.#cutOff(one, [computed, ...working].find((way) => isWritten(cell, way)) ?? computed);
      return { ...one, verdict };
    });
    const wrong = judged.filter(({ verdict }) => verdict === 'wrong');
    const slips = wrong.filter((one) => !readings.some((value) => agrees(value, one)));
    const [name] = mistakes.find(
      ([, value]) =>
        (slips.length > 1 || flat.length === 1) &&
        slips.filter((one) => agrees(value, one)).length > 0.6 * slips.length,
    ) ?? [null];
    const [first] = flags;
    for (const one of wrong) {
      const { cell, row, i, j } = one;
      const computed = exact.rows[i][j];
      const flag = { cell, row, computed };
      if (slips.includes(one)) {
        this.found.push({ ...flag, cause: name ?? slipOf(cell, computed, this.#notation) });
      } else if (first) this.found.push({ ...flag, cause: 'carried', follows: first });
      else this.found.push({ ...flag, cause: 'rounded' });
      cell.flag = this.found.length;
    }
  }

  /** @param {Placed} one @param {number} computed */
  #cutOff({ cell, row }, computed) {
    const flag = { cell, row, computed, cause: 'truncated' };
    (this.#isStrict ? this.found : this.truncated).push(flag);
    if (this.#isStrict) cell.flag = this.found.length;
  }
}
