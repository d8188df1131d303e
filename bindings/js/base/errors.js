// Errors. Each has a code, the name of a sentence and what fills it in; its message is that sentence in English.

import { compose } from './message.js';
import { synonymsOf } from './synonyms.js';
import { TEXTS } from './texts.js';

/** @typedef {import('./message.js').Message} Message */
/** @typedef {import('./message.js').Param} Param */

/** What can be done about it. Arguments of the wrong kind are a TypeError (GF_ETYPE), arguments out of range a
 * RangeError (GF_ERANGE); all else is a GlassformerError.
 * @typedef {'GF_ETYPE' | 'GF_ESHAPE' | 'GF_ENAME' | 'GF_ENODE' | 'GF_ERANGE' | 'GF_EMEMORY' | 'GF_ESTATE'
 *   | 'GF_EID' | 'GF_EDISPOSED' | 'GF_EFILE' | 'GF_EDIVERGED' | 'GF_EMODULE' | 'GF_EBITS'} Code */

/** The names in the braces of a sentence.
 * @template {string} T
 * @typedef {T extends `${string}{${infer P}}${infer R}`
 *   ? (P extends `${string} ${string}` ? never : P) | NamesIn<R> : never} NamesIn */

/** What a sentence is filled in with. `given` and `value` are values of any kind, which are shown; `where` goes
 * before the sentence; `node` is the name of the node in question.
 * @template {string} T
 * @typedef {{ [P in NamesIn<T>]: P extends 'value' ? unknown : Param }
 *   & { given?: unknown, where?: string, hint?: Message, node?: string }} Filling */

/** Functions that make errors with the sentences of a table.
 * @template {Readonly<Record<string, string>>} T
 * @typedef {object} ErrorMakers
 * @property {<D extends keyof T & string>(detail: D, params: Filling<T[D]>) => Message} message
 * @property {<D extends keyof T & string>(detail: D, params: Filling<T[D]>) => TypeError & Told} typeError
 *   an argument of the wrong kind; an option that is unknown, missing, or not to be had with another
 * @property {<D extends keyof T & string>(detail: D, params: Filling<T[D]>) => RangeError & Told} rangeError
 *   an argument of the right kind that is out of range
 * @property {<D extends keyof T & string>(code: Code, detail: D, params: Filling<T[D]>)
 *   => GlassformerError} failure anything else: the core refused, or what it needs is not there
 * @property {(part: string) => Refuse<T>} refusing refuses a part of a file
 */

/** @template {Readonly<Record<string, string>>} T
 * @typedef {<D extends keyof T & string>(detail: D, params: Filling<T[D]>) => never} Refuse */

/** The name of a sentence that all share. @typedef {keyof typeof TEXTS} Detail */

/** The same parameters, for a place within another.
 * @template {{ where?: string }} P
 * @param {string} place @param {P} params
 * @returns {P & { where: string }} */
export const within = (place, params) => ({
  ...params,
  where: params.where ? `${place}: ${params.where}` : place,
});

/** The core's gf_error, by its negative value.
 * @type {readonly Code[]} */
const CODES = [
  /** @type {any} */ ('GF_OK'),
  'GF_ESHAPE',
  'GF_ENAME',
  'GF_ENODE',
  'GF_ERANGE',
  'GF_EMEMORY',
  'GF_ESTATE',
  'GF_EID',
];

/** @param {number} error a negative gf_error */
export const codeOf = (error) => CODES[-error];

/** All sentences. Folders that are loaded add theirs.
 * @type {Record<string, string>} */
const all = { ...TEXTS };

/** A message in English.
 * @param {Message} message */
export const english = (message) => compose(all, message);

/** What every error has besides its class and its text.
 * @typedef {Message & { code: Code }} Told */

/** Gives an error its code and what its text is made of, which a printed error does not repeat.
 * @template {Error} E
 * @param {E} error @param {Code} code @param {Message} parts
 * @returns {E & Told} */
