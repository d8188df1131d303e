// Tables of Markdown and HTML: their numbers as rows, without headings.

/** @typedef {import('./tokens.js').Cell} Cell */
/** @typedef {{ at: number, end: number, rows: Cell[][] }} Table */

const ROW = /^[ \t]*\|?(?:[^|\n]*\|)+[^|\n]*$/;
const RULE = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?)?[ \t]*$/;
const HTML = /<table\b[^>]{0,400}>([\s\S]*?)<\/table>/gi;
const HTML_ROW = /<tr\b[^>]{0,400}>([\s\S]*?)(?:<\/tr>|(?=<tr\b)|$)/gi;
const HTML_CELL = /<t[dh]\b[^>]{0,400}>([^<]*)/gi;
const NUMBER = /^([\s*_$`]*)([-−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)[\s*_$`]*$/i;

/** @param {string} text @param {number} at
 * @returns {Cell | null} a number that is all of a table's cell */
function cellOf(text, at) {
  const found = NUMBER.exec(text.slice(0, 60));
  if (!found || text.length > 60) return null;
  const [, before, written] = found;
  const value = Number(written.replace('−', '-'));
  return { text: written, value, at: at + before.length, exact: value };
}

/** The numbers of a table, without the row and the column of headings.
 * @param {(Cell | null)[][]} cells
 * @returns {Cell[][] | null} */
function numbersOf(cells) {
  const rows = cells
    .filter((row) => row.some(Boolean))
    .map((row) => {
      const from = row.findIndex(Boolean);
      return row.slice(from);
    });
  const width = rows[0]?.length;
  const whole = rows.length && rows.every((row) => row.length === width && row.every(Boolean));
  return whole ? /** @type {Cell[][]} */ (rows) : null;
}

/** @param {string} text
 * @returns {Table[]} */
function markdown(text) {
  /** @type {Table[]} */
  const tables = [];
  let at = 0;
  /** @type {{ at: number, line: string }[]} */
  let block = [];
  const finish = () => {
    if (block.length > 1 && block.some(({ line }) => RULE.test(line))) {
      const body = block.slice(block.findIndex(({ line }) => RULE.test(line)) + 1);
      const rows = numbersOf(body.map((row) => cellsOfRow(row.line, row.at)));
      const last = block[block.length - 1];
      if (rows) tables.push({ at: block[0].at, end: last.at + last.line.length, rows });
    }
    block = [];
  };
  for (const line of text.split('\n')) {
    if (line.length < 2000 && ROW.test(line)) block.push({ at, line });
    else finish();
    at += line.length + 1;
  }
  finish();
  return tables;
}

/** @param {string} line @param {number} at */
function cellsOfRow(line, at) {
  const inner = line
    .replace(/^[ \t]*\|/, (bar) => ' '.repeat(bar.length))
    .replace(/\|[ \t\r]*$/, '');
  let from = at;
  return inner.split('|').map((part) => {
    const cell = cellOf(part, from);
    from += part.length + 1;
    return cell;
  });
}

/** @param {string} text
 * @returns {Table[]} */
function html(text) {
  return [...text.matchAll(HTML)].flatMap((table) => {
    const cells = [...table[0].matchAll(HTML_ROW)].map((row) =>
      [...row[0].matchAll(HTML_CELL)].map((cell) => {
        const inside = cell[0].length - cell[1].length;
        return cellOf(cell[1], table.index + row.index + cell.index + inside);
      }),
    );
    const rows = numbersOf(cells);
    return rows ? [{ at: table.index, end: table.index + table[0].length, rows }] : [];
  });
}

/** The tables of a text that hold nothing but numbers and headings, in its order.
 * @param {string} text
 * @returns {Table[]} */
export function tablesOf(text) {
  const pages = /<table\b/i.test(text) && /<\/table>/i.test(text) ? html(text) : [];
  const found = [...pages, ...(text.includes('|') ? markdown(text) : [])];
  found.sort((a, b) => a.at - b.at);
  return found.filter((table, i) => i === 0 || table.at >= found[i - 1].end);
}
