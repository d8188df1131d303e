// Evaluates expressions, with the numbers that the text prints and with those that are right.

import { meanOf, sumOf } from '../../../js/base/sum.js';
import { formOf, lettersOf } from '../read/names.js';
import { cellsOf } from '../read/statements.js';
import {
  both,
  diagonal,
  each,
  isColumn,
  layerNorm,
  numberOf,
  product,
  sameShape,
  softmax,
  turned,
} from './value.js';

/** @typedef {import('../read/expression.js').Expression} Expression */
/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('./memory.js').Memory} Memory */

/** How numbers are read: as they are printed, as they should be, or unrounded where they repeat a result before.
 * @typedef {'printed' | 'exact' | 'carried'} Reading */

/** @param {import('./memory.js').Entry} entry @param {Reading} reading */
const readingOf = (entry, reading) => (reading === 'printed' ? entry.printed : entry.exact);

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

/** @type {Record<string, (value: Value, axis?: number) => Value | null>} */
const OF_ROWS = {
  sum: (value, axis) => reduced(value, sumOf, axis),
  mean: (value, axis) => reduced(value, meanOf, axis),
  len: ({ rank, rows }) => numberOf(rank === 2 ? rows.length : rows[0].length),
  unsqueeze: ({ rank, rows: [row] }) =>
    rank === 1 ? { rank: 2, rows: row.map((x) => [x]) } : null,
  diag: (value) => (value.rank === 1 ? diagonal(value) : null),
};

/** @type {Record<string, (x: number, y: number) => number>} */
const OPERATORS = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '⊙': (x, y) => x * y,
  '/': (x, y) => x / y,
  '^': (x, y) => x ** y,
};

/** What texts call the number of columns of their keys. */
const WIDTHS = ['d', 'dk', 'dhead', 'd_head', 'dmodel', 'd_model'];

/** What a text may mean by the same notation, the likeliest first.
 * log: to which base; norm: with gain and bias, without, with a usual ε; product: of two rows a number, or all products of
 * their numbers; group: whether 1.480 has decimals as the other numbers, or a group of thousands. */
const CHOICES = {
  log: [Math.log, Math.log10, Math.log2],
  norm: /** @type {const} */ (['all', 'plain', 'epsilon']),
  product: /** @type {const} */ (['inner', 'outer']),
  group: [false, true],
};
/** @typedef {keyof typeof CHOICES} Choice */
/** What an expression comes to, in each reading, by an unusual meaning of its notation perhaps.
 * @typedef {{ exact: Value, printed: Value, carried: Value, unusual: boolean, choice: Choice | null }} Meaning */
/** Choices that the shape of a result decides, and not only its digits. @type {Choice[]} */
const BY_SHAPE = ['product'];
/** Values that come from each other, and are nowhere printed. */
const MAX_DEPTH = 4;
/** Added to a variance by programs. */
const EPSILON = 1e-5;

/** How a text would write an expression of names: a difference or a product that it has named as a whole.
 * @param {Expression} expression
 * @returns {string | null} */
function phraseOf(expression) {
  if (expression.kind === 'name') return expression.text;
  if (expression.kind === 'turned') {
    const inner = phraseOf(expression.of);
    return inner && `${inner}^T`;
  }
  if (expression.kind !== 'binary' || !['·', '-', '+'].includes(expression.op)) return null;
  /* The last first: of a product of numbers it says so at once. */
  const b = phraseOf(expression.b);
  const a = b && phraseOf(expression.a);
  return a && `${a} ${expression.op === '·' ? '' : `${expression.op} `}${b}`;
}

/** Evaluates expressions with what the text has given so far. */
export class Evaluator {
  /** @type {Memory} */ #memory;
  /** @type {{ [K in Choice]: (typeof CHOICES)[K][number] }} */
  #choice = { log: Math.log, norm: 'all', product: 'inner', group: false };
  /** Those that made a difference since this was emptied. @type {Set<Choice>} */
  #open = new Set();
  /** How many values deep one is computed once more. */
  #depth = 0;
  /** Printed numbers that were read since this was emptied. @type {Set<Cell>} */
  used = new Set();
  /** Named values that were read since this was emptied. @type {Set<import('./memory.js').Entry>} */
  sources = new Set();

