// The model of the stories, or one of the reader's own: two texts, the river of the stream at the last word of one, what is
// changed in it, and the sum that is checked.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { Base } from '../../stage/elements/base.js';
import { isPresented, oneScreen } from '../../stage/elements/room.js';
import { checks, progressOf } from './checks.js';
import { downloads } from './downloads.js';
import { Drag } from './drag.js';
import { heads, stream } from './effects.js';
import { Experiment } from './experiment.js';
import { fields } from './fields.js';
import './inside.css';
import { next } from './next.js';
import { opened } from './opened.js';
import { FOLDS, river } from './river.js';
import { scores } from './scores.js';
import { toggled } from './state.js';
import { experimentView } from './view.js';
import { question, way } from './way.js';

/** What the dots measure. @type {Readonly<Record<string, string>>} */
const DOT_TEXTS = {
  story: 'chapters/inside/dots/story',
  zero: 'chapters/inside/dots/zero',
};
/** What rings are. @type {Readonly<Record<string, string>>} */
const RING_TEXTS = {
  story: 'chapters/inside/rings/story',
  zero: 'chapters/inside/rings/zero',
};

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./experiment.js').Whole} Whole */

export class Inside extends Base {
  /** @type {import('./experiment.js').Means['openExperiments']} */
  static openExperiments;
  /** @type {import('./experiment.js').Means['loadOpening']} */
  static loadOpening;
  /** What writes files, where they can be taken away. @type {import('./downloads.js').LoadWriters | null} */
  static loadWriters = null;

  static properties = {
    state: { attribute: false },
    theme: { attribute: false },
  };

  constructor() {
    super();
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** Whether the reader has copied a link. */
    this.isSent = false;
    this.experiment = new Experiment(this, Inside);
    const patch = (/** @type {string} */ place) => this.#patch(place);
    this.actions = {
      press: (/** @type {string} */ place) => this.#press(place),
      patch,
      silence: (/** @type {string} */ place) => this.#silence(place),
      open: (/** @type {string} */ open) =>
        this.#change({ open: open === this.state.open ? '' : open }),
      change: (/** @type {Partial<State>} */ part) => this.#change(part),
      rewrite: (/** @type {Partial<State>} */ part) => this.#rewrite(part),
      drag: new Drag(patch),
    };
    this.addEventListener('gf-open', (event) =>
      this.experiment.open(/** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener('gf-close', () => this.experiment.close());
  }

  /** Resolves once what is seen is what the state asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.experiment.done;
    return done && !this.isUpdatePending;
  }

  /** What a lesson reads. */
  get view() {
    return this.state && experimentView(this.experiment.whole, this.state);
  }

  updated() {
    /* A lesson waits for it. */
    if (this.view) this.dispatchEvent(new Event('gf-opened', { bubbles: true }));
    const { result } = this.experiment;
    if (!result || !this.changedSince(result.tokens.join(' '))) return;
    /* The river is at the last word. */
    const view = this.querySelector('.inside .scroll');
    if (view) view.scrollLeft = view.scrollWidth;
  }

  /** @param {Partial<State>} part */
  #change(part) {
    change(this, part, { undoable: true });
  }

  /** Another text: what came from positions of the last one is left out. @param {Partial<State>} part */
  #rewrite(part) {
    const { model, prompt, other, instead } = { ...this.state, ...part };
    const from = this.state.from.filter((place) => !place.includes('@'));
    /* A word of a story that neither text says is none to compare with. */
    const words = `${prompt} ${other}`.split(/[^\p{L}\p{N}']+/u);
    const isThere = model !== '' || words.includes(instead);
    this.#change({ from, open: '', ...part, instead: isThere ? instead : '' });
  }

  /** Changes a head or a feed-forward as the table says, or puts it back. @param {string} place */
  #press(place) {
    if (this.experiment.result?.value === 'story') this.#patch(place);
    else this.#silence(place);
  }

  /** Switches a place off, or puts it back. @param {string} place */
  #silence(place) {
    const { off, from } = this.state;
    this.#change({ off: toggled(off, place), from: from.filter((other) => other !== place) });
  }

  /** Takes what a place gives from the other text, or puts it back. @param {string} place */
  #patch(place) {
    const { off, from } = this.state;
    this.#change({ from: toggled(from, place), off: off.filter((other) => other !== place) });
  }

  #restore = () => this.#change({ off: [], from: [] });

