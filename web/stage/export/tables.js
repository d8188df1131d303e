// A tensor as a table or as JSON. Its numbers are the shortest decimals that read back to the float32.
import { shortest } from '../draw/format.js';
import { indexAt, numberAt } from '../draw/tensor.js';

/** @typedef {import('../../app/session.js').Step} Step */

/** @param {Step} step
 * @returns {(flat: number) => string} */
const writer = ({ data, kind }) =>
  kind === 'ids' ? (flat) => String(data[flat]) : (flat) => shortest(data[flat]);

/** A row per row of the last dimension, after its index; indices count from 0. Remarks before them say which run
 * it is, and whether its products are sums of integers.
 * @param {Step} step
 * @param {string} [branch] */
export function csv(step, branch = '') {
  const { shape, data } = step;
  const write = writer(step);
  const width = shape[shape.length - 1];
  const leading = shape.slice(0, -1);
  const columns = Array.from({ length: width }, (_, j) => String(j));
  const heads = ['b', 'h', 'i'].slice(3 - leading.length);
  const rows = Array.from({ length: data.length / width }, (_, row) => [
    ...indexAt(leading, row).map(String),
    ...columns.map((_, j) => write(row * width + j).replace('Infinity', 'inf')),
  ]);
  const remarks = [branch, step.arithmetic && `arithmetic ${step.arithmetic}`].filter(Boolean);
  return `${remarks.map((remark) => `# ${remark}\n`).join('')}${[[...heads, ...columns], ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

/** Name, op, shape and nested numbers; JSON has no infinities, they are strings. What was removed is named.
 * @param {Step} step
 * @param {string[]} [removed] */
export function json(step, removed = []) {
  const { name, op, formula, shape, arithmetic } = step;
  const write = writer(step);
  const quoted = (/** @type {number} */ flat) =>
    Number.isFinite(numberAt(step, flat)) ? write(flat) : JSON.stringify(write(flat));
  /** @type {(depth: number, first: number) => string} */
  const nested = (depth, first) => {
    if (depth === shape.length) return quoted(first);
    const size = shape.slice(depth + 1).reduce((product, d) => product * d, 1);
    const rows = Array.from({ length: shape[depth] }, (_, i) =>
      nested(depth + 1, first + i * size),
    );
    return depth === shape.length - 1
      ? `[${rows.join(', ')}]`
      : `[\n${rows.map((row) => row.replace(/^/gm, '  ')).join(',\n')}\n]`;
  };
  const head = {
    ...{ name, op, formula, shape },
    ...(arithmetic && { arithmetic }),
    ...(removed.length > 0 && { removed }),
  };
  const parts = Object.entries(head).map(
    ([key, value]) =>
      `"${key}": ${JSON.stringify(value).replaceAll(',', Array.isArray(value) ? ', ' : ',')}`,
  );
  const data = `"data": ${nested(0, 0).replace(/\n/g, '\n  ')}`;
  return `{\n  ${[...parts, data].join(',\n  ')}\n}\n`;
}
