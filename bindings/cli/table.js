// Numbers and tables as text.

/** @typedef {import('./terminal.js').Look} Look */

/** Significant digits of a number that is read by eye. */
export const DIGITS = 4;
const MAX_DECIMALS = 6;

/** @param {number} value
 * @returns {string | undefined} */
function special(value) {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
}

/** Rounded, without zeros at the end.
 * @param {number} value @param {number} [digits] significant ones */
export const round = (value, digits = DIGITS) =>
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

/** Of however many: Math.max takes no more than fit on the stack.
 * @param {number[]} numbers 0 or more */
const largest = (numbers) => numbers.reduce((a, b) => Math.max(a, b), 0);

/** Numbers with one number of decimals, enough for four digits of each.
 * @param {number[]} values */
export function align(values) {
  const decimals = values.map((value) => /\.(\d+)$/.exec(round(value))?.[1].length ?? 0);
  const most = Math.min(largest(decimals), MAX_DECIMALS);
  return values.map((value) => special(value) ?? value.toFixed(most));
}

/** Cells as wide as their column, the first column to the left, the others to the right.
 * @param {string[][]} rows */
function pad(rows) {
  const widths = rows[0].map((_, j) => largest(rows.map((row) => row[j].length)));
  return rows.map((row) =>
    row.map((text, j) => (j ? text.padStart(widths[j]) : text.padEnd(widths[j]))),
  );
}

/** @param {string[][]} rows */
export const table = (rows) => pad(rows).map((row) => row.join('  ').trimEnd());

/** One matrix; where it is too wide, in parts of like widths, one below the other. Cells with a * are
 * red, what stands around the numbers is dim.
 * @param {string[]} labels @param {string[]} heads @param {string[][]} body @param {Look} look */
export function matrix(labels, heads, body, { width, dim, red }) {
  const cell = largest([heads, ...body].map((row) => largest(row.map((text) => text.length)))) + 2;
  const label = largest(labels.map((text) => text.length));
  const fitting = Math.max(1, Math.floor((width - label) / cell));
  const count = Math.ceil(heads.length / Math.ceil(heads.length / fitting));
  const ink = (/** @type {string} */ text, /** @type {boolean} */ isAround) => {
    if (isAround) return dim(text);
    return text.endsWith('*') ? red(text) : text;
  };
  const lines = [];
  for (let from = 0; from < heads.length; from += count) {
    const part = (/** @type {string[]} */ row) => row.slice(from, from + count);
    const rows = pad([['', ...part(heads)], ...body.map((row, i) => [labels[i], ...part(row)])]);
    lines.push(
      ...rows.map((row, i) =>
        row
          .map((text, j) => ink(text, !i || !j))
          .join('  ')
          .trimEnd(),
      ),
    );
  }
  return lines;
}

/** Text in lines of at most so many columns, but for words that are longer.
 * @param {string} text @param {number} width */
export function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}
