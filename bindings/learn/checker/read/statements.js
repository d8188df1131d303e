// From a text to its statements: sides of an equation in their order, and what the text calls them.

import { unnested } from './drawn.js';
import { Reader } from './expression.js';
import { Joints } from './joined.js';
import { meaningOf } from './names.js';
import { notationOf } from './number.js';
import { isOutputWord, isProse, lineBefore, OUTPUT } from './prose.js';
import { isAlone, outside, sentencesOf } from './sentences.js';
import { tokensOf } from './tokens.js';

/** @typedef {import('./expression.js').Expression} Expression */
/** @typedef {import('./tokens.js').Token} Token */
/** @typedef {import('./number.js').Cell} Cell */

/** @typedef {object} Statement
 * @property {string} label what stands before its first equals sign, or the heading above it
 * @property {boolean} titled whether that is a heading, and not part of the equation
 * @property {string} heading the words above it, or before it
 * @property {boolean} shown whether a program prints what the heading names, if it is titled
 * @property {boolean} note whether it stands in brackets behind another value, as a remark
 * @property {boolean} [sentence] whether it is a row of the numbers in a sentence
 * @property {Expression | null} left what its name computes with others: K^T, A V
 * @property {Expression[]} sides
 * @property {number} start where it begins
 * @property {number} end */

/** @typedef {import('../relate/claim.js').Unread} Unread */

/** Before which of its numbers an expression leaves others out. @param {Expression} expression */
export const gapOf = (expression) => (expression.kind === 'list' ? expression.gap : undefined);

/** The numbers of an expression that is nothing but numbers: one, a row, or rows of one length.
 * @param {Expression} expression
 * @returns {Cell[][] | null} */
