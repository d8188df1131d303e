// Expressions that lessons read from a trace: paths such as weights[1,2], and arithmetic with them. An author writes
// `weights[0,1] > 0.9` or `max(weights[0])`, and types no number in a sentence.

import { near } from '../../js/base/errors.js';
import { meanOf, sumOf } from '../../js/base/sum.js';
import { cellIndex, sizeOf } from '../../js/base/values.js';
import { failure } from './texts.js';

/** Numbers of a trace: all of a step, a row of it, or one.
 * @typedef {object} Part
 * @property {string} node
 * @property {readonly number[]} index where it begins; shorter than the shape, if it is not one number
 * @property {readonly number[]} shape of the part; empty for one number
 * @property {ArrayLike<number>} data
 */
/** @typedef {Part | number | string | boolean} Value */
/** A step's numbers, and the steps that they are computed from.
 * @typedef {{ shape: readonly number[], data: ArrayLike<number>, inputs?: readonly (string | null)[] }} Read */
/**
 * What an expression reads.
 * @typedef {object} Scope
 * @property {(name: string) => Read | undefined} step
 * @property {readonly string[]} names of the steps
 * @property {Readonly<Record<string, readonly string[]>>} words lists of tokens, by name
 */
/** @typedef {(scope: Scope) => Value} Reader */
/** @typedef {{ source: string, of: Reader }} Expression */

/** Characters of an expression: a chain of operations computes from one to the next, and each takes stack. */
const MAX_LENGTH = 1000;
/** Brackets, arguments, indices and signs within each other. */
const MAX_DEPTH = 32;

const NAME = /^[A-Za-z_][\w.]*/;
const NUMBER = /^\d+(?:\.\d+)?/;
const COMPARING = /^(?:<=|>=|!=|<|>|=)/;

/** @type {Record<string, (a: number, b: number) => boolean | number>} */
const BETWEEN = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/* A row may have more numbers than a call takes arguments. */
/** @param {readonly number[]} row */
const largest = (row) => row.reduce((most, x) => Math.max(most, x), -Infinity);
/** @param {readonly number[]} row */
const smallest = (row) => row.reduce((least, x) => Math.min(least, x), Infinity);

/** Of a row. @type {Record<string, (row: number[]) => number>} */
const OF_ROWS = {
  sum: sumOf,
  mean: meanOf,
  max: largest,
  min: smallest,
  argmax: (row) => row.indexOf(largest(row)),
  argmin: (row) => row.indexOf(smallest(row)),
  length: (row) => row.length,
  norm: (row) => Math.sqrt(sumOf(row.map((x) => x * x))),
  /* In nats; what has no share adds nothing. */
  entropy: (row) => sumOf(row.map((p) => (p > 0 ? -p * Math.log(p) : 0))),
};

/** Of one number. @type {Record<string, (x: number) => number>} */
const OF_NUMBERS = { abs: Math.abs, exp: Math.exp, log: Math.log, sqrt: Math.sqrt };

/** Of two rows of one length.
 * @type {Record<string, (a: number[], b: number[]) => number>} */
const OF_TWO = {
  dot: (a, b) => sumOf(a.map((x, i) => x * b[i])),
  cosine: (a, b) => OF_TWO.dot(a, b) / (OF_ROWS.norm(a) * OF_ROWS.norm(b)),
};

const FUNCTIONS = ['count', ...[OF_ROWS, OF_NUMBERS, OF_TWO].flatMap(Object.keys)];

/** The numbers of a value that may be one or many.
 * @param {Value} value @param {string} source */
export function rowIn(value, source) {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object') throw failure('GF_ERANGE', 'notRow', { source });
  return Array.from(value.data);
}

/** How many rows a part has, or how many heads. @param {Value} value @param {string} source */
function countIn(value, source) {
  if (typeof value === 'object' && value.shape.length) return value.shape[0];
  throw failure('GF_ERANGE', 'notRow', { source });
}

/** @param {Value} value @param {string} source */
export function numberIn(value, source) {
  if (typeof value === 'number') return value;
  if (typeof value === 'object' && !value.shape.length) return value.data[0];
  throw failure('GF_ERANGE', 'notOneNumber', { source });
}

/** The part of a step where an index leads.
 * @param {Scope} scope @param {string} name @param {readonly number[]} index
 * @returns {Part | string} */
function partOf(scope, name, index) {
  const list = Object.hasOwn(scope.words, name) ? scope.words[name] : undefined;
  const step = list ? { shape: [list.length], data: [] } : scope.step(name);
  if (!step) {
    const hint = near(name, [...scope.names, ...Object.keys(scope.words)]);
    throw failure('GF_ENAME', 'noStepHere', { name, hint });
  }
  const { shape, data } = step;
  const isInside =
    index.length <= shape.length &&
    index.every((i, axis) => Number.isInteger(i) && i >= 0 && i < shape[axis]);
  if (!isInside) {
    const [sizes, indices] = [shape.join(' × ') || '1', index.join(', ')];
    throw failure('GF_ERANGE', 'noCellHere', { name, shape: sizes, index: indices });
  }
  if (list) return index.length ? list[index[0]] : list.join(' ');
  const rest = shape.slice(index.length);
  const size = sizeOf(rest);
  let first = 0;
  for (const [axis, n] of shape.entries()) first = first * n + (index[axis] ?? 0);
  return {
    node: name,
    index,
    shape: rest,
    data: Array.from({ length: size }, (_, i) => data[first + i]),
  };
}

class Parser {
  #source;
  #at = 0;
  #depth = 0;

  /** @param {string} source */
  constructor(source) {
    if (source.length > MAX_LENGTH) {
      throw failure('GF_ERANGE', 'longExpression', { most: MAX_LENGTH, given: source });
    }
    this.#source = source;
  }

