// A block of numbers as people paste it: rows of a spreadsheet, of a text, of LaTeX, of NumPy, of JSON or MATLAB. Its cells stay
// texts, which read.js reads.

import { plainLatex } from './latex.js';
import { readNumber } from './read.js';

/** What stands around the numbers in LaTeX and NumPy.
 * @type {[RegExp, string][]} */
const NOTATIONS = [
  [/\\begin\{(?:[bpvBV]|small)?(?:matrix|array|tabular)\*?\}(?:\s*[{[][lcr|@ ]*[\]}])?/g, ''],
  [/\\end\{[^{}]*\}/g, ''],
  [/\\(?:hline|quad|qquad)(?![a-z])/g, ''],
  [/(?:(?:np|numpy|torch|jnp)\.)?(?:array|tensor|matrix)\s*\(/g, ''],
  [/,\s*(?:dtype|device|requires_grad)\s*=[^\n)]*/g, ''],
  [/\{/g, '['],
  [/\}/g, ']'],
];

const LINE = /\r\n|\r|\n/;
/** Between the head of a table of Markdown and its body. */
const RULE = /^[\s|:-]*-[\s|:-]*$/;
/** Signs around the numbers of a row. */
const AROUND = /^[\s[\]{}|&,;]+|[\s[\]{}|&,;\\]+$/g;
/** Brackets around a row, and not around one of its numbers. */
const IN_BRACKETS = /^\(([^()]*)\)?$/;
/** Separators of the numbers of a row in brackets. */
const INSIDE = /\s*[,&]\s*|\s+/;
/** Separators of the numbers of a row without, the surest first. */
const BETWEEN = [/\s*[|&;]\s*/, /,\s+/, /\s+/];
const NUMERIC = /[\d∞¼-¾]|inf/;

/** The rows of a pasted text, each with its cells: as many as the longest row of a spreadsheet has.
 * @param {string} text
 * @returns {string[][]} */
export function readBlock(text) {
  const pasted = text.replace(/[\r\n]+$/, '');
  if (pasted.includes('\t')) {
    const cells = pasted.split(LINE).map((line) => line.split('\t').map((cell) => cell.trim()));
    return withoutLabels(cells);
  }
  const plain = NOTATIONS.reduce((now, [sign, by]) => now.replace(sign, by), plainLatex(pasted));
  return rowsIn(plain).filter((row) => row.some(Boolean));
}

/** @param {string} plain
 * @returns {string[][]} */
function rowsIn(plain) {
  /* In brackets within brackets, a comma stands between numbers. */
  if (/\[[^\]]*\[/.test(plain)) {
    return Array.from(plain.matchAll(/\[([^[\]]*)\]/g), ([, row]) => cellsIn(row));
  }
  const all = plain.split(/\r\n|\r|\n|\\\\/);
  if (all.some((line) => line.includes('|') && RULE.test(line))) return tableIn(all);
  const lines = all.filter((line) => NUMERIC.test(line));
  if (lines.length === 1 && lines[0].includes(';')) {
    /* On one line it stands between rows: 1 0; 0 1. */
    return lines[0]
      .replace(/^\s*\((.*)\)\s*$/, '$1')
      .split(';')
      .map(cellsOf);
  }
  return lines.map((line) => (/^\s*\[/.test(line) ? cellsIn(line) : cellsOf(line)));
}

/** A table of Markdown without its words. @param {string[]} lines */
function tableIn(lines) {
  const rows = lines
    .filter((line) => line.includes('|') && !RULE.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim()),
    );
  const [head = [], ...behind] = rows;
  const body = head.every(isNumber) ? rows : behind;
  return body.some(([first]) => isNumber(first)) ? body : body.map((row) => row.slice(1));
}

/** Cells of a spreadsheet without a first row, and a first column, of words alone.
 * @param {string[][]} rows
 * @returns {string[][]} */
function withoutLabels(rows) {
  const areWords = (/** @type {string[]} */ cells) =>
    cells.length > 1 && cells.some(Boolean) && !cells.some(isNumber);
  const body = areWords(rows[0]) ? rows.slice(1) : rows;
  return areWords(body.map(([first]) => first)) ? body.map((row) => row.slice(1)) : body;
}

/** @param {string} line of numbers in brackets */
const cellsIn = (line) => line.replace(AROUND, '').split(INSIDE);

/** @param {string} line */
function cellsOf(line) {
  const bare = line.replace(AROUND, '');
  const plain = IN_BRACKETS.exec(bare)?.[1] ?? bare;
  for (const between of BETWEEN) {
    const cells = plain.split(between);
    if (cells.length > 1 && cells.every((cell) => NUMERIC.test(cell))) return cells;
  }
  /* 1,0,1 is no number; 1,5 is one. */
  const parts = plain.split(',');
  const isList = parts.length > 1 && !isNumber(plain) && parts.every(isNumber);
  return isList ? parts : [plain];
}

/** @param {string} text */
function isNumber(text) {
  const read = readNumber(text);
  return read !== null && 'value' in read;
}
