// The sheet that exports the figure, a tensor, the worked solution or a program.
import { html, nothing } from 'lit';
import { message, text } from '../../app/locale/text.js';
import { plainSymbol, title } from '../telling/words.js';
import { ExportDialog } from './export-dialog.js';
import { saveFile } from './save.js';

/** What there is, and in which groups it stands.
 * @type {Record<string, { label: string, formats: Record<string, string> }>} */
const GROUPS = {
  figure: {
    label: 'export/groups/figure',
    formats: { svg: 'export/formats/svg', png: 'export/formats/png' },
  },
  tensor: {
    label: 'export/groups/tensor',
    formats: { csv: 'export/formats/csv', json: 'export/formats/json' },
  },
  solution: { label: 'export/groups/solution', formats: { latex: 'export/formats/latex' } },
  program: {
    label: 'export/groups/program',
    formats: {
      numpy: 'export/formats/numpy',
      pytorch: 'export/formats/pytorch',
      javascript: 'export/formats/javascript',
    },
  },
};

/** Characters of a text that are shown before it is taken away. */
const MAX_PREVIEW = 20000;

/** @typedef {typeof import('../export/index.js')} Writers */

export class Export extends ExportDialog {
  static properties = {
    chosen: { state: true },
    node: { state: true },
    alone: { state: true },
    writers: { state: true },
    written: { state: true },
    again: { state: true },
  };

  constructor() {
    super();
    this.chosen = 'svg';
    /** The tensor that was chosen; the present step's, while none is. */
    this.node = '';
    /** Whether only the present step's program is wanted. */
    this.alone = false;
    /** @type {Writers | null} loaded when the sheet is first opened */
    this.writers = null;
    /** What the chosen format comes to; empty while that is not known, or too much. */
    this.written = '';
    /** The lines of a program that are the present step. */
    this.marked = '';
    /** @type {(() => void) | null} what loads once more what did not come */
    this.again = null;
  }

  get wishes() {
    const { stage, trace } = this.view;
    const there = trace.steps.some(({ name }) => name === this.node);
    return { node: there ? this.node : stage.name, alone: this.alone };
  }

  /** Opens, and loads what writes, once. */
  async show() {
    this.written = '';
    this.said = '';
    this.again = null;
    this.open = true;
    try {
      this.writers ??= await import('../export/index.js');
    } catch {
      this.#miss(() => this.show());
      return;
    }
    this.#write();
  }

