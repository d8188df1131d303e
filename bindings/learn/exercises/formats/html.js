// What the formats that are HTML or XML inside have in common.

import { capitalised, equationOf, SUBSCRIPT } from './page.js';

/** @typedef {import('./page.js').Matrix} Matrix */
/** @typedef {import('./page.js').Cell} Cell */

export const XML = '<?xml version="1.0" encoding="UTF-8"?>';
export const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** Text that XML takes as it is. @param {string} text */
export const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** e^2, or e^(−1.5). */
const POWER = /\be\^(?:\(([^()]*)\)|([−-]?[\d.,]*\d))/g;

/** Text as HTML, with subscripts and powers of e. @param {string} text */
export const html = (text) =>
  escaped(text).replace(SUBSCRIPT, '$1<sub>$2</sub>').replace(POWER, 'e<sup>$1$2</sup>');

/** What a question shows before it asks: its task, and what is given.
 * @param {import('./page.js').Page} page @param {import('./page.js').SheetSpeech} speech */
export const introduction = (page, { words }) => [
  `<p>${html(page.task)} ${html(page.rounding)}</p>`,
  `<h4>${html(words.sheet.given)}</h4>`,
  ...(page.sizes ? [`<p>${html(page.sizes)}</p>`] : []),
  ...page.given.map((matrix) => table(matrix, ({ text }) => html(text))),
];

/** How to write answers to a platform that compares them with numbers.
 * @param {import('../problem/problem.js').Problem} problem @param {import('./page.js').SheetSpeech} speech */
export const writing = ({ solution }, { words: { sheet } }) => {
  const isMasked = Object.values(solution).some(({ value }) => value === -Infinity);
  return `<p>${html(sheet.plain)}${isMasked ? ` ${html(sheet.masked)}` : ''}</p>`;
};

/** The working of the cells that have one, as a list. @param {import('./page.js').Page} page */
export const workingList = ({ key }) => {
  const items = key.map(equationOf).filter(Boolean);
  return `<ul>${items.map((item) => `<li>${html(item)}</li>`).join('')}</ul>`;
};

/** @param {Matrix} matrix @param {(cell: Cell) => string} cell as HTML */
export const table = ({ title, symbol, rows, columns, cells }, cell) =>
  [
    '<table>',
    ...(title ? [`<caption>${html(capitalised(title))}</caption>`] : []),
    `<tr><th>${html(symbol)}</th>${columns.map((label) => `<th scope="col">${html(label)}</th>`).join('')}</tr>`,
    ...cells.map(
      (row, i) =>
        `<tr><th scope="row">${html(rows[i])}</th>${row.map((one) => `<td>${cell(one)}</td>`).join('')}</tr>`,
    ),
    '</table>',
  ].join('\n');
