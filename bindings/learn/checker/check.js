// Checks a text in its order: which numbers it takes as given, which it computes from them, and which of these are wrong.

import { checkCore, checkText } from '../../js/base/errors.js';
import { sumOf } from '../../js/base/sum.js';
import { isPrinted, isRounded, isSame, printedAs, verdictOf } from '../../js/number/judge.js';
import { Places } from './place.js';
import { writtenLike } from './read/number.js';
import { cellsOf, statementsOf } from './read/statements.js';
import { Evaluator } from './relate/evaluate.js';
import { Memory } from './relate/memory.js';
import { formOf } from './relate/names.js';
import { costOf } from './relate/relations/candidate.js';
import { candidatesFor } from './relate/relations/index.js';
import { slipOf } from './relate/slip.js';
import { sameShape } from './relate/value.js';
import { languageOf } from './speech/language.js';
import { rangeError } from './texts.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./speech/language.js').Language} Language */
/** @typedef {import('./read/statements.js').Statement} Statement */
/** @typedef {import('./read/number.js').Cell} Cell */
/** @typedef {import('./relate/value.js').Value} Value */
/** @typedef {import('./relate/names.js').Meaning} Meaning */
/** @typedef {import('./relate/relations/index.js').RelationName} RelationName */
/** @typedef {import('./read/number.js').Notation} Notation */
/** @typedef {import('./relate/relations/candidate.js').Candidate} Candidate */

/** A printed number that is wrong by its own last digit.
 * @typedef {object} Flag
 * @property {number} line from 1 @property {number} column from 1, in characters
 * @property {string} printed as the text prints it
 * @property {number} computed what it should be
 * @property {string} corrected the same in the digits and the notation of the text
 * @property {string} cause 'slip', 'slip:sign', 'slip:digits', 'slip:point' or 'slip:rows'; 'misconception:NAME';
 *   'carried' from a wrong number, 'rounded' if it follows from numbers that were rounded too early
 * @property {number} [follows] the number of the flag that it is carried from, from 1
 * @property {string} message what is wrong, in a sentence or two */

/** A printed number that is cut off at its last digit instead of rounded: 0.666 for 2/3.
 * @typedef {object} Truncation
 * @property {number} line from 1 @property {number} column from 1, in characters
 * @property {string} printed as the text prints it
 * @property {number} computed what it is
 * @property {string} corrected the same, rounded to the digits of the text
 * @property {string} message that it is cut off, in a sentence */

/** What holds between numbers of the text.
 * @typedef {object} Relation
 * @property {number} line of the result
 * @property {string} result what the text calls it
 * @property {RelationName} relation 'as written' if the text has the equation
 * @property {string[]} of what the text calls that from which it comes */

/** @typedef {{ line: number, text: string }} NotUnderstood */

/** What was found in a text.
 * @typedef {object} Checked
 * @property {number} checked how many printed numbers were computed again
 * @property {Flag[]} flags those that are wrong
 * @property {Truncation[]} truncated those that are neither wrong nor rounded
 * @property {Relation[]} relations
 * @property {NotUnderstood[]} notUnderstood */

/** @typedef {object} CheckOptions
 * @property {Language} [lang] of the messages, English by default */

/** What a single number can be that is called so, with no equation before it. @type {Meaning[]} */
const ALONE = ['loss', 'entropy', 'mean', 'variance', 'deviation', 'rate'];

/** Sides of an equation. */
const MAX_SIDES = 24;

/** Characters: longer books are checked chapter by chapter. */
const MAX_LENGTH = 2 ** 20;

/** Calls of the core for each page of a text: real texts need fewer. */
const CALLS_PER_PAGE = 1000;
/** Characters. */
const PAGE = 10_000;

/** As much as must agree before a relation is taken for granted: where names say it, where only numbers do, and where a
 * known mistake is read into what is guessed. */
const ENOUGH = { expected: 1 / 3, found: 0.6, guessed: 0.9 };

