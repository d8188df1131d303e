// What a family of checkpoints is, and how its table of names reads. The families are data: families.json.

import { sizeOf } from '../../js/base/values.js';

/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** A config.json. @typedef {Record<string, unknown>} Settings */

/** One line of a table: our name, those of the file, and how the file's tensor differs from ours.
 *   {side} encoder, decoder   {i} a layer   {x} q, k, v   {p} weight, bias
 *   {qkv}  q, k, v, whose columns the file has side by side in one tensor
 * Where the file may have one tensor under several names, the first is the one that is written, and
 * the others, if they are there, must be equal to it.
 *   transposed  [out, in] in the file, as torch.nn.Linear has it, [in, out] here
 *   row         [1, n] in the file, [n] here
 *   by-head     transposed, and in the file each head's q, k and v follow each other
 *   behind-padding  the file has two rows before ours, which no position reads
 * A line with a field of the model is there if the field is set (true), or if it is not.
 * @typedef {'transposed' | 'row' | 'by-head' | 'behind-padding' | null} How
 * @typedef {[ours: string, theirs: string[], how: How, field?: string, set?: boolean]} Row */

/** A tensor of the file, and which of ours it is.
 * @typedef {object} Entry
 * @property {string[]} ours
 * @property {string[]} theirs
 * @property {number[][]} shapes of ours
 * @property {number[]} shape of theirs
 * @property {boolean} transposed
 * @property {number} skipped rows of theirs before ours
 * @property {(column: number) => number} [toFile] where a column of ours, side by side, lies in theirs
 * @property {(column: number) => number} [fromFile] and the other way round */

/** The key of a field in config.json, whose words are those of `names` (theirs: ours), or whose number is larger by
 * `offset`.
 * @typedef {string | { key: string, names?: Record<string, string>, offset?: number }} Setting */

/** A value, or where it comes from: see evaluate.
 * @typedef {{ of: string | string[], times?: number, over?: string, else?: Form }} Reference
 * @typedef {unknown} Form */

/** A family as the build makes it of families.json.
 * @typedef {object} Family
 * @property {string[]} types model_type in config.json; the first is written
 * @property {string} prefix what the keys of a model with a head start with, and those of a bare one
 *   lack
 * @property {Record<string, string>} rename patterns of old names, and what stands there in new ones
 * @property {string} [ignored] pattern of keys, without prefix, that say nothing new
 * @property {string[]} sinusoids tensors that are ignored if they are what Glassformer computes
 * @property {Record<string, string>} names that rules look up
 * @property {Partial<Record<keyof ModelConfig, Setting>>} settings where config.json has a field
 * @property {Record<string, Form>} defaults for what config.json does not say
 * @property {Record<string, Form>} demands what config.json must say if it says it at all; null: it must not; a list:
 *   one of these
 * @property {Record<string, Form>} fixed fields that are the same in the whole family
 * @property {Record<string, Form>} write settings besides those of the fields
 * @property {string[]} rules what no value can say, by name: see rules.js
 * @property {Row[]} rows */

const QKV = ['q', 'k', 'v'];
/** Rows of positions up to that of the padding token, 1. */
const PADDING_ROWS = 2;

/** The lines of a table that a model has.
 * @param {Pick<Family, 'rows'>} family @param {Readonly<Record<string, unknown>>} fields */
export const rowsOf = ({ rows }, fields) =>
  rows.filter(([, , , field, set]) => field === undefined || Boolean(fields[field]) === set);

/** @param {Row[]} rows @param {string} word @param {string[]} values
 * @returns {Row[]} */
function expand(rows, word, values) {
  const mark = `{${word}}`;
  return rows.flatMap((row) =>
    row[0].includes(mark)
      ? values.map((value) => /** @type {Row} */ (replace(row, mark, value)))
      : [row],
  );
}

/** @param {Row} row @param {string} mark @param {string} value
 * @returns {Row} */
const replace = ([ours, theirs, how], mark, value) => [
  ours.replace(mark, value),
  theirs.map((name) => name.replace(mark, value)),
  how,
];

/** @param {number[][]} shapes @param {Row[2]} how */
function joined(shapes, how) {
  const columns = shapes.reduce((sum, shape) => sum + /** @type {number} */ (shape.at(-1)), 0);
  const shape = [...shapes[0].slice(0, -1), columns];
  if (how === 'row') return [1, ...shape];
  if (how === 'behind-padding') return [shape[0] + PADDING_ROWS, columns];
  return how === 'transposed' || how === 'by-head' ? shape.reverse() : shape;
}

/** Between all heads' queries, then keys, then values, and each head's three.
 * @param {number} width of all heads @param {number} heads */
const byHead = (width, heads) => ({
  /** @param {number} column */
  toFile: (column) => {
    const size = width / heads;
    const [part, head] = [Math.floor(column / width), Math.floor((column % width) / size)];
    return (3 * head + part) * size + (column % size);
  },
  /** @param {number} column */
  fromFile: (column) => {
    const size = width / heads;
    const [head, part] = [Math.floor(column / (3 * size)), Math.floor(column / size) % 3];
    return part * width + head * size + (column % size);
  },
});

