// Searches for the way a text has computed a value, by its name and its shape.

import { isSame } from '../../js/number/judge.js';
import { formOf } from './read/names.js';
import { isWritten } from './read/number.js';
import { agreement, agreementOf, exchangedRows } from './relate/agreement.js';
import { valuesOf } from './relate/claim.js';
import { isPlainly, saysShares } from './relate/hints.js';
import { rowNamedIn } from './relate/named.js';
import { mistakesOfSoftmax } from './relate/relations/attention.js';
import { costOf } from './relate/relations/candidate.js';
import { candidatesFor } from './relate/relations/index.js';
import { sameShape } from './relate/value.js';

/** @typedef {import('./read/statements.js').Statement} Statement */
/** @typedef {import('./read/number.js').Cell} Cell */
/** @typedef {import('./relate/value.js').Value} Value */
/** @typedef {import('./relate/claim.js').Origin} Origin */
/** @typedef {import('./relate/evaluate.js').Evaluator} Evaluator */
/** @typedef {import('./relate/memory.js').Memory} Memory */
/** @typedef {import('./relate/relations/candidate.js').Candidate} Candidate */

/** Whether two programs compute the same value. @param {Value} a @param {Value} b */
export const isAlike = (a, b) =>
  a.rows.every((row, i) => row.every((x, j) => isSame(x, b.rows[i][j])));

/** Whether two ways to compute numbers blame different ones. @param {Cell[][]} cells @param {{ exact: Value }} one
 * @param {{ exact: Value } | null} other */
const differ = (cells, one, other) =>
  cells.some((row, i) =>
    row.some((cell, j) => {
      const [first, second] = [one, other].map(
        (way) => way && isWritten(cell, way.exact.rows[i][j]),
      );
      return second !== null && first !== second;
    }),
  );

/** What counts the names of a text: 1 in attn_1, head 1. @param {string} form */
const countIn = (form) => /\d{1,3}$/.exec(form)?.[0];

/** Whether a name counts otherwise than all that it could come from: attn_1 beside scores_0. @param {string} label @param {Candidate} candidate */
function isOfAnother(label, { of }) {
  const mine = countIn(formOf(label));
  const counts = of.flatMap(({ form }) => countIn(form) ?? []);
  return Boolean(mine) && counts.length > 0 && !counts.includes(String(mine));
}

/** @type {import('./read/names.js').Meaning[]} */
const STATISTICS = ['mean', 'variance', 'deviation'];

/** Searches in what a text has given so far. */
export class Searcher {
  #memory;
  #evaluator;
  #text;
  /** Whether names said how the last value was computed that was searched for. */
  isPromised = false;

  /** @param {Memory} memory @param {Evaluator} evaluator @param {string} text */
  constructor(memory, evaluator, text) {
    this.#memory = memory;
    this.#evaluator = evaluator;
    this.#text = text;
  }

