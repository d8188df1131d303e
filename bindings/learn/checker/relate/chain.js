// The sides in the middle of an equation: (9 + 1 + 1 + 9) / 4 = 24 / 4 = 5. Each number there is a claim, too.

import { agrees, isPrinted, TOLERANCE } from '../../../js/number/judge.js';
import { writtenLike } from '../read/number.js';
import { cellsOf } from '../read/statements.js';

/** @typedef {import('../read/expression.js').Expression} Expression */
/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('./evaluate.js').Evaluator} Evaluator */

/** A printed number, and what it should be. @typedef {{ cell: Cell, exact: number }} Pair */

/** Numbers of a side: longer ones are not taken apart. */
const MAX_CELLS = 32;
const MAX_STEPS = 12;

/** The numbers printed in an expression. @param {Expression} expression
 * @returns {Cell[]} */
export function literalsOf(expression) {
  switch (expression.kind) {
    case 'number':
      return expression.cell.start < 0 ? [] : [expression.cell];
    case 'binary':
      return [...literalsOf(expression.a), ...literalsOf(expression.b)];
    case 'name':
      return [];
    default:
      return [expression.of].flat().flatMap(literalsOf);
  }
}

/** The terms of a sum, or the factors of a product, in order. @param {Expression} expression @param {string} op
 * @returns {Expression[]} */
export function operandsOf(expression, op) {
  if (expression.kind !== 'binary') return [expression];
  const { a, b } = expression;
  if (expression.op === op) return [...operandsOf(a, op), ...operandsOf(b, op)];
  const isDifference = op === '+' && expression.op === '-';
  return isDifference ? [...operandsOf(a, op), { kind: 'negative', of: b }] : [expression];
}

/** @param {Expression} expression */
const functionIn = (expression) => (expression.kind === 'call' ? expression.name : '');

/** An item of a row, or of what a number makes of it. @param {Expression} row @param {number} i @param {number} length
 * @returns {Expression | null} */
function itemOf(row, i, length) {
  if (row.kind === 'list') return row.of.length === length ? row.of[i] : null;
  if (row.kind !== 'binary' || row.op !== '·' || row.a.kind !== 'number') return null;
  const b = itemOf(row.b, i, length);
  return b && { ...row, b };
}

/** A difference is a sum of which some terms are negative. @param {Extract<Expression, { kind: 'binary' }>} expression */
const signOf = ({ op }) => (op === '-' ? '+' : op);

/** Compares an equation's side in the middle with the side before it. */
export class Chain {
  #evaluator;

  /** @param {Evaluator} evaluator */
  constructor(evaluator) {
    this.#evaluator = evaluator;
  }

