// What is trained: the task, the switch that B lacks, all settings, and files.
import { html, nothing } from 'lit';
import { count, text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { change } from '../../stage/elements/ask.js';
import { typeset } from '../../stage/telling/number.js';
import { command } from './command.js';
import { TrainingPart } from './part.js';
import {
  canLeave,
  conflictOf,
  MODEL,
  otherThanUsual,
  RANGES,
  settingsOf,
  switches,
  tasks,
} from './settings.js';
import { partOf } from './state.js';
import { SWITCH_WHAT_TEXTS } from './telling.js';

/** @type {Readonly<Record<string, string>>} */
const TASK_TITLE_TEXTS = {
  copy: 'chapters/training/tasks/copy/title',
  reverse: 'chapters/training/tasks/reverse/title',
  sort: 'chapters/training/tasks/sort/title',
  addition: 'chapters/training/tasks/addition/title',
  dates: 'chapters/training/tasks/dates/title',
  'french-english': 'chapters/training/tasks/french-english/title',
};

/** @type {Readonly<Record<string, string>>} */
const TASK_ABOUT_TEXTS = {
  copy: 'chapters/training/tasks/copy/about',
  reverse: 'chapters/training/tasks/reverse/about',
  sort: 'chapters/training/tasks/sort/about',
  addition: 'chapters/training/tasks/addition/about',
  dates: 'chapters/training/tasks/dates/about',
  'french-english': 'chapters/training/tasks/french-english/about',
};

/** @type {Readonly<Record<string, string>>} */
const SWITCH_CLAIM_TEXTS = {
  warmup: 'chapters/training/switches/warmup/claim',
  norm: 'chapters/training/switches/norm/claim',
  residual: 'chapters/training/switches/residual/claim',
  scale: 'chapters/training/switches/scale/claim',
  positions: 'chapters/training/switches/positions/claim',
  layers: 'chapters/training/switches/layers/claim',
  heads: 'chapters/training/switches/heads/claim',
  biases: 'chapters/training/switches/biases/claim',
  length: 'chapters/training/switches/length/claim',
  smoothing: 'chapters/training/switches/smoothing/claim',
  dropout: 'chapters/training/switches/dropout/claim',
  clip: 'chapters/training/switches/clip/claim',
};

/** @type {Readonly<Record<string, string>>} */
const SETUP_TEXTS = {
  training: 'chapters/training/setup/training',
  model: 'chapters/training/setup/model',
  heads: 'chapters/training/setup/heads',
  rotary: 'chapters/training/setup/rotary',
};

/** @type {Readonly<Record<string, string>>} */
const SETTING_HELP_TEXTS = {
  steps: 'chapters/training/settings/steps/help',
  tokens: 'chapters/training/settings/tokens/help',
  seed: 'chapters/training/settings/seed/help',
  schedule: 'chapters/training/settings/schedule/help',
  rate: 'chapters/training/settings/rate/help',
  warmup: 'chapters/training/settings/warmup/help',
  smoothing: 'chapters/training/settings/smoothing/help',
  dropout: 'chapters/training/settings/dropout/help',
  clip: 'chapters/training/settings/clip/help',
  dModel: 'chapters/training/settings/dModel/help',
  heads: 'chapters/training/settings/heads/help',
  dFF: 'chapters/training/settings/dFF/help',
  layers: 'chapters/training/settings/layers/help',
  positions: 'chapters/training/settings/positions/help',
};

/** @type {Readonly<Record<string, string>>} */
const SETTING_NAME_TEXTS = {
  steps: 'chapters/training/settings/steps/name',
  tokens: 'chapters/training/settings/tokens/name',
  seed: 'chapters/training/settings/seed/name',
  schedule: 'chapters/training/settings/schedule/name',
  rate: 'chapters/training/settings/rate/name',
  warmup: 'chapters/training/settings/warmup/name',
  smoothing: 'chapters/training/settings/smoothing/name',
  dropout: 'chapters/training/settings/dropout/name',
  clip: 'chapters/training/settings/clip/name',
  dModel: 'chapters/training/settings/dModel/name',
  heads: 'chapters/training/settings/heads/name',
  dFF: 'chapters/training/settings/dFF/name',
  layers: 'chapters/training/settings/layers/name',
  positions: 'chapters/training/settings/positions/name',
};

/** @type {Readonly<Record<string, string>>} */
const CHOICE_TEXTS = {
  noam: 'chapters/training/choices/noam',
  'inverse-sqrt': 'chapters/training/choices/inverse-sqrt',
  cosine: 'chapters/training/choices/cosine',
  linear: 'chapters/training/choices/linear',
  constant: 'chapters/training/choices/constant',
  sinusoidal: 'chapters/training/choices/sinusoidal',
  learned: 'chapters/training/choices/learned',
  rotary: 'chapters/training/choices/rotary',
  alibi: 'chapters/training/choices/alibi',
  none: 'chapters/training/choices/none',
};

/** @typedef {import('./settings.js').Settings} Settings */

export class Setup extends TrainingPart {
  render() {
    const { state } = this.now;
    return html`
      <div>
        <label class="field"
          >${text('chapters/training/setup/task')}
          <select @change=${this.#task}>
            ${tasks.map(
              (task) =>
                html`<option value=${task} ?selected=${task === state.task}>
                  ${text(TASK_TITLE_TEXTS[task])}
                </option>`,
            )}
          </select>
        </label>
        <p class="quiet">${text(TASK_ABOUT_TEXTS[state.task])}</p>
      </div>
      ${
        this.now.untouched
          ? html`<button class="unfold" @click=${() => command(this, 'unfold')}>${text('page/everything')}</button>`
          : html`<div>${this.#switch()}</div>
              <div>${this.#settings()}</div>`
      }
    `;
  }

  #settings() {
    const { made, side, sides } = this.now;
    return html`<details>
          <summary>${text('chapters/training/setup/settings')}</summary>
          ${this.#group(
            'training',
            /** @type {(keyof Settings)[]} */ (Object.keys(RANGES)).filter(
              (name) => !MODEL.includes(/** @type {any} */ (name)),
            ),
          )}
          ${this.#group('model', [...MODEL])}
        </details>
        ${made ? html`<p class="quiet">${text('chapters/training/setup/size', { n: count(made.size) })}</p>` : nothing}
        <div class="files">
          <button @click=${() => command(this, 'save')}>${sides.length > 1 ? text('chapters/training/setup/saveOf', { side: side.toUpperCase() }) : text('chapters/training/setup/save')}</button>
          <label class="button"
            >${text('chapters/training/setup/open')}
            <input type="file" class="hidden" accept=".safetensors" @change=${this.#open} />
          </label>
        </div>
        ${this.now.file ? html`<p class="quiet">${text('chapters/training/setup/file', { name: this.now.file.name })}</p>` : nothing}`;
  }

  #switch() {
    const { state, settings, file } = this.now;
    const off = state.off ?? '';
    const claim = { dk: settings.dModel / settings.heads };
    return html`<label class="field"
        >${text('chapters/training/setup/compare')}
        <select
          ?disabled=${file !== null}
          @change=${(/** @type {Event} */ event) =>
            change(
              this,
              {
                off: /** @type {HTMLSelectElement} */ (event.currentTarget).value || null,
                side: 'a',
              },
              { undoable: true },
            )}
        >
          <option value="" ?selected=${off === ''}>${text('chapters/training/setup/alone')}</option>
          ${switches.map(
            (name) => html`<option
              value=${name}
              ?selected=${off === name}
              ?disabled=${!canLeave(name, settingsOf({ ...state, off: name }))}
            >
              ${text('chapters/training/setup/without', { what: text(SWITCH_WHAT_TEXTS[name]) })}
            </option>`,
          )}
        </select>
      </label>
      ${off ? html`<p class="quiet">${typeset(text(SWITCH_CLAIM_TEXTS[off], claim))}</p>` : nothing}`;
  }

  /**
   * @param {string} title
   * @param {(keyof Settings)[]} names
   */
  #group(title, names) {
    return html`<fieldset ?disabled=${title === 'model' && this.now.file !== null}>
      <legend>${text(SETUP_TEXTS[title])}</legend>
      ${names.map((name) => this.#setting(name))}
    </fieldset>`;
  }

  /** @param {keyof Settings} name */
  #setting(name) {
    const range = RANGES[name];
    const value = this.now.settings[name];
    const take = (/** @type {Event} */ event) => this.#set(name, event);
    return html`<label class="field" title=${text(SETTING_HELP_TEXTS[name])}
      ><span>${typeset(text(SETTING_NAME_TEXTS[name]))}</span>
      ${
        'choices' in range
          ? html`<select @change=${take}>
              ${range.choices.map(
                (one) =>
                  html`<option value=${one} ?selected=${one === value}>${text(CHOICE_TEXTS[one])}</option>`,
              )}
            </select>`
          : html`<input
              type="number"
              min=${range.low}
              max=${range.high}
              step=${range.whole ? 1 : 'any'}
              .value=${String(value)}
              @change=${take}
            />`
      }
    </label>`;
  }

  /**
   * @param {keyof Settings} name
   * @param {Event} event
   */
  #set(name, event) {
    const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.currentTarget);
    const { state, settings } = this.now;
    const range = RANGES[name];
    try {
      const value = partOf(range).read(field.value.trim());
      const conflict = conflictOf({ ...settings, [name]: value });
      if (conflict) throw new RangeError(text(SETUP_TEXTS[conflict]));
      const chosen = otherThanUsual(state.task, { ...state.settings, [name]: value }, state.off);
      change(this, { settings: chosen, step: null }, { undoable: true });
    } catch (error) {
      const between =
        'low' in range
          ? text('chapters/training/setup/between', {
              low: bound(range.low),
              high: bound(range.high),
            })
          : '';
      const why =
        error instanceof RangeError && error.message !== field.value ? error.message : between;
      const values = { name: text(SETTING_NAME_TEXTS[name]), text: field.value, why };
      this.tell(text('chapters/training/setup/refused', values));
      field.value = String(settings[name]);
    }
  }

  /** @param {Event} event */
  #task(event) {
    const task = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
    const { off } = this.now.state;
    const kept = off && canLeave(off, settingsOf({ task, settings: {}, off })) ? off : null;
    change(
      this,
      { task, settings: {}, off: kept, step: null, pair: 0, row: 0, text: '', side: 'a' },
      { undoable: true },
    );
  }

  /** @param {Event} event */
  #open(event) {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const [file] = field.files ?? [];
    if (file) command(this, { open: file });
    /* The same file can be chosen again. */
    field.value = '';
  }
}

/** @param {number} value */
const bound = (value) => (Number.isInteger(value) ? String(value) : display(value));

customElements.define('gf-training-setup', Setup);
