// From tokens to expressions: the arithmetic of a side of an equation.

import {
  ALIASES,
  FUNCTIONS,
  OF_ROWS,
  OF_SEVERAL,
  PRODUCTS,
  REDUCING,
  ROUNDING,
  SAME,
  WITHOUT_BRACKETS,
  WRAPPERS,
} from './functions.js';
import { cellOf } from './number.js';
import { isProse, lineBefore } from './prose.js';

/** @typedef {import('./tokens.js').Token} Token */
/** @typedef {import('./number.js').Cell} Cell */

/** @typedef {{ kind: 'number', cell: Cell }
 *   | { kind: 'name', text: string }
 *   | { kind: 'call', name: string, of: Expression[], axis?: number, written?: string }
 *   | { kind: 'list', of: Expression[], matrix: boolean, gap?: number }
 *   | { kind: 'negative' | 'turned', of: Expression }
 *   | { kind: 'binary', op: string, a: Expression, b: Expression }
 * } Expression */

/* axis: along which a program sums up; written: an unknown function as the text has it; gap: before which item of a list others are left out. */

/** @typedef {{ expression: Expression, next: number }} Read next: the token behind it */

/** Brackets within brackets: deeper ones are no arithmetic. */
const MAX_DEPTH = 24;

/** Terms of a sum, or factors of a product: longer ones are no arithmetic. */
const MOST_TERMS = 256;

/** A word, and no variable. */
const WORDS = /^(?:\p{Ll}{2,}|\p{Lo}+)$/u;
/** Code with a comment. */
const BEHIND_MARK = /\S\s+#\s/;
/** Words between two equations. */
const CONJUNCTIONS = ['and', 'or', 'und', 'oder', 'et', 'ou'];

/** Reads expressions of a list of tokens. */
export class Reader {
  /** @type {Token[]} */ #tokens;
  #depth = 0;
  /** Whether what is read is printed: there rounding changes no more than the digits. */
  #isPrinted = false;

  /** @type {string} */ #text;
  #comma;

  /** @param {string} text @param {Token[]} tokens that it consists of
   * @param {import('./number.js').Notation} notation */
  constructor(text, tokens, { comma }) {
    this.#text = text;
    this.#tokens = tokens;
    this.#comma = comma;
  }

  /** What a program prints, from a token on. @param {number} index
   * @returns {Read | null} */
  printed(index) {
    const before = this.#isPrinted;
    this.#isPrinted = true;
    const read = this.sum(index);
    this.#isPrinted = before;
    return read;
  }

