// Jinja's filters, of which chat templates use some.

import { tojson } from './json.js';
import { capitalized, itemsOf, linesOf, replaced, stripped, text } from './methods.js';
import { fixed, formatted } from './operators.js';
import {
  areEqual,
  compare,
  Dict,
  fail,
  Iterator,
  integer,
  intOf,
  isNumber,
  isTrue,
  iterate,
  lengthOf,
  Missing,
  refuseSafe,
  Safe,
  SPACE,
  sizeOf,
  Tuple,
  textOf,
  typeOf,
  View,
} from './values.js';

/** @typedef {import('./values.js').Budget} Budget */
/** @typedef {import('./values.js').Value} Value */

/** What filters need of what runs a template.
 * @typedef {object} Context
 * @property {Budget} budget
 * @property {(value: Value, key: Value) => Value} item what an attribute's part names: an item, or an attribute
 * @property {(name: string, value: Value, args: Value[], named: Map<string, Value>) => Value} filter
 * @property {(name: string, value: Value, args: Value[]) => boolean} test */

/** @typedef {(value: Value, args: Value[], context: Context, named: Map<string, Value>) => Value} Filter */

/** The names of a filter's arguments, in their order, and the filter; null where others take them.
 * @typedef {[names: string | null, filter: Filter]} Row */

// ---- What several of them do ----

/** The text of a value, as Jinja's filters of texts take it.
 * @param {Value} value @param {Context} context */
const softText = (value, { budget }) => {
  refuseSafe(value);
  return textOf(value, budget);
};

/** @param {(text: string) => string} change @param {number} [room] that a character takes meanwhile
 * @returns {Row} */
const ofText = (change, room = 1) => [
  '',
  (value, _, context) => {
    const string = softText(value, context);
    context.budget.room(room * string.length);
    return change(string);
  },
];

/** What an attribute such as "a.b" or "0" names of a value.
 * @param {Value} attribute @param {Context} context
 * @returns {(value: Value) => Value} */
function getter(attribute, context) {
  if (attribute === null || attribute === undefined) return (value) => value;
  if (typeof attribute !== 'string' && intOf(attribute) === null) {
    fail(`attribute: expected a str or an int, received ${typeOf(attribute)}`);
  }
  const parts = String(attribute)
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? BigInt(part) : part));
  return (value) => parts.reduce(context.item, value);
}

/** @param {Value} value @param {Value | undefined} otherwise */
const withDefault = (value, otherwise) =>
  value instanceof Missing && otherwise !== undefined ? otherwise : value;

/** Texts compare as if they were small, unless they are to compare as they are.
 * @param {Value | undefined} isExact
 * @returns {(value: Value) => Value} */
const folded = (isExact) => (value) =>
  typeof value === 'string' && !(isExact && isTrue(isExact)) ? value.toLowerCase() : value;

/** @param {Value[]} values @param {(value: Value) => Value} keyOf @param {Value | undefined} isReverse @param {Context} context */
function sorted(values, keyOf, isReverse, { budget }) {
  budget.elements(values.length);
  const keyed = values.map((value) => ({ value, key: keyOf(value) }));
  const sign = isReverse && isTrue(isReverse) ? -1 : 1;
  return keyed.sort((a, b) => sign * compare(a.key, b.key, budget)).map(({ value }) => value);
}

/** @param {number} sign 1 for the largest
 * @returns {Row} */
const extreme = (sign) => [
  'case_sensitive attribute',
  (value, [isExact, attribute], context) => {
    const values = iterate(value, context.budget);
    const key = getter(attribute, context);
    const fold = folded(isExact);
    /** @type {Value} */
    let best = values.length ? values[0] : new Missing('the extreme of an empty sequence');
    for (const one of values.slice(1)) {
      if (sign * compare(fold(key(one)), fold(key(best)), context.budget) > 0) best = one;
    }
    return best;
  },
];

/** The values that a test lets through, or those that it does not.
 * @param {boolean} wanted @param {boolean} byAttribute
 * @returns {Filter} */
const selecting = (wanted, byAttribute) => (value, args, context) => {
  /* As Jinja: of 0 it makes nothing, of 1 an error. */
  if (!isTrue(value)) return new Iterator([]);
  if (byAttribute && !args.length) fail('expected the name of an attribute');
  const key = byAttribute ? getter(args[0], context) : (/** @type {Value} */ one) => one;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  const fits = (/** @type {Value} */ one) =>
    name === undefined ? isTrue(key(one)) : context.test(text(name, 'test'), key(one), rest);
  return new Iterator(iterate(value, context.budget).filter((one) => fits(one) === wanted));
};

