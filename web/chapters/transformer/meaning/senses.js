// One word, two meanings: its two rows as two arrows, which start on each other and part, state by state. Beside it a word
// with one meaning, at the same positions.
import { html, svg } from 'lit';
import { text } from '../../../app/locale/text.js';
import { display } from '../../../stage/draw/format.js';
import { change } from '../../../stage/elements/ask.js';
import '../../../stage/elements/plot.js';
import { factsTable } from '../../../stage/elements/facts-table.js';
import { plain } from '../../../stage/telling/number.js';
import { senseShares, twoRows } from './measures.js';
import { MeaningPart } from './part.js';
import { sensesVerdict } from './verdicts.js';

/** Sentences of each word, and what it means there. @type {Record<string, { sentences: [string, string], means: [string, string] }>} */
const PAIRS = {
  lit: { sentences: ['le garçon lit un livre', 'le garçon voit un lit'], means: ['reads', 'bed'] },
  porte: {
    sentences: ['la femme porte une robe', 'la femme ferme une porte'],
    means: ['wears', 'door'],
  },
  chat: { sentences: ['le petit chat dort', 'le garçon voit un chat'], means: ['cat', 'cat'] },
};
export const WORDS = ['lit', 'porte'];
const CONTROL = 'chat';
/** The states of the encoder's stream, in their order. */
const STATE_TEXTS = [
  'chapters/meaning/states/0',
  'chapters/meaning/states/1',
  'chapters/meaning/states/2',
  'chapters/meaning/states/3',
  'chapters/meaning/states/4',
  'chapters/meaning/states/5',
];
/** Before these states a word knows nothing of the others. */
const ALONE = 2;
const STEP_MS = 1100;
/** Of the sentences on which shares are measured. */
const SEED = 0;
/** Of the drawing. */
const [SIZE, LENGTH] = [200, 150];

/** @typedef {NonNullable<Awaited<ReturnType<typeof twoRows>>>['states'][number]} State */
/** @typedef {NonNullable<Awaited<ReturnType<typeof senseShares>>>} Shares */
/** @typedef {{ states: Record<string, State[]>, shares: { trained: Shares, untrained: Shares, control: Shares } | null }} Result */

/** @extends {MeaningPart<Result>} */
export class Senses extends MeaningPart {
  static properties = { ...MeaningPart.properties, playing: { state: true } };

  constructor() {
    super();
    this.playing = false;
    this.timer = 0;
  }

  /** The word that is shown: another one may be that of the neighbours. */
  get word() {
    const { word } = this.view.state;
    return WORDS.includes(word) ? word : WORDS[0];
  }

  get key() {
    return `${super.key} ${this.word}`;
  }

  /** @param {AbortSignal} signal */
  async measure(signal) {
    const { word } = this;
    const [subject, untrained] = [this.subject, this.untrained].map((one) => ({ ...one, signal }));
    /** @type {Record<string, State[]>} */
    const states = {};
    for (const one of [word, CONTROL]) {
      const rows = await twoRows(subject, one, PAIRS[one].sentences);
      states[one] = rows.states;
    }
    /* The arrows need not wait for the rest. */
    this.result = { states, shares: null };
    const trained = await senseShares(subject, word, SEED);
    const fresh = await senseShares(untrained, word, SEED);
    const control = await senseShares(subject, CONTROL, SEED);
    return { states, shares: { trained, untrained: fresh, control } };
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#pause();
  }

  get state() {
    return Math.min(this.view.state.mark, STATE_TEXTS.length - 1);
  }

