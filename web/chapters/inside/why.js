// Why a head reads a word: its score there as a sum over pairs, a part of the query with a part of the key.
import { html } from 'lit';
import { text } from '../../app/locale/text.js';
import { display, full } from '../../stage/draw/format.js';
import { termsTable } from './terms.js';
import { signed } from './words.js';

/** @typedef {import('../../workers/inside/experiments.js').Why} Why */
/** @typedef {import('../../../bindings/lab/inside/index.js').Origin} Origin */

/**
 * @param {Why} why
 * @param {string} word that is read
 * @param {(part: Origin) => string} nameOf a part
 */
export function reason({ parts, queries, keys, sum, total, bound }, word, nameOf) {
  const row = (/** @type {Why['parts'][number]} */ { query, key, value }) => html`<tr>
    <th scope="row">${nameOf(queries[query])}</th>
    <td>${nameOf(keys[key])}</td>
    <td title=${full(value)}>${signed(value)}</td>
  </tr>`;
  const columns = [
    text('chapters/inside/why/query'),
    text('chapters/inside/why/key'),
    text('chapters/inside/opened/product'),
  ];
  const difference = Math.abs(sum - total);
  return html`<section class="why">
    <h3>${text('chapters/inside/why/title', { word })}</h3>
    <p class="quiet">${text('chapters/inside/why/about', { word })}</p>
    ${termsTable(parts, columns, row, 'facts terms pairs')}
    <p class="total">${text('chapters/inside/why/all', { n: parts.length, value: signed(sum, { more: 2 }) })}</p>
    <p class="quiet ${difference <= bound ? 'holds' : 'fails'}">
      ${text('chapters/inside/why/check', {
        ...{ total: display(total, { more: 3 }), difference: display(difference) },
        bound: display(bound),
      })}
    </p>
  </section>`;
}
