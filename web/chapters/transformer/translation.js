// The sentence and what becomes of it: how it is written, where we are in it, and which token may follow.
import { html, nothing } from 'lit';
import { lookup, percent, text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { Base } from '../../stage/elements/base.js';
import { changeCount } from '../../stage/elements/changes.js';
import { number } from '../../stage/telling/number.js';
import { candidatesAt } from './candidates.js';
import { numberField } from './number-field.js';
import { END, opening, TRANSLATOR, WAYS } from './state.js';
import { titleOf } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const WAY_TEXTS = {
  greedy: 'chapters/transformer/ways/greedy',
  sampled: 'chapters/transformer/ways/sampled',
  beam: 'chapters/transformer/ways/beam',
};

/** @type {Readonly<Record<string, string>>} */
const SETTING_TEXTS = {
  temperature: 'chapters/transformer/settings/temperature',
  topK: 'chapters/transformer/settings/topK',
  seed: 'chapters/transformer/settings/seed',
  beams: 'chapters/transformer/settings/beams',
};

/** @type {Readonly<Record<string, string>>} */
const STEP_TEXTS = {
  back: 'chapters/transformer/back',
  forward: 'chapters/transformer/forward',
};

/** @typedef {import('./translator.js').Reading} Reading */

/** Name, least, most, and step of each. @type {Record<string, [string, number, number, string][]>} */
const SETTINGS = {
  greedy: [],
  sampled: [
    ['temperature', 0.01, 100, 'any'],
    ['topK', 0, 1000000, '1'],
    ['seed', 0, 4294967295, '1'],
  ],
  beam: [['beams', 2, 16, '1']],
};
const SHOWN_TOKENS = 3;

export class Translation extends Base {
  static properties = {
    view: { attribute: false },
    subject: { attribute: false },
    reading: { attribute: false },
    blocks: { attribute: false },
    asked: { state: true },
    unfolded: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {any} a translator, or a checkpoint */
    this.subject = /** @type {any} */ (null);
    /** @type {Reading} */
    this.reading = /** @type {any} */ (null);
    /** @type {import('../../stage/draw/blocks.js').Block[]} */
    this.blocks = [];
    /** A sentence that waits: why its translation may be wrong, and the sentence that is shown meanwhile.
     * @type {{ text: string, doubt: string, shown: string } | null} */
    this.asked = null;
    /** Whether all is shown that can be chosen. */
    this.unfolded = false;
  }

  render() {
    const { state } = this.view;
    const changed = state.edits.length > 0 || state.remove.length > 0;
    return html`<div class="given">
        ${this.#form()} ${this.subject.writes ? this.#vocabulary() : nothing}
        <button
          class="fold"
          aria-expanded=${this.unfolded}
          @click=${() => {
            this.unfolded = !this.unfolded;
          }}
        >${text('chapters/transformer/options')}</button>
        <div class="controls ${this.unfolded || changed ? 'unfolded' : ''}">
          ${this.#blocks()} ${this.subject.writes ? this.#ways() : nothing}
          <button ?disabled=${!changed} @click=${() => this.act({ do: 'reset' })}>
            ${text('page/reset')}
          </button>
          ${changeCount(this.view)}
          <button @click=${() => this.dispatchEvent(new CustomEvent('gf-choose'))}>
            ${text('chapters/transformer/open')}
          </button>
          ${
            state.model === TRANSLATOR
              ? nothing
              : html`<button
                @click=${() => change(this, opening)}
              >${text('chapters/transformer/translator')}</button>`
          }
        </div>
      </div>
      ${this.#question()} ${this.reading.written ? this.#translation() : this.#tokens()}`;
  }

  /** Where the map is out of sight, a list of its blocks. */
  #blocks() {
    const { block } = this.view.state;
    return html`<label class="jump"
      >${text('chapters/transformer/block')}
      <select
        @change=${(/** @type {Event} */ event) =>
          this.#set({
            block: /** @type {HTMLSelectElement} */ (event.currentTarget).value,
            panel: 'stage',
            t: END,
            path: [],
            open: null,
          })}
      >
        ${this.blocks.map(
          (one) => html`<option value=${one.name} ?selected=${one.name === block}>
            ${titleOf(one)}
          </option>`,
        )}
      </select>
    </label>`;
  }

  /** The sentence, or the text of a checkpoint. */
  #form() {
    const { writes } = this.subject;
    return html`<form @submit=${this.#submit}>
      <label class="ask">
        <span class="hidden">${text(writes ? 'chapters/transformer/sentence' : 'chapters/transformer/text')}</span>
        <input
          name="text"
          lang=${writes ? 'fr' : nothing}
          autocomplete="off"
          spellcheck="false"
          maxlength="400"
          list=${writes ? 'gf-sentences' : nothing}
          .value=${this.view.state.text}
          required
          @input=${() => {
            this.asked = null;
          }}
        />
      </label>
      <datalist id="gf-sentences">
        ${lookup('chapters/transformer/sentences').map(
          (/** @type {string} */ sentence) => html`<option value=${sentence}></option>`,
        )}
      </datalist>
      <button class="main">${text(writes ? 'chapters/transformer/translate' : 'chapters/transformer/run')}</button>
    </form>`;
  }

  #vocabulary() {
    return html`<gf-vocabulary
      .entries=${this.subject.dictionary}
      .text=${this.view.state.text}
      @gf-say=${(/** @type {CustomEvent} */ { detail }) => {
        const input = /** @type {HTMLInputElement} */ (this.querySelector('input[name="text"]'));
        input.value = detail;
        this.#try(detail);
      }}
    ></gf-vocabulary>`;
  }

  /** Why the sentence that was asked for may be translated wrongly, before it is. */
  #question() {
    const { asked } = this;
    if (!asked || asked.shown !== this.view.state.text) return nothing;
    return html`<div class="doubt" role="alert">
      <p>${asked.doubt}</p>
      <button
        @click=${() => {
          this.asked = null;
          this.#set({ text: asked.text });
        }}
      >${text('chapters/transformer/anyway')}</button>
    </div>`;
  }

  /** How the next token is chosen. */
  #ways() {
    const { state } = this.view;
    return html`<label
        >${text('chapters/transformer/way')}
        <select
          @change=${(/** @type {Event} */ event) =>
            this.#set({ way: /** @type {HTMLSelectElement} */ (event.currentTarget).value })}
        >
          ${WAYS.map(
            (way) => html`<option value=${way} ?selected=${state.way === way}>
              ${text(WAY_TEXTS[way])}
            </option>`,
          )}
        </select>
      </label>
      ${SETTINGS[state.way].map((setting) => this.#setting(...setting))}
      <label>
        <input
          type="checkbox"
          .checked=${state.beside}
          @change=${() => this.#set({ beside: !state.beside })}
        />
        ${text('chapters/transformer/beside')}
      </label>`;
  }

  /** The model, and the tokens that it reads. */
  #tokens() {
    return html`<div class="translation">
      <b>${this.subject.name}</b>
      <ol class="plain" aria-label=${text('chapters/transformer/tokens')}>
        ${this.reading.sides.source.map((token) => html`<li>${token}</li>`)}
      </ol>
      ${this.#next()}
    </div>`;
  }

  /**
   * @param {string} name
   * @param {number} min
   * @param {number} max
   * @param {string} step
   */
  #setting(name, min, max, step) {
    return html`<label
      >${text(SETTING_TEXTS[name])}
      ${numberField({
        ...{ min, max, step, value: this.view.state[name] },
        set: (value) => this.#set({ [name]: value }),
      })}
    </label>`;
  }

  /** @param {Record<string, unknown>} change */
  #set(change) {
    this.act({ do: 'set', change });
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    this.#try(String(data.get('text')).trim());
  }

  /** Shows a text; one that the model was not made for waits until the reader wants it anyway.
   * @param {string} wanted */
  #try(wanted) {
    const shown = this.view.state.text;
    const doubt = wanted === shown || !this.subject.writes ? '' : this.subject.doubt(wanted);
    this.asked = doubt ? { text: wanted, doubt, shown } : null;
    if (!doubt) this.#set({ text: wanted });
  }

  #translation() {
    const written = /** @type {import('./translator.js').Written} */ (this.reading.written);
    const { tokens, intact, end, step, doubt, expected } = written;
    const { remove, edits } = this.view.state;
    const whole = remove.length === 0 && edits.length === 0;
    const names = tokens.map((id) => this.subject.vocabulary[id]);
    const places = end === null ? names : [...names, this.subject.vocabulary[end]];
    const go = (/** @type {number} */ to) => this.#set({ step: to });
    const last = Math.min(places.length - 1, this.subject.most - 1);
    const arrow = (/** @type {'back' | 'forward'} */ way, /** @type {number} */ to) =>
      html`<button
        class="turn"
        ?disabled=${to < 0 || to > last}
        aria-label=${text(STEP_TEXTS[way])}
        title=${text(STEP_TEXTS[way])}
        @click=${() => go(to)}
      >${way === 'back' ? '‹' : '›'}</button>`;
    return html`<div class="translation">
      <p lang="fr" class="source">${written.source}</p>
      <span aria-hidden="true">→</span>
      <ol aria-label=${text('chapters/transformer/written')}>
        ${places.map(
          (name, i) => html`<li>
            <button
              class=${i < step ? 'read' : i === step ? 'now' : 'later'}
              aria-current=${i === step ? 'step' : nothing}
              ?disabled=${i > last}
              title=${text('chapters/transformer/toStep', { n: i + 1 })}
              @click=${() => go(i)}
            >${name}</button>
          </li>`,
        )}
      </ol>
      <span class="arrows">${arrow('back', step - 1)}${arrow('forward', step + 1)}</span>
      ${this.#next()}
      ${
        remove.length > 0
          ? html`<p class="intact">
            ${text(
              same(tokens, intact) ? 'chapters/transformer/same' : 'chapters/transformer/instead',
              {
                translation: this.subject.say(intact),
              },
            )}
          </p>`
          : nothing
      }
      ${doubt ? html`<p class="unknown" role="status">${doubt}</p>` : nothing}
      ${
        whole && expected !== null && expected !== this.subject.say(tokens)
          ? html`<p class="expected">
            ${text('chapters/transformer/expected', { translation: expected })}
          </p>`
          : nothing
      }
    </div>`;
  }

  /** The likeliest tokens at this step. */
  #next() {
    const shares = this.view.trace.steps.find(({ name }) => name === 'probabilities');
    if (!shares || this.subject.model.config.kind === 'bert') return nothing;
    const best = candidatesAt(shares, [this.reading.own - 1], SHOWN_TOKENS);
    return html`<p class="next">
      ${text('chapters/transformer/next')}
      ${best.map(
        (cell) => html`<span
          ><b>${this.subject.vocabulary?.[cell.index[1]] ?? cell.index[1]}</b> ${number(cell, { shown: percent(cell.value) })}</span
        >`,
      )}
    </p>`;
  }
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
const same = (a, b) => a.join() === b.join();

customElements.define('gf-translation', Translation);