function withParts(error, code, { detail, params }) {
  const quiet = { writable: true, configurable: true, enumerable: false };
  Object.defineProperty(error, 'detail', { value: detail, ...quiet });
  Object.defineProperty(error, 'params', { value: params, ...quiet });
  return Object.assign(/** @type {E & Message} */ (error), { code });
}

/** Functions that make errors, with the sentences that all share and those of one folder.
 * @template {Readonly<Record<string, string>>} T
 * @param {T} texts
 * @returns {ErrorMakers<typeof TEXTS & T>} */
export function sentences(texts) {
  Object.assign(all, texts);
  /** @type {ErrorMakers<any>} */
  const makers = {
    message(detail, { ...params }) {
      if ('value' in params) params.value = shown(params.value);
      if ('given' in params) {
        params.hint ??= hintAt(params.given);
        params.given = shown(params.given);
      }
      return { detail, params };
    },
    typeError(...args) {
      const parts = makers.message(...args);
      return withParts(new TypeError(english(parts)), 'GF_ETYPE', parts);
    },
    rangeError(...args) {
      const parts = makers.message(...args);
      return withParts(new RangeError(english(parts)), 'GF_ERANGE', parts);
    },
    failure: (code, ...args) => new GlassformerError(code, makers.message(...args)),
    refusing: (part) => (detail, params) => {
      throw makers.failure('GF_EFILE', detail, within(part, params));
    },
  };
  return makers;
}

export const { failure, message, rangeError, refusing, typeError } = sentences(TEXTS);

/** A failure with a message that exists already: the core's, or one about another place.
 * @param {Code} code @param {Message} parts */
export const refusal = (code, parts) => new GlassformerError(code, parts);

/** The core refused, or what it needs is not there. */
export class GlassformerError extends Error {
  /** @param {Code} code @param {Message} parts */
  constructor(code, parts) {
    super(english(parts));
    this.name = 'GlassformerError';
    /** What kind of failure it is. */
    this.code = code;
    /** The name of the sentence. */
    this.detail = parts.detail;
    /** What fills it in. */
    this.params = parts.params;
    withParts(this, code, parts);
    /** The name of the node in question, if there is one. */
    this.node = typeof parts.params.node === 'string' ? parts.params.node : null;
  }
}

/** Whether the memory of an array was transferred to another thread: it would read as empty.
 * @param {unknown} value */
export function isDetached(value) {
  const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength) return false;
  try {
    return new Uint8Array(buffer).length !== 0;
  } catch {
    return true;
  }
}

/** A hint for values that are still to come: the missing await or for await.
 * @param {unknown} value */
function hintAt(value) {
  if (Symbol.asyncIterator in Object(value)) return message('forAwait', {});
  return isPromise(value) ? message('awaitIt', {}) : undefined;
}

/** @param {unknown} value */
const isPromise = (value) => typeof Object(value).then === 'function';

/** A value as a message shows it: short, and telling strings from numbers.
 * @param {unknown} value
 * @returns {Param} */
export function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return message('aFunction', {});
  if (Array.isArray(value)) return message('anArray', { n: value.length });
  if (typeof value !== 'object' || !value) return Object.is(value, -0) ? '-0' : String(value);
  const name = value.constructor?.name;
  if (isDetached(value)) return message('aDetached', { name });
  if (ArrayBuffer.isView(value)) {
    return 'length' in value
      ? message('aView', { name, n: Number(value.length) })
      : message('aViewOfBytes', { name, n: value.byteLength });
  }
  if (Symbol.asyncIterator in value) return message('anIterator', {});
  if (isPromise(value)) return message('aPromise', {});
  /* Of a plain object its keys say which it is. */
  const keys = () => `{${Object.keys(value).join(', ').slice(0, 40)}}`;
  return message('anInstance', { name: name && name !== 'Object' ? name : keys() });
}