/** @param {Value} value @param {Budget} budget */
const plainList = (value, budget) => [...iterate(value, budget)];

// ---- Numbers ----

/** @type {Filter} */
function int(value, [otherwise = 0n, base = 10n]) {
  if (value instanceof Missing) return fail(`'${value.name}' is undefined`);
  if (typeof value === 'number')
    return Number.isFinite(value) ? BigInt(Math.trunc(value)) : otherwise;
  if (isNumber(value)) return intOf(value);
  if (base !== 10n) return fail('int with another base than 10');
  if (typeof value !== 'string') return otherwise;
  const plain = stripped(value, undefined, 'both');
  if (/^[+-]?\d+(?:_\d+)*$/.test(plain))
    return BigInt(plain.replaceAll('_', '').replace(/^\+/, ''));
  const number = float(plain, [null]);
  return typeof number === 'number' && Number.isFinite(number)
    ? BigInt(Math.trunc(number))
    : otherwise;
}

/** @param {Value} value @param {Value[]} args
 * @returns {Value} */
function float(value, [otherwise = 0]) {
  if (value instanceof Missing) return fail(`'${value.name}' is undefined`);
  if (isNumber(value)) return Number(value);
  if (typeof value !== 'string') return otherwise;
  if (/(?!\d)\p{Nd}/u.test(value)) fail('digits of another script');
  const plain = stripped(value, undefined, 'both').replace(/(?<=\d)_(?=\d)/g, '');
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(plain);
  if (word)
    return (
      (word[1] === '-' ? -1 : 1) * (/nan/i.test(word[2]) ? Number.NaN : Number.POSITIVE_INFINITY)
    );
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : otherwise;
}

/** @type {Filter} */
function round(value, [precision = 0n, method = 'common']) {
  if (!isNumber(value)) return fail(`type ${typeOf(value)} doesn't define __round__ method`);
  const digits = Number(integer(precision, 'precision'));
  if (method !== 'common') {
    if (method !== 'ceil' && method !== 'floor')
      return fail('round: expected common, ceil or floor');
    const factor = 10 ** digits;
    return Math[method](Number(value) * factor) / factor;
  }
  if (typeof value !== 'number') return digits >= 0 ? intOf(value) : fail('round to tens');
  if (digits < 0) return fail('round to tens');
  return Number.isFinite(value) && Math.abs(value) < 1e21 ? Number(fixed(value, digits)) : value;
}

// ---- Texts ----

/** @type {Filter} */
function indent(value, [width = 4n, first = false, blank = false], context) {
  const string = text(value, 'indent');
  const size = typeof width === 'string' ? width.length : Number(integer(width, 'width'));
  context.budget.elements(string.split('\n').length);
  const lines = linesOf(`${string}\n`, false);
  context.budget.room(string.length + lines.length * Math.max(0, size));
  const margin = typeof width === 'string' ? width : ' '.repeat(Math.max(0, size));
  const isBlank = isTrue(blank);
  const made = lines.map((line, i) => (i && (line || isBlank) ? margin + line : line)).join('\n');
  return isTrue(first) ? margin + made : made;
}

/** @type {Filter} */
function truncate(value, [length = 255n, kill = false, end = '...', leeway = 5n], context) {
  const points = Array.from(text(value, 'truncate'));
  context.budget.elements(points.length);
  const [most, more] = [length, leeway].map((one) => Number(integer(one, 'length')));
  const tail = text(end, 'end');
  if (points.length <= most + more) return points.join('');
  const kept = points.slice(0, most - lengthOf(tail)).join('');
  if (isTrue(kill)) return kept + tail;
  const space = kept.lastIndexOf(' ');
  return (space < 0 ? kept : kept.slice(0, space)) + tail;
}

/** Words begin after white space and some signs, and the rest of them is small.
 * @param {string} string */
const titleOf = (string) =>
  string
    .split(new RegExp(`([-${SPACE.slice(1, -1)}({\\[<]+)`))
    .map((part) => (part ? capitalized(part) : part))
    .join('');

/** @type {Filter} */
function join(value, [between = '', attribute = null], context) {
  const parts = iterate(value, context.budget).map(getter(attribute, context));
  const sign = softText(between, context);
  const texts = parts.map((part) => softText(part, context));
  context.budget.room(texts.reduce((sum, one) => sum + one.length + sign.length, 0));
  return texts.join(sign);
}

