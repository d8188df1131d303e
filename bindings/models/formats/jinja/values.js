// The values of a template, as Python has them: bigint is an int, number a float, null None, an array a list. All that
// is made is counted, so that no template takes more memory or work than an honest one needs.

/** What is wrong with a template, or with what it was to do. */
export class TemplateError extends Error {}

/** @param {string} reason
 * @returns {never} */
export function fail(reason) {
  throw new TemplateError(reason);
}

/** What is not there. */
export class Missing {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }
}

export class Tuple {
  /** @param {Value[]} items */
  constructor(items) {
    this.items = items;
  }
}

/** What can be gone through once: the results of map and select. */
export class Iterator {
  /** @param {Value[]} items */
  constructor(items) {
    this.items = items;
  }

  take() {
    const { items } = this;
    this.items = [];
    return items;
  }
}

/** The keys, values or items of a dict. */
export class View {
  /** @param {string} name @param {Value[]} items */
  constructor(name, items) {
    this.name = name;
    this.items = items;
  }
}

export class Range {
  /** @param {bigint} start @param {bigint} stop @param {bigint} step */
  constructor(start, stop, step) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    const span = step > 0n ? stop - start + step - 1n : start - stop - step - 1n;
    const count = span / (step > 0n ? step : -step);
    this.length = count > 0n ? count : 0n;
  }

  /** Its numbers. @returns {bigint[]} */
  get items() {
    return Array.from(
      { length: Number(this.length) },
      (_, i) => this.start + BigInt(i) * this.step,
    );
  }
}

/** A text that is marked as safe: it can be printed. */
export class Safe {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @param {Value[]} values */
export function refuseSafe(...values) {
  if (values.some((value) => value instanceof Safe)) {
    fail('a text that is marked as safe can only be printed');
  }
}

/** What a loop knows of itself. */
export class Loop {
  /** @param {Value[]} items @param {number} index @param {number} depth @param {Callable | null} again for a recursive loop
   * @param {{ last: Value | undefined }} memory of changed() */
  constructor(items, index, depth, again, memory) {
    this.items = items;
    this.index = index;
    this.depth = depth;
    this.again = again;
    this.memory = memory;
  }
}

/** What a template sets attributes of. */
export class Namespace {
  /** @type {Map<string, Value>} */
  members = new Map();
}

/** What can be called, with values and named values. */
export class Callable {
  /** @param {string} name @param {(args: Value[], named: Map<string, Value>) => Value} call */
  constructor(name, call) {
    this.name = name;
    this.call = call;
  }
}

/** A dict: 1, 1.0 and True are one key. */
export class Dict {
  /** @type {Map<string, [Value, Value]>} */
  #pairs = new Map();

  /** @param {Iterable<readonly [Value, Value]>} [pairs] */
  constructor(pairs = []) {
    for (const [key, value] of pairs) this.set(key, value);
  }

  get size() {
    return this.#pairs.size;
  }

