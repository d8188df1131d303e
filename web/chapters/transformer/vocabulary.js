// The words that the translator knows, by kind: each can be chosen, and goes to the end of a sentence.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { Sheet } from '../../stage/elements/sheet.js';
import './vocabulary.css';

/** @type {Readonly<Record<string, string>>} */
const KIND_TEXTS = {
  pronoun: 'chapters/transformer/vocabulary/kinds/pronoun',
  determiner: 'chapters/transformer/vocabulary/kinds/determiner',
  person: 'chapters/transformer/vocabulary/kinds/person',
  animal: 'chapters/transformer/vocabulary/kinds/animal',
  food: 'chapters/transformer/vocabulary/kinds/food',
  thing: 'chapters/transformer/vocabulary/kinds/thing',
  place: 'chapters/transformer/vocabulary/kinds/place',
  adjective: 'chapters/transformer/vocabulary/kinds/adjective',
  verb: 'chapters/transformer/vocabulary/kinds/verb',
  state: 'chapters/transformer/vocabulary/kinds/state',
  preposition: 'chapters/transformer/vocabulary/kinds/preposition',
  particle: 'chapters/transformer/vocabulary/kinds/particle',
};

/** @typedef {{ kind: string, source: string[], target: string[] }} Entry */

export class Vocabulary extends Sheet {
  static properties = {
    ...Sheet.properties,
    entries: { attribute: false },
    text: { attribute: false },
    sentence: { state: true },
  };

  constructor() {
    super();
    /** @type {Entry[]} */
    this.entries = [];
    /** The sentence that it begins with. */
    this.text = '';
    /** The sentence as it is made here. */
    this.sentence = '';
  }

  #show = () => {
    this.sentence = this.text;
    this.open = true;
  };

  render() {
    return html`<button type="button" @click=${this.#show}>${text('chapters/transformer/vocabulary/button')}</button>
      <dialog aria-labelledby="vocabulary-title" @close=${this.closed}>
        <h2 id="vocabulary-title" tabindex="-1" autofocus>${text('chapters/transformer/vocabulary/label')}</h2>
        ${this.open ? this.#sheet() : nothing}
      </dialog>`;
  }

  #sheet() {
    const kinds = [...new Set(this.entries.map(({ kind }) => kind))];
    return html`<form class="tools" @submit=${this.#submit}>
        <label>
          <span class="hidden">${text('chapters/transformer/sentence')}</span>
          <input
            lang="fr"
            autocomplete="off"
            spellcheck="false"
            maxlength="400"
            required
            .value=${this.sentence}
            @input=${(/** @type {Event} */ event) => {
              this.sentence = /** @type {HTMLInputElement} */ (event.currentTarget).value;
            }}
          />
        </label>
        <button class="main">${text('chapters/transformer/translate')}</button>
        <button type="button" ?disabled=${this.sentence === ''} @click=${this.#back}>
          ${text('chapters/transformer/vocabulary/back')}
        </button>
        <button type="button" @click=${() => this.dialog.close()}>${text('page/close')}</button>
      </form>
      <p class="quiet">${text('chapters/transformer/vocabulary/about')}</p>
      <p class="hidden" role="status">${text('chapters/transformer/vocabulary/say', { sentence: this.sentence })}</p>
      ${kinds.map((kind) => {
        const heading = text(KIND_TEXTS[kind]);
        const entries = this.entries.filter((entry) => entry.kind === kind);
        return html`<h3 class="label">${heading}</h3>
          <ul aria-label=${heading}>
            ${entries.map((entry) => this.#entry(entry))}
          </ul>`;
      })}`;
  }

  /** @param {Entry} entry */
  #entry({ source, target }) {
    const meaning = target.join(', ');
    return html`<li>
      ${source.map(
        (word) => html`<button
          type="button"
          lang="fr"
          aria-label=${text('chapters/transformer/vocabulary/add', { word, meaning })}
          @click=${() => this.#add(word)}
        >${word}</button>`,
      )}
      <span class="quiet" lang="en">${meaning}</span>
    </li>`;
  }

  /** @param {string} word */
  #add(word) {
    const before = this.sentence.trim();
    const gap = before === '' || before.endsWith("'") ? '' : ' ';
    this.sentence = `${before}${gap}${word}`;
  }

  #back = () => {
    this.sentence = this.sentence
      .trim()
      .replace(/(?<=^|[\s'])[^\s']+'?$/, '')
      .trim();
  };

  /** @param {SubmitEvent} event */
  #submit = (event) => {
    event.preventDefault();
    this.open = false;
    const detail = this.sentence.trim();
    this.dispatchEvent(new CustomEvent('gf-say', { detail }));
  };
}

customElements.define('gf-vocabulary', Vocabulary);
