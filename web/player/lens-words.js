// The words that a row of an attention with two channels can point at, as bars of how likely each comes next.
import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { capital, language, text } from '../app/locale/text.js';
import { shortest } from '../stage/draw/format.js';
import { numberText } from './core.js';

/** @param {Pick<ReturnType<typeof import('./lenses.js').lensesOf>, 'corners' | 'likeliest' | 'others'>} lenses
 * @param {number} row @param {boolean} isShown whether they are known yet */
export const wordsOf = ({ corners, likeliest, others }, row, isShown) =>
  html`<ol class="next-words" aria-label=${text('lessons/lens/next')} data-title=${capital(text('lessons/map/sign/next'))}>
    ${corners.map((corner) => {
      const { word, id, probability } = corner;
      const share = isShown ? probability : 0;
      return html`<li class=${isShown && likeliest.includes(corner) ? 'most' : ''} style=${styleMap({ '--share': String(share) })}>
        <b>${word}</b><span class="bar"><i></i></span>
        <span class="number" data-node=${isShown ? 'probabilities' : nothing} data-index=${isShown ? `${row},${id}` : nothing} data-value=${isShown ? shortest(probability) : nothing}
          >${isShown ? numberText(probability, language(), 'percent') : ''}</span
        >
      </li>`;
    })}
    <li class="others" style=${styleMap({ '--share': String(isShown ? others.probability : 0) })}>
      <b>${text('lessons/lens/others', { n: others.count })}</b><span class="bar"><i></i></span>
      <span class="rest">${isShown ? numberText(others.probability, language(), 'percent') : ''}</span>
    </li>
  </ol>`;
