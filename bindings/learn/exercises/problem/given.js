// A teacher's numbers in place of drawn ones: read from an object or a text, and held against the shapes of the recipe.

import { near } from '../../../js/base/errors.js';
import { parse } from '../../../js/base/file.js';
import { cellIndex, isObject, shapeOf, sizeOf } from '../../../js/base/values.js';
import { readBlock } from '../../../js/number/block.js';
import { nameFinder, readNamed, SYNONYMS } from '../../../js/number/named.js';
import { readNumber } from '../../../js/number/read.js';
import { causalMask } from '../recipes/attention.js';
import { drawing } from '../recipes/draw.js';
import { RECIPES } from '../recipes/index.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('../machine/machine.js').Leaf} Leaf */
/** @typedef {import('../recipes/index.js').Recipe} Recipe */
/** @typedef {import('../recipes/index.js').Sizes} Sizes */
/** @typedef {import('../recipes/index.js').Drawn} Drawn */

/** One number, or those of a row, a matrix or a pasted block, as numbers or as they are written: 4/3, 0,5.
 * @typedef {number | string | readonly (number | string)[] | readonly (readonly (number | string)[])[]} GivenNumbers */
/** Numbers by the names of the recipe, such as x, w_q and scale. A mask may be "causal". tokens and memory_tokens are the words of
 * the rows.
 * @typedef {Readonly<Record<string, GivenNumbers | readonly string[]>>} Given */

/** Larger numbers are nothing for a pencil. */
const MOST = 1e6;
/** Characters of a text. */
const MAX_TEXT = 20000;
const WORDS = /** @type {const} */ (['tokens', 'memory_tokens']);

/** What sizes may be: from, to, and whether they are whole. @type {Readonly<Record<string, [number, number, boolean]>>} */
const SIZES = {
  scale: [1e-6, MOST, false],
  heads: [1, 64, true],
  dModel: [1, MOST, true],
  deviation: [1e-6, MOST, false],
  rate: [1e-6, MOST, false],
  beta1: [0, 0.999999, false],
  beta2: [0, 0.999999, false],
};

/** Names as other texts have them. @type {Readonly<Record<string, string>>} */
const ALIASES = {
  ...{ η: 'rate', lr: 'rate', learningrate: 'rate', ε: 'epsilon', θ: 'theta', σ: 'deviation' },
  ...SYNONYMS,
  ...{ β1: 'beta1', β2: 'beta2', g1: 'gradient.1', g2: 'gradient.2', g: 'gradient' },
};

/** Sizes that a problem has if nobody says otherwise; d_model follows from X.
 * @param {Recipe} recipe
 * @returns {Sizes} */
export const sizesOf = ({ sizes = {} }) =>
  /** @type {Sizes} */ (
    Object.fromEntries(Object.entries(sizes).filter(([, usual]) => usual !== null))
  );

/** What a recipe reads of the numbers that are given. @param {Recipe} recipe @param {Record<string, Leaf>} numbers */
export const leavesOf = ({ shapes }, numbers) =>
  Object.fromEntries(
    Object.keys(shapes).flatMap((name) =>
      numbers[name] === undefined ? [] : [[name, numbers[name]]],
    ),
  );

/** The first of the given numbers whose shape does not fit those before it; null if all fit.
 * @param {Recipe} recipe @param {Record<string, Leaf>} numbers
 * @returns {{ name: string, shape: readonly number[], expected: readonly (string | number)[], other: string | null } | null}
 *   other: by which it is expected; null if the recipe expects it of any */
export function misfitOf({ shapes, optional = [] }, numbers) {
  /** @type {Map<string, { n: number, of: string }>} which leaf says them */
  const sizes = new Map();
  for (const [name, dims] of Object.entries(shapes)) {
    if (numbers[name] === undefined && optional.includes(name)) continue;
    const shape = shapeIn(numbers[name]);
    const expected = dims.map((d) => (typeof d === 'number' ? d : (sizes.get(d)?.n ?? d)));
    const misfit = expected.findIndex((d, i) => typeof d === 'number' && d !== shape[i]);
    if (shape.length !== dims.length || misfit >= 0 || shape.includes(0)) {
      const other = sizes.get(String(dims[misfit]))?.of ?? null;
      return { name, shape, expected, other: shape.length === dims.length ? other : null };
    }
    dims.forEach((d, i) => {
      if (typeof d === 'string' && !sizes.has(d)) sizes.set(d, { n: shape[i], of: name });
    });
  }
  return null;
}