/** The same as text.
 * @param {unknown} value
 * @returns {string} */
export function show(value) {
  const param = shown(value);
  return typeof param === 'object' ? english(/** @type {Message} */ (param)) : String(param);
}

/** Edits that turn one word into the other.
 * @param {string} a @param {string} b */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

/** A hint at the known name that ends with the given word, or at the nearest one; none if none is near: if most of its
 * letters are others.
 * @param {string} word @param {Iterable<string>} candidates
 * @returns {Message | undefined} */
export function near(word, candidates) {
  /* As many edits as letters more, at least: a text of a million letters is not compared with all. */
  const words = [...candidates];
  const inner = words.find((one) => one.endsWith(`.${word}`));
  if (inner) return message('didYouMean', { name: inner });
  const isNear = (/** @type {string} */ name) =>
    2 * Math.abs(word.length - name.length) <= Math.max(word.length, name.length);
  const all = words.filter(isNear).map((name) => ({ name, edits: distance(word, name) }));
  if (!all.length) return undefined;
  const { name, edits } = all.reduce((a, b) => (b.edits < a.edits ? b : a));
  return 2 * edits <= Math.max(word.length, name.length)
    ? message('didYouMean', { name })
    : undefined;
}

/** A hint at what others call so, or at the nearest name.
 * @param {string} word @param {readonly string[]} allowed */
function meant(word, allowed) {
  const names = synonymsOf(word, allowed).map((name) => `"${name}"`);
  return names.length ? message('called', { names: names.join(' / ') }) : near(word, allowed);
}

/** The same as text, with a blank before it.
 * @param {string} word @param {Iterable<string>} candidates */
export function didYouMean(word, candidates) {
  const hint = near(word, candidates);
  return hint ? ` ${english(hint)}` : '';
}

/** Refuses options that are no plain object, or that have an unknown key.
 * @param {string} where @param {unknown} options @param {readonly string[]} allowed
 * @param {'options' | 'inputs' | 'hooks'} [what] they are
 * @param {readonly string[]} [hinted] of them, those that a name of others may stand for */
export function checkOptions(where, options, allowed, what = 'options', hinted = allowed) {
  if ({}.toString.call(options) !== '[object Object]') {
    const list =
      allowed.length && what !== 'hooks'
        ? message('known', { names: allowed.join(', ') })
        : undefined;
    throw typeError(what, { where, given: options, hint: hintAt(options) ?? list });
  }
  for (const key of Object.keys(/** @type {object} */ (options))) {
    if (allowed.includes(key)) continue;
    const hint = meant(key, hinted) ?? message('known', { names: allowed.join(', ') });
    throw typeError('unknownOption', { where, key, hint });
  }
}

/** @typedef {(where: string, value: never, ...rest: never[]) => unknown} Check */

/** How an option is checked: by what, and what that takes besides; null leaves it to the caller.
 * @typedef {null | readonly [check: Check, ...rest: unknown[]]} Rule */

/** Options without those that are null, which stands for none as undefined does; of a required one null is wrong.
 * @template {object} T
 * @param {T} options @param {readonly string[]} required
 * @returns {T} */
export const withoutNulls = (options, required) =>
  /** @type {T} */ (
    Object.fromEntries(
      Object.entries(options).filter(([key, value]) => value !== null || required.includes(key)),
    )
  );

/** Options of which each that is given was read once, and checked by its rule; others are refused.
 * @template {object} T
 * @param {string} where @param {T} options @param {Readonly<Record<string, Rule>>} rules
 * @returns {T} */
export function readOptions(where, options, rules) {
  checkOptions(where, options, Object.keys(rules));
  /** @type {any} */
  const read = {};
  for (const [key, rule] of Object.entries(rules)) {
    const value = /** @type {Record<string, unknown>} */ (options)[key];
    if (value === undefined || value === null) continue;
    const [check, ...rest] = rule ?? [];
    check?.(`${where}: ${key}`, /** @type {never} */ (value), .../** @type {never[]} */ (rest));
    read[key] = value;
  }
  return read;
}

