// Python's operators.

import {
  areEqual,
  compare,
  contains,
  fail,
  intOf,
  isNumber,
  lengthOf,
  listItems,
  Missing,
  refuseSafe,
  Tuple,
  textOf,
  typeOf,
} from './values.js';

/** @typedef {import('./values.js').Budget} Budget */
/** @typedef {import('./values.js').Value} Value */

/** An int may have so many bits. */
const MAX_INT_BITS = 4096n;
const INT_LIMIT = 2n ** MAX_INT_BITS;

/** @param {bigint} value */
function checked(value) {
  return value < INT_LIMIT && value > -INT_LIMIT ? value : fail('an int of more than 4096 bits');
}

/** As Python divides floats: the rest has the sign of the divisor.
 * @param {number} a @param {number} b
 * @returns {[quotient: number, rest: number]} */
function divided(a, b) {
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest) {
    if (rest < 0 !== b < 0) {
      rest += b;
      quotient -= 1;
    }
  } else rest = b < 0 ? -0 : 0;
  if (!quotient) return [a / b < 0 || Object.is(a / b, -0) ? -0 : 0, rest];
  const floor = Math.floor(quotient);
  return [quotient - floor > 0.5 ? floor + 1 : floor, rest];
}

/** @param {bigint} a @param {bigint} b
 * @returns {[quotient: bigint, rest: bigint]} */
function dividedInts(a, b) {
  const rest = a % b;
  return rest && rest < 0n !== b < 0n ? [a / b - 1n, rest + b] : [a / b, rest];
}

/** A quotient of ints, if floats have it as exactly as Python.
 * @param {bigint} a @param {bigint} b */
function quotient(a, b) {
  const [x, y] = [Number(a), Number(b)];
  const isExact = [x, y].every((one) => Number.isSafeInteger(one));
  return isExact ? x / y : fail('a quotient of ints above 2^53');
}

/** @param {bigint} a @param {bigint} b */
function power(a, b) {
  if (b < 0n) return floatPower(Number(a), Number(b));
  const bits = BigInt((a < 0n ? -a : a).toString(2).length);
  return bits > 1n && bits * b > 2n * MAX_INT_BITS
    ? fail('an int of more than 4096 bits')
    : checked(a ** b);
}

/** A power of floats, where each machine rounds it alike.
 * @param {number} a @param {number} b */
function floatPower(a, b) {
  const made = a ** b;
  const isExact = [a, b, made].every((one) => Number.isSafeInteger(one));
  if (isExact || (a && b === -1)) return made;
  return fail('a power that is no whole number');
}

/** @type {Record<string, [(a: bigint, b: bigint) => bigint | number, (a: number, b: number) => number]>} */
const NUMBERS = {
  '+': [(a, b) => checked(a + b), (a, b) => a + b],
  '-': [(a, b) => checked(a - b), (a, b) => a - b],
  '*': [(a, b) => checked(a * b), (a, b) => a * b],
  '/': [quotient, (a, b) => a / b],
  '//': [(a, b) => dividedInts(a, b)[0], (a, b) => divided(a, b)[0]],
  '%': [(a, b) => dividedInts(a, b)[1], (a, b) => divided(a, b)[1]],
  '**': [power, floatPower],
};

/** A sequence several times.
 * @param {Value} value @param {bigint} count @param {Budget} budget
 * @returns {Value | undefined} */
function repeated(value, count, budget) {
  const times = count > 0n ? count : 0n;
  if (count >= 2n ** 63n) fail('a count above 2^63');
  const many = (/** @type {number} */ length) => {
    if (BigInt(length) * times > BigInt(Number.MAX_SAFE_INTEGER)) return Number.MAX_SAFE_INTEGER;
    return length * Number(times);
  };
  if (typeof value === 'string') {
    budget.room(many(value.length));
    return value.repeat(value ? Number(times) : 0);
  }
  const items = listItems(value);
  if (!items) return undefined;
  budget.elements(many(items.length));
  const made = Array.from({ length: items.length ? Number(times) : 0 }, () => items).flat();
  return value instanceof Tuple ? new Tuple(made) : made;
}

/** @param {Value} a @param {Value} b @param {Budget} budget
 * @returns {Value | undefined} */
function added(a, b, budget) {
  if (typeof a === 'string' && typeof b === 'string') {
    budget.room(a.length + b.length);
    return a + b;
  }
  const [x, y] = [listItems(a), listItems(b)];
  if (!x || !y || typeOf(a) !== typeOf(b)) return undefined;
  budget.elements(x.length + y.length);
  return a instanceof Tuple ? new Tuple([...x, ...y]) : [...x, ...y];
}

/** A sequence times an int, in either order.
 * @param {Value} a @param {Value} b @param {Budget} budget */
function multiplied(a, b, budget) {
  const [x, y] = [intOf(a), intOf(b)];
  if (y !== null) return repeated(a, y, budget);
  return x === null ? undefined : repeated(b, x, budget);
}

/** What operators do to sequences; undefined where an operand is of another type. */
const SEQUENCES = new Map([
  ['+', added],
  ['*', multiplied],
]);

/** @param {string} operator @param {bigint | number | boolean} a @param {bigint | number | boolean} b
 * @returns {Value} */
