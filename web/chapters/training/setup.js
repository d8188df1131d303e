// What is trained: the task, the switch that B lacks, all settings, and files.
import { html, nothing } from 'lit';
import { display } from '../../draw/format.js';
import { Base } from '../../elements/base.js';
import { count } from '../../locale/text.js';
import { typeset } from '../../telling/number.js';
import { change, command } from './ask.js';
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
import { say } from './words.js';

/** @typedef {import('./settings.js').Settings} Settings */

export class Setup extends Base {
  static properties = { now: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./element.js').Now} */
    this.now = /** @type {any} */ (null);
  }

  render() {
    const { state, made, side, sides } = this.now;
    return html`
      <div>
        <label class="field"
          >${say('setup/task')}
          <select @change=${this.#task}>
            ${tasks.map(
              (task) =>
                html`<option value=${task} ?selected=${task === state.task}>
                  ${say(`tasks/${task}/title`)}
                </option>`,
            )}
          </select>
        </label>
        <p class="quiet">${say(`tasks/${state.task}/about`)}</p>
      </div>
      <div>${this.#switch()}</div>
      <div>
        <details>
          <summary>${say('setup/settings')}</summary>
          ${this.#group(
            'training',
            /** @type {(keyof Settings)[]} */ (Object.keys(RANGES)).filter(
              (name) => !MODEL.includes(/** @type {any} */ (name)),
            ),
          )}
          ${this.#group('model', [...MODEL])}
        </details>
        ${made ? html`<p class="quiet">${say('setup/size', { n: count(made.size) })}</p>` : nothing}
        <div class="files">
          <button @click=${() => command(this, 'save')}>${sides.length > 1 ? say('setup/saveOf', { side: side.toUpperCase() }) : say('setup/save')}</button>
          <label class="button"
            >${say('setup/open')}
            <input type="file" class="hidden" accept=".safetensors" @change=${this.#open} />
          </label>
        </div>
        ${this.now.file ? html`<p class="quiet">${say('setup/file', { name: this.now.file.name })}</p>` : nothing}
      </div>
    `;
  }

  #switch() {
    const { state, settings, file } = this.now;
    const off = state.off ?? '';
    return html`<label class="field"
        >${say('setup/compare')}
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
          <option value="" ?selected=${off === ''}>${say('setup/alone')}</option>
          ${switches.map(
            (name) => html`<option
              value=${name}
              ?selected=${off === name}
              ?disabled=${!canLeave(name, settings)}
            >
              ${say('setup/without', { what: say(`switches/${name}/what`) })}
            </option>`,
          )}
        </select>
      </label>
      ${off ? html`<p class="quiet">${typeset(say(`switches/${off}/claim`))}</p>` : nothing}`;
  }

  /**
   * @param {string} title
   * @param {(keyof Settings)[]} names
   */
  #group(title, names) {
    return html`<fieldset ?disabled=${title === 'model' && this.now.file !== null}>
      <legend>${say(`setup/${title}`)}</legend>
      ${names.map((name) => this.#setting(name))}
    </fieldset>`;
  }

  /** @param {keyof Settings} name */
  #setting(name) {
    const range = RANGES[name];
    const value = this.now.settings[name];
    const take = (/** @type {Event} */ event) => this.#set(name, event);
    return html`<label class="field" title=${say(`settings/${name}/help`)}
      ><span>${typeset(say(`settings/${name}/name`))}</span>
      ${
        'choices' in range
          ? html`<select @change=${take}>
              ${range.choices.map(
                (one) =>
                  html`<option value=${one} ?selected=${one === value}>${say(`choices/${one}`)}</option>`,
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
      if (conflict) throw new RangeError(say(`setup/${conflict}`));
      const chosen = otherThanUsual(state.task, { ...state.settings, [name]: value });
      change(this, { settings: chosen, step: null }, { undoable: true });
    } catch (error) {
      const name_ = say(`settings/${name}/name`);
      const between =
        'low' in range
          ? say('setup/between', { low: bound(range.low), high: bound(range.high) })
          : '';
      const own =
        error instanceof RangeError && error.message !== field.value ? error.message : between;
      this.tell(say('setup/refused', { name: name_, text: field.value, why: own }));
      field.value = String(settings[name]);
    }
  }

  /** @param {Event} event */
  #task(event) {
    const task = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
    const { off } = this.now.state;
    const kept = off && canLeave(off, settingsOf({ task, settings: {} })) ? off : null;
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