// ---- Lists ----

/** @type {Filter} */
function mapped(value, args, context, named) {
  if (!isTrue(value)) return new Iterator([]);
  const { budget } = context;
  if (named.has('attribute')) {
    const key = getter(/** @type {Value} */ (named.get('attribute')), context);
    const otherwise = named.get('default');
    return new Iterator(iterate(value, budget).map((one) => withDefault(key(one), otherwise)));
  }
  const [name, ...rest] = args;
  if (name === undefined) fail('map: expected a filter or an attribute');
  const filter = text(name, 'map');
  return new Iterator(
    iterate(value, budget).map((one) => context.filter(filter, one, rest, named)),
  );
}

/** @type {Filter} */
function batch(value, [size, fill = null], { budget }) {
  const items = plainList(value, budget);
  const count = Number(integer(size, 'linecount'));
  if (count < 1) fail('batch: expected a count above 0');
  /** @type {Value[]} */
  const rows = [];
  for (let i = 0; i < items.length; i += count) {
    const row = items.slice(i, i + count);
    if (fill !== null) {
      budget.elements(count);
      while (row.length < count) row.push(fill);
    }
    rows.push(row);
  }
  return new Iterator(rows);
}

/** @type {Filter} */
function unique(value, [isExact, attribute], context) {
  const fold = folded(isExact);
  const key = getter(attribute, context);
  const seen = new Dict();
  const made = iterate(value, context.budget).filter((one) => {
    const foldedKey = fold(key(one));
    if (seen.has(foldedKey)) return false;
    seen.set(foldedKey, null);
    return true;
  });
  return new Iterator(made);
}

/** @type {Filter} */
function dictsort(value, [isExact = false, by = 'key', isReverse = false], context) {
  if (!(value instanceof Dict)) return fail(`dictsort: expected a dict, received ${typeOf(value)}`);
  if (by !== 'key' && by !== 'value') return fail("dictsort: expected 'key' or 'value'");
  const place = by === 'key' ? 0 : 1;
  const pairs = value.pairs.map((pair) => new Tuple([...pair]));
  const fold = folded(isExact);
  return sorted(
    pairs,
    (pair) => fold(/** @type {Tuple} */ (pair).items[place]),
    isReverse,
    context,
  );
}

/** @type {Filter} */
function groupby(value, [attribute, otherwise, isExact = false], context) {
  const key = getter(attribute, context);
  const fold = folded(isExact);
  const keyOf = (/** @type {Value} */ one) => fold(withDefault(key(one), otherwise));
  /** @type {Tuple[]} */
  const groups = [];
  /** @type {Value[]} */
  let members = [];
  let last;
  for (const one of sorted(plainList(value, context.budget), keyOf, false, context)) {
    const groupKey = keyOf(one);
    if (last === undefined || !areEqual(last, groupKey, context.budget)) {
      members = [];
      groups.push(new Tuple([withDefault(key(one), groupKey), members]));
    }
    members.push(one);
    last = groupKey;
  }
  return groups;
}

/** @type {Filter} */
function reverse(value, _, { budget }) {
  if (typeof value === 'string') {
    budget.elements(value.length);
    return Array.from(value).reverse().join('');
  }
  if (value instanceof View && value.name !== 'items') fail('the reverse of a view');
  return new Iterator(plainList(value, budget).reverse());
}

/** @type {Filter} */
function last(value, _, { budget }) {
  const items =
    value instanceof Iterator ? fail('the last of a generator') : iterate(value, budget);
  return items.length ? items[items.length - 1] : new Missing('the last of an empty sequence');
}

/** @param {Value[]} items @returns {Value} */
const firstOf = (items) =>
  items.length ? items[0] : new Missing('the first of an empty sequence');

/** @type {Filter} */
function sum(value, [attribute, start = 0n], context) {
  const key = getter(attribute, context);
  let total = start;
  for (const one of iterate(value, context.budget)) {
    const summand = key(one);
    if (!isNumber(summand) || !isNumber(total)) fail('sum: expected numbers');
    total =
      typeof summand === 'number' || typeof total === 'number'
        ? Number(total) + Number(summand)
        : /** @type {bigint} */ (intOf(total)) + /** @type {bigint} */ (intOf(summand));
  }
  return total;
}

/** @type {Filter} */
function length(value, _, { budget }) {
  if (typeof value === 'string') budget.work(Math.ceil(value.length / 100));
  return BigInt(sizeOf(value) ?? fail(`object of type '${typeOf(value)}' has no len()`));
}