  get pairs() {
    return [...this.#pairs.values()];
  }

  get keys() {
    return this.pairs.map(([key]) => key);
  }

  /** @param {Value} key @param {Value} value */
  set(key, value) {
    const id = idOf(key);
    this.#pairs.set(id, [this.#pairs.get(id)?.[0] ?? key, value]);
  }

  /** @param {Value} key */
  has(key) {
    return this.#pairs.has(idOf(key));
  }

  /** @param {Value} key */
  get(key) {
    return this.#pairs.get(idOf(key))?.[1];
  }
}

/** @typedef {null | boolean | bigint | number | string | Value[] | Tuple | Dict | Missing | Iterator | View | Range | Safe
 *   | Namespace | Loop | Callable} Value */

/** Equal keys have equal ids.
 * @param {Value} key
 * @returns {string} */
function idOf(key) {
  if (typeof key === 'string') return `s${key}`;
  if (key === null) return 'None';
  if (typeof key === 'boolean') return `n${Number(key)}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (typeof key === 'number') return `n${Number.isInteger(key) ? BigInt(key) : key}`;
  if (key instanceof Tuple) return `t${JSON.stringify(key.items.map(idOf))}`;
  return fail(`unhashable type: '${typeOf(key)}'`);
}

/** Python's name for the type of a value.
 * @param {Value} value
 * @returns {string} */
export function typeOf(value) {
  if (value === null) return 'NoneType';
  const simple = { boolean: 'bool', bigint: 'int', number: 'float', string: 'str' };
  const name = simple[/** @type {keyof typeof simple} */ (typeof value)];
  if (name) return name;
  if (Array.isArray(value)) return 'list';
  if (value instanceof View) return `dict_${value.name}`;
  if (value instanceof Safe) return 'Markup';
  if (value instanceof Callable) return 'function';
  if (value instanceof Iterator) return 'generator';
  if (value instanceof Missing) return 'Undefined';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Dict) return 'dict';
  if (value instanceof Range) return 'range';
  return value instanceof Loop ? 'LoopContext' : 'Namespace';
}

// ---- Limits ----

/** So many characters may be made; an element of a list counts as 16. */
const MAX_CHARACTERS = 2 ** 24;
/** So many expressions and elements may be computed. */
const MAX_STEPS = 3_000_000;

/** What a template has used. */
export class Budget {
  #made = 0;
  #work = 0;

  /** @param {number} [steps] */
  work(steps = 1) {
    this.#work += steps;
    if (this.#work > MAX_STEPS) fail(`it takes more than ${MAX_STEPS} steps`);
  }

  /** Takes the room of a value before it is made.
   * @param {number} characters */
  room(characters) {
    this.#made += characters;
    if (this.#made > MAX_CHARACTERS) fail(`it makes more than ${MAX_CHARACTERS} characters`);
  }

  /** @param {number} count */
  elements(count) {
    this.work(count);
    this.room(16 * count);
  }

  /** The work of looking for a part in a text, at worst.
   * @param {string} text @param {string} part */
  search(text, part) {
    this.work(Math.ceil((text.length * (part.length + 1)) / 64));
  }
}

// ---- Numbers ----

/** @param {Value} value
 * @returns {value is bigint | number | boolean} */
export const isNumber = (value) => ['bigint', 'number', 'boolean'].includes(typeof value);

/** A bool is an int, too.
 * @param {Value} value
 * @returns {bigint | null} */
export const intOf = (value) =>
  typeof value === 'bigint' ? value : typeof value === 'boolean' ? BigInt(value) : null;

/** Where Python demands an int.
 * @param {Value} value @param {string} where
 * @returns {bigint} */
export const integer = (value, where) =>
  intOf(value) ?? fail(`${where}: expected an int, received ${typeOf(value)}`);

/** A number as Python writes it.
 * @param {number} value */
function floatText(value) {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16) {
    /* JavaScript writes them so, too, but for the smallest and for the point. */
    const text =
      power < 0
        ? value.toFixed(Math.max(0, digits.replace(/\D/g, '').length - 1 - power))
        : String(value);
    return text.includes('.') ? text : `${text}.0`;
  }
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${digits}e${power < 0 ? '-' : '+'}${size}`;
}

// ---- Texts ----

/** Python's white space. */
export const SPACE =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

/** How many code points a text has.
 * @param {string} text */
export function lengthOf(text) {
  let length = 0;
  for (
    let i = 0;
    i < text.length;
    i += /** @type {number} */ (text.codePointAt(i)) > 0xffff ? 2 : 1
  ) {
    length += 1;
  }
  return length;
}

const ESCAPES = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A text as Python's repr has it.
 * @param {string} text */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (sign) => {
    if (sign === quote) return `\\${sign}`;
    if (sign === "'" || sign === '"') return sign;
    const escaped = ESCAPES.get(sign);
    if (escaped) return escaped;
    const code = /** @type {number} */ (sign.codePointAt(0));
    const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
    return `\\${letter}${code.toString(16).padStart(Number(digits), '0')}`;
  });
  return `${quote}${body}${quote}`;
}

/** What `{{ value }}` prints: Python's str.
 * @param {Value} value @param {Budget} budget
 * @returns {string} */
export function textOf(value, budget) {
  if (typeof value === 'string') return value;
  if (value instanceof Missing) return '';
  if (value instanceof Safe) return value.text;
  return reprOf(value, budget);
}

/** @param {Value} value @param {Budget} budget @param {number} [depth]
 * @returns {string} */
export function reprOf(value, budget, depth = 0) {
  budget.work();
  if (depth > 100) fail('values are nested more than 100 deep');
  /** @param {Value} one */
  const inner = (one) => reprOf(one, budget, depth + 1);
  const list = (/** @type {Value[]} */ items) => items.map(inner).join(', ');
  const text = () => {
    if (typeof value === 'string') return quoted(value);
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number') return floatText(value);
    if (value instanceof Missing) return 'Undefined';
    if (Array.isArray(value)) return `[${list(value)}]`;
    if (value instanceof Tuple)
      return `(${list(value.items)}${value.items.length === 1 ? ',' : ''})`;
    if (value instanceof Dict) {
      return `{${value.pairs.map(([key, one]) => `${inner(key)}: ${inner(one)}`).join(', ')}}`;
    }
    if (value instanceof View) return `dict_${value.name}([${list(value.items)}])`;
    if (value instanceof Range) return rangeText(value);
    return fail(`a ${typeOf(value)} cannot be printed`);
  };
  const made = text();
  budget.room(made.length);
  return made;
}

