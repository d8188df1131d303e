// What goes wrong, and how it is told: every message carries the value that was received.

/** The core's gf_error, by its negative value. */
const CODES = [
  'GF_OK',
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

/** The core refused, or what it needs is not there. */
export class GlassformerError extends Error {
  /**
   * @param {string} code the core's code ('GF_ESHAPE', ...), or 'GF_EDISPOSED', 'GF_EMODULE'
   * @param {string} message
   * @param {string | null} [node] the name of the node in question
   */
  constructor(code, message, node = null) {
    super(message);
    this.name = 'GlassformerError';
    this.code = code;
    this.node = node;
  }
}

/** Whether the memory of an array went elsewhere: it would read as empty.
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

/** A value as a message shows it: short, and telling strings from numbers.
 * @param {unknown} value
 * @returns {string} */
export function show(value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isDetached(value)) return `a detached ${/** @type {object} */ (value).constructor.name}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
  if (typeof value === 'object' && value) {
    const name = value.constructor?.name;
    return typeof name === 'string' && name ? `an object ${name}` : 'an object';
  }
  return Object.is(value, -0) ? '-0' : String(value);
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

/** ' (did you mean "x"?)', x being the known word nearest to the given one; '' if none is near: if most of
 * its letters are others.
 * @param {string} word @param {Iterable<string>} known */
export function didYouMean(word, known) {
  const near = [...known].map((name) => ({ name, edits: distance(word, name) }));
  if (!near.length) return '';
  const best = near.reduce((a, b) => (b.edits < a.edits ? b : a));
  const isNear = 2 * best.edits <= Math.max(word.length, best.name.length);
  return isNear ? ` (did you mean "${best.name}"?)` : '';
}

/** Refuses options that are no object, or that have a key which nobody reads.
 * @param {string} where @param {unknown} options @param {string[]} known */
export function checkOptions(where, options, known) {
  const list = Array.isArray(options) || ArrayBuffer.isView(options);
  if (typeof options !== 'object' || options === null || list) {
    throw new TypeError(`${where}: expected an object of options, received ${show(options)}`);
  }
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    throw new TypeError(`${where}: unknown option "${key}"${didYouMean(key, known)}`);
  }
}

/** @param {string} where @param {unknown} value */
export function checkBoolean(where, value) {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${where}: expected true or false, received ${show(value)}`);
  }
}

/** What load() gives.
 * @param {string} where @param {any} gf */
export function checkCore(where, gf) {
  if (typeof gf?.tape === 'function') return;
  throw new TypeError(`${where}: expected what load() gives, received ${show(gf)}`);
}

/** A listener that may be left out.
 * @param {string} where @param {unknown} value */
export function checkListener(where, value) {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`${where}: expected a function, received ${show(value)}`);
}

/** @param {string} where @param {unknown} value @param {number} low @param {number} high
 * @returns {number} */
export function checkInteger(where, value, low, high) {
  if (typeof value !== 'number') {
    throw new TypeError(`${where}: expected an integer, received ${show(value)}`);
  }
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(
      `${where}: expected an integer from ${low} to ${high}, received ${show(value)}`,
    );
  }
  return value;
}

/** @param {string} where @param {unknown} value
 * @returns {number} */
export function checkInt32(where, value) {
  return checkInteger(where, value, -(2 ** 31), 2 ** 31 - 1);
}

/** A number that is finite in float32 too.
 * @param {string} where @param {unknown} value
 * @returns {number} */
export function checkFinite(where, value) {
  if (typeof value !== 'number') {
    throw new TypeError(`${where}: expected a number, received ${show(value)}`);
  }
  if (!Number.isFinite(Math.fround(value))) {
    throw new RangeError(`${where}: expected a finite number, received ${value}`);
  }
  return value;
}

/** The place of a word in a list of those that are allowed.
 * @param {string} where @param {unknown} value @param {readonly string[]} words */
export function checkWord(where, value, words) {
  const index = words.indexOf(/** @type {string} */ (value));
  if (index >= 0) return index;
  const due = words.map((word) => `"${word}"`).join(', ');
  const Kind = typeof value === 'string' ? RangeError : TypeError;
  throw new Kind(`${where}: expected one of ${due}, received ${show(value)}`);
}