  /** Escape puts everything back. @param {KeyboardEvent} event */
  key({ key }) {
    const { off, from } = this.state;
    if (key !== 'Escape' || off.length + from.length === 0) return false;
    this.#restore();
    return true;
  }

  #send = () => {
    this.isSent = true;
    this.act({ do: 'share' });
    this.requestUpdate();
  };

  // ---- What is seen ----

  render() {
    const { state, experiment, actions } = this;
    if (!state) return nothing;
    if (experiment.isChoosing || !experiment.hasModel)
      return experiment.opening?.render(/^http/.test(state.model) ? state.model : '') ?? nothing;
    const { whole, failure } = experiment;
    if (!experiment.model || (!whole && !failure)) return this.#waiting();
    return html`<div class="inside">
      ${whole && html`<header>${question(whole)} ${this.#way(whole)}</header>`}
      <section class="reading" aria-label=${text('chapters/inside/texts/label')}>
        ${failure ? html`<p class="refused" role="alert">${failure}</p>` : nothing}
        ${whole && this.#river(whole)} ${fields(experiment, whole, state, actions)}
      </section>
      ${
        whole &&
        html`<h2>${text('chapters/inside/numbers')}</h2>
          ${this.#aside(whole)} ${checks(experiment, whole)}`
      }
    </div>`;
  }

  /** @param {Whole} whole */
  #way(whole) {
    const { state, experiment, isSent } = this;
    return way(whole, { open: state.open, isChanged: experiment.isChanged, isSent }, this.#send);
  }

  /** Nothing to be seen yet: a model of many layers takes its time. */
  #waiting() {
    return this.experiment.own
      ? html`<p class="doing" role="status">${text('chapters/inside/computing')}</p>`
      : progressOf(this.experiment);
  }

  /** In a lesson the whole river is seen, on a phone and on a slide without the words that both texts have: how wide is what
   * stands for these. */
  get #fold() {
    if (this.closest('.teaching') === null) return null;
    if (isPresented(this)) return FOLDS.slide;
    return oneScreen(this) ? null : FOLDS.phone;
  }

  /** The river, and what is to be said of the texts. @param {Whole} whole */
  #river(whole) {
    const { word, instead, tokens, others, unknown, fits } = whole;
    const { model, from } = this.state;
    const lengths = { n: tokens.length, other: others.length };
    return html`${
      unknown.length > 0
        ? html`<p class="refused">${text('chapters/inside/unknown', { words: unknown.join(', ') })}</p>`
        : nothing
    }
      ${fits || others.length === 0 ? nothing : html`<p class="refused">${text('chapters/inside/lengths', lengths)} ${from.length > 0 ? text('chapters/inside/untaken') : nothing}</p>`}
      ${river(whole, this.experiment.applied, this.actions, this.#fold)}
      <p class="prose">
        ${text(instead === '' ? 'chapters/inside/about' : 'chapters/inside/against', { word, instead })}
        ${whole.sum === whole.intact ? nothing : text('chapters/inside/shores')}
      </p>
      <p class="measure">${text(DOT_TEXTS[this.state.value])}
        <span class="for" aria-hidden="true">●</span> ${text('chapters/inside/dots/falls')} <span class="against" aria-hidden="true">●</span> ${text('chapters/inside/dots/rises')} <span class="rings">${text(RING_TEXTS[this.state.value])}</span></p>
      <p class="quiet">${text('chapters/inside/legend')} ${model === '' ? html`${text('chapters/inside/texts/hint')} <span class="enter">${text('chapters/inside/texts/enter')}</span>` : nothing}</p>`;
  }

  /** @param {Whole} whole */
  #aside(whole) {
    const { experiment, theme, state, actions } = this;
    const context = { experiment, theme, actions };
    return html`<aside>
      ${next(whole, experiment.isChanged, this.#restore)} ${opened(whole, experiment.applied, actions)}
      ${heads(context, whole)} ${scores(experiment.scores, state, theme, (score) => this.#change({ score }))}
      ${stream(context, whole)} ${Inside.loadWriters && downloads(this, whole, Inside.loadWriters)} ${this.#models()}
    </aside>`;
  }

  /** The way to other models. */
  #models() {
    return html`<section class="models">
      <h2 class="label">${text('chapters/inside/models/title')}</h2>
      <p class="quiet">${text('chapters/inside/models/about')}</p>
      <button @click=${this.experiment.choose}>${text('chapters/inside/models/open')}</button>
      <p class="quiet">${text('chapters/inside/models/more')}</p>
      <pre>npx glassformer help inside</pre>
    </section>`;
  }
}
