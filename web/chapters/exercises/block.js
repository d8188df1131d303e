// Reads pasted numbers: a block of a spreadsheet, or rows of a text.

/** Signs around the numbers of a matrix in NumPy, Markdown and LaTeX. */
const AROUND = /^[\s[\]{}()|&,;]+|[\s[\]{}|&,;\\]+$/g;
/** Separators of the numbers of a row, the surest first. */
const BETWEEN = [/\t/, /\s*[|&;]\s*/, /,\s+/, /\s+/];
const NUMERIC = /[\d∞]/;

/**
 * The rows of a pasted text, each with its cells.
 * @param {string} pasted
 * @returns {string[][]}
 */
export function blockOf(pasted) {
  const lines = pasted.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/);
  if (lines.some((line) => line.includes('\t'))) {
    return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
  }
  return lines.map(rowOf).filter((row) => row.some(Boolean));
}

/** @param {string} line */
function rowOf(line) {
  const plain = line.replace(AROUND, '');
  for (const between of BETWEEN) {
    const cells = plain.split(between);
    if (cells.length > 1 && cells.every((cell) => NUMERIC.test(cell))) return cells;
  }
  return [plain];
}
