import { html, nothing } from 'lit';
import { sources, whatIf } from '#capabilities';
import { text } from '../../app/locale/text.js';
import { Walkthrough } from '../../stage/elements/walkthrough.js';
import { opening } from './state.js';

export class Attention extends Walkthrough {
  get opening() {
    return opening;
  }

  /** Those with attention; another one is there while a link shows it. */
  get examples() {
    const all = Object.entries(this.session.examples);
    const shown = this.shown?.example;
    return Object.fromEntries(all.filter(([name, { attention }]) => attention || name === shown));
  }

  get computed() {
    return [...super.computed, 'divide'];
  }

  /** Before the first row is looked up a text is cut into pieces; an image that tokens are patches of stands below
   * the stage. @param {import('../../app/state/view.js').View} view */
  centre(view) {
    const { cut, patches } = view.example;
    if (cut && sources && view.state.t === 0) {
      this.#load(sources.pieces);
      return html`<gf-pieces .view=${view}></gf-pieces>`;
    }
    /* On a slide; elsewhere where another divisor is shown, which it takes back. */
    const isWanted = this.shows?.has('what-if') || view.state.divide !== opening.divide;
    const stage = html`${super.centre(view)} ${isWanted ? this.#whatIf(view) : nothing}`;
    if (!patches || !sources) return stage;
    this.#load(sources.patches);
    return html`${stage}<gf-patches .view=${view}></gf-patches>`;
  }

  /** @param {import('../../app/state/view.js').View} view */
  #whatIf(view) {
    if (!whatIf) return nothing;
    this.#load(whatIf);
    return html`<gf-what-if .view=${view}></gf-what-if>`;
  }

  /** @param {() => Promise<unknown>} part */
  async #load(part) {
    try {
      await part();
    } catch {
      this.tell(text('page/notLoaded'), () => this.#load(part));
    }
  }
}

customElements.define('gf-chapter-attention', Attention);
