// Traces and explanations as text: aligned tables, and what is wrong in plain words.

import { flatIndex } from './values.js';

/** @typedef {import('./explain.js').Cell} Cell */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {import('./printed.js').Mismatch} Mismatch */
/** @typedef {import('./steps.js').Step} Step */
/** @typedef {import('./trace.js').Trace} Trace */

/** Columns of text that a table may take before it is folded. */
const WIDTH = 100;
const DIGITS = 4;
const MAX_DECIMALS = 6;

/** @param {number} value
 * @returns {string | undefined} */
function special(value) {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
}

/** Rounded, without zeros at the end.
 * @param {number} value @param {number} [digits] significant ones */
const round = (value, digits = DIGITS) =>
  special(value) ?? String(Number(value.toPrecision(digits)));

/** The shortest decimal that reads back as the same float32.
 * @param {number} value */
export function exact(value) {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return round(value, digits);
  }
  return round(value, 9);
}

/** Numbers with one number of decimals, enough for four digits of each.
 * @param {number[]} values */
function align(values) {
  const decimals = values.map((value) => /\.(\d+)$/.exec(round(value))?.[1].length ?? 0);
  const most = Math.min(Math.max(0, ...decimals), MAX_DECIMALS);
  return values.map((value) => special(value) ?? value.toFixed(most));
}

/** Rows as lines, the first column to the left, the others to the right.
 * @param {string[][]} rows */
function table(rows) {
  const widths = rows[0].map((_, j) => Math.max(...rows.map((row) => row[j].length)));
  return rows.map((row) =>
    row
      .map((text, j) => (j ? text.padStart(widths[j]) : text.padEnd(widths[j])))
      .join('  ')
      .trimEnd(),
  );
}

/** One matrix, folded when it is too wide.
 * @param {string[]} labels @param {string[]} heads @param {string[][]} body */
function matrix(labels, heads, body) {
  const width = Math.max(...heads.map((h) => h.length), ...body.flat().map((t) => t.length)) + 2;
  const label = Math.max(...labels.map((text) => text.length));
  const count = Math.max(1, Math.floor((WIDTH - label) / width));
  const lines = [];
  for (let from = 0; from < heads.length; from += count) {
    const part = (/** @type {string[]} */ row) => row.slice(from, from + count);
    lines.push(
      ...table([['', ...part(heads)], ...body.map((row, i) => [labels[i], ...part(row)])]),
    );
  }
  return lines;
}

/** Words beside the numbers, where a row or a column belongs to a word.
 * @param {string[]} tokens @param {boolean} apply @param {number} count */
const labelsOf = (tokens, apply, count) =>
  Array.from({ length: count }, (_, i) =>
    apply && count === tokens.length ? `${i} ${tokens[i]}` : String(i),
  );

/** @param {Trace} trace @param {Step} step
 * @returns {string[]} */
function tables(trace, step) {
  const { name, kind, shape, data } = step;
  const tokens = trace.example.tokens ?? [];
  const [height, width] = shape.length > 1 ? shape.slice(-2) : [1, shape[0]];
  const wrong = trace.mismatches.filter((mismatch) => mismatch.node === name);
  const places = wrong.map(({ index }) => flatIndex(name, shape, index));
  /* A wrong one is marked, and a blank keeps the others in line. */
  const mark = (/** @type {number} */ at) =>
    places.length ? (places.includes(at) ? '*' : ' ') : '';
  const texts = align([...data]).map((text, at) => text + mark(at));
  const rows = labelsOf(tokens, kind !== 'parameter' && shape.length > 1, height);
  const columns = labelsOf(tokens, /^(scores|weights)/.test(name), width);
  const lines = [];
  for (let at = 0; at < data.length; at += height * width) {
    if (shape.length > 2) lines.push(`head ${at / (height * width)}`);
    const body = rows.map((_, i) => texts.slice(at + i * width, at + (i + 1) * width));
    lines.push(...matrix(shape.length > 1 ? rows : [''], columns, body));
  }
  return lines.map((line) => `  ${line}`);
}

/** @param {string} printed @param {number} computed */
function difference(printed, computed) {
  const digits = Math.max(DIGITS, printed.replace(/^[-0.]+|\./g, '').length);
  return `the text prints ${printed}; it is ${round(computed, digits)}`;
}

/** @param {Mismatch} mismatch */
function cause({ cause, from }) {
  if (cause === 'step') return '';
  return from === 'rounded'
    ? ' (the text carried a rounded number forward)'
    : ' (this follows from an earlier wrong number)';
}

