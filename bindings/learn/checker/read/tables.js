// Tables of Markdown, HTML and plain text: their numbers as rows or, where headings name steps, as columns.

import { isPrinted } from '../../../js/number/judge.js';
import { linesOfText } from './drawn.js';
import { columnsOf, headingOf } from './headings.js';
import { meaningOf } from './names.js';
import { cellOf } from './number.js';

/** @typedef {import('./number.js').Cell} Cell */
/** @typedef {{ text: string, start: number }} Part of a row, in its place */

/** What stands in a table: text that is read as any other, or numbers; apart: it goes on with nothing before it; equals: what is
 * before it is equal to it.
 * @typedef {{ start: number, end: number, rows?: Cell[][], apart?: boolean, equals?: boolean }} Piece */

/** pieces: in the order in which they are read; none where a table has numbers that are not read; read: where that ends, if
 * numbers below are not.
 * @typedef {{ start: number, end: number, pieces: Piece[], read?: number, parts?: Part[][] }} Table parts: of one without bars that has
 *   headings, row by row */

const TAG = /<(\/?)(table|tr|td|th)\b[^<>]{0,400}>/gi;
const INLINE = /(?:\s{0,40}<(?!\/?t[dhr]\b)[a-z][^<>]{0,100}>){0,4}/iy;
const RULE = /^:?-+:?$/;
const NUMBER =
  /^((?:[\s*_$`]|\\\(){0,8})([-−–]?(?:\d{1,3}(?:[.,]\d{3}){2,}|\d+\{,\}\d+|\d+[.,]?\d*|[.,]\d+)(?:e[-+−]?\d+)?(?:\s?\\?%)?|[-−–]?(?:∞|inf|nan))(?:[\s*_$`]|\\\))*$/i;
