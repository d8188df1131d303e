// The sheet that writes the code that embeds the figure in a course page, with the parts and locks that are chosen.
import { html, nothing } from 'lit';
import { brings, rich, text } from '../../app/locale/text.js';
import { LOCKS } from '../../app/state/locks.js';
import { FIGURES, frameOf, isLocal, PARTS, USUAL, writers } from '../export/embed-code.js';
import { title } from '../telling/words.js';
import { ExportDialog } from './export-dialog.js';
import { PANEL_TEXTS } from './panel-texts.js';

/** @type {Readonly<Record<string, string>>} */
const SHOW_TEXTS = {
  example: 'course/shows/example',
  map: 'course/shows/map',
  switches: 'course/shows/switches',
  strip: 'course/shows/strip',
  stage: 'course/shows/stage',
  caption: 'course/shows/caption',
  legend: 'course/shows/legend',
  formula: 'course/shows/formula',
  microscope: 'course/shows/microscope',
  timeline: 'course/shows/timeline',
};

/** @type {Readonly<Record<string, string>>} */
const LOCK_TEXTS = {
  weights: 'course/locks/weights',
  inputs: 'course/locks/inputs',
  switches: 'course/locks/switches',
};

/** @type {Readonly<Record<string, string>>} */
const BOXES_TEXTS = {
  show: 'course/show',
  lock: 'course/lock',
};

/** @type {Readonly<Record<string, string>>} */
const FORM_TEXTS = {
  link: 'course/forms/link',
  iframe: 'course/forms/iframe',
  element: 'course/forms/element',
  markdown: 'course/forms/markdown',
};

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?course',
    import: 'default',
    eager: true,
  }),
);
/** The way to what says how to host the page: a link, where the documentation lies beside it. */
function hosting() {
  const { href } = Object(document.querySelector('link[rel=help]'));
  const page = href && new URL('embedding.html#hosting', href).href;
  return page
    ? html`<a href=${page} hreflang="en" target="_blank" rel="noopener">${page}</a>`
    : 'docs/embedding.md';
}

export class EmbedSheet extends ExportDialog {
  static properties = {
    chapter: { attribute: false },
    show: { state: true },
    lock: { state: true },
  };

  constructor() {
    super();
    /** The name of the chapter that is shown. */
    this.chapter = '';
    this.show = USUAL.split(',');
    /** @type {string[]} */
    this.lock = [];
  }

  /** @returns {import('../export/embed-code.js').Wish} */
  get wish() {
    const { chapter, show, lock } = this;
    const { stage, state } = this.view;
    const inStage = (state.panel ?? 'stage') === 'stage';
    const shown = inStage ? title(stage) : text(PANEL_TEXTS[`chapters/${chapter}`][state.panel]);
    const named = `${text('page/title')}: ${shown}`;
    return { page: location.href, chapter, title: named, show, lock };
  }

  #show = () => {
    if (this.view.playing) this.act({ do: 'play' });
    this.said = '';
    this.open = true;
  };

  render() {
    const words = { button: text('course/button'), label: text('course/label') };
    return this.withButton('course', words, this.#show, () => this.#sheet());
  }

  #sheet() {
    const figure = FIGURES.includes(this.chapter);
    return html`${
      figure
        ? html`<div class="choices">
            ${this.#boxes('show', PARTS)} ${this.#boxes('lock', LOCKS.slice(0, -1))}
          </div>`
        : html`<p class="quiet">${text('course/whole')}</p>`
    }
      ${isLocal(this.wish.page) ? html`<p class="against">${rich('course/local', { host: location.host || 'file:', docs: hosting() })}</p>` : nothing}
      ${Object.keys(writers).map((name) => this.#written(name))}
      <div class="tools">
        <a href=${frameOf(this.wish)} target="_blank" rel="noopener">${text('course/try')}</a>
        <form method="dialog"><button>${text('page/close')}</button></form>
        <span class="said" role="status">${this.said}</span>
      </div>`;
  }

  /**
   * @param {'show' | 'lock'} which
   * @param {readonly string[]} names
   */
  #boxes(which, names) {
    return html`<fieldset>
      <legend>${text(BOXES_TEXTS[which])}</legend>
      ${names.map(
        (name) => html`<label
          ><input
            type="checkbox"
            name=${name}
            .checked=${this[which].includes(name)}
            @change=${(/** @type {Event} */ event) => {
              const on = /** @type {HTMLInputElement} */ (event.currentTarget).checked;
              this[which] = names.filter((one) => (one === name ? on : this[which].includes(one)));
            }}
          />
          ${text((which === 'show' ? SHOW_TEXTS : LOCK_TEXTS)[name])}</label
        >`,
      )}
    </fieldset>`;
  }

  /** @param {string} name */
  #written(name) {
    const written = writers[name](this.wish);
    if (written === null) return nothing;
    const label = text(FORM_TEXTS[name]);
    return html`<div class="form" data-form=${name}>
      <span class="label">${label}</span>
      <pre tabindex="0" role="group" aria-label=${label}>${written}</pre>
      <button aria-label=${text('course/copyOf', { what: label })} @click=${() => this.copy(written, text('course/copied', { what: label }))}>
        ${text('export/copy')}
      </button>
    </div>`;
  }
}

customElements.define('gf-course', EmbedSheet);