export function cellsOf(expression) {
  if (expression.kind === 'number') return [[expression.cell]];
  if (expression.kind !== 'list') return null;
  const rows = (expression.matrix ? expression.of : [expression]).map((row) => {
    const items = row.kind === 'list' ? row.of : [];
    const cells = items.flatMap((item) => (item.kind === 'number' ? [item.cell] : []));
    return cells.length === items.length ? cells : [];
  });
  const width = rows[0].length;
  return width && rows.every((row) => row.length === width) ? rows : null;
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

/** @param {Expression} expression
 * @returns {boolean} whether it computes something: with a function of known arguments, a product, a sum */
function isComputed(expression) {
  if (expression.kind === 'call') return expression.of.length > 0;
  if (expression.kind === 'binary') return true;
  return expression.kind === 'negative' && isComputed(expression.of);
}

/** Characters after which a heading no longer counts. */
const HEADING = 400;

/** Characters of a line above a table that says what it holds. */
const MAX_CAPTION = 80;

/** Characters of a name. */
const MAX_NAME = 200;

/** What stands between what a program prints, and that. */
const BETWEEN = new RegExp(`^(?:[\\s\`~*_#:>]|${OUTPUT}){0,60}$`, 'i');

/** Characters of a file between them. */
const MAX_BETWEEN = 2000;

/** A letter behind a number, which multiplies it: 2\\,b\\,h. */
const FACTOR = /^(?:\\[,;:! ]| ?\\,)\s?[A-Za-z](?![A-Za-z])/;
/** What stands between a name and its number. */
const BEHIND = /^[\s*_`$]{0,5}:[\s*_`$]{0,60}$/;

/** Words before a name that are not part of it. */
const LEADING = /^(?:(?:let|where|with|set|take|given|assume|suppose|here)\s+)+/i;

const SHOWING = /print\(|(?<=(?:^|\n)[ \t]*)[-−]?(?:np|numpy|torch|F|math)\.\w/y;

/** What prints a variable, with all its digits or some. */
const PRINTS =
  /^print\((?:[^()]{0,120},\s*)?(?:(?:np|torch)\.(?:a?round)\()?([A-Za-z_]\w*)(?:\.\w{1,10}\(\d{0,2}\)){0,3}(?:,\s*(?:decimals=)?\d{1,2}\))?\)$/;

/** The name in what stands before an equals sign: in "Let $t" it is t, in print(t) too. @param {string} words */
function nameIn(words) {
  const [, variable] = PRINTS.exec(words) ?? [];
  if (variable) return variable;
  const parts = words.split('$');
  return (parts.length % 2 ? words : parts[parts.length - 1]).replace(LEADING, '');
}

/** Whether an expression before an equals sign names what comes behind it, and is no side itself.
 * @param {Expression} expression @param {string} words */
const isLabel = (expression, words) =>
  (['name', 'call', 'turned'].includes(expression.kind) || isWords(expression)) &&
  !/[·×*]|\\(cdot|times)/.test(words) &&
  !/^[A-Z]{2}/.test(words);

/** Reads the statements of a text from its tokens. */
class StatementReader {
  /** @type {Statement[]} */
  #statements = [];
  /** @type {Unread[]} */
  #unread = [];
  /** The last words before a statement without a name of its own. */
  #heading = { text: '', end: -HEADING };
  /** Whether that is what a program prints. */
  #prints = false;
  /** Whether a program prints what the heading names. */
  #shows = false;
  /** What a program has computed and printed last. @type {{ expression: Expression, start: number, end: number } | null} */
  #printed = null;
  /** @type {Statement | null} the one that an equals sign goes on with */
  #open = null;
  /** The first token of its left side. */
  #first = 0;
  /** @type {Statement | null} the one whose formula a table follows */
  #awaits = null;
  /** Those with a side that may be read in part only. @type {Set<Statement>} */
  #partly = new Set();
  #ended = -1;

  /** @param {string} text @param {Token[]} tokens @param {import('./number.js').Notation} notation */
  constructor(text, tokens, notation) {
    this.text = text;
    this.tokens = tokens;
    this.reader = new Reader(text, tokens, notation);
    this.joints = new Joints(text, tokens);
  }

  read() {
    let next = 0;
    while (next < this.tokens.length) {
      const isEquals = this.tokens[next].kind === 'equals' || this.#isArrow(next);
      const side = this.reader.sum(isEquals ? next + 1 : next);
      const behind = isEquals && !side ? this.#behindElided(next) : null;
      if (side && isEquals) this.#addSide(next, side);
      else if (side) this.#headOrBegin(next, side);
      else if (!behind) this.#leave(next);
      next = side?.next ?? behind ?? next + 1;
    }
    /* With a single side there is nothing to compare. */
    for (const { sides, start, end } of this.#partly)
      if (sides.length > 1) this.#unread.push({ start, end, why: 'beside' });
    return {
      statements: this.#statements.filter(
        (one) => one.sides.length && !this.#partly.has(one) && !this.#isFactor(one),
      ),
      unread: this.#unread,
    };
  }

  /** Whether a letter behind a number alone multiplies it. @param {Statement} statement */
  #isFactor({ sides, end }) {
    const isNumber = sides.length === 1 && sides[0].kind === 'number';
    return isNumber && FACTOR.test(this.text.slice(end, end + 8));
  }

  /** In Q K^T = [1 · 2 ⋯] = [2, 3] the middle is no value, and the equation goes on behind it.
   * @param {number} index the token of the equals sign
   * @returns {number | null} the next sign, if there is one */
  #behindElided(index) {
    const open = this.tokens[index + 1];
    const behind = (open?.match ?? Number.NaN) + 1;
    const isBracket = open?.text === '[' || open?.text === 'begin';
    if (!this.#open || !isBracket || this.tokens[behind]?.kind !== 'equals') return null;
    this.#unread.push({ start: open.start, end: this.tokens[behind - 1].end, why: 'brackets' });
    return behind;
  }

  /** Whether an arrow stands between a computation and its result: softmax([1, 0]) → [0.73, 0.27].
   * @param {number} index */
  #isArrow(index) {
    const { kind, text, line } = this.tokens[index];
    if (kind !== 'break' || text !== '→' || line) return false;
    const last = this.#statements.at(-1);
    const side = last?.sides.at(-1);
    if (!side || last?.end !== this.tokens[index - 1]?.end || cellsOf(side)) return false;
    const read = isComputed(side) ? this.reader.sum(index + 1) : null;
    if (!read || !cellsOf(read.expression) || this.tokens[read.next]?.kind === 'equals')
      return false;
    this.#open = last;
    return true;
  }

  /** Whether a colon stands between a formula and the table of its values, or its list.
   * @param {number} index */
  #isBeforeValues(index) {
    const [colon, next] = this.tokens.slice(index, index + 2);
    if (colon?.kind !== 'break' || this.text[colon.start] !== ':' || !next) return false;
    const isList = next.kind === 'table' || next.text === '[' || next.text === 'begin';
    return isList && next.match !== index && (next.line || next.kind === 'table');
  }

  /** Whether a statement stands in brackets on the line of another value: [-1.34, 1.34] (mean ≈ 0, std ≈ 1).
   * @param {number} start */
  #isNote(start) {
    return /[\d\])}$]\s{1,20}\([^()\d]{0,40}(?:[=≈][^()]{0,60})?$/.test(
      lineBefore(this.text, start),
    );
  }

  /** The heading above a place, if it is near. @param {number} offset */
  #headingOf(offset) {
    const { text, end } = this.#heading;
    if (offset - end >= HEADING) return '';
    if (text.length > 2 && meaningOf(text, false)) return text;
    /* softmax of each row: Sums of the rows of A: */
    const line = lineBefore(this.text, end);
    const isOutput = isOutputWord(line.replace(/[*_#>:\s]/g, ''));
    const isCaption = line.length < MAX_CAPTION && !/[=\d]/.test(line) && !isOutput;
    return isCaption && meaningOf(line, false) ? line : text;
  }

  /** What stands behind an equals sign goes on with a statement, or begins one under a heading.
   * @param {number} index the token of the sign @param {import('./expression.js').Read} read */
  #addSide(index, { expression, next }) {
    const before = this.#open ?? this.#waiting(index);
    const isApart = this.#isApart(before, index, expression);
    const open = isApart ? null : before;
    const { end } = this.tokens[next - 1];
    if (open) {
      open.sides.push(expression);
      open.end = end;
      this.#open = open;
    } else {
      const from = this.tokens[index].start;
      const label = isApart ? this.text.slice(before?.start, before?.end) : this.#headingOf(from);
      const sides = [expression];
      this.#add({
        label,
        titled: true,
        shown: false,
        heading: label,
        note: false,
        left: null,
        sides,
        start: from,
        end,
      });
    }
    const areLists = open && !open.left && this.joints.areLists(this.#first, next);
    const isJoined = this.joints.behind(next) || areLists;
    if (!this.#isBeforeValues(next) && isJoined)
      this.#partly.add(/** @type {Statement} */ (this.#open));
    this.#ended = end;
  }

  /** Whether a matrix stands below an equation of a single number: Divide by √2 = 1.414 above = [[0.71, 0], [0, 0.71]]
   * @param {Statement | null} before @param {number} index of its equals sign @param {Expression} expression */
  #isApart(before, index, expression) {
    const isBelow = this.tokens[index].line && expression.kind === 'list';
    return isBelow && before?.sides.at(-1)?.kind === 'number';
  }

  /** @param {Statement} statement */
  #add(statement) {
    this.#open = statement;
    this.#statements.push(statement);
  }

  /** The number of a heading, or anything else that begins. @param {number} first its first token
   * @param {import('./expression.js').Read} read */
  #headOrBegin(first, read) {
    if (isProse(read.expression) && this.tokens[read.next]?.kind !== 'equals') {
      this.#open = null;
      this.#awaits = null;
    } else if (!this.#numbers(first, read)) this.#begin(first, read);
  }

  /** A heading; one that only says that a program has printed leaves what that is. @param {string} words @param {number} start
   * @param {number} end */
  #head(words, start, end) {
    const isOutput = this.#prints && isOutputWord(words);
    const text = isOutput ? this.#heading.text : words;
    this.#prints = this.text.startsWith('print(', start);
    this.#shows ||= this.#prints;
    this.#shows &&= isOutput || this.#prints;
    this.#heading = { text, end };
  }

  /** What stands before an equals sign, numbers without one, or a heading.
   * @param {number} first its first token @param {import('./expression.js').Read} read */
  #begin(first, { expression, next }) {
    const { start } = this.tokens[first];
    const { end } = this.tokens[next - 1];
    const isNamed = this.tokens[next]?.kind === 'equals';
    const words = nameIn(this.text.slice(start, Math.min(end, start + MAX_NAME)));
    if (this.#joins(expression, start, next)) return;
    const holdsNumbers = hasNumbers(expression);
    if (!isNamed && this.#isHeading(words, { expression, next }, holdsNumbers)) {
      this.#head(words, start, end);
      this.#open = null;
      return;
    }
    if (!isNamed && !holdsNumbers && !this.#isBeforeValues(next)) return;
    const names = isNamed && !holdsNumbers;
    const heading = this.#headingOf(start);
    const label = names ? this.#qualified(first, words) : heading;
    const titled = !names && !this.#isBehindHeading(start);
    const left = names && isLabel(expression, words) ? expression : null;
    const sides = left ? [] : [expression];
    const note = this.#isNote(start);
    const shown = this.#shows;
    this.#add({ label, titled, shown, heading, note, left, sides, start, end });
    this.#first = first;
    if (!isNamed) this.#leaveOpen(expression);
    else if (!left) this.#leavePart(first);
  }

  /** Adds a number to the heading before it: Row 0: [1, 2] @param {number} first its token @param {import('./expression.js').Read} read */
  #numbers(first, { expression, next }) {
    const { text, end } = this.#heading;
    const { start } = this.tokens[first];
    const colon = this.tokens[next];
    const isNumber = expression.kind === 'number' && /^\d{1,2}$/.test(expression.cell.text);
    const isBehind = text !== '' && /^ #?$/.test(this.text.slice(end, Math.min(start, end + 4)));
    if (!isNumber || !isBehind || this.text[colon?.start] !== ':') return false;
    this.#heading = { text: `${text} ${expression.cell.text}`, end: this.tokens[next - 1].end };
    return true;
  }

  /** What stands before an equation may belong to it. @param {number} first its first token */
  #leavePart(first) {
    const isPart = this.joints.before(first, this.#ended);
    if (isPart) this.#partly.add(/** @type {Statement} */ (this.#statements.at(-1)));
  }

  /** Whether a colon stands between the heading and a place: Loss: 0.5 @param {number} start */
  #isBehindHeading(start) {
    const { end } = this.#heading;
    return BEHIND.test(this.text.slice(end, Math.min(start, end + 70)));
  }

  /** Only a computation may go on behind an arrow or a colon. @param {Expression} expression */
  #leaveOpen(expression) {
    if (!isComputed(expression)) this.#open = null;
  }

  /** Adds numbers to the formula that waits for them, or to what a program has printed.
   * @param {Expression} expression @param {number} start @param {number} next the token behind it */
  #joins(expression, start, next) {
    const awaiting = this.#awaits;
    this.#awaits = null;
    if (!awaiting || !cellsOf(expression)) return this.#isPrinted(expression, start, next);
    awaiting.sides.push(expression);
    awaiting.end = this.tokens[next - 1].end;
    return true;
  }

  /** Whether a program prints an expression, or a value is what the last one came to.
   * @param {Expression} expression @param {number} start @param {number} next the token behind it */
  #isPrinted(expression, start, next) {
    const { end } = this.tokens[next - 1];
    if (this.tokens[next]?.kind === 'equals') return false;
    if (this.#isShowing(start) && isComputed(expression)) {
      this.#printed = { expression, start, end };
      return true;
    }
    const last = this.#printed;
    this.#printed = null;
    if (!last || !cellsOf(expression)) {
      /* Output: */
      if (expression.kind === 'name') this.#printed = last;
      return false;
    }
    /* In a notebook much of the file stands between them, which nobody sees. */
    const between = this.text.slice(last.end, Math.min(start, last.end + MAX_BETWEEN));
    if (!BETWEEN.test(between.replace(/\s+/g, ' '))) return false;
    const sides = [last.expression, expression];
    const named = { label: '', titled: true, shown: false, heading: '', note: false, left: null };
    this.#add({ ...named, sides, start: last.start, end });
    this.#open = null;
    return true;
  }

  /** Whether a program shows what begins here: it prints it, or a line of a notebook is nothing else. @param {number} start */
  #isShowing(start) {
    SHOWING.lastIndex = start;
    return SHOWING.test(this.text);
  }

  /** Whether words stand above what they name. A formula above its values is no heading: X Xᵀ:
   * @param {string} words @param {import('./expression.js').Read} read @param {boolean} holdsNumbers */
  #isHeading(words, { expression, next }, holdsNumbers) {
    const isFormula =
      this.#isBeforeValues(next) && isComputed(expression) && !/\p{Ll}{3}/u.test(words);
    if (isFormula) this.#heading = { text: words, end: this.tokens[next - 1].end };
    return !isFormula && (isWords(expression) || (!holdsNumbers && /\p{L}-\p{L}/u.test(words)));
  }

  /** In "a" → V = [1, 0] the name is V_a. @param {number} first the token of the name @param {string} words */
  #qualified(first, words) {
    const [word, arrow, name] = this.tokens.slice(Math.max(0, first - 2), first + 1);
    const isQualified =
      arrow?.text === '→' &&
      word?.kind === 'name' &&
      !arrow.line &&
      !name?.line &&
      /^\w{1,3}$/.test(words);
    return isQualified ? `${words}_${word.text}` : words;
  }

  /** Skips a token that begins no expression; numbers in brackets are listed as not understood. @param {number} index */
  #leave(index) {
    const { kind, text, match, start, space } = this.tokens[index];
    const last = this.#statements.at(-1);
    const side = last?.sides.at(-1);
    const isPending = side && last && last.end === this.tokens[index - 1]?.end && !cellsOf(side);
    this.#awaits = isPending && isComputed(side) && this.#isBeforeValues(index) ? last : null;
    this.#open = null;
    if (kind === 'equals' || match === undefined || (text !== '[' && text !== 'begin')) return;
    const { end } = this.tokens[match];
    const inside = this.text.slice(start, Math.min(end, start + 2000));
    /* x[0, :] is a part of x. */
    const isPart = !space && this.tokens[index - 1]?.kind === 'name';
    const isSlice = isPart || /^\[[^[\]]*:[^[\]]*\]$/.test(inside);
    if (/\d/.test(inside) && !isSlice) this.#unread.push({ start, end, why: 'brackets' });
  }

  /** Whether a token begins or ends a displayed formula. @param {number} index */
  #isDisplay(index) {
    const { kind, text, start, end } = this.tokens[index] ?? {};
    return (
      kind === 'break' &&
      text === 'break' &&
      /^(?:\$\$|\\[[\]])?$/.test(this.text.slice(start, end))
    );
  }

  /** The statement above that an equals sign at the begin of a line, or of a cell, goes on with.
   * @param {number} index its token
   * @returns {Statement | null} */
  #waiting(index) {
    const last = this.#statements.at(-1);
    const side = last?.sides.at(-1);
    let before = index - 1;
    while (['cell', 'row'].includes(this.tokens[before]?.kind) || this.#isDisplay(before)) before--;
    return last && side && !cellsOf(side) && this.tokens[before]?.end === last.end ? last : null;
  }
}

