// Writes src/formats/architectures.def: what a GGUF calls the settings and tensors of each architecture, for the core's
// reader. It comes of families.json, and of what the reader in JavaScript makes of a file that states little.
// With --check it fails where that is not what the file says: node bindings/build/architectures.js [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { FAMILIES, GGUF } from '../generated/families.js';
import { File } from '../models/checkpoints/file.js';
import { inGguf, ofGguf } from '../models/checkpoints/gguf.js';
import { readSettings } from '../models/checkpoints/settings.js';
import { VARIANT } from '../models/checkpoints/variant.js';
import { constants, structs } from './layout.js';
import { root } from './table.js';

const file = new URL('src/formats/architectures.def', root);
const MARKS = { qkv: ['q', 'k', 'v'], x: ['q', 'k', 'v'], side: ['decoder'], p: ['weight'] };
/** Sizes of two files: what is the same in the models of both is the same in all. */
const SIZES = [
  { context_length: 64, embedding_length: 32, block_count: 1, 'attention.head_count': 4 },
  { context_length: 32, embedding_length: 96, block_count: 2, 'attention.head_count': 6 },
];
const INNER = [{ feed_forward_length: 48 }, { feed_forward_length: 24 }];
const VOCABS = [7, 5];
const COLUMNS = 100;

/** @typedef {import('../models/checkpoints/gguf.js').Architecture} Architecture */

/** A field of JavaScript as the header calls it. @param {string} field */
function fieldOf(field) {
  const renamed = { kind: 'family', sharedLayers: 'shared' };
  const name =
    /** @type {Record<string, string>} */ (renamed)[field] ??
    field.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);
  const struct = field in VARIANT ? 'variant' : 'model';
  const member = structs[`gf_${struct}`].find(([one]) => one === name);
  if (!member) throw new Error(`architectures.js: gf_${struct} has no field ${name}`);
  return { name, struct, type: member[1] };
}

/** The number of a word in an enum of the header. @param {string} field @param {unknown} value */
function numberOf(field, value) {
  if (typeof value !== 'string') return Number(value);
  const word = value.toUpperCase().replaceAll('-', '_');
  const name =
    field === 'norm' ? `GF_${word}_NORM` : field === 'head' ? `GF_HEAD_${word}` : `GF_${word}`;
  if (!(name in constants)) throw new Error(`architectures.js: the header has no ${name}`);
  return name;
}

/** The model of a file that states these settings.
 * @param {string} name @param {Record<string, unknown>} settings @param {number} vocab */
function modelOf(name, settings, vocab) {
  /** @type {Map<string, any>} */
  const metadata = new Map([['general.architecture', name]]);
  for (const [key, value] of Object.entries(settings)) metadata.set(`${name}.${key}`, value);
  const table = { dtype: 'F32', shape: [vocab, 1], begin: 0, end: 0 };
  const joined = 'blk.{i}.attn_qkv' in GGUF.architectures[name].names;
  const stored = ['token_embd.weight', ...(joined ? ['blk.0.attn_qkv.bias'] : [])];
  const { config, tensors } = ofGguf(metadata, new Map(stored.map((key) => [key, table])));
  const family = inGguf(FAMILIES[familyOf(name)]);
  return /** @type {Record<string, any>} */ (
    readSettings(family, config, new File(family, tensors), 'GGUF')
  );
}

/** @param {string} name */
const familyOf = (name) =>
  Object.keys(FAMILIES).find((key) =>
    FAMILIES[key].types.includes(GGUF.architectures[name].type),
  ) ?? '';

/** Whether a file must have a setting. @param {string} name @param {string} key */
function isRequired(name, key) {
  const { [key]: left, ...rest } = /** @type {Record<string, number>} */ ({
    ...SIZES[0],
    ...INNER[0],
  });
  if (left === undefined) return false;
  try {
    modelOf(name, rest, VOCABS[0]);
    return false;
  } catch {
    return true;
  }
}

/** How the core reads each setting: into a field, or what it must be.
 * @param {string} name @param {Architecture} architecture */
