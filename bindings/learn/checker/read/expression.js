// From tokens to expressions: the arithmetic of a side of an equation.

import { cellOf } from './number.js';

/** @typedef {import('./tokens.js').Token} Token */
/** @typedef {import('./number.js').Cell} Cell */

/** @typedef {{ kind: 'number', cell: Cell }
 *   | { kind: 'name', text: string }
 *   | { kind: 'call', name: string, of: Expression[] }
 *   | { kind: 'list', of: Expression[], matrix: boolean }
 *   | { kind: 'negative' | 'turned', of: Expression }
 *   | { kind: 'binary', op: string, a: Expression, b: Expression }
 * } Expression */

/** @typedef {{ expression: Expression, next: number }} Read next: the token behind it */

/** Brackets within brackets: deeper ones are no arithmetic. */
const MAX_DEPTH = 24;

/** Terms of a sum, or factors of a product: longer ones are no arithmetic. */
const MOST_TERMS = 256;

export const FUNCTIONS = [
  ...['softmax', 'layernorm', 'exp', 'sqrt', 'sin', 'cos', 'tanh', 'sigmoid', 'relu', 'abs'],
  ...['log', 'ln', 'log2', 'log10'],
];
/** Those of several numbers. */
const OF_SEVERAL = ['min', 'max'];
const WRAPPERS = ['array', 'tensor', 'matrix', 'np.array', 'torch.tensor'];

/** Reads expressions of a list of tokens. */
export class Reader {
  /** @type {Token[]} */ #tokens;
  #depth = 0;

  /** @type {string} */ #text;
  #comma;

  /** @param {string} text @param {Token[]} tokens that it consists of
   * @param {import('./number.js').Notation} notation */
  constructor(text, tokens, { comma }) {
    this.#text = text;
    this.#tokens = tokens;
    this.#comma = comma;
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
      const { kind, text, line } = this.#tokens[left.next] ?? {};
      if (kind !== 'op' || (text !== '+' && text !== '-')) break;
      /* -0.2 on a line of its own is a number, - 0.2 goes on with a sum. */
      if (line && !this.#tokens[left.next + 1]?.space) break;
      const right = this.#product(left.next + 1);
      if (!right) break;
      left = binary(text, left.expression, right);
    }
    this.#depth--;
    return left;
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
  #isBeside({ expression }, token) {
    if (token.line) return false;
    const named = ['name', 'turned', 'call'].includes(expression.kind);
    if (token.kind === 'name') return named || !token.space;
    if (token.kind === 'op') return token.text === '√' && !token.space;
    return (
      token.kind === 'open' && !token.space && token.text === '(' && expression.kind !== 'list'
    );
  }