/** The shape of nested arrays; of any other value, none. @param {unknown} value */
const shapeIn = (value) => (Array.isArray(value) ? shapeOf(value) : []);

const times = (/** @type {readonly (string | number)[]} */ shape) => shape.join(' × ') || '1';

/** Refuses numbers of a shape that the recipe has no place for.
 * @param {string} where @param {Recipe} recipe @param {Record<string, Leaf>} leaves */
function checkShapes(where, recipe, leaves) {
  const misfit = misfitOf(recipe, leaves);
  if (!misfit) return;
  const { name, other } = misfit;
  const filling = {
    where: `${where}: ${name}`,
    expected: times(misfit.expected),
    received: times(misfit.shape),
  };
  throw other
    ? rangeError('misfit', { ...filling, other, shape: times(shapeOf(leaves[other])) })
    : rangeError('wrongShape', filling);
}

/** A number as it is written, or as it is. @param {string} where @param {unknown} value
 * @returns {number} */
function numberIn(where, value) {
  if (typeof value === 'string') {
    const read = readNumber(value);
    if (read && 'value' in read) return numberIn(where, read.value);
    throw rangeError('notNumber', { where, value, at: (read?.at ?? 0) + 1 });
  }
  if (typeof value !== 'number') throw typeError('answerText', { where, given: value });
  if (Math.abs(value) <= MOST) return value;
  throw rangeError('numberFrom', { where, low: -MOST, high: MOST, given: value });
}

/** Rows of numbers. @param {string} where @param {unknown} value
 * @returns {number[][]} */
function rowsIn(where, value) {
  const read = typeof value === 'string' ? readBlock(value) : [value].flat();
  if (!read.length) throw rangeError('notNumber', { where, value, at: 1 });
  const rows = read.some(Array.isArray) ? read : [read];
  const numbers = rows.map((row, i) =>
    [row].flat().map((cell, j) => numberIn(`${where}[${i},${j}]`, cell)),
  );
  const n = numbers[0].length;
  const odd = numbers.findIndex((row) => row.length !== n);
  if (odd < 0) return numbers;
  throw rangeError('ragged', { where, row: odd + 1, of: numbers[odd].length, n });
}

/** Rows of numbers as a recipe has them: a list, a row or a column. @param {number[][]} rows
 * @param {readonly (string | number)[]} dims
 * @returns {Leaf} */
function leafOf(rows, dims) {
  const isLine = rows.length === 1 || rows[0].length === 1;
  if (dims.length === 1 && isLine) return rows.flat();
  if (dims[1] === 1 && rows.length === 1) return rows[0].map((x) => [x]);
  return rows;
}

/** A decimal, which is printed as any number is. */
const DECIMAL = /^[-+−]?[\d.,]+$/;

/** Cells that are written as more than a decimal, such as 1/3, by their names. @param {Map<string, unknown>} named
 * @param {Record<string, Leaf>} leaves */
function writtenIn(named, leaves) {
  return Object.entries(leaves).flatMap(([name, leaf]) => {
    const value = named.get(name);
    const texts = (typeof value === 'string' ? readBlock(value) : [value]).flat(2);
    const shape = shapeOf(leaf);
    return texts.flatMap((text, i) =>
      typeof text !== 'string' || DECIMAL.test(text) || texts.length !== sizeOf(shape)
        ? []
        : [[`${name}[${cellIndex(shape, i)}]`, text]],
    );
  });
}

/** How many tokens there are. @param {Recipe} recipe @param {Record<string, Leaf>} leaves @param {'n' | 'm'} letter */
function countOf({ shapes }, leaves, letter) {
  const [name, dims] =
    Object.entries(shapes).find(([one, all]) => all.includes(letter) && leaves[one]) ?? [];
  return name && dims ? shapeOf(leaves[name])[dims.indexOf(letter)] : undefined;
}

/** @param {string} where @param {Recipe} recipe @param {string} name @param {unknown} value
 * @param {Record<string, Leaf>} leaves those before it */