/** @param {Cell[][]} cells @param {Value} value @param {number} [band]
 * @returns {number} the part of the cells that agree */
function agreement(cells, value, band) {
  const right = cells.map(
    (row, i) => row.filter((cell, j) => isRounded(cell, value.rows[i][j], band)).length,
  );
  return sumOf(right) / (cells.length * cells[0].length);
}

/** The value with two of its rows exchanged, each way. @param {Value} value
 * @returns {[string, Value][]} */
function exchangedRows({ rank, rows }) {
  return rows.slice(0, 6).flatMap((_, i) =>
    rows.slice(0, i).map((_row, j) => {
      const others = rows.with(i, rows[j]).with(j, rows[i]);
      return /** @type {[string, Value]} */ (['slip:rows', { rank, rows: others }]);
    }),
  );
}

/** The value of a side of an equation; by an unusual meaning of log perhaps.
 * @typedef {{ exact: Value, printed: Value, unusual?: boolean }} Side */

/** How a printed value was computed. exact: what it should be; readings: what it is by the printed numbers before it.
 * @typedef {{ exact: Value, readings: Value[], band?: number, relation: RelationName, of: string[], inner?: number, mistakes: [string, Value][] }} Origin */

/** How far the printed numbers agree with a way to compute them, rightly or by a mistake.
 * @param {Cell[][]} cells
 * @param {{ candidate: Candidate, printed: Value, exact: Value, others: [string, Value][] }} way
 * @param {boolean | undefined} isCertain whether the names leave no other */
function agreementOf(cells, { candidate, printed, exact, others }, isCertain) {
  const { expected, guessed, band } = candidate;
  const isSeveral = cells.length * cells[0].length > 1;
  /* A mistake is not read into a single number that may be another. */
  const ways = expected && (isSeveral || isCertain) ? others.map(([, other]) => other) : [];
  const truly = Math.max(agreement(cells, exact), agreement(cells, printed, band));
  const mistaken = Math.max(0, ...ways.map((other) => agreement(cells, other, band)));
  const agreed = Math.max(truly, mistaken);
  const isEnough = guessed
    ? truly >= ENOUGH.found || mistaken >= ENOUGH.guessed
    : agreed >= (expected ? ENOUGH.expected : ENOUGH.found);
  return { agreed, truly, isEnough };
}

/** What the text itself says how to compute. @param {Value} exact @param {Value[]} readings
 * @returns {Origin} */
const asWritten = (exact, readings) => ({
  exact,
  readings,
  relation: 'as written',
  of: [],
  mistakes: [],
});

/** The check of one text. */
class Check {
  #memory = new Memory();
  #evaluator;
  /** @type {{ cell: Cell, computed: number, cause: string, follows?: number }[]} */ flags = [];
  /** @type {{ cell: Cell, computed: number }[]} */ truncated = [];
  /** @type {{ start: number, result: string, relation: RelationName, of: string[] }[]} */ relations =
    [];
  /** @type {{ start: number, end: number }[]} */ unread = [];
  checked = 0;
  /** @type {Glassformer} */ #gf;
  #notation;

  /** @param {Glassformer} gf @param {Notation} notation @param {number} length of the text */
  constructor(gf, notation, length) {
    this.#gf = gf;
    this.#notation = notation;
    this.#evaluator = new Evaluator(gf, this.#memory, CALLS_PER_PAGE * Math.max(1, length / PAGE));
  }