/** A rule's check that lets infinity pass: no limit.
 * @param {Check} check
 * @returns {Check} */
export const orNoLimit =
  (check) =>
  (where, value, ...rest) =>
    value === Number.POSITIVE_INFINITY || check(where, value, ...rest);

/** @param {string} where @param {unknown} value */
export function checkBoolean(where, value) {
  if (typeof value !== 'boolean') throw typeError('boolean', { where, given: value });
}

/** @param {string} where @param {unknown} value
 * @returns {string} */
export function checkText(where, value) {
  if (typeof value === 'string') return value;
  throw typeError('text', { where, given: value });
}

/** @param {string} where @param {unknown} value
 * @returns {asserts value is unknown[]} */
export function checkArray(where, value) {
  if (!Array.isArray(value)) throw typeError('array', { where, given: value });
}

/** What load() gives.
 * @param {string} where @param {unknown} gf */
export function checkCore(where, gf) {
  if (typeof Object(gf).tape === 'function') return;
  const call = `${where.split(':')[0]}(gf, …)`;
  throw typeError('loaded', {
    where,
    given: gf,
    hint: hintAt(gf) ?? message('loadFirst', { call }),
  });
}

/** A listener that may be left out.
 * @param {string} where @param {unknown} value */
export function checkListener(where, value) {
  if (value === undefined || value === null || typeof value === 'function') return;
  throw typeError('listener', { where, given: value });
}

/** @param {string} where @param {unknown} value @param {number} low @param {number} high
 * @returns {number} */
export function checkInteger(where, value, low, high) {
  const number = typeof value === 'number';
  if (number && Number.isInteger(value) && value >= low && value <= high) return value;
  throw (number ? rangeError : typeError)('integerFrom', { where, low, high, given: value });
}

/** @param {string} where @param {unknown} value
 * @returns {number} */
export function checkInt32(where, value) {
  return checkInteger(where, value, -(2 ** 31), 2 ** 31 - 1);
}

/** @param {string} where @param {unknown} value
 * @returns {number} */
export function checkUint32(where, value) {
  return checkInteger(where, value, 0, 2 ** 32 - 1);
}

/** @param {string} where @param {unknown} value
 * @returns {number} */
export function checkNumber(where, value) {
  if (typeof value === 'number') return value;
  throw typeError('number', { where, given: value });
}

/** A number that is finite in float32 too.
 * @param {string} where @param {unknown} value
 * @returns {number} */
export function checkFinite(where, value) {
  const number = checkNumber(where, value);
  if (Number.isFinite(Math.fround(number))) return number;
  throw rangeError('finite', { where, given: value });
}

/** The least number above 0 in float32. */
export const TINY = 2 ** -149;

/** @param {string} where @param {unknown} value @param {number} low @param {number} high
 * @param {boolean} [open] whether `high` itself is too much, in float32 too
 * @returns {number} */
export function checkReal(where, value, low, high, open = false) {
  const number = checkNumber(where, value);
  if (number >= low && (open ? Math.fround(number) < high : number <= high)) return number;
  if (low === TINY) throw rangeError('aboveZeroTo', { where, high, given: value });
  throw rangeError(open ? 'numberBelow' : 'numberFrom', { where, low, high, given: value });
}

/** The place of a word in a list of those that are allowed.
 * @param {string} where @param {unknown} value @param {readonly string[]} words */
export function checkWord(where, value, words) {
  const index = words.indexOf(/** @type {string} */ (value));
  if (index >= 0) return index;
  const expected = words.map((word) => `"${word}"`).join(', ');
  if (typeof value !== 'string') throw typeError('word', { where, words: expected, given: value });
  throw rangeError('word', { where, words: expected, given: value, hint: meant(value, words) });
}
