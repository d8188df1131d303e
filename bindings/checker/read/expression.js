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

/** Deeper brackets are no arithmetic of anybody. */
const DEEPEST = 24;

/** Nor is a longer sum or product. */
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
    const { at } = this.#tokens[from];
    const text = this.#text.slice(at, this.#tokens[next - 1].end);
    return { expression: { kind: 'number', cell: cellOf(text, at, this.#comma) }, next };
  }

  /** The token behind × 10^{-3}, if that is what comes; the one where it would begin otherwise.
   * @param {number} at */
  #powerOfTen(at) {
    const ten = this.#tokens[at + 1];
    if (this.#tokens[at]?.text !== '·' || !ten?.text.startsWith('10')) return at;
    if (/^10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(ten.text)) return at + 2;
    if (ten.text !== '10' || this.#tokens[at + 2]?.text !== '^') return at;
    const isOpen = ['(', '{'].includes(this.#tokens[at + 3]?.text);
    let next = at + 3 + Number(isOpen);
    if (this.#tokens[next]?.text === '-') next++;
    if (!/^\d{1,3}$/.test(this.#tokens[next]?.text ?? '')) return at;
    if (isOpen && this.#tokens[next + 1]?.kind !== 'close') return at;
    return next + 1 + Number(isOpen);
  }

  /** The longest expression that begins at a token.
   * @param {number} at
   * @returns {Read | null} */
  sum(at) {
    if (this.#depth > DEEPEST) return null;
    this.#depth++;
    let left = this.#product(at);
    for (let terms = 1; left && terms < MOST_TERMS; terms++) {
      const { kind, text, line } = this.#tokens[left.next] ?? {};
      if (kind !== 'op' || (text !== '+' && text !== '-')) break;
      /* -0.2 on a line of its own is a number, - 0.2 goes on with a sum. */
      if (line && !this.#tokens[left.next + 1]?.space) break;
      const right = this.#product(left.next + 1);
      if (!right) break;
      const a = left.expression;
      left = { expression: { kind: 'binary', op: text, a, b: right.expression }, next: right.next };
    }
    this.#depth--;
    return left;
  }

  /** @param {number} at
   * @returns {Read | null} */
  #product(at) {
    let left = this.#factor(at);
    for (let factors = 1; left && factors < MOST_TERMS; factors++) {
      const token = this.#tokens[left.next];
      if (!token) break;
      const sign = token.kind === 'op' && ['·', '/', '⊙'].includes(token.text);
      const beside = !sign && this.#isBeside(left, token);
      if (!sign && !beside) break;
      const right = this.#factor(left.next + (sign ? 1 : 0));
      if (!right) break;
      const op = sign ? token.text : '·';
      left = {
        expression: { kind: 'binary', op, a: left.expression, b: right.expression },
        next: right.next,
      };
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

  /** @param {number} at
   * @returns {Read | null} */
  #factor(at) {
    const token = this.#tokens[at];
    if (token?.kind === 'op' && (token.text === '-' || token.text === '+')) {
      const next = this.#tokens[at + 1];
      if (next?.kind === 'number' && token.text === '-') {
        return this.#behind(this.#number(at, at + 1));
      }
      if (next?.kind === 'op') return null;
      const inner = this.#factor(at + 1);
      if (!inner || token.text === '+') return inner;
      return { expression: { kind: 'negative', of: inner.expression }, next: inner.next };
    }
    if (token?.kind === 'op' && token.text === '√') {
      const next = this.#tokens[at + 1];
      if (next?.kind === 'op') return null;
      const inner = this.#factor(at + 1);
      return inner && called('sqrt', [inner.expression], inner.next);
    }
    const first = this.#primary(at);
    return first && this.#behind(first);
  }

  /** Powers and turned matrices. @param {Read} read
   * @returns {Read} */
  #behind(read) {
    let { expression, next } = read;
    for (let powers = 0; powers < DEEPEST; powers++) {
      const { kind, text } = this.#tokens[next] ?? {};
      if (kind !== 'op') return { expression, next };
      if (text === 'ᵀ') {
        expression = { kind: 'turned', of: expression };
        next++;
      } else if (text === '²') {
        const two = cellOf('2', 0, false);
        expression = { kind: 'binary', op: '^', a: expression, b: { kind: 'number', cell: two } };
        next++;
      } else if (text === '^' && this.#depth < DEEPEST) {
        this.#depth++;
        const power = this.#factor(next + 1);
        this.#depth--;
        if (!power) return { expression, next };
        expression = { kind: 'binary', op: '^', a: expression, b: power.expression };
        next = power.next;
      } else return { expression, next };
    }
    return { expression, next };
  }

  /** @param {number} at
   * @returns {Read | null} */
  #primary(at) {
    const token = this.#tokens[at];
    if (!token) return null;
    const { kind, text, match } = token;
    if (kind === 'table') {
      const rows = token.rows?.map((row) => ({
        kind: /** @type {const} */ ('list'),
        matrix: false,
        of: row.map((cell) => ({ kind: /** @type {const} */ ('number'), cell })),
      }));
      return { expression: { kind: 'list', matrix: true, of: rows ?? [] }, next: at + 1 };
    }
    if (kind === 'number') return this.#number(at, at);
    if (kind === 'name') return this.#named(at);
    if (kind !== 'open' || match === undefined) return null;
    if (text === '[') return this.#list(at, match);
    if (text === 'begin') return this.#matrix(at, match);
    const inner = this.sum(at + 1);
    return inner?.next === match ? { expression: inner.expression, next: match + 1 } : null;
  }

  /** A name, or what is a function of the brackets behind it.
   * @param {number} at
   * @returns {Read | null} */
  #named(at) {
    const { text } = this.#tokens[at];
    const behind = this.#tokens[at + 1];
    const name = text.toLowerCase().replace(/[^a-z.\d]|(?<!log.?)\d/g, '');
    if (
      behind?.kind === 'open' &&
      behind.match !== undefined &&
      (!behind.space || FUNCTIONS.includes(name))
    ) {
      const call = this.#called(at, name, behind.match);
      if (call !== undefined) return call;
    }
    if (behind?.text === '[' && !behind.space && this.#isIndex(at + 2, behind.match)) {
      const written = this.#text.slice(this.#tokens[at].at, this.#tokens[behind.match ?? 0].end);
      return { expression: { kind: 'name', text: written }, next: (behind.match ?? 0) + 1 };
    }
    /* ln 0.5 */
    if (FUNCTIONS.includes(name) && behind?.kind === 'number' && !behind.line) {
      const { expression, next } = this.#number(at + 1, at + 1);
      return called(name, [expression], next);
    }
    return { expression: { kind: 'name', text }, next: at + 1 };
  }

  /** A function of what stands in the brackets behind its name; undefined if the brackets are no arguments of it.
   * @param {number} at @param {string} name @param {number} match the index of the closing bracket
   * @returns {Read | null | undefined} */
  #called(at, name, match) {
    const isRound = this.#tokens[at + 1].text === '(';
    const first = this.sum(at + 2);
    if (name === 'frac' && first?.next === match) return this.#fraction(first.expression, match);
    if (WRAPPERS.includes(name) && first && isRound) {
      return { expression: first.expression, next: match + 1 };
    }
    if (FUNCTIONS.includes(name) && first?.next === match) {
      return called(name, [first.expression], match + 1);
    }
    const others = OF_SEVERAL.includes(name) && first ? this.#others(first, match) : null;
    if (others) return called(name, others, match + 1);
    return isRound ? called(this.#tokens[at].text, [], match + 1) : undefined;
  }

  /** \frac{a}{b}. @param {Expression} a @param {number} match the index of the bracket that closes a
   * @returns {Read | null} */
  #fraction(a, match) {
    const other = this.#tokens[match + 1]?.kind === 'open' ? this.#primary(match + 1) : null;
    if (!other) return null;
    const expression = /** @type {const} */ ({ kind: 'binary', op: '/', a, b: other.expression });
    return { expression, next: other.next };
  }

  /** Whether tokens up to a bracket are whole numbers: scores[0,1] is a cell, and no list.
   * @param {number} at @param {number | undefined} match */
  #isIndex(at, match) {
    const inside = match === undefined ? [] : this.#tokens.slice(at, Math.min(match, at + 9));
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
   * @param {number} at @param {number} match
   * @returns {Read | null} */
  #list(at, match) {
    /** @type {Expression[]} */
    const of = [];
    let next = at + 1;
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

  /** A matrix of LaTeX. @param {number} at @param {number} match
   * @returns {Read | null} */
  #matrix(at, match) {
    /** @type {Expression[][]} */
    const rows = [[]];
    let next = at + 1;
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