  /** @returns {never} */
  #stop() {
    throw failure('GF_ERANGE', 'unreadable', { source: this.#source, at: this.#at + 1 });
  }

  /** @param {RegExp | string} wanted */
  #take(wanted) {
    while (this.#source[this.#at] === ' ') this.#at++;
    const rest = this.#source.slice(this.#at);
    const isWord = typeof wanted === 'string';
    const match = isWord ? rest.startsWith(wanted) && wanted : wanted.exec(rest)?.[0];
    if (!match) return '';
    this.#at += match.length;
    return match;
  }

  /** @param {string} wanted */
  #expect(wanted) {
    if (!this.#take(wanted)) this.#stop();
  }

  /** @returns {Reader} */
  whole() {
    const read = this.#either();
    this.#take('');
    if (this.#at < this.#source.length) this.#stop();
    return read;
  }

  /** Reads an expression within another one. @param {() => Reader} read
   * @returns {Reader} */
  #within(read) {
    if (++this.#depth > MAX_DEPTH) {
      throw failure('GF_ERANGE', 'deepExpression', { source: this.#source, most: MAX_DEPTH });
    }
    const inner = read();
    this.#depth--;
    return inner;
  }

  /** @returns {Reader} */
  #either() {
    let left = this.#comparison();
    while (this.#take('and ')) {
      const [a, b] = [left, this.#comparison()];
      left = (scope) => Boolean(a(scope)) && Boolean(b(scope));
    }
    return left;
  }

  /** @returns {Reader} */
  #comparison() {
    const left = this.#sum();
    const sign = this.#take(COMPARING);
    return sign ? this.#joined(sign, left, this.#sum()) : left;
  }

  /** @returns {Reader} */
  #sum() {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#atom()));
  }

  /** @param {readonly string[]} signs @param {() => Reader} next
   * @returns {Reader} */
  #chain(signs, next) {
    let left = next();
    for (;;) {
      const sign = signs.find((one) => this.#take(one));
      if (!sign) return left;
      left = this.#joined(sign, left, next());
    }
  }

  /** @param {string} sign @param {Reader} left @param {Reader} right
   * @returns {Reader} */
  #joined(sign, left, right) {
    const source = this.#source;
    return (scope) => BETWEEN[sign](numberIn(left(scope), source), numberIn(right(scope), source));
  }

  /** @returns {Reader} */
  #atom() {
    if (this.#take('(')) {
      const read = this.#within(() => this.#either());
      this.#expect(')');
      return read;
    }
    if (this.#take('-')) {
      const read = this.#within(() => this.#atom());
      return (scope) => -numberIn(read(scope), this.#source);
    }
    const number = this.#take(NUMBER);
    if (number) return () => Number(number);
    const name = this.#take(NAME);
    if (!name) return this.#stop();
    if (this.#take('(')) return this.#call(name, this.#list(')'));
    const index = this.#take('[') ? this.#list(']') : [];
    return (scope) =>
      partOf(
        scope,
        name,
        index.map((read) => numberIn(read(scope), this.#source)),
      );
  }

  /** @param {string} end
   * @returns {Reader[]} */
  #list(end) {
    const next = () => this.#within(() => this.#either());
    const list = [next()];
    while (this.#take(',')) list.push(next());
    this.#expect(end);
    return list;
  }

  /** @param {string} name @param {Reader[]} args
   * @returns {Reader} */
  #call(name, args) {
    const source = this.#source;
    if (name === 'count' && args.length === 1) return (scope) => countIn(args[0](scope), source);
    const table = [OF_ROWS, OF_NUMBERS, OF_TWO].find((one) => Object.hasOwn(one, name));
    if (!table) throw failure('GF_ENAME', 'noFunction', { name, hint: near(name, FUNCTIONS) });
    const n = table === OF_TWO ? 2 : 1;
    if (args.length !== n) throw failure('GF_ERANGE', 'arguments', { name, n });
    const [a, b] = args;
    if (table === OF_NUMBERS) return (scope) => OF_NUMBERS[name](numberIn(a(scope), source));
    if (table === OF_ROWS) return (scope) => OF_ROWS[name](rowIn(a(scope), source));
    return (scope) => {
      const [x, y] = [rowIn(a(scope), source), rowIn(b(scope), source)];
      if (x.length === y.length) return OF_TWO[name](x, y);
      throw failure('GF_ERANGE', 'otherLength', { name, n: x.length, other: y.length });
    };
  }
}

/** @type {Map<string, Expression>} */
const cache = new Map();

/** Reads an expression; throws where it cannot be read.
 * @param {string} source
 * @returns {Expression} */
export function expression(source) {
  const parsed = cache.get(source) ?? { source, of: new Parser(source).whole() };
  cache.set(source, parsed);
  return parsed;
}

/** A number that a lesson asks for.
 * @param {string} source @param {Scope} scope */
export const numberOf = (source, scope) => numberIn(expression(source).of(scope), source);

/** Several of them. @param {string} source @param {Scope} scope */
export const rowOf = (source, scope) => rowIn(expression(source).of(scope), source);

/** Whether a condition holds. @param {string} source @param {Scope} scope */
export const holds = (source, scope) => expression(source).of(scope) === true;

/** The cells that a path names: of a step, a row, or one.
 * @param {string} source @param {Scope} scope
 * @returns {{ node: string, index: number[] }[]} */
export function cellsOf(source, scope) {
  const part = expression(source).of(scope);
  if (typeof part !== 'object') throw failure('GF_ERANGE', 'noCells', { source });
  const { node, index, shape } = part;
  return Array.from({ length: sizeOf(shape) }, (_, offset) => ({
    node,
    index: [...index, ...(shape.length ? cellIndex(shape, offset) : [])],
  }));
}
