// What an experiment found, as sheets: grids of numbers and sums of parts, written as a table, CSV or SVG.

import { csvOf } from '../js/base/csv.js';
import { rgbOf, SCALES } from '../js/base/palette.js';
import { exact, matrix, round, table } from './table.js';

/** @typedef {import('../lab/inside/index.js').Grid} Grid */
/** @typedef {import('./terminal.js').Look} Look */

/** Parts of a whole. @typedef {{ parts: { name: string, value: number }[], total: number, sum: number, bound?: number, remainder?: number }} Parts */
/** middle: the value without a colour, 0 by default.
 * @typedef {{ name: string, grid: Grid, middle?: number } | { name: string, sum: Parts }} Sheet */
/** Single values, told by name. @typedef {[name: string, value: string | number | boolean][]} Facts */

/** @param {number | null | undefined} value null: there is no such number */
const shown = (value) => (value === null || value === undefined ? '' : round(value));

/** @param {Grid} grid */
const aboutOf = ({ axes: [rows, columns], unit }) => `${rows.name} × ${columns.name}, ${unit}`;

/** @param {Sheet} sheet @param {Look} look
 * @returns {string[]} */
function linesOf(sheet, look) {
  if ('grid' in sheet) {
    const { axes, values } = sheet.grid;
    const [rows, columns] = axes;
    const title = `${look.bold(sheet.name)}  ${look.dim(aboutOf(sheet.grid))}`;
    const body = values.map((row) => columns.labels.map((_, j) => shown(row[j])));
    return [title, ...matrix(rows.labels, columns.labels, body, look)];
  }
  const { parts, total, sum, bound, remainder } = sheet.sum;
  const rest = bound === undefined ? [['remainder', shown(remainder)]] : [['bound', round(bound)]];
  return [
    look.bold(sheet.name),
    ...table([
      ...parts.map(({ name, value }) => [name, shown(value)]),
      ...[
        ['sum', exact(Math.fround(sum))],
        ['total', exact(Math.fround(total))],
      ],
      ...rest,
    ]),
  ];
}

