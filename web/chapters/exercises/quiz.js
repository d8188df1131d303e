// Exports for teachers: variants of the exercise in the format of a platform or for paper, and a link to it.
import { html, nothing } from 'lit';
import { count, language, message, text } from '../../app/locale/text.js';
import { COMMON, toHash } from '../../app/state/store.js';
import { Sheet } from '../../stage/elements/sheet.js';
import { LARGEST_SEED, opening, optionsOf, parts } from './state.js';

/** @type {Readonly<Record<string, string>>} */
const FORMAT_TEXTS = {
  json: 'chapters/exercises/quiz/formats/json',
  markdown: 'chapters/exercises/quiz/formats/markdown',
  latex: 'chapters/exercises/quiz/formats/latex',
  html: 'chapters/exercises/quiz/formats/html',
  moodle: 'chapters/exercises/quiz/formats/moodle',
  scorm12: 'chapters/exercises/quiz/formats/scorm12',
  scorm2004: 'chapters/exercises/quiz/formats/scorm2004',
  qti: 'chapters/exercises/quiz/formats/qti',
  prairielearn: 'chapters/exercises/quiz/formats/prairielearn',
};

/** @typedef {import('../../../bindings/learn/exercises/index.js').Format} Format */
/** @typedef {{ name: string, url: string, size: number }} File */

const MAX_VARIANTS = 200;
const MAX_ATTEMPTS = 99;
/** The types of files, by how their names end; others are plain text. */
const TYPES = {
  html: 'text/html',
  json: 'application/json',
  xml: 'text/xml',
  zip: 'application/zip',
};

/** A seed that nobody finds by trying small ones. */
const secretSeed = () =>
  crypto.getRandomValues(new Uint32Array(1))[0] % (LARGEST_SEED - MAX_VARIANTS);

export class Quiz extends Sheet {
  static properties = {
    ...Sheet.properties,
    session: { attribute: false },
    engine: { attribute: false },
    state: { attribute: false },
    format: { state: true },
    variants: { state: true },
    first: { state: true },
    isExam: { state: true },
    attempts: { state: true },
    hidden: { state: true },
    files: { state: true },
    said: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {import('./element.js').Engine} */
    this.engine = /** @type {any} */ (null);
    /** @type {import('./state.js').State} */
    this.state = /** @type {any} */ (null);
    /** @type {Format} */
    this.format = 'html';
    this.variants = 30;
    /** Whether the numbers are the teacher's own, which have no variants. */
    this.isOwn = false;
    this.first = 1;
    /** Whether a SCORM package is an exam, and how often it may be handed in. */
    this.isExam = false;
    this.attempts = 1;
    /** Whether learners with the link may not ask for the working. */
    this.hidden = true;
    /** @type {File[]} */
    this.files = [];
    this.said = '';
    /** How many times the settings changed: files of earlier settings are dropped. */
    this.version = 0;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#forget();
  }

  show() {
    this.first = this.state.seed;
    this.isOwn = this.#problem(this.first).indistinct !== undefined;
    this.said = '';
    this.#forget();
    this.open = true;
  }

