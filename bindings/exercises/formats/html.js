// What the formats that are HTML inside have in common.

import { SUBSCRIPT } from './page.js';

/** @typedef {import('./page.js').Matrix} Matrix */
/** @typedef {import('./page.js').Cell} Cell */

/** Text that XML takes as it is. @param {string} text */
export const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Text as HTML, with subscripts. @param {string} text */
export const html = (text) => escaped(text).replace(SUBSCRIPT, '$1<sub>$2</sub>');

/** @param {Matrix} matrix @param {(cell: Cell) => string} cell as HTML */
export const table = ({ title, symbol, rows, columns, cells }, cell) =>
  [
    '<table>',
    ...(title ? [`<caption>${html(title)}</caption>`] : []),
    `<tr><th>${html(symbol)}</th>${columns.map((label) => `<th scope="col">${html(label)}</th>`).join('')}</tr>`,
    ...cells.map(
      (row, i) =>
        `<tr><th scope="row">${html(rows[i])}</th>${row.map((one) => `<td>${cell(one)}</td>`).join('')}</tr>`,
    ),
    '</table>',
  ].join('\n');