/** @param {Facts} facts @param {readonly Sheet[]} sheets @param {Look} look */
export function asTable(facts, sheets, look) {
  const width = facts.reduce((most, [name]) => Math.max(most, name.length), 0);
  const factLines = facts.map(
    ([name, value]) => `${name.padEnd(width)}  ${typeof value === 'number' ? round(value) : value}`,
  );
  const parts = [factLines, ...sheets.map((sheet) => linesOf(sheet, look))];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** One line for each number.
 * @param {readonly Sheet[]} sheets */
export function asCsv(sheets) {
  const lines = sheets.flatMap((sheet) => {
    if ('sum' in sheet)
      return sheet.sum.parts.map(({ name, value }) => [sheet.name, name, '', value]);
    const [rows, columns] = sheet.grid.axes;
    return sheet.grid.values.flatMap((row, i) =>
      row.map((value, j) => [sheet.name, rows.labels[i], columns.labels[j], value ?? '']),
    );
  });
  return csvOf([['sheet', 'row', 'column', 'value'], ...lines]);
}

const CELL = { width: 54, height: 26 };
const LETTER_WIDTH = 7;
const GAP = 12;
const LINE = 20;

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @param {number} x @param {number} y @param {string} text @param {string} [anchor] */
const label = (x, y, text, anchor = 'start') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`;

/** From orange through white to blue, as in the page: colours that differ for every reader. `part` is -1 to 1.
 * @param {number} part */
function colour(part) {
  const far = SCALES.light.signed.at(part < 0 ? 0 : -1);
  return `rgb(${rgbOf(String(far)).map((end) => Math.round(255 + Math.abs(part) * (end - 255)))})`;
}

/** Dark cells have light numbers. @param {number} part */
const ink = (part) => (Math.abs(part) > 0.8 ? ' fill="#fff"' : '');

/** @param {readonly string[]} texts */
const widthOf = (texts) =>
  LETTER_WIDTH * texts.reduce((most, text) => Math.max(most, text.length), 0);

/** The largest number without its sign; of none, or of zeros, 1.
 * @param {readonly (number | null)[]} values */
const extentOf = (values) =>
  values.reduce((/** @type {number} */ most, x) => Math.max(most, Math.abs(x ?? 0)), 0) || 1;

/** What takes up so much room, from a height on.
 * @typedef {{ width: number, height: number, body: string }} Drawing */

/** @param {Grid} grid @param {number} top @param {number} [middle]
 * @returns {Drawing} */
function drawGrid({ axes, values }, top, middle = 0) {
  const [rows, columns] = axes;
  const left = widthOf(rows.labels) + GAP;
  const cell = Math.max(CELL.width, widthOf(columns.labels) + GAP);
  const most = extentOf(values.flat().map((value) => (value ?? middle) - middle));
  const head = columns.labels.map((text, j) =>
    label(left + (j + 0.5) * cell, top + LINE - 6, text, 'middle'),
  );
  const body = values.flatMap((row, i) => {
    const y = top + LINE + i * CELL.height;
    return [
      label(left - 6, y + 17, rows.labels[i], 'end'),
      ...row.map((value, j) => {
        const part = ((value ?? middle) - middle) / most;
        const x = left + j * cell;
        const centre = x + cell / 2;
        const number = `<text x="${centre}" y="${y + 17}" text-anchor="middle"${ink(part)}>${shown(value)}</text>`;
        return `<rect x="${x}" y="${y}" width="${cell}" height="${CELL.height}" fill="${colour(part)}" stroke="#ccc"/>${number}`;
      }),
    ];
  });
  return {
    width: left + columns.labels.length * cell,
    height: LINE + values.length * CELL.height,
    body: [...head, ...body].join('\n'),
  };
}

const BAR_LENGTH = 200;

/** @param {Parts} parts @param {number} top
 * @returns {Drawing} */
function drawSum({ parts, total, sum }, top) {
  const rows = [...parts, { name: 'sum', value: sum }, { name: 'total', value: total }];
  const left = widthOf(rows.map(({ name }) => name)) + GAP;
  const most = extentOf(rows.map(({ value }) => value));
  const middle = left + BAR_LENGTH;
  const body = rows.flatMap(({ name, value }, i) => {
    const [y, length] = [top + i * LINE, (Math.abs(value) / most) * BAR_LENGTH];
    const x = value < 0 ? middle - length : middle;
    return [
      label(left - 6, y + 14, name, 'end'),
      `<rect x="${x}" y="${y + 3}" width="${length}" height="${LINE - 6}" fill="${colour(Math.sign(value))}"/>`,
      label(middle + BAR_LENGTH + 6, y + 14, shown(value)),
    ];
  });
  return {
    width: middle + BAR_LENGTH + 10 * LETTER_WIDTH,
    height: rows.length * LINE,
    body: body.join('\n'),
  };
}

/** One picture of all sheets, one below the other.
 * @param {readonly Sheet[]} sheets */
export function asSvg(sheets) {
  let [width, top] = [0, GAP];
  const parts = [];
  for (const sheet of sheets) {
    const drawn =
      'grid' in sheet
        ? drawGrid(sheet.grid, top + LINE, sheet.middle)
        : drawSum(sheet.sum, top + LINE);
    const unit = 'grid' in sheet ? `${sheet.name}: ${aboutOf(sheet.grid)}` : sheet.name;
    parts.push(
      `<text x="${GAP}" y="${top + 12}" font-weight="bold">${escaped(unit)}</text>`,
      drawn.body,
    );
    width = Math.max(width, drawn.width, widthOf([unit]) + GAP);
    top += LINE + drawn.height + GAP;
  }
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + GAP} ${top}" width="${width + GAP}" height="${top}" font-family="sans-serif" font-size="12">`;
  return `${open}\n<rect width="100%" height="100%" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`;
}