/** @param {Range} range */
const rangeText = ({ start, stop, step }) =>
  step === 1n ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`;

// ---- What Python asks of any value ----

/** @param {Value} value */
export function isTrue(value) {
  if (value === null || value instanceof Missing) return false;
  if (value instanceof Dict) return value.size > 0;
  if (value instanceof Range) return value.length > 0n;
  if (value instanceof Safe) return value.text !== '';
  if (value instanceof Tuple || value instanceof View) return value.items.length > 0;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** The elements that a loop goes through; null of what is no sequence.
 * @param {Value} value @param {Budget} budget
 * @returns {Value[] | null} */
function elementsOf(value, budget) {
  if (value instanceof Iterator) return value.take();
  budget.elements(sizeOf(value) ?? 0);
  if (value instanceof Missing) return [];
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  if (value instanceof Dict) return value.keys;
  const isList = value instanceof Tuple || value instanceof View || value instanceof Range;
  return isList ? value.items : null;
}

/** @param {Value} value @param {Budget} budget */
export const iterate = (value, budget) =>
  elementsOf(value, budget) ?? fail(`'${typeOf(value)}' object is not iterable`);

/** @param {Value} value
 * @returns {number | null} */
export function sizeOf(value) {
  if (typeof value === 'string') return lengthOf(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Missing) return 0;
  if (value instanceof Dict) return value.size;
  if (value instanceof Range) return Number(value.length);
  if (value instanceof Tuple || value instanceof View) return value.items.length;
  return null;
}

/** The items of a list or tuple; undefined for any other value.
 * @param {Value} value
 * @returns {Value[] | undefined} */
export function listItems(value) {
  if (value instanceof Tuple) return value.items;
  return Array.isArray(value) ? value : undefined;
}

/** @param {Value} a @param {Value} b @param {Budget} budget
 * @returns {boolean} */
export function areEqual(a, b, budget, depth = 0) {
  budget.work();
  if (depth > 100) fail('values are nested more than 100 deep');
  if (isNumber(a) && isNumber(b)) return order(a, b) === 0;
  const [x, y] = [listItems(a), listItems(b)];
  if (x) return y !== undefined && typeOf(a) === typeOf(b) && areItemsEqual(x, y, budget, depth);
  if (a instanceof Range)
    return b instanceof Range && areItemsEqual(a.items, b.items, budget, depth);
  if (a instanceof Missing) return b instanceof Missing;
  if (typeof a === 'string' && typeof b === 'string') budget.work(Math.ceil(a.length / 64));
  refuseSafe(a, b);
  return a instanceof Dict ? b instanceof Dict && areDictsEqual(a, b, budget, depth) : a === b;
}

/** @param {Value[]} a @param {Value[]} b @param {Budget} budget @param {number} depth */
const areItemsEqual = (a, b, budget, depth) =>
  a.length === b.length && a.every((item, i) => areEqual(item, b[i], budget, depth + 1));

/** @param {Dict} a @param {Dict} b @param {Budget} budget @param {number} depth */
const areDictsEqual = (a, b, budget, depth) =>
  a.size === b.size &&
  a.pairs.every(
    ([key, value]) =>
      b.has(key) && areEqual(value, /** @type {Value} */ (b.get(key)), budget, depth + 1),
  );

/** The order of two numbers, NaN where there is none: an int and a float compare by their exact values.
 * @param {bigint | number | boolean} a @param {bigint | number | boolean} b */
function order(a, b) {
  const [x, y] = [a, b].map((one) => (typeof one === 'boolean' ? BigInt(one) : one));
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  return x < y ? -1 : Number(x > y);
}

/** By code points: those of UTF-16 have another order.
 * @param {string} a @param {string} b */
function compareTexts(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1);
}

/** The order of two values: below 0, 0 or above; NaN where there is none.
 * @param {Value} a @param {Value} b @param {Budget} budget @param {string} sign
 * @returns {number} */
export function compare(a, b, budget, sign = '<', depth = 0) {
  budget.work();
  if (depth > 100) fail('values are nested more than 100 deep');
  if (isNumber(a) && isNumber(b)) return order(a, b);
  if (typeof a === 'string' && typeof b === 'string') {
    budget.work(Math.ceil(Math.min(a.length, b.length) / 16));
    return compareTexts(a, b);
  }
  const [x, y] = [listItems(a), listItems(b)];
  if (x && y && typeOf(a) === typeOf(b)) {
    const index = x.findIndex((one, i) => i >= y.length || !areEqual(one, y[i], budget));
    if (index < 0) return x.length - y.length;
    return index >= y.length ? 1 : compare(x[index], y[index], budget, sign, depth + 1);
  }
  return fail(`'${sign}' not supported between instances of '${typeOf(a)}' and '${typeOf(b)}'`);
}

/** Whether `item in all`.
 * @param {Value} item @param {Value} all @param {Budget} budget */
export function contains(item, all, budget) {
  if (typeof all === 'string') {
    if (typeof item === 'string') {
      budget.search(all, item);
      return all.includes(item);
    }
    return fail(`'in <string>' requires string as left operand, not ${typeOf(item)}`);
  }
  if (all instanceof Dict) return all.has(item);
  const items =
    elementsOf(all, budget) ?? fail(`argument of type '${typeOf(all)}' is not iterable`);
  return items.some((one) => one === item || areEqual(one, item, budget));
}

/** What JavaScript has as a value of a template.
 * @param {unknown} value
 * @returns {Value} */
export function valueFrom(value) {
  if (Array.isArray(value)) return value.map(valueFrom);
  if (Number.isInteger(value)) return BigInt(/** @type {number} */ (value));
  if (typeof value !== 'object' || value === null) return /** @type {Value} */ (value);
  return new Dict(Object.entries(value).map(([key, one]) => [key, valueFrom(one)]));
}
