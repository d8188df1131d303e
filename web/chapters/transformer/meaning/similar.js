// Similar words are closer: the tokens nearest to a word in the trained table, beside those in a table that nobody trained.
import { html } from 'lit';
import { text } from '../../../app/locale/text.js';
import { display } from '../../../stage/draw/format.js';
import { plain } from '../../../stage/telling/number.js';
import { nearest, sameKind } from './measures.js';
import { MeaningPart } from './part.js';
import { neighboursVerdict } from './verdicts.js';

const TOP = 8;
const TITLE_TEXTS = ['chapters/meaning/similar/trained', 'chapters/meaning/similar/untrained'];

/** @typedef {NonNullable<Awaited<ReturnType<typeof nearest>>>} Near */
/** @typedef {NonNullable<Awaited<ReturnType<typeof sameKind>>>} Kinds */
/** @typedef {{ near: [Near, Near], kinds: [Kinds, Kinds] | null }} Result */

/** @extends {MeaningPart<Result>} */
export class Similar extends MeaningPart {
  constructor() {
    super();
    /** Does not depend on the word. @type {{ key: string, kinds: [Kinds, Kinds] } | null} */
    this.counted = null;
  }

  /** The word of the state, if the model knows it. */
  get word() {
    const { word } = this.view.state;
    return this.subject.task.vocabulary.tokens.includes(word) ? word : 'noir';
  }

  get key() {
    return `${super.key} ${this.word}`;
  }

  /** @param {AbortSignal} signal @returns {Promise<Result>} */
  async measure(signal) {
    const [subject, untrained] = [this.subject, this.untrained].map((one) => ({ ...one, signal }));
    const near = await nearest(subject, this.word, TOP);
    const other = await nearest(untrained, this.word, TOP);
    const lists = /** @type {[Near, Near]} */ ([near, other]);
    const key = super.key;
    if (this.counted?.key === key) return { near: lists, kinds: this.counted.kinds };
    /* The lists need not wait for the rest. */
    this.result = { near: lists, kinds: null };
    const kinds = await sameKind(subject);
    const chance = await sameKind(untrained);
    this.counted = { key, kinds: [kinds, chance] };
    return { near: lists, kinds: [kinds, chance] };
  }

  /** @param {Event} event */
  #choose = ({ currentTarget }) => {
    const { value } = /** @type {HTMLInputElement} */ (currentTarget);
    const word = value.trim();
    if (this.subject.task.vocabulary.tokens.includes(word)) this.set({ word });
    else this.tell(text('chapters/meaning/similar/unknown', { word }));
  };

  render() {
    const { result, word } = this;
    return html`<p class="prose">${text('chapters/meaning/similar/about')}</p>
      <div class="controls">
        <label>${text('chapters/meaning/word')}
          <input list="gf-tokens" spellcheck="false" autocomplete="off" .value=${word} @change=${this.#choose} />
        </label>
        <datalist id="gf-tokens">
          ${this.subject.task.vocabulary.tokens.map((/** @type {string} */ token) => html`<option value=${token}></option>`)}
        </datalist>
        ${['noir', 'chat', 'reads', 'grand'].map(
          (one) => html`<button @click=${() => this.set({ word: one })}>${one}</button>`,
        )}
      </div>
      ${result ? html`<div class="pairs">${this.#lists(result.near)}</div>` : ''}
      ${result?.kinds ? this.#judged(result.kinds) : this.waiting()}`;
  }

  /** @param {Result['near']} near */
  #lists(near) {
    return near.map(
      (list, i) => html`<figure class="nearest">
        <h2 class="label">${text(TITLE_TEXTS[i])}</h2>
        <ol class="portions">
          ${list.map(
            ({ word, cosine }) => html`<li>
              <span>${word}</span>
              <i class="portion row${i}" style="--share:${Math.max(0, cosine)}"></i>
              ${plain(Math.fround(cosine))}
            </li>`,
          )}
        </ol>
      </figure>`,
    );
  }

  /** @param {[Kinds, Kinds]} kinds */
  #judged([trained, untrained]) {
    const shown = (/** @type {number} */ part) => display(Math.fround(100 * part), { decimals: 0 });
    const values = {
      n: trained.count,
      part: shown(trained.part),
      chance: shown(untrained.part),
    };
    return this.verdict(
      neighboursVerdict(trained.part, untrained.part),
      text('chapters/meaning/similar/why', values),
    );
  }
}

customElements.define('gf-similar', Similar);