  /** @param {Memory} memory @param {number} calls how many products, softmaxes and norms may be computed */
  constructor(memory, calls) {
    this.#memory = memory;
    this.calls = calls;
  }

  /** Forgets which numbers were read. */
  begin() {
    this.used = new Set();
    this.sources = new Set();
  }

  /** Remembers that a value comes from a named one. @param {import('./memory.js').Entry} entry */
  use(entry) {
    this.sources.add(entry);
    for (const cell of entry.cells?.flat() ?? entry.used ?? []) this.used.add(cell);
  }

  /** What a side comes to from the numbers that the text prints, with what is nowhere printed computed once more.
   * @param {Expression} side
   * @returns {Value | null} */
  again(side) {
    const { product } = this.#choice;
    this.#depth++;
    let value = this.value(side, 'printed');
    /* Two rows of other lengths have but one product. */
    if (!value) {
      this.#choice.product = 'outer';
      value = this.value(side, 'printed');
      this.#choice.product = product;
    }
    this.#depth--;
    return value;
  }

  /** The same of a named value. @param {import('./memory.js').Entry} entry
   * @returns {Value} */
  printedAgain(entry) {
    const { side, cells, printed } = entry;
    const isKept = cells || !side || this.#depth >= MAX_DEPTH || this.#memory.isStale(entry);
    const value = isKept ? null : this.again(side);
    return value && sameShape(value, printed) ? value : printed;
  }

  /** What a side comes to, from the numbers as they should be and as they are printed; for each meaning of its notation.
   * @param {Expression} expression
   * @returns {Meaning[]} the likeliest first */
  meaningsOf(expression) {
    this.#open = new Set();
    const usual = this.#meaning(expression);
    /** @type {Meaning[]} */
    const meanings = usual ? [{ ...usual, unusual: false, choice: null }] : [];
    for (const choice of [...this.#open]) {
      const [first, ...others] = CHOICES[choice];
      for (const other of others) {
        this.#choice = { ...this.#choice, [choice]: other };
        const meaning = this.#meaning(expression);
        if (meaning) meanings.push({ ...meaning, unusual: !BY_SHAPE.includes(choice), choice });
      }
      this.#choice = { ...this.#choice, [choice]: first };
    }
    return meanings;
  }

  /** @param {Expression} expression */
  #meaning(expression) {
    const exact = this.value(expression, 'exact');
    const printed = exact && this.value(expression, 'printed');
    const carried = printed && this.value(expression, 'carried');
    return carried && { exact, printed, carried };
  }

