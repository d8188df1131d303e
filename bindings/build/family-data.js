// Checks checkpoints/families.json, and writes its entries out: each family whole, with what it takes from another one.
// JavaScript and Python read what comes of it.

import { checkConfig, FIELDS } from '../js/model/config/config.js';
import { RULES } from '../models/checkpoints/rules.js';
import { parametersWith, VARIANT } from '../models/checkpoints/variant.js';

/** @typedef {import('../models/checkpoints/gguf.js').Architecture} Architecture */
/** @typedef {import('../models/checkpoints/table.js').Family} Family */
/** @typedef {import('../models/checkpoints/table.js').Row} Row */
/** @typedef {Record<string, any>} Data */
/** @typedef {Row | { under?: [string, string], if?: string, unless?: string, rows: Lines }} Line
 * @typedef {Line[]} Lines */

const TOP = ['activations', 'neutral', 'llama3', 'families', 'gguf', 'llama2c'];
/** Parts of which an entry states what differs from the entry that it is like; of the others it states all. */
const MERGED = ['names', 'settings', 'defaults', 'demands', 'fixed', 'write', 'rows'];
const FAMILY = [
  ...['about', 'like', 'types', 'prefix', 'rename', 'ignored', 'sinusoids', 'rules'],
  ...MERGED,
];
const ARCHITECTURE = ['about', 'like', 'type', 'pairs', 'headSize', 'settings', 'demands', 'names'];
const FORM = ['of', 'times', 'over', 'else'];
const SETTING = ['key', 'names', 'offset'];
const GROUP = ['under', 'if', 'unless', 'rows'];
const HOW = ['transposed', 'row', 'by-head', 'behind-padding'];
const MODEL_FIELDS = Object.keys({ ...FIELDS, ...VARIANT });
/** What a table of names may be repeated for. */
const MARKS = {
  side: ['encoder', 'decoder'],
  i: ['0'],
  x: ['q'],
  qkv: ['q'],
  p: ['weight', 'bias'],
};

/** @param {string} where @param {string} problem
 * @returns {never} */
function fail(where, problem) {
  throw new Error(`families.json: ${where}: ${problem}`);
}

/** @param {string} where @param {string} what @param {readonly string[]} words @param {readonly string[]} expected */
function checkWords(where, what, words, expected) {
  const unknown = words.find((word) => !expected.includes(word));
  if (unknown !== undefined) {
    fail(
      where,
      `unknown ${what} ${JSON.stringify(unknown)}; expected one of ${expected.join(', ')}`,
    );
  }
}

/** @param {unknown} value
 * @returns {value is Data} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every name that a parameter can have, of one layer.
 * @returns {Set<string>} */
function parameterNames() {
  const few = { vocab: 2, dModel: 4, heads: 2, layers: 1 };
  const models = [
    { ...few, kind: 'gpt', activation: 'swiglu', qkNorm: true, classes: 2 },
    { ...few, kind: 'bert', pooler: true, prediction: true, outputBias: true, embeddingSize: 2 },
    { ...few, kind: 'transformer', sourceVocab: 2, preNorm: true, outputBias: true },
    { ...few, kind: 'transformer', sourceVocab: 2, embeddingNorm: true, positions: 'learned' },
  ];
  const variantOf = (/** @type {Data} */ options) =>
    Object.fromEntries(Object.entries(options).filter(([key]) => key in VARIANT));
  const plain = (/** @type {Data} */ options) =>
    Object.fromEntries(Object.entries(options).filter(([key]) => !(key in VARIANT)));
  return new Set(
    models.flatMap((options) => {
      const config = checkConfig(/** @type {any} */ ({ tied: false, ...plain(options) }));
      return [...parametersWith({ ...config, ...variantOf(options) })].map(([name]) => name);
    }),
  );
}

/** The names that a line stands for, of one layer.
 * @param {string} name
 * @returns {string[]} */
const expanded = (name) =>
  Object.entries(MARKS).reduce(
    (names, [mark, values]) =>
      names.flatMap((one) => values.map((value) => one.replace(`{${mark}}`, value))),
    [name],
  );

