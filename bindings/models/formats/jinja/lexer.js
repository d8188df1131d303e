// Cuts a template into tokens, as Jinja does with trim_blocks and lstrip_blocks: the first line break after a block
// goes, and so does what stands before a block in its line, if that is white space.

import { fail, SPACE } from './values.js';

/** @typedef {{ type: 'data' | 'begin' | 'end' | 'name' | 'string' | 'integer' | 'float' | 'operator' | 'eof', value: string,
 *   line: number }} Token */

const SPACES = `${SPACE}*`;
const BEGIN = /(\{%|\{\{|\{#)([-+]?)/g;
const RAW = new RegExp(`\\{%([-+]?)${SPACES}raw${SPACES}(-?)%\\}`, 'y');
const END_RAW = new RegExp(`\\{%([-+]?)${SPACES}endraw${SPACES}([-+]?)%\\}`, 'g');
const BLANK = new RegExp(`${SPACE}+`, 'y');
const TRAILING = new RegExp(`${SPACE}+$`);
const ONLY_SPACE = new RegExp(`^${SPACE}+$`);
const DIGITS = '(?:[0-9]+_)*[0-9]+';
const FLOAT = new RegExp(
  `(?<!\\.)${DIGITS}(?:(?:\\.${DIGITS})?e[+-]?${DIGITS}|\\.${DIGITS})`,
  'iy',
);
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?[0-9])*|0(?:_?0)*/iy;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const STRING = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y;
const PAIRS = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

const ESCAPES = new Map(
  Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }),
);

/** What a string means, by Python's rules.
 * @param {string} body between its quotes */
const unescaped = (body) =>
  body.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{1,3})|(.))/gis,
    (all, x, u, long, octal, sign) => {
      if (octal) return String.fromCodePoint(Number.parseInt(octal, 8));
      const code = x ?? u ?? long;
      if (code) {
        /* The letters of the escapes are small or large, as they say. */
        if (all[1] === 'X' || (u && all[1] !== 'u') || (long && all[1] !== 'U')) return all;
        const point = Number.parseInt(code, 16);
        return point < 0x110000 ? String.fromCodePoint(point) : fail(`illegal escape ${all}`);
      }
      if ('xuUN'.includes(sign)) fail(`the escape ${all} cannot be read`);
      if (sign === '\n') return '';
      if ('\\\'"'.includes(sign)) return sign;
      return ESCAPES.get(sign) ?? all;
    },
  );

class Lexer {
  #source;
  #position = 0;
  /** Whether what comes next begins a line. */
  #isLine = true;
  #counted = 0;
  #line = 1;
  /** @type {Token[]} */
  tokens = [];

  /** @param {string} source */
  constructor(source) {
    this.#source = source.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  }

  run() {
    while (this.#position < this.#source.length) this.#root();
    this.#push('eof', '');
    return this.tokens;
  }

  /** @param {Token['type']} type @param {string} value */
  #push(type, value) {
    for (; this.#counted < this.#position; this.#counted++) {
      if (this.#source[this.#counted] === '\n') this.#line += 1;
    }
    this.tokens.push({ type, value, line: this.#line });
  }

  /** @param {string} text before a tag @param {string} sign of the tag @param {boolean} isBlock */
  #data(text, sign, isBlock) {
    let shown = text;
    if (sign === '-') shown = text.replace(TRAILING, '');
    else if (sign !== '+' && isBlock) {
      const line = text.lastIndexOf('\n') + 1;
      const begins = line > 0 || this.#isLine;
      if (begins && ONLY_SPACE.test(text.slice(line))) shown = text.slice(0, line);
    }
    if (shown) this.#push('data', shown);
  }

  /** Text up to the next tag, and the tag. */
  #root() {
    BEGIN.lastIndex = this.#position;
    const match = BEGIN.exec(this.#source);
    if (!match) {
      const rest = this.#source.slice(this.#position);
      this.#position = this.#source.length;
      this.#push('data', rest);
      return;
    }
    const [all, begin, sign] = match;
    this.#data(this.#source.slice(this.#position, match.index), sign, begin !== '{{');
    this.#position = match.index;
    RAW.lastIndex = match.index;
    const raw = RAW.exec(this.#source);
    if (raw) {
      this.#position += raw[0].length;
      this.#raw(raw[2] === '-');
      return;
    }
    this.#position += all.length;
    if (begin === '{#') this.#comment();
    else this.#tag(begin);
  }

  /** Passes white space, if it is stripped, or the line break that goes with a block.
   * @param {string} sign of the end @param {boolean} isBlock */
  #after(sign, isBlock) {
    if (sign === '-') this.#skip();
    else if (sign !== '+' && isBlock && this.#source[this.#position] === '\n') this.#position += 1;
    this.#isLine = this.#source[this.#position - 1] === '\n';
  }

  #skip() {
    BLANK.lastIndex = this.#position;
    if (BLANK.test(this.#source)) this.#position = BLANK.lastIndex;
  }

  /** @param {boolean} isStripped */
  #raw(isStripped) {
    if (isStripped) this.#skip();
    END_RAW.lastIndex = this.#position;
    const end = END_RAW.exec(this.#source) ?? fail('raw has no endraw');
    this.#isLine = this.#source[this.#position - 1] === '\n';
    this.#data(this.#source.slice(this.#position, end.index), end[1], true);
    this.#position = END_RAW.lastIndex;
    this.#after(end[2], true);
  }

  #comment() {
    const end = this.#source.indexOf('#}', this.#position);
    if (end < 0) fail('a comment has no end');
    const sign = end > this.#position ? this.#source[end - 1] : '';
    this.#position = end + 2;
    this.#after(sign, true);
  }

  /** @param {string} pattern @returns {string | null} what matches here */
  #match(/** @type {RegExp} */ pattern) {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#source)?.[0] ?? null;
    if (match !== null) this.#position = pattern.lastIndex;
    return match;
  }

  /** The tokens of a tag, and its end.
   * @param {string} begin */
  #tag(begin) {
    const isBlock = begin === '{%';
    const close = isBlock ? '%}' : '}}';
    this.#push('begin', begin);
    /** @type {string[]} */
    const open = [];
    for (;;) {
      this.#skip();
      const sign = this.#source[this.#position] ?? fail(`a tag has no ${close}`);
      const signed = sign === '-' || (isBlock && sign === '+') ? sign : '';
      if (!open.length && this.#source.startsWith(close, this.#position + signed.length)) {
        this.#position += signed.length + 2;
        this.#push('end', close);
        this.#after(signed, isBlock);
        return;
      }
      this.#token(open);
    }
  }

  /** @param {string[]} open brackets */
  #token(open) {
    const number = this.#match(FLOAT);
    if (number) return this.#push('float', number.replaceAll('_', ''));
    const whole = this.#match(INTEGER);
    if (whole) return this.#push('integer', whole.replaceAll('_', '').toLowerCase());
    const name = this.#match(NAME);
    if (name) return this.#push('name', name.normalize('NFKC'));
    const text = this.#match(STRING);
    if (text) return this.#push('string', unescaped(text.slice(1, -1)));
    const operator = this.#match(OPERATOR);
    if (!operator) fail(`unexpected character ${JSON.stringify(this.#source[this.#position])}`);
    const sign = String(operator);
    if ('([{'.includes(sign)) open.push(sign);
    else if (PAIRS.has(sign) && open.pop() !== PAIRS.get(sign)) fail(`unexpected '${sign}'`);
    return this.#push('operator', sign);
  }
}

/** @param {string} source
 * @returns {Token[]} */
export const tokensOf = (source) => new Lexer(source).run();