/** @type {Filter} */
function items(value, _, { budget }) {
  if (value instanceof Missing) return new Iterator([]);
  if (!(value instanceof Dict)) return fail('Can only get item pairs from a mapping.');
  return new Iterator(itemsOf(value, budget).items);
}

/** @type {Filter} */
const defaultValue = (value, [replacement = '', isFalse = false]) =>
  value instanceof Missing || (isTrue(isFalse) && !isTrue(value)) ? replacement : value;

/** @type {Filter} */
const absolute = (value) => {
  if (!isNumber(value)) return fail(`bad operand type for abs(): '${typeOf(value)}'`);
  const int = intOf(value);
  if (int === null) return Math.abs(Number(value));
  return int < 0n ? -int : int;
};

/** @type {Record<string, Row>} */
export const FILTERS = {
  abs: ['', absolute],
  batch: ['linecount fill_with', batch],
  capitalize: ofText(capitalized, 16),
  count: ['', length],
  d: ['default_value boolean', defaultValue],
  default: ['default_value boolean', defaultValue],
  dictsort: ['case_sensitive by reverse', dictsort],
  first: ['', (value, _, { budget }) => firstOf(iterate(value, budget))],
  float: ['default', float],
  format: [
    null,
    (value, args, context) => formatted(softText(value, context), new Tuple(args), context.budget),
  ],
  groupby: ['attribute default case_sensitive', groupby],
  indent: ['width first blank', indent],
  int: ['default base', int],
  items: ['', items],
  join: ['d attribute', join],
  last: ['', last],
  length: ['', length],
  list: ['', (value, _, { budget }) => plainList(value, budget)],
  lower: ofText((string) => string.toLowerCase()),
  map: [null, mapped],
  max: extreme(1),
  min: extreme(-1),
  reject: [null, selecting(false, false)],
  rejectattr: [null, selecting(false, true)],
  replace: [
    'old new count',
    (value, [from, to, count = null], context) => {
      const most = count === null ? -1n : integer(count, 'count');
      const [old, next] = [softText(from, context), softText(to, context)];
      const times = most < 0n ? Number.POSITIVE_INFINITY : Number(most);
      return replaced(softText(value, context), old, next, times, context.budget);
    },
  ],
  reverse: ['', reverse],
  round: ['precision method', round],
  safe: [
    '',
    (value, _, context) => new Safe(value instanceof Safe ? value.text : softText(value, context)),
  ],
  select: [null, selecting(true, false)],
  selectattr: [null, selecting(true, true)],
  sort: [
    'reverse case_sensitive attribute',
    (value, [isReverse = false, isExact = false, attribute = null], context) => {
      if (typeof attribute === 'string' && attribute.includes(','))
        fail('sort by several attributes');
      const key = getter(attribute, context);
      const fold = folded(isExact);
      return sorted(plainList(value, context.budget), (one) => fold(key(one)), isReverse, context);
    },
  ],
  string: ['', (value, _, context) => (value instanceof Safe ? value : softText(value, context))],
  sum: ['attribute start', sum],
  title: ofText(titleOf, 16),
  tojson: ['ensure_ascii indent separators sort_keys', tojson],
  trim: [
    'chars',
    (value, [signs = null], context) => stripped(softText(value, context), signs, 'both'),
  ],
  truncate: ['length killwords end leeway', truncate],
  unique: ['case_sensitive attribute', unique],
  upper: ofText((string) => string.toUpperCase()),
  wordcount: [
    '',
    (value, _, context) =>
      BigInt((softText(value, context).match(/[\p{L}\p{N}_]+/gu) ?? []).length),
  ],
};

/** The arguments of a filter in the order of its names.
 * @param {string} filter @param {string | null} names @param {Value[]} args @param {Map<string, Value>} named
 * @returns {Value[]} */
export function ordered(filter, names, args, named) {
  if (names === null) return args;
  if (!names && args.length) fail(`${filter} takes no arguments`);
  if (!names)
    return named.size ? fail(`${filter} takes no argument ${[...named.keys()][0]}`) : args;
  const order = names.split(' ');
  if (args.length > order.length) fail(`${filter} takes at most ${order.length} arguments`);
  const all = [...args];
  for (const [name, value] of named) {
    const index = order.indexOf(name);
    if (index < 0) fail(`${filter} takes no argument ${name}`);
    if (index < args.length) fail(`${filter} got two values for ${name}`);
    all[index] = value;
  }
  return all;
}
