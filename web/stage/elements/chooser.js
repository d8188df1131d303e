// The choice of what a walkthrough shows, its source, and the form for the reader's sentence.
import { html, nothing } from 'lit';
import { ofExample, short, text } from '../../app/locale/text.js';
import { ViewElement } from './base.js';
import { changeCount } from './changes.js';
import './mismatches.js';
import { ALL_FIELDS } from './sentence.js';

const OWN = ' own';
/** Letters of what is chosen. */
const MAX_TITLE = 60;

export class Chooser extends ViewElement {
  static properties = {
    examples: { attribute: false },
    fields: { attribute: false },
    writing: { state: true },
  };

  constructor() {
    super();
    /** @type {Record<string, import('../../app/session.js').Example>} */
    this.examples = {};
    /** What the form for one's own sentence asks besides the words. */
    this.fields = ALL_FIELDS;
    /** Whether the form for one's own sentence is open. */
    this.writing = false;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('pointerdown', this.#outside, true);
  }

  /** While the form is open, a press anywhere else closes it. @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has('writing')) return;
    if (this.writing) addEventListener('pointerdown', this.#outside, true);
    else removeEventListener('pointerdown', this.#outside, true);
  }

  #outside = (/** @type {PointerEvent} */ event) => {
    if (!event.composedPath().includes(this)) this.writing = false;
  };

  render() {
    const { state, locked, isChanged: changed } = this.view;
    return html`
      ${Object.keys(this.examples).length > 0 && !locked('example') ? this.#select() : nothing}
      ${
        (state.sentence || state.matrices) && !locked('sentence')
          ? html`<button @click=${this.#write} aria-expanded=${this.writing}>
            ${text(state.matrices ? 'sentence/matrices' : 'sentence/label')}
          </button>`
          : nothing
      }
      <gf-mismatches .view=${this.view}></gf-mismatches>
      <button ?disabled=${!changed || locked('reset')} @click=${() => this.act({ do: 'reset' })}>
        ${text('page/reset')}
      </button>
      ${changeCount(this.view)}
      ${
        this.writing
          ? html`<gf-sentence
            .view=${this.view}
            .fields=${this.fields}
            @gf-close=${() => {
              this.writing = false;
            }}
          ></gf-sentence>`
          : nothing
      }
    `;
  }

  #write = () => {
    this.writing = !this.writing;
  };

  #select() {
    const { state } = this.view;
    const yours = state.sentence?.text ?? (state.matrices && this.view.example.title);
    const chosen = yours ? OWN : state.example;
    /* All of them come from here: Firefox keeps an option unselected that was there before its value. */
    const choices = Object.values(this.examples).map((example) => ({
      value: example.name,
      label: ofExample(example).title,
    }));
    choices.push({
      value: OWN,
      label: yours ? text('page/ownOf', { text: short(yours, MAX_TITLE) }) : text('page/own'),
    });
    return html`<label class="example"
      ><span class="hidden">${text('page/example')}</span>
      <select
        @change=${(/** @type {Event} */ event) => {
          const select = /** @type {HTMLSelectElement} */ (event.currentTarget);
          this.writing = select.value === OWN;
          if (select.value === OWN) select.value = chosen;
          else this.act({ do: 'example', name: select.value });
        }}
        .value=${chosen}
      >
        ${choices.map(
          ({ value, label }) =>
            html`<option value=${value} ?selected=${value === chosen}>${label}</option>`,
        )}
      </select>
    </label>`;
  }
}

customElements.define('gf-chooser', Chooser);
