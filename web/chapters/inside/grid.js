// A table of cells, with titles of its columns and rows.
import { html } from 'lit';

/**
 * @param {unknown[]} columns their titles
 * @param {{ title: unknown, cells: unknown[] }[]} rows
 * @param {string} [classes]
 */
export const grid = (columns, rows, classes = 'alone') => html`<table class=${classes}>
  <thead>
    <tr>
      <td></td>
      ${columns.map((title) => html`<th scope="col">${title}</th>`)}
    </tr>
  </thead>
  <tbody>
    ${rows.map(
      ({ title, cells }) => html`<tr>
        <th scope="row">${title}</th>
        ${cells}
      </tr>`,
    )}
  </tbody>
</table>`;
