// The public header of C as data: its constants, its structs, and where their fields lie in wasm.
import { readFileSync } from 'node:fs';
import { root } from './table.js';

export const header = readFileSync(new URL('src/glassformer.h', root), 'utf8')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/^#.*$/gm, '');

/** @type {Record<string, number>} */
export const constants = {};
for (const [, body] of header.matchAll(/enum(?: gf_\w+)? \{([^}]*)\}/g)) {
  let next = 0;
  for (const entry of body
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)) {
    const [name, value] = entry.split(/\s*=\s*/);
    constants[name] = value === undefined ? next : Number(value);
    next = constants[name] + 1;
  }
}

/** A number, or a sum of them, of the header. @param {string} text */
const sumOf = (text) =>
  text.split('+').reduce((sum, word) => sum + (constants[word.trim()] ?? Number(word)), 0);

/** Fields: name, type, and the dimensions of an array.
 * @type {Record<string, [name: string, type: string, ...dimensions: number[]][]>} */
export const structs = {};
for (const [, name, body] of header.matchAll(/(?:typedef )?struct (gf_\w+) \{([^}]*)\}/g)) {
  structs[name] = body
    .split(';')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .flatMap((line) => {
      const [, type, names] = /** @type {string[]} */ (
        /^((?:const )?\w+(?: \*)?)\s*(.*)$/.exec(line)
      );
      return names.split(', ').map((field) => {
        const sizes = [...field.matchAll(/\[(.*?)\]/g)].map(([, size]) => sumOf(size));
        return /** @type {[string, string, ...number[]]} */ ([
          field.replace(/\[.*/, ''),
          type.trim(),
          ...sizes,
        ]);
      });
    });
}

/** Bytes of a number, which it is aligned to. @type {Record<string, number>} */
const BYTES = { char: 1, uint8_t: 1, int8_t: 1, int16_t: 2, int32_t: 4, int: 4, float: 4 };

/** @param {string} type
 * @returns {{ bytes: number, alignment: number }} */
function sizeOf(type) {
  if (type.endsWith('*')) return { bytes: 4, alignment: 4 };
  if (type in structs) {
    const { bytes, alignment } = layoutOf(type);
    return { bytes, alignment };
  }
  if (!(type in BYTES)) throw new Error(`glassformer.h: how large is ${type}?`);
  return { bytes: BYTES[type], alignment: BYTES[type] };
}

/** Where the fields of a struct lie in wasm, whose addresses have four bytes.
 * @param {string} name */
export function layoutOf(name) {
  /** @type {Record<string, number>} */
  const offsets = {};
  let [end, most] = [0, 1];
  for (const [field, type, ...dimensions] of structs[name]) {
    const { bytes, alignment } = sizeOf(type);
    offsets[field] = Math.ceil(end / alignment) * alignment;
    end = offsets[field] + dimensions.reduce((count, n) => count * n, bytes);
    most = Math.max(most, alignment);
  }
  return { offsets, bytes: Math.ceil(end / most) * most, alignment: most };
}

const description = readFileSync(new URL('src/description.c', root), 'utf8');

/** The words of an enum of a description, from 1 on. @param {string} table of src/description.c */
const wordsOf = (table) =>
  [
    .../** @type {RegExpExecArray} */ (
      new RegExp(`${table}\\[\\w+\\] = \\{([^}]*)\\}`).exec(description)
    )[1].matchAll(/"(\w+)"/g),
  ].map(([, word]) => word);

/** Of what generated/layout.js has the offsets. */
const STRUCTS = ['problem', 'description', 'op', 'operand', 'attribute'];
const LIMITS = [
  'ABI',
  'MAX_RANK',
  'MAX_NAME',
  'MAX_INPUTS',
  'MAX_ATTRIBUTES',
  'NONE',
  'ALL',
  'LAST',
  'IDS',
  'TAKES_NONE',
];
/** The words of a description, by the type's name. */
const UNIONS = {
  Role: 'roles',
  Axis: 'axes',
  Sequence: 'sequences',
  Parameter: 'parameters',
  Stack: 'stacks',
  Part: 'parts',
  RemovalName: 'removals',
};

/** generated/layout.js: what the binding has to know of the header. */
export function layoutModule() {
  const limits = LIMITS.map((name) => `export const ${name} = ${constants[`GF_${name}`]};`);
  /* Each a constant of its own, which bundlers put in place. */
  const layouts = STRUCTS.flatMap((name) => {
    const { offsets, bytes } = layoutOf(`gf_${name}`);
    return Object.entries({ ...offsets, bytes }).map(
      ([field, value]) => `export const ${name.toUpperCase()}_${field.toUpperCase()} = ${value};`,
    );
  });
  const unions = Object.entries(UNIONS).map(
    ([type, table]) =>
      `/** @typedef {${wordsOf(table)
        .map((word) => `'${word}'`)
        .join(' | ')}} ${type} */`,
  );
  return `${[...limits, '', '/* Bytes from the start of each struct to its fields, and of each struct. */', ...layouts, '', ...unions].join('\n')}\n`;
}