const EQUALS = /[=≈]|\\approx/;
/** A row of numbers, perhaps in an equation. */
const ROW = /\[[^\]]*\d[^\]]*\]/;
/** A function of numbers: σ(0.2), e^2, \tanh(0.6). What stands in the next column is what it comes to. */
const OF_NUMBERS =
  /^[\s$`*]*(?:\\?(?:sigma|sigmoid|tanh|exp|ln|log|sqrt|sin|cos|softmax|relu|gelu)\b|[eσ√])[^=≈\p{L}]*\d[^=≈\p{L}]*$/iu;
/** A computation with rows of numbers: [4, 5] · [14, 4], [76, 67] / √2. */
const OF_ROWS = /^(?=.*(?:[·×*@/√+]|\\(?:cdot|times|sqrt)))[^=≈]*\[[^\]=≈]*\d[^=≈]*$/;
/** What heads the shapes of values, and not their numbers. */
const SHAPES =
  /\b(?:shapes?|dims?|dimensions?|sizes?|formen|tailles?|größen?|tamaños?)\b|形状|形狀|尺寸/iu;
/** A row of numbers, and nothing else. */
const VECTOR = /^[\s$*_`]*[[(]\s*([-−–\d.][-−–\d.,;\s]*[\d.])\s*[\])][\s$*_`]*$/;
/** What stands before the sums of columns. */
const TOTAL = /^\s*(?:sum|total|Σ|∑|somme|summe|suma)\s*$/i;
/** The heading of temperatures. */
const TEMPERATURE = /^[\s$*`\\]*(?:T|τ|tau|temperature)[\s$*`]*$/;
/** Characters of a row. */
const MAX_ROW = 2000;

/** @param {{ text: string }} part */
const isOfNumbers = ({ text }) => text.length < 80 && OF_NUMBERS.test(text);

/** Whether the next column has what a part comes to. @param {{ text: string }} part */
const isComputation = ({ text }) =>
  isOfNumbers({ text }) || (text.length < 80 && OF_ROWS.test(text) && !VECTOR.test(text));

/** @param {{ text: string }} part */
const isEquation = ({ text }) => EQUALS.test(text);

/** @param {Part} part @param {boolean} comma
 * @returns {Cell | null} a number that is all of a table's cell */
function numberIn({ text, start }, comma) {
  const match = text.length > 60 ? null : NUMBER.exec(text);
  if (!match || (!comma && /\d,\d{1,2}(?!\d)|\d,\d{4}/.test(match[2]))) return null;
  return cellOf(match[2], start + match[1].length, comma);
}

/** @param {Part} part @param {boolean} comma
 * @returns {Cell[] | null} a row of numbers that is all of a table's cell: [1, 0] */
function vectorIn({ text, start }, comma) {
  const match = text.length > MAX_ROW ? null : VECTOR.exec(text);
  if (!match) return null;
  const from = start + text.indexOf(match[1]);
  const parts = [...match[1].matchAll(comma ? /(?:[^\s;,]|,(?=\d))+/g : /[^\s;,]+/g)];
  const cells = parts.map((one) => numberIn({ text: one[0], start: from + one.index }, comma));
  return cells.length > 1 && cells.every((cell) => cell !== null) ? cells : null;
}

/** Whether columns with these headings are steps of one computation: score, weight. @param {string[]} heads */
const areSteps = (heads) => {
  /* One letter may head any column. */
  const words = heads.filter((head) => /\p{L}{3}|^\W*e\W*\^/u.test(head));
  const meanings = words.map((head) => meaningOf(head, false)).filter(Boolean);
  return meanings.length > 1 && new Set(meanings).size === meanings.length;
};

/** The cells of a table with formulas, each behind the heading of its column, or behind the computation before it.
 * @param {Part[][]} rows @param {(Cell | null)[][]} grid @param {Part[]} titles @param {boolean} comma
 * @returns {Piece[]} */
function formulasOf(rows, grid, titles, comma) {
  return rows.flatMap((row, i) =>
    row.flatMap((part, j) => {
      const title = titles[j];
      if (!/\d/.test(part.text) || !/\p{L}/u.test(title?.text ?? '')) return [];
      const cell = grid[i][j];
      /* A number alone may only count rows. */
      if (cell && j === 0) return [];
      const from = title.start + title.text.length;
      const before = row[j - 1];
      const cells = cell ? [cell] : vectorIn(part, comma);
      const areShapes = [title, titles[j - 1]].some((head) => SHAPES.test(head?.text ?? ''));
      if (cells && before && isComputation(before) && !areShapes) {
        const end = before.start + before.text.length;
        return [
          { start: before.start, end, apart: true },
          { start: end, end, rows: [cells] },
        ];
      }
      const heading = { start: title.start, end: from, apart: true };
      if (cell) return [heading, { start: from, end: from, rows: [[cell]] }];
      return [heading, { start: part.start, end: part.start + part.text.length, apart: true }];
    }),
  );
}

/** A table's rows: as they stand, as numbers, as rows of numbers; which of them have any; what stands above those.
 * @typedef {{ parts: Part[][], grid: (Cell | null)[][], vectors: (Cell[] | null)[][], body: number[], titles: Part[] }} Grid */

/** The columns of a table below their headings, if those are steps of one computation.
 * @param {Grid} table
 * @returns {Piece[] | null} */
function columnsIn({ parts, grid, vectors, body, titles }) {
  const width = parts[body[0]].length;
  const isEven = body.every((i) => grid[i].length === width);
  if (!isEven || titles.length !== width || body.length < 2) return null;
  const parted = partedIn(titles, vectors[body[0]], grid[body[0]]);
  const rowsOf = (/** @type {number} */ j) => {
    if (j === parted[0])
      return body.map((i) => parted.map((k) => /** @type {Cell} */ (grid[i][k])));
    const column = parted.includes(j) ? [] : body.flatMap((i) => grid[i][j] ?? []);
    const rows = body.flatMap((i) => (vectors[i][j] ? [vectors[i][j]] : []));
    const areRows = rows.every(({ length }) => length === rows[0].length);
    if (column.length === body.length) return [column];
    return rows.length === body.length && areRows ? rows : [];
  };
  const computed = titles.flatMap((title) => columnsOf(title, titles));
  const isCount = !computed.includes(titles[0]) && isIndex(body.map((i) => grid[i][0]));
  const named = titles.flatMap(({ text }, j) =>
    text.trim() && !(j === 0 && isCount) && rowsOf(j).length ? [j] : [],
  );
  const isOne =
    named.length === 1 &&
    width > 1 &&
    parts.slice(1).every((row) => row.every(({ text }, j) => j === named[0] || !/\d/.test(text)));
  const areColumns =
    isOne ||
    parted.length > 0 ||
    named.some((j) => vectors[body[0]][j]) ||
    areSteps(named.map((j) => titles[j].text)) ||
    computed.length > 0 ||
    areFactors(named.map(rowsOf));
  if (!areColumns) return null;
  return named.flatMap((j) => {
    const { start, text } = titles[j];
    const from = start + text.length;
    const heading = parted.includes(j)
      ? [{ start, end: start + stemOf(text).length }]
      : headingOf(titles[j], titles);
    return [...heading, { start: from, end: from, rows: rowsOf(j) }];
  });
}

/** A table from what stands in its rows, of which the first may have headings.
 * @param {Part[][]} parts @param {boolean} comma @param {number} start @param {number} end
 * @returns {Table | null} null without numbers */
export function tableOf(parts, comma, start, end) {
  const grid = parts.map((row) => row.map((part) => numberIn(part, comma)));
  /* Beside equations they are read as what those come to. */
  const hasEquations = parts.slice(1).some((row) => row.some(isEquation));
  const vectors = parts.map((row) =>
    row.map((part) => (hasEquations ? null : vectorIn(part, comma))),
  );
  const body = grid.flatMap((row, i) => ([...row, ...vectors[i]].some(Boolean) ? [i] : []));
  if (!body.length) return null;
  const last = parts[body[body.length - 1]];
  if (body.length > 2 && isTotal(last)) {
    const rest = tableOf(parts.slice(0, body[body.length - 1]), comma, start, end);
    return rest && { ...rest, read: last[0].start };
  }
  const titles = body[0] > 0 ? parts[body[0] - 1] : [];
  const width = parts[body[0]].length;
  const pieces = columnsIn({ parts, grid, vectors, body, titles });
  if (pieces) return { start, end, pieces };
  const isFormula = (/** @type {Part} */ { text }, /** @type {number} */ j) =>
    (j > 0 && (isEquation({ text }) || ROW.test(text))) || isOfNumbers({ text });
  if (parts.slice(1).some((row) => row.some(isFormula))) {
    return { start, end, pieces: formulasOf(parts.slice(1), grid.slice(1), parts[0], comma) };
  }
  const isIndexed = isIndex(body.map((i) => grid[i][0])) && titles.length === width - 1;
  const rows = body.map((i) => grid[i].slice(isIndexed ? 1 : grid[i].findIndex(Boolean)));
  const isWhole = rows.every((row) => row.length === rows[0].length && row.every(Boolean));
  if (isWhole)
    return { start, end, pieces: [{ start, end, rows: /** @type {Cell[][]} */ (rows) }] };
  return { start, end, pieces: [] };
}

/** What stands in a heading before the index of its letter: $p for $p_1$. @param {string} text */
const stemOf = (text) => /^[\s$*`]*\p{L}(?=_)/u.exec(text)?.[0] ?? '';

