// The expressions of a template: the part of Jinja's grammar that stands inside {{ }} and in statements.

import { fail } from './values.js';

/** @typedef {import('./lexer.js').Token} Token */
/** A statement or an expression: its kind, the line where it stands, and what it is made of.
 * @typedef {{ kind: string, line: number, depth?: number, [part: string]: any }} Node */
/** @typedef {{ args: Node[], named: [string, Node][], list?: Node, dict?: Node }} Arguments */

export const CONSTANTS = new Map(
  Object.entries({ true: true, false: false, none: null, True: true, False: false, None: null }),
);
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
const MAX_DEPTH = 200;

/** How deep the tree of a node's part is. @param {unknown} part @returns {number} */
function depthOf(part) {
  if (Array.isArray(part)) return part.reduce((most, one) => Math.max(most, depthOf(one)), 0);
  return /** @type {any} */ (part)?.depth ?? 0;
}

/** Reads expressions from tokens, one method for each rule of the grammar. */
export class ExpressionParser {
  #tokens;
  #position = 0;
  #depth = 0;

  /** @param {Token[]} tokens */
  constructor(tokens) {
    this.#tokens = tokens;
  }

  // ---- Tokens ----

  get token() {
    return this.#tokens[this.#position];
  }

  get line() {
    return this.token.line;
  }

  /** The next token, which is passed: the end stays. */
  next() {
    const token = this.token;
    if (token.type !== 'eof') this.#position += 1;
    return token;
  }

  /** Whether a token is this operator or word. @param {string} value @param {number} [ahead] */
  is(value, ahead = 0) {
    const token = this.#tokens[this.#position + ahead];
    return (token?.type === 'operator' || token?.type === 'name') && token.value === value;
  }

  /** Passes an operator or a word, if it comes next. @param {string} value */
  take(value) {
    if (!this.is(value)) return false;
    this.#position += 1;
    return true;
  }

  /** @param {string} value */
  need(value) {
    if (!this.take(value)) fail(`expected '${value}', received '${this.token.value}'`);
  }

  name() {
    const { type, value } = this.next();
    return type === 'name' ? value : fail(`expected a name, received '${value}'`);
  }

  end() {
    const { type, value } = this.next();
    if (type !== 'end') fail(`expected the end of a tag, received '${value}'`);
  }

  /** @param {string} kind @param {object} parts @param {number} [line]
   * @returns {Node} */
  node(kind, parts, line = this.line) {
    const depth = 1 + depthOf(Object.values(parts));
    if (depth > MAX_DEPTH) fail(`it is nested more than ${MAX_DEPTH} deep`);
    return { kind, line, depth, ...parts };
  }