  /** Ties the numbers of an expression to the results that they repeat: rows, and the factors of a sum of products.
   * @param {Expression} expression */
  tie(expression) {
    const rows = expression.kind === 'list' ? cellsOf(expression) : null;
    if (rows) {
      this.#memory.tie(rows);
    } else if (expression.kind === 'binary') {
      this.#tieTerms(expression);
    } else if (expression.kind === 'list') {
      const tops = expression.of.flatMap((item) =>
        item.kind === 'binary' && item.a.kind === 'number' ? [item.a.cell] : [],
      );
      if (tops.length === expression.of.length && this.#memory.tie([tops])) return;
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
        if (cells.length === terms.length) this.#memory.tie([cells]);
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
    if (expression.kind === 'list' && expression.gap !== undefined) return null;
    if (cells) return this.#literal(expression, cells, reading);
    switch (expression.kind) {
      case 'name':
        return this.#named(expression.text, reading);
      case 'list':
        return this.#list(expression, reading);
      case 'call':
        return this.#call(expression, reading);
      case 'turned': {
        const { of } = expression;
        if (of.kind === 'name' && !this.#memory.find(of.text)) {
          const turnedOne = this.#memory.find(`${of.text}^T`);
          return turnedOne ? readingOf(turnedOne, reading) : this.#letters(of.text, reading, true);
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
        if (cell.start >= 0) this.used.add(cell);
        if (cell.grouped !== undefined && cell.exact === cell.value) {
          this.#open.add('group');
          if (this.#choice.group) return cell.grouped;
        }
        if (reading === 'carried') return this.#memory.unrounded(cell) ?? cell.exact;
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
      for (const cell of entry.cells?.flat() ?? []) this.used.add(cell);
      this.sources.add(entry);
      if (entry.gap !== undefined) return null;
      return this.#depth && reading === 'printed'
        ? this.printedAgain(entry)
        : readingOf(entry, reading);
    }
    return (
      this.#indexed(name, reading) ??
      this.#raised(name, reading) ??
      this.#letters(name, reading, false) ??
      this.#width(name)
    );
  }

  /** V[0] is the first row of V, x[1] the second number of x.
   * @param {string} name @param {Reading} reading
   * @returns {Value | null} */
  #indexed(name, reading) {
    const [, base, index] = /^(.+)\[(\d{1,4})\]$/.exec(name) ?? [];
    const isOne = base && (this.#memory.exactly(base) || /\]$/.test(base));
    const value = isOne ? this.#named(base.trim(), reading) : null;
    if (!value?.rank) return null;
    const one = value.rank === 2 ? value.rows[Number(index)] : value.rows[0][Number(index)];
    if (one === undefined) return null;
    return Array.isArray(one) ? { rank: 1, rows: [one] } : numberOf(one);
  }

  /** x^{2} is a power of x, if the text gives x and not x^{2}.
   * @param {string} name @param {Reading} reading
   * @returns {Value | null} */
  #raised(name, reading) {
    const [, base, power] = /^(.+?)\^\{?(\d{1,2})\}?$/.exec(name) ?? [];
    const value = base ? this.#memory.exactly(base) && this.#named(base, reading) : null;
    return value?.rank === 0 ? each(value, (x) => x ** Number(power)) : null;
  }

  /** d_k is how many columns the keys have, where the text gives these and not that.
   * @param {string} name
   * @returns {Value | null} */
  #width(name) {
    if (!WIDTHS.includes(formOf(name))) return null;
    const entry = this.#memory.exactly('K') ?? this.#memory.exactly('Q');
    if (entry?.exact.rank !== 2) return null;
    this.sources.add(entry);
    return numberOf(entry.exact.rows[0].length);
  }

  /** QK is Q times K, Q_1K_1 are those of a head; only the last is turned in QKᵀ.
   * @param {string} name @param {Reading} reading @param {boolean} isTurned
   * @returns {Value | null} */
  #letters(name, reading, isTurned) {
    const letters = lettersOf(name);
    if (letters.length < 2 || letters.length > 3) return null;
    const values = letters.map((letter, i) => {
      if (isTurned && i === letters.length - 1) {
        /** @type {Expression} */
        const last = { kind: 'turned', of: { kind: 'name', text: letter } };
        return this.value(last, reading);
      }
      return this.#memory.find(letter) && this.#named(letter, reading);
    });
    return values.reduce((left, right) => left && right && this.#product(left, right), numberOf(1));
  }

  /** The first two matrices of an expression that have no product; null if all have one.
   * @param {Expression} expression
   * @returns {import('./claim.js').Misfit | null} */
  misfitIn(expression) {
    switch (expression.kind) {
      case 'binary': {
        const { a, b, op } = expression;
        return this.misfitIn(a) ?? this.misfitIn(b) ?? (op === '·' ? this.#misfitOf(a, b) : null);
      }
      case 'call':
        return expression.of.reduce(
          (misfit, one) => misfit ?? this.misfitIn(one),
          /** @type {import('./claim.js').Misfit | null} */ (null),
        );
      case 'negative':
      case 'turned':
        return this.misfitIn(expression.of);
      case 'name': {
        const [, a, b] = /^([A-Z])([A-Z])$/.exec(expression.text) ?? [];
        if (!a || this.#memory.find(expression.text)) return null;
        return this.#misfitOf({ kind: 'name', text: a }, { kind: 'name', text: b });
      }
      default:
        return null;
    }
  }

  /** @param {Expression} one @param {Expression} other */
  #misfitOf(one, other) {
    const [a, b] = [one, other].map((side) => this.value(side, 'printed'));
    if (a?.rank !== 2 || b?.rank !== 2 || a.rows[0].length === b.rows.length) return null;
    const shape = (/** @type {Value} */ { rows }) => `${rows.length} × ${rows[0].length}`;
    const [columns, rows] = [a.rows[0].length, b.rows.length].map(String);
    return { a: shape(a), b: shape(b), columns, rows };
  }

  /** @param {Value} a @param {Value} b */
  #product(a, b) {
    if (a.rank && b.rank && this.calls-- <= 0) return null;
    return product(a, b);
  }

  /** @param {{ of: Expression[], gap?: number }} list @param {Reading} reading
   * @returns {Value | null} */
  #list({ of, gap }, reading) {
    if (gap !== undefined || !of.length) return null;
    const items = [];
    for (const item of of) {
      const value = this.value(item, reading);
      if (!value || value.rank > 1 || (items.length && items[0].rank !== value.rank)) return null;
      items.push(value);
    }
    if (items[0].rank === 0) return { rank: 1, rows: [items.map(({ rows }) => rows[0][0])] };
    const rows = items.map((item) => item.rows[0]);
    return rows.every((row) => row.length === rows[0].length) ? { rank: 2, rows } : null;
  }

  /** @param {Extract<Expression, { kind: 'call' }>} call @param {Reading} reading
   * @returns {Value | null} */
  #call({ name, of, axis, written }, reading) {
    const [inner, ...others] = of.map((one) => this.value(one, reading));
    /* PE(0) may be a name. */
    if (!inner)
      return written && this.#memory.exactly(written) ? this.#named(written, reading) : null;
    if ((name === 'min' || name === 'max') && others.length) {
      return others.reduce((all, one) => all && one && both(all, one, Math[name]), inner);
    }
    if (name === 'log') this.#open.add('log');
    const simple = name === 'log' ? this.#choice.log : OF_NUMBERS[name];
    if (simple) return each(inner, simple);
    const ofRow = OF_ROWS[name];
    if (ofRow) return inner.rank ? ofRow(inner, axis) : null;
    if (this.calls-- <= 0) return null;
    if (name === 'softmax') return along(inner, axis, softmax);
    return name === 'layernorm' ? this.#norm(inner, reading) : null;
  }

  /** LN(x), with the gain and the bias of the text. @param {Value} x @param {Reading} reading
   * @returns {Value | null} */
  #norm(x, reading) {
    this.#open.add('norm');
    const { norm } = this.#choice;
    const plain = layerNorm(x, norm === 'epsilon' ? EPSILON : 0);
    if (norm === 'plain') return plain;
    const [gain, bias] = /** @type {const} */ (['gain', 'bias']).map((meaning) => {
      const entry = this.#memory.entries.findLast((one) => one.meaning === meaning);
      const value = entry && this.#named(entry.form, reading);
      return value && [1, x.rows[0].length].includes(value.rows[0].length) ? value : null;
    });
    const grown = plain && gain ? both(plain, gain, OPERATORS['⊙']) : plain;
    return grown && bias ? both(grown, bias, OPERATORS['+']) : grown;
  }

