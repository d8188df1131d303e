// The tokenizer looked into: how a word that is typed becomes tokens, step by step.
import { html, nothing } from 'lit';
import { brings, count, message, text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { Base } from '../../stage/elements/base.js';
import './chat.css';
import './cuts.css';

/** @type {Readonly<Record<string, string>>} */
const ABOUT_TEXTS = {
  merges: 'models/cuts/about/merges',
  scores: 'models/cuts/about/scores',
  longest: 'models/cuts/about/longest',
  path: 'models/cuts/about/path',
};

/** @type {Readonly<Record<string, string>>} */
const WHY_TEXTS = {
  scores: 'models/cuts/why/scores',
  longest: 'models/cuts/why/longest',
  path: 'models/cuts/why/path',
};

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?models',
    import: 'default',
    eager: true,
  }),
);

/** begins: the first text; about: the text of the sentence above it.
 * @typedef {{ cut: (typed: string, signal: AbortSignal) => Promise<Cut | null>, begins?: string, about?: string }} Subject */
/** @typedef {import('../../workers/reader/answers.js').Cut} Cut */

const MAX_WORD_LENGTH = 60;

export class Cuts extends Base {
  static properties = {
    subject: { attribute: false },
    cut: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    /** What cuts: a checkpoint of the reader's, or the table of an example, which says what to begin with.
     * @type {Subject} */
    this.subject = /** @type {any} */ (null);
    /** @type {Cut | null} */
    this.cut = null;
    this.failure = '';
    this.typed = '';
    /** Rows that were drawn: they may appear one after the other. */
    this.rows = 0;
    this.stop = new AbortController();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('subject')) this.#ask(this.subject.begins ?? text('models/cuts/word'));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.typed = '';
  }

  /** @param {string} typed */
  async #ask(typed) {
    this.typed = typed;
    try {
      const cut = typed === '' ? null : await this.subject.cut(typed, this.stop.signal);
      if (this.typed === typed) Object.assign(this, { cut, failure: '' });
    } catch (error) {
      if (this.typed === typed) Object.assign(this, { cut: null, failure: message(error) });
    }
  }

  render() {
    const { cut } = this;
    this.rows = 0;
    return html`<div class="panel cuts">
      <p class="prose">${cut ? text(this.subject.about ?? ABOUT_TEXTS[cut.way], { n: count(cut.known) }) : nothing}</p>
      <form class="controls" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
        <label class="message"
          ><span>${text('models/cuts/label')}</span>
          <input
            name="word"
            autocomplete="off"
            spellcheck="false"
            maxlength=${MAX_WORD_LENGTH}
            .value=${this.typed}
            @input=${(/** @type {Event} */ event) =>
              this.#ask(/** @type {HTMLInputElement} */ (event.currentTarget).value)}
          />
        </label>
      </form>
      <p class="quiet" role="status">${this.failure}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${text('models/cuts/steps')}>
        ${cut ? (cut.right ? cut.words.map((word) => this.#word(word)) : text('models/cuts/unlike')) : nothing}
      </div>
    </div>`;
  }

  /** @param {Cut['words'][number]} word */
  #word({ parts, steps, tokens }) {
    const { way, known: vocabulary } = /** @type {Cut} */ (this.cut);
    const why = (/** @type {number} */ n) =>
      way === 'merges'
        ? text('models/cuts/why/merges', { n: count(n), known: count(vocabulary) })
        : text(WHY_TEXTS[way], { n: way === 'longest' ? n : display(n) });
    const row = (
      /** @type {string[]} */ pieces,
      /** @type {number} */ made,
      /** @type {unknown} */ explanation,
    ) => html`<tr style="--row:${this.rows++}">
      <td>
        ${pieces.map((piece, i) => html`<span class="token ${i === made ? 'made' : ''}">${piece}</span>`)}
      </td>
      <td class="quiet">${explanation}</td>
    </tr>`;
    return html`<table class="facts">
      <tbody>
        ${row(parts, -1, text('models/cuts/begins'))}
        ${steps.map((step) => row(step.pieces, step.at, why(step.why)))}
        <tr class="result" style="--row:${this.rows++}">
          <td>
            ${tokens.map(({ token, id }) => html`<span class="token">${token}<sub>${id}</sub></span>`)}
          </td>
          <td class="quiet">${text('models/cuts/ends')}</td>
        </tr>
      </tbody>
    </table>`;
  }
}

customElements.define('gf-cuts', Cuts);
