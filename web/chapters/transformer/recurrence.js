// The recurrent network that attention replaced: played step by step, and how much of each input is left in a state, beside
// one step of attention over the same inputs.
import { html, nothing } from 'lit';
import { recurrence } from '../../../bindings/lab/inside/recurrence.js';
import { brings, text } from '../../app/locale/text.js';
import { Player } from '../../app/state/player.js';
import { display } from '../../stage/draw/format.js';
import { Base } from '../../stage/elements/base.js';
import '../../stage/elements/plot.js';
import { factsTable } from '../../stage/elements/facts-table.js';
import { plain, typeset } from '../../stage/telling/number.js';
import { fading } from './fading.js';
import { GAIN, STEPS } from './state.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/transformer/recurrence',
    import: 'default',
    eager: true,
  }),
);

/** @type {Readonly<Record<string, string>>} */
const VERDICT_TEXTS = {
  holds: 'chapters/transformer/recurrence/holds',
  partly: 'chapters/transformer/recurrence/partly',
  fails: 'chapters/transformer/recurrence/fails',
};

/** @type {Readonly<Record<string, string>>} */
const KIND_TEXTS = {
  recurrent: 'chapters/transformer/recurrence/kinds/recurrent',
  attention: 'chapters/transformer/recurrence/kinds/attention',
};

/** Each row of a step's arithmetic. */
const PARTS = /** @type {const} */ ([
  ['fromState', 'chapters/transformer/recurrence/fromState'],
  ['fromInput', 'chapters/transformer/recurrence/fromInput'],
  ['state', 'chapters/transformer/recurrence/state'],
]);

/** Units whose numbers are shown. */
const SHOWN = 6;
const SEEDS = 8;
const MS_PER_STEP = 150;
/** The bars go from here to 1, by powers of ten; what float32 holds ends below. */
const LOWEST = 1e-30;

/** @typedef {import('../../../bindings/lab/inside/recurrence.js').Reach} Reach */
/** @typedef {import('../../../bindings/lab/inside/recurrence.js').Recurrence} Network */

class Recurrent extends Base {
  static properties = {
    view: { attribute: false },
    core: { attribute: false },
    played: { state: true },
    from: { state: true },
    ratios: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {any} */
    this.core = null;
    /** The step that playing has come to; null where nothing plays. @type {number | null} */
    this.played = null;
    /** The input that is picked on the plot, from 0. */
    this.from = 0;
    /** Of each network that was tried so far, by its seed: what is left of input 1 as a part of what the last one counts.
     * @type {number[]} */
    this.ratios = [];
    /** @type {{ gain: number, network: Network } | null} */
    this.made = null;
    this.passed = 0;
    this.player = new Player((ms) => this.#advance(ms));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
    this.#forget();
  }

  #forget() {
    this.made?.network.dispose();
    this.made = null;
  }

  /** What comes late, after the panel was closed, is not drawn. @param {Map<PropertyKey, unknown>} changed */
  shouldUpdate(changed) {
    return this.isConnected && super.shouldUpdate(changed);
  }

  willUpdate() {
    const { gain } = this.view.state;
    if (this.made?.gain === gain) return;
    this.#forget();
    this.made = { gain, network: recurrence(this.core, { gain, steps: STEPS }) };
    this.ratios = [];
    this.#try(gain);
  }