  /** @param {Statement} statement */
  take(statement) {
    const { label, sides, start, end } = statement;
    /** @type {Side[]} */
    const before = [];
    let missing = false;
    let printedOne = false;
    sides.slice(0, MAX_SIDES).forEach((side) => {
      const cells = cellsOf(side);
      if (cells && !(side.kind === 'number' && sides.length === 1 && !this.#isResult(statement))) {
        printedOne = true;
        const value = /** @type {Value} */ (this.#evaluator.value(side, 'printed'));
        this.#result(statement, cells, value, before, missing);
        /* In 2023 = 5: nothing is computed. */
        if (!before.length && statement.titled) return;
        before.push({
          exact: /** @type {Value} */ (this.#evaluator.value(side, 'exact')),
          printed: value,
        });
        return;
      }
      if (!before.length) this.#evaluator.flags = new Set();
      this.#evaluator.tie(side);
      const meanings = this.#evaluator.meaningsOf(side);
      before.push(...meanings.map((one, i) => ({ ...one, unusual: i > 0 })));
      missing ||= !meanings.length;
    });
    if (!printedOne && before.length && label && !statement.titled) {
      this.#memory.add(label, { ...before[0], cells: null, given: false });
    }
    if (missing && printedOne && !before.length) this.unread.push({ start, end });
  }

  /** Whether a number alone, with nothing before it, is named as a result.
   * @param {Statement} statement */
  #isResult({ label, titled }) {
    return !titled && ALONE.includes(this.#memory.meaningOf(label));
  }

  /** A printed value: what it comes from, and which of its numbers are wrong.
   * @param {Statement} statement @param {Cell[][]} cells @param {Value} value
   * @param {Side[]} before @param {boolean} missing */
  #result(statement, cells, value, before, missing) {
    const { label, titled } = statement;
    const fits = before.filter(({ exact }) => sameShape(exact, value));
    const meaning = this.#memory.meaningOf(label);
    const aside = value.rank === 0 && (!label || titled);
    let origin = this.#written(cells, fits);
    if (!origin && (value.rank > 0 ? meaning || !missing : this.#isResult(statement)))
      origin = this.#unprinted(label, cells, value) ?? this.#searched(label, cells, value);
    if (!origin) {
      this.#begin(statement, cells, value);
      return;
    }
    const { exact, relation, of, inner } = origin;
    if (relation === 'as written' && value.rank > 0 && agreement(cells, exact) < 1) {
      origin.mistakes = this.#mistakesOf(label, exact);
    }
    if (!aside)
      this.relations.push({ start: cells[0][0].start, result: formOf(label), relation, of });
    this.#judge(cells, origin, aside);
    this.checked += cells.length * cells[0].length;
    this.#memory.add(label, { printed: value, exact, cells, given: false, inner });
    this.#memory.results.push(...cells.flat());
  }

  /** A printed value that comes from nothing before it: others may come from it.
   * @param {Statement} statement @param {Cell[][]} cells @param {Value} value */
  #begin({ label, start, end }, cells, value) {
    const tied = cells.map((row) => this.#memory.tie(row)).every(Boolean);
    /* A name that promises a relation, and numbers that keep none. */
    const isOpen = this.#memory.meaningOf(label) && value.rank === 2 && !tied;
    if (isOpen && candidatesFor(this.#gf, this.#memory, label, value).length)
      this.unread.push({ start, end });
    const exact = { rank: value.rank, rows: cells.map((row) => row.map((cell) => cell.exact)) };
    if (label || value.rank) {
      const entry = { printed: value, exact: tied ? exact : value, cells, given: !tied };
      this.#memory.add(label, entry);
    }
  }

  /** What the text itself has written before the value. @param {Cell[][]} cells @param {Side[]} fits
   * @returns {Origin | null} */
  #written(cells, fits) {
    const usual = fits.filter(({ unusual }) => !unusual);
    if (!usual.length) return null;
    /* Where log is meant otherwise, all agree. */
    const isMeant = (/** @type {Side} */ { exact: { rows } }) =>
      cells.every((row, i) => row.every((cell, j) => isPrinted(cell, rows[i][j])));
    const { exact } = usual.some(isMeant) ? usual[0] : (fits.find(isMeant) ?? usual[0]);
    return asWritten(
      exact,
      usual.flatMap((side) => [side.printed, side.exact]),
    );
  }

  /** What the text has named before, and prints here. @param {string} label @param {Cell[][]} cells @param {Value} value
   * @returns {Origin | null} */
  #unprinted(label, cells, value) {
    const entry = label ? this.#memory.find(label) : null;
    if (!entry || entry.cells || !sameShape(entry.exact, value)) return null;
    if (agreement(cells, entry.exact) < ENOUGH.expected) return null;
    return asWritten(entry.exact, [entry.printed]);
  }

  /** The ways that names and shapes allow, each with what it comes to.
   * @param {string} label @param {Value} value */
  *#tried(label, value) {
    for (const candidate of candidatesFor(this.#gf, this.#memory, label, value)) {
      const { of, run, mistakes } = candidate;
      this.#evaluator.calls -= costOf(candidate);
      if (this.#evaluator.calls <= 0) return;
      const operands = of.map((entry) => entry.printed);
      const printed = run(operands);
      const exact = run(of.map((entry) => entry.exact));
      if (!printed || !exact || !sameShape(exact, value)) continue;
      if (exact.rows.some((row) => row.some(Number.isNaN))) continue;
      const others = Object.entries(mistakes).flatMap(([name, machine]) => {
        const other = machine(operands);
        return other && sameShape(other, value)
          ? [/** @type {[string, Value]} */ ([`misconception:${name}`, other])]
          : [];
      });
      if (value.rank === 2) others.push(...exchangedRows(exact), ...exchangedRows(printed));
      yield { candidate, printed, exact, others };
    }
  }

  /** What the names and the numbers before say.
   * @param {string} label @param {Cell[][]} cells @param {Value} value
   * @returns {Origin | null} */
  #searched(label, cells, value) {
    const count = cells.length * cells[0].length;
    let best = null;
    let [most, mostTruly] = [-1, -1];
    for (const one of this.#tried(label, value)) {
      const { certain, of } = one.candidate;
      const isCertain = certain && count <= 2 && !this.#memory.hasSince(of, label, value);
      const { agreed, truly, isEnough } = agreementOf(cells, one, isCertain);
      if (!isEnough && !isCertain) continue;
      if (agreed < most || (agreed === most && truly <= mostTruly)) continue;
      [most, mostTruly] = [agreed, truly];
      best = one;
    }
    if (!best) return null;
    const { candidate, printed, exact, others } = best;
    const { of, relation, inner, band } = candidate;
    for (const { flag } of of.flatMap((entry) => entry.cells?.flat() ?? []))
      if (flag) this.#evaluator.flags.add(flag);
    return {
      exact,
      readings: [printed],
      relation,
      of: of.map(({ form }) => form),
      inner,
      band,
      mistakes: others,
    };
  }

  /** Misconceptions that an equation may have fallen for that comes to what the names say, too.
   * @param {string} label @param {Value} exact
   * @returns {[string, Value][]} */
  #mistakesOf(label, exact) {
    const isExact = (/** @type {Value} */ { rows }) =>
      rows.every((row, i) => row.every((x, j) => isSame(x, exact.rows[i][j])));
    for (const { others, ...one } of this.#tried(label, exact))
      if (isExact(one.exact)) return others;
    return [];
  }

  /** @param {Cell[][]} cells @param {Origin} found @param {boolean} aside */
  #judge(cells, { exact, readings, mistakes, band = 0 }, aside) {
    const flat = cells.flatMap((row, i) => row.map((cell, j) => ({ cell, i, j })));
    const agrees = (
      /** @type {Value} */ value,
      /** @type {{ cell: Cell, i: number, j: number }} */ one,
    ) => isPrinted(one.cell, value.rows[one.i][one.j]);
    for (const { cell, i, j } of flat) cell.exact = exact.rows[i][j];
    /* An equation in prose may hold for the rounded numbers that it prints. */
    const working = aside ? readings : [];
    const wrong = flat.filter(({ cell, i, j }) => {
      if (Number.isNaN(cell.exact)) return false;
      const inWorking = working.map(({ rows }) => rows[i][j]);
      const verdict = verdictOf(cell, cell.exact, inWorking);
      if (verdict === 'truncated') {
        const ways = [cell.exact, ...inWorking];
        const computed = ways.find((value) => printedAs(cell, value)) ?? cell.exact;
        this.truncated.push({ cell, computed });
      }
      return verdict === 'wrong';
    });
    const follow = (/** @type {Value} */ value, /** @type {typeof flat[number]} */ one) =>
      agrees(value, one) || (band > 0 && isRounded(one.cell, value.rows[one.i][one.j], band));
    const slips = wrong.filter((one) => !readings.some((value) => follow(value, one)));
    const [name] = mistakes.find(
      ([, value]) =>
        (slips.length > 1 || flat.length === 1) &&
        slips.filter((one) => follow(value, one)).length > 0.6 * slips.length,
    ) ?? [null];
    const [follows] = [...this.#evaluator.flags].sort((a, b) => a - b);
    for (const one of wrong) {
      const { cell } = one;
      const flag = { cell, computed: cell.exact };
      if (slips.includes(one)) {
        this.flags.push({ ...flag, cause: name ?? slipOf(cell, cell.exact, this.#notation) });
      } else if (follows) this.flags.push({ ...flag, cause: 'carried', follows });
      else this.flags.push({ ...flag, cause: 'rounded' });
      cell.flag = this.flags.length;
    }
    this.#evaluator.flags = new Set();
  }
}

/** Checks the numbers of a worked text: finds matrices and equations in Markdown, LaTeX, HTML, Python or prose, says
 * which relation holds between them, computes them again, and flags each printed number that is wrong by its own last
 * digit. It lists truncated numbers apart. What it does not understand it lists, too, and does not guess.
 * @param {Glassformer} gf what load() gives
 * @param {string} text
 * @param {CheckOptions} [options]
 * @returns {Checked}
 * @example
 * import { load } from 'glassformer';
 * import { check, fixed } from 'glassformer/checker';
 *
 * const gf = await load();
 * const text = 'Scores: 1.1 × 0.2 + 0.1 × 1.2 = 0.43';
 * const { flags } = check(gf, text);
 * flags[0].printed; // = '0.43'
 * fixed(text, flags); // = 'Scores: 1.1 × 0.2 + 0.1 × 1.2 = 0.34' */
export function check(gf, text, options = {}) {
  checkCore('check', gf);
  checkText('check: text', text);
  const speech = languageOf('check', options);
  if (text.length > MAX_LENGTH) {
    throw rangeError('tooLongText', { where: 'check: text', most: MAX_LENGTH, n: text.length });
  }
  const { statements, unread, notation } = statementsOf(text);
  const work = new Check(gf, notation, text.length);
  for (const statement of statements) work.take(statement);
  const places = new Places(text);
  const placed = (/** @type {{ cell: Cell, computed: number }} */ { cell, computed }) => ({
    ...places.of(cell.start),
    printed: cell.text,
    computed,
    corrected: writtenLike(cell.text, computed, notation),
  });
  const lineOf = (/** @type {number} */ offset) => places.of(offset).line;
  return {
    checked: work.checked,
    flags: work.flags.map(({ cell, computed, ...cause }) => {
      const flag = { ...placed({ cell, computed }), ...cause };
      return { ...flag, message: speech.flag(flag) };
    }),
    truncated: work.truncated.map((one) => {
      const truncation = placed(one);
      return { ...truncation, message: speech.truncation(truncation) };
    }),
    relations: work.relations.map(({ start, ...relation }) => ({
      line: lineOf(start),
      ...relation,
    })),
    notUnderstood: [...unread, ...work.unread]
      .sort((a, b) => a.start - b.start)
      .map(({ start, end }) => ({
        line: lineOf(start),
        text: text.slice(start, Math.min(end, start + 120)),
      })),
  };
}
