// The form in which a reader writes a sentence.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { MAX } from '../../app/state/limits.js';
import { OPENING_SENTENCE } from '../../app/state/walk.js';
import { ViewElement } from './base.js';

/** @type {Readonly<Record<string, string>>} */
const SENTENCE_TEXTS = {
  dModel: 'sentence/dModel',
  dK: 'sentence/dK',
  heads: 'sentence/heads',
  seed: 'sentence/seed',
  positions: 'sentence/positions',
  causal: 'sentence/causal',
  wO: 'sentence/wO',
};

/** What may be chosen besides the words, and the highest number of each. */
const NUMBERS = { dModel: 64, dK: 64, heads: 12, seed: 2 ** 32 - 1 };
const FLAGS = ['positions', 'causal', 'wO'];
export const ALL_FIELDS = [...Object.keys(NUMBERS), ...FLAGS, 'matrices'];
/** Lines of the field for one's own matrices. */
const LINES = 4;

export class SentenceForm extends ViewElement {
  static properties = { fields: { attribute: false } };

  constructor() {
    super();
    /** Which of them this chapter leaves to the reader. */
    this.fields = ALL_FIELDS;
  }

  /** @returns {import('../../app/state/walk.js').Sentence} */
  get now() {
    return this.view.state.sentence ?? OPENING_SENTENCE;
  }

  render() {
    const now = /** @type {Record<string, any>} */ (this.now);
    const count = (/** @type {[string, number]} */ [name, max]) =>
      html`<label
        >${text(SENTENCE_TEXTS[name])}
        <input
          type="number"
          name=${name}
          min=${name === 'seed' ? 0 : 1}
          max=${max}
          .defaultValue=${String(now[name])}
          required
      /></label>`;
    const flag = (/** @type {string} */ name) =>
      html`<label class="flag"
        ><input type="checkbox" name=${name} .defaultChecked=${now[name]} /> ${text(SENTENCE_TEXTS[name])}</label
      >`;
    const isAsked = (/** @type {string | [string, number]} */ field) =>
      this.fields.includes(typeof field === 'string' ? field : field[0]);
    return html`<form @submit=${this.#submit} @keydown=${this.#key} aria-label=${text('sentence/label')}>
      <label class="wide"
        >${text('sentence/text')}
        <input
          name="text"
          autocomplete="off"
          maxlength=${MAX.text}
          .defaultValue=${now.text}
          required
        />
      </label>
      ${Object.entries(NUMBERS).filter(isAsked).map(count)} ${FLAGS.filter(isAsked).map(flag)}
      <p class="quiet">${text('sentence/hint')}</p>
      ${
        isAsked('matrices')
          ? html`<label class="matrices"
              >${text('sentence/matrices')}
              <textarea
                name="matrices"
                rows=${LINES}
                spellcheck="false"
                autocapitalize="off"
                placeholder="X = 1 0; 0 1&#10;W_Q = 1/2 0; 0 2"
                aria-describedby="matrices-read"
                .defaultValue=${this.view.state.matrices ?? ''}
              ></textarea>
              <span class="quiet" id="matrices-read">${text('sentence/reads')}</span></label
            >`
          : nothing
      }
      <button class="main">${text('sentence/show')}</button>
      <button type="button" @click=${this.#close}>${text('page/close')}</button>
    </form>`;
  }

  firstUpdated() {
    const first = this.view.state.matrices ? 'matrices' : 'text';
    /** @type {HTMLElement | null} */ (this.querySelector(`[name=${first}]`))?.focus();
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const matrices = String(data.get('matrices') ?? '').trim();
    if (matrices) {
      this.act({ do: 'matrices', matrices, done: this.#close });
      return;
    }
    const sizes = this.fields.filter((name) => name !== 'matrices');
    const chosen = sizes.map((name) => [
      name,
      FLAGS.includes(name) ? data.has(name) : Number(data.get(name)),
    ]);
    this.act({
      do: 'sentence',
      sentence: {
        ...this.now,
        ...Object.fromEntries(chosen),
        text: String(data.get('text')).trim(),
      },
      done: this.#close,
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.key === 'Escape') this.#close();
  }

  #close = () => this.dispatchEvent(new CustomEvent('gf-close'));
}

customElements.define('gf-sentence', SentenceForm);
