// Evaluates expressions, with the numbers that the text prints and with those that are right.

import { cellsOf } from '../read/statements.js';
import { both, each, layerNorm, numberOf, product, softmax, turned } from './value.js';

/** @typedef {import('../read/expression.js').Expression} Expression */
/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('./memory.js').Memory} Memory */
/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */

/** @typedef {'printed' | 'exact'} Reading */

/** @type {Record<string, (x: number) => number>} */
const OF_NUMBERS = {
  exp: Math.exp,
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  abs: Math.abs,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  relu: (x) => Math.max(0, x),
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
};

/** @type {Record<string, (x: number, y: number) => number>} */
const OPERATORS = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '⊙': (x, y) => x * y,
  '/': (x, y) => x / y,
  '^': (x, y) => x ** y,
};

/** What texts mean by log, the likeliest first. */
const LOGARITHMS = [Math.log, Math.log10, Math.log2];

/** The names of a product of names. @param {Expression} expression
 * @returns {string[] | null} */
function phraseOf(expression) {
  if (expression.kind === 'name') return [expression.text];
  if (expression.kind !== 'binary' || expression.op !== '·') return null;
  /* The last first: of a product of numbers it says so at once. */
  const b = phraseOf(expression.b);
  const a = b && phraseOf(expression.a);
  return a && [...a, ...b];
}

/** Evaluates expressions with what the text has given so far. */
export class Evaluator {
  /** @type {Glassformer} */ #gf;
  /** @type {Memory} */ #memory;
  #log = Math.log;
  #hasLog = false;
  /** @type {Set<number>} flags of the numbers that were read */ flags = new Set();

  /** @param {Glassformer} gf @param {Memory} memory @param {number} calls how often the core may be asked */
  constructor(gf, memory, calls) {
    this.#gf = gf;
    this.#memory = memory;
    this.calls = calls;
  }

  /** What a side comes to, from the numbers as they should be and as they are printed; for each meaning of its log.
   * @param {Expression} expression
   * @returns {{ exact: Value, printed: Value }[]} the likeliest first */
  meaningsOf(expression) {
    const meanings = [];
    for (const log of LOGARITHMS) {
      this.#log = log;
      this.#hasLog = false;
      const exact = this.value(expression, 'exact');
      const printed = exact && this.value(expression, 'printed');
      if (printed) meanings.push({ exact, printed });
      if (!this.#hasLog) break;
    }
    this.#log = Math.log;
    return meanings;
  }

  /** Ties the numbers of an expression to the results that they repeat: rows, and the factors of a sum of products.
   * @param {Expression} expression */
  tie(expression) {
    const rows = expression.kind === 'list' ? cellsOf(expression) : null;
    if (rows) {
      for (const row of rows) this.#memory.tie(row);
    } else if (expression.kind === 'binary') {
      this.#tieTerms(expression);
    } else if (expression.kind === 'list') {
      const tops = expression.of.flatMap((item) =>
        item.kind === 'binary' && item.a.kind === 'number' ? [item.a.cell] : [],
      );
      if (tops.length === expression.of.length && this.#memory.tie(tops)) return;
      for (const item of expression.of) this.tie(item);
    } else if (expression.kind === 'call') for (const item of expression.of) this.tie(item);
  }

  /** @param {Extract<Expression, { kind: 'binary' }>} expression */
  #tieTerms(expression) {
    const terms = termsOf(expression);
    if (terms.length > 1) {
      for (const side of /** @type {const} */ (['a', 'b'])) {
        const cells = terms.flatMap(({ [side]: one }) =>
          one?.kind === 'number' ? [one.cell] : [],
        );
        if (cells.length === terms.length) this.#memory.tie(cells);
      }
    }
    for (const { a, b } of terms.length > 1 ? terms : [expression]) {
      if (a) this.tie(a);
      if (b) this.tie(b);
    }
  }

  /** @param {Expression} expression @param {Reading} reading
   * @returns {Value | null} null if it is not known */
  value(expression, reading) {
    const cells = cellsOf(expression);
    if (cells) return this.#literal(expression, cells, reading);
    switch (expression.kind) {
      case 'name':
        return this.#named(expression.text, reading);
      case 'list':
        return this.#list(expression, reading);
      case 'call':
        return this.#call(expression.name, expression.of, reading);
      case 'turned': {
        const { of } = expression;
        if (of.kind === 'name' && !this.#memory.find(of.text)) {
          const turnedOne = this.#memory.find(`${of.text}^T`);
          return turnedOne ? turnedOne[reading] : this.#letters(of.text, reading, true);
        }
        const inner = this.value(expression.of, reading);
        return inner && turned(inner);
      }
      case 'negative': {
        const inner = this.value(/** @type {Expression} */ (expression.of), reading);
        return inner && each(inner, (x) => -x);
      }
      case 'binary':
        return this.#binary(expression, reading);
      default:
        return null;
    }
  }

  /** @param {Expression} expression @param {Cell[][]} cells @param {Reading} reading
   * @returns {Value} */
  #literal(expression, cells, reading) {
    const rank =
      expression.kind === 'number' ? 0 : expression.kind === 'list' && expression.matrix ? 2 : 1;
    const rows = cells.map((row) =>
      row.map((cell) => {
        if (cell.flag) this.flags.add(cell.flag);
        return reading === 'exact' ? cell.exact : cell.value;
      }),
    );
    return { rank, rows };
  }

