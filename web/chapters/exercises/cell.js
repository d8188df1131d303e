// The panel of the current cell: what the marking says of it, hints, its working; and what else was found.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { typeset } from '../../stage/telling/number.js';
import { kindOf, SIGNS } from './marks.js';
import { WORKING } from './state.js';

/** @type {Readonly<Record<import('./marks.js').Kind, string>>} */
const KIND_TEXTS = {
  right: 'chapters/exercises/kinds/right',
  early: 'chapters/exercises/kinds/early',
  carried: 'chapters/exercises/kinds/carried',
  named: 'chapters/exercises/kinds/named',
  slip: 'chapters/exercises/kinds/slip',
  wrong: 'chapters/exercises/kinds/wrong',
  empty: 'chapters/exercises/kinds/empty',
  unreadable: 'chapters/exercises/kinds/unreadable',
};

/**
 * What the panel shows of a cell.
 * @typedef {object} Cell
 * @property {string} name
 * @property {unknown} chip
 * @property {string} where
 * @property {import('../../../bindings/learn/exercises/index.js').Mark | null} mark once it was checked
 * @property {string[]} hints from the weakest
 * @property {boolean} helps whether it may be checked, and hints asked for
 * @property {boolean} checked whether any cell was checked: then the signs are explained
 * @property {number} hinted how many of them are shown
 * @property {string | null} working null if it may not be asked for
 * @property {boolean} worked
 * @property {boolean} plays whether mistakes may be played, which shows the right numbers, too
 * @property {{ cell: string, where: string, message: string, mistake?: string, kind: import('./marks.js').Kind }[]} findings
 */

/** Kinds that the sentence of a mark does not name. */
const NAMED = ['named', 'slip'];

/** The signs that are explained; a cell without an answer has none. */
const EXPLAINED = /** @type {import('./marks.js').Kind[]} */ (
  Object.keys(SIGNS).filter((kind) => kind !== 'empty')
);

export class ExerciseCell extends Base {
  static properties = { cell: { attribute: false } };

  constructor() {
    super();
    /** @type {Cell} */
    this.cell = /** @type {any} */ (null);
  }

  /** @param {{ check?: true, hint?: true, work?: true, go?: string, play?: string }} detail */
  #ask(detail) {
    this.dispatchEvent(new CustomEvent('gf-ask', { detail }));
  }

  /** Offers to play a mistake beside the right way. @param {string} [mistake] */
  #playing(mistake) {
    if (!mistake || !this.cell.plays) return nothing;
    return html`<button class="play" @click=${() => this.#ask({ play: mistake })}>
      ${text('chapters/exercises/machine/play')}
    </button>`;
  }

  #mark() {
    const { mark } = this.cell;
    if (!mark) return nothing;
    const kind = kindOf(mark.state);
    return html`<p class="mark kind-${kind}">
        <b>${SIGNS[kind]} ${NAMED.includes(kind) ? text(KIND_TEXTS[kind]) : nothing}</b>
        ${typeset(mark.message)}
      </p>
      ${this.#playing(mark.misconception)}`;
  }

  /** The hints and the working, as far as they were asked for. */
  #help() {
    const { hints, hinted, working, worked } = this.cell;
    return html`${
      hinted > 0
        ? html`<ol class="hints" aria-live="polite">
          ${hints.slice(0, hinted).map((words) => html`<li>${words}</li>`)}
        </ol>`
        : nothing
    }
    ${
      worked && working
        ? html`<div aria-live="polite">
          <h3 class="label">${text('chapters/exercises/working')}</h3>
          <ol class="hints"><li>${working}</li></ol>
          <button @click=${() => this.#ask({ play: WORKING })}>${text('chapters/exercises/machine/playWorking')}</button>
        </div>`
        : nothing
    }`;
  }

  /** What else was found. */
  #findings() {
    const { findings } = this.cell;
    if (findings.length === 0) return nothing;
    return html`<div>
      <h3 class="label">${text('chapters/exercises/findings')}</h3>
      ${findings.map(
        ({ cell, where, message, mistake, kind }) => html`<button
          class="finding kind-${kind}"
          @click=${() => this.#ask({ go: cell })}
        >
          <b>${SIGNS[kind]} ${where}</b> ${typeset(message)}
        </button>
        ${this.#playing(mistake)}`,
      )}
    </div>`;
  }

  render() {
    const { chip, where } = this.cell;
    return html`<h2>${chip} ${where}</h2>
      ${this.#mark()} ${this.cell.helps ? this.#tools() : nothing} ${this.#help()} ${this.#findings()}
      ${
        this.cell.checked
          ? html`<p class="signs">
            ${EXPLAINED.map(
              (kind) =>
                html`<span class="kind-${kind}"><b>${SIGNS[kind]}</b> ${text(KIND_TEXTS[kind])}</span>`,
            )}
          </p>`
          : nothing
      }`;
  }

  #tools() {
    const { hints, hinted, working, worked } = this.cell;
    const n = Math.min(hinted + 1, hints.length);
    return html`<div class="tools">
        <button @click=${() => this.#ask({ check: true })}>${text('chapters/exercises/checkCell')}</button>
        <button ?disabled=${hinted >= hints.length} @click=${() => this.#ask({ hint: true })}>
          ${text('chapters/exercises/hint', { n, all: hints.length })}
        </button>
        ${
          working
            ? html`<button ?disabled=${worked} @click=${() => this.#ask({ work: true })}>
              ${text('chapters/exercises/work')}
            </button>`
            : nothing
        }
      </div>`;
  }
}

customElements.define('gf-exercise-cell', ExerciseCell);
