// The model of the stories: a text, the river of the stream at its last word, the heads, and the sum that is checked.
import { html, nothing } from 'lit';
import { css, fill, ink } from '../../draw/colour.js';
import { display, full } from '../../draw/format.js';
import { Base } from '../../elements/base.js';
import { Experiments } from '../../inside/experiments.js';
import { csv, javascript } from '../../inside/take.js';
import { message, text } from '../../locale/text.js';
import { download } from '../../reader/download.js';
import './inside.css';
import { river } from './river.js';
import { EXAMPLES, headOf, MOST, VALUES } from './state.js';
import { say } from './words.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('../../inside/experiments.js').Told} Told */

/** What a part of the sum is called. @param {import('../../../bindings/inside/index.js').Origin} part */
function partName({ source, part, layer, head }) {
  if (source === 'position') return say('position');
  if (source === 'head') {
    return `${say('layer', { layer: Number(layer) })}, ${say('head', { head: Number(head) })}`;
  }
  const level = say(`levels/${part ?? 'final'}`, { layer: layer ?? 0 });
  return source === 'bias' ? say('bias', { level }) : level;
}

/** @param {string} name @param {string} text */
function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export class Inside extends Base {
  static properties = {
    session: { attribute: false },
    state: { attribute: false },
    theme: { attribute: false },
    model: { state: true },
    told: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** @type {Experiments | null} */
    this.model = null;
    /** @type {Told | null} */
    this.told = null;
    /** Why the last text has no result. */
    this.failure = '';
    /** What is being computed, or was. */
    this.asked = '';
    /** @type {Promise<void>} */
    this.computing = Promise.resolve();
  }

  connectedCallback() {
    super.connectedCallback();
    if (!this.model) this.#load();
  }

  /** Done once what is seen is what the state asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.computing;
    return done && !this.isUpdatePending;
  }

  #load = () => {
    this.computing = this.#open();
  };

  async #open() {
    try {
      const core = await import('../../inside/core.js');
      const bytes = await download(core.file);
      this.model = new Experiments(core, this.session.core, bytes);
    } catch {
      this.tell(text('page/notLoaded'), this.#load);
    }
  }

  willUpdate() {
    if (!this.model || !this.state) return;
    const { prompt, word, instead, off, value, other } = this.state;
    const key = JSON.stringify([prompt, word, instead, off, value, other]);
    if (key === this.asked) return;
    this.asked = key;
    this.computing = this.#compute(this.model, key, this.#question);
  }

  /** What the state asks for. @returns {import('../../inside/experiments.js').Asked} */
  get #question() {
    const { prompt, word, instead, off, value, other } = this.state;
    return { prompt, word, instead, off: off.map(headOf), other: value === 'story' ? other : null };
  }

  /**
   * @param {Experiments} model
   * @param {string} key
   * @param {import('../../inside/experiments.js').Asked} asked
   */
  async #compute(model, key, asked) {
    /** @type {Told | null} */
    let told = null;
    let failure = '';
    try {
      told = await model.run(asked);
    } catch (error) {
      failure = message(error);
    }
    if (key !== this.asked) return;
    this.failure = failure;
    if (told) this.told = told;
  }

  updated(/** @type {Map<PropertyKey, unknown>} */ changed) {
    if (!changed.has('told') || !this.told || !this.sight(this.told.tokens.join(' '))) return;
    /* The river is at the last word. */
    const view = this.querySelector('.inside .scroll');
    if (view) view.scrollLeft = view.scrollWidth;
  }

  /** @param {Partial<State>} change */
  #change(change) {
    this.dispatchEvent(
      new CustomEvent('gf-change', { detail: { change, undoable: true }, bubbles: true }),
    );
  }

  /** @param {string} head */
  #toggle = (head) => {
    const { off } = this.state;
    const left = off.filter((one) => one !== head);
    this.#change({ off: left.length < off.length ? left : [...off, head] });
  };

  /** @param {string} name */
  #begin(name) {
    const { prompt, instead, other } = EXAMPLES[/** @type {keyof typeof EXAMPLES} */ (name)];
    this.#change({ prompt, instead, other, word: '', off: [] });
  }

  // ---- What is seen ----

  render() {
    const { told, model, state } = this;
    if (!model || !state || (!told && !this.failure)) return nothing;
    return html`<div class="inside">
      <section class="reading" aria-label=${say('title')}>
        ${this.#shelf()}
        ${this.failure ? html`<p class="refused" role="alert">${this.failure}</p>` : nothing}
        ${
          told &&
          html`${
            told.unknown.length > 0
              ? html`<p class="refused">${say('unknown', { words: told.unknown.join(', ') })}</p>`
              : nothing
          }
            <p class="prose">${say('about', { word: told.word })}</p>
            ${river(told, new Set(state.off), this.#toggle)}`
        }
      </section>
      ${told && html`<aside>${this.#check(told)} ${this.#next(told)} ${this.#heads(told)} ${this.#take(told)}</aside>`}
    </div>`;
  }

  #shelf() {
    const { prompt, other, value } = this.state;
    return html`<div class="shelf">
        <div class="examples" role="group" aria-label=${say('examples')}>
          ${Object.keys(EXAMPLES).map(
            (name) => html`<button
              aria-pressed=${EXAMPLES[/** @type {keyof typeof EXAMPLES} */ (name)].prompt === prompt}
              @click=${() => this.#begin(name)}
            >${say(`kinds/${name}`)}</button>`,
          )}
        </div>
        ${this.#text('prompt', prompt)}
        ${value === 'story' ? this.#text('other', other) : nothing}
      </div>`;
  }

  /** @param {'prompt' | 'other'} name @param {string} written */
  #text(name, written) {
    return html`<label>
      <span class="label">${say(name === 'prompt' ? 'texts/prompt' : 'texts/second')}</span>
      <textarea
        rows="2"
        maxlength=${MOST.characters}
        spellcheck="false"
        .value=${written}
        @change=${(/** @type {Event} */ { currentTarget }) => {
          const { value } = /** @type {HTMLTextAreaElement} */ (currentTarget);
          this.#change({ [name]: value });
        }}
      ></textarea>
    </label>`;
  }

  /** The sum, and the number that it has to be. @param {Told} told */
  #check({ sum, word, instead }) {
    const rows = [
      ['sum', sum.sum],
      ['logit', sum.total],
      ['difference', Math.abs(sum.sum - sum.total)],
      ['bound', sum.bound],
    ];
    return html`<section>
      <h2 class="label">${say('check/title')}</h2>
      <div class="choices">
        ${this.#word('word', word)} ${this.#word('instead', instead)}
      </div>
      <table class="facts checked">
        ${rows.map(
          ([name, value]) => html`<tr>
            <th scope="row">${say(`check/${name}`, { n: sum.parts.length })}</th>
            <td title=${full(Number(value))}>${display(Number(value), { more: 2 })}</td>
          </tr>`,
        )}
      </table>
      <details>
        <summary>${say('parts', { n: sum.parts.length })}</summary>
        <table class="facts">
          ${sum.parts.map(
            ({ value, ...part }) => html`<tr>
              <th scope="row">${partName(part)}</th>
              <td title=${full(value)}>${display(value, { more: 2 })}</td>
            </tr>`,
          )}
        </table>
      </details>
    </section>`;
  }

  /** @param {'word' | 'instead'} name @param {string} used */
  #word(name, used) {
    const chosen = this.state[name];
    return html`<label>
      <span>${say(name)}</span>
      <select
        @change=${(/** @type {Event} */ { currentTarget }) =>
          this.#change({ [name]: /** @type {HTMLSelectElement} */ (currentTarget).value })}
      >
        <option value="" ?selected=${chosen === ''}>
          ${name === 'word' ? say('likeliest', { word: chosen === '' ? used : '…' }) : say('none')}
        </option>
        ${this.model?.words.map(
          (word) => html`<option value=${word} ?selected=${chosen === word}>${word}</option>`,
        )}
      </select>
    </label>`;
  }

  /** @param {Told} told */
  #next({ best }) {
    const { off } = this.state;
    const share = (/** @type {number} */ value) =>
      html`<td title=${full(value)}>
        <span class="bar" style="width: ${(100 * value).toFixed(1)}%"></span>${display(value)}
      </td>`;
    return html`<section>
      <h2 class="label">${say('next')}</h2>
      <table class="facts next">
        <thead>
          <tr>
            <th scope="col">${say('token')}</th>
            <th scope="col">${say('on')}</th>
            ${off.length > 0 ? html`<th scope="col">${say('off', { n: off.length })}</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${best.map(
            ({ word, before, after }) => html`<tr>
              <th scope="row">${word}</th>
              ${share(before)} ${off.length > 0 ? share(after) : nothing}
            </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  /** @param {Told} told */
  #heads({ alone, sum, after }) {
    const { off, value } = this.state;
    const limit = Math.max(...alone.flat().map((one) => Math.abs(one - sum.total)));
    return html`<section>
      <h2 class="label">${say('heads')}</h2>
      <p class="quiet">${say(`how/${value}`)}</p>
      <div class="choices" role="group" aria-label=${say('replacement')}>
        ${VALUES.map(
          (one) => html`<button
            aria-pressed=${one === value}
            @click=${() => this.#change({ value: /** @type {State['value']} */ (one) })}
          >${say(`values/${one}`)}</button>`,
        )}
      </div>
      <table class="alone">
        <thead>
          <tr>
            <td></td>
            ${alone[0].map((_, head) => html`<th scope="col">${say('head', { head })}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${alone.map(
            (row, layer) => html`<tr>
              <th scope="row">${say('layer', { layer })}</th>
              ${row.map((logit, head) => this.#head(layer, head, logit - sum.total, limit))}
            </tr>`,
          )}
        </tbody>
      </table>
      ${
        off.length > 0
          ? html`<p class="verdict" aria-live="polite">
              ${say('verdict', { n: off.length, before: display(sum.total), after: display(after) })}
            </p>`
          : nothing
      }
    </section>`;
  }

  /** @param {Told} told */
  #take(told) {
    /** @type {[string, string, () => string][]} */
    const files = [
      ['CSV', 'inside.csv', () => csv(told)],
      ['JavaScript', 'inside.mjs', () => javascript(this.#question, told)],
    ];
    return html`<section>
      <h2 class="label">${say('take')}</h2>
      <div class="choices">
        ${files.map(
          ([name, file, write]) =>
            html`<button @click=${() => save(file, write())}>${name}</button>`,
        )}
      </div>
    </section>`;
  }

  /** @param {number} layer @param {number} head @param {number} change of the logit @param {number} limit */
  #head(layer, head, change, limit) {
    const name = `${layer}.${head}`;
    const colour = fill(change, 'signed', limit, this.theme);
    const shown = `${change < 0 ? '−' : '+'}${display(Math.abs(change))}`;
    return html`<td>
      <button
        aria-pressed=${this.state.off.includes(name)}
        aria-label=${say('without', { head, layer, value: shown })}
        style="background: ${css(colour)}; color: ${ink(colour)}"
        @click=${() => this.#toggle(name)}
      >${shown}</button>
    </td>`;
  }
}

customElements.define('gf-stories', Inside);
