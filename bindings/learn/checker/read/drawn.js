// Matrices that plain text draws in lines: columns of numbers, rows with labels, brackets side by side.

import { meaningOf } from './names.js';
import { cellOf } from './number.js';

/** @typedef {import('./number.js').Cell} Cell */
/** @typedef {import('./tables.js').Table} Table */

const NUMBER = String.raw`[-−–]?(?:\d+(?:[.,]\d+)?|\.\d+|∞|inf|nan)(?:[eE][-+]?\d+)?%?`;
const NEXT = String.raw`(?:\s*[,;]\s+|\s*;\s*|\s+)`;
const ROW = `${NUMBER}(?:${NEXT}${NUMBER})*`;
const ALL = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,])${NUMBER}(?![\p{L}\p{N}_.,]*[\p{L}\p{N}])`,
  'giu',
);
/** A row in brackets, which may be those of a part of a large bracket. */
const BRACKETED = new RegExp(String.raw`[[⎡⎢⎣⎛⎜⎝│](\s*${ROW}\s*)[\]⎤⎥⎦⎞⎟⎠│]`, 'giu');
/** A row without brackets: a label of a few words, numbers, a remark. */
const BARE = new RegExp(
  String.raw`^([\s#]*(?:["'“]?\p{L}[\p{L}\p{M}\p{N}_'’\-]*(?::\p{L}[\p{L}\p{M}\p{N}_]*)?["'”]?(?: [\p{L}\p{M}'’\-]+){0,2}\s+)?)(${NUMBER}(?:(?:\s*[,;]\s+|\s+)${NUMBER})+)\s*(?:(?:←|<-|#|\/\/|\().*)?$`,
  'iu',
);
/** A line between rows. */
const RULE = /^[\s+\-|=─━┼├┤┌┐└┘┬┴│]+$/;
const REMARK = /^\s*[,;.]?\s*(?:(?:←|<-|#|\/\/|\(|⟵).*)?$/;
/** What names or computes a value of its own. */
const OWN = /[=≈→:]|->/;
/** Lines that other notations own. */
const OTHER = /\\\\|&|<\/?[a-z]|^\s*\|.*\|\s*$/i;
/** Behind the name of what is drawn below: its shape and a colon, or a sign. */
const CAPTION_END = /\s*(?:\(\d+\s?[×x]\s?\d+\)\s?[:=≈]|[=≈])\s*$/;
/** Characters of a line. */
const MAX_LINE = 300;
const MAX_LABEL = 24;

/** A line: its numbers in groups, and what stands before, between and behind them.
 * @typedef {{ start: number, text: string, groups: { from: number, to: number, inside: string, offset: number }[], label: string,
 *   bare: boolean }} Line */

/** The line above a block. @typedef {{ text: string, start: number }} Above */

/** How many brackets a line leaves open. @param {string} text */
const depthOf = (text) => (text.match(/\[/g)?.length ?? 0) - (text.match(/\]/g)?.length ?? 0);

/** How many are open behind a line; a paragraph's end closes all. @param {number} depth @param {string} line */
const depthAfter = (depth, line) => (line.trim() ? Math.max(0, depth + depthOf(line)) : 0);

/** @param {string} text @param {number} start
 * @returns {Line | null} null for a line that is no row */
function lineOf(text, start) {
  if (text.length > MAX_LINE || !/\d/.test(text)) return null;
  const groups = [...text.matchAll(BRACKETED)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    inside: match[1],
    offset: match.index + 1,
  }));
  if (groups.length) {
    const isNested = groups.some(
      ({ from, to }) => /[[\w)\]]$/.test(text.slice(0, from)) || /^\s*[\]]|^,/.test(text.slice(to)),
    );
    const computes = groups.some(
      ({ from }, n) => n > 0 && /[\d[]/.test(text.slice(groups[n - 1].to, from)),
    );
    const isWhole = REMARK.test(text.slice(groups[groups.length - 1].to));
    const label = text.slice(0, groups[0].from);
    return isNested || computes || !isWhole ? null : { start, text, groups, label, bare: false };
  }
  const plain = text.replace(/[|│┃]/g, ' ');
  const bare = OTHER.test(text) ? null : BARE.exec(plain);
  if (!bare) return null;
  const [, label, inside] = bare;
  const from = label.length;
  return {
    start,
    text,
    groups: [{ from, to: from + inside.length, inside, offset: from }],
    label: label.replace(/[#]/g, ' '),
    bare: true,
  };
}

/** @param {Line} line @param {number} n the group @param {boolean} comma
 * @returns {Cell[]} */
function cellsOf({ start, groups }, n, comma) {
  const { inside, offset } = groups[n];
  return [...inside.matchAll(ALL)].map((match) =>
    cellOf(match[0], start + offset + match.index, comma),
  );
}

/** Whether a line may go on with a matrix that the first begins. @param {Line} first @param {Line} line @param {boolean} comma */
function goesOn(first, line, comma) {
  if (line.bare !== first.bare || line.groups.length !== first.groups.length) return false;
  const widths = [first, line].map((one) =>
    one.groups.map((_, n) => cellsOf(one, n, comma).length),
  );
  if (widths[0].some((width, n) => width !== widths[1][n])) return false;
  if (line.bare) return Boolean(first.label.trim()) === Boolean(line.label.trim());
  /* Brackets side by side stand below each other. */
  const isBelow = line.groups.every(({ from }, n) => Math.abs(from - first.groups[n].from) <= 1);
  return isLabel(line.label) && (isBelow || (line.groups.length === 1 && isLabel(first.label)));
}

/** Whether what stands before a row says which row it is, and is no name of a value. @param {string} label */
function isLabel(label) {
  const words = label.replace(/["'“”#|:]/g, ' ').trim();
  if (/[=≈→]|->/.test(label) || words.length > MAX_LABEL) return false;
  return (
    !words || !(meaningOf(words, false) || /^\p{L}(?:[\d_]|$)/u.test(words) || /\d/.test(words))
  );
}

/** What the line above brackets calls them: Q (4×3):   K (4×3):, Scores = QK^T / 2 = @param {Above | null} above @param {Line} first
 * @returns {{ start: number, end: number }[]} */
function captionsOf(above, { label, groups }) {
  const parts = [...(above?.text ?? '').matchAll(/\S+(?: \S+)*/g)];
  const start = above?.start ?? 0;
  const names = parts.flatMap(({ 0: part, index }) => {
    const [end] = CAPTION_END.exec(part) ?? [];
    return end ? [{ start: start + index, end: start + index + part.length - end.length }] : [];
  });
  const isWhole = !label.trim() && names.length === parts.length;
  return isWhole && names.length === groups.length ? names : [];
}

/** Brackets below their names. @param {{ start: number, end: number }[]} captions @param {Cell[][][]} columns of each line
 * @param {number} end
 * @returns {Table} */
function captioned(captions, columns, end) {
  const pieces = captions.flatMap((caption, n) => [
    caption,
    { start: caption.end, end: caption.end, rows: columns.map((groups) => groups[n]) },
  ]);
  return { start: captions[0].start, end, pieces };
}

/** The headings of columns in the line above a block. @param {string} above @param {number} columns */
function headsOf(above, columns) {
  const plain = above.replace(/[|│┃#]|(?<=\p{L}):(?=\p{L})/gu, ' ');
  if (OWN.test(plain) || !/\p{L}/u.test(plain)) return [];
  for (const gap of [/\s{2,}/, /\s+/]) {
    const words = plain.trim().split(gap);
    if (words.length === columns || words.length === columns + 1 || words.length === columns - 1)
      return words;
  }
  return [];
}

/** A block of lines as pieces: text before and between the groups, and their numbers.
 * @param {Line[]} lines @param {boolean} comma @param {Above | null} above
 * @returns {Table | null} */
function blockOf(lines, comma, above) {
  const [first] = lines;
  const last = lines[lines.length - 1];
  const end = last.start + last.groups[last.groups.length - 1].to;
  const columns = lines.map((line) => line.groups.map((_, n) => cellsOf(line, n, comma)));
  if (first.bare) {
    let rows = columns.map(([cells]) => cells);
    const width = rows[0].length;
    const heads = above ? headsOf(above.text, width) : [];
    const isIndexed =
      !first.label.trim() &&
      heads.length === width - 1 &&
      rows.every(([{ value }], i) => value === i + rows[0][0].value && Number.isInteger(value));
    if (isIndexed) rows = rows.map((row) => row.slice(1));
    const isPlain = !heads.length && !first.label.trim();
    if (isPlain && !/\s{2}|^[ \t]/.test(first.text.trimEnd())) return null;
    const start = above && heads.length ? above.start : first.start;
    return { start, end, pieces: [{ start, end, rows }] };
  }
  const captions = captionsOf(above, first);
  if (captions.length) return captioned(captions, columns, end);
  const isNamed = OWN.test(first.label);
  const start = isNamed
    ? first.start
    : above && headsOf(above.text, columns[0][0].length).length
      ? above.start
      : first.start;
  const pieces = first.groups.flatMap((group, n) => {
    const [from, to] = [
      n ? first.groups[n - 1].to : first.label.length ? 0 : group.from,
      group.from,
    ];
    const rows = columns.map((groups) => groups[n]);
    const number = { start: first.start + group.from, end: first.start + group.to, rows };
    return n || isNamed ? [{ start: first.start + from, end: first.start + to }, number] : [number];
  });
  return { start, end, pieces };
}

/** A single row of numbers in columns, of which some have decimals: nothing says what they are. @param {Line[]} lines @param {boolean} comma
 * @returns {Table | null} */
function aloneOf(lines, comma) {
  const [line] = lines;
  if (!line?.bare || line.label.trim() || !/\d\s{2,}[-−]?\d/.test(line.text)) return null;
  const cells = cellsOf(line, 0, comma);
  const isList = cells.length > 2 && cells.some(({ unit }) => unit < 1);
  const start = line.start + line.groups[0].from;
  return isList ? { start, end: line.start + line.groups[0].to, pieces: [] } : null;
}

/** Matrices of rows in brackets that begin beside each other: Q = [[1, 0],   K = [[0, 1], */
const BESIDE = /[=:]\s*\[\[[^[\]]*\],?\]?\s{2,}\S.*[=:]\s*\[\[/;

/** A text without the outer brackets of such matrices: each row then stands alone, below the one before.
 * @param {string} text
 * @returns {string} as long as the text */
export function unnested(text) {
  let beside = 0;
  return text
    .split('\n')
    .map((line) => {
      const rows = line.match(/\[[^[\]]*\]/g)?.length ?? 0;
      if (line.length < MAX_LINE && BESIDE.test(line)) beside = rows;
      else if (rows !== beside) beside = 0;
      return beside > 1
        ? line.replace(/\[\[/g, ' [').replace(/\]\]/g, '] ').replace(/\],/g, '] ')
        : line;
    })
    .join('\n');
}

/** The matrices that the lines of a text draw.
 * @param {string} text @param {boolean} comma
 * @returns {Table[]} */
export function linesOfText(text, comma) {
  /** @type {Table[]} */
  const blocks = [];
  /** @type {Line[]} */
  let lines = [];
  /** @type {Above | null} */
  let above = null;
  let [start, depth] = [0, 0];
  /** @type {Above | null} */
  let before = null;
  const finish = () => {
    const block = lines.length > 1 ? blockOf(lines, comma, above) : aloneOf(lines, comma);
    if (block) blocks.push(block);
    lines = [];
  };
  for (const line of text.split('\n')) {
    const isRule = RULE.test(line) && line.trim() !== '';
    const row = depth === 0 && !isRule ? lineOf(line, start) : null;
    if (lines.length && !isRule && !(row && goesOn(lines[0], row, comma))) finish();
    if (row && !lines.length) above = before;
    if (row) lines.push(row);
    if (!isRule) before = row || !line.trim() ? null : { text: line, start };
    depth = depthAfter(depth, line);
    start += line.length + 1;
  }
  finish();
  return blocks;
}
