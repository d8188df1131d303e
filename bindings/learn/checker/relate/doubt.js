// Before a result is blamed: whether the numbers that it was computed from may be wrong instead, or were rounded.

import { sumOf } from '../../../js/base/sum.js';
import { isPrinted, TOLERANCE } from '../../../js/number/judge.js';
import { isWritten, readNumber } from '../read/number.js';
import { slipsOf } from '../read/slips.js';
import { cellsOf } from '../read/statements.js';
import { literalsOf, operandsOf } from './chain.js';

/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('./claim.js').Origin} Origin */
/** @typedef {import('./memory.js').Entry} Entry */
/** @typedef {import('./memory.js').Memory} Memory */
/** @typedef {import('./value.js').Value} Value */

/** A printed number that is wrong, and its place. @typedef {{ cell: Cell, i: number, j: number }} Wrong */

/** A printed number that can be another for a while.
 * @typedef {{ cell: Cell, of?: Entry, add: (x: number) => void }} Spot of: the value before that it belongs to */

/** Numbers that nobody chooses, and that are therefore rounded ones: of three digits and three decimals at least. */
const FINE = /^\D*0*(?:[1-9]\d*\{?[.,]\}?\d{2,}[1-9]|\{?[.,]\}?(?=0*[1-9]\d{2})\d{2,}[1-9])0*$/;
/** Units of its last digit that a result may be off for the rounding of what it comes from. */
export const MOST_UNITS = 2.001;
/** Numbers that are moved. */
const MAX_SPOTS = 64;
/** Steps that are taken back from a value which is nowhere printed. */
const MAX_ORIGINS = 4;
/** Decimals that name a number: no two of a text are the same by chance. */
const TELLING = /[.,]\}?\d*[1-9]\d/;

export const isFine = (/** @type {Cell} */ { text }) => FINE.test(text);

/** Named values, and those that the ones come from which are nowhere printed. @param {Iterable<Entry>} sources @param {number} [depth]
 * @returns {Set<Entry>} */
export const originsOf = (sources, depth = MAX_ORIGINS) =>
  new Set(
    [...sources].flatMap((one) => [
      one,
      ...(one.cells || !depth ? [] : originsOf(one.from ?? [], depth - 1)),
    ]),
  );

/** The numbers of an equation that may be rounded ones, and repeat no result that is. @param {Origin} origin @param {Memory} memory */
export function fineIn({ side }, memory) {
  const shares = side ? sharesIn(side) : [];
  return (side ? literalsOf(side) : []).filter(
    (cell) =>
      (isFine(cell) || shares.includes(cell)) &&
      (!cell.repeats || cell.repeats.vague) &&
      memory.unrounded(cell) === undefined,
  );
}

/** The shares of a mixture, unless they look chosen: 0.11 · [1, 0] + 0.79 · [0, 1] + 0.11 · [1, 1]. Round ones are chosen.
 * @param {import('../read/expression.js').Expression} side
 * @returns {Cell[]} */
function sharesIn(side) {
  const terms = operandsOf(side, '+').map((term) => operandsOf(term, '·'));
  const cells = terms.flatMap(([first, ...rest]) =>
    first.kind === 'number' && rest.length === 1 ? [first.cell] : [],
  );
  if (cells.length < Math.max(2, terms.length)) return [];
  const areShares = cells.every(({ value, unit }) => value >= 0 && value <= 1 && unit < 0.05);
  const sum = sumOf(cells.map(({ value }) => value));
  const most = sumOf(cells.map(({ unit }) => unit)) / 2;
  const areChosen = cells.every(({ value }) => isWithin(20 * value, Math.round(20 * value), 0));
  return areShares && !areChosen && isWithin(sum, 1, most) ? cells : [];
}

/** The number that a text gives a name, if it may be rounded: p = 0.1324. @param {Entry} entry */
const fineOf = ({ side }) => (side?.kind === 'number' && isFine(side.cell) ? [side.cell] : []);

/** Whether what a text starts with may itself be rounded: 0.707 for √2/2.
 * @param {Origin} origin @param {Iterable<Entry>} sources @param {Memory} memory */
export const isVague = (origin, sources, memory) =>
  fineIn(origin, memory).length > 0 ||
  [...sources].some((one) =>
    one.given
      ? (one.cells ?? []).some((row) => row.some(isFine))
      : one.vague || fineOf(one).length > 0 || (!one.cells && one.printed.rank === 2),
  );

/** What a result is if each wrong number before it is what it should be, in its digits.
 * @param {Origin} origin @param {Iterable<Entry>} sources */