  /** @param {number} mark */
  #to(mark) {
    change(this, { mark }, { passing: true });
  }

  #pause = () => {
    clearInterval(this.timer);
    this.playing = false;
  };

  #play = () => {
    if (this.playing) return this.#pause();
    this.playing = true;
    this.#to(this.state >= STATE_TEXTS.length - 1 ? 0 : this.state + 1);
    this.timer = window.setInterval(() => {
      if (this.state >= STATE_TEXTS.length - 1) this.#pause();
      else this.#to(this.state + 1);
    }, STEP_MS);
  };

  render() {
    const { result, word, state } = this;
    return html`<p class="prose">${text('chapters/meaning/senses/about')}</p>
      <div class="controls">
        <span id="senses-label">${text('chapters/meaning/word')}</span>
        <div class="stepper" role="group" aria-labelledby="senses-label">
          ${WORDS.map(
            (one) => html`<button
              lang="fr"
              aria-pressed=${one === word}
              @click=${() => this.set({ word: one })}
            >${one}</button>`,
          )}
        </div>
        <button class="main" @click=${this.#play}>
          ${text(this.playing ? 'chapters/meaning/pause' : 'chapters/meaning/play')}
        </button>
        <b class="state" aria-live="polite">${text(STATE_TEXTS[state])}</b>
      </div>
      ${result?.states[word] ? this.#shown(result) : this.waiting()}
      <p class="quiet">${text('chapters/meaning/senses/bank')}</p>`;
  }

  /** @param {Result} result */
  #shown({ states, shares }) {
    const { word, state } = this;
    const far = Math.min(states[word].length, STATE_TEXTS.length) - 1;
    const values = {
      ...{ word, control: CONTROL },
      cosine: plainNumber(states[word][far].cosine),
      other: plainNumber(states[CONTROL][far].cosine),
    };
    return html`<div class="pairs">
        ${[word, CONTROL].map((one) => this.#arrows(one, states[one][state]))}
        <gf-plot
          .chart=${this.#chart(states)}
          .at=${state}
          .label=${text('chapters/meaning/senses/plot')}
          .theme=${this.view.theme}
          @gf-place=${(/** @type {CustomEvent} */ { detail }) => {
            this.#pause();
            this.#to(detail.place);
          }}
        ></gf-plot>
      </div>
      <p class="prose">${text('chapters/meaning/senses/control', values)}</p>
      ${shares ? this.#judged(shares) : this.waiting()}`;
  }

  /** Two rows in the plane in which both lie: their angle is not distorted. @param {string} word @param {State} state */
  #arrows(word, { rows, cosine }) {
    const { sentences, means } = PAIRS[word];
    const half = (Math.acos(Math.min(1, cosine)) * 90) / Math.PI;
    const lengths = rows.map((row) => Math.hypot(...row));
    const label = text('chapters/meaning/senses/angle', {
      ...{ word, cosine: plainNumber(cosine) },
      degrees: plainNumber(Math.round(2 * half)),
    });
    return html`<figure>
      <svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label=${label}>
        ${lengths.map((length, i) => {
          const tip = (LENGTH * length) / Math.max(...lengths);
          return svg`<g class="turning row${i}" style="transform:rotate(${i === 0 ? -half : half}deg)">
            <path class="shaft" d="M0 0V${8 - tip}" />
            <path class="tip" d="M0 ${-tip}l-5.5 13h11z" />
            <text x=${i === 0 ? -4 : 4} y=${-tip - 8} text-anchor=${i === 0 ? 'end' : 'start'} lang="en">${means[i]}</text>
          </g>`;
        })}
      </svg>
      <figcaption>
        <span>${label}</span>
        ${sentences.map(
          (sentence, i) => html`<span lang="fr" class="row${i}">${marked(sentence, word)}</span>`,
        )}
      </figcaption>
    </figure>`;
  }

  /** @param {Record<string, State[]>} states */
  #chart(states) {
    const curve = (/** @type {string} */ word, /** @type {string} */ colour, dashed = false) => ({
      ...{ label: word, colour, dashed },
      values: states[word].map(({ cosine }) => cosine),
    });
    return {
      places: STATE_TEXTS.map((_, i) => i),
      curves: [curve(this.word, '--curve-1'), curve(CONTROL, '--curve-4', true)],
      across: text('chapters/meaning/senses/across'),
      up: text('chapters/meaning/senses/up'),
      high: 1,
      names: (/** @type {number} */ place) => text(STATE_TEXTS[place]),
    };
  }

  /** @param {NonNullable<Result['shares']>} shares */
  #judged({ trained, untrained, control }) {
    const row = (/** @type {string} */ name, /** @type {Shares} */ { shares }) => html`<tr>
      <th scope="row">${name}</th>
      ${shares.map(({ share, chance }) => html`<td>${plain(Number(share))} <small>(${plain(Number(chance))})</small></td>`)}
    </tr>`;
    const last = (/** @type {Shares} */ { shares }) => {
      const { share, chance } = shares[shares.length - 1];
      return { share: Number(share), chance: Number(chance) };
    };
    const says = sensesVerdict([{ trained: last(trained), untrained: last(untrained) }]);
    const { word } = this;
    const why = text('chapters/meaning/senses/why', {
      ...{ word, n: trained.count, control: CONTROL },
      share: plainNumber(last(trained).share),
      untrained: plainNumber(last(untrained).share),
      none: plainNumber(last(control).share),
    });
    return html`<h2 class="label">${text('chapters/meaning/senses/shares')}</h2>
      ${factsTable(
        text('chapters/meaning/senses/shares'),
        [null, ...STATE_TEXTS.slice(ALONE).map((key) => text(key))],
        [
          row(text('chapters/meaning/trained', { word }), trained),
          row(text('chapters/meaning/untrained', { word }), untrained),
          row(text('chapters/meaning/oneMeaning', { word: CONTROL }), control),
        ],
      )}
      ${this.verdict(says, why)}`;
  }
}

/** A number for a sentence. @param {number} value */
const plainNumber = (value) => display(Math.fround(value));

/** A sentence with its word in bold. @param {string} sentence @param {string} word */
const marked = (sentence, word) =>
  sentence.split(' ').map((one) => (one === word ? html` <b>${one}</b>` : html` ${one}`));

customElements.define('gf-senses', Senses);