  /** Says that a part of the page did not come. @param {() => void} again loads it once more */
  #miss(again) {
    this.said = text('page/notLoaded');
    this.again = again;
  }

  /** Writes what is chosen, once: the page behind the sheet may go on moving. */
  #write() {
    if (!this.writers) return void this.show();
    const { formats, MAX_NUMBERS } = this.writers;
    const { count, write } = formats[this.format];
    const n = count?.(this.view, this.wishes) ?? 0;
    this.written = '';
    this.again = null;
    this.said = n > MAX_NUMBERS ? text('export/tooMuch', { n }) : '';
    if (this.said) return;
    try {
      this.written = this.inStyle(() => write(this.view, this.wishes));
    } catch (error) {
      this.said = text('page/refused', { message: message(error) });
    }
  }

  /** What is written: pixels are made of the SVG. */
  get format() {
    return this.chosen === 'png' ? 'svg' : this.chosen;
  }

  render() {
    const words = { button: text('export/button'), label: text('export/label') };
    return this.withButton(
      'export',
      words,
      () => this.show(),
      () => this.#sheet(),
    );
  }

  #sheet() {
    const { written } = this;
    return html`<div class="choices">
        ${Object.entries(GROUPS).map(
          ([group, { label, formats }]) => html`<fieldset>
            <legend>${text(label)}</legend>
            ${Object.entries(formats).map(
              ([name, key]) => html`<label
                ><input
                  type="radio"
                  name="format"
                  value=${name}
                  .checked=${name === this.chosen}
                  @change=${() => {
                    this.chosen = name;
                    this.#write();
                  }}
                />
                ${text(key)}</label
              >`,
            )}
            ${this.#wish(group)}
          </fieldset>`,
        )}
      </div>
      <div class="result">
        ${this.#preview()}
        <div class="tools">
          <span class="file">${this.#file}</span>
          ${
            this.chosen === 'png'
              ? nothing
              : html`<button ?disabled=${!written} @click=${() => this.copy(written, text('export/copied'))}>
                ${text('export/copy')}
              </button>`
          }
          <button class="main" ?disabled=${!written} @click=${this.#download}>
            ${text('export/download')}
          </button>
          <form method="dialog"><button>${text('page/close')}</button></form>
          <span class="said" role="status">${this.said}</span>
          ${
            this.again ? html`<button @click=${this.again}>${text('page/again')}</button>` : nothing
          }
        </div>
      </div>`;
  }

  /** @param {string} group */
  #wish(group) {
    if (!(this.chosen in GROUPS[group].formats)) return nothing;
    const { trace, stage } = this.view;
    if (group === 'tensor') {
      return html`<label class="wish"
        >${text('export/which')}
        <select
          @change=${(/** @type {Event} */ event) => {
            this.node = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
            this.#write();
          }}
        >
          ${trace.steps.map(
            (step) => html`<option value=${step.name} ?selected=${step.name === this.wishes.node}>
              ${plainSymbol(step)} · ${title(step)} · ${step.shape.join(' × ')}
            </option>`,
          )}
        </select></label
      >`;
    }
    if (group !== 'program') return nothing;
    return html`<label class="wish"
      ><input
        type="checkbox"
        .checked=${this.alone}
        @change=${() => {
          this.alone = !this.alone;
          this.#write();
        }}
      />
      ${text('export/alone', { step: title(stage) })}</label
    >`;
  }

  get #file() {
    const file = this.writers?.fileName(this.view, this.format, this.wishes) ?? '';
    return this.chosen === 'png' ? file.replace(/svg$/, 'png') : file;
  }

  #preview() {
    const { written } = this;
    const label = text('export/preview');
    if (this.chosen in GROUPS.figure.formats) {
      return html`<div class="preview" tabindex="0" role="group" aria-label=${label}>
        ${
          written
            ? html`<img
              alt=${title(this.view.stage)}
              src="data:image/svg+xml,${encodeURIComponent(written)}"
            />`
            : nothing
        }
      </div>`;
    }
    const rest = written.length - MAX_PREVIEW;
    const shown = written.slice(0, MAX_PREVIEW);
    const { from, to } = this.#present(shown);
    return html`<pre class="preview" tabindex="0" role="group" aria-label=${label}
>${shown.slice(0, from)}<mark>${shown.slice(from, to)}</mark>${shown.slice(to)}${rest > 0 ? `\n… ${text('export/more', { n: rest })}` : ''}</pre>`;
  }

  /** Where the present step stands in a program: it moves on with the stage. @param {string} shown */
  #present(shown) {
    const none = { from: 0, to: 0 };
    if (!(this.chosen in GROUPS.program.formats)) return none;
    const remark = `${this.writers?.comments[this.chosen]} ${this.view.stage.name} [`;
    const from = shown.indexOf(`\n${remark}`) + 1;
    if (from === 0) return none;
    const to = shown.indexOf('\n\n', from);
    return { from, to: to < 0 ? shown.length : to };
  }

  /** What is marked comes into sight when it changes. */
  updated() {
    super.updated();
    const mark = this.querySelector('.preview mark');
    const marked = mark?.textContent ?? '';
    if (!mark || marked === this.marked) return;
    this.marked = marked;
    const box = /** @type {HTMLElement} */ (mark.parentElement);
    const { top, bottom } = mark.getBoundingClientRect();
    const room = box.getBoundingClientRect();
    if (top < room.top || bottom > room.bottom) box.scrollTop += top - room.top - room.height / 3;
  }

  #download = async () => {
    const { formats } = /** @type {Writers} */ (this.writers);
    this.again = null;
    let blob = new Blob([this.written], { type: formats[this.format].type });
    try {
      if (this.chosen === 'png') blob = await (await import('../export/png.js')).png(this.written);
    } catch {
      this.#miss(this.#download);
      return;
    }
    saveFile(this.#file, blob);
    this.said = text('export/downloaded', { file: this.#file });
  };
}

customElements.define('gf-export', Export);