export function rightedBy({ again, side }, sources) {
  const moves = spotsOf(sources, side ? literalsOf(side) : []).flatMap(({ cell, add }) => {
    const by = Math.round(cell.exact / cell.unit) * cell.unit - cell.value;
    return Math.abs(by) < cell.unit / 2 ? [] : [{ add, by }];
  });
  if (!moves.length) return undefined;
  for (const { add, by } of moves) add(by);
  const value = again();
  for (const { add, by } of moves) add(-by);
  return value ?? undefined;
}

/** The printed numbers that are wrong, whatever they are computed from.
 * @param {Cell[][]} cells @param {Origin} origin
 * @returns {Wrong[]} */
export function wrongIn(cells, { exact, readings, carried, righted }) {
  const ways = [exact, ...readings, carried, righted].flatMap((value) => value ?? []);
  return cells.flatMap((row, i) =>
    row.flatMap((cell, j) =>
      Number.isNaN(exact.rows[i][j]) || ways.some(({ rows }) => isWritten(cell, rows[i][j]))
        ? []
        : [{ cell, i, j }],
    ),
  );
}

/** How far the rounding of the printed numbers before them may move results.
 * @param {Wrong[]} wrong @param {Origin} origin @param {Iterable<Entry>} sources @param {Cell[]} [literals] of the equation */
export function bandsOf(wrong, origin, sources, literals = []) {
  const { exact, again } = origin;
  const value = again() ?? exact;
  const bands = wrong.map(() => 0);
  for (const { cell, add } of spotsOf(sources, literals).slice(0, MAX_SPOTS)) {
    /* What it should be may itself be off. */
    const by = cell.unit / 2 + (cell.band ?? 0);
    add(by);
    const moved = again();
    add(-by);
    wrong.forEach(({ i, j }, k) => {
      if (moved) bands[k] += Math.abs(moved.rows[i][j] - value.rows[i][j]);
    });
  }
  return bands;
}

/** Whether a result is off by no more than that, and by few in its last digit. @param {Wrong} wrong @param {Origin} origin @param {number} band
 * @param {number} [units] how many */
export function isNear({ cell, i, j }, { exact, again }, band, units = MOST_UNITS) {
  const most = Math.min(band, units * cell.unit) + cell.unit / 2;
  return [exact, again() ?? exact].some(({ rows }) => isWithin(cell.value, rows[i][j], most));
}

/** What a slip makes of a number. @param {string} text */
const numberIn = (text) => readNumber(text.replace(/,|\{,\}/, '.'), false).value;

/** Whether a printed result is not the computed one. @param {Cell} cell */
const isRounded = ({ value, exact }) => !isWithin(value, exact, 0);

/** The printed numbers of an equation, and of what it comes from.
 * @param {Iterable<Entry>} sources @param {Cell[]} literals
 * @returns {Spot[]} */
const placesOf = (sources, literals) => [
  ...literals.map((cell) => ({
    cell,
    add: (/** @type {number} */ x) => {
      cell.value += x;
    },
  })),
  ...[...sources].flatMap((of) =>
    (of.cells ?? []).flatMap((row, i) =>
      row.map((cell, j) => ({
        cell,
        of,
        add: (/** @type {number} */ x) => {
          of.printed.rows[i][j] += x;
        },
      })),
    ),
  ),
];

/** Those that may be rounded ones: results, and what has many decimals.
 * @param {Iterable<Entry>} sources @param {Cell[]} literals */
const spotsOf = (sources, literals) =>
  placesOf(sources, [...literals, ...[...sources].flatMap(fineOf)]).filter(
    ({ cell, of }) =>
      !of ||
      (of.given || (of.vague && !isRounded(cell))
        ? isFine(cell)
        : cell.unit < 1 && isRounded(cell)),
  );

/** A value with some of its numbers as they are printed. @param {Value} value @param {Wrong[]} places
 * @returns {Value} */
export const replaced = ({ rank, rows }, places) => ({
  rank,
  rows: rows.map((row, i) =>
    row.map((x, j) => places.find((one) => one.i === i && one.j === j)?.cell.value ?? x),
  ),
});

/** @param {number} x @param {number} y @param {number} band */
const isWithin = (x, y, band) => Math.abs(x - y) <= band + TOLERANCE.float32 * Math.abs(y);

/** Whether numbers that nothing explains may be wrong instead of what follows from them: nothing else in the row of a wrong
 * result is right. @param {Cell[][]} cells @param {Wrong[]} wrong */
export const isAlone = (cells, wrong) =>
  wrong.some(({ i }) => wrong.filter((one) => one.i === i).length === cells[i].length);

