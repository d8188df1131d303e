// A number as people write it: 1.33, 1,33, 4/3, 2/√2, 3√2, 1.2e-3, 1.2·10^-3, 10⁻³, 9 %, −∞, e², e^2, −ln(1/3), (1 + 2)/3.

/** What was read. `decimals` are those written behind the point or comma, null where it is an expression, which
 * is exact; `significant` the digits from the first that is not 0.
 * @typedef {{ value: number, decimals: number | null, significant: number | null }} Written */

/** What stands where no number can go on: its place, from 0.
 * @typedef {{ at: number }} Unreadable */

/** Longer answers are no numbers. */
const LONGEST = 200;
/** Parentheses and roots within each other. */
const DEEPEST = 32;

const BLANKS = /\s/;
const MINUS = /[-−–‐‑]/;
const TIMES = /[*·×⋅]/;
const DIVIDE = /[/÷∕]/;
const DIGITS = /^\d+/;
/** An exponent in small digits: e², 10⁻³. */
const RAISED = /^[⁻⁺]?[⁰¹²³⁴-⁹]+/;
const AMBIGUOUS = /[*·×⋅/÷∕^]/;
/** What is written before an argument. @type {[string, (x: number) => number][]} */
const FUNCTIONS = [
  ['ln', Math.log],
  ['sin', Math.sin],
  ['cos', Math.cos],
];
/** Groups of three digits, with one of the blanks that are written between them. */
const GROUPS = /^\d{1,3}(?:[\s'’]\d{3})+(?!\d)/;

class Reader {
  #text;
  #at = 0;
  #depth = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  get at() {
    return this.#at;
  }

  /** @param {RegExp | string} wanted one character, or a word */
  #take(wanted) {
    this.blanks();
    const rest = this.#text.slice(this.#at);
    const found = typeof wanted === 'string' ? rest.startsWith(wanted) : wanted.test(rest[0] ?? '');
    if (!found) return false;
    this.#at += typeof wanted === 'string' ? wanted.length : 1;
    return true;
  }

  blanks() {
    while (BLANKS.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  get done() {
    this.blanks();
    return this.#at === this.#text.length;
  }

  /** @returns {never} */
  #stop() {
    throw this.#at;
  }

  /** @template T @param {() => T} read
   * @returns {T} */
  #within(read) {
    if (++this.#depth > DEEPEST) this.#stop();
    const value = read();
    this.#depth--;
    return value;
  }

  /** @returns {number} */
  sum() {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value += this.#product();
      else if (this.#take(MINUS)) value -= this.#product();
      else return value;
    }
  }

  #product() {
    let value = this.#signed();
    for (;;) {
      if (this.#take(TIMES)) value *= this.#signed();
      else if (this.#take(DIVIDE)) value /= this.#signed();
      else if (this.#take('%')) value /= 100;
      else if (this.#begins()) value *= this.#power();
      else return value;
    }
  }

  /** Whether a factor follows without a sign: 3√2, 2(1 + 1), 3 sqrt(2). */
  #begins() {
    this.blanks();
    return /^(?:[√(∞]|sqrt|e[\^⁻⁰¹²³⁴-⁹]|ln|sin|cos)/.test(
      this.#text.slice(this.#at, this.#at + 4),
    );
  }

  /** @returns {number} */
  #signed() {
    if (this.#take(MINUS)) return this.#within(() => -this.#signed());
    if (this.#take('+')) return this.#within(() => this.#signed());
    return this.#power();
  }

  /** @returns {number} */
  #power() {
    const base = this.#atom();
    const raised = RAISED.exec(this.#text.slice(this.#at))?.[0];
    if (raised) {
      this.#at += raised.length;
      /* As plain digits. */
      return base ** Number(raised.normalize('NFKC').replace('−', '-'));
    }
    if (!this.#take('^')) return base;
    return this.#within(() => base ** this.#signed());
  }

  /** @returns {number} */
  #atom() {
    if (this.#take('(')) {
      const value = this.#within(() => this.sum());
      if (!this.#take(')')) this.#stop();
      return value;
    }
    if (this.#take('√') || this.#take('sqrt')) return Math.sqrt(this.#within(() => this.#atom()));
    if (this.#take('∞') || this.#take('infinity') || this.#take('inf')) return Infinity;
    if (this.#take('e^')) return Math.exp(this.#within(() => this.#signed()));
    if (this.#take('exp')) return Math.exp(this.#within(() => this.#atom()));
    if (/^e(?![a-z])/.test(this.#text.slice(this.#at))) {
      this.#at++;
      return Math.E;
    }
    const called = FUNCTIONS.find(([name]) => this.#take(name));
    return called ? called[1](this.#argument()) : this.#digits();
  }

  /** Of ln 1/3 one cannot tell whether the 3 belongs to it. */
  #argument() {
    this.blanks();
    const bracketed = this.#text[this.#at] === '(';
    const value = this.#within(() => this.#atom());
    this.blanks();
    if (!bracketed && AMBIGUOUS.test(this.#text[this.#at] ?? '')) this.#stop();
    return value;
  }

  #digits() {
    const read = this.decimal();
    if (!read) this.#stop();
    return read.value;
  }

  /** A plain number, or null; a comma is a point, unless a point follows it.
   * @returns {Written | null} */
  decimal() {
    this.blanks();
    const rest = this.#text.slice(this.#at);
    const [whole] = GROUPS.exec(rest) ?? DIGITS.exec(rest) ?? [''];
    const point = /^[.,](\d*)/.exec(rest.slice(whole.length));
    if (!whole && !point?.[1]) return null;
    const fraction = point?.[1] ?? '';
    let length = whole.length + (point?.[0].length ?? 0);
    const exponent = /^[eE]([+\-−]?\d{1,3})(?!\d)/.exec(rest.slice(length));
    length += exponent?.[0].length ?? 0;
    this.#at += length;
    const digits = whole.replace(/\D/g, '');
    const power = Number((exponent?.[1] ?? '0').replace('−', '-'));
    return {
      value: Number(`${digits || '0'}.${fraction || '0'}e${power}`),
      decimals: Math.max(0, fraction.length - power),
      significant: (digits + fraction).replace(/^0+/, '').length,
    };
  }
}

/** Reads what a learner wrote; null for nothing.
 * @param {string} text
 * @returns {Written | Unreadable | null} */
export function readNumber(text) {
  if (!text.trim()) return null;
  if (text.length > LONGEST) return { at: LONGEST };
  const plain = text.toLowerCase();
  const sign = /^\s*[-−–‐‑+]?\s*/.exec(plain)?.[0] ?? '';
  const alone = new Reader(plain.slice(sign.length));
  const decimal = alone.decimal();
  if (decimal && alone.done) {
    return { ...decimal, value: MINUS.test(sign) ? -decimal.value : decimal.value };
  }
  const reader = new Reader(plain);
  try {
    const value = reader.sum();
    if (!reader.done || Number.isNaN(value)) return { at: reader.at };
    return { value, decimals: null, significant: null };
  } catch (at) {
    if (typeof at === 'number') return { at };
    throw at;
  }
}
