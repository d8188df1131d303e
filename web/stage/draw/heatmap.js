// A matrix as colours alone, on a canvas.
import { css, fill, ink } from './colour.js';
import { isBroken } from './tensor.js';

/**
 * @typedef {{
 *   rows: number, columns: number, width: number, height: number,
 *   at: (row: number, column: number) => number | null,
 *   scale: import('./colour.js').Scale, limit: number, theme: import('./colour.js').Theme,
 *   mark?: (row: number, column: number) => Mark | null,
 *   isAside?: (row: number) => boolean,
 * }} Heatmap
 * width and height are those of one cell in px; at() gives null for what is not known yet. isAside: what nothing takes is pale.
 * @typedef {'edited' | 'changed'} Mark as cells of numbers have them: a corner, a line below
 */

/** px that a cell has at least if a sign stands in it: which numbers are negative is told without colours, too. */
const MIN_SIGN_CELL = 9;

const PALE = 0.25;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Heatmap} map
 * @param {number} density device pixels per px
 */
export function drawHeatmap(canvas, map, density) {
  const { rows, columns, width, height } = map;
  const context = emptied(canvas, {
    width: Math.max(1, Math.round(columns * width * density)),
    height: Math.max(1, Math.round(rows * height * density)),
  });
  const edgeX = (/** @type {number} */ column) => Math.round(column * width * density);
  const edgeY = (/** @type {number} */ row) => Math.round(row * height * density);
  const gap = width >= 6 && height >= 6 ? 1 : 0;
  for (let row = 0; row < rows; row++) {
    context.globalAlpha = map.isAside?.(row) ? PALE : 1;
    for (let column = 0; column < columns; column++) {
      const value = map.at(row, column);
      if (value === null) continue;
      const [x, y] = [edgeX(column), edgeY(row)];
      const [w, h] = [edgeX(column + 1) - x - gap, edgeY(row + 1) - y - gap];
      const mark = map.mark?.(row, column);
      const cell = { x, y, w, h, least: density };
      if (value === Number.NEGATIVE_INFINITY || isBroken(value))
        hatch(context, x, y, w, h, isBroken(value), map.theme);
      else coloured(context, value, map, cell);
      if (mark) {
        context.fillStyle = inkOf(value, map);
        marked(context, mark, cell);
      }
    }
  }
}

/** @typedef {{ x: number, y: number, w: number, h: number, least: number }} Cell least: one px */

/** What is written in a cell. @param {number} value @param {Heatmap} map */
function inkOf(value, { scale, limit, theme }) {
  if (Number.isFinite(value)) return ink(fill(value, scale, limit, theme));
  return theme === 'dark' ? '#fff' : '#000';
}

/** Its colour, and its sign. @param {CanvasRenderingContext2D} context @param {number} value @param {Heatmap} map @param {Cell} cell */
function coloured(context, value, map, { x, y, w, h, least }) {
  const { scale, limit, theme, width, height } = map;
  context.fillStyle = css(fill(value, scale, limit, theme));
  context.fillRect(x, y, w, h);
  if (value >= 0 || scale !== 'signed' || Math.min(width, height) < MIN_SIGN_CELL) return;
  context.fillStyle = inkOf(value, map);
  context.fillRect(x + (w >> 2), y + (h >> 1), w >> 1, least);
}

/** To set its size styles and lays a canvas out anew, even to the same.
 * @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} size */
function emptied(canvas, { width, height }) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  if (canvas.width === width && canvas.height === height) context.clearRect(0, 0, width, height);
  else Object.assign(canvas, { width, height });
  return context;
}

/**
 * @param {CanvasRenderingContext2D} context in the ink of the cell
 * @param {Mark} mark
 * @param {Cell} cell
 */
function marked(context, mark, { x, y, w, h, least }) {
  if (mark === 'changed') {
    const line = Math.max(least, Math.round(h / 8));
    context.fillRect(x, y + h - line, w, line);
    return;
  }
  const corner = Math.max(2 * least, Math.round(Math.min(w, h) / 3));
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + corner, y);
  context.lineTo(x, y + corner);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {boolean} both ways
 * @param {import('./colour.js').Theme} theme
 */
function hatch(context, x, y, w, h, both, theme) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = theme === 'dark' ? '#777' : '#999';
  context.beginPath();
  for (let d = -h; d < w; d += 4) {
    context.moveTo(x + d, y + h);
    context.lineTo(x + d + h, y);
    if (!both) continue;
    context.moveTo(x + d, y);
    context.lineTo(x + d + h, y + h);
  }
  context.stroke();
  context.restore();
}