/** The number of an equation that is wrong in place of its result: it stands nowhere before in the text, what it should be
 * does, and both differ by one slip.
 * @param {Cell[][]} cells @param {Origin} origin
 * @param {(text: string) => boolean} isPrinted whether the text prints a number before
 * @returns {{ cell: Cell, exact: number } | null} */
export function miscopied(cells, { again, side }, isPrinted) {
  const slips = (side ? literalsOf(side) : [])
    .filter(({ text }) => !isPrinted(text))
    .flatMap((cell) =>
      slipsOf(cell.text)
        .filter((text) => TELLING.test(text) && isPrinted(text))
        .map((text) => ({ cell, exact: numberIn(text) }))
        .filter(({ exact }) => isRightWith(cells, again, cell, exact)),
    );
  return slips.length === 1 ? slips[0] : null;
}

/** Whether a slip alone makes a wrong number of the right one. @param {Wrong} wrong @param {Value} exact */
export const isSlip = ({ cell, i, j }, { rows }) =>
  slipsOf(cell.text).some((text) => isPrinted({ ...cell, value: numberIn(text) }, rows[i][j]));

/** The number of a value before, or of the equation, that is wrong in place of several results, or of one that it alone is scaled to
 * and that comes from no slip: another one by a slip, which makes each right; exact: null where several do. Nothing explains that
 * number.
 * @param {Cell[][]} cells @param {Wrong[]} wrong @param {Origin} origin @param {Iterable<Entry>} sources
 * @returns {{ cell: Cell, exact: number | null } | null} */
export function slippedIn(cells, wrong, { exact: right, relation, again, side }, sources) {
  const isOne = relation === 'scaled' && wrong.length === 1 && !isSlip(wrong[0], right);
  if (wrong.length < 2 && !isOne) return null;
  const literals = (side ? literalsOf(side) : []).filter((cell) => !cell.repeats);
  const spots = placesOf(sources, literals).filter(({ of }) => !of || of.given);
  if (spots.length > MAX_SPOTS) return null;

  const slips = spots.flatMap(({ cell, add }) =>
    slipsOf(cell.text).flatMap((text) => {
      const exact = numberIn(text);
      const by = exact - cell.value;
      add(by);
      const value = again();
      add(-by);
      const isRight =
        value && cells.every((line, k) => line.every((one, l) => isPrinted(one, value.rows[k][l])));
      return isRight ? [{ cell, exact }] : [];
    }),
  );
  const values = new Set(slips.map(({ exact }) => exact));
  /* What many slips explain, none does. */
  if (values.size > 3 || new Set(slips.map(({ cell }) => cell)).size !== 1) return null;
  return { cell: slips[0].cell, exact: values.size === 1 ? slips[0].exact : null };
}

/** @param {Cell[][]} cells @param {() => Value | null} again @param {Cell} cell @param {number} x */
function isRightWith(cells, again, cell, x) {
  const before = cell.value;
  cell.value = x;
  const value = again();
  cell.value = before;
  return (
    !!value && cells.every((row, i) => row.every((one, j) => isWritten(one, value.rows[i][j])))
  );
}

/** Whether a number of an equation may be wrong in place of its result: a sum adds up results that stand before, and numbers that
 * stand nowhere; a list is such a result but for one number.
 * @param {Wrong[]} wrong @param {Origin} origin @param {Memory} memory */
export function isMixed(wrong, { side }, memory) {
  if (!side) return false;
  if (listsOf(side).some((cells) => memory.resembles(cells))) return true;
  return wrong.some(({ j }) => {
    const terms = termsOf(side.kind === 'list' ? (side.of[j] ?? side) : side);
    const old = terms.filter((cell) => memory.isResult(cell));
    return terms.length > 2 && old.length > 1 && old.length < terms.length;
  });
}

/** The numbers that a sum adds up; none where it has other terms. @param {import('../read/expression.js').Expression} sum
 * @returns {Cell[]} */
function termsOf(sum) {
  const terms = operandsOf(sum, '+');
  const cells = terms.flatMap((one) => (one.kind === 'number' ? [one.cell] : []));
  return cells.length === terms.length ? cells : [];
}

/** The lists of numbers in a side. @param {import('../read/expression.js').Expression} side
 * @returns {Cell[][][]} */
function listsOf(side) {
  const cells = side.kind === 'list' ? cellsOf(side) : null;
  if (cells) return [cells];
  return side.kind === 'binary' ? [side.a, side.b].flatMap(listsOf) : [];
}