  /** Which numbers of a side are wrong, if it does not come to what it should.
   * @param {Expression} before the side before it @param {Value} exact what that comes to @param {Expression} side
   * @returns {Pair[] | null} null if the sides disagree and no number is to blame */
  wrongIn(before, exact, side) {
    const cells = literalsOf(side);
    if (cells.length > MAX_CELLS) return [];
    const value = this.#evaluator.value(side, 'printed');
    if (!value || this.#isNear(side, cells, exact)) return [];
    const aligned = this.#aligned(before, side);
    const wrong = aligned?.filter(({ cell, exact: x }) => !isPrinted(cell, x)) ?? [];
    /* cos(2 / 100001 / 4) = cos(0.2) had a power: what comes to nothing is misread. */
    if (wrong.some(({ cell, exact: x }) => cell.value && x && Math.abs(x) < cell.unit / 2))
      return null;
    if (wrong.length > 0 && wrong.length <= Math.max(1, cells.length / 3)) {
      if (this.#with(wrong, () => this.#isNear(side, cells, exact))) return wrong;
    }
    /* Where operands may have been cut off, no single one is to blame. */
    if (!aligned && this.#isNear(side, cells, exact, TOLERANCE.rounding)) return [];
    return this.#repaired(before, side, cells, exact);
  }

  /** Whether a side comes to a value. @param {Expression} side @param {Value} exact */
  agrees(side, exact) {
    const cells = literalsOf(side);
    return cells.length > 0 && cells.length <= MAX_CELLS && this.#isNear(side, cells, exact);
  }

  /** Whether a side comes to a value, up to the rounding of its printed numbers.
   * @param {Expression} side @param {Cell[]} cells @param {Value} exact @param {number} [units] of the last digit of each */
  #isNear(side, cells, exact, units = TOLERANCE.rounded) {
    const value = this.#evaluator.value(side, 'printed');
    if (!value || !isShaped(value, exact)) return false;
    const bands = value.rows.map((row) => row.map(() => 0));
    for (const cell of cells.filter(({ unit }) => unit < 1 || unit > 1)) {
      const moved = this.#moved(side, cell, cell.value + cell.unit * units);
      if (!moved || !isShaped(moved, exact)) return true;
      bands.forEach((row, i) => {
        row.forEach((band, j) => {
          row[j] = band + Math.abs(moved.rows[i][j] - value.rows[i][j]);
        });
      });
    }
    return value.rows.every((row, i) =>
      row.every((x, j) => agrees(x, exact.rows[i][j], bands[i][j], TOLERANCE.float32Ways)),
    );
  }

  /** The value of a side with another number in the place of one. @param {Expression} side @param {Cell} cell @param {number} x */
  #moved(side, cell, x) {
    return this.#with([{ cell, exact: x }], () => this.#evaluator.value(side, 'printed'));
  }

  /** Does something while numbers of a side are others. @template T @param {Pair[]} pairs @param {() => T} act */
  #with(pairs, act) {
    const before = pairs.map(({ cell }) => cell.value);
    for (const { cell, exact } of pairs) cell.value = exact;
    try {
      return act();
    } finally {
      pairs.forEach(({ cell }, i) => {
        cell.value = before[i];
      });
    }
  }

