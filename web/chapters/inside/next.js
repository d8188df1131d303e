// The words that the model finds likeliest, before and after the changes.
import { html, nothing } from 'lit';
import { percent, text } from '../../app/locale/text.js';
import { display, full } from '../../stage/draw/format.js';

/** @param {import('./experiment.js').Whole} whole @param {boolean} isChanged @param {() => void} restore */
export function next({ best, says, sum, intact, word, instead }, isChanged, restore) {
  const probability = (/** @type {number} */ value) =>
    html`<td title=${full(value)}>
      <span class="bar" style="width: ${(100 * value).toFixed(1)}%"></span>${percent(value)}
    </td>`;
  const values = { word, says, before: display(intact.total), after: display(sum.total) };
  return html`<section>
    <h2 class="label">${text('chapters/inside/next')}</h2>
    <table class="facts next">
      <thead>
        <tr>
          <th scope="col">${text('chapters/inside/token')}</th>
          <th scope="col">${text(isChanged ? 'chapters/inside/before' : 'nouns/probabilities')}</th>
          ${isChanged ? html`<th scope="col">${text('chapters/inside/after')}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${best.map(
          ({
            word: one,
            before,
            after,
          }) => html`<tr class=${[word, instead, says].includes(one) ? 'named' : nothing}>
            <th scope="row">${one}</th>
            ${probability(before)} ${isChanged ? probability(after) : nothing}
          </tr>`,
        )}
      </tbody>
    </table>
    ${
      isChanged
        ? html`<p class="verdict" aria-live="polite">
              ${text(says === word ? 'chapters/inside/still' : 'chapters/inside/turned', values)}
            </p>
            <button @click=${restore}>${text('chapters/inside/restore')} <kbd>Esc</kbd></button>`
        : nothing
    }
  </section>`;
}
