// A number as people write it: 1.33, 1,33, 4/3, 2/√2, 3√2, 1½, \frac13, 1.2e-3, 1.2·10⁻³, 9 %, −∞, e², −ln(1/3), (1 + 2)/3.
// bindings/python/glassformer/_number.py reads the same; tests/number/cases.json holds both to it.

import { BLANK, decimalValue, MINUS, readDecimal } from './decimal.js';
import { plainLatex } from './latex.js';

/**
 * @typedef {object} NumberRead
 * @property {number} value
 * @property {number | null} decimals those written behind the decimal mark; null for an expression, which is exact
 * @property {number | null} significant digits from the first that is not 0; null for an expression
 * @property {number} [grouped] the value if the mark separates thousands: 1480 for 1,480
 */

/** Why an expression has no value: it divides by zero, is too large, or outside what a function takes.
 * @typedef {'zero' | 'large' | 'none'} Lack */

/** Where a text stops being a number. @typedef {{ at: number, why?: Lack }} Unreadable at: a place in the text, from 0 */

/** Characters: longer answers are no numbers. */
const MAX_LENGTH = 200;
/** Brackets, roots and signs within each other. */
const MAX_DEPTH = 32;

const SIGN = new RegExp(`\\+|${MINUS.source}`);
const TIMES = /[*·×⋅∙]/;
const DIVIDE = /[/÷∕⁄:]/;
const RELATION = /[=≈~]/;
/** An exponent in raised digits: e², 10⁻³. */
const RAISED = /^([⁻⁺]?)([⁰¹²³⁴-⁹]{1,3})/;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** After an argument without brackets these leave open what belongs to it: ln 1/3. */
const OPEN = /[*·×⋅∙/÷∕⁄:^⁻⁺⁰¹²³⁴-⁹]/;
/** One character that is a fraction: ½. */
const FRACTION = /[¼-¾⅓-⅞]/;
/** @type {Record<string, number>} */
const CONSTANTS = {
  infinity: Infinity,
  inf: Infinity,
  oo: Infinity,
  '∞': Infinity,
  pi: Math.PI,
  π: Math.PI,
};
/** As in papers and in programs, log is the natural logarithm. @type {Record<string, (x: number) => number>} */
const FUNCTIONS = {
  ...{ sqrt: Math.sqrt, '√': Math.sqrt, exp: Math.exp, ln: Math.log },
  ...{ log10: Math.log10, log2: Math.log2, log: Math.log },
  ...{ sin: Math.sin, cos: Math.cos, tanh: Math.tanh },
};
/** Functions whose argument is the next factor, brackets or not: √2/2 is half of √2. */
const TAKES_FACTOR = ['sqrt', '√'];
const NAME = new RegExp(`^(?:${[...Object.keys(CONSTANTS), ...Object.keys(FUNCTIONS)].join('|')})`);
/** What multiplies without a sign: 3√2, 2(1 + 1), 2 ln 2, 2e². */
const FACTOR = new RegExp(
  `^(?:[(∞]|e[⁻⁺⁰¹²³⁴-⁹^]|e\\*\\*|${Object.keys(FUNCTIONS).join('|')}|pi|π)`,
);

/** Reads an expression from left to right. A syntax error is thrown as the number of its place. */
class Reader {
  #text;
  #at = 0;
  #depth = 0;
  /** Why there is no value, by what lacks first. @type {Lack | undefined} */
  why;

  /** @param {string} text @param {number} from */
  constructor(text, from) {
    this.#text = text;
    this.#at = from;
  }

  get at() {
    return this.#at;
  }

