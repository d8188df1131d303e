// config.json to ModelConfig and back, by the family's table of settings.

import { NEUTRAL } from '../../generated/families.js';
import { show } from '../../js/base/errors.js';
import { withinFile } from '../../js/base/file.js';
import { isObject } from '../../js/base/values.js';
import { checkConflicts, FIELDS } from '../../js/model/config/config.js';
import { valuesOf } from './family.js';
import { rangeError, refusing } from './texts.js';
import { VARIANT, variantOf } from './variant.js';

/** @typedef {keyof ModelConfig} Field */
/** @typedef {import('./table.js').Family} Family */
/** @typedef {import('./table.js').Setting} Setting */
/** @typedef {import('./table.js').Settings} Settings */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** All that a config may have. */
const ALL = { ...FIELDS, ...VARIANT };

/** Where settings stand, unless a file has them elsewhere. */
const PART = 'config.json';

/** A value of config.json as a message shows it: objects one level deep.
 * @param {unknown} value */
export function describe(value) {
  if (value === undefined) return 'nothing';
  if (!isObject(value)) return show(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${show(member)}`);
  return `{ ${members.join(', ').slice(0, 100)} }`;
}

/** What is said at all, with the members of objects as "object.member"; null says nothing.
 * @param {Record<string, unknown>} config
 * @returns {Settings} */
function statedSettings(config) {
  const all = Object.entries(config).flatMap(([key, value]) =>
    isObject(value)
      ? [[key, value], ...Object.entries(value).map(([k, member]) => [`${key}.${k}`, member])]
      : [[key, value]],
  );
  return Object.fromEntries(all.filter(([, value]) => (value ?? null) !== null));
}

/** A config whose width is that of what its heads rotate, if their sizes are their own; or one that is refused.
 * @param {ModelConfig} config */
function divided(config) {
  const { dModel, heads, headSize = dModel / heads, rotarySize = headSize } = config;
  return Number.isInteger(headSize) ? { ...config, dModel: heads * rotarySize } : config;
}

/** @param {Setting} setting */
const partsOf = (setting) => (typeof setting === 'string' ? { key: setting } : setting);

/** @param {Setting} setting */
const keyOf = (setting) => partsOf(setting).key;

/** @param {Family} family
 * @returns {[Field, Setting][]} */
const settingsOf = (family) => /** @type {[Field, Setting][]} */ (Object.entries(family.settings));

/** @param {string} part @param {Field} field @param {Setting} setting @param {unknown} value */
function read(part, field, setting, value) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing(part);
  const { key, names, offset = 0 } = partsOf(setting);
  if (!names) {
    if (value === undefined) refuse('missing', { name: key });
    withinFile(part, () => ALL[field].check(key, value));
    return offset ? Number(value) - offset : value;
  }
  if (typeof value === 'string' && Object.hasOwn(names, value)) return names[value];
  const words = Object.keys(names).join(', ');
  return refuse('wordAs', { where: key, words, described: describe(value) });
}

/** @param {Family} family @param {Record<string, unknown>} config
 * @param {import('./file.js').File} file @param {string} [part] where the config stands
 * @returns {ModelConfig} */
export function readSettings(family, config, file, part = PART) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing(part);
  const stated = statedSettings(config);
  const complete = { ...valuesOf(family, 'defaults', stated), ...stated };
  /* First each by itself: what others must be is said by those that are right. */
  /** @type {Record<string, unknown>} */
  const model = { ...NEUTRAL };
  for (const [field, setting] of settingsOf(family)) {
    model[field] = read(part, field, setting, complete[keyOf(setting)]);
  }
  for (const [key, wanted] of Object.entries(valuesOf(family, 'demands', complete))) {
    const value = wanted ?? undefined;
    if (!Object.hasOwn(stated, key) || stated[key] === value) continue;
    if (Array.isArray(value) && value.includes(stated[key])) continue;
    if (Array.isArray(value)) {
      refuse('wordAs', { where: key, words: value.join(', '), described: describe(stated[key]) });
    }
    refuse('valueAs', { where: key, expected: describe(value), described: describe(stated[key]) });
  }
  Object.assign(model, valuesOf(family, 'read', complete, file));
  const result = /** @type {ModelConfig} */ (model);
  Object.assign(result, valuesOf(family, 'fixed', result));
  for (const [field, { check }] of Object.entries(VARIANT)) {
    const value = result[/** @type {keyof typeof VARIANT} */ (field)];
    if (value !== undefined) withinFile(part, () => check(field, value));
  }
  checkConflicts(divided(result), refuse, (field) => keyOf(family.settings[field] ?? field));
  const plain = Object.keys(FIELDS).map((field) => [field, model[field]]);
  return /** @type {any} */ ({ ...Object.fromEntries(plain), ...variantOf(result) });
}

/** @param {string} format @param {Family} family @param {ModelConfig} config
 * @returns {Settings} */
export function writeSettings(format, family, config) {
  for (const [field, { check }] of Object.entries(FIELDS)) {
    check(`exportModel: ${field}`, config[/** @type {Field} */ (field)]);
  }
  checkConflicts(divided(config), (detail, params) => {
    throw rangeError(detail, { where: 'exportModel', ...params });
  });
  const fixed = valuesOf(family, 'fixed', config);
  for (const [field, value] of Object.entries(variantOf(config) ?? {})) {
    if (Object.hasOwn(family.settings, field) || Object.hasOwn(fixed, field)) continue;
    throw rangeError('notInFormat', { where: 'exportModel', format, field, value });
  }
  for (const [field, value] of Object.entries(fixed)) {
    const actual = config[/** @type {Field} */ (field)];
    if (actual === value) continue;
    const problem = { where: 'exportModel', format, field, expected: show(value), given: actual };
    throw rangeError('inFormat', problem);
  }
  /** @type {Settings} */
  const settings = { model_type: family.types[0] };
  for (const [field, setting] of settingsOf(family)) {
    settings[keyOf(setting)] = write(format, field, setting, config[field]);
  }
  return { ...settings, ...valuesOf(family, 'write', config) };
}

/** @param {string} format @param {Field} field @param {Setting} setting @param {unknown} value */
function write(format, field, setting, value) {
  const { names, offset = 0 } = partsOf(setting);
  if (!names) return offset ? Number(value) + offset : value;
  const name = Object.keys(names).find((key) => names[key] === value);
  if (name) return name;
  throw rangeError('notInFormat', { where: 'exportModel', format, field, value: value });
}