function calculated(operator, a, b) {
  const [ints, floats] = NUMBERS[operator];
  const [x, y] = [intOf(a), intOf(b)];
  if (['/', '//', '%'].includes(operator) && !Number(b)) fail('division by zero');
  return x !== null && y !== null ? ints(x, y) : floats(Number(a), Number(b));
}

/** @param {string} operator @param {Value} a @param {Value} b @param {Budget} budget
 * @returns {Value} */
export function binary(operator, a, b, budget) {
  if (isNumber(a) && isNumber(b)) return calculated(operator, a, b);
  for (const one of [a, b]) if (one instanceof Missing) fail(`'${one.name}' is undefined`);
  if (operator === '%' && typeof a === 'string') return formatted(a, b, budget);
  const sequence = SEQUENCES.get(operator)?.(a, b, budget);
  if (sequence !== undefined) return sequence;
  refuseSafe(a, b);
  return fail(`unsupported operand types for ${operator}: '${typeOf(a)}' and '${typeOf(b)}'`);
}

/** The texts of values, one after the other.
 * @param {Value[]} values @param {Budget} budget */
export function joined(values, budget) {
  refuseSafe(...values);
  const text = values.map((value) => textOf(value, budget)).join('');
  budget.room(text.length);
  return text;
}

/** @param {string} sign @param {Value} value
 * @returns {Value} */
export function signed(sign, value) {
  if (!isNumber(value)) return fail(`bad operand type for unary ${sign}: '${typeOf(value)}'`);
  const int = intOf(value);
  if (sign === '+') return int ?? value;
  return int === null ? -Number(value) : -int;
}

/** @type {Record<string, (a: Value, b: Value, budget: Budget) => boolean>} */
export const COMPARISONS = {
  '==': areEqual,
  '!=': (a, b, budget) => !areEqual(a, b, budget),
  '<': (a, b, budget) => compare(a, b, budget, '<') < 0,
  '<=': (a, b, budget) => compare(a, b, budget, '<=') <= 0,
  '>': (a, b, budget) => compare(a, b, budget, '>') > 0,
  '>=': (a, b, budget) => compare(a, b, budget, '>=') >= 0,
  in: contains,
  'not in': (a, b, budget) => !contains(a, b, budget),
};

const DIRECTIVE = /%(?:(%)|([-0]?)(\d{0,3})(?:\.(\d{1,2}))?([sdif]))/g;

/** @param {Value} value @param {string} kind @param {string | undefined} digits @param {Budget} budget */
function directive(value, kind, digits, budget) {
  if (kind === 's') {
    const text = textOf(value, budget);
    return digits === undefined ? text : Array.from(text).slice(0, Number(digits)).join('');
  }
  if (!isNumber(value)) return fail(`%${kind}: a number is required, not ${typeOf(value)}`);
  if (kind === 'f') return fixed(Number(value), Number(digits ?? 6));
  if (digits !== undefined || !Number.isFinite(Number(value))) fail(`the format %${kind}`);
  return String(typeof value === 'number' ? BigInt(Math.trunc(value)) : intOf(value));
}

/** A float with so many digits behind the point, as Python rounds: by its exact value.
 * @param {number} value @param {number} digits */
export function fixed(value, digits) {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21 || digits > 100) {
    return fail('a float that cannot be written with so many digits');
  }
  const half = exactHalf(value, digits);
  if (half !== null) return half;
  const text = value.toFixed(digits);
  return Object.is(value, -0) ? `-${text}` : text;
}

/** Of two that are equally near, Python takes the even one, JavaScript the larger one.
 * @param {number} value @param {number} digits */
function exactHalf(value, digits) {
  const more = Math.abs(value).toFixed(Math.min(100, digits + 60));
  const point = more.indexOf('.');
  const cut = point + 1 + digits;
  if (!/^50*$/.test(more.slice(cut))) return null;
  const below = digits ? more.slice(0, cut) : more.slice(0, point);
  if (Number(below.at(-1)) % 2) return null;
  return `${value < 0 ? '-' : ''}${below}`;
}

/** `'%s' % value`, with what chat templates use of it.
 * @param {string} text @param {Value} value @param {Budget} budget */
export function formatted(text, value, budget) {
  const values = value instanceof Tuple ? [...value.items] : [value];
  const rest = text.replace(DIRECTIVE, '');
  if (rest.includes('%')) fail(`the format ${JSON.stringify(text.slice(0, 40))}`);
  const made = text.replace(DIRECTIVE, (_, percent, flag, width, digits, kind) => {
    if (percent) return '%';
    if (!values.length) fail('not enough arguments for format string');
    const one = directive(/** @type {Value} */ (values.shift()), kind, digits, budget);
    const size = Number(width || 0);
    budget.room(size);
    const blank = ' '.repeat(Math.max(0, size - lengthOf(one)));
    if (flag === '-') return one + blank;
    if (flag !== '0' || kind === 's') return blank + one;
    const [, sign, number] = /** @type {RegExpExecArray} */ (/^(-?)(.*)$/s.exec(one));
    return sign + number.padStart(size - sign.length, '0');
  });
  if (values.length) fail('not all arguments converted during string formatting');
  budget.room(made.length);
  return made;
}
