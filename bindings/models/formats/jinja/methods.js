// The methods of Python's values that change nothing: a template may not change what it was given.

import {
  areEqual,
  Callable,
  Dict,
  fail,
  integer,
  intOf,
  isTrue,
  iterate,
  lengthOf,
  Missing,
  SPACE,
  Tuple,
  textOf,
  typeOf,
  View,
} from './values.js';

/** @typedef {import('./values.js').Budget} Budget */
/** @typedef {import('./values.js').Value} Value */
/** @typedef {(self: any, args: Value[], budget: Budget, named: Map<string, Value>) => Value} Method */

/** @param {Value} value @param {string} where */
export const text = (value, where) =>
  typeof value === 'string' ? value : fail(`${where}: expected a str, received ${typeOf(value)}`);

/** @param {string} signs of a class of a regular expression */
const escaped = (signs) => signs.replace(/[\\\]^-]/g, '\\$&');

/** Takes signs away at the ends of a text.
 * @param {string} self @param {Value | undefined} signs white space, if none are named @param {'both' | 'left' | 'right'} side */
export function stripped(self, signs, side) {
  const all = signs === undefined || signs === null ? null : text(signs, 'strip');
  if (all === '') return self;
  const isOne = new RegExp(all === null ? `^${SPACE}$` : `^[${escaped(all)}]$`, 'u');
  let [from, to] = [0, self.length];
  while (side !== 'right' && from < to) {
    const sign = String.fromCodePoint(/** @type {number} */ (self.codePointAt(from)));
    if (!isOne.test(sign)) break;
    from += sign.length;
  }
  while (side !== 'left' && to > from) {
    const isPair = to - from > 1 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(self.slice(to - 2, to));
    const sign = self.slice(to - (isPair ? 2 : 1), to);
    if (!isOne.test(sign)) break;
    to -= sign.length;
  }
  return self.slice(from, to);
}

/** How often a part stands in a text.
 * @param {string} self @param {string} part @param {Budget} budget */
function countOf(self, part, budget) {
  budget.search(self, part);
  let count = 0;
  for (let index = self.indexOf(part); index >= 0; index = self.indexOf(part, index + part.length))
    count += 1;
  return count;
}

/** A whole number that says how often; below 0 always.
 * @param {Value | undefined} value */
const times = (value) => {
  const count = value === undefined ? -1n : integer(value, 'maxsplit');
  return count < 0n ? Number.POSITIVE_INFINITY : Number(count);
};

/** @param {string} self @param {Value | undefined} separator @param {number} most
 * @returns {string[]} */
function splitLeft(self, separator, most) {
  if ((separator ?? null) !== null) {
    const sign = String(separator);
    const parts = self.split(sign);
    return parts.length - 1 <= most
      ? parts
      : [...parts.slice(0, most), parts.slice(most).join(sign)];
  }
  /** @type {string[]} */
  const parts = [];
  let rest = stripped(self, undefined, 'left');
  const space = new RegExp(`${SPACE}+`);
  while (rest && parts.length < most) {
    const match = space.exec(rest);
    if (!match) break;
    parts.push(rest.slice(0, match.index));
    rest = rest.slice(match.index + match[0].length);
  }
  return rest ? [...parts, rest] : parts;
}

/** @param {string} self @param {Value | undefined} separator @param {number} most
 * @returns {string[]} */
function splitRight(self, separator, most) {
  if ((separator ?? null) === null) {
    const back = (/** @type {string} */ one) => Array.from(one).reverse().join('');
    return splitLeft(back(self), separator, most).map(back).reverse();
  }
  const sign = String(separator);
  const parts = self.split(sign);
  const first = Math.max(0, parts.length - most);
  return first
    ? [parts.slice(0, first).join(sign), ...parts.slice(first)].filter((_, i) => i || first)
    : parts;
}

/** @param {(self: string, separator: Value | undefined, most: number) => string[]} split
 * @returns {Method} */
const splitting = (split) => (self, args, budget, named) => {
  const [separator = named.get('sep'), most = named.get('maxsplit')] = args;
  /* Of white space, each second sign could part it. */
  const sign =
    (separator ?? null) === null
      ? null
      : text(/** @type {Value} */ (separator), 'split') || fail('split: empty separator');
  if (sign) budget.elements(countOf(self, sign, budget) + 1);
  const parts = split(self, separator, times(most));
  if (!sign) budget.elements(parts.length);
  budget.room(self.length);
  return parts;
};

