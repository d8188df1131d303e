// Checks a value by a JSON Schema of the few words that ours uses.

import { near } from '../../js/base/errors.js';
import { refusing } from './lint-texts.js';

/** The words of JSON Schema that ours uses. Any of them may be missing.
 * @typedef {object} Schema
 * @property {Record<string, Schema>} $defs
 * @property {string} $ref
 * @property {Schema[]} oneOf
 * @property {Schema[]} anyOf the first is for texts
 * @property {unknown} const
 * @property {unknown[]} enum
 * @property {string} type
 * @property {string} pattern
 * @property {string} description
 * @property {number} minimum
 * @property {number} maximum
 * @property {number} minItems
 * @property {number} maxItems
 * @property {Schema} items
 * @property {Record<string, Schema>} properties
 * @property {string[]} required */

/** @param {unknown} value */
function typeOf(value) {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Throws GF_EFILE at the first place where a value is not as the schema says.
 * @param {Schema} whole @param {unknown} value @param {Schema} [schema] @param {string} [place] */
export function checkForm(whole, value, schema = whole, place = 'lesson') {
  const refuse = refusing(place);
  if (schema.$ref) {
    const name = schema.$ref.slice('#/$defs/'.length);
    return checkForm(whole, value, whole.$defs[name], place);
  }
  if (schema.anyOf) {
    const [text, other] = schema.anyOf;
    return checkForm(whole, value, typeof value === 'string' ? text : other, place);
  }
  if (schema.oneOf) return checkForm(whole, value, branchOf(schema.oneOf, value, place), place);
  checkValue(value, schema, place);
  if (Array.isArray(value)) {
    if (value.length < schema.minItems)
      refuse('fewItems', { least: schema.minItems, given: value });
    if (value.length > schema.maxItems)
      refuse('manyItems', { most: schema.maxItems, given: value });
    for (const [i, item] of value.entries()) {
      checkForm(whole, item, schema.items, `${place}[${i}]`);
    }
  } else if (schema.properties) {
    checkKeys(whole, /** @type {Record<string, unknown>} */ (value), schema, place);
  }
}

/** A value by itself: its type, and which values there are.
 * @param {unknown} value @param {Schema} schema @param {string} place */
function checkValue(value, schema, place) {
  const refuse = refusing(place);
  if ('const' in schema && value !== schema.const) {
    refuse('otherValue', { expected: `"${schema.const}"`, given: value });
  }
  if (schema.enum && !schema.enum.includes(value)) {
    const hint = near(String(value), schema.enum.map(String));
    refuse('otherValue', { expected: schema.enum.join(', '), given: value, hint });
  }
  if (schema.type && typeOf(value) !== schema.type) {
    refuse('otherType', { expected: schema.type, given: value });
  }
  if (typeof value === 'string' && schema.pattern && !new RegExp(schema.pattern, 'u').test(value)) {
    refuse('otherPattern', { expected: schema.description, given: value });
  }
  if (typeof value === 'number' && !(value >= schema.minimum && value <= schema.maximum)) {
    refuse('outOfRange', { low: schema.minimum, high: schema.maximum, given: value });
  }
}

/** @param {Schema} whole @param {Record<string, unknown>} value @param {Schema} schema @param {string} place */
function checkKeys(whole, value, schema, place) {
  const keys = Object.keys(schema.properties);
  for (const key of schema.required) {
    if (!Object.hasOwn(value, key)) refusing(place)('missingKey', { key });
  }
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) refusing(place)('otherKey', { value: key, hint: near(key, keys) });
    checkForm(whole, value[key], schema.properties[key], `${place}.${key}`);
  }
}

/** The branch that a value means: one is for a text, one for an object; or its fixed words agree, and it has the most of its
 * keys.
 * @param {Schema[]} branches @param {unknown} value @param {string} place
 * @returns {Schema} */
function branchOf(branches, value, place) {
  if (branches[0].type === 'string') return branches[typeof value === 'string' ? 0 : 1];
  if (typeOf(value) !== 'object')
    refusing(place)('otherType', { expected: 'object', given: value });
  const object = /** @type {Record<string, unknown>} */ (value);
  const [word] = Object.keys(branches[0].properties);
  const same = branches.filter(({ properties }) => properties[word].const === object[word]);
  if (!same.length) {
    const names = [...new Set(branches.map(({ properties }) => String(properties[word].const)))];
    refusing(`${place}.${word}`)('otherBranch', {
      expected: names.join(', '),
      given: object[word],
      hint: near(String(object[word]), names),
    });
  }
  const lacks = (/** @type {Schema} */ { required }) =>
    required.filter((/** @type {string} */ key) => !Object.hasOwn(object, key)).length;
  return same.reduce((best, one) => (lacks(one) < lacks(best) ? one : best));
}
