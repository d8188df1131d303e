// From statements to claims: which printed numbers follow from which, by what the text writes or by what it calls them.

import { formOf, titleOf } from './read/names.js';
import { isWritten } from './read/number.js';
import { cellsOf, gapOf } from './read/statements.js';
import { agreement, ENOUGH } from './relate/agreement.js';
import { Chain, literalsOf, operandsOf } from './relate/chain.js';
import { asWritten, valuesOf } from './relate/claim.js';
import {
  bandsOf,
  fineIn,
  isAlone,
  isFine,
  isMixed,
  isNear,
  isVague,
  MOST_UNITS,
  miscopied,
  originsOf,
  replaced,
  rightedBy,
  slippedIn,
  wrongIn,
} from './relate/doubt.js';
import { Evaluator } from './relate/evaluate.js';
import { hasNumber, isExpected } from './relate/hints.js';
import { Locals } from './relate/locals.js';
import { Memory } from './relate/memory.js';
import { Prints } from './relate/prints.js';
import { saidAgain } from './relate/sentences.js';
import { argumentOf, callOf, namesOf, printedRow } from './relate/sides.js';
import { reshaped, sameShape } from './relate/value.js';
import { isAlike, Searcher } from './search.js';

/** @typedef {import('./read/statements.js').Statement} Statement */
/** @typedef {import('./read/expression.js').Expression} Expression */
/** @typedef {import('./read/number.js').Cell} Cell */
/** @typedef {import('./relate/memory.js').Entry} Entry */
/** @typedef {import('./relate/value.js').Value} Value */
/** @typedef {import('./relate/claim.js').Claim} Claim */
/** @typedef {import('./relate/claim.js').Origin} Origin */
/** @typedef {import('./relate/claim.js').Unread} Unread */
/** @typedef {import('./relate/claim.js').Reason} Reason */

/** What a single number can be that is called so, with no equation before it. @type {import('./read/names.js').Meaning[]} */
const ALONE = ['loss', 'entropy', 'mean', 'variance', 'deviation', 'rate', 'sum'];
/** What takes natural logarithms, whatever the text's log may be elsewhere. @type {import('./read/names.js').Meaning[]} */
const OF_NATURAL_LOG = ['loss'];

/** What says how to compute other values, and is an operand of none. @type {import('./read/names.js').Meaning[]} */
const QUIET = ['places', 'labels', 'gain', 'bias'];

/** Sides of an equation. */
const MAX_SIDES = 24;
/** Calls of the core for each page of a text: real texts need fewer. */
const CALLS_PER_PAGE = 1000;
/** Rows of each page for which a number with a slip is searched further up. */
const SEARCHES_PER_PAGE = 2;
/** Characters. */
const PAGE = 10_000;

