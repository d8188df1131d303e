// Check a text: a worked text is pasted, its wrong numbers are marked in their places, each with its cause, and the
// corrected text can be taken away. What is pasted is shown as text, whatever it holds.
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { Places } from '../../../bindings/learn/checker/place.js';
import { language, message, text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { saveFile } from '../../stage/elements/save.js';
import { typeset } from '../../stage/telling/number.js';
import { openChecker } from '../../workers/checker/open.js';
import { Ended } from '../../workers/remote/failure.js';
import { Remote } from '../../workers/remote/remote.js';
import { kindOf, SIGNS } from './marks.js';

/** What the checker can read. */
const READ_TEXTS = [
  'chapters/exercises/text/reads/matrices',
  'chapters/exercises/text/reads/equations',
  'chapters/exercises/text/reads/steps',
];

/** @typedef {import('../../workers/checker/answers.js').Report} Report */
/** @typedef {import('../../workers/checker/core.js').Flag} Flag */
/** A text, and the report on it. @typedef {{ text: string, report: Report | null }} Draft */

const MAX_CHARACTERS = 100_000;
/** Of longer lists only the number of the rest is shown. */
const MAX_LISTED = 500;
/** Lines of a step: a number further down is of none that has a name. */
const MAX_ROWS = 12;

/** A text in notation alone: √d_k was forgotten, the rest follows from that, and one sum is a slip. */
const SAMPLE = `# Attention

Q = [[1, 0, 2, 1], [1, 1, 0, 2]]
K = [[1, 2, 0, 1], [0, 1, 1, 1]]
V = [[2, 0], [0, 4]]

scores = [[2, 3], [5, 3]]
scaled_scores = [[2.0, 3.0], [5.0, 3.0]]
weights = [[0.27, 0.73], [0.88, 0.12]]
output = [[0.54, 2.92], [1.76, 0.48]]

1.1 · 0.2 + 0.1 · 1.2 = 0.43
`;

/** The flags of a text, and the parts between them.
 * @param {Report} report @param {string} whole
 * @returns {(string | { flag: Flag, n: number })[]} */
function partsOf({ flags }, whole) {
  const places = new Places(whole);
  /** @type {ReturnType<typeof partsOf>} */
  const parts = [];
  let end = 0;
  const placed = flags.map((flag, i) => ({ flag, n: i + 1, start: places.at(flag) }));
  for (const { flag, n, start } of placed.sort((a, b) => a.start - b.start)) {
    parts.push(whole.slice(end, start), { flag, n });
    end = start + flag.printed.length;
  }
  return [...parts, whole.slice(end)];
}

/** What a text calls the step that has the first wrong number; empty if it has no name for it. @param {Report} report */
function firstStep({ flags: [{ line }], relations }) {
  const steps = relations.filter((relation) => relation.line <= line);
  const last = steps.sort((a, b) => a.line - b.line).at(-1);
  return last && line - last.line < MAX_ROWS ? last.result : '';
}

export class CheckText extends Base {
  static properties = {
    draft: { attribute: false },
    checking: { state: true },
    said: { state: true },
    refused: { state: true },
  };

  constructor() {
    super();
    /** The element around keeps it while this one is not shown. @type {Draft} */
    this.draft = { text: '', report: null };
    this.checking = false;
    /** What is read aloud. */
    this.said = '';
    /** Why a text is not checked. */
    this.refused = '';
    /** @type {Remote<import('../../workers/checker/answers.js').Questions, import('../../workers/checker/answers.js').Answers>} */
    this.remote = new Remote(openChecker);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
  }

  // ---- What the reader does ----

  #stop = () => {
    this.checking = false;
    this.remote.close();
  };

  /** @param {Draft} draft */
  #put(draft) {
    this.draft = draft;
    this.dispatchEvent(new CustomEvent('gf-draft', { detail: draft }));
  }

  /** In another language the text is checked again, for its messages. */
  willUpdate() {
    const { report } = this.draft;
    if (report && report.lang !== language() && !this.checking) this.#check();
  }

  #check = async () => {
    const { text: typed, report: before } = this.draft;
    const lang = language();
    this.refused = '';
    this.said = '';
    if (!typed.trim()) {
      this.refused = text('chapters/exercises/text/nothing');
      return;
    }
    if (typed.length > MAX_CHARACTERS) {
      const values = { n: typed.length, most: MAX_CHARACTERS };
      this.refused = text('chapters/exercises/text/tooLong', values);
      return;
    }
    this.checking = true;
    try {
      const report = await this.remote.ask('check', { text: typed, lang });
      this.#put({ text: typed, report });
      if (before) return;
      this.said = this.#summary(report);
      await this.updateComplete;
      /** @type {HTMLElement | null} */ (this.querySelector('.report h2'))?.focus();
    } catch (error) {
      /* A reader who stops it needs no message. */
      if (!(error instanceof Ended && !this.checking)) {
        this.refused = text('page/refused', { message: message(error) });
        if (before) this.#put({ text: typed, report: null });
      }
    } finally {
      this.checking = false;
    }
  };

  #edit = async () => {
    this.#put({ ...this.draft, report: null });
    this.said = '';
    await this.updateComplete;
    this.querySelector('textarea')?.focus();
  };

  #sample = async () => {
    this.#put({ text: SAMPLE, report: null });
    this.refused = '';
    await this.updateComplete;
    const field = this.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(0, 0);
  };

  #copy = async () => {
    try {
      await navigator.clipboard.writeText(this.draft.report?.corrected ?? '');
      this.said = text('chapters/exercises/text/copied');
    } catch {
      this.said = text('export/refused');
    }
  };

  #download = () => {
    const blob = new Blob([this.draft.report?.corrected ?? ''], { type: 'text/plain' });
    saveFile('corrected.txt', blob);
  };

  /** Focuses a mark in the text, or its finding. @param {string} selector */
  #go = (selector) => {
    const place = /** @type {HTMLElement | null} */ (this.querySelector(selector));
    place?.focus();
    place?.scrollIntoView({ block: 'nearest' });
  };

  // ---- What is said ----

  /** @param {Report} report */
  #summary({ checked, flags, truncated, notUnderstood }) {
    const carried = flags.filter(({ follows }) => follows).length;
    const n = flags.length - carried;
    if (carried) return text('chapters/exercises/text/foundMore', { n, all: checked, carried });
    if (n) return text('chapters/exercises/text/found', { n, all: checked });
    if (truncated.length > 0) return text('chapters/exercises/text/unflagged', { n: checked });
    if (checked > 0) return text('chapters/exercises/text/right', { n: checked });
    return text(
      notUnderstood.length > 0 ? 'chapters/exercises/text/unread' : 'chapters/exercises/text/none',
    );
  }

  /** Where to begin. @param {Report} report */
  #begin(report) {
    const [{ line, printed }] = report.flags;
    const step = firstStep(report);
    return step
      ? text('chapters/exercises/text/beginStep', { printed, line, step })
      : text('chapters/exercises/text/begin', { printed, line });
  }

  // ---- What is seen ----

  render() {
    const { report } = this.draft;
    return html`<div class="lesson exercise">
        <section class="centre" aria-label=${text('chapters/exercises/text/title')}>
          <div class="work" tabindex="-1">
            <div class="task">
              <h2 class="recipe">${text('chapters/exercises/text/title')}</h2>
              <p>${text('chapters/exercises/text/about')}</p>
            </div>
            ${report ? this.#marked(report) : this.#field()}
          </div>
        </section>
        <aside class="right">${report ? this.#report(report) : this.#help()}</aside>
      </div>
      <p class="hidden" aria-live="polite">${this.said}</p>`;
  }

  #field() {
    const { checking, refused } = this;
    return html`<label class="paste"
        ><span class="label">${text('chapters/exercises/text/label')}</span>
        <textarea
          spellcheck="false"
          autocapitalize="off"
          placeholder=${text('chapters/exercises/text/placeholder')}
          aria-describedby=${refused ? 'text-refused' : nothing}
          ?readonly=${checking}
          .value=${live(this.draft.text)}
          @input=${(/** @type {Event} */ event) =>
            this.#put({
              text: /** @type {HTMLTextAreaElement} */ (event.currentTarget).value,
              report: null,
            })}
          @keydown=${(/** @type {KeyboardEvent} */ event) => {
            if (event.key !== 'Enter' || !event.ctrlKey || checking) return;
            event.preventDefault();
            this.#check();
          }}
        ></textarea>
      </label>
      ${refused ? html`<p class="refused" id="text-refused" role="alert">${refused}</p>` : nothing}
      <div class="tools">
        <button class="main" ?disabled=${checking} @click=${this.#check}>${text('chapters/exercises/text/check')}</button>
        ${
          checking
            ? html`<span role="status">${text('chapters/exercises/text/checking')}</span>
              <button @click=${this.#stop}>${text('chapters/exercises/text/stop')}</button>`
            : html`<button @click=${this.#sample}>${text('chapters/exercises/text/load')}</button>`
        }
      </div>`;
  }

  #help() {
    return html`<div class="report">
      <h2>${text('chapters/exercises/text/reads/title')}</h2>
      <ul class="reads">
        ${READ_TEXTS.map((key) => html`<li>${typeset(text(key))}</li>`)}
      </ul>
      <p class="quiet">${text('chapters/exercises/text/private')}</p>
    </div>`;
  }

  /** @param {Report} report */
  #marked(report) {
    const go = (/** @type {number} */ n) => () => this.#go(`#finding-${n}`);
    return html`<div class="tools">
        <button @click=${this.#edit}>${text('chapters/exercises/text/edit')}</button>
      </div>
      <pre class="marked-text" tabindex="0" role="region" aria-label=${text('chapters/exercises/text/marked')}>${partsOf(
        report,
        this.draft.text,
      ).map((part) => {
        if (typeof part === 'string') return part;
        const { flag, n } = part;
        const kind = kindOf(flag.cause);
        return html`<button
          class="flag kind-${kind}"
          id="flag-${n}"
          aria-description=${flag.message}
          @click=${go(n)}
        ><s>${flag.printed}</s> <b>${flag.corrected}</b><sup>${n} ${SIGNS[kind]}</sup></button>`;
      })}</pre>`;
  }

  /** @param {Report} report */
  #report(report) {
    const { flags, truncated, notUnderstood } = report;
    return html`<div class="report">
      <h2 tabindex="-1">${this.#summary(report)}</h2>
      ${flags.length > 1 ? html`<p>${this.#begin(report)}</p>` : nothing}
      ${
        flags.length > 0
          ? html`<div class="tools">
              <button @click=${this.#copy}>${text('chapters/exercises/text/copy')}</button>
              <button @click=${this.#download}>${text('chapters/exercises/text/download')}</button>
            </div>
            <ol class="flags">
              ${flags.slice(0, MAX_LISTED).map((flag, i) => this.#finding(flag, i + 1))}
            </ol>
            ${this.#rest(flags.length)}`
          : nothing
      }
      ${
        truncated.length > 0
          ? html`<h3 class="label">${text('chapters/exercises/text/truncated')}</h3>
            <ul class="unread">
              ${truncated
                .slice(0, MAX_LISTED)
                .map(
                  ({ line, message: sentence }) =>
                    html`<li><span class="quiet">${text('chapters/exercises/text/line', { line })}</span> ${sentence}</li>`,
                )}
            </ul>
            ${this.#rest(truncated.length)}`
          : nothing
      }
      ${
        notUnderstood.length > 0
          ? html`<h3 class="label">${text('chapters/exercises/text/notUnderstood')}</h3>
            <ul class="unread">
              ${notUnderstood
                .slice(0, MAX_LISTED)
                .map(
                  ({ line, text: words, message: why }) =>
                    html`<li><span class="quiet">${text('chapters/exercises/text/line', { line })}</span> <code>${words}</code> <span class="quiet">${why}</span></li>`,
                )}
            </ul>
            ${this.#rest(notUnderstood.length)}`
          : nothing
      }
    </div>`;
  }

  /** @param {number} all */
  #rest = (all) =>
    all > MAX_LISTED
      ? html`<p class="quiet">${text('chapters/exercises/text/more', { n: all - MAX_LISTED })}</p>`
      : nothing;

  /** @param {Flag} flag @param {number} n */
  #finding(flag, n) {
    const { line, cause, follows, message: sentence } = flag;
    const kind = kindOf(cause);
    return html`<li class="finding kind-${kind}" id="finding-${n}" tabindex="-1">
      <button class="to" @click=${() => this.#go(`#flag-${n}`)}>
        <b>${n} ${SIGNS[kind]}</b> ${text('chapters/exercises/text/line', { line })}
      </button>
      <span>${typeset(sentence)}</span>
      ${
        follows
          ? html`<button class="to" @click=${() => this.#go(`#finding-${follows}`)}>${text('chapters/exercises/text/source', { n: follows })}</button>`
          : nothing
      }
    </li>`;
  }
}

customElements.define('gf-check-text', CheckText);