  /** The same with other seeds, one after the other: between two of them the page can respond. @param {number} gain */
  async #try(gain) {
    const ratios = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
      await new Promise((done) => setTimeout(done));
      if (this.made?.gain !== gain) return;
      const network = recurrence(this.core, { gain, steps: STEPS, seed });
      const { derivatives } = network.reach(STEPS).recurrent;
      network.dispose();
      ratios.push(derivatives[0] / derivatives[STEPS - 1]);
      this.ratios = [...ratios];
    }
  }

  // ---- Playing ----

  get step() {
    return this.played ?? this.view.state.moment;
  }

  /** @param {number} ms */
  #advance(ms) {
    this.passed += ms;
    if (this.passed < MS_PER_STEP) return true;
    this.passed = 0;
    const next = this.step + 1;
    this.played = next;
    if (next < STEPS) return true;
    this.#stop();
    return false;
  }

  #play = () => {
    if (this.player.running) {
      this.#stop();
      return;
    }
    this.played = this.step === STEPS ? 1 : this.step;
    this.passed = 0;
    this.player.start();
  };

  #stop() {
    const { played } = this;
    this.player.stop();
    this.played = null;
    if (played !== null && this.isConnected) this.#set({ moment: played });
  }

  /** @param {Record<string, number>} change */
  #set = (change) => this.act({ do: 'set', change });

  // ---- What is seen ----

  render() {
    const { step } = this;
    const { network } = /** @type {{ network: Network }} */ (this.made);
    const reach = network.reach(step);
    return html`<div class="panel">
      <p class="lead">${typeset(text('chapters/transformer/recurrence/lead', { t: step, before: step - 1 }))}</p>
      <p class="prose">${typeset(text('chapters/transformer/recurrence/about'))}</p>
      ${this.#controls()} ${this.#arithmetic(network, step)}
      ${this.#comparison(reach, step)} ${this.#plot(reach, step)}
      ${this.#verdict()}
    </div>`;
  }

  #controls() {
    const { gain } = this.view.state;
    const [low, high] = GAIN;
    const numberOf = (/** @type {Event} */ { currentTarget }) =>
      /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
    return html`<div class="controls" @keydown=${moved}>
      <button @click=${this.#play}>
        ${this.played === null ? text('timeline/play') : text('timeline/pause')}
      </button>
      <label
        >${text('chapters/transformer/recurrence/step')}
        <input
          type="range"
          min="1"
          max=${STEPS}
          .value=${String(this.step)}
          @input=${(/** @type {Event} */ event) => {
            this.player.stop();
            this.played = numberOf(event);
          }}
          @change=${() => this.#stop()}
        />
        <output>${this.step}</output></label
      >
      <label
        >${text('chapters/transformer/recurrence/gain')}
        <input
          type="range"
          min=${low}
          max=${high}
          step="0.1"
          .value=${String(gain)}
          @change=${(/** @type {Event} */ event) => this.#set({ gain: numberOf(event) })}
        />
        <output>${plain(gain)}</output></label
      >
    </div>`;
  }

  /** @param {Network} network @param {number} step */
  #arithmetic({ steps }, step) {
    const now = steps[step - 1];
    const units = Array.from({ length: SHOWN }, (_, i) => i);
    return factsTable(
      text('chapters/transformer/recurrence/arithmetic'),
      [text('chapters/transformer/recurrence/unit'), ...units.map((unit) => String(unit + 1)), '…'],
      PARTS.map(
        ([part, name]) => html`<tr>
          <th scope="row">${typeset(text(name, { t: step, before: step - 1 }))}</th>
          ${units.map((unit) => html`<td>${plain(now[part][unit])}</td>`)}
          <td></td>
        </tr>`,
      ),
    );
  }

  /** @param {Record<'recurrent' | 'attention', Reach>} reach @param {number} step */
  #comparison(reach, step) {
    return factsTable(
      text('chapters/transformer/recurrence/compared'),
      [
        text('chapters/transformer/recurrence/columns/kind'),
        text('chapters/transformer/recurrence/columns/derivative', { t: step }),
        null,
        text('chapters/transformer/recurrence/columns/kept'),
        text('chapters/transformer/recurrence/columns/chain'),
      ],
      Object.entries(reach).map(
        ([
          kind,
          {
            derivatives: [first],
            kept,
            chain,
          },
        ]) => html`<tr>
          <th scope="row">${text(KIND_TEXTS[kind])}</th>
          <td>${first > 0 ? plain(first) : text('chapters/transformer/recurrence/none')}</td>
          <td class="bar"><span class="share" style="--share:${shareOf(first)}"></span></td>
          <td>${kept}</td>
          <td>${chain}</td>
        </tr>`,
      ),
    );
  }

  /** @param {Record<'recurrent' | 'attention', Reach>} reach @param {number} step */
  #plot(reach, step) {
    const curve = (
      /** @type {'recurrent' | 'attention'} */ kind,
      /** @type {string} */ colour,
    ) => ({
      label: text(KIND_TEXTS[kind]),
      colour,
      values: Array.from({ length: STEPS }, (_, s) => powerOf(reach[kind].derivatives[s])),
    });
    return html`<gf-plot
      .chart=${{
        places: Array.from({ length: STEPS }, (_, s) => s + 1),
        curves: [curve('recurrent', '--curve-2'), curve('attention', '--a-ink')],
        across: text('chapters/transformer/recurrence/across'),
        up: text('chapters/transformer/recurrence/up'),
        names: (/** @type {number} */ s) => text('chapters/transformer/recurrence/input', { s }),
      }}
      .at=${Math.min(this.from, step - 1)}
      .label=${text('chapters/transformer/recurrence/plot')}
      .theme=${this.view.theme}
      @gf-place=${(/** @type {CustomEvent} */ { detail }) => {
        this.from = detail.place;
      }}
    ></gf-plot>`;
  }

  /** What networks of several seeds say of the claim that the signal fades. */
  #verdict() {
    const { ratios } = this;
    if (ratios.length < SEEDS) return nothing;
    const { says, faded, grown } = fading(ratios);
    const values = { n: ratios.length, k: faded, grown, gain: display(this.view.state.gain) };
    return html`<p class="verdict ${says === 'holds' ? '' : 'against'}" role="status">
      ${text(VERDICT_TEXTS[says], values)}
      ${text('chapters/transformer/recurrence/limits')}
    </p>`;
  }
}

/** A key that moves a slider does not step through the model, too. @param {KeyboardEvent} event */
const moved = (event) => {
  const slider = /** @type {HTMLElement} */ (event.target).matches('[type=range]');
  if (slider && /^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation();
};

/** As a power of ten; null for what is not there or too small. uPlot's axes of powers end near 1e-16.
 * @param {number | undefined} value */
const powerOf = (value) => (value ? Math.log10(value) : null);

/** How far a bar reaches, by powers of ten. @param {number} value */
const shareOf = (value) =>
  Math.max(0, Math.min(1, 1 - Math.log10(Math.max(value, LOWEST)) / Math.log10(LOWEST)));

customElements.define('gf-recurrence', Recurrent);
