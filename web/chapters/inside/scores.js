// Where heads attend: one number for each, in this text, in random tokens, or held against what other stories have decided.
import { html, nothing } from 'lit';
import { css, fill, ink } from '../../draw/colour.js';
import { display, full } from '../../draw/format.js';
import { SCORES } from './state.js';
import { say } from './words.js';

/** @typedef {import('../../inside/experiments.js').Scores} Scores */

/** A number for each head by layer, none where nothing in the text is asked about; what the whole of a colour stands for, and what a
 * head has that attends to all words alike.
 * @param {Scores} scored @param {string} score
 * @returns {{ rows: (number | null)[][], most: number, even: number | null }} */
function tableOf({ heads, tokens, jobs }, score) {
  if (jobs && score in jobs) {
    const { grid, even } = jobs[/** @type {keyof typeof jobs} */ (score)];
    return { rows: grid.values, most: 1, even };
  }
  /** @type {(number | null)[][]} */
  const rows = [];
  for (const head of heads) {
    rows[head.layer] ??= [];
    rows[head.layer][head.head] =
      head[/** @type {'previous' | 'first' | 'duplicate' | 'induction' | 'entropy'} */ (score)];
  }
  return { rows, most: score === 'entropy' ? Math.log(tokens) : 1, even: null };
}

/**
 * @param {Scores | null} scored
 * @param {Pick<import('./state.js').State, 'score' | 'model'>} state
 * @param {'light' | 'dark'} theme
 * @param {(score: string) => void} choose
 */
export function scores(scored, { score, model }, theme, choose) {
  const asked = Object.entries(SCORES).filter(([where]) => model === '' || where !== 'stories');
  const option = (/** @type {string} */ one) =>
    html`<option value=${one} ?selected=${one === score}>${say(`scores/names/${one}`)}</option>`;
  return html`<section class="scores">
    <h2 class="label">${say('scores/title')}</h2>
    <label>
      <span>${say('scores/label')}</span>
      <select
        @change=${(/** @type {Event} */ { currentTarget }) =>
          choose(/** @type {HTMLSelectElement} */ (currentTarget).value)}
      >
        <option value="" ?selected=${score === ''}>${say('scores/none')}</option>
        ${asked.map(
          ([where, all]) =>
            html`<optgroup label=${say(`scores/where/${where}`)}>${all.map(option)}</optgroup>`,
        )}
      </select>
    </label>
    ${score === '' ? nothing : shown(scored, score, theme)}
  </section>`;
}

/** @param {Scores | null} scored @param {string} score @param {'light' | 'dark'} theme */
function shown(scored, score, theme) {
  if (!scored) return html`<p class="quiet">${say('computing')}</p>`;
  const { rows, most, even } = tableOf(scored, score);
  const about = html`<p class="quiet">
    ${say(`scores/about/${score}`)}
    ${even === null ? nothing : say('scores/even', { value: display(even) })}
  </p>`;
  if (rows.flat().includes(null)) return html`${about}<p>${say('scores/nowhere')}</p>`;
  const numbers = /** @type {number[][]} */ (rows);
  const largest = Math.max(...numbers.flat());
  const cell = (/** @type {number} */ value) => {
    const colour = fill(value / most, 'probability', 1, theme);
    return html`<td
      class=${value === largest ? 'largest' : nothing}
      style="background: ${css(colour)}; color: ${ink(colour)}"
      title=${full(value)}
    >${display(value)}</td>`;
  };
  return html`${about}
    <table class="alone">
      <thead>
        <tr>
          <td></td>
          ${numbers[0].map((_, head) => html`<th scope="col">${say('head', { head })}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${numbers.map(
          (row, layer) => html`<tr>
            <th scope="row">${say('layer', { layer })}</th>
            ${row.map(cell)}
          </tr>`,
        )}
      </tbody>
    </table>`;
}