function settingsOf(name, { settings, demands }) {
  const fields = Object.entries(FAMILIES[familyOf(name)].settings);
  const special = /** @type {Record<string, string>} */ ({
    head_dim: 'HEAD, 0',
    rotary_channels: 'INTEGER, AT(variant.rotary_size)',
    'rope_scaling.rope_type': 'SCALING, 0',
    'rope_scaling.factor': 'REAL, AT(variant.rotary_stretch)',
  });
  const read = Object.entries(settings).map(([key, theirs]) => {
    const [field] =
      fields.find(([, one]) => (typeof one === 'string' ? one : one.key) === theirs) ?? [];
    if (!field && !special[theirs]) throw new Error(`architectures.js: ${name}: ${key}`);
    if (!field) return `{"${key}", ${special[theirs]}}`;
    const { name: to, struct, type } = fieldOf(field);
    const integer = isRequired(name, key) ? 'SIZE' : 'INTEGER';
    const kind = type === 'float' ? 'REAL' : field === 'parallel' ? 'FLAG' : integer;
    return `{"${key}", ${kind}, AT(${struct}.${to})}`;
  });
  const demanded = Object.entries(demands ?? {}).map(([key, form]) =>
    form === 0 ? `{"${key}", ZERO, 0}` : `{"${key}", HEAD, 0}`,
  );
  return [...read, ...demanded, ...GGUF.ignored.map((key) => `{"${key}", IGNORED, 0}`)];
}

/** What is the same in all models, by struct; and parts of sizes, where a file does not state them.
 * @param {string} name */
function fixedOf(name) {
  const hasInner = isRequired(name, 'feed_forward_length');
  const [one, two] = SIZES.map((sizes, i) =>
    modelOf(name, { ...sizes, ...(hasInner && INNER[i]) }, VOCABS[i]),
  );
  const same = Object.keys(one).filter((field) => one[field] === two[field] && one[field]);
  const lines = ['model', 'variant'].map((struct) => {
    const values = same
      .filter((field) => fieldOf(field).struct === struct && field !== 'tied')
      .map((field) => `.${fieldOf(field).name} = ${numberOf(field, one[field])}`);
    return values.length ? `.${struct} = ${list(values)}` : '';
  });
  if (!hasInner) lines.push(`.inner = ${one.dFF / one.dModel}`);
  if (one.rotarySize) lines.push(`.rotated = ${(one.rotarySize * one.heads) / one.dModel}`);
  return lines.filter(Boolean);
}

/** Our names of parameters, and those of a GGUF; without ".weight", with # for a layer.
 * @param {string} name @param {Architecture} architecture
 * @returns {string[]} */
function namesOf(name, { names }) {
  const called = Object.fromEntries(Object.entries(names).map(([theirs, ours]) => [ours, theirs]));
  const plain = (/** @type {string} */ text) =>
    text.replace(/\.(weight|\{p\})$/, '').replace('{i}', '#');
  const rows = FAMILIES[familyOf(name)].rows.flatMap(([ours, theirs]) => {
    let pairs = [[ours, theirs[0]]];
    for (const [mark, values] of Object.entries(MARKS)) {
      pairs = pairs.flatMap((pair) =>
        pair[0].includes(`{${mark}}`)
          ? values.map((value) => pair.map((text) => text.replace(`{${mark}}`, value)))
          : [pair],
      );
    }
    return pairs.flatMap(([a, b]) => {
      const key = b.replace(/\.(weight|\{p\})$/, '').replace(/\.weight$/, '');
      return key in called ? [`{"${plain(a)}", "${plain(called[key])}"}`] : [];
    });
  });
  return [...new Set(rows)];
}

/** A list in braces, as many entries in a line as fit. @param {string[]} entries */
function list(entries) {
  const lines = [''];
  for (const entry of entries) {
    const longer = `${lines[lines.length - 1]} ${entry},`;
    if (longer.length <= COLUMNS - 3) lines[lines.length - 1] = longer;
    else lines.push(` ${entry},`);
  }
  return `{${lines.map((line) => `\n   ${line}`).join('')}\n  }`;
}

const text = [
  '/* What a GGUF calls the settings and the tensors of each architecture. `make header` writes it of\n' +
    ' * bindings/models/checkpoints/families.json. */',
  ...Object.entries(GGUF.architectures).map(([name, architecture]) => {
    const parts = [
      ...fixedOf(name),
      ...(architecture.pairs ? ['.pairs = true'] : []),
      ...(FAMILIES[familyOf(name)].settings.bias ? ['.biased = true'] : []),
      `.settings = ${list(settingsOf(name, architecture))}`,
      `.names = ${list(namesOf(name, architecture))}`,
    ];
    return `ARCHITECTURE(${name},\n  ${parts.join(',\n  ')})`;
  }),
  '',
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('src/formats/architectures.def is not what families.json says: make header');
  process.exitCode = 1;
}
