import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { Walkthrough } from '../../stage/elements/walkthrough.js';
import { count, meanCount } from './count.js';
import './heads.css';
import { headSteps } from './multiples.js';
import './numbers.js';
import { MAX_HEADS, opening, PANELS } from './state.js';

/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {import('./count.js').MeanCount} Count */

const HEAD_COUNTS = Array.from({ length: MAX_HEADS }, (_, k) => k + 1);

/** The examples whose channels can be shared among heads. */
const EXAMPLES = ['two-heads', 'ten-tokens'];

export class Heads extends Walkthrough {
  constructor() {
    super();
    /** @type {{ key: string, counts: Count[] }} */
    this.counted = { key: '', counts: [] };
  }

  get opening() {
    return opening;
  }

  get invitation() {
    return text('chapters/heads/invitation');
  }

  get examples() {
    return Object.fromEntries(EXAMPLES.map((name) => [name, this.session.examples[name]]));
  }

  get computed() {
    return [...super.computed, 'heads'];
  }

  get panels() {
    return PANELS;
  }

  get words() {
    return 'chapters/heads';
  }

  /** @param {string} name */
  chosen(name) {
    return { heads: this.session.examples[name].attention?.heads ?? 1 };
  }

  /** Heads beside each other show nothing before their queries. */
  get beginning() {
    if (this.shown.panel !== 'heads') return 0;
    const shown = headSteps(this.opened.trace, this.shown.heads);
    const { stages, first } = this.line;
    return first[stages.findIndex((stage) => shown.includes(stage))];
  }

  /** @param {State} state */
  open(state) {
    return this.session.run(this.exampleOf(state, state.heads), state);
  }

  /**
   * The sentence or the example, with so many heads.
   * @param {State} state
   * @param {number} heads
   */
  exampleOf({ sentence, example }, heads) {
    const refuse = (/** @type {number} */ width) => {
      throw new RangeError(text('chapters/heads/refused', { width, heads }));
    };
    if (sentence) {
      const dk = Math.floor(sentence.dModel / heads);
      if (dk === 0) refuse(sentence.dModel);
      const divided = { ...sentence, dK: dk * heads, heads };
      return this.session.exampleOf({ example, sentence: divided });
    }
    const whole = this.session.exampleOf({ example, sentence });
    const width = widthOf(whole);
    if (width % heads) refuse(width);
    return { ...whole, attention: { ...whole.attention, heads } };
  }

  /** @param {import('../../app/state/view.js').View} view */
  head(view) {
    const { state } = view;
    const isChoice = HEAD_COUNTS.some((n) => n !== state.heads && this.possible(state, n));
    return html`<gf-chooser
        .view=${view}
        .examples=${this.examples}
        .fields=${['dModel', 'seed', 'positions', 'causal']}
      ></gf-chooser>
      ${isChoice ? this.#stepper(state) : nothing}`;
  }

  /** How many heads there are. @param {State} state */
  #stepper(state) {
    return html`<div class="controls">
        <span id="heads-label">${text('chapters/heads/heads')}</span>
        <div class="stepper" role="group" aria-labelledby="heads-label">
          ${HEAD_COUNTS.map(
            (heads) => html`<button
              aria-pressed=${state.heads === heads}
              aria-label=${text('chapters/heads/choose', { n: heads })}
              ?disabled=${!this.possible(state, heads)}
              @click=${() => this.act({ do: 'set', change: { heads, path: [], open: null } })}
            >${heads}</button>`,
          )}
        </div>
      </div>`;
  }

  /**
   * @param {State} state
   * @param {number} heads
   */
  possible({ sentence, example }, heads) {
    if (sentence) return heads <= sentence.dModel;
    return widthOf(this.session.examples[example]) % heads === 0;
  }

  /** @param {import('../../app/state/view.js').View} view */
  centre(view) {
    if (view.state.panel === 'stage') return super.centre(view);
    if (view.state.panel === 'heads')
      return html`<gf-multiples .view=${view} .alone=${this.isUntouched}></gf-multiples>`;
    return html`<gf-head-numbers .view=${view} .counts=${this.#counts(view.state)}></gf-head-numbers>`;
  }

  /**
   * The counts of each possible number of heads. What one draw of the weights measures may be chance.
   * @param {State} state
   */
  #counts(state) {
    const key = JSON.stringify([state.sentence, state.example]);
    if (this.counted.key !== key) {
      const possible = HEAD_COUNTS.filter((heads) => this.possible(state, heads));
      const counts = possible.map((heads) => {
        const all = drawsOf(state).map((drawn) => {
          const intact = { remove: [], edits: [] };
          const { trace } = this.session.run(this.exampleOf(drawn, heads), intact);
          trace.dispose();
          return count(trace, heads);
        });
        return meanCount(all);
      });
      this.counted = { key, counts };
    }
    return this.counted.counts;
  }
}

/** How many draws of the weights are measured, where they are drawn. */
const DRAWS = 8;

/** The same sentence with the weights of several seeds, the page's own first; a worked example has its numbers.
 * @param {State} state */
function drawsOf(state) {
  const { sentence } = state;
  if (!sentence) return [state];
  return Array.from({ length: DRAWS }, (_, i) => ({
    ...state,
    sentence: { ...sentence, seed: (sentence.seed + i) % 2 ** 32 },
  }));
}

/** The channels that heads share. @param {any} example */
const widthOf = ({ inputs }) => inputs.w_q.shape[1];
