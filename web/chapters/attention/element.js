import { html, nothing } from 'lit';
import { slide, sources, whatIf } from '#capabilities';
import { exampleIn } from '../../../bindings/js/trace/example-text.js';
import { text } from '../../app/locale/text.js';
import { Walkthrough } from '../../stage/elements/walkthrough.js';
import { opening } from './state.js';

export class Attention extends Walkthrough {
  static properties = { ...Walkthrough.properties, asks: { state: true }, ends: { state: true } };

  constructor() {
    super();
    /** Whether the reader asks what if, on slides. */
    this.asks = false;
    /** Whether the slide behind the last one of the walk is shown. */
    this.ends = false;
  }

  get opening() {
    return opening;
  }

  get invitation() {
    return text('chapters/attention/invitation');
  }

  /** Those with attention; another one is there while a link shows it. */
  get examples() {
    const all = Object.entries(this.session.examples);
    const shown = this.shown?.example;
    return Object.fromEntries(all.filter(([name, { attention }]) => attention || name === shown));
  }

  get computed() {
    return [...super.computed, 'matrices', 'divide'];
  }

  /** @param {import('../../app/state/walk.js').State} state */
  open(state) {
    return state.matrices
      ? this.session.run(this.#ownExample(state.matrices), state)
      : super.open(state);
  }

  /** The example of one's own matrices, read anew where they are others. */
  #own = { text: '', example: /** @type {import('../../app/session.js').Example | null} */ (null) };

  /** @param {string} text */
  #ownExample(text) {
    if (this.#own.text !== text || !this.#own.example) {
      const nameless = { name: 'own', title: '', source: '', about: '' };
      this.#own = { text, example: /** @type {any} */ ({ ...nameless, ...exampleIn(text) }) };
    }
    return /** @type {import('../../app/session.js').Example} */ (this.#own.example);
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
    const isWanted = this.#isSlide ? this.asks : view.state.divide !== opening.divide;
    const stage = html`${this.#slide(view)}
      ${this.#isSlide && this.ends ? html`<gf-ending .view=${view}></gf-ending>` : super.centre(view)}
      ${isWanted && !this.ends ? this.#whatIf(view) : nothing}`;
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

  get #isSlide() {
    return slide !== null && this.shows?.has('what-if') === true;
  }

  /** @param {import('../../app/state/view.js').View} view */
  #slide(view) {
    if (!slide || !this.#isSlide) return nothing;
    this.#load(slide);
    return html`<gf-slide
      .view=${view}
      .asks=${this.asks}
      .ends=${this.ends}
      @gf-ask=${this.#ask}
    ></gf-slide>`;
  }

  /** Opens what can be asked, with the focus in it, or closes it. */
  #ask = async () => {
    this.asks = !this.asks;
    await this.updateComplete;
    const bar = /** @type {import('lit').LitElement | null} */ (this.querySelector('gf-what-if'));
    await bar?.updateComplete;
    /** @type {HTMLElement | null | undefined} */ (
      bar?.querySelector('[aria-pressed=true], input')
    )?.focus();
  };

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key !== 'w' || ctrlKey || metaKey || altKey || !this.#isSlide) return super.key(event);
    this.#ask();
    return true;
  }

  /** What is shown otherwise is no more the end.
   * @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    if (changed.has('state') || changed.has('shows')) this.ends = false;
  }

  /** Behind the last slide of the walk there is one more. @param {1 | -1} by */
  turn(by) {
    const isLast = this.opened && this.shown.t >= this.line.moments.length - 1;
    if (isLast && this.ends === by < 0) this.ends = by > 0;
    else if (!this.ends) super.turn(by);
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
