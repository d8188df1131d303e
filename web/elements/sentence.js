// The form for one's own sentence.
import { html } from 'lit';
import { text } from '../locale/text.js';
import { OPENING_SENTENCE } from '../walk.js';
import { Base } from './base.js';

export class SentenceForm extends Base {
  static properties = { view: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../view.js').View} */
    this.view = /** @type {any} */ (null);
  }

  render() {
    const now = this.view.state.sentence ?? {
      ...OPENING_SENTENCE,
      text: text('sentence/sample'),
    };
    const count = (/** @type {'dModel' | 'dK' | 'heads' | 'seed'} */ name, max = 64) =>
      html`<label
        >${text(`sentence/${name}`)}
        <input
          type="number"
          name=${name}
          min=${name === 'seed' ? 0 : 1}
          max=${max}
          .defaultValue=${String(now[name])}
          required
      /></label>`;
    const flag = (/** @type {'positions' | 'causal'} */ name) =>
      html`<label class="flag"
        ><input type="checkbox" name=${name} .defaultChecked=${now[name]} /> ${text(`sentence/${name}`)}</label
      >`;
    return html`<form @submit=${this.#submit} @keydown=${this.#key} aria-label=${text('sentence/label')}>
      <label class="wide"
        >${text('sentence/text')}
        <input name="text" autocomplete="off" .defaultValue=${now.text} required />
      </label>
      ${count('dModel')} ${count('dK')} ${count('heads', 12)} ${count('seed', 4294967295)}
      ${flag('positions')} ${flag('causal')}
      <button class="main">${text('sentence/show')}</button>
      <button type="button" @click=${this.#close}>${text('page/close')}</button>
      <p class="quiet">${text('sentence/hint')}</p>
    </form>`;
  }

  firstUpdated() {
    /** @type {HTMLInputElement | null} */ (this.querySelector('[name=text]'))?.focus();
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const count = (/** @type {string} */ name) => Number(data.get(name));
    this.act({
      do: 'sentence',
      sentence: {
        text: String(data.get('text')).trim(),
        dModel: count('dModel'),
        dK: count('dK'),
        heads: count('heads'),
        seed: count('seed'),
        positions: data.has('positions'),
        causal: data.has('causal'),
      },
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