function leafIn(where, recipe, name, value, leaves) {
  if (name === 'mask' && String(value).trim().toLowerCase() === 'causal') {
    return causalMask(countOf(recipe, leaves, 'n') ?? 1);
  }
  const leaf = leafOf(rowsIn(where, value), recipe.shapes[name]);
  const numbers = [leaf].flat(2);
  if (name === 'mask' && numbers.some((x) => x !== 0 && x !== 1)) {
    throw rangeError('maskNumbers', { where });
  }
  const odd = recipe.ids?.includes(name)
    ? numbers.find((x) => !Number.isInteger(x) || x < 0)
    : undefined;
  if (odd !== undefined) throw rangeError('wholeNumbers', { where, value: odd });
  return leaf;
}

/** @param {string} where @param {string} name of SIZES @param {unknown} value */
function sizeIn(where, name, value) {
  const [low, high, isWhole] = SIZES[name];
  const x = numberIn(where, value);
  if (x < low || x > high || (isWhole && !Number.isInteger(x))) {
    throw rangeError(isWhole ? 'integerFrom' : 'numberFrom', { where, low, high, given: x });
  }
  return x;
}

/** @param {string} where @param {unknown} value @param {number | undefined} n how many there are */
function wordsIn(where, value, n) {
  const words = typeof value === 'string' ? value.trim().split(/\s+/) : value;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
    throw typeError('names', { where, given: value });
  }
  if (n === words.length) return words;
  throw rangeError('wordCount', { where, n: n ?? 0, received: words.length });
}

/** The parts of a text: X = 1 0; 0 1, or JSON. @param {string} where @param {string} text
 * @returns {Record<string, unknown>} */