  /** @param {number} index
   * @returns {Read | null} */
  #factor(index) {
    const token = this.#tokens[index];
    if (token?.kind === 'op' && (token.text === '-' || token.text === '+')) {
      const next = this.#tokens[index + 1];
      if (next?.kind === 'number' && token.text === '-') {
        return this.#behind(this.#number(index, index + 1));
      }
      if (next?.kind === 'op') return null;
      const inner = this.#factor(index + 1);
      if (!inner || token.text === '+') return inner;
      return { expression: { kind: 'negative', of: inner.expression }, next: inner.next };
    }
    if (token?.kind === 'op' && token.text === '√') {
      const next = this.#tokens[index + 1];
      if (next?.kind === 'op') return null;
      const inner = this.#factor(index + 1);
      return inner && called('sqrt', [inner.expression], inner.next);
    }
    const first = this.#primary(index);
    return first && this.#behind(first);
  }

  /** Powers and turned matrices. @param {Read} read
   * @returns {Read} */
  #behind(read) {
    let left = read;
    for (let powers = 0; powers < MAX_DEPTH; powers++) {
      const { expression, next } = left;
      const { kind, text } = this.#tokens[next] ?? {};
      if (kind !== 'op') return left;
      if (text === 'ᵀ') left = { expression: { kind: 'turned', of: expression }, next: next + 1 };
      else {
        const power = this.#exponent(text, next + 1);
        if (!power) return left;
        left = binary('^', expression, power);
      }
    }
    return left;
  }

  /** The exponent of ² or ^, if the sign is one of these.
   * @param {string} sign @param {number} index the token behind it
   * @returns {Read | null} */
  #exponent(sign, index) {
    if (sign === '²') {
      return { expression: { kind: 'number', cell: cellOf('2', 0, false) }, next: index };
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
    if (kind === 'table') {
      const rows = token.rows?.map((row) => ({
        kind: /** @type {const} */ ('list'),
        matrix: false,
        of: row.map((cell) => ({ kind: /** @type {const} */ ('number'), cell })),
      }));
      return { expression: { kind: 'list', matrix: true, of: rows ?? [] }, next: index + 1 };
    }
    if (kind === 'number') return this.#number(index, index);
    if (kind === 'name') return this.#named(index);
    if (kind !== 'open' || match === undefined) return null;
    if (text === '[') return this.#list(index, match);
    if (text === 'begin') return this.#matrix(index, match);
    const inner = this.sum(index + 1);
    return inner?.next === match ? { expression: inner.expression, next: match + 1 } : null;
  }

  /** A name, or what is a function of the brackets behind it.
   * @param {number} index
   * @returns {Read | null} */
  #named(index) {
    const { text } = this.#tokens[index];
    const behind = this.#tokens[index + 1];
    const name = text.toLowerCase().replace(/[^a-z.\d]|(?<!log.?)\d/g, '');
    if (
      behind?.kind === 'open' &&
      behind.match !== undefined &&
      (!behind.space || FUNCTIONS.includes(name))
    ) {
      const call = this.#called(index, name, behind.match);
      if (call !== undefined) return call;
    }
    if (behind?.text === '[' && !behind.space && this.#isIndex(index + 2, behind.match)) {
      const written = this.#text.slice(
        this.#tokens[index].start,
        this.#tokens[behind.match ?? 0].end,
      );
      return { expression: { kind: 'name', text: written }, next: (behind.match ?? 0) + 1 };
    }
    /* ln 0.5 */
    if (FUNCTIONS.includes(name) && behind?.kind === 'number' && !behind.line) {
      const { expression, next } = this.#number(index + 1, index + 1);
      return called(name, [expression], next);
    }
    return { expression: { kind: 'name', text }, next: index + 1 };
  }

  /** A function of what stands in the brackets behind its name; undefined if the brackets are no arguments of it.
   * @param {number} index @param {string} name @param {number} match the index of the closing bracket
   * @returns {Read | null | undefined} */
  #called(index, name, match) {
    const isRound = this.#tokens[index + 1].text === '(';
    const first = this.sum(index + 2);
    if (name === 'frac' && first?.next === match) return this.#fraction(first.expression, match);
    if (WRAPPERS.includes(name) && first && isRound) {
      return { expression: first.expression, next: match + 1 };
    }
    if (FUNCTIONS.includes(name) && first?.next === match) {
      return called(name, [first.expression], match + 1);
    }
    const others = OF_SEVERAL.includes(name) && first ? this.#others(first, match) : null;
    if (others) return called(name, others, match + 1);
    return isRound ? called(this.#tokens[index].text, [], match + 1) : undefined;
  }

  /** \frac{a}{b}. @param {Expression} a @param {number} match the index of the bracket that closes a
   * @returns {Read | null} */
  #fraction(a, match) {
    const other = this.#tokens[match + 1]?.kind === 'open' ? this.#primary(match + 1) : null;
    return other && binary('/', a, other);
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
    while (next < match) {
      const read = plain && this.#tokens[next].text !== '[' ? this.#factor(next) : this.sum(next);
      if (!read) return null;
      of.push(read.expression);
      next = read.next;
      if (this.#tokens[next].kind === 'comma') next++;
      else if (next < match && !plain) return null;
    }
    if (!of.length || next !== match) return null;
    const matrix = of.every(({ kind }) => kind === 'list');
    return { expression: { kind: 'list', of, matrix }, next: match + 1 };
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

/** @param {string} name @param {Expression[]} of @param {number} next
 * @returns {Read} */
const called = (name, of, next) => ({ expression: { kind: 'call', name, of }, next });

/** @param {string} op @param {Expression} a @param {Read} b
 * @returns {Read} */
const binary = (op, a, b) => ({
  expression: { kind: 'binary', op, a, b: b.expression },
  next: b.next,
});