  /** @param {Extract<Expression, { kind: 'binary' }>} expression @param {Reading} reading
   * @returns {Value | null} */
  #binary(expression, reading) {
    const phrase = phraseOf(expression);
    const entry = phrase && this.#memory.find(phrase);
    if (entry) return this.#named(entry.form, reading);
    const { op } = expression;
    if (op === '^' && isNamed(expression.a, 'e') && !this.#memory.exactly('e'))
      return this.#call({ kind: 'call', name: 'exp', of: [expression.b] }, reading);
    const a = this.#coefficient(expression) ?? this.value(expression.a, reading);
    if (a && op === '/' && this.#isTotal(expression.b)) return sharesOf(a);
    const b = a && this.#besideMatrix(a, expression.b, reading);
    return a && b && this.#combined(expression, a, b);
  }

  /** The number directly before a letter that the text gives: 2i. Others are names, like 7B.
   * @param {Extract<Expression, { kind: 'binary' }>} expression
   * @returns {Value | null} */
  #coefficient({ op, a, b }) {
    const isNegative = a.kind === 'negative';
    const count = isNegative ? a.of : a;
    const digits = op === '·' && count.kind === 'name' && /^\d+$/.exec(count.text)?.[0];
    const isLetter = b.kind === 'name' && /^\p{Ll}(?:_\w)?$/u.test(b.text);
    if (!digits || !isLetter || !this.#memory.exactly(b.text)) return null;
    return numberOf(isNegative ? -Number(digits) : Number(digits));
  }

  /** A second operand: what is added to a matrix, or taken from it, is one. @param {Value} a @param {Expression} b @param {Reading} reading
   * @returns {Value | null} */
  #besideMatrix(a, b, reading) {
    const isOuter = b.kind === 'binary' && b.op === '·' && b.b.kind === 'turned';
    if (a.rank < 2 || !isOuter) return this.value(b, reading);
    const choice = this.#choice;
    this.#choice = { ...choice, product: 'outer' };
    const value = this.value(b, reading);
    this.#choice = choice;
    return value;
  }

