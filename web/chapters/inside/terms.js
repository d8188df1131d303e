// Terms of a sum by their size: the largest in a table, the others behind a line with their sum.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { signed } from './words.js';

/** Terms that are shown at first. */
const SHOWN_TERMS = 6;

/**
 * @template {{ value: number }} T
 * @param {readonly T[]} terms
 * @param {string[]} columns their titles
 * @param {(term: T) => unknown} row
 * @param {string} [classes]
 */
export function termsTable(terms, columns, row, classes = 'facts terms') {
  const sorted = terms.toSorted((x, y) => Math.abs(y.value) - Math.abs(x.value));
  const others = sorted.slice(SHOWN_TERMS);
  const value = others.reduce((sum, term) => sum + term.value, 0);
  return html`<table class=${classes}>
      <thead>
        <tr>${columns.map((title) => html`<th scope="col">${title}</th>`)}</tr>
      </thead>
      <tbody>${sorted.slice(0, SHOWN_TERMS).map(row)}</tbody>
    </table>
    ${
      others.length > 0
        ? html`<details>
            <summary>${text('chapters/inside/opened/others', { n: others.length, value: signed(value) })}</summary>
            <table class=${classes}><tbody>${others.map(row)}</tbody></table>
          </details>`
        : nothing
    }`;
}
