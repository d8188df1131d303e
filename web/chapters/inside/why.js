// Why a head reads a word: its score there as a sum over pairs, a part of the query with a part of the key.
import { html, nothing } from 'lit';
import { display, full } from '../../draw/format.js';
import { text } from '../../locale/text.js';
import { signed } from './words.js';

/** @typedef {import('../../inside/experiments.js').Why} Why */
/** @typedef {import('../../../bindings/inside/index.js').Origin} Origin */

/** Pairs that are shown at first. */
const SHOWN = 6;

/**
 * @param {Why} why
 * @param {string} word that is read
 * @param {(part: Origin) => string} nameOf a part
 */
export function reason({ parts, queries, keys, sum, total, bound }, word, nameOf) {
  const sorted = [...parts].sort((x, y) => Math.abs(y.value) - Math.abs(x.value));
  const rest = sorted.slice(SHOWN);
  const row = (/** @type {Why['parts'][number]} */ { query, key, value }) => html`<tr>
    <th scope="row">${nameOf(queries[query])}</th>
    <td>${nameOf(keys[key])}</td>
    <td title=${full(value)}>${signed(value)}</td>
  </tr>`;
  const difference = Math.abs(sum - total);
  return html`<section class="why">
    <h3>${text('chapters/inside/why/title', { word })}</h3>
    <p class="quiet">${text('chapters/inside/why/about', { word })}</p>
    <table class="facts terms pairs">
      <thead>
        <tr>
          <th scope="col">${text('chapters/inside/why/query')}</th>
          <th scope="col">${text('chapters/inside/why/key')}</th>
          <th scope="col">${text('chapters/inside/opened/product')}</th>
        </tr>
      </thead>
      <tbody>${sorted.slice(0, SHOWN).map(row)}</tbody>
    </table>
    ${
      rest.length > 0
        ? html`<details>
            <summary>
              ${text('chapters/inside/opened/others', { n: rest.length, value: signed(rest.reduce((all, { value }) => all + value, 0)) })}
            </summary>
            <table class="facts terms pairs"><tbody>${rest.map(row)}</tbody></table>
          </details>`
        : nothing
    }
    <p class="total">${text('chapters/inside/why/all', { n: parts.length, value: signed(sum, { more: 2 }) })}</p>
    <p class="quiet ${difference <= bound ? 'holds' : 'fails'}">
      ${text('chapters/inside/why/check', {
        ...{ total: display(total, { more: 3 }), difference: display(difference) },
        bound: display(bound),
      })}
    </p>
  </section>`;
}