/** First letters large, the others small: of words, or of the text.
 * @param {string} self */
export function titled(self) {
  let isInside = false;
  return Array.from(self, (sign) => {
    const isCased = sign.toLowerCase() !== sign.toUpperCase();
    const made = isInside ? sign.toLowerCase() : upperFirst(sign);
    isInside = isCased;
    return made;
  }).join('');
}

/** A large first letter: of ß and ﬁ the title form is refused.
 * @param {string} sign */
function upperFirst(sign) {
  const upper = sign.toUpperCase();
  if (lengthOf(upper) > 1 || /[\u01c4-\u01cc\u01f1-\u01f3]/.test(sign)) {
    return fail(`${sign} as a first letter`);
  }
  return upper;
}

/** @param {string} self */
export function capitalized(self) {
  const [first = '', ...rest] = Array.from(self);
  return (first && upperFirst(first)) + rest.join('').toLowerCase();
}

/** @param {RegExp} pattern
 * @returns {Method} */
const matching = (pattern) => (self) => self !== '' && pattern.test(self);

/** All letters that have a case have this one, and there are some.
 * @param {(text: string) => string} change
 * @returns {Method} */
const cased = (change) => (self) =>
  change(self) === self && self.toLowerCase() !== self.toUpperCase();

/** The place of a part, by code points; -1 where it is not.
 * @param {string} self @param {Value[]} args @param {'indexOf' | 'lastIndexOf'} search
 * @param {Budget} budget */
function placeOf(self, args, search, budget) {
  const [part, ...more] = args;
  if (more.length) return fail('find: expected one value');
  budget.search(self, text(part, 'find'));
  const index = self[search](text(part, 'find'));
  return index < 0 ? -1n : BigInt(lengthOf(self.slice(0, index)));
}

/** Whether a text begins or ends with one of some.
 * @param {'startsWith' | 'endsWith'} check
 * @returns {Method} */
const sided = (check) => (self, args) => {
  const [affix, ...more] = args;
  if (more.length) return fail(`${check.toLowerCase()}: expected one value`);
  const ones = affix instanceof Tuple ? affix.items : [affix];
  return ones.some((one) => self[check](text(one, check.toLowerCase())));
};

/** @param {(self: string, blank: string, half: string) => string} place
 * @returns {Method} */
const padded = (place) => (self, args, budget) => {
  const [width, sign = ' '] = args;
  const fill = text(sign, 'fillchar');
  if (lengthOf(fill) !== 1) return fail('the fill character must be exactly one character long');
  const size = Number(integer(width, 'width')) - lengthOf(self);
  if (size <= 0) return self;
  budget.room(size * fill.length);
  /* Of an odd number the extra one stands left, where the width is odd. */
  const left = Math.floor(size / 2) + (size & (size + lengthOf(self)) & 1);
  return place(self, fill.repeat(size), fill.repeat(left));
};

const BREAK = '\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029';
const LINES = new RegExp(`[^${BREAK}]*(?:\\r\\n|[${BREAK}]|$)`, 'g');
const LAST_BREAK = new RegExp(`(?:\\r\\n|[${BREAK}])$`);

/** Python's splitlines, by all that ends a line there.
 * @param {string} self @param {boolean} keep */
export function linesOf(self, keep) {
  const parts = self.match(LINES) ?? [];
  if (parts.at(-1) === '') parts.pop();
  return keep ? parts : parts.map((part) => part.replace(LAST_BREAK, ''));
}

/** A text in which parts are replaced.
 * @param {string} self @param {string} from @param {string} to @param {number} most @param {Budget} budget */
export function replaced(self, from, to, most, budget) {
  const all = from ? countOf(self, from, budget) : lengthOf(self) + 1;
  budget.room(self.length + Math.min(most, all) * to.length);
  if (from && most >= all) return self.replaceAll(from, () => to);
  budget.elements(all);
  const parts = from ? self.split(from) : ['', ...Array.from(self), ''];
  const count = Math.min(most, all);
  return [...parts.slice(0, count), parts.slice(count).join(from)].join(to);
}

/** `'{}'.format(value)`, without formats of its own.
 * @type {Method} */