  /** @param {Extract<Expression, { kind: 'binary' }>} expression @param {Value} a @param {Value} b
   * @returns {Value | null} */
  #combined(expression, a, b) {
    const { op } = expression;
    if (op === '·')
      return this.#outer(expression, a, b) ?? this.#product(a, b) ?? besideColumn(a, b);
    const isPower = b.rank === 0 || expression.a.kind === 'number';
    return op === '^' && !isPower ? null : both(a, b, OPERATORS[op]);
  }

  /** Whether a divisor is the sum of what stands above it: exp([2, 1]) / sum. @param {Expression} expression */
  #isTotal(expression) {
    return isNamed(expression, 'sum') && !this.#memory.find('sum');
  }

  /** All products of the numbers of two rows, of which the second is turned: δ xᵀ.
   * @param {Extract<Expression, { kind: 'binary' }>} expression @param {Value} a @param {Value} b
   * @returns {Value | null} */
  #outer(expression, a, b) {
    if (a.rank !== 1 || b.rank !== 1 || expression.b.kind !== 'turned') return null;
    this.#open.add('product');
    if (this.#choice.product === 'inner') return null;
    return { rank: 2, rows: a.rows[0].map((x) => b.rows[0].map((y) => x * y)) };
  }
}

/** @param {Expression} expression @param {string} name */
const isNamed = (expression, name) =>
  expression.kind === 'name' && expression.text.toLowerCase() === name;

/** A number for each row or each column, or one for all, as programs reduce along an axis.
 * @param {Value} value @param {(numbers: number[]) => number} of @param {number} [axis]
 * @returns {Value} */
function reduced(value, of, axis) {
  if (value.rank < 2 || axis === undefined) return numberOf(of(value.rows.flat()));
  if (axis === 0) return { rank: 1, rows: [turned(value).rows.map(of)] };
  return { rank: 2, rows: value.rows.map((row) => [of(row)]) };
}

/** Each row of a matrix times the number of a column, as programs multiply both. @param {Value} a @param {Value} b */
const besideColumn = (a, b) => ([a, b].some(isColumn) ? both(a, b, OPERATORS['⊙']) : null);

/** Each row over its sum. @param {Value} value */
const sharesOf = (value) =>
  both(value, reduced(value, sumOf, value.rank === 2 ? 1 : undefined), OPERATORS['/']);

/** What is done to each row, or to each column if a program says so.
 * @param {Value} value @param {number | undefined} axis @param {(value: Value) => Value | null} of */
function along(value, axis, of) {
  if (axis !== 0 || value.rank < 2) return of(value);
  const columns = of(turned(value));
  return columns && turned(columns);
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