  /** What stands first in the brackets behind a name. @param {string} name @param {number} index */
  #argument(name, index) {
    return name === 'print' ? this.printed(index) : this.sum(index);
  }

  /** A number with its sign, and the power of ten behind it.
   * @param {number} from @param {number} to of its tokens
   * @returns {Read} */
  #number(from, to) {
    const next = this.#powerOfTen(to + 1);
    const { start } = this.#tokens[from];
    const text = this.#text.slice(start, this.#tokens[next - 1].end);
    return { expression: { kind: 'number', cell: cellOf(text, start, this.#comma) }, next };
  }

  /** The token behind × 10^{-3}, if that is what comes; the one where it would begin otherwise.
   * @param {number} index */
  #powerOfTen(index) {
    const ten = this.#tokens[index + 1];
    if (this.#tokens[index]?.text !== '·' || !ten?.text.startsWith('10')) return index;
    if (/^10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(ten.text)) return index + 2;
    if (ten.text !== '10' || this.#tokens[index + 2]?.text !== '^') return index;
    const isOpen = ['(', '{'].includes(this.#tokens[index + 3]?.text);
    let next = index + 3 + Number(isOpen);
    if (this.#tokens[next]?.text === '-') next++;
    if (!/^\d{1,3}$/.test(this.#tokens[next]?.text ?? '')) return index;
    if (isOpen && this.#tokens[next + 1]?.kind !== 'close') return index;
    return next + 1 + Number(isOpen);
  }

  /** The longest expression that begins at a token.
   * @param {number} index
   * @returns {Read | null} */
  sum(index) {
    if (this.#depth > MAX_DEPTH) return null;
    this.#depth++;
    let left = this.#product(index);
    for (let terms = 1; left && terms < MOST_TERMS; terms++) {
      const { kind, text } = this.#tokens[left.next] ?? {};
      if (kind !== 'op' || (text !== '+' && text !== '-')) break;
      if (this.#isSign(left.next)) break;
      const right = this.#product(left.next + 1);
      if (!right) break;
      left = binary(text, left.expression, right);
    }
    this.#depth--;
    return left;
  }

  /** Whether a plus or a minus is a sign: -0.2 on a line of its own, behind a word or in a column; - 0.2 goes on with a sum.
   * @param {number} index of its token */
  #isSign(index) {
    const [last, { line, space, start }, next] = this.#tokens.slice(index - 1, index + 2);
    const isColumn = start - last.end > 1;
    const isApart = isColumn || WORDS.test(last.text) || this.#isFunctionAt(index + 1);
    if ((line || (space && isApart)) && !next?.space) return true;
    /* A comment ends with its line. */
    return line && BEHIND_MARK.test(lineBefore(this.#text, last.end));
  }

  /** @param {number} index
   * @returns {Read | null} */
  #product(index) {
    let left = this.#factor(index);
    for (let factors = 1; left && factors < MOST_TERMS; factors++) {
      const token = this.#tokens[left.next];
      if (!token) break;
      const sign = token.kind === 'op' && ['·', '/', '⊙'].includes(token.text);
      const beside = !sign && this.#isBeside(left, token);
      if (!sign && !beside) break;
      const right = this.#factor(left.next + (sign ? 1 : 0));
      if (!right) break;
      left = binary(sign ? token.text : '·', left.expression, right);
    }
    return left;
  }

  /** Whether what comes next is multiplied without a sign: names side by side, 2√3, softmax(S)V.
   * @param {Read} left @param {Token} token */
  #isBeside({ expression, next }, token) {
    const { kind, text, space, line } = token;
    const last = this.#tokens[next - 1];
    if (text === 'begin') return isMatrix(expression, last) || (!line && isFactor(expression));
    /* Code or a formula in a sentence. */
    const between = this.#text.slice(last.end, token.start);
    if (line || /`|\$|\\\(/.test(between)) return false;
    /* 0.4\,(1, 0) */
    if (kind === 'open' && text === '(' && /^\\[,;:!]$/.test(between)) return isFactor(expression);
    if (kind === 'name') return this.#isBesideName(expression, next);
    if (kind === 'op') return text === '√' && !space;
    return kind === 'open' && this.#isBesideBracket(expression, next);
  }

  /** The same of a bracket. @param {Expression} expression @param {number} index of its token */
  #isBesideBracket(expression, index) {
    const { text, space, match = index } = this.#tokens[index];
    if (this.#tokens[index + 1]?.text === 'begin')
      return isFactor(expression) || isMatrix(expression, this.#tokens[index - 1]);
    /* Q (K)^T, ½ (0.1)² */
    if (space) return text === '(' && this.#isFactorApart(expression, index, match);
    if (text === '[') return isFactor(expression) && this.#isRow(this.#tokens[index - 1], index);
    return text === '(' && expression.kind !== 'list';
  }

  /** Whether a bracket behind a space is multiplied: it is turned, or squared behind a fraction, and holds no words.
   * @param {Expression} expression @param {number} index of its token @param {number} match */
  #isFactorApart(expression, index, match) {
    const { text } = this.#tokens[match + 1] ?? {};
    if (text === 'ᵀ') return true;
    const isFraction = expression.kind === 'binary' && expression.op === '/';
    const hasWords = this.#tokens.slice(index + 1, match).some((one) => WORDS.test(one.text));
    return isFraction && (text === '^' || text === '²') && !hasWords;
  }

  /** Whether a bracket behind a factor is a row: softmax(S)[1, 0], 0.8[1, 0], and not a footnote's.
   * @param {Token} last of the factor @param {number} index of the bracket */
  #isRow(last, index) {
    const { match = index } = this.#tokens[index];
    return last.kind === 'close' || (last.kind === 'number' && match > index + 2);
  }

  /** Whether a word stands before a power of e: they become e^0 = 1. @param {Expression} expression @param {string} text */
  #isBeforePower = (expression, text) =>
    text === 'e' && expression.kind === 'name' && /^\p{Ll}{4,}$/u.test(expression.text);

  /** The same of a name. @param {Expression} expression @param {number} index of its token */
  #isBesideName(expression, index) {
    const { text, space } = this.#tokens[index];
    if (space && (isProse(expression) || this.#isBeforePower(expression, text))) return false;
    /* Words of a script without small letters are no variables. */
    if (expression.kind === 'name' && /^\p{Lo}+$/u.test(expression.text)) return false;
    /* 0.37 and ln 2 */
    const isOther = CONJUNCTIONS.includes(this.#tokens[index - 1].text);
    if (isOther && this.#isFunctionAt(index)) return false;
    if (!space || ['name', 'turned', 'call'].includes(expression.kind)) return true;
    /* (p - y) x */
    if (this.#tokens[index - 1].text === ')' && /^[\p{L}]\w{0,2}$/u.test(text)) return true;
    const isFunctional = ['frac', 'sqrt'].includes(text) || this.#isFunctionAt(index);
    return isFunctional && isFactor(expression);
  }

  /** Whether a function is named that needs no brackets. @param {number} index of its token */
  #isFunctionAt(index) {
    const { kind } = this.#tokens[index] ?? {};
    return kind === 'name' && WITHOUT_BRACKETS.includes(this.#functionAt(index));
  }

  /** The name of a function in one notation: np.log2, LN. @param {number} index of its token */
  #functionAt(index) {
    const { text } = this.#tokens[index];
    /* ln is a logarithm, LN a norm. */
    if (text === 'LN') return 'layernorm';
    const name = text.toLowerCase().replace(/^(softmax)_.*/, '$1');
    return ALIASES[name] ?? name.replace(/[^a-z.\d]|(?<!log.?)\d/g, '');
  }

  /** @param {number} index
   * @returns {Read | null} */
  #factor(index) {
    const token = this.#tokens[index];
    if (token?.kind === 'op' && (token.text === '-' || token.text === '+')) {
      return this.#signed(index, token.text);
    }
    if (token?.kind === 'op' && token.text === '√') {
      const inner = this.#tokens[index + 1]?.kind === 'op' ? null : this.#primary(index + 1);
      return inner && this.#behind(called('sqrt', [inner.expression], inner.next));
    }
    const first = this.#primary(index);
    return first && this.#behind(first);
  }

  /** A power binds before a sign: -2^2 is -4. @param {number} index @param {string} sign
   * @returns {Read | null} */
  #signed(index, sign) {
    const next = this.#tokens[index + 1];
    if (next?.kind === 'op' && next.text !== '√') return null;
    if (next?.kind === 'number' && sign === '-') {
      const alone = this.#number(index, index + 1);
      if (!['^', '²'].includes(this.#tokens[alone.next]?.text)) return this.#behind(alone);
    }
    const inner = this.#factor(index + 1);
    if (!inner || sign === '+') return inner;
    return { expression: { kind: 'negative', of: inner.expression }, next: inner.next };
  }

  /** Powers, turned matrices and methods. @param {Read} read
   * @returns {Read} */
  #behind(read) {
    let left = read;
    for (let powers = 0; powers < MAX_DEPTH; powers++) {
      const { expression, next } = left;
      const { kind, text } = this.#tokens[next] ?? {};
      if (kind !== 'op') return left;
      if (text === 'ᵀ') left = { expression: { kind: 'turned', of: expression }, next: next + 1 };
      else if (text.startsWith('.')) {
        const { match = next + 1 } = this.#tokens[next + 1] ?? {};
        const name = text.slice(1);
        if (SAME.includes(name) || (this.#rounds(name) && this.#isDecimals(next + 2, match))) {
          left = { expression, next: match + 1 };
          continue;
        }
        const axis = name === 'unsqueeze' ? undefined : this.#axis(next + 2, match);
        if (axis === null) return left;
        left = called(name, [expression], match + 1, axis);
      } else {
        const power = this.#exponent(text, next + 1);
        if (!power) return left;
        left = binary('^', expression, power);
      }
    }
    return left;
  }

  /** Whether a call is what stands in its brackets: array(…), print(…) of what is computed there, and what rounds it.
   * @param {string} name @param {Read} first what stands there @param {number} match */
  #isWrapper(name, { expression: { kind }, next }, match) {
    const isComputed = ['call', 'binary', 'negative'].includes(kind);
    return (
      WRAPPERS.includes(name) ||
      (name === 'print' && next === match && isComputed) ||
      (this.#rounds(name) && this.#isDecimals(next, match))
    );
  }

  /** Whether a function rounds what is printed. @param {string} name */
  #rounds(name) {
    return this.#isPrinted && ROUNDING.includes(name);
  }

  /** Whether nothing but a number of decimals stands up to a bracket: 3, decimals=3, or none.
   * @param {number} index @param {number} match the bracket */
  #isDecimals(index, match) {
    const inside = this.#tokens.slice(index, Math.min(match, index + 4)).map(({ text }) => text);
    return match - index < 4 && /^,?(?:decimals=)?\d{0,2}$/.test(inside.join(''));
  }

  /** The exponent of ² or ^, if the sign is one of these.
   * @param {string} sign @param {number} index the token behind it
   * @returns {Read | null} */
  #exponent(sign, index) {
    if (sign === '²') {
      const { start, end } = this.#tokens[index - 1];
      const digits = this.#text
        .slice(start, end)
        .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)))
        .replace(/[·⋅]/, '.')
        .replace('⁻', '-');
      return { expression: { kind: 'number', cell: cellOf(digits, -1, false) }, next: index };
    }
    if (sign !== '^' || this.#depth >= MAX_DEPTH) return null;
    this.#depth++;
    const power = this.#factor(index);
    this.#depth--;
    return power;
  }

  /** @param {number} index
   * @returns {Read | null} */
  #primary(index) {
    const token = this.#tokens[index];
    if (!token) return null;
    const { kind, text, match } = token;
    if (kind === 'table') return { expression: expressionOf(token), next: index + 1 };
    if (kind === 'number') return this.#number(index, index);
    if (kind === 'name') return this.#named(index);
    if (kind !== 'open' || match === undefined) return null;
    if (text === '[') return this.#list(index, match);
    if (text === '⟨') return this.#inner(index, match);
    return text === 'begin' ? this.#matrix(index, match) : this.#group(index, match);
  }

  /** What stands in round brackets or braces. @param {number} index @param {number} match
   * @returns {Read | null} */
  #group(index, match) {
    const inner = this.sum(index + 1);
    if (!inner || inner.next === match)
      return inner && { expression: inner.expression, next: match + 1 };
    /* (0.78, 0.22) is a row. */
    const of = this.#tokens[index].text === '(' ? this.#others(inner, match) : null;
    return of && { expression: { kind: 'list', of, matrix: false }, next: match + 1 };
  }

  /** ⟨a, b⟩ is a product. @param {number} index @param {number} match
   * @returns {Read | null} */
  #inner(index, match) {
    const first = this.sum(index + 1);
    const [a, b, ...more] = (first && this.#others(first, match)) ?? [];
    return b && !more.length ? binary('·', a, { expression: b, next: match + 1 }) : null;
  }

  /** A name, or what is a function of the brackets behind it.
   * @param {number} index
   * @returns {Read | null} */
  #named(index) {
    const { text } = this.#tokens[index];
    const behind = this.#tokens[index + 1];
    const name = this.#functionAt(index);
    if (
      behind?.kind === 'open' &&
      behind.match !== undefined &&
      (!behind.space || FUNCTIONS.includes(name))
    ) {
      const call = this.#called(index, name, behind.match);
      if (call !== undefined) return call;
    }
    const end = this.#indexed(index + 1);
    if (end > index) {
      const written = this.#text.slice(this.#tokens[index].start, this.#tokens[end].end);
      return { expression: { kind: 'name', text: written }, next: end + 1 };
    }
    /* ln 0.5, log p; of e^2 and of -1 one cannot be sure. */
    const isOne = behind?.kind === 'number' || /^[a-z]$/.test(behind?.text ?? '');
    if (WITHOUT_BRACKETS.includes(name) && isOne && !behind.line) {
      const argument = this.#primary(index + 1);
      if (argument) return called(name, [argument.expression], argument.next);
    }
    return { expression: { kind: 'name', text }, next: index + 1 };
  }

  /** A function of what stands in the brackets behind its name; undefined if the brackets are no arguments of it.
   * @param {number} index @param {string} name @param {number} match the index of the closing bracket
   * @returns {Read | null | undefined} */
  #called(index, name, match) {
    const isRound = this.#tokens[index + 1].text === '(';
    const first = this.#argument(name, index + 2);
    if (name === 'frac' && first) return this.#fraction(first, match);
    if (first && isRound && this.#isWrapper(name, first, match)) {
      return { expression: first.expression, next: match + 1 };
    }
    if (FUNCTIONS.includes(name) && first && (isRound || !REDUCING.includes(name))) {
      const axis = this.#axisBehind(first, match);
      if (axis !== null) return called(name, [first.expression], match + 1, axis);
    }
    const several = first && isRound ? this.#ofSeveral(name, first, match) : null;
    if (several) return several;
    if (!isRound) return undefined;
    const written = this.#text.slice(this.#tokens[index].start, this.#tokens[match].end);
    const expression = {
      kind: /** @type {const} */ ('call'),
      name: this.#tokens[index].text,
      of: [],
    };
    return { expression: { ...expression, written }, next: match + 1 };
  }

  /** A function of several arguments: max(0, 2), softmax(2, 0), dot(q, k); a row of R: c(2, 0). @param {string} name @param {Read} first @param {number} match
   * @returns {Read | null} */
  #ofSeveral(name, first, match) {
    const isRow = OF_ROWS.includes(name);
    const isList = name === 'c';
    const isProduct = PRODUCTS.includes(name);
    const isSeveral = isRow || isList || isProduct || OF_SEVERAL.includes(name);
    const of = isSeveral ? this.#others(first, match) : null;
    if (of && isProduct)
      return of.length === 2 ? binary('·', of[0], { expression: of[1], next: match + 1 }) : null;
    if (of && isList) return { expression: { kind: 'list', of, matrix: false }, next: match + 1 };
    return of && called(name, isRow ? [{ kind: 'list', of, matrix: false }] : of, match + 1);
  }

  /** \frac{a}{b}, of which a may be a row: \frac{2.03, 1.00}{3.03}.
   * @param {Read} first @param {number} match the index of the bracket that closes a
   * @returns {Read | null} */
  #fraction(first, match) {
    const of = this.#others(first, match);
    const other = of && this.#tokens[match + 1]?.kind === 'open' ? this.#primary(match + 1) : null;
    if (!of || !other) return null;
    return binary('/', of.length > 1 ? { kind: 'list', of, matrix: false } : of[0], other);
  }

  /** The axis behind an array, which may be a number: softmax(z, 1). @param {Read} first @param {number} match the closing bracket */
  #axisBehind({ expression, next }, match) {
    const [comma, number] = this.#tokens.slice(next, next + 2);
    const isAlone = expression.kind !== 'number' && next + 2 === match && comma.kind === 'comma';
    const isNumber = isAlone && /^\d$/.test(number.text);
    return isNumber ? Number(number.text) : this.#axis(next, match);
  }

  /** The axis in what follows a first argument: axis=-1, keepdims=True. null if something else does.
   * @param {number} index @param {number} match the closing bracket
   * @returns {number | undefined | null} */
  #axis(index, match) {
    if (index >= match) return index === match ? undefined : null;
    let axis;
    for (let next = index; next < match; ) {
      if (this.#tokens[next].kind === 'comma') next++;
      const [name, equals, value, digit] = this.#tokens.slice(next, next + 4);
      if (name?.kind !== 'name' || equals?.kind !== 'equals') return null;
      const isMinus = value?.text === '-';
      if (/^(axis|dim)$/.test(name.text)) axis = Number(isMinus ? `-${digit.text}` : value.text);
      else if (!/^keepdims?$/.test(name.text)) return null;
      next += isMinus ? 4 : 3;
    }
    return axis;
  }

  /** Where the indices behind a name end: scores[0], scores[0][1]; -1 without any. @param {number} index
   * @returns {number} */
  #indexed(index) {
    const { text, space, match } = this.#tokens[index] ?? {};
    if (text !== '[' || space || match === undefined || !this.#isIndex(index + 1, match)) return -1;
    return Math.max(match, this.#indexed(match + 1));
  }

  /** Whether tokens up to a bracket are whole numbers: scores[0,1] is a cell, and no list.
   * @param {number} index @param {number | undefined} match */
  #isIndex(index, match) {
    const inside = match === undefined ? [] : this.#tokens.slice(index, Math.min(match, index + 9));
    const isWhole = (/** @type {Token} */ { kind, text }) =>
      kind === 'comma' || (kind === 'number' && /^\d+$/.test(text));
    return inside.length > 0 && inside.every(isWhole);
  }

  /** What stands between commas up to the bracket that closes; null if something else does.
   * @param {Read} first @param {number} match
   * @returns {Expression[] | null} */
  #others(first, match) {
    const of = [first.expression];
    let { next } = first;
    while (next < match) {
      const read = this.#tokens[next].kind === 'comma' ? this.sum(next + 1) : null;
      if (!read) return null;
      of.push(read.expression);
      next = read.next;
    }
    return next === match ? of : null;
  }

  /** A row or rows in brackets, with commas or, as NumPy prints them, without.
   * @param {number} index @param {number} match
   * @returns {Read | null} */
  #list(index, match) {
    /** @type {Expression[]} */
    const of = [];
    let next = index + 1;
    const plain = !this.#tokens
      .slice(next, Math.min(match, next + 400))
      .some(({ kind, text }) => kind === 'comma' || (kind === 'op' && text !== '-'));
    let gap;
    while (next < match) {
      if (this.#tokens[next].text === '…') {
        gap = of.length;
        next++;
      } else {
        const read = plain && this.#tokens[next].text !== '[' ? this.#factor(next) : this.sum(next);
        if (!read) return null;
        of.push(read.expression);
        next = read.next;
      }
      if (this.#tokens[next].kind === 'comma') next++;
      else if (next < match && !plain) return null;
    }
    const expression = of.length && next === match ? listOf(of, gap) : null;
    return expression && { expression, next: match + 1 };
  }

  /** A matrix of LaTeX. @param {number} index @param {number} match
   * @returns {Read | null} */
  #matrix(index, match) {
    /** @type {Expression[][]} */
    const rows = [[]];
    let next = index + 1;
    while (next < match) {
      const { kind } = this.#tokens[next];
      if (kind === 'row') {
        rows.push([]);
        next++;
      } else if (kind === 'cell') next++;
      else {
        const read = this.sum(next);
        if (!read) return null;
        rows[rows.length - 1].push(read.expression);
        next = read.next;
      }
    }
    if (!rows[rows.length - 1].length) rows.pop();
    const of = rows.map((row) => ({ kind: /** @type {const} */ ('list'), of: row, matrix: false }));
    return of.length ? { expression: { kind: 'list', of, matrix: true }, next: match + 1 } : null;
  }
}

/** A table's numbers; a column with a heading is a vector. @param {Token} token
 * @returns {Expression} */
function expressionOf({ rows = [], start, end }) {
  const of = rows.map((row) => ({
    kind: /** @type {const} */ ('list'),
    matrix: false,
    of: row.map((cell) => ({ kind: /** @type {const} */ ('number'), cell })),
  }));
  const isRow = of.length === 1 && start === end;
  if (isRow) return of[0].of.length === 1 ? of[0].of[0] : of[0];
  return { kind: 'list', matrix: true, of };
}

/** @param {Expression[]} of @param {number | undefined} gap
 * @returns {Expression} */
function listOf(of, gap) {
  const [first] = of;
  /* A batch of one, or a matrix of LaTeX in brackets of its own. */
  if (of.length === 1 && first.kind === 'list' && first.matrix && gap === undefined) return first;
  const matrix = of.every(({ kind }) => kind === 'list');
  return { kind: 'list', of, matrix, ...(gap !== undefined && { gap }) };
}

/** @param {string} name @param {Expression[]} of @param {number} next @param {number} [axis]
 * @returns {Read} */
const called = (name, of, next, axis) => ({
  expression: { kind: 'call', name, of, ...(axis !== undefined && { axis }) },
  next,
});

/** Whether a matrix of LaTeX behind an expression is multiplied with it. @param {Expression} expression @param {Token} last */
const isMatrix = (expression, last) =>
  last.text === 'end' ||
  (last.kind === 'close' && (expression.kind === 'list' || expression.kind === 'binary'));

/** Whether an expression may be a factor before a fraction, or a function. @param {Expression} expression */
const isFactor = ({ kind }) => ['number', 'binary', 'negative', 'call', 'turned'].includes(kind);

/** @param {string} op @param {Expression} a @param {Read} b
 * @returns {Read} */
const binary = (op, a, b) => ({
  expression: { kind: 'binary', op, a, b: b.expression },
  next: b.next,
});