/** An entry with what it takes from the one that it is like. null takes a key away where null is no value.
 * @param {string} where @param {Data} entries @param {string} name @param {string[]} [seen]
 * @returns {Data} */
function merged(where, entries, name, seen = []) {
  const { like, about, ...entry } = entries[name];
  if (like === undefined) return entry;
  checkWords(`${where}.like`, 'entry', [like], Object.keys(entries));
  if (seen.includes(like)) fail(`${where}.like`, `${like} is like ${name} itself`);
  const { types, ...base } = merged(`${where.replace(name, like)}`, entries, like, [...seen, name]);
  const both = MERGED.filter((part) => isObject(base[part]) && isObject(entry[part]));
  return {
    ...base,
    ...entry,
    ...Object.fromEntries(both.map((part) => [part, { ...base[part], ...entry[part] }])),
  };
}

/** @param {Data} values */
const without = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** @param {string} where @param {unknown} form */
function checkForm(where, form) {
  if (!isObject(form)) return;
  checkWords(where, 'key', Object.keys(form), FORM);
  if (form.of === undefined) fail(where, '"of" is missing: the key whose value this is');
  checkForm(`${where}.else`, form.else);
}

/** @param {string} where @param {unknown} pattern */
function checkPattern(where, pattern) {
  try {
    new RegExp(/** @type {string} */ (pattern));
  } catch (error) {
    fail(where, /** @type {Error} */ (error).message);
  }
}

/** @param {string} where @param {Data} settings @param {Data} tables of words */
function resolveSettings(where, settings, tables) {
  checkWords(where, 'field', Object.keys(settings), MODEL_FIELDS);
  return Object.fromEntries(
    Object.entries(settings).map(([field, setting]) => {
      if (!isObject(setting)) return [field, setting];
      checkWords(`${where}.${field}`, 'key', Object.keys(setting), SETTING);
      if (!setting.names) return [field, setting];
      checkWords(`${where}.${field}.names`, 'table', [setting.names], Object.keys(tables));
      return [field, { ...setting, names: tables[setting.names] }];
    }),
  );
}

/** The lines of a table, written out.
 * @param {string} where @param {Lines} lines @param {Data} names @param {Set<string>} parameters
 * @returns {Row[]} */
function resolveRows(where, lines, names, parameters) {
  return lines.flatMap((line, i) => {
    const place = `${where}[${i}]`;
    if (Array.isArray(line)) return [resolveRow(place, line, names, parameters)];
    checkWords(place, 'key', Object.keys(line), GROUP);
    const [ours, theirs] = (line.under ?? []).map((start) => `${start}.`);
    const begun = line.rows.map((row) => {
      if (!ours || !Array.isArray(row)) return row;
      const [a, b, ...rest] = row;
      return /** @type {Row} */ ([
        `${ours}${a}`,
        [b].flat().map((name) => `${theirs}${name}`),
        ...rest,
      ]);
    });
    const rows = resolveRows(`${place}.rows`, begun, names, parameters);
    const field = line.if ?? line.unless;
    if (field === undefined) return rows;
    checkWords(place, 'field', [field], MODEL_FIELDS);
    return rows.map(([a, b, how]) => [a, b, how, field, line.if !== undefined]);
  });
}

/** @param {string} where @param {Row} row @param {Data} names @param {Set<string>} parameters
 * @returns {Row} */
function resolveRow(where, [ours, theirs, ...how], names, parameters) {
  checkWords(where, 'way', /** @type {string[]} */ (how), HOW);
  if (!expanded(ours).some((name) => parameters.has(name))) {
    fail(where, `no model has a parameter ${JSON.stringify(ours)}`);
  }
  /** @param {string} text @returns {string} */
  const named = (text) =>
    text.replace(/\{(\w+)\}/g, (mark, word) => {
      if (Object.hasOwn(names, word)) return named(names[word]);
      checkWords(where, 'name', [word], [...Object.keys(names), ...Object.keys(MARKS)]);
      return mark;
    });
  return [ours, [theirs].flat().map(named), /** @type {any} */ (how[0] ?? null)];
}

