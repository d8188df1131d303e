// The page of a chapter that walks through a trace. It hands every element one view.
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { claims } from '#capabilities';
import { text } from '../../app/locale/text.js';
import { cellKey, sizeOf } from '../draw/tensor.js';
import { SHARPNESS } from '../experiments/names.js';
import './caption.js';
import './chooser.js';
import './formula.js';
import './gradient.js';
import './legend.js';
import './map.js';
import './microscope.js';
import { typeset } from '../telling/number.js';
import './readouts.js';
import { PANEL_TEXTS } from './panel-texts.js';
import { oneScreen } from './room.js';
import './stage.js';
import './strip.js';
import './switches.js';
import './timeline.js';
import './term.js';
import { Walker } from './walker.js';

/** The parts of the state that ask for more than a number, and for more than the picture. */
const CHANGING = [
  ...['remove', 'edits', 'gradient', 'target', 'claim', 'scale', 'level'],
  ...['model', 'step', 'panel'],
];
const ASKING = ['path', 'open', ...CHANGING];

export class Walkthrough extends Walker {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = {
    shows: { attribute: false },
    lens: { attribute: false },
  };

  constructor() {
    super();
    /** The parts that are shown; null for all. @type {ReadonlySet<string> | null} */
    this.shows = null;
    /** Another picture of the same view, in place of the middle.
     * @type {((view: import('../../app/state/view.js').View) => unknown) | null} */
    this.lens = null;
  }

  // ---- What a chapter says of itself ----

  /** What there is to choose from, in order. @returns {Record<string, import('../../app/session.js').Example>} */
  get examples() {
    return {};
  }

  /** What one can do here, in a sentence, while nothing was asked for yet. */
  get invitation() {
    return '';
  }

  /** Where the locale has the chapter's own words. */
  get words() {
    return '';
  }

  /** What is above it: the choice of what is shown. @param {import('../../app/state/view.js').View} view */
  head(view) {
    return html`<gf-chooser .view=${view} .examples=${this.examples}></gf-chooser>`;
  }

  /** The middle of the page. @param {import('../../app/state/view.js').View} view @returns {unknown} */
  centre(view) {
    return html`<gf-stage .view=${view}></gf-stage>
      <gf-readouts .view=${view}></gf-readouts>`;
  }

  /**
   * A part of the page, where it is wanted.
   * @param {string} name
   * @param {() => unknown} what
   */
  wanted(name, what) {
    return !this.shows || this.shows.has(name) ? what() : nothing;
  }

  /** Where the strip shows the way, the map comes only if it is asked for. @param {import('../../app/state/view.js').View} view */
  map(view) {
    return this.shows?.has('map') ? html`<gf-map .view=${view}></gf-map>` : nothing;
  }

  /** What is beside the middle, or below the panel. @param {import('../../app/state/view.js').View} view */
  aside(view) {
    return html`${this.map(view)}
    ${this.wanted('switches', () => html`<gf-switches .view=${view}></gf-switches>`)}`;
  }

  // ---- What was asked for ----

