// Where heads attend: one number for each, in this text, in random tokens, or held against what other stories have decided.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { css, fill, ink } from '../../stage/draw/colour.js';
import { display, full } from '../../stage/draw/format.js';
import { headBars } from '../../stage/elements/head-bars.js';
import { grid } from './grid.js';
import { SCORES } from './state.js';
import { numbered } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const NAME_TEXTS = {
  previous: 'chapters/inside/scores/names/previous',
  first: 'chapters/inside/scores/names/first',
  duplicate: 'chapters/inside/scores/names/duplicate',
  entropy: 'chapters/inside/scores/names/entropy',
  induction: 'chapters/inside/scores/names/induction',
  distance: 'chapters/inside/scores/names/distance',
  names: 'chapters/inside/scores/names/names',
  pronouns: 'chapters/inside/scores/names/pronouns',
  objects: 'chapters/inside/scores/names/objects',
  quotes: 'chapters/inside/scores/names/quotes',
  phrases: 'chapters/inside/scores/names/phrases',
};

/** @type {Readonly<Record<string, string>>} */
const WHERE_TEXTS = {
  text: 'chapters/inside/scores/where/text',
  random: 'chapters/inside/scores/where/random',
  stories: 'chapters/inside/scores/where/stories',
};

/** @type {Readonly<Record<string, string>>} */
const ABOUT_TEXTS = {
  previous: 'chapters/inside/scores/about/previous',
  first: 'chapters/inside/scores/about/first',
  duplicate: 'chapters/inside/scores/about/duplicate',
  entropy: 'chapters/inside/scores/about/entropy',
  induction: 'chapters/inside/scores/about/induction',
  distance: 'chapters/inside/scores/about/distance',
  names: 'chapters/inside/scores/about/names',
  pronouns: 'chapters/inside/scores/about/pronouns',
  objects: 'chapters/inside/scores/about/objects',
  quotes: 'chapters/inside/scores/about/quotes',
  phrases: 'chapters/inside/scores/about/phrases',
};

/** @type {Readonly<Record<string, string>>} */
const JOB_TEXTS = {
  holds: 'chapters/inside/scores/job/holds',
  partly: 'chapters/inside/scores/job/partly',
  fails: 'chapters/inside/scores/job/fails',
};

/** @type {Readonly<Record<string, string>>} */
const REACH_TEXTS = {
  holds: 'chapters/inside/scores/reach/holds',
  partly: 'chapters/inside/scores/reach/partly',
  fails: 'chapters/inside/scores/reach/fails',
};

/** @typedef {import('../../workers/inside/experiments.js').Scores} Scores */

/** What each head has of a measure in the stories; null of what is measured in the text alone.
 * @param {Scores} scored @param {string} score */
function storiesOf({ roles }, score) {
  const isFar = score === 'distance';
  if (!roles || (!isFar && !(score in roles.relations))) return null;
  const bars = roles.heads.map(({ layer, head, distance, relations }) => ({
    ...{ layer, head },
    value: isFar ? distance : relations[score].attention,
  }));
  return { bars, even: isFar ? roles.even.distance : roles.relations[score].even };
}

/** A number for each head by layer, null where the text has nothing of this kind.
 * @param {Scores} scored @param {'previous' | 'first' | 'duplicate' | 'induction' | 'entropy'} score */
function tableOf({ heads }, score) {
  /** @type {(number | null)[][]} */
  const rows = [];
  for (const head of heads) {
    rows[head.layer] ??= [];
    rows[head.layer][head.head] = head[score];
  }
  return rows;
}

/**
 * @param {Scores | null} scored
 * @param {Pick<import('./state.js').State, 'score' | 'model'>} state
 * @param {'light' | 'dark'} theme
 * @param {(score: string) => void} choose
 */
export function scores(scored, { score, model }, theme, choose) {
  const groups = Object.entries(SCORES).filter(([where]) => model === '' || where !== 'stories');
  const option = (/** @type {string} */ one) =>
    html`<option value=${one} ?selected=${one === score}>${text(NAME_TEXTS[one])}</option>`;
  return html`<section class="scores">
    <h2 class="label">${text('chapters/inside/scores/title')}</h2>
    <label>
      <span>${text('chapters/inside/scores/label')}</span>
      <select
        @change=${(/** @type {Event} */ { currentTarget }) =>
          choose(/** @type {HTMLSelectElement} */ (currentTarget).value)}
      >
        <option value="" ?selected=${score === ''}>${text('chapters/inside/scores/none')}</option>
        ${groups.map(
          ([where, all]) =>
            html`<optgroup label=${text(WHERE_TEXTS[where])}>${all.map(option)}</optgroup>`,
        )}
      </select>
    </label>
    ${score === '' ? nothing : shown(scored, score, theme)}
  </section>`;
}

/** What the bars are called. */
const NAMES = {
  layer: (/** @type {number} */ layer) => text('chapters/inside/layer', numbered({ layer })),
  head: (/** @type {number} */ head) => text('chapters/inside/head', numbered({ head })),
  even: (/** @type {string} */ value) => text('chapters/inside/scores/even', { value }),
};

/** What the stories say of the claim: that a head does this, or that later layers look farther.
 * @param {Scores} scored @param {string} score */
function saidOf({ roles }, score) {
  if (!roles) return nothing;
  const { reach, relations } = roles.verdicts;
  if (score === 'distance') return html`<b>${text(REACH_TEXTS[reach.says])}</b>`;
  const verdict = relations[score];
  if (!verdict) return nothing;
  const { largest } = roles.heads.filter(({ layer }) => layer === verdict.layer)[verdict.head]
    .relations[score];
  const percent = (/** @type {number} */ part) => Math.round(100 * part);
  return html`<b>${text(JOB_TEXTS[verdict.says])}</b> ${text('chapters/inside/scores/largest', {
    ...numbered(verdict),
    ...{ largest: percent(largest), fixed: percent(roles.relations[score].fixed) },
  })}`;
}

/** @param {Scores | null} scored @param {string} score @param {'light' | 'dark'} theme */
function shown(scored, score, theme) {
  if (!scored) return html`<p class="quiet">${text('chapters/inside/computing')}</p>`;
  const about = text(ABOUT_TEXTS[score]);
  const stories = storiesOf(scored, score);
  if (!stories) return html`<p class="quiet">${about}</p>${inText(scored, score, theme)}`;
  return html`<p class="quiet">
      ${about} ${score === 'distance' ? nothing : text('chapters/inside/scores/program')}
    </p>
    ${headBars({ ...stories, names: NAMES })}
    <p>${saidOf(scored, score)}</p>`;
}

/** @param {Scores} scored @param {string} score @param {'light' | 'dark'} theme */
function inText(scored, score, theme) {
  const rows = tableOf(scored, /** @type {any} */ (score));
  if (rows.flat().includes(null)) return html`<p>${text('chapters/inside/scores/nowhere')}</p>`;
  const numbers = /** @type {number[][]} */ (rows);
  const most = score === 'entropy' ? Math.log(scored.tokens) : 1;
  const largest = Math.max(...numbers.flat());
  const cell = (/** @type {number} */ value) => {
    const colour = fill(value / most, 'probability', 1, theme);
    return html`<td
      class=${value === largest ? 'largest' : nothing}
      style="background: ${css(colour)}; color: ${ink(colour)}"
      title=${full(value)}
    >${display(value)}</td>`;
  };
  return grid(
    numbers[0].map((_, head) => text('chapters/inside/head', numbered({ head }))),
    numbers.map((row, layer) => ({
      title: text('chapters/inside/layer', numbered({ layer })),
      cells: row.map(cell),
    })),
  );
}