/** @param {string} name @param {Data} data @param {Set<string>} parameters
 * @returns {Family} */
function resolveFamily(name, data, parameters) {
  const where = `families.${name}`;
  const family = merged(where, data.families, name);
  for (const part of ['types', 'prefix', 'settings', 'rows']) {
    if (family[part] === undefined) fail(where, `"${part}" is missing`);
  }
  const { prefix, rename = {}, sinusoids = [], rules = [] } = family;
  checkWords(`${where}.rules`, 'rule', rules, Object.keys(RULES));
  for (const pattern of [...Object.keys(rename), family.ignored ?? ''])
    checkPattern(where, pattern);
  const { neutral, activations } = data;
  /** @type {Data} */
  const parts = {
    settings: family.settings === 'fields' ? allFields() : without(family.settings),
    defaults: family.defaults === 'neutral' ? neutral : without(family.defaults ?? {}),
    demands: family.demands ?? {},
    fixed: without(family.fixed ?? {}),
    write: family.write ?? {},
  };
  checkWords(`${where}.fixed`, 'field', Object.keys(parts.fixed), MODEL_FIELDS);
  for (const part of ['defaults', 'demands', 'fixed', 'write']) {
    for (const [key, form] of Object.entries(parts[part]))
      checkForm(`${where}.${part}.${key}`, form);
  }
  const names = { prefix, ...family.names };
  const rows = Object.entries(family.rows).flatMap(([group, lines]) =>
    resolveRows(`${where}.rows.${group}`, /** @type {Lines} */ (lines), names, parameters),
  );
  const settings = resolveSettings(`${where}.settings`, parts.settings, { activations });
  const resolved = { ...family, rename, sinusoids, names, ...parts, settings, rules, rows };
  return /** @type {any} */ (resolved);
}

const allFields = () => Object.fromEntries(Object.keys(FIELDS).map((field) => [field, field]));

/** @param {string} name @param {Data} architectures @param {string[]} types
 * @returns {Architecture} */
function resolveArchitecture(name, architectures, types) {
  const where = `gguf.architectures.${name}`;
  const architecture = merged(where, architectures, name);
  checkWords(where, 'type', [architecture.type], types);
  for (const [key, form] of Object.entries(architecture.demands ?? {})) {
    checkForm(`${where}.demands.${key}`, form);
  }
  checkForm(`${where}.headSize`, architecture.headSize);
  return /** @type {Architecture} */ ({ demands: {}, ...architecture });
}

/** The data of families.json as JavaScript and Python read it. Refuses what neither knows.
 * @param {Data} data */
export function familyData(data) {
  checkWords('the file', 'key', Object.keys(data), TOP);
  checkWords('neutral', 'field', Object.keys(data.neutral), MODEL_FIELDS);
  for (const [name, family] of Object.entries(data.families)) {
    checkWords(`families.${name}`, 'key', Object.keys(family), FAMILY);
  }
  const { ignored, architectures } = data.gguf;
  for (const [name, architecture] of Object.entries(architectures)) {
    checkWords(`gguf.architectures.${name}`, 'key', Object.keys(architecture), ARCHITECTURE);
  }
  const parameters = parameterNames();
  /* An entry without types is there for others alone. */
  const listed = Object.keys(data.families).filter((name) => data.families[name].types);
  const families = Object.fromEntries(
    listed.map((name) => [name, resolveFamily(name, data, parameters)]),
  );
  const types = Object.values(families).flatMap((family) => family.types);
  const twice = types.find((type, i) => types.indexOf(type) !== i);
  if (twice !== undefined) fail('families', `two of them have the type "${twice}"`);
  return {
    neutral: data.neutral,
    llama3: data.llama3,
    families,
    gguf: {
      ignored,
      architectures: Object.fromEntries(
        Object.keys(architectures).map((name) => [
          name,
          resolveArchitecture(name, architectures, types),
        ]),
      ),
    },
    llama2c: data.llama2c,
  };
}
