// Tables of Markdown and HTML: their numbers as rows, without headings.

import { cellOf } from './number.js';

/** @typedef {import('./number.js').Cell} Cell */
/** @typedef {{ at: number, end: number, rows: Cell[][] }} Table */

const TAG = /<(\/?)(table|tr|td|th)\b[^<>]{0,400}>/gi;
const INLINE = /(?:\s{0,40}<(?!\/?t[dhr]\b)[a-z][^<>]{0,100}>){0,4}/iy;
const RULE = /^:?-+:?$/;
const NUMBER =
  /^([\s*_$`]{0,8})([-−–]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+−]?\d+)?|[-−–]?(?:∞|inf|nan))[\s*_$`]*$/i;
/** A longer row is no table's. */
const LONGEST = 2000;

/** @param {string} text @param {number} at @param {boolean} comma
 * @returns {Cell | null} a number that is all of a table's cell */
function numberIn(text, at, comma) {
  const found = text.length > 60 ? null : NUMBER.exec(text);
  if (!found || (!comma && found[2].includes(','))) return null;
  return cellOf(found[2], at + found[1].length, comma);
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

/** @param {string} text @param {boolean} comma
 * @returns {Table[]} */
function markdown(text, comma) {
  /** @type {Table[]} */
  const tables = [];
  let at = 0;
  /** @type {{ at: number, line: string }[]} */
  let block = [];
  const finish = () => {
    const rule = block.findIndex(({ line }) => isRule(line));
    if (rule >= 0) {
      const body = block.slice(rule + 1);
      const rows = numbersOf(body.map((row) => cellsOfRow(row.line, row.at, comma)));
      const last = block[block.length - 1];
      if (rows) tables.push({ at: block[0].at, end: last.at + last.line.length, rows });
    }
    block = [];
  };
  for (const line of text.split('\n')) {
    if (line.length < LONGEST && line.includes('|')) block.push({ at, line });
    else finish();
    at += line.length + 1;
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

/** @param {string} line @param {number} at @param {boolean} comma */
function cellsOfRow(line, at, comma) {
  let from = at;
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
  /** @type {{ at: number, cells: (Cell | null)[][] } | null} */
  let open = null;
  for (const tag of text.matchAll(TAG)) {
    const [all, closing, name] = tag;
    const end = tag.index + all.length;
    const kind = name.toLowerCase();
    if (kind === 'table') {
      const rows = closing && open ? numbersOf(open.cells) : null;
      if (open && rows) tables.push({ at: open.at, end, rows });
      open = closing ? null : { at: tag.index, cells: [] };
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
  const at = end + (INLINE.exec(text)?.[0].length ?? 0);
  return numberIn(text.slice(at, at + 61).split('<', 1)[0], at, comma);
}

/** The tables of a text that hold nothing but numbers and headings, in its order.
 * @param {string} text @param {boolean} comma whether a comma stands before decimals
 * @returns {Table[]} */
export function tablesOf(text, comma) {
  const found = [...html(text, comma), ...(text.includes('|') ? markdown(text, comma) : [])];
  found.sort((a, b) => a.at - b.at);
  let end = 0;
  return found.filter((table) => {
    const isApart = table.at >= end;
    if (isApart) end = table.end;
    return isApart;
  });
}