  /** Numbers of a side, each with the part of the side before it that they are computed from; null where the sides differ in
   * what they compute.
   * @param {Expression} before @param {Expression} side
   * @returns {Pair[] | null} */
  #aligned(before, side) {
    const cells = cellsOf(side);
    if (cells) {
      const exact = this.#evaluator.value(before, 'exact');
      if (!exact || exact.rows.length !== cells.length) return null;
      if (exact.rows[0].length !== cells[0].length) return null;
      return cells.flatMap((row, i) => row.map((cell, j) => ({ cell, exact: exact.rows[i][j] })));
    }
    if (!literalsOf(side).length) return [];
    if (side.kind === 'list' && before.kind === 'binary') return this.#alignedSums(before, side);
    if (side.kind === 'binary') return this.#alignedOperands(before, side);
    if (side.kind === 'negative' && side.of.kind === 'number')
      return this.#alignedNegative(before, side.of.cell);
    const isAlike = side.kind === before.kind && functionIn(side) === functionIn(before);
    return isAlike && 'of' in side && 'of' in before
      ? this.#all([before.of].flat(), [side.of].flat())
      : null;
  }

  /** The sums in a list, of weighed rows: 0.4 · [0, 2] + 0.6 · [1, 1] = [0 + 0.6, 0.8 + 0.6].
   * @param {Expression} before @param {Extract<Expression, { kind: 'list' }>} side
   * @returns {Pair[] | null} */
  #alignedSums(before, side) {
    const operands = operandsOf(before, '+');
    const pairs = side.of.map((sum, i) => {
      const items = operands.map((one) => itemOf(one, i, side.of.length));
      return items.every((item) => item !== null) ? this.#all(items, operandsOf(sum, '+')) : null;
    });
    return pairs.every((one) => one !== null) ? pairs.flat() : null;
  }

  /** A number behind a minus. @param {Expression} before @param {Cell} cell
   * @returns {Pair[] | null} */
  #alignedNegative(before, cell) {
    const exact = this.#evaluator.value(before, 'exact');
    return exact?.rank === 0 ? [{ cell, exact: -exact.rows[0][0] }] : null;
  }

  /** @param {Expression} before @param {Extract<Expression, { kind: 'binary' }>} side */
  #alignedOperands(before, side) {
    const op = signOf(side);
    const isChain = op === '+' || op === '·';
    if (before.kind === 'binary' && signOf(before) === op) {
      if (!isChain) return this.#all([before.a, before.b], [side.a, side.b]);
      return this.#all(operandsOf(before, op), operandsOf(side, op));
    }
    /* q · k = 1·3 + 2·1 */
    if (op !== '+' || before.kind !== 'binary' || before.op !== '·') return null;
    const [a, b] = [before.a, before.b].map((one) => this.#evaluator.value(one, 'exact'));
    const terms = operandsOf(side, '+').map((term) => operandsOf(term, '·'));
    if (a?.rank !== 1 || b?.rank !== 1 || a.rows[0].length !== terms.length) return null;
    const isPlain = terms.every(
      (term) => term.length === 2 && term.every(({ kind }) => kind === 'number'),
    );
    if (!isPlain) return null;
    return terms.flatMap((term, i) =>
      term.map((one, j) => ({
        cell: /** @type {Extract<Expression, { kind: 'number' }>} */ (one).cell,
        exact: (j ? b : a).rows[0][i],
      })),
    );
  }

  /** @param {Expression[]} before @param {Expression[]} side
   * @returns {Pair[] | null} */
  #all(before, side) {
    if (before.length !== side.length) return null;
    const pairs = side.map((one, i) => this.#aligned(before[i], one));
    return pairs.every(Boolean) ? /** @type {Pair[][]} */ (pairs).flat() : null;
  }

  /** The one number of a side that, if it were another, would make the sides agree. Numbers that stand in the side before,
   * too, are copied and not computed.
   * @param {Expression} before @param {Expression} side @param {Cell[]} cells @param {Value} exact
   * @returns {Pair[] | null} */
  #repaired(before, side, cells, exact) {
    const copied = new Set(literalsOf(before).map(({ text }) => text));
    const repairs = cells
      .filter(({ text }) => !copied.has(text))
      .flatMap((cell) => {
        const x = this.#solved(side, cell, exact);
        if (x === null) return [];
        const written = Number(
          writtenLike(cell.text, x, { comma: false, minus: '-' }).replace(/,|\{,\}/, '.'),
        );
        const pair = { cell, exact: x };
        const isRight =
          !isPrinted(cell, x) &&
          Math.abs(written - x) <= TOLERANCE.rounding * cell.unit &&
          this.#with([{ cell, exact: written }], () => this.#isNear(side, cells, exact));
        return isRight ? [pair] : [];
      });
    return repairs.length === 1 && !isTurned(repairs[0]) ? repairs : null;
  }

  /** What a number would have to be. @param {Expression} side @param {Cell} cell @param {Value} exact
   * @returns {number | null} */
  #solved(side, cell, exact) {
    const wanted = exact.rows.flat();
    const rests = (/** @type {number} */ x) => {
      const value = this.#moved(side, cell, x);
      return value && isShaped(value, exact) ? value.rows.flat().map((y, i) => y - wanted[i]) : [];
    };
    /* Where the sides disagree most. */
    const [place] = rests(cell.value)
      .map((rest, i) => ({ rest: Math.abs(rest), i }))
      .sort((a, b) => b.rest - a.rest);
    if (!place) return null;
    const missing = (/** @type {number} */ x) => rests(x)[place.i];
    let [x, next] = [cell.value, cell.value + Math.max(cell.unit, Math.abs(cell.value) / 100)];
    let [left, right] = [missing(x), missing(next)];
    for (let step = 0; step < MAX_STEPS && right !== 0 && left !== right; step++) {
      [x, next] = [next, next - (right * (next - x)) / (right - left)];
      [left, right] = [right, missing(next)];
    }
    return Number.isFinite(next) && Math.abs(right) < TOLERANCE.float32Ways ? next : null;
  }
}

/** Whether a number would need another sign, and another value: a slip takes one of them. @param {Pair} pair */
const isTurned = ({ cell, exact }) =>
  exact * cell.value < 0 && Math.abs(exact + cell.value) > cell.unit;

/** @param {Value} a @param {Value} b */
const isShaped = (a, b) =>
  a.rank === b.rank && a.rows.length === b.rows.length && a.rows[0].length === b.rows[0].length;
