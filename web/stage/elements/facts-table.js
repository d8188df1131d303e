import { html, nothing } from 'lit';

/**
 * A table of facts, which scrolls where it is too wide.
 * @param {string} label
 * @param {unknown[]} columns their titles; null: none
 * @param {unknown} rows
 * @param {unknown} [foot]
 */
export const factsTable = (label, columns, rows, foot = nothing) => html`<div
  class="scroll"
  tabindex="0"
  role="group"
  aria-label=${label}
>
  <table class="facts">
    <thead>
      <tr>
        ${columns.map((title) => (title === null ? html`<td></td>` : html`<th scope="col">${title}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
    ${foot}
  </table>
</div>`;