function partsOf(where, text) {
  if (text.length > MAX_TEXT) {
    throw rangeError('longNumbers', { where, n: text.length, most: MAX_TEXT });
  }
  if (/^\s*(?:\[\s*)?\{/.test(text)) {
    const [only, ...others] = [parse(where, text)].flat();
    if (!others.length && isObject(only)) return only;
    throw rangeError('severalProblems', { where, n: others.length + 1 });
  }
  const parts = readNamed(text);
  if (!parts.length && text.trim()) throw rangeError('noNames', { where, value: text });
  return Object.fromEntries(parts.map((part) => [part.name, part.text]));
}

/** A problem's own parts, or those of an example for glassformer trace, side by side: what glassformer quiz writes may be
 * changed and given again.
 * @param {Record<string, unknown>} parts */
function flattened(parts) {
  if (isObject(parts.inputs)) {
    const { tokens, attention } = parts;
    const { scale, heads, causal } = Object(attention);
    const all = {
      ...parts.inputs,
      tokens,
      scale,
      heads,
      mask: causal ? 'causal' : parts.inputs.mask,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }
  if (!isObject(parts.given)) return parts;
  const { sizes = {}, tokens, memory } = parts;
  return {
    ...parts.given,
    .../** @type {object} */ (sizes),
    ...(tokens !== undefined && { tokens }),
    ...(memory !== undefined && { memory_tokens: memory }),
  };
}

/** What a recipe calls its numbers, and how it finds them by a written name. @param {Recipe} recipe */
function namesOf(recipe) {
  const names = [...Object.keys(recipe.shapes), ...Object.keys(recipe.sizes ?? {}), ...WORDS];
  return { names, nameOf: nameFinder(names, ALIASES) };
}

/** Parts by the names that the recipe has for them. @param {string} where @param {Recipe} recipe @param {Record<string, unknown>} parts */
function namedParts(where, recipe, parts) {
  const { names, nameOf } = namesOf(recipe);
  /** @type {Map<string, unknown>} */
  const named = new Map();
  for (const [written, value] of Object.entries(parts)) {
    const name = nameOf(written);
    if (name === undefined) {
      const hint = near(written, names);
      throw rangeError('noSuchNumbers', { where, value: written, names: names.join(', '), hint });
    }
    if (named.has(name)) throw rangeError('givenTwice', { where, value: name });
    named.set(name, value);
  }
  return named;
}

/** Numbers as a field has them: rows as lines, fractions as they are written. @param {unknown} value */
export function writtenOf(value) {
  const read = typeof value === 'string' ? readBlock(value) : [value].flat();
  const cells = read.flat().map(String);
  if (!cells.length || cells.some((cell) => /\s|^$/.test(cell))) return String(value);
  return read.map((row) => [row].flat().join(' ')).join(Array.isArray(read[0]) ? '\n' : ' ');
}

/** The numbers of a pasted text, each for the field of its name, and the names that no field has.
 * @param {string} where @param {string} name of the recipe @param {string} text
 * @returns {{ fields: Record<string, string>, others: string[] }} */
export function fieldsIn(where, name, text) {
  const { nameOf } = namesOf(RECIPES[name]);
  const parts = Object.entries(flattened(partsOf(where, text))).map(([written, value]) => ({
    written,
    value,
    field: nameOf(written),
  }));
  return {
    fields: Object.fromEntries(
      parts.flatMap(({ field, value }) => (field ? [[field, writtenOf(value)]] : [])),
    ),
    others: parts.flatMap(({ field, written }) => (field ? [] : [written])),
  };
}

/** Reads a teacher's numbers.
 * @param {string} where @param {string} name of the recipe @param {unknown} numbers
 * @returns {{ drawn: Drawn | null, sizes: Sizes }} drawn: null if the matrices are left to the seed */
export function readGiven(where, name, numbers) {
  const recipe = RECIPES[name];
  const parts = typeof numbers === 'string' ? partsOf(where, numbers) : numbers;
  if (!isObject(parts)) throw typeError('givenNumbers', { where, given: numbers });
  const named = namedParts(where, recipe, flattened(parts));
  const sizes = Object.fromEntries(
    Object.keys(recipe.sizes ?? {})
      .filter((size) => named.has(size))
      .map((size) => [size, sizeIn(`${where}: ${size}`, size, named.get(size))]),
  );
  const present = Object.keys(recipe.shapes).filter((leaf) => named.has(leaf));
  if (!present.length) {
    const [words] = WORDS.filter((word) => named.has(word));
    if (words) throw rangeError('wordCount', { where: `${where}: ${words}`, n: 0, received: 1 });
    return { drawn: null, sizes };
  }
  return { drawn: drawnOf(where, recipe, named, sizes), sizes };
}

/** @param {string} where @param {Recipe} recipe @param {Map<string, unknown>} named @param {Sizes} sizes
 * @returns {Drawn} */
function drawnOf(where, recipe, named, sizes) {
  const { shapes, optional = [], usual, namesRows, draw } = recipe;
  /** @type {Record<string, Leaf>} */
  const leaves = {};
  for (const leaf of Object.keys(shapes)) {
    if (named.has(leaf)) {
      leaves[leaf] = leafIn(`${where}: ${leaf}`, recipe, leaf, named.get(leaf), leaves);
    }
  }
  const usually = usual?.(leaves) ?? {};
  const missing = Object.keys(shapes).filter(
    (leaf) => !leaves[leaf] && !usually[leaf] && !optional.includes(leaf),
  );
  if (missing.length) throw rangeError('missingNumbers', { where, names: missing.join(', ') });
  const all = leavesOf(recipe, { ...usually, ...leaves });
  checkShapes(where, recipe, all);
  const { dModel, ...others } = sizesOf(recipe);
  /* Only who divides by its root needs it. */
  const isWide = 'x' in shapes && dModel !== undefined && sizes.scale === undefined;
  const width = isWide ? shapeOf(all.x)[1] : undefined;
  const parts = namesRows ? draw(drawing(0, 0), sizes) : undefined;
  /** @param {typeof WORDS[number]} name @param {'n' | 'm'} letter @param {readonly string[] | undefined} others the usual ones */
  const words = (name, letter, others) =>
    named.has(name) && !(name in shapes)
      ? wordsIn(
          `${where}: ${name}`,
          named.get(name),
          countOf(recipe, all, letter) ?? others?.length ?? 1,
        )
      : others;
  const tokens = words('tokens', 'n', parts?.tokens);
  const memory = words('memory_tokens', 'm', parts?.memory);
  const written = writtenIn(named, leaves);
  return {
    leaves: all,
    ...(written.length && { written: Object.fromEntries(written) }),
    ...(tokens && { tokens }),
    ...(memory && { memory }),
    sizes: { ...(width && { dModel: width }), ...others, ...sizes },
  };
}