/** Words before a value that has a name of its own: Logits: z = */
const HEADING =
  /(?<=^|[\n*-][ \t]{0,8})(\p{L}[\p{L} '’-]{2,30})[*_]{0,2}:[*_]{0,2}\s?[$*`\\(]{0,4}$/u;

/** A unit to which a result may have been converted: \\text{days} */
const UNIT =
  /^(?:\\[,;:! ]|[ ~])*(?:\\(?:text|mathrm)\{\s?)?(?:days?|hours?|minutes?|weeks?|months?|years?|[kmgt]i?b|tage|stunden|jahre|jours|heures|días|horas)\b/i;
/** A name that is a word, and no variable. */
const WORD = /^\p{Ll}{3,}$/u;
/** Units of its last digit that a result may be off before it is blamed, where its operands may be rounded. */
const MORE_UNITS = 5;
/** How much a unit makes of a number, at least. */
const CONVERTED = 20;

/** A call of a library's function. */
const OF_MODULE = /^\s*(?:[a-z]\w*\.){1,3}\w+\(/i;
/** A variable that a program changes in place, or in part. */
const CHANGED = /^[ \t]*(\w+)(?:\[[^\]\n]*\])?[ \t]*(?:[-+*/@]=|(?<=\])=(?!=))/gm;
/** A side of an equation, and what it comes to.
 * @typedef {import('./relate/evaluate.js').Meaning & { side: Expression }} Side */

/** Whether a program has come to numbers: otherwise something was misread. @param {Value} value */
const areFinite = ({ rows }) => rows.flat().every(Number.isFinite);

/** @param {number[]} row @returns {Value} */
const rowOf = (row) => ({ rank: 1, rows: [row] });

/** Whether a number stands behind sides that disagree. @param {Cell} cell */
const isDivided = ({ divided, repeats }) => Boolean(divided || repeats?.divided);

/** Whether a value is computed from others that stand far above, and may mean something else by now. @param {Entry} entry */
const isOfFar = ({ cells, end = 0, from = [] }) =>
  !cells && from.some((one) => end - (one.end ?? end) > PAGE);

/** Whether an expression is a function of something. @param {Expression} expression */
const isCall = (expression) => expression.kind === 'call' && expression.of.length > 0;

/** Relates the statements of one text, in their order. */
export class Relater {
  #memory = new Memory();
  #evaluator;
  #chain;
  #searcher;
  #text;
  /** @type {Claim[]} */ claims = [];
  /** @type {Unread[]} */ unread = [];
  /** Numbers in the middle of equations that are right. @type {Cell[]} */ middles = [];
  /** Printed values that begin a computation, as far as nothing has used them. @type {Map<Entry, Statement>} */
  #unused = new Map();
  /** Where a program changes a variable last, by its name. @type {Map<string, number>} */ #changed;
  /** A side that differs from those before it, where no number is to blame. @type {Side[]} */ #doubted =
    [];

  /** Whether two sides of the equation disagree. */
  #isDivided = false;

  #searches;
  #locals;
  #prints;
  /** Where the text gives a name a value. @type {{ form: string, start: number }[]} */
  #set;
  /** The first of them behind the statements so far. */
  #next = 0;

  /** @param {string} text @param {import('./read/number.js').Notation} notation
   * @param {readonly Statement[]} statements of the text */
  constructor(text, notation, statements) {
    this.#text = text;
    this.#set = statements.flatMap(({ label, titled, start }) =>
      label && !titled ? [{ form: formOf(label), start }] : [],
    );
    const pages = Math.max(1, text.length / PAGE);
    const calls = CALLS_PER_PAGE * pages;
    this.#searches = SEARCHES_PER_PAGE * pages;
    this.#evaluator = new Evaluator(this.#memory, calls);
    this.#chain = new Chain(this.#evaluator);
    this.#searcher = new Searcher(this.#memory, this.#evaluator, text);
    this.#changed = new Map(
      [...text.matchAll(CHANGED)].map(({ 1: name, index }) => [formOf(name), index]),
    );
    this.#locals = new Locals(text);
    this.#prints = new Prints(text, notation, this.#memory);
  }

  /** @param {Statement} statement */
  take(statement) {
    if (statement.sentence) this.#sentence(statement);
    else if (!this.#locals.has(statement)) this.#take(statement);
  }

  /** Numbers of a sentence: results that it says again, or the softmax of what stands before. @param {Statement} statement */
  #sentence(statement) {
    const claimed = new Set(
      this.claims.flatMap(({ cells }) => cells.flat().map(({ start }) => start)),
    );
    const cells = statement.sides.flatMap((side) => cellsOf(side)?.flat() ?? []);
    const rows = saidAgain(cells, this.#memory.results);
    for (const row of rows) {
      const pairs = row.filter(({ cell }) => !claimed.has(cell.start));
      if (!pairs.length) continue;
      pairs.sort((a, b) => a.cell.start - b.cell.start);
      const results = pairs.map(({ result }) => result);
      const exact = rowOf(results.map((one) => one.exact));
      const readings = [rowOf(results.map(({ value }) => value))];
      const cells = [pairs.map(({ cell }) => cell)];
      this.#claimAlone({ exact, readings, cells, used: results, said: true });
    }
    const isNew = !rows.length && cells.every(({ start }) => !claimed.has(start));
    if (isNew) this.#sharesIn(statement, cells);
  }

  /** Numbers of a sentence that are the softmax of what stands before. @param {Statement} statement @param {Cell[]} row */
  #sharesIn(statement, row) {
    this.#evaluator.begin();
    const [cells, value] = [[row], rowOf(row.map((cell) => cell.value))];
    const origin = this.#searcher.searched(statement, { cells, value, gap: undefined });
    if (origin?.relation === 'softmax' && !this.#isOpen()) {
      this.#claim({ ...origin, vague: true, aside: false }, cells, null);
      this.#memory.results.push(row);
    }
    this.#evaluator.begin();
  }

  /** @param {Statement} statement */
  #take(statement) {
    const { sides, start, end } = statement;
    this.#isDivided = false;
    this.#prints.reach(start);
    const before = this.#goingOn(statement);
    let missing = false;
    let printedOne = false;
    const argument = sides.length === 1 ? argumentOf(sides[0]) : null;
    if (argument) this.#take({ ...statement, label: '', titled: true, sides: [argument] });
    this.#doubted = [];
    const last = this.#memory.entries.at(-1);
    const { names, rest } = namesOf(sides, (name) => this.#memory.exactly(name) !== null);
    for (const text of names) this.#misfit(statement, { kind: 'name', text });
    rest.slice(0, MAX_SIDES).forEach((side) => {
      if (this.#doubted.some(({ exact }) => this.#chain.agrees(side, exact)))
        before.splice(0, before.length, ...this.#doubted);
      const cells = cellsOf(side);
      if (cells && !(side.kind === 'number' && sides.length === 1 && !this.#isResult(statement))) {
        printedOne = true;
        const value = this.#valueOf(side, cells);
        this.#result(statement, { cells, value, gap: gapOf(side) }, before, missing);
        /* In 2023 = 5: nothing is computed. */
        if (before.length || !statement.titled) {
          const exact = { ...value, rows: cells.map((row) => row.map((cell) => cell.exact)) };
          before.push({
            exact,
            printed: value,
            carried: exact,
            unusual: false,
            choice: null,
            side,
          });
        }
        return;
      }
      if (!before.length) this.#evaluator.begin();
      const meanings = this.#side(statement, side, before);
      missing ||= !meanings;
    });
    if (missing && !printedOne) this.#postpone(statement);
    if (missing && !printedOne && this.#isOfItself(statement)) this.#memory.lose(statement.label);
    this.#name(statement, before, printedOne);
    const named = this.#memory.entries.at(-1);
    if (named && named !== last) for (const name of names) this.#memory.add(name, named);
    /* Before what is said of its numbers. */
    if (missing && printedOne && !before.length)
      this.unread.unshift({ start, end, why: 'unknown' });
  }

  /** The side that an equation goes on with which calls its value by the same name: z = 0.3 · 0.5 + 0.1, then z = 0.15 + 0.1 = 0.25.
   * @param {Statement} statement
   * @returns {Side[]} */
  #goingOn({ label, titled, sides }) {
    const last = titled || sides.length < 2 ? null : this.#computedLast(label);
    if (!last || !this.#chain.wrongIn(last.side, last.exact, sides[0])) return [];
    const { exact, printed, side, used = [] } = last;
    for (const cell of used) this.#evaluator.used.add(cell);
    return [{ exact, printed, carried: exact, unusual: false, choice: null, side }];
  }

  /** The last value, if the text calls it so, and has computed and not printed it. @param {string} label
   * @returns {(Entry & { side: Expression }) | null} */
  #computedLast(label) {
    const last = this.#memory.entries.at(-1);
    const isNew = last?.side && !['number', 'name'].includes(last.side.kind);
    const isComputed = isNew && !isOfFar(last);
    return isComputed && label && last === this.#memory.exactly(label)
      ? /** @type {Entry & { side: Expression }} */ (last)
      : null;
  }

  /** A side that is computed, and compared with the side before it.
   * @param {Statement} statement @param {Expression} side @param {Side[]} before
   * @returns {boolean} whether it is understood */
  #side(statement, side, before) {
    this.#evaluator.tie(side);
    const meanings = this.#evaluator.meaningsOf(side).map((one) => ({ ...one, side }));
    if (!meanings.length) this.#misfit(statement, side);
    const [first] = before;
    if (first && meanings.length && literalsOf(side).length && !this.#isOpen()) {
      const last = before.findLast(({ unusual }) => !unusual) ?? first;
      const all = before.filter(({ unusual }) => unusual || !first.unusual);
      const isOther = all.some(({ exact, unusual }) => unusual && this.#isSame(side, exact));
      const isUnclear = !isOther && this.#goesOn(statement, last.side, first.exact, side);
      /* What the text computes with is taken from its numbers. */
      if (isUnclear && !literalsOf(first.side).length) before.length = 0;
      else if (isUnclear) this.#doubted = meanings;
    }
    before.push(...meanings);
    return meanings.length > 0;
  }

  /** Tells of two matrices that have no product. @param {Statement} statement @param {Expression} side */
  #misfit({ start, end }, side) {
    const misfit = this.#evaluator.misfitIn(side);
    if (!misfit) return;
    this.unread.push({ start, end, why: 'shapes', misfit });
    /* What is multiplied is no result that nothing explains. */
    for (const entry of this.#evaluator.sources) this.#unused.delete(entry);
  }

  /** Compares a side with the one before it. @param {Statement} statement @param {Expression} before @param {Value} exact what that
   * comes to @param {Expression} side
   * @returns {boolean} whether they differ, and no number is to blame */
  #goesOn({ start, end }, before, exact, side) {
    const wrong = this.#chain.wrongIn(before, exact, side);
    if (wrong) {
      const isRight = (/** @type {Cell} */ cell) => !wrong.some((one) => one.cell === cell);
      this.middles.push(...literalsOf(side).filter(isRight));
    } else this.unread.push({ start, end, why: 'sides' });
    for (const one of wrong ?? []) this.#claimed([[one.cell]], one.exact);
    this.#isDivided ||= !wrong;
    return !wrong;
  }

  /** @param {Expression} side @param {Value} exact */
  #isSame(side, exact) {
    const value = this.#evaluator.value(side, 'printed');
    return !!value && sameShape(value, exact) && isAlike(value, exact);
  }

  /** A number in the middle of an equation that is not what it should be. @param {Cell[][]} cells @param {number} exact */
  #claimed(cells, exact) {
    const value = /** @type {Value} */ ({ rank: 0, rows: [[exact]] });
    const used = [...this.#evaluator.used].filter((cell) => cell !== cells[0][0]);
    this.#claimAlone({ exact: value, readings: [], cells, used, aside: true });
    cells[0][0].exact = exact;
  }

  /** Whether what was read may itself be wrong, as nothing explains it. */
  #isOpen() {
    return [...this.#evaluator.sources].some(({ open }) => open);
  }

  /** A variable whose operands a program prints later is computed where it is printed. @param {Statement} statement */
  #postpone({ label, titled, sides }) {
    const side = sides.findLast(({ kind }) => kind === 'call' || kind === 'binary');
    const shown = this.#memory.aliased(label);
    const isNew = !shown || (shown.kind === 'name' && formOf(shown.text) === formOf(label));
    if (side && isNew && !titled && /^\w+$/.test(formOf(label))) this.#memory.alias(label, side);
  }

  /** Whether a program computes a variable from itself, or by what is not known: x = f(x), x = np.f(y). @param {Statement} statement */
  #isOfItself({ label, titled, sides, start, end }) {
    if (titled || !/^[A-Za-z_]\w*$/.test(label)) return false;
    const source = this.#text.slice(start, end).replace(/^\w+\s*=/, '');
    const isUnknown = sides.some((one) => one.kind === 'call' && !one.of.length);
    if (isUnknown || OF_MODULE.test(source)) return true;
    return new RegExp(`\\w\\(.{0,80}(?<!\\w)${label}(?!\\w)`).test(source);
  }

  /** What is computed and nowhere printed has a name, too. @param {Statement} statement @param {Side[]} before @param {boolean} printedOne */
  #name(statement, before, printedOne) {
    const { label, titled } = statement;
    if (printedOne || !before.length || !label || titled) return;
    /* x = LN(x), unless it is printed next */
    const isOfItself = [...this.#evaluator.sources].some(({ form }) => form === formOf(label));
    if (isOfItself && !this.#isPrinted(statement)) return;
    /* What a program changes later is unknown. */
    const open = this.#isOpen() || this.#changed.has(formOf(label));
    for (const entry of this.#evaluator.sources) this.#unused.delete(entry);
    const { exact, printed, side } = before[0];
    const last = statement.left ? this.#computedLast(label) : null;
    if (last && sameShape(last.exact, exact)) {
      /* Which of two copies of a result is wrong, nobody knows. */
      const wrong = this.#chain.wrongIn(last.side, last.exact, side);
      if (wrong?.length && wrong.every(({ cell }) => isFine(cell)))
        this.unread.push({ start: statement.start, end: statement.end, why: 'sides' });
      else this.#goesOn(statement, last.side, last.exact, side);
      return;
    }
    /* It is no longer what the text said before it had the operands. */
    if (this.#memory.aliased(label)?.kind !== 'name') this.#memory.alias(label, null);
    this.#memory.add(label, {
      exact,
      printed,
      side,
      cells: null,
      given: false,
      open,
      used: [...this.#evaluator.used],
      from: [...this.#evaluator.sources],
      end: statement.end,
    });
  }

  /** Whether a program prints a variable on the next line. @param {Statement} statement */
  #isPrinted({ label, end }) {
    const [, name] = /^[^\n]{0,80}\n\s*print\((\w+)/.exec(this.#text.slice(end, end + 200)) ?? [];
    return name === label;
  }

  /** @param {Expression} side @param {Cell[][]} cells
   * @returns {Value} */
  #valueOf(side, cells) {
    const isMatrix = side.kind === 'list' && side.matrix;
    return { rank: side.kind === 'number' ? 0 : isMatrix ? 2 : 1, rows: valuesOf(cells) };
  }

  /** Whether a number alone, with nothing before it, is named as a result: loss = 0.5, sqrt(d_k) = 1.41.
   * @param {Statement} statement */
  #isResult(statement) {
    const { label, titled, left, start } = statement;
    if (isExpected(this.#text, start)) return false;
    const isTotal = label === 'S' && this.#memory.entries.at(-1)?.call === 'exp';
    const isNamed = isTotal || ALONE.includes(this.#memory.meaningOf(label));
    const isComputed = left !== null && isCall(left);
    const isShown = titled && statement.shown && this.#memory.exactly(label)?.cells === null;
    const isPrinted = isShown || this.#prints.shownIn(statement) !== null;
    return (!titled && (isNamed || isComputed)) || isPrinted;
  }

  /** A printed value: what it comes from.
   * @param {Statement} statement @param {{ cells: Cell[][], value: Value, gap: number | undefined }} printed
   * @param {Side[]} before @param {boolean} missing */
  #result(statement, printed, before, missing) {
    const { label, titled, start, end } = statement;
    const { cells, value, gap } = printed;
    const aside = value.rank === 0 && (!label || titled);
    if (!before.length) this.#evaluator.begin();
    this.#searcher.isPromised = false;
    const origin = this.#originOf(statement, printed, before, missing);
    if (!origin) {
      this.#begin(statement, printed, missing);
      return;
    }
    const { carried } = origin;
    const vague =
      isVague(origin, originsOf(this.#evaluator.sources), this.#memory) ||
      Boolean(carried && !isAlike(carried, origin.exact));
    if (this.#isOpen() || this.#isUnclear(origin, cells, vague, start)) {
      this.unread.push({ start, end, why: 'follows' });
      this.#memory.add(label, {
        printed: value,
        exact: value,
        cells,
        titled,
        given: false,
        open: true,
        start,
        end,
      });
      return;
    }
    const divided = this.#followPrinted(origin, cells);
    const { exact, relation, inner, row } = origin;
    if (relation === 'as written' && value.rank > 0 && agreement(cells, exact) < 1) {
      origin.mistakes = [
        ...this.#searcher.mistakesOf(statement, exact),
        ...this.#searcher.mistakesOfCall(origin.side, cells),
      ];
    }
    this.#claim({ ...origin, vague, aside }, cells, aside ? null : titleOf(label));
    for (const cell of cells.flat()) cell.divided = divided;
    this.#add(statement, {
      printed: value,
      exact,
      cells,
      titled,
      given: false,
      vague,
      inner,
      row,
      start,
      end,
      gap,
      from: [...this.#evaluator.sources],
      call: callOf(before),
    });
    this.#memory.results.push(...cells);
    this.#evaluator.begin();
  }

  /** @param {Statement} statement @param {Parameters<Memory['add']>[1]} value */
  #add(statement, value) {
    const entry = this.#memory.add(statement.label, value);
    const variable = this.#variableIn(statement);
    if (variable) this.#memory.call(variable, entry);
    return entry;
  }

  /** The variable whose value a program prints, as long as it does not change it. @param {Statement} statement */
  #variableIn(statement) {
    const { expression, start = -1 } = this.#prints.shownIn(statement) ?? {};
    if (expression?.kind !== 'name' || start < 0) return null;
    return (this.#changed.get(formOf(expression.text)) ?? 0) > start ? null : expression.text;
  }

  /** Behind sides that disagree, of which some are right and some wrong, numbers follow from those that the text prints.
   * @param {Origin} origin @param {Cell[][]} cells
   * @returns {boolean} whether they stand there */
  #followPrinted(origin, cells) {
    const divided = this.#isDivided || [...this.#evaluator.used].some(isDivided);
    const [printed] = origin.readings;
    if (divided && printed && sameShape(printed, origin.exact) && wrongIn(cells, origin).length)
      Object.assign(origin, { exact: printed, readings: [], carried: undefined });
    return divided;
  }

  /** What a printed value comes from.
   * @param {Statement} statement @param {{ cells: Cell[][], value: Value, gap: number | undefined }} printed
   * @param {Side[]} before @param {boolean} missing
   * @returns {Origin | null} */
  #originOf(statement, printed, before, missing) {
    const { cells, value, gap } = printed;
    const sides = before.length ? before : this.#leftOf(statement, cells, value);
    const equation = gap === undefined ? this.#written(statement, cells, value, sides) : null;
    const written = equation && (this.#explained(statement, printed, equation) ?? equation);
    const isNamed = Boolean(this.#memory.meaningOf(statement.label));
    const isSearched = value.rank > 0 ? isNamed || !missing : this.#isResult(statement);
    const origin = written ?? (isSearched ? this.#found(statement, printed) : null);
    /* A remark may be about any value. */
    return origin && statement.note && agreement(cells, origin.exact) < 1 ? null : origin;
  }

  /** What a value is by its name, or by its numbers.
   * @param {Statement} statement @param {{ cells: Cell[][], value: Value, gap: number | undefined }} printed
   * @returns {Origin | null} */
  #found(statement, printed) {
    const { cells, value } = printed;
    const ofRow = this.#searcher.isOfRow(statement) ? this.#named(statement, printed) : null;
    return (
      ofRow ??
      this.#again(cells, value) ??
      this.#shown(statement, value) ??
      this.#unprinted(statement, cells, value) ??
      this.#named(statement, printed)
    );
  }

  /** What a value is by its name, where an equation comes to another: then a number of the equation is wrong.
   * @param {Statement} statement @param {{ cells: Cell[][], value: Value, gap: number | undefined }} printed
   * @param {Origin} equation
   * @returns {Origin | null} */
  #explained(statement, printed, equation) {
    const { cells, value } = printed;
    if (value.rank === 0 || !wrongIn(cells, equation).length) return null;
    const named = this.#searcher.searched(statement, printed);
    if (!named || wrongIn(cells, named).length) return null;
    const { start, end } = statement;
    this.unread.push({ start, end, why: 'sides' });
    return named;
  }

  /** What the name itself computes with values before: K^T, A V. Names may have new values since.
   * @param {Statement} statement @param {Cell[][]} cells @param {Value} value
   * @returns {Side[]} */
  #leftOf({ label, left }, cells, value) {
    const isProduct = left && (left.kind !== 'name' || /^[A-Z]{2,3}$/.test(left.text));
    if (!left || !(value.rank === 0 ? isCall(left) : isProduct && !isCall(left))) return [];
    /* What is given twice comes from nothing. */
    if (this.#memory.exactly(label)?.given) return [];
    return this.#fitting(left, cells, value);
  }

  /** What names and numbers before say, or the name alone: softmax(z) below exp(z). It says better what it is a function of.
   * @param {Statement} statement @param {{ cells: Cell[][], value: Value, gap: number | undefined }} printed
   * @returns {Origin | null} */
  #named(statement, printed) {
    const { left } = statement;
    const { cells, value } = printed;
    const sides = left && isCall(left) ? this.#fitting(left, cells, value) : [];
    const called = this.#written(statement, cells, value, sides);
    const named = this.#searcher.searched(statement, printed);
    return called && !(named && isAlike(named.exact, called.exact)) ? called : named;
  }

  /** What an expression comes to, where printed numbers agree with it. @param {Expression} left @param {Cell[][]} cells
   * @param {Value} value
   * @returns {Side[]} */
  #fitting(left, cells, value) {
    const sides = this.#evaluator.meaningsOf(left).map((one) => ({ ...one, side: left }));
    return sides.filter(({ exact }) => {
      const fits = reshaped(exact, value);
      return (
        fits &&
        (value.rank === 0 ||
          agreement(cells, fits) >= (isCall(left) ? ENOUGH.expected : ENOUGH.few))
      );
    });
  }

  /** Whether a result that seems wrong may be right, because what it comes from is wrong or rounded. Sets aside what is right
   * after all. @param {Origin} origin @param {Cell[][]} cells @param {boolean} vague @param {number} start */
  #isUnclear(origin, cells, vague, start) {
    const sources = originsOf(this.#evaluator.sources);
    if (wrongIn(cells, origin).length) origin.righted = rightedBy(origin, sources);
    const wrong = wrongIn(cells, origin);
    if (!wrong.length) return false;
    const printed = { ...origin.exact, rows: valuesOf(cells) };
    const bands = bandsOf(wrong, origin, sources, fineIn(origin, this.#memory));
    const near = wrong.filter((one, k) => isNear(one, origin, bands[k]));
    if (near.length && !vague) origin.readings.push(replaced(origin.exact, near));
    if (vague) {
      origin.exact = replaced(origin.exact, near);
      /* An equation is corrected by the numbers that it prints. */
      bandsOf(wrong, origin, sources).forEach((band, k) => {
        wrong[k].cell.band = band;
      });
    }
    if (near.length === wrong.length) return false;
    if (vague && wrong.every((one, k) => isNear(one, origin, bands[k], MORE_UNITS))) return true;
    if (this.#isOfAnother(wrong[0], origin, sources, start)) return true;
    if (isAlone(cells, wrong) && [...sources].some(({ unproved }) => unproved)) return true;
    const slip = this.#slipBefore(cells, wrong, origin, start);
    if (!slip) return isMixed(wrong, origin, this.#memory);
    if (slip.exact === null) return true;
    this.#claimed([[slip.cell]], slip.exact);
    origin.exact = printed;
    return false;
  }

  /** Whether a result may be another than its equation says: in other units, of other values, one that a name is to fulfil.
   * @param {import('./relate/doubt.js').Wrong} wrong @param {Origin} origin @param {Iterable<Entry>} sources @param {number} start */
  #isOfAnother(wrong, origin, sources, start) {
    const isOther = origin.exact.rank === 0 && this.#isOfOthers(origin);
    return isOther || this.#isConverted(wrong, origin.exact) || this.#isSolvedFor(sources, start);
  }

  /** The number that is wrong in place of results. @param {Cell[][]} cells @param {import('./relate/doubt.js').Wrong[]} wrong
   * @param {Origin} origin @param {number} start */
  #slipBefore(cells, wrong, origin, start) {
    const before = this.#text.slice(0, start);
    const isWrong = (/** @type {string} */ text) =>
      this.claims.some((one) =>
        one.cells.flat().some((cell) => cell.text === text && !isWritten(cell, cell.exact)),
      );
    return (
      miscopied(cells, origin, (text) => hasNumber(before, text) && !isWrong(text)) ??
      this.#slipped(cells, wrong, origin)
    );
  }

  /** Whether the names that a number is computed from may mean something else there: words, a name of which the text has more
   * with an index, or what stands far above. @param {Origin} origin */
  #isOfOthers({ side }) {
    const factors = side ? operandsOf(side, '·') : [];
    const areWords = factors.every((one) => one.kind === 'name' && WORD.test(one.text));
    const sources = [...this.#evaluator.sources];
    const isOther = (/** @type {Entry} */ one) => isOfFar(one) || this.#memory.hasVariant(one);
    return (factors.length > 1 && areWords) || sources.some(isOther);
  }

  /** Whether a result has a unit behind it to which it may have been converted. @param {import('./relate/doubt.js').Wrong} wrong
   * @param {Value} exact */
  #isConverted({ cell, i, j }, { rank, rows }) {
    const end = cell.start + cell.text.length;
    const isUnit = rank === 0 && UNIT.test(this.#text.slice(end, end + 24));
    const ratio = Math.abs(rows[i][j] / cell.value);
    return isUnit && !(ratio < CONVERTED && ratio > 1 / CONVERTED);
  }

  /** A number further up whose slip explains a wrong row. @param {Cell[][]} cells
   * @param {import('./relate/doubt.js').Wrong[]} wrong @param {Origin} origin */
  #slipped(cells, wrong, origin) {
    if (this.#searches-- <= 0) return null;
    /* These are counted apart. */
    const { calls } = this.#evaluator;
    const slip = slippedIn(cells, wrong, origin, originsOf(this.#evaluator.sources));
    this.#evaluator.calls = calls;
    return slip;
  }

  /** Whether an equation may be one that a name is to fulfil: right behind it the name gets its value.
   * @param {Iterable<Entry>} sources @param {number} start of the equation */
  #isSolvedFor(sources, start) {
    const newline = this.#text.indexOf('\n', start);
    const end = newline < 0 ? this.#text.length : newline;
    const names = [...sources].map(({ form }) => form);
    /* Statements come in the order of the text. */
    while (this.#set[this.#next]?.start <= start) this.#next++;
    for (let i = this.#next; this.#set[i]?.start < end; i++)
      if (names.includes(this.#set[i].form)) return true;
    return false;
  }

  /** @param {Origin & Pick<Claim, 'vague' | 'aside'>} origin @param {Cell[][]} cells @param {string | null} result */
  #claim(origin, cells, result) {
    for (const entry of this.#evaluator.sources) this.#unused.delete(entry);
    this.claims.push({ ...origin, cells, result, used: [...this.#evaluator.used] });
    cells.forEach((row, i) => {
      row.forEach((cell, j) => {
        cell.exact = origin.exact.rows[i][j];
        cell.vague = origin.vague;
      });
    });
  }

  /** A printed value that comes from nothing before it: others may come from it.
   * @param {Statement} statement @param {{ cells: Cell[][], value: Value, gap: number | undefined }} printed
   * @param {boolean} unproved */
  #begin(statement, { cells, value, gap }, unproved) {
    const { label, titled, start, end } = statement;
    const tied = this.#memory.tie(cells);
    const copied = tied ? null : this.#memory.slippedCopy(label, cells);
    if (copied) return this.#copies(statement, cells, value, copied);
    const open = this.#opens(statement, value, tied ? null : cells);
    const exact = { rank: value.rank, rows: cells.map((row) => row.map((cell) => cell.exact)) };
    if (tied) this.#repeated(cells, value, exact);
    if (!label && !value.rank) return;
    const [, heading] = HEADING.exec(this.#text.slice(Math.max(0, start - 60), start)) ?? [];
    const beginning = {
      printed: value,
      exact: tied ? exact : value,
      cells,
      titled,
      heading: titled ? undefined : heading,
      given: !tied,
      unproved,
      open,
      start,
      end,
      gap,
    };
    const entry = this.#add(statement, beginning);
    if (!open && !tied && value.rank > 0) this.#unused.set(entry, statement);
  }

  /** Lists what nothing explains if it may be wrong, or is a number alone that is named as a result; rates are chosen.
   * @param {Statement} statement @param {Value} value @param {Cell[][] | null} cells null if they repeat results
   * @returns {boolean} whether it may be wrong */
  #opens(statement, value, cells) {
    const { label, start, end } = statement;
    if (this.#variableIn(statement)) return false;
    const open = this.#isOpened(label, value, cells);
    const isAlone = !value.rank && this.#memory.meaningOf(label) !== 'rate';
    if (open || isAlone) this.unread.push({ start, end, why: 'unrelated' });
    return open;
  }

  /** Whether what nothing explains may be wrong: a name that promises a relation, and numbers that keep none; a row without a name
   * that is a result but for one number; what a program changes later.
   * @param {string} label @param {Value} value @param {Cell[][] | null} cells null if they repeat results */
  #isOpened(label, { rank }, cells) {
    if (this.#changed.has(formOf(label))) return true;
    if (!cells || rank === 0) return false;
    if (!label) return this.#memory.resembles(cells);
    if (this.#memory.differsOnce(label, cells)) return true;
    return Boolean(this.#memory.meaningOf(label)) && this.#searcher.isPromised;
  }

  /** A result that is printed again with a slip. @param {Statement} statement @param {Cell[][]} cells @param {Value} value
   * @param {Cell[][]} result */
  #copies({ label, titled, start, end }, cells, value, result) {
    const isNear = (/** @type {Cell} */ { vague, exact: x, unit }, /** @type {Cell} */ cell) =>
      vague && Math.abs(cell.value - x) <= MOST_UNITS * unit;
    const rows = result.map((row, i) =>
      row.map((one, j) => (isNear(one, cells[i][j]) ? cells[i][j].value : one.exact)),
    );
    const exact = { rank: value.rank, rows };
    const printed = { ...exact, rows: valuesOf(result) };
    const origin = { ...asWritten(exact, [printed]), vague: false, aside: false };
    this.#evaluator.begin();
    for (const cell of result.flat()) this.#evaluator.used.add(cell);
    this.#claim(origin, cells, null);
    this.#memory.add(label, { printed: value, exact, cells, titled, given: false, start, end });
    this.#evaluator.begin();
  }

  /** Results that are printed again. @param {Cell[][]} cells @param {Value} value @param {Value} exact */
  #repeated(cells, value, exact) {
    const used = cells.flat().flatMap(({ repeats }) => repeats ?? []);
    this.#claimAlone({ exact, readings: [value], cells, used });
  }

  /** Numbers of which the text does not say what they are called.
   * @param {Pick<Claim, 'exact' | 'readings' | 'cells' | 'used'> & Partial<Claim>} claim */
  #claimAlone({ exact, readings, ...others }) {
    const origin = asWritten(exact, readings);
    this.claims.push({ ...origin, result: null, aside: false, vague: false, ...others });
  }

  /** What the text itself has written before the value.
   * @param {Statement} statement @param {Cell[][]} cells @param {Value} value @param {Side[]} before
   * @returns {Origin | null} */
  #written({ label, heading }, cells, value, before) {
    const fits = before.flatMap((side) => {
      const row = printedRow(side.exact, cells);
      const shaped = (/** @type {Value | null} */ one) =>
        one && reshaped(row < 0 ? one : { rank: 1, rows: [one.rows[row]] }, value);
      const [exact, printed, carried] = [side.exact, side.printed, side.carried].map(shaped);
      return exact && printed && carried ? [{ ...side, exact, printed, carried, shaped }] : [];
    });
    const usual = fits.filter(({ unusual }) => !unusual);
    if (!usual.length) return null;
    /* Of two values that differ, neither is computed. */
    const areGiven = before.every(({ side }) => this.#isGiven(side));
    if (areGiven && agreement(cells, usual[0].printed) < 1) return null;
    const isNatural = [label, heading].some((words) =>
      OF_NATURAL_LOG.includes(this.#memory.meaningOf(words)),
    );
    const others = fits.filter(
      ({ unusual, choice }) => unusual && !(isNatural && choice === 'log'),
    );
    /* Where the notation is meant otherwise, all agree. */
    const isMeant = (/** @type {{ exact: Value }} */ { exact: { rows } }) =>
      cells.every((row, i) => row.every((cell, j) => isWritten(cell, rows[i][j])));
    const one = usual.some(isMeant) ? usual[0] : (others.find(isMeant) ?? usual[0]);
    const { carried } = one;
    const isCarried = isMeant({ exact: carried });
    const exact = isCarried ? carried : one.exact;
    const origin = asWritten(
      exact,
      usual.flatMap((side) => [side.printed, side.exact]),
      { again: () => one.shaped(this.#evaluator.again(one.side)), side: one.side },
    );
    origin.carried = carried;
    if (isNatural) {
      const logs = fits.filter(({ choice }) => choice === 'log');
      origin.mistakes = logs.slice(0, 1).map((side) => ['misconception:log-base-10', side.exact]);
    }
    return origin;
  }

  /** Whether a side is numbers alone, that come from nothing. @param {Expression} side */
  #isGiven(side) {
    const cells = cellsOf(side);
    return cells
      ?.flat()
      .every((cell) => !this.claims.some((one) => one.cells.flat().includes(cell)));
  }

  /** The value that the text has named before, and prints here; shown: whether a program does.
   * @param {Statement} statement
   * @returns {{ entry: Entry | null, shown: boolean }} */
  #entryOf(statement) {
    const { label } = statement;
    const shown = this.#prints.shownIn(statement);
    const side = shown?.expression ?? this.#memory.aliased(label);
    const variable = side?.kind === 'name' ? this.#memory.exactly(side.text) : null;
    const entry = variable ?? this.#memory.find(label);
    if (!entry?.cells) return { entry, shown: variable !== null };
    /* Printed before, too. */
    const isBelow = variable !== null && (shown?.start ?? -1) >= 0;
    return { entry: isBelow && !entry.given ? entry : null, shown: isBelow };
  }

  /** What the text has named before, and prints here.
   * @param {Statement} statement @param {Cell[][]} cells @param {Value} value
   * @returns {Origin | null} */
  #unprinted(statement, cells, value) {
    const { entry, shown } = this.#entryOf(statement);
    const exact = entry && !this.#isSetAnew(entry) ? reshaped(entry.exact, value) : null;
    if (!entry || !exact || !areFinite(exact)) return null;
    const { label, titled } = statement;
    const isCalled = (!titled || statement.shown) && entry === this.#memory.exactly(label);
    const isCalledSo = shown || isCalled;
    if (!isCalledSo && agreement(cells, exact) < ENOUGH.expected) return null;
    this.#evaluator.use(entry);
    return asWritten(exact, [reshaped(entry.printed, value) ?? exact], {
      again: () => reshaped(this.#evaluator.printedAgain(entry), value),
    });
  }

  /** Whether a value may be another by now: t = 0 is what the text sets, and sets anew. @param {Entry} entry */
  #isSetAnew(entry) {
    const isSet = entry.side?.kind === 'number';
    return isSet || this.#changed.has(entry.form) || this.#memory.isStale(entry);
  }

  /** A single number that repeats a result which is right. @param {Cell[][]} cells @param {Value} value
   * @returns {Origin | null} */
  #again([[cell]], { rank }) {
    const exact = rank === 0 ? this.#memory.unrounded(cell) : undefined;
    return exact !== undefined && isWritten(cell, exact)
      ? asWritten({ rank, rows: [[exact]] }, [])
      : null;
  }

  /** What a program computes where it prints it. @param {Statement} statement @param {Value} value
   * @returns {Origin | null} */
  #shown(statement, value) {
    const shown = this.#prints.shownIn(statement)?.expression;
    const entry = shown?.kind === 'name' ? this.#memory.exactly(shown.text) : null;
    const isLater = shown?.kind === 'name' && (!entry || this.#memory.isStale(entry));
    const side = (isLater && this.#memory.aliased(shown.text)) || shown;
    /* p[0] is a name, too. */
    if (!side || (side.kind === 'name' && !side.text.endsWith(']'))) return null;
    const [meaning] = this.#evaluator.meaningsOf(side);
    if ([...this.#evaluator.sources].some(({ form }) => this.#changed.has(form))) return null;
    const exact = meaning && reshaped(meaning.exact, value);
    const again = () => {
      const one = this.#evaluator.again(side);
      return one && reshaped(one, value);
    };
    if (!exact || !areFinite(exact)) return null;
    return asWritten(exact, [reshaped(meaning.printed, value) ?? exact], { again });
  }

  /** What was printed, explained by nothing, and used by nothing behind it: neither by its name nor by its numbers. */
  finish() {
    const used = this.claims.flatMap((claim) => claim.used);
    const last = new Map(
      used.sort((a, b) => a.start - b.start).map(({ text, start }) => [text, start]),
    );
    const isUsed = (/** @type {Entry} */ { cells, end = 0 }) =>
      cells?.flat().every(({ text }) => (last.get(text) ?? 0) > end);
    for (const [entry, { start, end }] of this.#unused)
      if (!QUIET.includes(entry.meaning) && !isUsed(entry))
        this.unread.push({ start, end, why: 'unrelated' });
  }
}
