// Any step of a model is found by its name: what is typed may be a part of it.
import { html } from 'lit';
import { message, text } from '../../app/locale/text.js';
import { blockWith } from '../../stage/draw/blocks.js';
import { Base } from '../../stage/elements/base.js';
import './find.css';
import { END } from './state.js';

/** So many of the steps that fit are offered: a model of 30 layers has a thousand. */
const MAX_SUGGESTIONS = 12;

export class Find extends Base {
  static properties = {
    steps: { attribute: false },
    chapter: { attribute: false },
    typed: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/session.js').Step[]} */
    this.steps = [];
    /** @type {import('./element.js').Transformer} */
    this.chapter = /** @type {any} */ (null);
    this.typed = '';
  }

  render() {
    const value = (/** @type {Event} */ { currentTarget }) =>
      /** @type {HTMLInputElement} */ (currentTarget).value.trim();
    return html`<label>
        ${text('chapters/transformer/checkpoint/find')}
        <input
          type="search"
          name="step"
          list="steps-by-name"
          autocomplete="off"
          spellcheck="false"
          placeholder="layers.0 scores"
          @input=${(/** @type {Event} */ event) => {
            this.typed = value(event);
          }}
          @change=${(/** @type {Event} */ event) => this.#find(value(event))}
        />
      </label>
      <datalist id="steps-by-name">
        ${this.#fitting(this.typed).map((name) => html`<option value=${name}></option>`)}
      </datalist>`;
  }

  /** The first of the names that have all parts of what is typed. @param {string} typed */
  #fitting(typed) {
    const parts = typed.toLowerCase().split(/\s+/);
    /** @type {string[]} */
    const fitting = [];
    for (const { name } of this.steps) {
      if (fitting.length === MAX_SUGGESTIONS) break;
      if (parts.every((part) => name.toLowerCase().includes(part))) fitting.push(name);
    }
    return fitting;
  }

  /** Goes to the step of that name, or to the first one with all of its parts. What is given, as a weight is, is
   * shown where it is read.
   * @param {string} typed */
  #find(typed) {
    if (typed === '') return;
    const { blocks } = this.chapter;
    const whole = this.steps.some(({ name }) => name === typed);
    const name = whole ? typed : (this.#fitting(typed)[0] ?? typed);
    const block =
      blockWith(blocks, name) ??
      blocks.find(({ steps }) => steps.some(({ inputs }) => inputs.includes(name)));
    if (block) {
      this.act({ do: 'set', change: { block: block.name, t: END, path: [], open: null } });
    }
    try {
      this.chapter.visit(name);
    } catch (error) {
      return this.tell(message(error));
    }
    /* On a phone this is far below what is shown. */
    if (this.chapter.getBoundingClientRect().top < 0) this.chapter.scrollIntoView();
  }
}

customElements.define('gf-find', Find);
