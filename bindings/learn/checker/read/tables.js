// Tables of Markdown and HTML: their numbers as rows, without headings.

import { cellOf } from './number.js';

/** @typedef {import('./number.js').Cell} Cell */
/** @typedef {{ start: number, end: number, rows: Cell[][] }} Table */

const TAG = /<(\/?)(table|tr|td|th)\b[^<>]{0,400}>/gi;
const INLINE = /(?:\s{0,40}<(?!\/?t[dhr]\b)[a-z][^<>]{0,100}>){0,4}/iy;
const RULE = /^:?-+:?$/;
const NUMBER =
  /^([\s*_$`]{0,8})([-−–]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+−]?\d+)?|[-−–]?(?:∞|inf|nan))[\s*_$`]*$/i;
/** Characters of a row. */
const MAX_ROW = 2000;

/** @param {string} text @param {number} start @param {boolean} comma
 * @returns {Cell | null} a number that is all of a table's cell */
function numberIn(text, start, comma) {
  const match = text.length > 60 ? null : NUMBER.exec(text);
  if (!match || (!comma && match[2].includes(','))) return null;
  return cellOf(match[2], start + match[1].length, comma);
}

/** The numbers of a table, without the row and the column of headings.
 * @param {(Cell | null)[][]} cells
 * @returns {Cell[][] | null} */
function numbersOf(cells) {
  const rows = cells
    .filter((row) => row.some(Boolean))
    .map((row) => row.slice(row.findIndex(Boolean)));
  const width = rows[0]?.length;
  const whole = rows.length && rows.every((row) => row.length === width && row.every(Boolean));
  return whole ? /** @type {Cell[][]} */ (rows) : null;
}

/** @param {string} text @param {boolean} comma
 * @returns {Table[]} */
function markdown(text, comma) {
  /** @type {Table[]} */
  const tables = [];
  let start = 0;
  /** @type {{ start: number, line: string }[]} */
  let block = [];
  const finish = () => {
    const rule = block.findIndex(({ line }) => isRule(line));
    if (rule >= 0) {
      const body = block.slice(rule + 1);
      const rows = numbersOf(body.map((row) => cellsOfRow(row.line, row.start, comma)));
      const last = block[block.length - 1];
      if (rows) tables.push({ start: block[0].start, end: last.start + last.line.length, rows });
    }
    block = [];
  };
  for (const line of text.split('\n')) {
    if (line.length < MAX_ROW && line.includes('|')) block.push({ start, line });
    else finish();
    start += line.length + 1;
  }
  finish();
  return tables;
}

/** Whether a line stands between headings and numbers: |---|:---:|. @param {string} line */
const isRule = (line) => {
  const parts = partsOf(line).map((part) => part.trim());
  return parts.some(Boolean) && parts.every((part) => !part || RULE.test(part));
};

/** What stands between the bars of a row, in its place. @param {string} line */
const partsOf = (line) =>
  line
    .replace(/^[ \t]{0,40}\|/, (bar) => ' '.repeat(bar.length))
    .replace(/\|[ \t\r]{0,40}$/, '')
    .split('|');

/** @param {string} line @param {number} start @param {boolean} comma */
function cellsOfRow(line, start, comma) {
  let from = start;
  return partsOf(line).map((part) => {
    const cell = numberIn(part, from, comma);
    from += part.length + 1;
    return cell;
  });
}

/** @param {string} text @param {boolean} comma
 * @returns {Table[]} */
function html(text, comma) {
  /** @type {Table[]} */
  const tables = [];
  /** @type {{ start: number, cells: (Cell | null)[][] } | null} */
  let open = null;
  for (const tag of text.matchAll(TAG)) {
    const [all, closing, name] = tag;
    const end = tag.index + all.length;
    const kind = name.toLowerCase();
    if (kind === 'table') {
      const rows = closing && open ? numbersOf(open.cells) : null;
      if (open && rows) tables.push({ start: open.start, end, rows });
      open = closing ? null : { start: tag.index, cells: [] };
    } else if (open && !closing) {
      if (kind === 'tr') open.cells.push([]);
      else open.cells.at(-1)?.push(cellBehind(text, end, comma));
    }
  }
  return tables;
}

/** The number behind a cell's tag, in bold perhaps. @param {string} text @param {number} end @param {boolean} comma */
function cellBehind(text, end, comma) {
  INLINE.lastIndex = end;
  const start = end + (INLINE.exec(text)?.[0].length ?? 0);
  return numberIn(text.slice(start, start + 61).split('<', 1)[0], start, comma);
}

/** The tables of a text that hold nothing but numbers and headings, in its order.
 * @param {string} text @param {boolean} comma whether a comma stands before decimals
 * @returns {Table[]} */
export function tablesOf(text, comma) {
  const tables = [...html(text, comma), ...(text.includes('|') ? markdown(text, comma) : [])];
  tables.sort((a, b) => a.start - b.start);
  let end = 0;
  return tables.filter((table) => {
    const isApart = table.start >= end;
    if (isApart) end = table.end;
    return isApart;
  });
}
