// The page's words, from one file per language; {name} marks what is filled in.
import words from './en.json' with { type: 'json' };

/**
 * @param {string} key for example 'page.title'
 * @returns {any} undefined if there is no such text
 */
export function lookup(key) {
  /** @type {any} */
  let at = words;
  const parts = key.split('/');
  for (const part of parts) at = at?.[part];
  return at;
}

/**
 * @param {string} key the path to a text, 'page/title'
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function text(key, values = {}) {
  return rich(key, values).join('');
}

/**
 * The same, but what is filled in may be anything that a template can show.
 * @param {string} key
 * @param {Record<string, unknown>} values
 * @returns {unknown[]}
 */
export function rich(key, values) {
  const found = lookup(key);
  if (typeof found !== 'string') throw new RangeError(`no text for ${key}`);
  return found
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? part : values[part]))
    .filter((part) => part !== '');
}

const groups = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/**
 * A number that is counted, in groups of three digits: 63,082,496.
 * @param {number} number
 */
export const count = (number) => groups.format(number);