  #forget() {
    this.version++;
    for (const { url } of this.files) URL.revokeObjectURL(url);
    this.files = [];
  }

  /** @param {Partial<Quiz>} settings */
  #set(settings) {
    this.#forget();
    this.said = '';
    Object.assign(this, settings);
  }

  /** @param {number} seed */
  #problem(seed) {
    return this.engine.exercise(this.session.core, this.state.recipe, optionsOf(this.state, seed));
  }

  #write = async () => {
    this.#forget();
    const { version } = this;
    const { exportQuiz } = this.engine;
    const { core } = this.session;
    const { recipe } = this.state;
    const all = this.isOwn ? 1 : this.variants;
    const problems = [];
    try {
      for (let k = 0; k < all; k++) {
        /* The page stays responsive between two of them. */
        this.said = text('chapters/exercises/quiz/making', { n: k + 1, all });
        await new Promise((done) => setTimeout(done));
        if (version !== this.version) return;
        const seed = (this.first + k) % (LARGEST_SEED + 1);
        problems.push(this.#problem(seed));
      }
      const files = await exportQuiz(core, problems, {
        format: this.format,
        lang: language(),
        ...(this.isExam && this.#isScorm && { attempts: this.attempts }),
      });
      if (version !== this.version) return;
      this.files = files.map(({ path, data }) => {
        const ending = /** @type {keyof typeof TYPES} */ (path.split('.').at(-1));
        const blob = new Blob([/** @type {BlobPart} */ (data)], {
          type: `${TYPES[ending] ?? 'text/plain'};charset=utf-8`,
        });
        const name = `${recipe}-${this.format}-${path.replaceAll('/', '-')}`;
        return { name, url: URL.createObjectURL(blob), size: data.length };
      });
      this.said = text('chapters/exercises/quiz/made', { n: problems.length });
    } catch (error) {
      this.said = text('page/refused', { message: message(error) });
    }
  };

  get #isScorm() {
    return this.format.startsWith('scorm');
  }

  get #link() {
    const { theme, lang } = COMMON;
    const { cells } = opening;
    const shared = { cells, answers: [], checked: '', working: !this.hidden, theme, lang };
    const hash = toHash({ name: 'exercises', opening, parts }, { ...this.state, ...shared });
    return new URL(hash, location.href).href;
  }

  #copy = async () => {
    try {
      await navigator.clipboard.writeText(this.#link);
      this.said = text('page/shared');
    } catch {
      this.said = text('export/refused');
    }
  };

  render() {
    return html`<dialog aria-labelledby="quiz-title" @close=${this.closed}>
      <h2 id="quiz-title" tabindex="-1" autofocus>${text('chapters/exercises/quiz/button')}</h2>
      ${this.open ? this.#sheet() : nothing}
    </dialog>`;
  }

  /** @param {'variants' | 'first' | 'attempts'} name @param {string} label @param {number} low @param {number} high */
  #number(name, label, low, high) {
    const take = (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget: field }) => {
      const n = Math.max(low, Math.min(high, Math.round(Number(field.value)) || low));
      this.#set({ [name]: n });
      if (field.value !== String(n)) {
        this.said = text('chapters/exercises/quiz/within', { what: label, low, high, n });
      }
      field.value = String(n);
    };
    return html`<label
      >${label}
      <input type="number" min=${low} max=${high} .value=${String(this[name])} @change=${take}
    /></label>`;
  }

  /** The files that were written. */
  #files() {
    return html`<ul class="files">
      ${this.files.map(
        ({ name, url, size }) => html`<li>
          <a href=${url} download=${name}>${name}</a> <span class="quiet">${text('chapters/exercises/quiz/size', { n: count(size / 1000) })}</span>
          ${
            this.format === 'html'
              ? html` · <a href=${url} target="_blank" rel="noopener">${text('chapters/exercises/quiz/open')}</a>`
              : nothing
          }
        </li>`,
      )}
    </ul>`;
  }

  #exam() {
    const isExam = this.isExam && this.#isScorm;
    return html`<fieldset class="exam">
      <label
        ><input
          type="checkbox"
          .checked=${isExam}
          ?disabled=${!this.#isScorm}
          aria-describedby=${this.#isScorm ? nothing : 'exam-why'}
          @change=${() => this.#set({ isExam: !this.isExam, ...(!this.isExam && { first: secretSeed() }) })}
        />
        ${text('chapters/exercises/quiz/exam')}</label
      >
      ${
        this.#isScorm
          ? nothing
          : html`<p class="quiet" id="exam-why">${text('chapters/exercises/quiz/notExam')}</p>`
      }
      ${
        isExam
          ? html`${this.#number('attempts', text('chapters/exercises/quiz/attempts'), 1, MAX_ATTEMPTS)}
              <p class="quiet">${text('chapters/exercises/quiz/limits')}</p>`
          : nothing
      }
    </fieldset>`;
  }

  #sheet() {
    return html`<p>${text('chapters/exercises/quiz/about')}</p>
      <fieldset>
        <legend>${text('chapters/exercises/quiz/formats/label')}</legend>
        ${this.engine.formats.map(
          (format) => html`<label
            ><input
              type="radio"
              name="quiz-format"
              .checked=${format === this.format}
              @change=${() => this.#set({ format })}
            />
            ${text(FORMAT_TEXTS[format])}</label
          >`,
        )}
      </fieldset>
      ${this.#exam()}
      <div class="tools">
        ${
          this.isOwn
            ? html`<span class="quiet">${text('chapters/exercises/quiz/own')}</span>`
            : html`${this.#number('variants', text('chapters/exercises/quiz/variants'), 1, MAX_VARIANTS)}
              ${this.#number('first', text('chapters/exercises/quiz/first'), 0, LARGEST_SEED)}`
        }
        <button class="main" @click=${this.#write}>${text('chapters/exercises/quiz/write')}</button>
      </div>
      ${this.#files()}
      <fieldset>
        <legend>${text('chapters/exercises/quiz/link')}</legend>
        <label
          ><input
            type="checkbox"
            .checked=${this.hidden}
            @change=${() => {
              this.hidden = !this.hidden;
            }}
          />
          ${text('chapters/exercises/quiz/hide')}</label
        >
        <button @click=${this.#copy}>${text('page/share')}</button>
      </fieldset>
      <div class="tools">
        <form method="dialog"><button>${text('page/close')}</button></form>
        <span role="status">${this.said}</span>
      </div>`;
  }
}

customElements.define('gf-quiz', Quiz);
