// The likeliest words behind a row of logits, as bars, at a temperature that the reader sets.
import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../app/locale/text.js';
import { largestAmong } from '../stage/draw/largest.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { scopeIn } from './telling.js';
import './next.css';

/** How many words are shown. */
const WORDS = 5;
/** Temperatures: from the likeliest word alone to nearly equal shares. */
const [LEAST, MOST, GRAIN] = [0.2, 5, 0.2];
/** How many words can be drawn: as many random numbers are made at once. */
const DRAWS = 1000;
/** How many of the drawn words are written, the last ones. */
const WRITTEN = 12;

/** @extends {Picture<'next'>} */
export class Next extends Picture {
  static properties = {
    ...Picture.properties,
    temperature: { state: true },
    drawn: { state: true },
  };

  constructor() {
    super();
    this.temperature = 1;
    /** Words that were drawn at this temperature. @type {number[]} */
    this.drawn = [];
    /** How many were drawn at all. */
    this.draws = 0;
  }

  /** Draws a word: each as often as its probability says. @param {Float32Array} probabilities */
  #draw(probabilities) {
    const { data } = this.view.session.core.uniform([DRAWS], { low: 0, high: 1, seed: 1 });
    let rest = data[this.draws++ % DRAWS];
    let id = 0;
    while (rest >= probabilities[id] && id < probabilities.length - 1) rest -= probabilities[id++];
    this.drawn = [...this.drawn, id];
  }

  /** The probabilities of all words at the temperature. @returns {Float32Array} */
  get #probabilities() {
    const { core } = this.view.session;
    const data = Float32Array.from(rowOf(this.picture.row, scopeIn(this.view)));
    const scaled = core.scale({ data, shape: [data.length] }, 1 / this.temperature);
    return /** @type {Float32Array} */ (core.softmax(scaled).data);
  }

  /** What the next word follows. */
  get #before() {
    const { tokens, sides } = this.view.example;
    const row = Number(cellsOf(this.picture.row, scopeIn(this.view))[0].index.at(-2));
    return sides ? sides.target.slice(1, row + 1) : tokens.slice(0, row + 1);
  }

  render() {
    const { picture } = this;
    /* Where a temperature is asked about, the words are known. */
    const hides = this.hides && picture.fixed;
    const { vocabulary = [] } = this.view.example;
    const probabilities = this.#probabilities;
    /* How many are likely at all would be told by their rows. */
    const best = largestAmong(probabilities, hides ? 1 : WORDS);
    const wordOf = (/** @type {number} */ id) => (hides ? '?' : (vocabulary[id] ?? id));
    const lang = language();
    return html`<div class=${hides ? 'likeliest bare' : 'likeliest'}>
      <p class="before" lang="en">${this.#before.join(' ')} <b>${wordOf(this.drawn.at(-1) ?? best[0])}</b></p>
      <ol aria-label=${text('lessons/nextWords/label')}>
        ${best.map((id) => {
          const share = hides ? 0 : probabilities[id];
          return html`<li style=${styleMap({ '--share': String(share) })}>
            <b lang="en">${wordOf(id)}</b><i class="bar"></i
            ><span class="value">${hides ? '?' : numberText(share, lang, 'percent')}</span>
          </li>`;
        })}
        ${this.#others(best, probabilities, hides)}
      </ol>
      ${picture.fixed ? nothing : this.#slider()} ${picture.fixed || this.hides ? nothing : this.#drawnWords(probabilities)}
    </div>`;
  }

  /** All words that have no row, as one.
   * @param {number[]} best @param {Float32Array} probabilities @param {boolean | undefined} hides */
  #others(best, probabilities, hides) {
    const share = hides ? 0 : 1 - best.reduce((sum, id) => sum + probabilities[id], 0);
    return html`<li class="others" style=${styleMap({ '--share': String(Math.max(0, share)) })}>
      <b>${text('lessons/lens/others', { n: probabilities.length - best.length })}</b><i class="bar"></i
      ><span class="value">${hides ? '?' : numberText(share, language(), 'percent')}</span>
    </li>`;
  }

  /** What was drawn, and the button that draws. @param {Float32Array} probabilities */
  #drawnWords(probabilities) {
    const { vocabulary = [] } = this.view.example;
    return html`<div class="draws">
      <button @click=${() => this.#draw(probabilities)}>${text('lessons/nextWords/draw')}</button>
      <p lang="en" role="status">${this.drawn
        .slice(-WRITTEN)
        .map((id) => vocabulary[id])
        .join(' · ')}</p>
    </div>`;
  }

  #slider() {
    const { hides, temperature } = this;
    const shown = numberText(temperature, language(), '1');
    return html`<label class="slider"
        >${text('lessons/nextWords/temperature', { value: shown })}
        <input
          type="range"
          min=${LEAST}
          max=${MOST}
          step=${GRAIN}
          .value=${String(temperature)}
          ?disabled=${hides}
          @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
            this.temperature = Number(currentTarget.value);
            this.drawn = [];
          }}
        />
      </label>`;
  }
}

customElements.define('gf-next', Next);