  get #rest() {
    return this.#text.slice(this.#at);
  }

  #blanks() {
    while (BLANK.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  get done() {
    this.#blanks();
    return this.#at === this.#text.length;
  }

  /** Goes past one character, if it is the next after blanks.
   * @param {RegExp} wanted */
  #take(wanted) {
    this.#blanks();
    const isNext = wanted.test(this.#text[this.#at] ?? '');
    if (isNext) this.#at++;
    return isNext;
  }

  /** @returns {never} */
  #stop() {
    throw this.#at;
  }

  /** @template T @param {() => T} read
   * @returns {T} */
  #within(read) {
    if (++this.#depth > MAX_DEPTH) this.#stop();
    const value = read();
    this.#depth--;
    return value;
  }

  /** A result. What is not finite though its operands are is undefined.
   * @param {number} value @param {...number} operands */
  #result(value, ...operands) {
    if (!Number.isFinite(value) && operands.every(Number.isFinite))
      this.why ??= Number.isNaN(value) ? 'none' : 'large';
    return value;
  }

  /** @returns {number} */
  sum() {
    let value = this.#product();
    for (;;) {
      const isPlus = this.#take(/\+/);
      if (!isPlus && !this.#take(MINUS)) return value;
      const term = this.#product();
      value = this.#result(isPlus ? value + term : value - term, value, term);
    }
  }

  #product() {
    let value = this.#signed();
    for (;;) {
      if (this.#take(TIMES)) value = this.#times(value, this.#signed());
      else if (this.#take(DIVIDE)) {
        const divisor = this.#signed();
        if (divisor === 0 && Number.isFinite(value)) this.why ??= 'zero';
        value = this.#result(value / divisor, value, divisor);
      } else if (this.#take(/%/)) value /= 100;
      else if (this.#begins()) value = this.#times(value, this.#power());
      else return value;
    }
  }

  /** @param {number} a @param {number} b */
  #times(a, b) {
    return this.#result(a * b, a, b);
  }

  #begins() {
    this.#blanks();
    return FACTOR.test(this.#rest);
  }

  /** @returns {number} */
  #signed() {
    if (this.#take(MINUS)) return -this.#unsigned();
    if (this.#take(/\+/)) return this.#unsigned();
    return this.#power();
  }

  /** What has a sign has no other one: −−3 is a slip of the pen. */
  #unsigned() {
    this.#blanks();
    if (SIGN.test(this.#text[this.#at] ?? '')) this.#stop();
    return this.#within(() => this.#power());
  }

  /** @returns {number} */
  #power() {
    const base = this.#atom();
    const raised = RAISED.exec(this.#rest);
    if (raised) {
      this.#at += raised[0].length;
      return this.#raise(base, raisedValue(raised));
    }
    this.#blanks();
    const sign = /^(?:\^|\*\*)/.exec(this.#rest)?.[0];
    if (!sign) return base;
    this.#at += sign.length;
    return this.#raise(
      base,
      this.#within(() => this.#signed()),
    );
  }

  /** @param {number} base @param {number} exponent */
  #raise(base, exponent) {
    if (base === 0 && exponent < 0) this.why ??= 'zero';
    return this.#result(base ** exponent, base, exponent);
  }

  /** @returns {number} */
  #atom() {
    if (this.#take(/\(/)) {
      const value = this.#within(() => this.sum());
      if (!this.#take(/\)/)) this.#stop();
      return value;
    }
    const name = NAME.exec(this.#rest)?.[0];
    if (name) return this.#named(name);
    if (/^e(?![a-z])/.test(this.#rest)) {
      this.#at++;
      return Math.E;
    }
    return this.#digits();
  }

  /** @param {string} name */
  #named(name) {
    this.#at += name.length;
    if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name];
    const x = this.#argument(TAKES_FACTOR.includes(name));
    const value = FUNCTIONS[name](x);
    /* ln 0 is no number, however large. */
    if (value === -Infinity) this.why ??= 'none';
    return this.#result(value, x);
  }

  /** Of ln 1/3 one cannot tell whether the 3 belongs to it. @param {boolean} isFactor */
  #argument(isFactor) {
    this.#blanks();
    const isClear = isFactor || this.#text[this.#at] === '(';
    const value = this.#within(() => this.#atom());
    this.#blanks();
    if (!isClear && OPEN.test(this.#text[this.#at] ?? '')) this.#stop();
    return value;
  }

  #digits() {
    const decimal = readDecimal(this.#rest);
    this.#at += decimal?.length ?? 0;
    const value = decimal ? this.#result(decimalValue(decimal, decimal.exponent)) : 0;
    const sign = this.#text[this.#at] ?? '';
    if (!FRACTION.test(sign)) return decimal ? value : this.#stop();
    if (decimal && (decimal.fraction || decimal.exponent)) this.#stop();
    this.#at++;
    /* Unicode decomposes ½ into 1⁄2. */
    const [numerator, denominator] = sign.normalize('NFKC').split('⁄').map(Number);
    return value + numerator / denominator;
  }
}

/** @param {RegExpExecArray} raised */
function raisedValue([, sign, digits]) {
  const value = Number([...digits].map((digit) => SUPERSCRIPTS.indexOf(digit)).join(''));
  return sign === '⁻' ? -value : value;
}

/** Behind a decimal: …, a power of ten, a percent sign. */
const BEHIND =
  /^(?<more>…|\.\.\.)?(?:\s*[*·×⋅∙]\s*10(?:(?<raised>[⁻⁺]?[⁰¹²³⁴-⁹]{1,3})|\s*(?:\^|\*\*)\s*\(?\s*(?<minus>[-‐‑‒–—―−﹣])?(?<power>\d{1,3})\s*\)?))?\s*(?<percent>%)?\s*$/;

/** A signed decimal that is all of a text: 0.33, −1,5, 1.2·10⁻³, 33 %; null if there is more or less.
 * @param {string} text
 * @returns {NumberRead | null} */
function readAlone(text) {
  const sign = /^\s*([-+‐‑‒–—―−﹣]?)\s*/.exec(text) ?? ['', ''];
  const decimal = readDecimal(text.slice(sign[0].length));
  if (!decimal) return null;
  const behind = BEHIND.exec(text.slice(sign[0].length + decimal.length));
  if (!behind) return null;
  const { more, raised, minus, power = '0', percent } = Object(behind.groups);
  if (more && !decimal.fraction) return null;
  const ten = raised ? raisedValue(/** @type {any} */ (RAISED.exec(raised))) : Number(power);
  const exponent = decimal.exponent + (minus ? -ten : ten) - (percent ? 2 : 0);
  const { whole, fraction } = decimal;
  const factor = MINUS.test(sign[1]) ? -1 : 1;
  const value = factor * decimalValue(decimal, exponent);
  if (!Number.isFinite(value)) return null;
  const isAlone = decimal.isAmbiguous && !behind[0].trim();
  return {
    value,
    decimals: Math.max(0, fraction.length - exponent),
    significant: (whole + fraction).replace(/^0+/, '').length,
    ...(isAlone && { grouped: factor * Number(whole + fraction) }),
  };
}

/** A whole number and a proper fraction: 1 1/2. */
const MIXED = /^\s*([-+‐‑‒–—―−﹣]?)\s*(\d+)\s+(\d{1,2})\s*[/∕⁄]\s*(\d{1,2})\s*$/;

/** A mixed number that is all of a text; null if it is none. @param {string} text
 * @returns {NumberRead | null} */
function readMixed(text) {
  const [, sign, whole, above, below] = MIXED.exec(text) ?? [];
  if (!whole || Number(above) >= Number(below)) return null;
  const value = Number(whole) + Number(above) / Number(below);
  return { value: MINUS.test(sign) ? -value : value, decimals: null, significant: null };
}

/** What only LaTeX has in a number. */
const LATEX = /[\\${}]/;
/** Characters of an East Asian keyboard, as ASCII. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Reads what a person wrote as a number; null for nothing.
 * @param {string} text
 * @returns {NumberRead | Unreadable | null} */
export function readNumber(text) {
  if (text.length > MAX_LENGTH) return { at: MAX_LENGTH };
  const plain = plainLatex(text);
  const read = readPlain(plain);
  /* Of LaTeX that is no number, no place but its first command is known. */
  const isNone = plain !== text && !(read && 'value' in read);
  return isNone ? { at: text.search(LATEX) } : read;
}

/** @param {string} text without commands of LaTeX
 * @returns {NumberRead | Unreadable | null} */
function readPlain(text) {
  const plain = text
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  let from = 0;
  while (BLANK.test(plain[from] ?? '')) from++;
  if (from === plain.length) return null;
  if (RELATION.test(plain[from])) from++;
  const alone = readAlone(plain.slice(from)) ?? readMixed(plain.slice(from));
  if (alone) return alone;
  const reader = new Reader(plain, from);
  try {
    const value = reader.sum();
    if (!reader.done) return { at: reader.at };
    if (reader.why || Number.isNaN(value)) return { at: reader.at, why: reader.why ?? 'none' };
    return { value, decimals: null, significant: null };
  } catch (place) {
    if (typeof place === 'number') return { at: place };
    throw place;
  }
}
