// What is above an exercise: the choice of a problem, and the way to a text to be checked.
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { language, text } from '../../app/locale/text.js';
import { DIGITS, LARGEST_SEED, LEVELS, PANELS } from './state.js';

/** @type {Readonly<Record<string, string>>} */
const PANEL_TEXTS = {
  exercise: 'chapters/exercises/panels/exercise',
  text: 'chapters/exercises/panels/text',
};

/** @type {Readonly<Record<string, string>>} */
const LEVEL_TEXTS = {
  steps: 'chapters/exercises/levels/steps',
  faded: 'chapters/exercises/levels/faded',
  end: 'chapters/exercises/levels/end',
};

/** New numbers are drawn among these, which are short enough to be read aloud. */
const SEEDS = 9999;

/** @typedef {import('./state.js').State} State */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} Changed */

/** @param {string} label @param {[value: string | number, words: string][]} options
 * @param {string | number} chosen @param {(value: string) => void} choose */
const chooser = (label, options, chosen, choose) => html`<label
  >${label}
  <select @change=${(/** @type {Changed} */ { currentTarget }) => choose(currentTarget.value)}>
    ${options.map(
      ([value, words]) =>
        html`<option value=${value} ?selected=${value === chosen} .selected=${value === chosen}>${words}</option>`,
    )}
  </select></label
>`;

/** @param {import('./element.js').Exercises} element */
function problemChooser(element) {
  const { recipe } = element.state;
  const { recipes } = /** @type {import('./element.js').Engine} */ (element.engine);
  /** Another problem, which has no answers yet. @param {Partial<State>} change */
  const choose = (change) => element.change({ ...change, answers: [], checked: '' });
  /** Other numbers, in place of a teacher's matrices, too; a scale alone stays. @param {number} other */
  const draw = (other) =>
    choose({ seed: other, ...(element.posed.problem.indistinct && { numbers: '' }) });
  const unfold = () => {
    element.unfolded = !element.unfolded;
  };
  return html`<div class="controls">
    ${chooser(
      text('chapters/exercises/recipe'),
      recipes({ lang: language() }).map(({ name, title }) => [name, title]),
      recipe,
      (name) => choose({ recipe: name, numbers: '' }),
    )}
    <button @click=${() => draw(1 + Math.floor(Math.random() * SEEDS))}>${text('chapters/exercises/anew')}</button>
    <button aria-expanded=${element.unfolded} @click=${unfold}>${text('chapters/exercises/options')}</button>
    ${element.unfolded ? options(element, { choose, draw }) : nothing}
  </div>`;
}

/** How the problem is made. @param {import('./element.js').Exercises} element
 * @param {{ choose: (change: Partial<State>) => void, draw: (seed: number) => void }} actions */
function options(element, { choose, draw }) {
  const { level, seed, digits } = element.state;
  const chooseSeed = (/** @type {Changed} */ { currentTarget: { value } }) => {
    const number = Number(value);
    const fits =
      Number.isInteger(number) && number >= 0 && number <= LARGEST_SEED && value.trim() !== '';
    if (fits && number !== seed) draw(number);
    else element.requestUpdate();
  };
  return html`${chooser(
    text('chapters/exercises/level'),
    LEVELS.map((name) => [name, text(LEVEL_TEXTS[name])]),
    level,
    (name) => choose({ level: /** @type {State['level']} */ (name) }),
  )}
    ${chooser(
      text('chapters/exercises/digits'),
      DIGITS.map((n) => [n, n === 'auto' ? text('chapters/exercises/auto') : String(n)]),
      digits,
      (n) => choose({ digits: n === 'auto' ? n : Number(n) }),
    )}
    <label
      >${text('chapters/exercises/seed')}
      <input
        type="number"
        min="0"
        max=${LARGEST_SEED}
        .value=${live(String(seed))}
        @change=${chooseSeed}
    /></label>
    <gf-own-numbers-button .element=${element}></gf-own-numbers-button>`;
}

/** @param {import('./element.js').Exercises} element */
export const shelf = (element) => html`<div class="shelf">
  ${element.state.panel === 'exercise' ? problemChooser(element) : nothing}
  <div class="tabs" role="group" aria-label=${text('page/panels')}>
    ${PANELS.map(
      (panel) => html`<button
        aria-pressed=${panel === element.state.panel}
        @click=${() => element.change({ panel })}
      >${text(PANEL_TEXTS[panel])}</button>`,
    )}
  </div>
</div>`;