/** Columns that have the parts of one row, as another column has it whole: p_1, p_2 beside [2, 1]; or at a temperature.
 * @param {Part[]} titles @param {(Cell[] | null)[]} vectors @param {(Cell | null)[]} cells
 * @returns {number[]} */
function partedIn(titles, vectors, cells) {
  const stems = titles.map(({ text }, j) => (cells[j] ? stemOf(text) : ''));
  const first = stems.findIndex((stem, j) => stem && stem === stems[j + 1]);
  const parts = first < 0 ? [] : stems.flatMap((stem, j) => (stem === stems[first] ? [j] : []));
  const isSoftened = titles.some(({ text }) => TEMPERATURE.test(text));
  return isSoftened || vectors.some((row) => row?.length === parts.length) ? parts : [];
}

/** Whether each number of a column, but for one, is the product of those in two others. @param {Cell[][][]} columns */
const areFactors = (columns) =>
  columns.some(([product]) =>
    columns.some(([a], j) =>
      columns.slice(j + 1).some(([b]) => {
        const right = product.filter((cell, i) => isPrinted(cell, a[i].value * b[i].value));
        const telling = right.filter(({ value }) => !Number.isInteger(value));
        const isOther = product !== a && product !== b && telling.length > 2;
        return isOther && right.length > product.length - 2;
      }),
    ),
  );

/** Whether a row has the sums of those above it, of which some are left out. @param {Part[]} row */
const isTotal = ([first, ...others]) =>
  TOTAL.test(first.text.replace(/[*_]/g, '')) && others.some(({ text }) => !/\d/.test(text));

/** Whether numbers count rows. @param {(Cell | null)[]} cells */
const isIndex = (cells) =>
  cells.every((cell, i) => cell?.value === i + Number(cells[0]?.value === 1));

