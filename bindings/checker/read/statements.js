// From a text to its statements: sides of an equation in their order, and what the text calls them.

import { Reader } from './expression.js';
import { Joints } from './joined.js';
import { notationOf } from './number.js';
import { tokensOf } from './tokens.js';

/** @typedef {import('./expression.js').Expression} Expression */
/** @typedef {import('./tokens.js').Token} Token */
/** @typedef {import('./number.js').Cell} Cell */

/** @typedef {object} Statement
 * @property {string} label what stands before its first equals sign, or the heading above it
 * @property {boolean} titled whether that is a heading, and not part of the equation
 * @property {Expression[]} sides
 * @property {number} at where it begins
 * @property {number} end */

/** @typedef {{ at: number, end: number }} Span */

/** The numbers of an expression that is nothing but numbers: one, a row, or rows of one length.
 * @param {Expression} expression
 * @returns {Cell[][] | null} */
export function cellsOf(expression) {
  if (expression.kind === 'number') return [[expression.cell]];
  if (expression.kind !== 'list') return null;
  const rows = expression.matrix ? expression.of : [expression];
  const cells = rows.map((row) =>
    row.kind === 'list'
      ? row.of.flatMap((item) => (item.kind === 'number' ? [item.cell] : []))
      : [],
  );
  const whole = rows.every(
    (row, i) =>
      row.kind === 'list' &&
      row.of.length === cells[i].length &&
      cells[i].length === cells[0].length,
  );
  return whole && cells[0].length ? cells : null;
}

/** @param {Expression} expression
 * @returns {boolean} whether it is words, and no arithmetic */
function isWords(expression) {
  if (expression.kind === 'binary') {
    return expression.op === '·' && isWords(expression.a) && isWords(expression.b);
  }
  return expression.kind === 'name' || (expression.kind === 'call' && !expression.of.length);
}

/** @param {Expression} expression
 * @returns {boolean} whether a number is in it */
function hasNumbers(expression) {
  if (expression.kind === 'number') return true;
  if (expression.kind === 'binary') return hasNumbers(expression.a) || hasNumbers(expression.b);
  if (expression.kind === 'name') return false;
  return [expression.of].flat().some(hasNumbers);
}

/** Two lines further down nobody thinks of a heading any more. */
const HEADING = 400;

/** A longer name is none. */
const LONGEST_NAME = 200;

/** What stands between a name and its number. */
const BEHIND = /^[\s*_`$]{0,5}:[\s*_`$]{0,5}$/;

/** What leads to a name, and is none of it. */
const LEADING =
  /^(?:(?:let|where|with|set|take|given|assume|suppose|here|and|so|then|we get)\s+)+/i;

/** The name in what stands before an equals sign: in "Let $t" it is t. @param {string} words */
function nameIn(words) {
  const parts = words.split('$');
  return (parts.length % 2 ? words : parts[parts.length - 1]).replace(LEADING, '');
}

/** @param {string} text
 * @returns {{ statements: Statement[], unread: Span[], notation: import('./number.js').Notation }}
 *   unread: brackets with numbers that are no numbers alone, and equations beside what may belong to them */
export function statementsOf(text) {
  const notation = notationOf(text);
  const tokens = tokensOf(text, notation);
  const reader = new Reader(text, tokens, notation);
  const joints = new Joints(text, tokens);
  /** @type {Statement[]} */
  const statements = [];
  /** @type {Span[]} */
  const unread = [];
  let heading = { text: '', end: -HEADING };
  /** @type {Statement | null} the one that an equals sign goes on with */
  let open = null;
  /** Those with a side that may be read in part only. @type {Set<Statement>} */
  const partly = new Set();
  let ended = -1;
  let next = 0;
  const endOf = (/** @type {number} */ at) => tokens[at - 1].end;
  while (next < tokens.length) {
    const token = tokens[next];
    if (token.kind === 'equals') {
      const read = reader.sum(next + 1);
      if (!read) {
        open = null;
        next++;
        continue;
      }
      /** @type {Statement | null} */
      const goesOn = open ?? waiting(next);
      const end = endOf(read.next);
      if (goesOn) {
        goesOn.sides.push(read.expression);
        goesOn.end = end;
        open = goesOn;
      } else {
        const label = token.at - heading.end < HEADING ? heading.text : '';
        open = { label, titled: true, sides: [read.expression], at: token.at, end };
        statements.push(open);
      }
      if (joints.behind(read.next)) partly.add(open);
      ended = end;
      next = read.next;
      continue;
    }
    const read = reader.sum(next);
    if (!read) {
      if (token.match !== undefined && (token.text === '[' || token.text === 'begin'))
        noteUnread(token.at, tokens[token.match].end);
      open = null;
      next++;
      continue;
    }
    const { expression } = read;
    const end = endOf(read.next);
    const isNamed = tokens[read.next]?.kind === 'equals';
    const words = nameIn(text.slice(token.at, Math.min(end, token.at + LONGEST_NAME)));
    if (isWords(expression) && !isNamed) {
      heading = { text: words, end };
      open = null;
    } else if (isNamed || hasNumbers(expression)) {
      const isLabel = isNamed && !hasNumbers(expression);
      const label = isLabel ? words : token.at - heading.end < HEADING ? heading.text : '';
      /* Loss: 0.5 */
      const isBehind = BEHIND.test(text.slice(heading.end, Math.min(token.at, heading.end + 12)));
      const sides =
        isLabel &&
        (expression.kind === 'name' ||
          expression.kind === 'call' ||
          expression.kind === 'turned' ||
          isWords(expression)) &&
        !/[·×*]|\\(cdot|times)/.test(words) &&
        !/^[A-Z]{2}/.test(words)
          ? []
          : [expression];
      open = { label, titled: !isLabel && !isBehind, sides, at: token.at, end };
      statements.push(open);
      if (isNamed && !isLabel && joints.before(next, ended)) partly.add(open);
      if (!isNamed) open = null;
    }
    next = read.next;
  }
  /* With a single side there is nothing to compare. */
  for (const one of partly) if (one.sides.length > 1) unread.push(one);
  return {
    statements: statements.filter((one) => one.sides.length && !partly.has(one)),
    unread,
    notation,
  };

  /** The statement above that an equals sign at the begin of a line, or of a cell, goes on with.
   * @param {number} at its token
   * @returns {Statement | null} */
  function waiting(at) {
    const last = statements.at(-1);
    const side = last?.sides.at(-1);
    let before = at - 1;
    while (['cell', 'row'].includes(tokens[before]?.kind)) before--;
    return last && side && !cellsOf(side) && tokens[before]?.end === last.end ? last : null;
  }

  /** @param {number} at @param {number} end */
  function noteUnread(at, end) {
    if (/\d/.test(text.slice(at, Math.min(end, at + 2000)))) unread.push({ at, end });
  }
}