/** The tensors that the file of a model has.
 * @param {Family} family @param {ModelConfig} config @param {Map<string, number[]>} parameters
 * @returns {Entry[]} */
export function entriesOf(family, config, parameters) {
  const layers = Math.max(config.layers, config.decoderLayers);
  let rows = expand(rowsOf(family, { ...config }), 'side', ['encoder', 'decoder']);
  rows = expand(
    rows,
    'i',
    Array.from({ length: layers }, (_, i) => String(i)),
  );
  rows = expand(rows, 'x', QKV);
  rows = expand(rows, 'p', ['weight', 'bias']);
  const entries = rows.flatMap(([name, theirs, how]) => {
    const ours = expand([[name, [], null]], 'qkv', QKV).map(([part]) => part);
    const shapes = ours.flatMap((part) => [parameters.get(part) ?? []].filter((s) => s.length));
    if (!shapes.length) return [];
    const transposed = how === 'transposed' || how === 'by-head';
    const width = /** @type {number} */ (shapes[0].at(-1));
    const order = how === 'by-head' ? byHead(width, config.heads) : {};
    const skipped = how === 'behind-padding' ? PADDING_ROWS : 0;
    const shape = joined(shapes, how);
    return [{ ours, theirs, shapes, shape, transposed, skipped, ...order }];
  });
  /* A tensor that this model has on its own is no other name of another one. */
  const primaryNames = new Set(entries.map(({ theirs }) => theirs[0]));
  return entries.map((entry) => ({
    ...entry,
    theirs: entry.theirs.filter((name, i) => i === 0 || !primaryNames.has(name)),
  }));
}

/** Whether the file's numbers lie as ours do.
 * @param {Entry} entry */
const isSame = ({ shapes, transposed }) =>
  shapes.length === 1 && (!transposed || shapes[0].length === 1);

/** Copies between our tensors and the file's, where cell [r,c] of ours, side by side, lies at
 * r down + c right.
 * @param {Entry} entry @param {Float32Array[]} parts @param {Float32Array} data
 * @param {'split' | 'join'} way */
function copy({ shapes, transposed, toFile = (column) => column }, parts, data, way) {
  const rows = shapes[0].length > 1 ? shapes[0][0] : 1;
  const down = transposed ? 1 : data.length / rows;
  const right = transposed ? rows : 1;
  let first = 0;
  for (const part of parts) {
    const width = part.length / rows;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < width; c++) {
        const index = r * down + toFile(first + c) * right;
        if (way === 'split') part[r * width + c] = data[index];
        else data[index] = part[r * width + c];
      }
    }
    first += width;
  }
}

/** Our tensors from the file's.
 * @param {Entry} entry @param {Float32Array} data
 * @returns {Float32Array[]} */
export function split(entry, data) {
  const from = entry.skipped * /** @type {number} */ (entry.shape.at(-1));
  if (isSame(entry)) return [from ? data.subarray(from) : data];
  const parts = entry.shapes.map((shape) => new Float32Array(sizeOf(shape)));
  copy(entry, parts, data, 'split');
  return parts;
}

/** Puts some rows of the file's tensor into ours.
 * @param {Entry} entry @param {Float32Array[]} parts ours @param {Float32Array} data whole rows
 * @param {number} first the number of their first row
 * @param {(row: number) => number} [rowOf] where a row belongs, or a number of a vector */
export function place(entry, parts, data, first, rowOf = entry.fromFile ?? ((row) => row)) {
  const { shapes, shape, transposed, skipped } = entry;
  const length = /** @type {number} */ (shape.at(-1));
  const widths = shapes.map((tensorShape) => /** @type {number} */ (tensorShape.at(-1)));
  if (shape.length === 1) {
    for (let i = 0; i < data.length; i++) {
      let [column, k] = [rowOf(i), 0];
      while (column >= widths[k]) column -= widths[k++];
      parts[k][column] = data[i];
    }
    return;
  }
  for (let from = 0, row = first; from < data.length; from += length, row++) {
    if (transposed) {
      /* A row of theirs is a column of ours. */
      let column = rowOf(row);
      let i = 0;
      while (column >= widths[i]) column -= widths[i++];
      const [part, width] = [parts[i], widths[i]];
      for (let k = 0; k < length; k++) part[k * width + column] = data[from + k];
    } else if (row >= skipped) {
      let offset = from;
      for (const [i, width] of widths.entries()) {
        parts[i].set(data.subarray(offset, offset + width), rowOf(row - skipped) * width);
        offset += width;
      }
    }
  }
}

/** The file's tensor from ours.
 * @param {Entry} entry @param {Float32Array[]} parts
 * @returns {Float32Array} */
export function join(entry, parts) {
  const { shape, skipped } = entry;
  if (isSame(entry) && !skipped) return parts[0];
  const data = new Float32Array(sizeOf(shape));
  if (skipped) data.set(parts[0], skipped * /** @type {number} */ (shape.at(-1)));
  else copy(entry, parts, data, 'join');
  return data;
}