function format(self, args, budget, named) {
  let next = 0;
  if (/\{\}/.test(self) && /\{\d/.test(self)) fail('a format with {} and numbers');
  const made = self.replace(
    /\{\{|\}\}|\{(\w*)\}|[{}]/g,
    (/** @type {string} */ match, /** @type {string} */ key) => {
      if (match === '{{' || match === '}}') return match[0];
      if (key === undefined) return fail(`the format ${JSON.stringify(self.slice(0, 40))}`);
      const value =
        key === '' ? args[next++] : /^\d+$/.test(key) ? args[Number(key)] : named.get(key);
      if (value === undefined) return fail(`the format has no value for {${key}}`);
      return textOf(value, budget);
    },
  );
  budget.room(made.length);
  return made;
}

/** @param {string} self @param {string} sign @param {number} index of the sign */
const partition = (self, sign, index) =>
  index < 0 ? undefined : new Tuple([self.slice(0, index), sign, self.slice(index + sign.length)]);

/** @type {Record<string, Method>} */
const STRING = {
  strip: (self, [signs]) => stripped(self, signs, 'both'),
  lstrip: (self, [signs]) => stripped(self, signs, 'left'),
  rstrip: (self, [signs]) => stripped(self, signs, 'right'),
  split: splitting(splitLeft),
  rsplit: splitting(splitRight),
  splitlines: (self, [keep], _, named) =>
    linesOf(self, isTrue(keep ?? named.get('keepends') ?? false)),
  upper: (self) => self.toUpperCase(),
  lower: (self) => self.toLowerCase(),
  title: (self, _, budget) => {
    budget.elements(self.length);
    return titled(self);
  },
  capitalize: (self, _, budget) => {
    budget.elements(self.length);
    return capitalized(self);
  },
  startswith: sided('startsWith'),
  endswith: sided('endsWith'),
  replace: (self, [from, to, count], budget, named) =>
    replaced(
      self,
      text(from, 'replace'),
      text(to, 'replace'),
      times(count ?? named.get('count')),
      budget,
    ),
  join: (self, [values], budget) => {
    const parts = iterate(values, budget).map((one) => text(one, 'join'));
    budget.room(parts.reduce((sum, part) => sum + part.length + self.length, 0));
    return parts.join(self);
  },
  find: (self, args, budget) => placeOf(self, args, 'indexOf', budget),
  rfind: (self, args, budget) => placeOf(self, args, 'lastIndexOf', budget),
  index: (self, args, budget) => {
    const place = placeOf(self, args, 'indexOf', budget);
    return place < 0n ? fail('substring not found') : place;
  },
  count: (self, [part], budget) => {
    const sign = text(part, 'count');
    return BigInt(sign ? countOf(self, sign, budget) : lengthOf(self) + 1);
  },
  isalpha: matching(/^\p{L}+$/u),
  isdigit: matching(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+$/u),
  isdecimal: matching(/^\p{Nd}+$/u),
  isnumeric: matching(/^\p{N}+$/u),
  isalnum: matching(/^[\p{L}\p{N}]+$/u),
  isspace: matching(new RegExp(`^${SPACE}+$`)),
  isupper: cased((one) => one.toUpperCase()),
  islower: cased((one) => one.toLowerCase()),
  removeprefix: (self, [part]) => {
    const sign = text(part, 'removeprefix');
    return self.startsWith(sign) ? self.slice(sign.length) : self;
  },
  removesuffix: (self, [part]) => {
    const sign = text(part, 'removesuffix');
    return self.endsWith(sign) ? self.slice(0, self.length - sign.length) : self;
  },
  ljust: padded((self, blank) => self + blank),
  rjust: padded((self, blank) => blank + self),
  center: padded((self, blank, half) => half + self + blank.slice(half.length)),
  partition: (self, [part]) => {
    const sign = text(part, 'partition') || fail('empty separator');
    return partition(self, sign, self.indexOf(sign)) ?? new Tuple([self, '', '']);
  },
  rpartition: (self, [part]) => {
    const sign = text(part, 'rpartition') || fail('empty separator');
    return partition(self, sign, self.lastIndexOf(sign)) ?? new Tuple(['', '', self]);
  },
  format,
};

/** @type {Record<string, Method>} */
const SEQUENCE = {
  index: (self, [value], budget) => {
    const items = /** @type {Value[]} */ (self.items ?? self);
    const index = items.findIndex((one) => areEqual(one, value, budget));
    return index < 0 ? fail('the value is not in the list') : BigInt(index);
  },
  count: (self, [value], budget) => {
    const items = /** @type {Value[]} */ (self.items ?? self);
    return BigInt(items.filter((one) => areEqual(one, value, budget)).length);
  },
};

/** The items of a dict. @param {Dict} self @param {Budget} budget */
export function itemsOf(self, budget) {
  budget.elements(2 * self.size);
  return new View(
    'items',
    self.pairs.map((pair) => new Tuple([...pair])),
  );
}

/** @type {Record<string, Method>} */
const DICT = {
  items: (self, _, budget) => itemsOf(self, budget),
  keys: (self, _, budget) => {
    budget.elements(self.size);
    return new View('keys', self.keys);
  },
  values: (self, _, budget) => {
    budget.elements(self.size);
    return new View(
      'values',
      self.pairs.map((/** @type {[Value, Value]} */ [, one]) => one),
    );
  },
  get: (self, [key, otherwise = null]) => (self.has(key) ? self.get(key) : otherwise),
  copy: (self, _, budget) => {
    budget.elements(2 * self.size);
    return new Dict(self.pairs);
  },
};

/** How many values each method takes, at least and at most. `format` takes any. */
const COUNTS = Object.entries({
  '0 0':
    'capitalize copy isalnum isalpha isdecimal isdigit islower isnumeric isspace isupper items keys lower title upper values',
  '0 1': 'lstrip rstrip splitlines strip',
  '0 2': 'rsplit split',
  '1 1':
    'count endswith find index join partition removeprefix removesuffix rfind rpartition startswith',
  '1 2': 'center get ljust rjust',
  '2 3': 'replace',
});
const TAKEN = new Map(
  COUNTS.flatMap(([counts, names]) => names.split(' ').map((name) => [name, counts.split(' ')])),
);
/** The values that have names. */
const NAMED = new Map([
  ['replace', ['count']],
  ['rsplit', ['sep', 'maxsplit']],
  ['split', ['sep', 'maxsplit']],
  ['splitlines', ['keepends']],
]);

/** @param {string} method @param {Value[]} args @param {Map<string, Value>} named */
function checkTaken(method, args, named) {
  const counts = TAKEN.get(method);
  if (!counts) return;
  const [least, most] = counts.map(Number);
  const count = args.length + named.size;
  if (args.length < least || count > most)
    fail(`${method}: expected other arguments than ${count}`);
  for (const name of named.keys()) {
    if (!NAMED.get(method)?.includes(name)) fail(`${method} takes no argument ${name}`);
  }
}

/** The methods that Python has beside these: no attributes, but not supported. */
const OTHERS = {
  str: 'casefold encode expandtabs format_map isascii isidentifier isprintable istitle maketrans rindex swapcase translate zfill',
  list: 'append clear copy extend insert pop remove reverse sort',
  dict: 'clear fromkeys pop popitem setdefault update',
  int: 'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes',
  float: 'as_integer_ratio conjugate fromhex hex imag is_integer real',
};

/** @param {Value} value
 * @returns {Record<string, Method>} */
function methodsOf(value) {
  if (typeof value === 'string') return STRING;
  if (value instanceof Dict) return DICT;
  return Array.isArray(value) || value instanceof Tuple ? SEQUENCE : {};
}

/** A method of a value; undefined where Python has none of this name.
 * @param {Value} value @param {string} name @param {Budget} budget
 * @returns {Callable | undefined} */
export function methodOf(value, name, budget) {
  const methods = methodsOf(value);
  if (Object.hasOwn(methods, name)) {
    return new Callable(name, (args, named) => {
      for (const one of args)
        if (one instanceof Missing) fail(`${name}: '${one.name}' is undefined`);
      checkTaken(name, args, named);
      if (typeof value === 'string') budget.room(value.length);
      return methods[name](value, args, budget, named);
    });
  }
  const type = typeof value === 'boolean' ? 'int' : typeOf(value);
  const others = OTHERS[/** @type {keyof typeof OTHERS} */ (type)] ?? '';
  if (others.split(' ').includes(name)) fail(`${typeOf(value)}.${name} is not supported`);
  return undefined;
}

/** An element of a sequence, or of a text, by its number from the beginning or the end.
 * @template T @param {ArrayLike<T>} items @param {Value} index
 * @returns {T | undefined} */
export function element(items, index) {
  const position = Number(intOf(index));
  return items[position < 0 ? items.length + position : position];
}