  /** @param {string} name @param {Reading} reading
   * @returns {Value | null} */
  #named(name, reading) {
    const entry = this.#memory.find(name);
    if (entry) {
      for (const { flag } of entry.cells?.flat() ?? []) if (flag) this.flags.add(flag);
      return entry[reading];
    }
    return this.#letters(name, reading, false);
  }

  /** QK is Q times K, of which only the last is turned in QKᵀ.
   * @param {string} letters @param {Reading} reading @param {boolean} isTurned
   * @returns {Value | null} */
  #letters(letters, reading, isTurned) {
    if (!/^[A-Z]{2,3}$/.test(letters)) return null;
    const values = [...letters].map((letter, i) => {
      if (isTurned && i === letters.length - 1) {
        /** @type {Expression} */
        const last = { kind: 'turned', of: { kind: 'name', text: letter } };
        return this.value(last, reading);
      }
      return this.#memory.find(letter) && this.#named(letter, reading);
    });
    return values.reduce((left, right) => left && right && this.#product(left, right), numberOf(1));
  }

  /** @param {Value} a @param {Value} b */
  #product(a, b) {
    if (a.rank && b.rank && this.calls-- <= 0) return null;
    return product(this.#gf, a, b);
  }

  /** @param {{ of: Expression[] }} list @param {Reading} reading
   * @returns {Value | null} */
  #list({ of }, reading) {
    const items = [];
    for (const item of of) {
      const value = this.value(item, reading);
      if (value?.rank !== 0) return null;
      items.push(value.rows[0][0]);
    }
    return { rank: 1, rows: [items] };
  }

  /** @param {string} name @param {Expression[]} of @param {Reading} reading
   * @returns {Value | null} */
  #call(name, of, reading) {
    const [inner, ...others] = of.map((one) => this.value(one, reading));
    if (!inner) return null;
    if (name === 'min' || name === 'max') {
      return others.reduce((all, one) => all && one && both(all, one, Math[name]), inner);
    }
    this.#hasLog ||= name === 'log';
    const simple = name === 'log' ? this.#log : OF_NUMBERS[name];
    if (simple) return each(inner, simple);
    if (this.calls-- <= 0) return null;
    return name === 'softmax' ? softmax(this.#gf, inner) : layerNorm(this.#gf, inner);
  }

  /** @param {Extract<Expression, { kind: 'binary' }>} expression @param {Reading} reading
   * @returns {Value | null} */
  #binary(expression, reading) {
    const phrase = phraseOf(expression);
    const entry = phrase && this.#memory.find(phrase.join(' '));
    if (entry) return this.#named(entry.form, reading);
    const a = this.value(expression.a, reading);
    const b = a && this.value(expression.b, reading);
    if (!a || !b) return null;
    const { op } = expression;
    if (op === '·') return this.#product(a, b);
    return op === '^' && b.rank > 0 ? null : both(a, b, OPERATORS[op]);
  }
}

/** The terms of a sum of products, each with its two factors. @param {Expression} expression
 * @returns {{ a: Expression | null, b: Expression | null }[]} */
function termsOf(expression) {
  if (expression.kind === 'binary' && expression.op === '+') {
    return [...termsOf(expression.a), ...termsOf(expression.b)];
  }
  if (expression.kind === 'binary' && expression.op === '·') {
    return [{ a: expression.a, b: expression.b }];
  }
  return [{ a: expression, b: null }];
}
