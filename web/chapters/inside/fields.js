// What the reader chooses: the texts, the word whose logit is explained, and the word to compare it with.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { EXAMPLES, MAX } from './state.js';

/** @type {Readonly<Record<string, string>>} */
const KIND_TEXTS = {
  objects: 'chapters/inside/kinds/objects',
  names: 'chapters/inside/kinds/names',
  pronouns: 'chapters/inside/kinds/pronouns',
  quotes: 'chapters/inside/kinds/quotes',
  phrases: 'chapters/inside/kinds/phrases',
};

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./experiment.js').Experiment} Experiment */
/** @typedef {import('./experiment.js').Whole} Whole */
/** @typedef {(change: Partial<State>) => void} Change */

const textOf = (/** @type {Event} */ { currentTarget }) =>
  /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ (currentTarget).value;

/**
 * @param {Experiment} experiment
 * @param {Whole | null} whole
 * @param {State} state
 * @param {{ change: Change, rewrite: Change }} actions rewrite: for another text
 */
export function fields(experiment, whole, state, { change, rewrite }) {
  const { prompt, other, model } = state;
  const examples = Object.entries(EXAMPLES).map(
    ([name, example]) => html`<button
      aria-pressed=${example.prompt === prompt && example.other === other}
      @click=${() => change({ ...example, word: '', off: [], from: [], open: '' })}
    >${text(KIND_TEXTS[name])}</button>`,
  );
  return html`<div class="shelf">
      ${
        model === ''
          ? html`<div class="examples" role="group" aria-label=${text('chapters/inside/examples')}>${examples}</div>`
          : html`<p class="own"><b>${experiment.own?.name}</b> <button @click=${experiment.toStories}>${text('chapters/inside/models/back')}</button></p>`
      }
      <div class="choices">
        ${wordField(experiment, 'word', whole?.word ?? '', state, change)}
        ${wordField(experiment, 'instead', whole?.instead ?? '', state, change)}
      </div>
      ${textField('prompt', prompt, rewrite)} ${textField('other', other, rewrite)}
    </div>`;
}

/** @param {'prompt' | 'other'} name @param {string} value @param {Change} rewrite */
const textField = (name, value, rewrite) => html`<label>
  <span class="label">${text(name === 'prompt' ? 'chapters/inside/texts/prompt' : 'chapters/inside/texts/second')}</span>
  <textarea
    rows="2"
    maxlength=${MAX.characters}
    spellcheck="false"
    .value=${value}
    @keydown=${(/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      /** @type {HTMLElement} */ (event.currentTarget).blur();
    }}
    @change=${(/** @type {Event} */ event) => rewrite({ [name]: textOf(event) })}
  ></textarea>
</label>`;

/** A word of a short list is chosen; one of many thousands is typed, with those that the model finds likely as suggestions.
 * @param {Experiment} experiment @param {'word' | 'instead'} name @param {string} used @param {State} state @param {Change} change */
function wordField({ model, result }, name, used, state, change) {
  const isWord = name === 'word';
  const chosen = state[name];
  const words = model?.words;
  const none = (/** @type {string} */ word) =>
    isWord ? text('chapters/inside/likeliest', { word }) : text('chapters/inside/none');
  const field = words
    ? html`<select @change=${(/** @type {Event} */ event) => change({ [name]: textOf(event) })}>
        <option value="" ?selected=${chosen === ''}>${none(chosen === '' ? used : '…')}</option>
        ${words.map((word) => html`<option value=${word} ?selected=${chosen === word}>${word}</option>`)}
      </select>`
    : html`<input
          size="10"
          maxlength=${MAX.word}
          spellcheck="false"
          list="inside-likely"
          .value=${chosen}
          placeholder=${none(used)}
          @change=${(/** @type {Event} */ event) => change({ [name]: textOf(event).trim() })}
        />
        ${
          isWord
            ? html`<datalist id="inside-likely">
                ${result?.best.map(({ word }) => html`<option value=${word}></option>`)}
              </datalist>`
            : nothing
        }`;
  return html`<label>
    <span>${text(isWord ? 'chapters/inside/word' : 'chapters/inside/instead')}</span>
    ${field}
  </label>`;
}