  /** The ways that names and shapes allow, each with what it comes to.
   * @param {string} label @param {Value} value @param {Cell[][] | null} cells as the text prints it @param {number} [gap] */
  *tried(label, value, cells, gap) {
    for (const one of candidatesFor(this.#memory, this.#text, label, value, cells, gap)) {
      const candidate = this.#inWords(one, cells);
      const { of } = candidate;
      this.#evaluator.calls -= costOf(candidate);
      if (this.#evaluator.calls <= 0) return;
      if (of.some((entry) => entry.gap !== undefined)) continue;
      const operands = of.map((entry) => entry.printed);
      const exactOnes = of.map((entry) => entry.exact);
      const { run, mistakes = {} } = candidate;
      const printed = run(operands);
      const exact = run(exactOnes);
      if (!printed || !exact || !sameShape(exact, value)) continue;
      if (exact.rows.some((row) => row.some(Number.isNaN))) continue;
      if (cells && isOfAnother(label, candidate) && agreement(cells, exact) < 1) continue;
      /** @type {[string, Value][] | null} */
      let mistaken = null;
      const others = () => {
        mistaken ??= this.#mistaken(mistakes, [operands, exactOnes], value, [exact, printed]);
        return mistaken;
      };
      yield { candidate, printed, exact, others };
    }
  }

  /** Where a text says that scores are divided by their sum, that is no softmax.
   * @param {Candidate} candidate @param {Cell[][] | null} cells
   * @returns {Candidate} */
  #inWords(candidate, cells) {
    const { of, mistakes } = candidate;
    const byWords = mistakes?.['no-exp'];
    const shares = cells && byWords?.(of.map(({ exact }) => exact));
    return byWords && shares && saysShares(this.#text, of[0], cells, shares)
      ? { ...candidate, relation: 'shares', run: byWords, mistakes: undefined }
      : candidate;
  }

  /** What known mistakes come to, with the printed numbers and with the right ones.
   * @param {NonNullable<Candidate['mistakes']>} mistakes @param {Value[][]} operands @param {Value} shape @param {Value[]} right
   * @returns {[string, Value][]} */
  #mistaken(mistakes, operands, shape, right) {
    const machines = Object.entries(mistakes);
    this.#evaluator.calls -= 2 * machines.length;
    const others = machines.flatMap(([name, machine]) =>
      operands.flatMap((one) => {
        const other = machine(one);
        return other && sameShape(other, shape)
          ? [/** @type {[string, Value]} */ ([`misconception:${name}`, other])]
          : [];
      }),
    );
    return shape.rank === 2 ? [...others, ...right.flatMap(exchangedRows)] : others;
  }

  /** What the names and the numbers before say.
   * @param {Statement} statement @param {{ cells: Cell[][], value: Value, gap: number | undefined }} printed
   * @returns {Origin | null} */
  searched(statement, { cells, value, gap }) {
    const { label } = statement;
    /** @type {{ candidate: Candidate, printed: Value, exact: Value, others: () => [string, Value][] } | null} */
    let best = null;
    /* Whether another way fits as well, and blames other numbers. */
    let isUnclear = false;
    this.isPromised = false;
    let [most, mostTruly] = [-1, -1];
    for (const one of this.tried(label, value, cells, gap)) {
      this.isPromised ||= Boolean(one.candidate.expected);
      const isCertain = this.#isCertain(statement, one.candidate, cells, value);
      const { agreed, truly, isEnough } = agreementOf(cells, one, isCertain);
      if (!isEnough && !isCertain) continue;
      if (agreed < most || (agreed === most && truly <= mostTruly)) {
        isUnclear ||= agreed === most && truly === mostTruly && differ(cells, one, best);
        continue;
      }
      [most, mostTruly] = [agreed, truly];
      isUnclear = false;
      best = one;
    }
    if (!best || (isUnclear && !best.candidate.expected)) return null;
    const { candidate, printed, exact, others } = best;
    const { of, relation, inner, row } = candidate;
    for (const entry of of) this.#evaluator.use(entry);
    return {
      exact,
      readings: [printed],
      relation,
      of: of.map(({ title }) => title),
      inner,
      row,
      mistakes: agreement(cells, exact) < 1 ? others() : [],
      again: () => candidate.run(of.map((entry) => this.#evaluator.printedAgain(entry))),
    };
  }

  /** Whether the line of a value names a row that it may be the mean of, or another statistic. @param {Statement} statement */
  isOfRow({ label, start }) {
    const isStatistic = STATISTICS.includes(this.#memory.meaningOf(label));
    return (
      isStatistic && this.#memory.entries.some((one) => rowNamedIn(this.#text, one, start) >= 0)
    );
  }

  /** Whether the names leave no other way. @param {Statement} statement @param {Candidate} candidate @param {Cell[][]} cells @param {Value} value */
  #isCertain(statement, candidate, cells, value) {
    const { certain, of } = candidate;
    const isAlone =
      cells.length * cells[0].length <= 2 && !this.#memory.hasSince(of, statement.label, value);
    return (certain && isAlone) || isPlainly(this.#text, this.#memory, statement, candidate, cells);
  }

  /** Misconceptions that an equation may have fallen for that comes to what the names say, too.
   * @param {Statement} statement @param {Value} exact
   * @returns {[string, Value][]} */
  mistakesOf({ label }, exact) {
    for (const { others, ...one } of this.tried(label, exact, null))
      if (isAlike(one.exact, exact)) return others();
    return [];
  }

  /** Misconceptions about the softmax of numbers that the equation itself has: each that explains all of the result.
   * @param {import('./read/expression.js').Expression | undefined} side @param {Cell[][]} cells
   * @returns {[string, Value][]} */
  mistakesOfCall(side, cells) {
    if (side?.kind !== 'call' || side.name !== 'softmax' || side.axis === 0) return [];
    const argument = this.#evaluator.value(side.of[0], 'exact');
    if (!argument) return [];
    const printed = { rank: argument.rank, rows: valuesOf(cells) };
    return this.#mistaken(mistakesOfSoftmax, [[argument]], printed, []).filter(
      ([, value]) => agreement(cells, value) === 1,
    );
  }
}
