// The sheet from which the figure, a tensor, the worked solution or a program is taken away.
import { html, nothing } from 'lit';
import { text } from '../locale/text.js';
import { plainSymbol, title } from '../telling/words.js';
import { Base } from './base.js';

/** What there is, and in which groups it stands. @type {Record<string, string[]>} */
const GROUPS = {
  figure: ['svg', 'png'],
  tensor: ['csv', 'json'],
  solution: ['latex'],
  program: ['numpy', 'pytorch', 'javascript'],
};

/** Characters of a text that are shown before it is taken away. */
const PREVIEW = 20000;

/** @typedef {typeof import('../export/index.js')} Writers */

export class Export extends Base {
  static properties = {
    view: { attribute: false },
    chosen: { state: true },
    node: { state: true },
    alone: { state: true },
    writers: { state: true },
    said: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../view.js').View} */
    this.view = /** @type {any} */ (null);
    this.chosen = 'svg';
    /** The tensor that was chosen; the present step's, while none is. */
    this.node = '';
    /** Whether only the present step's program is wanted. */
    this.alone = false;
    /** @type {Writers | null} loaded when the sheet is first opened */
    this.writers = null;
    /** What became of the last copy or download. */
    this.said = '';
  }

  get dialog() {
    return /** @type {HTMLDialogElement} */ (this.querySelector('dialog'));
  }

  get wishes() {
    const { stage, trace } = this.view;
    const there = trace.steps.some(({ name }) => name === this.node);
    return { node: there ? this.node : stage.name, alone: this.alone };
  }

  async show() {
    this.said = '';
    this.dialog.showModal();
    this.writers ??= await import('../export/index.js');
  }

  render() {
    return html`<button aria-haspopup="dialog" @click=${this.show}>${text('export/button')}</button>
      <dialog aria-labelledby="export-title" @close=${() => this.requestUpdate()}>
        <h2 id="export-title" tabindex="-1" autofocus>${text('export/label')}</h2>
        ${this.querySelector('dialog')?.open ? this.#sheet() : nothing}
      </dialog>`;
  }

  #sheet() {
    const written = this.#written();
    return html`<div class="choices">
        ${Object.entries(GROUPS).map(
          ([group, names]) => html`<fieldset>
            <legend>${text(`export/groups/${group}`)}</legend>
            ${names.map(
              (name) => html`<label
                ><input
                  type="radio"
                  name="format"
                  value=${name}
                  .checked=${name === this.chosen}
                  @change=${() => {
                    this.chosen = name;
                    this.said = '';
                  }}
                />
                ${text(`export/formats/${name}`)}</label
              >`,
            )}
            ${this.#wish(group)}
          </fieldset>`,
        )}
      </div>
      <div class="result">
        ${this.#preview(written)}
        <div class="tools">
          <span class="file">${this.#file}</span>
          ${
            this.chosen === 'png'
              ? nothing
              : html`<button ?disabled=${!written} @click=${() => this.#copy(written)}>
                ${text('export/copy')}
              </button>`
          }
          <button class="main" ?disabled=${!written} @click=${() => this.#download(written)}>
            ${text('export/download')}
          </button>
          <form method="dialog"><button>${text('page/close')}</button></form>
          <span class="said" role="status">${this.said}</span>
        </div>
      </div>`;
  }

  /** @param {string} group */
  #wish(group) {
    if (!GROUPS[group].includes(this.chosen)) return nothing;
    const { trace, stage } = this.view;
    if (group === 'tensor') {
      return html`<label class="wish"
        >${text('export/which')}
        <select
          @change=${(/** @type {Event} */ event) => {
            this.node = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
          }}
        >
          ${trace.steps.map(
            (step) => html`<option value=${step.name} ?selected=${step.name === this.wishes.node}>
              ${plainSymbol(step.name)} · ${title(step)} · ${step.shape.join(' × ')}
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
        }}
      />
      ${text('export/alone', { step: title(stage) })}</label
    >`;
  }

  get #file() {
    const format = this.chosen === 'png' ? 'svg' : this.chosen;
    const name = this.writers?.fileName(this.view, format, this.wishes) ?? '';
    return this.chosen === 'png' ? name.replace(/svg$/, 'png') : name;
  }

  /** What the chosen format comes to; empty while its writers are being loaded. */
  #written() {
    const format = this.chosen === 'png' ? 'svg' : this.chosen;
    return this.writers?.formats[format].write(this.view, this.wishes) ?? '';
  }

  /** @param {string} written */
  #preview(written) {
    const label = text('export/preview');
    if (GROUPS.figure.includes(this.chosen)) {
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
    const rest = written.length - PREVIEW;
    return html`<pre class="preview" tabindex="0" role="group" aria-label=${label}
>${written.slice(0, PREVIEW)}${rest > 0 ? `\n… ${text('export/more', { n: rest })}` : ''}</pre>`;
  }

  /** @param {string} written */
  async #copy(written) {
    try {
      await navigator.clipboard.writeText(written);
      this.said = text('export/copied');
    } catch {
      this.said = text('export/refused');
    }
  }

  /** @param {string} written */
  async #download(written) {
    const { formats } = /** @type {Writers} */ (this.writers);
    const blob =
      this.chosen === 'png'
        ? await import('../export/png.js').then(({ png }) => png(written))
        : new Blob([written], { type: formats[this.chosen].type });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = this.#file;
    link.click();
    URL.revokeObjectURL(link.href);
    this.said = text('export/downloaded', { file: this.#file });
  }
}

customElements.define('gf-export', Export);