/** @param {string} text @param {boolean} comma
 * @returns {Table[]} */
function markdown(text, comma) {
  /** @type {Table[]} */
  const tables = [];
  let start = 0;
  /** @type {{ start: number, line: string }[]} */
  let block = [];
  const finish = () => {
    if (block.some(({ line }) => isRule(line))) {
      const rows = block.filter(({ line }) => !isRule(line));
      const last = block[block.length - 1];
      const end = last.start + last.line.length;
      const table = tableOf(rows.map(partsOf), comma, block[0].start, end);
      if (table) tables.push(table);
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
  const parts = partsOf({ line, start: 0 }).map(({ text }) => text.trim());
  return parts.some(Boolean) && parts.every((part) => !part || RULE.test(part));
};

/** What stands between the bars of a row, in its place. @param {{ line: string, start: number }} row
 * @returns {Part[]} */
function partsOf({ line, start }) {
  let from = start + (/^[ \t]{0,40}\|/.exec(line)?.[0].length ?? 0);
  const inside = line.slice(from - start).replace(/\|[ \t\r]{0,40}$/, '');
  return inside.split('|').map((text) => {
    const part = { text, start: from };
    from += text.length + 1;
    return part;
  });
}

/** @param {string} text @param {boolean} comma
 * @returns {Table[]} */
function html(text, comma) {
  /** @type {Table[]} */
  const tables = [];
  /** @type {{ start: number, rows: Part[][] } | null} */
  let open = null;
  for (const tag of text.matchAll(TAG)) {
    const [all, closing, name] = tag;
    const end = tag.index + all.length;
    const kind = name.toLowerCase();
    if (kind === 'table') {
      const table = closing && open ? tableOf(open.rows, comma, open.start, end) : null;
      if (table) tables.push(table);
      open = closing ? null : { start: tag.index, rows: [] };
    } else if (open && !closing) {
      if (kind === 'tr') open.rows.push([]);
      else open.rows.at(-1)?.push(partBehind(text, end));
    }
  }
  return tables;
}

/** What stands behind a cell's tag, in bold perhaps. @param {string} text @param {number} end
 * @returns {Part} */
function partBehind(text, end) {
  INLINE.lastIndex = end;
  const start = end + (INLINE.exec(text)?.[0].length ?? 0);
  return { text: text.slice(start, start + 61).split('<', 1)[0], start };
}

/** What R prints: [1] 0.09 0.91, or rows of a matrix. */
const OF_R = /^(?:[ \t]*#+>?)?[ \t]*\[(\d{1,5})(,?)\][ \t]+([-\d.][-+.\de \t]*)$/gm;

/** @param {string} text
 * @returns {Table[]} */
function outputsOfR(text) {
  /** @type {(Table & { isMatrix: boolean, rows: Cell[][] })[]} */
  const tables = [];
  for (const { 0: line, 1: index, 2: comma, 3: numbers, index: start } of text.matchAll(OF_R)) {
    const from = start + line.length - numbers.length;
    const cells = [...numbers.matchAll(/\S+/g)].map((one) =>
      cellOf(one[0], from + one.index, false),
    );
    const last = tables.at(-1);
    const end = start + line.length;
    if (index !== '1' && last && text.slice(last.end, start) === '\n') {
      if (last.isMatrix) last.rows.push(cells);
      else last.rows[0].push(...cells);
      last.end = end;
    } else {
      const rows = [cells];
      const isMatrix = comma === ',';
      tables.push({ start, end, isMatrix, rows, pieces: [{ start: from, end: from, rows }] });
    }
  }
  return tables;
}

/** A table without bars as columns, if those are steps. @param {Table} table @param {boolean} comma */
function stepsIn({ parts, start, end }, comma) {
  const table = parts ? tableOf(parts, comma, start, end) : null;
  return table?.pieces[0] && !table.pieces[0].rows ? table : null;
}

/** The tables of a text, in its order.
 * @param {string} text @param {boolean} comma whether a comma stands before decimals
 * @returns {Table[]} */
export function tablesOf(text, comma) {
  const tables = [
    ...html(text, comma),
    ...(text.includes('|') ? markdown(text, comma) : []),
    ...outputsOfR(text),
    ...linesOfText(text, comma).map((table) => stepsIn(table, comma) ?? table),
  ];
  tables.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return tables.filter((table) => {
    const isApart = table.start >= end;
    if (isApart) end = table.end;
    return isApart;
  });
}
