// The sides of an equation: names before a value, the function that it begins with, a row of a matrix.

import { lettersOf } from '../read/names.js';
import { cellsOf } from '../read/statements.js';
import { agreement, ENOUGH } from './agreement.js';

/** @typedef {import('../read/expression.js').Expression} Expression */
/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('./value.js').Value} Value */

/** Which row of a matrix a text prints alone; -1 if none. @param {Value} matrix @param {Cell[][]} cells */
export function printedRow({ rank, rows }, cells) {
  if (rank < 2 || rows.length < 2 || cells.length > 1 || cells[0].length !== rows[0].length)
    return -1;
  return rows.findIndex((row) => agreement(cells, { rank: 1, rows: [row] }) >= ENOUGH.few);
}

/** Names before a value that is called so, too: Q = K = V = [[1, 0], [0, 1]]; or behind it, if nothing yet is: [0.5, 0.5] = A.
 * @param {Expression[]} sides @param {(name: string) => boolean} isKnown */
export function namesOf(sides, isKnown) {
  const last = sides.at(-1);
  const value = sides.at(-2);
  if (last?.kind === 'name' && value?.kind === 'list' && cellsOf(value) && !isKnown(last.text))
    return { names: [last.text], rest: sides.slice(0, -1) };
  const count = sides.findIndex(({ kind }) => kind !== 'name');
  const isValue = count > 0 && count === sides.length - 1 && cellsOf(sides[count]);
  const before = isValue
    ? sides.slice(0, count).flatMap((side) => (side.kind === 'name' ? side.text : []))
    : [];
  const isProduct = (/** @type {string} */ name) => {
    const letters = lettersOf(name);
    return letters.length > 1 && letters.every(isKnown);
  };
  const names = before.some(isProduct) ? [] : before;
  return { names, rest: sides.slice(names.length) };
}

/** The numbers of a function whose result stands elsewhere: softmax([0.5, 0.2]). @param {Expression} side */
export function argumentOf(side) {
  const isAlone = side.kind === 'call' && side.name === 'softmax' && side.of.length === 1;
  return isAlone && side.of[0].kind === 'list' && cellsOf(side.of[0]) ? side.of[0] : null;
}

/** The function that an equation begins with, its sign aside. @param {{ side: Expression }[]} before */
export const callOf = ([first]) => first && functionOf(first.side);

/** @param {Expression} side
 * @returns {string | undefined} */
function functionOf(side) {
  if (side.kind === 'list') {
    const [first, ...others] = side.of.map(functionOf);
    return others.every((other) => other === first) ? first : undefined;
  }
  if (side.kind === 'negative') return functionOf(side.of);
  if (side.kind === 'binary')
    return side.op === '/'
      ? 'quotient'
      : Object(side.a).text === 'e' && side.op === '^'
        ? 'exp'
        : undefined;
  return side.kind === 'call' ? side.name : undefined;
}