  /** The time that the page opened with, until the reader goes on from it. */
  #start = -1;
  /** Whether it opened with its invitation, and not all panels were asked for since. */
  #isInvited = false;

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const isOpening = changed.has('state') && this.state !== this.taken;
    super.willUpdate(changed);
    if (!isOpening || !this.opened) return;
    this.#start = this.shown.t;
    this.#isInvited = this.isUntouched;
  }

  /** Whether the page itself, and no lesson or figure, shows the chapter with all its parts. */
  get #isPage() {
    return this.shows === null && this.parentElement?.localName === 'main';
  }

  /** Whether parts of the state are as the page opens. @param {string[]} parts */
  #isOpening(parts) {
    const { shown, opening } = this;
    return parts.every((key) => String(shown[key]) === String(opening[key]));
  }

  /** Whether nothing was asked for: no number is chosen or changed, and nothing was played. Then the picture stands alone. */
  get isUntouched() {
    const { shown, playing } = this;
    const isEnd = [0, this.line.moments.length - 1].includes(shown.t);
    if (!this.#isPage || playing || !isEnd || shown.t !== this.#start) return false;
    return this.invitation !== '' && this.#isOpening(ASKING);
  }

  /** Whether no more was asked for than a number or a moment: then what changes or tunes the computation still waits. */
  get isFolded() {
    return this.isUntouched || (this.#isInvited && this.#isPage && this.#isOpening(CHANGING));
  }

  #welcome() {
    return html`${this.isUntouched ? html`<p class="invitation">${this.invitation}</p>` : nothing}
      <button class="unfold" @click=${this.unfold}>${text('page/everything')}</button>`;
  }

  /** Shows all panels, first of them what can be removed. */
  unfold = async () => {
    this.#start = -1;
    this.#isInvited = false;
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector('gf-switches')?.querySelector('input')?.focus();
  };

  // ---- What is seen ----

  /** Panels that stand in a list of their own behind the others, and what it is called. @returns {{ label: string, names: string[] }} */
  get listed() {
    return { label: '', names: [] };
  }

  /** @param {import('../../app/state/view.js').View} view */
  #tabs({ state }) {
    if (this.panels.length === 0) return nothing;
    const { label, names } = this.listed;
    const choose = (/** @type {string} */ name) =>
      this.act({ do: 'set', change: this.toPanel(name) });
    const said = (/** @type {string} */ name) => text(PANEL_TEXTS[this.words][name]);
    return html`<div class="tabs" role="group" aria-label=${text('page/panels')}>
      ${this.panels
        .filter((name) => !names.includes(name))
        .map(
          (name) => html`<button
            aria-pressed=${state.panel === name}
            @click=${() => choose(name)}
          >${typeset(said(name))}</button>`,
        )}
      ${
        names.length === 0
          ? nothing
          : html`<select
            class=${names.includes(state.panel) ? 'chosen' : ''}
            aria-label=${label}
            @change=${(/** @type {Event} */ { currentTarget }) =>
              choose(/** @type {HTMLSelectElement} */ (currentTarget).value)}
          >
            <option value="" hidden ?selected=${!names.includes(state.panel)}>${label}</option>
            ${names.map(
              (name) =>
                html`<option value=${name} ?selected=${state.panel === name}>${said(name)}</option>`,
            )}
          </select>`
      }
    </div>`;
  }

  /** The cell that is told, and the one that was brought into sight last. */
  #now = '';
  #shown = '';
  /** The last cell, where a walk opens with all its numbers: its head is what is seen first. @type {string | null} */
  #opening = null;

  /** A stage has its matrices once it knows its room, and a caption grows while terms are added. */
  #scene = new ResizeObserver(() => {
    this.#shown = '';
    this.#showCell();
  });

  /** What keeps to the edge of the screen says how high it is. */
  #edge = new ResizeObserver(([{ target }]) => {
    const { offsetHeight } = /** @type {HTMLElement} */ (target);
    this.style.setProperty('--edge', `${offsetHeight}px`);
  });

  /** Once what stands beside the tabs has its width, too. */
  updated() {
    if (!this.opened) return;
    if (this.shown.claim) this.#loadClaims();
    this.#opening ??= this.shown.t === this.line.moments.length - 1 ? this.#now : '';
    if (this.#now !== this.#opening) this.#opening = '';
    if (this.changedSince(this.shown.panel)) requestAnimationFrame(this.#showTab);
    if (this.#now !== this.#shown) requestAnimationFrame(this.#showCell);
    const bar = this.querySelector('gf-timeline');
    if (bar) this.#edge.observe(bar);
    for (const part of this.querySelectorAll('gf-stage, gf-caption')) this.#scene.observe(part);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#edge.disconnect();
    this.#scene.disconnect();
  }

  /** Where the page scrolls, the number that is told stands above its caption, which keeps to the edge of the screen. */
  #showCell = () => {
    if ([this.#shown, this.#opening].includes(this.#now) || this.shows || oneScreen(this)) return;
    const caption = this.querySelector('gf-caption');
    const cell = this.querySelector('gf-stage .figure-grid :is(.cell, .frame).focus');
    if (!caption || !(cell instanceof HTMLElement) || this.getRootNode() !== document) return;
    this.#shown = this.#now;
    const below = innerHeight - caption.getBoundingClientRect().top;
    cell.style.scrollMargin = `4rem 1rem ${Math.ceil(below) + 8}px`;
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    cell.style.scrollMargin = '';
  };

  /** On a narrow screen the tabs may be wider than it. */
  #showTab = () => {
    const chosen = this.querySelector('.shelf > .tabs [aria-pressed=true]');
    const tabs = chosen?.parentElement;
    if (!tabs || !(chosen instanceof HTMLElement)) return;
    const middle = chosen.offsetLeft - tabs.offsetLeft + chosen.offsetWidth / 2;
    tabs.scrollLeft = middle - tabs.clientWidth / 2;
  };

  /**
   * A column, if any of its parts is wanted.
   * @param {string} where
   * @param {string[]} parts
   * @param {() => unknown} what
   */
  #side(where, parts, what) {
    const any = !this.shows || parts.some((name) => this.shows?.has(name));
    return any ? html`<div class=${where}>${what()}</div>` : nothing;
  }

  /** What stays beside whatever attention shows of weights that nobody trained, until the reader's own stand in their place.
   * @param {import('../../app/state/view.js').View} view */
  #drawn({ example, state, trace, stage }) {
    /* Where tokens stand is not drawn. */
    if (stage.role === 'position') return nothing;
    const drawn = ['w_q', 'w_k'].filter((name) => example.inputs?.[name]?.uniform);
    const isReplaced = (/** @type {string} */ name) =>
      state.edits.filter(({ node }) => node === name).length === sizeOf(trace.step(name));
    if (drawn.length === 0 || drawn.every(isReplaced)) return nothing;
    return html`<gf-term
      class="drawn"
      .term=${text('stage/drawn')}
      .meaning=${text('stage/drawnWhy')}
    ></gf-term>`;
  }

  /** @param {import('../../app/state/view.js').View} view */
  #shelf(view) {
    const choice = this.shows?.has('head')
      ? this.head(view)
      : this.wanted('example', () => [this.head(view), this.#tabs(view)]);
    const chapter = this.localName.replace('gf-chapter-', '');
    const away = this.wanted(
      'export',
      () => html`<div class="away">
        <gf-course .view=${view} .chapter=${chapter}></gf-course>
        <gf-export .view=${view}></gf-export>
      </div>`,
    );
    if (choice === nothing && away === nothing) return nothing;
    return html`<div class="shelf">${choice} ${away}</div>`;
  }

  render() {
    const { view } = this;
    if (!view) return nothing;
    this.#now = view.focus && !this.preview ? cellKey(view.focus) : '';
    const { isFolded } = this;
    this.toggleAttribute('untouched', this.isUntouched);
    this.toggleAttribute('folded', isFolded);
    return html`
      ${this.#shelf(view)}
      <div class="lesson">
        ${isFolded ? this.#welcome() : nothing}
        ${this.#side('left', ['map', 'switches'], () => this.aside(view))}
        <section class="centre" aria-label=${text('stage/label')}>
          ${this.wanted('stage', () => this.#drawn(view))}
          ${this.wanted('strip', () => html`<gf-strip .view=${view}></gf-strip>`)}
          ${this.wanted('stage', () => this.lens?.(view) ?? this.centre(view))}
          ${this.wanted('caption', () => html`<gf-caption .view=${view}></gf-caption>`)}
          ${this.wanted('legend', () => html`<gf-legend .view=${view}></gf-legend>`)}
        </section>
        ${this.#side(
          `right ${view.state.gradient ? 'graded' : ''}`,
          ['formula', 'microscope'],
          () => [
            this.wanted('formula', () => html`<gf-formula .view=${view}></gf-formula>`),
            this.wanted(
              'microscope',
              () => html`<gf-microscope .view=${view}></gf-microscope>
                <gf-gradient .view=${view}></gf-gradient>`,
            ),
          ],
        )}
      </div>
      ${this.wanted('timeline', () => html`<gf-timeline .view=${view}></gf-timeline>`)}
      ${this.#evidence(view)}
    `;
  }

  /** The sheet that puts a claim to the test, in front of a class, too. @param {import('../../app/state/view.js').View} view */
  #evidence(view) {
    const { claim } = view.state;
    if (!claim) return nothing;
    if (claim === SHARPNESS) return html`<gf-sharpness .view=${view}></gf-sharpness>`;
    return keyed(claim, html`<gf-evidence .view=${view}></gf-evidence>`);
  }

  #loadClaims = () => claims().catch(() => this.tell(text('page/notLoaded'), this.#loadClaims));
}
