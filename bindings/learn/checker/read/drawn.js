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
/** What counts rows: Class 1, Zeile 2. */
const COUNTED =
  /^(?:row|class|token|position|zeile|klasse|ligne|classe|fila|clase|linha|riga|行|类别?) ?\d{1,2}$/i;
/** A line between rows. */
const RULE = /^[\s+\-|=─━┼├┤┌┐└┘┬┴│]+$/;
const REMARK = /^\s*[,;.]?\s*(?:(?:←|<-|#|\/\/|\(|⟵).*)?$/;
/** What names or computes a value of its own. */
const OWN = /[=≈→:]|->/;
/** What connects brackets, or names them. */
const SIGN = /[=≈→:×·*@+]|->|(?<= )x(?= )/g;
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

/** How many signs a line has beside its brackets. @param {Line} line */
const signsOf = ({ text }) => text.replace(BRACKETED, ' ').match(SIGN)?.length ?? 0;

/** The line that says what the brackets of a block are and what is computed: the one with the most, then with the most signs.
 * @param {Line[]} lines */
const axisOf = (lines) =>
  lines.reduce((best, line) => {
    const more = line.groups.length - best.groups.length || signsOf(line) - signsOf(best);
    return more > 0 ? line : best;
  });

/** The rows of each bracket of a block, those that begin below each other: brackets may differ in height.
 * @param {Line[]} lines @param {boolean} comma
 * @returns {Cell[][][] | null} null where a row stands below none */
function bracketsOf(lines, comma) {
  const axis = axisOf(lines);
  /** @type {Cell[][][]} */
  const brackets = axis.groups.map(() => []);
  const isOne =
    isSum(lines) || lines.every(({ groups, label }) => groups.length === 1 && isLabel(label));
  for (const line of lines) {
    for (const [n, { from }] of line.groups.entries()) {
      const isBelow = (/** @type {{ from: number }} */ other) => Math.abs(from - other.from) <= 1;
      const k = isOne ? 0 : axis.groups.findIndex(isBelow);
      if (k < 0) return null;
      brackets[k].push(cellsOf(line, n, comma));
    }
  }
  return brackets.every(isEven) ? brackets : null;
}

/** Whether all rows are as long. @param {Cell[][]} rows */
const isEven = (rows) => rows.every(({ length }) => length === rows[0].length);

/** Whether rows below each other are added up: + before each but the first, = before the last. @param {Line[]} lines */
const isSum = (lines) =>
  lines.every(({ label, groups }, i) => {
    const sign = label.trim();
    const isLast = sign === '=' && i > 1 && i === lines.length - 1;
    return groups.length === 1 && (isLast || (i ? /^[-−+]$/ : /^$/).test(sign));
  });

/** Whether a line may go on with the matrices that others begin. @param {Line[]} lines @param {Line} line @param {boolean} comma */
function goesOn(lines, line, comma) {
  const [first] = lines;
  if (line.bare !== first.bare) return false;
  if (line.bare)
    return (
      Boolean(first.label.trim()) === Boolean(line.label.trim()) &&
      isEven([cellsOf(first, 0, comma), cellsOf(line, 0, comma)])
    );
  const all = [...lines, line];
  if (isSum(all)) return bracketsOf(all, comma) !== null;
  const named = all.filter(({ label }) => !isLabel(label));
  const isNamedOnce = named.length === 0 || (named.length === 1 && named[0] === axisOf(all));
  return isNamedOnce && bracketsOf(all, comma) !== null;
}

/** Whether what stands before a row says which row it is, and is no name of a value. @param {string} label */
function isLabel(label) {
  const words = label.replace(/["'“”#|:]|^\s*[-*•]\s/g, ' ').trim();
  if (/[=≈→]|->/.test(label) || words.length > MAX_LABEL) return false;
  if (!words || COUNTED.test(words)) return true;
  return !(meaningOf(words, false) || /^\p{L}(?:[\d_]|$)/u.test(words) || /\d/.test(words));
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

/** Brackets below their names. @param {{ start: number, end: number }[]} captions @param {Cell[][][]} brackets @param {number} end
 * @returns {Table} */
function captioned(captions, brackets, end) {
  const pieces = captions.flatMap((caption, n) => [
    caption,
    { start: caption.end, end: caption.end, rows: brackets[n] },
  ]);
  return { start: captions[0].start, end, pieces };
}

/** The headings of columns in the line above a block. @param {Above} above @param {number} columns
 * @returns {Above[]} */
function headsOf({ text, start }, columns) {
  const plain = text.replace(/[|│┃#]|(?<=\p{L}):(?=\p{L})/gu, ' ');
  if (OWN.test(plain) || !/\p{L}/u.test(plain)) return [];
  for (const word of [/\S+(?:\s\S+)*/g, /\S+/g]) {
    const words = [...plain.matchAll(word)].map((one) => ({
      text: one[0],
      start: start + one.index,
    }));
    if (Math.abs(words.length - columns) < 2) return words;
  }
  return [];
}

/** Rows in columns without brackets. @param {Line[]} lines @param {boolean} comma @param {Above | null} above @param {number} end
 * @returns {Table | null} */
function columnsOf(lines, comma, above, end) {
  const [first] = lines;
  let rows = lines.map((line) => cellsOf(line, 0, comma));
  const width = rows[0].length;
  const heads = above ? headsOf(above, width) : [];
  const isIndexed =
    !first.label.trim() &&
    heads.length === width - 1 &&
    rows.every(([{ value }], i) => value === i + rows[0][0].value && Number.isInteger(value));
  if (isIndexed) rows = rows.map((row) => row.slice(1));
  const isPlain = !heads.length && !first.label.trim();
  if (isPlain && !/\s{2}|^[ \t]/.test(first.text.trimEnd())) return null;
  const start = above && heads.length ? above.start : first.start;
  const table = { start, end, pieces: [{ start, end, rows }] };
  if (heads.length < width || !first.label.trim()) return table;
  const corner = heads.length > width ? [] : [{ text: '', start }];
  const labelled = lines.map((line, i) => [{ text: line.label, start: line.start }, ...rows[i]]);
  return { ...table, parts: [[...corner, ...heads], ...labelled] };
}

/** Rows that are added up, each behind its sign. @param {Line[]} lines @param {boolean} comma @param {number} end
 * @returns {Table} */
function sumOf(lines, comma, end) {
  const pieces = lines.flatMap((line, i) => {
    const [start, { from, to }] = [line.start, line.groups[0]];
    const row = { start: start + from, end: start + to, rows: [cellsOf(line, 0, comma)] };
    return i ? [{ start, end: start + from }, row] : [row];
  });
  return { start: lines[0].start, end, pieces };
}

/** A block of lines as pieces: text before and between the groups, and their numbers.
 * @param {Line[]} lines @param {boolean} comma @param {Above | null} above
 * @returns {Table | null} */
function blockOf(lines, comma, above) {
  const [first] = lines;
  const last = lines[lines.length - 1];
  const end = last.start + last.groups[last.groups.length - 1].to;
  if (first.bare) return columnsOf(lines, comma, above, end);
  if (isSum(lines)) return sumOf(lines, comma, end);
  const brackets = bracketsOf(lines, comma) ?? [];
  const axis = axisOf(lines);
  const captions = captionsOf(above, axis);
  if (captions.length) return captioned(captions, brackets, end);
  const isNamed = OWN.test(axis.label);
  const hasHeads = above && headsOf(above, brackets[0][0].length).length;
  const start = !isNamed && hasHeads ? above.start : first.start;
  const pieces = brackets.flatMap((rows, n) => {
    const { from, to } = axis.groups[n];
    const before = n ? axis.groups[n - 1].to : 0;
    const numbers = { start: axis.start + from, end: axis.start + to, rows };
    return n || isNamed
      ? [{ start: axis.start + before, end: axis.start + from }, numbers]
      : [numbers];
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
    if (lines.length && !isRule && !(row && goesOn(lines, row, comma))) finish();
    if (row && !lines.length) above = before;
    if (row) lines.push(row);
    if (!isRule) before = row || !line.trim() ? null : { text: line, start };
    depth = depthAfter(depth, line);
    start += line.length + 1;
  }
  finish();
  return blocks;
}
