// A JSON schema as an automaton: properties stand in the order of the schema, without white space but for one space
// behind a comma or a colon, and before the value.

import { jsonText, MAX_LEVELS } from '../../../js/base/file.js';
import { isObject } from '../../../js/base/values.js';
import { Automaton } from './automaton.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./automaton.js').Edge} Edge */
/** @typedef {Record<string, unknown>} Schema */
/** @typedef {'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'} Type */

/** What says nothing of values. */
export const ANNOTATIONS = [
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', '$defs', 'definitions'],
];

/** What may be said of values of a type. @type {Record<Type, readonly string[]>} */
export const KEYWORDS = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  null: [],
};
const TYPES = /** @type {Type[]} */ (Object.keys(KEYWORDS));

/** Digits of integers, and of numbers before and behind the point: float64 holds each exactly, or to its last digit. */
export const DIGITS = 15;
const LARGEST = 10 ** DIGITS - 1;

/** @param {string} where @param {string} expected @param {unknown} value @returns {never} */
const refuse = (where, expected, value) => {
  throw typeError('schemaValue', { where, expected, given: value });
};

/** @param {string} where @param {Schema} schema @param {readonly string[]} allowed */
function checkKeywords(where, schema, allowed) {
  for (const keyword of Object.keys(schema)) {
    if (allowed.includes(keyword) || ANNOTATIONS.includes(keyword)) continue;
    throw typeError('schemaKeyword', { where, keyword, keywords: allowed.join(', ') });
  }
}

/** @param {unknown} value
 * @returns {Type} */
function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return /** @type {Type} */ (typeof value);
}