/** @param {Trace} trace @param {string} name */
function corrections(trace, name) {
  return trace.mismatches
    .filter((mismatch) => mismatch.node === name)
    .map((mismatch) => {
      const { shape, text } = trace.printed[name];
      const at = flatIndex(name, shape, mismatch.index);
      const told = difference(/** @type {string} */ (text[at]), mismatch.computed);
      return `  * [${mismatch.index}]: ${told}${cause(mismatch)}`;
    });
}

/** @param {Step} step */
function headline({ name, op, kind, shape, inputs, formula, attributes, bypassed }) {
  if (bypassed !== null) return `${name} [${shape}]  removed: a copy of ${inputs[bypassed]}`;
  const operands = inputs.filter((input) => input !== null);
  if (op === 'scale') operands.unshift(round(attributes.factor));
  const what = op === 'leaf' ? kind : `${op}(${operands.join(', ')})`;
  return `${name} [${shape}]  ${what}: ${formula}`;
}

/** @param {Trace} trace */
function asides(trace) {
  const given = trace.example.asides ?? [];
  if (!trace.asides.length) return [];
  const lines = trace.asides.map(({ text, computed, right }, i) =>
    right
      ? `    ${text} = ${round(computed)}`
      : `  * ${text}: ${difference(given[i].printed, computed)}`,
  );
  return ['', 'Beside the steps, the text prints', ...lines];
}

/** Every step with its formula and its numbers.
 * @param {Trace} trace */
export function traceText(trace) {
  const { name, title, source, about } = trace.example;
  const steps = trace.steps.flatMap((step) => [
    '',
    headline(step),
    ...tables(trace, step),
    ...corrections(trace, step.name),
  ]);
  const lines = [`${name}: ${title}`, source, about, ...steps, ...asides(trace)];
  return `${lines.join('\n')}\n`;
}

/** @param {Cell} cell */
const place = ({ node, index }) => `${node}[${index}]`;

/** @param {Cell} cell */
const valued = (cell) => `${place(cell)} = ${exact(cell.value)}`;

/** @param {Explanation} told */
function products({ terms = [], bias }) {
  const rows = terms.map(({ a, b, product, sum }) => [
    `${place(a)} × ${place(b)}`,
    `${exact(a.value)} × ${exact(b.value)}`,
    exact(product),
    exact(sum),
  ]);
  const lines = table([['', '', 'product', 'sum so far'], ...rows]);
  return bias ? [...lines, `+ ${valued(bias)}`] : lines;
}

/** @param {Explanation} told */
function exponentials({ row, max = 0, total = 0, numerator = 0, value }) {
  const rows = [row ?? []]
    .flat()
    .map((entry) =>
      'exp' in entry
        ? [place(entry), exact(entry.value), exact(entry.shifted), exact(entry.exp)]
        : [],
    );
  return [
    ...table([['', 'x', `x - ${exact(max)}`, 'e^(that)'], ...rows]),
    `the sum of these: ${exact(total)}`,
    `${exact(numerator)} / ${exact(total)} = ${exact(value)}`,
  ];
}

/** The lines of each op. @type {Record<string, (told: any) => string[]>} */
const lines = {
  leaf: () => ['given'],
  embed: ({ id, row }) => [`row ${id} of the table: ${valued(row)}`],
  position: ({ position, angle, fn, pair }) => [
    `${fn}(${angle}), position ${position} turned by pair ${pair}`,
  ],
  add: ({ a, b }) => [valued(a), `+ ${valued(b)}`],
  scale: ({ x, factor }) => [`${exact(factor)} × ${valued(x)}`],
  linear: products,
  matmul: products,
  mask: ({ x, keep, reason, added }) => {
    if (!keep) return [`masked (${reason}): ${valued(x)} becomes -inf`];
    return [added === null ? `kept: ${valued(x)}` : `${valued(x)} + ${exact(added)}`];
  },
  softmax: exponentials,
  heads: ({ from }) => [`a copy of ${valued(from)}`],
  layer_norm: ({ x, mean, deviation, normalised, gain, bias }) => [
    `(${valued(x)} - ${exact(mean)}) / ${exact(deviation)} = ${exact(normalised)}`,
    ...(gain ? [`× ${valued(gain)}`] : []),
    ...(bias ? [`+ ${valued(bias)}`] : []),
  ],
};

/** How one cell arose, term by term.
 * @param {Explanation} told */
export function explanationText(told) {
  const { op, value, bypassed, frozen } = told;
  let story = lines[op];
  if (bypassed !== null) story = lines.heads;
  if (frozen) story = lines.leaf;
  const text = [`${place(told)} = ${exact(value)}   (${op})`, ...story(told).map((l) => `  ${l}`)];
  return `${text.join('\n')}\n`;
}