/** @param {string} text
 * @returns {{ statements: Statement[], unread: Unread[], numbers: Token[], notation: import('./number.js').Notation }}
 *   unread: brackets with numbers that are no numbers alone, and equations beside what may belong to them; numbers: those of
 *   sentences that have two decimals or more, and percentages */
export function statementsOf(text) {
  return statementsIn(unnested(text));
}

/** @param {Statement} statement */
const placeOf = ({ sentence, start, end }) => (sentence ? end : start);

/** @param {string} text */
function statementsIn(text) {
  const notation = notationOf(text);
  const { tokens, unread } = tokensOf(text, notation);
  const read = new StatementReader(text, tokens, notation).read();
  const parts = [...read.statements.filter((one) => !isAlone(one)), ...unread, ...read.unread];
  const numbers = outside(
    tokens.filter(
      ({ kind, text }) => kind === 'number' && /\d(?:\{?[.,]\}?\d\d|\s?\\?%)/.test(text),
    ),
    parts,
  );
  const sentences = sentencesOf(text, numbers, notation.comma);
  return {
    /* A sentence behind the statements that stand in it. */
    statements: [...read.statements, ...sentences].sort((a, b) => placeOf(a) - placeOf(b)),
    unread: [...unread, ...read.unread],
    numbers,
    notation,
  };
}
