// The filter tojson, as transformers defines it: Python's json.dumps.

import { text } from './methods.js';
import {
  compare,
  Dict,
  fail,
  integer,
  isNumber,
  isTrue,
  reprOf,
  Safe,
  Tuple,
  typeOf,
} from './values.js';

/** @typedef {import('./filters.js').Filter} Filter */
/** @typedef {import('./values.js').Budget} Budget */
/** @typedef {import('./values.js').Value} Value */

/** @param {string} value */
const jsonText = (value) => {
  if (/[\ud800-\udfff]/.test(value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''))) {
    fail('a text with half a character');
  }
  /* JSON.stringify escapes the same signs, in the same way. */
  return JSON.stringify(value);
};

/** A text of ASCII: all other signs are escaped. @param {string} value */
const ascii = (value) =>
  value.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** How JSON is written. @typedef {{ indent: string | null, comma: string, colon: string, sort: boolean }} Layout */

/** @param {Value} value @param {Layout} layout @param {Budget} budget @param {string} margin
 * @returns {string} */
function json(value, layout, budget, margin = '\n', depth = 0) {
  budget.work();
  if (depth > 100) fail('values are nested more than 100 deep');
  const scalar = jsonScalar(value, budget);
  if (scalar !== null) {
    budget.room(scalar.length);
    return scalar;
  }
  const inside = layout.indent === null ? '' : margin + layout.indent;
  const after = layout.indent === null ? '' : margin;
  /** @param {Value} one */
  const inner = (one) => json(one, layout, budget, inside || margin, depth + 1);
  /** @param {string} open @param {string[]} parts @param {string} close */
  const around = (open, parts, close) => {
    const made = parts.length
      ? open + inside + parts.join(layout.comma + inside) + after + close
      : open + close;
    budget.room(made.length);
    return made;
  };
  if (value instanceof Dict) {
    let { pairs } = value;
    if (layout.sort) pairs = pairs.sort(([a], [b]) => compare(a, b, budget));
    const members = pairs.map(([key, one]) => jsonKey(key, budget) + layout.colon + inner(one));
    return around('{', members, '}');
  }
  const items = value instanceof Tuple ? value.items : value;
  if (Array.isArray(items)) return around('[', items.map(inner), ']');
  return fail(`Object of type ${typeOf(value)} is not JSON serializable`);
}

/** @param {Value} value @param {Budget} budget */
function jsonScalar(value, budget) {
  if (value === null) return 'null';
  if (typeof value === 'string') return jsonText(value);
  if (value instanceof Safe) return jsonText(value.text);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return typeof value === 'bigint' ? String(value) : null;
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return reprOf(value, budget);
  return value > 0 ? 'Infinity' : '-Infinity';
}

/** @param {Value} key @param {Budget} budget */
function jsonKey(key, budget) {
  if (typeof key === 'string') return jsonText(key);
  if (key === null || isNumber(key)) return `"${jsonScalar(key, budget)}"`;
  return fail(`keys must be str, int, float, bool or None, not ${typeOf(key)}`);
}

/** @type {Filter} */
export function tojson(
  value,
  [isAscii, indent = null, separators = null, sort = false],
  { budget },
) {
  let [comma, colon] = [indent === null ? ', ' : ',', ': '];
  if (separators !== null) {
    const parts = separators instanceof Tuple ? separators.items : separators;
    if (!Array.isArray(parts) || parts.length !== 2) fail('separators: expected two texts');
    [comma, colon] = /** @type {Value[]} */ (parts).map((part) => text(part, 'separators'));
  }
  const step =
    indent === null || typeof indent === 'string'
      ? indent
      : ' '.repeat(Math.max(0, Math.min(100, Number(integer(indent, 'indent')))));
  const made = json(value, { indent: step, comma, colon, sort: isTrue(sort) }, budget);
  return isAscii !== undefined && isTrue(isAscii) ? ascii(made) : made;
}