/** @param {unknown} value @param {readonly Type[]} types */
function isOfType(value, types) {
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** @param {string} where @param {Schema} schema
 * @returns {readonly Type[] | null} null where a schema names none */
function typesOf(where, { type }) {
  if (type === undefined) return null;
  const types = /** @type {Type[]} */ ([type].flat());
  const isKnown = types.length > 0 && types.every((one) => TYPES.includes(one));
  return isKnown ? types : refuse(`${where}.type`, TYPES.join(', '), type);
}

/** How many items, or characters.
 * @param {string} where @param {unknown} value @param {number} otherwise */
function countOf(where, value, otherwise) {
  if (value === undefined) return otherwise;
  if (Number.isInteger(value) && Number(value) >= 0) return Number(value);
  return refuse(where, 'an integer of 0 or more', value);
}

/** Bytes from low to high, or one of them.
 * @param {number | string} low @param {number | string} high @param {number} to
 * @returns {Edge} */
const edge = (low, high, to) => {
  const [first, last] = [low, high].map((one) =>
    typeof one === 'string' ? one.charCodeAt(0) : one,
  );
  return { low: first, high: last, to };
};
/** @param {string} signs @param {number} to */
const edges = (signs, to) => Array.from(signs, (sign) => edge(sign, sign, to));
/** @param {number} to */
const hex = (to) => [edge('0', '9', to), edge('a', 'f', to), edge('A', 'F', to)];

class Compiler {
  /** Schemas within each other. */
  #levels = 0;
  /** The references that led here. @type {string[]} */
  #references = [];

  /** @param {string} where @param {Automaton} made @param {unknown} root the whole schema, which has the definitions */
  constructor(where, made, root) {
    this.where = where;
    this.made = made;
    this.root = root;
  }

  /** A value of a schema, and what follows it.
   * @param {string} where @param {unknown} schema @param {number} next
   * @returns {number} */
  value(where, schema, next) {
    if (this.#levels === MAX_LEVELS) {
      throw rangeError('schemaDeep', { where: this.where, most: MAX_LEVELS });
    }
    this.#levels++;
    const start = this.#valueOf(where, schema, next);
    this.#levels--;
    return start;
  }

  /** @param {string} where @param {unknown} schema @param {number} next
   * @returns {number} */
  #valueOf(where, schema, next) {
    if (typeof schema === 'string') return refuse(where, 'an object, as JSON.parse gives', schema);
    if (!isObject(schema)) return refuse(where, 'an object', schema);
    const read = /** @type {Schema} */ (schema);
    if ('$ref' in read) return this.#reference(where, read, next);
    const choice = ['anyOf', 'oneOf'].find((keyword) => keyword in read);
    if (choice) return this.#choice(where, choice, read, next);
    const types = typesOf(where, read);
    if ('enum' in read || 'const' in read) return this.#constants(where, read, types, next);
    if (!types) return refuse(where, 'type, enum, const, anyOf, oneOf or $ref', schema);
    checkKeywords(where, read, ['type', ...types.flatMap((type) => KEYWORDS[type])]);
    return this.made.either(types.map((type) => this[type](where, read, next)));
  }

  /** A definition, as if it stood here.
   * @param {string} where @param {Schema} schema @param {number} next */
  #reference(where, schema, next) {
    checkKeywords(where, schema, ['$ref']);
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return refuse(`${where}.$ref`, '#/$defs/NAME', reference);
    const [, group, key] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
    if (!key) return refuse(`${where}.$ref`, '#/$defs/NAME', reference);
    const all = Object(/** @type {Schema} */ (this.root)[group]);
    const names = Object.keys(all).map((one) => `#/${group}/${one}`);
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(all, name)) {
      return refuse(`${where}.$ref`, names.join(', ') || `${group} in the schema`, reference);
    }
    const way = [...this.#references, reference];
    if (this.#references.includes(reference)) {
      throw typeError('schemaCircle', { where: `${where}.$ref`, way: way.join(' → ') });
    }
    this.#references = way;
    const start = this.value(`${this.where}.${group}.${name}`, all[name], next);
    this.#references = way.slice(0, -1);
    return start;
  }

  /** Of several schemas. Whether a text fits just one of `oneOf` is not looked at.
   * @param {string} where @param {string} keyword @param {Schema} schema @param {number} next */
  #choice(where, keyword, schema, next) {
    checkKeywords(where, schema, [keyword]);
    const { [keyword]: all } = schema;
    const place = `${where}.${keyword}`;
    if (!Array.isArray(all) || !all.length) return refuse(place, 'an array of schemas', all);
    return this.made.either(all.map((one, i) => this.value(`${place}[${i}]`, one, next)));
  }

  /** @param {string} where @param {Schema} schema @param {readonly Type[] | null} types @param {number} next */
  #constants(where, schema, types, next) {
    checkKeywords(where, schema, ['type', 'enum', 'const']);
    const list = schema.enum ?? [schema.const];
    if (!Array.isArray(list)) return refuse(`${where}.enum`, 'an array', list);
    const isConst = 'const' in schema;
    const constant = jsonText(`${where}.const`, schema.const);
    const texts = list
      .filter((value) => !types || isOfType(value, types))
      .map((value) => jsonText(`${where}.enum`, value))
      .filter((text) => text !== undefined && (!isConst || text === constant));
    if (!texts.length) throw rangeError('schemaEmpty', { where });
    return this.made.either(texts.map((text) => this.made.literal(text, next)));
  }

  /** One space or none.
   * @param {number} next */
  space(next) {
    return this.made.place([edge(' ', ' ', next)], [next]);
  }

  /** Properties in their order; those that are not required may be left out.
   * @param {string} where @param {Schema} schema @param {number} next */
  object(where, schema, next) {
    const { properties = {}, required = [], additionalProperties = false } = schema;
    if (!isObject(properties)) return refuse(`${where}.properties`, 'an object', properties);
    if (!Array.isArray(required)) return refuse(`${where}.required`, 'an array', required);
    if (typeof additionalProperties !== 'boolean') {
      return refuse(`${where}.additionalProperties`, 'a boolean', additionalProperties);
    }
    for (const name of required) {
      if (Object.hasOwn(properties, name)) continue;
      return refuse(`${where}.required`, 'names of properties', name);
    }
    const { made } = this;
    /* From the last property to the first: what begins with it, or with a later one, behind others or behind none. */
    let later = made.literal('}', next);
    let first = later;
    for (const [name, property] of Object.entries(properties).reverse()) {
      const value = this.value(`${where}.properties.${name}`, property, later);
      const key = made.literal(`${JSON.stringify(name)}:`, this.space(value));
      const behind = made.place([edge(',', ',', this.space(key))]);
      const isRequired = required.includes(name);
      first = isRequired ? key : made.either([key, first]);
      later = isRequired ? behind : made.either([behind, later]);
    }
    return made.literal('{', first);
  }

  /** Items, at least and at most so many. Those that must be there stand apart.
   * @param {string} where @param {Schema} schema @param {number} next */
  array(where, { items, minItems, maxItems }, next) {
    const { made } = this;
    const least = countOf(`${where}.minItems`, minItems, 0);
    const most = countOf(`${where}.maxItems`, maxItems, Infinity);
    if (least > most) throw rangeError('schemaEmpty', { where });
    const close = made.literal(']', next);
    if (most === 0) return made.literal('[', close);
    /** @param {number} behind */
    const item = (behind) => this.value(`${where}.items`, items, behind);
    /** @param {number} to */
    const comma = (to) => edge(',', ',', this.space(to));
    const count = most === Infinity ? Math.max(least, 1) : most;
    let start = close;
    for (let i = count; i > 0; i--) {
      const end = made.place([], i >= least ? [close] : []);
      if (i < count) made.extend(end, [comma(start)]);
      start = item(end);
      /* Without a limit the last item comes again and again. */
      if (i === count && most === Infinity) made.extend(end, [comma(start)]);
    }
    return made.literal('[', least === 0 ? made.either([start, close]) : start);
  }

  /** Characters, at least and at most so many.
   * @param {string} where @param {Schema} schema @param {number} next */
  string(where, { minLength, maxLength }, next) {
    const { made } = this;
    const least = countOf(`${where}.minLength`, minLength, 0);
    const most = countOf(`${where}.maxLength`, maxLength, Infinity);
    if (least > most) throw rangeError('schemaEmpty', { where });
    const close = edge('"', '"', next);
    const count = most === Infinity ? least : most;
    let inside = made.place([close]);
    /* Without a limit more of them follow the last that must be there. */
    if (most === Infinity) made.extend(inside, this.#character(inside));
    for (let i = count - 1; i >= 0; i--) {
      inside = made.place([...this.#character(inside), ...(i >= least ? [close] : [])]);
    }
    return made.literal('"', inside);
  }

  /** One character of a string, which leads to a place.
   * @param {number} inside */
  #character(inside) {
    const { made } = this;
    const tail = (/** @type {number} */ to) => made.place([edge(0x80, 0xbf, to)]);
    const [two, hex1] = [tail(inside), made.place(hex(inside))];
    const [three, hex2] = [tail(two), made.place(hex(hex1))];
    const hex3 = made.place(hex(hex2));
    /* A character beyond 16 bits is two of these. */
    const second = made.literal(
      '\\u',
      made.place(edges('dD', made.place([edge('c', 'f', hex2), edge('C', 'F', hex2)]))),
    );
    const fourth = made.place(hex(second));
    const third = made.place(hex(fourth));
    const surrogate = made.place([edge('0', '7', hex2), ...edges('89abAB', third)]);
    const unicode = made.place([
      ...[edge('0', '9', hex3), edge('a', 'c', hex3), edge('A', 'C', hex3)],
      ...[...edges('dD', surrogate), ...edges('efEF', hex3)],
    ]);
    const escaped = made.place([...edges('"\\/bfnrt', inside), edge('u', 'u', unicode)]);
    return [
      ...[edge(0x20, 0x21, inside), edge(0x23, 0x5b, inside), edge(0x5d, 0x7f, inside)],
      ...[edge('\\', '\\', escaped), edge(0xc2, 0xdf, two)],
      edge(0xe0, 0xe0, made.place([edge(0xa0, 0xbf, two)])),
      ...[edge(0xe1, 0xec, three), edge(0xee, 0xef, three)],
      edge(0xed, 0xed, made.place([edge(0x80, 0x9f, two)])),
      edge(0xf0, 0xf0, made.place([edge(0x90, 0xbf, three)])),
      edge(0xf1, 0xf3, tail(three)),
      edge(0xf4, 0xf4, made.place([edge(0x80, 0x8f, three)])),
    ];
  }

  /** Up to so many digits.
   * @param {number} count @param {number} next */
  #digits(count, next) {
    let place = next;
    for (let i = 0; i < count; i++) place = this.made.place([edge('0', '9', place)], [next]);
    return place;
  }

  /** @param {number} next */
  #natural(next) {
    return this.made.place([edge('0', '0', next), edge('1', '9', this.#digits(DIGITS - 1, next))]);
  }

  /** @param {number} next */
  #whole(next) {
    const { made } = this;
    const digits = this.#natural(next);
    return made.place([edge('-', '-', digits)], [digits]);
  }

  /** The digits before a point, with a sign unless the least is 0.
   * @param {string} where @param {Schema} schema @param {number} next */
  integer(where, { minimum = -LARGEST, maximum = LARGEST }, next) {
    const isNatural = minimum === 0;
    if (!isNatural && !(typeof minimum === 'number' && minimum <= -LARGEST)) {
      return refuse(`${where}.minimum`, '0, or none: other limits are not supported', minimum);
    }
    if (!(typeof maximum === 'number' && maximum >= LARGEST)) {
      return refuse(`${where}.maximum`, 'none: limits are not supported', maximum);
    }
    return isNatural ? this.#natural(next) : this.#whole(next);
  }

  /** @param {string} where @param {Schema} schema @param {number} next */
  number(where, schema, next) {
    const { made } = this;
    const fraction = made.place([edge('0', '9', this.#digits(DIGITS - 1, next))]);
    return this.integer(where, schema, made.place([edge('.', '.', fraction)], [next]));
  }

  /** @param {string} _where @param {Schema} _schema @param {number} next */
  boolean(_where, _schema, next) {
    return this.made.either(['true', 'false'].map((text) => this.made.literal(text, next)));
  }

  /** @param {string} _where @param {Schema} _schema @param {number} next */
  null(_where, _schema, next) {
    return this.made.literal('null', next);
  }
}

/** The automaton of a schema, and the state in which its texts begin.
 * @param {string} where @param {unknown} schema */
export function compile(where, schema) {
  const automaton = new Automaton(where);
  const compiler = new Compiler(where, automaton, schema);
  const start = compiler.space(compiler.value(where, schema, automaton.end));
  return { automaton, begin: automaton.begin(start) };
}