  /** What nests is counted, before it fills the stack.
   * @template T @param {() => T} parse @returns {T} */
  deeper(parse) {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) fail(`it is nested more than ${MAX_DEPTH} deep`);
    const made = parse();
    this.#depth -= 1;
    return made;
  }

  // ---- Expressions ----

  /** One expression, or a tuple of several.
   * @param {boolean} [conditional] whether `a if b` may stand in it @param {string[]} [ends]
   * @returns {Node} */
  tuple(conditional = true, ends = []) {
    const line = this.line;
    const parse = () => (conditional ? this.expression() : this.or());
    const isEnd = () => this.token.type === 'end' || [')', ...ends].some((end) => this.is(end));
    if (isEnd()) fail('expected an expression');
    const items = [parse()];
    if (!this.is(',')) return items[0];
    while (this.take(',') && !isEnd()) items.push(parse());
    return this.node('tuple', { items }, line);
  }

  /** @returns {Node} */
  expression() {
    return this.deeper(() => {
      const line = this.line;
      let value = this.or();
      while (this.take('if')) {
        const test = this.or();
        const otherwise = this.take('else') ? this.expression() : null;
        value = this.node('choice', { test, value, otherwise }, line);
      }
      return value;
    });
  }

  /** Operators of one rank, from the left.
   * @param {string[]} operators @param {() => Node} parse
   * @returns {Node} */
  binary(operators, parse) {
    const line = this.line;
    let left = parse();
    while (operators.some((operator) => this.is(operator))) {
      const operator = this.next().value;
      left = this.node('binary', { operator, left, right: parse() }, line);
    }
    return left;
  }

  or() {
    return this.binary(['or'], () => this.binary(['and'], () => this.not()));
  }

  /** @returns {Node} */
  not() {
    const line = this.line;
    if (!this.take('not')) return this.compare();
    return this.deeper(() => this.node('not', { value: this.not() }, line));
  }

  compare() {
    const line = this.line;
    const first = this.sum();
    /** @type {{ operator: string, value: Node }[]} */
    const others = [];
    for (;;) {
      if (COMPARISONS.some((sign) => this.is(sign)) || this.is('in')) {
        others.push({ operator: this.next().value, value: this.sum() });
      } else if (this.is('not') && this.is('in', 1)) {
        this.#position += 2;
        others.push({ operator: 'not in', value: this.sum() });
      } else break;
    }
    return others.length ? this.node('compare', { first, others }, line) : first;
  }

  sum() {
    return this.binary(['+', '-'], () => this.joined());
  }

  joined() {
    const line = this.line;
    const parse = () =>
      this.binary(['*', '/', '//', '%'], () => this.binary(['**'], () => this.unary()));
    const items = [parse()];
    while (this.take('~')) items.push(parse());
    return items.length > 1 ? this.node('join', { items }, line) : items[0];
  }

  /** @param {boolean} [filters]
   * @returns {Node} */
  unary(filters = true) {
    const line = this.line;
    const sign = ['-', '+'].find((one) => this.take(one));
    const value = sign
      ? this.deeper(() => this.node('sign', { sign, value: this.unary(false) }, line))
      : this.primary();
    const whole = this.postfix(value);
    return filters ? this.filtered(whole) : whole;
  }

  /** @returns {Node} */
  primary() {
    const { type, value, line } = this.next();
    /** @param {unknown} constant */
    const constant = (constant) => this.node('constant', { value: constant }, line);
    if (type === 'integer') return constant(BigInt(value));
    if (type === 'float') return constant(Number(value));
    if (type === 'string') {
      let text = value;
      while (this.token.type === 'string') text += this.next().value;
      return constant(text);
    }
    if (type === 'name') {
      if (CONSTANTS.has(value)) return constant(CONSTANTS.get(value));
      return this.node('name', { name: value }, line);
    }
    if (type === 'operator' && value === '(') return this.parenthesis(line);
    if (type === 'operator' && value === '[') return this.list(line);
    if (type === 'operator' && value === '{') return this.dict(line);
    return fail(`unexpected '${value}'`);
  }

  /** @param {number} line */
  parenthesis(line) {
    if (this.take(')')) return this.node('tuple', { items: [] }, line);
    const value = this.tuple();
    this.need(')');
    return value;
  }

  /** @param {number} line */
  list(line) {
    /** @type {Node[]} */
    const items = [];
    while (!this.take(']')) {
      if (items.length) this.need(',');
      if (this.take(']')) break;
      items.push(this.expression());
    }
    return this.node('list', { items }, line);
  }

  /** @param {number} line */
  dict(line) {
    /** @type {[Node, Node][]} */
    const pairs = [];
    while (!this.take('}')) {
      if (pairs.length) this.need(',');
      if (this.take('}')) break;
      const key = this.expression();
      this.need(':');
      pairs.push([key, this.expression()]);
    }
    return this.node('dict', { pairs }, line);
  }

  /** @param {Node} value */
  postfix(value) {
    let whole = value;
    for (;;) {
      const line = this.line;
      if (this.take('.')) {
        const { type, value: key } = this.next();
        if (type === 'name') whole = this.node('attribute', { value: whole, key }, line);
        else if (type === 'integer') {
          const index = this.node('constant', { value: BigInt(key) }, line);
          whole = this.node('item', { value: whole, index }, line);
        } else fail(`expected a name or a number, received '${key}'`);
      } else if (this.take('[')) {
        whole = this.node('item', { value: whole, index: this.index(line) }, line);
      } else if (this.is('(')) whole = this.call(whole);
      else return whole;
    }
  }

  /** @param {Node} callee */
  call(callee) {
    const line = this.line;
    return this.node('call', { callee, ...this.arguments() }, line);
  }

  /** @param {number} line */
  index(line) {
    const items = [this.slice()];
    while (this.take(',')) items.push(this.slice());
    this.need(']');
    return items.length === 1 ? items[0] : this.node('tuple', { items }, line);
  }

  slice() {
    const line = this.line;
    const part = () => ([':', ']', ','].some((sign) => this.is(sign)) ? null : this.expression());
    const start = part();
    if (!this.take(':')) return start ?? fail('expected an expression');
    const stop = part();
    return this.node('slice', { start, stop, step: this.take(':') ? part() : null }, line);
  }

  /** @returns {Arguments} */
  arguments() {
    /** @type {Arguments} */
    const callArguments = { args: [], named: [] };
    this.need('(');
    for (let isFirst = true; !this.take(')'); isFirst = false) {
      if (!isFirst) this.need(',');
      if (this.take(')')) break;
      if (this.take('**')) callArguments.dict = this.expression();
      else if (this.take('*')) callArguments.list = this.expression();
      else if (this.token.type === 'name' && this.is('=', 1)) {
        const name = this.name();
        this.next();
        callArguments.named.push([name, this.expression()]);
      } else {
        if (callArguments.named.length || callArguments.list || callArguments.dict)
          fail('a value after a named one');
        callArguments.args.push(this.expression());
      }
    }
    return callArguments;
  }

  /** Filters, tests and calls, which come after a sign as well.
   * @param {Node} value */
  filtered(value) {
    let whole = value;
    for (;;) {
      if (this.is('|')) whole = this.filters(whole);
      else if (this.is('is')) whole = this.test(whole);
      else if (this.is('(')) whole = this.call(whole);
      else return whole;
    }
  }

  /** @param {Node} value */
  filters(value) {
    let whole = value;
    while (this.take('|')) whole = this.filter(whole);
    return whole;
  }

  /** The filter that comes next, and those behind it. @param {Node} value @returns {Node} */
  filter(value) {
    const line = this.line;
    const name = this.dotted();
    const callArguments = this.is('(') ? this.arguments() : { args: [], named: [] };
    return this.filters(this.node('filter', { value, name, ...callArguments }, line));
  }

  dotted() {
    let name = this.name();
    while (this.take('.')) name += `.${this.name()}`;
    return name;
  }

  /** @param {Node} value */
  test(value) {
    const line = this.line;
    this.need('is');
    const isNot = this.take('not');
    const name = this.dotted();
    /** @type {Arguments} */
    let callArguments = { args: [], named: [] };
    const { type } = this.token;
    const begins =
      ['name', 'string', 'integer', 'float'].includes(type) || ['[', '{'].some((s) => this.is(s));
    if (this.is('(')) callArguments = this.arguments();
    else if (
      begins &&
      !['else', 'or', 'and', 'if', 'in', 'not', 'recursive'].some((w) => this.is(w))
    ) {
      if (this.is('is')) fail('tests cannot be chained by is');
      callArguments = { args: [this.postfix(this.primary())], named: [] };
    }
    const test = this.node('test', { value, name, ...callArguments }, line);
    return isNot ? this.node('not', { value: test }, line) : test;
  }
}
